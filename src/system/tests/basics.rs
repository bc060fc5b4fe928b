//! Assignments, conditions, assertions, output, selections, loops; values that do not fit.

use super::super::OnTruncation;
use super::{Course, check, check_run, program};

#[test]
fn assignment() {
    check("byte x, y = 2; active proctype P() { x = y + 1 }", &[("P0 x = (y+1)", "x=3 y=2; P0")]);
    check("byte x = 255; active proctype P() { x++ }", &[("P0 x = (x+1)", "x=0; P0")]);
    check("int a[3]; byte i = 2; active proctype P() { a[i] = 7 }", &[("P0 a[i] = 7", "a[0]=0 a[1]=0 a[2]=7 i=2; P0")]);
    let local = "active proctype P() { byte x; typedef_less: x = 4 }";
    check(local, &[("P0 x = 4", "; P0 x=4")]);
}

#[test]
fn fields_of_structs() {
    let text = "typedef T { byte a; byte b[2] } T s[2]; active proctype P() { s[1].b[0] = 9 }";
    let after = "s[0].a=0 s[0].b[0]=0 s[0].b[1]=0 s[1].a=0 s[1].b[0]=9 s[1].b[1]=0; P0";
    check(text, &[("P0 s[1].b[0] = 9", after)]);
}

#[test]
fn an_index_outside_its_array_is_a_fault() {
    let text = "byte a[2], i = 2; active proctype P() { a[i] = 1 }";
    check(text, &[("P0 a[i] = 1 ! array index 2 is outside 0..1", "")]);
    check("byte a[2], i = 2; active proctype P() { i < 2 && a[i] == 0 }", &[]);
}

#[test]
fn division_by_zero_is_a_fault() {
    check("byte x, y; active proctype P() { x = 1 / y }", &[("P0 x = (1/y) ! division by zero", "")]);
    check("byte x, y; active proctype P() { x = 1 % y }", &[("P0 x = (1%y) ! division by zero", "")]);
}

#[test]
fn a_condition_is_executable_if_it_is_not_zero() {
    check("byte x = 2; active proctype P() { x == 2 }", &[("P0 ((x==2))", "x=2; P0")]);
    check("byte x = 2; active proctype P() { x - 5 }", &[("P0 ((x-5))", "x=2; P0")]);
    check("byte x = 2; active proctype P() { x > 2 }", &[]);
}

#[test]
fn assertion() {
    check("byte x = 2; active proctype P() { assert(x == 2) }", &[("P0 assert((x==2))", "x=2; P0")]);
    // the run goes on behind the fault, as with pan -c0
    let failing = [("P0 assert((x==1)) ! assertion violated (x==1)", ""), ("P0 assert((x==1))", "x=2; P0")];
    check("byte x = 2; active proctype P() { assert(x == 1) }", &failing);
}

#[test]
fn output_is_a_step_that_changes_nothing() {
    check("byte x = 2; active proctype P() { printf(\"%d\\n\", x) }", &[("P0 printf('%d\\n',x)", "x=2; P0")]);
}

#[test]
fn what_is_printed() {
    let text = "mtype = { one, two }; byte x = 65; active proctype P() { printf(\"%d %c %e %x %o %u!\", -x, x, two, x, x, x) }";
    let program = program(text);
    let mut run = Course::new(&program);
    run.scratch.printed = Some(String::new());
    run.go();
    assert_eq!(run.scratch.printed.as_deref(), Some("-65 A two 41 101 65!"));
}

#[test]
fn selection() {
    let text =
        "byte x = 1; active proctype P() { if :: x == 1 -> x = 2 :: x < 5 -> x = 3 :: x == 0 :: else -> x = 4 fi }";
    check(text, &[("P0 ((x==1))", "x=1; P0"), ("P0 ((x<5))", "x=1; P0")]);
    let otherwise = "byte x = 7; active proctype P() { if :: x == 1 -> x = 2 :: x < 5 -> x = 3 :: else -> x = 4 fi }";
    check_run(otherwise, &["P0 else", "P0 x = 4", "P0 -end-"], "x=4");
    check("byte x = 7; active proctype P() { if :: x == 1 :: x < 5 fi }", &[]);
}

#[test]
fn an_else_looks_at_what_stands_before_it_in_its_state() {
    // as pan: the inner else is blocked by the outer option before it, but not by one behind it
    let before = "byte x = 1; active proctype P() { if :: x == 1 :: if :: x == 2 :: else fi fi }";
    check(before, &[("P0 ((x==1))", "x=1; P0")]);
    let behind = "byte x = 1; active proctype P() { if :: if :: x == 2 :: else fi :: x == 1 fi }";
    check(behind, &[("P0 else", "x=1; P0"), ("P0 ((x==1))", "x=1; P0")]);
    let inside = "byte x; active proctype P() { atomic { x = 1; if :: if :: x == 2 :: else fi :: x == 1 fi; x = 2 } }";
    check(
        inside,
        &[
            ("P0 x = 1, P0 else, P0 .(goto), P0 x = 2", "x=2; P0"),
            ("P0 x = 1, P0 ((x==1)), P0 .(goto), P0 x = 2", "x=2; P0"),
        ],
    );
}

#[test]
fn repetition() {
    let text = "byte x; active proctype P() { do :: x < 2 -> x++ :: else -> break od; x = 9 }";
    let round = ["P0 ((x<2))", "P0 x = (x+1)"];
    let end = ["P0 else", "P0 x = 9", "P0 -end-"];
    check_run(text, &[&round[..], &round, &end].concat(), "x=9");
}

#[test]
fn a_goto_is_a_step_only_as_a_guard() {
    let behind = "byte x; active proctype P() { x = 1; goto L; x = 2; L: x = 3 }";
    check_run(behind, &["P0 x = 1", "P0 x = 3", "P0 -end-"], "x=3");
    let guard = "byte x; active proctype P() { if :: goto L fi; x = 2; L: x = 3 }";
    check_run(guard, &["P0 goto L", "P0 x = 3", "P0 -end-"], "x=3");
}

#[test]
fn for_is_a_loop_with_a_counter() {
    let text = "byte i, x; active proctype P() { for (i : 1 .. 2) { x = x + i } }";
    let round = ["P0 ((i<=2))", "P0 x = (x+i)", "P0 i = (i+1)"];
    let steps = [&["P0 i = 1"][..], &round, &round, &["P0 else", "P0 -end-"]].concat();
    check_run(text, &steps, "i=3 x=3");
}

#[test]
fn for_goes_through_arrays_and_channels() {
    let array = "byte i, x, a[2] = 5; active proctype P() { for (i in a) { x = x + a[i] } }";
    let program = program(array);
    let mut run = Course::new(&program);
    run.go_on();
    assert_eq!(run.state(), "i=2 x=10 a[0]=5 a[1]=5");
    let channel = "typedef M { byte v } chan q = [3] of { M }; byte x;
        active proctype P() { M m; m.v = 3; q!m; m.v = 4; q!m; for (m in q) { x = x * 10 + m.v } }";
    let program = super::program(channel);
    let mut run = Course::new(&program);
    while run.steps() != ["P0 -end-"] {
        run.go();
    }
    assert!(run.state().starts_with("q=[3 4] x=34"), "{}", run.state());
}

#[test]
fn select_of_a_small_range_is_one_step() {
    let text = "byte i; active proctype P() { select (i : 3 .. 5) }";
    check(text, &[("P0 i = 3", "i=3; P0"), ("P0 i = 4", "i=4; P0"), ("P0 i = 5", "i=5; P0")]);
}

#[test]
fn select_with_a_variable_counts_up() {
    let text = "byte i, n = 5; active proctype P() { select (i : 4 .. n) }";
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!(run.go(), "P0 i = 4");
    assert_eq!(run.steps(), ["P0 goto :b0", "P0 ((i<n))"]);
    run.take("P0 ((i<n))").take("P0 i = (i+1)");
    assert_eq!((run.steps(), run.state()), (vec!["P0 goto :b0".to_string()], "i=5 n=5; P0".to_string()));
}

#[test]
fn values_are_cut_to_what_they_are_stored_in() {
    let cut = |declaration: &str, value: &str| {
        let program = program(&format!("{declaration}; active proctype P() {{ v = {value} }}"));
        let mut run = Course::new(&program);
        run.go();
        run.state().replace("; P0", "")
    };
    assert_eq!(cut("byte v", "300"), "v=44");
    assert_eq!(cut("byte v", "-1"), "v=255");
    assert_eq!(cut("bit v", "2"), "v=0");
    assert_eq!(cut("bool v", "5"), "v=1");
    assert_eq!(cut("short v", "40000"), "v=-25536");
    assert_eq!(cut("unsigned v : 3", "9"), "v=1");
    assert_eq!(cut("int v", "2147483647 + 1"), "v=-2147483648");
    // as pan: a bit in an array is a byte
    assert_eq!(cut("bit a[2], v", "2; a[1] = 2"), "a[0]=0 a[1]=0 v=0");
}

#[test]
fn a_bit_in_an_array_is_a_byte() {
    check("bit a[2]; active proctype P() { a[0] = 2 }", &[("P0 a[0] = 2", "a[0]=2 a[1]=0; P0")]);
}

#[test]
fn a_value_that_does_not_fit_is_a_fault_if_that_was_asked_for() {
    let program = program("byte x; active proctype P() { x = 300 }");
    let mut run = Course::by(super::Interpreter::new(&program).on_truncation(OnTruncation::Fail));
    let steps = run.steps();
    assert!(steps[0].starts_with("P0 x = 300 ! a value is truncated: "), "{steps:?}");
}

#[test]
fn initial_values() {
    let text = "byte a = 3, b[3] = { 1, 2 }; active proctype P() { byte x = 4; skip; byte y = 5; skip }";
    check(text, &[("P0 (1)", "a=3 b[0]=1 b[1]=2 b[2]=2; P0 x=4 y=0")]);
    let program = program(text);
    let mut run = Course::new(&program);
    assert_eq!((run.go(), run.go()), ("P0 (1)".to_string(), "P0 y = 5".to_string()));
}
