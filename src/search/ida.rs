//! Iterative-deepening A* (`ida-star`): A* without a memory of visited states.
//!
//! Korf 1985. A depth-first search that goes no further where steps so far and estimate together exceed a bound; if nothing
//! is found, the bound grows to the least sum that exceeded it. Only the path is remembered, so that states may be looked
//! at many times over; none is entered that is on the path already.

use super::directed::Estimate;
use super::meter::Meter;
use super::path::{Path, same};
use super::problem::Problem;
use super::{Config, Monitor, Reason, Tally};
use crate::store::hash;
use crate::system::{Batch, Outcome, Run, System};
use rustc_hash::FxHashMap;

pub fn search<S: System>(problem: &Problem<S>, estimate: &Estimate<S>, config: Config, monitor: &Monitor) -> Tally {
    let mut tally = Tally::new(config, problem.checks);
    let mut scratch = problem.system.scratch();
    let mut initial = match problem.system.initial(&mut scratch) {
        Ok(initial) => initial,
        Err(fault) => {
            tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
            return tally;
        }
    };
    let mut bound = estimate(&problem.system, &mut initial, &mut scratch) as u64;
    let mut search = Deepening {
        problem,
        estimate,
        scratch,
        batch: Batch::default(),
        words: Vec::new(),
        todo: Vec::new(),
        path: Vec::new(),
        on_path: FxHashMap::default(),
        meter: Meter::new(monitor),
        looks: 0,
    };
    loop {
        match search.within(bound, &initial, &mut tally) {
            Err(reason) => tally.cut_short(reason),
            Ok(Some(next)) if !tally.stopped() => {
                bound = next;
                continue;
            }
            Ok(_) => {}
        }
        break;
    }
    tally.counts.stored = search.looks;
    tally.counts.memory = search.memory();
    tally.learn::<S>(search.scratch);
    tally
}

/// A state that waits, with its place among the words.
#[derive(Clone, Copy)]
struct Waiting {
    start: usize,
    len: usize,
    depth: usize,
}

struct Deepening<'d, S: System> {
    problem: &'d Problem<'d, S>,
    estimate: &'d Estimate<'d, S>,
    scratch: S::Scratch,
    batch: Batch,
    /// The states that wait or are on the path, one after the other.
    words: Vec<u64>,
    todo: Vec<Waiting>,
    path: Vec<Waiting>,
    /// By hash, where on the path a state with it is; of several the last one.
    on_path: FxHashMap<u64, usize>,
    meter: Meter<'d>,
    looks: u64,
}

impl<S: System> Deepening<'_, S> {
    /// Looks at all paths within the bound; the least sum beyond it, if there is any.
    fn within(&mut self, bound: u64, initial: &[u64], tally: &mut Tally) -> Result<Option<u64>, Reason> {
        let mut beyond: Option<u64> = None;
        self.path.clear();
        self.on_path.clear();
        self.words.clear();
        self.words.extend_from_slice(initial);
        self.todo.push(Waiting { start: 0, len: initial.len(), depth: 0 });
        let hidden = self.problem.system.hidden_words();
        while let Some(Waiting { start, len, depth }) = self.todo.pop() {
            self.leave(depth, hidden);
            self.words.truncate(start + len);
            self.on_path.insert(hash(&self.words[start..], hidden), self.path.len());
            self.path.push(Waiting { start, len, depth });
            tally.counts.depth = tally.counts.depth.max(depth as u64);
            self.batch.clear();
            self.looks += 1;
            let state = &self.words[start..];
            self.problem.system.successors(state, Run::GoesOn, &mut self.scratch, &mut self.batch, |_| {});
            tally.absorb(&self.batch);
            self.poll(tally)?;
            if let Some(wrong) = self.problem.wrong(&self.words[start..], &self.batch, &mut self.scratch) {
                let states = self.path.iter().map(|at| self.words[at.start..at.start + at.len].to_vec());
                let states: Vec<Vec<u64>> = states.collect();
                let path = Path { runs: vec![Run::GoesOn; states.len()], states, cycle: None, wrong };
                let finding = path.finding(self.problem).ok_or(Reason::StoreFull)?;
                tally.violation(finding.violation, finding.message, || Some(finding.witness));
                if tally.stopped() {
                    return Ok(None);
                }
            }
            if let Some(limit) = self.meter.too_deep(depth as u64) {
                tally.cut_short(Reason::Depth(limit));
                continue;
            }
            // the first successor on top
            for number in (0..self.batch.entries.len()).rev() {
                let entry = self.batch.entries[number];
                if entry.outcome != Outcome::State || self.is_on_path(self.batch.state(&entry), hidden) {
                    continue;
                }
                let h = (self.estimate)(&self.problem.system, self.batch.state_mut(number), &mut self.scratch) as u64;
                let f = depth as u64 + 1 + h;
                if f > bound {
                    beyond = Some(beyond.map_or(f, |least| least.min(f)));
                    continue;
                }
                let state = self.batch.state(&entry);
                self.todo.push(Waiting { start: self.words.len(), len: state.len(), depth: depth + 1 });
                self.words.extend_from_slice(state);
            }
        }
        Ok(beyond)
    }

    /// A state is on the path. Where another state on it has the same hash this may be overlooked, which costs time only: how far the
    /// search goes is bounded.
    fn is_on_path(&self, state: &[u64], hidden: usize) -> bool {
        let known = self.on_path.get(&hash(state, hidden)).map(|&at| self.path[at]);
        known.is_some_and(|Waiting { start, len, .. }| same(&self.words[start..start + len], state, hidden))
    }

    /// Leaves the states of the path from a depth on.
    fn leave(&mut self, depth: usize, hidden: usize) {
        while self.path.len() > depth {
            if let Some(Waiting { start, len, .. }) = self.path.pop() {
                self.on_path.remove(&hash(&self.words[start..start + len], hidden));
            }
        }
    }

    fn poll(&mut self, tally: &Tally) -> Result<(), Reason> {
        let memory = self.memory();
        self.meter.poll(self.batch.words.len(), self.looks, tally.counts.depth, || memory).map(drop)
    }

    fn memory(&self) -> u64 {
        let waiting = (self.todo.capacity() + self.path.capacity()) * size_of::<Waiting>();
        (self.words.capacity() * 8 + waiting + self.on_path.capacity() * 17) as u64
    }
}
