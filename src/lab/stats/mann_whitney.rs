//! Mann and Whitney: are the values of one sample larger than those of another? (Ann. Math. Stat. 18, 1947.)
//!
//! U is the number of pairs in which the first sample has the larger value; equal ones count half. Both directions
//! count (two-sided), and the p-value is that of SciPy's `mannwhitneyu` with `method='auto'`: exact if no two values
//! are equal and one sample has at most 8; otherwise from the normal distribution, corrected for ties and for
//! continuity.
//!
//! The exact distribution: the number of arrangements of n and m values with U = u is the coefficient of qᵘ in the
//! Gaussian binomial
//!
//! ```text
//! [n + m over n] = Π (1 - q^(m + i)) / (1 - q^i)        i = 1 … n
//! ```
//!
//! which is built factor by factor, in integers: every partial product is such a binomial again.
//!
//! Not `statrs::stats_tests::mannwhitneyu`: it lists all arrangements for an exact p-value, which takes forever where one sample is large, gives
//! that of the other direction where the first sample is not the larger one (0.19.1), and rounds p-values below 1e-16 to 0.

use super::ranks::{Ranks, ranks};
use super::tested::{LEVEL, Tested, all_equal, finite};
use statrs::distribution::{ContinuousCDF, Normal};

/// SciPy's bound for the smaller sample.
const EXACT_SMALLER: usize = 8;
/// Ours for the larger one: with it all coefficients fit into 127 bits.
const EXACT_LARGER: usize = 100_000;

/// The statistic is U of the first sample.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Tested {
    let all = [first, second].concat();
    let (n, m) = (first.len(), second.len());
    if !finite(&all) {
        return Tested::NotFinite;
    }
    if smallest_mann_whitney_p(n, m) >= LEVEL {
        return Tested::TooFew { need: runs_for_mann_whitney() };
    }
    if all_equal(&all) {
        return Tested::Alike;
    }
    let ranked = ranks(&all);
    let u = u(&ranked, n);
    let (smaller, larger) = (n.min(m), n.max(m));
    let p = if ranked.ties == 0.0 && smaller <= EXACT_SMALLER && larger <= EXACT_LARGER {
        // without ties U is a whole number
        exact(u.min((n * m) as f64 - u) as usize, smaller, larger)
    } else {
        approximate(u, n as f64, m as f64, ranked.ties)
    };
    Tested::P { statistic: u, p }
}

/// The p-value of samples of which one lies wholly above the other: no outcome has a smaller one.
pub fn smallest_mann_whitney_p(n: usize, m: usize) -> f64 {
    (2.0 / binomial(n, m)).min(1.0)
}

/// The fewest runs in each of two samples of equal size for which a p-value below [`LEVEL`] is possible.
pub fn runs_for_mann_whitney() -> usize {
    (1..).find(|&n| smallest_mann_whitney_p(n, n) < LEVEL).unwrap_or(usize::MAX)
}

/// U of the first `n` of the ranked values.
pub(super) fn u(ranked: &Ranks, n: usize) -> f64 {
    ranked.ranks[..n].iter().sum::<f64>() - (n * (n + 1)) as f64 / 2.0
}

/// How many ways there are to arrange two samples.
fn binomial(n: usize, m: usize) -> f64 {
    (1..=n.min(m)).fold(1.0, |product, i| product * (n.max(m) + i) as f64 / i as f64)
}

/// Twice the probability of at most `u`, which is at most half of n m.
fn exact(u: usize, n: usize, m: usize) -> f64 {
    let mut ways = vec![0i128; u + 1];
    ways[0] = 1;
    for i in 1..=n {
        for k in (m + i..=u).rev() {
            ways[k] -= ways[k - m - i];
        }
        for k in i..=u {
            ways[k] += ways[k - i];
        }
    }
    let at_most: i128 = ways.iter().sum();
    (2.0 * at_most as f64 / binomial(n, m)).min(1.0)
}

fn approximate(u: f64, n: f64, m: f64, ties: f64) -> f64 {
    let all = n + m;
    let deviation = (n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)))).sqrt();
    let z = (u.max(n * m - u) - n * m / 2.0 - 0.5) / deviation;
    (2.0 * Normal::standard().sf(z)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;
    use statrs::stats_tests::Alternative;
    use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

    // tests/statistics.py: scipy 1.17.1, mannwhitneyu
    #[test]
    fn as_scipy() {
        check(mann_whitney(&TRAILS_A, &TRAILS_B), 509.5, 0.3825123817660975);
        check(mann_whitney(&TIMES_A, &TIMES_B), 552.0, 0.13345408758779304);
        check(mann_whitney(&TIMES_A, &TIMES_C), 179.0, 0.034312355444883154);
        check(mann_whitney(&SPRAY_A, &SPRAY_B), 62.0, 0.5812159883741732);
        check(mann_whitney(&TIMES_B[..9], &TIMES_A[..9]), 36.0, 0.7239320396139757);
        check(mann_whitney(&TIMES_B[..8], &TIMES_A[..9]), 34.0, 0.8883587001234061);
        check(mann_whitney(&SPRAY_C, &SPRAY_F), 0.0, 3.435580118062773e-05);
        check(mann_whitney(&PERMEABILITY_TERM, &PERMEABILITY_EARLY), 35.0, 0.2544122544122544);
        check(mann_whitney(&SPRAY_D[..5], &SPRAY_E[..6]), 20.0, 0.394707594499638);
        check(mann_whitney(&CLEARANCE_OBSTRUCTED, &CLEARANCE_ASBESTOSIS), 14.0, 0.4126984126984127);
        check(mann_whitney(&SPRAY_A, &SPRAY_A), 72.0, 1.0);
    }

    /// R's example of `wilcox.test` (Hollander and Wolfe 1973, 69): W = 35, and half of this p for one side.
    #[test]
    fn the_example_of_r() {
        check(mann_whitney(&PERMEABILITY_TERM, &PERMEABILITY_EARLY), 35.0, 2.0 * 0.1272061272061272);
    }

    #[test]
    fn as_statrs_where_both_are_right() {
        let agree = |first: &[f64], second: &[f64]| {
            let (statistic, p) =
                mannwhitneyu(first, second, MannWhitneyUMethod::Automatic, Alternative::TwoSided).unwrap();
            check(mann_whitney(first, second), statistic, p);
        };
        // from the normal distribution, with ties and without
        for (first, second) in [(&TRAILS_A[..], &TRAILS_B[..]), (&TIMES_A, &TIMES_B), (&SPRAY_A, &SPRAY_B)] {
            agree(first, second);
            agree(second, first);
        }
        // exact, the larger sample first
        agree(&PERMEABILITY_TERM, &PERMEABILITY_EARLY);
        agree(&TIMES_A[..9], &TIMES_B[..8]);
        agree(&TIMES_A[..12], &TIMES_B[..3]);
    }

    #[test]
    fn the_other_way_round_it_is_as_likely() {
        let (there, back) = (mann_whitney(&TRAILS_A, &TRAILS_B), mann_whitney(&TRAILS_B, &TRAILS_A));
        let (Tested::P { statistic: u, p }, Tested::P { statistic: v, p: q }) = (there, back) else { panic!() };
        assert_eq!((u + v, p), (900.0, q));
    }

    #[test]
    fn few_runs() {
        // 2 / (n + m over n)
        let mut smallest = vec![];
        for n in 1..=5 {
            smallest.push(smallest_mann_whitney_p(n, n));
        }
        for (found, expected) in smallest.into_iter().zip([1.0, 1.0 / 3.0, 0.1, 1.0 / 35.0, 1.0 / 126.0]) {
            assert_near(found, expected);
        }
        assert_eq!(runs_for_mann_whitney(), 4);
        assert_eq!(mann_whitney(&[1.0, 2.0, 3.0], &[7.0, 8.0, 9.0]), Tested::TooFew { need: 4 });
        assert!(mann_whitney(&[1.0, 2.0, 3.0, 4.0], &[6.0, 7.0, 8.0, 9.0]).significant());
        assert!(mann_whitney(&[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]).significant());
        assert_eq!(mann_whitney(&[1.0], &TRAILS_A), Tested::TooFew { need: 4 });
        // the normal distribution would say 0.047 of these ties, and there are but 20 arrangements
        assert_eq!(mann_whitney(&[1.0; 3], &[2.0; 3]), Tested::TooFew { need: 4 });
    }

    #[test]
    fn the_smallest_p_is_that_of_separate_samples() {
        for (n, m) in [(4, 4), (2, 8), (1, 40), (8, 30), (6, 7)] {
            let values: Vec<f64> = (0..n + m).map(|value| value as f64).collect();
            assert_near(mann_whitney(&values[..n], &values[n..]).p().unwrap(), smallest_mann_whitney_p(n, m));
        }
    }

    #[test]
    fn all_arrangements_are_counted() {
        // up to half of n m, n m being odd: half of all
        for (n, m) in [(1, 1), (3, 5), (5, 7), (7, 301)] {
            assert_near(exact((n * m - 1) / 2, n, m), 1.0);
        }
        assert_near(exact(4, 8, EXACT_LARGER), 2.0 * 12.0 / binomial(8, EXACT_LARGER));
    }

    #[test]
    fn the_largest_exact_distribution_fits() {
        let half = exact(4 * EXACT_LARGER, 8, EXACT_LARGER);
        assert_eq!(half, 1.0);
        assert!(exact(3 * EXACT_LARGER, 8, EXACT_LARGER) < 1.0);
    }

    #[test]
    fn equal_values() {
        assert_eq!(mann_whitney(&[3.0; 10], &[3.0; 10]), Tested::Alike);
        assert_eq!(mann_whitney(&[3.0; 2], &[3.0; 2]), Tested::TooFew { need: 4 });
    }

    #[test]
    fn nothing_and_no_numbers() {
        assert_eq!(mann_whitney(&[], &[]), Tested::TooFew { need: 4 });
        assert_eq!(mann_whitney(&TRAILS_A, &[]), Tested::TooFew { need: 4 });
        for value in [f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(mann_whitney(&[1.0, 2.0, 3.0, value], &[5.0; 4]), Tested::NotFinite);
        }
    }
}
