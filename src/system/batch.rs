//! The successors of states: steps, and the states behind them, in memory that the caller owns.

use super::Fault;
use std::ops::{AddAssign, Range};

/// Who moved by which transition, and who received if it was a handshake: what a trail needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The process that moves; in a handshake, the sender. `u32::MAX` in [`Step::STUTTER`].
    pub pid: u32,
    /// Its transition, as an index into `Program::transitions`. `u32::MAX` in [`Step::STUTTER`].
    pub transition: u32,
    /// The receiving half, if the step is a handshake.
    pub receiver: Option<Receiver>,
}

/// The other half of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// The process that receives.
    pub pid: u32,
    /// Its transition, as an index into `Program::transitions`.
    pub transition: u32,
}

impl Step {
    /// No process moves: the run has ended, and its last state repeats.
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

/// Where a step leads.
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
    /// Whether it is a state, a fault, or a move to no state.
    pub outcome: Outcome,
    /// Its words: `words[start..start + len]`. Empty for faults.
    pub(super) start: usize,
    pub(super) len: u32,
    /// The only step, or the last one of the chain.
    pub step: Step,
    /// The steps before `step`, if it is the end of an atomic sequence: a range of `chain`.
    pub(super) before: (u32, u32),
}

/// All successors of one or more states.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The words of all states. Each entry has a range of them ([`Batch::state`]).
    pub words: Vec<u64>,
    /// The successors and faults, in the order in which they were found.
    pub entries: Vec<Entry>,
    /// The faults, by the index in [`Outcome::Fault`].
    pub faults: Vec<Fault>,
    pub(super) chain: Vec<Step>,
    /// Some entry is [`Outcome::Atomic`].
    pub(super) unfinished: bool,
    /// An atomic sequence was given up because it was too long.
    pub gave_up: bool,
    /// There are more processes than this number, the most for which fairness can be counted.
    pub crowd: Option<u32>,
    /// Steps executed in atomic sequences.
    pub atomic_steps: u64,
    /// Every transition that was executed, once per execution, if the interpreter lists them.
    pub executed: Vec<u32>,
    /// How often a claim has come to its end.
    pub completions: Completions,
}

/// How often a never claim has come to its end, as far as the states do not tell: what makes the counts pan's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Moves that pan reports, besides the new states with the claim at its end.
    pub moves: u64,
    /// Those of them that lead to a state which pan does not have.
    pub uncounted_moves: u64,
    /// States which pan does not have.
    pub uncounted_states: u64,
}

impl AddAssign for Completions {
    fn add_assign(&mut self, more: Completions) {
        self.moves += more.moves;
        self.uncounted_moves += more.uncounted_moves;
        self.uncounted_states += more.uncounted_states;
    }
}

impl Batch {
    /// Empties the batch and resets its counters. The memory stays allocated.
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
        self.completions = Completions::default();
    }

    /// The words of an entry; none if it is not a state.
    pub fn state(&self, entry: &Entry) -> &[u64] {
        &self.words[entry.start..entry.start + entry.len as usize]
    }

    /// The steps before the last one that leads to this entry.
    pub(super) fn before(&self, entry: &Entry) -> &[Step] {
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

    pub(super) fn push(&mut self, outcome: Outcome, start: usize, step: Step) {
        self.unfinished |= matches!(outcome, Outcome::Atomic(_));
        let len = (self.words.len() - start) as u32;
        self.entries.push(Entry { outcome, start, len, step, before: (0, 0) });
    }

    pub(super) fn push_fault(&mut self, fault: Fault, step: Step) {
        self.faults.push(fault);
        let outcome = Outcome::Fault(self.faults.len() as u32 - 1);
        self.entries.push(Entry { outcome, start: self.words.len(), len: 0, step, before: (0, 0) });
    }

    /// The words of an entry.
    pub fn state_mut(&mut self, entry: usize) -> &mut [u64] {
        let Entry { start, len, .. } = self.entries[entry];
        &mut self.words[start..start + len as usize]
    }

    /// Appends copies of the states and faults among these entries; where they begin.
    pub fn copy_entries(&mut self, entries: Range<usize>) -> usize {
        let begin = self.entries.len();
        for number in entries {
            let entry = self.entries[number];
            if matches!(entry.outcome, Outcome::State | Outcome::Fault(_)) {
                let start = self.words.len();
                self.words.extend_from_within(entry.start..entry.start + entry.len as usize);
                self.entries.push(Entry { start, ..entry });
            }
        }
        begin
    }

    /// Repeats the executed transitions from index `from` on, so that they are listed `times` times.
    pub fn repeat_executed(&mut self, from: usize, times: usize) {
        let end = self.executed.len();
        (1..times).for_each(|_| self.executed.extend_from_within(from..end));
    }

    /// Appends a state that follows from itself because no process moves.
    pub fn push_stutter(&mut self, state: &[u64]) {
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.push(Outcome::State, start, Step::STUTTER);
    }

    /// Appends a fault of the claim, in which no process moves.
    pub fn push_claim_fault(&mut self, fault: Fault) {
        self.push_fault(fault, Step::STUTTER);
    }

    /// Drops the entries whose numbers are not wanted.
    pub fn keep(&mut self, mut wanted: impl FnMut(usize) -> bool) {
        let mut number = 0;
        self.entries.retain(|_| {
            number += 1;
            wanted(number - 1)
        });
    }

    /// Drops those entries from `first` on with which another process than this one begins; what fails in a claim stays.
    pub fn keep_moves_of(&mut self, pid: u32, first: usize) {
        let is_kept = |entry: &Entry| match self.steps(entry).next() {
            Some(Step::STUTTER) => matches!(entry.outcome, Outcome::Fault(_)),
            step => step.is_some_and(|step| step.pid == pid),
        };
        let kept: Vec<Entry> = self.entries[first..].iter().filter(|entry| is_kept(entry)).copied().collect();
        self.entries.truncate(first);
        self.entries.extend(kept);
    }

    /// An expansion was abandoned: whatever it has found is not all, so none of it counts.
    #[cold]
    pub(super) fn abandon(&mut self, first: usize, start: usize) {
        let step = self.entries.get(first).map_or(Step { pid: 0, transition: 0, receiver: None }, |entry| entry.step);
        self.entries.truncate(first);
        self.words.truncate(start);
        self.unfinished = false;
        self.push(Outcome::Endless, start, step);
    }

    /// Some process moved.
    pub(super) fn any_move(&self) -> bool {
        self.entries.iter().any(|e| !matches!(e.outcome, Outcome::Fault(_)))
    }
}
