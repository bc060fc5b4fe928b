//! Which bytes of a state the moves of a process can touch.

use super::code::{Action, Base, Cell, Chan, Code, DGuard, DNode, DStep, IndexStep, Indexed, Send, Slot, Take};
use super::layout::Layout;
use super::{Automaton, Transition};

/// A stretch of bytes, in the globals or in the frame of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub base: Base,
    pub offset: u32,
    pub len: u32,
}

/// By control state: all that the moves a process can make there by itself read or write, atomic sequences that start
/// there included. `None` if that cannot be told from the program alone: processes come or go, others take part or are
/// looked at, a channel is named by a variable.
pub fn footprints(automaton: &Automaton, transitions: &[Transition], layout: &Layout) -> Vec<Option<Vec<Stretch>>> {
    (0..automaton.first.len() as u32 - 1).map(|state| footprint(automaton, transitions, layout, state)).collect()
}

fn footprint(
    automaton: &Automaton,
    transitions: &[Transition],
    layout: &Layout,
    state: u32,
) -> Option<Vec<Stretch>> {
    let mut touched = Touched { layout, stretches: Vec::new() };
    touched.cell(layout.pc);
    layout.last.into_iter().for_each(|cell| touched.cell(cell));
    let mut seen = vec![state];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        next += 1;
        for transition in &transitions[automaton.leaving(at)] {
            // inside a sequence whatever is not plain is not executed, but left to be walked
            let left = at != state && !transition.plain;
            if transition.waits || left {
                continue;
            }
            touched.action(&transition.action, at != state)?;
            if transition.atomic && !seen.contains(&transition.to) {
                seen.push(transition.to);
            }
        }
    }
    Some(touched.stretches)
}

struct Touched<'l> {
    layout: &'l Layout,
    stretches: Vec<Stretch>,
}

impl Touched<'_> {
    fn stretch(&mut self, base: Base, offset: u32, len: u32) {
        let stretch = Stretch { base, offset, len };
        if len > 0 && !self.stretches.contains(&stretch) {
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
            Action::DStep(d) => self.d_step(d),
            Action::SetOwnPriority(_) | Action::SetPriority(_) | Action::End => None,
        }
    }

    /// A rendezvous send takes a partner; inside a sequence it is left to be walked.
    fn send(&mut self, send: &Send, in_sequence: bool) -> Option<()> {
        let (Chan::Fixed(number) | Chan::Element { first: number, .. }) = &send.chan else { return None };
        let kind = self.layout.channels[*number as usize].layout;
        if self.layout.channel_layouts[kind as usize].rendezvous() {
            return if in_sequence { self.chan(&send.chan) } else { None };
        }
        self.chan(&send.chan)?;
        send.args.iter().try_for_each(|arg| self.code(arg))
    }

    fn d_step(&mut self, d: &DStep) -> Option<()> {
        match &d.guard {
            DGuard::Always => {}
            DGuard::First(action) => self.action(action, false)?,
            DGuard::Any(actions) => actions.iter().try_for_each(|action| self.action(action, false))?,
        }
        d.nodes.iter().try_for_each(|node| match node {
            DNode::Exit => Some(()),
            DNode::Step(action, _) => self.action(action, false),
            DNode::Select(options) => {
                options.iter().filter_map(|(head, _)| head.as_ref()).try_for_each(|head| self.action(head, false))
            }
        })
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

    /// Any element may be meant.
    fn indexed(&mut self, place: &Indexed) -> Option<()> {
        let steps = || std::iter::once(&place.first).chain(&place.more);
        let span: u32 = steps().map(|step| step.count.saturating_sub(1) * step.stride).sum();
        self.stretch(place.cell.base, place.cell.offset, span + place.cell.width.bytes());
        steps().try_for_each(|step| self.code(&step.index))
    }

    fn chan(&mut self, chan: &Chan) -> Option<()> {
        match chan {
            Chan::Fixed(number) => self.channels(*number, 1),
            Chan::Element { first, index } => {
                self.channels(*first, index.count);
                self.index(index)
            }
            Chan::Named(_) => None,
        }
    }

    fn channels(&mut self, first: u32, count: u32) -> Option<()> {
        for number in first..first + count {
            let place = self.layout.channels[number as usize];
            self.stretch(Base::Global, place.offset, self.layout.channel_layouts[place.layout as usize].size);
        }
        Some(())
    }

    fn index(&mut self, step: &IndexStep) -> Option<()> {
        self.code(&step.index)
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
            Code::ChannelElement(step, _) => self.index(step)?,
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
