//! What every statement does: the state before, the steps that can be taken, the state behind one of them.
//!
//! A run is told by texts. A step is `P0 x = 1`: the process, its pid, the statement as SPIN prints it; a handshake is
//! `P0 c!1 > Q1 c?x`, the steps of an atomic sequence stand behind each other with `, `. A step that fails has its fault
//! behind ` ! `. A state is `x=1 q=[1,2 3,4]; P0 y=2`: the globals, then the processes with their locals.

mod basics;
mod channels;
mod processes;
mod sequences;

use super::{Batch, End, Entry, Interpreter, Outcome, Run, Scratch, Step, System, state};
use crate::load;
use crate::model::Variable;
use crate::program::layout::{ChannelPlace, GlobalPlace};
use crate::program::{Program, named};
use crate::source::Source;
use crate::syntax::preprocess::Options;

/// A run of a model that goes where the test says.
pub struct Course<'p> {
    system: Interpreter<'p>,
    scratch: Scratch,
    state: Vec<u64>,
}

pub fn program(text: &str) -> Program {
    let loaded = load::program(Source::new("m.pml", text), &Options::default());
    loaded.unwrap_or_else(|refused| panic!("{}", refused.sources.render(&refused.diagnostics[0]))).it
}

impl<'p> Course<'p> {
    pub fn new(program: &'p Program) -> Course<'p> {
        Course::by(Interpreter::new(program))
    }

    fn by(system: Interpreter<'p>) -> Course<'p> {
        let mut scratch = system.scratch();
        let state = system.initial(&mut scratch).unwrap_or_else(|fault| panic!("{fault}"));
        Course { system, scratch, state }
    }

    fn batch(&mut self) -> Batch {
        let mut batch = Batch::default();
        self.system.successors(&self.state, Run::GoesOn, &mut self.scratch, &mut batch, |_| {});
        batch
    }

    /// What can happen now.
    pub fn steps(&mut self) -> Vec<String> {
        let batch = self.batch();
        batch.entries.iter().map(|entry| self.shown(&batch, entry)).collect()
    }

    /// Takes the one step with this text.
    #[track_caller]
    pub fn take(&mut self, step: &str) -> &mut Self {
        let batch = self.batch();
        let shown: Vec<String> = batch.entries.iter().map(|entry| self.shown(&batch, entry)).collect();
        let wanted: Vec<usize> = (0..shown.len()).filter(|&number| shown[number] == step).collect();
        let [number] = wanted[..] else { panic!("{step} is not one of {shown:?}") };
        assert_eq!(batch.entries[number].outcome, Outcome::State, "{step} leads to no state");
        self.state = batch.state(&batch.entries[number]).to_vec();
        self
    }

    /// The only thing that can happen, happens; what it was.
    #[track_caller]
    pub fn go(&mut self) -> String {
        let steps = self.steps();
        let [step] = &steps[..] else { panic!("not one step: {steps:?}") };
        self.take(step);
        step.clone()
    }

    /// All of what happens where there is never a choice, until nothing can.
    #[track_caller]
    pub fn go_on(&mut self) -> Vec<String> {
        let mut taken = Vec::new();
        while !self.steps().is_empty() {
            assert!(taken.len() < 100, "it does not end: {taken:?}");
            taken.push(self.go());
        }
        taken
    }

    /// No step is possible, and that is not a deadlock.
    pub fn has_ended(&mut self) -> bool {
        self.steps().is_empty() && self.system.end(&self.state, &mut self.scratch) != End::Invalid
    }

    fn shown(&self, batch: &Batch, entry: &Entry) -> String {
        let steps: Vec<String> = batch.steps(entry).map(|step| self.step(step)).collect();
        let end = match entry.outcome {
            Outcome::State => String::new(),
            Outcome::Fault(number) => format!(" ! {}", batch.faults[number as usize]),
            other => format!(" ? {other:?}"),
        };
        steps.join(", ") + &end
    }

    fn step(&self, step: Step) -> String {
        let program = self.system.program();
        let half = |(pid, transition): (u32, u32)| {
            let info = &program.infos[transition as usize];
            format!("{}{pid} {}", program.automaton(info.proctype).name, info.text)
        };
        step.movers().map(half).collect::<Vec<_>>().join(" > ")
    }

    /// The values of all variables, as a text.
    pub fn state(&mut self) -> String {
        let program = self.system.program();
        let mut parts = vec![self.globals()];
        let control: Vec<(u32, u32)> = self.system.observer(&mut self.scratch).control(&self.state).collect();
        let mut at = program.layout.frames_at;
        for (pid, (kind, _)) in control.into_iter().enumerate() {
            let mut words = vec![format!("{}{pid}", program.automaton(kind).name)];
            named::locals(program, kind).for_each(|(local, offset)| self.variable(local, at + offset, &mut words));
            let own = &program.layout.frames[kind as usize].channels;
            words.extend(own.iter().map(|place| self.channel(ChannelPlace { offset: place.offset + at, ..*place })));
            at += program.layout.frames[kind as usize].size;
            parts.push(words.join(" "));
        }
        parts.join("; ")
    }

    fn globals(&self) -> String {
        let program = self.system.program();
        let mut words = Vec::new();
        for (global, place) in program.model.globals.iter().zip(&program.layout.globals) {
            match *place {
                GlobalPlace::At(offset) => self.variable(global, offset, &mut words),
                GlobalPlace::Channel(first) => {
                    for number in first..first + global.array.unwrap_or(1) {
                        let place = program.layout.channels[number as usize];
                        words.push(format!("{}={}", global.name, self.channel(place)));
                    }
                }
            }
        }
        words.join(" ")
    }

    fn variable(&self, variable: &Variable, offset: u32, words: &mut Vec<String>) {
        named::scalars(self.system.program(), variable, &variable.name, offset, &mut |cell| {
            let width = crate::program::layout::variable_width(cell.variable);
            let value = state::load(state::bytes(&self.state), cell.offset as usize, width);
            words.push(format!("{}={value}", cell.name));
        });
    }

    /// `[1,2 3,4]`: two messages of two fields.
    fn channel(&self, place: ChannelPlace) -> String {
        let layout = &self.system.program().layout.channel_layouts[place.layout as usize];
        if layout.rendezvous() {
            return "[]".into();
        }
        let bytes = state::bytes(&self.state);
        let messages = 0..state::load(bytes, place.offset as usize, layout.len) as u32;
        let message = |number: u32| {
            let start = place.offset + layout.len.bytes() + number * layout.slot;
            let fields = layout.fields.iter();
            let values =
                fields.map(|field| state::load(bytes, (start + field.offset) as usize, field.width).to_string());
            values.collect::<Vec<_>>().join(",")
        };
        format!("[{}]", messages.map(message).collect::<Vec<_>>().join(" "))
    }
}

/// The steps of a model at its start, and the states they lead to, in the order of pan.
#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let program = program(text);
    let steps = Course::new(&program).steps();
    let behind =
        |step: &String| if step.contains(" ! ") { String::new() } else { Course::new(&program).take(step).state() };
    let found: Vec<(String, String)> = steps.iter().map(|step| (step.clone(), behind(step))).collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(step, state)| (step.as_str(), state.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

/// Everything that happens in a model in which there is never a choice, and the last state.
#[track_caller]
fn check_run(text: &str, steps: &[&str], last: &str) {
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.go_on(), steps, "{text}");
    assert_eq!(run.state(), last, "{text}");
}
