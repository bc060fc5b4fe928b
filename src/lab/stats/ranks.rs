//! Ranks of values, smallest first, from 1; equal values share the mean of their ranks. Those of statrs do not come with the sum over ties.

#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// In the order of the values.
    pub ranks: Vec<f64>,
    /// The sum of t³ - t over all groups of t equal values: how much the variance of rank sums is to be corrected. Zero
    /// if and only if all values differ.
    pub ties: f64,
}

pub fn ranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut ties = 0.0;
    let mut before = 0;
    // -0 and 0 are neighbours in this order, and equal
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let t = equal.len() as f64;
        for &place in equal {
            ranks[place] = before as f64 + (t + 1.0) / 2.0;
        }
        ties += t * t * t - t;
        before += equal.len();
    }
    Ranks { ranks, ties }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::statistics::{Data, OrderStatistics, RankTieBreaker};

    // scipy 1.17.1: rankdata, tiecorrect (which is 1 - ties / (n³ - n))
    #[test]
    fn as_scipy() {
        let check = |values: &[f64], expected: &[f64], ties: f64| {
            assert_eq!(ranks(values), Ranks { ranks: expected.to_vec(), ties });
        };
        check(&[30.0, 10.0, 20.0], &[3.0, 1.0, 2.0], 0.0);
        check(&[0.0, 2.0, 3.0, 2.0], &[1.0, 2.5, 4.0, 2.5], 6.0);
        check(&[1.0, 5.0, 1.0, 5.0, 1.0, 9.0], &[2.0, 4.5, 2.0, 4.5, 2.0, 6.0], 30.0);
        check(&[4.0; 5], &[3.0; 5], 120.0);
    }

    #[test]
    fn as_statrs() {
        let values = [1.0, 5.0, 1.0, 5.0, 1.0, 9.0, -3.5, 2.0, 2.0];
        let theirs = Data::new(values.to_vec()).ranks(RankTieBreaker::Average);
        assert_eq!(ranks(&values).ranks, theirs);
    }

    #[test]
    fn zeros_of_either_sign_are_equal() {
        assert_eq!(ranks(&[0.0, 1.0, -0.0]).ranks, [1.5, 3.0, 1.5]);
    }

    #[test]
    fn ranks_of_nothing_and_of_what_is_no_number() {
        assert_eq!(ranks(&[]), Ranks { ranks: vec![], ties: 0.0 });
        assert_eq!(ranks(&[f64::INFINITY, f64::NAN, f64::NEG_INFINITY]).ranks, [2.0, 3.0, 1.0]);
    }
}
