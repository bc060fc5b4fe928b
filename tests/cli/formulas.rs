//! Formulas and claims as properties: how they are read, which there are, and what is wrong with them.

use crate::{Output, Sandbox, finish};

const BITS: &str = "bool p, q, r;\nactive proctype A() { do :: p = !p :: q = !q :: r = !r od }\n";

/// Checks a formula of the command line.
fn checked(sandbox: &Sandbox, formula: &str, more: &str) -> Output {
    let mut command = sandbox.command("verify m.pml --no-trail --quiet");
    command.args(["--ltl", formula]).args(more.split_whitespace());
    finish(command, "")
}

#[test]
fn operators_of_a_model_group_as_in_spin_with_a_warning() {
    let sandbox = Sandbox::with(BITS);
    for (formula, meant, other) in [
        ("p -> q -> r", "(p -> q) -> r", "p -> (q -> r)"),
        ("p <-> q -> r", "(p <-> q) -> r", "p <-> (q -> r)"),
        ("p U q V r", "(p U q) V r", "p U (q V r)"),
        ("[] (p W q M r)", "(p W q) M r", "p W (q M r)"),
    ] {
        let run = checked(&sandbox, formula, "");
        let reading = format!("this is read as `{meant}`: operators of a model group to the left, as in SPIN");
        assert!(run.err.contains(&reading), "{formula}: {}", run.err);
        assert!(run.err.contains(&format!("`swarmgp ltl` and textbooks read `{other}`")), "{formula}: {}", run.err);
        let alike = checked(&sandbox, &formula.replace(meant, other), "");
        assert_eq!(run.out, alike.out, "{formula}");
    }
    // in the initial state all are false: grouped to the left, nothing else is needed to violate it
    assert_eq!(checked(&sandbox, "p -> q -> r", "").code, 1);
    assert_eq!(checked(&sandbox, "p -> (q -> r)", "").code, 0);
    for formula in ["p -> (q -> r)", "(p -> q) -> r", "p <-> q <-> r", "p && q && (r && p)", "p -> q <-> r"] {
        assert!(!checked(&sandbox, formula, "").err.contains("group"), "{formula}");
    }
}

#[test]
fn where_spin_reads_a_formula_otherwise_there_is_a_warning() {
    let sandbox = Sandbox::with(&format!("#define on p == 1\n{BITS}ltl a {{ [] q == 0 }}\nltl b {{ <> on }}\n"));
    let run = sandbox.run("verify m.pml --no-trail --quiet");
    assert!(run.err.contains("this is read as `[] (q == 0)`, but SPIN reads `([] q) == 0`"), "{}", run.err);
    assert!(run.err.contains("this is read as `<> (p == 1)`, but SPIN reads `(<> p) == 1`"), "{}", run.err);
}

#[test]
fn an_error_in_a_formula_refuses_the_property_and_not_the_model() {
    let model =
        format!("{BITS}ltl late {{ [] (timeout -> p) }}\nltl fine {{ [] (p || !p) }}\nltl who {{ [] (s == 1) }}\n");
    let sandbox = Sandbox::with(&model);
    assert_eq!(sandbox.run("verify m.pml --property safety --quiet").code, 0);
    assert_eq!(sandbox.run("verify m.pml --property ltl:fine --quiet").code, 0);
    let run = sandbox.run("verify m.pml --quiet");
    let why = "a formula is about states: it cannot use `run`, `timeout`, `_pid` or `_priority`";
    let expected =
        format!("safety: holds\nltl:fine: holds\nltl:late: refused: {why}\nltl:who: refused: undeclared name `s`\n");
    assert_eq!((run.code, run.out), (2, expected));
    assert!(run.err.contains("m.pml:3:12") && run.err.contains("m.pml:5:15"), "{}", run.err);
    for property in ["ltl:late", "ltl:who"] {
        let run = sandbox.run(&format!("verify m.pml --property {property}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{property}");
        assert!(run.err.contains("error: "), "{}", run.err);
    }
    let (code, answer) = sandbox.json("verify m.pml --json");
    assert_eq!((code, answer["results"].as_array().map(Vec::len)), (2, Some(2)));
    assert_eq!(answer["verdict"], serde_json::Value::Null);
    let diagnostics = answer["diagnostics"].as_array().expect("diagnostics");
    let about = |property: &str| diagnostics.iter().find(|said| said["property"] == property).expect("a diagnostic");
    assert!(about("ltl:who")["message"].as_str().is_some_and(|message| message.contains("undeclared name `s`")));
    assert_eq!(about("ltl:late")["message"], why);
    let table = sandbox.run("verify m.pml").out;
    let row = |line: &str| line.split_whitespace().eq(["ltl:who", "refused", "-", "-", "-"]);
    assert!(table.lines().any(row), "{table}");
    assert_eq!(sandbox.run("simulate m.pml --steps 3 --seed 1").code, 0);
    // a violation weighs more
    let sandbox = Sandbox::with(&format!("{model}ltl wrong {{ [] p }}"));
    assert_eq!(sandbox.run("verify m.pml --quiet").code, 1);
    assert_eq!(sandbox.json("verify m.pml --json").1["verdict"], "violated");
}

#[test]
fn letters_with_an_atom_are_an_undeclared_name() {
    let sandbox = Sandbox::with(&format!("{BITS}ltl a {{ GF (p || !p) }}\nltl b {{ Fp }}\n"));
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!((run.code, run.out.lines().last()), (2, Some("ltl:b: refused: undeclared name `Fp`")), "{}", run.out);
    assert!(sandbox.run("verify m.pml --ltl Gp").err.contains("undeclared name `Gp`"));
}

#[test]
fn a_syntax_error_in_a_formula_refuses_the_property() {
    let blocks = "ltl one { [] (p q) }\nltl { <> p ; q }\nltl { [] (p || !p) }\nltl big { [] (p : q) }\n";
    let sandbox = Sandbox::with(&format!("{BITS}{blocks}"));
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!(run.code, 2);
    for line in
        ["safety: holds", "ltl:ltl_1: holds", "ltl:one: refused: ", "ltl:ltl_0: refused: ", "ltl:big: refused: "]
    {
        assert!(run.out.lines().any(|printed| printed.starts_with(line)), "{line}: {}", run.out);
    }
    assert!(run.err.contains("m.pml:3:17") && run.err.contains("m.pml:4:14"), "{}", run.err);
    let unmatched = "ltl a { [] (p }\nltl b { p) }\nltl c { [] p && (q] }\nltl d { <> p }\n";
    let run = Sandbox::with(&format!("{unmatched}{BITS}")).run("verify m.pml --quiet");
    for line in ["safety: holds", "ltl:d: ", "ltl:a: refused: ", "ltl:b: refused: ", "ltl:c: refused: "] {
        assert!(run.out.lines().any(|printed| printed.starts_with(line)), "{line}: {}{}", run.out, run.err);
    }
    // elsewhere it is the model's
    let run = Sandbox::with(&format!("{BITS}{blocks}byte;\n")).run("verify m.pml --property safety");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
}

/// What is said about a formula: the message and the help.
fn told(sandbox: &Sandbox, formula: &str) -> (String, String) {
    let run = checked(sandbox, formula, "");
    assert_eq!(run.code, 2, "{formula}: {}{}", run.out, run.err);
    let behind = |sign: &str| run.err.lines().find_map(|line| line.trim_start().strip_prefix(sign)).unwrap_or_default();
    (behind("error: ").to_string(), behind("= help: ").to_string())
}

#[test]
fn errors_show_what_was_typed() {
    let sandbox = Sandbox::with(&format!("byte x, y;\n{BITS}"));
    let unless = |letter: &str| format!("`{letter}` is an operator, unless the model declares such a name");
    let end = |found: &str| format!("expected the end of the formula, found `{found}`");
    for (formula, message, help) in [
        ("R M 1", "expected an expression, found `R`".into(), unless("R")),
        ("p M M", "expected an expression, found `M`".into(), unless("M")),
        ("[] (x == R)", "expected an expression, found `R`".into(), unless("R")),
        ("[] (x == V)", "expected an expression, found `V`".into(), "`V` is an operator of formulas".into()),
        ("p U U q", "expected an expression, found `U`".into(), "`U` is an operator of formulas".into()),
        ("p GF", end("G"), unless("G")),
        ("p [] q", end("[]"), String::new()),
        ("[] (A:G == 1)", "proctype `A` has no variable `G`".into(), String::new()),
        ("[] (A[0]:F == 1)", "proctype `A` has no variable `F`".into(), String::new()),
        ("A:A:x", end(":"), String::new()),
        ("[] p; q", end("q"), String::new()),
        ("foo(p)", end("("), String::new()),
    ] {
        assert_eq!(told(&sandbox, formula), (message, help), "{formula}");
    }
    let model = format!("#define or_M R\n{BITS}ltl a {{ [] (p == or_M) }}\nltl b {{ [] p; q }}\n");
    let run = Sandbox::with(&model).run("verify m.pml --quiet");
    assert!(run.out.contains("ltl:a: refused: expected an expression, found `R`"), "{}", run.out);
    assert!(run.out.contains("ltl:b: refused: expected the end of the formula, found `q`"), "{}", run.out);
}

#[test]
fn spellings_of_other_notations_are_explained() {
    let sandbox = Sandbox::with(&format!("byte x, y;\n{BITS}"));
    for (formula, help) in [
        ("p => q", "an implication is written `->`"),
        ("p <=> q", "an equivalence is written `<->`"),
        ("not p", "a negation is written `!p`"),
        ("[] not (p)", "a negation is written `!p`"),
        ("p /\\ q", "for `/\\` write `&&`"),
        ("p \\/ q", "for `\\/` write `||`"),
        ("p and q", "for `and` write `&&`"),
        ("p or q", "for `or` write `||`"),
        ("p iff q", "for `iff` write `<->`"),
        ("GFp", "did you mean `G F p`?"),
        ("XXp", "did you mean `X X p`?"),
        ("x <> 1", "`<>` is the operator \"eventually\"; to compare, write `!=`"),
    ] {
        assert_eq!(told(&sandbox, formula).1, help, "{formula}");
    }
    assert_eq!(told(&sandbox, "p /\\ q").0, "unexpected `/\\`");
    // nothing is called so
    assert_eq!(told(&sandbox, "GFs").1, "");
}

#[test]
fn what_is_wrong_with_a_formula_of_the_command_line() {
    let sandbox = Sandbox::with(BITS);
    let run = checked(&sandbox, "[] p q", "");
    assert!(run.code == 2 && run.err.contains("expected the end of the formula, found `q`"), "{}", run.err);
    let run = checked(&sandbox, "<> A@foo", "");
    assert!(run.code == 2 && run.err.contains("has no label `foo`"), "{}", run.err);
    assert!(!run.err.contains("did you mean"), "{}", run.err);
}

#[test]
fn a_refused_formula_changes_no_counts() {
    let with = Sandbox::with(&format!("{BITS}ltl a {{ [] (_priority == _last) }}"));
    let (_, with) = with.json("verify m.pml --property safety --json --search bfs");
    let (_, without) = Sandbox::with(BITS).json("verify m.pml --property safety --json --search bfs");
    assert_eq!(with["states_stored"], without["states_stored"]);
}

const TWO_CLAIMS: &str = "byte x;
active proctype P() { do :: x = 1 - x od }
never a { do :: x == 0 :: x == 1 -> break od }
never b { do :: x == 5 -> break :: else od }
";

#[test]
fn every_never_claim_is_a_property() {
    let sandbox = Sandbox::with(TWO_CLAIMS);
    let run = sandbox.run("verify m.pml --quiet");
    let expected = "safety: holds\nnever:a: violated: the claim has come to its end\nnever:b: holds\n";
    assert_eq!((run.code, run.out.as_str()), (1, expected));
    assert!(sandbox.has("m.pml.never.a.trail"));
    assert_eq!(sandbox.run("verify m.pml --quiet --property never:a").code, 1);
    assert_eq!(sandbox.run("verify m.pml --quiet --property never:b").code, 0);
    let run = sandbox.run("verify m.pml --property never");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("several never claims: choose one of never:a, never:b"), "{}", run.err);
    let run = sandbox.run("verify m.pml --property never:c");
    assert!(run.err.contains("no never claim `c`; did you mean `never:a`?"), "{}", run.err);
    let run = sandbox.run("replay m.pml m.pml.never.a.trail --html page.html --property never:a");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(sandbox.read("page.html").contains("never:a"));
    let (_, answer) = sandbox.json("verify m.pml --json");
    assert_eq!(
        (&answer["results"][1]["property"], &answer["results"][1]["verdict"]),
        (&"never:a".into(), &"violated".into())
    );
}

#[test]
fn the_only_never_claim_has_a_short_name() {
    let sandbox =
        Sandbox::with(&TWO_CLAIMS.replace("never a", "/* never a").replace("break od }\nnever b", "*/\nnever b"));
    for property in ["never", "never:b"] {
        let run = sandbox.run(&format!("verify m.pml --quiet --property {property}"));
        assert_eq!((run.code, run.out.as_str()), (0, "holds\n"), "{}", run.err);
    }
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!(run.out, "safety: holds\nnever: holds\n");
}

#[test]
fn claims_without_a_name_are_numbered_as_in_spin() {
    let sandbox = Sandbox::with(&TWO_CLAIMS.replace("never b", "never"));
    assert_eq!(sandbox.run("verify m.pml --quiet --property never:never_1").code, 0);
}

#[test]
fn claims_of_a_file_are_all_checked() {
    let sandbox = Sandbox::with("byte x;\nactive proctype P() { do :: x = 1 - x od }\nnever own { x == 7 }\n");
    sandbox.file(
        "claims",
        "never a { do :: x == 0 :: x == 1 -> break od }\nnever b { do :: x == 5 -> break :: else od }\n",
    );
    let run = sandbox.run("verify m.pml --quiet --never claims");
    assert_eq!(run.out, "never:a: violated: the claim has come to its end\nnever:b: holds\n");
    sandbox.file("claim", "never { do :: x == 5 -> break :: else od }\n");
    assert_eq!(sandbox.run("verify m.pml --quiet --never claim").out, "holds\n");
}

#[test]
fn letters_are_operators_unless_they_are_names() {
    let sandbox = Sandbox::with(BITS);
    for (letters, signs) in [("G (p -> F !p)", "[] (p -> <> !p)"), ("GF p", "[]<> p"), ("!p R !q", "!p V !q")] {
        assert_eq!(checked(&sandbox, letters, "").out, checked(&sandbox, signs, "").out, "{letters}");
    }
    assert_eq!(checked(&sandbox, "(p M !q) -> F (p && !q)", "").code, 0);
    let named = Sandbox::with("bool G = 1, F;\nactive proctype A() { do :: F = !F od }\n");
    assert_eq!(checked(&named, "[] G", "").code, 0);
    assert_eq!(checked(&named, "[] !F", "").code, 1);
}

#[test]
fn a_bad_formula_is_shown_as_it_was_typed() {
    let sandbox = Sandbox::with(BITS);
    for (formula, message, place) in [
        ("[] (p == 1", "this `(` is not closed", "--ltl:1:4"),
        (") p", "this `)` closes nothing", "--ltl:1:1"),
        ("p }", "this `}` closes nothing", "--ltl:1:3"),
        ("p ==", "expected an expression, found the end of the text", "--ltl:1:5"),
        ("p && ", "expected an expression, found the end of the text", "--ltl:1:5"),
        ("p q", "found `q`", "--ltl:1:3"),
        ("p; q", "expected the end of the formula, found `q`", "--ltl:1:4"),
        ("s == 1", "undeclared name `s`", "--ltl:1:1"),
        ("[] timeout", "cannot use `run`, `timeout`", "--ltl:1:1"),
    ] {
        let run = checked(&sandbox, formula, "");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{formula}");
        assert!(run.err.contains(message) && run.err.contains(place), "{formula}: {}", run.err);
        assert!(!run.err.contains("__") && !run.err.contains("`}` at"), "{formula}: {}", run.err);
    }
}

#[test]
fn the_property_that_was_meant_is_suggested() {
    let sandbox = Sandbox::with(&format!("{BITS}ltl mutex {{ !(p && q) }}\n"));
    for (asked, what, meant) in [
        ("mutex", "no such property: mutex", "ltl:mutex"),
        ("ltl:mutx", "the model has no ltl block `mutx`", "ltl:mutex"),
        ("mutx", "no such property: mutx", "ltl:mutex"),
        ("saftey", "no such property: saftey", "safety"),
    ] {
        let run = sandbox.run(&format!("verify m.pml --property {asked}"));
        assert_eq!(run.code, 2);
        let expected = format!("{what}; did you mean `{meant}`? (there are safety, ltl:mutex, progress)");
        assert!(run.err.contains(&expected), "{}", run.err);
    }
}

#[test]
fn the_claim_is_no_process() {
    let sandbox = Sandbox::with("active proctype A() { skip }\nltl p { <> (_nr_pr <= 1) }\n");
    let run = sandbox.run("verify m.pml --property ltl:p --quiet");
    assert_eq!((run.code, run.out.as_str()), (0, "holds\n"));
    assert!(run.err.contains("SPIN's verifier counts the claim, too"), "{}", run.err);
}

/// Eventualities whose automaton takes long and much memory.
fn hard() -> String {
    let often = |number: usize| format!("[]<>(x == {number})");
    format!("!({})", (0..15).map(often).collect::<Vec<_>>().join(" && "))
}

#[test]
fn automata_keep_to_the_limits() {
    let sandbox = Sandbox::with("byte x;\nactive proctype P() { do :: x++ od }\n");
    let run = checked(&sandbox, &hard(), "--time 0.3");
    assert_eq!((run.code, run.err.as_str()), (3, ""), "{}", run.out);
    assert!(run.out.contains("the time limit of 0.3 s was reached"), "{}", run.out);
    let run = checked(&sandbox, &hard(), "--memory 20M");
    assert_eq!(run.code, 3);
    assert!(run.out.contains("the memory limit of 20 MiB was reached"), "{}", run.out);
}

/// Several claims of a file are not beside safety: what goes wrong on their runs is theirs to report.
#[test]
fn claims_of_a_file_see_assertions_fail() {
    let sandbox = Sandbox::with(
        "byte x;
        active proctype A() { do :: x < 5 -> x++ :: else -> x = 0 od }
        active proctype B() { x == 3; assert(x != 3) }",
    );
    sandbox.file("one", "never one { do :: x > 200 -> break :: else od }");
    sandbox
        .file("two", "never one { do :: x > 200 -> break :: else od } never two { do :: x > 210 -> break :: else od }");
    for claims in ["one", "two"] {
        let run = sandbox.run(&format!("verify m.pml --never {claims} --no-trail --quiet"));
        assert!(run.code == 1 && run.out.contains("assertion violated (x!=3)"), "{claims}: {}", run.out);
        let run = sandbox.run(&format!("verify m.pml --never {claims} --no-trail --quiet --no-assertions"));
        assert_eq!(run.code, 0, "{claims}: {}", run.out);
    }
}
