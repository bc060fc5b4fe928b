//! Steps that no other process notices go with the step before them.
//!
//! At some control states whatever a process does next concerns only its own variables, cannot fail and cannot block. Other
//! processes cannot tell whether it has been done, so there is no need for a state in between: the transitions that lead there go on,
//! as in an atomic sequence. One control state of each loop is left, so that every sequence ends. As spin -o3 does, and for local decisions, too.
//!
//! What a process does next is all that it does without letting others in between: of an atomic sequence every step.

use super::access::{Shared, actions, process_kinds};
use super::total::is_total;
use crate::program::code::{Action, Base, Code, Slot};
use crate::program::{Automaton, Program, Transition};
use rustc_hash::FxHashSet;

/// Marks the transitions of a program that go on. `conditions` are what a claim reads.
pub fn merge_private_steps(program: &mut Program, conditions: &[Code]) {
    if processes_are_watched(program) {
        return;
    }
    let shared = Shared::new(program, conditions);
    for kind in process_kinds(program) {
        let automaton = program.automaton(kind);
        let mut private: Vec<bool> =
            (0..automaton.states.len() as u32).map(|state| is_private(program, &shared, kind, state)).collect();
        mind_atomic_sequences(program, automaton, &mut private);
        open_loops(program, automaton, &mut private);
        let range = automaton.range();
        for transition in &mut program.transitions[range] {
            transition.atomic |= private[transition.to as usize];
        }
    }
}

/// Processes look at what others are about to do, or at who moved last.
fn processes_are_watched(program: &Program) -> bool {
    let mut watched = program.layout.last.is_some() || program.layout.priority.is_some();
    for action in actions(program) {
        action.visit(&mut |code| watched |= matches!(code, Code::Enabled(_) | Code::PcValue(_) | Code::NonProgress));
    }
    watched
}

/// The next step of a process at a control state is noticed by no other process and no property.
fn is_private(program: &Program, shared: &Shared, kind: u32, state: u32) -> bool {
    let automaton = program.automaton(kind);
    let marks = automaton.marks[state as usize];
    let leaving = &program.transitions[automaton.leaving(state)];
    let unseen = |action: &Action| is_local(action) && !shared.is_observed(kind, action);
    let plain = |transition: &Transition| transition.escape == 0 && unseen(&transition.action);
    automaton.provided.is_none()
        && !marks.accept
        && !marks.progress
        && !shared.is_watched(kind, state)
        && leaving.iter().all(plain)
        && leaving.iter().any(|transition| !matches!(transition.action, Action::Guard(_)))
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
fn open_loops(program: &Program, automaton: &Automaton, private: &mut [bool]) {
    let mut entered = vec![false; private.len()];
    for transition in program.transitions[automaton.range()].iter().filter(|transition| !transition.atomic) {
        entered[transition.to as usize] = true;
    }
    let wanted: Vec<usize> = (0..private.len()).filter(|&state| private[state] && entered[state]).collect();
    private.fill(false);
    for state in wanted {
        private[state] = true;
        private[state] = !closes_loop(program, automaton, private, state);
    }
}

/// A process that goes on at private control states, and in atomic sequences, comes from `state` back to it, by a step that is not atomic.
fn closes_loop(program: &Program, automaton: &Automaton, private: &[bool], state: usize) -> bool {
    let mut seen = FxHashSet::from_iter([state]);
    let mut open = vec![state];
    while let Some(at) = open.pop() {
        for transition in &program.transitions[automaton.leaving(at as u32)] {
            let to = transition.to as usize;
            if to == state && !transition.atomic {
                return true;
            }
            if (transition.atomic || private[to]) && seen.insert(to) {
                open.push(to);
            }
        }
    }
    false
}
