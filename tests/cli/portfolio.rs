//! Several searches for one question: what `auto` finds, what is left to be tried, shares of time, shortest trails.

use super::{ENDLESS, Sandbox};
use std::path::Path;

/// What goes wrong is far away, but straight ahead of a depth-first search.
const DEEP: &str = "active [6] proctype noise() { byte i; do :: i++ od }
active proctype deep() { int x; do :: x < 6000 -> x++ :: else -> assert(false) od }
";

#[test]
fn auto_goes_deep_as_well() {
    let sandbox = Sandbox::with(DEEP);
    let answer = || {
        let (code, mut answer) = sandbox.json("verify m.pml --threads 2 --time 300 --json");
        assert_eq!(
            (code, answer["search"].as_str(), answer["violation"].as_str()),
            (1, Some("dfs"), Some("assertion"))
        );
        answer["time_s"] = 0.into();
        answer
    };
    assert_eq!(answer(), answer(), "not the same twice");
}

#[test]
fn what_was_not_tried_is_said() {
    let sandbox = Sandbox::with(ENDLESS);
    let untried = |options: &str| {
        let (code, answer) = sandbox.json(&format!("verify m.pml --json {options}"));
        assert_eq!(code, 3, "{answer}");
        let untried = answer["untried"].as_array().cloned().unwrap_or_default();
        untried.iter().map(|option| option.as_str().expect("text").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(untried("--threads 1 --memory 16M"), ["--search dfs", "--reduce", "--search aco"]);
    assert_eq!(untried("--threads 2 --memory 16M"), ["--reduce"], "the others ran");
    assert_eq!(untried("--search dfs --max-states 1000"), ["--reduce", "--search aco"]);
    assert_eq!(untried("--reduce=order --max-states 1000"), ["--search dfs", "--search aco"]);
    assert_eq!(untried("--search aco --evaluations 100"), ["--search auto", "--search dfs", "--reduce"]);
    let run = sandbox.run("verify m.pml --threads 1 --memory 16M");
    assert!(run.out.contains("\nnot tried: --search dfs, --reduce, --search aco\n"), "{}", run.out);
}

#[test]
fn properties_share_the_time() {
    let sandbox = Sandbox::with(&format!("{ENDLESS}ltl p {{ [](x >= 0) }}\nltl q {{ [](y >= 0) }}\n"));
    let (code, answer) = sandbox.json("verify m.pml --threads 1 --time 1.5 --json");
    assert_eq!(code, 3, "{answer}");
    let results = answer["results"].as_array().expect("several");
    assert_eq!(results.len(), 3);
    for result in results {
        let share = result["share_s"].as_f64().expect("a share");
        // on a busy machine those before may have ended late
        assert!(share > 0.0 && share <= 0.5, "{result}");
        assert!(result["states_stored"].as_u64() > Some(1000), "it was searched: {result}");
        let reason = result["reason"].as_str().expect("a reason");
        let share = reason.strip_prefix("its share of the time limit, ").and_then(|rest| rest.split_once(" s, was"));
        assert!(share.is_some_and(|(seconds, _)| seconds.len() <= 5), "two digits: {reason}");
    }
    let run = sandbox.run("verify m.pml --threads 1 --time 0.6");
    assert_eq!(run.out.matches("its share of the time limit of 0.6 s was 0.").count(), 3, "{}", run.out);
}

#[test]
fn the_shortest_trail_is_not_longer_than_any() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/giop.pml");
    let command = format!("verify {} -DN=2 --property ltl:answered --no-trail --json", model.display());
    let length = |more: &str| {
        let (code, answer) = Sandbox::empty().json(&format!("{command} {more}"));
        assert_eq!(code, 1, "{answer}");
        (answer["trail"]["length"].as_u64().expect("a trail"), answer["quality"].clone())
    };
    let (usual, none) = length("");
    let (shortest, quality) = length("--shortest --time 20");
    assert!(shortest <= usual, "{shortest} steps, and {usual} without the option");
    assert_eq!((none.is_null(), quality.as_str()), (true, Some("best-so-far")));
}

/// A breadth-first search alone does not come as far as the walks beside it do.
#[test]
fn a_shortest_trail_starts_from_what_walks_find() {
    let sandbox = Sandbox::with(DEEP);
    let (code, answer) = sandbox.json("verify m.pml --threads 2 --shortest --memory 64M --time 100 --json");
    assert_eq!((code, answer["quality"].as_str()), (1, Some("best-so-far")), "{answer}");
    let sandbox = Sandbox::with("byte x; active [3] proctype p() { x++; x++; assert(x != 4) }\n");
    let (code, answer) = sandbox.json("verify m.pml --shortest --json");
    assert_eq!((code, answer["quality"].as_str()), (1, Some("shortest")), "{answer}");
}
