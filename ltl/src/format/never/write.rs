//! Writes a claim in the style of `spin -f`.
//!
//! The initial state comes first, because that is where SPIN begins. Every state jumps away or blocks, so none falls
//! through to the next. Only an accepting state whose one move is a loop for all letters may run into the closing brace:
//! it becomes `accept_all: skip`, at the end. A second such state, or one that is the initial state, is an ordinary loop.

use super::super::label::show;
use crate::automaton::{Buchi, Move, Place, State};
use std::fmt::Write;

/// The automaton as a never claim.
pub fn write(automaton: &Buchi) -> String {
    let claim = Claim { automaton, all: accepts_all(automaton) };
    let mut out = String::from("never {\n");
    for state in claim.order() {
        let _ = writeln!(out, "{}:", claim.name(state));
        claim.write_state(state, &mut out);
    }
    out + "}\n"
}

struct Claim<'a> {
    automaton: &'a Buchi,
    /// The state that is written as `accept_all`.
    all: Option<State>,
}

/// The last one: it is written last, so that what is read again is written in the same way.
fn accepts_all(automaton: &Buchi) -> Option<State> {
    let loops = |state: State, moves: &[Move]| matches!(moves, [only] if only.target == state && only.label.is_true());
    let all = |(state, place): &(State, &Place)| {
        place.accepting && *state != automaton.initial && loops(*state, &place.moves)
    };
    automaton.states.iter().enumerate().rfind(all).map(|(state, _)| state)
}

impl Claim<'_> {
    fn order(&self) -> impl Iterator<Item = State> {
        let first = self.automaton.initial;
        let between = (0..self.automaton.states.len()).filter(move |&state| state != first && Some(state) != self.all);
        [first].into_iter().chain(between).chain(self.all)
    }

    fn name(&self, state: State) -> String {
        let prefix = if self.automaton.states[state].accepting { "accept" } else { "T0" };
        match state {
            _ if Some(state) == self.all => "accept_all".to_owned(),
            _ if state == self.automaton.initial => format!("{prefix}_init"),
            _ => format!("{prefix}_S{state}"),
        }
    }

    fn write_state(&self, state: State, out: &mut String) {
        let mut moves = self.automaton.states[state].moves.iter().filter(|each| !each.label.0.is_empty()).peekable();
        if Some(state) == self.all {
            out.push_str("\tskip\n");
        } else if moves.peek().is_none() {
            out.push_str("\tfalse;\n");
        } else {
            out.push_str("\tdo\n");
            moves.for_each(|each| self.write_move(each, out));
            out.push_str("\tod;\n");
        }
    }

    fn write_move(&self, each: &Move, out: &mut String) {
        let condition = match each.label.is_true() {
            true => "1".to_owned(),
            false => show(&each.label, &self.automaton.atoms),
        };
        let _ = writeln!(out, "\t:: ({condition}) -> goto {}", self.name(each.target));
    }
}
