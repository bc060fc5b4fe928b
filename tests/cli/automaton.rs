//! Claims as automata in the HOA format.

use crate::Sandbox;

const TOGGLE: &str = "\
byte level;
#define high level == 1
active proctype toggle() { do :: level = 1 :: level = 0 od }
";

/// An automaton with one state for each line of the body.
fn hoa(atoms: &str, acceptance: &str, body: &str) -> String {
    let count = atoms.matches('"').count() / 2;
    let states = body.matches("State:").count();
    let start = if states == 0 { "" } else { "Start: 0\n" };
    format!(
        "HOA: v1\nStates: {states}\n{start}AP: {count} {atoms}\nAcceptance: {acceptance}\n--BODY--\n{body}--END--\n"
    )
}

#[test]
fn accepts_what_must_not_happen() {
    let sandbox = Sandbox::with(TOGGLE);
    // infinitely often high and infinitely often low: two marks on edges
    let both = hoa("\"high\"", "2 Inf(0) & Inf(1)", "State: 0 [0] 0 {0} [!0] 0 {1}\n");
    sandbox.file("both.hoa", &both);
    for search in ["ndfs", "indfs", "scc"] {
        let (code, answer) = sandbox.json(&format!("verify m.pml --automaton both.hoa --search {search} --json"));
        assert_eq!((code, &answer["violation"]), (1, &"acceptance-cycle".into()), "{search}");
        assert_eq!(answer["property"], "automaton:both.hoa");
    }
    // some time more than one: a bad prefix
    sandbox.file("more.hoa", hoa("\"level > 1\"", "1 Inf(0)", "State: 0 [t] 0 [0] 1\nState: 1 {0} [t] 1\n"));
    let (code, answer) = sandbox.json("verify m.pml --automaton more.hoa --json");
    assert_eq!((code, &answer["verdict"], &answer["search"]), (0, &"holds".into(), &"bfs".into()));
}

#[test]
fn agrees_with_the_formula() {
    let sandbox = Sandbox::with(TOGGLE);
    for formula in ["[]<>high", "<>[]high", "[](high-><>!high)", "[](high->X(!high))", "[]!high", "true"] {
        let claim = sandbox.run(&format!("ltl --hoa --negate {formula}"));
        sandbox.file("claim.hoa", &claim.out);
        let (by_automaton, _) = sandbox.json("verify m.pml --automaton claim.hoa --json");
        let (by_formula, _) = sandbox.json(&format!("verify m.pml --ltl {formula} --json"));
        assert_eq!(by_automaton, by_formula, "{formula}");
    }
}

/// An automaton is reduced like a formula if repetitions cannot mislead it; so is one that accepts the same words, but guesses whether
/// the number of states until then is even, because it is simplified first. One that counts states is not.
#[test]
fn is_reduced_if_it_does_not_count_how_often_a_state_repeats() {
    let sandbox = Sandbox::with(
        "bit b;\nactive proctype turner() { bit x; do :: x = 1; x = 0 od }\nactive proctype setter() { b = 1 }\n",
    );
    let claims = [
        ("waits", "State: 0 [!0] 0 [0] 1\nState: 1 {0} [t] 1\n"),
        (
            "guesses",
            "State: 0 [!0] 1 [!0] 3 [0] 4\nState: 1 [!0] 2 [0] 4\nState: 2 [!0] 1\nState: 3 [!0] 1\nState: 4 {0} [t] 4\n",
        ),
        ("counts", "State: 0 [t] 0 [0] 1\nState: 1 [0] 2\nState: 2 {0} [t] 2\n"),
    ];
    for (name, body) in claims {
        sandbox.file(&format!("{name}.hoa"), hoa("\"b == 1\"", "1 Inf(0)", body));
        for search in ["bfs", "ndfs", "indfs", "scc", "cndfs --threads 2", "rdkp --threads 2", "ufscc --threads 2"] {
            let options = format!("verify m.pml --automaton {name}.hoa --reduce=order --search {search} --json");
            let (code, answer) = sandbox.json(&options);
            assert_eq!((code, &answer["verdict"]), (1, &"violated".into()), "{options}: {answer}");
            let is_told = answer["not_reduced"].as_str().is_some_and(|why| why.contains("may count"));
            assert_eq!(is_told, name == "counts", "{options}: {answer}");
        }
    }
}

#[test]
fn propositions_are_conditions() {
    let sandbox = Sandbox::with(TOGGLE);
    for (proposition, code) in
        [("high -> level > 0", 1), ("!high && level == 1", 0), ("high <-> level == 0", 0), ("toggle[0]:_pid == 0", 2)]
    {
        let body = "State: 0 [t] 0 [0] 1\nState: 1 {0} [t] 1\n";
        sandbox.file("claim.hoa", hoa(&format!("\"{proposition}\""), "1 Inf(0)", body));
        let run = sandbox.run("verify m.pml --automaton claim.hoa");
        assert_eq!(run.code, code, "{proposition}: {} {}", run.out, run.err);
    }
}

#[test]
fn refusals() {
    let sandbox = Sandbox::with(TOGGLE);
    let loops = "State: 0 {0} [0] 0\n";
    for (text, expected) in [
        (hoa("\"levl == 1\"", "1 Inf(0)", loops), "did you mean `level`?"),
        (hoa("\"<> high\"", "1 Inf(0)", loops), "about more than one state"),
        (hoa("\"high) && (1\"", "1 Inf(0)", loops), "closes nothing"),
        (hoa("\"high } ltl p { high\"", "1 Inf(0)", loops), "closes nothing"),
        (hoa("\"high\"", "1 Inf(0)", ""), "no state to start in"),
        (hoa("\"high\"", "1 Fin(0)", loops), "Fin"),
        ("never { skip }".into(), "bad.hoa:1:1"),
        (String::new(), "HOA:"),
    ] {
        sandbox.file("bad.hoa", &text);
        let run = sandbox.run("verify m.pml --automaton bad.hoa");
        assert!(run.code == 2 && run.err.contains(expected), "{text}: {} {}", run.code, run.err);
    }
    assert_eq!(sandbox.run("verify m.pml --automaton nowhere.hoa").code, 2);
    assert_eq!(sandbox.run("verify m.pml --automaton bad.hoa --ltl []high").code, 2);
}
