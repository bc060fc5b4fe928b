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

use super::exhaustive::frontier::{Frontier, Queue};
use super::problem::Problem;
use super::witness::path_by;
use super::{Config, Monitor, Reason, Tally};
use crate::store::{Inserted, Own, StateId};
use crate::system::System;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which state is next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// The one with the least sum of steps so far and weighted estimate.
    AStar {
        /// Of the estimate.
        weight: f64,
    },
    /// The one with the least estimate.
    BestFirst,
    /// The same, level by level.
    Beam {
        /// The number of states of a level that are kept.
        width: usize,
    },
}

/// Estimates how far a state is from what is wanted.
pub type Estimate<'e, S> = dyn Fn(&S, &mut [u64], &mut <S as System>::Scratch) -> u32 + Sync + 'e;

/// Searches in this order for violations that show in a state.
pub fn search<S: System, V: Own>(
    problem: &Problem<S>,
    order: Order,
    estimate: &Estimate<S>,
    config: Config,
    monitor: &Monitor,
) -> Tally {
    match Frontier::<S, V>::start(problem, config, monitor, Note::ROOT.0) {
        Ok((frontier, root)) => {
            let queue = BinaryHeap::from([Waiting { f: 0, number: 0, g: 0, id: root }]);
            frontier.run(Directed { order, estimate, queue, next_level: BinaryHeap::new(), inserted: 0, g: 0 })
        }
        Err(tally) => *tally,
    }
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

struct Directed<'d, S: System> {
    order: Order,
    estimate: &'d Estimate<'d, S>,
    queue: BinaryHeap<Waiting>,
    /// Of a beam search.
    next_level: BinaryHeap<Waiting>,
    inserted: u64,
    /// How far the successors of the current state are.
    g: u64,
}

impl<S: System> Directed<'_, S> {
    /// The most promising state; a beam goes on to its next level.
    fn most_promising(&mut self, tally: &mut Tally) -> Option<Waiting> {
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
}

impl<S: System, V: Own> Queue<S, V> for Directed<'_, S> {
    fn next(&mut self, on: &mut Frontier<S, V>) -> Result<Option<StateId>, Reason> {
        while let Some(Waiting { g, id, .. }) = self.most_promising(&mut on.tally) {
            let note = Note(on.store.note(id));
            // reached by a shorter way in the meantime, or expanded already
            if note.g() < g || note.is_expanded() {
                continue;
            }
            if let Some(limit) = on.meter.too_deep(g) {
                on.tally.cut_short(Reason::Depth(limit));
                continue;
            }
            on.store.set_note(id, note.expanded().0);
            on.tally.counts.depth = on.tally.counts.depth.max(g);
            self.g = g + 1;
            return Ok(Some(id));
        }
        Ok(None)
    }

    fn note(&self, parent: StateId) -> u64 {
        Note::new(parent, self.g).0
    }

    fn add(&mut self, on: &mut Frontier<S, V>, number: usize, successor: Inserted, note: u64) {
        let g = self.g;
        if !successor.new {
            let is_shorter = g < Note(on.store.note(successor.id)).g();
            if !matches!(self.order, Order::AStar { .. }) || !is_shorter {
                return;
            }
            on.store.set_note(successor.id, note);
        }
        let h = (self.estimate)(&on.problem.system, on.batch.state_mut(number), &mut on.scratch) as u64;
        let f = match self.order {
            Order::AStar { weight } => g + (weight * h as f64) as u64,
            Order::BestFirst | Order::Beam { .. } => h,
        };
        self.inserted += 1;
        let waiting = Waiting { f, number: self.inserted, g, id: successor.id };
        match self.order {
            Order::Beam { .. } => self.next_level.push(waiting),
            _ => self.queue.push(waiting),
        }
    }

    fn path_to(store: &V, state: StateId) -> Vec<StateId> {
        path_by(state, |state| Note(store.note(state)).parent())
    }

    fn memory(&self) -> u64 {
        ((self.queue.capacity() + self.next_level.capacity()) * size_of::<Waiting>()) as u64
    }
}
