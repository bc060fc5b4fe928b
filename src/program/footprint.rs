//! Which bytes of a state the moves of a process can touch.

use super::code::{Action, Base, Cell, Chan, Code, IndexStep, Indexed, Send, Slot, Take};
use super::compile::apply;
use super::layout::Layout;
use super::{Automaton, Program, Transition};

/// A stretch of bytes, in the globals or in the frame of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub base: Base,
    pub offset: u32,
    pub len: u32,
}

/// A process of which the footprint is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    pub kind: u32,
    /// `None` if it may be any.
    pub pid: Option<u32>,
    /// The values of [`Automaton::settled`]; empty if they may be any.
    pub settled: Box<[i32]>,
}

impl Owner {
    /// The value of an expression that is the same whenever this process evaluates it.
    pub fn constant(&self, automaton: &Automaton, code: &Code) -> Option<i32> {
        match code {
            Code::Const(value) => Some(*value),
            Code::Pid => self.pid.map(|pid| pid as i32),
            Code::LocalByte(offset) => self.settled(automaton, *offset),
            Code::Cell(cell) if cell.base == Base::Frame => self.settled(automaton, cell.offset),
            Code::CellConst(op, cell, right) if cell.base == Base::Frame => {
                apply(*op, self.settled(automaton, cell.offset)?, *right)
            }
            Code::Binary(op, pair) => {
                apply(*op, self.constant(automaton, &pair.0)?, self.constant(automaton, &pair.1)?)
            }
            _ => None,
        }
    }

    /// The elements that an index can mean: one if it is constant for this process, otherwise all.
    pub fn elements(&self, automaton: &Automaton, step: &IndexStep) -> std::ops::Range<u32> {
        match self.constant(automaton, &step.index) {
            Some(i) if (0..step.count as i64).contains(&(i as i64)) => i as u32..i as u32 + 1,
            _ => 0..step.count,
        }
    }

    fn settled(&self, automaton: &Automaton, offset: u32) -> Option<i32> {
        let at = automaton.settled.iter().position(|cell| cell.offset == offset)?;
        self.settled.get(at).copied()
    }
}

/// The scalar locals that no statement writes: what they are at the start of a process they are all its life.
pub fn settled(locals: impl Iterator<Item = Cell>, transitions: &[Transition]) -> Vec<Cell> {
    let mut written = Vec::new();
    for transition in transitions {
        writes(&transition.action, &mut written);
    }
    locals.filter(|local| !written.contains(&local.offset)).collect()
}

/// Collects where in the frame an action stores scalars.
fn writes(action: &Action, written: &mut Vec<u32>) {
    let mut slot = |slot: &Slot| match slot {
        Slot::Fixed(cell) if cell.base == Base::Frame => written.push(cell.offset),
        _ => {}
    };
    match action {
        Action::Assign(target, _) => slot(target),
        Action::Receive(receive) => receive.args.iter().for_each(|arg| match arg {
            Take::Store(target) => slot(target),
            Take::Match(_) | Take::Ignore => {}
        }),
        Action::DStep(d) => d.actions().for_each(|action| writes(action, written)),
        _ => {}
    }
}

/// What the moves that a process can make by itself at a control state read or write.
#[derive(Clone, Debug)]
pub struct Footprint {
    pub stretches: Vec<Stretch>,
    /// These are all its moves: no other process can make it move, and no atomic sequence goes on behind what was
    /// looked at.
    pub whole: bool,
}

/// Control states of an atomic sequence, and stretches of bytes, beyond which a footprint is not worth the time that it takes.
const MOST_STATES: usize = 256;
const MOST_STRETCHES: usize = 512;

/// The footprint of a process at a control state, atomic sequences that start there included. `None` if that cannot be
/// told in advance: processes come or go, others take part or are looked at, a channel is named by a variable that
/// changes; or if the sequence is long, or much is touched.
pub fn footprint(program: &Program, owner: &Owner, state: u32) -> Option<Footprint> {
    let (automaton, layout) = (program.automaton(owner.kind), &program.layout);
    let mut touched = Touched { layout, automaton, owner, stretches: Vec::new(), whole: true };
    touched.cell(layout.pc);
    layout.last.into_iter().for_each(|cell| touched.cell(cell));
    let mut seen = vec![state];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        next += 1;
        if seen.len() > MOST_STATES || touched.stretches.len() >= MOST_STRETCHES {
            return None;
        }
        touched.whole &= automaton.takers.at(at).is_empty();
        for transition in &program.transitions[automaton.leaving(at)] {
            // inside a sequence whatever is not plain is not executed, but left to be walked
            let left = at != state && !transition.plain;
            if transition.waits || left {
                touched.whole = false;
                continue;
            }
            touched.action(&transition.action, at != state)?;
            transition.resets.iter().for_each(|reset| touched.stretch(reset.base, reset.offset, reset.len));
            if transition.atomic && !seen.contains(&transition.to) {
                seen.push(transition.to);
            }
        }
    }
    let is_small = touched.stretches.len() < MOST_STRETCHES;
    is_small.then_some(Footprint { stretches: touched.stretches, whole: touched.whole })
}

struct Touched<'l> {
    layout: &'l Layout,
    automaton: &'l Automaton,
    owner: &'l Owner,
    stretches: Vec<Stretch>,
    whole: bool,
}

impl Touched<'_> {
    fn stretch(&mut self, base: Base, offset: u32, len: u32) {
        let stretch = Stretch { base, offset, len };
        if len > 0 && self.stretches.len() < MOST_STRETCHES && !self.stretches.contains(&stretch) {
            self.stretches.push(stretch);
        }
    }

    fn cell(&mut self, cell: Cell) {
        self.stretch(cell.base, cell.offset, cell.width.bytes());
    }

    fn action(&mut self, action: &Action, in_sequence: bool) -> Option<()> {
        match action {
            Action::Nothing | Action::Else => Some(()),
            Action::Guard(code) | Action::Evaluate(code) | Action::Assert(code, _) => self.code(code),
            Action::Assign(slot, code) => {
                self.slot(slot)?;
                self.code(code)
            }
            Action::Send(send) => self.send(send, in_sequence),
            Action::Receive(receive) => {
                self.chan(&receive.chan)?;
                receive.args.iter().try_for_each(|arg| match arg {
                    Take::Match(code) => self.code(code),
                    Take::Store(slot) => self.slot(slot),
                    Take::Ignore => Some(()),
                })
            }
            Action::Printf(print) => print.args.iter().try_for_each(|(code, _)| self.code(code)),
            Action::DStep(d) => d.actions().try_for_each(|action| self.action(action, false)),
            Action::SetOwnPriority(_) | Action::SetPriority(_) | Action::End => None,
        }
    }

    /// A rendezvous send takes a partner; inside a sequence it is left to be walked.
    fn send(&mut self, send: &Send, in_sequence: bool) -> Option<()> {
        let number = match &send.chan {
            Chan::Fixed(number) | Chan::Element { first: number, .. } => *number,
            Chan::Named(code) => self.named(code)?,
        };
        let kind = self.layout.channels[number as usize].layout;
        if self.layout.channel_layouts[kind as usize].rendezvous() {
            self.whole = false;
            return if in_sequence { self.chan(&send.chan) } else { None };
        }
        self.chan(&send.chan)?;
        send.args.iter().try_for_each(|arg| self.code(arg))
    }

    fn slot(&mut self, slot: &Slot) -> Option<()> {
        match slot {
            Slot::Fixed(cell) => {
                self.cell(*cell);
                Some(())
            }
            Slot::Indexed(place) => self.indexed(place),
        }
    }

    fn indexed(&mut self, place: &Indexed) -> Option<()> {
        let (mut offset, mut len) = (place.cell.offset, place.cell.width.bytes());
        for step in std::iter::once(&place.first).chain(&place.more) {
            let elements = self.elements(step)?;
            offset += elements.start * step.stride;
            len += (elements.len() as u32).saturating_sub(1) * step.stride;
        }
        self.stretch(place.cell.base, offset, len);
        Some(())
    }

    /// The elements that an index can mean.
    fn elements(&mut self, step: &IndexStep) -> Option<std::ops::Range<u32>> {
        self.code(&step.index)?;
        Some(self.owner.elements(self.automaton, step))
    }

    /// The number of the channel that a variable names, if it is always the same and global. (The places of the channels
    /// of processes depend on which processes there are.)
    fn named(&self, code: &Code) -> Option<u32> {
        let number = u32::try_from(self.owner.constant(self.automaton, code)?.checked_sub(1)?).ok()?;
        ((number as usize) < self.layout.channels.len()).then_some(number)
    }

    fn chan(&mut self, chan: &Chan) -> Option<()> {
        let channels = match chan {
            Chan::Fixed(number) => *number..number + 1,
            Chan::Element { first, index } => {
                let elements = self.elements(index)?;
                first + elements.start..first + elements.end
            }
            Chan::Named(code) => {
                self.code(code)?;
                let number = self.named(code)?;
                number..number + 1
            }
        };
        for number in channels {
            let place = self.layout.channels[number as usize];
            self.stretch(Base::Global, place.offset, self.layout.channel_layouts[place.layout as usize].size);
        }
        Some(())
    }

    fn code(&mut self, code: &Code) -> Option<()> {
        match code {
            Code::Const(_) | Code::Pid | Code::Timeout | Code::Any => {}
            Code::GlobalByte(offset) | Code::GlobalRange(offset, _) => self.stretch(Base::Global, *offset, 1),
            Code::LocalByte(offset) | Code::LocalRange(offset, _) => self.stretch(Base::Frame, *offset, 1),
            Code::Cell(cell) | Code::CellConst(_, cell, _) => self.cell(*cell),
            Code::Last => self.layout.last.into_iter().for_each(|cell| self.cell(cell)),
            Code::Indexed(place) => self.indexed(place)?,
            Code::Binary(_, pair) | Code::And(pair) | Code::Or(pair) => {
                self.code(&pair.0)?;
                self.code(&pair.1)?;
            }
            Code::Not(inner) | Code::Minus(inner) | Code::Complement(inner) => self.code(inner)?,
            Code::Conditional(three) => {
                self.code(&three.0)?;
                self.code(&three.1)?;
                self.code(&three.2)?;
            }
            Code::Len(chan) | Code::Full(chan) | Code::NotFull(chan) | Code::Empty(chan) | Code::NotEmpty(chan) => {
                self.chan(chan)?;
            }
            Code::Poll(poll) => {
                self.chan(&poll.chan)?;
                poll.args.iter().flatten().try_for_each(|arg| self.code(arg))?;
            }
            Code::ChannelElement(step, _) => self.code(&step.index)?,
            Code::Run(_)
            | Code::NonProgress
            | Code::ProcessCount
            | Code::Priority
            | Code::Enabled(_)
            | Code::PcValue(_)
            | Code::GetPriority(_)
            | Code::RemoteLabel(_)
            | Code::RemoteVar(_) => return None,
        }
        Some(())
    }
}
