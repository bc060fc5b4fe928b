//! States that are expanded together, block by block.
//!
//! ```text
//! for each block of states:
//!     prefetch the records that the previous block's successors may match
//!     expand all states of the block, hash the successors, prefetch their table slots
//!     insert the successors of the previous block
//! ```
//! Memory latency is the cost of exploration. Expanding a block takes long enough for what was prefetched before it to arrive.

use crate::search::Tally;
use crate::search::problem::{Problem, Reached};
use crate::store::{Full, StateId, States, Visited};
use crate::system::{Batch, Outcome, Run, System};

/// States expanded together.
pub const WIDTH: usize = 16;

/// The block that is being expanded, and the one before it, whose successors are not inserted yet.
#[derive(Default)]
pub struct Blocks {
    current: Block,
    previous: Block,
    /// Of the state that is being expanded, if its store does not lend it.
    buffer: Vec<u64>,
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

impl Blocks {
    /// Expands the next states; false if there are none. Prefetches are spread over the block, because the processor keeps only so
    /// many under way.
    pub fn expand<S: System>(
        &mut self,
        problem: &Problem<S>,
        scratch: &mut S::Scratch,
        next: impl Iterator<Item = StateId>,
        visited: &impl Visited,
    ) -> bool {
        let mut records = self.previous.hashes.chunks(self.previous.hashes.len() / (WIDTH / 2) + 1);
        let Blocks { current: Block { batch, sources, hashes }, buffer, .. } = self;
        batch.clear();
        sources.clear();
        hashes.clear();
        for source in next.take(WIDTH) {
            records.next().into_iter().flatten().for_each(|&hash| visited.prefetch_record(hash));
            problem.system.successors(visited.recall(source, buffer), Run::GoesOn, scratch, batch, |_| {});
            for entry in &batch.entries[hashes.len()..] {
                let hash = if entry.outcome == Outcome::State { visited.hash(batch.state(entry)) } else { 0 };
                visited.prefetch(hash);
                hashes.push(hash);
            }
            sources.push((source, batch.entries.len()));
        }
        !sources.is_empty()
    }

    /// Looks for violations in the current block; the way to a state is known by `path_to`.
    pub fn judge<S: System, V: States>(
        &self,
        problem: &Problem<S>,
        store: &V,
        path_to: fn(&V, StateId) -> Vec<StateId>,
        scratch: &mut S::Scratch,
        tally: &mut Tally,
    ) {
        let Block { batch, sources, .. } = &self.current;
        tally.absorb(batch);
        let mut from = 0;
        for &(state, to) in sources {
            problem.judge(store, Reached { state, path_to }, batch, from..to, scratch, tally);
            if tally.stopped() {
                return;
            }
            from = to;
        }
    }

    /// Inserts the successors of the previous block, with the `note` of a parent, and makes the current one the previous. Those that
    /// are new are appended to `queue`. All successors count as matched until [`Tally::count_matches`].
    #[inline(always)]
    pub fn insert_previous(
        &mut self,
        visited: &mut impl Visited,
        note: impl Fn(StateId) -> u64,
        queue: &mut Vec<StateId>,
        tally: &mut Tally,
    ) -> Result<(), Full> {
        let Block { batch, sources, hashes } = &mut self.previous;
        let mut from = 0;
        for &(parent, to) in &*sources {
            for (entry, &hash) in batch.entries[from..to].iter().zip(&hashes[from..to]) {
                if entry.outcome == Outcome::State {
                    let inserted = visited.insert(batch.state(entry), hash, note(parent))?;
                    if inserted.new {
                        queue.push(inserted.id);
                        tally.counts.stored += 1;
                    }
                    tally.counts.matched += 1;
                }
            }
            from = to;
        }
        sources.clear();
        hashes.clear();
        std::mem::swap(&mut self.current, &mut self.previous);
        Ok(())
    }

    /// Words of the successors that are not inserted yet.
    pub fn words(&self) -> usize {
        self.previous.batch.words.len()
    }
}
