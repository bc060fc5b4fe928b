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

use super::frontier::{Frontier, Levels, Queue};
use crate::reduce::Reduction;
use crate::search::problem::Problem;
use crate::search::witness::ROOT;
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Inserted, Own, StateId, Visited};
use crate::system::state::bytes;
use crate::system::{Batch, Outcome, System};

/// Above its parent a note tells whether a state has been taken from the queue. (The initial state is always the first.)
const EXPANDED: u64 = 1 << 32;

pub fn search<S: System, V: Own>(
    problem: &Problem<S>,
    reduction: &Reduction,
    config: Config,
    monitor: &Monitor,
) -> Tally {
    match Frontier::<S, V>::start(problem, config, monitor, ROOT) {
        Ok((mut frontier, root)) => {
            frontier.tally.reduced = true;
            frontier.run(Reduced { reduction, alone: Vec::new(), levels: Levels::new(root) })
        }
        Err(tally) => *tally,
    }
}

struct Reduced<'r> {
    reduction: &'r Reduction,
    /// The processes that may move alone in the current state.
    alone: Vec<usize>,
    levels: Levels,
}

impl<S: System, V: Own> Queue<S, V> for Reduced<'_> {
    fn next(&mut self, on: &mut Frontier<S, V>) -> Result<Option<StateId>, Reason> {
        if self.levels.is_done() {
            self.levels.advance();
            on.tally.counts.depth += 1;
        }
        self.levels.check_depth(on)?;
        Ok(self.levels.take(1).first().copied())
    }

    fn produce(&mut self, on: &mut Frontier<S, V>, state: StateId) {
        let Frontier { problem, store, scratch, batch, buffer, .. } = on;
        store.set_note(state, store.note(state) | EXPANDED);
        let words = store.recall(state, buffer);
        self.alone.clear();
        let mut observer = problem.system.observer(scratch);
        let processes = observer.control(words).enumerate();
        let may_move_alone = processes.filter(|&(_, (kind, at))| self.reduction.may_move_alone(kind, at, bytes(words)));
        self.alone.extend(may_move_alone.map(|(pid, _)| pid));
        for &pid in self.alone.iter().rev() {
            batch.clear();
            problem.system.process_successors(words, pid, scratch, batch);
            if comes_later(batch, store) {
                return;
            }
        }
        on.produce_all(state);
    }

    fn add(&mut self, _on: &mut Frontier<S, V>, _number: usize, successor: Inserted, _note: u64) {
        if successor.new {
            self.levels.next().push(successor.id);
        }
    }

    fn memory(&self) -> u64 {
        self.levels.memory()
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
