//! Breadth-first search with partial-order reduction.
//!
//! ```text
//! insert the initial state
//! for each state in insertion order:
//!     if a stubborn set has a move to a state that comes later in the queue: its moves are all that is explored
//!     otherwise: all moves are
//! ```
//! The condition on the queue keeps moves from being put off for ever: behind every state there is a later one at which
//! they are still possible, and the last of these is explored completely. (Bosnacki, Holzmann: Improving Spin's
//! partial-order reduction for breadth-first search, 2005.) Errors are found, but not by a shortest trail, and the counts
//! are those of the reduced state space.

use super::frontier::{Frontier, Levels, Queue};
use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::problem::Problem;
use crate::search::witness::ROOT;
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Inserted, Own, StateId, Visited};
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
            frontier.run(Reduced { reduction, chooser: Chooser::new(reduction), levels: Levels::new(root) })
        }
        Err(tally) => *tally,
    }
}

struct Reduced<'r> {
    reduction: &'r Reduction<'r>,
    chooser: Chooser,
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
        on.store.set_note(state, on.store.note(state) | EXPANDED);
        on.produce_all(state);
        let Frontier { problem, store, scratch, batch, buffer, .. } = on;
        let Reduced { reduction, chooser, .. } = self;
        let words = store.recall(state, buffer);
        if chooser.choose(reduction, words, batch, &mut problem.system.observer(scratch)) == Choice::Some {
            let set = chooser.sets().find(|&set| comes_later(batch, |entry| chooser.keeps(set, entry), store));
            if let Some(set) = set {
                batch.keep(|entry| chooser.keeps(set, entry));
            }
        }
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

/// Some of the wanted successors is new or waits in the queue.
fn comes_later(batch: &Batch, wanted: impl Fn(usize) -> bool, store: &impl Visited) -> bool {
    let states = batch.entries.iter().enumerate().filter(|(_, entry)| entry.outcome == Outcome::State);
    states.filter(|&(number, _)| wanted(number)).any(|(_, entry)| {
        let successor = batch.state(entry);
        let known = store.get(successor, store.hash(successor));
        known.is_none_or(|id| store.note(id) & EXPANDED == 0)
    })
}
