//! Which bytes the moves of a process touch.

use super::program;
use crate::program::code::Base;
use crate::program::footprint::{Owner, footprint};
use crate::program::{Program, named};

/// What a process P with pid 0 touches in its first control state, by name, and whether that is all that can move it.
fn touched(text: &str) -> Option<(String, bool)> {
    let program = program(text);
    let kind = program.automata.iter().position(|automaton| automaton.name == "P").expect("a proctype P");
    let owner = Owner { kind: kind as u32, pid: Some(0), settled: Box::new([]) };
    let print = footprint(&program, &owner, program.automata[kind].initial)?;
    let mut names: Vec<String> =
        print.stretches.iter().flat_map(|it| names(&program, it.base, it.offset..it.offset + it.len)).collect();
    names.sort();
    names.dedup();
    Some((names.join(" "), print.whole))
}

/// The names of what lies there.
fn names(program: &Program, base: Base, at: std::ops::Range<u32>) -> Vec<String> {
    let mut found = Vec::new();
    let mut note = |name: &str, offset: u32| {
        if at.contains(&offset) {
            found.push(name.to_string());
        }
    };
    match base {
        Base::Global => {
            for (variable, offset) in named::globals(program) {
                named::scalars(program, variable, &variable.name, offset, &mut |cell| note(cell.name, cell.offset));
            }
            for (number, place) in program.layout.channels.iter().enumerate() {
                let name = named::channel(program, number as u32).unwrap_or_default();
                note(&name, place.offset);
            }
        }
        Base::Frame => {
            note("pc", program.layout.pc.offset);
            for (variable, offset) in named::locals(program, 0) {
                named::scalars(program, variable, &variable.name, offset, &mut |cell| note(cell.name, cell.offset));
            }
        }
    }
    found
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(touched(text), Some((expected.to_string(), true)), "{text}");
}

#[test]
fn plain_statements_touch_what_they_name() {
    check("byte x, y, z; active proctype P() { byte l; x = y + l; z = 1 }", "l pc x y");
    check("byte x, y; active proctype P() { x == 1 }", "pc x");
    check("byte x, y; active proctype P() { assert(x == 1) }", "pc x");
    check("byte x, y, z; active proctype P() { if :: x == 1 :: y == 1 :: else fi; z = 1 }", "pc x y");
    check("byte x, y; active proctype P() { d_step { x = 1; y = 2 } }", "pc x y");
}

#[test]
fn an_index_touches_one_element_or_all() {
    check("byte a[3], i; active proctype P() { a[1] = 2 }", "a[1] pc");
    check("byte a[3], i; active proctype P() { a[_pid] = 2 }", "a[0] pc");
    check("byte a[3], i; active proctype P() { a[i] = 2 }", "a[0] a[1] a[2] i pc");
}

#[test]
fn channels_are_touched_as_a_whole() {
    check("chan q = [2] of { byte }; chan r = [2] of { byte }; byte x; active proctype P() { q!x }", "pc q x");
    check("chan q = [2] of { byte }; byte x, y; active proctype P() { q?x }", "pc q x");
    check("chan q = [2] of { byte }; byte x; active proctype P() { len(q) == 1 }", "pc q");
}

#[test]
fn an_atomic_sequence_touches_all_of_its_statements() {
    check("byte x, y, z; active proctype P() { atomic { x = 1; y = 2 } z = 3 }", "pc x y");
}

#[test]
fn a_handshake_is_no_business_of_one_process() {
    assert_eq!(touched("chan c = [0] of { byte }; active proctype P() { c!1 } active proctype Q() { c?_ }"), None);
    let receiver = "chan c = [0] of { byte }; active proctype P() { c?_ } active proctype Q() { c!1 }";
    assert_eq!(touched(receiver), Some(("pc".to_string(), false)));
}

#[test]
fn what_depends_on_other_processes_has_no_footprint() {
    for statement in ["run Q()", "_nr_pr == 1", "Q[1]@L", "Q[1]:y == 1", "x = get_priority(1)"] {
        let text = format!("byte x; proctype Q() {{ byte y; L: skip }} active proctype P() {{ {statement} }}");
        assert_eq!(touched(&text), None, "{statement}");
    }
}

#[test]
fn the_end_of_a_process_has_no_footprint() {
    // whether it can die depends on whether it is the youngest
    let program = program("active proctype P() { skip }");
    let end = program.transitions.iter().find(|transition| transition.to == 0).expect("an end").from;
    let owner = Owner { kind: 0, pid: Some(0), settled: Box::new([]) };
    assert!(footprint(&program, &owner, end).is_none());
    assert!(footprint(&program, &owner, program.automata[0].initial).is_some());
}
