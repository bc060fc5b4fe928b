//! The values of a state by name: how they are shown, and what channels are called.

use crate::model::{Init, MtypeId, Scalar, Variable};
use crate::program::layout::{ChannelPlace, GlobalPlace, variable_width};
pub use crate::program::named::{Cell, scalars};
use crate::program::{InitStep, Program};
use crate::system::state;
use crate::trail::frames::{self, Process};
use rustc_hash::FxHashMap;

/// What the channels are called: those of the globals, and for each proctype those its processes bring with them.
pub struct Channels {
    globals: Vec<String>,
    frames: Vec<Vec<String>>,
}

impl Channels {
    pub fn of(program: &Program) -> Channels {
        let mut globals = vec![String::new(); program.layout.channels.len()];
        let created = created(&program.init);
        for (variable, &place) in program.model.globals.iter().zip(&program.layout.globals) {
            match place {
                GlobalPlace::Channel(first) => {
                    for i in 0..variable.array.unwrap_or(1) {
                        let index = variable.array.map_or(String::new(), |_| format!("[{i}]"));
                        globals[(first + i) as usize] = format!("{}{index}", variable.name);
                    }
                }
                GlobalPlace::At(offset) => name_created(program, variable, offset, &created, &mut globals),
            }
        }
        let frames = (0..program.automata.len()).map(|proctype| Channels::of_proctype(program, proctype)).collect();
        Channels { globals, frames }
    }

    fn of_proctype(program: &Program, proctype: usize) -> Vec<String> {
        let layout = &program.layout.frames[proctype];
        let mut names = vec![String::new(); layout.channels.len()];
        let created = created(&program.automata[proctype].init);
        for (variable, &offset) in program.model.proctypes[proctype].locals.iter().zip(&layout.locals) {
            name_created(program, variable, offset, &created, &mut names);
        }
        names
    }

    /// The channels that do not belong to a process, with their names.
    pub fn globals<'c>(&'c self, program: &'c Program) -> impl Iterator<Item = (&'c str, ChannelPlace)> {
        self.globals.iter().map(String::as_str).zip(program.layout.channels.iter().copied())
    }

    /// A process's own channels, with their names and where they are in its frame.
    pub fn own<'c>(&'c self, program: &'c Program, proctype: u32) -> impl Iterator<Item = (&'c str, ChannelPlace)> {
        let proctype = proctype as usize;
        let places = program.layout.frames[proctype].channels.iter().copied();
        self.frames[proctype].iter().map(String::as_str).zip(places)
    }

    /// The name of the channel a `chan` value stands for.
    fn name(&self, program: &Program, value: i32, alive: &[Process]) -> String {
        let Some(mut number) = usize::try_from(value - 1).ok() else { return "no channel".into() };
        if let Some(name) = self.globals.get(number) {
            return name.clone();
        }
        number -= self.globals.len();
        for &process in alive {
            let own = &self.frames[process.proctype as usize];
            match own.get(number) {
                Some(name) => return format!("{}:{name}", frames::name(program, process)),
                None => number -= own.len(),
            }
        }
        format!("dead channel {value}")
    }

    /// A value as a user writes it.
    pub fn value(&self, program: &Program, scalar: Scalar, value: i32, alive: &[Process]) -> String {
        match scalar {
            Scalar::Mtype(set) => mtype_name(program, set, value),
            Scalar::Chan => self.name(program, value, alive),
            _ => value.to_string(),
        }
    }

    /// The messages of a channel, oldest first: `[1,2][3,0]`.
    pub fn contents(&self, program: &Program, words: &[u64], place: ChannelPlace, alive: &[Process]) -> String {
        let layout = &program.layout.channel_layouts[place.layout as usize];
        let bytes = state::bytes(words);
        let count = state::load(bytes, place.offset as usize, layout.len) as u32;
        let mut out = String::new();
        for slot in 0..count {
            let at = place.offset + layout.len.bytes() + slot * layout.slot;
            let fields = layout.fields.iter().zip(&layout.scalars).map(|(field, &scalar)| {
                let value = state::load(bytes, (at + field.offset) as usize, field.width);
                self.value(program, scalar, value, alive)
            });
            out.push_str(&format!("[{}]", fields.collect::<Vec<_>>().join(",")));
        }
        if out.is_empty() { "[]".into() } else { out }
    }
}

/// The numbers of the channels that come into being with the variables, by the offset of the cell that names each.
fn created(init: &[InitStep]) -> FxHashMap<u32, usize> {
    let channel = |step: &InitStep| match step {
        InitStep::Channel(at, number) => Some((at.offset, *number as usize)),
        _ => None,
    };
    init.iter().filter_map(channel).collect()
}

/// Names the channels that come into being with a variable.
fn name_created(
    program: &Program,
    variable: &Variable,
    offset: u32,
    created: &FxHashMap<u32, usize>,
    names: &mut [String],
) {
    scalars(program, variable, &variable.name, offset, &mut |cell| {
        let number = created.get(&cell.offset).filter(|_| matches!(cell.variable.init, Init::Channel(_)));
        if let Some(slot) = number.and_then(|&number| names.get_mut(number)) {
            *slot = cell.name.to_string();
        }
    });
}

/// A value of a variable that names no channel, as a user writes it.
pub fn scalar(program: &Program, scalar: Scalar, value: i32) -> String {
    match scalar {
        Scalar::Mtype(set) => mtype_name(program, set, value),
        _ => value.to_string(),
    }
}

fn mtype_name(program: &Program, set: MtypeId, value: i32) -> String {
    let names = program.model.mtypes.get(set.0).map(|set| &set.names);
    let name = usize::try_from(value - 1).ok().and_then(|i| names?.get(i).cloned());
    name.unwrap_or_else(|| value.to_string())
}

/// The value of a cell in a state.
pub fn load(words: &[u64], base: usize, cell: &Cell) -> i32 {
    state::load(state::bytes(words), base + cell.offset as usize, variable_width(cell.variable))
}
