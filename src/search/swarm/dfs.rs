//! Swarmed depth-first search (`swarm`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithm 1. Every thread searches depth first from the initial
//! state, in an order of its own; what one has left behind for good, no other enters.
//!
//! ```text
//! visit(s): open(s); expand s; for each successor t, in this thread's order, those first that nobody has entered:
//!             if t is neither closed nor entered by this thread: visit(t)
//!           close(s)
//! ```
//!
//! Differs from the paper: the search ends when all threads have ended, not when the first one has. Three threads show why.
//! With the edges ι→a, ι→b, a→c, b→c, c→a, c→b and c→d, one thread may be at ι a c and have closed b (c is on its stack), another one at ι
//! b c and have closed a; neither has seen d. The third finds a and b closed, and closes ι.
//!
//! A state counts, with its successors and errors, for the thread that is the first to enter it: so that the figures are those
//! of a search by one thread.

use super::crew::{Crew, Watch, bit};
use super::expand::Expansion;
use crate::search::witness::along;
use crate::search::{Config, Problem, Reason, Tally, Violation};
use crate::store::{StateId, States, Writer};
use crate::system::{Interpreter, Outcome};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states.
const OPEN: u64 = 1;
const CLOSED: u64 = 4;

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
    visits: u64,
}

impl<'w, 'p> Worker<'w, 'p> {
    pub fn new(
        problem: &'w Problem<'p>,
        crew: &'w Crew<'w>,
        config: Config,
        thread: usize,
        writer: Writer<'w>,
    ) -> Worker<'w, 'p> {
        Worker {
            problem,
            crew,
            thread,
            writer,
            successors: Expansion::new(&problem.system),
            busy: Vec::new(),
            todo: Vec::new(),
            path: Vec::new(),
            depth: 0,
            watch: Watch::new(thread),
            tally: Tally::new(config, problem.checks),
            visits: 0,
        }
    }

    /// What it has found, after it has searched from a state.
    pub fn search(mut self, root: StateId) -> Tally {
        self.todo.push(Todo::Visit { state: root, steps: 0 });
        if let Err(reason) = self.explore() {
            self.tally.cut_short(reason);
            self.crew.stop();
        }
        self.tally.executed = self.successors.scratch.executed;
        self.tally
    }

    fn explore(&mut self) -> Result<(), Reason> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => self.leave(),
                Todo::Visit { state, steps } => {
                    if self.writer.store().note(state).load(Acquire) & (CLOSED | bit(self.thread)) != 0 {
                        continue;
                    }
                    let limit = self.crew.monitor.limits.max_depth;
                    if let Some(limit) = limit.filter(|&limit| self.depth + steps as u64 >= limit) {
                        self.tally.cut_short(Reason::Depth(limit));
                        continue;
                    }
                    self.visit(state, steps)?;
                }
            }
            if self.crew.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    fn leave(&mut self) {
        let (state, steps) = self.path.pop().expect("every visit is left once");
        self.depth -= steps as u64;
        self.check_closing(state);
        self.writer.store().note(state).fetch_or(CLOSED, Release);
    }

    fn visit(&mut self, state: StateId, steps: u32) -> Result<(), Reason> {
        let store = self.writer.store();
        let before = store.note(state).fetch_or(OPEN | bit(self.thread), AcqRel);
        let new = before & OPEN == 0;
        self.visits += 1;
        self.depth += steps as u64;
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        self.successors.expand(&self.problem.system, state, false, &self.writer);
        if new {
            self.count(state);
        }
        self.schedule()?;
        self.writer.pass();
        let words = self.successors.batch.words.len();
        let Worker { watch, crew, tally, todo, path, .. } = self;
        let stacks = || (todo.capacity() * size_of::<Todo>() + path.capacity() * size_of::<(StateId, u32)>()) as u64;
        watch.expanded(crew, new, words, tally, stacks).map_or(Ok(()), Err)
    }

    /// Counts a state that nobody has entered before, and what is wrong with it.
    fn count(&mut self, state: StateId) {
        let store = self.writer.store();
        let Worker { problem, crew, successors: Expansion { scratch, batch, .. }, path, tally, .. } = self;
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(self.depth);
        tally.absorb(batch);
        for entry in &batch.entries {
            match entry.outcome {
                // all but one of the visits to a state
                Outcome::State => tally.counts.matched += 1,
                Outcome::Fault(fault) => {
                    let witness = || along(&problem.system, store, &ids(path), batch.steps(entry), scratch);
                    tally.fault(&batch.faults[fault as usize], entry.step, witness);
                }
                Outcome::Endless | Outcome::Atomic(_) => {}
            }
        }
        if batch.entries.is_empty() && problem.is_deadlock(store.state(state), scratch) {
            let witness = || along(&problem.system, store, &ids(path), std::iter::empty(), scratch);
            tally.violation(Violation::InvalidEndState, "invalid end state".into(), witness);
        }
        if tally.stopped() {
            crew.stop();
        }
    }

    /// Inserts the successors and puts those on the stack that are worth a visit: above, those that nobody has entered.
    fn schedule(&mut self) -> Result<(), Reason> {
        let Worker { writer, successors, busy, todo, thread, .. } = self;
        successors.arrange(*thread);
        let first = todo.len();
        busy.clear();
        for (entry, hash) in successors.states() {
            let inserted = writer.insert(successors.batch.state(entry), hash);
            let (state, _) = inserted.map_err(|_| Reason::StoreFull)?;
            let note = writer.store().note(state).load(Acquire);
            if note & (CLOSED | bit(*thread)) != 0 {
                continue;
            }
            let visit = Todo::Visit { state, steps: successors.batch.length(entry) as u32 };
            if note & OPEN == 0 { todo.push(visit) } else { busy.push(visit) }
        }
        if !busy.is_empty() {
            todo.extend_from_slice(busy);
            todo[first..].rotate_right(busy.len());
        }
        Ok(())
    }

    /// Every successor of a state that is closed is closed itself, or on this thread's stack.
    #[cfg(debug_assertions)]
    fn check_closing(&mut self, state: StateId) {
        let Worker { problem, crew, successors, writer, thread, .. } = self;
        successors.expand(&problem.system, state, false, writer);
        successors.arrange(0);
        for (entry, hash) in successors.states() {
            let next = writer.get(successors.batch.state(entry), hash).expect("successors are in the store");
            // what this thread has entered and nobody has closed is on its stack
            let left_or_on_stack = writer.store().note(next).load(Acquire) & (CLOSED | bit(*thread)) != 0;
            assert!(left_or_on_stack || crew.monitor.limits.max_depth.is_some());
        }
    }

    #[cfg(not(debug_assertions))]
    fn check_closing(&mut self, _: StateId) {}
}

fn ids(path: &[(StateId, u32)]) -> Vec<StateId> {
    path.iter().map(|&(id, _)| id).collect()
}
