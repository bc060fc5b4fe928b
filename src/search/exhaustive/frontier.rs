//! The one loop of searches that take states from a queue. A search is a [`Queue`] on it.
//!
//! ```text
//! while the queue has a next state s: produce the successors of s, look for violations,
//!                                     insert the successors, show each of them to the queue
//! ```
//! Breadth-first search takes whole blocks of states instead (see [`super::block`]); it begins and ends here, too.

use crate::search::meter::Meter;
use crate::search::problem::{Problem, Reached};
use crate::search::witness::{self, parent_note};
use crate::search::{Config, DEPTH_LIMIT, Monitor, Reason, Tally, Violation, start};
use crate::store::{Full, Inserted, Own, StateId};
use crate::system::{Batch, Outcome, Run, System};
use std::iter;

/// Which state is next, and what is noted with states.
pub trait Queue<S: System, V: Own> {
    /// Takes the next state from the queue.
    fn next(&mut self, on: &mut Frontier<S, V>) -> Result<Option<StateId>, Reason>;

    /// Writes the successors of a state that are to be explored into the batch.
    fn produce(&mut self, on: &mut Frontier<S, V>, state: StateId) {
        on.produce_all(state);
    }

    /// The note of a state that was reached from this one.
    fn note(&self, parent: StateId) -> u64 {
        parent_note(parent)
    }

    /// The successor with this number among the entries of the batch was inserted with this note, or was there.
    fn add(&mut self, on: &mut Frontier<S, V>, number: usize, successor: Inserted, note: u64);

    /// The states from the initial one to this one, by their notes.
    fn path_to(store: &V, state: StateId) -> Vec<StateId> {
        witness::path_to(store, state)
    }

    /// Bytes in use.
    fn memory(&self) -> u64;
}

/// A search with a queue on its way.
pub struct Frontier<'f, S: System, V> {
    pub problem: &'f Problem<'f, S>,
    pub store: V,
    pub scratch: S::Scratch,
    /// The successors of the current state.
    pub batch: Batch,
    /// Of a state whose store does not lend it.
    pub buffer: Vec<u64>,
    pub meter: Meter<'f>,
    pub tally: Tally,
}

impl<'f, S: System, V: Own> Frontier<'f, S, V> {
    /// A search with the initial state, which has this note; or the end of one that cannot start.
    pub fn start(
        problem: &'f Problem<'f, S>,
        config: Config,
        monitor: &'f Monitor,
        note: u64,
    ) -> Result<(Frontier<'f, S, V>, StateId), Box<Tally>> {
        let (store, root, scratch, mut tally) = start::<S, V>(&problem.system, problem.checks, config, note)?;
        tally.counts.stored = 1;
        let (batch, buffer, meter) = (Batch::default(), Vec::new(), Meter::new(monitor));
        Ok((Frontier { problem, store, scratch, batch, buffer, meter, tally }, root))
    }

    /// Searches until the queue has no next state, or enough was found.
    pub fn run<Q: Queue<S, V>>(mut self, mut queue: Q) -> Tally {
        if let Err(reason) = self.explore(&mut queue) {
            self.tally.cut_short(reason);
        }
        self.end(queue.memory())
    }

    fn explore<Q: Queue<S, V>>(&mut self, queue: &mut Q) -> Result<(), Reason> {
        while let Some(state) = queue.next(self)? {
            queue.produce(self, state);
            let Frontier { problem, store, scratch, batch, tally, .. } = self;
            tally.absorb(batch);
            let reached = Reached { state, path_to: Q::path_to };
            problem.judge(store, reached, batch, 0..batch.entries.len(), scratch, tally);
            if tally.stopped() {
                return Ok(());
            }
            self.insert(state, queue)?;
            let words = self.batch.words.len();
            self.poll(words, || queue.memory())?;
        }
        Ok(())
    }

    /// Writes all successors of a state into the batch.
    pub fn produce_all(&mut self, state: StateId) {
        let Frontier { problem, store, scratch, batch, buffer, .. } = self;
        batch.clear();
        problem.system.successors(store.recall(state, buffer), Run::GoesOn, scratch, batch, |_| {});
    }

    fn insert<Q: Queue<S, V>>(&mut self, parent: StateId, queue: &mut Q) -> Result<(), Reason> {
        for number in 0..self.batch.entries.len() {
            let Frontier { store, batch, tally, .. } = self;
            let entry = &batch.entries[number];
            if entry.outcome == Outcome::State {
                let state = batch.state(entry);
                let note = queue.note(parent);
                let inserted = store.insert(state, store.hash(state), note).map_err(|Full| Reason::StoreFull)?;
                let count = if inserted.new { &mut tally.counts.stored } else { &mut tally.counts.matched };
                *count += 1;
                queue.add(self, number, inserted, note);
            }
        }
        Ok(())
    }

    /// Looks at the limits if it is time for that, which it tells; `queue` are the bytes of the queue.
    pub fn poll(&mut self, words: usize, queue: impl FnOnce() -> u64) -> Result<bool, Reason> {
        let Frontier { store, meter, tally, .. } = self;
        meter.poll(words, store.len(), tally.counts.depth, || store.memory() + queue())
    }

    /// What was counted.
    pub fn end(mut self, queue: u64) -> Tally {
        self.tally.counts.memory = self.store.memory() + queue;
        self.tally.note_ranges(&self.problem.system, &self.store);
        self.tally.learn::<S>(self.scratch);
        self.tally
    }
}

/// A queue by levels: all states that are as far from the initial one.
pub struct Levels {
    level: Vec<StateId>,
    /// How many of them have been taken.
    taken: usize,
    next: Vec<StateId>,
}

impl Levels {
    pub fn new(root: StateId) -> Levels {
        Levels { level: vec![root], taken: 0, next: Vec::new() }
    }

    /// These states are the level, which was empty.
    pub fn set(&mut self, states: Vec<StateId>) {
        self.level = states;
    }

    /// Takes up to `most` states of the level.
    pub fn take(&mut self, most: usize) -> &[StateId] {
        let from = self.taken;
        self.taken = self.level.len().min(from + most);
        &self.level[from..self.taken]
    }

    /// The level has no states.
    pub fn is_empty(&self) -> bool {
        self.level.is_empty()
    }

    /// States at the depth limit are not expanded; that they are there may be an error. Notes are parents.
    pub fn check_depth<S: System, V: Own>(&self, on: &mut Frontier<S, V>) -> Result<(), Reason> {
        let Frontier { problem, store, scratch, meter, tally, .. } = on;
        let Some(&first) = self.level.first() else { return Ok(()) };
        let Some(limit) = meter.too_deep(tally.counts.depth) else { return Ok(()) };
        if tally.depth_is_error() {
            let path = witness::path_to(store, first);
            let witness = || witness::along(&problem.system, store, &path, iter::empty(), scratch);
            tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
        }
        Err(Reason::Depth(limit))
    }

    /// Goes on to the next level when all states of this one have been taken.
    pub fn advance(&mut self) {
        std::mem::swap(&mut self.level, &mut self.next);
        self.next.clear();
        self.taken = 0;
    }

    /// The next level, to which states may be added.
    pub fn next(&mut self) -> &mut Vec<StateId> {
        &mut self.next
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        ((self.level.capacity() + self.next.capacity()) * size_of::<StateId>()) as u64
    }
}
