//! Atomic sequences: run to their end inside the successor function.
//!
//! pan stores no state inside an atomic sequence but explores every path through it, so that a state at its end is reached
//! once for each path; so do we, and transition counts agree. A path that comes back to a state it has been in is cut,
//! where pan would run to its depth limit.
//!
//! As long as there is one way to go on, and a plain one, a sequence is carried on in place, without copying the state.
//! Where it branches, or anything unusual happens, the paths are walked one after the other.

use super::interpreter::{Interpreter, Scratch};
use super::state::bytes_mut;
use super::{Batch, Entry, Outcome, Step};
use crate::program::code::Action;
use rustc_hash::FxHashSet;

/// Paths longer than this are watched for repeated states.
const WATCHED_FROM: usize = 256;
/// Beyond this many steps in one atomic sequence each state is visited once only.
const EVERY_PATH_UP_TO: u64 = 1 << 20;
/// Beyond this many steps the sequence is given up, and likewise beyond this many steps on one path.
const GIVE_UP_AFTER: u64 = 1 << 22;
const LONGEST_PATH: usize = 1 << 17;
/// Beyond this many steps in all paths to what was found, nothing more is looked for.
const MOST_CHAINED: usize = 1 << 22;

/// One atomic state on the current path and its micro steps.
pub(super) struct Level {
    steps: Box<Batch>,
    next: usize,
    /// How long the path was before this state.
    path: usize,
    /// The state's words, if the path is long enough to be watched.
    watched: Option<Box<[u64]>>,
}

/// How a process goes on in the middle of an atomic sequence.
enum Next {
    /// By this transition only, which is plain.
    By(usize),
    Blocked,
    /// In several ways, or in one that takes more care.
    Unclear,
}

impl Interpreter<'_> {
    /// Carries on an atomic sequence of the current process, which has come by `step` to the state at the end of the batch.
    pub(super) fn carry_on(&self, step: Step, start: usize, scratch: &mut Scratch, batch: &mut Batch) {
        let offer = scratch.offer.take();
        let before = batch.chain.len() as u32;
        let mut step = step;
        let mut outcome = Outcome::Atomic(scratch.pid as u32);
        for _ in 0..WATCHED_FROM {
            let bytes = bytes_mut(&mut batch.words[start..]);
            match self.sole_move(bytes, scratch) {
                Next::By(t) => {
                    let transition = &self.program.transitions[t];
                    self.execute(scratch, bytes, &transition.action);
                    if scratch.fault.take().is_some() {
                        scratch.cut.clear();
                        break;
                    }
                    if !scratch.cut.is_empty() {
                        self.note_in_place(t, scratch);
                    }
                    self.move_on(transition, scratch, bytes);
                    scratch.coverage.executed[t] = true;
                    batch.atomic_steps += 1;
                    batch.chain.push(step);
                    step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
                    if !transition.atomic {
                        outcome = Outcome::State;
                        break;
                    }
                }
                Next::Blocked => {
                    batch.atomic_steps += 1;
                    outcome = Outcome::State;
                    break;
                }
                Next::Unclear => break,
            }
        }
        batch.push(outcome, start, step);
        let after = batch.chain.len() as u32;
        if let Some(entry) = batch.entries.last_mut() {
            entry.before = (before, after);
        }
        scratch.offer = offer;
    }

    /// The only transition by which the current process can move in this state, if it is certain to go well or to leave
    /// the state as it is.
    fn sole_move(&self, bytes: &mut [u8], scratch: &mut Scratch) -> Next {
        let automaton = self.program.automaton(scratch.frames[scratch.pid].kind);
        let mut found = None;
        for t in automaton.leaving(self.pc_at(bytes, scratch.frame)) {
            let transition = &self.program.transitions[t];
            if transition.waits {
                continue;
            }
            if !transition.plain {
                return Next::Unclear;
            }
            let executable = match &transition.action {
                Action::Nothing | Action::Assign(..) => true,
                // only what stands before it counts
                Action::Else => found.is_none(),
                Action::Guard(code) => self.eval(scratch, bytes, code) != 0,
                Action::Assert(code, _) => match self.eval(scratch, bytes, code) {
                    0 => return self.unclear(scratch),
                    _ => true,
                },
                Action::Send(send) => match self.send_target(scratch, bytes, send) {
                    Some(number) if self.rendezvous(scratch, number) => return Next::Unclear,
                    Some(number) => self.accepts(scratch, bytes, number),
                    None => false,
                },
                Action::Receive(receive) => self.message_for(scratch, bytes, receive).is_some(),
                _ => return Next::Unclear,
            };
            if !scratch.ok() || executable && found.is_some() {
                return self.unclear(scratch);
            }
            if executable {
                found = Some(t);
            }
        }
        found.map_or(Next::Blocked, Next::By)
    }

    /// Whatever went wrong will go wrong again when the step is made with more care.
    fn unclear(&self, scratch: &mut Scratch) -> Next {
        scratch.fault = None;
        Next::Unclear
    }

    /// Replaces the unfinished entries of `batch` from index `from` on by what they lead to, in order.
    pub(super) fn finish_atomics(&self, from: usize, scratch: &mut Scratch, batch: &mut Batch) {
        let mut entries = std::mem::take(&mut scratch.unfinished);
        entries.clear();
        entries.extend(batch.entries.drain(from..));
        batch.unfinished = false;
        for entry in &entries {
            if !matches!(entry.outcome, Outcome::Atomic(_)) {
                batch.entries.push(*entry);
                continue;
            }
            let mut base = scratch.pool.pop().unwrap_or_default();
            base.clear();
            emit(batch, entry, &[], &mut base);
            self.walk(Level { steps: base, next: 0, path: 0, watched: None }, scratch, batch);
        }
        if batch.entries.len() == from {
            batch.push(Outcome::Endless, batch.words.len(), entries[0].step);
        }
        scratch.unfinished = entries;
    }

    fn walk(&self, base: Level, scratch: &mut Scratch, batch: &mut Batch) {
        let mut levels = std::mem::take(&mut scratch.levels);
        let mut path = std::mem::take(&mut scratch.path);
        levels.push(base);
        let mut watch = Watch::default();
        while let Some(level) = levels.last_mut() {
            let Some(&entry) = level.steps.entries.get(level.next) else {
                let level = levels.pop().expect("there is a last one");
                watch.leave(level.watched);
                batch.atomic_steps += level.steps.atomic_steps;
                batch.executed.extend_from_slice(&level.steps.executed);
                scratch.pool.push(level.steps);
                path.truncate(level.path);
                continue;
            };
            level.next += 1;
            if scratch.spend(level.steps.state(&entry).len() + path.len()) {
                // what was found so far is not looked at
                level.next = level.steps.entries.len();
                continue;
            }
            if batch.chain.len() > MOST_CHAINED {
                batch.gave_up = true;
                continue;
            }
            let Outcome::Atomic(pid) = entry.outcome else {
                emit(&level.steps, &entry, &path, batch);
                continue;
            };
            batch.atomic_steps += 1;
            let state = level.steps.state(&entry);
            let Ok(watched) = watch.enter(state, path.len()) else { continue };
            if watch.gave_up(path.len()) {
                batch.gave_up = true;
                watch.leave(watched);
                continue;
            }
            let mut steps = scratch.pool.pop().unwrap_or_default();
            steps.clear();
            self.micro_steps(state, Some(pid as usize), scratch, &mut steps);
            let before = path.len();
            path.extend(level.steps.steps(&entry));
            if steps.any_move() {
                levels.push(Level { steps, next: 0, path: before, watched });
            } else {
                // the sequence is blocked: an ordinary state, in which every process may move
                for fault in &steps.entries {
                    emit(&steps, fault, &path, batch);
                }
                path.truncate(before);
                emit(&level.steps, &Entry { outcome: Outcome::State, ..entry }, &path, batch);
                watch.leave(watched);
                scratch.pool.push(steps);
            }
        }
        scratch.levels = levels;
        scratch.path = path;
    }
}

/// Appends an entry to the result, together with the steps that led there.
fn emit(from: &Batch, entry: &Entry, path: &[Step], to: &mut Batch) {
    let before = to.chain.len() as u32;
    to.chain.extend_from_slice(path);
    to.chain.extend_from_slice(from.before(entry));
    let start = to.words.len();
    let outcome = match entry.outcome {
        Outcome::Fault(index) => {
            to.faults.push(from.faults[index as usize].clone());
            Outcome::Fault(to.faults.len() as u32 - 1)
        }
        other => {
            to.words.extend_from_slice(from.state(entry));
            other
        }
    };
    let len = (to.words.len() - start) as u32;
    to.entries.push(Entry { outcome, start, len, step: entry.step, before: (before, to.chain.len() as u32) });
}

/// Keeps endless and very long sequences in check.
#[derive(Default)]
struct Watch {
    on_path: FxHashSet<Box<[u64]>>,
    visited: FxHashSet<Box<[u64]>>,
    steps: u64,
}

impl Watch {
    /// Enters an atomic state; an error if it must not be entered again.
    fn enter(&mut self, state: &[u64], depth: usize) -> Result<Option<Box<[u64]>>, ()> {
        self.steps += 1;
        if self.steps > EVERY_PATH_UP_TO && !self.visited.insert(state.into()) {
            return Err(());
        }
        if depth < WATCHED_FROM {
            return Ok(None);
        }
        let state: Box<[u64]> = state.into();
        if self.on_path.insert(state.clone()) { Ok(Some(state)) } else { Err(()) }
    }

    fn leave(&mut self, state: Option<Box<[u64]>>) {
        if let Some(state) = state {
            self.on_path.remove(&state);
        }
    }

    fn gave_up(&self, depth: usize) -> bool {
        self.steps > GIVE_UP_AFTER || depth > LONGEST_PATH
    }
}
