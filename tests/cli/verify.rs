//! `swarmgp verify`: verdicts, exit codes, counts, trails.

use super::{ASSERTION, DEADLOCK, ENDLESS, HOLDS, Sandbox};
use std::process::Stdio;

#[test]
fn exit_codes_and_the_first_line() {
    let first = |model: &str, args: &str| {
        let run = Sandbox::with(model).run(&format!("verify m.pml {args}"));
        (run.code, run.out.lines().next().unwrap_or("").to_string())
    };
    assert_eq!(first(HOLDS, ""), (0, "holds".into()));
    assert_eq!(first(HOLDS, "--search dfs"), (0, "holds".into()));
    assert_eq!(first(ASSERTION, ""), (1, "violated: assertion violated (x==1)  (m.pml:6)".into()));
    assert_eq!(first(DEADLOCK, ""), (1, "violated: invalid end state".into()));
    let limit = "inconclusive: the limit of 1000 states was reached".into();
    assert_eq!(first(ENDLESS, "--max-states 1000"), (3, limit));
}

#[test]
fn the_trail_is_shown_with_what_changes() {
    let run = Sandbox::with(ASSERTION).run("verify m.pml");
    let rows: Vec<&str> = run.out.lines().skip(2).take(4).collect();
    assert_eq!(
        rows,
        [
            "  1  P(0)  :4  x = 1           x = 1",
            "  2  P(0)  :5  x = 2           x = 2",
            "  3  P(0)  :6  assert(x == 1)",
            "P(0) fails: assertion violated (x==1)  (m.pml:6)",
        ]
    );
}

#[test]
fn everything_that_changes_has_a_name() {
    let model = "mtype = { red, green };
typedef Pair { byte a[2]; short b };
mtype light;
Pair p;
chan q = [2] of { mtype, byte };
chan which;
proctype Child(byte n; mtype m) { chan own = [1] of { byte }; own!n }
init {
    light = green;
    p.a[1] = 3;
    p.b = -1;
    q!red,7;
    q!green,8;
    which = q;
    run Child(5, red);
    d_step { p.b = 2; light = red };
    assert(false)
}
";
    let run = Sandbox::with(model).run("verify m.pml --search dfs --shorten off --full-trail");
    for expected in [
        "light = green\n",
        "p.a[1] = 3\n",
        "p.b = -1\n",
        "q = [red,7]\n",
        "q = [red,7][green,8]\n",
        "which = q\n",
        "Child(1) starts, Child(1):n = 5, Child(1):m = red, Child(1):own = Child(1):own\n",
        "Child(1):own = [5]\n",
        "d_step { p.b = 2; light = red }  light = red, p.b = 2\n",
        "-end-                            Child(1) ends\n",
    ] {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
}

#[test]
fn a_deadlock_says_where_everybody_is() {
    let run = Sandbox::with(DEADLOCK).run("verify m.pml");
    for expected in
        ["Sender(0)    :2  c!1\n", "Receiver(1)  :3  c?got  Receiver(1):got = 1\n", "  Sender(0)  m.pml:2  c!2\n"]
    {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
}

#[test]
fn what_the_model_prints_is_shown_once() {
    let model = r#"mtype = { go }
active proctype P() {
    byte x = 3;
    if :: printf("one %d\n", x) :: printf("two\n") fi;
    d_step { printf("in %e\n", go); printf("d_step\n") };
    assert(false)
}
"#;
    let run = Sandbox::with(model).run("verify m.pml");
    let printed: Vec<&str> = run.out.lines().filter_map(|line| line.trim().strip_prefix("| ")).collect();
    assert_eq!(printed, ["one 3", "in go", "d_step"]);
}

#[test]
fn a_failing_initial_value() {
    let sandbox = Sandbox::with("byte zero; byte x = 1 / zero; active proctype P() { skip }\n");
    let run = sandbox.run("verify m.pml");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("violated: division by zero\n"), "{}", run.out);
    assert_eq!(sandbox.run("replay m.pml").code, 1);
    assert_eq!(sandbox.run("simulate m.pml").code, 1);
    assert_eq!(sandbox.run("verify m.pml --unreached").code, 1);
}

#[test]
fn json_of_schema_1_has_its_keys_in_order() {
    let sandbox = Sandbox::with(ASSERTION);
    let run = sandbox.run("verify m.pml --json=1");
    let keys: Vec<&str> = run
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("  \""))
        .map(|line| line.split('"').next().unwrap_or(""))
        .collect();
    let documented = "schema model property search seed verdict violation message complete reason states_stored \
                      states_matched transitions atomic_steps depth errors trail time_s memory_bytes";
    assert_eq!(keys, documented.split_whitespace().collect::<Vec<_>>());
}

#[test]
fn json_of_a_violation() {
    let sandbox = Sandbox::with(ASSERTION);
    let (code, answer) = sandbox.json("verify m.pml --json --search dfs");
    assert_eq!(code, 1);
    assert_eq!(answer["property"], "safety");
    assert_eq!(answer["search"], "dfs");
    assert_eq!(answer["seed"], serde_json::Value::Null);
    assert_eq!(answer["verdict"], "violated");
    assert_eq!(answer["violation"], "assertion");
    assert_eq!(answer["message"], "assertion violated (x==1)");
    assert_eq!(answer["complete"], false);
    let trail = serde_json::json!({ "length": 3, "cycle_start": null, "file": "m.pml.trail" });
    assert_eq!(answer["trail"], trail);
    let message = "assertion violated (x==1)";
    let error = serde_json::json!({ "violation": "assertion", "message": message, "place": "m.pml:6", "count": 1, "trail": trail });
    assert_eq!(answer["errors"], serde_json::json!([error]));
    let (_, answer) = sandbox.json("verify m.pml --json --trail-steps --no-trail");
    assert_eq!(answer["trail"]["file"], serde_json::Value::Null);
    let steps = answer["trail"]["steps"].as_array().expect("steps");
    assert_eq!((steps.len(), &steps[1]["changes"]), (3, &serde_json::json!({ "x": 2 })));
}

#[test]
fn json_otherwise() {
    let (code, answer) = Sandbox::with(HOLDS).json("verify m.pml --json");
    assert_eq!((code, &answer["verdict"], &answer["complete"]), (0, &"holds".into(), &true.into()));
    assert_eq!((&answer["states_stored"], &answer["transitions"]), (&4.into(), &4.into()));
    assert_eq!((&answer["violation"], &answer["trail"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    let (code, answer) = Sandbox::with(ENDLESS).json("verify m.pml --json --max-depth 10");
    assert_eq!((code, &answer["verdict"], &answer["complete"]), (3, &"inconclusive".into(), &false.into()));
    assert_eq!(answer["reason"], "the depth limit of 10 steps was reached");
}

#[test]
fn warnings_do_not_disturb_the_json() {
    let sandbox = Sandbox::with(&format!("{HOLDS}ltl p {{ [] (x < 2) }}\n"));
    sandbox.file("w.pml", "byte x; active proctype P() { byte unused; x = 300 }\n");
    let run = sandbox.run("verify w.pml --json");
    assert!(serde_json::from_str::<serde_json::Value>(&run.out).is_ok(), "{}", run.out);
    let run = sandbox.run("verify m.pml --json");
    assert!(serde_json::from_str::<serde_json::Value>(&run.out).is_ok(), "{}", run.out);
    assert_eq!(sandbox.run("verify m.pml --property safety").err, "");
}

#[test]
fn limits() {
    let reason = |args: &str| {
        let run = Sandbox::with(ENDLESS).run(&format!("verify m.pml --quiet {args}"));
        assert_eq!(run.code, 3, "{}", run.err);
        run.out
    };
    assert!(reason("--time 0.2").contains("time limit of 0.2 s"));
    assert!(reason("--memory 8M").contains("memory limit of 8 MiB"));
    assert!(reason("--max-depth 5").contains("depth limit of 5 steps"));
    assert!(reason("--max-depth 5 --search dfs").contains("depth limit of 5 steps"));
    assert!(reason("--max-states 500 --search dfs").contains("limit of 500 states"));
}

#[test]
fn checks_can_be_switched_off_and_on() {
    let code = |model: &str, args: &str| Sandbox::with(model).run(&format!("verify m.pml {args}")).code;
    assert_eq!(code(ASSERTION, "--no-assertions"), 0);
    assert_eq!(code(DEADLOCK, "--no-end-states"), 0);
    let left = "chan c = [1] of { byte }; active proctype P() { c!1 }\n";
    assert_eq!((code(left, ""), code(left, "--check-channels-empty")), (0, 1));
    assert_eq!(code("active proctype P() { assert(N == 2) }\n", "-DN=2"), 0);
    assert_eq!(code("active proctype P() { assert(N == 2) }\n", "-D N=3"), 1);
}

#[test]
fn errors_are_counted_with_continue() {
    let model = "byte x; active [2] proctype P() { x++; assert(x == 1) }\n";
    let (code, answer) = Sandbox::with(model).json("verify m.pml --continue --json");
    assert_eq!((code, &answer["complete"]), (1, &true.into()));
    assert!(answer["errors"][0]["count"].as_u64() > Some(1), "{answer}");
}

#[test]
fn trail_files() {
    let sandbox = Sandbox::with(ASSERTION);
    sandbox.run("verify m.pml");
    let trail = sandbox.read("m.pml.trail");
    assert!(trail.starts_with("1:0:0\n2:0:1\n3:0:2\n# swarmgp property safety\n# swarmgp model "), "{trail}");
    sandbox.run("verify m.pml --trail other.trail --quiet");
    assert_eq!(sandbox.read("other.trail"), sandbox.read("m.pml.trail"));
    let sandbox = Sandbox::with(ASSERTION);
    let run = sandbox.run("verify m.pml --no-trail");
    assert!(run.code == 1 && !sandbox.has("m.pml.trail"));
    let run = sandbox.run("verify m.pml --trail no/such/place");
    assert!(run.code == 2 && run.err.contains("cannot write no/such/place"), "{}", run.err);
    // a trail that nobody named is not worth a verdict
    std::fs::create_dir(sandbox.dir.join("m.pml.trail")).expect("a directory where the trail should be");
    let run = sandbox.run("verify m.pml");
    assert!(run.code == 1 && run.err.contains("there is no trail file: cannot write m.pml.trail"), "{}", run.err);
}

#[test]
fn long_trails_are_abbreviated() {
    let sandbox = Sandbox::with("int x; active proctype P() { do :: x < 300 -> x++ :: else -> assert(false) od }\n");
    let short = sandbox.run("verify m.pml").out;
    assert!(short.contains("… 402 steps left out …"), "{short}");
    assert!(short.contains("trail: 602 steps"), "{short}");
    let whole = sandbox.run("verify m.pml --full-trail").out;
    assert!(!whole.contains("left out") && whole.lines().count() > 602);
}

#[test]
fn unreached_statements() {
    let model = "byte x;
active proctype P() {
    if
    :: x == 0 -> x = 2
    :: x == 1 -> x = 3;
       x = 4
    fi
}
proctype Never_run() { skip }
";
    let run = Sandbox::with(model).run("verify m.pml");
    for expected in ["unreached in P (2 of 8 states):\n  m.pml:5  x = 3\n  m.pml:6  x = 4\n", "unreached in Never_run"]
    {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let sandbox = Sandbox::with("byte x; active proctype P() { assert(x == 1); x = 2; x = 3 }\n");
    assert!(!sandbox.run("verify m.pml").out.contains("unreached"));
    assert!(sandbox.run("verify m.pml --unreached").out.contains("unreached in P"));
}

#[test]
fn the_model_may_come_from_the_standard_input() {
    let sandbox = Sandbox::empty();
    let run = sandbox.run_with("verify -", ASSERTION);
    assert!(run.code == 1 && sandbox.has("stdin.trail"), "{}", run.err);
}

#[test]
fn nobody_listens() {
    for args in ["verify m.pml", "simulate m.pml --steps 100000"] {
        let sandbox = Sandbox::with(if args.starts_with('v') { ASSERTION } else { ENDLESS });
        let mut child = sandbox.command(args).stdin(Stdio::null()).spawn().expect("swarmgp starts");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("swarmgp ends");
        assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{args}");
        assert!(done.status.code().is_some_and(|code| code < 2), "{args}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_what_is_known() {
    let sandbox = Sandbox::with(ENDLESS);
    let child = sandbox.command("verify m.pml --memory 2G --time 60").spawn().expect("swarmgp starts");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let kill = format!("kill -INT {}", child.id());
    std::process::Command::new("sh").args(["-c", &kill]).status().expect("a shell");
    let done = child.wait_with_output().expect("swarmgp ends");
    let out = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(3), "{out}");
    assert!(out.starts_with("inconclusive: the search was interrupted\n") && out.contains("states stored"), "{out}");
}

#[test]
fn a_cycle_that_hidden_variables_break_is_none() {
    let text = "hidden byte h; byte x;
active proctype P() { do :: h == 1 -> x = 1 :: h == 0 && x == 1 -> x = 2 :: h = 1 - h od }
ltl p { <>[](x == 1) }
";
    let sandbox = Sandbox::with(text);
    for search in ["ndfs", "indfs", "scc", "auto"] {
        let (code, answer) = sandbox.json(&format!("verify m.pml --property ltl:p --search {search} --json"));
        assert_eq!((code, answer["verdict"].as_str()), (3, Some("inconclusive")), "{answer}");
        assert!(answer["reason"].as_str().is_some_and(|why| why.contains("hidden variables")), "{answer}");
    }
}

#[test]
fn a_reduced_search_says_so() {
    let sandbox = Sandbox::with("active [60] proctype P() { byte x; x = 1; x = 2; assert(x == 2) }\n");
    let run = sandbox.run("verify m.pml --reduce --json");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"search\": \"bfs-reduced\"") && run.out.contains("\"complete\": true"), "{}", run.out);
    for options in ["--reduce", "--reduce=dead", "--reduce=merge"] {
        let run = sandbox.run(&format!("verify m.pml --max-states 1000 {options}"));
        assert!(run.out.contains("\nwith reduction: these are not the counts"), "{options}: {}", run.out);
    }
    let sandbox = Sandbox::with("byte x; active proctype P() { do :: x = 1 - x od }\n");
    for (options, why) in [
        ("--ltl []<>(x==1)", None),
        ("--ltl X(x==1)", Some("how often a state repeats (without X in a formula it never does)")),
        ("--ltl []<>(x==1) --weak-fairness", Some("weak fairness depends on which processes can move")),
        ("--ltl []<>(_last==0)", Some("the formula looks at which processes can move, or moved last")),
    ] {
        let (code, answer) = sandbox.json(&format!("verify m.pml {options} --reduce --json"));
        let told = answer["not_reduced"].as_str().map(String::from);
        assert_eq!((code, told.is_some()), (0, why.is_some()), "{options}: {answer}");
        assert!(told.as_ref().is_none_or(|told| why.is_some_and(|why| told.contains(why))), "{options}: {answer}");
        let name = answer["search"].as_str().unwrap_or_default();
        assert_eq!(name.ends_with("-reduced"), why.is_none(), "{options}: {answer}");
        let (code, answer) =
            sandbox.json(&format!("verify m.pml {options} --reduce --search random-walk --evaluations 100 --json"));
        assert_eq!((code, answer["not_reduced"].as_str()), (3, told.as_deref()), "{options}: {answer}");
        let name = answer["search"].as_str().unwrap_or_default();
        assert_eq!(name.ends_with("-reduced"), why.is_none(), "{options}: {answer}");
    }
    let (_, answer) = sandbox.json("verify m.pml --property safety --reduce=off --json");
    assert!(answer["not_reduced"].is_null() && answer["search"] == "bfs", "{answer}");
}
