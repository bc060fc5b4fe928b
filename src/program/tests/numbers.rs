//! Control states and numbers of statements, as `pan -d` of SPIN 6.5.2 prints them for the same models.
//!
//! ```text
//! spin -a -o1 -o2 -o3 m.pml && gcc -DNOREDUCE -o pan pan.c && ./pan -d
//! ```

use super::program;

/// The transitions of a proctype by their source, without those of states that cannot be reached: `from -> to [number] text`,
/// with `A` for those inside an atomic sequence and `e` for those from an end state.
#[track_caller]
fn check(text: &str, proctype: &str, expected: &[&str]) {
    let program = program(text);
    let automaton = program.automata.iter().find(|automaton| automaton.name == proctype).expect("a proctype");
    let mut reached = vec![automaton.initial];
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        next += 1;
        for transition in &program.transitions[automaton.leaving(state)] {
            if transition.to > 0 && !reached.contains(&transition.to) {
                reached.push(transition.to);
            }
        }
    }
    reached.sort();
    let shown = |number: usize| {
        let (transition, info) = (&program.transitions[number], &program.infos[number]);
        let atomic = if transition.atomic { " A" } else { "" };
        let end = if automaton.marks[transition.from as usize].end { " e" } else { "" };
        format!("{} -> {} [{}] {}{atomic}{end}", transition.from, transition.to, info.id, info.text)
    };
    let found: Vec<String> = reached.iter().flat_map(|&state| automaton.leaving(state)).map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

const SEQUENCES: &str = "byte x; proctype A() { atomic { x = 1; x = 2 } x = 3 }
    init { if :: x == 1 -> x = 2 :: else -> skip fi; do :: x < 3 -> x++ :: break od }";

#[test]
fn atomic_sequences() {
    let expected = ["2 -> 4 [1] x = 2", "3 -> 2 [0] x = 1 A", "4 -> 5 [3] x = 3", "5 -> 0 [4] -end- e"];
    check(SEQUENCES, "A", &expected);
}

#[test]
fn selections_and_repetitions() {
    let expected = [
        "2 -> 10 [6] x = 2",
        "4 -> 10 [8] (1)",
        "5 -> 2 [5] ((x==1))",
        "5 -> 4 [7] else",
        "8 -> 10 [12] x = (x+1)",
        "10 -> 8 [11] ((x<3))",
        "10 -> 13 [13] goto :b0",
        "13 -> 0 [17] -end- e",
    ];
    check(SEQUENCES, "init", &expected);
}

const OTHERS: &str = "byte x, i; chan q = [1] of { byte };
    active proctype A() { for (i : 1 .. 2) { x = i } }
    active proctype B() { { x = 1; x = 2 } unless { q?_; x = 3 }; d_step { x = 4; x = 5 } goto L; L: q!1 }
    active proctype C() { byte y; skip; byte z = 3; end: x == z }";

#[test]
fn loops_with_a_counter() {
    let expected = [
        "1 -> 7 [0] i = 1",
        "3 -> 4 [2] x = i",
        "4 -> 7 [3] i = (i+1)",
        "7 -> 3 [1] ((i<=2))",
        "7 -> 10 [4] else",
        "10 -> 0 [9] -end- e",
    ];
    check(OTHERS, "A", &expected);
}

#[test]
fn escapes_d_steps_and_gotos() {
    let expected = [
        "1 -> 4 [12] q?_",
        "1 -> 2 [10] x = 1",
        "2 -> 4 [12] q?_",
        "2 -> 9 [11] x = 2",
        "4 -> 9 [13] x = 3",
        "9 -> 11 [18] D_STEP3",
        "11 -> 12 [20] q!1",
        "12 -> 0 [21] -end- e",
    ];
    check(OTHERS, "B", &expected);
}

#[test]
fn declarations_between_statements_and_end_labels() {
    let expected = ["1 -> 2 [22] (1)", "2 -> 3 [23] z = 3", "3 -> 4 [24] ((x==z)) e", "4 -> 0 [25] -end- e"];
    check(OTHERS, "C", &expected);
}

#[test]
fn operators_with_one_operand() {
    let text = "short x; bool b; chan q = [1] of { byte, short };
        init { q!2,-x; q?_,eval(-3); x = 3 - -x; (!b && ~x); x = (b -> -1 : !b) }";
    let expected = [
        "1 -> 2 [0] q!2,-(x)",
        "2 -> 3 [1] q?_,eval(-(3))",
        "3 -> 4 [2] x = (3--(x))",
        "4 -> 5 [3] ((!(b)&&~(x)))",
        "5 -> 6 [4] x = ( (b) -> (-(1)) : (!(b)) )",
        "6 -> 0 [5] -end- e",
    ];
    check(text, "init", &expected);
}

/// A goto with a label that is referred to gets a skip in front of it, and the goto takes the next number at that moment.
#[test]
fn labels_of_gotos_that_others_refer_to() {
    let gotos = "byte x; active proctype A() { x = 1; L: goto M; x = 2; M: x = 3; K: goto J; J: x = 8 }";
    let later = "active proctype C() { x = 6; x = 7 }";
    let claim = format!("{gotos} never {{ do :: !A[0]@L od }} {later}");
    let to_end = ["1 -> 2 [13] x = 6", "2 -> 3 [14] x = 7", "3 -> 0 [15] -end- e"];
    check(&claim, "C", &to_end);
    let before = format!("{gotos} {later} never {{ do :: !A[0]@L od }}");
    check(&before, "C", &["1 -> 2 [7] x = 6", "2 -> 3 [8] x = 7", "3 -> 0 [9] -end- e"]);
    let formula = format!("{gotos} {later} ltl f {{ [] !A@L }}");
    check(&formula, "C", &["1 -> 2 [7] x = 6", "2 -> 3 [8] x = 7", "3 -> 0 [9] -end- e"]);
    let twice = format!(
        "{gotos} active proctype C() {{ x = 6; atomic {{ for (x : A[0]@K .. 3) {{ skip }} }} A[0]@K || A[0]@L; x = 9 }}"
    );
    let expected = [
        "1 -> 11 [7] x = 6",
        "4 -> 5 [11] (1) A",
        "5 -> 8 [12] x = (x+1) A",
        "7 -> 10 [14] goto :b0 A",
        "8 -> 4 [10] ((x<=3)) A",
        "8 -> 7 [13] else A",
        "10 -> 12 [17] break",
        "11 -> 8 [9] x = A[0]@K A",
        "12 -> 13 [20] ((A[0]@K||A[0]@L))",
        "13 -> 14 [21] x = 9",
        "14 -> 0 [22] -end- e",
    ];
    check(&twice, "C", &expected);
}

#[test]
fn labels_of_gotos_that_their_own_proctype_refers_to() {
    let text = "byte x; active proctype A() { x = 1; L: goto M; x = 2; M: x = 3; A[0]@L; x = 5 }
        active proctype C() { x = 6; x = 7 }";
    let expected = [
        "1 -> 2 [0] x = 1",
        "2 -> 4 [1] (1)",
        "4 -> 6 [3] x = 3",
        "6 -> 7 [5] (A[0]@L)",
        "7 -> 8 [6] x = 5",
        "8 -> 0 [7] -end- e",
    ];
    check(text, "A", &expected);
}
