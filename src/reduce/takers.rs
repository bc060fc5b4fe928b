//! Who decides whether an offered message is taken.
//!
//! An atomic sequence that sends to a rendezvous channel in the middle goes on if some process is ready to receive, and ends otherwise. Mostly a
//! process becomes ready, or ceases to be, by its own steps only: those that lead to a receive or away from one.

use crate::program::code::{Action, Base, Chan, Code, DGuard, Receive, Take};
use crate::program::{Program, Transition};

/// Whether a process takes a message depends on its control state and its own variables only.
pub fn takers_decide_alone(program: &Program) -> bool {
    let plain =
        |transition: &Transition| transition.escape == 0 && !receives(&transition.action).into_iter().any(asks_others);
    program.automata.iter().all(|automaton| automaton.provided.is_none()) && program.transitions.iter().all(plain)
}

fn asks_others(receive: &Receive) -> bool {
    let naming = match &receive.chan {
        Chan::Fixed(_) => None,
        Chan::Element { index, .. } => Some(&index.index),
        Chan::Named(code) => Some(code),
    };
    let matched = receive.args.iter().filter_map(|arg| match arg {
        Take::Match(code) => Some(code),
        Take::Store(_) | Take::Ignore => None,
    });
    naming.into_iter().chain(matched).any(|code| !is_own(code))
}

/// Only steps of the process itself change the value.
fn is_own(code: &Code) -> bool {
    let mut own = true;
    code.visit(&mut |part| {
        own &= match part {
            Code::Cell(cell) | Code::CellConst(_, cell, _) => cell.base == Base::Frame,
            Code::Indexed(place) => place.cell.base == Base::Frame,
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
            | Code::ChannelElement(..)
            | Code::Pid => true,
            _ => false,
        }
    });
    own
}

/// The receives with which an action may begin: it can be the second half of a handshake.
pub fn receives(action: &Action) -> Vec<&Receive> {
    match action {
        Action::Receive(receive) => vec![receive],
        Action::DStep(d) => match &d.guard {
            DGuard::Always => Vec::new(),
            DGuard::First(action) => receives(action),
            DGuard::Any(actions) => actions.iter().flat_map(receives).collect(),
        },
        _ => Vec::new(),
    }
}
