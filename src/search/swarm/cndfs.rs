//! Parallel nested depth-first search (`cndfs`).
//!
//! Evangelista, Laarman, Petrucci, van de Pol, Improved multi-core nested depth-first search, ATVA 2012, with the classes of
//! the claim's components as in [`indfs`](crate::search::exhaustive::ndfs).
//!
//! ```text
//! blue(s): cyan(s, this worker)
//!   for each successor t, in this worker's order, but those first that no worker has entered:
//!     if t is cyan for this worker and (s or t is accepting, or s and t are in the same F-component): report the cycle
//!     if t is neither cyan for this worker nor blue: blue(t)
//!   s is blue
//!   if s is accepting, in a P-component:
//!     R := {}; red(s) within that component
//!     wait until all accepting states in R but s are red
//!     all of R is red
//!   s is no longer cyan
//! red(s): add s to R; for each successor t: if t is cyan for this worker: report the cycle; if t is neither in R nor red: red(t)
//! ```
//!
//! Every cycle of an F-component is closed on some worker's stack: when its first state becomes blue, the next state of the cycle is
//! not blue, so that it is on the same worker's stack. The search ends when all workers have ended (see [`super::dfs`]). A state counts
//! for the worker that is the first to enter it.

use super::crew::{Crew, Watch, bit};
use super::hunt;
use crate::search::exhaustive::nested::{self, ACCEPTING, Classes, ENTERED, FREE};
use crate::search::exhaustive::stack::{Descent, Encounter, Next, Policy, Visit, states_of};
use crate::search::expand::Expansion;
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::search::{Config, Reason, Tally};
use crate::store::statuses::{InWords, Status, Statuses};
use crate::store::{Full, Shared, StateId, States, Visited, Writer};
use crate::system::{Run, System};
use crossbeam_utils::Backoff;
use ltl::scc::Class;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states, above those of [`nested`], which the first worker that enters a state sets. The bits of the workers
/// (cyan) come above them.
pub const BLUE: u64 = FREE;
const RED: u64 = FREE << 1;
/// From here a run leads to a violation; set by a worker that hunts from artificial states.
pub const MARKED: u64 = FREE << 2;

/// The word in front of a state that has its status in a reduced search.
const STATUS: usize = 1;

/// How many words there are in front of each state.
pub fn header(config: Config) -> usize {
    if config.reduce.order { STATUS + 1 } else { STATUS }
}

fn statuses(store: &Shared) -> InWords<'_> {
    InWords { store, word: STATUS, shift: 0 }
}

/// What a reduced search has decided about a state.
pub fn status(store: &Shared, state: StateId) -> Status {
    Statuses::Shared(statuses(store)).get(state)
}

/// One worker's search from a state, and its tally.
pub fn search<S: System>(problem: &Problem<S>, crew: &Crew, config: Config, thread: usize, root: StateId) -> Tally {
    let tally = Tally::new(config, problem.checks);
    let mut descent = Descent::new(problem, crew.store.writer(), tally, crew.monitor);
    descent.reduce_by(config.proviso(problem), Statuses::Shared(statuses(crew.store)));
    descent.push(Visit { state: root, steps: 0, edge: () });
    let mut worker = Worker {
        problem,
        crew,
        thread,
        firsts: Vec::new(),
        busy: Vec::new(),
        red_todo: Vec::new(),
        red_path: Vec::new(),
        reached: FxHashSet::default(),
        awaited: Vec::new(),
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

struct Worker<'w, S> {
    problem: &'w Problem<'w, S>,
    crew: &'w Crew<'w>,
    thread: usize,
    /// By state of the path: no other worker had entered it before.
    firsts: Vec<bool>,
    /// Successors that other workers have entered.
    busy: Vec<Visit<()>>,
    /// The second search: its stack (`None`: leave the last state of its path), with the run where the state does not
    /// tell whether it has ended; its path; the states it has reached (R); the accepting ones of these but the seed.
    red_todo: Vec<Option<(StateId, Run)>>,
    red_path: Vec<StateId>,
    reached: FxHashSet<StateId>,
    awaited: Vec<StateId>,
    watch: Watch<'w>,
}

impl<'w, S: System> Policy for Worker<'w, S> {
    type System = S;
    type Visited = Writer<'w>;
    type Edge = ();
    type Halt = Reason;
    const BOUNDED: bool = false;

    #[inline(always)]
    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<()>) -> Result<Encounter, Reason> {
        let note = on.visited.note(visit.state);
        let is_reported = note & MARKED != 0 && self.report_marked(on, visit);
        let is_known = is_reported || note & (BLUE | bit(self.thread)) != 0;
        Ok(if is_known { Encounter::Known } else { Encounter::New })
    }

    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<()>) -> Result<(), Reason> {
        let first = self.mark(on, visit);
        self.firsts.push(first);
        Ok(())
    }

    #[inline(always)]
    fn run(&self, on: &Descent<Self>, state: StateId) -> Run {
        nested::run(on.visited.note(state))
    }

    /// Counts a state that no worker has entered before, and what is wrong with it.
    #[inline(always)]
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        if self.is_first() {
            let Descent { system, visited, successors, path, depth, tally, .. } = on;
            successors.count(*system, visited, || states_of(path), *depth, tally);
            on.judge_end(state);
            self.stop_if_enough(&on.tally);
        }
        Ok(())
    }

    /// Pushes the successors that are neither cyan nor blue, or marked; those on top that no worker has entered. They count as matched until
    /// [`Tally::count_matches`].
    fn schedule(&mut self, on: &mut Descent<Self>, source: StateId) -> Result<(), Reason> {
        let first = on.left();
        let mut closing = None;
        self.busy.clear();
        on.arrange(self.thread);
        let followed = on.push_wanted(|visited, Visit { state, steps, .. }| {
            let visit = Visit { state, steps, edge: () };
            let note = visited.note(visit.state);
            if note & bit(self.thread) != 0 {
                let closes = nested::closes(&self.problem.system, visited, source, visit.state);
                closing = closing.or(closes.then_some(visit.state));
            } else if note & ENTERED == 0 {
                return Next::Follow(());
            } else if note & (BLUE | MARKED) != BLUE {
                self.busy.push(visit);
                return Next::Later;
            }
            Next::Drop
        })?;
        if self.is_first() {
            on.tally.counts.matched += followed;
        }
        on.push_below(first, &self.busy);
        if let Some(target) = closing {
            self.report(on, &[target]);
        }
        Ok(())
    }

    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        self.poll_limits(on, self.is_first())
    }

    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        let Some(&last) = on.path.last() else { return Ok(()) };
        let store = on.visited.store();
        let note = store.note(last.state).fetch_or(BLUE, AcqRel);
        if note & ACCEPTING != 0 && on.system.class(on.words(last.state)) == Class::P {
            if self.red(on, last.state)? {
                let cycle = std::mem::take(&mut self.red_path);
                self.report(on, &cycle);
            } else {
                self.redden(on)?;
            }
        }
        store.note(last.state).fetch_and(!bit(self.thread), Release);
        self.firsts.pop();
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

    /// Makes a state cyan for this worker; true if no worker had entered it before.
    fn mark(&self, on: &mut Descent<Self>, visit: Visit<()>) -> bool {
        let note = on.visited.store().note(visit.state);
        let own = bit(self.thread);
        if note.load(Acquire) & ENTERED == 0 {
            let marks = nested::marks(on, visit, Classes::Used);
            let first = |note: u64| (note & ENTERED == 0).then_some(note | marks | own);
            if note.fetch_update(AcqRel, Acquire, first).is_ok() {
                return true;
            }
        }
        note.fetch_or(own, AcqRel);
        false
    }

    fn stop_if_enough(&self, tally: &Tally) {
        if tally.stopped() {
            self.crew.stop();
        }
    }

    /// Lets another worker grow the table if it waits for that, and checks the limits; `new` if no worker had entered
    /// the state before.
    fn poll_limits(&mut self, on: &mut Descent<Self>, new: bool) -> Result<(), Reason> {
        on.visited.pass();
        let words = on.successors.batch.words.len();
        let Worker { watch, crew, red_todo, red_path, reached, .. } = self;
        let red = || red_todo.capacity() * size_of::<Option<(StateId, Run)>>();
        let states = || (red_path.capacity() + reached.capacity()) * size_of::<StateId>();
        watch.entered(crew, new as u64, words, &on.tally, || on.memory() + (red() + states()) as u64)
    }

    /// The second search; true if it reaches a state on the first one's stack, where its path ends then.
    fn red(&mut self, on: &mut Descent<Self>, seed: StateId) -> Result<bool, Reason> {
        self.red_path.clear();
        self.red_todo.clear();
        self.reached.clear();
        self.awaited.clear();
        self.reached.insert(seed);
        let component = on.system.component(on.words(seed));
        self.look_around(on, seed, Run::GoesOn)?;
        while let Some(todo) = self.red_todo.pop() {
            let Some((state, run)) = todo else {
                self.red_path.pop();
                continue;
            };
            let note = on.visited.note(state);
            if note & bit(self.thread) != 0 {
                self.red_path.push(state);
                return Ok(true);
            }
            let leaves = on.system.component(on.words(state)) != component;
            if note & RED != 0 || leaves || !self.reached.insert(state) {
                continue;
            }
            let Descent { system, visited, successors: Expansion { scratch, source, .. }, .. } = on;
            if system.is_accepting(visited.recall(state, source), scratch) {
                self.awaited.push(state);
            }
            self.red_path.push(state);
            self.red_todo.push(None);
            self.look_around(on, state, run)?;
            self.poll_limits(on, false)?;
            if self.crew.is_stopped() {
                break;
            }
        }
        Ok(false)
    }

    /// Makes all states red that the second search has reached, after waiting until other workers have made the
    /// accepting ones among them red. That includes those that no worker has entered yet: the way there leads through
    /// states that another worker is still visiting.
    fn redden(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        let store = on.visited.store();
        while let Some(state) = self.awaited.pop() {
            let backoff = Backoff::new();
            while store.note(state).load(Acquire) & RED == 0 {
                if self.crew.is_stopped() {
                    return Ok(());
                }
                backoff.snooze();
                self.poll_limits(on, false)?;
            }
        }
        self.reached.iter().for_each(|&state| _ = store.note(state).fetch_or(RED, AcqRel));
        Ok(())
    }

    /// Pushes all successors on the stack of the second search, even new ones: those that another worker is still to
    /// visit matter, too. If no worker has entered the state, its marks do not tell whether the run has ended there,
    /// but `run` does.
    fn look_around(&mut self, on: &mut Descent<Self>, state: StateId, run: Run) -> Result<(), Reason> {
        let is_entered = on.visited.note(state) & ENTERED != 0;
        on.expand(state, if is_entered { self.run(on, state) } else { run });
        on.settle(state);
        on.arrange(self.thread);
        let Descent { system, visited, successors, .. } = on;
        successors.prefetch_records(visited);
        for (entry, hash) in successors.states() {
            let inserted = visited.insert(successors.batch.state(entry), hash, 0);
            let next = inserted.map_err(|Full| Reason::StoreFull)?.id;
            self.red_todo.push(Some((next, system.run_after(Run::GoesOn, entry.step))));
        }
        Ok(())
    }

    /// Reports the violation to which a marked state leads; false if no marked path to it is found.
    #[inline(never)]
    fn report_marked(&self, on: &mut Descent<Self>, visit: Visit<()>) -> bool {
        let Worker { problem, crew, .. } = self;
        let Descent { system, visited, path, tally, .. } = on;
        let store = visited.store();
        let run = nested::run_at(*system, visit, path.len());
        let Some(behind) = hunt::marked_way(problem, visited, (&store.copy(visit.state), run), crew) else {
            return false;
        };
        let run = |state: &StateId| nested::run(store.note(*state).load(Acquire));
        let before = states_of(path);
        let whole = Path {
            states: before.iter().map(|&state| store.copy(state)).chain(behind.states).collect(),
            runs: before.iter().map(run).chain(behind.runs).collect(),
            cycle: behind.cycle.map(|start| before.len() + start),
            wrong: behind.wrong,
        };
        let finding = whole.finding(*problem);
        finding.is_some_and(|finding| {
            tally.found(finding);
            crew.stop();
            true
        })
    }

    /// Reports the cycle that leads from the end of the path over `back`, whose last state is on it.
    fn report(&self, on: &mut Descent<Self>, back: &[StateId]) {
        nested::report(on, back);
        self.stop_if_enough(&on.tally);
    }
}
