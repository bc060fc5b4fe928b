//! The successors of a state: produced, hashed, prefetched and put in order, for all depth-first searches.

use super::Tally;
use super::witness::along;
use crate::store::{StateId, States, Visited};
use crate::system::{Batch, Entry, Outcome, Run, System};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::SplitMix64;

/// One worker's memory for the successors of one state.
pub struct Expansion<S: System> {
    pub scratch: S::Scratch,
    pub batch: Batch,
    /// Of a state whose store does not lend it.
    pub source: Vec<u64>,
    /// Of the entries of the batch; 0 for those that are no states.
    pub hashes: Vec<u64>,
    /// The numbers of the entries in this worker's order, the first one last.
    order: Vec<u32>,
}

impl<S: System> Expansion<S> {
    pub fn new(system: &S) -> Expansion<S> {
        Expansion {
            scratch: system.scratch(),
            batch: Batch::default(),
            source: Vec::new(),
            hashes: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Writes the successors of a state and their hashes. Their table slots are prefetched while further successors are
    /// being found.
    pub fn expand(&mut self, system: &S, state: StateId, run: Run, visited: &impl Visited) {
        let Expansion { scratch, batch, hashes, source, .. } = self;
        batch.clear();
        hashes.clear();
        let mut atomic = false;
        system.successors(visited.recall(state, source), run, scratch, batch, |batch| {
            for entry in &batch.entries[hashes.len()..] {
                hashes.push(look_up(visited, batch, entry));
                atomic |= matches!(entry.outcome, Outcome::Atomic(_));
            }
        });
        if atomic {
            hashes.clear();
        }
        if hashes.len() != batch.entries.len() {
            hashes.clear();
            hashes.extend(batch.entries.iter().map(|entry| look_up(visited, batch, entry)));
        }
    }

    /// Prefetches the records that the successors may match, for a caller that is about to insert them all.
    #[inline(always)]
    pub fn prefetch_records(&self, visited: &impl Visited) {
        self.hashes.iter().for_each(|&hash| visited.prefetch_record(hash));
    }

    /// Counts a state whose successors these are, and what fails among them; `path` leads to it.
    pub fn count(
        &mut self,
        system: &S,
        store: &impl States,
        path: impl Fn() -> Vec<StateId>,
        depth: u64,
        tally: &mut Tally,
    ) {
        let Expansion { scratch, batch, .. } = self;
        tally.enter(depth);
        tally.absorb(batch);
        for entry in &batch.entries {
            if let Outcome::Fault(fault) = entry.outcome {
                let witness = || along(system, store, &path(), batch.steps(entry), scratch);
                tally.fault(&batch.faults[fault as usize], entry.step, witness);
            }
        }
    }

    /// Chooses the order of a worker for the entries that are kept: the first one keeps pan's.
    pub fn arrange(&mut self, worker: usize, keeps: impl Fn(usize) -> bool) {
        let Expansion { batch, hashes, order, .. } = self;
        order.clear();
        order.extend((0..batch.entries.len() as u32).rev().filter(|&entry| keeps(entry as usize)));
        let seed = || hashes.iter().fold(0, |all: u64, hash| all.rotate_left(1) ^ hash);
        shuffle(order, seed, worker);
    }

    /// The successors that are states, with their hashes, the first one last.
    #[inline]
    pub fn states(&self) -> impl Iterator<Item = (&Entry, u64)> {
        self.numbered_states().map(|(_, entry, hash)| (entry, hash))
    }

    /// The same, with their numbers among the entries.
    #[inline]
    pub fn numbered_states(&self) -> impl Iterator<Item = (usize, &Entry, u64)> {
        let numbers = self.order.iter().map(|&number| number as usize);
        let entries = numbers.map(|number| (number, &self.batch.entries[number], self.hashes[number]));
        entries.filter(|(_, entry, _)| entry.outcome == Outcome::State)
    }
}

/// The hash of a successor; what the store has there is on its way to the cache.
#[inline]
fn look_up(visited: &impl Visited, batch: &Batch, entry: &Entry) -> u64 {
    let hash = if entry.outcome == Outcome::State { visited.hash(batch.state(entry)) } else { 0 };
    visited.prefetch(hash);
    hash
}

/// An order of numbers that depends on a state and a worker, and on nothing else; the first worker keeps the order.
pub fn shuffle(numbers: &mut [u32], state: impl FnOnce() -> u64, worker: usize) {
    if worker == 0 {
        return;
    }
    // SplitMix64 is seeded by a single assignment
    numbers.shuffle(&mut SplitMix64::seed_from_u64(state() ^ (worker as u64).rotate_right(8)));
}
