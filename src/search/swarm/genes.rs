//! Which parts of a program's states are genes.
//!
//! A state consists of a shared part and the frames of its processes. Each of these has scalars at fixed places and buffers:
//! channels with room for messages, whose fields are scalars, too. All else stays as it is in the state
//! that gives an artificial state its shape: the header, hidden variables, `_last`, the state of a trace, padding. The type
//! and the priority of a process come with its frame.
//!
//! Invariant: a state built from genes is canonical, as the interpreter demands. A buffer is copied with its length and all its
//! slots, so that unused ones remain zero, and only messages in use have sites.

use crate::model::{Scalar, Type, Variable};
use crate::program::code::{Cell, Width};
use crate::program::layout::{ChannelLayout, ChannelPlace, GlobalPlace, variable_width};
use crate::program::{Program, written};
use crate::property::product::{extra, set_extra};
use crate::system::state::{bytes, load, process_count};

pub struct Genome {
    pub(super) shared: Part,
    /// By proctype.
    pub(super) processes: Vec<Part>,
    pub(super) pc: Cell,
    /// The number of the claim's states, if states are those of a product.
    pub(super) claim_states: Option<u32>,
    frames_at: usize,
    type_width: Width,
}

/// A part of a state: the shared variables and channels, or those of a process.
pub(super) struct Part {
    /// The scalars at fixed places, and then the fields of the messages in each buffer.
    pub genes: Vec<Gene>,
    pub scalars: usize,
    pub buffers: Vec<Buffer>,
    /// The number of its channels, rendezvous channels included.
    channels: usize,
    /// Bytes of the frame of a process.
    pub size: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Gene {
    /// Within the part, or within a message.
    pub offset: usize,
    pub width: Width,
    pub values: Values,
}

/// Which values a scalar may have.
#[derive(Clone, Copy)]
pub(super) enum Values {
    /// A number within the bounds of its type.
    Number(Range),
    /// The number of a channel, or 0.
    Channel,
    /// The program never writes it.
    Constant,
}

/// Numbers from `least` to `most`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub least: i32,
    pub most: i32,
}

/// A channel with room for messages.
pub(super) struct Buffer {
    pub offset: usize,
    /// Bytes, the length included.
    pub size: usize,
    len: Width,
    /// Bytes of a message.
    slot: usize,
    /// The genes of its messages.
    fields: std::ops::Range<usize>,
}

/// A scalar in a state: the number of its gene within its part, and where it is.
pub(super) type Site = (usize, usize);

/// A state, and where the frames in it are.
pub(super) struct Individual {
    pub words: Vec<u64>,
    pub frames: Vec<Frame>,
    /// Of each channel that belongs to a process.
    owners: Vec<Owner>,
}

pub(super) struct Frame {
    pub proctype: usize,
    pub at: usize,
}

/// The process that a channel belongs to, and which one of its channels it is.
#[derive(PartialEq, Eq)]
pub(super) struct Owner {
    pid: usize,
    proctype: usize,
    channel: usize,
}

impl Genome {
    /// The genes of a program; and of its claim with `claim_states` states, if states are those of a product.
    pub fn new(program: &Program, claim_states: Option<u32>) -> Genome {
        let layout = &program.layout;
        Genome {
            shared: shared(program),
            processes: (0..layout.frames.len()).map(|proctype| process(program, proctype)).collect(),
            pc: layout.pc,
            claim_states,
            frames_at: layout.frames_at as usize,
            type_width: layout.type_width,
        }
    }

    pub(super) fn individual(&self, words: Vec<u64>) -> Individual {
        let (mut frames, mut owners) = (Vec::new(), Vec::new());
        let (state, mut at) = (bytes(&words), self.frames_at);
        for pid in 0..process_count(state) {
            let proctype = load(state, at, self.type_width) as usize;
            let part = &self.processes[proctype];
            owners.extend((0..part.channels).map(|channel| Owner { pid, proctype, channel }));
            frames.push(Frame { proctype, at });
            at += part.size;
        }
        Individual { words, frames, owners }
    }

    /// Whether every channel that is named at these sites of one state is the same one in another state.
    pub(super) fn names_agree(
        &self,
        part: &Part,
        mut sites: impl Iterator<Item = Site>,
        one: &Individual,
        other: &Individual,
    ) -> bool {
        sites.all(|(number, at)| {
            let gene = part.genes[number];
            let named = || load(bytes(&one.words), at, gene.width) as usize;
            !matches!(gene.values, Values::Channel) || self.owner(one, named()) == self.owner(other, named())
        })
    }

    /// The owner of the channel with this number; `None` for a shared channel, and for one that does not exist.
    fn owner<'i>(&self, state: &'i Individual, number: usize) -> Option<&'i Owner> {
        state.owners.get(number.checked_sub(self.shared.channels + 1)?)
    }

    /// The claim's state in a state of a product. (With fairness the level is what is left of the division.)
    pub(super) fn claim_state(&self, state: &[u64]) -> u32 {
        self.claim_states.map_or(0, |count| extra(state) % count)
    }

    /// Clears whether the run has ended, because that depends on everything else in the state.
    pub(super) fn set_claim_state(&self, state: &mut [u64], claim: u32) {
        if let Some(count) = self.claim_states {
            set_extra(state, extra(state) / count * count + claim);
        }
    }
}

impl Part {
    /// All scalars of this part, which starts at `base`.
    pub fn sites<'p>(&'p self, state: &'p [u8], base: usize) -> impl Iterator<Item = Site> + 'p {
        let fixed = (0..self.scalars).map(move |number| (number, base + self.genes[number].offset));
        fixed.chain(self.buffers.iter().flat_map(move |buffer| self.messages(buffer, state, base)))
    }

    /// The scalars of the messages in a buffer.
    pub fn messages<'p>(
        &'p self,
        buffer: &'p Buffer,
        state: &[u8],
        base: usize,
    ) -> impl Iterator<Item = Site> + use<'p> {
        let length = load(state, base + buffer.offset, buffer.len) as usize;
        let first = base + buffer.offset + buffer.len.bytes() as usize;
        let fields = move |message| buffer.fields.clone().map(move |number| (number, message));
        let all = (0..length).map(move |index| first + index * buffer.slot).flat_map(fields);
        all.map(|(number, message)| (number, message + self.genes[number].offset))
    }

    fn add_variable(&mut self, program: &Program, variable: &Variable, offset: u32) {
        let stride = program.layout.element_size(variable);
        for at in (0..variable.array.unwrap_or(1)).map(|element| offset + element * stride) {
            match variable.ty {
                Type::Scalar(scalar) => {
                    let (width, values) = (variable_width(variable), values(program, scalar));
                    self.genes.push(Gene { offset: at as usize, width, values });
                }
                Type::Struct(id) => {
                    let fields = program.model.structs[id.0].fields.iter().zip(&program.layout.structs[id.0].fields);
                    fields.for_each(|(field, inside)| self.add_variable(program, field, at + inside));
                }
            }
        }
    }

    /// Makes those genes from `first` on constant that are settled; numbers of channels stay as they are.
    fn settle(&mut self, first: usize, is_settled: impl Fn(&Gene) -> bool) {
        let settled = self.genes[first..].iter_mut().filter(|gene| is_settled(gene));
        settled.filter(|gene| !matches!(gene.values, Values::Channel)).for_each(|gene| gene.values = Values::Constant);
    }

    fn add_channels(&mut self, program: &Program, channels: &[ChannelPlace]) {
        (self.scalars, self.channels) = (self.genes.len(), channels.len());
        for place in channels {
            let layout = &program.layout.channel_layouts[place.layout as usize];
            if !layout.rendezvous() {
                self.add_buffer(program, place.offset, layout);
            }
        }
    }

    fn add_buffer(&mut self, program: &Program, offset: u32, layout: &ChannelLayout) {
        let first = self.genes.len();
        for (field, &scalar) in layout.fields.iter().zip(&layout.scalars) {
            let values = values(program, scalar);
            self.genes.push(Gene { offset: field.offset as usize, width: field.width, values });
        }
        self.buffers.push(Buffer {
            offset: offset as usize,
            size: layout.size as usize,
            len: layout.len,
            slot: layout.slot as usize,
            fields: first..self.genes.len(),
        });
    }
}

fn shared(program: &Program) -> Part {
    let mut part = Part { genes: Vec::new(), scalars: 0, buffers: Vec::new(), channels: 0, size: 0 };
    let written = written::written_globals(&program.model);
    for (number, variable) in program.model.globals.iter().enumerate().filter(|(_, variable)| !variable.hidden) {
        if let GlobalPlace::At(offset) = program.layout.globals[number] {
            let first = part.genes.len();
            part.add_variable(program, variable, offset);
            part.settle(first, |_| !written[number]);
        }
    }
    part.add_channels(program, &program.layout.channels);
    part
}

fn process(program: &Program, proctype: usize) -> Part {
    let layout = &program.layout.frames[proctype];
    let mut part = Part { genes: Vec::new(), scalars: 0, buffers: Vec::new(), channels: 0, size: layout.size as usize };
    for (variable, &offset) in program.model.proctypes[proctype].locals.iter().zip(&layout.locals) {
        part.add_variable(program, variable, offset);
    }
    let settled = &program.automata[proctype].settled;
    part.settle(0, |gene| settled.iter().any(|cell| cell.offset as usize == gene.offset));
    part.add_channels(program, &layout.channels);
    part
}

/// The values of a scalar's type.
fn values(program: &Program, scalar: Scalar) -> Values {
    let (least, most) = match scalar {
        Scalar::Chan => return Values::Channel,
        Scalar::Bit => (0, 1),
        Scalar::Byte => (0, u8::MAX as i32),
        Scalar::Short => (i16::MIN as i32, i16::MAX as i32),
        Scalar::Int => (i32::MIN, i32::MAX),
        Scalar::Unsigned(_) => (0, crate::program::layout::scalar_width(scalar).truncate(-1)),
        Scalar::Mtype(set) => (0, program.model.mtypes[set.0].names.len() as i32),
    };
    Values::Number(Range { least, most })
}
