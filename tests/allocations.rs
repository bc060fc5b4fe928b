//! Walks take no memory for a step: what a walk allocates does not grow with the states that it expands.

#![expect(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use swarmgp::load::{self, Options, Program};
use swarmgp::search::Plan;
use swarmgp::search::catalogue::{ACO, Aim, GEGA, Job, PATH_GA, RANDOM_WALK, Search};
use swarmgp::search::guide::Heuristic;
use swarmgp::search::{Checks, Knobs, Limits, Monitor, Problem, run};
use swarmgp::system::Interpreter;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn model(name: &str) -> Program {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models").join(name);
    let source = load::read(&file).expect("the model is here");
    load::program(source, &Options::default()).unwrap_or_else(|_| panic!("{name} is a model")).it
}

/// Allocations while so many states are expanded, and how many were.
fn allocations(
    program: &Program,
    search: &'static Search,
    heuristic: Heuristic,
    threads: usize,
    evaluations: u64,
) -> (u64, u64) {
    let problem = Problem::of_safety(Interpreter::new(program), Checks::default());
    let mut knobs = Knobs::default();
    let settings = &mut knobs.walks;
    settings.ants.first.steps = 1_000_000;
    settings.gega.generations = 1_000_000;
    settings.path_ga.generations = 1_000_000;
    settings.random.walks = 1_000_000;
    let plan = Plan { knobs, heuristic, shorten: false, ..Plan::usual(search, Aim::Safety(program)) };
    let plan = plan.by_threads(threads);
    let limits = Limits { evaluations: Some(evaluations), ..Limits::default() };
    let monitor = Monitor::new(limits, Arc::default());
    let before = ALLOCATIONS.load(Relaxed);
    let report = run(&problem, &Job { plan: &plan, monitor: &monitor }).expect("a walk for safety");
    let after = ALLOCATIONS.load(Relaxed);
    (after - before, report.evaluations.unwrap_or(0))
}

// one test, so that nobody else allocates meanwhile
#[test]
fn a_step_of_a_walk_allocates_nothing() {
    // how many steps there are at least for one allocation: ants and genes take memory for a path, but not for a step
    for (name, search, heuristic, threads, steps) in [
        ("leader.pml", &RANDOM_WALK, Heuristic::None, 1, 1000.0),
        ("token-ring.pml", &RANDOM_WALK, Heuristic::None, 1, 1000.0),
        ("two-phase-commit.pml", &RANDOM_WALK, Heuristic::None, 1, 1000.0),
        ("peterson.pml", &RANDOM_WALK, Heuristic::None, 1, 1000.0),
        ("token-ring.pml", &PATH_GA, Heuristic::Enabled, 1, 10.0),
        ("token-ring.pml", &PATH_GA, Heuristic::Enabled, 3, 10.0),
        ("dining-philosophers.pml", &GEGA, Heuristic::Blocked, 1, 4.0),
        ("dining-philosophers.pml", &GEGA, Heuristic::Blocked, 3, 4.0),
        ("window.pml", &ACO, Heuristic::Error, 1, 2.0),
    ] {
        let program = model(name);
        let (few, first) = allocations(&program, search, heuristic, threads, 20_000);
        let (many, second) = allocations(&program, search, heuristic, threads, 120_000);
        assert_eq!((first, second), (20_000, 120_000), "{name} {search:?}");
        let rate = many.saturating_sub(few) as f64 / (second - first) as f64;
        println!("{name} {search:?}: {rate:.4} allocations for a step");
        assert!(rate * steps <= 1.0, "{name} {search:?}: {rate} allocations for a step");
    }
}
