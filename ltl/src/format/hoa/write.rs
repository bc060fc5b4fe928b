//! Writes the format: explicit labels, and marks on states wherever all edges of a state agree on them.

use super::super::cubes::{disjoint, exhaustive, literals, possible};
use crate::automaton::{Automaton, Buchi, Cube, Edge, Label, Marks};
use std::fmt::Write;

/// How long we look for the property `complete`, per state.
const BUDGET: usize = 10_000;

/// The automaton in the HOA format. `properties` are added to those that are evident.
pub fn write(automaton: &Automaton, name: Option<&str>, properties: &[&str]) -> String {
    let place = match automaton.states.iter().all(|edges| edges.iter().all(|edge| edge.marks == edges[0].marks)) {
        true => MarkPlace::States,
        false => MarkPlace::Edges,
    };
    let mut out = String::from("HOA: v1\n");
    if let Some(name) = name {
        let _ = writeln!(out, "name: {}", quoted(name));
    }
    let _ = writeln!(out, "States: {}\nStart: {}", automaton.states.len(), automaton.initial);
    let _ = write!(out, "AP: {}", automaton.atoms.len());
    for atom in &automaton.atoms {
        let _ = write!(out, " {}", quoted(atom));
    }
    let _ = writeln!(out, "\n{}", acceptance(automaton.sets));
    let _ = writeln!(out, "properties: {}\n--BODY--", all_properties(automaton, place, properties).join(" "));
    for (state, edges) in automaton.states.iter().enumerate() {
        let (on_state, marks) = (place == MarkPlace::States, edges.first().map_or(Marks::NONE, |edge| edge.marks));
        let _ = writeln!(out, "State: {state}{}", if on_state { show_marks(marks) } else { String::new() });
        for Edge { label, target, marks } in edges {
            let marks = if on_state { String::new() } else { show_marks(*marks) };
            let _ = writeln!(out, "[{}] {target}{marks}", show(label));
        }
    }
    out + "--END--\n"
}

/// The automaton in the HOA format, with marks on states.
pub fn write_buchi(automaton: &Buchi, name: Option<&str>, properties: &[&str]) -> String {
    write(&automaton.generalised(), name, properties)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkPlace {
    States,
    Edges,
}

fn acceptance(sets: u32) -> String {
    let all: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    match sets {
        0 => "acc-name: all\nAcceptance: 0 t".to_owned(),
        1 => "acc-name: Buchi\nAcceptance: 1 Inf(0)".to_owned(),
        _ => format!("acc-name: generalized-Buchi {sets}\nAcceptance: {sets} {}", all.join("&")),
    }
}

fn all_properties<'a>(automaton: &Automaton, place: MarkPlace, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["trans-labels", "explicit-labels"];
    all.push(if place == MarkPlace::States { "state-acc" } else { "trans-acc" });
    if automaton.states.iter().all(|edges| is_deterministic(edges)) {
        all.push("deterministic");
    }
    if automaton.states.iter().all(|edges| is_complete(edges)) {
        all.push("complete");
    }
    all.extend(more);
    all
}

fn is_deterministic(edges: &[Edge]) -> bool {
    let apart = |at: usize| edges[at + 1..].iter().all(|other| disjoint(&edges[at].label, &other.label));
    (0..edges.len()).all(apart)
}

fn is_complete(edges: &[Edge]) -> bool {
    let cubes: Vec<Cube> = edges.iter().flat_map(|edge| possible(&edge.label)).collect();
    exhaustive(&cubes, &mut BUDGET.clone())
}

fn show(label: &Label) -> String {
    let cubes: Vec<String> = possible(label).map(show_cube).collect();
    if cubes.is_empty() { "f".to_owned() } else { cubes.join(" | ") }
}

fn show_cube(cube: Cube) -> String {
    let literal = |(atom, holds): (usize, bool)| format!("{}{atom}", if holds { "" } else { "!" });
    match cube == Cube::TRUE {
        true => "t".to_owned(),
        false => literals(cube).map(literal).collect::<Vec<_>>().join("&"),
    }
}

fn show_marks(marks: Marks) -> String {
    let all: Vec<String> = marks.iter().map(|mark| mark.to_string()).collect();
    if all.is_empty() { String::new() } else { format!(" {{{}}}", all.join(" ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
