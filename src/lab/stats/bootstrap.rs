//! Where a figure of a sample would lie if the runs were repeated: the bootstrap (Efron, Ann. Stat. 7, 1979).
//!
//! As many values as there are runs are drawn from the sample, with putting back, again and again, and the figure of
//! each such draw is taken. The interval leaves out equal shares of these figures at both ends (the percentile method).
//! The same seed gives the same interval.

use super::summary::quantile;
use super::tested::finite;
use super::{CONFIDENCE, Interval};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How an interval is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    pub draws: usize,
    pub confidence: f64,
    pub seed: u64,
}

impl Resampling {
    pub fn seeded(seed: u64) -> Resampling {
        Resampling { draws: 10_000, confidence: CONFIDENCE, seed }
    }
}

/// The interval of a figure such as [`mean`](super::mean) or [`median`](super::median). `None` if there is no telling:
/// fewer than two runs, no draws, a confidence that is none, a draw without a figure, values that are not finite.
pub fn bootstrap(sample: &[f64], figure: impl Fn(&[f64]) -> Option<f64>, how: Resampling) -> Option<Interval> {
    let confident = 0.0 < how.confidence && how.confidence < 1.0;
    if sample.len() < 2 || !finite(sample) || !confident {
        return None;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(how.seed);
    let mut draw = vec![0.0; sample.len()];
    let mut figures = Vec::new();
    for _ in 0..how.draws {
        draw.fill_with(|| sample[random.random_range(0..sample.len())]);
        figures.push(figure(&draw)?);
    }
    let left_out = (1.0 - how.confidence) / 2.0;
    Some(Interval { low: quantile(&figures, left_out)?, high: quantile(&figures, 1.0 - left_out)? })
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::super::{mean, median};
    use super::*;

    fn interval(sample: &[f64], seed: u64) -> Interval {
        bootstrap(sample, mean, Resampling::seeded(seed)).unwrap()
    }

    fn check(sample: &[f64], [low, not_so_low, not_so_high, high]: [f64; 4]) {
        for seed in 0..5 {
            let found = interval(sample, seed);
            assert!(low <= found.low && found.low <= not_so_low, "{found:?}");
            assert!(not_so_high <= found.high && found.high <= high, "{found:?}");
        }
    }

    // tests/statistics.py: the exact distribution of the mean of a draw, and how far the ends of intervals by 10,000
    // draws may stray from its quantiles, five standard errors to each side
    #[test]
    fn near_the_exact_quantiles() {
        check(&SPRAY_A, [11.833333333333334, 12.166666666666666, 16.916666666666668, 17.333333333333332]);
        check(&TRAILS_A, [64.23333333333333, 64.63333333333334, 70.03333333333333, 70.43333333333334]);
        check(&TRAILS_B, [62.63333333333333, 63.0, 68.03333333333333, 68.4]);
        check(&FIFTY, [-6.4, -5.26, 9.94, 11.04]);
    }

    #[test]
    fn two_values() {
        // a draw is both of one with probability 1/4
        assert_eq!(interval(&[0.0, 1.0], 1), Interval { low: 0.0, high: 1.0 });
        let half = Resampling { confidence: 0.4, ..Resampling::seeded(1) };
        assert_eq!(bootstrap(&[0.0, 1.0], mean, half), Some(Interval { low: 0.5, high: 0.5 }));
    }

    #[test]
    fn medians() {
        let found = bootstrap(&TRAILS_A, median, Resampling::seeded(5)).unwrap();
        let middle = median(&TRAILS_A).unwrap();
        assert!(found.low < middle && middle < found.high, "{found:?}");
        assert!(found.low > 60.0 && found.high < 75.0, "{found:?}");
    }

    #[test]
    fn more_confidence_is_wider() {
        let by = |confidence| bootstrap(&TIMES_A, mean, Resampling { confidence, ..Resampling::seeded(3) }).unwrap();
        let (wide, narrow) = (by(0.99), by(0.5));
        assert!(wide.low < narrow.low && narrow.high < wide.high);
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(interval(&TIMES_A, 7), interval(&TIMES_A, 7));
        assert_ne!(interval(&TIMES_A, 7), interval(&TIMES_A, 8));
    }

    #[test]
    fn equal_values_leave_no_doubt() {
        assert_eq!(interval(&[3.0; 10], 1), Interval { low: 3.0, high: 3.0 });
    }

    #[test]
    fn no_telling() {
        let seeded = Resampling::seeded(1);
        assert_eq!(bootstrap(&[], mean, seeded), None);
        assert_eq!(bootstrap(&[1.0], mean, seeded), None);
        assert_eq!(bootstrap(&[1.0, f64::NAN], mean, seeded), None);
        assert_eq!(bootstrap(&[1.0, f64::INFINITY], mean, seeded), None);
        assert_eq!(bootstrap(&[1.0, 2.0], |_| None, seeded), None);
        assert_eq!(bootstrap(&[1.0, 2.0], |_| Some(f64::NAN), seeded), None);
        assert_eq!(bootstrap(&[1.0, 2.0], mean, Resampling { draws: 0, ..seeded }), None);
        for confidence in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
            assert_eq!(bootstrap(&[1.0, 2.0], mean, Resampling { confidence, ..seeded }), None);
        }
    }
}
