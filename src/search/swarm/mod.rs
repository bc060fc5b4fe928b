//! Searches by many threads.

mod cndfs;
mod crew;
mod dfs;
mod expand;

use super::{Checks, Config, CycleProblem, Monitor, Problem, Reason, Tally};
use crate::store::{Shared, StateId, Writer};
use crate::system::System;
use crew::Crew;
pub use crew::MOST_THREADS;

/// Searches for violations that show in a state.
pub fn search(problem: &Problem, config: Config, monitor: &Monitor) -> Tally {
    together(&problem.system, problem.checks, config, monitor, |crew, thread, writer, root| {
        dfs::Worker::new(problem, crew, config, thread, writer).search(root)
    })
}

/// Searches for accepting cycles.
pub fn search_for_cycles(problem: &CycleProblem, config: Config, monitor: &Monitor) -> Tally {
    together(&problem.product, problem.checks, config, monitor, |crew, thread, writer, root| {
        cndfs::Worker::new(problem, crew, config, thread, writer).search(root)
    })
}

/// Lets every thread search from the initial state, and adds up what they have found.
fn together<S: System>(
    system: &S,
    checks: Checks,
    config: Config,
    monitor: &Monitor,
    work: impl Fn(&Crew<'_>, usize, Writer<'_>, StateId) -> Tally + Sync,
) -> Tally {
    let mut whole = Tally::new(config, checks);
    let initial = match system.initial(&mut system.scratch()) {
        Ok(initial) => initial,
        Err(fault) => {
            whole.violation(fault.violation(), fault.to_string(), Default::default);
            return whole;
        }
    };
    let store = Shared::new(1);
    let root = store.as_ref().and_then(|store| {
        let mut writer = store.writer();
        writer.insert(&initial, writer.hash(&initial)).ok()
    });
    let (Some(store), Some((root, _))) = (&store, root) else {
        whole.cut_short(Reason::StoreFull);
        return whole;
    };
    let crew = Crew::new(store, config.threads, monitor);
    match crew.run(|thread, writer| work(&crew, thread, writer, root)) {
        Ok(tallies) => tallies.into_iter().for_each(|tally| whole.join(tally)),
        Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
    }
    // each thread has counted the successors of its states; a transition is new or leads to a state that is known, and
    // the initial state has none to it
    whole.counts.matched = (whole.counts.matched + 1).saturating_sub(whole.counts.stored);
    whole.counts.memory = crew.memory();
    whole
}
