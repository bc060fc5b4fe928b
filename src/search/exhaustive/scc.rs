//! Search for accepting cycles by strongly connected components.
//!
//! Couvreur, On-the-fly verification of linear temporal logic, FM 1999, in the form of Gabow, Path-based depth-first search
//! for strong and biconnected components, IPL 2000. Edges carry sets of marks (see [`super::acceptance`]); a component is accepting if
//! its edges together carry all of them.
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
//! The search ends as soon as the edges seen so far contain an accepting cycle.

use super::acceptance::{Around, Component, EdgeMarks};
use super::nested::run_at;
use super::stack::{Descent, Encounter, Policy, Visit, states_of};
use crate::search::problem::Problem;
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Own, StateId};
use crate::system::{Run, System};
use rustc_hash::FxHashSet;
use std::marker::PhantomData;

/// Notes of states: not seen, then numbered from 1 on while open, then this.
const CLOSED: u64 = u64::MAX;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let mut descent = match Descent::start(problem, config, monitor) {
        Ok(descent) => descent,
        Err(tally) => return *tally,
    };
    let mut components = Components {
        problem,
        visited: PhantomData::<V>,
        edges: EdgeMarks::new(problem),
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
    edges: EdgeMarks,
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
        if number != CLOSED && self.merge(number, visit.edge) == self.edges.all() {
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
        if self.ended.contains(&state) { Run::Ended } else { Run::GoesOn }
    }

    #[inline(always)]
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        on.tally.absorb(&on.successors.batch);
        on.judge_end(state);
        let is_end = on.successors.batch.entries.is_empty();
        if is_end { Ok(()) } else { self.edges.check(on.words(state)) }
    }

    #[inline(always)]
    fn prepare(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        self.edges.find(on.system, &on.visited, state, &mut on.successors);
        Ok(())
    }

    #[inline(always)]
    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        on.push_all(|entry| self.edges.marks[entry])
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
        let Descent { system, visited, successors, path, tally, .. } = on;
        let cycle = self.problem.cycle();
        let witness = || {
            let path = states_of(path);
            let position = path.iter().position(|&state| state == start).unwrap_or(0);
            let component = Open { number, ended: &self.ended, visited: &*visited };
            Around { system: *system, store: &*visited, successors, marks: &mut self.edges, component }
                .lasso(&path[..=position])
        };
        tally.violation(cycle.violation, cycle.message, witness);
    }
}

/// The open states from this number on.
struct Open<'o, V> {
    number: u64,
    ended: &'o FxHashSet<StateId>,
    visited: &'o V,
}

impl<V: Own> Component for Open<'_, V> {
    fn contains(&self, state: StateId) -> bool {
        (self.number..CLOSED).contains(&self.visited.note(state))
    }

    fn run(&self, state: StateId) -> Run {
        if self.ended.contains(&state) { Run::Ended } else { Run::GoesOn }
    }
}
