//! Successors of a product without fairness.

use super::{Course, claim, program};
use crate::property::{Claim, Fairness};
use crate::system::{Batch, Run, System};

#[test]
fn the_claim_looks_before_the_system_moves() {
    let program = program("byte x; active proctype P() { x = 1; x = 2 } never { do :: x == 0 :: x == 1 -> break od }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::None);
    let start = claim.initial();
    assert_eq!(run.steps(), [format!("P0 x = 1 > {start}")]);
    run.take(&format!("P0 x = 1 > {start}"));
    // it sees x == 1, and completes while the system goes on
    let steps = run.steps();
    assert!(steps.len() == 1 && steps[0].starts_with("P0 x = 2 > ") && steps[0].ends_with('+'), "{steps:?}");
    let mut batch = Batch::default();
    run.product.successors(&run.state.clone(), Run::GoesOn, &mut run.scratch, &mut batch, |_| {});
    assert_eq!(batch.completions.moves, 1);
    run.take(&steps[0]);
    assert!(run.steps().is_empty(), "a completed claim moves no more");
    let decided = run.product.decided(&run.state);
    assert_eq!(decided, Some("the claim has come to its end"));
}

#[test]
fn a_claim_without_a_move_drops_the_run() {
    let program = program("byte x; active proctype P() { x = 1; x = 2 } never { do :: x == 0 od }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::None);
    let steps = run.steps();
    assert_eq!(steps.len(), 1);
    run.take(&steps[0]);
    assert!(run.steps().is_empty());
}

#[test]
fn every_move_of_the_claim_is_paired_with_every_step() {
    let program = program(
        "byte x; active proctype P() { x = 1 } active proctype Q() { x = 2 }
         never { S: if :: true -> goto S :: true -> goto T fi; T: do :: true od }",
    );
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::None);
    let steps = run.steps();
    assert_eq!(steps.len(), 4);
    let mover = |step: &String| step.split(' ').next().expect("a process").to_string();
    // one move of the claim with all steps, then the other
    assert_eq!(steps.iter().map(mover).collect::<Vec<_>>(), ["Q1", "P0", "Q1", "P0"]);
}

#[test]
fn a_run_that_has_ended_repeats_its_last_state() {
    let program = program("byte x; active proctype P() { x = 1 } ltl p { <> (x == 2) }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::None);
    run.take("P0 x = 1 > 0*").take("P0 -end- > 0*");
    assert_eq!(run.steps(), ["stutter > 0.*"]);
    run.take("stutter > 0.*");
    let once = run.state.clone();
    run.take("stutter > 0.*");
    assert_eq!(run.state, once, "nothing changes any more");
}

#[test]
fn a_claim_looks_twice_where_the_run_ends() {
    // as pan: the states before and after the end are the same, and the claim has moved twice
    let program = program("active proctype P() { skip } never { skip; skip; skip; accept: do :: true od }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::None);
    let mut moves = 0;
    while !run.steps()[0].starts_with("stutter") {
        let step = run.steps()[0].clone();
        run.take(&step);
        moves += 1;
    }
    assert_eq!(moves, 2);
    // two looks behind the third skip: in the accepting state
    let steps = run.steps();
    assert!(steps.len() == 1 && steps[0].ends_with('*'), "{steps:?}");
}

#[test]
fn a_bad_prefix_decides() {
    let program = program("byte x; active proctype P() { x = 1; x = 2 } ltl p { [] (x != 1) }");
    let claim = claim(&program);
    assert!(claim.is_terminal());
    let mut run = Course::new(&program, &claim, Fairness::None);
    let first = run.steps()[0].clone();
    assert!(!first.contains('*'), "{first}");
    run.take(&first);
    let second = run.steps()[0].clone();
    assert!(second.contains('*'), "{second}");
    run.take(&second);
    assert!(run.product.decided(&run.state).is_some());
}

#[test]
fn labels_accept_where_a_process_stands_at_one() {
    let program = program("byte x; active proctype P() { do :: x = 1; accept: x = 0 od }");
    let claim = Claim::labels();
    let mut run = Course::new(&program, &claim, Fairness::None);
    assert_eq!(run.steps(), ["P0 x = 1 > 0*"]);
    run.take("P0 x = 1 > 0*");
    assert_eq!(run.steps(), ["P0 x = 0 > 0"]);
}

#[test]
fn a_condition_that_fails_is_a_fault_of_nobody() {
    let program = program("byte x; active proctype P() { x = 1 } never { do :: 1 / x == 7 od }");
    let claim = claim(&program);
    assert_eq!(Course::new(&program, &claim, Fairness::None).steps(), ["stutter ! division by zero"]);
}
