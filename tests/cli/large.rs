//! `auto` where there are more states than one thread is to store: a reduced search goes on.

use super::Sandbox;
use std::path::Path;

/// 1.3 million states.
fn leader(options: &str) -> (i32, serde_json::Value) {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/leader.pml");
    Sandbox::empty().json(&format!("verify {} -DN=5 --no-trail --json {options}", model.display()))
}

#[test]
fn what_is_large_is_reduced_and_searched_by_many_threads() {
    for (property, by_one, by_many) in [("safety", "bfs", "pbfs"), ("ltl:elected", "indfs", "cndfs")] {
        for (threads, search) in [(1, by_one), (2, by_many), (5, by_many)] {
            let (code, answer) = leader(&format!("--property {property} --threads {threads}"));
            let name = format!("{search}-reduced");
            assert_eq!((code, answer["search"].as_str()), (0, Some(&*name)), "{answer}");
            assert_eq!(answer["threads"].as_u64(), (threads > 1).then_some(threads), "{answer}");
            assert!(answer["given_up_after"].as_u64().is_some_and(|given_up| given_up >= 500_000), "{answer}");
            assert!(answer["states_stored"].as_u64().is_some_and(|stored| stored < 400_000), "{answer}");
        }
    }
}

/// Five processes count beside each other. Where `mode` is 1 it is wrong that all of them end; a depth-first search looks there last, and for a
/// breadth-first one it is far away.
#[test]
fn what_a_reduced_search_finds_is_shown_as_a_run_of_the_whole_model() {
    let model = "byte left = 5, mode;
active [5] proctype count() { byte i; do :: i < 5 -> i++ :: else -> break od; left-- }
active proctype judge() { left == 0 -> assert(mode == 0) }
active proctype choose() { if :: skip :: mode = 1 fi }
ltl mostly { [] <> (mode == 0 || left > 0) }
";
    let sandbox = Sandbox::with(model);
    let verify = |options: &str| sandbox.json(&format!("verify m.pml --no-trail --json {options}"));
    for (args, search, violation) in [
        ("--property safety", "bfs-reduced", "assertion"),
        ("--property ltl:mostly --no-assertions", "indfs-reduced", "acceptance-cycle"),
    ] {
        let (code, answer) = verify(&format!("{args} --threads 1"));
        let found = (code, answer["search"].as_str(), answer["violation"].as_str());
        assert_eq!(found, (1, Some(search), Some(violation)), "{answer}");
        assert!(answer["given_up_after"].as_u64().is_some(), "{answer}");
        let (code, answer) = verify(&format!("{args} --threads 2"));
        assert_eq!((code, answer["violation"].as_str()), (1, Some(violation)), "{answer}");
    }
    // the trail of a reduced search is not a shortest one, and that is asked for
    let (code, answer) = verify("--property safety --threads 1 --shortest");
    assert_eq!((code, answer["quality"].as_str()), (1, Some("shortest")), "{answer}");
}

/// Where the property cannot be reduced, the search of the whole state space goes on, and the report says why.
#[test]
fn what_cannot_be_reduced_is_searched_as_a_whole() {
    let (code, answer) = leader("--ltl <>X(leaders==1) --threads 2");
    assert_eq!((code, answer["search"].as_str()), (0, Some("cndfs")), "{answer}");
    assert!(answer["not_reduced"].as_str().is_some_and(|why| why.contains("without X")), "{answer}");
    assert!(answer["given_up_after"].is_null(), "{answer}");
    assert!(answer["states_stored"].as_u64().is_some_and(|stored| stored > 1_000_000), "{answer}");
}
