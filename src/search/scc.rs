//! Search for accepting cycles by strongly connected components.
//!
//! Couvreur, On-the-fly verification of linear temporal logic, FM 1999, in the form of Gabow, Path-based depth-first search
//! for strong and biconnected components, IPL 2000. Edges carry sets of marks; a component is accepting if its edges
//! together carry all of them. One mark is the claim's acceptance. With weak fairness there is one for each process, on
//! edges on which it moves or before which it cannot: no level has to be kept in a state, and a cycle is accepting and fair if
//! and only if its component has all marks.
//!
//! ```text
//! visit(s): number s; push (s, ∅) on roots
//!   for each edge s –m→ t:
//!     t is new: remember m; visit(t)
//!     t is open: m ← m ∪ marks of, and between, all roots above t, which are popped; add m to the root of t;
//!                if that root has all marks: report
//!   if s is a root: its component is complete: close its states, pop the root
//! ```
//!
//! The search ends as soon as the edges seen so far contain an accepting cycle. That cycle is then put together, mark by mark,
//! by breadth-first searches inside the component.

use super::witness::{along, bad_prefix};
use super::{Config, CycleProblem, Monitor, Reason, Tally, Violation, Witness, start};
use crate::property::Fairness;
use crate::property::fairness::Pids;
use crate::property::product::ProductScratch;
use crate::store::{StateId, States, Store};
use crate::system::state::{bytes, process_count};
use crate::system::{Batch, Entry, Grace, Outcome, Step, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

/// Notes of states: not seen, then numbered from 1 on while open, then this.
const CLOSED: u64 = u64::MAX;

/// The mark of the claim; those of processes come after it.
const ACCEPTED: u64 = 1;
/// Processes that have a mark of their own.
const PROCESSES: u32 = 63;

pub fn search(problem: &CycleProblem, config: Config, monitor: &Monitor) -> Tally {
    let product = &problem.product;
    let (mut store, root, scratch, mut tally) = match start(product, problem.checks, config, 0) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let mut search = Components {
        problem,
        fair: problem.fairness == Fairness::Weak,
        scratch,
        batch: Batch::default(),
        marks: Vec::new(),
        able: Pids::default(),
        movers: Pids::default(),
        todo: vec![Todo::Visit { state: root, steps: 0, marks: 0 }],
        path: Vec::new(),
        open: Vec::new(),
        roots: Vec::new(),
        ended: FxHashSet::default(),
        depth: 0,
        unchecked: 0,
    };
    if let Err(reason) = search.explore(&mut store, &mut tally, monitor) {
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
        steps: u32,
        marks: u64,
    },
    /// This entry of the successors of the state on top of the path is a fault.
    Fault(u32),
    Leave,
}

/// A component as far as it is known.
struct Root {
    /// The number of its first state.
    number: u64,
    /// On the edges inside it.
    inside: u64,
    /// On the edge that led to it.
    before: u64,
}

struct Components<'d, 'p> {
    problem: &'d CycleProblem<'p>,
    fair: bool,
    scratch: ProductScratch,
    batch: Batch,
    /// Of the entries of the batch.
    marks: Vec<u64>,
    able: Pids,
    movers: Pids,
    todo: Vec<Todo>,
    /// The states that are being visited, and how many steps led to each.
    path: Vec<(StateId, u32)>,
    /// The states that are not closed; the one with number n is at n - 1.
    open: Vec<StateId>,
    roots: Vec<Root>,
    /// States in which the run has ended, where the state does not tell.
    ended: FxHashSet<StateId>,
    depth: u64,
    /// Words of successors since the last look at the monitor.
    unchecked: usize,
}

impl Components<'_, '_> {
    fn explore(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Result<(), Reason> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => self.leave(store),
                Todo::Fault(entry) => self.fault(entry as usize, store, tally),
                Todo::Visit { state, steps, marks } => match store.note(state) {
                    0 => {
                        let depth = self.depth + steps as u64;
                        if let Some(limit) = monitor.limits.max_depth.filter(|&limit| depth >= limit) {
                            tally.cut_short(Reason::Depth(limit));
                            tally.counts.matched += 1;
                            continue;
                        }
                        self.depth = depth;
                        self.enter(state, steps, marks, store, tally)?;
                        self.check(store, tally, monitor)?;
                    }
                    CLOSED => tally.counts.matched += 1,
                    number => {
                        tally.counts.matched += 1;
                        if self.merge(number, marks) == self.all() {
                            self.report(store, tally);
                        }
                    }
                },
            }
            if tally.stopped() {
                break;
            }
        }
        Ok(())
    }

    fn all(&self) -> u64 {
        if self.fair { u64::MAX } else { ACCEPTED }
    }

    fn check(&mut self, store: &Store, tally: &Tally, monitor: &Monitor) -> Result<(), Reason> {
        self.unchecked += 1 + self.batch.words.len();
        let states = tally.counts.stored;
        let at_limit = monitor.limits.max_states.is_some_and(|limit| states >= limit);
        if self.unchecked < CHECK_EVERY && !at_limit {
            return Ok(());
        }
        self.unchecked = 0;
        monitor.check(states, tally.counts.depth, store.memory() + self.stacks()).map_or(Ok(()), Err)
    }

    /// Bytes of the stacks.
    fn stacks(&self) -> u64 {
        let todo = self.todo.capacity() * size_of::<Todo>() + self.path.capacity() * size_of::<(StateId, u32)>();
        (todo + self.open.capacity() * size_of::<StateId>() + self.roots.capacity() * size_of::<Root>()) as u64
    }

    fn enter(
        &mut self,
        state: StateId,
        steps: u32,
        before: u64,
        store: &mut Store,
        tally: &mut Tally,
    ) -> Result<(), Reason> {
        let product = &self.problem.product;
        self.open.push(state);
        let number = self.open.len() as u64;
        store.set_note(state, number);
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(self.depth);
        if steps == 0 && !self.path.is_empty() && !product.remembers_endings() {
            self.ended.insert(state);
        }
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        self.roots.push(Root { number, inside: 0, before });
        if let Some(message) = product.is_decided(store.state(state)) {
            let (path, scratch) = (&self.path, &mut self.scratch);
            let witness = || bad_prefix(product, store, &ids(path), scratch);
            tally.violation(Violation::ClaimCompleted, message.into(), witness);
            return Ok(());
        }
        if self.fair && process_count(bytes(store.state(state))) > PROCESSES as usize {
            return Err(Reason::Processes(PROCESSES));
        }
        self.expand(state, store);
        tally.absorb(&self.batch);
        self.schedule(store)
    }

    fn leave(&mut self, store: &mut Store) {
        let (state, steps) = self.path.pop().expect("every visit is left once");
        self.depth -= steps as u64;
        let number = store.note(state);
        if self.roots.last().is_some_and(|root| root.number == number) {
            self.roots.pop();
            self.open.drain(number as usize - 1..).for_each(|state| store.set_note(state, CLOSED));
        }
    }

    /// An edge with these marks leads back to the open state with this number; the marks of its component now.
    fn merge(&mut self, number: u64, marks: u64) -> u64 {
        let mut marks = marks;
        while self.roots.last().is_some_and(|root| root.number > number) {
            let root = self.roots.pop().expect("there is one");
            marks |= root.inside | root.before;
        }
        let root = self.roots.last_mut().expect("the root of an open state is open");
        root.inside |= marks;
        root.inside
    }

    /// Puts the cycle together that the last root has been found to contain.
    fn report(&mut self, store: &Store, tally: &mut Tally) {
        let Some(number) = self.roots.last().map(|root| root.number) else { return };
        let start = self.open[number as usize - 1];
        let path = ids(&self.path);
        let position = path.iter().position(|&state| state == start).unwrap_or(0);
        let (violation, message) = (self.problem.violation, self.problem.message());
        tally.violation(violation, message, || self.lasso(&path[..=position], number, store));
    }

    /// The run along `prefix` and then around a cycle that sees all marks, in the component of the state with this number.
    fn lasso(&mut self, prefix: &[StateId], number: u64, store: &Store) -> Option<Witness> {
        let product = &self.problem.product;
        let mut witness = along(product, store, prefix, std::iter::empty(), &mut self.scratch)?;
        witness.cycle = Some(witness.steps.len());
        let start = *prefix.last().expect("a path has a state");
        product.set_grace(Grace::Granted, &mut self.scratch);
        let closed = self.around(start, number, store, &mut witness);
        product.set_grace(Grace::Over, &mut self.scratch);
        closed.map(|()| witness)
    }

    /// Adds a way from `start` back to it to the run; `None` if none was found.
    fn around(&mut self, start: StateId, number: u64, store: &Store, witness: &mut Witness) -> Option<()> {
        let (mut at, mut missing) = (start, self.all());
        while missing != 0 {
            for (from, entry) in self.hops(at, number, store, |marks, _| marks & missing != 0)? {
                self.expand(from, store);
                missing &= !*self.marks.get(entry)?;
                at = self.follow(entry, store, witness)?;
            }
        }
        if at != start {
            for (from, entry) in self.hops(at, number, store, |_, target| target == start)? {
                self.expand(from, store);
                self.follow(entry, store, witness)?;
            }
        }
        Some(())
    }

    /// Adds an entry of the current batch to the run; the state it leads to.
    fn follow(&mut self, entry: usize, store: &Store, witness: &mut Witness) -> Option<StateId> {
        let entry = self.batch.entries.get(entry)?;
        let state = self.batch.state(entry);
        witness.sights.push((witness.steps.len(), self.problem.product.claim_state(state)));
        witness.steps.extend(self.batch.steps(entry).filter(|&step| step != Step::STUTTER));
        store.get(state, store.hash(state))
    }

    /// A shortest path inside the component whose last edge is wanted: states and entries of their successors. There is one, unless a
    /// limit cuts off an expansion.
    fn hops(
        &mut self,
        from: StateId,
        number: u64,
        store: &Store,
        wanted: impl Fn(u64, StateId) -> bool,
    ) -> Option<Vec<(StateId, usize)>> {
        let mut came: FxHashMap<StateId, (StateId, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            self.expand(state, store);
            for (entry, marks) in self.marks.iter().enumerate() {
                if self.batch.entries[entry].outcome != Outcome::State {
                    continue;
                }
                let target = self.batch.state(&self.batch.entries[entry]);
                let Some(target) = store.get(target, store.hash(target)) else { continue };
                if store.note(target) < number || store.note(target) == CLOSED {
                    continue;
                }
                if wanted(*marks, target) {
                    let mut hops = vec![(state, entry)];
                    let mut at = state;
                    while at != from {
                        let hop = came[&at];
                        hops.push(hop);
                        at = hop.0;
                    }
                    hops.reverse();
                    return Some(hops);
                }
                if target != from && !came.contains_key(&target) {
                    came.insert(target, (state, entry));
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// Writes the successors of a state and the marks on the edges to them.
    fn expand(&mut self, state: StateId, store: &Store) {
        let words = store.state(state);
        self.batch.clear();
        if self.ended.contains(&state) {
            self.problem.product.successors_once_ended(words, &mut self.scratch, &mut self.batch);
        } else {
            self.problem.product.successors(words, &mut self.scratch, &mut self.batch, |_| {});
        }
        let own = if self.problem.product.is_accepting(words, &mut self.scratch) { ACCEPTED } else { 0 };
        self.marks.clear();
        if !self.fair {
            self.marks.resize(self.batch.entries.len(), own);
            return;
        }
        self.able.clear();
        let first = |entry: &Entry| self.batch.steps(entry).next().filter(|&step| step != Step::STUTTER);
        self.batch.entries.iter().filter_map(first).for_each(|step| self.able.add(step.pid));
        let processes = process_count(bytes(words)) as u32;
        for entry in &self.batch.entries {
            self.movers.clear();
            self.batch.steps(entry).filter(|&step| step != Step::STUTTER).for_each(|step| self.movers.add_movers(step));
            let done = |pid: &u32| *pid >= processes || self.movers.contains(*pid) || !self.able.contains(*pid);
            self.marks.push((0..PROCESSES).filter(done).fold(own, |marks, pid| marks | 2 << pid));
        }
    }

    /// Inserts the successors and puts them on the stack, the first one on top.
    fn schedule(&mut self, store: &mut Store) -> Result<(), Reason> {
        for (i, entry) in self.batch.entries.iter().enumerate().rev() {
            self.todo.push(match entry.outcome {
                Outcome::Fault(_) => Todo::Fault(i as u32),
                Outcome::Endless | Outcome::Atomic(_) => continue,
                Outcome::State => {
                    let words = self.batch.state(entry);
                    let inserted = store.insert(words, store.hash(words), 0).ok_or(Reason::StoreFull)?;
                    let steps = self.batch.length(entry) as u32;
                    Todo::Visit { state: inserted.id, steps, marks: self.marks[i] }
                }
            });
        }
        Ok(())
    }

    fn fault(&mut self, entry: usize, store: &Store, tally: &mut Tally) {
        let Some(&(state, _)) = self.path.last() else { return };
        self.expand(state, store);
        let Components { problem, path, batch, scratch, .. } = self;
        // a limit may have cut off the expansion this time
        let Some(entry) = batch.entries.get(entry) else { return };
        let Outcome::Fault(fault) = entry.outcome else { return };
        let witness = || along(&problem.product, store, &ids(path), batch.steps(entry), scratch);
        tally.fault(&batch.faults[fault as usize], entry.step, witness);
    }
}

fn ids(path: &[(StateId, u32)]) -> Vec<StateId> {
    path.iter().map(|&(id, _)| id).collect()
}
