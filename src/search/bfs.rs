//! Breadth-first search with a wide frontier: the exhaustive search for safety, and for claims that wait for a bad prefix.
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

use super::reach::{Reach, Reached};
use super::shortcut::Shortcut;
use super::witness::ROOT;
use super::{Config, Monitor, Reason, Tally, start};
use crate::store::{StateId, States, Store};
use crate::system::{Batch, Outcome, System};

/// States expanded together.
const WIDTH: usize = 16;
/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

pub fn search<R: Reach>(problem: &R, config: Config, monitor: &Monitor) -> Tally {
    let (mut store, scratch, mut tally) = match start(problem.system(), problem.checks(), config, ROOT) {
        Ok((store, _, scratch, tally)) => (store, scratch, tally),
        Err(tally) => return *tally,
    };
    let shortcut = Shortcut::new(config);
    let mut search = Bfs { problem, scratch, shortcut, current: Block::default(), previous: Block::default() };
    if let Some(answer) = search.levels(&mut store, &mut tally, monitor) {
        return answer;
    }
    tally.counts.stored = store.len();
    tally.counts.memory = store.memory();
    R::end(search.scratch, &mut tally);
    search.shortcut.or_better(tally)
}

/// A block of states and their successors.
#[derive(Default)]
struct Block {
    batch: Batch,
    /// The states of the block, and where their successors end in the batch.
    sources: Vec<(StateId, usize)>,
    /// Of each successor.
    hashes: Vec<u64>,
}

struct Bfs<'b, R: Reach> {
    problem: &'b R,
    scratch: <R::System as System>::Scratch,
    shortcut: Shortcut,
    current: Block,
    /// Expanded, but not inserted yet.
    previous: Block,
}

impl<R: Reach> Bfs<'_, R> {
    /// Explores level after level. Returns the answer of the shortcut, if that was there first.
    fn levels(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Option<Tally> {
        let mut next = StateId(0);
        let mut unchecked = 0;
        while next < store.end() {
            let level_end = store.end();
            if let Some(limit) = monitor.limits.max_depth.filter(|&limit| tally.counts.depth >= limit) {
                tally.cut_short(Reason::Depth(limit));
                return None;
            }
            while next < level_end {
                next = self.expand(next, level_end, store);
                self.judge(store, tally);
                if !self.insert_previous(store, tally) {
                    tally.cut_short(Reason::StoreFull);
                    return None;
                }
                if tally.stopped() {
                    return None;
                }
                unchecked += self.previous.batch.words.len() + WIDTH;
                if unchecked >= CHECK_EVERY || monitor.limits.max_states.is_some_and(|limit| store.len() >= limit) {
                    unchecked = 0;
                    if let Some(reason) = monitor.check(store.len(), tally.counts.depth, store.memory()) {
                        tally.cut_short(reason);
                        return None;
                    }
                    if let Some(answer) = self.problem.ask(&mut self.shortcut, store.len(), monitor) {
                        return Some(answer);
                    }
                }
            }
            // the last block of the level
            if !self.insert_previous(store, tally) {
                tally.cut_short(Reason::StoreFull);
                return None;
            }
            tally.counts.depth += 1;
        }
        None
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
            self.problem.successors(store.state(next), &mut self.scratch, batch);
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
            problem.judge(store, Reached::by_parents(source), (batch, from..to), scratch, tally);
            if tally.stopped() {
                return;
            }
            from = to;
        }
    }
}
