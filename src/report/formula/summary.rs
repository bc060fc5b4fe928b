//! An automaton for people: what it stands for, what is known about it, and its drawing.

use super::rows::row;
use super::{Sense, StutterInvariant, Translated};
use crate::report::figures::counted;
use ltl::automaton::State;
use ltl::format::text::draw;
use ltl::scc::{Class, Classes, Component};
use ltl::translate::Kind;

/// What is known about an automaton, one row each, and its drawing as text.
pub fn summary(translated: &Translated, stutter: StutterInvariant) -> String {
    let one = |about: &str, what: String| row(about, &[what]);
    let mut out = one("formula", translated.expr.to_string());
    if translated.sense == Sense::Negated {
        out += &one("translated", translated.sense.of(&translated.expr).to_string());
    }
    out += &one("automaton", size(translated));
    out += &one("acceptance", acceptance(&translated.classes).into());
    out += &row("components", &components(&translated.components()));
    out += &one("language", language(translated.translation.kind).into());
    out += &one("stuttering", stuttering(stutter).into());
    out + "\n" + &draw(&translated.translation.automaton)
}

fn size(translated: &Translated) -> String {
    let automaton = &translated.translation.automaton;
    let (states, edges) = (automaton.states.len() as u64, automaton.edge_count() as u64);
    let not = if translated.translation.deterministic { "" } else { "not " };
    format!("{}, {}, {not}deterministic", counted(states, "state"), counted(edges, "edge"))
}

fn acceptance(classes: &Classes) -> &'static str {
    match (classes.is_terminal(), classes.is_weak()) {
        (true, _) => "terminal: a word is accepted as soon as a run reaches an accepting component",
        (_, true) => "weak: what matters is the component that a run ends up in",
        _ => "neither weak nor terminal",
    }
}

fn components(components: &[&Component]) -> Vec<String> {
    let states: Vec<String> = components.iter().map(|component| states(&component.states)).collect();
    let width = states.iter().map(String::len).max().unwrap_or(0);
    let line = |(component, states): (&&Component, &String)| {
        format!("{}  {states:width$}  {}", component.class.name(), cycles(component.class))
    };
    components.iter().zip(&states).map(line).collect()
}

fn cycles(class: Class) -> &'static str {
    match class {
        Class::N => "no accepting cycle",
        Class::P => "accepting and other cycles",
        Class::F => "accepting cycles only",
    }
}

/// `states 0 2-5 9`
fn states(states: &[State]) -> String {
    let runs = states.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        single => single.iter().map(State::to_string).collect(),
    });
    let noun = if states.len() == 1 { "state" } else { "states" };
    format!("{noun} {}", runs.collect::<Vec<_>>().join(" "))
}

fn language(kind: Kind) -> &'static str {
    match kind {
        Kind { safety: true, guarantee: true, .. } => "safety and guarantee: it is decided after finitely many steps",
        Kind { safety: true, .. } => "safety: a violation shows after finitely many steps",
        Kind { guarantee: true, .. } => "guarantee: a satisfaction shows after finitely many steps",
        Kind { obligation: true, .. } => "obligation: a Boolean combination of safety and guarantee",
        Kind { certain: true, .. } => "neither safety nor guarantee nor obligation",
        _ => "not known: it is too much work to tell whether it is safety, guarantee or obligation",
    }
}

fn stuttering(invariant: StutterInvariant) -> &'static str {
    match invariant {
        Some(true) => "invariant: repeated letters make no difference",
        Some(false) => "not invariant: repeated letters make a difference",
        None => "not known: it takes too much work to tell",
    }
}

#[cfg(test)]
mod tests {
    use super::states;

    #[test]
    fn states_in_ranges() {
        let shown: Vec<String> = [&[0][..], &[0, 1], &[0, 2, 3, 4, 9]].map(states).into();
        assert_eq!(shown, ["state 0", "states 0-1", "states 0 2-4 9"]);
    }
}
