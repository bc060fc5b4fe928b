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
//! Both searches keep state numbers on explicit stacks; there is no recursion and no depth limit unless one is asked for.
//! The counts are those of the first search.

use super::witness::{along, bad_prefix, lasso};
use super::{Config, CycleProblem, DEPTH_LIMIT, Monitor, Reason, Strategy, Tally, Violation, start};
use crate::property::product::ProductScratch;
use crate::store::{StateId, States, Store};
use crate::system::{Batch, Entry, Outcome, System};
use ltl::scc::Class;

/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

/// Notes of states.
const ENTERED: u64 = 1;
const CYAN: u64 = 2;
const RED: u64 = 4;
const ACCEPTING: u64 = 8;
/// The run has ended, and the state does not tell.
const ENDED: u64 = 16;
/// The claim is in an F-component.
const ALL_ACCEPTING: u64 = 32;

pub fn search(problem: &CycleProblem, config: Config, monitor: &Monitor) -> Tally {
    let product = &problem.product;
    let (mut store, root, scratch, mut tally) = match start(product, problem.checks, config, 0) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let mut search = Ndfs {
        problem,
        by_class: config.strategy == Strategy::Indfs,
        scratch,
        batch: Batch::default(),
        hashes: Vec::new(),
        todo: vec![Todo::Visit { state: root, steps: 0 }],
        path: Vec::new(),
        red_todo: Vec::new(),
        red_path: Vec::new(),
        depth: 0,
        unchecked: 0,
    };
    if let Err(reason) = search.blue(&mut store, &mut tally, monitor) {
        tally.cut_short(reason);
    }
    tally.counts.memory = store.memory() + search.stacks();
    tally.note_ranges(&problem.product, &store);
    tally.learn(search.scratch.system);
    tally.seen = Some(search.scratch.seen);
    tally
}

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo {
    Visit {
        state: StateId,
        /// None if nobody moved.
        steps: u32,
    },
    /// This entry of the successors of the state on top of the path is a fault.
    Fault(u32),
    Leave,
}

struct Ndfs<'d, 'p> {
    problem: &'d CycleProblem<'p>,
    by_class: bool,
    scratch: ProductScratch,
    batch: Batch,
    hashes: Vec<u64>,
    todo: Vec<Todo>,
    /// The states that are being visited, and how many steps led to each.
    path: Vec<(StateId, u32)>,
    /// The second search: states to look at (`None`: leave the last one of its path), and its path.
    red_todo: Vec<Option<StateId>>,
    red_path: Vec<StateId>,
    depth: u64,
    /// Words of successors since the last look at the monitor.
    unchecked: usize,
}

impl Ndfs<'_, '_> {
    fn blue(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Result<(), Reason> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => self.leave(store, tally, monitor)?,
                Todo::Fault(entry) => self.fault(entry as usize, store, tally),
                Todo::Visit { state, .. } if store.note(state) & ENTERED != 0 => {
                    tally.counts.matched += 1;
                    self.close(state, store, tally);
                }
                Todo::Visit { state, steps } => {
                    let depth = self.depth + steps as u64;
                    if let Some(limit) = monitor.limits.max_depth.filter(|&limit| depth >= limit) {
                        tally.cut_short(Reason::Depth(limit));
                        self.too_deep(state, store, tally);
                        if tally.stopped() {
                            break;
                        }
                        tally.counts.matched += 1;
                        continue;
                    }
                    self.depth = depth;
                    self.enter(state, steps, store, tally)?;
                    self.check(tally.counts.stored, store, tally, monitor)?;
                }
            }
            if tally.stopped() {
                break;
            }
        }
        Ok(())
    }

    /// A state at the depth limit was met.
    fn too_deep(&mut self, state: StateId, store: &Store, tally: &mut Tally) {
        if tally.depth_is_error() {
            let Ndfs { problem, path, scratch, .. } = self;
            let path: Vec<StateId> = ids(path).into_iter().chain([state]).collect();
            let witness = || along(&problem.product, store, &path, std::iter::empty(), scratch);
            tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
        }
    }

    fn check(&mut self, states: u64, store: &Store, tally: &Tally, monitor: &Monitor) -> Result<(), Reason> {
        self.unchecked += 1 + self.batch.words.len();
        let at_limit = monitor.limits.max_states.is_some_and(|limit| states >= limit);
        if self.unchecked < CHECK_EVERY && !at_limit {
            return Ok(());
        }
        self.unchecked = 0;
        monitor.check(states, tally.counts.depth, store.memory() + self.stacks()).map_or(Ok(()), Err)
    }

    /// Bytes of the stacks.
    fn stacks(&self) -> u64 {
        let first = self.todo.capacity() * size_of::<Todo>() + self.path.capacity() * size_of::<(StateId, u32)>();
        let second = (self.red_todo.capacity() + self.red_path.capacity()) * size_of::<Option<StateId>>();
        (first + second) as u64
    }

    fn enter(&mut self, state: StateId, steps: u32, store: &mut Store, tally: &mut Tally) -> Result<(), Reason> {
        let product = &self.problem.product;
        let accepting = product.is_accepting(store.state(state), &mut self.scratch);
        let ended = steps == 0 && !self.path.is_empty() && !product.remembers_endings();
        let all_accepting = self.by_class && product.class(store.state(state)) == Class::F;
        let marks = if accepting { ACCEPTING } else { 0 }
            | if ended { ENDED } else { 0 }
            | if all_accepting { ALL_ACCEPTING } else { 0 };
        store.set_note(state, store.note(state) | ENTERED | CYAN | marks);
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(self.depth);
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        if let Some(message) = product.is_decided(store.state(state)) {
            let (path, scratch) = (&self.path, &mut self.scratch);
            let witness = || bad_prefix(product, store, &ids(path), scratch);
            tally.violation(Violation::ClaimCompleted, message.into(), witness);
            return Ok(());
        }
        self.expand(state, store);
        tally.absorb(&self.batch);
        self.schedule(store)
    }

    /// A state was reached again: perhaps on a cycle that is certainly accepting.
    fn close(&mut self, target: StateId, store: &Store, tally: &mut Tally) {
        let Some(&(source, _)) = self.path.last() else { return };
        if store.note(target) & CYAN == 0 {
            return;
        }
        let marked = (store.note(source) | store.note(target)) & ACCEPTING != 0;
        let component = |state: StateId| self.problem.product.component(store.state(state));
        let certain = store.note(target) & ALL_ACCEPTING != 0 && component(source) == component(target);
        if marked || certain {
            self.report(&[target], store, tally);
        }
    }

    fn leave(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Result<(), Reason> {
        let &(state, steps) = self.path.last().expect("every visit is left once");
        let mixed = || !self.by_class || self.problem.product.class(store.state(state)) == Class::P;
        if store.note(state) & ACCEPTING != 0 && mixed() && self.red(state, store, tally, monitor)? {
            let cycle = std::mem::take(&mut self.red_path);
            self.report(&cycle, store, tally);
        }
        store.set_note(state, store.note(state) & !CYAN);
        self.path.pop();
        self.depth -= steps as u64;
        Ok(())
    }

    /// The second search; true if it reaches a state on the first one's stack. Then its path ends there.
    fn red(&mut self, seed: StateId, store: &mut Store, tally: &Tally, monitor: &Monitor) -> Result<bool, Reason> {
        self.red_path.clear();
        self.red_todo.clear();
        self.look_around(seed, store);
        while let Some(todo) = self.red_todo.pop() {
            let Some(state) = todo else {
                self.red_path.pop();
                continue;
            };
            let note = store.note(state);
            if note & CYAN != 0 {
                self.red_path.push(state);
                return Ok(true);
            }
            if note & RED != 0 || !self.worthwhile(seed, state, store) {
                continue;
            }
            store.set_note(state, note | RED);
            self.red_path.push(state);
            self.red_todo.push(None);
            self.look_around(state, store);
            self.check(tally.counts.stored, store, tally, monitor)?;
        }
        Ok(false)
    }

    /// The second search stays in the component of the claim in which it began.
    fn worthwhile(&self, seed: StateId, state: StateId, store: &Store) -> bool {
        let component = |state: StateId| self.problem.product.component(store.state(state));
        !self.by_class || component(seed) == component(state)
    }

    /// Puts the successors that the first search has seen on the stack of the second.
    fn look_around(&mut self, state: StateId, store: &Store) {
        self.expand(state, store);
        for (entry, &hash) in self.batch.entries.iter().zip(&self.hashes).rev() {
            if entry.outcome == Outcome::State {
                self.red_todo.extend(store.get(self.batch.state(entry), hash).map(Some));
            }
        }
    }

    /// Reports the cycle that leads from the end of the first search's path over `back`, whose last state is on it.
    fn report(&mut self, back: &[StateId], store: &Store, tally: &mut Tally) {
        let Some(&target) = back.last() else { return };
        let mut path = ids(&self.path);
        let start = path.iter().rposition(|&state| state == target).unwrap_or(0);
        path.extend_from_slice(back);
        let (product, scratch) = (&self.problem.product, &mut self.scratch);
        tally
            .violation(self.problem.violation, self.problem.message(), || lasso(product, store, &path, start, scratch));
    }

    /// Writes the successors of a state and their hashes; their table slots are prefetched.
    fn expand(&mut self, state: StateId, store: &Store) {
        let Ndfs { problem, scratch, batch, hashes, .. } = self;
        batch.clear();
        hashes.clear();
        if store.note(state) & ENDED == 0 {
            problem.product.successors(store.state(state), scratch, batch, |_| {});
        } else {
            problem.product.successors_once_ended(store.state(state), scratch, batch);
        }
        hashes.extend(batch.entries.iter().map(|entry| look_up(store, batch, entry)));
    }

    /// Inserts the successors and puts them on the stack, the first one on top.
    fn schedule(&mut self, store: &mut Store) -> Result<(), Reason> {
        self.hashes.iter().for_each(|&hash| store.prefetch_record(hash));
        for (i, entry) in self.batch.entries.iter().enumerate().rev() {
            self.todo.push(match entry.outcome {
                Outcome::Fault(_) => Todo::Fault(i as u32),
                Outcome::Endless | Outcome::Atomic(_) => continue,
                Outcome::State => {
                    let inserted = store.insert(self.batch.state(entry), self.hashes[i], 0);
                    let inserted = inserted.ok_or(Reason::StoreFull)?;
                    Todo::Visit { state: inserted.id, steps: self.batch.length(entry) as u32 }
                }
            });
        }
        Ok(())
    }

    fn fault(&mut self, entry: usize, store: &Store, tally: &mut Tally) {
        let Some(&(state, _)) = self.path.last() else { return };
        self.expand(state, store);
        let Ndfs { problem, path, batch, scratch, .. } = self;
        // a limit may have cut off the expansion this time
        let Some(entry) = batch.entries.get(entry) else { return };
        let Outcome::Fault(fault) = entry.outcome else { return };
        let witness = || along(&problem.product, store, &ids(path), batch.steps(entry), scratch);
        tally.fault(&batch.faults[fault as usize], entry.step, witness);
    }
}

/// The hash of a successor; what the store has there is on its way to the cache.
#[inline]
fn look_up(store: &Store, batch: &Batch, entry: &Entry) -> u64 {
    let hash = if entry.outcome == Outcome::State { store.hash(batch.state(entry)) } else { 0 };
    store.prefetch(hash);
    hash
}

fn ids(path: &[(StateId, u32)]) -> Vec<StateId> {
    path.iter().map(|&(id, _)| id).collect()
}
