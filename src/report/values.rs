//! The variables of a state with their values, as trees: arrays are lists, structs are records, a channel is the list of
//! its messages.

use super::names::{self, Channels};
use crate::model::{Scalar, Type, Variable};
use crate::program::Program;
use crate::program::layout::{ChannelPlace, GlobalPlace};
use crate::system::state;
use crate::trail::frames::{Process, processes};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Number(i32),
    /// Of an mtype, or of a channel.
    Name(String),
    List(Vec<Value>),
    Record(Vec<(String, Value)>),
    /// What a channel holds, oldest first; each message has its fields.
    Messages(Vec<Vec<Value>>),
}

/// A variable or a channel, and what it holds.
pub type Named = (String, Value);

/// Reads the states of one program.
pub struct Values<'p> {
    program: &'p Program,
    channels: Channels,
}

/// One state that is read.
pub struct Reading<'v> {
    values: &'v Values<'v>,
    words: &'v [u64],
    pub alive: Vec<Process>,
}

impl<'p> Values<'p> {
    pub fn new(program: &'p Program) -> Values<'p> {
        Values { program, channels: Channels::of(program) }
    }

    pub fn read<'v>(&'v self, words: &'v [u64]) -> Reading<'v> {
        let alive = if words.is_empty() { Vec::new() } else { processes(self.program, words) };
        Reading { values: self, words, alive }
    }

    /// A value as a user writes it.
    pub fn shown(&self, scalar: Scalar, value: i32, alive: &[Process]) -> String {
        self.channels.value(self.program, scalar, value, alive)
    }

    /// What the channel with this number is called, and where its layout is described. Charts follow messages by it.
    #[cfg(feature = "pages")]
    pub fn channel(&self, number: usize, alive: &[Process]) -> (String, Option<u32>) {
        let name = self.channels.value(self.program, Scalar::Chan, number as i32 + 1, alive);
        let own = alive.iter().flat_map(|process| &self.program.layout.frames[process.proctype as usize].channels);
        let layout = self.program.layout.channels.iter().chain(own).nth(number).map(|place| place.layout);
        (name, layout)
    }
}

impl Reading<'_> {
    /// Global variables; not those that do nothing but name a channel.
    pub fn globals(&self) -> Vec<Named> {
        if self.words.is_empty() {
            return Vec::new();
        }
        let program = self.values.program;
        let globals = program.model.globals.iter().zip(&program.layout.globals);
        let variable = |(variable, place): (&Variable, &GlobalPlace)| match place {
            GlobalPlace::At(offset) => Some((variable.name.clone(), self.variable(variable, *offset, 0))),
            GlobalPlace::Channel(_) => None,
        };
        globals.filter_map(variable).collect()
    }

    /// Channels that belong to no process and can hold messages.
    pub fn channels(&self) -> Vec<Named> {
        if self.words.is_empty() {
            return Vec::new();
        }
        let program = self.values.program;
        let varies = |name: &str| {
            let globals = program.model.globals.iter().zip(&program.layout.globals);
            globals.into_iter().any(|(global, place)| global.name == name && matches!(place, GlobalPlace::At(_)))
        };
        let mut all = self.contents(self.values.channels.globals(program), 0);
        for (name, _) in all.iter_mut().filter(|(name, _)| varies(name)) {
            *name = holding(name);
        }
        all
    }

    /// What a process has: its variables, then the channels it brought with it. What a channel holds has a name of its
    /// own, since a variable names the channel.
    pub fn owned(&self, process: Process) -> Vec<Named> {
        let mut all = self.locals(process);
        all.extend(self.own_channels(process).into_iter().map(|(name, value)| (holding(&name), value)));
        all
    }

    fn locals(&self, process: Process) -> Vec<Named> {
        let program = self.values.program;
        let frame = &program.layout.frames[process.proctype as usize];
        let locals = program.model.proctypes[process.proctype as usize].locals.iter().zip(&frame.locals);
        let mut all: Vec<Named> = locals
            .map(|(variable, &offset)| (variable.name.clone(), self.variable(variable, offset, process.frame)))
            .collect();
        if let Some(cell) = program.layout.priority {
            let value = state::load(state::bytes(self.words), process.frame + cell.offset as usize, cell.width);
            all.push(("_priority".into(), Value::Number(value)));
        }
        all
    }

    /// The channels that a process brought with it and that can hold messages.
    fn own_channels(&self, process: Process) -> Vec<Named> {
        self.contents(self.values.channels.own(self.values.program, process.proctype), process.frame)
    }

    fn contents<'c>(&self, channels: impl Iterator<Item = (&'c str, ChannelPlace)>, base: usize) -> Vec<Named> {
        let layouts = &self.values.program.layout.channel_layouts;
        let buffered = channels.filter(|(_, place)| !layouts[place.layout as usize].rendezvous());
        buffered.map(|(name, place)| (name.to_string(), self.messages(place, base))).collect()
    }

    fn messages(&self, place: ChannelPlace, base: usize) -> Value {
        let layout = &self.values.program.layout.channel_layouts[place.layout as usize];
        let messages = raw_messages(self.values.program, self.words, place, base);
        let message = |fields: Vec<i32>| {
            let fields = fields.into_iter().zip(&layout.scalars);
            fields.map(|(value, &scalar)| self.scalar(scalar, value)).collect()
        };
        Value::Messages(messages.into_iter().map(message).collect())
    }

    fn variable(&self, variable: &Variable, offset: u32, base: usize) -> Value {
        let size = self.values.program.layout.element_size(variable);
        match variable.array {
            None => self.element(variable, offset, base),
            Some(count) => Value::List((0..count).map(|i| self.element(variable, offset + i * size, base)).collect()),
        }
    }

    fn element(&self, variable: &Variable, offset: u32, base: usize) -> Value {
        let program = self.values.program;
        match variable.ty {
            Type::Scalar(scalar) => {
                let cell = names::Cell { name: &variable.name, offset, variable };
                self.scalar(scalar, names::load(self.words, base, &cell))
            }
            Type::Struct(id) => {
                let fields = program.model.structs[id.0].fields.iter().zip(&program.layout.structs[id.0].fields);
                let field =
                    |(field, at): (&Variable, &u32)| (field.name.clone(), self.variable(field, offset + at, base));
                Value::Record(fields.map(field).collect())
            }
        }
    }

    fn scalar(&self, scalar: Scalar, value: i32) -> Value {
        match scalar {
            Scalar::Mtype(_) | Scalar::Chan => Value::Name(self.values.shown(scalar, value, &self.alive)),
            _ => Value::Number(value),
        }
    }
}

/// How the contents of a channel are called where a variable has the channel's name.
pub fn holding(channel: &str) -> String {
    format!("{channel}.messages")
}

/// The messages of a buffered channel as numbers, oldest first; its place is relative to `base`.
pub fn raw_messages(program: &Program, words: &[u64], place: ChannelPlace, base: usize) -> Vec<Vec<i32>> {
    let layout = &program.layout.channel_layouts[place.layout as usize];
    let bytes = state::bytes(words);
    let start = base + place.offset as usize;
    let count = state::load(bytes, start, layout.len) as usize;
    let message = |slot: usize| {
        let at = start + layout.len.bytes() as usize + slot * layout.slot as usize;
        layout.fields.iter().map(|field| state::load(bytes, at + field.offset as usize, field.width)).collect()
    };
    (0..count).map(message).collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |values: &[Value], by: &str| values.iter().map(Value::to_string).collect::<Vec<_>>().join(by);
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Name(name) => write!(f, "{name}"),
            Value::List(values) => write!(f, "[{}]", joined(values, ", ")),
            Value::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                write!(f, "{{{}}}", fields.join(", "))
            }
            Value::Messages(messages) if messages.is_empty() => write!(f, "empty"),
            Value::Messages(messages) => {
                messages.iter().try_for_each(|message| write!(f, "[{}]", joined(message, ",")))
            }
        }
    }
}
