//! `swarmgp ltl`: automata of formulas in all formats, equivalence, words.

use super::{Output, Sandbox, finish};
use serde_json::{Value, json};

fn ltl_in(sandbox: &Sandbox, args: &[&str], input: &str) -> Output {
    let mut command = sandbox.command("ltl");
    command.args(args);
    finish(command, input)
}

fn ltl(args: &[&str]) -> Output {
    ltl_in(&Sandbox::empty(), args, "")
}

/// The output of a command that has nothing to complain about.
fn shown(args: &[&str]) -> String {
    let run = ltl(args);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
    run.out
}

/// The message of a command without any output.
fn complaint(code: i32, args: &[&str]) -> String {
    let run = ltl(args);
    assert_eq!((run.code, run.out.as_str()), (code, ""), "{args:?}: {}", run.err);
    run.err
}

/// A JSON object without the time, which must be there.
fn timeless(text: &str) -> Value {
    let mut object: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let time = object.as_object_mut().and_then(|object| object.remove("time_ms"));
    assert!(time.is_some_and(|time| time.is_f64()), "{text}");
    object
}

/// More eventualities than an automaton has marks for, so that giving up takes no time.
fn too_hard() -> String {
    let again = |distance: usize| format!("[]<>(p && {}q)", "X ".repeat(distance));
    (0..66).map(again).collect::<Vec<_>>().join(" && ")
}

#[test]
fn summary() {
    let expected = "\
formula     [](p -> <>q)
automaton   2 states, 4 edges, deterministic
acceptance  neither weak nor terminal
components  P  states 0-1  accepting and other cycles
language    neither safety nor guarantee nor obligation
stuttering  invariant: repeated letters make no difference

→ 0 ●  !p || q  ↺
       p && !q  → 1
  1    q        → 0
       !q       ↺
";
    assert_eq!(shown(&["G(p -> F q)"]), expected);
}

#[test]
fn summary_of_a_negation() {
    let expected = "\
formula     X p
translated  !X p
automaton   3 states, 3 edges, deterministic
acceptance  terminal: a word is accepted as soon as a run reaches an accepting component
components  N  state 0  no accepting cycle
            N  state 1  no accepting cycle
            F  state 2  accepting cycles only
language    safety and guarantee: it is decided after finitely many steps
stuttering  not invariant: repeated letters make a difference

→ 0    true  → 1
  1    !p    → 2
  2 ●  true  ↺
";
    assert_eq!(shown(&["X p", "--negate"]), expected);
}

#[test]
fn kinds_of_languages_and_automata() {
    for (formula, acceptance, language) in [
        ("[]p", "weak", "safety"),
        ("<>p", "terminal", "guarantee"),
        ("[]p || <>q", "weak", "obligation"),
        ("p && q", "terminal", "safety and guarantee"),
        ("<>[]p", "weak", "neither safety"),
        ("[]<>p", "neither", "neither safety"),
        ("false", "terminal", "safety and guarantee"),
    ] {
        let summary = shown(&[formula]);
        let has = |about: &str, what: &str| summary.contains(&format!("\n{about:12}{what}"));
        assert!(has("acceptance", acceptance) && has("language", language), "{summary}");
    }
}

#[test]
fn reading() {
    let expected = "\
formula     a U b U c -> Full && \"x > 3\" || true
read as     (a U (b U c)) -> ((Full && \"x > 3\") || true)
atoms       a, b, c, Full, \"x > 3\"
SPIN        reads it in the same way, or not at all

operators, tightest first              also written
  !  X  []  <>   before an operand     ~ not, next, G always, F eventually
  U  W  V  M     to the right          until stronguntil, weakuntil, R release; M is strong release
  &&             in chains             & /\\
  ||             in chains             | \\/
  ->             to the right          => implies
  <->            to the right          <=> equivalent
";
    assert_eq!(shown(&["--show", "a U b U c -> Full && \"x > 3\" || true"]), expected);
    let other = "this is `p || (q && r)`, but `spin -f` reads `(p || q) && r`; add parentheses to say which is meant";
    let start = format!(
        "formula     p || q && r\nread as     p || (q && r)\ntranslated  !(p || (q && r))\natoms       p, q, r\nSPIN        {other}\n\n"
    );
    assert!(shown(&["--show", "p || q && r", "--negate"]).starts_with(&start));
}

#[test]
fn never_claim() {
    let expected = "\
never {    /* ![](p -> <>q) */
T0_init:
	do
	:: (1) -> goto T0_init
	:: (p && !q) -> goto accept_S1
	od;
accept_S1:
	do
	:: (!q) -> goto accept_S1
	od;
}
";
    assert_eq!(shown(&["--negate", "--never", "[](p -> <>q)"]), expected);
    assert!(shown(&["--never", "<>\"x */ y\""]).starts_with("never {    /* <>\"x * / y\" */\n"));
}

#[test]
fn hoa() {
    let expected = "\
HOA: v1
name: \"p U q\"
States: 2
Start: 0
AP: 2 \"p\" \"q\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic weak terminal stutter-invariant
--BODY--
State: 0
[0&!1] 0
[1] 1
State: 1 {0}
[t] 1
--END--
";
    assert_eq!(shown(&["--hoa", "p U q"]), expected);
    let properties = |formula: &str| {
        let hoa = shown(&["--hoa", formula]);
        hoa.lines().find_map(|line| line.strip_prefix("properties: ")).expect("properties").to_string()
    };
    assert!(properties("[]p").ends_with(" weak stutter-invariant"));
    assert!(properties("[]<>p").ends_with(" complete stutter-invariant"));
    assert!(properties("X p").ends_with(" weak terminal"));
}

#[test]
fn dot() {
    let expected = "\
digraph automaton {
  rankdir = LR;
  node [shape = circle];
  start [shape = point, style = invis];
  start -> 0;
  0;
  1 [shape = doublecircle];
  0 -> 0 [label = \"p && !q\"];
  0 -> 1 [label = \"q\"];
  1 -> 1 [label = \"true\"];
}
";
    assert_eq!(shown(&["p U q", "--dot"]), expected);
}

#[test]
fn one_json_object() {
    let text = shown(&["--json", " p U q"]);
    let expected = json!({
        "formula": " p U q", "states": 2, "edges": 3, "deterministic": true, "weak": true, "accepting_sccs": 1,
        "sccs": [{ "class": "N", "states": [0] }, { "class": "F", "states": [1] }],
        "negated": false, "terminal": true, "safety": false, "guarantee": true, "obligation": true,
        "atoms": ["p", "q"], "stutter_invariant": true,
        "automaton": { "initial": 0, "states": [
            { "accepting": false, "edges": [{ "label": "p && !q", "target": 0 }, { "label": "q", "target": 1 }] },
            { "accepting": true, "edges": [{ "label": "true", "target": 1 }] },
        ] },
    });
    assert_eq!(timeless(&text), expected);
    let order = ["formula", "states", "edges", "deterministic", "weak", "accepting_sccs", "sccs", "time_ms"];
    let places: Vec<Option<usize>> = order.iter().map(|key| text.find(&format!("\n  \"{key}\":"))).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{text}");
}

const LINES: &str = "# formulas\np U q\n\n  [](p -> \r\n[]<>p || q && r\n";

#[test]
fn a_json_object_a_line() {
    let sandbox = Sandbox::empty();
    sandbox.file("f.ltl", LINES);
    let from_file = ltl_in(&sandbox, &["--file", "f.ltl", "--json"], "");
    let from_input = ltl_in(&sandbox, &["--file", "-", "--json", "--negate"], LINES);
    let message = |file: &str| {
        let error = "error: expected a formula after `->`, found the end of the text";
        format!("{error}\n --> {file}:4:10\n  |\n4 |   [](p -> \n  |          ^\n")
    };
    for (run, file, negated) in [(&from_file, "f.ltl", false), (&from_input, "<stdin>", true)] {
        assert_eq!((run.code, run.err.as_str()), (2, message(file).as_str()));
        let objects: Vec<Value> = run.out.lines().map(timeless).collect();
        let formulas: Vec<&Value> = objects.iter().map(|object| &object["formula"]).collect();
        assert_eq!(formulas, ["p U q", "[]<>p || q && r"]);
        assert!(objects.iter().all(|object| object["negated"] == negated && object.get("automaton").is_none()));
    }
    let first = from_file.out.lines().next().expect("a line");
    let numbers = r#""states":2,"edges":3,"deterministic":true,"weak":true,"accepting_sccs":1"#;
    let components = r#"[{"class":"N","states":[0]},{"class":"F","states":[1]}]"#;
    let start = format!(r#"{{"formula":"p U q",{numbers},"sccs":{components},"time_ms":"#);
    assert!(first.starts_with(&start), "{first}");
}

#[test]
fn other_outputs_for_every_line() {
    let sandbox = Sandbox::empty();
    sandbox.file("f.ltl", LINES);
    let run = |option: &[&str]| {
        let run = ltl_in(&sandbox, &[&["--file", "f.ltl"], option].concat(), "");
        assert_eq!(run.code, 2);
        run
    };
    for (option, begin) in [("--never", "never {"), ("--hoa", "HOA: v1"), ("--dot", "digraph ")] {
        assert_eq!(run(&[option]).out.lines().filter(|line| line.starts_with(begin)).count(), 2);
    }
    let Output { out, err, .. } = run(&[]);
    assert!(out.starts_with("formula     p U q\n") && out.contains("\n\nformula     []<>p || (q && r)\n"), "{out}");
    let warning = "warning: f.ltl:5:1: this is `([](<>p)) || (q && r)`, but `spin -f` reads `(([](<>p)) || q) && r`\n";
    assert!(err.ends_with(warning), "{err}");
    let readings = run(&["--show"]).out;
    assert_eq!((readings.matches("read as ").count(), readings.matches("tightest first").count()), (2, 1));
}

#[test]
fn files_without_formulas() {
    let sandbox = Sandbox::empty();
    let run = ltl_in(&sandbox, &["--file", "-"], "\n# nothing\n \n");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    assert!(complaint(2, &["--file", "missing"]).contains("cannot read missing"));
}

#[test]
fn a_warning_about_other_readings() {
    let run = ltl(&["a U b U c", "--never"]);
    let expected = "\
warning: this is `a U (b U c)`, but SPIN's ltl block and `spin -f` read `(a U b) U c`
 --> <formula>:1:1
  |
1 | a U b U c
  | ^^^^^^^^^
  |
  = help: add parentheses to say which is meant
";
    assert_eq!((run.code, run.err.as_str()), (0, expected));
    let run = ltl(&["a U b U c || d && e"]);
    assert_eq!((run.code, run.err.matches("warning").count()), (0, 1));
    assert!(run.err.contains("--show tells of another reading"), "{}", run.err);
    assert!(shown(&["a U b U c || d && e", "--show"]).matches("but ").count() == 2);
}

#[test]
fn equivalent_formulas() {
    assert_eq!(shown(&["--check-equivalent", "[]<>p", "! <>[] !p"]), "equivalent\n");
    let object: Value = serde_json::from_str(&shown(&["--json", "--check-equivalent", "!p", "not p"])).unwrap();
    assert_eq!(object, json!({ "equivalent": true, "satisfies": null, "word": null }));
}

#[test]
fn formulas_that_are_not_equivalent() {
    let check = |formulas: [&str; 2], option: &[&str]| {
        let run = ltl(&[&["--check-equivalent"], &formulas[..], option].concat());
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        run.out
    };
    let first = "not equivalent: this word satisfies the first formula and not the second\n\n";
    let second = "not equivalent: this word satisfies the second formula and not the first\n\n";
    assert_eq!(
        check(["p && X (p && X []!p)", "[]p"], &[]),
        format!("{first}  first     p\n            p\n  forever   !p\n")
    );
    assert_eq!(check(["p U q", "p W q"], &[]), format!("{second}  forever   p && !q\n"));
    assert_eq!(check(["true", "p && !p"], &[]), format!("{first}  forever   true\n"));
    let object: Value = serde_json::from_str(&check(["[]p", "p && X (p && X []!p)"], &["--json"])).unwrap();
    assert_eq!(object, json!({ "equivalent": false, "satisfies": "first", "word": { "prefix": [], "cycle": ["p"] } }));
    let object: Value = serde_json::from_str(&check(["[](p && \"x > 3\")", "<>[]p"], &["--json"])).unwrap();
    assert_eq!(object["satisfies"], "second");
}

#[test]
fn two_formulas_with_too_many_atoms() {
    let chain = |name: &str| (0..40).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(" && ");
    let message = complaint(2, &["--check-equivalent", &chain("p"), &chain("q")]);
    assert_eq!(message, "error: the two formulas have 80 different atoms; at most 64 can be compared\n");
    assert_eq!(shown(&["--check-equivalent", &chain("p"), &chain("p")]), "equivalent\n");
}

#[test]
fn bad_formulas() {
    let nested = "!".repeat(10_000) + "p";
    let parentheses = "(".repeat(10_000) + "p";
    let until = "p U ".repeat(10_000) + "p";
    let atoms = (0..200).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" && ");
    for (formula, message, place) in [
        ("", "expected a formula, found the end of the text", 1),
        (" ", "expected a formula, found the end of the text", 2),
        ("[](p -> ", "expected a formula after `->`, found the end of the text", 9),
        ("->", "expected a formula, found the operator `->`", 1),
        ("p & (q", "this `(` is not closed", 5),
        ("p)", "this `)` closes nothing", 2),
        ("p and q", "expected an operator, found `and`", 3),
        ("p +> q", "expected an operator, found `+`", 3),
        ("p = 3", "expected an operator, found `=`", 3),
        ("<>\u{fc}", "expected a formula after `<>`, found `\u{fc}`", 3),
        (&nested, "formulas are nested at most 500 deep", 501),
        (&parentheses, "formulas are nested at most 500 deep", 501),
        (&until, "formulas are nested at most 500 deep", 2003),
        (&atoms, "a formula has at most 64 different atoms", 439),
    ] {
        let first_lines = format!("error: {message}\n --> <formula>:1:{place}\n");
        for option in ["--negate", "--json", "--show"] {
            let error = complaint(2, &[option, "--", formula]);
            assert!(error.starts_with(&first_lines) && error.contains('^'), "{first_lines}{error}");
        }
    }
    for (formulas, place) in [(["p U", "q"], "<first formula>:1:4"), (["p", "q)"], "<second formula>:1:2")] {
        let error = complaint(2, &["--check-equivalent", formulas[0], formulas[1]]);
        assert!(error.contains(place), "{error}");
    }
}

#[test]
fn beyond_the_limits() {
    let hard = too_hard();
    let message = "error: this formula has more than 64 eventualities\n --> ";
    for option in ["--never", "--hoa", "--json"] {
        let error = complaint(3, &[option, &hard]);
        assert!(error.starts_with(message), "{error}");
    }
    let sandbox = Sandbox::empty();
    let run = ltl_in(&sandbox, &["--file", "-", "--json"], &format!("p\n{hard}\nq\n"));
    assert_eq!((run.code, run.out.lines().count()), (3, 2));
    assert!(run.err.starts_with(message) && run.err.contains("<stdin>:2:1\n"), "{}", run.err);
    let run = ltl_in(&sandbox, &["--file", "-", "--json"], &format!("p q\n{hard}\nq\n"));
    assert_eq!((run.code, run.out.lines().count()), (2, 1));
    assert!(complaint(3, &["--check-equivalent", &hard, "p U q"]).contains("cannot be compared"));
}

#[test]
fn options_that_do_not_go_together() {
    for args in [
        &[][..],
        &["--json"],
        &["p", "q"],
        &["p", "--file", "f"],
        &["p", "--never", "--hoa"],
        &["p", "--json", "--show"],
        &["p", "--dot", "--json"],
        &["--file", "f", "--hoa", "--dot"],
        &["--check-equivalent", "p"],
        &["--check-equivalent", "p", "q", "r"],
        &["--check-equivalent", "p", "q", "--never"],
        &["--check-equivalent", "p", "q", "--hoa"],
        &["--check-equivalent", "p", "q", "--dot"],
        &["--check-equivalent", "p", "q", "--show"],
        &["--check-equivalent", "p", "q", "--negate"],
        &["--check-equivalent", "p", "q", "--file", "f"],
        &["--check-equivalent", "p", "q", "--check-equivalent", "p", "q"],
        &["->"],
        &["p", "--no-such-option"],
    ] {
        let message = complaint(2, args);
        assert!(message.starts_with("error: ") && message.contains("Usage: swarmgp ltl"), "{message}");
    }
}

#[test]
fn formulas_that_begin_with_an_operator() {
    assert!(shown(&["!p"]).starts_with("formula     !p\n"));
    assert!(shown(&["--", "!p"]).starts_with("formula     !p\n"));
    assert_eq!(shown(&["--check-equivalent", "!p", "! p"]), "equivalent\n");
}
