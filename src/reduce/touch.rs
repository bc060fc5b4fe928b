//! What one statement does, and which accesses of other processes it minds.
//!
//! Invariant: let `a` be a statement that is executable in a state, and `b` statements of other processes that are executed from there
//! on, none of which does what `a` minds. Then `a` stays executable, and executing it first leads to the same state:
//! `b a` can be replaced by `a b`. (Only this direction is needed, and it is what makes a send and a receive on the same channel
//! independent: whoever receives before an executable send may as well do so after it.)
//!
//! What cannot be told apart is taken for the same: an index that is not known means all elements, a channel that is not known all
//! channels.

use super::access::{COUNT, END, OnChannel, RUN, Set, Shared, VISIBLE, WILD, each_cell, is_large, trace};
use super::takers::receives;
use super::units::each_read;
use crate::program::code::{Action, Base, Chan, Code, DGuard, Indexed, Poll, Receive, Run, Send, Slot, Take};
use crate::program::footprint::Owner;
use crate::program::{Automaton, InitStep, Program};

/// What a statement does and minds.
#[derive(Clone, Debug)]
pub struct Touch {
    pub does: Set,
    pub minds: Set,
}

impl Touch {
    pub fn none(shared: &Shared) -> Touch {
        let mut minds = shared.none();
        minds.insert(WILD);
        Touch { does: shared.none(), minds }
    }

    pub fn extend(&mut self, other: &Touch) {
        self.does.extend(&other.does);
        self.minds.extend(&other.minds);
    }

    /// Notes whether something is changed that a claim looks at.
    pub fn note_visibility(&mut self, watched: &Set) {
        if self.does.meets(watched) {
            self.does.insert(VISIBLE);
            self.minds.insert(VISIBLE);
        }
    }
}

/// Where a statement stands in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The move begins with it: it is executed only if it is executable.
    First,
    /// In an atomic sequence or d_step: whether it is executable decides how the move ends.
    Inside,
}

/// A process whose statements are looked at.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub program: &'a Program,
    pub shared: &'a Shared,
    pub owner: &'a Owner,
    /// Accesses of the processes of each proctype, whatever their arguments are.
    pub careers: &'a [Set],
}

impl<'a> Actor<'a> {
    pub fn automaton(&self) -> &'a Automaton {
        self.program.automaton(self.owner.kind)
    }

    /// What a statement does and minds.
    pub fn touch(&self, action: &Action, position: Position) -> Touch {
        let mut touching = Touching { actor: *self, touch: Touch::none(self.shared) };
        touching.action(action, position);
        touching.touch
    }

    /// What the evaluation of an expression does and minds.
    pub fn evaluation(&self, code: &Code) -> Touch {
        let mut touching = Touching { actor: *self, touch: Touch::none(self.shared) };
        touching.code(code);
        touching.touch
    }

    /// What a step of the process from one control state to another does, apart from its statement.
    pub fn control(&self, from: u32, to: u32) -> Touch {
        let mut touching = Touching { actor: *self, touch: Touch::none(self.shared) };
        let kind = self.owner.kind;
        if [from, to].iter().any(|&state| self.shared.is_watched(kind, state)) {
            touching.expose(self.shared.control_of(kind));
        }
        touching.touch
    }

    /// What a process minds that comes to a control state, or leaves it: it is ready to receive there.
    pub fn readiness(&self, state: u32) -> Option<Set> {
        let mut minds: Option<Set> = None;
        for transition in &self.program.transitions[self.program.leaving(self.owner.kind, state)] {
            for receive in receives(&transition.action) {
                let minds = minds.get_or_insert_with(|| self.shared.none());
                self.channels(&receive.chan).for_each(|c| minds.insert(self.shared.on(c, OnChannel::OfferInside)));
            }
        }
        minds
    }

    /// What it does to find out that a statement cannot be executed.
    pub fn refusal(&self, action: &Action) -> Set {
        let mut touching = Touching { actor: *self, touch: Touch::none(self.shared) };
        touching.refusal(action);
        touching.touch.does
    }

    /// The channels that may be meant.
    pub fn channels(&self, chan: &Chan) -> std::ops::Range<u32> {
        let known = self.program.layout.channels.len() as i64;
        match chan {
            Chan::Fixed(number) => *number..number + 1,
            Chan::Element { first, index } => {
                let elements = self.owner.elements(self.automaton(), index);
                first + elements.start..first + elements.end
            }
            Chan::Named(code) => match self.owner.constant(self.automaton(), code).map(|number| number as i64 - 1) {
                Some(number) if (0..known).contains(&number) => number as u32..number as u32 + 1,
                Some(number) if number >= known => known as u32..known as u32 + 1,
                _ => self.shared.channels(),
            },
        }
    }

    /// Whether a channel may be a rendezvous, and whether it may have a buffer.
    pub fn channel_kind(&self, channel: u32) -> ChannelKind {
        match self.program.layout.channels.get(channel as usize) {
            None => ChannelKind { rendezvous: true, buffered: true },
            Some(place) => {
                let rendezvous = self.program.layout.channel_layouts[place.layout as usize].rendezvous();
                ChannelKind { rendezvous, buffered: !rendezvous }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ChannelKind {
    pub rendezvous: bool,
    pub buffered: bool,
}

struct Touching<'a> {
    actor: Actor<'a>,
    touch: Touch,
}

impl Touching<'_> {
    fn does(&mut self, access: u32) {
        self.touch.does.insert(access);
    }

    fn minds(&mut self, access: u32) {
        self.touch.minds.insert(access);
    }

    fn read(&mut self, variable: u32) {
        self.does(Shared::read(variable));
        self.minds(Shared::write(variable));
    }

    fn write(&mut self, variable: u32) {
        self.does(Shared::write(variable));
        self.minds(Shared::write(variable));
        self.minds(Shared::read(variable));
    }

    /// It depends on everything.
    fn wild(&mut self) {
        self.does(WILD);
        self.touch.minds.fill();
    }

    fn on(&mut self, channel: u32, access: OnChannel) {
        use OnChannel::*;
        let minded: &[OnChannel] = match access {
            Send if self.actor.program.lossy => &[Send, SendSorted, Receive, Copy, Look, AskForLess, AskForMore],
            Send => &[Send, SendSorted, Look, AskForLess],
            Receive if self.actor.program.lossy => &[Send, SendSorted, Receive, Copy, Look, AskForMore, AskForLess],
            Receive => &[Receive, SendSorted, Copy, Look, AskForMore],
            SendSorted => &[Send, SendSorted, Receive, Copy, Look, AskForMore, AskForLess],
            Copy | AskForMore => &[Receive, SendSorted],
            AskForLess => &[Send, SendSorted],
            Look => &[Send, SendSorted, Receive],
            // it minds everything
            OfferInside => &[],
            Offer => &[Take],
            Take => &[Offer],
        };
        self.does(self.actor.shared.on(channel, access));
        minded.iter().for_each(|&other| self.minds(self.actor.shared.on(channel, other)));
    }

    /// Looks up the variable that says which channel is meant.
    fn name(&mut self, chan: &Chan) {
        match chan {
            Chan::Fixed(_) => {}
            Chan::Element { index, .. } => self.code(&index.index),
            Chan::Named(code) => self.code(code),
        }
    }

    fn on_all(&mut self, chan: &Chan, access: OnChannel) {
        self.name(chan);
        self.actor.channels(chan).for_each(|channel| self.on(channel, access));
    }

    fn action(&mut self, action: &Action, position: Position) {
        match action {
            Action::Nothing | Action::Else => {}
            Action::Guard(code) if position == Position::First => conjuncts(code, &mut |part| self.condition(part)),
            Action::Guard(code) | Action::Evaluate(code) | Action::Assert(code, _) => self.code(code),
            Action::Assign(slot, code) => {
                self.store(slot);
                self.code(code);
            }
            Action::Send(send) => self.send(send, position),
            Action::Receive(receive) => self.receive(receive, position),
            Action::Printf(print) => print.args.iter().for_each(|(code, _)| self.code(code)),
            Action::DStep(d) => {
                match &d.guard {
                    DGuard::First(action) => self.start(action),
                    DGuard::Any(actions) => actions.iter().for_each(|action| self.start(action)),
                    DGuard::Always => {}
                }
                d.actions().for_each(|action| self.action(action, Position::Inside));
            }
            Action::End => self.end(),
            Action::SetOwnPriority(_) | Action::SetPriority(_) => self.wild(),
        }
    }

    /// A d_step may begin with the receiving half of a handshake.
    fn start(&mut self, action: &Action) {
        if let Action::Receive(receive) = action {
            for channel in self.actor.channels(&receive.chan) {
                if self.actor.channel_kind(channel).rendezvous {
                    self.on(channel, OnChannel::Take);
                }
            }
        }
    }

    fn end(&mut self) {
        let Actor { program, shared, owner, .. } = self.actor;
        self.does(END);
        [RUN, COUNT].into_iter().for_each(|access| self.minds(access));
        self.change_processes(owner.kind);
        if !program.layout.frames[owner.kind as usize].channels.is_empty() {
            let channel = shared.channels_of_processes();
            [OnChannel::SendSorted, OnChannel::Receive, OnChannel::Look].into_iter().for_each(|a| self.on(channel, a));
            [OnChannel::Offer, OnChannel::Take].into_iter().for_each(|a| self.minds(shared.on(channel, a)));
        }
    }

    /// A part of a condition that holds when it is executed.
    fn condition(&mut self, code: &Code) {
        match code {
            Code::NotEmpty(chan) => self.on_all(chan, OnChannel::AskForMore),
            Code::NotFull(chan) => self.on_all(chan, OnChannel::AskForLess),
            Code::Poll(poll) => self.poll(poll, OnChannel::AskForMore),
            code => self.code(code),
        }
    }

    fn poll(&mut self, poll: &Poll, access: OnChannel) {
        self.on_all(&poll.chan, access);
        poll.args.iter().flatten().for_each(|arg| self.code(arg));
    }

    /// A trace goes on with what is sent or received, and looks at variables for that.
    fn event(&mut self) {
        let program = self.actor.program;
        if let Some(event) = program.layout.event {
            self.cell(Base::Global, event.offset, Use::Write);
        }
        for action in trace(program) {
            action.visit(&mut |code| {
                each_read(code, Base::Global, |access| {
                    access.stretch.for_each(|offset| self.cell(Base::Global, offset, Use::Read));
                });
            });
        }
    }

    fn send(&mut self, send: &Send, position: Position) {
        self.name(&send.chan);
        send.args.iter().for_each(|arg| self.code(arg));
        if self.actor.channels(&send.chan).any(|channel| self.actor.shared.traces_sends(channel)) {
            self.event();
        }
        let mut meets = false;
        for channel in self.actor.channels(&send.chan) {
            let kind = self.actor.channel_kind(channel);
            if kind.rendezvous {
                self.on(channel, OnChannel::Offer);
                if position == Position::Inside {
                    self.on(channel, OnChannel::OfferInside);
                    meets = true;
                }
            }
            if kind.buffered {
                self.on(channel, OnChannel::Send);
                if send.sorted {
                    self.on(channel, OnChannel::SendSorted);
                }
                if position == Position::Inside {
                    self.on(channel, OnChannel::Look);
                }
            }
        }
        if meets {
            self.meet();
        }
    }

    /// Another process moves, too, if one is ready to receive: that decides how the move ends.
    fn meet(&mut self) {
        if !self.actor.shared.takers_decide_alone() {
            return self.wild();
        }
        self.touch.minds.fill();
        // those that are ready come and go
        self.does(COUNT);
    }

    fn receive(&mut self, receive: &Receive, position: Position) {
        if receive.stdin {
            return self.wild();
        }
        self.name(&receive.chan);
        if self.actor.channels(&receive.chan).any(|channel| self.actor.shared.traces_receives(channel)) {
            self.event();
        }
        for channel in self.actor.channels(&receive.chan) {
            let kind = self.actor.channel_kind(channel);
            if kind.rendezvous && !receive.copy && position == Position::First {
                self.on(channel, OnChannel::Take);
            }
            if kind.buffered {
                self.on(channel, if receive.copy { OnChannel::Copy } else { OnChannel::Receive });
                if position == Position::Inside {
                    self.on(channel, OnChannel::Look);
                }
            }
        }
        for arg in &receive.args {
            match arg {
                Take::Match(code) => self.code(code),
                Take::Store(slot) => self.store(slot),
                Take::Ignore => {}
            }
        }
    }

    fn refusal(&mut self, action: &Action) {
        match action {
            Action::Guard(code) => self.code(code),
            Action::Send(send) => {
                let rendezvous = self.actor.channels(&send.chan).any(|c| self.actor.channel_kind(c).rendezvous);
                if rendezvous {
                    self.wild();
                }
                self.on_all(&send.chan, OnChannel::Look);
            }
            Action::Receive(receive) => {
                self.on_all(&receive.chan, OnChannel::Look);
                for arg in &receive.args {
                    if let Take::Match(code) = arg {
                        self.code(code);
                    }
                }
            }
            Action::DStep(d) => match &d.guard {
                DGuard::Always => {}
                DGuard::First(action) => self.refusal(action),
                DGuard::Any(actions) => actions.iter().for_each(|action| self.refusal(action)),
            },
            // processes come and go
            Action::End => [RUN, END, COUNT].into_iter().for_each(|access| self.does(access)),
            Action::Nothing
            | Action::Else
            | Action::Evaluate(_)
            | Action::Assert(..)
            | Action::Assign(..)
            | Action::Printf(_)
            | Action::SetOwnPriority(_)
            | Action::SetPriority(_) => {}
        }
    }

    fn store(&mut self, slot: &Slot) {
        match slot {
            Slot::Fixed(cell) => self.cell(cell.base, cell.offset, Use::Write),
            Slot::Indexed(place) => self.indexed(place, Use::Write),
        }
    }

    fn cell(&mut self, base: Base, offset: u32, usage: Use) {
        let Actor { shared, owner, .. } = self.actor;
        match base {
            Base::Global => {
                let Some(variable) = shared.variable(offset) else { return };
                match usage {
                    Use::Read => self.read(variable),
                    Use::Write => self.write(variable),
                }
            }
            Base::Frame if usage == Use::Write => {
                // others may read it, but not write it
                self.expose(shared.locals_of(owner.kind));
            }
            Base::Frame => {}
        }
    }

    fn indexed(&mut self, place: &Indexed, usage: Use) {
        place.steps().for_each(|step| self.code(&step.index));
        let base = place.cell.base;
        if base == Base::Frame || is_large(place) {
            return self.cell(base, place.cell.offset, usage);
        }
        let Actor { owner, .. } = self.actor;
        let automaton = self.actor.automaton();
        each_cell(place, |step| owner.elements(automaton, step), |offset| self.cell(base, offset, usage));
    }

    fn run(&mut self, run: &Run) {
        let careers = self.actor.careers;
        self.does(RUN);
        [RUN, END, COUNT].into_iter().for_each(|access| self.minds(access));
        self.change_processes(run.proctype);
        if let Some(career) = careers.get(run.proctype as usize) {
            self.touch.does.extend(career);
        }
        run.args.iter().for_each(|arg| self.code(arg));
        // the first values of its locals are found at once
        let Actor { program, .. } = self.actor;
        let owner = Owner { kind: run.proctype, pid: None, settled: Box::default() };
        let created = Actor { owner: &owner, ..self.actor };
        for step in &program.automaton(run.proctype).init {
            if let InitStep::Value(_, code) = step {
                self.touch.extend(&created.evaluation(code));
            }
        }
    }

    fn code(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::Pid | Code::Any => {}
            // false while something else can be executed, and such a state is not reduced otherwise
            Code::Timeout => {}
            Code::GlobalByte(offset) | Code::GlobalRange(offset, _) => self.cell(Base::Global, *offset, Use::Read),
            Code::LocalByte(_) | Code::LocalRange(..) => {}
            Code::Cell(cell) | Code::CellConst(_, cell, _) => self.cell(cell.base, cell.offset, Use::Read),
            Code::Indexed(place) => self.indexed(place, Use::Read),
            Code::Binary(_, pair) | Code::And(pair) | Code::Or(pair) => {
                self.code(&pair.0);
                self.code(&pair.1);
            }
            Code::Not(inner) | Code::Minus(inner) | Code::Complement(inner) => self.code(inner),
            Code::Conditional(three) => {
                self.code(&three.0);
                self.code(&three.1);
                self.code(&three.2);
            }
            Code::Len(chan) | Code::Full(chan) | Code::NotFull(chan) | Code::Empty(chan) | Code::NotEmpty(chan) => {
                self.on_all(chan, OnChannel::Look);
            }
            Code::Poll(poll) => self.poll(poll, OnChannel::Look),
            Code::ChannelElement(step, _) => self.code(&step.index),
            Code::Run(run) => self.run(run),
            Code::ProcessCount => {
                self.does(COUNT);
                [RUN, END].into_iter().for_each(|access| self.minds(access));
            }
            Code::RemoteLabel(remote) => {
                remote.pid.iter().for_each(|pid| self.code(pid));
                self.read_processes(self.actor.shared.control_of(remote.proctype));
            }
            Code::RemoteVar(remote) => {
                remote.pid.iter().for_each(|pid| self.code(pid));
                if let Slot::Indexed(place) = &remote.slot {
                    place.steps().for_each(|step| self.code(&step.index));
                }
                self.read_processes(self.actor.shared.locals_of(remote.proctype));
            }
            Code::Last
            | Code::NonProgress
            | Code::Priority
            | Code::Enabled(_)
            | Code::PcValue(_)
            | Code::GetPriority(_) => {
                self.wild();
            }
        }
    }

    /// Changes what only this process writes and others may read.
    fn expose(&mut self, variable: u32) {
        self.does(Shared::write(variable));
        self.minds(Shared::read(variable));
    }

    /// A process of this proctype comes or goes.
    fn change_processes(&mut self, kind: u32) {
        let shared = self.actor.shared;
        self.expose(shared.locals_of(kind));
        self.expose(shared.control_of(kind));
    }

    /// Looks at other processes, which may come and go.
    fn read_processes(&mut self, variable: u32) {
        self.read(variable);
        self.does(COUNT);
        [RUN, END].into_iter().for_each(|access| self.minds(access));
    }
}

/// What happens to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Write,
}

/// The parts of a conjunction.
pub fn conjuncts<'c>(code: &'c Code, see: &mut impl FnMut(&'c Code)) {
    match code {
        Code::And(pair) => {
            conjuncts(&pair.0, see);
            conjuncts(&pair.1, see);
        }
        code => see(code),
    }
}
