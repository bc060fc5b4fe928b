//! A run as data: the steps of a prefix and, for liveness, of a cycle.

use super::Problem;
use crate::store::{StateId, Store};
use crate::system::{Batch, Outcome, Scratch, Step, System};

/// A finite run from the initial state, or one that ends in a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    pub steps: Vec<Step>,
    /// The index of the first step of the cycle.
    pub cycle: Option<usize>,
}

impl Witness {
    /// Steps as SPIN counts them: a handshake is two.
    pub fn length(&self) -> usize {
        self.steps.iter().map(Step::length).sum()
    }
}

/// Finds the steps between the states of a path, which the search did not keep, by expanding the states again; then
/// those to entry `fault` of the last state's successors, if any.
pub fn along(
    problem: &Problem,
    store: &Store,
    path: &[StateId],
    fault: Option<usize>,
    scratch: &mut Scratch,
) -> Witness {
    let system = &problem.system;
    let hidden = system.hidden_words();
    let mut batch = Batch::default();
    let mut steps = Vec::new();
    for pair in path.windows(2) {
        batch.clear();
        system.successors(store.state(pair[0]), scratch, &mut batch, |_| {});
        let target = store.state(pair[1]);
        let same = |state: &[u64]| state[0] == target[0] && state[1 + hidden..] == target[1 + hidden..];
        let entry = batch.entries.iter().find(|e| e.outcome == Outcome::State && same(batch.state(e)));
        steps.extend(entry.into_iter().flat_map(|e| batch.steps(e)));
    }
    if let (Some(fault), Some(&last)) = (fault, path.last()) {
        batch.clear();
        system.successors(store.state(last), scratch, &mut batch, |_| {});
        steps.extend(batch.entries.get(fault).into_iter().flat_map(|e| batch.steps(e)));
    }
    Witness { steps, cycle: None }
}
