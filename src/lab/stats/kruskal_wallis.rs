//! Kruskal and Wallis: do several samples come from one distribution? (JASA 47, 1952.)
//!
//! All N values are ranked together, and R is the sum of the ranks of a sample of n values:
//!
//! ```text
//! H = (12 / (N (N + 1)) · Σ R² / n - 3 (N + 1)) / (1 - Σ (t³ - t) / (N³ - N))
//! ```
//!
//! The p-value is that of the chi-square distribution with one degree of freedom less than there are samples, as in
//! SciPy's `kruskal` and R's `kruskal.test`. H has nearly this distribution if the samples are not small.
//! statrs has the distribution, but not this test.

use super::ranks::ranks;
use super::tested::{Tested, all_equal, finite};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// With this many runs in each sample the chi-square distribution counts as a good approximation. A convention.
pub const RUNS_FOR_KRUSKAL_WALLIS: usize = 5;

/// The statistic is H. A missing second sample counts as an empty one.
pub fn kruskal_wallis(samples: &[impl AsRef<[f64]>]) -> Tested {
    let all: Vec<f64> = samples.iter().flat_map(|sample| sample.as_ref()).copied().collect();
    if !finite(&all) {
        return Tested::NotFinite;
    }
    if samples.len() < 2 || samples.iter().any(|sample| sample.as_ref().len() < RUNS_FOR_KRUSKAL_WALLIS) {
        return Tested::TooFew { need: RUNS_FOR_KRUSKAL_WALLIS };
    }
    if all_equal(&all) {
        return Tested::Alike;
    }
    let lengths = samples.iter().map(|sample| sample.as_ref().len());
    let h = statistic(&all, lengths);
    let distribution = ChiSquared::new((samples.len() - 1) as f64).expect("two samples have a degree of freedom");
    Tested::P { statistic: h, p: distribution.sf(h) }
}

fn statistic(all: &[f64], lengths: impl Iterator<Item = usize>) -> f64 {
    let ranked = ranks(all);
    let n = all.len() as f64;
    let mut rest = ranked.ranks.as_slice();
    let mut squares = 0.0;
    for length in lengths {
        let (sample, others) = rest.split_at(length);
        rest = others;
        squares += sample.iter().sum::<f64>().powi(2) / length as f64;
    }
    let h = 12.0 / (n * (n + 1.0)) * squares - 3.0 * (n + 1.0);
    // rounding must not make equal rank sums differ by less than nothing
    (h / (1.0 - ranked.ties / (n * n * n - n))).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    // tests/statistics.py: scipy 1.17.1, kruskal
    #[test]
    fn as_scipy() {
        check(
            kruskal_wallis(&[&SPRAY_A[..], &SPRAY_B[..], &SPRAY_C[..], &SPRAY_D[..], &SPRAY_E[..], &SPRAY_F[..]]),
            54.691344622371446,
            1.510844439418511e-10,
        );
        check(kruskal_wallis(&[&SPRAY_A[..], &SPRAY_B[..]]), 0.3371445323952016, 0.5614821075309653);
        check(kruskal_wallis(&[&TRAILS_A[..], &TRAILS_B[..]]), 0.7755922542794654, 0.3784925841676867);
        check(kruskal_wallis(&[&TIMES_A[..], &TIMES_B[..], &TIMES_C[..]]), 5.832651321398146, 0.05413222248670178);
        check(kruskal_wallis(&[&PERMEABILITY_TERM[..], &PERMEABILITY_EARLY[..]]), 1.5, 0.22067136191984324);
    }

    /// Kruskal and Wallis' own statistic on R's example of `kruskal.test` (Hollander and Wolfe 1973, 116): a sample of
    /// four is too small for the chi-square distribution, but it has an H. R 4.2.2: 0.77142857142857.
    #[test]
    fn small_samples_have_a_statistic_but_no_p() {
        let samples = [&CLEARANCE_NORMAL[..], &CLEARANCE_OBSTRUCTED, &CLEARANCE_ASBESTOSIS];
        let all = samples.concat();
        assert_near(statistic(&all, samples.iter().map(|sample| sample.len())), 0.771428571428571);
        assert_eq!(kruskal_wallis(&samples), Tested::TooFew { need: 5 });
    }

    #[test]
    fn five_runs_each_can_be_significant() {
        let samples = [[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]];
        assert!(kruskal_wallis(&samples).significant());
        assert_eq!(kruskal_wallis(&[&samples[0][..4], &samples[1]]), Tested::TooFew { need: 5 });
    }

    #[test]
    fn equal_rank_sums() {
        let sample = [1.0, 2.0, 3.0, 4.0, 5.0];
        check(kruskal_wallis(&[sample, sample, sample]), 0.0, 1.0);
    }

    #[test]
    fn equal_values() {
        assert_eq!(kruskal_wallis(&[[3.0; 5], [3.0; 5], [3.0; 5]]), Tested::Alike);
        assert_eq!(kruskal_wallis(&[[3.0; 4], [3.0; 4]]), Tested::TooFew { need: 5 });
    }

    #[test]
    fn nothing_to_compare() {
        let none: [&[f64]; 0] = [];
        assert_eq!(kruskal_wallis(&none), Tested::TooFew { need: 5 });
        assert_eq!(kruskal_wallis(&[&TRAILS_A]), Tested::TooFew { need: 5 });
        assert_eq!(kruskal_wallis(&[&TRAILS_A[..], &[]]), Tested::TooFew { need: 5 });
    }

    #[test]
    fn no_numbers() {
        for value in [f64::NAN, f64::INFINITY] {
            assert_eq!(kruskal_wallis(&[[1.0, 2.0, 3.0, 4.0, value], [1.0; 5]]), Tested::NotFinite);
        }
    }
}
