//! Weak fairness: levels, and which cycles complete rounds.

use super::{Course, claim, program};
use crate::property::Fairness;
use crate::property::fairness::{Pids, ROUND, next, start};
use crate::system::{Receiver, Step};

#[test]
fn a_round_starts_at_an_accepting_state() {
    assert_eq!([start(0, false), start(0, true)], [0, 2]);
    assert_eq!([start(ROUND, false), start(ROUND, true)], [0, 2]);
    // one that is under way does not start again
    assert_eq!([start(4, false), start(4, true)], [4, 4]);
}

#[test]
fn a_round_waits_for_one_process_after_the_other() {
    assert_eq!(next(0, 3, |_| true), 0);
    assert_eq!(next(2, 3, |_| false), 2);
    assert_eq!(next(2, 3, |pid| pid == 0), 3);
    assert_eq!(next(2, 3, |pid| pid != 2), 4);
    assert_eq!(next(3, 3, |pid| pid != 0), ROUND);
    assert_eq!(next(5, 3, |_| false), ROUND, "the process it waited for is gone");
}

#[test]
fn both_sides_of_a_handshake_move() {
    let mut pids = Pids::default();
    pids.add_movers(Step { pid: 70, transition: 0, receiver: Some(Receiver { pid: 3, transition: 0 }) });
    assert!(pids.contains(70) && pids.contains(3) && !pids.contains(4) && !pids.contains(6));
    pids.clear();
    assert!(!pids.contains(3));
}

#[test]
fn a_cycle_is_fair_if_everybody_moves() {
    let program = program("byte x; active [2] proctype P() { do :: x = 0 od } never { accept: do :: true od }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::Weak);
    let at = claim.initial();
    // levels: 2 waits for process 0, 3 for process 1, 1 is a round
    assert_eq!(run.steps(), [format!("P1 x = 0 > {at}(2)"), format!("P0 x = 0 > {at}(3)")]);
    run.take(&format!("P0 x = 0 > {at}(3)"));
    assert_eq!(run.steps(), [format!("P1 x = 0 > {at}*(1)"), format!("P0 x = 0 > {at}(3)")]);
    run.take(&format!("P1 x = 0 > {at}*(1)"));
    assert_eq!(run.steps(), [format!("P1 x = 0 > {at}(2)"), format!("P0 x = 0 > {at}(3)")]);
}

#[test]
fn nobody_waits_for_a_process_that_cannot_move() {
    let program = program(
        "byte x; active proctype P() { do :: x = 0 od } active proctype Q() { x == 1 } never { accept: do :: true od }",
    );
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::Weak);
    assert_eq!(run.steps(), [format!("P0 x = 0 > {}*(1)", claim.initial())]);
}

#[test]
fn a_run_that_has_ended_is_fair() {
    let program = program("byte x; active proctype P() { x = 1 } ltl p { <> (x == 2) }");
    let claim = claim(&program);
    let mut run = Course::new(&program, &claim, Fairness::Weak);
    let mut last = String::new();
    for _ in 0..4 {
        last = run.steps()[0].clone();
        run.take(&last);
    }
    assert_eq!(last, "stutter > 0.*(1)");
}
