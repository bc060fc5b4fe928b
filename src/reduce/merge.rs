//! Steps that no other process notices go with the step before them.
//!
//! At some control states whatever a process does next concerns only its own variables, cannot fail and cannot block. Other
//! processes cannot tell whether it has been done, so there is no need for a state in between: the transitions that lead there go on,
//! as in an atomic sequence. One control state of each loop is left, so that every sequence ends. As spin -o3 does, and for local decisions, too.
//!
//! What a process does next is all that it does without letting others in between: of an atomic sequence every step. What others may notice
//! is also where it comes to: a label that they ask for, or a receive by which it can take what they hand over.

use super::access::{Shared, actions, process_kinds};
use super::disjoint::Disjoint;
use super::takers::receives;
use super::total::is_total;
use crate::program::code::{Action, Base, Chan, Code, DGuard, Send, Slot};
use crate::program::{Automaton, Program, Transition};
use crate::system::{Effort, Halt};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Marks the transitions of a program that go on. `conditions` are what a claim reads.
pub fn merge_private_steps(program: &mut Program, conditions: &[Code], effort: &mut Effort) -> Result<(), Halt> {
    if processes_are_watched(program) {
        return Ok(());
    }
    let looker = Looker { program, shared: Shared::new(program, conditions), hurried: hurried_offers(program) };
    let kinds = process_kinds(program).into_iter();
    let privacy =
        kinds.map(|kind| Ok((kind, looker.private_states(kind, effort)?))).collect::<Result<Vec<_>, Halt>>()?;
    for (kind, mut private) in privacy {
        let automaton = program.automaton(kind);
        mind_atomic_sequences(program, automaton, &mut private);
        open_loops(program, automaton, &mut private, effort)?;
        let range = automaton.range();
        for transition in &mut program.transitions[range] {
            transition.atomic |= private[transition.to as usize];
        }
    }
    Ok(())
}

/// Processes look at what others are about to do, or at who moved last.
fn processes_are_watched(program: &Program) -> bool {
    let mut watched = program.layout.last.is_some() || program.layout.priority.is_some();
    for action in actions(program) {
        action.visit(&mut |code| watched |= matches!(code, Code::Enabled(_) | Code::PcValue(_) | Code::NonProgress));
    }
    watched
}

/// To look at a transition takes about as long as to look at this many words.
const A_TRANSITION: usize = 16;

/// What others can notice of a process.
struct Looker<'l> {
    program: &'l Program,
    shared: Shared,
    /// The channels to which messages are handed over at once or not at all.
    hurried: Disjoint,
}

impl Looker<'_> {
    fn private_states(&self, kind: u32, effort: &mut Effort) -> Result<Vec<bool>, Halt> {
        let states = self.program.automaton(kind).states.len() as u32;
        let ready: Vec<bool> = (0..states).map(|state| self.is_ready(kind, state)).collect();
        let private = |state: u32| {
            effort.spend(A_TRANSITION * self.program.automaton(kind).leaving(state).len())?;
            Ok(self.is_private(kind, state, &ready))
        };
        (0..states).map(private).collect()
    }

    /// The next step of a process at a control state is noticed by no other process and no property. Where it may take a message whose sender
    /// does not wait, it is `ready`.
    fn is_private(&self, kind: u32, state: u32, ready: &[bool]) -> bool {
        let automaton = self.program.automaton(kind);
        let marks = automaton.marks[state as usize];
        let leaving = &self.program.transitions[automaton.leaving(state)];
        automaton.provided.is_none()
            && !marks.accept
            && !marks.progress
            && !self.shared.is_watched(kind, state)
            && leaving.iter().all(|transition| self.is_unseen(kind, transition) && !ready[transition.to as usize])
            && leaving.iter().any(|transition| !matches!(transition.action, Action::Guard(_)))
    }

    fn is_unseen(&self, kind: u32, transition: &Transition) -> bool {
        transition.escape == 0
            && is_local(&transition.action)
            && !self.shared.is_observed(kind, &transition.action)
            && !self.shared.is_watched(kind, transition.to)
    }

    /// The process may take a message whose sender does not wait.
    fn is_ready(&self, kind: u32, state: u32) -> bool {
        let leaving = &self.program.transitions[self.program.leaving(kind, state)];
        let mut taken = leaving
            .iter()
            .flat_map(|transition| receives(&transition.action))
            .map(|it| handshakes(self.program, &it.chan));
        taken.any(|taken| self.hurried.meets(&taken))
    }
}

/// The channels to which messages are handed over at once or not at all: in the middle of an atomic sequence, beside an `else`, in an escape.
fn hurried_offers(program: &Program) -> Disjoint {
    let mut hurried = Vec::new();
    for kind in process_kinds(program) {
        let transitions = &program.transitions[program.automaton(kind).range()];
        let inside: FxHashSet<u32> =
            transitions.iter().filter(|transition| transition.atomic).map(|transition| transition.to).collect();
        let beside_else: FxHashSet<u32> = transitions
            .iter()
            .filter(|transition| is_else(&transition.action))
            .map(|transition| transition.from)
            .collect();
        for offer in transitions {
            if offer.escape > 0 || inside.contains(&offer.from) || beside_else.contains(&offer.from) {
                hurried.extend(sends(&offer.action).into_iter().map(|send| handshakes(program, &send.chan)));
            }
        }
    }
    Disjoint::new(hurried)
}

/// The sends with which an action may begin.
fn sends(action: &Action) -> Vec<&Send> {
    match action {
        Action::Send(send) => vec![send],
        Action::DStep(d) => match &d.guard {
            DGuard::Always => Vec::new(),
            DGuard::First(action) => sends(action),
            DGuard::Any(actions) => actions.iter().flat_map(sends).collect(),
        },
        _ => Vec::new(),
    }
}

fn is_else(action: &Action) -> bool {
    match action {
        Action::Else => true,
        Action::DStep(d) => matches!(d.guard, DGuard::First(Action::Else)),
        _ => false,
    }
}

/// The channels that may be meant, by number, if they may be rendezvous.
fn handshakes(program: &Program, chan: &Chan) -> Range<u32> {
    let layout = &program.layout;
    let (first, count) = match chan {
        Chan::Fixed(number) => (*number, 1),
        Chan::Element { first, index } => (*first, index.count),
        Chan::Named(_) if layout.channel_layouts.iter().any(|channel| channel.rendezvous()) => return 0..u32::MAX,
        Chan::Named(_) => return 0..0,
    };
    let kind = layout.channels[first as usize].layout;
    if layout.channel_layouts[kind as usize].rendezvous() { first..first + count } else { 0..0 }
}

/// A statement that concerns the locals of its process only and cannot fail.
fn is_local(action: &Action) -> bool {
    match action {
        Action::Nothing | Action::Else => true,
        Action::Guard(code) => is_local_code(code),
        Action::Assign(Slot::Fixed(cell), code) => cell.base == Base::Frame && is_local_code(code),
        Action::Printf(print) => print.args.iter().all(|(code, _)| is_local_code(code)),
        _ => false,
    }
}

fn is_local_code(code: &Code) -> bool {
    let mut local = is_total(code);
    code.visit(&mut |part| {
        local &= match part {
            Code::Cell(cell) | Code::CellConst(_, cell, _) => cell.base == Base::Frame,
            Code::Const(_)
            | Code::LocalByte(_)
            | Code::LocalRange(..)
            | Code::Binary(..)
            | Code::And(_)
            | Code::Or(_)
            | Code::Not(_)
            | Code::Minus(_)
            | Code::Complement(_)
            | Code::Conditional(_)
            | Code::Pid => true,
            _ => false,
        }
    });
    local
}

/// An atomic sequence is private as a whole or not at all: in front of it others may move, in it they may not.
fn mind_atomic_sequences(program: &Program, automaton: &Automaton, private: &mut [bool]) {
    let mut inside: Vec<Vec<usize>> = vec![Vec::new(); private.len()];
    for transition in program.transitions[automaton.range()].iter().filter(|transition| transition.atomic) {
        inside[transition.to as usize].push(transition.from as usize);
    }
    let mut noticed: Vec<usize> = (0..private.len()).filter(|&state| !private[state]).collect();
    while let Some(state) = noticed.pop() {
        for &before in &inside[state] {
            if std::mem::replace(&mut private[before], false) {
                noticed.push(before);
            }
        }
    }
}

/// Leaves as many private control states as possible with which no loop goes on for ever.
fn open_loops(program: &Program, automaton: &Automaton, private: &mut [bool], effort: &mut Effort) -> Result<(), Halt> {
    let mut entered = vec![false; private.len()];
    for transition in program.transitions[automaton.range()].iter().filter(|transition| !transition.atomic) {
        entered[transition.to as usize] = true;
    }
    let wanted: Vec<usize> = (0..private.len()).filter(|&state| private[state] && entered[state]).collect();
    private.fill(false);
    for state in wanted {
        private[state] = true;
        private[state] = !closes_loop(program, automaton, private, state, effort)?;
    }
    Ok(())
}

/// A process that goes on at private control states, and in atomic sequences, comes from `state` back to it, by a step that is not atomic.
fn closes_loop(
    program: &Program,
    automaton: &Automaton,
    private: &[bool],
    state: usize,
    effort: &mut Effort,
) -> Result<bool, Halt> {
    let mut seen = FxHashSet::from_iter([state]);
    let mut open = vec![state];
    while let Some(at) = open.pop() {
        for transition in &program.transitions[automaton.leaving(at as u32)] {
            effort.spend(0)?;
            let to = transition.to as usize;
            if to == state && !transition.atomic {
                return Ok(true);
            }
            if (transition.atomic || private[to]) && seen.insert(to) {
                open.push(to);
            }
        }
    }
    Ok(false)
}
