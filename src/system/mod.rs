//! States and steps: what every search runs on.
//!
//! A [`System`] hands out an initial state and writes all successors of a state into a caller-owned [`Batch`]. A
//! successor is a state at which the scheduler is free: an atomic sequence, a d_step or a handshake is one successor,
//! and the steps inside it are listed with it. Scratch memory is per thread and handed in.

mod atomic;
mod channel;
pub mod cutoff;
mod distance;
mod dstep;
mod eval;
mod execute;
pub mod fault;
mod handshake;
pub mod input;
pub mod interpreter;
mod memo;
pub mod observe;
mod process;
mod steps;
pub mod state;
#[cfg(test)]
mod tests;
mod trace;
pub mod truncation;

use crate::machine;
use crate::program::Program;
use std::ops::Range;

pub use cutoff::{Cutoff, Halt};
pub use fault::{Fault, FaultKind};
pub use interpreter::{Interpreter, Scratch};
pub use truncation::{OnTruncation, Truncated, Truncation, Truncations};

/// Trees of the depth the parser admits are built, walked, evaluated and dropped recursively.
const DEEP_STACK: usize = 512 << 20;

/// The size of a stack that is deep enough for any model, or as much of it as the address space has room for beside everything else.
pub fn deep_stack() -> usize {
    let left = machine::address_space_left().map_or(usize::MAX, |left| left as usize);
    DEEP_STACK.min(left / 8)
}

/// Who moved by which transition, and who received if it was a handshake: what a trail needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub pid: u32,
    pub transition: u32,
    pub receiver: Option<Receiver>,
}

/// The other half of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiver {
    pub pid: u32,
    pub transition: u32,
}

impl Step {
    /// Nobody moves: the run has ended, and its last state repeats.
    pub const STUTTER: Step = Step { pid: u32::MAX, transition: u32::MAX, receiver: None };

    /// The processes that move, and their transitions.
    pub fn movers(self) -> impl Iterator<Item = (u32, u32)> {
        let receiver = self.receiver.map(|receiver| (receiver.pid, receiver.transition));
        let mover = (self != Step::STUTTER).then_some((self.pid, self.transition));
        [mover, receiver].into_iter().flatten()
    }

    /// Steps as SPIN counts them: both halves of a handshake.
    pub fn length(&self) -> usize {
        if *self == Step::STUTTER { 0 } else { 1 + self.receiver.is_some() as usize }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A state at which every process may move.
    State,
    /// A state in the middle of an atomic sequence of this process (never handed to a search).
    Atomic(u32),
    /// A move, but to no state: an atomic sequence that never ends, or an expansion that was abandoned.
    Endless,
    /// The step went wrong; index into [`Batch::faults`].
    Fault(u32),
}

/// One successor, or one fault on the way to one.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub outcome: Outcome,
    /// Its words: `words[start..start + len]`. Empty for faults.
    start: usize,
    len: u32,
    /// The only step, or the last one of the chain.
    pub step: Step,
    /// The steps before `step`, if it is the end of an atomic sequence: a range of `chain`.
    before: (u32, u32),
}

/// All successors of one or more states.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub words: Vec<u64>,
    pub entries: Vec<Entry>,
    pub faults: Vec<Fault>,
    chain: Vec<Step>,
    /// Some entry is [`Outcome::Atomic`].
    unfinished: bool,
    /// An atomic sequence was given up because it was too long.
    pub gave_up: bool,
    /// There are more processes than fairness can be counted for: so many.
    pub crowd: Option<u32>,
    /// Steps executed in atomic sequences.
    pub atomic_steps: u64,
    /// Every transition that was executed, as often as it was, if somebody counts.
    pub executed: Vec<u32>,
    /// Moves by which a claim has come to its end while the system went on.
    pub completions: u64,
}

impl Batch {
    pub fn clear(&mut self) {
        self.words.clear();
        self.entries.clear();
        self.faults.clear();
        self.chain.clear();
        self.unfinished = false;
        self.gave_up = false;
        self.crowd = None;
        self.atomic_steps = 0;
        self.executed.clear();
        self.completions = 0;
    }

    pub fn state(&self, entry: &Entry) -> &[u64] {
        &self.words[entry.start..entry.start + entry.len as usize]
    }

    /// The steps before the last one that leads to this entry.
    fn before(&self, entry: &Entry) -> &[Step] {
        let (from, to) = entry.before;
        &self.chain[from as usize..to as usize]
    }

    /// All steps that lead to this entry, in order.
    pub fn steps(&self, entry: &Entry) -> impl Iterator<Item = Step> + '_ {
        self.before(entry).iter().copied().chain(std::iter::once(entry.step))
    }

    /// The number of steps as SPIN counts them.
    pub fn length(&self, entry: &Entry) -> usize {
        entry.step.length() + self.before(entry).iter().map(Step::length).sum::<usize>()
    }

    fn push(&mut self, outcome: Outcome, start: usize, step: Step) {
        self.unfinished |= matches!(outcome, Outcome::Atomic(_));
        let len = (self.words.len() - start) as u32;
        self.entries.push(Entry { outcome, start, len, step, before: (0, 0) });
    }

    fn push_fault(&mut self, fault: Fault, step: Step) {
        self.faults.push(fault);
        let outcome = Outcome::Fault(self.faults.len() as u32 - 1);
        self.entries.push(Entry { outcome, start: self.words.len(), len: 0, step, before: (0, 0) });
    }

    /// The words of an entry.
    pub fn state_mut(&mut self, entry: usize) -> &mut [u64] {
        let Entry { start, len, .. } = self.entries[entry];
        &mut self.words[start..start + len as usize]
    }

    /// Appends copies of the states among these entries; where they begin.
    pub fn copy_states(&mut self, entries: Range<usize>) -> usize {
        let begin = self.entries.len();
        for number in entries {
            let entry = self.entries[number];
            if entry.outcome == Outcome::State {
                let start = self.words.len();
                self.words.extend_from_within(entry.start..entry.start + entry.len as usize);
                self.entries.push(Entry { start, ..entry });
            }
        }
        begin
    }

    /// What was executed since there were `from` items in the list is executed so many times.
    pub fn repeat_executed(&mut self, from: usize, times: usize) {
        let end = self.executed.len();
        (1..times).for_each(|_| self.executed.extend_from_within(from..end));
    }

    /// Appends a state that follows from itself because nobody moves.
    pub fn push_stutter(&mut self, state: &[u64]) {
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.push(Outcome::State, start, Step::STUTTER);
    }

    /// Appends something that went wrong while nobody moved.
    pub fn push_claim_fault(&mut self, fault: Fault) {
        self.push_fault(fault, Step::STUTTER);
    }

    /// Drops the entries from `first` on.
    pub fn forget(&mut self, first: usize) {
        self.entries.truncate(first);
    }

    /// An expansion was abandoned: whatever it has found is not all, so none of it counts.
    #[cold]
    fn abandon(&mut self, first: usize, start: usize) {
        let step = self.entries.get(first).map_or(Step { pid: 0, transition: 0, receiver: None }, |entry| entry.step);
        self.entries.truncate(first);
        self.words.truncate(start);
        self.unfinished = false;
        self.push(Outcome::Endless, start, step);
    }

    /// Some process moved.
    fn any_move(&self) -> bool {
        self.entries.iter().any(|e| !matches!(e.outcome, Outcome::Fault(_)))
    }
}

/// Whether expansions may go on a little beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grace {
    Granted,
    Over,
}

/// Something that has states and steps.
pub trait System: Sync {
    type Scratch: Send;

    fn scratch(&self) -> Self::Scratch;

    /// The first state, or the fault that happened while it was set up.
    fn initial(&self, scratch: &mut Self::Scratch) -> Result<Vec<u64>, Fault>;

    /// Appends all successors of `state` to `batch`, in the order in which pan explores them. Calls `watch` from time to
    /// time while the batch grows, so that a search can prefetch; entries may still change after it was called.
    fn successors(&self, state: &[u64], scratch: &mut Self::Scratch, batch: &mut Batch, watch: impl FnMut(&Batch));

    /// Appends the successors of a state in which the run has ended, where the state itself does not tell.
    fn successors_once_ended(&self, _state: &[u64], _scratch: &mut Self::Scratch, _batch: &mut Batch) {}

    /// Whether a state without successors is a proper end of the run.
    fn valid_end(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool;

    /// Where the claim is in a state of a product.
    fn claim_state(&self, _state: &[u64]) -> u32 {
        0
    }

    /// Words at the start of a state, behind the first, that are not compared.
    fn hidden_words(&self) -> usize;

    /// What the states are states of.
    fn program(&self) -> &Program;

    /// When expansions are abandoned.
    fn cutoff(&self) -> &Cutoff;

    /// From now on expansions go on a little beyond the limits, or do not any more: what was found is to be completed.
    fn set_grace(&self, grace: Grace, scratch: &mut Self::Scratch);
}
