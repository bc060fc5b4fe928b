//! Sequences that others do not interrupt, and those that are given up.

use super::{Course, check, check_run, program};

#[test]
fn an_atomic_sequence_is_one_successor() {
    let text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = x + 5 } }";
    check(text, &[("P0 x = 1, P0 x = 2, P0 x = (x+5)", "x=7; P0")]);
    check("byte x; active proctype P() { atomic { x == 1; x = 2 } }", &[]);
}

#[test]
fn every_way_through_an_atomic_sequence_counts() {
    let text = "byte x, y; active proctype P() { atomic { if :: x = 1 :: x = 2 fi; y = x } }";
    let program = program(text);
    let mut run = Course::new(&program);
    let steps = run.steps();
    assert_eq!(steps.len(), 2);
    run.take(&steps[1]);
    assert_eq!(run.state(), "x=2 y=2; P0");
}

#[test]
fn an_atomic_sequence_that_blocks_lets_others_move_and_goes_on_later() {
    let text =
        "byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 2; x = 3 } } active proctype Q() { y = 1 }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.take("P0 x = 1");
    assert_eq!(run.steps(), ["Q1 y = 1"]);
    run.go();
    run.take("P0 ((y==1)), P0 x = 2, P0 x = 3");
    assert_eq!(run.state(), "x=3 y=1; P0; Q1");
}

#[test]
fn a_rendezvous_send_gives_control_to_a_receiver_in_an_atomic_sequence() {
    let text = "chan c = [0] of { byte }; byte x; active proctype S() { atomic { c!1; x = 9 } }
        active proctype R() { atomic { c?_; x = 1; x = 2 } }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.steps(), ["S0 c!1 > R1 c?_, R1 x = 1, R1 x = 2"]);
    run.go();
    assert_eq!(run.steps(), ["R1 -end-", "S0 x = 9"]);
}

#[test]
fn a_d_step_is_one_step() {
    let text = "byte x, y; active proctype P() { d_step { x = 1; y = x + 1; x = 0 } }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert!(run.go().starts_with("P0 D_STEP"));
    assert_eq!(run.state(), "x=0 y=2; P0");
}

#[test]
fn a_d_step_takes_the_first_option_and_must_not_block() {
    let of = |body: &str| {
        let program = program(&format!("byte x, y; active proctype P() {{ d_step {{ {body} }} }}"));
        let mut run = Course::new(&program);
        let steps = run.steps();
        match steps.first().map(|step| step.split_once(" ! ")) {
            None => "blocked".into(),
            Some(Some((_, fault))) => fault.to_string(),
            Some(None) => {
                run.go();
                run.state().replace("; P0", "")
            }
        }
    };
    assert_eq!(of("if :: x = 1 :: x = 2 fi; y = x"), "x=1 y=1");
    assert_eq!(of("if :: x == 1 :: else -> x = 5 fi"), "x=5 y=0");
    assert_eq!(of("do :: x < 4 -> x++ :: else -> break od; y = 1"), "x=4 y=1");
    assert_eq!(of("x == 1; x = 2"), "blocked");
    assert_eq!(of("x = 2; y == 1"), "a statement inside a d_step blocks");
    assert_eq!(of("x = 2; if :: y == 1 :: y == 2 fi"), "a selection inside a d_step has no executable option");
    assert_eq!(of("x = 2; assert(x == 1)"), "assertion violated (x==1)");
}

#[test]
fn a_rendezvous_send_in_a_d_step_is_a_fault() {
    let text =
        "chan c = [0] of { byte }; byte x; active proctype S() { d_step { x = 1; c!1 } } active proctype R() { c?_ }";
    let program = program(text);
    let steps = Course::new(&program).steps();
    assert!(steps.len() == 1 && steps[0].ends_with(" ! a rendezvous send inside a d_step"), "{steps:?}");
}

#[test]
fn an_escape_is_tried_before_each_step() {
    let text =
        "byte x, y; active proctype P() { { x = 1; x = 2 } unless { y == 1; x = 9 } } active proctype Q() { y = 1 }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.steps(), ["Q1 y = 1", "P0 x = 1"]);
    run.take("P0 x = 1").take("Q1 y = 1");
    // y is 1 now, so that only the escape is left
    assert_eq!(run.steps(), ["Q1 -end-", "P0 ((y==1))"]);
    run.take("P0 ((y==1))").take("P0 x = 9");
    assert_eq!(run.state(), "x=9 y=1; P0; Q1");
}

#[test]
fn a_sequence_that_is_done_has_no_escape_any_more() {
    let text = "byte x, y; active proctype P() { { x = 1 } unless { y == 1; x = 9 }; y = 1; x = 3 }";
    check_run(text, &["P0 x = 1", "P0 y = 1", "P0 x = 3", "P0 -end-"], "x=3 y=1");
}

#[test]
fn the_outer_escape_comes_first() {
    let text = "byte x; active proctype P() { { { x = 5 } unless { true -> x = 1 } } unless { true -> x = 2 } }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!((run.go(), run.go()), ("P0 (1)".to_string(), "P0 x = 2".to_string()));
}

#[test]
fn an_atomic_sequence_that_never_ends_leads_nowhere() {
    let text = "byte x; active proctype P() { atomic { do :: x = 1 - x od } }";
    let program = program(text);
    let mut run = Course::new(&program);
    let steps = run.steps();
    assert!(steps.iter().all(|step| step.contains(" ? Endless")), "{steps:?}");
}
