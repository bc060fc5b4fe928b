//! Swarmed depth-first search (`swarm`), also from artificial states (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 1, 5 and 6. Every thread searches depth first, in an
//! order of its own; what one has left behind for good, no other enters.
//!
//! ```text
//! visit(s): open(s); expand s; for each successor t, in this thread's order, those first that nobody has entered:
//!             if t is neither closed nor entered by this thread: visit(t)
//!           close(s)
//! ```
//!
//! A thread that has come from an artificial state does not know whether it could be there. It says so with another mark
//! (OPEN_GP), and where something goes wrong it marks its whole stack (DEADLOCK_GP) and gives up: if a thread from the initial
//! state comes to such a state, that is a violation. What such a thread has expanded is logged, and nobody else enters it: whether
//! it can be reached is found out in the end, see [`super::genetic`].
//!
//! Differs from the paper: a thread from the initial state does not enter what one from an artificial state has entered, be it closed or
//! not, but notes it as a hit; and the latter does not enter what any other has entered. And the search ends when all threads from the initial state have ended, not when the first one has.
//! Three threads show why. With the edges ι→a, ι→b, a→c, b→c, c→a, c→b and c→d, one thread may be at ι a c and have closed b (c
//! is on its stack), another one at ι b c and have closed a; neither has seen d. The third finds a and b closed, and closes ι.
//!
//! A state counts, with its successors and errors, for the thread that is the first to enter it: so that the figures are those
//! of a search by one thread.

use super::crew::{Crew, Watch, bit};
use super::expand::Expansion;
use super::log::{GAVE_UP, Link, Log, WRONG};
use super::rebuild;
use crate::search::reach::{Reach, Wrong};
use crate::search::witness::along;
use crate::search::{Config, Finding, Problem, Reason, Tally, Violation};
use crate::store::{StateId, States, Writer};
use crate::system::{Batch, Interpreter, Outcome, Step};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states: entered by a thread from the initial state, or by one from an artificial state.
pub const OPEN: u64 = 1;
pub const OPEN_GP: u64 = 2;
pub const CLOSED: u64 = 4;
/// From here something goes wrong; nobody has come here from the initial state yet.
pub const DEADLOCK_GP: u64 = 8;
/// A thread from the initial state has come to it, and found that one from an artificial state had entered it.
pub const HIT: u64 = 16;
/// It can be reached, though only threads from artificial states have been there.
pub const REACHED: u64 = 32;

/// States that a thread may enter on the way from artificial states: so many, and so many times those that were entered
/// from the initial state.
const HEAD_START: u64 = 100_000;
const AHEAD: u64 = 2;

/// The word in front of a state that says where its expansion is logged.
pub const LINK: usize = 1;

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
    /// Nobody has entered it.
    Fresh,
    /// Another thread from the initial state has entered it, and not closed it: it takes two to be sure.
    Busy,
    /// There is nothing to be done here.
    Known,
    /// A thread from an artificial state has entered it.
    Taken,
    /// From here something goes wrong.
    Doomed,
}

impl Role {
    #[inline(always)]
    fn view(self, note: u64, own: u64) -> View {
        match self {
            _ if note & DEADLOCK_GP != 0 => View::Doomed,
            _ if note & (OPEN | OPEN_GP) == 0 => View::Fresh,
            Role::Artificial => View::Known,
            Role::Real if note & OPEN == 0 => View::Taken,
            Role::Real if note & (CLOSED | own) == 0 => View::Busy,
            Role::Real => View::Known,
        }
    }

    fn mark(self) -> u64 {
        match self {
            Role::Real => OPEN,
            Role::Artificial => OPEN_GP,
        }
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

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo {
    Visit { state: StateId, steps: u32 },
    Leave,
}

pub struct Worker<'w, 'p> {
    problem: &'w Problem<'p>,
    crew: &'w Crew<'w>,
    thread: usize,
    role: Role,
    /// Where every run begins.
    initial: StateId,
    writer: Writer<'w>,
    successors: Expansion<Interpreter<'p>>,
    /// Successors that others have entered.
    busy: Vec<Todo>,
    todo: Vec<Todo>,
    /// The states that are being visited, and how many steps led to each.
    path: Vec<(StateId, u32)>,
    depth: u64,
    watch: Watch,
    tally: Tally,
    pub traces: Traces,
}

/// What a thread leaves behind for those who ask what can be reached.
#[derive(Debug, Default)]
pub struct Traces {
    /// Artificial states that were bred.
    pub bred: u64,
    /// What was expanded on the way from artificial states.
    pub log: Log,
    /// Artificial states that are left to search from, the next one last.
    pub roots: Vec<Vec<u64>>,
    /// States that a thread from an artificial state had entered when this one, from the initial state, came to them.
    pub hits: Vec<StateId>,
    /// States entered from artificial states, and those of them that were entered from the initial state, too, as far as this
    /// thread was the one to see it.
    pub artificial: u64,
    pub both: u64,
    /// Which transitions were executed on the way from artificial states.
    pub executed: Vec<bool>,
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
        (thread, writer): (usize, Writer<'w>),
        (initial, traces): (StateId, Traces),
    ) -> Worker<'w, 'p> {
        Worker {
            problem,
            crew,
            thread,
            role: Role::Real,
            initial,
            writer,
            successors: Expansion::new(&problem.system),
            busy: Vec::new(),
            todo: Vec::new(),
            path: Vec::new(),
            depth: 0,
            watch: Watch::new(thread),
            tally: Tally::new(config, problem.checks),
            traces,
        }
    }

    /// Searches from an artificial state, unless it is full.
    pub fn search_artificial(&mut self, state: &[u64]) {
        match self.writer.insert(state, self.writer.hash(state)) {
            Ok((root, _)) => self.search(root, Role::Artificial),
            Err(_) => self.give_up(Reason::StoreFull),
        }
    }

    /// Searches from a state.
    pub fn search(&mut self, root: StateId, role: Role) {
        if role != self.role {
            // what was executed before was so in the other role
            std::mem::swap(&mut self.traces.executed, &mut self.successors.scratch.executed);
            self.successors.scratch.executed.resize(self.traces.executed.len(), false);
            self.role = role;
        }
        self.todo.push(Todo::Visit { state: root, steps: 0 });
        match self.explore() {
            Ok(()) | Err(Halt::Doomed) => {}
            Err(Halt::For(reason)) => self.give_up(reason),
        }
        self.abandon();
    }

    /// Ends the work of all threads.
    fn give_up(&mut self, reason: Reason) {
        self.tally.cut_short(reason);
        self.crew.stop();
    }

    /// Leaves everything as it is, but for this thread's bit: it will not come back to close what is open.
    fn abandon(&mut self) {
        for (state, _) in self.path.drain(..) {
            self.writer.store().note(state).fetch_and(!bit(self.thread), Release);
        }
        self.todo.clear();
        self.depth = 0;
    }

    /// What it has found.
    pub fn end(mut self) -> (Tally, Traces) {
        if self.role == Role::Artificial {
            std::mem::swap(&mut self.traces.executed, &mut self.successors.scratch.executed);
        }
        self.tally.executed = self.successors.scratch.executed;
        (self.tally, self.traces)
    }

    fn must_stop(&self) -> bool {
        self.crew.is_stopped() || self.role == Role::Artificial && !self.may_go_on_from_artificial()
    }

    /// A search from artificial states makes sense: others still search from the initial state, and have not been left far behind. The
    /// states that nobody can reach may be far more than the others.
    pub fn may_go_on_from_artificial(&self) -> bool {
        let enough = HEAD_START + AHEAD * self.crew.entered();
        !self.crew.is_stopped() && !self.crew.is_settled() && self.traces.artificial < enough
    }

    /// Notes what somebody has found who has come from the initial state.
    pub fn found(&mut self, finding: Finding) {
        self.tally.found(finding);
        self.crew.stop();
    }

    fn explore(&mut self) -> Result<(), Halt> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => self.leave(),
                Todo::Visit { state, steps } => {
                    let limit = self.crew.monitor.limits.max_depth;
                    if !self.is_worthwhile(state)? {
                        continue;
                    }
                    match limit.filter(|&limit| self.depth + steps as u64 >= limit) {
                        Some(limit) => self.tally.cut_short(Reason::Depth(limit)),
                        None => self.visit(state, steps)?,
                    }
                }
            }
            if self.must_stop() {
                break;
            }
        }
        Ok(())
    }

    /// A state that this thread should enter. What others have found out about it is taken into account.
    #[inline]
    fn is_worthwhile(&mut self, state: StateId) -> Result<bool, Halt> {
        let note = self.writer.store().note(state).load(Acquire);
        Ok(match self.role.view(note, bit(self.thread)) {
            View::Fresh | View::Busy => true,
            View::Known => false,
            View::Doomed => {
                self.meet_doom(state)?;
                false
            }
            View::Taken => {
                hit(&self.writer, &mut self.traces.hits, state);
                false
            }
        })
    }

    /// From this state something goes wrong.
    #[inline(never)]
    fn meet_doom(&mut self, state: StateId) -> Result<(), Halt> {
        if self.role == Role::Artificial {
            return Err(self.doom());
        }
        self.report_from(state, ids(&self.path));
        Ok(())
    }

    /// Reports what goes wrong somewhere behind a marked state, to which this path leads.
    pub fn report_from(&mut self, state: StateId, mut path: Vec<StateId>) {
        let wrong = rebuild::doomed(self.problem, &self.writer, &mut self.successors, state, &mut path);
        debug_assert!(wrong.is_some(), "from a marked state something goes wrong");
        if let Some(wrong) = wrong {
            self.report(path, wrong);
        }
    }

    /// Marks the whole stack: from each of these states something goes wrong.
    fn doom(&mut self) -> Halt {
        for &(state, _) in self.path.iter().rev() {
            self.writer.store().note(state).fetch_or(DEADLOCK_GP, AcqRel);
        }
        Halt::Doomed
    }

    fn leave(&mut self) {
        let (state, steps) = self.path.pop().expect("every visit is left once");
        self.depth -= steps as u64;
        self.check_closing(state);
        self.writer.store().note(state).fetch_or(CLOSED, Release);
    }

    fn visit(&mut self, state: StateId, steps: u32) -> Result<(), Halt> {
        let before = self.writer.store().note(state).fetch_or(self.role.mark() | bit(self.thread), AcqRel);
        let new = before & self.role.mark() == 0;
        if self.role == Role::Artificial && before & (OPEN | OPEN_GP) != 0 {
            // another thread was faster
            self.writer.store().note(state).fetch_and(!bit(self.thread), Release);
            return Ok(());
        }
        self.depth += steps as u64;
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        self.successors.expand(&self.problem.system, state, false, &self.writer);
        self.traces.both += (new && before & (OPEN | OPEN_GP) != 0) as u64;
        let link = match self.role {
            Role::Artificial => Some(self.log(state, new)?),
            Role::Real => {
                if new {
                    self.count(state);
                }
                None
            }
        };
        self.schedule(link)?;
        self.writer.pass();
        let words = self.successors.batch.words.len();
        let Worker { watch, crew, tally, todo, path, traces, .. } = self;
        let private = || {
            let stacks = todo.capacity() * size_of::<Todo>() + path.capacity() * size_of::<(StateId, u32)>();
            stacks as u64 + traces.log.memory()
        };
        let counts = new && self.role == Role::Real;
        watch.expanded(crew, counts, words, tally, private).map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Counts a state that nobody has entered before, and what is wrong with it.
    fn count(&mut self, state: StateId) {
        let Worker {
            problem, crew, initial, writer, successors: Expansion { scratch, batch, .. }, path, tally, ..
        } = self;
        let store = writer.store();
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(self.depth);
        tally.absorb(batch);
        let whole = || whole(problem, writer, *initial, ids(path));
        for entry in &batch.entries {
            match entry.outcome {
                // all but one of the visits to a state
                Outcome::State => tally.counts.matched += 1,
                Outcome::Fault(fault) => {
                    let witness = || along(&problem.system, store, &whole(), batch.steps(entry), scratch);
                    tally.fault(&batch.faults[fault as usize], entry.step, witness);
                }
                Outcome::Endless | Outcome::Atomic(_) => {}
            }
        }
        if batch.entries.is_empty() && problem.is_deadlock(store.state(state), scratch) {
            let witness = || along(&problem.system, store, &whole(), std::iter::empty(), scratch);
            tally.violation(Violation::InvalidEndState, "invalid end state".into(), witness);
        }
        if tally.stopped() {
            crew.stop();
        }
    }

    /// Reports what is wrong with the last state of a path, whose successors have just been found.
    fn report(&mut self, path: Vec<StateId>, wrong: Wrong) {
        assert_eq!(self.role, Role::Real, "only a thread from the initial state may report");
        let Worker { problem, crew, initial, writer, successors: Expansion { scratch, batch, .. }, tally, .. } = self;
        let path = whole(problem, writer, *initial, path);
        let last = wrong.step.map(|step| batch.entries[step.entry]);
        let steps = last.iter().flat_map(|entry| batch.steps(entry));
        let witness = || along(&problem.system, writer.store(), &path, steps, scratch);
        tally.violation(wrong.violation, wrong.message, witness);
        crew.stop();
    }

    /// Logs the expansion of a state that perhaps nobody can reach; if something is wrong with it, marks the stack.
    fn log(&mut self, state: StateId, new: bool) -> Result<Link, Halt> {
        let store = self.writer.store();
        self.traces.artificial += new as u64;
        let Expansion { scratch, batch, .. } = &mut self.successors;
        let wrong = self.problem.wrong(store.state(state), batch, scratch).is_some();
        let marks = if wrong { WRONG } else { 0 } | if batch.gave_up { GAVE_UP } else { 0 };
        let link = self.traces.log.begin(self.thread, state, batch.atomic_steps, marks);
        store.word(state, LINK).store(link.0, Release);
        self.traces.note_executed(state, batch);
        if wrong { Err(self.doom()) } else { Ok(link) }
    }

    /// Inserts the successors and puts those on the stack that are worth a look: above, those that nobody has entered.
    fn schedule(&mut self, link: Option<Link>) -> Result<(), Reason> {
        let Worker { writer, successors, busy, todo, thread, traces, role, .. } = self;
        successors.arrange(*thread);
        let first = todo.len();
        busy.clear();
        for (entry, hash) in successors.states() {
            let inserted = writer.insert(successors.batch.state(entry), hash);
            let (state, _) = inserted.map_err(|_| Reason::StoreFull)?;
            if let Some(link) = link {
                traces.log.add(link, state);
            }
            let note = writer.store().note(state).load(Acquire);
            let visit = Todo::Visit { state, steps: successors.batch.length(entry) as u32 };
            match role.view(note, bit(*thread)) {
                View::Fresh => todo.push(visit),
                View::Busy | View::Doomed => busy.push(visit),
                View::Known => {}
                View::Taken => hit(writer, &mut traces.hits, state),
            }
        }
        if !busy.is_empty() {
            todo.extend_from_slice(busy);
            todo[first..].rotate_right(busy.len());
        }
        Ok(())
    }

    /// Every successor of a state that is closed is closed itself, or on this thread's stack, or known to go wrong, or will be looked
    /// at in the end because a thread from an artificial state has entered it or does not enter what others have.
    #[cfg(debug_assertions)]
    fn check_closing(&mut self, state: StateId) {
        let Worker { problem, crew, successors, writer, thread, role, .. } = self;
        let note = writer.store().note(state).load(Acquire);
        assert!(note & role.mark() != 0, "a state is closed by a thread that has opened it");
        successors.expand(&problem.system, state, false, writer);
        let wrong = problem.wrong(writer.store().state(state), &successors.batch, &mut successors.scratch).is_some();
        assert!(!wrong || *role == Role::Real, "what goes wrong behind an artificial state is marked, not closed");
        successors.arrange(0);
        for (entry, hash) in successors.states() {
            let next = writer.get(successors.batch.state(entry), hash).expect("successors are in the store");
            // what this thread has entered and nobody has closed is on its stack
            let note = writer.store().note(next).load(Acquire);
            let settled = match role {
                Role::Artificial => note & (OPEN | OPEN_GP) != 0,
                Role::Real => note & (CLOSED | DEADLOCK_GP | HIT | bit(*thread)) != 0,
            };
            assert!(settled || crew.monitor.limits.max_depth.is_some());
        }
    }

    #[cfg(not(debug_assertions))]
    fn check_closing(&mut self, _: StateId) {}
}

/// A thread from the initial state has come to a state that one from an artificial state has entered.
#[inline(never)]
fn hit(writer: &Writer, hits: &mut Vec<StateId>, state: StateId) {
    if writer.store().note(state).fetch_or(HIT, AcqRel) & HIT == 0 {
        hits.push(state);
    }
}

/// The path, from the initial state on.
fn whole(problem: &Problem, writer: &Writer, initial: StateId, path: Vec<StateId>) -> Vec<StateId> {
    match path.first() {
        Some(&first) if first != initial => {
            let mut way = rebuild::way(problem, writer, initial, first).unwrap_or_default();
            way.extend_from_slice(&path[1..]);
            way
        }
        _ => path,
    }
}

fn ids(path: &[(StateId, u32)]) -> Vec<StateId> {
    path.iter().map(|&(id, _)| id).collect()
}
