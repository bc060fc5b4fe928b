//! A run as data: the steps of a prefix and, for liveness, of a cycle.

use crate::store::{StateId, States, Visited};
use crate::system::{Batch, Grace, Outcome, Run, Step, System};

/// A finite run from the initial state, or one that ends in a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// All steps, those of the prefix first.
    pub steps: Vec<Step>,
    /// The index of the first step of the cycle; there may be no step in it, if the run has ended.
    pub cycle: Option<usize>,
    /// The states that a claim sees: the indices of the steps in front of which they are, the initial one first, and the
    /// claim's state after it has looked. Without a claim it is 0.
    pub sights: Vec<(usize, u32)>,
}

impl Witness {
    /// Steps as SPIN counts them: a handshake is two.
    pub fn length(&self) -> usize {
        self.steps.iter().map(Step::length).sum()
    }

    /// Follows the cycle once more before it counts as one.
    pub fn repeat_cycle(&mut self) {
        let Some(start) = self.cycle else { return };
        let (end, moves) = (self.steps.len(), self.sights.len());
        self.steps.extend_from_within(start..end);
        let again = |&(at, claim): &(usize, u32)| (at + end - start, claim);
        let sights: Vec<_> = self.sights[..moves].iter().filter(|(at, _)| *at >= start).map(again).collect();
        self.sights.extend(sights);
        self.cycle = Some(end);
    }
}

/// Finds the steps between the states of a path, which the search did not keep, by expanding the states again; `last` are
/// the steps behind it. `None` if a limit cuts off an expansion; but what was found in time is not lost because the way to it is told a
/// little later.
pub fn along<S: System>(
    system: &S,
    store: &impl States,
    path: &[StateId],
    last: impl Iterator<Item = Step>,
    scratch: &mut S::Scratch,
) -> Option<Witness> {
    system.set_grace(Grace::Granted, scratch);
    let witness = steps_along(system, store, path, last, scratch);
    system.set_grace(Grace::Over, scratch);
    witness
}

fn steps_along<S: System>(
    system: &S,
    store: &impl States,
    path: &[StateId],
    last: impl Iterator<Item = Step>,
    scratch: &mut S::Scratch,
) -> Option<Witness> {
    let hidden = system.hidden_words();
    let (mut source, mut target) = (Vec::new(), Vec::new());
    let mut batch = Batch::default();
    let mut steps: Vec<Step> = Vec::new();
    let mut sights = Vec::new();
    for pair in path.windows(2) {
        batch.clear();
        let source = store.recall(pair[0], &mut source);
        let target = store.recall(pair[1], &mut target);
        system.successors(source, Run::GoesOn, scratch, &mut batch, |_| {});
        let same = |state: &[u64]| state[0] == target[0] && state[1 + hidden..] == target[1 + hidden..];
        let leads_there =
            |batch: &Batch| batch.entries.iter().position(|e| e.outcome == Outcome::State && same(batch.state(e)));
        let mut found = leads_there(&batch);
        if found.is_none() && !system.remembers_endings() {
            batch.clear();
            system.successors(source, Run::Ended, scratch, &mut batch, |_| {});
            found = leads_there(&batch);
        }
        let entry = &batch.entries[found?];
        sights.push((steps.len(), system.claim_state(target)));
        steps.extend(batch.steps(entry).filter(|&step| step != Step::STUTTER));
    }
    steps.extend(last.filter(|&step| step != Step::STUTTER));
    Some(Witness { steps, cycle: None, sights })
}

/// A run along a path up to the state in which the claim has seen enough: the claim looks before the system moves on, so
/// the last move of the path does not belong to it.
pub fn bad_prefix<S: System>(
    system: &S,
    store: &impl States,
    path: &[StateId],
    scratch: &mut S::Scratch,
) -> Option<Witness> {
    let mut witness = along(system, store, path, std::iter::empty(), scratch)?;
    witness.steps.truncate(witness.sights.last().map_or(0, |&(step, _)| step));
    Some(witness)
}

/// A run along a path whose last state is also the one at position `start`: from there on it repeats.
pub fn lasso<S: System>(
    system: &S,
    store: &impl States,
    path: &[StateId],
    start: usize,
    scratch: &mut S::Scratch,
) -> Option<Witness> {
    let witness = along(system, store, path, std::iter::empty(), scratch)?;
    let cycle = witness.sights.get(start).map_or(witness.steps.len(), |&(step, _)| step);
    Some(Witness { cycle: Some(cycle), ..witness })
}

/// The note of the initial state, in a store where the lower half of any other note is the parent.
pub const ROOT: u64 = u64::MAX;

/// The note of a state that was reached from this one.
pub fn parent_note(parent: StateId) -> u64 {
    parent.pack().into()
}

/// The states from the initial one to `id`, by parents.
pub fn path_to(store: &impl Visited, id: StateId) -> Vec<StateId> {
    path_by(id, |state| match store.note(state) {
        ROOT => None,
        parent => Some(StateId::unpack(parent as u32)),
    })
}

/// The states from one without a parent to `id`.
pub fn path_by(id: StateId, parent: impl Fn(StateId) -> Option<StateId>) -> Vec<StateId> {
    let mut path: Vec<StateId> = std::iter::successors(Some(id), |&state| parent(state)).collect();
    path.reverse();
    path
}
