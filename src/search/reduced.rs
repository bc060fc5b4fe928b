//! Breadth-first search with partial-order reduction.
//!
//! ```text
//! insert the initial state
//! for each state in insertion order:                   (the arena is the queue)
//!     if some process may move alone, and one of its moves leads to a state that comes later in the queue:
//!         its moves are all that is explored
//!     otherwise: all moves are
//! ```
//! The condition on the queue keeps moves from being put off for ever: behind every state there is a later one at which
//! they are still possible, and the last of these is explored completely. (Bosnacki, Holzmann: Improving Spin's
//! partial-order reduction for breadth-first search, 2005.) Errors are found, but not by a shortest trail, and the counts
//! are those of the reduced state space.

use super::reach::{Reach, Reached};
use super::witness::ROOT;
use super::{Config, Monitor, Problem, Reason, Tally, start};
use crate::reduce::Reduction;
use crate::store::{StateId, States, Store};
use crate::system::state::bytes;
use crate::system::{Batch, Outcome, Scratch, System};

pub fn search(problem: &Problem, reduction: &Reduction, config: Config, monitor: &Monitor) -> Tally {
    let (mut store, next, scratch, mut tally) = match start(&problem.system, problem.checks, config, ROOT) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    tally.reduced = true;
    let mut search = Reduced { problem, reduction, scratch, batch: Batch::default(), alone: Vec::new() };
    search.levels(next, &mut store, &mut tally, monitor);
    tally.counts.stored = store.len();
    tally.counts.memory = store.memory();
    tally.note_ranges(&problem.system, &store);
    tally.learn(search.scratch);
    tally
}

/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

struct Reduced<'r, 'p> {
    problem: &'r Problem<'p>,
    reduction: &'r Reduction,
    scratch: Scratch,
    batch: Batch,
    /// The processes that may move alone in the current state.
    alone: Vec<usize>,
}

impl Reduced<'_, '_> {
    fn levels(&mut self, mut next: StateId, store: &mut Store, tally: &mut Tally, monitor: &Monitor) {
        let mut unchecked = 0;
        while next < store.end() {
            let level_end = store.end();
            if let Some(limit) = monitor.limits.max_depth.filter(|&limit| tally.counts.depth >= limit) {
                return tally.cut_short(Reason::Depth(limit));
            }
            while next < level_end {
                self.expand(next, store);
                tally.absorb(&self.batch);
                let Reduced { batch, scratch, .. } = self;
                self.problem.judge(store, Reached::by_parents(next), (batch, 0..batch.entries.len()), scratch, tally);
                if tally.stopped() {
                    return;
                }
                if !self.insert(next, store, tally) {
                    return tally.cut_short(Reason::StoreFull);
                }
                next = store.after(next);
                unchecked += 1 + self.batch.words.len();
                if unchecked >= CHECK_EVERY || monitor.limits.max_states.is_some_and(|limit| store.len() >= limit) {
                    unchecked = 0;
                    if let Some(reason) = monitor.check(store.len(), tally.counts.depth, store.memory()) {
                        return tally.cut_short(reason);
                    }
                }
            }
            tally.counts.depth += 1;
        }
    }

    /// Writes the successors that are to be explored into the batch.
    fn expand(&mut self, state: StateId, store: &Store) {
        let Reduced { problem, reduction, scratch, batch, alone } = self;
        let words = store.state(state);
        alone.clear();
        let processes = problem.system.control(words, scratch).enumerate();
        alone.extend(
            processes.filter(|&(_, (kind, at))| reduction.may_move_alone(kind, at, bytes(words))).map(|(pid, _)| pid),
        );
        for &pid in alone.iter().rev() {
            batch.clear();
            problem.system.process_successors(words, pid, scratch, batch);
            if comes_later(batch, state, store) {
                return;
            }
        }
        batch.clear();
        problem.system.successors(words, scratch, batch, |_| {});
    }

    fn insert(&mut self, parent: StateId, store: &mut Store, tally: &mut Tally) -> bool {
        for entry in self.batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
            let state = self.batch.state(entry);
            let Some(inserted) = store.insert(state, store.hash(state), parent.0) else { return false };
            tally.counts.matched += !inserted.new as u64;
        }
        true
    }
}

/// Some successor is new or waits behind `state` in the queue.
fn comes_later(batch: &Batch, state: StateId, store: &Store) -> bool {
    batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).any(|entry| {
        let successor = batch.state(entry);
        store.get(successor, store.hash(successor)).is_none_or(|id| id > state)
    })
}
