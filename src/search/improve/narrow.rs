//! Shorter trails with fewer movers.
//!
//! Here the shortest trail is looked for in a graph in which only some steps may be taken: first those transitions that the
//! known trail takes, then everything that its processes can do. Such a graph may be small enough for that.

use super::Effort;
use crate::search::Monitor;
use crate::search::graph::{Bounds, Measure, least_lasso, least_prefix};
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::system::Step;
use crate::system::System;

/// States, edges and edges looked at again in a graph of known transitions.
const NARROW: [usize; 3] = [20_000, 200_000, 2_000_000];
/// The same in a graph of all that some processes do.
const WIDE: [usize; 3] = [100_000, 1_000_000, 20_000_000];

/// Looking at an edge again is this many times as fast as producing a successor.
const GLANCES: u64 = 16;

/// For the states of one graph: ants need little memory, and what they find is not to need much more.
const BYTES: u64 = 24 << 20;

/// A path of the same length or shorter, with a violation of the same kind.
pub fn narrowed<S: System>(problem: &Problem<S>, path: Path, effort: &Effort, monitor: &Monitor) -> Path {
    let mut best = path;
    let Some(known) = best.movers(problem) else { return best };
    improve(problem, &mut best, NARROW, |step| step.movers().all(|mover| known.contains(&mover)), effort, monitor);
    let Some(awake) = best.processes(problem) else { return best };
    improve(problem, &mut best, WIDE, |step| step.movers().all(|(pid, _)| awake.contains(&pid)), effort, monitor);
    best
}

/// Replaces a path by a shorter one, if there is one in which only some steps are taken.
fn improve<S: System>(
    problem: &Problem<S>,
    best: &mut Path,
    [nodes, edges, work]: [usize; 3],
    may_move: impl Fn(Step) -> bool,
    effort: &Effort,
    monitor: &Monitor,
) {
    let Some(length) = best.length(problem).map(|length| length as u32) else { return };
    let (successors, again) = (effort.left(), effort.left().saturating_mul(GLANCES) as usize);
    let work = work.min(again);
    let bounds = Bounds { length, measure: Measure::Steps, nodes, bytes: BYTES, successors, edges, work, may_move };
    let least = match best.cycle {
        Some(_) => least_lasso(problem, &bounds, monitor),
        None => least_prefix(problem, best.wrong.violation, &bounds, monitor),
    };
    if let Some(least) = &least {
        effort.spend(least.successors + least.work as u64 / GLANCES);
    }
    if let Some(path) = least.and_then(|least| least.path) {
        *best = path;
    }
}
