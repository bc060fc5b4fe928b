//! `swarmgp replay`: trails of our own and of SPIN, and what they show.

use super::{ASSERTION, DEADLOCK, Sandbox};

/// Models that go wrong, each in its way, and the kind of violation.
const WRONG: &[(&str, &str)] = &[
    (ASSERTION, "assertion"),
    (DEADLOCK, "invalid-end-state"),
    ("byte a[3], i; active proctype P() { i = 3; (a[i] == 0) }\n", "array-index"),
    ("byte a[3], i; active proctype P() { i = 3; (a[i] == 7) }\n", "array-index"),
    ("byte a[3], i; active proctype P() { i = 3; a[i] = 1 }\n", "array-index"),
    ("byte i; active proctype P() { i = 0; (5 / i == 0) }\n", "runtime-error"),
    ("byte i; active proctype P() { i = 0; i = 5 % i }\n", "runtime-error"),
    ("byte i; active proctype P() { i = 1; d_step { i = 0; i = 5 / i } }\n", "runtime-error"),
    ("byte i; active proctype P() { i = 1; d_step { i = 4; i == 3; i = 5 } }\n", "runtime-error"),
    ("byte i; active proctype P() { i = 1; atomic { i = 4; i = 3; assert(i == 4) } }\n", "assertion"),
    ("chan c; byte i; active proctype P() { i = 1; c?i }\n", "runtime-error"),
    ("chan c; active proctype P() { (len(c) == 0) }\n", "runtime-error"),
    ("chan c = [0] of { byte }; active proctype P() { (c?[1]) }\n", "runtime-error"),
    ("byte x; proctype Q(byte n) { x = n } init { run Q(3); (x == 3); assert(x == 4) }\n", "assertion"),
    (
        "chan c = [1] of { byte }; trace { do :: c!1; c?1 od }
         active proctype P() { byte x; c!1; c?x; c!2 }\n",
        "trace",
    ),
];

#[test]
fn every_trail_of_ours_replays_to_the_same_violation() {
    for (model, kind) in WRONG {
        for search in ["bfs", "dfs"] {
            let sandbox = Sandbox::with(model);
            let (code, answer) = sandbox.json(&format!("verify m.pml --json --search {search}"));
            assert_eq!((code, &answer["violation"]), (1, &(*kind).into()), "{model}{answer}");
            let (code, again) = sandbox.json("replay m.pml --json");
            assert_eq!((code, &again["violation"]), (1, &answer["violation"]), "{model}");
            assert_eq!(again["message"], answer["message"], "{model}");
        }
    }
}

#[test]
fn spin_replays_every_trail_of_ours() {
    let spin = |sandbox: &Sandbox| {
        let mut spin = std::process::Command::new("spin");
        spin.args(["-p", "-k", "m.pml.trail", "m.pml"]).current_dir(&sandbox.dir).output()
    };
    if spin(&Sandbox::empty()).is_err() {
        println!("spin is not installed: nothing to compare with");
        return;
    }
    for (model, _) in WRONG {
        let sandbox = Sandbox::with(model);
        sandbox.run("verify m.pml");
        let said =
            spin(&sandbox).map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        assert!(said.contains("trail ends after"), "{model}{said}");
        for bad in ["transition failed", "no matching stmnt", "invalid statement"] {
            assert!(!said.contains(bad), "{model}{said}");
        }
    }
}

#[test]
fn a_replay_shows_what_verify_showed() {
    let sandbox = Sandbox::with(ASSERTION);
    let verified = sandbox.run("verify m.pml").out;
    let replayed = sandbox.run("replay m.pml").out;
    assert!(verified.starts_with(&replayed), "{replayed}\n{verified}");
}

#[test]
fn where_the_trail_is_looked_for() {
    let sandbox = Sandbox::with(ASSERTION);
    let run = sandbox.run("replay m.pml");
    assert!(run.code == 2 && run.err.contains("m.pml.trail"), "{}", run.err);
    std::fs::create_dir(sandbox.dir.join("sub")).expect("a directory");
    sandbox.file("sub/m.pml", ASSERTION);
    sandbox.file("sub/m.pml.trail", "1:0:0\n");
    assert_eq!(sandbox.run("replay sub/m.pml").code, 0);
    sandbox.file("m.pml.trail", "1:0:0\n2:0:1\n3:0:2\n");
    assert_eq!(sandbox.run("replay sub/m.pml").code, 1);
    assert_eq!(sandbox.run("replay sub/m.pml sub/m.pml.trail").code, 0);
}

/// What is said about a trail that cannot be followed.
fn stuck(model: &str, trail: &str) -> String {
    let sandbox = Sandbox::with(model);
    sandbox.file("t", trail);
    let run = sandbox.run("replay m.pml t");
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
    run.err
}

#[test]
fn steps_that_are_not_executable() {
    let elsewhere = stuck(ASSERTION, "1:0:0\n2:0:2\n");
    assert!(
        elsewhere.contains("t:2:1") && elsewhere.contains("the process (P) stands at m.pml:5: x = 2"),
        "{elsewhere}"
    );
    assert!(
        stuck("byte x; init { x = 1; x = 2 }\n", "1:0:1\n").contains("the process (init) stands at m.pml:1: x = 1")
    );
    let expected = "step 2: process 0 cannot execute statement 2 (m.pml:6: assert((x==1))) here";
    assert!(elsewhere.contains(expected), "{elsewhere}");
    assert!(stuck(ASSERTION, "1:3:0\n").contains("there is only process 0"));
    assert!(stuck(ASSERTION, "1:0:77\n").contains("statement 77, which the model does not have"));
    assert!(stuck("byte x; active proctype P() { x == 1; x = 2 }\n", "1:0:0\n").contains("it is not executable"));
    assert!(stuck(DEADLOCK, "1:0:0\n").contains("half of a handshake"));
    assert!(stuck(DEADLOCK, "1:0:0\n2:0:1\n").contains("half of a handshake"));
    let atomic = "byte x; active [2] proctype P() { atomic { x = 1; x = 2 } }\n";
    assert!(stuck(atomic, "1:0:0\n2:1:0\n").contains("process 0 is inside an atomic sequence"));
    let division = "byte x, y; active [2] proctype P() { x = 1 / y }\n";
    assert!(stuck(division, "1:0:0\n2:1:0\n").contains("it fails (division by zero), and yet the trail goes on"));
}

#[test]
fn malformed_trails() {
    let message = stuck(ASSERTION, "1:0:0\nnonsense\n");
    assert!(message.contains("t:2:1") && message.contains("nonsense"), "{message}");
    assert!(Sandbox::with(ASSERTION).run("replay m.pml missing").err.contains("cannot read missing"));
}

fn replayed(model: &str, trail: &str) -> (i32, serde_json::Value) {
    let sandbox = Sandbox::with(model);
    sandbox.file("t", trail);
    sandbox.json("replay m.pml t --json")
}

#[test]
fn a_trail_without_a_violation() {
    let (code, answer) = replayed(ASSERTION, "1:0:0\n");
    assert_eq!((code, &answer["violation"]), (0, &serde_json::Value::Null));
    assert_eq!(answer["trail"]["length"], 1);
}

#[test]
fn the_trail_of_a_claim() {
    let (code, answer) = replayed(ASSERTION, "-2:1:-2\n1:0:9\n2:1:0\n3:0:9\n4:1:1\n5:0:9\n6:1:2\n");
    assert_eq!((code, &answer["trail"]["length"]), (1, &3.into()));
}

#[test]
fn a_cycle() {
    let model = "byte x; active proctype P() { x = 5; do :: x = 1; x = 2 od }\n";
    let (code, answer) = replayed(model, "1:0:0\n2:0:1\n3:0:2\n-1:-1:-1\n4:0:1\n5:0:2\n");
    assert_eq!((code, &answer["trail"]["cycle_start"]), (0, &4.into()));
    let sandbox = Sandbox::with(model);
    sandbox.file("t", "1:0:0\n-1:-1:-1\n2:0:1\n");
    let run = sandbox.run("replay m.pml t");
    assert!(run.out.contains("does not lead back"), "{}", run.out);
}

/// A claim sees the state in which an atomic sequence waits for `timeout`, though the same process goes on.
#[test]
fn a_claim_sees_where_an_atomic_sequence_is_blocked() {
    let model =
        "bool x; active proctype P() { do :: atomic { x = true; timeout; x = false } od } ltl left { <> [] !x }\n";
    let sandbox = Sandbox::with(model);
    assert_eq!(sandbox.run("verify m.pml --property ltl:left").code, 1);
    let run = sandbox.run("replay m.pml --property ltl:left");
    assert_eq!(run.code, 1, "{}", run.out);
}

/// pan merges `y = 1` with what precedes it: it touches nothing global.
#[test]
fn a_trail_with_merged_statements() {
    let model = "chan c = [1] of { byte }; byte g;
active proctype P() { byte x, y; c!1; c?x; y = x; y = y + 1; g = y; y = 7; assert(y == 8) }
";
    let (code, answer) = replayed(model, "-4:-4:-4\n1:0:0\n2:0:1\n3:0:4\n");
    assert_eq!((code, &answer["trail"]["length"]), (1, &7.into()), "{answer}");
}

/// The jump in the second option is no part of a chain: the next line of the process names the first option, which is
/// possible as soon as somebody sends.
#[test]
fn a_merged_trail_waits_for_a_partner() {
    let model = "chan c = [0] of { byte };
active proctype taker() {
    byte a;
    c?a;
    if :: c?a; goto wrong :: goto out fi;
wrong: assert(a != 2);
out: skip
}
active proctype giver() { c!1; c!2 }
";
    let (code, answer) = replayed(model, "-4:-4:-4\n1:1:9\n2:0:0\n3:1:10\n4:0:1\n5:1:11\n6:0:6\n");
    assert_eq!((code, &answer["violation"]), (1, &"assertion".into()), "{answer}");
}

/// Safety is fine; one of two formulas is violated by a cycle, the other by a bad prefix.
const CLAIMS: &str = "byte x;
#ifndef N
#define N 3
#endif
active proctype P() { do :: x < N -> x++ :: x > 0 -> x-- od }
ltl live0 { []<>(x == 3) }
ltl low { [](x < 3) }
ltl fine { [](x < 9) }
";

#[test]
fn a_property_is_replayed_with_its_own_trail() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml");
    assert!(sandbox.has("m.pml.ltl.live0.trail") && sandbox.has("m.pml.ltl.low.trail"));
    for (property, violation) in [("ltl:live0", "acceptance-cycle"), ("ltl:low", "claim-completed")] {
        let (code, answer) = sandbox.json(&format!("replay m.pml --property {property} --json"));
        let file = format!("m.pml.{}.trail", property.replace(':', "."));
        assert_eq!((code, &answer["trail"]["file"]), (1, &file.into()), "{answer}");
        assert_eq!((&answer["violation"], &answer["property"]["violated"]), (&violation.into(), &true.into()));
        let run = sandbox.run(&format!("replay m.pml --property {property}"));
        assert!(run.out.starts_with(&format!("{property}: violated: ")), "{}", run.out);
    }
    // which one is meant, if nobody says so?
    let run = sandbox.run("replay m.pml");
    assert!(
        run.code == 2 && run.err.contains("name one of m.pml.ltl.live0.trail or m.pml.ltl.low.trail"),
        "{}",
        run.err
    );
}

#[test]
fn the_newest_trail_of_a_property_counts() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml");
    std::thread::sleep(std::time::Duration::from_millis(20));
    sandbox.run("verify m.pml --property ltl:low");
    let (_, answer) = sandbox.json("replay m.pml --property ltl:low --json");
    assert_eq!(answer["trail"]["file"], "m.pml.trail");
    let (_, answer) = sandbox.json("replay m.pml --property ltl:live0 --json");
    assert_eq!(answer["trail"]["file"], "m.pml.ltl.live0.trail");
}

#[test]
fn a_trail_knows_its_property() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml --property ltl:live0");
    let run = sandbox.run("replay m.pml");
    assert!(run.code == 1 && run.out.starts_with("ltl:live0: violated: acceptance cycle\n"), "{}{}", run.out, run.err);
    sandbox.run("verify m.pml --ltl <>(x==3)");
    let run = sandbox.run("replay m.pml");
    assert!(run.code == 1 && run.out.starts_with("ltl:<>(x==3): violated: acceptance cycle\n"), "{}", run.out);
}

/// What makes a run a violation is part of its trail.
#[test]
fn a_trail_brings_its_options() {
    let two = "chan c = [1] of { byte }; active proctype S() { c!1; c!2 } active proctype R() { byte x; c?x; c?x }\n";
    for (model, option) in [
        (two, "--lossy"),
        ("byte x; active proctype P() { x = 256 }\n", "--check-truncation"),
        ("chan c = [1] of { byte }; active proctype P() { c!1 }\n", "--check-channels-empty"),
    ] {
        let sandbox = Sandbox::with(model);
        assert_eq!(sandbox.run("verify m.pml").code, 0, "{model}");
        let (code, found) = sandbox.json(&format!("verify m.pml {option} --json"));
        assert_eq!(code, 1, "{option}: {found}");
        assert!(sandbox.read("m.pml.trail").contains(&format!("# swarmgp options {option}\n")), "{option}");
        let (code, again) = sandbox.json("replay m.pml --json");
        assert_eq!((code, &again["violation"]), (1, &found["violation"]), "{option}: {again}");
    }
    let sandbox = Sandbox::with("byte x; active proctype P() { do :: x = x + 1 od }\n");
    assert_eq!(sandbox.run("verify m.pml --search dfs --max-depth 5 --depth-is-error").code, 1);
    let run = sandbox.run("replay m.pml");
    assert!(run.code == 0 && run.err.contains("m.pml.trail ends at the depth limit"), "{}{}", run.out, run.err);
}

/// A claim in a file is no property of the model, even if the model has one that is called the same.
#[test]
fn the_trail_of_a_claim_in_a_file_is_not_judged_by_the_model() {
    let model = "byte x; active proctype P() { do :: x = 1 - x od } never { accept: do :: x == 7 od }\n";
    let sandbox = Sandbox::with(model);
    sandbox.file("n", "never { accept: do :: x < 2 od }\n");
    sandbox.file(
        "a.hoa",
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x < 2\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n",
    );
    for (option, file) in [("--never", "n"), ("--automaton", "a.hoa")] {
        let run = sandbox.run(&format!("verify m.pml {option} {file}"));
        assert_eq!(run.code, 1, "{}{}", run.out, run.err);
        assert!(sandbox.read("m.pml.trail").contains(&format!("# swarmgp claim {file}\n")), "{option}");
        let run = sandbox.run("replay m.pml");
        let why = format!("a cycle (the trail is one of the claim in {file}, which was not checked again)");
        assert!(run.code == 0 && run.out.starts_with(&why), "{}{}", run.out, run.err);
        assert_eq!(sandbox.run("replay m.pml --never n").code, 1);
        assert_eq!(sandbox.run("replay m.pml --property never").code, 2);
        assert_eq!(sandbox.run("replay m.pml m.pml.trail --property never").code, 0);
    }
}

/// A trail that says it is one of another property is not taken for it, unless it is named.
#[test]
fn no_property_is_judged_by_the_trail_of_another() {
    let model = "byte x; ltl ok { [] (x < 9) } active proctype P() { x = 1; assert(x == 0) }\n";
    let sandbox = Sandbox::with(model);
    assert_eq!(sandbox.run("verify m.pml --property safety").code, 1);
    let run = sandbox.run("replay m.pml --property ltl:ok");
    let why = "there is no trail of ltl:ok; m.pml.trail is one of safety: name it to judge it by ltl:ok";
    assert!(run.code == 2 && run.err.contains(why), "{}{}", run.out, run.err);
    assert_eq!(sandbox.run("replay m.pml m.pml.trail --property ltl:ok").code, 1);
    let trail = sandbox.read("m.pml.trail");
    let steps: String = trail.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    sandbox.file("m.pml.trail", steps);
    assert_eq!(sandbox.run("replay m.pml --property ltl:ok").code, 1);
}

#[test]
fn a_run_need_not_violate_what_is_asked() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml --property ltl:live0");
    let run = sandbox.run("replay m.pml m.pml.trail --property ltl:fine");
    assert!(run.code == 0 && run.out.starts_with("ltl:fine: this run does not violate it\n"), "{}", run.out);
    let (code, answer) = sandbox.json("replay m.pml m.pml.trail --property ltl:fine --json");
    assert_eq!(
        (code, &answer["violation"], &answer["property"]["violated"]),
        (0, &serde_json::Value::Null, &false.into())
    );
    assert_eq!(sandbox.run("replay m.pml m.pml.trail --property progress").code, 1);
    assert_eq!(sandbox.run("replay m.pml m.pml.trail --property safety").code, 0);
    sandbox.file("open", "1:0:0\n2:0:1\n");
    let run = sandbox.run("replay m.pml open --property ltl:live0");
    assert!(run.code == 3 && run.out.starts_with("ltl:live0: the run stops too early to tell\n"), "{}", run.out);
    let run = sandbox.run("replay m.pml --property ltl:nothing");
    assert!(run.code == 2 && run.err.contains("no ltl block `nothing`"), "{}", run.err);
}

#[test]
fn a_stale_trail_says_so() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml --property ltl:low");
    assert_eq!(sandbox.run("replay m.pml").err, "");
    // layout and comments do not matter
    sandbox.file("m.pml", format!("/* new */\n\n{CLAIMS}"));
    assert_eq!(sandbox.run("replay m.pml").err, "");
    let run = sandbox.run("replay m.pml -DN=4");
    assert!(run.code == 1 && run.err.contains("was written for another version of m.pml"), "{}{}", run.out, run.err);
    let (_, answer) = sandbox.json("replay m.pml -DN=4 --json");
    assert_eq!(answer["diagnostics"][0]["severity"], "warning", "{answer}");
    sandbox.file("m.pml", CLAIMS.replace("x < 9", "x < 8"));
    assert!(sandbox.run("replay m.pml").err.contains("another version"));
}

#[test]
fn spin_takes_no_notice_of_what_a_trail_says_about_itself() {
    let sandbox = Sandbox::with(CLAIMS);
    sandbox.run("verify m.pml");
    for trail in ["m.pml.ltl.live0.trail", "m.pml.ltl.low.trail"] {
        assert!(sandbox.read(trail).contains("\n# swarmgp property ltl:"), "{trail}");
        let mut spin = std::process::Command::new("spin");
        let Ok(output) = spin.args(["-p", "-k", trail, "m.pml"]).current_dir(&sandbox.dir).output() else {
            println!("spin is not installed: nothing to compare with");
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("trail ends after"), "{said}");
        for bad in ["failed", "no matching", "invalid statement", "swarmgp"] {
            assert!(!said.contains(bad), "{said}");
        }
    }
}

#[test]
fn the_first_steps_may_be_skipped() {
    let sandbox = Sandbox::with("int x; active proctype P() { do :: x < 300 -> x++ :: else -> assert(false) od }\n");
    sandbox.run("verify m.pml");
    let near_the_end = sandbox.run("replay m.pml --skip 600").out;
    assert!(near_the_end.contains("… 600 steps left out …\n601  P(0)"), "{near_the_end}");
    let abbreviated = sandbox.run("replay m.pml --skip 300").out;
    assert!(abbreviated.contains("… 300 steps left out …\n301  P(0)"), "{abbreviated}");
    assert!(abbreviated.contains("… 102 steps left out …\n503  P(0)"), "{abbreviated}");
    let whole = sandbox.run("replay m.pml --skip 300 --full-trail").out;
    assert_eq!(whole.matches("left out").count(), 1, "{whole}");
    let nothing = sandbox.run("replay m.pml --skip 1000");
    assert!(nothing.code == 1 && !nothing.out.contains("x++"), "{}", nothing.out);
}
