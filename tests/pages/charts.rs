//! Every message of a trail is an arrow, from the step that sends it to the step that takes it.

use super::{Case, steps, text};
use serde_json::Value;
use std::collections::BTreeMap;

/// Model, macros, what is violated.
const CASES: &[(&str, &[&str], &[&str])] = &[
    ("window.pml", &["-DNUMBERS=2"], &[]),
    ("leader.pml", &[], &["--ltl", "[] (informed < N)"]),
    ("giop.pml", &[], &["--property", "safety"]),
    ("giop.pml", &[], &["--property", "ltl:answered"]),
    ("philosophers.pml", &[], &[]),
    ("dining-philosophers.pml", &["-DN=4"], &[]),
    ("producer-consumer.pml", &[], &["--ltl", "[] (consumed < 4)"]),
    ("alter.pml", &[], &["--property", "ltl:both_ways"]),
    ("elev.pml", &[], &["--property", "ltl:served"]),
    ("marriage.pml", &[], &[]),
    ("needham-schroeder.pml", &[], &["--property", "safety"]),
];

/// The messages in the contents of a channel, `[1,2][q[0],3]`; `None` if it is something else.
fn held(value: &Value) -> Option<usize> {
    let text = value.as_str().filter(|text| text.starts_with('['))?;
    let mut depth = 0;
    let mut count = 0;
    for c in text.chars() {
        count += (c == '[' && depth == 0) as usize;
        depth += (c == '[') as i32 - (c == ']') as i32;
    }
    Some(if text == "[]" { 0 } else { count })
}

/// `channel!…`, where the channel may be an element or a field.
fn is_send(step: &Value) -> bool {
    let channel = text(step, "text").split_once('!').map_or("", |(channel, _)| channel);
    channel.starts_with(char::is_alphabetic) && channel.chars().all(|c| c.is_alphanumeric() || "_.[]+-% ".contains(c))
}

/// Messages that were received, counted from what the steps change: those that leave a channel, and handshakes, where
/// a send changes nothing and somebody else receives in the next step.
fn received(trail: &Value) -> (usize, usize) {
    let mut channels: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut taken, mut handed) = (0, 0);
    let steps = steps(trail);
    for (step, next) in steps.iter().zip(steps.iter().skip(1).map(Some).chain([None])) {
        let changes = step["changes"].as_object().expect("changes");
        for (name, value) in changes {
            if let Some(count) = held(value) {
                let before = channels.insert(name, count).unwrap_or(0);
                taken += before.saturating_sub(count);
            }
        }
        let answers = |next: &&Value| next["pid"] != step["pid"] && text(next, "text").contains('?');
        handed += (is_send(step) && changes.is_empty() && next.filter(answers).is_some()) as usize;
    }
    (taken, handed)
}

#[test]
fn every_message_is_an_arrow() {
    for &(model, defines, property) in CASES {
        let case = Case::of(model, defines, property);
        let (taken, handed) = received(&case.trail());
        assert!(taken + handed > 0 || model.contains("philosophers"), "{model}: no message at all");
        for option in ["--svg", "--html"] {
            let drawn = case.written(option, &[]);
            let count = |class: &str| drawn.matches(&format!("<g class=\"arrow {class}\"")).count();
            assert_eq!((count("buffered"), count("handshake")), (taken, handed), "{model} {option}");
        }
        let diagram = case.written("--mermaid", &[]);
        let count = |arrow: &str| diagram.lines().filter(|line| line.contains(arrow)).count();
        assert_eq!((count("-)"), count("->>")), (taken, handed), "{model}\n{diagram}");
    }
}

/// From which step to which an arrow with this label goes, in the order of the chart.
fn arrows(case: &Case) -> Vec<(usize, usize, String)> {
    let drawn = case.written("--svg", &[]);
    let number = |text: &str, key: &str| -> usize {
        let from = text.find(key).map(|at| at + key.len()).expect("an attribute");
        text[from..].split('"').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let arrows = drawn.split("<g class=\"arrow ").skip(1);
    arrows
        .map(|arrow| {
            let label = arrow.split("</text>").next().and_then(|text| text.rsplit('>').next()).expect("a label");
            (number(arrow, "data-sent=\""), number(arrow, "data-taken=\""), label.to_string())
        })
        .collect()
}

fn check(body: &str, expected: &[(usize, usize, &str)]) {
    let case = Case::with(body, &["--property", "safety"]);
    let found = arrows(&case);
    let found: Vec<(usize, usize, &str)> = found.iter().map(|(from, to, label)| (*from, *to, label.as_str())).collect();
    assert_eq!(found, expected, "{body}");
}

#[test]
fn first_in_first_out() {
    let model = "chan c = [3] of { byte }; byte x;
        active proctype P() { c!1; c!1; c!2; c?x; c?x; c?x; assert(false) }";
    check(model, &[(1, 4, "c!1"), (2, 5, "c!1"), (3, 6, "c!2")]);
}

#[test]
fn a_random_receive_takes_the_first_that_fits() {
    let model = "chan c = [4] of { byte }; byte x;
        active proctype P() { c!1; c!2; c!2; c!3; c??2; c??3; c?x; assert(false) }";
    check(model, &[(1, 7, "c!1"), (2, 5, "c!2"), (4, 6, "c!3")]);
}

#[test]
fn a_sorted_send_goes_behind_its_equals() {
    let model = "chan c = [4] of { byte }; byte x;
        active proctype P() { c!!3; c!!1; c!!3; c!!1; c?x; c?x; c?x; c?x; assert(false) }";
    check(model, &[(1, 7, "c!3"), (2, 5, "c!1"), (3, 8, "c!3"), (4, 6, "c!1")]);
}

#[test]
fn looking_at_a_message_does_not_take_it() {
    let model = "chan c = [2] of { byte }; byte x;
        active proctype P() { c!1; c?<x>; c?[1]; c?x; assert(false) }";
    check(model, &[(1, 4, "c!1")]);
}

#[test]
fn what_is_sent_through_a_variable_and_in_names() {
    let model = "mtype = { red, blue }; chan q[2] = [1] of { mtype, chan }; chan own = [0] of { byte };
        byte x;
        active proctype P() { byte i = 1; q[i]!blue, own; own?x; assert(false) }
        active proctype Q() { chan other; q[1]?blue, other; other!7 + 1 }";
    check(model, &[(1, 2, "q[1]!blue,own"), (3, 3, "own!8")]);
}

#[test]
fn values_are_what_the_channel_can_hold() {
    let model = "chan c = [0] of { byte, bit }; byte x; bit y;
        active proctype P() { c!257, 3 } active proctype Q() { c?x, y; assert(false) }";
    check(model, &[(1, 1, "c!1,1")]);
}

#[test]
fn a_d_step_takes_and_sends() {
    let model = "chan c = [3] of { byte }; chan d = [3] of { byte }; byte x;
        active proctype P() { c!1; c!2; d_step { c?x; d!x; c?x; d!x }; d?x; d?x; assert(false) }";
    check(model, &[(1, 3, "c!1"), (2, 3, "c!2"), (3, 4, "d!1"), (3, 5, "d!2")]);
}

/// The states before and after look the same, and yet the message is another one.
#[test]
fn a_d_step_that_passes_a_message_on() {
    let model = "chan c = [2] of { byte }; byte x; chan d = [1] of { byte };
        active proctype P() {
            c!7; d_step { c?x; c!x }; d_step { if :: d?x :: c?x; c!x; d!x; d?x; c!5; c?x; c!5 fi }; c?x; c?x; assert(false)
        }";
    check(model, &[(1, 2, "c!7"), (2, 3, "c!7"), (3, 4, "c!5"), (3, 5, "c!5")]);
}

#[test]
fn messages_that_do_not_arrive() {
    let model = "chan c = [2] of { byte };
        proctype Owner() { chan own = [1] of { byte }; own!9 }
        active proctype P() { c!1; run Owner(); (_nr_pr == 1); assert(false) }";
    let case = Case::with(model, &["--property", "safety"]);
    let drawn = case.written("--svg", &[]);
    assert_eq!((drawn.matches("<g class=\"stub\"").count(), arrows(&case).len()), (2, 0));
    assert!(drawn.contains("c!1: P(0), step 1, not received"), "{drawn}");
    assert!(drawn.contains("lost with its channel"), "{drawn}");
    // the lane of the owner starts later and ends
    assert!(drawn.contains("lane-name late\"><title>Owner(1)") && drawn.contains("class=\"death\""), "{drawn}");
    let diagram = case.written("--mermaid", &[]);
    assert!(diagram.contains("Note over p0: 1 c!1 (not received)"), "{diagram}");
}

#[test]
fn a_message_may_arrive_in_the_next_round() {
    let case = Case::of("alter.pml", &[], &["--property", "ltl:delivered"]);
    let trail = case.trail();
    let drawn = case.written("--svg", &[]);
    assert!(drawn.contains("of the next round"), "{trail}");
    let start = trail["cycle_start"].as_u64().expect("a cycle");
    assert!(drawn.contains(&format!("back to step {start}")) && drawn.contains("class=\"bracket\""));
}

#[test]
fn the_violation_stands_at_its_step() {
    let case = Case::of("window.pml", &["-DNUMBERS=2"], &[]);
    let length = case.trail()["length"].as_u64().expect("a length");
    let drawn = case.written("--svg", &[]);
    assert!(drawn.contains(&format!("<g class=\"tick fault\" data-first=\"{length}\"")), "{drawn}");
    assert!(drawn.contains("<g class=\"ending violated\">"), "{drawn}");
}

/// Local steps of a long run share rows; its messages are all there.
#[test]
fn a_long_run() {
    let model = "chan c = [1] of { short }; short i, x;
        active proctype P() { do :: i < 1500 -> i++; if :: i % 10 == 0 -> c!i; c?x :: else fi :: else -> break od; assert(false) }";
    let case = Case::with(model, &["--property", "safety"]);
    let trail = case.trail();
    assert!(trail["length"].as_u64().is_some_and(|length| length > 4500), "{}", trail["length"]);
    let drawn = case.written("--svg", &[]);
    assert_eq!(drawn.matches("<g class=\"arrow ").count(), 150);
    let rows = drawn.matches("<g class=\"tick ").count();
    assert!(rows < 1000, "{rows}");
    assert!(case.written("--html", &[]).len() < 3_000_000);
}

/// Mermaid reads every line: a known word or an arrow, and no sign that means something to it.
#[test]
fn every_line_of_a_diagram_is_known_to_mermaid() {
    for &(model, defines, property) in CASES {
        let diagram = Case::of(model, defines, property).written("--mermaid", &[]);
        let mut lines = diagram.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"));
        let mut open = 0;
        for line in lines.map(str::trim) {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("participant") => assert!(words.nth(1) == Some("as"), "{line}"),
                Some("Note") => assert!(words.next() == Some("over") && line.contains(": "), "{line}"),
                Some("loop") => open += 1,
                Some("end") => open -= 1,
                Some(arrow) => {
                    let ends = arrow.strip_suffix(':').and_then(|a| a.split_once("->>").or(a.split_once("-)")));
                    let known = |end: &str| end.strip_prefix('p').is_some_and(|n| n.parse::<u32>().is_ok());
                    assert!(ends.is_some_and(|(from, to)| known(from) && known(to)), "{line}");
                }
                None => panic!("an empty line"),
            }
        }
        assert_eq!(open, 0, "{diagram}");
    }
}

/// A run that has ended is not said to go round.
#[test]
fn a_run_that_has_ended_repeats_its_last_state() {
    let model = "byte x; active proctype P() { x = 1; x == 2 } ltl p { <>(x == 2) }\n";
    let case = Case::with(model, &["--property", "ltl:p"]);
    for (option, expected) in [
        ("--html", "the run has ended: nothing can move, and its last state repeats forever"),
        ("--svg", "the run has ended: its last state repeats forever"),
        ("--mermaid", "the run has ended, its last state repeats forever"),
    ] {
        let written = case.written(option, &[]);
        assert!(written.contains(expected), "{option}: {written}");
        assert!(!written.contains("back at the start of the cycle") && !written.contains("loop the cycle"), "{option}");
    }
}

/// What a step stores that does not fit is said with the step.
#[test]
fn the_page_says_what_was_truncated() {
    let case = Case::with("byte y = 200; byte z = 256 + 1; init { y = y + 100; assert(false) }\n", &[]);
    let page = case.written("--html", &[]);
    assert!(page.contains("truncated: 300 → 44 (byte y)"), "{page}");
    assert!(page.contains("initial value truncated: 257 → 1 (byte z)"), "{page}");
}
