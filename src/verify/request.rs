//! What is wanted of a check, whatever is searched and however.

use crate::load::Refused;
use crate::property::Fairness;
use crate::search::{Checks, Limits, Monitor};
use crate::system::Savings;
use std::sync::atomic::AtomicU64;

/// What counts as a violation, the limits, and what else a check is to do.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What counts as a violation where safety is checked.
    pub checks: Checks,
    /// What counts as a violation where a claim is checked, besides what the claim accepts.
    pub claim_checks: Checks,
    /// Which runs of a claim count.
    pub fairness: Fairness,
    /// Limits on time, memory, depth and the number of states.
    pub limits: Limits,
    /// Executions of transitions are counted.
    pub execution_counts: bool,
    /// How much work the interpreter saves.
    pub savings: Savings,
    /// A trail is to be a shortest one.
    pub shortest: bool,
    /// Runs of a search that walks, each with a seed and the whole time of its own.
    pub runs: Option<u64>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            checks: Checks::default(),
            claim_checks: Checks { end_states: false, ..Checks::default() },
            fairness: Fairness::None,
            limits: Limits::default(),
            execution_counts: false,
            savings: Savings::All,
            shortest: false,
            runs: None,
        }
    }
}

/// Why nothing was searched.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// What was asked for does not go together.
    Unfit(String),
    /// A model, a formula or a claim is in error.
    Refused(Refused),
    /// We are wrong.
    Broken(String),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal::Refused(refused)
    }
}

/// Looks after searches while they run.
pub trait Watcher {
    /// Runs `work`, a search that reports its progress to `monitor`, and returns its result.
    fn watch<T>(&self, monitor: &Monitor, work: impl FnOnce() -> T) -> T;

    /// The same for several runs at once, of which some are done.
    fn watch_runs<T>(&self, _done: &RunsDone, work: impl FnOnce() -> T) -> T {
        work()
    }
}

/// How many of several runs are done.
#[derive(Debug)]
pub struct RunsDone {
    /// The number of runs that are done.
    pub done: AtomicU64,
    /// The number of all runs.
    pub of: u64,
}

/// Nothing is shown.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn watch<T>(&self, _: &Monitor, work: impl FnOnce() -> T) -> T {
        work()
    }
}
