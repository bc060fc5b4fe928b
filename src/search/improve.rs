//! Shorter trails: what a search that does not care for length has found, made shorter.
//!
//! First, loops are cut. Then a directed search looks for a shorter way to the very state at the end (trail improvement as in
//! HSF-SPIN: Edelkamp, Lluch Lafuente, Leue 2001), where the estimate is the sum of what each process needs on its own. Of a
//! lasso, for a shorter way to a state of the path through which an accepting cycle may lead, or to another such state that
//! the claim's conditions guide to, and for a short way from there back to it.

use super::Monitor;
use super::guide::{Guide, Heuristic};
use super::path::{Path, same};
use super::reach::Reach;
use crate::program::Program;
use crate::property::Claim;
use crate::store::{StateId, Store};
use crate::system::{Batch, Entry, Outcome, System};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// States that one directed search may store.
const BUDGET: u64 = 100_000;

/// States of a path through which a better lasso is looked for: so many of the first ones, and so many of its cycle.
const PIVOTS: usize = 8;

/// A path that is no longer, with a violation of the same kind. `claim` guides to accepting states.
pub fn improved<R: Reach>(
    problem: &R,
    program: &Program,
    claim: Option<&Claim>,
    path: Path,
    monitor: &Monitor,
) -> Path {
    let path = without_loops(problem, path);
    // where endings are forgotten, states do not tell what follows
    if path.ended.iter().any(|&ended| ended) {
        return path;
    }
    let back = Guide::new(program, None, Heuristic::Fsm, None);
    let there = Guide::new(program, claim, Heuristic::Formula, None);
    let improver = Improver { problem, back: &back, there: &there, monitor };
    match path.cycle {
        None => improver.prefix(path),
        Some(start) => improver.lasso(path, start),
    }
}

/// Cuts what lies between two visits of the same state, in the prefix.
fn without_loops<R: Reach>(problem: &R, mut path: Path) -> Path {
    let hidden = problem.system().hidden_words();
    let end = path.cycle.unwrap_or(path.states.len() - 1);
    let mut at = 0;
    let mut keep: Vec<usize> = Vec::new();
    while at <= end {
        let again =
            |&later: &usize| path.ended[later] == path.ended[at] && same(&path.states[later], &path.states[at], hidden);
        at = (at..=end).rev().find(again).unwrap_or(at);
        keep.push(at);
        at += 1;
    }
    let start = keep.len() - 1;
    keep.extend(end + 1..path.states.len());
    path.states = keep.iter().map(|&number| std::mem::take(&mut path.states[number])).collect();
    path.ended = keep.iter().map(|&number| path.ended[number]).collect();
    path.cycle = path.cycle.map(|_| start);
    path
}

struct Improver<'i, R: Reach> {
    problem: &'i R,
    /// To a known state.
    back: &'i Guide,
    /// To accepting states.
    there: &'i Guide,
    monitor: &'i Monitor,
}

impl<R: Reach> Improver<'_, R> {
    fn prefix(&self, path: Path) -> Path {
        let length = path.length();
        let (Some(first), Some(last)) = (path.states.first(), path.states.last()) else { return path };
        match self.way(first, last, length) {
            Some(states) => Path { ended: vec![false; states.len()], states, ..path },
            None => path,
        }
    }

    /// The best lasso through some state of the path, or through an accepting state that is near.
    fn lasso(&self, path: Path, start: usize) -> Path {
        let mut best = path;
        let along: Vec<Vec<u64>> = best.states[..best.states.len() - 1].to_vec();
        let near = Way::new(self, &along[0], Target::Pivots, along.len()).map(|mut way| way.pivots());
        for to in near.unwrap_or_default() {
            self.close(to, None, &mut best);
        }
        let mut scratch = self.problem.system().scratch();
        let pivots: Vec<usize> =
            (0..along.len()).filter(|&at| is_pivot(self.problem, &along[at], &mut scratch)).collect();
        let cycle = &along[start..];
        let of_cycle = pivots.iter().skip(PIVOTS).filter(|&&pivot| pivot >= start).take(PIVOTS);
        for &pivot in pivots.iter().take(PIVOTS).chain(of_cycle) {
            let state = &along[pivot];
            let to = self.way(&along[0], state, pivot).unwrap_or_else(|| along[..=pivot].to_vec());
            // the way round the cycle that is known, if it is one
            let round = pivot.checked_sub(start).map(|turn| {
                let (before, after) = cycle.split_at(turn);
                [after, before, std::slice::from_ref(state)].concat()
            });
            self.close(to, round, &mut best);
        }
        best
    }

    /// Closes a cycle at the end of a way, by the way round that is known or a shorter one, if that is better.
    fn close(&self, to: Vec<Vec<u64>>, round: Option<Vec<Vec<u64>>>, best: &mut Path) {
        let Some(room) = best.states.len().checked_sub(to.len()).filter(|&room| room > 1) else { return };
        let Some(state) = to.last() else { return };
        let back = self.way_back(state, room.min(round.as_ref().map_or(room, Vec::len)));
        let Some(back) = back.or(round) else { return };
        let start = to.len() - 1;
        let states: Vec<Vec<u64>> = to.into_iter().chain(back.into_iter().skip(1)).collect();
        if states.len() < best.states.len() {
            let wrong = best.wrong.clone();
            *best = Path { ended: vec![false; states.len()], states, cycle: Some(start), wrong };
        }
    }

    /// A way from one state to another in fewer than `length` moves.
    fn way(&self, from: &[u64], to: &[u64], length: usize) -> Option<Vec<Vec<u64>>> {
        Way::new(self, from, Target::State(to), length)?.run(false)
    }

    /// A way from a state to itself in fewer than `length` moves.
    fn way_back(&self, state: &[u64], length: usize) -> Option<Vec<Vec<u64>>> {
        Way::new(self, state, Target::State(state), length)?.run(true)
    }
}

/// A cycle through an accepting state is accepting; where all cycles are, any state will do.
fn is_pivot<R: Reach>(problem: &R, state: &[u64], scratch: &mut <R::System as System>::Scratch) -> bool {
    problem.may_accept(state) && problem.is_accepting(state, scratch) || problem.closes(state, state)
}

/// Where a directed search is to go.
#[derive(Clone, Copy)]
enum Target<'t> {
    State(&'t [u64]),
    /// To states through which an accepting cycle may lead.
    Pivots,
}

/// A directed search from one state to another.
struct Way<'w, 'i, R: Reach> {
    improver: &'w Improver<'i, R>,
    target: Target<'w>,
    length: usize,
    store: Store,
    scratch: <R::System as System>::Scratch,
    batch: Batch,
    /// The least sum of moves and estimate first; then the one that has come furthest.
    queue: BinaryHeap<(Reverse<usize>, usize, Reverse<u64>, u64)>,
    number: u64,
}

impl<'w, 'i, R: Reach> Way<'w, 'i, R> {
    /// For ways of fewer than `length` moves.
    fn new(improver: &'w Improver<'i, R>, from: &[u64], target: Target<'w>, length: usize) -> Option<Self> {
        let system = improver.problem.system();
        let mut store = Store::new(system.hidden_words())?;
        let root = store.insert(from, store.hash(from), note(None, 0))?.id;
        let queue = BinaryHeap::from([(Reverse(0), 0, Reverse(0), root.0)]);
        let (scratch, batch) = (system.scratch(), Batch::default());
        Some(Way { improver, target, length, store, scratch, batch, queue, number: 0 })
    }

    /// The states of a way; with `round`, of one that has at least one move.
    fn run(&mut self, round: bool) -> Option<Vec<Vec<u64>>> {
        let Target::State(target) = self.target else { return None };
        let hidden = self.improver.problem.system().hidden_words();
        while let Some(id) = self.next() {
            if (!round || self.number > 0) && same(self.store.state(id), target, hidden) {
                return Some(self.states_to(id));
            }
            if self.expand(id)? && round {
                // the target is where it started, and known: it is seen among the successors only
                let problem = self.improver.problem;
                let again = |entry: &Entry| {
                    entry.outcome == Outcome::State
                        && !problem.ends(false, entry)
                        && same(self.batch.state(entry), target, hidden)
                };
                if self.batch.entries.iter().any(again) {
                    let mut states = self.states_to(id);
                    states.push(target.to_vec());
                    return Some(states);
                }
            }
        }
        None
    }

    /// Ways to the first states through which a cycle may lead.
    fn pivots(&mut self) -> Vec<Vec<Vec<u64>>> {
        let mut found = Vec::new();
        while let Some(id) = self.next() {
            if is_pivot(self.improver.problem, self.store.state(id), &mut self.scratch) {
                found.push(self.states_to(id));
                if found.len() >= PIVOTS {
                    break;
                }
            }
            if self.expand(id).is_none() {
                break;
            }
        }
        found
    }

    fn next(&mut self) -> Option<StateId> {
        self.queue.pop().map(|(.., id)| StateId(id))
    }

    /// Looks at the successors of a state, unless it is too far away; false then. `None` if the search is over.
    fn expand(&mut self, id: StateId) -> Option<bool> {
        let Improver { problem, back, there, monitor } = *self.improver;
        let (_, moves) = of_note(self.store.note(id));
        self.batch.clear();
        if moves + 1 >= self.length || self.store.len() >= BUDGET {
            return Some(false);
        }
        if self.store.len().is_multiple_of(64) && monitor.check(self.store.len(), 0, self.store.memory()).is_some() {
            return None;
        }
        problem.successors(self.store.state(id), &mut self.scratch, &mut self.batch);
        for number in 0..self.batch.entries.len() {
            let entry = self.batch.entries[number];
            // a state that does not tell that the run has ended would be taken for another one
            if entry.outcome != Outcome::State || problem.ends(false, &entry) {
                continue;
            }
            let state = self.batch.state(&entry);
            let inserted = self.store.insert(state, self.store.hash(state), note(Some(id), moves + 1))?;
            if !inserted.new {
                continue;
            }
            self.number += 1;
            let estimate = match self.target {
                Target::State(target) => problem.between(back, state, target),
                Target::Pivots => problem.estimate(there, self.batch.state_mut(number), &mut self.scratch),
            };
            let f = moves + 1 + estimate as usize;
            self.queue.push((Reverse(f), moves + 1, Reverse(self.number), inserted.id.0));
        }
        Some(true)
    }

    fn states_to(&self, id: StateId) -> Vec<Vec<u64>> {
        let mut states = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            states.push(self.store.state(id).to_vec());
            next = of_note(self.store.note(id)).0;
        }
        states.reverse();
        states
    }
}

/// Where a state was come from, and by how many moves.
fn note(parent: Option<StateId>, moves: usize) -> u64 {
    parent.map_or(0, |parent| parent.0 + 1) << 24 | moves as u64 & 0xff_ffff
}

fn of_note(note: u64) -> (Option<StateId>, usize) {
    ((note >> 24).checked_sub(1).map(StateId), (note & 0xff_ffff) as usize)
}
