//! What a step changes, variable by variable: the difference of two states, by name.

use super::names::{self, Channels};
use crate::model::{Scalar, Type, Variable};
use crate::program::Program;
use crate::program::layout::GlobalPlace;
use crate::system::state;
use crate::trail::frames::{Process, name, processes};
use std::fmt;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A variable or a channel has a new value.
    Value {
        /// `x`, or `P(1):x` for what belongs to a process.
        name: String,
        /// The new value, as it is shown.
        value: String,
    },
    /// A process starts: `name(pid)`.
    Created(String),
    /// A process ends: `name(pid)`.
    Ended(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Value { name, value } => write!(f, "{name} = {value}"),
            Change::Created(process) => write!(f, "{process} starts"),
            Change::Ended(process) => write!(f, "{process} ends"),
        }
    }
}

/// Compares states of one program.
pub struct Comparison<'p> {
    program: &'p Program,
    channels: Channels,
}

impl<'p> Comparison<'p> {
    /// Compares states of this program.
    pub fn new(program: &'p Program) -> Comparison<'p> {
        Comparison { program, channels: Channels::of(program) }
    }

    /// What is different in `after`: globals, channels, then the processes in order of their age.
    pub fn changes(&self, before: &[u64], after: &[u64]) -> Vec<Change> {
        let old = processes(self.program, before);
        let new = processes(self.program, after);
        let mut pair = Pair { this: self, before, after, alive: &new, out: Vec::new() };
        pair.globals();
        for &process in &new {
            match old.get(process.pid as usize) {
                Some(same) => pair.process(*same, process),
                None => pair.created(process),
            }
        }
        let Pair { mut out, .. } = pair;
        let ended = old.iter().skip(new.len()).map(|&process| Change::Ended(name(self.program, process)));
        out.extend(ended);
        out
    }
}

struct Pair<'c> {
    this: &'c Comparison<'c>,
    before: &'c [u64],
    after: &'c [u64],
    alive: &'c [Process],
    out: Vec<Change>,
}

impl Pair<'_> {
    fn globals(&mut self) {
        let program = self.this.program;
        for (variable, &place) in program.model.globals.iter().zip(&program.layout.globals) {
            if let GlobalPlace::At(offset) = place {
                self.variable(variable, "", offset, Some(0), 0);
            }
        }
        for (name, place) in self.this.channels.globals(program) {
            let size = program.layout.channel_layouts[place.layout as usize].size;
            if self.differ(Some(place.offset as usize), place.offset as usize, size) {
                let value = self.this.channels.contents(program, self.after, place, self.alive);
                self.out.push(Change::Value { name: name.to_string(), value });
            }
        }
    }

    fn process(&mut self, old: Process, new: Process) {
        self.frame(new, Some(old.frame));
    }

    fn created(&mut self, new: Process) {
        self.out.push(Change::Created(name(self.this.program, new)));
        self.frame(new, None);
    }

    /// The variables and channels of a process; without an `old` frame, those that are not zero.
    fn frame(&mut self, process: Process, old: Option<usize>) {
        let program = self.this.program;
        let size = program.layout.frames[process.proctype as usize].size;
        if !self.differ(old, process.frame, size) {
            return;
        }
        let prefix = format!("{}:", name(program, process));
        let locals = &program.model.proctypes[process.proctype as usize].locals;
        for (variable, &offset) in locals.iter().zip(&program.layout.frames[process.proctype as usize].locals) {
            self.variable(variable, &prefix, offset, old, process.frame);
        }
        for (channel, mut place) in self.this.channels.own(program, process.proctype) {
            let size = program.layout.channel_layouts[place.layout as usize].size;
            let old = old.map(|frame| frame + place.offset as usize);
            place.offset += process.frame as u32;
            if self.differ(old, place.offset as usize, size) {
                let value = self.this.channels.contents(program, self.after, place, self.alive);
                self.out.push(Change::Value { name: format!("{prefix}{channel}"), value });
            }
        }
        if let Some(cell) = program.layout.priority {
            let load = |words, frame| state::load(state::bytes(words), frame + cell.offset as usize, cell.width);
            let value = load(self.after, process.frame);
            if value != old.map_or(1, |frame| load(self.before, frame)) {
                self.out.push(Change::Value { name: format!("{prefix}_priority"), value: value.to_string() });
            }
        }
    }

    fn variable(&mut self, variable: &Variable, prefix: &str, offset: u32, old: Option<usize>, new: usize) {
        let program = self.this.program;
        let size = program.layout.size(variable);
        if !self.differ(old.map(|base| base + offset as usize), new + offset as usize, size) {
            return;
        }
        let name = format!("{prefix}{}", variable.name);
        names::scalars(program, variable, &name, offset, &mut |cell| {
            let value = names::load(self.after, new, &cell);
            if value == old.map_or(0, |base| names::load(self.before, base, &cell)) {
                return;
            }
            let scalar = match cell.variable.ty {
                Type::Scalar(scalar) => scalar,
                Type::Struct(_) => Scalar::Int,
            };
            let value = self.this.channels.value(program, scalar, value, self.alive);
            self.out.push(Change::Value { name: cell.name.to_string(), value });
        });
    }

    /// Whether a stretch of bytes is different; fresh memory is compared with zero.
    fn differ(&self, old: Option<usize>, new: usize, size: u32) -> bool {
        let after = &state::bytes(self.after)[new..new + size as usize];
        match old {
            Some(old) => state::bytes(self.before)[old..old + size as usize] != *after,
            None => after.iter().any(|&byte| byte != 0),
        }
    }
}
