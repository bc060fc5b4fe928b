//! Swarmed depth-first search (`swarm`), also from artificial states (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 1, 5 and 6. Every worker searches depth first, in an
//! order of its own; no worker enters a state that another one has closed.
//!
//! ```text
//! visit(s): open(s); expand s; for each successor t, in this worker's order: if t is not open: visit(t)
//!           close(s)
//! when the stack is empty: walk again, from the initial state, through states that are open and not closed, each of them once;
//!           for each successor t of such a state: if t is not open: visit(t)
//! ```
//!
//! Differs from the paper, where a worker visits states that another one has opened and not yet closed. The worker that opens a state
//! expands it and visits its successors, so that no other one need do so; only a worker with nothing else to do walks through the open
//! states of others, looking for successors that are not open yet. No state is expanded twice as long as every worker has work.
//!
//! Differs also in that the search ends when all workers have ended, not when the first one has closed the initial state. Three workers of
//! the paper's Algorithm 1 show why. With the edges ι→a, ι→b, a→c, b→c, c→a, c→b and c→d, one worker may be at ι a c and have closed b (c is on
//! its stack), another one at ι b c and have closed a; neither has seen d. The third finds a and b closed, closes ι, and all workers stop.
//!
//! A worker that started at an artificial state does not know whether the states that it visits are reachable. It opens them with
//! another mark (OPEN_GP), and where something goes wrong it marks its whole stack (DEADLOCK_GP) and gives up: a worker from the initial
//! state that comes to such a state reports a violation. What a worker from an artificial state has expanded is logged, and no other
//! worker enters it (unless both open it at once): the sweep at the end of a phase finds out whether it is reachable, see [`super::genetic`].
//!
//! A state counts, with its successors and errors, for the worker that opens it, and its record names the state that it was opened from:
//! so the figures are those of a search by one worker, and there is a run to every state.

use super::crew::{Crew, Watch};
use super::log::{GAVE_UP, Link, WRONG};
use super::rebuild;
use super::traces::{Arrival, Traces};
use crate::search::exhaustive::stack::{Descent, Encounter, Next, Policy, Visit};
use crate::search::expand::Expansion;
use crate::search::problem::{Problem, Wrong};
use crate::search::witness::{along, path_by};
use crate::search::{Config, Finding, Reason, Tally};
use crate::store::statuses::{InWords, Status, Statuses};
use crate::store::{Full, Shared, StateId, States, Visited, Writer};
use crate::system::{Run, System};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states: opened by a worker from the initial state, or by one from an artificial state.
pub const OPEN: u64 = 1;
pub const OPEN_GP: u64 = 2;
pub const CLOSED: u64 = 4;
/// From here something goes wrong, but no worker has come here from the initial state yet.
pub const DEADLOCK_GP: u64 = 8;
/// A worker from the initial state has come to it after one from an artificial state had opened it.
pub const HIT: u64 = 16;
/// It is reachable, though only workers from artificial states have opened it.
pub const REACHED: u64 = 32;

/// States in doubt are opened from artificial ones and not known to be reachable. A worker may have `Traces::ahead` of
/// them, and one more for every this many states that were opened from the initial state.
const REAL_FOR_ONE_IN_DOUBT: u64 = 4;

/// The word in front of a state that links to its logged expansion.
pub const LINK: usize = 1;

/// Above the marks, a note has the status of the state in a reduced search.
const STATUS_SHIFT: u32 = 8;

/// Above that, a note has the number of the state's parent: the state that it was opened from.
const PARENT_SHIFT: u32 = 32;

/// The note of a state that was opened from this one.
pub fn note_of(parent: StateId) -> u64 {
    (parent.pack() as u64) << PARENT_SHIFT | OPEN
}

/// Gives a reachable state a mark and a parent, unless it has the mark already; returns the note before.
pub fn adopt(store: &Shared, state: StateId, parent: StateId, mark: u64) -> u64 {
    let note = store.note(state);
    let with_parent = |note: u64| {
        let marks = note & ((1 << PARENT_SHIFT) - 1);
        (note & mark == 0).then_some((parent.pack() as u64) << PARENT_SHIFT | marks | mark)
    };
    match note.fetch_update(AcqRel, Acquire, with_parent) {
        Ok(before) | Err(before) => before,
    }
}

pub fn statuses(store: &Shared) -> InWords<'_> {
    InWords { store, word: 0, shift: STATUS_SHIFT }
}

/// What a reduced search has decided about a state.
pub fn status(store: &Shared, state: StateId) -> Status {
    Statuses::Shared(statuses(store)).get(state)
}

/// The states from the initial one, which is its own parent, to a reachable one.
pub fn path_to(store: &Shared, state: StateId) -> Vec<StateId> {
    path_by(state, |state| {
        let parent = StateId::unpack((store.note(state).load(Acquire) >> PARENT_SHIFT) as u32);
        Some(parent).filter(|&parent| parent != state)
    })
}

/// Where the search of a worker began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In a reachable state.
    Real,
    /// In an artificial state.
    Artificial,
}

/// What the marks of a state say.
enum View {
    /// No worker has opened it.
    Fresh,
    /// A worker from the initial state has opened it.
    Known,
    /// Only a worker from an artificial state has opened it.
    Taken,
    /// From here something goes wrong.
    Doomed,
}

fn view(note: u64) -> View {
    match note {
        _ if note & DEADLOCK_GP != 0 => View::Doomed,
        _ if note & OPEN != 0 => View::Known,
        _ if note & OPEN_GP != 0 => View::Taken,
        _ => View::Fresh,
    }
}

/// Why a worker gives up.
enum Halt {
    For(Reason),
    /// It has found a violation behind an artificial state, which may be unreachable.
    Doomed,
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Halt {
        Halt::For(reason)
    }
}

/// A worker of the swarm: its depth-first search, and the policy for that.
pub struct Worker<'w, S: System> {
    descent: Descent<'w, Swarm<'w, S>>,
    swarm: Swarm<'w, S>,
}

struct Swarm<'w, S> {
    problem: &'w Problem<'w, S>,
    crew: &'w Crew<'w>,
    thread: usize,
    role: Role,
    /// Where the state that was entered last is logged, if it is.
    link: Option<Link>,
    /// States to walk through again, and those where that was done already.
    again: Vec<StateId>,
    walked: FxHashSet<StateId>,
    watch: Watch<'w>,
    traces: Traces,
}

impl<'w, S: System> Worker<'w, S> {
    pub fn new(
        problem: &'w Problem<'w, S>,
        crew: &'w Crew<'w>,
        config: Config,
        thread: usize,
        traces: Traces,
    ) -> Worker<'w, S> {
        let tally = Tally::new(config, problem.checks);
        let mut descent = Descent::new(problem, crew.store.writer(), tally, crew.monitor);
        let statuses = statuses(crew.store);
        descent.reduce_by(config.proviso(problem), Statuses::Shared(statuses));
        Worker {
            descent,
            swarm: Swarm {
                problem,
                crew,
                thread,
                role: Role::Real,
                link: None,
                again: Vec::new(),
                walked: FxHashSet::default(),
                watch: Watch::new(crew, thread),
                traces,
            },
        }
    }

    pub fn traces(&mut self) -> &mut Traces {
        &mut self.swarm.traces
    }

    /// Searches from reachable states, the last one first, and then walks again through what others have opened.
    pub fn search(&mut self, roots: impl Iterator<Item = Arrival>) {
        self.play(Role::Real);
        let Worker { descent, swarm } = self;
        for root in roots {
            if swarm.crew.threads() > 1 {
                swarm.again.push(root.state);
            }
            descent.push(root);
        }
        if let Err(Halt::For(reason)) = self.explore() {
            self.give_up(reason);
        }
        self.leave_behind();
    }

    /// After a pause, leaves the states that were still to be visited to the next phase.
    fn leave_behind(&mut self) {
        let Worker { descent, swarm } = self;
        let store = descent.visited.store();
        // no worker need walk through these again: the next phase begins with what is left behind them
        let is_stopped = swarm.crew.is_stopped();
        let closed = descent.path.iter().filter(|_| !is_stopped);
        closed.for_each(|frame| _ = store.note(frame.state).fetch_or(CLOSED, Release));
        let is_known = |state: StateId| matches!(view(store.note(state).load(Acquire)), View::Known);
        let wanted = |arrival: &Arrival| !is_stopped && !is_known(arrival.state);
        swarm.traces.left.extend(descent.take_left().filter(wanted));
    }

    /// Searches from an artificial state.
    pub fn search_artificial(&mut self, state: &[u64]) {
        self.play(Role::Artificial);
        let writer = &mut self.descent.visited;
        let root = match writer.insert(state, writer.hash(state), 0) {
            Ok(root) => root.id,
            Err(Full) => return self.give_up(Reason::StoreFull),
        };
        self.descent.push(Arrival::root(root, root));
        match self.explore() {
            Ok(()) | Err(Halt::Doomed) => {}
            Err(Halt::For(reason)) => self.give_up(reason),
        }
        self.descent.take_left().for_each(drop);
    }

    fn play(&mut self, role: Role) {
        let Worker { descent, swarm: Swarm { role: current, traces, .. } } = self;
        if role != *current {
            // each role has a coverage of its own
            let coverage = S::coverage(&mut descent.successors.scratch);
            std::mem::swap(&mut traces.coverage, coverage);
            coverage.executed.resize(traces.coverage.executed.len(), false);
            *current = role;
        }
    }

    /// Ends the work of all workers.
    fn give_up(&mut self, reason: Reason) {
        self.descent.tally.cut_short(reason);
        self.swarm.crew.stop();
    }

    /// The worker's tally, and what it leaves behind.
    pub fn end(mut self) -> (Tally, Traces) {
        self.play(Role::Real);
        let Descent { mut tally, successors, .. } = self.descent;
        tally.learn::<S>(successors.scratch);
        (tally, self.swarm.traces)
    }

    /// Whether it has opened as many states in doubt as it may before the next sweep.
    pub fn is_far_enough(&self) -> bool {
        self.swarm.is_far_enough()
    }

    /// Whether to search on from artificial states.
    pub fn may_go_on_from_artificial(&self) -> bool {
        self.swarm.may_go_on_from_artificial()
    }

    /// Notes a violation that begins at the initial state.
    pub fn found(&mut self, finding: Finding) {
        self.descent.tally.found(finding);
        self.swarm.crew.stop();
    }

    /// Reports what goes wrong behind a marked state; `path` leads to its parent.
    pub fn report_from(&mut self, state: StateId, path: Vec<StateId>) {
        self.swarm.report_from(&mut self.descent, state, path);
    }

    fn explore(&mut self) -> Result<(), Halt> {
        let Worker { descent, swarm } = self;
        descent.explore(swarm)?;
        while !swarm.must_stop()
            && let Some(state) = swarm.again.pop()
        {
            swarm.walk_again(descent, state)?;
            descent.explore(swarm)?;
        }
        Ok(())
    }
}

impl<'w, S: System> Policy for Swarm<'w, S> {
    type System = S;
    type Visited = Writer<'w>;
    /// The state that the edge comes from.
    type Edge = StateId;
    type Halt = Halt;
    const BOUNDED: bool = false;

    /// Opens a state, unless its marks say that another worker has.
    fn meet(&mut self, on: &mut Descent<Self>, arrival: Arrival) -> Result<Encounter, Halt> {
        let store = on.visited.store();
        let note = on.visited.note(arrival.state);
        match (view(note), self.role) {
            (View::Doomed, Role::Real) => {
                self.report_from(on, arrival.state, path_to(store, arrival.parent()));
                Ok(Encounter::Known)
            }
            (View::Doomed, Role::Artificial) => Err(self.doom(on)),
            (View::Taken, Role::Real) => {
                hit(&on.visited, &mut self.traces.hits, arrival);
                Ok(Encounter::Known)
            }
            (View::Known, Role::Real) if note & CLOSED == 0 && self.crew.threads() > 1 => {
                // another worker is not done with it; if this one runs out of work, it may find some there
                self.again.push(arrival.state);
                Ok(Encounter::Known)
            }
            (View::Known | View::Taken, _) => Ok(Encounter::Known),
            (View::Fresh, _) => Ok(self.open(store, arrival)),
        }
    }

    #[inline(always)]
    fn enter(&mut self, _: &mut Descent<Self>, _: Arrival) -> Result<(), Halt> {
        Ok(())
    }

    #[inline(always)]
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Halt> {
        self.link = match self.role {
            Role::Artificial => Some(self.log(on, state)?),
            Role::Real => {
                self.count(on, state);
                None
            }
        };
        Ok(())
    }

    /// The successors count as matched until [`Tally::count_matches`].
    fn schedule(&mut self, on: &mut Descent<Self>, parent: StateId) -> Result<(), Halt> {
        let followed = self.push_successors(on, parent)?;
        if self.role == Role::Real {
            on.tally.counts.matched += followed;
        }
        Ok(())
    }

    #[inline(always)]
    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Halt> {
        self.poll_limits(on, self.role == Role::Real)
    }

    #[inline(always)]
    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Halt> {
        let Some(&last) = on.path.last() else { return Ok(()) };
        self.check_closing(on, last.state);
        // with one worker the mark is not read
        if self.crew.threads() > 1 {
            on.visited.store().note(last.state).fetch_or(CLOSED, Release);
        }
        Ok(())
    }

    #[inline(always)]
    fn is_over(&self, _: &Descent<Self>) -> bool {
        self.must_stop()
    }
}

impl<S: System> Swarm<'_, S> {
    fn must_stop(&self) -> bool {
        match self.role {
            Role::Real => self.crew.is_stopped() || self.crew.is_paused(),
            Role::Artificial => !self.may_go_on_from_artificial(),
        }
    }

    fn is_far_enough(&self) -> bool {
        let in_doubt = self.traces.artificial - self.traces.reachable;
        in_doubt >= self.traces.ahead + self.crew.entered() / REAL_FOR_ONE_IN_DOUBT
    }

    /// Other workers still search from the initial state, and there is room for more states in doubt: there may be far
    /// more unreachable states than reachable ones.
    fn may_go_on_from_artificial(&self) -> bool {
        let is_over = self.crew.is_stopped() || self.crew.is_paused() || self.crew.is_settled();
        !is_over && !self.is_far_enough()
    }

    /// Pushes the successors that are not open, or marked; logs all of them on the way from an artificial state. How many there are.
    fn push_successors(&mut self, on: &mut Descent<Self>, parent: StateId) -> Result<u64, Reason> {
        on.arrange(self.thread);
        let Swarm { role, link, traces, .. } = self;
        on.push_wanted(|writer, Visit { state, steps, .. }| {
            if let Some(link) = *link {
                traces.log.add(link, state);
            }
            match view(writer.note(state)) {
                View::Fresh | View::Doomed => return Next::Follow(parent),
                View::Taken if *role == Role::Real => {
                    hit(writer, &mut traces.hits, Visit { state, steps, edge: parent });
                }
                View::Known | View::Taken => {}
            }
            Next::Drop
        })
    }

    /// Opens a state atomically; it is known if another worker was faster.
    fn open(&mut self, store: &Shared, arrival: Arrival) -> Encounter {
        let (before, opened) = match self.role {
            Role::Real => (adopt(store, arrival.state, arrival.parent(), OPEN), OPEN),
            Role::Artificial => (store.note(arrival.state).fetch_or(OPEN_GP, AcqRel), OPEN | OPEN_GP),
        };
        if before & opened != 0 {
            return Encounter::Known;
        }
        self.traces.both += (before & OPEN_GP != 0) as u64;
        Encounter::New
    }

    /// Expands a state again that another worker has opened and not closed.
    fn walk_again(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Halt> {
        let note = on.visited.note(state);
        if self.role == Role::Artificial || note & (OPEN | CLOSED) != OPEN || !self.walked.insert(state) {
            return Ok(());
        }
        on.expand(state, Run::GoesOn);
        on.revisit(state);
        self.link = None;
        self.push_successors(on, state)?;
        self.again_behind(on);
        self.poll_limits(on, false)
    }

    /// Lets another worker grow the table if it waits for that, and checks the limits; `new` if `Real` opened a state.
    fn poll_limits(&mut self, on: &mut Descent<Self>, new: bool) -> Result<(), Halt> {
        on.visited.pass();
        let words = on.successors.batch.words.len();
        let Swarm { watch, crew, again, walked, traces, .. } = self;
        let states = || ((again.capacity() + walked.capacity()) * size_of::<StateId>()) as u64;
        Ok(watch.entered(crew, new as u64, words, &on.tally, || on.memory() + states() + traces.log.memory())?)
    }

    #[inline(never)]
    fn report_from(&self, on: &mut Descent<Self>, state: StateId, mut path: Vec<StateId>) {
        if path.last() == Some(&state) {
            // the initial state is its own parent
            path.pop();
        }
        let wrong = rebuild::doomed(self.problem, &on.visited, &mut on.successors, state, &mut path);
        debug_assert!(wrong.is_some(), "from a marked state something goes wrong");
        if let Some(wrong) = wrong {
            self.report(on, &path, wrong);
        }
    }

    /// Marks the whole path: from each of these states something goes wrong.
    #[inline(never)]
    fn doom(&self, on: &Descent<Self>) -> Halt {
        debug_assert_eq!(self.role, Role::Artificial, "a worker from the initial state reports what it finds");
        for frame in on.path.iter().rev() {
            on.visited.store().note(frame.state).fetch_or(DEADLOCK_GP, AcqRel);
        }
        Halt::Doomed
    }

    /// Counts a state that no worker has opened before, and what is wrong with it.
    #[inline(always)]
    fn count(&self, on: &mut Descent<Self>, state: StateId) {
        let Descent { system, visited, successors, depth, tally, .. } = on;
        let store = visited.store();
        successors.count(*system, store, || path_to(store, state), *depth, tally);
        let Expansion { scratch, batch, .. } = successors;
        if batch.entries.is_empty() {
            self.problem.judge_end(store, state, || path_to(store, state), scratch, tally);
        }
        if tally.stopped() {
            self.crew.stop();
        }
    }

    /// Reports what is wrong with the last state of a path, whose successors have just been found.
    fn report(&self, on: &mut Descent<Self>, path: &[StateId], wrong: Wrong) {
        assert_eq!(self.role, Role::Real, "only a worker from the initial state may report");
        let Descent { system, visited, successors: Expansion { scratch, batch, .. }, tally, .. } = on;
        let last = wrong.step.map(|step| batch.entries[step.entry]);
        let steps = last.iter().flat_map(|entry| batch.steps(entry));
        let witness = || along(*system, visited, path, steps, scratch);
        tally.violation(wrong.violation, wrong.message, witness);
        self.crew.stop();
    }

    /// Logs the expansion of a state in doubt; if something is wrong with it, marks the path.
    fn log(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<Link, Halt> {
        let store = on.visited.store();
        self.traces.artificial += 1;
        let Expansion { scratch, batch, source, .. } = &mut on.successors;
        let wrong = self.problem.wrong(store.recall(state, source), batch, scratch).is_some();
        let marks = if wrong { WRONG } else { 0 } | if batch.gave_up { GAVE_UP } else { 0 };
        let link = self.traces.log.begin(self.thread, state, batch.atomic_steps, marks);
        store.word(state, LINK).store(link.0, Release);
        self.traces.note_executed(state, batch);
        if wrong { Err(self.doom(on)) } else { Ok(link) }
    }

    /// Keeps the successors that other workers have opened and not closed, to walk through them later.
    fn again_behind(&mut self, on: &Descent<Self>) {
        let Descent { visited, successors, .. } = on;
        for (entry, hash) in successors.states() {
            let Some(state) = visited.get(successors.batch.state(entry), hash) else { continue };
            let is_busy = visited.note(state) & (OPEN | CLOSED) == OPEN;
            if is_busy && !self.walked.contains(&state) {
                self.again.push(state);
            }
        }
    }

    /// The paper's invariants that hold here, too. A state is closed by a worker that has opened it; one in which
    /// something is wrong is not closed by a worker from an artificial state (2); every successor of a closed state was
    /// opened, and expanded by the worker that opened it (3, 4), unless a pause has closed the state: then the next
    /// phase begins with what is left behind it. Which role marks and which reports (5, 7), and that marks lead to what
    /// is wrong (6), is checked where it happens.
    fn check_closing(&self, on: &mut Descent<Self>, state: StateId) {
        if !cfg!(debug_assertions) {
            return;
        }
        let own = if self.role == Role::Real { OPEN } else { OPEN_GP };
        assert!(on.visited.note(state) & own != 0, "a state is closed by a worker that has opened it");
        on.expand(state, Run::GoesOn);
        on.revisit(state);
        on.arrange(0);
        let Descent { visited: writer, successors, .. } = on;
        let Expansion { scratch, batch, source, .. } = &mut *successors;
        let wrong = self.problem.wrong(writer.recall(state, source), batch, scratch).is_some();
        assert!(!wrong || self.role == Role::Real, "what goes wrong behind an artificial state is marked, not closed");
        for (entry, hash) in successors.states() {
            let next = writer.get(successors.batch.state(entry), hash).expect("successors are in the store");
            let opened = writer.note(next) & (OPEN | OPEN_GP) != 0;
            assert!(opened);
        }
    }
}

/// Notes, once, that a worker from the initial state has come to a state that one from an artificial state has opened.
#[inline(never)]
fn hit(writer: &Writer, hits: &mut Vec<Arrival>, arrival: Arrival) {
    if writer.store().note(arrival.state).fetch_or(HIT, AcqRel) & HIT == 0 {
        hits.push(arrival);
    }
}
