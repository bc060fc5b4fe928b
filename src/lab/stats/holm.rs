//! Holm's correction of p-values (Scand. J. Stat. 6, 1979): of many tests some come out significant by chance.
//!
//! The smallest of m p-values is multiplied by m, the next one by m - 1, and so on; none becomes smaller than the one
//! before it, nor larger than 1. As R's `p.adjust(p, "holm")`: what is not a number stays so and does not count.

/// The corrected p-values, in the order of the given ones.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).filter(|&place| !p_values[place].is_nan()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = p_values.to_vec();
    let mut least: f64 = 0.0;
    for (before, &place) in order.iter().enumerate() {
        least = least.max((order.len() - before) as f64 * p_values[place]).min(1.0);
        corrected[place] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::super::samples::*;
    use super::*;

    fn check(p_values: &[f64], expected: &[f64]) {
        let corrected = holm(p_values);
        assert_eq!(corrected.len(), expected.len());
        for (found, &expected) in corrected.into_iter().zip(expected) {
            assert_near(found, expected);
        }
    }

    // tests/statistics.py: R 4.2.2, p.adjust
    #[test]
    fn as_r() {
        check(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        check(&[0.05, 0.05, 0.05], &[0.15000000000000002, 0.15000000000000002, 0.15000000000000002]);
        check(&[0.9, 0.001, 0.6, 0.02, 0.021], &[1.0, 0.005, 1.0, 0.08, 0.08]);
        check(
            &[0.0001, 0.2, 0.013, 0.013, 0.5, 1.0, 0.04],
            &[0.0007, 0.6000000000000001, 0.078, 0.078, 1.0, 1.0, 0.16],
        );
    }

    #[test]
    fn nothing_to_correct() {
        assert_eq!(holm(&[]), Vec::<f64>::new());
        assert_eq!(holm(&[0.03]), [0.03]);
        assert_eq!(holm(&[1.0, 1.0]), [1.0, 1.0]);
    }

    #[test]
    fn what_is_no_number_does_not_count() {
        let corrected = holm(&[0.01, f64::NAN, 0.02]);
        assert_eq!((corrected[0], corrected[2]), (0.02, 0.02));
        assert!(corrected[1].is_nan());
        assert_eq!(holm(&[f64::INFINITY, f64::NEG_INFINITY]), [1.0, 0.0]);
    }
}
