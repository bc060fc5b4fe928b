//! Swarmed depth-first search (`swarm`), also from artificial states (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 1, 5 and 6. Every thread searches depth first, in an
//! order of its own; what one has left behind for good, no other enters.
//!
//! ```text
//! visit(s): open(s); expand s; for each successor t, in this thread's order: if t is not open: visit(t)
//!           close(s)
//! when there is nothing left: walk again, from the initial state, through states that are open and not closed, each of them once;
//!           for each successor t of such a state: if t is not open: visit(t)
//! ```
//!
//! Differs from the paper, where a thread visits what another one has opened and not yet closed. Whoever has opened a state has expanded
//! it and will see to its successors, so that no other need do so; only a thread that has nothing else to do goes where others are at work,
//! and looks for something that they have not begun. No state is expanded twice as long as everybody has work.
//!
//! Differs also in that the search ends when all threads have ended, not when the first one has closed the initial state. Three threads of
//! the paper's Algorithm 1 show why. With the edges ι→a, ι→b, a→c, b→c, c→a, c→b and c→d, one thread may be at ι a c and have closed b (c is on its
//! stack), another one at ι b c and have closed a; neither has seen d. The third finds a and b closed, closes ι, and everybody stops.
//!
//! A thread that has come from an artificial state does not know whether it could be there. It says so with another mark
//! (OPEN_GP), and where something goes wrong it marks its whole stack (DEADLOCK_GP) and gives up: if a thread from the initial
//! state comes to such a state, that is a violation. What such a thread has expanded is logged, and nobody else enters it: whether
//! it can be reached is found out in the end, see [`super::genetic`].
//!
//! A state counts, with its successors and errors, for the thread that opens it, and its record says from which state that was:
//! so the figures are those of a search by one thread, and there is a run to every state.

use super::crew::{Crew, Watch};
use super::expand::Expansion;
use super::log::{GAVE_UP, Link, Log, WRONG};
use super::rebuild;
use crate::search::reach::{Reach, Wrong};
use crate::search::witness::along;
use crate::search::{Config, Finding, Problem, Reason, Tally, Violation};
use crate::store::{Shared, StateId, States, Writer};
use crate::system::{Batch, Interpreter, Step, Truncations};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states: opened by a thread from the initial state, or by one from an artificial state.
pub const OPEN: u64 = 1;
pub const OPEN_GP: u64 = 2;
pub const CLOSED: u64 = 4;
/// From here something goes wrong; nobody has come here from the initial state yet.
pub const DEADLOCK_GP: u64 = 8;
/// A thread from the initial state has come to it, and found that one from an artificial state had opened it.
pub const HIT: u64 = 16;
/// It can be reached, though only threads from artificial states have been there.
pub const REACHED: u64 = 32;

/// A thread may have opened so many states on the way from artificial ones of which nobody knows whether they can be reached: as many as
/// the plan says, and one for each of these that were opened from the initial state.
const REAL_FOR_ONE_IN_DOUBT: u64 = 4;

/// The word in front of a state that says where its expansion is logged.
pub const LINK: usize = 1;

/// Behind the marks a note has the number of the state from which a state was opened.
const PARENT_SHIFT: u32 = 32;

/// The note of a state that was opened from this one.
pub fn note_of(parent: StateId) -> u64 {
    parent.0 << PARENT_SHIFT | OPEN
}

/// Gives a state that can be reached its mark and a parent; says what its marks were. If it had the mark before, nothing changes.
pub fn adopt(store: &Shared, state: StateId, parent: StateId, mark: u64) -> u64 {
    let note = store.note(state);
    let with_parent = |note: u64| {
        let marks = note & ((1 << PARENT_SHIFT) - 1);
        (note & mark == 0).then_some(parent.0 << PARENT_SHIFT | marks | mark)
    };
    match note.fetch_update(AcqRel, Acquire, with_parent) {
        Ok(before) | Err(before) => before,
    }
}

/// The states from the initial one, which is its own parent, to one that can be reached.
pub fn path_to(store: &Shared, state: StateId) -> Vec<StateId> {
    let mut path = vec![state];
    loop {
        let last = path[path.len() - 1];
        let parent = StateId(store.note(last).load(Acquire) >> PARENT_SHIFT);
        if parent == last {
            break;
        }
        path.push(parent);
    }
    path.reverse();
    path
}

/// Where the search of a thread began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// In a state that can be reached.
    Real,
    /// In one that was made up.
    Artificial,
}

/// What a thread thinks of a state by its marks.
enum View {
    /// Nobody has opened it.
    Fresh,
    /// A thread from the initial state has opened it.
    Known,
    /// A thread from an artificial state has opened it.
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

/// Why a thread gives up.
enum Halt {
    For(Reason),
    /// What it has found is not certain to be there.
    Doomed,
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Halt {
        Halt::For(reason)
    }
}

/// A state and where it was seen from, and how many steps led to it. Numbers of states have 32 bits in a table, and on a stack.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    state: u32,
    parent: u32,
    steps: u32,
}

impl Arrival {
    fn new(state: StateId, parent: StateId, steps: u32) -> Arrival {
        Arrival { state: state.0 as u32, parent: parent.0 as u32, steps }
    }

    /// Where a search begins.
    pub fn root(state: StateId, parent: StateId) -> Arrival {
        Arrival::new(state, parent, 0)
    }

    pub fn state(self) -> StateId {
        StateId(self.state.into())
    }

    pub fn parent(self) -> StateId {
        StateId(self.parent.into())
    }
}

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo {
    Visit(Arrival),
    /// A state is closed, and so many steps are gone back.
    Leave {
        state: u32,
        steps: u32,
    },
}

pub struct Worker<'w, 'p> {
    problem: &'w Problem<'p>,
    crew: &'w Crew<'w>,
    thread: usize,
    role: Role,
    writer: Writer<'w>,
    successors: Expansion<Interpreter<'p>>,
    todo: Vec<Todo>,
    /// States to walk through again, and those where that was done.
    again: Vec<StateId>,
    walked: FxHashSet<StateId>,
    depth: u64,
    watch: Watch,
    tally: Tally,
    pub traces: Traces,
}

/// What a thread leaves behind for those who ask what can be reached.
#[derive(Debug, Default)]
pub struct Traces {
    /// How many states may be opened on the way from artificial states before anybody knows whether that is any use.
    pub ahead: u64,
    /// Artificial states that were bred.
    pub bred: u64,
    /// Those that are left to search from, the next one last.
    pub roots: Vec<Vec<u64>>,
    /// What was expanded on the way from artificial states.
    pub log: Log,
    /// States that a thread from an artificial state had opened when this one, from the initial state, came to them.
    pub hits: Vec<Arrival>,
    /// States opened from artificial states, and those of them that were opened from the initial state, too, as far as this thread was
    /// the one to see it.
    pub artificial: u64,
    pub both: u64,
    /// So many of the former turned out to be reachable.
    pub reachable: u64,
    /// States to visit that were left when a phase ended early.
    pub left: Vec<Arrival>,
    /// Which transitions were executed on the way from artificial states.
    pub executed: Vec<bool>,
    /// And what they stored that does not fit.
    pub truncations: Truncations,
    /// Some of the states in which each of them was executed, and how many that are.
    pub sightings: Vec<(u32, StateId)>,
    seen_in: Vec<u8>,
}

/// States in which a transition was executed that are remembered.
const SIGHTINGS: u8 = 16;

impl Traces {
    /// Notes which transitions were executed in a state, unless that was seen often enough.
    fn note_executed(&mut self, state: StateId, batch: &Batch) {
        for (_, transition) in batch.entries.iter().flat_map(|entry| batch.steps(entry)).flat_map(Step::movers) {
            let number = transition as usize;
            if self.seen_in.len() <= number {
                self.seen_in.resize(number + 1, 0);
            }
            if self.seen_in[number] < SIGHTINGS {
                self.seen_in[number] += 1;
                self.sightings.push((transition, state));
            }
        }
    }

    /// Takes over artificial states, the first one to be searched from first.
    pub fn adopt(&mut self, states: Vec<Vec<u64>>) {
        self.bred = states.len() as u64;
        self.roots = states;
        self.roots.reverse();
    }
}

impl<'w, 'p> Worker<'w, 'p> {
    pub fn new(
        problem: &'w Problem<'p>,
        crew: &'w Crew<'w>,
        config: Config,
        thread: usize,
        traces: Traces,
    ) -> Worker<'w, 'p> {
        Worker {
            problem,
            crew,
            thread,
            role: Role::Real,
            writer: crew.store.writer(),
            successors: Expansion::new(&problem.system),
            todo: Vec::new(),
            again: Vec::new(),
            walked: FxHashSet::default(),
            depth: 0,
            watch: Watch::new(thread),
            tally: Tally::new(config, problem.checks),
            traces,
        }
    }

    /// Searches from states that can be reached, the last one first, and then wherever others have not been.
    pub fn search(&mut self, roots: impl Iterator<Item = Arrival>) {
        self.play(Role::Real);
        for root in roots {
            if self.crew.threads() > 1 {
                self.again.push(root.state());
            }
            self.todo.push(Todo::Visit(root));
        }
        if let Err(Halt::For(reason)) = self.explore() {
            self.give_up(reason);
        }
        if self.crew.is_stopped() {
            // there will be no other phase
            self.todo = Vec::new();
        }
        // what is left after a pause
        let store = self.writer.store();
        let is_known = |state: StateId| matches!(view(store.note(state).load(Acquire)), View::Known);
        let left = self.todo.drain(..).filter_map(|todo| match todo {
            Todo::Visit(arrival) => Some(arrival).filter(|arrival| !is_known(arrival.state())),
            Todo::Leave { state, .. } => {
                // everybody will begin with what is left behind it
                store.note(StateId(state.into())).fetch_or(CLOSED, Release);
                None
            }
        });
        self.traces.left.extend(left);
        self.depth = 0;
    }

    /// Searches from an artificial state.
    pub fn search_artificial(&mut self, state: &[u64]) {
        self.play(Role::Artificial);
        let root = match self.writer.insert(state, self.writer.hash(state)) {
            Ok((root, _)) => root,
            Err(_) => return self.give_up(Reason::StoreFull),
        };
        self.todo.push(Todo::Visit(Arrival::root(root, root)));
        match self.explore() {
            Ok(()) | Err(Halt::Doomed) => {}
            Err(Halt::For(reason)) => self.give_up(reason),
        }
        self.todo.clear();
        self.depth = 0;
    }

    fn play(&mut self, role: Role) {
        if role != self.role {
            // what was executed before was so in the other role
            std::mem::swap(&mut self.traces.executed, &mut self.successors.scratch.executed);
            self.successors.scratch.executed.resize(self.traces.executed.len(), false);
            std::mem::swap(&mut self.traces.truncations, &mut self.successors.scratch.truncations);
            self.role = role;
        }
    }

    /// Ends the work of all threads.
    fn give_up(&mut self, reason: Reason) {
        self.tally.cut_short(reason);
        self.crew.stop();
    }

    /// What it has found.
    pub fn end(mut self) -> (Tally, Traces) {
        self.play(Role::Real);
        self.tally.learn(self.successors.scratch);
        (self.tally, self.traces)
    }

    fn must_stop(&self) -> bool {
        match self.role {
            Role::Real => self.crew.is_stopped() || self.crew.is_paused(),
            Role::Artificial => !self.may_go_on_from_artificial(),
        }
    }

    /// Whether it has opened all the states that it may open on the way from artificial ones, before anybody knows which can be reached.
    pub fn is_far_enough(&self) -> bool {
        let in_doubt = self.traces.artificial - self.traces.reachable;
        in_doubt >= self.traces.ahead + self.crew.entered() / REAL_FOR_ONE_IN_DOUBT
    }

    /// A search from artificial states makes sense: others still search from the initial state, and it is not in vain. The states that
    /// nobody can reach may be far more than the others.
    pub fn may_go_on_from_artificial(&self) -> bool {
        let is_over = self.crew.is_stopped() || self.crew.is_paused() || self.crew.is_settled();
        !is_over && !self.is_far_enough()
    }

    /// Notes what somebody has found who has come from the initial state.
    pub fn found(&mut self, finding: Finding) {
        self.tally.found(finding);
        self.crew.stop();
    }

    fn explore(&mut self) -> Result<(), Halt> {
        loop {
            match self.todo.pop() {
                Some(Todo::Leave { state, steps }) => self.leave(StateId(state.into()), steps),
                Some(Todo::Visit(arrival)) => self.arrive(arrival)?,
                None => match self.again.pop() {
                    Some(state) => self.walk_again(state)?,
                    None => return Ok(()),
                },
            }
            if self.must_stop() {
                return Ok(());
            }
        }
    }

    /// Opens a state unless others know more about it.
    fn arrive(&mut self, arrival: Arrival) -> Result<(), Halt> {
        let store = self.writer.store();
        let note = store.note(arrival.state()).load(Acquire);
        match (view(note), self.role) {
            (View::Doomed, Role::Real) => {
                self.report_from(arrival.state(), path_to(store, arrival.parent()));
                Ok(())
            }
            (View::Doomed, Role::Artificial) => Err(self.doom()),
            (View::Taken, Role::Real) => {
                hit(&self.writer, &mut self.traces.hits, arrival);
                Ok(())
            }
            (View::Known, Role::Real) if note & CLOSED == 0 && self.crew.threads() > 1 => {
                // another thread was faster; when this one has nothing left to do, it may find work there
                self.again.push(arrival.state());
                Ok(())
            }
            (View::Known | View::Taken, _) => Ok(()),
            (View::Fresh, _) => self.visit(arrival),
        }
    }

    fn visit(&mut self, arrival: Arrival) -> Result<(), Halt> {
        let store = self.writer.store();
        let state = arrival.state();
        let before = match self.role {
            Role::Real => adopt(store, state, arrival.parent(), OPEN),
            Role::Artificial => store.note(state).fetch_or(OPEN_GP, AcqRel),
        };
        let is_late = match self.role {
            Role::Real => before & OPEN != 0,
            Role::Artificial => before & (OPEN | OPEN_GP) != 0,
        };
        if is_late {
            return Ok(());
        }
        self.depth += arrival.steps as u64;
        self.todo.push(Todo::Leave { state: arrival.state, steps: arrival.steps });
        self.successors.expand(&self.problem.system, state, false, &self.writer);
        let link = match self.role {
            Role::Artificial => Some(self.log(state)?),
            Role::Real => {
                self.traces.both += (before & OPEN_GP != 0) as u64;
                self.count(state);
                None
            }
        };
        self.schedule(state, link)?;
        self.breathe(self.role == Role::Real)
    }

    /// Expands a state again that another thread is at work with.
    fn walk_again(&mut self, state: StateId) -> Result<(), Halt> {
        let note = self.writer.store().note(state).load(Acquire);
        if self.role == Role::Artificial || note & (OPEN | CLOSED) != OPEN || !self.walked.insert(state) {
            return Ok(());
        }
        self.successors.expand(&self.problem.system, state, false, &self.writer);
        self.schedule(state, None)?;
        self.again_behind();
        self.breathe(false)
    }

    /// Lets the others change what all use, and looks at the limits.
    fn breathe(&mut self, new: bool) -> Result<(), Halt> {
        self.writer.pass();
        let words = self.successors.batch.words.len();
        let Worker { watch, crew, tally, todo, again, walked, traces, .. } = self;
        let private = || {
            let states = (again.capacity() + walked.capacity()) * size_of::<StateId>();
            (todo.capacity() * size_of::<Todo>() + states) as u64 + traces.log.memory()
        };
        watch.entered(crew, new as u64, words, tally, private).map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Reports what goes wrong somewhere behind a marked state, to which this path leads.
    #[inline(never)]
    pub fn report_from(&mut self, state: StateId, mut path: Vec<StateId>) {
        let wrong = rebuild::doomed(self.problem, &self.writer, &mut self.successors, state, &mut path);
        debug_assert!(wrong.is_some(), "from a marked state something goes wrong");
        if let Some(wrong) = wrong {
            self.report(&path, wrong);
        }
    }

    /// Marks the whole stack: from each of these states something goes wrong.
    #[inline(never)]
    fn doom(&mut self) -> Halt {
        debug_assert_eq!(self.role, Role::Artificial, "a thread from the initial state reports what it finds");
        for todo in self.todo.iter().rev() {
            if let Todo::Leave { state, .. } = *todo {
                self.writer.store().note(StateId(state.into())).fetch_or(DEADLOCK_GP, AcqRel);
            }
        }
        Halt::Doomed
    }

    fn leave(&mut self, state: StateId, steps: u32) {
        self.depth -= steps as u64;
        self.check_closing(state);
        // nobody else asks, where there is nobody else
        if self.crew.threads() > 1 {
            self.writer.store().note(state).fetch_or(CLOSED, Release);
        }
    }

    /// Counts a state that nobody has opened before, and what is wrong with it.
    fn count(&mut self, state: StateId) {
        let Worker { problem, crew, writer, successors, depth, tally, .. } = self;
        let store = writer.store();
        successors.count(&problem.system, store, || path_to(store, state), *depth, tally);
        let Expansion { scratch, batch, .. } = successors;
        if batch.entries.is_empty() && problem.is_deadlock(store.state(state), scratch) {
            let place = problem.place_of_end(store.state(state), scratch);
            let witness = || along(&problem.system, store, &path_to(store, state), std::iter::empty(), scratch);
            tally.violation_at(place, Violation::InvalidEndState, "invalid end state".into(), witness);
        }
        if tally.stopped() {
            crew.stop();
        }
    }

    /// Reports what is wrong with the last state of a path, whose successors have just been found.
    fn report(&mut self, path: &[StateId], wrong: Wrong) {
        assert_eq!(self.role, Role::Real, "only a thread from the initial state may report");
        let Worker { problem, crew, writer, successors: Expansion { scratch, batch, .. }, tally, .. } = self;
        let last = wrong.step.map(|step| batch.entries[step.entry]);
        let steps = last.iter().flat_map(|entry| batch.steps(entry));
        let witness = || along(&problem.system, writer.store(), path, steps, scratch);
        tally.violation(wrong.violation, wrong.message, witness);
        crew.stop();
    }

    /// Logs the expansion of a state that perhaps nobody can reach; if something is wrong with it, marks the stack.
    fn log(&mut self, state: StateId) -> Result<Link, Halt> {
        let store = self.writer.store();
        self.traces.artificial += 1;
        let Expansion { scratch, batch, .. } = &mut self.successors;
        let wrong = self.problem.wrong(store.state(state), batch, scratch).is_some();
        let marks = if wrong { WRONG } else { 0 } | if batch.gave_up { GAVE_UP } else { 0 };
        let link = self.traces.log.begin(self.thread, state, batch.atomic_steps, marks);
        store.word(state, LINK).store(link.0, Release);
        self.traces.note_executed(state, batch);
        if wrong { Err(self.doom()) } else { Ok(link) }
    }

    /// Inserts the successors and puts those on the stack that are worth a look.
    fn schedule(&mut self, parent: StateId, link: Option<Link>) -> Result<(), Reason> {
        let Worker { writer, successors, todo, thread, traces, role, .. } = self;
        successors.arrange(*thread);
        for (entry, hash) in successors.states() {
            let inserted = writer.insert(successors.batch.state(entry), hash);
            let (state, _) = inserted.map_err(|_| Reason::StoreFull)?;
            if let Some(link) = link {
                traces.log.add(link, state);
            }
            let arrival = Arrival::new(state, parent, successors.batch.length(entry) as u32);
            match view(writer.store().note(state).load(Acquire)) {
                View::Fresh | View::Doomed => todo.push(Todo::Visit(arrival)),
                View::Taken if *role == Role::Real => hit(writer, &mut traces.hits, arrival),
                View::Known | View::Taken => {}
            }
        }
        Ok(())
    }

    /// Has a look at those successors later that others are at work with.
    fn again_behind(&mut self) {
        let Worker { writer, successors, again, walked, .. } = self;
        for (entry, hash) in successors.states() {
            let Some(state) = writer.get(successors.batch.state(entry), hash) else { continue };
            let is_busy = writer.store().note(state).load(Acquire) & (OPEN | CLOSED) == OPEN;
            if is_busy && !walked.contains(&state) {
                again.push(state);
            }
        }
    }

    /// What the paper proves, as far as it is so here. A state is closed by a thread that has opened it; one in which something is wrong
    /// is not closed by a thread from an artificial state (invariant 2); every successor of a state that is closed was opened by
    /// somebody, who has expanded it (3 and 4), unless a pause has closed it: then everybody begins with what is left behind it. Who marks
    /// and who reports (5 and 7), and that marks lead to what is wrong (6), is checked where it happens.
    #[cfg(debug_assertions)]
    fn check_closing(&mut self, state: StateId) {
        let Worker { problem, successors, writer, role, .. } = self;
        let own = if *role == Role::Real { OPEN } else { OPEN_GP };
        let note = writer.store().note(state).load(Acquire);
        assert!(note & own != 0, "a state is closed by a thread that has opened it");
        successors.expand(&problem.system, state, false, writer);
        let wrong = problem.wrong(writer.store().state(state), &successors.batch, &mut successors.scratch).is_some();
        assert!(!wrong || *role == Role::Real, "what goes wrong behind an artificial state is marked, not closed");
        successors.arrange(0);
        for (entry, hash) in successors.states() {
            let next = writer.get(successors.batch.state(entry), hash).expect("successors are in the store");
            let opened = writer.store().note(next).load(Acquire) & (OPEN | OPEN_GP) != 0;
            assert!(opened);
        }
    }

    #[cfg(not(debug_assertions))]
    fn check_closing(&mut self, _: StateId) {}
}

/// A thread from the initial state has come to a state that one from an artificial state has opened.
#[inline(never)]
fn hit(writer: &Writer, hits: &mut Vec<Arrival>, arrival: Arrival) {
    if writer.store().note(arrival.state()).fetch_or(HIT, AcqRel) & HIT == 0 {
        hits.push(arrival);
    }
}
