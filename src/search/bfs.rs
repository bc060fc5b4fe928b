//! Breadth-first search with a wide frontier: the default for safety.
//!
//! ```text
//! insert the initial state
//! for each block of states in insertion order:        (the arena is the queue)
//!     prefetch the records that the previous block's successors may match
//!     expand all states of the block, hash the successors, prefetch their table slots
//!     insert the successors of the previous block, each with its parent as note
//! ```
//! Memory latency is the cost of exploration. Expanding a block takes long enough for what was prefetched before it to
//! arrive. Parents are kept, so that the first violation comes with a shortest trail (counted in macro steps: an atomic
//! sequence is one).

use super::{Config, Monitor, Problem, Reason, Tally, Violation, witness};
use crate::store::{StateId, Store};
use crate::system::{Batch, Outcome, Scratch, System};

/// States expanded together.
const WIDTH: usize = 16;
/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

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
    let mut search = Bfs { problem, scratch, current: Block::default(), previous: Block::default() };
    search.levels(&mut store, &mut tally, monitor);
    tally.counts.stored = store.len();
    tally.counts.memory = store.memory();
    tally.executed = search.scratch.executed;
    tally
}

/// The note of the initial state; the note of any other state is its parent.
const ROOT: u64 = u64::MAX;

/// A block of states and their successors.
#[derive(Default)]
struct Block {
    batch: Batch,
    /// The states of the block, and where their successors end in the batch.
    sources: Vec<(StateId, usize)>,
    /// Of each successor.
    hashes: Vec<u64>,
}

struct Bfs<'b, 'p> {
    problem: &'b Problem<'p>,
    scratch: Scratch,
    current: Block,
    /// Expanded, but not inserted yet.
    previous: Block,
}

impl Bfs<'_, '_> {
    fn levels(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) {
        let mut next = StateId(0);
        let mut unchecked = 0;
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
                self.judge(store, tally);
                if !self.insert_previous(store, tally) {
                    return tally.cut_short(Reason::StoreFull);
                }
                if tally.stopped() {
                    return;
                }
                unchecked += self.previous.batch.words.len() + WIDTH;
                if unchecked >= CHECK_EVERY || monitor.limits.max_states.is_some_and(|limit| store.len() >= limit) {
                    unchecked = 0;
                    let stop = monitor.check(store.len(), tally.counts.depth, store.memory());
                    if let Some(reason) = stop {
                        return tally.cut_short(reason);
                    }
                }
            }
            // the last block of the level
            if !self.insert_previous(store, tally) {
                return tally.cut_short(Reason::StoreFull);
            }
            tally.counts.depth += 1;
        }
    }

    /// Expands a block of states from `next` on; returns the first state that was not expanded. Prefetches are spread over
    /// the block, because the processor keeps only so many under way.
    fn expand(&mut self, mut next: StateId, level_end: StateId, store: &Store) -> StateId {
        let mut records = self.previous.hashes.chunks(self.previous.hashes.len() / (WIDTH / 2) + 1);
        let Block { batch, sources, hashes } = &mut self.current;
        batch.clear();
        sources.clear();
        hashes.clear();
        while next < level_end && sources.len() < WIDTH {
            records.next().into_iter().flatten().for_each(|&hash| store.prefetch_record(hash));
            self.problem.system.successors(store.state(next), &mut self.scratch, batch, |_| {});
            for entry in &batch.entries[hashes.len()..] {
                let hash = if entry.outcome == Outcome::State { store.hash(batch.state(entry)) } else { 0 };
                store.prefetch(hash);
                hashes.push(hash);
            }
            sources.push((next, batch.entries.len()));
            next = store.after(next);
        }
        next
    }

    /// Inserts the successors of the previous block, and makes the current one the previous. False if the store is full.
    fn insert_previous(&mut self, store: &mut Store, tally: &mut Tally) -> bool {
        let Block { batch, sources, hashes } = &mut self.previous;
        let mut from = 0;
        for &(parent, to) in &*sources {
            for (entry, &hash) in batch.entries[from..to].iter().zip(&hashes[from..to]) {
                if entry.outcome == Outcome::State {
                    let Some(inserted) = store.insert(batch.state(entry), hash, parent.0) else { return false };
                    tally.counts.matched += !inserted.new as u64;
                }
            }
            from = to;
        }
        sources.clear();
        hashes.clear();
        std::mem::swap(&mut self.current, &mut self.previous);
        true
    }

    /// Looks for faults and deadlocks in the current block.
    fn judge(&mut self, store: &Store, tally: &mut Tally) {
        let Bfs { problem, scratch, current: Block { batch, sources, .. }, .. } = self;
        tally.absorb(batch);
        let mut from = 0;
        for &(source, to) in &*sources {
            for (i, entry) in batch.entries[from..to].iter().enumerate() {
                if let Outcome::Fault(fault) = entry.outcome {
                    let witness = || witness::along(problem, store, &path_to(store, source), Some(i), scratch);
                    tally.fault(&batch.faults[fault as usize], witness);
                }
                if tally.stopped() {
                    return;
                }
            }
            if from == to && problem.is_deadlock(store.state(source), scratch) {
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
