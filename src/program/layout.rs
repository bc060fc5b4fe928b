//! Where everything lies in the state vector.
//!
//! A state is a sequence of 64-bit words: one header word, the hidden variables (not compared), the globals, the global channels,
//! and then the frames of the live processes in creation order, packed byte by byte and padded with zeros to a whole word. A frame holds the
//! process's type, its control state, its priority if priorities are used, its locals and its own channels; its size
//! depends on the proctype alone. A rendezvous channel takes no room, and neither does the variable that names a
//! global channel if it never changes.

use super::code::{Base, Cell, Width};
use crate::model::{ChannelType, Init, Model, Proctype, Scalar, Type, Variable};

/// Bytes of the header word: total words (u32), number of processes (u16), two bytes to spare.
pub const HEADER: u32 = 8;

/// The layout of one kind of channel.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    pub capacity: u32,
    pub fields: Vec<Field>,
    /// Bytes of one message.
    pub slot: u32,
    /// Width of the length in front of the messages.
    pub len: Width,
    /// Bytes in the state: 0 for rendezvous.
    pub size: u32,
    pub scalars: Vec<Scalar>,
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub width: Width,
    /// Within a message.
    pub offset: u32,
}

impl ChannelLayout {
    pub fn rendezvous(&self) -> bool {
        self.capacity == 0
    }
}

/// A channel at a fixed place: in the globals, or within a frame.
#[derive(Clone, Copy, Debug)]
pub struct ChannelPlace {
    pub layout: u32,
    pub offset: u32,
}

/// Size and field offsets of a typedef.
#[derive(Clone, Debug)]
pub struct StructLayout {
    pub size: u32,
    pub fields: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct FrameLayout {
    /// Offset of each local within the frame.
    pub locals: Vec<u32>,
    /// The channels this process brings with it, in creation order.
    pub channels: Vec<ChannelPlace>,
    pub size: u32,
}

/// Where a global lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalPlace {
    At(u32),
    /// A constant channel or array of channels: number of the first.
    Channel(u32),
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub structs: Vec<StructLayout>,
    pub channel_layouts: Vec<ChannelLayout>,
    pub globals: Vec<GlobalPlace>,
    pub channels: Vec<ChannelPlace>,
    pub frames: Vec<FrameLayout>,
    /// Words of hidden variables behind the header word.
    pub hidden_words: u32,
    /// Where the first frame starts.
    pub frames_at: u32,
    /// Within a frame.
    pub type_width: Width,
    pub pc: Cell,
    pub priority: Option<Cell>,
    pub last: Option<Cell>,
    pub event: Option<Cell>,
}

/// Marks for each global whether something may assign to it.
pub type Written = [bool];

pub fn lay_out(model: &Model, written: &Written, max_state: u32) -> Layout {
    let mut layout = Layout::empty(model, max_state);
    let hidden = layout.place_globals(model, written, HEADER, Pass::Hidden);
    layout.hidden_words = (hidden - HEADER).div_ceil(8);
    let mut at = layout.place_globals(model, written, HEADER + 8 * layout.hidden_words, Pass::Visible);
    if model.uses.last {
        layout.last = Some(Cell { base: Base::Global, offset: at, width: Width::U16 });
        at += 2;
    }
    if model.proctypes.iter().any(is_trace) {
        layout.event = Some(Cell { base: Base::Global, offset: at, width: Width::I32 });
        at += 4;
    }
    for channel in &mut layout.channels {
        channel.offset = at;
        at += layout.channel_layouts[channel.layout as usize].size;
    }
    layout.frames_at = at;
    for proctype in &model.proctypes {
        let frame = layout.frame(model, proctype);
        layout.frames.push(frame);
    }
    layout
}

pub fn is_trace(proctype: &Proctype) -> bool {
    use crate::model::ProctypeKind::{NoTrace, Trace};
    matches!(proctype.kind, Trace | NoTrace)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Hidden,
    Visible,
}

impl Layout {
    fn empty(model: &Model, max_state: u32) -> Layout {
        let type_width = if model.proctypes.len() < 256 { Width::U8 } else { Width::U16 };
        let pc_width = match max_state {
            0..256 => Width::U8,
            256..65_536 => Width::U16,
            _ => Width::I32,
        };
        let pc = Cell { base: Base::Frame, offset: type_width.bytes(), width: pc_width };
        let behind = pc.offset + pc_width.bytes();
        let priority = model.uses.priority.then_some(Cell { base: Base::Frame, offset: behind, width: Width::U8 });
        let mut layout = Layout {
            structs: Vec::new(),
            channel_layouts: Vec::new(),
            globals: vec![GlobalPlace::At(0); model.globals.len()],
            channels: Vec::new(),
            frames: Vec::new(),
            hidden_words: 0,
            frames_at: 0,
            type_width,
            pc,
            priority,
            last: None,
            event: None,
        };
        for definition in &model.structs {
            let mut size = 0;
            let mut fields = Vec::new();
            for field in &definition.fields {
                fields.push(size);
                size += layout.size(field);
            }
            layout.structs.push(StructLayout { size, fields });
        }
        layout
    }

    fn place_globals(&mut self, model: &Model, written: &Written, from: u32, pass: Pass) -> u32 {
        let mut at = from;
        for (i, variable) in model.globals.iter().enumerate() {
            if variable.hidden != (pass == Pass::Hidden) {
                continue;
            }
            let first = self.channels.len() as u32;
            self.add_channels(model, variable);
            let constant = matches!(variable.init, Init::Channel(_)) && !written[i];
            if constant {
                self.globals[i] = GlobalPlace::Channel(first);
            } else {
                self.globals[i] = GlobalPlace::At(at);
                at += self.size(variable);
            }
        }
        at
    }

    /// The channels that come into being with a global, element by element; their offsets are set later.
    fn add_channels(&mut self, model: &Model, variable: &Variable) {
        for channel in channels_of(model, variable) {
            let layout = self.channel_layout(channel);
            self.channels.push(ChannelPlace { layout, offset: 0 });
        }
    }

    fn frame(&mut self, model: &Model, proctype: &Proctype) -> FrameLayout {
        let mut size = self.priority.map_or(self.pc.offset + self.pc.width.bytes(), |p| p.offset + 1);
        let mut locals = Vec::new();
        for local in &proctype.locals {
            locals.push(size);
            size += self.size(local);
        }
        let mut channels = Vec::new();
        for channel in proctype.locals.iter().flat_map(|local| channels_of(model, local)) {
            let layout = self.channel_layout(channel);
            channels.push(ChannelPlace { layout, offset: size });
            size += self.channel_layouts[layout as usize].size;
        }
        FrameLayout { locals, channels, size }
    }

    fn channel_layout(&mut self, channel: &ChannelType) -> u32 {
        let same = |l: &ChannelLayout| l.capacity == channel.capacity && l.scalars == channel.fields;
        if let Some(at) = self.channel_layouts.iter().position(same) {
            return at as u32;
        }
        let mut fields = Vec::new();
        let mut slot = 0;
        for &scalar in &channel.fields {
            // as pan: a channel with a single bit field has a byte there
            let width = if channel.fields.len() == 1 { array_width(scalar) } else { scalar_width(scalar) };
            fields.push(Field { width, offset: slot });
            slot += width.bytes();
        }
        let len = if channel.capacity < 256 { Width::U8 } else { Width::I32 };
        let size = if channel.capacity == 0 { 0 } else { len.bytes() + channel.capacity * slot };
        let scalars = channel.fields.clone();
        self.channel_layouts.push(ChannelLayout { capacity: channel.capacity, fields, slot, len, size, scalars });
        self.channel_layouts.len() as u32 - 1
    }

    /// Bytes of a variable, all elements together.
    pub fn size(&self, variable: &Variable) -> u32 {
        self.element_size(variable) * variable.array.unwrap_or(1)
    }

    pub fn element_size(&self, variable: &Variable) -> u32 {
        match variable.ty {
            Type::Scalar(_) => variable_width(variable).bytes(),
            Type::Struct(id) => self.structs[id.0].size,
        }
    }
}

/// The channels a variable comes with: one for each element, and those in the fields of structs.
fn channels_of<'m>(model: &'m Model, variable: &'m Variable) -> Vec<&'m ChannelType> {
    let one: Vec<&ChannelType> = match (&variable.ty, &variable.init) {
        (Type::Struct(id), _) => model.structs[id.0].fields.iter().flat_map(|f| channels_of(model, f)).collect(),
        (Type::Scalar(_), Init::Channel(channel)) => vec![channel],
        _ => Vec::new(),
    };
    one.repeat(variable.array.unwrap_or(1) as usize)
}

/// The width of a scalar variable or of an element of an array of scalars.
pub fn variable_width(variable: &Variable) -> Width {
    match (variable.ty, variable.array) {
        (Type::Scalar(scalar), None) => scalar_width(scalar),
        (Type::Scalar(scalar), Some(_)) => array_width(scalar),
        (Type::Struct(_), _) => Width::U8,
    }
}

pub fn scalar_width(scalar: Scalar) -> Width {
    match scalar {
        Scalar::Bit => Width::Bit,
        Scalar::Byte | Scalar::Mtype(_) => Width::U8,
        Scalar::Short => Width::I16,
        Scalar::Int => Width::I32,
        Scalar::Unsigned(bits) => Width::Bits(bits),
        Scalar::Chan => Width::U16,
    }
}

/// As pan: an array of bits is an array of bytes, without reduction to 0 and 1.
fn array_width(scalar: Scalar) -> Width {
    match scalar_width(scalar) {
        Width::Bit => Width::U8,
        width => width,
    }
}
