//! What the steps of a search have come across, whatever became of the states.

use super::truncation::{self, Truncations};

/// What a worker, or a whole search, has come across.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Which transitions have been executed.
    pub executed: Vec<bool>,
    /// Which of them stored what does not fit.
    pub truncations: Truncations,
}

impl Coverage {
    /// Nothing yet, of so many transitions.
    pub fn of(transitions: usize) -> Coverage {
        Coverage { executed: vec![false; transitions], truncations: Truncations::new() }
    }

    /// Takes over what another worker has come across.
    pub fn join(&mut self, other: Coverage) {
        if self.executed.len() < other.executed.len() {
            self.executed.resize(other.executed.len(), false);
        }
        self.executed.iter_mut().zip(other.executed).for_each(|(own, new)| *own |= new);
        truncation::join(&mut self.truncations, other.truncations);
    }
}
