//! Trails of a pan that was generated with statement merging: one line for a statement and those merged behind it.
//!
//! pan executes a merged chain in one step: unlabelled statements that never block and are either inside an atomic
//! sequence or touch nothing global. Labels and remote references, which also end a chain, do not matter to the reader:
//! the next line of the process says where it has to be. Differs from pan in that the chain is run only as far as that
//! line demands; after the process's last line, as far as the rule allows.

use super::player::Player;
use crate::program::code::{Action, Base, Code, Indexed, Print, Slot};
use crate::program::{Program, Transition};
use crate::system::Step;
use crate::trail::player::Choice;

/// The step that process `pid` took in the same chain as the one before it, given the statement of its next line; `None`
/// if the chain has ended.
pub fn next_in_chain(player: &mut Player, pid: u32, next: Option<u32>) -> Option<Choice> {
    let choices = player.choices();
    let own: Vec<&Choice> = choices.iter().filter(|choice| choice.step.pid == pid).collect();
    let [only] = own.as_slice() else { return None };
    let program = player.program();
    let inside = player.exclusive() == Some(pid);
    let merges = match next {
        Some(id) => !is_at(program, only.step, id) && never_blocks(program, only.step),
        None => never_blocks(program, only.step) && (inside || is_local(transition(program, only.step))),
    };
    merges.then(|| (*only).clone())
}

/// Whether statement `id` can be executed where this step starts, by itself or with a partner.
fn is_at(program: &Program, step: Step, id: u32) -> bool {
    let proctype = program.infos[step.transition as usize].proctype;
    program.leaving(proctype, transition(program, step).from).any(|t| program.infos[t].id == id)
}

fn transition(program: &Program, step: Step) -> &Transition {
    &program.transitions[step.transition as usize]
}

fn never_blocks(program: &Program, step: Step) -> bool {
    let action = &transition(program, step).action;
    matches!(action, Action::Nothing | Action::Assign(..) | Action::Assert(..) | Action::Printf(_))
}

fn is_local(transition: &Transition) -> bool {
    match &transition.action {
        Action::Nothing => true,
        Action::Assign(slot, code) => local_slot(slot) && local(code),
        Action::Assert(code, _) => local(code),
        Action::Printf(print) => local_print(print),
        _ => false,
    }
}

fn local_print(print: &Print) -> bool {
    print.args.iter().all(|(code, _)| local(code))
}

fn local_slot(slot: &Slot) -> bool {
    match slot {
        Slot::Fixed(cell) => cell.base == Base::Frame,
        Slot::Indexed(place) => local_place(place),
    }
}

fn local_place(place: &Indexed) -> bool {
    place.cell.base == Base::Frame && local(&place.first.index) && place.more.iter().all(|step| local(&step.index))
}

fn local(code: &Code) -> bool {
    match code {
        Code::Const(_) | Code::LocalByte(_) | Code::LocalRange(..) | Code::Pid => true,
        Code::Cell(cell) | Code::CellConst(_, cell, _) => cell.base == Base::Frame,
        Code::Indexed(place) => local_place(place),
        Code::Binary(_, pair) | Code::And(pair) | Code::Or(pair) => local(&pair.0) && local(&pair.1),
        Code::Not(inner) | Code::Minus(inner) | Code::Complement(inner) => local(inner),
        Code::Conditional(three) => local(&three.0) && local(&three.1) && local(&three.2),
        _ => false,
    }
}
