//! Shorter trails with fewer movers.
//!
//! A walk lets many processes move that have nothing to do with what goes wrong. Here a trail is looked for with some of
//! them asleep: first only the transitions that the known trail takes may be taken, then those of one half of its
//! processes, of one quarter less, and so on (Zeller, Hildebrandt, Simplifying and isolating failure-inducing input, 2002);
//! at last everything that the remaining processes can do. What is left is a graph small enough for the shortest trail in
//! it to be found.

use crate::search::Monitor;
use crate::search::graph::{Bounds, Measure, least_lasso, least_prefix};
use crate::search::path::Path;
use crate::search::reach::Reach;
use crate::system::Step;
use rustc_hash::FxHashSet;

/// States, edges and edges looked at again in a graph of known transitions.
const NARROW: [usize; 3] = [20_000, 200_000, 2_000_000];
/// The same in a graph of all that some processes do.
const WIDE: [usize; 3] = [100_000, 1_000_000, 20_000_000];

/// A path that is no longer, with a violation of the same kind.
pub fn narrowed<R: Reach>(problem: &R, path: Path, monitor: &Monitor) -> Path {
    let mut best = path;
    let Some(moves) = Moves::of(problem, &best) else { return best };
    improve(problem, &mut best, NARROW, |step| moves.contains(step), monitor);
    let Some(moves) = Moves::of(problem, &best) else { return best };
    let awake = moves.processes();
    improve(problem, &mut best, WIDE, |step| movers(step).all(|(pid, _)| awake.contains(&pid)), monitor);
    best
}

/// Replaces a path by a shorter one, if there is one in which only some steps are taken.
fn improve<R: Reach>(
    problem: &R,
    best: &mut Path,
    [nodes, edges, work]: [usize; 3],
    may_move: impl Fn(Step) -> bool,
    monitor: &Monitor,
) {
    let may_move = |step| step == Step::STUTTER || may_move(step);
    let Some(length) = best.finding(problem).map(|finding| finding.witness.length() as u32) else { return };
    let bounds = Bounds { length, measure: Measure::Steps, nodes, edges, work, may_move };
    let least = match best.cycle {
        Some(_) => least_lasso(problem, &bounds, monitor),
        None => least_prefix(problem, best.wrong.violation, &bounds, monitor),
    };
    if let Some(path) = least.and_then(|least| least.path) {
        *best = path;
    }
}

/// The processes that move in a step, and their transitions.
fn movers(step: Step) -> impl Iterator<Item = (u32, u32)> {
    let receiver = step.receiver.map(|receiver| (receiver.pid, receiver.transition));
    [Some((step.pid, step.transition)), receiver].into_iter().flatten()
}

/// The transitions that are taken on a path.
struct Moves(FxHashSet<(u32, u32)>);

impl Moves {
    fn of<R: Reach>(problem: &R, path: &Path) -> Option<Moves> {
        let finding = path.finding(problem)?;
        Some(Moves(finding.witness.steps.into_iter().flat_map(movers).collect()))
    }

    fn contains(&self, step: Step) -> bool {
        movers(step).all(|mover| self.0.contains(&mover))
    }

    /// Those that move, in their order.
    fn processes(&self) -> Vec<u32> {
        let mut processes: Vec<u32> = self.0.iter().map(|&(pid, _)| pid).collect();
        processes.sort_unstable();
        processes.dedup();
        processes
    }
}
