use super::{HOLDS, Sandbox};

/// The message of a command that must be refused with code 2 and nothing on the standard output.
fn refusal(sandbox: &Sandbox, args: &str) -> String {
    let run = sandbox.run(args);
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{args}: {}", run.err);
    run.err
}

#[test]
fn a_typo_is_shown_with_its_place_and_line() {
    let sandbox = Sandbox::with("byte count;\nactive proctype P() {\n    coumt = 1\n}\n");
    for command in ["verify m.pml", "verify m.pml --json", "simulate m.pml", "show m.pml --stage model"] {
        let message = refusal(&sandbox, command);
        for expected in ["m.pml:3:5", "coumt = 1", "^^^^^", "count"] {
            assert!(message.contains(expected), "{command}: {message}");
        }
    }
}

#[test]
fn syntax_errors() {
    for (model, place) in [
        ("active proctype P() { x = }\n", "m.pml:1:27"),
        ("active proctype P() {\n  if\n  :: skip\n}\n", "m.pml:4:1"),
        ("#include \"nowhere.h\"\n", "m.pml:1:"),
        ("active proctype P() { c_code { x } }\n", "m.pml:1:23"),
    ] {
        let message = refusal(&Sandbox::with(model), "verify m.pml");
        assert!(message.contains("error") && message.contains(place), "{model}{message}");
    }
}

#[test]
fn what_is_no_model() {
    let sandbox = Sandbox::empty();
    assert!(refusal(&sandbox, "verify missing.pml").contains("cannot read missing.pml"));
    assert!(refusal(&sandbox, "verify .").contains("cannot read ."));
    sandbox.file("empty.pml", "");
    assert!(refusal(&sandbox, "verify empty.pml").contains("error"));
    sandbox.file("junk.pml", (0..4096u32).map(|i| (i * 7919 % 251) as u8).collect::<Vec<u8>>());
    assert!(refusal(&sandbox, "verify junk.pml").contains("error"));
    sandbox.file("nul.pml", b"byte x;\0active proctype P() { skip }");
    assert!(refusal(&sandbox, "verify nul.pml").contains("nul.pml:1:8"));
}

#[test]
fn deep_models_are_checked_or_refused() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let sum = |length: usize| vec!["1"; length].join("+");
    for value in [nested(900), nested(2_000), nested(100_000), sum(900), sum(9_000), sum(100_000)] {
        let sandbox = Sandbox::with(&format!("byte x; active proctype P() {{ x = {value} }}\n"));
        let run = sandbox.run("verify m.pml");
        let refused = run.code == 2 && run.err.contains(" too ") && run.err.contains("m.pml:1:");
        assert!(run.code == 0 || (refused && value.len() > 2_000), "{}", run.err);
    }
}

#[test]
fn options_that_do_not_apply() {
    let sandbox = Sandbox::with(HOLDS);
    for args in [
        "verify m.pml --search ants",
        "verify m.pml --memory 512",
        "verify m.pml --memory lots",
        "verify m.pml --time -1",
        "verify m.pml --time 0",
        "verify m.pml --time forever",
        "verify m.pml --max-depth 0",
        "verify m.pml --max-states x",
        "verify m.pml --trail t --no-trail",
        "verify m.pml --json --full-trail",
        "verify m.pml --trail-steps",
        "verify m.pml --check-channels-empty --no-end-states",
        "verify m.pml --ltl p --property safety",
        "verify m.pml --continue --threads 2",
        "verify m.pml --search bfs --threads 2",
        "verify m.pml --search pbfs --max-depth 10",
        "verify m.pml --search pbfs --reduce",
        "verify m.pml --search pbfs --seed 1",
        "verify m.pml --no-such-option",
        "verify",
        "verify m.pml other.pml",
        "simulate m.pml --interactive --seed 1",
        "show m.pml",
        "show m.pml --stage nonsense",
        "show m.pml --stage model --dot",
        "nonsense",
        "",
    ] {
        assert!(!refusal(&sandbox, args).is_empty());
    }
    let message = refusal(&sandbox, "verify m.pml --search ants");
    assert!(message.contains("bfs") && message.contains("dfs"), "{message}");
}

#[test]
fn help_and_version_are_no_errors() {
    let sandbox = Sandbox::empty();
    for (args, expected) in [("--help", "verify"), ("--version", "swarmgp"), ("verify --help", "--max-depth")] {
        let run = sandbox.run(args);
        assert!(run.code == 0 && run.out.contains(expected) && run.err.is_empty(), "{args}: {}", run.err);
    }
}

#[test]
fn reduction_that_does_not_apply() {
    let sandbox = Sandbox::with(HOLDS);
    assert!(refusal(&sandbox, "verify m.pml --reduce --search dfs").contains("--search bfs, not with dfs"));
    let sandbox = Sandbox::with("active proctype P() { timeout }\n");
    assert!(refusal(&sandbox, "verify m.pml --reduce").contains("it uses timeout"));
}
