//! Search for accepting cycles by strongly connected components.
//!
//! Couvreur, On-the-fly verification of linear temporal logic, FM 1999, in the form of Gabow, Path-based depth-first search
//! for strong and biconnected components, IPL 2000. Edges carry sets of marks; a component is accepting if its edges
//! together carry all of them. One mark is the claim's acceptance. With weak fairness there is one for each process, on
//! edges on which it moves or before which it cannot: no level has to be kept in a state, and a cycle is accepting and fair if
//! and only if its component has all marks.
//!
//! ```text
//! visit(s): number s; push (s, ∅) on roots
//!   for each edge s –m→ t:
//!     t is new: remember m; visit(t)
//!     t is open: m ← m ∪ marks of, and between, all roots above t, which are popped; add m to the root of t;
//!                if that root has all marks: report
//!   if s is a root: its component is complete: close its states, pop the root
//! ```
//!
//! The search ends as soon as the edges seen so far contain an accepting cycle. That cycle is then put together, mark by mark,
//! by breadth-first searches inside the component.

use super::nested::run_at;
use super::stack::{Descent, Encounter, Policy, Visit, states_of};
use crate::property::Fairness;
use crate::property::fairness::Pids;
use crate::search::expand::Expansion;
use crate::search::problem::Problem;
use crate::search::witness::along;
use crate::search::{Config, Monitor, Reason, Tally, Witness};
use crate::store::{Own, StateId};
use crate::system::state::{bytes, process_count};
use crate::system::{Entry, Grace, Outcome, Run, Step, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::iter;
use std::marker::PhantomData;

/// Notes of states: not seen, then numbered from 1 on while open, then this.
const CLOSED: u64 = u64::MAX;

/// The mark of the claim; those of processes come after it.
const ACCEPTED: u64 = 1;
/// Processes that have a mark of their own.
const PROCESSES: u32 = 63;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let mut descent = match Descent::start(problem, config, monitor) {
        Ok(descent) => descent,
        Err(tally) => return *tally,
    };
    let mut components = Components {
        problem,
        visited: PhantomData::<V>,
        fair: problem.fairness == Fairness::Weak,
        marks: Vec::new(),
        able: Pids::default(),
        movers: Pids::default(),
        open: Vec::new(),
        roots: Vec::new(),
        ended: FxHashSet::default(),
    };
    if let Err(reason) = descent.explore(&mut components) {
        descent.tally.cut_short(reason);
    }
    let (mut tally, scratch) = descent.end(components.memory());
    tally.learn::<S>(scratch);
    tally
}

/// A component as far as it is known.
struct Root {
    /// The number of its first state.
    number: u64,
    /// On the edges inside it.
    inside: u64,
    /// On the edge that led to it.
    before: u64,
}

struct Components<'s, S, V> {
    problem: &'s Problem<'s, S>,
    visited: PhantomData<V>,
    fair: bool,
    /// Of the edges to the current successors.
    marks: Vec<u64>,
    able: Pids,
    movers: Pids,
    /// The states that are not closed; the one with number n is at n - 1.
    open: Vec<StateId>,
    roots: Vec<Root>,
    /// States in which the run has ended, where the state does not tell.
    ended: FxHashSet<StateId>,
}

impl<S: System, V: Own> Policy for Components<'_, S, V> {
    type System = S;
    type Visited = V;
    /// Its marks.
    type Edge = u64;
    type Halt = Reason;

    #[inline(always)]
    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<Encounter, Reason> {
        let number = on.visited.note(visit.state);
        if number == 0 {
            return Ok(Encounter::New);
        }
        on.tally.counts.matched += 1;
        if number != CLOSED && self.merge(number, visit.edge) == self.all() {
            self.report(on);
        }
        Ok(Encounter::Known)
    }

    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<(), Reason> {
        let Descent { system, visited, path, depth, tally, .. } = on;
        self.open.push(visit.state);
        let number = self.open.len() as u64;
        visited.set_note(visit.state, number);
        tally.enter(*depth);
        if run_at(*system, visit, path.len() - 1) == Run::Ended {
            self.ended.insert(visit.state);
        }
        self.roots.push(Root { number, inside: 0, before: visit.edge });
        Ok(())
    }

    #[inline(always)]
    fn run(&self, _: &Descent<Self>, state: StateId) -> Run {
        self.run_in(state)
    }

    #[inline(always)]
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        on.tally.absorb(&on.successors.batch);
        on.judge_end(state);
        let is_end = on.successors.batch.entries.is_empty();
        if self.fair && !is_end && process_count(bytes(on.words(state))) > PROCESSES as usize {
            return Err(Reason::Processes(PROCESSES));
        }
        Ok(())
    }

    #[inline(always)]
    fn prepare(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        self.mark(&on.visited, state, &mut on.successors);
        Ok(())
    }

    #[inline(always)]
    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        on.push_all(|entry| self.marks[entry])
    }

    #[inline(always)]
    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        on.poll_limits(|| self.memory()).map(drop)
    }

    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        let Some(last) = on.path.last() else { return Ok(()) };
        let number = on.visited.note(last.state);
        if self.roots.last().is_some_and(|root| root.number == number) {
            self.roots.pop();
            self.open.drain(number as usize - 1..).for_each(|state| on.visited.set_note(state, CLOSED));
        }
        Ok(())
    }
}

impl<S: System, V: Own> Components<'_, S, V> {
    fn all(&self) -> u64 {
        if self.fair { u64::MAX } else { ACCEPTED }
    }

    /// Bytes of the stacks.
    fn memory(&self) -> u64 {
        (self.open.capacity() * size_of::<StateId>() + self.roots.capacity() * size_of::<Root>()) as u64
    }

    /// An edge with these marks leads back to the open state with this number; the marks of its component now.
    fn merge(&mut self, number: u64, marks: u64) -> u64 {
        let mut marks = marks;
        while self.roots.last().is_some_and(|root| root.number > number) {
            let root = self.roots.pop().expect("there is one");
            marks |= root.inside | root.before;
        }
        let root = self.roots.last_mut().expect("the root of an open state is open");
        root.inside |= marks;
        root.inside
    }

    /// Puts the cycle together that the last root has been found to contain.
    fn report(&mut self, on: &mut Descent<Self>) {
        let Some(number) = self.roots.last().map(|root| root.number) else { return };
        let start = self.open[number as usize - 1];
        let Descent { visited, successors, path, tally, .. } = on;
        let cycle = self.problem.cycle();
        let witness = || {
            let path = states_of(path);
            let position = path.iter().position(|&state| state == start).unwrap_or(0);
            Cycle { components: self, store: visited, successors }.lasso(&path[..=position], number)
        };
        tally.violation(cycle.violation, cycle.message, witness);
    }

    fn run_in(&self, state: StateId) -> Run {
        if self.ended.contains(&state) { Run::Ended } else { Run::GoesOn }
    }

    /// Finds the marks on the edges from a state to its successors.
    fn mark(&mut self, visited: &V, state: StateId, successors: &mut Expansion<S>) {
        let Expansion { batch, scratch, source, .. } = successors;
        let words = visited.recall(state, source);
        let own = if self.problem.system.is_accepting(words, scratch) { ACCEPTED } else { 0 };
        self.marks.clear();
        if !self.fair {
            self.marks.resize(batch.entries.len(), own);
            return;
        }
        self.able.clear();
        let first = |entry: &Entry| batch.steps(entry).next().filter(|&step| step != Step::STUTTER);
        batch.entries.iter().filter_map(first).for_each(|step| self.able.add(step.pid));
        let processes = process_count(bytes(words)) as u32;
        for entry in &batch.entries {
            self.movers.clear();
            batch.steps(entry).filter(|&step| step != Step::STUTTER).for_each(|step| self.movers.add_movers(step));
            let done = |pid: &u32| *pid >= processes || self.movers.contains(*pid) || !self.able.contains(*pid);
            self.marks.push((0..PROCESSES).filter(done).fold(own, |marks, pid| marks | 2 << pid));
        }
    }
}

/// Puts an accepting cycle of an open component together.
struct Cycle<'c, 's, S: System, V> {
    components: &'c mut Components<'s, S, V>,
    store: &'c V,
    successors: &'c mut Expansion<S>,
}

impl<S: System, V: Own> Cycle<'_, '_, S, V> {
    /// The run along `prefix` and then around a cycle that sees all marks, in the component of the state with this number.
    fn lasso(&mut self, prefix: &[StateId], number: u64) -> Option<Witness> {
        let system = &self.components.problem.system;
        let mut witness = along(system, self.store, prefix, iter::empty(), &mut self.successors.scratch)?;
        witness.cycle = Some(witness.steps.len());
        let start = *prefix.last()?;
        system.set_grace(Grace::Granted, &mut self.successors.scratch);
        let closed = self.around(start, number, &mut witness);
        system.set_grace(Grace::Over, &mut self.successors.scratch);
        closed.map(|()| witness)
    }

    /// Adds a way from `start` back to it to the run; `None` if none was found.
    fn around(&mut self, start: StateId, number: u64, witness: &mut Witness) -> Option<()> {
        let (mut at, mut missing) = (start, self.components.all());
        while missing != 0 {
            for (from, entry) in self.hops(at, number, |marks, _| marks & missing != 0)? {
                self.expand(from);
                missing &= !*self.components.marks.get(entry)?;
                at = self.follow(entry, witness)?;
            }
        }
        if at != start {
            for (from, entry) in self.hops(at, number, |_, target| target == start)? {
                self.expand(from);
                self.follow(entry, witness)?;
            }
        }
        Some(())
    }

    /// Writes the successors of a state and the marks on the edges to them.
    fn expand(&mut self, state: StateId) {
        let Cycle { components, store, successors } = self;
        successors.expand(&components.problem.system, state, components.run_in(state), *store);
        components.mark(store, state, successors);
    }

    /// Adds an entry of the current successors to the run; the state that it leads to.
    fn follow(&mut self, entry: usize, witness: &mut Witness) -> Option<StateId> {
        let Expansion { batch, hashes, .. } = &*self.successors;
        let hash = *hashes.get(entry)?;
        // a limit may have cut off the expansion this time
        let entry = batch.entries.get(entry).filter(|entry| entry.outcome == Outcome::State)?;
        let state = batch.state(entry);
        witness.sights.push((witness.steps.len(), self.components.problem.system.claim_state(state)));
        witness.steps.extend(batch.steps(entry).filter(|&step| step != Step::STUTTER));
        self.store.get(state, hash)
    }

    /// A shortest path inside the component whose last edge is wanted: states and entries of their successors. There is one, unless a
    /// limit cuts off an expansion.
    fn hops(
        &mut self,
        from: StateId,
        number: u64,
        wanted: impl Fn(u64, StateId) -> bool,
    ) -> Option<Vec<(StateId, usize)>> {
        let mut came: FxHashMap<StateId, (StateId, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            self.expand(state);
            let Expansion { batch, hashes, .. } = &*self.successors;
            for (entry, marks) in self.components.marks.iter().enumerate() {
                if batch.entries[entry].outcome != Outcome::State {
                    continue;
                }
                let known = self.store.get(batch.state(&batch.entries[entry]), hashes[entry]);
                let Some(target) = known else { continue };
                if self.store.note(target) < number || self.store.note(target) == CLOSED {
                    continue;
                }
                if wanted(*marks, target) {
                    let mut hops = vec![(state, entry)];
                    let mut at = state;
                    while at != from {
                        let hop = came[&at];
                        hops.push(hop);
                        at = hop.0;
                    }
                    hops.reverse();
                    return Some(hops);
                }
                if target != from && !came.contains_key(&target) {
                    came.insert(target, (state, entry));
                    queue.push_back(target);
                }
            }
        }
        None
    }
}
