//! What becomes of values: truncation, ranges, and how often statements are executed.

use crate::Sandbox;

/// Every way to store a value; each of them truncates one, those of SPIN's simulator.
const STORES: &str = "\
byte y, n = 200; byte a[2]; bool b; unsigned u : 3; bit bits[2]; int k = 300;
chan r = [0] of { byte, bool }; chan q = [2] of { short, byte }; chan one = [1] of { bit };
typedef S { short s; byte t[2] }; S st;
proctype given(byte v) { byte l = k }
active proctype p()
{
    y = n + 100; assert(y == 44);
    y = 0; y--; assert(y == 255);
    a[1] = k; st.t[1] = k + 1; b = k + 2; u = k;
    q!k + 70000, k;
    q?y, b;
    run given(k);
    atomic { y = 255; y++; y = 3 }
    d_step { y = k; y = 1 }
    r!k, 1;
    for (y : 250 .. 251) { break }
    bits[0] = 2; assert(bits[0] == 2);
    one!2; one?bits[1]; assert(bits[1] == 2);
    assert(k < 0)
}
active proctype c() { bit z; bool t; r?z, t }
";

/// The searches for violations that show in a state.
const SEARCHES: [&str; 14] = [
    "auto",
    "bfs",
    "dfs",
    "pbfs",
    "swarm",
    "swarm-gp",
    "astar",
    "ida-star",
    "best-first",
    "beam",
    "aco",
    "gega",
    "path-ga",
    "random-walk",
];

#[test]
fn a_trail_says_what_was_truncated() {
    let sandbox = Sandbox::with(STORES);
    let run = sandbox.run("verify m.pml --search bfs");
    assert_eq!(run.code, 1, "{}", run.err);
    let said: Vec<&str> = run.out.lines().filter_map(|line| line.trim().strip_prefix("^ truncated: ")).collect();
    let expected = [
        "300 → 44 (byte y)",
        "-1 → 255 (byte y)",
        "300 → 44 (byte a[1])",
        "301 → 45 (byte st.t[1])",
        "302 → 0 (bit b)",
        "300 → 4 (unsigned:3 u)",
        "70300 → 4764 (short field 1 of q)",
        "300 → 44 (byte field 2 of q)",
        "4764 → 156 (byte y)",
        "44 → 0 (bit b)",
        "300 → 44 (byte v)",
        "300 → 44 (byte l)",
        "256 → 0 (byte y)",
        "300 → 44 (byte y)",
        "300 → 44 (byte field 1 of r)",
        "44 → 0 (bit z)",
    ];
    assert_eq!(said, expected, "{}", run.out);
    let replayed = sandbox.run("replay m.pml");
    expected.iter().for_each(|each| assert!(replayed.out.contains(each), "{}", replayed.out));
    let (_, answer) = sandbox.json("verify m.pml --search bfs --json --trail-steps");
    let first = &answer["trail"]["steps"][0]["truncations"];
    assert_eq!(first, &serde_json::json!([{"variable": "y", "type": "byte", "value": 300, "stored": 44}]));
}

#[test]
fn every_search_warns() {
    let sandbox = Sandbox::with(STORES);
    for search in SEARCHES {
        let run = sandbox.run(&format!("verify m.pml --quiet --search {search}"));
        // a thread that breeds may find the violation before anybody has come across the other places
        let places = if search == "swarm-gp" { "" } else { "13 places" };
        let warns = |part: &str| run.err.contains(part);
        assert!(
            warns(&format!("truncated in {places}")) && warns("first at m.pml:7: 300 → 44 (byte y)"),
            "{search}: {}",
            run.err
        );
    }
    let (_, answer) = sandbox.json("verify m.pml --json");
    assert!(answer["warnings"][0].as_str().is_some_and(|text| text.contains("300 → 44")), "{answer}");
}

/// A move that is remembered is interpreted once, and that is enough.
#[test]
fn a_remembered_move_warns() {
    let model = "byte x, y; active proctype p() { do :: x = x + 100 od } active proctype c() { do :: y = 1 - y od }\n";
    let run = Sandbox::with(model).run("verify m.pml");
    assert!(run.code == 0 && run.err.contains("truncated in 1 place, first at m.pml:1: 300 → 44"), "{}", run.err);
    let fine = Sandbox::with("short x; init { x = 32767; x--; x = -32768 }\n").run("verify m.pml");
    assert_eq!(fine.err, "");
}

#[test]
fn truncation_as_a_violation() {
    let sandbox = Sandbox::with("byte x = 250; active proctype p() { do :: x < 255 -> x = x + 2 :: break od }\n");
    for search in SEARCHES {
        let (code, answer) = sandbox.json(&format!("verify m.pml --check-truncation --search {search} --json"));
        assert_eq!((code, &answer["violation"]), (1, &"truncation".into()), "{search}: {answer}");
        let replayed = sandbox.run("replay m.pml --check-truncation");
        let expected = "violated: a value is truncated: 256 → 0 (byte x)  (m.pml:1)";
        assert!(replayed.code == 1 && replayed.out.starts_with(expected), "{search}: {}", replayed.out);
    }
    // without the option, which the trail brings along, it is none
    sandbox.file("m.pml.trail", sandbox.read("m.pml.trail").replace("# swarmgp options --check-truncation\n", ""));
    assert_eq!(sandbox.run("replay m.pml").code, 0);
    for search in ["ndfs", "indfs", "scc", "cndfs"] {
        let run = sandbox.run(&format!("verify m.pml --ltl <>[](x>=0) --check-truncation --search {search} --quiet"));
        assert_eq!(run.out, "violated: a value is truncated: 256 → 0 (byte x)  (m.pml:1)\n", "{search}");
    }
    let initial = Sandbox::with("int k; byte x = 10 * 30; init { assert(x == 44) }\n");
    assert_eq!(initial.run("verify m.pml --quiet").out, "holds\n");
    assert!(initial.run("verify m.pml").err.contains("first at m.pml:1: 300 → 44 (byte x)"));
    let run = initial.run("verify m.pml --check-truncation --quiet");
    assert_eq!((run.code, run.out.as_str()), (1, "violated: a value is truncated: 300 → 44 (byte x)\n"));
    assert!(initial.run("simulate m.pml --seed 1").out.contains("^ initial value truncated: 300 → 44 (byte x)"));
}

/// In a handshake the message is the sender's, and where it ends up the receiver's.
#[test]
fn a_handshake_that_truncates() {
    let model = |field: &str, variable: &str| {
        format!(
            "int k = 300; chan c = [0] of {{ {field} }}; {variable} y;\nactive proctype S() {{\n  c!k\n}}\nactive proctype R() {{\n  c?y\n}}\n"
        )
    };
    for (field, variable, place, what) in [
        ("byte", "int", "m.pml:3", "S(0) fails: a value is truncated: 300 → 44 (byte field 1 of c)"),
        ("int", "byte", "m.pml:6", "R(1) fails: a value is truncated: 300 → 44 (byte y)"),
    ] {
        let sandbox = Sandbox::with(&model(field, variable));
        let run = sandbox.run("verify m.pml --check-truncation");
        assert!(run.out.contains(&format!("{what}  ({place})\n")), "{}", run.out);
        assert!(run.out.lines().next().is_some_and(|line| line.ends_with(&format!("({place})"))), "{}", run.out);
        let replayed = sandbox.run("replay m.pml").out;
        assert!(replayed.lines().next().is_some_and(|line| line.ends_with(&format!("({place})"))), "{replayed}");
        let warned = sandbox.run("verify m.pml").err;
        assert!(warned.contains(&format!("first at {place}: ")), "{warned}");
    }
}

/// An offer that nobody takes is no step.
#[test]
fn an_offer_that_is_not_taken_truncates_nothing() {
    let model = "int k = 300; chan r = [0] of { byte }; active proctype p() { r!k } active proctype c() { end: r?7 }\n";
    let run = Sandbox::with(model).run("verify m.pml --no-end-states --check-truncation --quiet");
    assert_eq!((run.out.as_str(), run.err.as_str()), ("holds\n", ""));
}

#[test]
fn ranges() {
    let model = "mtype = { idle, busy }; mtype m = idle; byte x, a[3]; short unused; chan q = [3] of { byte };
        typedef S { byte f; short g[2] } S s[2];
        active [2] proctype p() { byte i; do :: i < 3 -> a[i] = i + 5; i++; q!i; x = x + 1 :: m = busy; break od; s[1].g[0] = -4 }
        proctype never_run() { byte z }\n";
    let sandbox = Sandbox::with(model);
    let run = sandbox.run("verify m.pml --ranges --no-end-states");
    let table = run.out.split("states:\n").nth(1).unwrap_or_default();
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        ["m", "busy..idle"],
        ["x", "0..3"],
        ["a[]", "0..7"],
        ["unused", "0"],
        ["s[].f", "0"],
        ["s[].g[]", "-4..0"],
        ["len(q)", "0..3"],
        ["p:i", "0..3"],
    ];
    assert_eq!(lines, expected, "{}", run.out);
    let (_, whole) = sandbox.json("verify m.pml --ranges --no-end-states --json");
    let x = serde_json::json!({"proctype": null, "name": "x", "least": 0, "greatest": 3});
    assert_eq!(whole["ranges"]["variables"][1], x);
    for search in ["dfs", "astar", "best-first"] {
        let (_, same) = sandbox.json(&format!("verify m.pml --ranges --no-end-states --json --search {search}"));
        assert_eq!(same["ranges"], whole["ranges"], "{search}");
    }
    for search in ["ndfs", "indfs", "scc"] {
        let (_, same) = sandbox.json(&format!("verify m.pml --ltl <>[](x>=0) --ranges --json --search {search}"));
        assert_eq!(same["ranges"]["variables"], whole["ranges"]["variables"], "{search}");
    }
    let part = sandbox.run("verify m.pml --ranges --no-end-states --max-states 5");
    assert!(part.out.contains("states, which are not all:"), "{}", part.out);
}

/// What the interpreter saves makes no difference to what is found.
#[test]
fn savings() {
    let sandbox = Sandbox::with(STORES);
    let told = |savings: &str| {
        let (_, answer) = sandbox.json(&format!("verify m.pml --continue --json --search dfs --savings {savings}"));
        let figures = ["states_stored", "states_matched", "transitions", "atomic_steps", "verdict", "errors"];
        figures.map(|figure| answer[figure].clone())
    };
    assert!(told("all")[0].as_u64().is_some_and(|states| states > 10));
    assert_eq!(told("all"), told("in-place"));
    assert_eq!(told("all"), told("none"));
}

/// The numbers are those of `spin -a -o1 -o2 -o3`, `pan -c0` with -DPEG -DNOREDUCE; but a send that nobody receives counts there.
#[test]
fn executions() {
    let model = "byte x; chan r = [0] of {byte}; chan q = [1] of {byte};
active [2] proctype p() { byte i; do :: i < 2 -> i++; x = x + 1 :: atomic { i == 2 -> if :: x = 7 :: x = 8 fi; x = x + i } break :: r!1 od; q!i }
active proctype c() { byte y; r?y; r?2; q?y }\n";
    let sandbox = Sandbox::with(model);
    for search in ["dfs", "bfs"] {
        let (_, answer) = sandbox.json(&format!("verify m.pml --execution-counts --continue --json --search {search}"));
        let executions = answer["executions"].as_array().expect("a list");
        let counts: Vec<(&str, u64)> = executions
            .iter()
            .map(|each| (each["text"].as_str().unwrap_or(""), each["count"].as_u64().unwrap_or(0)))
            .collect();
        let expected = [
            ("i < 2", 96),
            ("i++", 96),
            ("x = x + 1", 96),
            ("i == 2", 60),
            ("x = 7", 60),
            ("x = 8", 60),
            (".(goto)", 120),
            ("x = x + i", 120),
            ("r!1", 78),
            ("q!i", 84),
            ("-end-", 0),
            ("r?y", 78),
            ("r?2", 0),
            ("q?y", 0),
            ("-end-", 0),
        ];
        assert_eq!(counts, expected, "{search}");
    }
    let run = sandbox.run("verify m.pml --execution-counts --search dfs --continue");
    assert!(run.out.contains("   96  p  m.pml:2  i < 2\n"), "{}", run.out);
}

#[test]
fn figures_are_refused_where_there_are_none() {
    let sandbox = Sandbox::with("byte x; init { x = 1 }\n");
    for search in ["pbfs", "swarm", "swarm-gp", "ida-star", "aco", "random-walk"] {
        for option in ["--ranges", "--execution-counts"] {
            let run = sandbox.run(&format!("verify m.pml {option} --search {search}"));
            assert!(run.code == 2 && run.err.contains(option), "{search}: {}", run.err);
        }
    }
}
