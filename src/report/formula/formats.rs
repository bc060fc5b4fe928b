//! An automaton in the formats of other tools, with the formula for a name.

use super::{StutterInvariant, Translated};
use ltl::Buchi;
use ltl::format;
use ltl::scc::{Class, Classes};

/// A never claim; a comment names the formula, as `spin -f` has it.
pub fn never(translated: &Translated) -> String {
    let claim = format::never::write(&translated.translation.automaton);
    // an atom may be any text
    let name = name(translated).replace("*/", "* /");
    match claim.strip_prefix("never {") {
        Some(body) => format!("never {{    /* {name} */{body}"),
        None => format!("/* {name} */\n{claim}"),
    }
}

/// The automaton in the Hanoi Omega-Automata format. What is known about it stands under `properties`.
pub fn hoa(translated: &Translated, stutter: StutterInvariant) -> String {
    let Translated { translation, classes, .. } = translated;
    let mut properties = acceptance(&translation.automaton, classes);
    if stutter == Some(true) {
        properties.push("stutter-invariant");
    }
    format::hoa::write_buchi(&translation.automaton, Some(&name(translated)), &properties)
}

/// The automaton as a graph for Graphviz.
pub fn dot(translated: &Translated) -> String {
    format::dot::write_buchi(&translated.translation.automaton)
}

/// What was translated, as it was read.
fn name(translated: &Translated) -> String {
    translated.sense.of(&translated.expr).to_string()
}

/// HOA defines weak by states and ours by cycles, which HOA calls inherently weak; a terminal automaton of HOA moreover
/// has no way from an accepting component to other cycles.
fn acceptance(automaton: &Buchi, classes: &Classes) -> Vec<&'static str> {
    let all_accepting = |states: &[usize]| states.iter().all(|&state| automaton.states[state].accepting);
    let uniform =
        classes.components().iter().all(|component| component.class != Class::F || all_accepting(&component.states));
    let accepting = |state: usize| classes.class(state) == Class::F;
    let closed = automaton.moves().all(|(state, each)| !accepting(state) || accepting(each.target));
    match (classes.is_weak(), uniform) {
        (true, true) if classes.is_terminal() && closed => vec!["weak", "terminal"],
        (true, true) => vec!["weak"],
        (true, false) => vec!["inherently-weak"],
        (false, _) => vec![],
    }
}
