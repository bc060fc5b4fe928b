//! What is read and written, and what is refused with which words.

use super::{read, write, write_buchi};
use crate::automaton::{Automaton, Buchi, Cube, Edge, Label, Marks, Move, Place};

fn cube(positive: u64, negative: u64) -> Cube {
    Cube { positive, negative }
}

fn edge(cubes: &[Cube], target: usize, marks: Marks) -> Edge {
    Edge { label: Label(cubes.to_vec()), target, marks }
}

fn must_read(text: &str) -> Automaton {
    read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The edges of all states as text, one line per state: what is short enough to compare with.
fn body(text: &str) -> String {
    let written = write(&must_read(text), None, &[]);
    let body = written.split("--BODY--\n").nth(1).unwrap();
    body.trim_end_matches("--END--\n").replace('\n', " ").replace(" State: ", "\nState: ").trim_end().to_owned()
}

#[track_caller]
fn refuse(text: &str, message: &str, under: &str) {
    let error = read(text).expect_err(text);
    assert_eq!((error.message.as_str(), &text[error.span.clone()]), (message, under), "{text}");
}

#[test]
fn written_with_marks_on_states() {
    let state = |accepting, moves: &[(Label, usize)]| Place {
        accepting,
        moves: moves.iter().map(|(label, target)| Move { label: label.clone(), target: *target }).collect(),
    };
    let buchi = Buchi {
        atoms: vec!["p".into(), "say \"q\"".into()],
        initial: 0,
        states: vec![
            state(false, &[(Label(vec![cube(1, 2), cube(2, 0)]), 1), (Label(vec![cube(0, 3)]), 0)]),
            state(true, &[(Label(vec![Cube::TRUE]), 1)]),
        ],
    };
    let expected = r#"HOA: v1
name: "p or q"
States: 2
Start: 0
AP: 2 "p" "say \"q\""
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic complete terminal
--BODY--
State: 0
[0&!1 | 1] 1
[!0&!1] 0
State: 1 {0}
[t] 1
--END--
"#;
    assert_eq!(write_buchi(&buchi, Some("p or q"), &["terminal"]), expected);
    assert_eq!(must_read(expected), buchi.generalised());
}

#[test]
fn written_with_marks_on_edges() {
    let edges = vec![edge(&[cube(1, 0)], 0, Marks(0b11)), edge(&[Cube::TRUE], 0, Marks(0b10))];
    let automaton = Automaton { atoms: vec!["p".into()], sets: 2, initial: 0, states: vec![edges] };
    let expected = r#"HOA: v1
States: 1
Start: 0
AP: 1 "p"
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels trans-acc complete
--BODY--
State: 0
[0] 0 {0 1}
[t] 0 {1}
--END--
"#;
    assert_eq!(write(&automaton, None, &[]), expected);
    assert_eq!(must_read(expected), automaton);
}

#[test]
fn as_spot_writes_it() {
    let text = r#"HOA: v1 name: "G(p0 -> Fp1)" States: 2 Start: 0 AP: 2 "p0" "p1"
        acc-name: Buchi Acceptance: 1 Inf(0) tool: "ltl2tgba" "2.11"
        properties: trans-labels explicit-labels state-acc complete deterministic stutter-invariant
        --BODY-- State: 0 "start" {0} [!0 | 1] 0 [0&!1] 1 State: 1 [1] 0 [!1] 1 --END--"#;
    assert_eq!(body(text), "State: 0 {0} [!0 | 1] 0 [0&!1] 1\nState: 1 [1] 0 [!1] 1");
}

#[test]
fn labels_of_all_kinds() {
    let text = |headers: &str, body: &str| {
        format!("HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 0 t {headers} --BODY-- {body} --END--")
    };
    let check = |headers: &str, states: &str, expected: &str| assert_eq!(body(&text(headers, states)), expected);
    check("", "State: [0] 0 1 0 State: 1", "State: 0 [0] 1 [0] 0\nState: 1");
    check("", "State: 0 0 1 1 1", "State: 0 [!0&!1] 0 [1 | 0&!1] 1\nState: 1");
    check("", "State: 0 1 1 1 1", "State: 0 [t] 1\nState: 1");
    check("Alias: @a 0 Alias: @b-1 !@a | 1", "State: 0 [@b-1] 1 [!@b-1] 0", "State: 0 [!0 | 1] 1 [0&!1] 0\nState: 1");
    check("", "State: 0 [!(0&1)|(f)] 1 [!!t] 0", "State: 0 [!0 | !1] 1 [t] 0\nState: 1");
    check("", "State: 0 [(0|1)&(0|!1)] 1 [0&!0] 0", "State: 0 [0] 1\nState: 1");
    check("/* a /* nested */ comment */", "State: 0 [0/**/&1] 1", "State: 0 [0&1] 1\nState: 1");
}

#[test]
fn starts_and_states() {
    let text = |headers: &str, body: &str| {
        format!("HOA: v1 AP: 1 \"a\" {headers} Acceptance: 1 Inf(0) --BODY-- {body} --END--")
    };
    let two = must_read(&text("Start: 1 Start: 0 Start: 1", "State: 0 {0} [0] 1 State: 1 [!0] 0"));
    assert_eq!((two.initial, two.states.len()), (2, 3));
    assert_eq!(two.states[2], [edge(&[cube(1, 0)], 1, Marks(1)), edge(&[cube(0, 1)], 0, Marks(0))]);
    let mentioned = must_read(&text("Start: 3", "State: 0 [0] 5"));
    assert_eq!((mentioned.initial, mentioned.states.len()), (3, 6));
    let none = must_read(&text("States: 0", ""));
    assert_eq!((none.initial, none.states), (0, vec![vec![]]));
    assert_eq!(must_read(&text("States: 2", "State: 1")).initial, 2);
}

#[test]
fn acceptance_of_all_kinds() {
    let text = |acceptance: &str| {
        let state = if acceptance.starts_with('0') { "State: 0" } else { "State: 0 {0}" };
        format!("HOA: v1 Start: 0 AP: 0 Acceptance: {acceptance} --BODY-- {state} [t] 0 --END--")
    };
    let check = |acceptance: &str, sets: u32, marks: u64| {
        let automaton = must_read(&text(acceptance));
        assert_eq!((automaton.sets, automaton.states[0][0].marks.0), (sets, marks), "{acceptance}");
    };
    check("0 t", 0, 0);
    check("1 t", 0, 0);
    check("0 f", 1, 0);
    check("1 Inf(0)&f", 1, 0);
    check("1 (Inf(0))", 1, 1);
    check("3 Inf(2)&(Inf(0)&Inf(2))&t", 2, 1);
    check("3 Inf(2)&Inf(1)", 2, 0);
    for other in ["Fin(0)", "Inf(!0)"] {
        refuse(&text(&format!("1 {other}")), "this acceptance condition is not supported", other);
    }
    refuse(&text("2 Inf(0) | Inf(1)"), "this acceptance condition is not supported", "Inf(0) | Inf(1)");
}

#[test]
fn refused() {
    refuse("", "expected `HOA:`, found the end of the text", "");
    refuse("HOA: v2", "version `v2` of the format is not known", "v2");
    refuse("HOA: v1 /* x", "this comment is never closed", "/*");
    refuse("HOA: v1 States: 2", "expected a header or `--BODY--`, found the end of the text", "");
    refuse("HOA: v1 States: x", "expected the number of states, found `x`", "x");
    refuse("HOA: v1 Start: 0&1", "universal branching (`&` between states) is not supported", "&");
    refuse("HOA: v1 name: \"x", "this string is never closed", "\"");
    refuse("HOA: v1 --BODY-- --END--", "there is no `Acceptance:` before the body", "--BODY--");
    refuse("HOA: v1 States: 99999999999999999999999", "the number is too large", "99999999999999999999999");
    refuse("HOA: v1 --ABORT--", "the tool that wrote the automaton gave it up here", "--ABORT--");
}

#[test]
fn refused_in_headers() {
    let check = |headers: &str, message: &str, under: &str| {
        refuse(&format!("HOA: v1 {headers} Acceptance: 1 Inf(0) --BODY-- --END--"), message, under);
    };
    check("States: 1 States: 1", "there are two headers `States:`", "States");
    check("Fancy: 1", "the header `Fancy:` is not supported", "Fancy");
    check("States: 2 Start: 2", "there is no state 2: `States:` announces 2", "2");
    check("States: 9999999", "more than 1048576 states are not supported", "9999999");
    check("Start: 9999999", "more than 1048576 states are not supported", "9999999");
    check("AP: 2 \"a\"", "`AP:` announces 2 atoms, but names 1", "2");
    check("AP: 2 \"a\" \"a\"", "the atom `a` is named twice", "a");
    check("Alias: @a 0", "there is no atom 0: `AP:` announces 0", "0");
    check("Alias: @a @b", "the alias `@b` is not defined before", "b");
    check("Alias: @a t Alias: @a f", "the alias `@a` is defined twice", "a");
    check("Alias: a", "expected an alias such as `@a`, found `a`", "a");
    let names: String = (0..65).map(|name| format!(" \"p{name}\"")).collect();
    check(&format!("AP: 65{names}"), "more than 64 atoms are not supported", "65");
    refuse("HOA: v1 Acceptance: 65 t --BODY-- --END--", "more than 64 acceptance sets are not supported", "65");
    refuse(
        "HOA: v1 Acceptance: 1 Inf(1) --BODY-- --END--",
        "there is no acceptance set 1: `Acceptance:` announces 1",
        "1",
    );
}

#[test]
fn refused_in_bodies() {
    let check = |body: &str, message: &str, under: &str| {
        let headers = "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0)";
        refuse(&format!("{headers} --BODY-- {body}"), message, under);
    };
    check("State: 0", "expected an edge, `State:` or `--END--`, found the end of the text", "");
    check("State: 0 [0] --ABORT--", "the tool that wrote the automaton gave it up here", "--ABORT--");
    check("State: 2 --END--", "there is no state 2: `States:` announces 2", "2");
    check("State: 0 [t] 2 --END--", "there is no state 2: `States:` announces 2", "2");
    check("State: 0 State: 0 --END--", "state 0 is defined twice", "0");
    check("State: 0 {1} --END--", "there is no acceptance set 1: `Acceptance:` announces 1", "1");
    check("State: 0 {0", "expected an acceptance set or `}`, found the end of the text", "");
    check("State: 0 [1] 0 --END--", "there is no atom 1: `AP:` announces 1", "1");
    check("State: 0 [0 0", "expected `]`, found `0`", "0");
    check("State: 0 [0||0]", "expected a label, found `|`", "|");
    check("State: 0 [(0] 0", "expected `)`, found `]`", "]");
    check("State: 0 [@x] 0 --END--", "the alias `@x` is not defined before", "x");
    check("State: 0 [0] 0&1 --END--", "universal branching (`&` between states) is not supported", "&");
    check("State: [0] 0 [0] 1 --END--", "this edge leaves a state that has a label already", "[0]");
    check("State: 0 [0] 1 1 --END--", "this edge has no label, but others of the state do", "1");
    check("State: 0 1 1 1 --END--", "without labels, a state needs an edge for each letter of 1 atoms, not 3", "0");
    check("--END-- HOA: v1", "another automaton begins here; only one is read", "HOA:");
    check("--END-- x", "expected nothing behind the automaton, found `x`", "x");
}

#[test]
fn nesting_is_limited() {
    let text = |open: &str, close: &str, depth: usize| {
        let label = format!("{}0{}", open.repeat(depth), close.repeat(depth));
        format!("HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--")
    };
    for (open, close) in [("(", ")"), ("!", "")] {
        must_read(&text(open, close, 200));
        refuse(&text(open, close, 201), "nested more than 200 deep", open);
        refuse(&text(open, close, 100_000), "nested more than 200 deep", open);
    }
    let acceptance = format!("HOA: v1 Acceptance: 1 {}", "(".repeat(100_000));
    refuse(&acceptance, "nested more than 200 deep", "(");
}

#[test]
fn labels_do_not_explode() {
    let names: String = (0..64).map(|name| format!(" \"p{name}\"")).collect();
    let text = |headers: &str, label: &str| {
        format!("HOA: v1 Start: 0 AP: 64{names} {headers} Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--")
    };
    let pairs: Vec<String> = (0..20).map(|pair| format!("({}|{})", 2 * pair, 2 * pair + 1)).collect();
    let product = pairs.join("&");
    refuse(&text("", &product), "this label needs more than 4096 cubes", &format!("[{product}]"));
    assert_eq!(must_read(&text("", &format!("!({product})"))).states[0][0].label.0.len(), 20);
    // An alias that is too large does no harm in the sense in which it is small.
    assert_eq!(must_read(&text(&format!("Alias: @a {product}"), "!@a")).states[0][0].label.0.len(), 20);
    let doubled: String = (1..60).map(|n| format!(" Alias: @{n} (@{}&0)|(@{}&1)", n - 1, n - 1)).collect();
    must_read(&text(&format!("Alias: @0 2{doubled}"), "@59"));
}
