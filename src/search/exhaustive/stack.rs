//! The one depth-first loop. A search is a [`Policy`] on it.
//!
//! ```text
//! while something is left to do, last first:
//!     an edge to s:  the policy looks at s and says whether to enter it; if so:
//!                    s is put on the path, the policy marks it,
//!                    its successors are inserted and the edges to them put on the stack, the first one on top
//!     a fault:       it is reported
//!     leave:         the policy looks back at the last state of the path, which is then left
//! ```
//!
//! All successors are inserted when their parent is expanded (one batch, prefetched). A state counts as visited only when it is entered,
//! which happens in true depth-first order, in that of pan unless the policy chooses another one. The stack holds state numbers;
//! recursion is explicit.

use super::audit::audit;
pub use super::proviso::Encounter;
use super::proviso::{Position, Proviso, Reducer};
use crate::search::expand::Expansion;
use crate::search::meter::Meter;
use crate::search::witness::along;
use crate::search::{Config, DEPTH_LIMIT, Monitor, Problem, Reason, Tally, Violation, start};
use crate::store::statuses::{Bits, Statuses};
use crate::store::{Full, Own, StateId, States, Visited};
use crate::system::{Batch, Observer, Outcome, Run, System};
use std::iter;

/// What makes a depth-first search the search that it is.
pub trait Policy: Sized {
    type System: System;
    type Visited: Visited;
    /// What the stack keeps of an edge beside its steps and the state that it leads to.
    type Edge: Copy;
    /// Why the search ends early.
    type Halt: From<Reason>;

    /// Whether a limit of depth makes sense: the path begins at the initial state.
    const BOUNDED: bool = true;

    /// An edge leads to a state.
    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<Self::Edge>) -> Result<Encounter, Self::Halt>;

    /// Marks and counts the state that was put on the path.
    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<Self::Edge>) -> Result<(), Self::Halt>;

    /// Whether the run has ended in a state that was entered.
    fn run(&self, _on: &Descent<Self>, _state: StateId) -> Run {
        Run::GoesOn
    }

    /// Makes what it keeps of the edges to the current successors of a state.
    fn prepare(&mut self, _on: &mut Descent<Self>, _state: StateId) -> Result<(), Self::Halt> {
        Ok(())
    }

    /// Counts the successors of a state that was entered, and looks whether it ends where it must not.
    #[inline(always)]
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Self::Halt> {
        on.tally.absorb(&on.successors.batch);
        on.judge_end(state);
        Ok(())
    }

    /// Inserts the successors of a state and puts edges to them on the stack.
    fn schedule(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Self::Halt>;

    /// Looks at the limits, after each expansion.
    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Self::Halt>;

    /// Where a state that is about to be left is in its component; for a search that knows components.
    fn position(&self, _on: &Descent<Self>, _state: StateId) -> Position {
        Position::Inner
    }

    /// Another state that is to be expanded before the last state of the path is left.
    fn resume(&mut self, _on: &mut Descent<Self>) -> Result<Option<StateId>, Self::Halt> {
        Ok(None)
    }

    /// Looks back at the last state of the path.
    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Self::Halt>;

    /// Enough has been found.
    fn is_over(&self, on: &Descent<Self>) -> bool {
        on.tally.stopped()
    }
}

/// What becomes of an edge to a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<E> {
    /// It goes on the stack.
    Follow(E),
    /// The policy puts it there itself.
    Later,
    /// It need not be followed: the state is known.
    Drop,
}

/// An edge that is still to be followed.
#[derive(Clone, Copy, Debug)]
pub struct Visit<E> {
    pub state: StateId,
    /// As SPIN counts them; 0 if the run has ended and its last state repeats.
    pub steps: u32,
    pub edge: E,
}

/// A state of the path, and how many steps led to it.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub state: StateId,
    steps: u32,
}

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo<E> {
    Follow(Visit<E>),
    /// This entry of the successors of the last state of the path is a fault.
    Fault(u32),
    Leave,
}

/// A depth-first search on its way.
pub struct Descent<'d, P: Policy> {
    pub problem: &'d Problem<'d, P::System>,
    /// That of the problem.
    pub system: &'d P::System,
    pub visited: P::Visited,
    pub successors: Expansion<P::System>,
    todo: Vec<Todo<P::Edge>>,
    /// The states that are being visited.
    pub path: Vec<Frame>,
    /// Steps of the path.
    pub depth: u64,
    pub meter: Meter<'d>,
    pub tally: Tally,
    /// What is left out, if the search is reduced.
    pub reducer: Option<Box<Reducer<'d>>>,
}

impl<'d, P: Policy> Descent<'d, P> {
    pub fn new(
        problem: &'d Problem<'d, P::System>,
        visited: P::Visited,
        tally: Tally,
        monitor: &'d Monitor,
    ) -> Descent<'d, P> {
        Descent {
            problem,
            system: &problem.system,
            visited,
            successors: Expansion::new(&problem.system),
            todo: Vec::new(),
            path: Vec::new(),
            depth: 0,
            meter: Meter::new(monitor),
            tally,
            reducer: None,
        }
    }

    /// Leaves out what may be left out with this proviso, if the problem allows it.
    pub fn reduce_by(&mut self, proviso: Option<Proviso>, statuses: Statuses<'d>) {
        if let (Some(proviso), Some(reduction)) = (proviso, &self.problem.reduction) {
            self.reducer = Some(Box::new(Reducer::new(reduction, proviso, statuses)));
            self.tally.reduced = true;
        }
    }

    pub fn push(&mut self, visit: Visit<P::Edge>) {
        self.todo.push(Todo::Follow(visit));
    }

    /// Searches until nothing is left to do, or the policy has enough.
    pub fn explore(&mut self, policy: &mut P) -> Result<(), P::Halt> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Follow(visit) => {
                    let encounter = policy.meet(self, visit)?;
                    if let (Some(reducer), Some(source)) = (&mut self.reducer, self.path.last()) {
                        reducer.follow(source.state, visit.state, encounter);
                    }
                    if encounter == Encounter::New && !(P::BOUNDED && self.is_too_deep(visit)) {
                        self.enter(visit, policy)?;
                    }
                }
                Todo::Fault(entry) => self.report_fault(entry as usize, policy),
                Todo::Leave if self.complete(policy)? => {}
                Todo::Leave => {
                    policy.leave(self)?;
                    if let Some(reducer) = &mut self.reducer {
                        reducer.leave();
                    }
                    let left = self.path.pop().expect("every visit is left once");
                    self.depth -= left.steps as u64;
                }
            }
            if policy.is_over(self) {
                break;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, visit: Visit<P::Edge>, policy: &mut P) -> Result<(), P::Halt> {
        self.depth += visit.steps as u64;
        self.path.push(Frame { state: visit.state, steps: visit.steps });
        self.todo.push(Todo::Leave);
        policy.enter(self, visit)?;
        self.expand(visit.state, policy.run(self, visit.state));
        if self.reducer.is_some() {
            self.reduce(visit.state, Reducer::enter);
        }
        policy.look(self, visit.state)?;
        policy.prepare(self, visit.state)?;
        policy.schedule(self, visit.state)?;
        policy.poll(self)
    }

    /// Shows the current successors of a state to the reducer.
    #[inline(never)]
    fn reduce(&mut self, state: StateId, show: impl FnOnce(&mut Reducer<'d>, StateId, &[u64], &Batch, &mut Observer)) {
        let Descent { system, visited, successors: Expansion { scratch, batch, source, .. }, reducer, .. } = self;
        if let Some(reducer) = reducer {
            show(reducer, state, visited.recall(state, source), batch, &mut system.observer(scratch));
        }
    }

    /// Leaves out what is left out of this state, which a search for cycles looks at again; see [`Reducer::settle`].
    pub fn settle(&mut self, state: StateId) {
        if self.reducer.is_some() {
            self.reduce(state, Reducer::settle);
        }
    }

    /// Leaves out what is left out of this state of another worker; see [`Reducer::revisit`].
    pub fn revisit(&mut self, state: StateId) {
        if self.reducer.is_some() {
            self.reduce(state, Reducer::revisit);
        }
    }

    /// Follows what was left out at the last state of the path, or what else is to be done there; true if there is something.
    #[inline(always)]
    fn complete(&mut self, policy: &mut P) -> Result<bool, P::Halt> {
        if self.reducer.is_some() {
            return self.complete_reduced(policy);
        }
        let Some(state) = policy.resume(self)? else { return Ok(false) };
        self.todo.push(Todo::Leave);
        self.expand(state, policy.run(self, state));
        policy.prepare(self, state)?;
        policy.schedule(self, state)?;
        policy.poll(self)?;
        Ok(true)
    }

    fn complete_reduced(&mut self, policy: &mut P) -> Result<bool, P::Halt> {
        let Some(&Frame { state, .. }) = self.path.last() else { return Ok(false) };
        let position = policy.position(self, state);
        if !self.reducer.as_mut().is_some_and(|reducer| reducer.must_complete(state, position)) {
            return Ok(false);
        }
        self.todo.push(Todo::Leave);
        self.expand(state, policy.run(self, state));
        self.reduce(state, |reducer, _, words, batch, observer| reducer.complete(words, batch, observer));
        policy.prepare(self, state)?;
        policy.schedule(self, state)?;
        Ok(true)
    }

    /// A state at the depth limit is not entered; that may be an error.
    #[inline(always)]
    fn is_too_deep(&mut self, visit: Visit<P::Edge>) -> bool {
        let limit = self.meter.too_deep(self.depth + visit.steps as u64);
        if let Some(limit) = limit {
            self.turn_back(visit.state, limit);
        }
        limit.is_some()
    }

    #[cold]
    fn turn_back(&mut self, state: StateId, limit: u64) {
        let Descent { system, visited, successors, path, tally, .. } = self;
        tally.cut_short(Reason::Depth(limit));
        if tally.depth_is_error() {
            let witness = || {
                let path: Vec<StateId> = path.iter().map(|frame| frame.state).chain([state]).collect();
                along(*system, visited, &path, iter::empty(), &mut successors.scratch)
            };
            tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
        }
        if !tally.stopped() {
            tally.counts.matched += 1;
        }
    }

    /// Finds the successors of a state.
    #[inline(always)]
    pub fn expand(&mut self, state: StateId, run: Run) {
        self.successors.expand(self.system, state, run, &self.visited);
    }

    /// The words of a state.
    #[inline(always)]
    pub fn words(&mut self, state: StateId) -> &[u64] {
        self.visited.recall(state, &mut self.successors.source)
    }

    /// Notes what is wrong with the last state of the path if it has no successors.
    #[inline(always)]
    pub fn judge_end(&mut self, state: StateId) {
        if self.successors.batch.entries.is_empty() {
            let Descent { problem, visited, successors: Expansion { scratch, .. }, path, tally, .. } = self;
            problem.judge_end(visited, state, || states_of(path), scratch, tally);
        }
    }

    /// Inserts all successors and puts edges to them on the stack in pan's order, the first one on top; faults, too.
    #[inline(always)]
    pub fn push_all(&mut self, edge: impl Fn(usize) -> P::Edge) -> Result<(), Reason> {
        self.successors.prefetch_records(&self.visited);
        let Descent { visited, successors: Expansion { batch, hashes, .. }, todo, reducer, .. } = self;
        for (i, entry) in batch.entries.iter().enumerate().rev() {
            if reducer.as_ref().is_some_and(|reducer| reducer.skips(i)) {
                continue;
            }
            todo.push(match entry.outcome {
                Outcome::Fault(_) => Todo::Fault(i as u32),
                Outcome::Endless | Outcome::Atomic(_) => continue,
                Outcome::State => {
                    let inserted = visited.insert(batch.state(entry), hashes[i], 0);
                    let state = inserted.map_err(|Full| Reason::StoreFull)?.id;
                    Todo::Follow(Visit { state, steps: batch.length(entry) as u32, edge: edge(i) })
                }
            });
        }
        Ok(())
    }

    /// Chooses the order of a worker for the successors that are not left out.
    #[inline(always)]
    pub fn arrange(&mut self, worker: usize) {
        let Descent { successors, reducer, .. } = self;
        match reducer {
            None => successors.arrange(worker, |_| true),
            Some(reducer) => successors.arrange(worker, |entry| !reducer.skips(entry)),
        }
    }

    /// Inserts the successors that are states, in the order in which they were arranged, and puts edges to them on the stack as `next` says,
    /// which is told the number of the entry; how many there are.
    #[inline(always)]
    pub fn push_wanted(
        &mut self,
        mut next: impl FnMut(&P::Visited, Visit<usize>) -> Next<P::Edge>,
    ) -> Result<u64, Reason> {
        let mut count = 0;
        let Descent { visited, successors, todo, reducer, path, .. } = self;
        successors.prefetch_records(visited);
        for (number, entry, hash) in successors.numbered_states() {
            let inserted = visited.insert(successors.batch.state(entry), hash, 0);
            let state = inserted.map_err(|Full| Reason::StoreFull)?.id;
            let steps = successors.batch.length(entry) as u32;
            count += 1;
            match next(visited, Visit { state, steps, edge: number }) {
                Next::Follow(edge) => todo.push(Todo::Follow(Visit { state, steps, edge })),
                Next::Later => {}
                Next::Drop => {
                    if let (Some(reducer), Some(source)) = (&mut *reducer, path.last()) {
                        reducer.follow(source.state, state, Encounter::Known);
                    }
                }
            }
        }
        Ok(count)
    }

    /// How much is left to do.
    pub fn left(&self) -> usize {
        self.todo.len()
    }

    /// Puts edges on the stack below what was put there since `first` things were left to do.
    pub fn push_below(&mut self, first: usize, visits: &[Visit<P::Edge>]) {
        if !visits.is_empty() {
            self.todo.extend(visits.iter().map(|&visit| Todo::Follow(visit)));
            self.todo[first..].rotate_right(visits.len());
        }
    }

    #[cold]
    fn report_fault(&mut self, entry: usize, policy: &P) {
        let Some(&Frame { state, .. }) = self.path.last() else { return };
        self.expand(state, policy.run(self, state));
        let Descent { system, visited, successors: Expansion { batch, scratch, .. }, path, tally, .. } = self;
        // a limit may have cut off the expansion this time
        let Some(entry) = batch.entries.get(entry) else { return };
        let Outcome::Fault(fault) = entry.outcome else { return };
        let witness = || along(*system, visited, &states_of(path), batch.steps(entry), scratch);
        tally.fault(&batch.faults[fault as usize], entry.step, witness);
    }

    /// Bytes of the stacks.
    pub fn memory(&self) -> u64 {
        bytes_of(&self.todo, &self.path)
    }

    /// The edges that are left to follow, the next one last. Nothing is left to do any more.
    pub fn take_left(&mut self) -> impl Iterator<Item = Visit<P::Edge>> + '_ {
        self.path.clear();
        self.depth = 0;
        self.todo.drain(..).filter_map(|todo| match todo {
            Todo::Follow(visit) => Some(visit),
            Todo::Fault(_) | Todo::Leave => None,
        })
    }
}

fn bytes_of<E>(todo: &Vec<Todo<E>>, path: &Vec<Frame>) -> u64 {
    (todo.capacity() * size_of::<Todo<E>>() + path.capacity() * size_of::<Frame>()) as u64
}

/// The states of a path.
pub fn states_of(path: &[Frame]) -> Vec<StateId> {
    path.iter().map(|frame| frame.state).collect()
}

/// For a search by one thread.
impl<'d, P: Policy<Visited: Own>> Descent<'d, P> {
    /// A search from the initial state, or the end of one that cannot start.
    pub fn start(
        problem: &'d Problem<'d, P::System>,
        config: Config,
        monitor: &'d Monitor,
    ) -> Result<Descent<'d, P>, Box<Tally>>
    where
        P::Edge: Default,
    {
        let (store, root, _, tally) = start(&problem.system, problem.checks, config, 0)?;
        let mut descent = Descent::new(problem, store, tally, monitor);
        descent.reduce_by(config.proviso(problem), Statuses::Own(Bits::default()));
        descent.push(Visit { state: root, steps: 0, edge: P::Edge::default() });
        Ok(descent)
    }

    /// Looks at the limits if it is time for that, which it tells; `more` are bytes that the policy needs.
    #[inline(always)]
    pub fn poll_limits(&mut self, more: impl FnOnce() -> u64) -> Result<bool, Reason> {
        let states = self.tally.counts.stored;
        let Descent { visited, successors, todo, path, meter, tally, reducer, .. } = self;
        let reduced = || reducer.as_ref().map_or(0, |reducer| reducer.memory());
        let memory = || visited.memory() + bytes_of(todo, path) + reduced() + more();
        meter.weigh(successors.batch.entries.len());
        meter.poll(successors.batch.words.len(), states, tally.counts.depth, memory)
    }

    /// What was counted, and the scratch memory with what was noted in it.
    pub fn end(mut self, more: u64) -> (Tally, <P::System as System>::Scratch) {
        if let Some(reducer) = &self.reducer
            && cfg!(debug_assertions)
        {
            let Descent { problem, visited, tally, .. } = &self;
            audit(problem, reducer.proviso(), visited, tally, |state| reducer.status(state));
        }
        self.tally.counts.memory = self.visited.memory() + self.memory() + more;
        self.tally.note_ranges(self.system, &self.visited);
        (self.tally, self.successors.scratch)
    }
}
