//! Hit rates: how often a search finds an error, and whether two searches find it equally often.
//!
//! The test of equivalence is Westlake and Schuirmann's (Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987): two one-sided
//! tests, that the difference is not as low as minus a margin, and that it is not as high as the margin. The larger of
//! both p-values counts:
//!
//! ```text
//! z = (margin - |p1 - p2|) / √(p1 (1 - p1) / n1 + p2 (1 - p2) / n2)        p = 1 - Φ(z)
//! ```
//!
//! A small p-value shows that the rates ARE equal, up to the margin. A large one does not show that they differ.
//!
//! The rates in this formula are those with one hit and one miss added to each sample (Agresti and Caffo, The American
//! Statistician 54, 2000), always: a sample of five hits in five runs would otherwise claim to be certain, and two such
//! samples would divide by zero. With a hundred runs it hardly matters. A deterministic search has one run and is not a
//! sample: look whether its rate, 0 or 1, is within the interval of the other.
//!
//! Chicano and Alba (GECCO 2008) test hit rates of 100 runs in this way, at level 0.05. They name no margin, and mark
//! "significant differences". Their marks are those of this test, if a mark means that equivalence was not shown, for
//! margins between 0.223 and 0.251 (in their Table 3, 46 and 57 hits are alike, 14 and 30 are not); hence [`Margin`]'s
//! default, 0.25. It is inferred, not stated, and it is wide: a claim of equal rates should take a smaller one.

use super::Interval;
use super::tested::{LEVEL, Tested};
use statrs::distribution::{ContinuousCDF, Normal};

/// Hits in runs, at least one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitRate {
    hits: usize,
    runs: usize,
}

/// Rates that differ by less are as good as equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin(f64);

impl Margin {
    /// `None` unless it is between 0 and 1.
    pub fn new(margin: f64) -> Option<Margin> {
        (0.0 < margin && margin < 1.0).then_some(Margin(margin))
    }
}

impl Default for Margin {
    fn default() -> Margin {
        Margin(0.25)
    }
}

impl HitRate {
    /// `None` if there are no runs, or more hits than runs.
    pub fn new(hits: usize, runs: usize) -> Option<HitRate> {
        (runs > 0 && hits <= runs).then_some(HitRate { hits, runs })
    }

    pub fn rate(self) -> f64 {
        self.hits as f64 / self.runs as f64
    }

    /// Wilson's score interval (JASA 22, 1927): unlike the textbook's it never goes beyond 0 and 1, and is not a point for
    /// rates of 0 and 1. `None` unless the confidence is between 0 and 1.
    pub fn wilson(self, confidence: f64) -> Option<Interval> {
        if !(0.0 < confidence && confidence < 1.0) {
            return None;
        }
        let z = Normal::standard().inverse_cdf((1.0 + confidence) / 2.0);
        let (n, rate) = (self.runs as f64, self.rate());
        let square = z * z / n;
        let centre = (rate + square / 2.0) / (1.0 + square);
        let half = (square * (rate * (1.0 - rate) + square / 4.0)).sqrt() / (1.0 + square);
        // in these two cases the ends are exact, and rounding would miss them
        let low = if self.hits == 0 { 0.0 } else { centre - half };
        let high = if self.hits == self.runs { 1.0 } else { centre + half };
        Some(Interval { low, high })
    }

    /// The rate and its variance with one more hit and one more miss.
    fn adjusted(self) -> (f64, f64) {
        let runs = self.runs as f64 + 2.0;
        let rate = (self.hits as f64 + 1.0) / runs;
        (rate, rate * (1.0 - rate) / runs)
    }
}

/// The statistic is z of the test with the larger p-value.
pub fn equivalent(first: HitRate, second: HitRate, margin: Margin) -> Tested {
    if !possible(first.runs, second.runs, margin) {
        return Tested::TooFew { need: runs_for_equivalence(margin) };
    }
    let z = z(first, second, margin);
    Tested::P { statistic: z, p: Normal::standard().sf(z) }
}

/// The fewest runs in each of two samples of equal size for which a p-value below [`LEVEL`] is possible.
pub fn runs_for_equivalence(margin: Margin) -> usize {
    let quantile = quantile();
    // two samples of n hits have z = margin / √(2 (n + 1) / (n + 2)³); without n + 1 this could be solved
    let nearly = (quantile * 2f64.sqrt() / margin.0).floor() - 4.0;
    let enough = |&n: &f64| margin.0 / (2.0 * (n + 1.0) / (n + 2.0).powi(3)).sqrt() > quantile;
    (0..8).map(|more| nearly.max(1.0) + more as f64).find(enough).unwrap_or(f64::INFINITY) as usize
}

/// Can `n` and `m` runs have a p-value below [`LEVEL`]? If any outcome has, then one in which the smaller sample is all
/// hits, since this has the least variance.
fn possible(n: usize, m: usize, margin: Margin) -> bool {
    let (smaller, larger) = (n.min(m), n.max(m));
    let all_hits = HitRate { hits: smaller, runs: smaller };
    let quantile = quantile();
    (0..=larger).any(|hits| z(all_hits, HitRate { hits, runs: larger }, margin) > quantile)
}

/// What z must exceed.
fn quantile() -> f64 {
    -Normal::standard().inverse_cdf(LEVEL)
}

fn z(first: HitRate, second: HitRate, margin: Margin) -> f64 {
    let ((p1, variance1), (p2, variance2)) = (first.adjusted(), second.adjusted());
    (margin.0 - (p1 - p2).abs()) / (variance1 + variance2).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    fn rate(hits: usize, runs: usize) -> HitRate {
        HitRate::new(hits, runs).unwrap()
    }

    fn margin(margin: f64) -> Margin {
        Margin::new(margin).unwrap()
    }

    // tests/statistics.py: statsmodels 0.15.0, tost_proportions_2indep with method='agresti-caffo'
    #[test]
    fn as_statsmodels() {
        check(equivalent(rate(46, 100), rate(57, 100), margin(0.25)), 2.043211410361726, 0.02051575734774061);
        check(equivalent(rate(14, 100), rate(30, 100), margin(0.25)), 1.6203832130048812, 0.0525749918238124);
        check(equivalent(rate(98, 100), rate(97, 100), margin(0.1)), 3.5397965551241923, 0.00020021779644118916);
        check(equivalent(rate(30, 30), rate(30, 30), margin(0.1)), 2.298947865942719, 0.0107539499477046);
        check(equivalent(rate(0, 40), rate(0, 50), margin(0.2)), 6.456524452425218, 5.356743900196993e-11);
        check(equivalent(rate(0, 30), rate(30, 30), margin(0.25)), -15.805266578356193, 1.0);
        check(equivalent(rate(29, 30), rate(95, 100), margin(0.15)), 3.003233819013268, 0.001335635556150064);
    }

    // tests/statistics.py: scipy 1.17.1, binomtest(...).proportion_ci(method='wilson')
    #[test]
    fn intervals_as_scipy() {
        let check = |hits, runs, confidence, low, high| {
            let found = rate(hits, runs).wilson(confidence).unwrap();
            assert_near(found.low, low);
            assert_near(found.high, high);
        };
        check(30, 100, 0.95, 0.21894885294932764, 0.39584854633346667);
        check(0, 30, 0.95, 0.0, 0.11351339317396875);
        check(30, 30, 0.95, 0.8864866068260312, 1.0);
        check(1, 1, 0.95, 0.20654931437723745, 1.0);
        check(97, 100, 0.99, 0.889124722848905, 0.9923878306982215);
        check(46, 100, 0.9, 0.38015474626170115, 0.5419526714009528);
    }

    /// Table 3 of the paper: hits of ACOhg-live without and with the classes of the claim, and the mark.
    #[test]
    fn the_marks_of_chicano_and_alba() {
        let table = [
            ("alter", 100, 100, false),
            ("giop10", 84, 89, false),
            ("giop15", 46, 57, false),
            ("giop20", 14, 30, true),
            ("phi20", 98, 97, false),
            ("phi30", 94, 95, false),
            ("phi40", 77, 81, false),
            ("elev10", 100, 100, false),
            ("elev15", 100, 100, false),
            ("elev20", 100, 100, false),
            ("sgc", 32, 100, true),
        ];
        let marked = |first, second, margin| !equivalent(rate(first, 100), rate(second, 100), margin).significant();
        for (model, first, second, mark) in table {
            assert_eq!(marked(first, second, Margin::default()), mark, "{model}");
        }
        // margins not far from it would have given other marks
        assert!(marked(46, 57, margin(0.22)));
        assert!(!marked(14, 30, margin(0.252)));
    }

    #[test]
    fn few_runs() {
        for (width, need) in [(0.25, 7), (0.2, 10), (0.1, 21), (0.05, 45)] {
            let margin = margin(width);
            assert_eq!(runs_for_equivalence(margin), need, "{width}");
            assert!(equivalent(rate(need, need), rate(need, need), margin).significant());
            let fewer = rate(need - 1, need - 1);
            assert_eq!(equivalent(fewer, fewer, margin), Tested::TooFew { need });
        }
        assert_eq!(equivalent(rate(1, 1), rate(97, 100), Margin::default()), Tested::TooFew { need: 7 });
        assert_eq!(runs_for_equivalence(margin(0.999)), 1);
        assert_eq!(runs_for_equivalence(margin(f64::MIN_POSITIVE)), usize::MAX);
    }

    #[test]
    fn what_is_possible_is_so_with_all_hits() {
        for width in [0.1, 0.15, 0.2, 0.25, 0.4, 0.6] {
            for (n, m) in (1..=24).flat_map(|n| (n..=24).map(move |m| (n, m))) {
                let all = (0..=n).flat_map(|a| (0..=m).map(move |b| (a, b)));
                let best = all.map(|(a, b)| z(rate(a, n), rate(b, m), margin(width))).fold(f64::MIN, f64::max);
                let expected = Normal::standard().sf(best) < LEVEL;
                assert_eq!(possible(n, m, margin(width)), expected, "{n} {m} {width}");
            }
        }
    }

    #[test]
    fn none_against_all() {
        let Tested::P { p, .. } = equivalent(rate(0, 30), rate(30, 30), Margin::default()) else { panic!() };
        assert!(p > 0.999);
    }

    #[test]
    fn the_order_does_not_matter() {
        let (a, b) = (rate(46, 100), rate(20, 30));
        assert_eq!(equivalent(a, b, Margin::default()), equivalent(b, a, Margin::default()));
    }

    #[test]
    fn no_rates_margins_and_confidences() {
        assert_eq!(HitRate::new(0, 0), None);
        assert_eq!(HitRate::new(2, 1), None);
        for value in [0.0, 1.0, -0.1, 1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(Margin::new(value), None);
            assert_eq!(rate(1, 2).wilson(value), None);
        }
    }
}
