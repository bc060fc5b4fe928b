//! More than one error: all of them, so many of them, so many different ones, and runs that are too long.

use super::{ENDLESS, Sandbox};
use serde_json::{Value, json};

/// Two assertions that fail, several times each, and an end state that is none.
const MANY: &str = "byte x;
active [2] proctype P() {
    x++;
    if
    :: x == 1 -> assert(x == 2)
    :: x > 1 -> assert(x == 1)
    fi
}
active proctype Q() { x == 9 }
";

fn field(answer: &Value, name: &str) -> Vec<Value> {
    answer["errors"].as_array().expect("errors").iter().map(|error| error[name].clone()).collect()
}

fn total(answer: &Value) -> u64 {
    field(answer, "count").iter().map(|count| count.as_u64().expect("a count")).sum()
}

#[test]
fn different_errors_are_listed_with_trails() {
    for search in ["bfs", "dfs", "pbfs", "swarm"] {
        let sandbox = Sandbox::with(MANY);
        let (code, answer) = sandbox.json(&format!("verify m.pml --continue --search {search} --json"));
        // pan -c0: 11 errors in 22 states
        assert_eq!((code, &answer["states_stored"], total(&answer)), (1, &json!(22), 11), "{answer}");
        let mut places = field(&answer, "place");
        places.sort_by_key(Value::to_string);
        assert_eq!(places, [json!("m.pml:5"), json!("m.pml:6"), Value::Null], "{answer}");
        for error in answer["errors"].as_array().expect("errors") {
            let file = error["trail"]["file"].as_str().expect("a file");
            let run = sandbox.run(&format!("replay m.pml {file}"));
            let message = error["message"].as_str().expect("a message");
            assert!(run.code == 1 && run.out.contains(message), "{file}: {}", run.out);
        }
        assert!(sandbox.has("m.pml.trail") && sandbox.has("m.pml3.trail") && !sandbox.has("m.pml4.trail"));
    }
    let run = Sandbox::with(MANY).run("verify m.pml --continue --search dfs --trail t.trail");
    assert!(run.out.contains("\nthis error was met "), "{}", run.out);
    assert_eq!(run.out.matches("\nalso: ").count(), 2, "{}", run.out);
    assert!(run.out.contains("t2.trail") && run.out.contains("t3.trail"), "{}", run.out);
    assert!(run.out.contains("\n11 errors: "), "{}", run.out);
}

#[test]
fn so_many_different_errors() {
    let sandbox = Sandbox::with(MANY);
    for (search, wanted, found) in [("dfs", 1, 1), ("dfs", 2, 2), ("bfs", 3, 3), ("dfs", 9, 3), ("astar", 2, 2)] {
        let command = format!("verify m.pml --search {search} --errors {wanted} --json");
        let (code, answer) = sandbox.json(&command);
        assert_eq!((code, field(&answer, "message").len()), (1, found), "{command}: {answer}");
        assert_eq!(answer["complete"], found < wanted, "{command}");
    }
    let run = sandbox.run("verify m.pml --search dfs --errors 2 --trail t.trail");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(sandbox.has("t.trail") && sandbox.has("t2.trail") && !sandbox.has("t3.trail"), "{}", run.out);
}

/// As `pan -cN`: errors, states stored and transitions.
#[test]
fn it_stops_at_the_nth_error() {
    let sandbox = Sandbox::with(MANY);
    for (errors, stored, transitions) in [(1, 3, 3), (2, 6, 6), (3, 7, 7), (4, 9, 11), (7, 13, 18)] {
        let (_, answer) = sandbox.json(&format!("verify m.pml --search dfs --stop-after {errors} --json"));
        assert_eq!(total(&answer), errors, "{answer}");
        assert_eq!((&answer["states_stored"], &answer["transitions"]), (&json!(stored), &json!(transitions)));
    }
}

#[test]
fn too_many_different_errors_are_counted() {
    let model = format!("active proctype p() {{ {} }}\n", "assert(false); ".repeat(130));
    let (_, answer) = Sandbox::with(&model).json("verify m.pml --continue --search dfs --no-trail --json");
    assert_eq!((field(&answer, "place").len(), total(&answer)), (100, 100), "{answer}");
    assert_eq!(answer["errors_unlisted"], 30);
}

/// As `pan -m10 -b`.
#[test]
fn a_run_may_be_too_long() {
    let sandbox = Sandbox::with("byte x;\nactive proctype P() { do :: x < 50 -> x++ :: x > 40 -> break od }\n");
    let (code, answer) = sandbox.json("verify m.pml --search dfs --max-depth 10 --depth-is-error --json");
    assert_eq!(
        (code, &answer["violation"], &answer["message"]),
        (1, &json!("depth-limit"), &json!("depth limit reached"))
    );
    assert_eq!(
        (&answer["states_stored"], &answer["transitions"], &answer["depth"]),
        (&json!(10), &json!(10), &json!(9))
    );
    assert_eq!(answer["trail"]["length"], 10);
    assert_eq!(sandbox.read("m.pml.trail").lines().filter(|line| !line.starts_with('#')).count(), 10);
    let (code, answer) =
        sandbox.json("verify m.pml --property safety --search bfs --reduce --max-depth 10 --depth-is-error --json");
    assert_eq!((code, answer["violation"].as_str()), (1, Some("depth-limit")), "{answer}");
    let (code, answer) = sandbox.json("verify m.pml --max-depth 10 --depth-is-error --json");
    assert_eq!((code, &answer["violation"], &answer["search"]), (1, &json!("depth-limit"), &json!("bfs")), "{answer}");
    let (code, _) = sandbox.json("verify m.pml --max-depth 1000 --depth-is-error --json");
    assert_eq!(code, 0);
    let formula = ["verify", "m.pml", "--ltl", "<>[](x > 60)", "--max-depth", "10", "--depth-is-error", "--json"];
    for search in ["indfs", "ndfs", "scc"] {
        let mut command = sandbox.command("");
        command.args(formula).args(["--search", search]);
        let run = super::finish(command, "");
        assert!(run.code == 1 && run.out.contains("\"depth-limit\""), "{search}: {}", run.out);
    }
}

#[test]
fn what_does_not_apply_is_refused() {
    let sandbox = Sandbox::with(ENDLESS);
    for options in [
        "--errors 2 --search pbfs",
        "--errors 2 --search aco",
        "--errors 2 --continue",
        "--stop-after 2 --search swarm",
        "--stop-after 2 --search path-ga",
        "--stop-after 2 --search beam",
        "--stop-after 2 --errors 2",
        "--depth-is-error",
        "--depth-is-error --max-depth 10 --search astar",
    ] {
        let run = sandbox.run(&format!("verify m.pml {options}"));
        assert!(run.code == 2 && !run.err.is_empty(), "{options}: {} {}", run.out, run.err);
    }
}
