//! Parallel emptiness check by components (`rdkp`).
//!
//! E. Renault, A. Duret-Lutz, F. Kordon, D. Poitrenaud, Variations on parallel explicit emptiness checks for generalized Büchi automata,
//! STTT 2016; as Algorithm 3 of D. Poitrenaud, E. Renault, Combining parallel emptiness checks with partial order reductions, 2019. Every
//! worker searches components as [`scc`](crate::search::exhaustive::scc) does, with numbers and roots of its own. They share
//! what they find out: sets of states of the same component with the marks on the edges between them, and which components are complete.
//!
//! ```text
//! visit(s): number s; push (s, ∅) on roots
//!   for each edge s –m→ t, in this worker's order:
//!     t is dead: nothing
//!     t has no number: remember m; visit(t)
//!     otherwise: m ← m ∪ marks of, and between, all roots above t, which are popped and united with that of t;
//!                add m to the root and to its set; if that has all marks: report
//!   if s is a root: its component is complete: its set is dead, pop the root
//! ```
//!
//! A worker does not enter a component that another one has completed. Each worker that does not meet one explores the component alone: what
//! is won is the order, and that the marks of all are seen together. The search ends when all workers have ended (see [`super::dfs`]). A
//! state counts for the worker that is the first to enter it.

use super::crew::{Crew, Watch};
use super::sets::{ENDED, STATUS_SHIFT, Sets};
use crate::search::exhaustive::acceptance::{Around, Component, EdgeMarks};
use crate::search::exhaustive::nested::run_at;
use crate::search::exhaustive::proviso::Position;
use crate::search::exhaustive::stack::{Descent, Encounter, Next, Policy, Visit, states_of};
use crate::search::expand::Expansion;
use crate::search::problem::Problem;
use crate::search::{Config, Reason, Tally};
use crate::store::statuses::{InWords, Status, Statuses};
use crate::store::{Shared, StateId, Visited, Writer};
use crate::system::{Run, System};
use rustc_hash::FxHashMap;

fn statuses(store: &Shared) -> InWords<'_> {
    InWords { store, word: 0, shift: STATUS_SHIFT }
}

/// What a reduced search has decided about a state.
pub fn status(store: &Shared, state: StateId) -> Status {
    Statuses::Shared(statuses(store)).get(state)
}

/// One worker's search from the initial state, and its tally.
pub fn search<S: System>(problem: &Problem<S>, crew: &Crew, config: Config, thread: usize, root: StateId) -> Tally {
    let tally = Tally::new(config, problem.checks);
    let mut descent = Descent::new(problem, crew.store.writer(), tally, crew.monitor);
    descent.reduce_by(config.proviso(problem), Statuses::Shared(statuses(crew.store)));
    descent.push(Visit { state: root, steps: 0, edge: 0 });
    let mut worker = Worker {
        problem,
        crew,
        thread,
        sets: Sets::new(crew.store),
        edges: EdgeMarks::new(problem),
        numbers: FxHashMap::default(),
        roots: Vec::new(),
        firsts: Vec::new(),
        watch: Watch::new(crew, thread),
    };
    if let Err(reason) = descent.explore(&mut worker) {
        descent.tally.cut_short(reason);
        crew.stop();
    }
    let Descent { mut tally, successors: Expansion { scratch, .. }, .. } = descent;
    tally.learn::<S>(scratch);
    tally
}

/// A component as far as this worker knows it.
struct Root {
    state: StateId,
    number: u32,
    /// Marks on the edges inside it.
    inside: u64,
    /// Marks on the edge that led to it.
    before: u64,
}

struct Worker<'w, S> {
    problem: &'w Problem<'w, S>,
    crew: &'w Crew<'w>,
    thread: usize,
    sets: Sets<'w>,
    edges: EdgeMarks,
    /// Of the states that this worker has entered, from 1 on.
    numbers: FxHashMap<StateId, u32>,
    roots: Vec<Root>,
    /// By state of the path: no other worker had entered it before.
    firsts: Vec<bool>,
    watch: Watch<'w>,
}

impl<'w, S: System> Policy for Worker<'w, S> {
    type System = S;
    type Visited = Writer<'w>;
    /// Its marks.
    type Edge = u64;
    type Halt = Reason;
    const BOUNDED: bool = false;

    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<Encounter, Reason> {
        if self.sets.is_dead(visit.state) {
            return Ok(Encounter::Closed);
        }
        let Some(&number) = self.numbers.get(&visit.state) else { return Ok(Encounter::New) };
        if self.merge(number, visit.edge) == self.edges.all() && self.problem.claim.is_some() {
            self.report(on);
        }
        Ok(Encounter::Known)
    }

    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<(), Reason> {
        let number = self.numbers.len() as u32 + 1;
        if self.numbers.len() == self.numbers.capacity() {
            // a table twice as large, beside the old one
            self.crew.check_room(2 * self.numbers.capacity() * size_of::<(StateId, u32)>())?;
        }
        self.numbers.insert(visit.state, number);
        self.roots.push(Root { state: visit.state, number, inside: 0, before: visit.edge });
        let run = run_at(on.system, visit, on.path.len() - 1);
        let first = self.sets.enter(visit.state, || if run == Run::Ended { ENDED } else { 0 });
        self.firsts.push(first);
        Ok(())
    }

    #[inline(always)]
    fn run(&self, on: &Descent<Self>, state: StateId) -> Run {
        run_in(&on.visited, state)
    }

    /// Counts a state that no worker has entered before, and what is wrong with it.
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        if self.is_first() {
            let Descent { system, visited, successors, path, depth, tally, .. } = on;
            successors.count(*system, visited, || states_of(path), *depth, tally);
            on.judge_end(state);
            self.stop_if_enough(&on.tally);
        }
        if on.successors.batch.entries.is_empty() { Ok(()) } else { self.edges.check(on.words(state)) }
    }

    #[inline(always)]
    fn prepare(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        self.edges.find(on.system, &on.visited, state, &mut on.successors);
        Ok(())
    }

    /// The successors count as matched until [`Tally::count_matches`].
    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        on.arrange(self.thread);
        let followed = on.push_wanted(|_, visit| Next::Follow(self.edges.marks[visit.edge]))?;
        if self.is_first() {
            on.tally.counts.matched += followed;
        }
        Ok(())
    }

    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        on.visited.pass();
        let words = on.successors.batch.words.len();
        let Worker { watch, crew, numbers, roots, firsts, .. } = self;
        let first = firsts.last() == Some(&true);
        let private = || numbers.capacity() * size_of::<(StateId, u32)>() + roots.capacity() * size_of::<Root>();
        watch.entered(crew, first as u64, words, &on.tally, || on.memory() + private() as u64)
    }

    fn position(&self, on: &Descent<Self>, state: StateId) -> Position {
        if self.is_root(on, state) { Position::Root } else { Position::Inner }
    }

    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        self.firsts.pop();
        let Some(last) = on.path.last() else { return Ok(()) };
        if self.is_root(on, last.state) {
            self.roots.pop();
            self.sets.mark_dead(last.state);
        }
        Ok(())
    }

    fn is_over(&self, _: &Descent<Self>) -> bool {
        self.crew.is_stopped()
    }
}

impl<S: System> Worker<'_, S> {
    /// This worker was the first to enter the last state of the path.
    fn is_first(&self) -> bool {
        self.firsts.last() == Some(&true)
    }

    fn is_root(&self, _: &Descent<Self>, state: StateId) -> bool {
        self.roots.last().is_some_and(|root| root.state == state)
    }

    fn stop_if_enough(&self, tally: &Tally) {
        if tally.stopped() {
            self.crew.stop();
        }
    }

    /// An edge with these marks leads back to the state with this number; the marks of its set now.
    fn merge(&mut self, number: u32, marks: u64) -> u64 {
        let mut marks = marks;
        let kept = self.roots.partition_point(|root| root.number <= number);
        let (below, above) = self.roots.split_at_mut(kept);
        let root = below.last_mut().expect("the root of a state that is not dead is a root");
        for merged in above {
            marks |= merged.inside | merged.before;
            self.sets.unite(root.state, merged.state, |_, _| true);
        }
        root.inside |= marks;
        let (state, inside) = (root.state, root.inside);
        self.roots.truncate(kept);
        self.sets.add_marks(state, inside)
    }

    /// Puts the cycle together that the set of the last root has been found to contain.
    fn report(&mut self, on: &mut Descent<Self>) {
        let Some(start) = self.roots.last().map(|root| root.state) else { return };
        let Descent { system, visited, successors, path, tally, .. } = on;
        let cycle = self.problem.cycle();
        let witness = || {
            let path = states_of(path);
            let position = path.iter().position(|&state| state == start)?;
            let component = OneSet { sets: self.sets, of: start, visited };
            let marks = &mut self.edges;
            Around { system: *system, store: &*visited, successors, marks, component }.lasso(&path[..=position])
        };
        tally.violation(cycle.violation, cycle.message, witness);
        self.stop_if_enough(&on.tally);
    }
}

/// Whether the run has ended in a state, where the state does not tell.
pub fn run_in(visited: &impl Visited, state: StateId) -> Run {
    if visited.note(state) & ENDED == 0 { Run::GoesOn } else { Run::Ended }
}

/// The states of the set of a state.
pub struct OneSet<'s, V> {
    pub sets: Sets<'s>,
    pub of: StateId,
    pub visited: &'s V,
}

impl<V: Visited> Component for OneSet<'_, V> {
    fn contains(&self, state: StateId) -> bool {
        self.sets.are_united(state, self.of)
    }

    fn run(&self, state: StateId) -> Run {
        run_in(self.visited, state)
    }
}
