//! Claims of other tools, and what is refused with which words.

use super::super::label::show;
use super::{read, write};
use crate::automaton::{Buchi, Cube, Label, Move, Place};

fn must_read(text: &str) -> Buchi {
    read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// One line per state: `*` if accepting, then the moves. The initial state has a `>`.
fn states(automaton: &Buchi) -> Vec<String> {
    let line = |(state, place): (usize, &Place)| {
        let show = |each: &Move| format!("{} -> {}", show(&each.label, &automaton.atoms), each.target);
        let moves: Vec<String> = place.moves.iter().map(show).collect();
        let initial = if automaton.initial == state { ">" } else { "" };
        format!("{initial}{}{}", if place.accepting { "* " } else { " " }, moves.join(", ")).trim().to_owned()
    };
    automaton.states.iter().enumerate().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(states(&must_read(text)), expected, "{text}");
}

#[track_caller]
fn refuse(text: &str, message: &str, under: &str) {
    let error = read(text).expect_err(text);
    assert_eq!((error.message.as_str(), &text[error.span.clone()]), (message, under), "{text}");
}

#[test]
fn as_spin_prints_it() {
    check(
        "never  {    /* []<>p */
T0_init:
\tdo
\t:: ((p)) -> goto accept_S9
\t:: (1) -> goto T0_init
\tod;
accept_S9:
\tdo
\t:: (1) -> goto T0_init
\tod;
}",
        &["> p -> 1, true -> 0", "* true -> 0"],
    );
    check(
        "never  {    /* p U q */
T0_init:
\tdo
\t:: atomic { ((q)) -> assert(!((q))) }
\t:: ((p)) -> goto T0_init
\tod;
accept_all:
\tskip
}",
        &["> q -> 1, p -> 0", "* true -> 1"],
    );
    check(
        "never  {    /* !p */
accept_init:
T0_init:
\tdo
\t:: atomic { (! ((p))) -> assert(!(! ((p)))) }
\tod;
accept_all:
\tskip
}",
        &[">* !p -> 1", "* true -> 1"],
    );
    check(
        "never {
accept_init:
T0_init:
\tdo
\t:: atomic { (false) -> assert(!(false)) }
\tod;
accept_all:
\tskip
}",
        &[">*", "* true -> 1"],
    );
}

#[test]
fn as_ltl2ba_prints_it() {
    check(
        "never { /* <>(p && X q) */
T0_init :    /* init */
\tif
\t:: (1) -> goto T0_init
\t:: (p) -> goto T1_S1
\tfi;
T1_S1 :    /* 1 */
\tif
\t:: (q) -> goto accept_all
\tfi;
accept_all :    /* 2 */
\tskip
}",
        &["> true -> 0, p -> 1", "q -> 2", "* true -> 2"],
    );
    check("never {    /* false */\nT0_init:\n\tfalse;\n}", &[">"]);
}

#[test]
fn as_spot_prints_it() {
    check(
        "never { /* p0 U p1 */
T0_init:
  if
  :: (p1) -> goto accept_all
  :: ((p0) && (!(p1))) -> goto T0_init
  fi;
accept_all:
  skip
}",
        &["> p1 -> 1, !p1 && p0 -> 0", "* true -> 1"],
    );
    check(
        "never { /* Fp1 */
T0_init:
  do
  :: atomic { (p1) -> assert(!(p1)) }
  :: (!(p1)) -> goto T0_init
  od;
accept_all:
  skip
}",
        &["> p1 -> 1, !p1 -> 0", "* true -> 1"],
    );
}

#[test]
fn control_flow() {
    // A loop without a jump, a fall through an `if`, an end without `skip`.
    check("never { do :: p :: q -> break od; if :: r fi }", &["> p -> 0, q -> 1", "r -> 2", "* true -> 2"]);
    // More statements in an option are more states; `skip` is a step, a jump is none.
    check("never { L: do :: p -> q; skip; goto L od }", &["> p -> 2", "true -> 0", "q -> 1"]);
    // A jump that opens an option is a step.
    check("never { do :: goto M :: break od; M: p; false }", &["> true -> 1, true -> 1", "p -> 2", ""]);
    // A jump by itself is a state only if it is accepting.
    check("never { A: goto accept_B; accept_B: goto C; C: if :: p -> goto A fi }", &[">* true -> 1", "p -> 0"]);
    check(
        "never { L: if :: p && q -> goto L :: p && !q -> goto L :: else -> goto M fi; M: false }",
        &["> p && q -> 0, p && !q -> 0, !p -> 1", ""],
    );
    check("never { do :: else od }", &["> true -> 0"]);
    check("never { do :: p -> assert(false) od }", &["> p -> 1", "* true -> 1"]);
    check("never name { accept_x: x: do :: p // comment\n od }", &[">* p -> 0"]);
    check("never { p }", &["> p -> 1", "* true -> 1"]);
    check("never { L: p; goto L }", &["> p -> 0"]);
    check("never { T0_all: (1); }", &[">* true -> 0"]);
}

#[test]
fn conditions() {
    let check = |condition: &str, atoms: &[&str], shown: &str| {
        let automaton = must_read(&format!("never {{ L: if :: {condition} -> goto L fi }}"));
        assert_eq!(automaton.atoms, atoms, "{condition}");
        assert_eq!(show(&automaton.states[0].moves[0].label, &automaton.atoms), shown);
    };
    check("p && !q || r", &["p", "q", "r"], "(p && !q) || r");
    check("!(p && (q || !r))", &["p", "q", "r"], "!p || (!q && r)");
    check("(x > 3) && x > 3", &["x > 3"], "(x > 3)");
    check("x  >\n /* so */ 3", &["x > 3"], "(x > 3)");
    check("!P[0]@lab", &["P[0]@lab"], "!(P[0]@lab)");
    check(
        "P[i+1]:x.y == (3 + z) || len(q) < 2",
        &["P[i+1]:x.y == (3 + z)", "len(q) < 2"],
        "(P[i+1]:x.y == (3 + z)) || (len(q) < 2)",
    );
    check("!x > 3 && p", &["!x > 3", "p"], "(!x > 3) && p");
    check("!(x) && q?[m, 3]", &["x", "q?[m, 3]"], "!x && (q?[m, 3])");
    check("(a -> b : c) && p", &["(a -> b : c)", "p"], "((a -> b : c)) && p");
    check("-x == 1 | y", &["-x == 1 | y"], "(-x == 1 | y)");
    check("c == 'a' && true && 1", &["c == 'a'"], "(c == 'a')");
    check("p && p@q || false", &["p", "p@q"], "p && (p@q)");
    check("((((x)+1)+1) != 2)", &["(((x)+1)+1) != 2"], "((((x)+1)+1) != 2)");
}

#[test]
fn refused() {
    refuse("", "expected `never`, found the end of the text", "");
    refuse("never", "expected `{`, found the end of the text", "");
    refuse("never { }", "the claim has no statements", "{");
    refuse("never { p", "expected `;` or `->`, found the end of the text", "");
    refuse("never { p q }", "expected `;` or `->`, found `q`", "q");
    refuse("never { x = 3 }", "expected `;` or `->`, found `=`", "=");
    refuse("never { x++ }", "expected a condition, found `+`", "+");
    refuse("never { L: }", "expected a statement of a claim, found `}`", "}");
    refuse("never { if fi }", "this `if` has no options", "if");
    refuse("never { if :: p od }", "expected `::` or `fi`, found `od`", "od");
    refuse("never { if :: p", "expected `::` or `fi`, found the end of the text", "");
    refuse("never { if :: p goto L fi }", "expected `;` or `->`, found `goto`", "goto");
    refuse("never { if :: p -> goto fi }", "expected a label, found `fi`", "fi");
    refuse("never { if :: p -> goto M fi }", "there is no label `M`", "M");
    refuse("never { if :: p -> if :: q fi fi }", "`if` inside an option is not supported", "if");
    refuse("never { if :: p -> L: q fi }", "a label inside an option is not supported", "L");
    refuse("never { if :: p -> break fi }", "there is no `do` around this `break`", "break");
    refuse("never { if :: p -> else fi }", "expected a condition, `goto`, `skip` or `break`, found `else`", "else");
    refuse("never { else }", "expected a statement of a claim, found `else`", "else");
    refuse("never { L: p; L: q }", "the label `L` is defined twice", "L");
    refuse("never { A: goto B; B: goto A }", "this `goto` only leads back to itself", "A");
    refuse("never { if :: (p && ) fi }", "expected a condition, found `)`", ")");
    refuse("never { if :: (p fi }", "expected `)`, found `fi`", "fi");
    refuse("never { if :: (p -> q fi }", "this parenthesis is never closed", "(");
    refuse("never { do :: p -> assert(q) od }", "this assertion is not supported", "assert(q)");
    refuse("never { do :: atomic { p -> assert(!q) } od }", "this assertion is not supported", "assert(!q)");
    refuse("never { do :: atomic { p -> q } od }", "expected `assert`, found `q`", "q");
    refuse("never { p } never { q }", "another claim begins here; only one is read", "never");
    refuse("never { p } x", "expected nothing behind the claim, found `x`", "x");
    refuse("never { p /* }", "this comment is never closed", "/*");
}

#[test]
fn limits() {
    let nested = |open: &str, close: &str, depth: usize| {
        format!("never {{ L: if :: {}p{} -> goto L fi }}", open.repeat(depth), close.repeat(depth))
    };
    for (open, close) in [("(", ")"), ("!", ""), ("x[", "]"), ("(1+", ")"), ("f(", ")")] {
        must_read(&nested(open, close, 200));
        for depth in [201, 50_000] {
            let error = read(&nested(open, close, depth)).unwrap_err();
            assert_eq!(error.message, "nested more than 200 deep");
        }
    }
    let atoms: Vec<String> = (0..65).map(|atom| format!("p{atom}")).collect();
    refuse(&format!("never {{ {} }}", atoms.join(";")), "more than 64 atoms are not supported", "p64");
    let pairs: Vec<String> = atoms[..40].chunks(2).map(|pair| format!("({})", pair.join("||"))).collect();
    let product = pairs.join("&&");
    refuse(&format!("never {{ {product} }}"), "this condition needs more than 4096 cubes", &product);
    must_read(&format!("never {{ {} }}", "p;".repeat(20_000)));
    must_read(&format!("never {{ do :: {} od }}", "p;".repeat(20_000)));
}

#[test]
fn written_as_spin_does() {
    let label = |positive, negative| Label(vec![Cube { positive, negative }]);
    let place = |accepting, moves: &[(Label, usize)]| Place {
        accepting,
        moves: moves.iter().map(|(label, target)| Move { label: label.clone(), target: *target }).collect(),
    };
    let automaton = Buchi {
        atoms: vec!["p".into(), "x > 3".into()],
        initial: 1,
        states: vec![
            place(true, &[(label(0, 0), 0)]),
            place(false, &[(label(1, 2), 0), (label(0, 0), 1), (label(0, 1), 2), (Label(vec![]), 3)]),
            place(true, &[]),
            place(true, &[(label(0, 0), 3)]),
        ],
    };
    let expected = "never {
T0_init:
\tdo
\t:: (p && !(x > 3)) -> goto accept_S0
\t:: (1) -> goto T0_init
\t:: (!p) -> goto accept_S2
\tod;
accept_S0:
\tdo
\t:: (1) -> goto accept_S0
\tod;
accept_S2:
\tfalse;
accept_all:
\tskip
}
";
    assert_eq!(write(&automaton), expected);
    // states are numbered as they come in the text
    let again = expected.replace("accept_S0", "accept_S1");
    assert_eq!(write(&must_read(expected)), again);
    assert_eq!(write(&must_read(&again)), again);
    let empty = Buchi { atoms: vec![], initial: 0, states: vec![place(false, &[])] };
    assert_eq!(write(&empty), "never {\nT0_init:\n\tfalse;\n}\n");
    let all = Buchi { atoms: vec![], initial: 0, states: vec![place(true, &[(label(0, 0), 0)])] };
    assert_eq!(write(&all), "never {\naccept_init:\n\tdo\n\t:: (1) -> goto accept_init\n\tod;\n}\n");
}
