//! Automata for Graphviz: accepting states have a double circle, an arrow from nowhere leads to the initial one.

use super::label::alternatives;
use crate::automaton::{Buchi, Label};
use std::fmt::Write;

/// The automaton as a graph in the language of Graphviz.
pub fn write_buchi(automaton: &Buchi) -> String {
    let mut out = String::from("digraph automaton {\n  rankdir = LR;\n  node [shape = circle];\n");
    let _ = writeln!(out, "  start [shape = point, style = invis];\n  start -> {};", automaton.initial);
    for (state, place) in automaton.states.iter().enumerate() {
        let shape = if place.accepting { " [shape = doublecircle]" } else { "" };
        let _ = writeln!(out, "  {state}{shape};");
    }
    for (state, each) in automaton.moves() {
        let label = lines(&each.label, &automaton.atoms);
        let _ = writeln!(out, "  {state} -> {} [label = \"{label}\"];", each.target);
    }
    out + "}\n"
}

/// One cube per line: labels in one line make graphs too wide to read.
fn lines(label: &Label, atoms: &[String]) -> String {
    if label.is_true() {
        return "true".to_owned();
    }
    match alternatives(label, atoms).as_slice() {
        [] => "false".to_owned(),
        cubes => cubes.iter().map(|cube| escaped(cube)).collect::<Vec<_>>().join(" ||\\n"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
