//! The successors of a state, in an order that depends on the thread.

use super::crew::shuffle;
use crate::search::Tally;
use crate::search::witness::along;
use crate::store::{Shared, StateId, States, Writer};
use crate::system::{Batch, Entry, Outcome, System};

/// A thread's memory for the successors of one state.
pub struct Expansion<S: System> {
    pub scratch: S::Scratch,
    pub batch: Batch,
    pub hashes: Vec<u64>,
    /// The numbers of the entries in this thread's order, the first one last.
    order: Vec<u32>,
}

impl<S: System> Expansion<S> {
    pub fn new(system: &S) -> Expansion<S> {
        Expansion { scratch: system.scratch(), batch: Batch::default(), hashes: Vec::new(), order: Vec::new() }
    }

    /// Writes the successors of a state and their hashes; their table slots are prefetched while further successors are
    /// being found.
    pub fn expand(&mut self, system: &S, state: StateId, ended: bool, writer: &Writer) {
        let Expansion { scratch, batch, hashes, .. } = self;
        batch.clear();
        hashes.clear();
        let state = writer.store().state(state);
        if ended {
            system.successors_once_ended(state, scratch, batch);
        } else {
            let mut atomic = false;
            system.successors(state, scratch, batch, |batch| {
                for entry in &batch.entries[hashes.len()..] {
                    hashes.push(look_up(writer, batch, entry));
                    atomic |= matches!(entry.outcome, Outcome::Atomic(_));
                }
            });
            if atomic {
                hashes.clear();
            }
        }
        if hashes.len() != batch.entries.len() {
            hashes.clear();
            hashes.extend(batch.entries.iter().map(|entry| look_up(writer, batch, entry)));
        }
        hashes.iter().for_each(|&hash| writer.prefetch_record(hash));
    }

    /// Counts a state whose successors these are, and what fails among them; `path` leads to it. All successors count as matched until
    /// [`Tally::count_matches`].
    pub fn count(
        &mut self,
        system: &S,
        store: &Shared,
        path: impl Fn() -> Vec<StateId>,
        depth: u64,
        tally: &mut Tally,
    ) {
        let Expansion { scratch, batch, .. } = self;
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(depth);
        tally.absorb(batch);
        for entry in &batch.entries {
            match entry.outcome {
                Outcome::State => tally.counts.matched += 1,
                Outcome::Fault(fault) => {
                    let witness = || along(system, store, &path(), batch.steps(entry), scratch);
                    tally.fault(&batch.faults[fault as usize], entry.step, witness);
                }
                Outcome::Endless | Outcome::Atomic(_) => {}
            }
        }
    }

    /// Chooses the order of this thread.
    pub fn arrange(&mut self, thread: usize) {
        let Expansion { batch, hashes, order, .. } = self;
        order.clear();
        order.extend((0..batch.entries.len() as u32).rev());
        let seed = || hashes.iter().fold(0, |all: u64, hash| all.rotate_left(1) ^ hash);
        shuffle(order, seed, thread);
    }

    /// The successors that are states, with their hashes, the first one last.
    #[inline]
    pub fn states(&self) -> impl Iterator<Item = (&Entry, u64)> {
        let entries =
            self.order.iter().map(|&number| (&self.batch.entries[number as usize], self.hashes[number as usize]));
        entries.filter(|(entry, _)| entry.outcome == Outcome::State)
    }
}

/// The hash of a successor; what the store has there is on its way to the cache.
#[inline]
fn look_up(writer: &Writer, batch: &Batch, entry: &Entry) -> u64 {
    let hash = if entry.outcome == Outcome::State { writer.hash(batch.state(entry)) } else { 0 };
    writer.prefetch(hash);
    hash
}
