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
//! not by a shortest trail, and the counts are those of the reduced state space. With a claim that waits for a bad prefix, there must be a later
//! one for each state that the claim may move to, and on the way there it must see nothing new; see [`Blocks::insert_previous`].

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
    /// The states that the claim may move to, and whether some successor with it comes later in the queue.
    targets: Vec<(u32, bool)>,
}

/// A block of states and their successors.
#[derive(Default)]
struct Block {
    batch: Batch,
    sources: Vec<Source>,
    /// Of each successor.
    hashes: Vec<u64>,
    /// What the reduction says of each successor; empty in a search that is not reduced.
    roles: Vec<Role>,
}

/// What becomes of a successor in a reduced search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is left out unless the proviso wants it.
    LeftOut,
    /// It is kept, and what the claim looks at may change on the way.
    Visible,
    /// It is kept, and looks the same to the claim.
    Invisible,
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
        let Blocks { current: Block { batch, sources, hashes, roles }, buffer, .. } = self;
        batch.clear();
        sources.clear();
        hashes.clear();
        roles.clear();
        for state in next.take(WIDTH) {
            records.next().into_iter().flatten().for_each(|&hash| visited.prefetch_record(hash));
            let (words, first) = (visited.recall(state, buffer), batch.entries.len());
            problem.system.successors(words, Run::GoesOn, scratch, batch, |_| {});
            let mut reduced = false;
            if let Some(Omission { reduction, chooser }) = &mut omission {
                let choice = chooser.choose(reduction, words, batch, first, &mut problem.system.observer(scratch));
                reduced = choice == Choice::Some;
                let role = |(number, entry): (usize, &Entry)| match batch.steps(entry).next() {
                    _ if reduced && !chooser.keeps(number) => Role::LeftOut,
                    Some(step) if reduced && chooser.is_visible(step) => Role::Visible,
                    _ => Role::Invisible,
                };
                roles.extend(batch.entries[first..].iter().enumerate().map(role));
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
    /// are new are appended to `queue`. All successors count as matched until [`Tally::count_matches`].
    ///
    /// Of a state that is reduced, those that may be left out are inserted, too, unless some of the others come later in the queue, which
    /// `turn` tells: an invisible one for each state that the claim may move to. So an expanded state is reached by invisible steps, however the
    /// claim moves meanwhile: it may have to wait in one state for what is put off, and another state, or another label, would not do.
    #[inline(always)]
    pub fn insert_previous<S: System, V: Visited>(
        &mut self,
        system: &S,
        visited: &mut V,
        note: impl Fn(StateId) -> u64,
        turn: &impl Turn<V>,
        queue: &mut Vec<StateId>,
        tally: &mut Tally,
    ) -> Result<(), Full> {
        let Blocks { previous: Block { batch, sources, hashes, roles }, targets, .. } = self;
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
            if roles.is_empty() {
                (from..end).try_for_each(|entry| insert(entry, visited).map(drop))?;
            } else {
                turn.has_come(visited, parent);
                targets.clear();
                for entry in (from..end).filter(|&entry| roles[entry] != Role::LeftOut) {
                    let Some(inserted) = insert(entry, visited)? else { continue };
                    let is_to_come = inserted.new || turn.is_to_come(visited, inserted.id);
                    let later = is_to_come && roles[entry] == Role::Invisible;
                    let target = system.claim_state(batch.state(&batch.entries[entry]));
                    match targets.iter_mut().find(|(known, _)| *known == target) {
                        Some((_, comes_later)) => *comes_later |= later,
                        None => targets.push((target, later)),
                    }
                }
                let all_come_later = !targets.is_empty() && targets.iter().all(|&(_, comes_later)| comes_later);
                if reduced && !all_come_later {
                    (from..end)
                        .filter(|&entry| roles[entry] == Role::LeftOut)
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
