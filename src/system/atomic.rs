//! Atomic sequences: run to their end inside the successor function.
//!
//! pan stores no state inside an atomic sequence but explores every path through it, so that a state at its end is reached
//! once for each path; so do we, and transition counts agree. A path that comes back to a state it has been in is cut,
//! where pan would run to its depth limit.

use super::interpreter::{Interpreter, Scratch};
use super::{Batch, Entry, Outcome, Step};
use rustc_hash::FxHashSet;

/// Paths longer than this are watched for repeated states.
const WATCHED_FROM: usize = 256;
/// Beyond this many steps in one atomic sequence each state is visited once only.
const EVERY_PATH_UP_TO: u64 = 1 << 20;
/// Beyond this many steps the sequence is given up, and likewise beyond this many steps on one path.
const GIVE_UP_AFTER: u64 = 1 << 22;
const LONGEST_PATH: usize = 1 << 17;

/// One atomic state on the current path and its micro steps.
pub(super) struct Level {
    steps: Box<Batch>,
    next: usize,
    /// The state's words, if the path is long enough to be watched.
    watched: Option<Box<[u64]>>,
}

impl Interpreter<'_> {
    /// Replaces the unfinished entries of `batch` from index `from` on, whose words start at `words_from`, by what they
    /// lead to, in order.
    pub(super) fn finish_atomics(&self, from: usize, words_from: usize, scratch: &mut Scratch, batch: &mut Batch) {
        let mut first = scratch.pool.pop().unwrap_or_default();
        first.clear();
        first.words.extend_from_slice(&batch.words[words_from..]);
        first.entries.extend(batch.entries[from..].iter().map(|e| Entry { start: e.start - words_from, ..*e }));
        first.faults.extend_from_slice(&batch.faults);
        batch.words.truncate(words_from);
        batch.entries.truncate(from);
        batch.unfinished = false;
        let step = first.entries[0].step;
        self.walk(Level { steps: first, next: 0, watched: None }, scratch, batch);
        if batch.entries.len() == from {
            batch.push(Outcome::Endless, batch.words.len(), step);
        }
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
                scratch.pool.push(level.steps);
                path.pop();
                continue;
            };
            level.next += 1;
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
            if steps.any_move() {
                path.push(entry.step);
                levels.push(Level { steps, next: 0, watched });
            } else {
                // the sequence is blocked: an ordinary state, in which every process may move
                path.push(entry.step);
                for fault in &steps.entries {
                    emit(&steps, fault, &path, batch);
                }
                path.pop();
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
