//! What a claim sees of a state: the truth of conditions, and the labels at which processes stand.

use super::interpreter::{Frame, Interpreter, Scratch};
use super::state::{self, bytes_mut};
use super::{Fault, FaultKind};
use crate::program::code::{Action, Code};

/// A claim is no process.
const NOBODY: usize = usize::MAX;

/// What a claim looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A state from which some process moves on.
    Moving,
    /// A state in which the run has ended and which repeats forever. Here `np_` is false (as spin: pangen1.h, `np_` in a
    /// stutter step).
    Ended,
}

impl Interpreter<'_> {
    /// The truth of each condition, as bits; or what went wrong.
    pub fn truths<'c>(
        &self,
        state: &mut [u64],
        conditions: impl Iterator<Item = &'c Code>,
        sight: Sight,
        scratch: &mut Scratch,
    ) -> Result<u64, Fault> {
        let bytes = bytes_mut(state);
        self.locate(scratch, bytes);
        scratch.pid = NOBODY;
        scratch.ended = sight == Sight::Ended;
        let mut truths = 0;
        for (bit, code) in conditions.enumerate() {
            truths |= ((self.eval(scratch, bytes, code) != 0) as u64) << bit;
        }
        scratch.ended = false;
        match scratch.fault.take() {
            Some(kind) => Err(Fault { kind }),
            None => Ok(truths),
        }
    }

    /// The moves of a never claim from one of its control states: those behind them, in order, and what went wrong. An
    /// atomic sequence of the claim is one move.
    pub fn claim_moves(
        &self,
        state: &mut [u64],
        (proctype, from): (u32, u32),
        sight: Sight,
        scratch: &mut Scratch,
        moves: &mut Moves,
    ) {
        let bytes = bytes_mut(state);
        self.locate(scratch, bytes);
        scratch.pid = NOBODY;
        scratch.ended = sight == Sight::Ended;
        Claimant { system: self, bytes, proctype, scratch, moves }.steps(from, 0);
        scratch.ended = false;
    }

    /// Some process stands at an acceptance label.
    pub fn at_accept_label(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        let bytes = state::bytes(state);
        self.locate(scratch, bytes);
        let accepting = |frame: &Frame| {
            let automaton = self.program.automaton(frame.kind);
            automaton.marks[self.pc_at(bytes, frame.at as usize) as usize].accept
        };
        scratch.frames.iter().any(accepting)
    }
}

/// What a claim may do in one state.
#[derive(Default)]
pub struct Moves {
    /// The claim's states behind its moves.
    pub targets: Vec<u32>,
    pub faults: Vec<Fault>,
    /// The truth of the conditions it looked at, as bits, if it is an automaton over conditions.
    pub letter: Option<u64>,
}

/// A never claim that looks at a state.
struct Claimant<'c, 'p> {
    system: &'c Interpreter<'p>,
    bytes: &'c mut [u8],
    proctype: u32,
    scratch: &'c mut Scratch,
    moves: &'c mut Moves,
}

/// Steps of a claim in one atomic sequence. One that turns in circles sees the same state again and again: it stops there.
const MAX_ATOMIC: usize = 100;

impl Claimant<'_, '_> {
    /// Takes every step from a control state.
    fn steps(&mut self, from: u32, depth: usize) {
        let before = self.moves.targets.len();
        let program = self.system.program;
        let mut otherwise = None;
        for number in program.leaving(self.proctype, from) {
            match self.is_enabled(&program.transitions[number].action) {
                Some(true) => self.step(number, depth),
                Some(false) => {}
                None => otherwise = Some(number),
            }
        }
        if let Some(number) = otherwise.filter(|_| self.moves.targets.len() == before) {
            self.step(number, depth);
        }
    }

    /// `None` for an else: it depends on the others.
    fn is_enabled(&mut self, action: &Action) -> Option<bool> {
        let enabled = match action {
            Action::Else => return None,
            Action::Guard(code) => self.system.eval(self.scratch, self.bytes, code) != 0,
            Action::Assert(code, text) => {
                if self.system.eval(self.scratch, self.bytes, code) == 0 && self.scratch.ok() {
                    self.moves.faults.push(Fault { kind: FaultKind::Assertion(text.clone()) });
                }
                true
            }
            _ => true,
        };
        let fault = self.scratch.fault.take();
        let failed = fault.is_some();
        self.moves.faults.extend(fault.map(|kind| Fault { kind }));
        Some(enabled && !failed)
    }

    fn step(&mut self, number: usize, depth: usize) {
        self.scratch.executed[number] = true;
        let transition = &self.system.program.transitions[number];
        let before = self.moves.targets.len();
        if transition.atomic && depth < MAX_ATOMIC {
            self.steps(transition.to, depth + 1);
        }
        if self.moves.targets.len() == before {
            self.moves.targets.push(transition.to);
        }
    }
}
