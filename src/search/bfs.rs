//! Breadth-first search with a wide frontier: the default for safety.
//!
//! ```text
//! insert the initial state
//! for each block of states in insertion order:        (the arena is the queue)
//!     expand all states of the block
//!     hash all successors and prefetch their table slots, then the records behind them
//!     insert all successors, each with its parent as note
//! ```
//! Memory latency is the cost of exploration; expanding several states before touching the table hides it. Parents are
//! kept, so that the first violation comes with a shortest trail (counted in macro steps: an atomic sequence is one).

use super::{Config, Monitor, Problem, Reason, Tally, Violation, witness};
use crate::store::{StateId, Store};
use crate::system::{Batch, Outcome, Scratch, System};

/// States expanded together.
const WIDTH: usize = 16;
/// Blocks between two looks at the monitor.
const CHECK_EVERY: u64 = 256;

pub fn search(problem: &Problem, config: Config, monitor: &Monitor) -> Tally {
    let system = &problem.system;
    let mut scratch = system.scratch();
    let mut tally = Tally::new(config, problem.checks);
    let initial = match system.initial(&mut scratch) {
        Ok(state) => state,
        Err(fault) => {
            tally.fault(&fault, Default::default);
            return tally;
        }
    };
    let Some(mut store) = Store::new(system.hidden_words()) else {
        tally.cut_short(Reason::StoreFull);
        return tally;
    };
    let hash = store.hash(&initial);
    store.insert(&initial, hash, ROOT);
    let mut search = Bfs { problem, scratch, batch: Batch::default(), sources: Vec::new(), hashes: Vec::new() };
    search.levels(&mut store, &mut tally, monitor);
    tally.counts.stored = store.len();
    tally.counts.memory = store.memory();
    tally.executed = search.scratch.executed;
    tally
}

/// The note of the initial state; the note of any other state is its parent.
const ROOT: u64 = u64::MAX;

struct Bfs<'b, 'p> {
    problem: &'b Problem<'p>,
    scratch: Scratch,
    batch: Batch,
    /// The states of the current block, and where their successors end in the batch.
    sources: Vec<(StateId, usize)>,
    hashes: Vec<u64>,
}

impl Bfs<'_, '_> {
    fn levels(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) {
        let mut next = StateId(0);
        let mut blocks = 0u64;
        loop {
            let level_end = store.end();
            if next == level_end {
                return;
            }
            if let Some(limit) = monitor.limits.max_depth.filter(|&limit| tally.counts.depth >= limit) {
                return tally.cut_short(Reason::Depth(limit));
            }
            while next < level_end {
                next = self.expand(next, level_end, store);
                let fits = self.insert(store, tally);
                self.judge(store, tally);
                tally.absorb(&self.batch);
                if tally.stopped() {
                    return;
                }
                if !fits {
                    return tally.cut_short(Reason::StoreFull);
                }
                blocks += 1;
                if blocks % CHECK_EVERY == 0 || monitor.limits.max_states.is_some_and(|limit| store.len() >= limit) {
                    let stop = monitor.check(store.len(), tally.counts.depth, store.memory());
                    if let Some(reason) = stop {
                        return tally.cut_short(reason);
                    }
                }
            }
            tally.counts.depth += 1;
        }
    }

    /// Expands a block of states from `next` on; returns the first state that was not expanded.
    fn expand(&mut self, mut next: StateId, level_end: StateId, store: &Store) -> StateId {
        self.batch.clear();
        self.sources.clear();
        while next < level_end && self.sources.len() < WIDTH {
            self.problem.system.successors(store.state(next), &mut self.scratch, &mut self.batch);
            self.sources.push((next, self.batch.entries.len()));
            next = store.after(next);
        }
        next
    }

    /// Inserts all successors of the block; false if the store is full.
    fn insert(&mut self, store: &mut Store, tally: &mut Tally) -> bool {
        self.hashes.clear();
        for entry in &self.batch.entries {
            let hash = if entry.outcome == Outcome::State { store.hash(self.batch.state(entry)) } else { 0 };
            store.prefetch(hash);
            self.hashes.push(hash);
        }
        for &hash in &self.hashes {
            store.prefetch_record(hash);
        }
        let mut from = 0;
        for &(parent, to) in &self.sources {
            for (entry, &hash) in self.batch.entries[from..to].iter().zip(&self.hashes[from..to]) {
                if entry.outcome == Outcome::State {
                    let Some(inserted) = store.insert(self.batch.state(entry), hash, parent.0) else { return false };
                    tally.counts.matched += !inserted.new as u64;
                }
            }
            from = to;
        }
        true
    }

    /// Looks for faults and deadlocks in the current block.
    fn judge(&mut self, store: &Store, tally: &mut Tally) {
        let mut from = 0;
        for i in 0..self.sources.len() {
            let (source, to) = self.sources[i];
            let mut moved = false;
            for j in from..to {
                match self.batch.entries[j].outcome {
                    Outcome::Fault(fault) => {
                        let (problem, scratch) = (self.problem, &mut self.scratch);
                        let witness =
                            || witness::along(problem, store, &path_to(store, source), Some(j - from), scratch);
                        tally.fault(&self.batch.faults[fault as usize], witness);
                    }
                    _ => moved = true,
                }
                if tally.stopped() {
                    return;
                }
            }
            if !moved && self.problem.is_deadlock(store.state(source), &mut self.scratch) {
                let (problem, scratch) = (self.problem, &mut self.scratch);
                let witness = || witness::along(problem, store, &path_to(store, source), None, scratch);
                tally.violation(Violation::InvalidEndState, "invalid end state".into(), witness);
                if tally.stopped() {
                    return;
                }
            }
            from = to;
        }
    }
}

/// The states from the initial one to `id`.
fn path_to(store: &Store, id: StateId) -> Vec<StateId> {
    let mut path = vec![id];
    loop {
        let note = store.note(path[path.len() - 1]);
        if note == ROOT {
            break;
        }
        path.push(StateId(note));
    }
    path.reverse();
    path
}
