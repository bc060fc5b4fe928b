//! Searches. Every engine is a function of a problem, a configuration and a monitor.

mod bfs;
mod dfs;
pub mod monitor;
mod tally;
mod witness;

use crate::system::Interpreter;
pub use crate::system::fault::Violation;
pub use monitor::{Limits, Monitor, Reason};
pub use tally::{Counts, Tally};
pub use witness::Witness;

/// What to search and what to look for.
pub struct Problem<'p> {
    pub system: Interpreter<'p>,
    pub checks: Checks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    pub assertions: bool,
    pub end_states: bool,
    /// An end state with messages left in a channel is invalid, too.
    pub channels_empty: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { assertions: true, end_states: true, channels_empty: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Bfs,
    Dfs,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Bfs => "bfs",
            Strategy::Dfs => "dfs",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub strategy: Strategy,
    /// Go on after errors and count them.
    pub keep_going: bool,
}

/// What is known at the end.
#[derive(Clone, Debug)]
pub enum Verdict {
    Holds,
    Violated(Box<Finding>),
    Inconclusive(Reason),
}

/// The first violation found.
#[derive(Clone, Debug)]
pub struct Finding {
    pub violation: Violation,
    pub message: String,
    pub witness: Witness,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// The whole state space was explored.
    pub complete: bool,
    /// Why it was not, if it was cut short by a limit.
    pub cut: Option<Reason>,
    pub counts: Counts,
    /// Errors by kind.
    pub errors: Vec<(Violation, u64)>,
    /// Which transitions were executed.
    pub executed: Vec<bool>,
}

/// Runs a search to its end or to a limit.
pub fn run(problem: &Problem, config: Config, monitor: &Monitor) -> Report {
    let tally = match config.strategy {
        Strategy::Bfs => bfs::search(problem, config, monitor),
        Strategy::Dfs => dfs::search(problem, config, monitor),
    };
    tally.report()
}

impl Problem<'_> {
    /// Whether a state without successors is an invalid end state.
    fn is_deadlock(&self, state: &[u64], scratch: &mut crate::system::Scratch) -> bool {
        use crate::system::System;
        if !self.checks.end_states {
            return false;
        }
        let messages_left = self.checks.channels_empty && !self.system.channels_empty(state, scratch);
        messages_left || !self.system.valid_end(state, scratch)
    }
}
