//! Formulas, claims and labels from outside.

use crate::Sandbox;

const TOGGLE: &str = "\
byte level;
#define high level == 1
active proctype toggle() { do :: level = 1 :: level = 0 od }
ltl comes { []<> high }
ltl bounded { [] (level < 2) }
";

#[test]
fn everything_the_model_states() {
    let sandbox = Sandbox::with(TOGGLE);
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!(
        (run.code, run.out.as_str()),
        (1, "safety: holds\nltl:comes: violated: acceptance cycle\nltl:bounded: holds\n")
    );
    assert!(sandbox.has("m.pml.ltl.comes.trail") && !sandbox.has("m.pml.trail"));
    let (code, answer) = sandbox.json("verify m.pml --json");
    let results = answer["results"].as_array().expect("several results");
    let verdicts: Vec<_> = results.iter().map(|result| (&result["property"], &result["verdict"])).collect();
    assert_eq!(code, 1);
    assert_eq!(verdicts[1], (&"ltl:comes".into(), &"violated".into()));
    assert_eq!(verdicts[2], (&"ltl:bounded".into(), &"holds".into()));
    assert_eq!((&results[1]["violation"], &results[1]["search"]), (&"acceptance-cycle".into(), &"indfs".into()));
    assert_eq!(results[0]["search"], "bfs");
}

#[test]
fn one_property() {
    let sandbox = Sandbox::with(TOGGLE);
    assert_eq!(sandbox.run("verify m.pml --property ltl:bounded --quiet").out, "holds\n");
    for (formula, search) in [("[](level<2)", "bfs"), ("[]<>(level<2)", "indfs"), ("<>(level==0)", "indfs")] {
        let (_, answer) = sandbox.json(&format!("verify m.pml --json --ltl {formula}"));
        assert_eq!((&answer["verdict"], &answer["search"]), (&"holds".into(), &search.into()), "{formula}");
    }
    let run = sandbox.run("verify m.pml --property ltl:comes --search bfs");
    assert!(run.code == 2 && run.err.contains("more than a bad prefix"), "{}", run.err);
    for search in ["ndfs", "indfs", "scc"] {
        let (code, answer) = sandbox.json(&format!("verify m.pml --property ltl:comes --search {search} --json"));
        assert_eq!((code, &answer["violation"], &answer["search"]), (1, &"acceptance-cycle".into(), &search.into()));
        assert_eq!(answer["trail"]["file"], "m.pml.trail");
        assert!(answer["trail"]["cycle_start"].is_u64());
        assert!(sandbox.read("m.pml.trail").contains("-1:-1:-1\n"));
        let replayed = sandbox.run("replay m.pml");
        assert!(replayed.out.contains("the cycle starts here"), "{}", replayed.out);
    }
}

#[test]
fn formulas_on_the_command_line() {
    let sandbox = Sandbox::with(TOGGLE);
    for (formula, expected) in [
        ("[](level<2)", "holds\n"),
        ("<>(level==2)", "violated: acceptance cycle\n"),
        ("[](level==0)", "violated: a bad prefix: whatever follows, the property is violated\n"),
        ("[]<>high", "violated: acceptance cycle\n"),
        ("<>[]!(high)||[]<>high", "holds\n"),
        ("X(level<2)", "holds\n"),
        ("toggle@nowhere", ""),
        ("[](toggle[0]:level==0)", ""),
    ] {
        let run = sandbox.run(&format!("verify m.pml --quiet --ltl {formula}"));
        let code = match expected {
            "" => 2,
            "holds\n" => 0,
            _ => 1,
        };
        assert_eq!((run.code, run.out.as_str()), (code, expected), "{formula}: {}", run.err);
    }
    let run = sandbox.run("verify m.pml --ltl [](levl==1)");
    assert!(run.code == 2 && run.err.contains("--ltl:1:4") && run.err.contains("did you mean `level`?"), "{}", run.err);
    let run = sandbox.run("verify m.pml --ltl [](level==1");
    assert!(run.code == 2 && run.err.contains("not closed"), "{}", run.err);
}

#[test]
fn never_claims() {
    let sandbox = Sandbox::with(TOGGLE);
    sandbox.file("bad.pml", "never { T: if :: high -> goto done :: true -> goto T fi; done: skip }\n");
    sandbox.file("cycle.pml", "never { accept: do :: !(high) od }\n");
    let (code, answer) = sandbox.json("verify m.pml --never bad.pml --json");
    assert_eq!((code, &answer["property"], &answer["violation"]), (1, &"never".into(), &"claim-completed".into()));
    let (code, answer) = sandbox.json("verify m.pml --never cycle.pml --json");
    assert_eq!((code, &answer["violation"]), (1, &"acceptance-cycle".into()));
    sandbox.file("typo.pml", "never { do :: hih od }\n");
    let run = sandbox.run("verify m.pml --never typo.pml");
    assert!(run.code == 2 && run.err.contains("typo.pml:1:"), "{}", run.err);
    assert_eq!(sandbox.run("verify m.pml --never missing.pml").code, 2);
}

#[test]
fn labels() {
    let sandbox =
        Sandbox::with("byte x; active proctype P() { do :: x = 1; accept: x = 2 :: x = 0; progress: x = 3 od }\n");
    let (code, answer) = sandbox.json("verify m.pml --property acceptance --json");
    assert_eq!((code, &answer["violation"]), (1, &"acceptance-cycle".into()));
    let (code, answer) = sandbox.json("verify m.pml --property progress --json");
    assert_eq!((code, &answer["violation"]), (1, &"non-progress-cycle".into()));
}

#[test]
fn fairness() {
    let model = "bool x; active proctype A() { do :: skip od } active proctype B() { x = true } ltl p { <>x }\n";
    let sandbox = Sandbox::with(&model.replace("skip", "x = x"));
    assert_eq!(sandbox.run("verify m.pml --property ltl:p --quiet").out, "violated: acceptance cycle\n");
    assert_eq!(sandbox.run("verify m.pml --property ltl:p --quiet --weak-fairness").out, "holds\n");
    // a shortest cycle is fair, too, whichever search came first
    let model = "bool x; byte y; active proctype A() { do :: y = 1 - y od } active proctype B() { do :: x = !x od } ltl p { <>[]x }\n";
    let fair = Sandbox::with(model);
    for search in ["ndfs", "indfs", "scc"] {
        let run = fair.run(&format!("verify m.pml --property ltl:p --weak-fairness --shortest --search {search}"));
        let cycle = run.out.split("the cycle starts here").nth(1).unwrap_or_default();
        assert!(cycle.contains("A(0)") && cycle.contains("B(1)"), "{}", run.out);
    }
    let run = sandbox.run("verify m.pml --property safety --weak-fairness");
    assert!(run.code == 2 && run.err.contains("--weak-fairness"), "{}", run.err);
}

/// A run that has ended repeats its last state.
#[test]
fn ended_runs() {
    let sandbox =
        Sandbox::with("byte x; active proctype P() { x = 1; x = 2 } ltl p { <>[](x == 1) } ltl q { []<>(x == 2) }\n");
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!(run.out, "safety: holds\nltl:p: violated: acceptance cycle\nltl:q: holds\n");
    assert!(sandbox.read("m.pml.ltl.p.trail").contains("\n-1:-1:-1\n# "));
    let gone = "the run has ended, all processes are gone; its last state repeats forever\n";
    for command in ["verify m.pml --property ltl:p", "replay m.pml m.pml.ltl.p.trail"] {
        let run = sandbox.run(command);
        assert!(run.out.contains(gone) && !run.out.contains("cycle starts"), "{}", run.out);
    }
    let stuck = Sandbox::with("byte x; active proctype P() { x = 1; x == 2 } ltl p { <>(x == 2) }\n");
    let run = stuck.run("verify m.pml --property ltl:p");
    let stands = "the run has ended: nothing can move, and its last state repeats forever\n  P(0)  m.pml:1  x == 2\n";
    assert!(run.out.contains(stands), "{}", run.out);
}

/// A step that fails an assertion nobody checks may be the last one before the run ends.
#[test]
fn a_fault_that_is_not_wanted_is_no_end() {
    let model = "byte d; active proctype w() { d = 1; false } active proctype v() { d == 1; assert(d == 2); false }\n";
    let sandbox = Sandbox::with(model);
    for formula in ["<>[](_last==0)", "[]<>(_last==0)", "<>[](d==0)"] {
        for search in ["ndfs", "indfs", "scc", "cndfs", "aco-live", "auto"] {
            let run = sandbox.run(&format!("verify m.pml --ltl {formula} --no-assertions --search {search} --quiet"));
            assert_eq!(
                (run.code, run.out.as_str()),
                (1, "violated: acceptance cycle\n"),
                "{formula} {search}: {}",
                run.err
            );
        }
    }
    let run = sandbox.run("replay m.pml");
    assert!(run.out.contains("^ assertion violated (d==2)\nthe run has ended") || run.out.contains("repeats forever"));
}

#[test]
fn refusals() {
    let sandbox = Sandbox::with("byte x; active proctype P() { x = 1 }\n");
    for (args, message) in [
        ("--property ltl:p", "no ltl block `p`"),
        ("--property never", "no never claim"),
        ("--property acceptance", "no process of the model has an acceptance label"),
        ("--property lively", "no such property: lively"),
        ("--property safety --search ndfs", "--search ndfs cannot check safety"),
        ("--ltl <>x --search bfs", "cannot check ltl:<>x"),
        ("--ltl <>x --check-channels-empty", "--check-channels-empty is about safety"),
        ("--ltl <>x --no-end-states", "--no-end-states is about safety"),
        ("--ltl <>x --unreached", "--unreached is about safety"),
    ] {
        let run = sandbox.run(&format!("verify m.pml {args}"));
        assert!(run.code == 2 && run.err.contains(message) && run.err.lines().count() == 1, "{args}: {}", run.err);
    }
    let sandbox = Sandbox::with(TOGGLE);
    assert!(sandbox.run("verify m.pml --property ltl:come").err.contains("did you mean `ltl:comes`?"));
    let run = sandbox.run("verify m.pml --trail one.trail");
    assert!(run.code == 2 && run.err.contains("several properties"), "{}", run.err);
    sandbox.file("write.pml", "never { do :: level = 1 od }\n");
    let run = sandbox.run("verify m.pml --never write.pml");
    assert!(run.code == 2 && run.err.contains("write.pml:1:15") && run.err.contains("only look"), "{}", run.err);
}

/// The least prefix and cycle, whatever the search came across first.
#[test]
fn shortest() {
    let model = "byte x; active proctype A() { x = 1; x = 2; x = 3;
        do :: x < 6 -> x = x + 1 :: x == 6 -> x = 4 :: x = 9; do :: x = 8; x = 9 od od } ltl p { <>[](x == 7) }\n";
    let sandbox = Sandbox::with(model);
    for search in ["ndfs", "indfs", "scc"] {
        let (code, answer) =
            sandbox.json(&format!("verify m.pml --property ltl:p --search {search} --shortest --json"));
        assert_eq!((code, &answer["trail"]["length"], &answer["trail"]["cycle_start"]), (1, &6.into(), &5.into()));
    }
    let (_, answer) = sandbox.json("verify m.pml --ltl [](x<9) --shortest --json");
    assert_eq!((&answer["violation"], &answer["trail"]["length"]), (&"claim-completed".into(), &4.into()));
    let run = sandbox.run("verify m.pml --property safety --search dfs --shortest");
    assert!(run.code == 2 && run.err.contains("--shortest"), "{}", run.err);
}

/// A step that fails is no end of a run.
#[test]
fn failing_steps() {
    let model = "byte x = 2, z; active proctype P() { x = 1; x = x / z } ltl p { []<>(x == 2) }\n";
    let sandbox = Sandbox::with(model);
    let run = sandbox.run("verify m.pml --quiet");
    assert_eq!(run.out, "safety: violated: division by zero  (m.pml:1)\nltl:p: holds\n");
    let run = sandbox.run("verify m.pml --quiet --property ltl:p");
    assert_eq!(run.out, "violated: division by zero  (m.pml:1)\n");
}

/// Where a run has ended, a never claim looks twice before its state counts; what it passes through counts, too.
#[test]
fn accepting_between_two_looks() {
    let claim = "never { B: if :: true -> goto accept_A fi; accept_A: if :: true -> goto B fi }\n";
    for (body, states) in [("skip", 4), ("x = 1; x = 2; x = 3", 6)] {
        let sandbox = Sandbox::with(&format!("byte x; init {{ {body} }} {claim}"));
        for search in ["ndfs", "indfs", "scc"] {
            for fairness in ["", "--weak-fairness"] {
                let command = format!("verify m.pml --property never --continue --search {search} {fairness} --json");
                let (code, answer) = sandbox.json(&command);
                assert_eq!((code, &answer["violation"]), (1, &"acceptance-cycle".into()), "{command}");
                assert!(!fairness.is_empty() || answer["states_stored"] == states, "{command}");
            }
        }
    }
}

/// Nobody else sees what goes wrong in a claim.
#[test]
fn faults_of_claims() {
    for (model, message) in [
        ("byte x = 1; ltl p { [](10 / x < 100) } init { x = 0; x = 1 }\n", "division by zero"),
        ("byte i; byte a[2]; ltl p { [](a[i] == 0) } init { i = 3; i = 0 }\n", "array index 3"),
        ("byte x = 1; never { do :: assert(x != 3) od } init { x = 3; x = 1 }\n", "assertion"),
    ] {
        let sandbox = Sandbox::with(model);
        let run = sandbox.run("verify m.pml --quiet");
        assert!(run.code == 1 && run.out.starts_with("safety: holds"), "{model}: {}", run.out);
        assert!(run.out.contains(message), "{model}: {}", run.out);
    }
}

#[test]
fn the_shortest_way_to_a_fault() {
    let model = "byte x; active proctype A() { do :: x < 9 -> x++ :: assert(x == 0 || x == 20) od }\n";
    let sandbox = Sandbox::with(model);
    for formula in ["<>[](x==9)", "[](x<20)"] {
        let (code, answer) = sandbox.json(&format!("verify m.pml --ltl {formula} --shortest --json"));
        assert_eq!((code, &answer["trail"]["length"]), (1, &3.into()), "{formula}");
    }
}
