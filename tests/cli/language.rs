//! What the command line can say about the language, and counts that are pan's.

use super::Sandbox;
use serde_json::Value;

/// The result of the only property.
fn result(sandbox: &Sandbox, args: &str) -> (i32, Value) {
    let (code, answer) = sandbox.json(&format!("{args} --json --no-trail"));
    let only = answer.get("results").map(|results| results[0].clone());
    (code, only.unwrap_or(answer))
}

/// How often a kind of violation was met.
fn errors(answer: &Value, violation: &str) -> u64 {
    let all = answer["errors"].as_array().expect("errors").iter();
    let wanted = all.filter(|error| error["violation"] == violation);
    wanted.map(|error| error["count"].as_u64().expect("a count")).sum()
}

/// Stored states, transitions, atomic steps.
fn counts(result: &Value) -> [u64; 3] {
    ["states_stored", "transitions", "atomic_steps"].map(|figure| result[figure].as_u64().expect("a count"))
}

/// The third message is only received if the second one was lost.
const LOSS: &str = "chan c = [1] of { byte };
byte n;
active proctype S() { c!1; c!2; c!3; n = 7 }
active proctype R() { byte x; c?x; c?x; assert(x != 3) }
";

/// Messages lost in an atomic sequence and in a d_step; handshakes lose nothing.
const LOSSES: &str = "mtype = { data, ack };
chan c = [2] of { mtype, byte };
chan d = [1] of { byte };
chan r = [0] of { byte };
byte got;
active proctype S() {
    byte i;
    do
    :: i < 5 -> c!data(i); i++
    :: i == 5 -> break
    od;
    atomic { c!ack(9); d!1; d!2 };
    r!3
}
active proctype R() {
    byte x;
    do
    :: c?data(x) -> got = x
    :: c?ack(x) -> break
    :: timeout -> break
    od;
    skip;
    d_step { d?x; d!4; d!5 };
    r?x;
    assert(x == 3)
}
";

/// The figures are those of `spin -m -a -o1 -o2 -o3`, `-DSAFETY -DNOREDUCE` and `pan -c0`.
/// As `pan -c0`: what fails in a step fails once for each move of the claim.
#[test]
fn an_assertion_fails_for_each_move_of_a_claim() {
    let model =
        "byte y; active proctype P() { y = 1; assert(y < 1); y = 2 } never { do :: y == 1 -> break :: true od }";
    for search in ["ndfs", "indfs", "scc"] {
        let command = format!("verify m.pml --property never --continue --search {search}");
        let (code, all) = result(&Sandbox::with(model), &command);
        assert_eq!((code, errors(&all, "assertion"), errors(&all, "claim-completed")), (1, 2, 4), "{search}: {all}");
    }
}

#[test]
fn lossy_channels_as_with_spin_m() {
    for search in ["dfs", "bfs"] {
        let (code, loss) = result(&Sandbox::with(LOSS), &format!("verify m.pml --lossy --continue --search {search}"));
        assert_eq!((code, counts(&loss)), (1, [35, 47, 0]), "{search}");
        assert_eq!((errors(&loss, "assertion"), errors(&loss, "invalid-end-state")), (2, 1));
        let (code, losses) = result(&Sandbox::with(LOSSES), &format!("verify m.pml --lossy --search {search}"));
        assert_eq!((code, counts(&losses)), (0, [351, 561, 82]), "{search}");
    }
}

#[test]
fn every_search_loses_messages() {
    let sandbox = Sandbox::with(LOSS);
    assert_eq!(sandbox.run("verify m.pml --no-trail --no-end-states").code, 0, "without losses the assertion holds");
    for options in
        ["", "--reduce", "--search pbfs", "--search swarm", "--search aco", "--search astar", "--search ida-star"]
    {
        let run = sandbox.run(&format!("verify m.pml --lossy --no-trail --no-end-states {options}"));
        assert_eq!(run.code, 1, "{options}: {}{}", run.out, run.err);
    }
    let sandbox = Sandbox::with("chan c = [1] of { byte }; byte n; active proctype S() { c!1; c!2; n = 7 }\n");
    for search in ["ndfs", "indfs", "scc", "cndfs"] {
        let with = |lossy: &str| {
            sandbox.run(&format!("verify m.pml --no-trail --ltl <>(n==7) --search {search} {lossy}")).code
        };
        assert_eq!((with(""), with("--lossy")), (1, 0), "{search}");
    }
}

#[test]
fn a_trail_with_losses_replays_with_losses() {
    let sandbox = Sandbox::with(LOSS);
    assert_eq!(sandbox.run("verify m.pml --lossy").code, 1);
    for args in ["replay m.pml --lossy", "replay m.pml"] {
        let run = sandbox.run(args);
        assert!(run.code == 1 && run.out.contains("assertion violated (x!=3)"), "{args}: {}{}", run.out, run.err);
    }
    // as pan writes it
    sandbox.file("m.pml.trail", sandbox.read("m.pml.trail").replace("# swarmgp options --lossy\n", ""));
    let run = sandbox.run("replay m.pml");
    assert!(run.code == 2 && run.err.contains("it is not executable"), "{}", run.err);
}

#[test]
fn simulated_losses() {
    let sandbox = Sandbox::with("chan c = [1] of { byte }; active proctype S() { c!1; c!2; c!3 }\n");
    assert_eq!(sandbox.run("simulate m.pml").code, 1, "the second send waits");
    let run = sandbox.run("simulate m.pml --lossy");
    assert!(run.code == 0 && run.out.contains("all processes are gone"), "{}", run.out);
    assert_eq!(sandbox.run("show m.pml --stage program --lossy").code, 2);
}

#[test]
fn what_the_command_line_says_and_the_model_overrides() {
    let sandbox = Sandbox::with("#define N 3\nbyte x;\nactive proctype P() { x = N; assert(x == 3) }\n");
    let run = sandbox.run("verify m.pml -DN=5");
    assert_eq!(run.code, 0, "{}", run.out);
    for expected in ["the value of -DN on the command line is not used", "m.pml:1:9", "#define N 3", "#ifndef N"] {
        assert!(run.err.contains(expected), "{}", run.err);
    }
    assert!(sandbox.run("verify m.pml -DN=3").err.is_empty());
}

#[test]
fn numbers_beyond_32_bits_are_spins() {
    let sandbox = Sandbox::with(
        "int x;\nactive proctype P() { x = 2147483648; assert(x < 0); x = 4294967297; assert(x == 1) }\n",
    );
    let run = sandbox.run("verify m.pml");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains("m.pml:2:27") && run.err.contains("it is read as -2147483648"), "{}", run.err);
}

/// Claims that come to their end: model and claim, then what `pan -c0` counts: states, transitions, errors.
const COMPLETED: [(&str, [u64; 3]); 5] = [
    ("byte x; active proctype P() { x = 1; x = 2; x = 3 } never { x == 0; x == 1 }", [3, 3, 2]),
    ("byte x; active proctype P() { x = 1; x = 2 } never { if :: x == 0 :: true :: x < 5 fi }", [2, 4, 4]),
    ("byte x, y; active proctype P() { x = 1; x = 2 } active proctype Q() { y = 1; y = 2 } never { true }", [3, 3, 3]),
    (
        "byte x, y; active proctype P() { x = 1; x = 2 } active proctype Q() { y = 1; y = 2 }
         never { do :: true :: x == 1 && y == 1 -> break od; x == 2 }",
        [16, 23, 2],
    ),
    (
        "byte x, y; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: y = 1 - y od }
         never { do :: true :: x == 1 -> break :: y == 1 -> break od }",
        [8, 17, 8],
    ),
];

/// The same for claims that come to their end behind the end of a run, where processes are left or all have died: a process
/// and a claim, then states, transitions, errors.
const COMPLETED_AT_AN_END: [(&str, &str, [u64; 3]); 11] = [
    ("P() { x = 1; false }", "x == 0; x == 1", [2, 2, 1]),
    ("P() { x = 1; false }", "do :: true :: x == 1 -> break od", [3, 4, 2]),
    ("P() { x = 1; false }", "x == 0; if :: true; x == 1 :: x == 1 :: true; true; true fi", [4, 5, 2]),
    (
        "P() { if :: x = 1 :: x = 2 fi; x == 1 }",
        "do :: true :: x > 0 -> break :: x == 2 -> break od; true",
        [11, 19, 4],
    ),
    ("P() { x = 1 }", "x == 0; x == 1", [3, 3, 3]),
    ("P() { x = 1 }", "x == 0; x == 1; true", [4, 4, 2]),
    ("P() { x = 1 }", "x == 0; x == 1; true; true", [5, 5, 2]),
    ("P() { x = 1 }", "do :: true :: x == 1 -> break od", [5, 8, 4]),
    ("P() { x = 1 }", "do :: x == 1 -> break :: true od; true", [6, 9, 3]),
    ("P() { x = 1 }", "x == 0; if :: x == 1 :: x == 1; true; true; true fi", [5, 6, 3]),
    ("P() { atomic { x = 1; if :: x = 2 :: x = 3 fi } }", "true; if :: true :: x > 1 fi", [5, 7, 8]),
];

#[test]
fn claims_that_come_to_their_end_count_as_in_pan() {
    let at_an_end = COMPLETED_AT_AN_END
        .map(|(process, claim, expected)| (format!("byte x; active proctype {process} never {{ {claim} }}"), expected));
    for (model, expected) in COMPLETED.map(|(model, expected)| (model.to_string(), expected)).iter().chain(&at_an_end) {
        for search in ["ndfs", "indfs", "scc"] {
            let sandbox = Sandbox::with(model);
            let (code, all) = result(&sandbox, &format!("verify m.pml --property never --continue --search {search}"));
            let [states, transitions, _] = counts(&all);
            let counted = [states, transitions, errors(&all, "claim-completed")];
            assert_eq!((code, counted), (1, *expected), "{search}: {model}");
            assert_eq!(all["errors"].as_array().map(Vec::len), Some(1), "{search}: {model}");
            let (_, first) = result(&sandbox, &format!("verify m.pml --property never --search {search}"));
            assert_eq!(errors(&first, "claim-completed"), 1, "{search}: {model}");
        }
    }
}

#[test]
fn an_end_label_in_a_claim_is_an_end_of_it() {
    for (claim, code) in [
        ("x == 0; end_here: do :: true od", 1),
        ("end: do :: true od", 1),
        ("x == 1; end_here: do :: true od", 0),
        ("x == 0; here: do :: true od", 0),
    ] {
        let sandbox = Sandbox::with(&format!("byte x; active proctype P() {{ x = 1 }} never {{ {claim} }}"));
        for search in ["ndfs", "scc", "cndfs", "auto"] {
            let (found, all) = result(&sandbox, &format!("verify m.pml --property never --search {search}"));
            assert_eq!((found, errors(&all, "claim-completed")), (code, code as u64), "{search}: {claim}");
        }
    }
}
