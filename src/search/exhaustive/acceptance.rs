//! Marks on the edges of a product, and cycles that see all of them: what searches by components have in common.
//!
//! One mark is the claim's acceptance: it is on all edges that leave an accepting state. With weak fairness there is one for each process, on
//! edges on which it moves or before which it cannot: no level has to be kept in a state. A cycle is accepting and fair if and only if
//! its edges together have all marks, and a component has such a cycle if and only if the edges inside it have.

use crate::property::Fairness;
use crate::property::fairness::Pids;
use crate::search::expand::Expansion;
use crate::search::problem::Problem;
use crate::search::witness::along;
use crate::search::{Reason, Witness};
use crate::store::{StateId, Visited};
use crate::system::state::{bytes, process_count};
use crate::system::{Entry, Grace, Outcome, Run, Step, System};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::iter;

/// The mark of the claim; those of processes come after it.
const ACCEPTED: u64 = 1;
/// Processes that have a mark of their own.
const PROCESSES: u32 = 63;

/// One worker's marks on the edges from one state to its successors.
pub struct EdgeMarks {
    fairness: Fairness,
    /// By entry of the batch.
    pub marks: Vec<u64>,
    able: Pids,
    movers: Pids,
}

impl EdgeMarks {
    pub fn new<S>(problem: &Problem<S>) -> EdgeMarks {
        EdgeMarks { fairness: problem.fairness, marks: Vec::new(), able: Pids::default(), movers: Pids::default() }
    }

    /// What an accepting cycle sees.
    pub fn all(&self) -> u64 {
        match self.fairness {
            Fairness::None => ACCEPTED,
            Fairness::Weak => u64::MAX,
        }
    }

    /// There must not be more processes than marks.
    pub fn check(&self, state: &[u64]) -> Result<(), Reason> {
        let are_too_many = self.fairness == Fairness::Weak && process_count(bytes(state)) > PROCESSES as usize;
        if are_too_many { Err(Reason::Processes(PROCESSES)) } else { Ok(()) }
    }

    /// Finds the marks on the edges from a state to its successors.
    pub fn find<S: System>(&mut self, system: &S, visited: &impl Visited, state: StateId, of: &mut Expansion<S>) {
        let Expansion { batch, scratch, source, .. } = of;
        let words = visited.recall(state, source);
        let own = if system.is_accepting(words, scratch) { ACCEPTED } else { 0 };
        self.marks.clear();
        if self.fairness == Fairness::None {
            self.marks.resize(batch.entries.len(), own);
            return;
        }
        self.able.clear();
        let first = |entry: &Entry| batch.steps(entry).next().filter(|&step| step != Step::STUTTER);
        batch.entries.iter().filter_map(first).for_each(|step| self.able.add(step.pid));
        let processes = process_count(bytes(words)) as u32;
        for entry in &batch.entries {
            self.movers.clear();
            batch.steps(entry).filter(|&step| step != Step::STUTTER).for_each(|step| self.movers.add_movers(step));
            let done = |pid: &u32| *pid >= processes || self.movers.contains(*pid) || !self.able.contains(*pid);
            self.marks.push((0..PROCESSES).filter(done).fold(own, |marks, pid| marks | 2 << pid));
        }
    }
}

/// A component with an accepting cycle, as far as it is known.
pub trait Component {
    /// The state belongs to it.
    fn contains(&self, state: StateId) -> bool;
    /// Whether the run has ended in a state, where the state does not tell.
    fn run(&self, state: StateId) -> Run;
}

/// Puts an accepting cycle of a component together, mark by mark, by breadth-first searches inside it.
pub struct Around<'a, S: System, V, C> {
    pub system: &'a S,
    pub store: &'a V,
    pub successors: &'a mut Expansion<S>,
    pub marks: &'a mut EdgeMarks,
    pub component: C,
}

impl<S: System, V: Visited, C: Component> Around<'_, S, V, C> {
    /// The run along `prefix` and then around a cycle that sees all marks, in the component of the last state.
    pub fn lasso(&mut self, prefix: &[StateId]) -> Option<Witness> {
        let mut witness = along(self.system, self.store, prefix, iter::empty(), &mut self.successors.scratch)?;
        witness.cycle = Some(witness.steps.len());
        let start = *prefix.last()?;
        self.system.set_grace(Grace::Granted, &mut self.successors.scratch);
        let closed = self.around(start, &mut witness);
        self.system.set_grace(Grace::Over, &mut self.successors.scratch);
        closed.map(|()| witness)
    }

    /// Adds a way from `start` back to it to the run; `None` if none was found.
    fn around(&mut self, start: StateId, witness: &mut Witness) -> Option<()> {
        let (mut at, mut missing) = (start, self.marks.all());
        while missing != 0 {
            for (from, entry) in self.hops(at, |marks, _| marks & missing != 0)? {
                self.expand(from);
                missing &= !*self.marks.marks.get(entry)?;
                at = self.follow(entry, witness)?;
            }
        }
        if at != start {
            for (from, entry) in self.hops(at, |_, target| target == start)? {
                self.expand(from);
                self.follow(entry, witness)?;
            }
        }
        Some(())
    }

    /// Writes the successors of a state and the marks on the edges to them.
    fn expand(&mut self, state: StateId) {
        let Around { system, store, successors, marks, component } = self;
        successors.expand(*system, state, component.run(state), *store);
        marks.find(*system, *store, state, successors);
    }

    /// Adds an entry of the current successors to the run; the state that it leads to.
    fn follow(&mut self, entry: usize, witness: &mut Witness) -> Option<StateId> {
        let Expansion { batch, hashes, .. } = &*self.successors;
        let hash = *hashes.get(entry)?;
        // a limit may have cut off the expansion this time
        let entry = batch.entries.get(entry).filter(|entry| entry.outcome == Outcome::State)?;
        let state = batch.state(entry);
        witness.sights.push((witness.steps.len(), self.system.claim_state(state)));
        witness.steps.extend(batch.steps(entry).filter(|&step| step != Step::STUTTER));
        self.store.get(state, hash)
    }

    /// A shortest path inside the component whose last edge is wanted: states and entries of their successors. There is one, unless a
    /// limit cuts off an expansion.
    fn hops(&mut self, from: StateId, wanted: impl Fn(u64, StateId) -> bool) -> Option<Vec<(StateId, usize)>> {
        let mut came: FxHashMap<StateId, (StateId, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            self.expand(state);
            let Expansion { batch, hashes, .. } = &*self.successors;
            for (entry, marks) in self.marks.marks.iter().enumerate() {
                if batch.entries[entry].outcome != Outcome::State {
                    continue;
                }
                let known = self.store.get(batch.state(&batch.entries[entry]), hashes[entry]);
                let Some(target) = known.filter(|&target| self.component.contains(target)) else { continue };
                if wanted(*marks, target) {
                    let mut hops = vec![(state, entry)];
                    let mut at = state;
                    while at != from {
                        let hop = came[&at];
                        hops.push(hop);
                        at = hop.0;
                    }
                    hops.reverse();
                    return Some(hops);
                }
                if target != from && !came.contains_key(&target) {
                    came.insert(target, (state, entry));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}
