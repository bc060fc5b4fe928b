//! How much two samples differ: Vargha and Delaney's A (J. Educ. Behav. Stat. 25(2), 2000).
//!
//! A is the probability that a value of the first sample is larger than one of the second; equal ones count half. A
//! test says that there is a difference, and with enough runs there nearly always is one; A says whether it matters.

use super::mann_whitney::u;
use super::ranks::ranks;
use super::tested::finite;

/// How A is usually read: from 0.56, 0.64 and 0.71 on, and as far below one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Magnitude {
    Negligible,
    Small,
    Medium,
    Large,
}

/// `None` if a sample is empty or has values that are not finite.
pub fn a12(first: &[f64], second: &[f64]) -> Option<f64> {
    let all = [first, second].concat();
    if first.is_empty() || second.is_empty() || !finite(&all) {
        return None;
    }
    Some(u(&ranks(&all), first.len()) / (first.len() as f64 * second.len() as f64))
}

impl Magnitude {
    pub fn of(a12: f64) -> Magnitude {
        match a12.max(1.0 - a12) {
            0.71.. => Magnitude::Large,
            0.64.. => Magnitude::Medium,
            0.56.. => Magnitude::Small,
            _ => Magnitude::Negligible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    // tests/statistics.py: all pairs counted
    #[test]
    fn as_counted() {
        assert_near(a12(&TRAILS_A, &TRAILS_B).unwrap(), 0.5661111111111111);
        assert_near(a12(&TIMES_A, &TIMES_B).unwrap(), 0.6133333333333333);
        assert_near(a12(&SPRAY_A, &SPRAY_B).unwrap(), 0.4305555555555556);
        assert_near(a12(&SPRAY_C, &SPRAY_D).unwrap(), 0.1388888888888889);
        assert_near(a12(&PERMEABILITY_TERM, &PERMEABILITY_EARLY).unwrap(), 0.7);
    }

    #[test]
    fn both_directions_make_one() {
        assert_near(a12(&TRAILS_A, &TRAILS_B).unwrap() + a12(&TRAILS_B, &TRAILS_A).unwrap(), 1.0);
        assert_eq!(a12(&TRAILS_A, &TRAILS_A), Some(0.5));
    }

    #[test]
    fn separate_equal_and_single_values() {
        assert_eq!(a12(&[5.0, 6.0], &[1.0, 2.0, 3.0]), Some(1.0));
        assert_eq!(a12(&[1.0, 2.0, 3.0], &[5.0, 6.0]), Some(0.0));
        assert_eq!(a12(&[4.0; 7], &[4.0; 3]), Some(0.5));
        assert_eq!(a12(&[1.0], &[0.0]), Some(1.0));
    }

    #[test]
    fn nothing_and_no_numbers() {
        assert_eq!(a12(&[], &[1.0]), None);
        assert_eq!(a12(&[1.0], &[]), None);
        assert_eq!(a12(&[1.0], &[f64::NAN]), None);
        assert_eq!(a12(&[f64::INFINITY], &[1.0]), None);
    }

    #[test]
    fn readings() {
        use Magnitude::*;
        let values = [(0.5, Negligible), (0.559, Negligible), (0.56, Small), (0.639, Small), (0.64, Medium)];
        for (a12, expected) in values.into_iter().chain([(0.709, Medium), (0.71, Large), (1.0, Large)]) {
            assert_eq!(Magnitude::of(a12), expected, "{a12}");
        }
        for (a12, expected) in [(0.45, Negligible), (0.43, Small), (0.35, Medium), (0.28, Large), (0.0, Large)] {
            assert_eq!(Magnitude::of(a12), expected, "{a12}");
        }
        assert_eq!(Magnitude::of(f64::NAN), Negligible);
    }
}
