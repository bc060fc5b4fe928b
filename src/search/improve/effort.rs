//! How much work a shorter trail is worth.
//!
//! The unit is a successor that is produced, so that the result does not depend on the clock: the same search gives the same
//! trail. The clock counts only as the limit of all.

use std::cell::Cell;

/// Successors that may be produced in any case: about a second of work.
const LEAST: u64 = 1_000_000;
/// Or, if that is more, one for this many that the search has produced.
const SHARE: u64 = 2;

#[derive(Debug)]
pub struct Effort {
    left: Cell<u64>,
}

impl Effort {
    /// For what was found by a search that has produced this many successors.
    pub fn after(successors: u64) -> Effort {
        Effort { left: Cell::new(LEAST.max(successors / SHARE)) }
    }

    pub fn left(&self) -> u64 {
        self.left.get()
    }

    pub fn spend(&self, successors: u64) {
        self.left.set(self.left().saturating_sub(successors));
    }

    /// Lets `work` take at most 1/`parts` of what is left.
    pub fn for_part<T>(&self, parts: u64, work: impl FnOnce(&Effort) -> T) -> T {
        let share = self.left() / parts;
        let part = Effort { left: Cell::new(share) };
        let result = work(&part);
        self.spend(share - part.left());
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_search_is_worth_more() {
        assert_eq!(Effort::after(0).left(), LEAST);
        assert_eq!(Effort::after(SHARE * LEAST).left(), LEAST);
        assert_eq!(Effort::after(10 * LEAST).left(), 10 * LEAST / SHARE);
    }

    #[test]
    fn what_one_part_leaves_is_for_the_others() {
        let effort = Effort::after(0);
        effort.for_part(2, |part| part.spend(10));
        assert_eq!(effort.left(), LEAST - 10);
        effort.for_part(2, |part| part.spend(LEAST));
        assert_eq!(effort.left(), (LEAST - 10) / 2);
    }
}
