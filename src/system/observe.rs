//! What is seen of a state: the truth of conditions, the labels at which processes stand, where a never claim may go.

use super::interpreter::{Interpreter, Scratch};
use super::state::{self, bytes_mut};
use super::{Fault, FaultKind, Run};
use crate::program::code::{Action, Code};

/// In place of a pid: a claim is not a process.
const NOBODY: usize = usize::MAX;

/// What can be read off the canonical bytes of a state, whatever produced it. It borrows the memory of one thread.
pub struct Observer<'o> {
    pub(super) system: &'o Interpreter<'o>,
    pub(super) scratch: &'o mut Scratch,
}

impl Observer<'_> {
    /// The truth of each condition, as bits; or what went wrong.
    pub fn truths<'c>(
        &mut self,
        state: &mut [u64],
        run: Run,
        conditions: impl Iterator<Item = &'c Code>,
    ) -> Result<u64, Fault> {
        let bytes = bytes_mut(state);
        self.look_at(bytes, run);
        let mut truths = 0;
        for (bit, code) in conditions.enumerate() {
            truths |= ((self.system.eval(self.scratch, bytes, code) != 0) as u64) << bit;
        }
        self.scratch.run = Run::GoesOn;
        match self.scratch.fault.take() {
            Some(kind) => Err(Fault { kind }),
            None => Ok(truths),
        }
    }

    /// The moves of a never claim from one of its control states: those behind them, in order, and what went wrong. An
    /// atomic sequence of the claim is one move.
    pub fn claim_moves(&mut self, state: &mut [u64], run: Run, proctype: u32, from: u32, moves: &mut Moves) {
        let bytes = bytes_mut(state);
        self.look_at(bytes, run);
        Claimant { system: self.system, bytes, proctype, scratch: self.scratch, moves }.steps(from, 0);
        self.scratch.run = Run::GoesOn;
    }

    /// A claim, which is no process, looks at a state.
    fn look_at(&mut self, bytes: &[u8], run: Run) {
        self.system.locate(self.scratch, bytes);
        self.scratch.pid = NOBODY;
        self.scratch.run = run;
    }

    /// Some process stands at an acceptance label.
    pub fn at_accept_label(&mut self, state: &[u64]) -> bool {
        let automata = self.system.program;
        self.control(state).any(|(kind, at)| automata.automaton(kind).marks[at as usize].accept)
    }

    /// The proctypes and control states of the processes, by pid.
    pub fn control(&mut self, state: &[u64]) -> impl Iterator<Item = (u32, u32)> {
        let Observer { system, scratch } = self;
        let bytes = state::bytes(state);
        system.locate(scratch, bytes);
        scratch.frames.iter().map(|frame| (frame.kind, system.pc_at(bytes, frame.at as usize)))
    }

    /// The proctypes, control states and frames (where they begin) of the processes, by pid.
    pub fn frames(&mut self, state: &[u64]) -> impl Iterator<Item = (u32, u32, usize)> {
        let Observer { system, scratch } = self;
        let bytes = state::bytes(state);
        system.locate(scratch, bytes);
        scratch.frames.iter().map(|frame| (frame.kind, system.pc_at(bytes, frame.at as usize), frame.at as usize))
    }

    /// The value of an expression for a process; `None` if its evaluation fails.
    pub fn value(&mut self, state: &mut [u64], pid: usize, code: &Code) -> Option<i32> {
        let bytes = bytes_mut(state);
        self.system.locate(self.scratch, bytes);
        self.scratch.pid = pid;
        self.scratch.frame = self.scratch.frames[pid].at as usize;
        self.scratch.timeout = false;
        let value = self.system.eval(self.scratch, bytes, code);
        self.scratch.fault.take().is_none().then_some(value)
    }

    /// Every buffered channel is empty.
    pub fn channels_empty(&mut self, state: &[u64]) -> bool {
        let bytes = state::bytes(state);
        self.system.locate(self.scratch, bytes);
        self.system.messages(self.scratch, bytes) == 0
    }
}

/// What a claim may do in one state.
#[derive(Default)]
pub struct Moves {
    /// The claim's states behind its moves.
    pub targets: Vec<u32>,
    /// False assertions of the claim, and conditions that could not be evaluated.
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
        self.scratch.coverage.executed[number] = true;
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
