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
//! With reduction, only the successors in a stubborn set are inserted, if one of them comes later in the queue. That keeps moves from being put
//! off for ever: behind every state there is a later one at which they are still possible. The last of these has no successor that comes
//! later; what happens then is the proviso:
//!
//! ```text
//! QUEUE         what was left out is inserted, too (Bosnacki, Holzmann: Improving Spin's partial-order reduction for breadth-first search, 2005)
//! BOTTOM-SAFE   the state is in doubt until the queue is empty (see [`super::doubt`])
//! ```
//! Errors are found, but not by a shortest trail, and the counts are those of the reduced state space. With a claim that waits for a bad prefix
//! the proviso is QUEUE, and there must be a later successor for each state that the claim may move to, and on the way there it must see
//! nothing new; see [`Blocks::insert_previous`].

use super::omission::{Notes, Omission, Part};
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
    /// It is not in the stubborn set.
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
    part: Part,
}

impl Blocks {
    /// Expands the next states; false if there are none. Of those that can be reduced, `part` of the successors is to be inserted.
    /// Prefetches are spread over the block, because the processor keeps only so many under way.
    pub fn expand<S: System>(
        &mut self,
        problem: &Problem<S>,
        scratch: &mut S::Scratch,
        next: impl Iterator<Item = StateId>,
        visited: &impl Visited,
        mut omission: Option<(&mut Omission, Part)>,
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
            let mut inserted = Part::All;
            if let Some((omission, part)) = &mut omission {
                let reduced = omission.choose(words, batch, first, &mut problem.system.observer(scratch));
                let chooser = &omission.chooser;
                let role = |(number, entry): (usize, &Entry)| match batch.steps(entry).next() {
                    _ if reduced && !chooser.keeps(number) => Role::LeftOut,
                    Some(step) if reduced && chooser.is_visible(step) => Role::Visible,
                    _ => Role::Invisible,
                };
                roles.extend(batch.entries[first..].iter().enumerate().map(role));
                inserted = if reduced { *part } else { Part::All };
            }
            for entry in &batch.entries[hashes.len()..] {
                let hash = if entry.outcome == Outcome::State { visited.hash(batch.state(entry)) } else { 0 };
                visited.prefetch(hash);
                hashes.push(hash);
            }
            sources.push(Source { state, end: batch.entries.len(), part: inserted });
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

    /// Inserts the successors of the previous block, with the note of their parent, and makes the current one the previous. Those that
    /// are new are appended to `queue`. All successors count as matched until [`Tally::count_matches`].
    ///
    /// In a reduced search `omission` says what is to be done unless some of the successors that were kept come later in the queue, which `notes`
    /// tell: an invisible one for each state that the claim may move to. So an expanded state is reached by invisible steps, however the
    /// claim moves meanwhile: it may have to wait in one state for what is put off, and another state, or another label, would not do.
    #[inline(always)]
    pub fn insert_previous<S: System, V: Visited>(
        &mut self,
        system: &S,
        visited: &mut V,
        notes: &impl Notes<V>,
        mut omission: Option<&mut Omission>,
        queue: &mut Vec<StateId>,
        tally: &mut Tally,
    ) -> Result<(), Full> {
        let Blocks { previous: Block { batch, sources, hashes, roles }, targets, .. } = self;
        let mut from = 0;
        for &Source { state: parent, end, part } in &*sources {
            let mut insert = |entry: usize, visited: &mut V| {
                let Entry { outcome, .. } = batch.entries[entry];
                if outcome != Outcome::State {
                    return Ok(None);
                }
                let inserted = visited.insert(batch.state(&batch.entries[entry]), hashes[entry], notes.of(parent))?;
                if inserted.new {
                    queue.push(inserted.id);
                    tally.counts.stored += 1;
                }
                tally.counts.matched += 1;
                Ok(Some(inserted))
            };
            let entries = from..end;
            from = end;
            let Some(omission) = omission.as_deref_mut() else {
                entries.into_iter().try_for_each(|entry| insert(entry, visited).map(drop))?;
                continue;
            };
            omission.note_turn(visited, notes, parent, part);
            targets.clear();
            for entry in entries.clone().filter(|&entry| part != Part::LeftOut && roles[entry] != Role::LeftOut) {
                let Some(inserted) = insert(entry, visited)? else { continue };
                let later = roles[entry] == Role::Invisible && omission.leads_on(visited, notes, inserted);
                let target = system.claim_state(batch.state(&batch.entries[entry]));
                match targets.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, comes_later)) => *comes_later |= later,
                    None => targets.push((target, later)),
                }
            }
            let leads_on = !targets.is_empty() && targets.iter().all(|&(_, comes_later)| comes_later);
            let completes = part == Part::Kept && !leads_on && omission.completes(parent);
            if part == Part::LeftOut || completes {
                entries
                    .filter(|&entry| roles[entry] == Role::LeftOut)
                    .try_for_each(|entry| insert(entry, visited).map(drop))?;
            }
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
