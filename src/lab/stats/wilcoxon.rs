//! Wilcoxon's signed ranks: do the values of a sample lie around a fixed one? (Biometrics Bulletin 1, 1945.)
//!
//! The distances from the fixed value are ranked by their size, and V is the sum of the ranks of those above it. Both
//! directions count (two-sided). As R's `wilcox.test(sample, mu = fixed)`: values equal to the fixed one are dropped;
//! the p-value is exact for fewer than 50 values if none was dropped and no two distances are equal, otherwise from the
//! normal distribution, corrected for ties and for continuity. (SciPy's `wilcoxon` leaves out the latter unless told,
//! and is exact for 50 values too.)
//!
//! statrs has no such test, only the normal distribution.
//!
//! Chicano and Alba compare a search by chance in this way with a deterministic one, of which one run tells all.

use super::ranks::ranks;
use super::tested::{LEVEL, Tested, finite};
use statrs::distribution::{ContinuousCDF, Normal};

/// From here on R takes the normal distribution.
const APPROXIMATE: usize = 50;

/// The statistic is V. Only values that differ from the fixed one count as runs: the others are dropped.
pub fn wilcoxon(sample: &[f64], fixed: f64) -> Tested {
    let mut distances: Vec<f64> = sample.iter().map(|value| value - fixed).collect();
    if !finite(&distances) || !fixed.is_finite() {
        return Tested::NotFinite;
    }
    distances.retain(|&distance| distance != 0.0);
    let n = distances.len();
    let need = runs_for_wilcoxon();
    if n == 0 && sample.len() >= need {
        return Tested::Alike;
    }
    if n < need {
        return Tested::TooFew { need };
    }
    let sizes: Vec<f64> = distances.iter().map(|distance| distance.abs()).collect();
    let ranked = ranks(&sizes);
    let above = ranked.ranks.iter().zip(&distances).filter(|&(_, &distance)| distance > 0.0);
    let v = above.map(|(rank, _)| rank).sum();
    let p = if ranked.ties == 0.0 && n == sample.len() && n < APPROXIMATE {
        exact(v, n)
    } else {
        approximate(v, n as f64, ranked.ties)
    };
    Tested::P { statistic: v, p }
}

/// The p-value of a sample wholly above or below the fixed value: no outcome has a smaller one.
pub fn smallest_wilcoxon_p(n: usize) -> f64 {
    (2.0 * 0.5f64.powf(n as f64)).min(1.0)
}

/// The fewest runs for which a p-value below [`LEVEL`] is possible.
pub fn runs_for_wilcoxon() -> usize {
    (1..).find(|&n| smallest_wilcoxon_p(n) < LEVEL).unwrap_or(usize::MAX)
}

/// Each of the ranks 1 … n is above or below; without ties V is a whole number.
fn exact(v: f64, n: usize) -> f64 {
    let all = n * (n + 1) / 2;
    let v = v.min(all as f64 - v) as usize;
    let mut ways = vec![0u64; v + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..=v).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let at_most: u64 = ways.iter().sum();
    (at_most as f64 * smallest_wilcoxon_p(n)).min(1.0)
}

fn approximate(v: f64, n: f64, ties: f64) -> f64 {
    let deviation = (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0).sqrt();
    let distance = (v - n * (n + 1.0) / 4.0).abs();
    let z = (distance - 0.5).max(0.0) / deviation;
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    // tests/statistics.py: R 4.2.2, wilcox.test
    #[test]
    fn as_r() {
        check(wilcoxon(&DEPRESSION, 0.0), 40.0, 0.0390625);
        check(wilcoxon(&MAIZE, 0.0), 96.0, 0.04125976562500001);
        check(wilcoxon(&MAIZE, 8.0), 78.0, 0.11655195774607748);
        check(wilcoxon(&TRAILS_A, 66.0), 210.5, 0.3804243372267781);
        check(wilcoxon(&TRAILS_B, 70.0), 88.5, 0.005414755853907454);
        check(wilcoxon(&TIMES_A, 800.0), 307.0, 0.12935307621955874);
        check(wilcoxon(&TIMES_B, 1500.0), 1.0, 3.725290298461917e-09);
        check(wilcoxon(&SPRAY_C, 3.5), 13.0, 0.04388736468170117);
        check(wilcoxon(&FIFTY[..49], 0.0), 697.0, 0.40672398161198237);
        check(wilcoxon(&FIFTY, 0.0), 697.0, 0.5689873983539737);
        check(wilcoxon(&TIMES_C, 400.0), 31.0, 0.07812500000000003);
    }

    /// R's example of `wilcox.test` (Hollander and Wolfe 1973, 29), and that of SciPy's `wilcoxon` (Darwin's maize),
    /// which gives the smaller of both sums, 24.
    #[test]
    fn published() {
        check(wilcoxon(&DEPRESSION, 0.0), 40.0, 0.0390625);
        check(wilcoxon(&MAIZE, 0.0), 96.0, 0.041259765625);
    }

    #[test]
    fn few_runs() {
        for (n, expected) in [(0, 1.0), (1, 1.0), (2, 0.5), (5, 0.0625), (6, 0.03125), (5000, 0.0)] {
            assert_eq!(smallest_wilcoxon_p(n), expected);
        }
        assert_eq!(runs_for_wilcoxon(), 6);
        let sample = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        check(wilcoxon(&sample, 0.0), 21.0, 0.03125);
        check(wilcoxon(&sample, 7.0), 0.0, 0.03125);
        assert_eq!(wilcoxon(&sample[..5], 0.0), Tested::TooFew { need: 6 });
        // the normal distribution would say 0.037 of five equal distances, which happen once in 16 times
        assert_eq!(wilcoxon(&[8.0, 8.0, 8.0, 8.0, 8.0, 7.0, 7.0], 7.0), Tested::TooFew { need: 6 });
    }

    #[test]
    fn around_the_fixed_value() {
        // z is 0, whatever the correction for continuity
        check(wilcoxon(&[1.0, -1.0, 2.0, -2.0, 3.0, -3.0], 0.0), 10.5, 1.0);
        check(wilcoxon(&[-1.0, 2.0, 3.0, -4.0, -5.0, 6.0, 0.0], 0.0), 11.0, 1.0);
    }

    #[test]
    fn equal_values() {
        assert_eq!(wilcoxon(&[7.0; 30], 7.0), Tested::Alike);
        assert_eq!(wilcoxon(&[7.0; 5], 7.0), Tested::TooFew { need: 6 });
        assert!(wilcoxon(&[7.0; 30], 8.0).significant());
    }

    #[test]
    fn nothing_and_no_numbers() {
        assert_eq!(wilcoxon(&[], 0.0), Tested::TooFew { need: 6 });
        assert_eq!(wilcoxon(&[], f64::NAN), Tested::NotFinite);
        assert_eq!(wilcoxon(&[1.0; 10], f64::INFINITY), Tested::NotFinite);
        assert_eq!(wilcoxon(&[1.0, f64::NAN], 0.0), Tested::NotFinite);
        // the distance is too large for a number
        assert_eq!(wilcoxon(&[f64::MAX; 10], f64::MIN), Tested::NotFinite);
    }
}
