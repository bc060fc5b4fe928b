//! Steps that no other process notices go with the step before them.
//!
//! At some control states whatever a process does next concerns only its own variables, cannot fail and cannot block. Other
//! processes cannot tell whether it has been done, so there is no need for a state in between: the transitions that lead there go on,
//! as in an atomic sequence. One control state of each loop is left, so that every sequence ends. As spin -o3 does, and for local decisions, too.

use super::access::{Shared, actions, process_kinds};
use super::total::is_total;
use crate::program::code::{Action, Base, Code, Slot};
use crate::program::{Automaton, Program, Transition};

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

/// What a process does next at a control state is noticed by no other process and no property.
fn is_private(program: &Program, shared: &Shared, kind: u32, state: u32) -> bool {
    let automaton = program.automaton(kind);
    let marks = automaton.marks[state as usize];
    let leaving = &program.transitions[automaton.leaving(state)];
    let plain = |transition: &Transition| transition.escape == 0 && is_local(&transition.action);
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

/// Takes one control state out of every loop of private ones.
fn open_loops(program: &Program, automaton: &Automaton, private: &mut [bool]) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        OnPath,
        Left,
    }
    let mut marks = vec![Mark::New; private.len()];
    for start in 0..private.len() {
        let mut path = vec![(start, 0)];
        while let Some((state, next)) = path.last_mut() {
            let at = *state;
            if *next == 0 {
                if !private[at] || marks[at] == Mark::Left {
                    path.pop();
                    continue;
                }
                marks[at] = Mark::OnPath;
            }
            let target = program.transitions[automaton.leaving(at as u32)].get(*next).map(|t| t.to as usize);
            *next += 1;
            match target {
                Some(to) if marks[to] == Mark::OnPath => private[to] = false,
                Some(to) => path.push((to, 0)),
                None => {
                    marks[at] = Mark::Left;
                    path.pop();
                }
            }
        }
    }
}
