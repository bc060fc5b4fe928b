//! A search that is not in the catalogue: a row of its own.

use swarmgp::search::catalogue::{BFS, Search};
use swarmgp::verify::{Check, Refusal};

/// Breadth first, up to ten levels.
static SHALLOW: Search = Search {
    name: "shallow",
    summary: "breadth first, up to ten levels",
    on_system: Some(|problem, job| {
        let limits = swarmgp::search::Limits { max_depth: Some(10), ..job.monitor.limits };
        let monitor = swarmgp::search::Monitor::new(limits, Default::default());
        let bfs = BFS.on_system.expect("breadth-first search is for safety");
        bfs(problem, &swarmgp::search::catalogue::Job { monitor: &monitor, ..*job })
    }),
    ..Search::EXHAUSTIVE
};

pub fn main() -> Result<(), Refusal> {
    let endless = "byte x; active proctype P() { do :: x++ od }";
    let answers = Check::of(endless).property("safety").search(&SHALLOW).answers()?;
    println!("{}: {:?}", answers[0].report.search.name, answers[0].verdict());
    assert!(!answers[0].holds(), "there are more than ten levels");
    Ok(())
}
