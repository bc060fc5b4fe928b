//! A shortest counterexample: the least prefix and cycle together.
//!
//! The graph of the product is explored as far as a counterexample that is shorter than the known one can reach. For a bad
//! prefix the first state that decides the matter is enough. Length is counted in moves of the scheduler: an atomic sequence,
//! a d_step or a handshake is one. The work is bounded; if the bound is met, the result is the
//! best so far and does not claim to be the shortest.

use super::graph::{Bounds, Measure, least_lasso, least_prefix};
use super::named::named;
use super::{Finding, Monitor, Problem, Violation, Witness};
use crate::property::Fairness;
use crate::system::System;

named! {
    /// How good a counterexample is.
    pub enum Quality {
        /// There is no shorter one.
        Shortest = "shortest",
        /// There is no shorter one in which fairness can be seen by counting rounds; but there may be a fair one.
        ByRounds = "shortest-by-rounds",
        /// There was too much to look at, or it cannot be told.
        BestSoFar = "best-so-far",
    }
}

/// A counterexample that is not longer than that of the finding; `None` if its kind cannot be shortened here.
pub fn shorten<S: System>(problem: &Problem<S>, finding: &Finding, monitor: &Monitor) -> Option<(Witness, Quality)> {
    let length = finding.witness.sights.len() as u32;
    let bounds = Bounds {
        length,
        measure: Measure::Moves,
        nodes: usize::MAX,
        bytes: u64::MAX,
        successors: u64::MAX,
        edges: 50_000_000,
        work: 500_000_000,
        may_move: |_| true,
    };
    let least = match finding.violation {
        Violation::AcceptanceCycle | Violation::NonProgressCycle => least_lasso(problem, &bounds, monitor)?,
        Violation::ClaimCompleted => least_prefix(problem, finding.violation, &bounds, monitor)?,
        _ => return None,
    };
    let quality = match problem.fairness {
        _ if !least.complete => Quality::BestSoFar,
        Fairness::Weak if finding.violation != Violation::ClaimCompleted => Quality::ByRounds,
        _ => Quality::Shortest,
    };
    let better = least.path.and_then(|path| path.finding(problem)).map(|better| better.witness);
    // fewer moves may be more steps: unless it is known to be a shortest one, that is no gain
    let better = better.filter(|better| least.complete || better.length() < finding.witness.length());
    Some((better.unwrap_or_else(|| finding.witness.clone()), quality))
}
