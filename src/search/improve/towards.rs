//! Shorter trails by a directed search towards the end of a known one.
//!
//! Trail improvement as in HSF-SPIN: Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN, SPIN 2001.
//! A* is guided by the sum of what each process needs on its own to where it is at the end (H_fsm). Differs from the paper:
//! whatever goes wrong in the same way on the way there will do, too.

use super::Effort;
use crate::search::catalogue::ASTAR;
use crate::search::directed::{Order, search};
use crate::search::guide::{Guide, Heuristic};
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::search::{Config, Finding, Monitor, Verdict};
use crate::store::Store;
use crate::system::System;

/// States that the search may store, whatever the effort may be.
const MOST: u64 = 100_000;
/// Successors of a state, as assumed in advance.
const SUCCESSORS: u64 = 4;

/// A violation of the same kind as that at the end of the path, which shows in a state.
pub fn another<S: System>(problem: &Problem<S>, path: &Path, effort: &Effort, monitor: &Monitor) -> Option<Finding> {
    let states = MOST.min(effort.left() / SUCCESSORS);
    if states == 0 {
        return None;
    }
    let guide = Guide::new(problem.system.program(), None, Heuristic::Fsm, None);
    let last = path.states.last()?;
    let estimate = |system: &S, state: &mut [u64], _: &mut _| guide.between(system.program(), state, last);
    let config = Config::of(&ASTAR);
    let tally = search::<S, Store>(problem, Order::AStar { weight: 1.0 }, &estimate, config, &monitor.within(states));
    effort.spend(tally.counts.transitions());
    match tally.report(problem.system.cutoff()).verdict {
        Verdict::Violated(finding) if finding.violation == path.wrong.violation => Some(*finding),
        _ => None,
    }
}
