//! Depth-first search in pan's order, so that the first error is pan's.
//!
//! ```text
//! visit(s): mark s as entered; expand s; insert all successors (not entered);
//!           for each successor in order: if not entered, visit it
//! ```
//! All successors are inserted when their parent is expanded (one batch, prefetched), but a state counts as visited only
//! when it is entered, which happens in true depth-first order. The stack holds state numbers; recursion is explicit.
//! Differs from pan in that a state which is cut off by the depth limit stays in the table, not entered.

use super::shortcut::Shortcut;
use super::witness::along;
use super::{Config, DEPTH_LIMIT, Monitor, Problem, Reason, Tally, Violation, start};
use crate::store::{StateId, States, Store};
use crate::system::{Batch, Entry, Outcome, Scratch, System};

/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;
/// The note of a state that has been entered.
const ENTERED: u64 = 1;

pub fn search(problem: &Problem, config: Config, monitor: &Monitor) -> Tally {
    let (mut store, root, scratch, mut tally) = match start(&problem.system, problem.checks, config, 0) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let mut search = Dfs {
        problem,
        scratch,
        shortcut: Shortcut::new(config),
        batch: Batch::default(),
        hashes: Vec::new(),
        todo: vec![Todo::Visit { state: root, steps: 0, entry: 0 }],
        path: Vec::new(),
        depth: 0,
        unchecked: 0,
    };
    if let Some(answer) = search.explore(&mut store, &mut tally, monitor) {
        return answer;
    }
    tally.counts.memory = store.memory() + search.stacks();
    tally.note_ranges(&problem.system, &store);
    tally.learn(search.scratch);
    search.shortcut.or_better(tally)
}

/// What is left to do, last first.
#[derive(Clone, Copy)]
enum Todo {
    /// Entry `entry` of the successors of the state on top of the path.
    Visit {
        state: StateId,
        steps: u32,
        entry: u32,
    },
    /// This entry of the successors of the state on top of the path is a fault.
    Fault(u32),
    Leave,
}

struct Dfs<'d, 'p> {
    problem: &'d Problem<'p>,
    scratch: Scratch,
    shortcut: Shortcut,
    batch: Batch,
    hashes: Vec<u64>,
    todo: Vec<Todo>,
    /// The states that are being visited, and how many steps led to each.
    path: Vec<(StateId, u32)>,
    depth: u64,
    /// Words of successors since the last look at the monitor.
    unchecked: usize,
}

impl Dfs<'_, '_> {
    /// Returns the answer of the shortcut, if that was there first.
    fn explore(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Option<Tally> {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Leave => {
                    let (_, steps) = self.path.pop().expect("every visit is left once");
                    self.depth -= steps as u64;
                }
                Todo::Fault(entry) => self.fault(entry as usize, store, tally),
                Todo::Visit { state, .. } if store.note(state) == ENTERED => tally.counts.matched += 1,
                Todo::Visit { state, steps, entry } => {
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
                    self.renew_hidden(state, entry as usize, store);
                    if !self.visit(state, steps, store, tally) {
                        tally.cut_short(Reason::StoreFull);
                        return None;
                    }
                    self.unchecked += 1 + self.batch.words.len();
                    let states = tally.counts.stored;
                    let at_limit = monitor.limits.max_states.is_some_and(|limit| states >= limit);
                    if self.unchecked >= CHECK_EVERY || at_limit {
                        if let Some(reason) = self.check(states, store, tally, monitor) {
                            tally.cut_short(reason);
                            return None;
                        }
                        if let Some(answer) = self.shortcut.answer(states, self.problem, monitor) {
                            return Some(answer);
                        }
                    }
                }
            }
            if tally.stopped() {
                break;
            }
        }
        None
    }

    /// A state at the depth limit was met.
    fn too_deep(&mut self, state: StateId, store: &Store, tally: &mut Tally) {
        if tally.depth_is_error() {
            let Dfs { problem, path, scratch, .. } = self;
            let path: Vec<StateId> = ids(path).into_iter().chain([state]).collect();
            let witness = || along(&problem.system, store, &path, std::iter::empty(), scratch);
            tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
        }
    }

    fn check(&mut self, states: u64, store: &Store, tally: &Tally, monitor: &Monitor) -> Option<Reason> {
        self.unchecked = 0;
        monitor.check(states, tally.counts.depth, store.memory() + self.stacks())
    }

    /// Bytes of the stacks.
    fn stacks(&self) -> u64 {
        (self.todo.capacity() * size_of::<Todo>() + self.path.capacity() * size_of::<(StateId, u32)>()) as u64
    }

    /// A state may have been inserted on the way from another parent: hidden variables, which do not tell states apart,
    /// must have the values of the path on which it is entered.
    fn renew_hidden(&mut self, state: StateId, entry: usize, store: &mut Store) {
        let Some(&(parent, _)) = self.path.last() else { return };
        if self.problem.system.hidden_words() > 0 {
            self.expand(parent, store);
            // a limit may have cut off the expansion this time
            if let Some(entry) = self.batch.entries.get(entry).filter(|entry| entry.outcome == Outcome::State) {
                store.replace_hidden(state, self.batch.state(entry));
            }
        }
    }

    /// Enters a state; false if its successors do not fit into the store.
    fn visit(&mut self, state: StateId, steps: u32, store: &mut Store, tally: &mut Tally) -> bool {
        store.set_note(state, ENTERED);
        tally.counts.stored += 1;
        tally.counts.depth = tally.counts.depth.max(self.depth);
        self.path.push((state, steps));
        self.todo.push(Todo::Leave);
        self.expand(state, store);
        tally.absorb(&self.batch);
        if !self.schedule(store) {
            return false;
        }
        if self.batch.entries.is_empty() && self.problem.is_deadlock(store.state(state), &mut self.scratch) {
            let (problem, path, scratch) = (self.problem, &self.path, &mut self.scratch);
            let place = problem.place_of_end(store.state(state), scratch);
            let witness = || along(&problem.system, store, &ids(path), std::iter::empty(), scratch);
            tally.violation_at(place, Violation::InvalidEndState, "invalid end state".into(), witness);
        }
        true
    }

    /// Writes the successors of a state and their hashes; their table slots are prefetched while further successors are
    /// being found.
    fn expand(&mut self, state: StateId, store: &Store) {
        let Dfs { problem, scratch, batch, hashes, .. } = self;
        batch.clear();
        hashes.clear();
        let mut atomic = false;
        problem.system.successors(store.state(state), scratch, batch, |batch| {
            for entry in &batch.entries[hashes.len()..] {
                hashes.push(look_up(store, batch, entry));
                atomic |= matches!(entry.outcome, Outcome::Atomic(_));
            }
        });
        if atomic || hashes.len() != batch.entries.len() {
            hashes.clear();
            hashes.extend(batch.entries.iter().map(|entry| look_up(store, batch, entry)));
        }
    }

    /// Inserts the successors and puts them on the stack, the first one on top; false if the store is full.
    fn schedule(&mut self, store: &mut Store) -> bool {
        for &hash in &self.hashes {
            store.prefetch_record(hash);
        }
        for (i, entry) in self.batch.entries.iter().enumerate().rev() {
            self.todo.push(match entry.outcome {
                Outcome::Fault(_) => Todo::Fault(i as u32),
                Outcome::Endless | Outcome::Atomic(_) => continue,
                Outcome::State => {
                    let inserted = store.insert(self.batch.state(entry), self.hashes[i], 0);
                    let Some(inserted) = inserted else { return false };
                    Todo::Visit { state: inserted.id, steps: self.batch.length(entry) as u32, entry: i as u32 }
                }
            });
        }
        true
    }

    fn fault(&mut self, entry: usize, store: &Store, tally: &mut Tally) {
        let Some(&(state, _)) = self.path.last() else { return };
        self.batch.clear();
        self.problem.system.successors(store.state(state), &mut self.scratch, &mut self.batch, |_| {});
        let Dfs { problem, path, batch, scratch, .. } = self;
        // a limit may have cut off the expansion this time
        let Some(entry) = batch.entries.get(entry) else { return };
        let Outcome::Fault(fault) = entry.outcome else { return };
        let witness = || along(&problem.system, store, &ids(path), batch.steps(entry), scratch);
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
