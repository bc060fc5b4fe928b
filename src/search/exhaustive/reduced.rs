//! Breadth-first search with partial-order reduction.
//!
//! ```text
//! insert the initial state
//! for each state in insertion order:
//!     if some process may move alone, and one of its moves leads to a state that comes later in the queue:
//!         its moves are all that is explored
//!     otherwise: all moves are
//! ```
//! The condition on the queue keeps moves from being put off for ever: behind every state there is a later one at which
//! they are still possible, and the last of these is explored completely. (Bosnacki, Holzmann: Improving Spin's
//! partial-order reduction for breadth-first search, 2005.) Errors are found, but not by a shortest trail, and the counts
//! are those of the reduced state space.

use crate::reduce::Reduction;
use crate::search::meter::Meter;
use crate::search::problem::{Problem, Reached};
use crate::search::witness::{ROOT, parent_note};
use crate::search::{Config, Monitor, Reason, Tally, start};
use crate::store::{Full, Own, StateId, Visited};
use crate::system::state::bytes;
use crate::system::{Batch, Outcome, Run, System};
use std::collections::VecDeque;

/// Above its parent a note tells whether a state has been taken from the queue. (The initial state is always the first.)
const EXPANDED: u64 = 1 << 32;

pub fn search<S: System, V: Own>(
    problem: &Problem<S>,
    reduction: &Reduction,
    config: Config,
    monitor: &Monitor,
) -> Tally {
    let (store, root, scratch, mut tally) = match start::<S, V>(&problem.system, problem.checks, config, ROOT) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    tally.reduced = true;
    let queue = VecDeque::from([root]);
    let mut search = Reduced {
        problem,
        reduction,
        store,
        scratch,
        batch: Batch::default(),
        buffer: Vec::new(),
        alone: Vec::new(),
        queue,
    };
    if let Err(reason) = search.levels(&mut tally, monitor) {
        tally.cut_short(reason);
    }
    tally.counts.stored = search.store.len();
    tally.counts.memory = search.memory();
    tally.note_ranges(&problem.system, &search.store);
    tally.learn::<S>(search.scratch);
    tally
}

struct Reduced<'r, S: System, V> {
    problem: &'r Problem<'r, S>,
    reduction: &'r Reduction,
    store: V,
    scratch: S::Scratch,
    batch: Batch,
    /// Of a state whose store does not lend it.
    buffer: Vec<u64>,
    /// The processes that may move alone in the current state.
    alone: Vec<usize>,
    queue: VecDeque<StateId>,
}

impl<S: System, V: Own> Reduced<'_, S, V> {
    fn levels(&mut self, tally: &mut Tally, monitor: &Monitor) -> Result<(), Reason> {
        let mut meter = Meter::new(monitor);
        while !self.queue.is_empty() {
            if let Some(limit) = meter.too_deep(tally.counts.depth) {
                return Err(Reason::Depth(limit));
            }
            for _ in 0..self.queue.len() {
                let Some(state) = self.queue.pop_front() else { break };
                self.expand(state);
                tally.absorb(&self.batch);
                let Reduced { problem, store, batch, scratch, .. } = self;
                let reached = Reached::by_parents(state);
                problem.judge(store, reached, batch, 0..batch.entries.len(), scratch, tally);
                if tally.stopped() {
                    return Ok(());
                }
                self.insert(state, tally).map_err(|Full| Reason::StoreFull)?;
                meter.poll(self.batch.words.len(), self.store.len(), tally.counts.depth, || self.memory())?;
            }
            tally.counts.depth += 1;
        }
        Ok(())
    }

    /// Writes the successors that are to be explored into the batch.
    fn expand(&mut self, state: StateId) {
        let Reduced { problem, reduction, store, scratch, batch, alone, buffer, .. } = self;
        store.set_note(state, store.note(state) | EXPANDED);
        let words = store.recall(state, buffer);
        alone.clear();
        let mut observer = problem.system.observer(scratch);
        let processes = observer.control(words).enumerate();
        alone.extend(
            processes.filter(|&(_, (kind, at))| reduction.may_move_alone(kind, at, bytes(words))).map(|(pid, _)| pid),
        );
        for &pid in alone.iter().rev() {
            batch.clear();
            problem.system.process_successors(words, pid, scratch, batch);
            if comes_later(batch, store) {
                return;
            }
        }
        batch.clear();
        problem.system.successors(words, Run::GoesOn, scratch, batch, |_| {});
    }

    fn insert(&mut self, parent: StateId, tally: &mut Tally) -> Result<(), Full> {
        for entry in self.batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
            let state = self.batch.state(entry);
            let inserted = self.store.insert(state, self.store.hash(state), parent_note(parent))?;
            if inserted.new {
                self.queue.push_back(inserted.id);
            } else {
                tally.counts.matched += 1;
            }
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        self.store.memory() + (self.queue.capacity() * size_of::<StateId>()) as u64
    }
}

/// Some successor is new or waits in the queue.
fn comes_later(batch: &Batch, store: &impl Visited) -> bool {
    batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).any(|entry| {
        let successor = batch.state(entry);
        let known = store.get(successor, store.hash(successor));
        known.is_none_or(|id| store.note(id) & EXPANDED == 0)
    })
}
