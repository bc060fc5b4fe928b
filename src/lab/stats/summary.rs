//! A sample in a few figures.
//!
//! Quantiles interpolate between the two values around place (n - 1) p of the sorted sample, counted from 0: R's type
//! 7, numpy's `linear`. The standard deviation is that of a sample (n - 1). Nothing is said of a sample that is empty
//! or has values that are not finite. Not those of statrs, whose quantiles are R's type 8.

use super::tested::finite;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub mean: f64,
    /// One value does not deviate from anything.
    pub sd: Option<f64>,
    pub min: f64,
    pub lower_quartile: f64,
    pub median: f64,
    pub upper_quartile: f64,
    pub max: f64,
}

impl Summary {
    pub fn of(sample: &[f64]) -> Option<Summary> {
        let sorted = sorted(sample)?;
        let (mean, squares) = moments(sample);
        let n = sample.len();
        Some(Summary {
            n,
            mean,
            sd: (n > 1).then(|| (squares / (n - 1) as f64).sqrt()),
            min: sorted[0],
            lower_quartile: place(&sorted, 0.25),
            median: place(&sorted, 0.5),
            upper_quartile: place(&sorted, 0.75),
            max: sorted[n - 1],
        })
    }
}

pub fn mean(sample: &[f64]) -> Option<f64> {
    (!sample.is_empty() && finite(sample)).then(|| moments(sample).0)
}

pub fn median(sample: &[f64]) -> Option<f64> {
    quantile(sample, 0.5)
}

/// The value with a share `p` of the sample below it; `None` too if `p` is no share.
pub fn quantile(sample: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) {
        return None;
    }
    Some(place(&sorted(sample)?, p))
}

fn sorted(sample: &[f64]) -> Option<Vec<f64>> {
    if sample.is_empty() || !finite(sample) {
        return None;
    }
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}

fn place(sorted: &[f64], p: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * p;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    // both weights are written out: the distance of two values may overflow
    let share = place - below as f64;
    if share == 0.0 { sorted[below] } else { sorted[below] * (1.0 - share) + sorted[above] * share }
}

/// The mean, and the sum of the squared distances from it. One pass (Welford, 1962): the squares of large values that
/// hardly differ are not subtracted from each other.
fn moments(sample: &[f64]) -> (f64, f64) {
    let (mut mean, mut squares) = (0.0, 0.0);
    for (before, value) in sample.iter().enumerate() {
        let distance = value - mean;
        mean += distance / (before + 1) as f64;
        squares += distance * (value - mean);
    }
    (mean, squares)
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    fn check(sample: &[f64], expected: [f64; 7]) {
        let s = Summary::of(sample).unwrap();
        assert_eq!(s.n, sample.len());
        let found = [s.mean, s.sd.unwrap(), s.min, s.lower_quartile, s.median, s.upper_quartile, s.max];
        for (found, expected) in found.into_iter().zip(expected) {
            assert_near(found, expected);
        }
    }

    // tests/statistics.py: numpy 2.4.6, mean, std(ddof=1), quantile
    #[test]
    fn as_numpy() {
        check(&TRAILS_A, [67.33333333333333, 8.193072487266862, 52.0, 62.25, 66.5, 71.75, 80.0]);
        check(&TIMES_B, [781.0350000000001, 313.1419609405998, 241.25, 534.0250000000001, 748.165, 1034.4125, 1566.32]);
        check(&SPRAY_C, [2.0833333333333335, 1.9752253419585195, 0.0, 1.0, 1.5, 3.0, 7.0]);
        check(&CLEARANCE_OBSTRUCTED, [3.225, 0.7932002689527194, 2.4, 2.625, 3.25, 3.8499999999999996, 4.0]);
        check(&[3.0, 0.5], [1.75, 1.7677669529663689, 0.5, 1.125, 1.75, 2.375, 3.0]);
    }

    #[test]
    fn large_values_that_hardly_differ() {
        let summary = Summary::of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
        assert_eq!((summary.mean, summary.sd), (1e9 + 10.0, Some(30f64.sqrt())));
    }

    #[test]
    fn a_single_value_has_no_deviation() {
        let summary = Summary::of(&[7.0]).unwrap();
        assert_eq!((summary.n, summary.mean, summary.sd, summary.median), (1, 7.0, None, 7.0));
        assert_eq!((summary.lower_quartile, summary.upper_quartile), (7.0, 7.0));
    }

    #[test]
    fn equal_values_do_not_deviate() {
        let summary = Summary::of(&[0.1; 30]).unwrap();
        assert_eq!((summary.mean, summary.sd, summary.median), (0.1, Some(0.0), 0.1));
    }

    #[test]
    fn nothing_is_said_of_no_numbers() {
        for sample in [&[][..], &[f64::NAN], &[1.0, f64::INFINITY], &[f64::NEG_INFINITY]] {
            assert_eq!((Summary::of(sample), mean(sample), median(sample)), (None, None, None));
        }
        for p in [-0.1, 1.1, f64::NAN] {
            assert_eq!(quantile(&[1.0, 2.0], p), None);
        }
    }

    #[test]
    fn the_largest_numbers_have_quartiles() {
        let summary = Summary::of(&[f64::MIN, f64::MAX]).unwrap();
        assert_eq!((summary.median, summary.min, summary.max), (0.0, f64::MIN, f64::MAX));
    }
}
