//! States that are expanded together, block by block.
//!
//! ```text
//! for each block of states:
//!     prefetch the records that the previous block's successors may match
//!     expand all states of the block, hash the successors, prefetch their table slots
//!     insert the successors of the previous block
//! ```
//! Memory latency is the cost of exploration. Expanding a block takes long enough for what was prefetched before it to arrive.
//!
//! With reduction, a state of which a stubborn set has a successor that comes later in the queue has no other successors. That keeps moves
//! from being put off for ever: behind every state there is a later one at which they are still possible, and the last of these is
//! explored completely. (Bosnacki, Holzmann: Improving Spin's partial-order reduction for breadth-first search, 2005.) Errors are found, but
//! not by a shortest trail, and the counts are those of the reduced state space.

use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::Tally;
use crate::search::problem::{Problem, Reached};
use crate::store::{Full, StateId, States, Visited};
use crate::system::{Batch, Entry, Outcome, Run, System};

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
    sources: Vec<Source>,
    /// Of each successor.
    hashes: Vec<u64>,
    /// The successors that are left out unless the proviso wants them; as many as there are successors if any state is reduced.
    left_out: Vec<bool>,
}

/// A state of a block.
#[derive(Clone, Copy)]
struct Source {
    state: StateId,
    /// Where its successors end in the batch.
    end: usize,
    /// Some of them may be left out.
    reduced: bool,
}

/// What is left out of a reduced search, by one worker.
pub struct Omission<'o> {
    reduction: &'o Reduction<'o>,
    chooser: Chooser,
}

impl<'o> Omission<'o> {
    /// With this reduction.
    pub fn new(reduction: &'o Reduction<'o>) -> Omission<'o> {
        Omission { reduction, chooser: Chooser::new(reduction) }
    }
}

/// Which states have had their turn in the queue: the proviso of reduced breadth-first searches.
pub trait Turn<V> {
    /// It is the turn of this state.
    fn has_come(&self, visited: &mut V, state: StateId);
    /// It is not the turn of this state yet.
    fn is_to_come(&self, visited: &V, state: StateId) -> bool;
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
        mut omission: Option<&mut Omission>,
    ) -> bool {
        let mut records = self.previous.hashes.chunks(self.previous.hashes.len() / (WIDTH / 2) + 1);
        let Blocks { current: Block { batch, sources, hashes, left_out }, buffer, .. } = self;
        batch.clear();
        sources.clear();
        hashes.clear();
        left_out.clear();
        for state in next.take(WIDTH) {
            records.next().into_iter().flatten().for_each(|&hash| visited.prefetch_record(hash));
            let (words, first) = (visited.recall(state, buffer), batch.entries.len());
            problem.system.successors(words, Run::GoesOn, scratch, batch, |_| {});
            let mut reduced = false;
            if let Some(Omission { reduction, chooser }) = &mut omission {
                let choice = chooser.choose(reduction, words, batch, first, &mut problem.system.observer(scratch));
                reduced = choice == Choice::Some;
                let entries = first..batch.entries.len();
                left_out.extend(entries.map(|entry| reduced && !chooser.keeps(entry - first)));
            }
            for entry in &batch.entries[hashes.len()..] {
                let hash = if entry.outcome == Outcome::State { visited.hash(batch.state(entry)) } else { 0 };
                visited.prefetch(hash);
                hashes.push(hash);
            }
            sources.push(Source { state, end: batch.entries.len(), reduced });
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
        for &Source { state, end, .. } in sources {
            problem.judge(store, Reached { state, path_to }, batch, from..end, scratch, tally);
            if tally.stopped() {
                return;
            }
            from = end;
        }
    }

    /// Inserts the successors of the previous block, with the `note` of a parent, and makes the current one the previous. Those that
    /// are new are appended to `queue`. All successors count as matched until [`Tally::count_matches`]. Of a state that is reduced, the
    /// successors that may be left out are inserted only if none of the others comes later in the queue, which `turn` tells.
    #[inline(always)]
    pub fn insert_previous<V: Visited>(
        &mut self,
        visited: &mut V,
        note: impl Fn(StateId) -> u64,
        turn: &impl Turn<V>,
        queue: &mut Vec<StateId>,
        tally: &mut Tally,
    ) -> Result<(), Full> {
        let Block { batch, sources, hashes, left_out } = &mut self.previous;
        let mut from = 0;
        for &Source { state: parent, end, reduced } in &*sources {
            let mut insert = |entry: usize, visited: &mut V| {
                let Entry { outcome, .. } = batch.entries[entry];
                if outcome != Outcome::State {
                    return Ok(None);
                }
                let inserted = visited.insert(batch.state(&batch.entries[entry]), hashes[entry], note(parent))?;
                if inserted.new {
                    queue.push(inserted.id);
                    tally.counts.stored += 1;
                }
                tally.counts.matched += 1;
                Ok(Some(inserted))
            };
            if left_out.is_empty() {
                (from..end).try_for_each(|entry| insert(entry, visited).map(drop))?;
            } else {
                turn.has_come(visited, parent);
                let mut comes_later = false;
                for entry in (from..end).filter(|&entry| !left_out[entry]) {
                    let inserted = insert(entry, visited)?;
                    comes_later |=
                        inserted.is_some_and(|inserted| inserted.new || turn.is_to_come(visited, inserted.id));
                }
                if reduced && !comes_later {
                    (from..end)
                        .filter(|&entry| left_out[entry])
                        .try_for_each(|entry| insert(entry, visited).map(drop))?;
                }
            }
            from = end;
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
