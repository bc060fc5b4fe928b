//! Nested depth-first search for accepting cycles, plain (`ndfs`) and with the classes of the claim (`indfs`).
//!
//! Holzmann, Peled, Yannakakis, On nested depth first search, SPIN 1996, with colours and early stops as in Schwoon,
//! Esparza, A note on on-the-fly verification algorithms, TACAS 2005; the use of classes follows Edelkamp, Lluch Lafuente,
//! Leue, Directed explicit model checking with HSF-SPIN, SPIN 2001.
//!
//! ```text
//! blue(s): cyan(s)
//!   for each successor t:
//!     if t is cyan and (s or t is accepting, or s and t are in the same F-component): report the cycle
//!     if t is not visited: blue(t)
//!   if s is accepting, in a P-component: red(s) within that component
//!   s is no longer cyan
//! red(s): for each successor t: if t is cyan: report the cycle; if t is not red: make it red, red(t)
//! ```
//!
//! `ndfs` takes every component for a P that has no border. In an N no cycle is accepting; in an F every cycle is, and a
//! depth-first search closes one on its stack if there is any; in a P the second search need not leave the component,
//! because a cycle of the product stays in it. With acceptance labels in processes all components are P, with weak fairness
//! those that are F.
//!
//! The counts are those of the first search.

use super::nested::{self, ACCEPTING, Classes, ENTERED, FREE};
use super::stack::{Descent, Encounter, Policy, Visit};
use crate::search::expand::Expansion;
use crate::search::problem::Problem;
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Own, StateId};
use crate::system::{Outcome, Run, System};
use ltl::scc::Class;
use std::marker::PhantomData;

/// Marks of states, besides those of [`nested`].
const CYAN: u64 = FREE;
const RED: u64 = FREE << 1;

pub fn search<S: System, V: Own>(problem: &Problem<S>, classes: Classes, config: Config, monitor: &Monitor) -> Tally {
    let mut descent = match Descent::start(problem, config, monitor) {
        Ok(descent) => descent,
        Err(tally) => return *tally,
    };
    let mut ndfs = Ndfs { searched: PhantomData::<(S, V)>, classes, red_todo: Vec::new(), red_path: Vec::new() };
    if let Err(reason) = descent.explore(&mut ndfs) {
        descent.tally.cut_short(reason);
    }
    let (mut tally, scratch) = descent.end(ndfs.memory());
    tally.learn::<S>(scratch);
    tally
}

struct Ndfs<S, V> {
    searched: PhantomData<(S, V)>,
    classes: Classes,
    /// The second search: states to look at (`None`: leave the last one of its path), and its path.
    red_todo: Vec<Option<StateId>>,
    red_path: Vec<StateId>,
}

impl<S: System, V: Own> Policy for Ndfs<S, V> {
    type System = S;
    type Visited = V;
    type Edge = ();
    type Halt = Reason;

    #[inline(always)]
    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<()>) -> Result<Encounter, Reason> {
        let note = on.visited.note(visit.state);
        if note & ENTERED == 0 {
            return Ok(Encounter::New);
        }
        on.tally.counts.matched += 1;
        if note & CYAN != 0
            && let Some(&source) = on.path.last()
            && nested::closes(on.system, &on.visited, source.state, visit.state)
        {
            nested::report(on, &[visit.state]);
        }
        Ok(Encounter::Known)
    }

    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<()>) -> Result<(), Reason> {
        let marks = nested::marks(on, visit, self.classes) | CYAN;
        on.visited.set_note(visit.state, on.visited.note(visit.state) | marks);
        on.tally.enter(on.depth);
        Ok(())
    }

    #[inline(always)]
    fn run(&self, on: &Descent<Self>, state: StateId) -> Run {
        nested::run(on.visited.note(state))
    }

    #[inline(always)]
    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        on.push_all(|_| ())
    }

    #[inline(always)]
    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        on.poll_limits(|| self.memory()).map(drop)
    }

    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        let Some(&last) = on.path.last() else { return Ok(()) };
        let is_accepting = on.visited.note(last.state) & ACCEPTING != 0;
        if is_accepting && self.is_mixed(on, last.state) && self.red(on, last.state)? {
            let cycle = std::mem::take(&mut self.red_path);
            nested::report(on, &cycle);
        }
        on.visited.set_note(last.state, on.visited.note(last.state) & !CYAN);
        Ok(())
    }
}

impl<S: System, V: Own> Ndfs<S, V> {
    /// Some cycles in the component of the claim's state may be accepting and others not, for all that is to be known.
    fn is_mixed(&self, on: &mut Descent<Self>, state: StateId) -> bool {
        self.classes == Classes::Ignored || on.system.class(on.words(state)) == Class::P
    }

    /// The second search; true if it reaches a state on the first one's stack. Then its path ends there.
    fn red(&mut self, on: &mut Descent<Self>, seed: StateId) -> Result<bool, Reason> {
        self.red_path.clear();
        self.red_todo.clear();
        let component = on.system.component(on.words(seed));
        self.look_around(on, seed);
        while let Some(todo) = self.red_todo.pop() {
            let Some(state) = todo else {
                self.red_path.pop();
                continue;
            };
            let note = on.visited.note(state);
            if note & CYAN != 0 {
                self.red_path.push(state);
                return Ok(true);
            }
            // with classes it stays in the component of the claim in which it began
            let leaves = self.classes == Classes::Used && on.system.component(on.words(state)) != component;
            if note & RED != 0 || leaves {
                continue;
            }
            on.visited.set_note(state, note | RED);
            self.red_path.push(state);
            self.red_todo.push(None);
            self.look_around(on, state);
            self.poll(on)?;
        }
        Ok(false)
    }

    /// Puts the successors that the first search has seen on the stack of the second.
    fn look_around(&mut self, on: &mut Descent<Self>, state: StateId) {
        on.expand(state, self.run(on, state));
        on.settle(state);
        let Descent { visited, successors: Expansion { batch, hashes, .. }, reducer, .. } = on;
        for (number, (entry, &hash)) in batch.entries.iter().zip(&*hashes).enumerate().rev() {
            let skipped = reducer.as_ref().is_some_and(|reducer| reducer.skips(number));
            if entry.outcome == Outcome::State && !skipped {
                self.red_todo.extend(visited.get(batch.state(entry), hash).map(Some));
            }
        }
    }

    /// Bytes of the second search's stacks.
    fn memory(&self) -> u64 {
        (self.red_todo.capacity() * size_of::<Option<StateId>>() + self.red_path.capacity() * size_of::<StateId>())
            as u64
    }
}
