//! Directed search: the most promising state first.
//!
//! ```text
//! astar       f = g + weight · h     g: steps so far, h: the guide's estimate
//! best-first  f = h
//! beam        as best-first, level by level, with room for `width` states in each level
//! ```
//!
//! A*, Hart, Nilsson, Raphael 1968; in model checking: Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with
//! HSF-SPIN, SPIN 2001. With a weight of 1 and an admissible heuristic the first violation that A* meets is one with a
//! shortest trail; a state that is reached again by a shorter way is looked at again. Equally promising states come in
//! the order in which they were found, so that A* without an estimate is breadth-first search. A*, and best-first search,
//! see everything in the end.

use super::meter::Meter;
use super::problem::{Problem, Reached};
use super::witness::path_by;
use super::{Config, Monitor, Reason, Tally, start};
use crate::store::{Full, Own, StateId, Visited};
use crate::system::{Batch, Outcome, Run, System};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which state is next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    AStar { weight: f64 },
    BestFirst,
    Beam { width: usize },
}

/// Estimates how far a state is from what is wanted.
pub type Estimate<'e, S> = dyn Fn(&S, &mut [u64], &mut <S as System>::Scratch) -> u32 + Sync + 'e;

pub fn search<S: System, V: Own>(
    problem: &Problem<S>,
    order: Order,
    estimate: &Estimate<S>,
    config: Config,
    monitor: &Monitor,
) -> Tally {
    let (store, root, scratch, mut tally) = match start::<S, V>(&problem.system, problem.checks, config, Note::ROOT.0) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let mut search = Directed {
        problem,
        order,
        estimate,
        store,
        scratch,
        batch: Batch::default(),
        buffer: Vec::new(),
        queue: BinaryHeap::new(),
        next_level: BinaryHeap::new(),
        inserted: 0,
    };
    search.queue.push(Waiting { f: 0, number: 0, g: 0, id: root });
    let ended = search.run(&mut tally, monitor);
    if let Err(reason) = ended {
        tally.cut_short(reason);
    }
    tally.counts.stored = search.store.len();
    tally.counts.memory = search.memory();
    tally.note_ranges(&problem.system, &search.store);
    tally.learn::<S>(search.scratch);
    tally
}

/// What is noted with a state: where it was come from (32 bits), by how many steps (31), and whether it has been expanded.
#[derive(Clone, Copy)]
struct Note(u64);

impl Note {
    const ROOT: Note = Note((u32::MAX as u64) << 32);
    const MOST_STEPS: u64 = (1 << 31) - 1;

    fn new(parent: StateId, g: u64) -> Note {
        Note((parent.pack() as u64) << 32 | g.min(Note::MOST_STEPS) << 1)
    }

    fn parent(self) -> Option<StateId> {
        Some((self.0 >> 32) as u32).filter(|&parent| parent != u32::MAX).map(StateId::unpack)
    }

    fn g(self) -> u64 {
        self.0 >> 1 & Note::MOST_STEPS
    }

    fn is_expanded(self) -> bool {
        self.0 & 1 == 1
    }

    fn expanded(self) -> Note {
        Note(self.0 | 1)
    }
}

/// A state that waits: the one with the least f is next, then the one that was found first.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Waiting {
    f: u64,
    number: u64,
    g: u64,
    id: StateId,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        (Reverse(self.f), Reverse(self.number)).cmp(&(Reverse(other.f), Reverse(other.number)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

struct Directed<'d, S: System, V> {
    problem: &'d Problem<'d, S>,
    order: Order,
    estimate: &'d Estimate<'d, S>,
    store: V,
    scratch: S::Scratch,
    batch: Batch,
    /// Of a state whose store does not lend it.
    buffer: Vec<u64>,
    queue: BinaryHeap<Waiting>,
    /// Of a beam search.
    next_level: BinaryHeap<Waiting>,
    inserted: u64,
}

impl<S: System, V: Own> Directed<'_, S, V> {
    fn run(&mut self, tally: &mut Tally, monitor: &Monitor) -> Result<(), Reason> {
        let mut meter = Meter::new(monitor);
        while let Some(Waiting { g, id, .. }) = self.next(tally) {
            let note = Note(self.store.note(id));
            // reached by a shorter way in the meantime, or expanded already
            if note.g() < g || note.is_expanded() {
                continue;
            }
            if let Some(limit) = meter.too_deep(g) {
                tally.cut_short(Reason::Depth(limit));
                continue;
            }
            self.store.set_note(id, note.expanded().0);
            tally.counts.depth = tally.counts.depth.max(g);
            self.batch.clear();
            self.problem.system.successors(
                self.store.recall(id, &mut self.buffer),
                Run::GoesOn,
                &mut self.scratch,
                &mut self.batch,
                |_| {},
            );
            tally.absorb(&self.batch);
            self.judge(id, tally);
            if tally.stopped() {
                return Ok(());
            }
            self.insert(id, g + 1, tally)?;
            meter.poll(self.batch.words.len(), self.store.len(), tally.counts.depth, || self.memory())?;
        }
        Ok(())
    }

    /// The next state; a beam goes on to its next level.
    fn next(&mut self, tally: &mut Tally) -> Option<Waiting> {
        if let Order::Beam { width } = self.order
            && self.queue.is_empty()
        {
            let mut level = std::mem::take(&mut self.next_level).into_sorted_vec();
            level.reverse();
            if level.len() > width {
                tally.cut_short(Reason::Beam(width));
                level.truncate(width);
            }
            self.queue = level.into();
        }
        self.queue.pop()
    }

    fn judge(&mut self, id: StateId, tally: &mut Tally) {
        let Directed { problem, store, scratch, batch, .. } = self;
        let reached = Reached { state: id, path_to };
        problem.judge(store, reached, batch, 0..batch.entries.len(), scratch, tally);
    }

    fn insert(&mut self, parent: StateId, g: u64, tally: &mut Tally) -> Result<(), Reason> {
        for number in 0..self.batch.entries.len() {
            if self.batch.entries[number].outcome != Outcome::State {
                continue;
            }
            let state = self.batch.state(&self.batch.entries[number]);
            let hash = self.store.hash(state);
            let note = Note::new(parent, g);
            let inserted = self.store.insert(state, hash, note.0).map_err(|Full| Reason::StoreFull)?;
            if !inserted.new {
                tally.counts.matched += 1;
                let known = Note(self.store.note(inserted.id));
                let shorter = matches!(self.order, Order::AStar { .. }) && g < known.g();
                if !shorter {
                    continue;
                }
                self.store.set_note(inserted.id, note.0);
            }
            let h = (self.estimate)(&self.problem.system, self.batch.state_mut(number), &mut self.scratch) as u64;
            let f = match self.order {
                Order::AStar { weight } => g + (weight * h as f64) as u64,
                Order::BestFirst | Order::Beam { .. } => h,
            };
            self.inserted += 1;
            let waiting = Waiting { f, number: self.inserted, g, id: inserted.id };
            match self.order {
                Order::Beam { .. } => self.next_level.push(waiting),
                _ => self.queue.push(waiting),
            }
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        let waiting = self.queue.capacity() + self.next_level.capacity();
        self.store.memory() + (waiting * size_of::<Waiting>()) as u64
    }
}

/// The states from the initial one to `id`.
fn path_to(store: &impl Visited, id: StateId) -> Vec<StateId> {
    path_by(id, |state| Note(store.note(state)).parent())
}
