//! What a process can do from each of its control states on: found once for all processes with the same proctype and the same
//! arguments.

use super::access::{END, OnChannel, Set, Shared, VISIBLE, WILD, asks_for_timeout};
use super::meetings::{Meetings, SetId};
use super::options::{Options, options};
use super::takers::receives;
use super::total::is_total_if;
use super::touch::{Actor, Position, Touch, conjuncts};
use super::ways::Ways;
use crate::program::Program;
use crate::program::code::{Action, Base, Cell, Chan, Code, DGuard, Receive, Send, Take};
use crate::program::footprint::Owner;
use crate::program::{Automaton, Transition};
use crate::system::state::load;
use crate::system::{Effort, Halt};

/// The moves of a process.
pub struct Profile {
    owner: Owner,
    /// The first transition of its automaton.
    first: usize,
    /// By transition.
    pub moves: Vec<Move>,
    /// By transition: all that the process may do once it has begun with it.
    pub futures: Vec<Set>,
}

/// A transition as the beginning of a move.
pub struct Move {
    /// What others must not do while this is put off.
    pub minds: SetId,
    /// What must be true for it to be executable.
    pub guards: Vec<Guard<SetId>>,
    /// It changes what the claim looks at.
    pub visible: bool,
    /// It depends on `timeout`.
    pub timeout: bool,
    pub is_else: bool,
    /// It may be the second half of a handshake.
    pub takes: bool,
    pub escape: u32,
    /// The component of control states it leads to.
    to: u32,
    /// The component of the control state where it begins.
    from: u32,
}

impl Move {
    /// The process may come back to where it is after this.
    pub fn returns(&self) -> bool {
        self.from == self.to
    }
}

/// One of the conditions for a move. A set of accesses is a number as soon as it does not grow any more.
pub struct Guard<S> {
    /// Whether it holds. A move has at most one guard without a test; if the move is not executable although all the others hold, that
    /// one does not.
    pub test: Option<Code>,
    /// What can make it true.
    pub needs: Needs<S>,
    /// It depends on locals that the process may change.
    pub own: bool,
}

#[derive(Clone, Copy)]
pub enum Needs<S> {
    /// One of these accesses.
    Access(S),
    /// The end of all younger processes.
    YoungerEnd,
    /// Whatever happens.
    Anything,
}

impl Guard<Set> {
    fn number(self, meetings: &mut Meetings) -> Guard<SetId> {
        let needs = match self.needs {
            Needs::Access(set) => Needs::Access(meetings.number(set)),
            Needs::YoungerEnd => Needs::YoungerEnd,
            Needs::Anything => Needs::Anything,
        };
        Guard { test: self.test, needs, own: self.own }
    }
}

impl Profile {
    /// `watched` is what a claim minds.
    pub fn new(actor: Actor, watched: &Set, meetings: &mut Meetings) -> Profile {
        let automaton = actor.automaton();
        let range = automaton.range();
        let transitions = &actor.program.transitions[range.clone()];
        let states = automaton.states.len();
        let inside = inside(states, transitions);
        let options = options(actor);
        let mut touches: Vec<Touch> = transitions.iter().map(|t| first_touch(actor, &options, t)).collect();
        let within: Vec<Option<Touch>> = transitions
            .iter()
            .map(|t| inside[t.from as usize].then(|| statement(actor, &options, t, Position::Inside)))
            .collect();
        if transitions.iter().any(|transition| transition.atomic) {
            let sequences = sequences(actor, transitions, &within);
            for (transition, touch) in transitions.iter().zip(&mut touches).filter(|(t, _)| t.atomic) {
                touch.extend(&sequences[transition.to as usize]);
            }
        }
        touches.iter_mut().for_each(|touch| touch.note_visibility(watched));
        let ways = Ways::new(states, transitions.iter());
        let components = ways.components();
        let behind = futures(actor, &ways, transitions, &touches, &within);
        let future = |(transition, touch): (&Transition, &Touch)| {
            let mut future = touch.does.clone();
            future.extend(&behind[transition.to as usize]);
            future
        };
        let futures = transitions.iter().zip(&touches).map(future).collect();
        let moves = transitions.iter().zip(&touches).map(|(transition, touch)| Move {
            minds: meetings.number(touch.minds.clone()),
            guards: guards(actor, transition).into_iter().map(|guard| guard.number(meetings)).collect(),
            visible: touch.does.contains(VISIBLE),
            timeout: depends_on_timeout(actor, &transition.action),
            is_else: matches!(transition.action, Action::Else)
                || matches!(&transition.action, Action::DStep(d) if matches!(d.guard, DGuard::First(Action::Else))),
            takes: takes(actor, &transition.action),
            escape: transition.escape,
            from: components[transition.from as usize],
            to: components[transition.to as usize],
        });
        Profile { owner: actor.owner.clone(), first: range.start, moves: moves.collect(), futures }
    }

    /// It is that of the process with this frame, whose number is the same as that of its owner.
    pub fn is_of(&self, kind: u32, automaton: &Automaton, frame: usize, bytes: &[u8]) -> bool {
        let same = |(cell, value): (&Cell, &i32)| load(bytes, frame + cell.offset as usize, cell.width) == *value;
        self.owner.kind == kind && automaton.settled.iter().zip(&self.owner.settled).all(same)
    }

    /// The number of the move that begins with this transition of the program.
    pub fn number(&self, transition: usize) -> usize {
        transition - self.first
    }

    /// The transition of the program with which this move begins.
    pub fn transition(&self, number: usize) -> usize {
        self.first + number
    }

    /// Words of its sets.
    pub fn size(&self) -> usize {
        self.futures.iter().map(Set::words).sum()
    }
}

/// The control states at which an atomic sequence goes on.
fn inside(states: usize, transitions: &[Transition]) -> Vec<bool> {
    let mut inside = vec![false; states];
    transitions.iter().filter(|t| t.atomic).for_each(|t| inside[t.to as usize] = true);
    inside
}

/// By control state: what the statements of an atomic sequence do and mind that goes on there.
fn sequences(actor: Actor, transitions: &[Transition], within: &[Option<Touch>]) -> Vec<Touch> {
    let states = actor.automaton().states.len();
    let mut there = vec![Touch::none(actor.shared); states.max(1)];
    for (transition, touch) in transitions.iter().zip(within) {
        touch.iter().for_each(|touch| there[transition.from as usize].extend(touch));
    }
    Ways::new(states, transitions.iter().filter(|transition| transition.atomic)).behind(there, Touch::extend)
}

/// What a transition does and minds, together with what decides whether it is its turn.
fn first_touch(actor: Actor, options: &[Options], transition: &Transition) -> Touch {
    let mut touch = statement(actor, options, transition, Position::First);
    for refusal in options[transition.from as usize].waits_for(transition) {
        touch.does.extend(refusal);
    }
    touch
}

fn statement(actor: Actor, options: &[Options], transition: &Transition, position: Position) -> Touch {
    let mut touch = actor.touch(&transition.action, position);
    touch.extend(&actor.control(transition.from, transition.to));
    for state in [transition.from, transition.to] {
        if let Some(minds) = &options[state as usize].ready {
            touch.minds.extend(minds);
        }
    }
    if let Some(provided) = &actor.automaton().provided {
        touch.extend(&actor.evaluation(provided));
    }
    touch
}

/// What may be done from each control state on.
fn futures(
    actor: Actor,
    ways: &Ways,
    transitions: &[Transition],
    touches: &[Touch],
    within: &[Option<Touch>],
) -> Vec<Set> {
    let mut there = vec![actor.shared.none(); actor.automaton().states.len().max(1)];
    for ((transition, touch), within) in transitions.iter().zip(touches).zip(within) {
        let there = &mut there[transition.from as usize];
        there.extend(&touch.does);
        if let Some(inside) = within {
            there.extend(&inside.does);
        }
    }
    ways.behind(there, |sum, more| _ = sum.extend(more))
}

fn depends_on_timeout(actor: Actor, action: &Action) -> bool {
    let mut found = actor.automaton().provided.as_ref().is_some_and(asks_for_timeout);
    action.visit(&mut |code| found |= matches!(code, Code::Timeout));
    found
}

fn takes(actor: Actor, action: &Action) -> bool {
    let from_rendezvous = |receive: &&Receive| {
        !receive.copy && actor.channels(&receive.chan).any(|channel| actor.channel_kind(channel).rendezvous)
    };
    receives(action).iter().any(from_rendezvous)
}

fn guards(actor: Actor, transition: &Transition) -> Vec<Guard<Set>> {
    let mut guards = Vec::new();
    if let Some(provided) = &actor.automaton().provided {
        guards.push(condition(actor, provided));
    }
    of_action(actor, &transition.action, &mut guards);
    guards
}

fn of_action(actor: Actor, action: &Action, guards: &mut Vec<Guard<Set>>) {
    match action {
        Action::Guard(code) => {
            let mut parts = Vec::new();
            conjuncts(code, &mut |part| parts.push(part));
            // an evaluation that fails is an error, and whatever makes it fail counts as well
            if parts.iter().all(|part| is_total(actor, part)) {
                guards.extend(parts.into_iter().map(|part| condition(actor, part)));
            } else {
                guards.push(condition(actor, code));
            }
        }
        Action::Send(send) => guards.push(room(actor, send)),
        Action::Receive(receive) => messages(actor, receive, guards),
        Action::DStep(d) => match &d.guard {
            DGuard::Always => {}
            DGuard::First(action) => of_action(actor, action, guards),
            DGuard::Any(actions) => guards.push(any_of(actor, actions)),
        },
        Action::End => guards.push(Guard { test: None, needs: Needs::YoungerEnd, own: false }),
        Action::Nothing
        | Action::Else
        | Action::Evaluate(_)
        | Action::Assign(..)
        | Action::Assert(..)
        | Action::Printf(_)
        | Action::SetOwnPriority(_)
        | Action::SetPriority(_) => {}
    }
}

/// One of several statements must become executable: whatever may make one so.
fn any_of(actor: Actor, actions: &[Action]) -> Guard<Set> {
    let mut all = Vec::new();
    actions.iter().for_each(|action| of_action(actor, action, &mut all));
    let mut needs = actor.shared.none();
    let own = all.iter().any(|guard| guard.own);
    for guard in all {
        match guard.needs {
            Needs::Access(set) => drop(needs.extend(&set)),
            Needs::YoungerEnd | Needs::Anything => return Guard { test: None, needs: Needs::Anything, own: true },
        }
    }
    Guard { test: None, needs: Needs::Access(needs), own }
}

fn condition(actor: Actor, code: &Code) -> Guard<Set> {
    let own = reads_locals(code);
    let test = Some(code.clone());
    if asks_for_timeout(code) {
        return Guard { test, needs: Needs::Anything, own: true };
    }
    let mut needs = match code {
        Code::NotEmpty(chan) => on_channels(actor, chan, &[OnChannel::Send]),
        Code::NotFull(chan) => on_channels(actor, chan, &[OnChannel::Receive]),
        code => actor.evaluation(code).minds,
    };
    if let Code::NotEmpty(chan) | Code::NotFull(chan) = code {
        needs.extend(&naming(actor, chan));
    }
    needs.remove(WILD);
    Guard { test, needs: Needs::Access(needs), own }
}

/// Accesses to all channels that may be meant.
fn on_channels(actor: Actor, chan: &Chan, accesses: &[OnChannel]) -> Set {
    let mut set = actor.shared.none();
    for channel in actor.channels(chan) {
        accesses.iter().for_each(|&access| set.insert(actor.shared.on(channel, access)));
    }
    set
}

/// What changes which channel is meant.
fn naming(actor: Actor, chan: &Chan) -> Set {
    let mut minds = match chan {
        Chan::Fixed(_) => return actor.shared.none(),
        Chan::Element { index, .. } => actor.evaluation(&index.index).minds,
        Chan::Named(code) => actor.evaluation(code).minds,
    };
    minds.remove(WILD);
    minds
}

fn names_by_locals(chan: &Chan) -> bool {
    match chan {
        Chan::Fixed(_) => false,
        Chan::Element { index, .. } => reads_locals(&index.index),
        Chan::Named(code) => reads_locals(code),
    }
}

/// A send waits for room in the channel, or for a receiver.
fn room(actor: Actor, send: &Send) -> Guard<Set> {
    let mut needs = on_channels(actor, &send.chan, &[OnChannel::Receive, OnChannel::Take]);
    needs.extend(&naming(actor, &send.chan));
    let meets = actor.channels(&send.chan).any(|channel| actor.channel_kind(channel).rendezvous);
    let mut own = names_by_locals(&send.chan);
    if meets {
        // the receiver may wait for another message
        for arg in &send.args {
            needs.extend(&actor.evaluation(arg).minds);
            own |= reads_locals(arg);
        }
        needs.remove(WILD);
    }
    Guard { test: None, needs: Needs::Access(needs), own }
}

/// A receive waits for a message, or for the first one to be the right one.
fn messages(actor: Actor, receive: &Receive, guards: &mut Vec<Guard<Set>>) {
    let mut matching = naming(actor, &receive.chan);
    let mut own = names_by_locals(&receive.chan);
    for arg in &receive.args {
        if let Take::Match(code) = arg {
            matching.extend(&actor.evaluation(code).minds);
            own |= reads_locals(code);
        }
    }
    matching.remove(WILD);
    let buffered = actor.channels(&receive.chan).all(|channel| !actor.channel_kind(channel).rendezvous);
    if buffered {
        let mut needs = on_channels(actor, &receive.chan, &[OnChannel::Send]);
        needs.extend(&naming(actor, &receive.chan));
        let test = Some(Code::NotEmpty(Box::new(receive.chan.clone())));
        guards.push(Guard { test, needs: Needs::Access(needs), own: names_by_locals(&receive.chan) });
    }
    let mut accesses = vec![OnChannel::Receive];
    if receive.random || !buffered {
        accesses.push(OnChannel::Send);
    }
    if buffered {
        accesses.push(OnChannel::SendSorted);
    } else {
        accesses.push(OnChannel::Offer);
    }
    matching.extend(&on_channels(actor, &receive.chan, &accesses));
    guards.push(Guard { test: None, needs: Needs::Access(matching), own });
}

/// The value may change by moves of the process itself.
fn reads_locals(code: &Code) -> bool {
    let mut found = false;
    code.visit(&mut |part| {
        found |= match part {
            Code::LocalByte(_) | Code::LocalRange(..) => true,
            Code::Cell(cell) | Code::CellConst(_, cell, _) => cell.base == Base::Frame,
            Code::Indexed(place) => place.cell.base == Base::Frame,
            _ => false,
        }
    });
    found
}

/// The evaluation cannot fail for this process.
fn is_total(actor: Actor, code: &Code) -> bool {
    is_total_if(code, |step| {
        let index = actor.owner.constant(actor.automaton(), &step.index);
        index.is_some_and(|index| (0..step.count as i64).contains(&(index as i64)))
    })
}

/// The accesses of the processes of each proctype, and of those that they create, whatever their arguments are.
pub fn careers(program: &Program, shared: &Shared, effort: &mut Effort) -> Result<Vec<Set>, Halt> {
    let mut careers = vec![shared.none(); program.automata.len()];
    let mut creates = vec![Vec::new(); program.automata.len()];
    for kind in 0..program.automata.len() {
        let owner = Owner { kind: kind as u32, pid: None, settled: Box::default() };
        let actor = Actor { program, shared, owner: &owner, careers: &[] };
        let transitions = &program.transitions[program.automata[kind].range()];
        let inside = inside(program.automata[kind].states.len(), transitions);
        let options = options(actor);
        for transition in transitions {
            transition.action.visit(&mut |code| {
                if let Code::Run(run) = code {
                    creates[kind].push(run.proctype as usize);
                }
            });
            let others = options[transition.from as usize].waits_for(transition).count();
            effort.spend((2 + others) * shared.words())?;
            careers[kind].extend(&first_touch(actor, &options, transition).does);
            if inside[transition.from as usize] {
                careers[kind].extend(&statement(actor, &options, transition, Position::Inside).does);
            }
        }
        careers[kind].insert(END);
    }
    let mut grown = true;
    while grown {
        grown = false;
        for (kind, created) in creates.iter().enumerate() {
            for &other in created {
                effort.spend(shared.words())?;
                if let Ok([career, more]) = careers.get_disjoint_mut([kind, other]) {
                    grown |= career.extend(more);
                }
            }
        }
    }
    Ok(careers)
}
