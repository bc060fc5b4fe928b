//! States of a reduced breadth-first search that are in doubt: the proviso BOTTOM-SAFE.
//!
//! A reduced state is in doubt if all successors in its stubborn set were there before. From any other state a path leads to one that is
//! expanded or in doubt: all its successors are inserted, or one of them was inserted after it, and the same holds for that one. So when
//! the queue is empty only states in doubt have to be looked at:
//!
//! ```text
//! for each state v in doubt about which nothing is decided:
//!     search depth first, by components, from v in the graph that was explored, until
//!         a state is met about which something is decided:  all states that were met become NOT_EXPANDED
//!         a component ends (no edge has led out of it):     its first state becomes EXPANDED, all others that were met NOT_EXPANDED
//! insert what was left out of the states that have become EXPANDED, and go on with the queue
//! ```
//! A state becomes NOT_EXPANDED only if an EXPANDED one can be reached from it. That is enough for what shows in a state, as with the proviso
//! SCC-PR19-SAFE of Poitrenaud and Renault (2019), of which this is the form for a queue. For the states that were met and are not on the path any
//! more: their component has not ended, so a state of the path can be reached from them.
//!
//! Something is decided about every state that is met, so that a state is produced a second time at most once. Mostly very few are, because
//! it is not far from most states to an expanded one.

use crate::search::Reason;
use crate::store::StateId;
use crate::store::statuses::{Status, Statuses};
use rustc_hash::FxHashMap;

/// The states in doubt, and what is decided about states.
pub struct Doubts<'d> {
    states: Vec<StateId>,
    statuses: Statuses<'d>,
}

impl<'d> Doubts<'d> {
    /// No state is in doubt.
    pub fn new(statuses: Statuses<'d>) -> Doubts<'d> {
        Doubts { states: Vec::new(), statuses }
    }

    /// A reduced state has no successor that came later.
    pub fn add(&mut self, state: StateId) {
        self.states.push(state);
    }

    /// All successors of a state are inserted.
    pub fn note_expanded(&mut self, state: StateId) {
        self.statuses.decide(state, Status::Expanded);
    }

    /// What is decided about a state.
    pub fn status(&self, state: StateId) -> Status {
        self.statuses.get(state)
    }

    /// Takes the states in doubt.
    pub fn take(&mut self) -> Vec<StateId> {
        std::mem::take(&mut self.states)
    }

    /// Adds states in doubt.
    pub fn append(&mut self, states: &mut Vec<StateId>) {
        self.states.append(states);
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.states.capacity() * size_of::<StateId>()) as u64 + self.statuses.memory()
    }

    /// Decides about the states that were met; the one whose other successors must be inserted, if there is one.
    pub fn decide(&mut self, outcome: Outset) -> Option<StateId> {
        if let Some(first) = outcome.ended {
            self.note_expanded(first);
        }
        for state in outcome.met {
            self.statuses.decide(state, Status::NotExpanded);
        }
        outcome.ended
    }
}

/// What a search by components has met before it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Outset {
    met: Vec<StateId>,
    /// The first state of the component that ended, if that was why.
    ended: Option<StateId>,
}

impl Outset {
    /// Searches from a state until one is met that `is_decided`, or a component ends.
    pub fn from(
        start: StateId,
        is_decided: impl Fn(StateId) -> bool,
        successors: &mut impl FnMut(StateId) -> Result<Vec<StateId>, Reason>,
    ) -> Result<Outset, Reason> {
        let mut met = vec![start];
        let mut numbers = FxHashMap::from_iter([(start, 0)]);
        // of the components on the path, the number of the first state
        let mut roots = vec![0];
        let mut path = vec![(0, successors(start)?)];
        while let Some((number, targets)) = path.last_mut() {
            let Some(target) = targets.pop() else {
                if roots.last() == Some(number) {
                    let ended = Some(met[*number]);
                    return Ok(Outset { met, ended });
                }
                path.pop();
                continue;
            };
            if is_decided(target) {
                break;
            }
            let new = met.len();
            match *numbers.entry(target).or_insert(new) {
                known if known < new => roots.retain(|&root| root <= known),
                _ => {
                    met.push(target);
                    roots.push(new);
                    path.push((new, successors(target)?));
                }
            }
        }
        Ok(Outset { met, ended: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(number: u32) -> StateId {
        StateId::unpack(number)
    }

    fn search(edges: &[&[u32]], decided: &[u32]) -> Outset {
        let mut successors =
            |source: StateId| Ok(edges[source.pack() as usize].iter().map(|&target| state(target)).collect());
        Outset::from(state(0), |state| decided.contains(&state.pack()), &mut successors).expect("no limit")
    }

    #[test]
    fn a_component_without_a_way_out_has_its_first_state_expanded() {
        let edges: &[&[u32]] = &[&[1], &[2, 0], &[3], &[4], &[2]];
        let found = search(edges, &[]);
        // the last edge of a state is followed first: 0 → 1 → 0, then 2 → 3 → 4 → 2
        assert_eq!(found.ended, Some(state(2)));
        assert_eq!(found.met, [0, 1, 2, 3, 4].map(state));
        assert_eq!(search(&[&[0]], &[]), Outset { met: vec![state(0)], ended: Some(state(0)) });
        assert_eq!(search(&[&[]], &[]).ended, Some(state(0)), "nothing is followed");
    }

    #[test]
    fn a_way_to_a_decided_state_ends_the_search() {
        let edges: &[&[u32]] = &[&[3, 1], &[2], &[0, 1], &[4], &[]];
        assert_eq!(search(edges, &[4]), Outset { met: [0, 1, 2, 3].map(state).into(), ended: None });
        assert_eq!(search(edges, &[2]), Outset { met: [0, 1].map(state).into(), ended: None });
    }
}
