//! The control automata as text, in the spirit of `pan -d`, and as Graphviz dot.

use super::{Automaton, Program};
use crate::model::ProctypeKind;
use crate::source::Sources;
use std::collections::BTreeSet;
use std::fmt::Write;

pub fn text(program: &Program, sources: &Sources) -> String {
    let mut out = String::new();
    for index in 0..program.automata.len() as u32 {
        let automaton = program.automaton(index);
        let _ = writeln!(out, "{}", heading(automaton));
        for state in reachable(program, index) {
            for t in program.leaving(index, state) {
                line(program, sources, index, t, &mut out);
            }
        }
    }
    out
}

fn heading(automaton: &Automaton) -> String {
    match automaton.kind {
        ProctypeKind::Process => format!("proctype {}", automaton.name),
        ProctypeKind::Init => "init".into(),
        ProctypeKind::Never => format!("claim {}", automaton.name),
        ProctypeKind::Trace => "trace assertion".into(),
        ProctypeKind::NoTrace => "notrace assertion".into(),
    }
}

fn line(program: &Program, sources: &Sources, index: u32, t: usize, out: &mut String) {
    let (transition, info) = (&program.transitions[t], &program.infos[t]);
    let marks = program.automaton(index).marks[transition.from as usize];
    let place = sources.place(info.span);
    let flag = |set: bool, letter: char| if set { letter } else { '-' };
    let escape = if transition.escape > 0 { format!(" org {:3}", transition.escape) } else { String::new() };
    let _ = writeln!(
        out,
        "\tstate {:3} -> state {:3}  [id {:3}{escape}] [{}{}{}{}] {}:{} => {}",
        transition.from,
        transition.to,
        info.id,
        if info.text.starts_with("D_STEP") && !transition.atomic { 'D' } else { flag(transition.atomic, 'A') },
        flag(marks.accept, 'a'),
        flag(marks.end, 'e'),
        flag(marks.progress, 'p'),
        place.file,
        place.line,
        info.text.replace('\n', "\\n"),
    );
}

fn reachable(program: &Program, index: u32) -> Vec<u32> {
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    let mut todo = vec![program.automaton(index).initial];
    while let Some(state) = todo.pop() {
        if state == 0 || !seen.insert(state) {
            continue;
        }
        order.push(state);
        todo.extend(program.leaving(index, state).rev().map(|t| program.transitions[t].to));
    }
    order
}

/// One digraph for each proctype.
pub fn dot(program: &Program) -> String {
    let mut out = String::new();
    for index in 0..program.automata.len() as u32 {
        let automaton = program.automaton(index);
        let _ = writeln!(out, "digraph \"{}\" {{\n  rankdir=TB;", escape(&heading(automaton)));
        let _ = writeln!(out, "  start [shape=point];\n  start -> s{};", automaton.initial);
        for state in reachable(program, index) {
            let marks = automaton.marks[state as usize];
            let shape = if marks.end { "doublecircle" } else { "circle" };
            let colour = match (marks.accept, marks.progress) {
                (true, _) => ", color=red",
                (_, true) => ", color=green",
                _ => "",
            };
            let _ = writeln!(out, "  s{state} [shape={shape}, label=\"{state}\"{colour}];");
            for t in program.leaving(index, state) {
                let transition = &program.transitions[t];
                let style = if transition.atomic { ", style=dashed" } else { "" };
                let label = escape(&program.infos[t].text);
                let _ = writeln!(out, "  s{state} -> s{} [label=\"{label}\"{style}];", transition.to);
            }
        }
        let _ = writeln!(out, "  s0 [shape=point];\n}}");
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
