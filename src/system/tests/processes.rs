//! Processes: their birth and death, and what restricts who may move.

use super::{Course, check, check_run, program};

#[test]
fn run_creates_a_process_with_arguments() {
    let text = "byte x; init { x = run P(300, 2) } proctype P(byte a; bit b) { byte c = a; skip }";
    check(text, &[("init0 x = run P(300,2)", "x=1; init0; P1 a=44 b=0 c=44")]);
}

#[test]
fn one_step_may_create_many_processes() {
    let runs = vec!["run P(1)"; 30].join(" + ");
    let text = format!("int x; init {{ x = {runs} }} proctype P(int a) {{ int b[50]; skip }}");
    let program = program(&text);
    let mut run = Course::new(&program);
    let step = run.steps()[0].clone();
    run.take(&step);
    assert!(run.state().starts_with(&format!("x={}; init0; P1 ", (1..=30).sum::<i32>())), "{}", run.state());
}

#[test]
fn processes_die_in_reverse_order_of_their_birth() {
    let text = "active proctype P() { skip } active proctype Q() { skip }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.steps(), ["Q1 (1)", "P0 (1)"]);
    run.take("P0 (1)");
    // P is done, but younger than it is Q
    assert_eq!(run.steps(), ["Q1 (1)"]);
    run.take("Q1 (1)").take("Q1 -end-");
    assert_eq!(run.state(), "; P0");
    run.take("P0 -end-");
    assert!(run.has_ended() && run.state().is_empty());
}

#[test]
fn a_pid_is_given_again() {
    let text = "byte x; init { run P(); _nr_pr == 1; x = run P() } proctype P() { skip }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.take("init0 (run P())").take("P1 (1)").take("P1 -end-").take("init0 ((_nr_pr==1))").take("init0 x = run P()");
    assert_eq!(run.state(), "x=1; init0; P1");
}

#[test]
fn several_active_processes_and_their_pids() {
    let text = "byte x; active [2] proctype P() { byte me = _pid; x = me }";
    check(text, &[("P1 x = me", "x=1; P0 me=0; P1 me=1"), ("P0 x = me", "x=0; P0 me=0; P1 me=1")]);
}

#[test]
fn the_end_of_a_run_is_valid_at_ends_only() {
    let ended = |body: &str| {
        let program = program(&format!("byte x; active proctype P() {{ {body} }}"));
        let mut run = Course::new(&program);
        run.go_on();
        run.has_ended()
    };
    assert!(ended("x = 1") && ended("end: x == 1") && ended("x = 1; end_here: x == 2"));
    assert!(!ended("x == 1") && !ended("progress: x == 1"));
}

#[test]
fn timeout_is_true_where_nothing_else_can_move() {
    let text = "byte x; active proctype P() { timeout -> x = 1 } active proctype Q() { x = 2; x == 3 }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.go(), "Q1 x = 2");
    assert_eq!(run.go(), "P0 (timeout)");
    assert_eq!(run.go(), "P0 x = 1");
    assert!(run.steps().is_empty() && !run.has_ended());
}

#[test]
fn provided_is_asked_before_each_step() {
    let text = "byte x; active proctype P() provided (x == 0) { x = 1; x = 2 } active proctype Q() { x == 1; x = 0 }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.take("P0 x = 1");
    assert_eq!(run.steps(), ["Q1 ((x==1))"]);
    run.take("Q1 ((x==1))").take("Q1 x = 0");
    assert_eq!(run.steps(), ["Q1 -end-", "P0 x = 2"]);
}

#[test]
fn a_receiver_has_to_be_provided() {
    let text =
        "byte x; chan c = [0] of { byte }; active proctype S() { c!1 } active proctype R() provided (x == 1) { c?_ }";
    check(text, &[]);
}

#[test]
fn only_the_highest_priority_among_the_enabled_moves() {
    let text = "byte x; active proctype P() priority 2 { x == 1; x = 2 }
        active proctype Q() priority 1 { x = 1; x = 3 }";
    check_run(text, &["Q1 x = 1", "P0 ((x==1))", "P0 x = 2", "Q1 x = 3", "Q1 -end-", "P0 -end-"], "x=3");
}

#[test]
fn a_priority_can_be_changed() {
    let text = "byte x; active proctype P() priority 3 { set_priority(0, 1); x = 1 }
        active proctype Q() priority 2 { x = get_priority(0) }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.steps(), ["P0 set_priority(0, 1)"]);
    run.go();
    assert_eq!(run.steps(), ["Q1 x = get_priority(0)"]);
    run.go();
    assert!(run.state().starts_with("x=1"), "{}", run.state());
}

#[test]
fn last_is_who_moved_last() {
    let text = "byte x; active proctype P() { skip; x = _last } active proctype Q() { skip }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.take("P0 (1)").take("Q1 (1)").take("P0 x = _last");
    assert!(run.state().starts_with("x=1;"), "{}", run.state());
}

#[test]
fn other_processes_can_be_looked_at() {
    let text = "active proctype P() { byte y = 4; L: skip; skip } active proctype Q() { P[0]@L && P[0]:y == 4 }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.steps().len(), 2);
    run.take("P0 (1)");
    assert_eq!(run.steps(), ["P0 (1)"]);
}
