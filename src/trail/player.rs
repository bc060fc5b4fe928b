//! A run in the making: a state, the steps that are possible there, and taking one of them.
//!
//! Replay and simulation go by micro steps, one statement at a time, so that the inside of an atomic sequence is seen;
//! `exclusive` remembers whose sequence it is.

use super::printed::Printer;
use crate::program::Program;
use crate::system::input::Input;
use crate::system::{
    Batch, Control, Cutoff, End, Fault, FaultKind, Interpreter, OnTruncation, Outcome, Scratch, Step, System, Truncated,
};
use std::io::Read;

/// A state that goes where it is told, one step of one process at a time.
pub struct Player<'p> {
    system: Interpreter<'p>,
    scratch: Scratch,
    batch: Batch,
    printer: Printer<'p>,
    state: Vec<u64>,
    /// The process that is inside an atomic sequence.
    exclusive: Option<u32>,
    /// Whether it holds control in the current state, for which [`Player::choices`] was asked.
    control: Control,
    on_truncation: OnTruncation,
}

/// A step of the current state.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Who moves, and how.
    pub step: Step,
    /// What goes wrong in it.
    pub faults: Vec<Fault>,
    /// What it stores that does not fit, be it a fault or not.
    pub truncated: Vec<Truncated>,
    /// Where it leads, an entry of the batch; `None` if a fault prevents it.
    entry: Option<usize>,
}

impl Choice {
    /// Whether the step can be taken; it may fail an assertion nevertheless.
    pub fn executable(&self) -> bool {
        self.entry.is_some()
    }

    fn note(&mut self, fault: &Fault, on_truncation: OnTruncation) {
        if let FaultKind::Truncated(truncated) = &fault.kind {
            if !self.truncated.contains(truncated) {
                self.truncated.push((**truncated).clone());
            }
            if on_truncation == OnTruncation::Note {
                return;
            }
        }
        if !self.faults.contains(fault) {
            self.faults.push(fault.clone());
        }
    }
}

impl<'p> Player<'p> {
    /// At the initial state; the error is a fault in an initial value.
    pub fn new(program: &'p Program, on_truncation: OnTruncation) -> Result<Player<'p>, Fault> {
        Player::within(program, on_truncation, &Cutoff::default())
    }

    /// The same; when a limit is met, no step is possible any more.
    pub fn within(program: &'p Program, on_truncation: OnTruncation, cutoff: &Cutoff) -> Result<Player<'p>, Fault> {
        let system = Interpreter::new(program).on_truncation(on_truncation).within(cutoff.clone());
        let mut scratch = system.scratch();
        let state = system.initial(&mut scratch)?;
        let printer = Printer::new(program, cutoff.clone());
        // every truncation is to be shown with its step
        let system = system.on_truncation(OnTruncation::Fail);
        let (batch, exclusive, control) = (Batch::default(), None, Control::Free);
        Ok(Player { system, scratch, batch, printer, state, exclusive, control, on_truncation })
    }

    /// Lets receives from `STDIN` read characters.
    pub fn with_input(mut self, source: Box<dyn Read + Send>) -> Player<'p> {
        self.scratch.input = Some(Box::new(Input::new(source)));
        self
    }

    /// The initial values that do not fit.
    pub fn truncated_at_start(&self) -> Vec<Truncated> {
        let program = self.program();
        Interpreter::new(program).initial_truncations().iter().map(|truncation| truncation.named(program)).collect()
    }

    /// What it runs.
    pub fn program(&self) -> &'p Program {
        self.system.program()
    }

    /// The current state.
    pub fn state(&self) -> &[u64] {
        &self.state
    }

    /// Every step of the current state, in pan's order.
    pub fn choices(&mut self) -> Vec<Choice> {
        self.scratch.input.iter_mut().for_each(|input| input.forget_readers());
        self.control = self.system.moves(&self.state, self.exclusive, &mut self.scratch, &mut self.batch);
        self.collect()
    }

    /// The steps of one process, if it can move whatever the others do; otherwise every step. That is enough to find a step of this process,
    /// and spares the others: a d_step may take seconds.
    pub fn choices_by(&mut self, pid: u32) -> Vec<Choice> {
        if self.exclusive.is_none_or(|exclusive| exclusive == pid) {
            self.scratch.input.iter_mut().for_each(|input| input.forget_readers());
            self.system.moves_of(&self.state, pid, &mut self.scratch, &mut self.batch);
            self.control = if self.exclusive.is_some() { Control::Held } else { Control::Free };
            let choices = self.collect();
            if choices.iter().any(Choice::executable) {
                return choices;
            }
        }
        self.choices()
    }

    /// What was enumerated last, step by step.
    fn collect(&self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        for (i, entry) in self.batch.entries.iter().enumerate() {
            let at = choices.iter().position(|c| c.step == entry.step).unwrap_or_else(|| {
                choices.push(Choice { step: entry.step, faults: Vec::new(), truncated: Vec::new(), entry: None });
                choices.len() - 1
            });
            match entry.outcome {
                Outcome::Fault(fault) => {
                    // a process that holds control but is stuck has been asked twice
                    let fault = &self.batch.faults[fault as usize];
                    choices[at].note(fault, self.on_truncation);
                }
                Outcome::State | Outcome::Atomic(_) => choices[at].entry = Some(i),
                Outcome::Endless => {}
            }
        }
        choices
    }

    /// What the step prints, if it is taken in the current state.
    pub fn printed(&mut self, step: Step) -> String {
        self.printer.text(&self.state, step)
    }

    /// Takes one of the current [`choices`](Player::choices); false if it cannot be executed.
    pub fn take(&mut self, choice: &Choice) -> bool {
        let Some(entry) = choice.entry.and_then(|i| self.batch.entries.get(i)) else { return false };
        if let Some(input) = &mut self.scratch.input {
            input.take(choice.step);
        }
        self.exclusive = match entry.outcome {
            Outcome::Atomic(pid) => Some(pid),
            Outcome::State | Outcome::Endless | Outcome::Fault(_) => None,
        };
        self.state.clear();
        self.state.extend_from_slice(self.batch.state(entry));
        true
    }

    /// Whether the current state is a proper end of a run, if nothing can move.
    pub fn valid_end(&mut self) -> bool {
        self.system.end(&self.state, &mut self.scratch) != End::Invalid
    }

    /// No channel holds a message.
    pub fn channels_empty(&mut self) -> bool {
        self.system.observer(&mut self.scratch).channels_empty(&self.state)
    }

    /// Whether a state is the current one, as far as states are compared.
    pub fn is_at(&self, state: &[u64]) -> bool {
        let from = 1 + self.system.hidden_words();
        state[0] == self.state[0] && state[from..] == self.state[from..]
    }

    /// Whether the current [`choices`](Player::choices) go on with an atomic sequence.
    pub fn control(&self) -> Control {
        self.control
    }

    /// The process that is inside an atomic sequence.
    pub fn exclusive(&self) -> Option<u32> {
        self.exclusive
    }
}
