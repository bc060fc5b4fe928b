//! What the steps of a search have covered, whether or not their states were stored.

use super::truncation::{self, Truncations};

/// What a worker, or a whole search, has covered.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Which transitions have been executed.
    pub executed: Vec<bool>,
    /// Which of them stored what does not fit.
    pub truncations: Truncations,
}

impl Coverage {
    /// Nothing is covered yet, in a program with this number of transitions.
    pub fn of(transitions: usize) -> Coverage {
        Coverage { executed: vec![false; transitions], truncations: Truncations::new() }
    }

    /// Adds what another worker has covered.
    pub fn join(&mut self, other: Coverage) {
        if self.executed.len() < other.executed.len() {
            self.executed.resize(other.executed.len(), false);
        }
        self.executed.iter_mut().zip(other.executed).for_each(|(own, new)| *own |= new);
        truncation::join(&mut self.truncations, other.truncations);
    }
}
