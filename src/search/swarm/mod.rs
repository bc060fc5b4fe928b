//! Parallel searches: several workers on one shared visited set.

pub mod artificial;
pub mod bfs;
mod bounds;
pub mod breed;
mod cndfs;
mod crew;
mod dfs;
pub mod genes;
pub mod genetic;
pub mod hunt;
mod log;
mod rdkp;
mod rebuild;
mod sets;
mod traces;
mod ufscc;

use super::exhaustive::audit::audit;
use super::{Checks, Config, Monitor, Problem, Reason, Tally};
use crate::store::statuses::Status;
use crate::store::{Explored, Shared, StateId, Visited, Writer};
use crate::system::System;
use crew::Crew;
pub use crew::MOST_THREADS;
use std::sync::Arc;

/// Searches for violations that show in a state.
pub fn search<S: System>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let records = Records { header: 1, explored: dfs::OPEN, status: dfs::status };
    run_workers(problem, records, config, monitor, |crew, thread, root| {
        let mut worker = dfs::Worker::new(problem, crew, config, thread, traces::Traces::default());
        worker.search(std::iter::once(traces::Arrival::root(root, root)));
        worker.end().0
    })
}

/// Searches for accepting cycles.
pub fn search_for_cycles<S: System>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let records = Records { header: cndfs::header(config), explored: cndfs::BLUE, status: cndfs::status };
    run_workers(problem, records, config, monitor, |crew, thread, root| {
        cndfs::search(problem, crew, config, thread, root)
    })
}

/// Searches by components, each worker for itself.
pub fn search_components<S: System>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let records = Records { header: sets::HEADER, explored: sets::ENTERED, status: rdkp::status };
    run_workers(problem, records, config, monitor, |crew, thread, root| {
        rdkp::search(problem, crew, config, thread, root)
    })
}

/// Searches by components, which workers explore together.
pub fn search_shared_components<S: System>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let records = Records { header: sets::list::HEADER, explored: sets::ENTERED, status: ufscc::status };
    let in_progress = ufscc::InProgress::new(config.threads);
    run_workers(problem, records, config, monitor, |crew, thread, root| {
        ufscc::search(problem, crew, config, thread, root, &in_progress)
    })
}

/// What workers keep of a state.
#[derive(Clone, Copy)]
struct Records {
    /// Words in front of it.
    header: usize,
    /// Walks beside the search keep off states whose note has this mark.
    explored: u64,
    /// What a reduced search has decided about it.
    status: fn(&Shared, StateId) -> Status,
}

/// Runs one worker per thread from the initial state and joins their tallies.
fn run_workers<S: System>(
    problem: &Problem<S>,
    records: Records,
    config: Config,
    monitor: &Monitor,
    work: impl Fn(&Crew<'_>, usize, StateId) -> Tally + Sync,
) -> Tally {
    let Start { tally: mut whole, store, root } =
        match Start::new(&problem.system, problem.checks, config, records.header) {
            Ok(start) => start,
            Err(tally) => return *tally,
        };
    let store = Arc::new(store);
    monitor.share(Explored::new(&store, records.explored));
    let crew = Crew::new(&store, config.threads, config.threads, monitor);
    match crew.run(|thread| work(&crew, thread, root)) {
        Ok(tallies) => tallies.into_iter().for_each(|tally| whole.join(tally)),
        Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
    }
    if cfg!(debug_assertions)
        && let Some(proviso) = config.proviso(problem)
    {
        audit(problem, proviso, &store.writer(), &whole, |state| (records.status)(&store, state));
    }
    whole.count_matches();
    whole.counts.memory = crew.memory();
    whole
}

/// What a search starts with.
struct Start {
    tally: Tally,
    store: Shared,
    /// The initial state.
    root: StateId,
}

impl Start {
    /// An empty tally, and a store with `header` words in front of each state; `Err` if the search cannot start.
    fn new<S: System>(system: &S, checks: Checks, config: Config, header: usize) -> Result<Start, Box<Tally>> {
        let mut tally = Tally::new(config, checks);
        tally.rely_on::<Writer>();
        let initial = match system.initial(&mut system.scratch()) {
            Ok(initial) => initial,
            Err(fault) => {
                tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
                return Err(Box::new(tally));
            }
        };
        let started = Shared::new(header, system.cutoff()).and_then(|store| {
            let root = {
                let mut writer = store.writer();
                writer.insert(&initial, writer.hash(&initial), 0).ok()?.id
            };
            Some((store, root))
        });
        match started {
            Some((store, root)) => Ok(Start { tally, store, root }),
            None => {
                tally.cut_short(Reason::StoreFull);
                Err(Box::new(tally))
            }
        }
    }
}
