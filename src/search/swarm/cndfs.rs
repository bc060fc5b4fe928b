//! Nested depth-first search by many threads (`cndfs`).
//!
//! Evangelista, Laarman, Petrucci, van de Pol, Improved multi-core nested depth-first search, ATVA 2012, with the classes of
//! the claim's components as in [`indfs`](crate::search::ndfs).
//!
//! ```text
//! blue(s): cyan(s, this thread)
//!   for each successor t, in this thread's order, those first that nobody has entered:
//!     if t is cyan for this thread and (s or t is accepting, or s and t are in the same F-component): report the cycle
//!     if t is neither cyan for this thread nor blue: blue(t)
//!   s is blue
//!   if s is accepting, in a P-component:
//!     R := {}; red(s) within that component
//!     wait until all accepting states in R but s are red
//!     all of R is red
//!   s is no longer cyan
//! red(s): add s to R; for each successor t: if t is cyan for this thread: report the cycle; if t is neither in R nor red: red(t)
//! ```
//!
//! In an F-component every cycle is closed on some stack: when the first state of it becomes blue, the next one is not blue,
//! so that it is on the same thread's stack. The search ends when all threads have ended (see [`super::dfs`]). A state counts
//! for the thread that is the first to enter it.

use super::crew::{Crew, Watch, bit};
use super::expand::Expansion;
use super::hunt;
use crate::property::Product;
use crate::search::path::Path;
use crate::search::witness::{bad_prefix, lasso};
use crate::search::{Config, CycleProblem, Reason, Tally, Violation};
use crate::store::{StateId, States, Writer};
use ltl::scc::Class;
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// Marks of states. Those of the second line are set by the first thread that enters a state, with the first mark.
const ENTERED: u64 = 1;
const ACCEPTING: u64 = 2;
/// The run has ended, and the state does not tell.
const ENDED: u64 = 4;
/// The claim is in an F-component.
const ALL_ACCEPTING: u64 = 8;
pub const BLUE: u64 = 16;
const RED: u64 = 32;
/// From here a run leads to a violation; nobody has come here from the initial state yet.
pub const MARKED: u64 = 64;

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo {
    Visit {
        state: StateId,
        /// None if nobody moved.
        steps: u32,
    },
    Leave,
}

pub struct Worker<'w, 'p> {
    problem: &'w CycleProblem<'p>,
    crew: &'w Crew<'w>,
    thread: usize,
    writer: Writer<'w>,
    successors: Expansion<Product<'p>>,
    /// Successors that others have entered.
    busy: Vec<Todo>,
    todo: Vec<Todo>,
    /// The states that are being visited, and how many steps led to each.
    path: Vec<(StateId, u32)>,
    /// The second search: states to look at, and whether the run has ended there and the state does not tell (`None`: leave the last one
    /// of its path), its path, where it has been, and which of these states are accepting.
    red_todo: Vec<Option<(StateId, bool)>>,
    red_path: Vec<StateId>,
    reached: FxHashSet<StateId>,
    awaited: Vec<StateId>,
    depth: u64,
    watch: Watch,
    tally: Tally,
}

impl<'w, 'p> Worker<'w, 'p> {
    pub fn new(problem: &'w CycleProblem<'p>, crew: &'w Crew<'w>, config: Config, thread: usize) -> Worker<'w, 'p> {
        Worker {
            problem,
            crew,
            thread,
            writer: crew.store.writer(),
            successors: Expansion::new(&problem.product),
            busy: Vec::new(),
            todo: Vec::new(),
            path: Vec::new(),
            red_todo: Vec::new(),
            red_path: Vec::new(),
            reached: FxHashSet::default(),
            awaited: Vec::new(),
            depth: 0,
            watch: Watch::new(thread),
            tally: Tally::new(config, problem.checks),
        }
    }

    /// What it has found, after it has searched from a state.
    pub fn search(mut self, root: StateId) -> Tally {
        self.todo.push(Todo::Visit { state: root, steps: 0 });
        if let Err(reason) = self.explore() {
            self.tally.cut_short(reason);
            self.crew.stop();
        }
        self.tally.learn(self.successors.scratch.system);
        self.tally.seen = Some(self.successors.scratch.seen);
        self.tally
    }

    fn note(&self, state: StateId) -> u64 {
        self.writer.store().note(state).load(Acquire)
    }

    fn explore(&mut self) -> Result<(), Reason> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => self.leave()?,
                Todo::Visit { state, steps } if self.note(state) & MARKED != 0 && self.report_marked(state, steps) => {}
                Todo::Visit { state, .. } if self.note(state) & (BLUE | bit(self.thread)) != 0 => {}
                Todo::Visit { state, steps } => self.visit(state, steps)?,
            }
            if self.crew.is_stopped() {
                break;
            }
        }
        Ok(())
    }

    /// Marks a state as being visited by this thread; says whether it is the first to do so.
    fn enter(&mut self, state: StateId, steps: u32) -> bool {
        let store = self.writer.store();
        let product = &self.problem.product;
        let note = store.note(state);
        let own = bit(self.thread);
        if note.load(Acquire) & ENTERED == 0 {
            let accepting = product.is_accepting(store.state(state), &mut self.successors.scratch);
            let ended = steps == 0 && !self.path.is_empty() && !product.remembers_endings();
            let all_accepting = product.class(store.state(state)) == Class::F;
            let marks = if accepting { ACCEPTING } else { 0 }
                | if ended { ENDED } else { 0 }
                | if all_accepting { ALL_ACCEPTING } else { 0 };
            let first = |note: u64| (note & ENTERED == 0).then_some(note | ENTERED | marks | own);
            if note.fetch_update(AcqRel, Acquire, first).is_ok() {
                return true;
            }
        }
        note.fetch_or(own, AcqRel);
        false
    }

    fn visit(&mut self, state: StateId, steps: u32) -> Result<(), Reason> {
        let new = self.enter(state, steps);
        self.depth += steps as u64;
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        if let Some(message) = self.problem.product.is_decided(self.writer.store().state(state)) {
            self.tally.counts.stored += new as u64;
            self.tally.counts.depth = self.tally.counts.depth.max(self.depth);
            let Worker { problem, crew, writer, successors, path, tally, .. } = self;
            if new {
                let witness = || bad_prefix(&problem.product, writer.store(), &ids(path), &mut successors.scratch);
                tally.violation(Violation::ClaimCompleted, message.into(), witness);
            }
            if tally.stopped() {
                crew.stop();
            }
            return Ok(());
        }
        self.expand(state, false);
        if new {
            self.count();
        }
        self.schedule(state)?;
        self.breathe(new)
    }

    /// Where nobody has entered the state, its marks do not tell whether the run has `ended` there.
    fn expand(&mut self, state: StateId, ended: bool) {
        let note = self.note(state);
        let ended = if note & ENTERED == 0 { ended } else { note & ENDED != 0 };
        self.successors.expand(&self.problem.product, state, ended, &self.writer);
    }

    /// Lets the others change what all use, and looks at the limits.
    fn breathe(&mut self, new: bool) -> Result<(), Reason> {
        self.writer.pass();
        let words = self.successors.batch.words.len();
        let Worker { watch, crew, tally, todo, path, red_todo, red_path, reached, .. } = self;
        let private = || {
            let first = todo.capacity() * size_of::<Todo>() + path.capacity() * size_of::<(StateId, u32)>();
            let second =
                (2 * red_todo.capacity() + red_path.capacity() + reached.capacity()) * size_of::<Option<StateId>>();
            (first + second) as u64
        };
        watch.entered(crew, new as u64, words, tally, private).map_or(Ok(()), Err)
    }

    /// Counts a state that nobody has entered before, and what is wrong with it.
    fn count(&mut self) {
        let Worker { problem, crew, writer, successors, path, depth, tally, .. } = self;
        successors.count(&problem.product, writer.store(), || ids(path), *depth, tally);
        if tally.stopped() {
            crew.stop();
        }
    }

    /// Inserts the successors and puts those on the stack that are worth a visit: above, those that nobody has entered.
    fn schedule(&mut self, source: StateId) -> Result<(), Reason> {
        let Worker { writer, successors, busy, todo, thread, .. } = self;
        successors.arrange(*thread);
        let first = todo.len();
        let mut closing = None;
        busy.clear();
        for (entry, hash) in successors.states() {
            let inserted = writer.insert(successors.batch.state(entry), hash);
            let (state, _) = inserted.map_err(|_| Reason::StoreFull)?;
            let note = writer.store().note(state).load(Acquire);
            let visit = Todo::Visit { state, steps: successors.batch.length(entry) as u32 };
            match note {
                _ if note & bit(*thread) != 0 => {
                    let closes = closes(self.problem, writer, source, state);
                    closing = closing.or(closes.then_some(state));
                }
                _ if note & (BLUE | MARKED) == BLUE => {}
                _ if note & ENTERED == 0 => todo.push(visit),
                _ => busy.push(visit),
            }
        }
        if !busy.is_empty() {
            todo.extend_from_slice(busy);
            todo[first..].rotate_right(busy.len());
        }
        if let Some(target) = closing {
            self.report(&[target]);
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), Reason> {
        let &(state, steps) = self.path.last().expect("every visit is left once");
        let store = self.writer.store();
        let note = store.note(state).fetch_or(BLUE, AcqRel);
        if note & ACCEPTING != 0 && self.problem.product.class(store.state(state)) == Class::P {
            if self.red(state)? {
                let cycle = std::mem::take(&mut self.red_path);
                self.report(&cycle);
            } else {
                self.redden()?;
            }
        }
        store.note(state).fetch_and(!bit(self.thread), Release);
        self.path.pop();
        self.depth -= steps as u64;
        Ok(())
    }

    /// The second search; true if it reaches a state on the first one's stack. Then its path ends there.
    fn red(&mut self, seed: StateId) -> Result<bool, Reason> {
        self.red_path.clear();
        self.red_todo.clear();
        self.reached.clear();
        self.awaited.clear();
        self.reached.insert(seed);
        self.look_around(seed, false)?;
        while let Some(todo) = self.red_todo.pop() {
            let Some((state, ended)) = todo else {
                self.red_path.pop();
                continue;
            };
            let note = self.note(state);
            if note & bit(self.thread) != 0 {
                self.red_path.push(state);
                return Ok(true);
            }
            let product = &self.problem.product;
            let component = |state: StateId| product.component(self.writer.store().state(state));
            if note & RED != 0 || component(seed) != component(state) {
                continue;
            }
            if !self.reached.insert(state) {
                continue;
            }
            let product = &self.problem.product;
            if product.is_accepting(self.writer.store().state(state), &mut self.successors.scratch) {
                self.awaited.push(state);
            }
            self.red_path.push(state);
            self.red_todo.push(None);
            self.look_around(state, ended)?;
            self.breathe(false)?;
            if self.crew.is_stopped() {
                break;
            }
        }
        Ok(false)
    }

    /// Makes everything red that the second search has reached, once others have done so with the accepting states in it, even those
    /// that nobody has entered yet: the way there leads over states that another thread is still visiting.
    fn redden(&mut self) -> Result<(), Reason> {
        let store = self.writer.store();
        while let Some(state) = self.awaited.pop() {
            while self.note(state) & RED == 0 {
                if self.crew.is_stopped() {
                    return Ok(());
                }
                std::thread::yield_now();
                self.breathe(false)?;
            }
        }
        self.reached.iter().for_each(|&state| _ = store.note(state).fetch_or(RED, AcqRel));
        Ok(())
    }

    /// Puts the successors on the stack of the second search, be they known or not: those that another thread is still to visit matter, too.
    fn look_around(&mut self, state: StateId, ended: bool) -> Result<(), Reason> {
        self.expand(state, ended);
        self.successors.arrange(self.thread);
        let forgets = !self.problem.product.remembers_endings();
        let Worker { writer, successors, red_todo, .. } = self;
        for (entry, hash) in successors.states() {
            let (next, _) = writer.insert(successors.batch.state(entry), hash).map_err(|_| Reason::StoreFull)?;
            red_todo.push(Some((next, forgets && successors.batch.length(entry) == 0)));
        }
        Ok(())
    }

    /// Reports the violation to which a marked state leads; false if the way there is not marked yet.
    #[inline(never)]
    fn report_marked(&mut self, state: StateId, steps: u32) -> bool {
        let Worker { problem, crew, writer, path, tally, .. } = self;
        let store = writer.store();
        let has_ended = steps == 0 && !path.is_empty() && !problem.product.remembers_endings();
        let Some(behind) = hunt::marked_way(problem, writer, (store.state(state), has_ended), crew) else {
            return false;
        };
        let ended = |state: &StateId| store.note(*state).load(Acquire) & ENDED != 0;
        let before = ids(path);
        let whole = Path {
            states: before.iter().map(|&state| store.state(state).to_vec()).chain(behind.states).collect(),
            ended: before.iter().map(ended).chain(behind.ended).collect(),
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

    /// Reports the cycle that leads from the end of the first search's path over `back`, whose last state is on it.
    fn report(&mut self, back: &[StateId]) {
        let Some(&target) = back.last() else { return };
        let mut path = ids(&self.path);
        let start = path.iter().rposition(|&state| state == target).unwrap_or(0);
        path.extend_from_slice(back);
        let Worker { problem, crew, writer, successors, tally, .. } = self;
        let witness = || lasso(&problem.product, writer.store(), &path, start, &mut successors.scratch);
        tally.violation(problem.violation, problem.message(), witness);
        if tally.stopped() {
            crew.stop();
        }
    }
}

/// The step from a state to one on the stack closes a cycle that is certainly accepting.
fn closes(problem: &CycleProblem, writer: &Writer, source: StateId, target: StateId) -> bool {
    let store = writer.store();
    let note = |state: StateId| store.note(state).load(Acquire);
    let component = |state: StateId| problem.product.component(store.state(state));
    let marked = (note(source) | note(target)) & ACCEPTING != 0;
    marked || note(target) & ALL_ACCEPTING != 0 && component(source) == component(target)
}

fn ids(path: &[(StateId, u32)]) -> Vec<StateId> {
    path.iter().map(|&(id, _)| id).collect()
}
