use crate::load;
use crate::search::Plan;
use crate::search::catalogue::{ACO, Aim, GEGA, Job, PATH_GA, RANDOM_WALK, SWARM, Search};
use crate::search::guide::Heuristic;
use crate::search::rounds::{Companions, Pacing, side_by_side};
use crate::search::{Checks, Config, Limits, Monitor, Problem, Reason, Report, Tally, Verdict, run};
use crate::source::Source;
use crate::store::{Explored, Shared, Visited};
use crate::syntax::preprocess::Options;
use crate::system::{Batch, Interpreter, Run, System};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A lock that one wrong digit blocks for good. No walk can guess twelve digits in a few thousand steps.
const LOCK: &str = "byte at;
    active proctype lock() {
    end: do
        :: d_step { at < 12; at++ }
        :: d_step { at < 12; at = 99 }
        :: d_step { at < 12; at = 98 }
        :: d_step { at < 12; at = 97 }
        :: d_step { at < 12; at = 96 }
        :: d_step { at == 12; assert(false) }
        od
    }";

/// A store with all ways to go wrong, which have this mark, and the first ways to go right, which do not.
fn dead_ends(system: &Interpreter, mark: u64) -> Arc<Shared> {
    let store = Arc::new(Shared::new(1, &Default::default()).expect("memory"));
    let mut scratch = system.scratch();
    let mut batch = Batch::default();
    let initial = system.initial(&mut scratch).expect("a first state");
    system.successors(&initial, Run::GoesOn, &mut scratch, &mut batch, |_| {});
    let mut writer = store.writer();
    for (number, entry) in batch.entries.iter().enumerate() {
        let state = batch.state(entry);
        let id = writer.insert(state, writer.hash(state), 0).expect("room").id;
        store.note(id).store(if number == 0 { 0 } else { mark }, Relaxed);
    }
    drop(writer);
    store
}

/// What comes out where a walk has 20,000 states to expand beside a search that finds nothing, and may tell what it has explored.
fn walked(search: &'static Search, tells: bool) -> Report {
    let loaded = load::program(Source::new("lock.pml", LOCK), &Options::default()).expect("a model");
    let problem = || Problem::of_safety(Interpreter::new(&loaded.it), Checks::default());
    let plan = Plan {
        heuristic: Heuristic::None,
        back: Heuristic::None,
        shorten: false,
        ..Plan::usual(search, Aim::Safety(&loaded.it))
    };
    let dead_ends = dead_ends(&problem().system, 2);
    let exhaustive = |monitor: &Monitor| {
        if tells {
            monitor.share(Explored::new(&dead_ends, 2));
        }
        let mut tally = Tally::new(Config::of(&SWARM), Checks::default());
        let end = (0..100_000).step_by(100).find_map(|states| monitor.check(states, 0, 0).err());
        tally.cut_short(end.unwrap_or(Reason::StoreFull));
        Ok::<_, Infallible>(tally.report(&Default::default()))
    };
    let walk = |_, monitor: &Monitor| Ok(run(&problem(), &Job { plan: &plan, monitor }).expect("a walk for safety"));
    let monitor = Monitor::new(Limits { evaluations: Some(20_000), ..Limits::default() }, Arc::default());
    let depth_first = None::<fn(&Monitor) -> Result<Report, Infallible>>;
    side_by_side(exhaustive, Companions { walk, depth_first }, Pacing::Free, &monitor)
        .unwrap_or_else(|never| match never {})
}

#[test]
fn walks_keep_off_what_others_have_explored() {
    for search in [&ACO, &GEGA, &PATH_GA, &RANDOM_WALK] {
        let report = walked(search, true);
        assert!(matches!(report.verdict, Verdict::Violated(_)), "{search:?}: {:?}", report.verdict);
        assert_eq!(report.search, search);
        let report = walked(search, false);
        assert!(matches!(report.verdict, Verdict::Inconclusive(_)), "{search:?} was not told, and knows");
    }
}
