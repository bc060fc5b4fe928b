//! Stretches of numbers without overlaps, in order, so that one is found without looking at all.

use std::ops::Range;

/// The numbers in any of some ranges.
#[derive(Debug, Default)]
pub struct Disjoint(Vec<Range<u32>>);

impl Disjoint {
    /// Those in these ranges.
    pub fn new(mut ranges: Vec<Range<u32>>) -> Disjoint {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_unstable_by_key(|range| range.start);
        let mut all: Vec<Range<u32>> = Vec::new();
        for range in ranges {
            match all.last_mut().filter(|last| range.start <= last.end) {
                Some(last) => last.end = last.end.max(range.end),
                None => all.push(range),
            }
        }
        Disjoint(all)
    }

    /// One of them is in this range.
    pub fn meets(&self, range: &Range<u32>) -> bool {
        let first = self.0.partition_point(|known| known.end <= range.start);
        !range.is_empty() && self.0.get(first).is_some_and(|known| known.start < range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one() {
        let some = Disjoint::new(vec![7..9, 1..3, 2..4, 5..5, 4..5]);
        assert_eq!(some.0, [1..5, 7..9]);
        assert_eq!(
            [0..1, 0..2, 5..7, 8..9, 9..12, 8..8, 6..20].map(|range| some.meets(&range)),
            [false, true, false, true, false, false, true]
        );
    }
}
