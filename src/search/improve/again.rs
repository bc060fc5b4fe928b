//! Shorter trails by looking again.
//!
//! Ants that have found a violation among many processes find another one much sooner among the few that it takes, and
//! what they find may lose more of its moves than the first one did. They look among all processes, too: other ones may have
//! less to do.

use super::eliminate::without_needless_moves;
use super::{Effort, without_loops};
use crate::search::Monitor;
use crate::search::guide::{Guide, Heuristic};
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::search::walk::ants::{Ants, aco, aco_live};
use crate::search::walk::walker::{Walker, Watch};
use crate::search::walk::{Budget, Traces};
use crate::system::System;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How often they look.
const TRIES: u64 = 6;
/// States expanded each time.
const LOOKS: u64 = 20_000;
/// Successors of a state, as assumed in advance.
const SUCCESSORS: u64 = 8;

/// A path of the same length or shorter, with a violation of the same kind.
pub fn looked_again<S: System>(problem: &Problem<S>, path: Path, effort: &Effort, monitor: &Monitor) -> Path {
    let (program, claim) = (problem.system.program(), problem.claim);
    let heuristic = if path.cycle.is_some() { Heuristic::Lasso } else { Heuristic::Error };
    let guide = Guide::new(program, claim, heuristic, None);
    let back = Guide::new(program, None, Heuristic::Fsm, None);
    let mut best = path;
    for seed in 0..TRIES {
        let looks = LOOKS.min(effort.left() / SUCCESSORS);
        if looks == 0 || monitor.is_out_of_time() {
            break;
        }
        let monitor = monitor.evaluating(looks);
        // to walk along it is work, too
        effort.spend(best.states.len() as u64 * SUCCESSORS);
        let Some((length, awake)) = best.length(problem).zip(best.processes(problem)) else { break };
        let watch = if best.cycle.is_some() { Watch::Cycles } else { Watch::Path };
        let Ok(walker) = Walker::new(problem, watch) else { break };
        // every other time all of them may move: a few others may do better than these
        let mut walker = if seed % 2 == 0 { walker.with_awake(awake) } else { walker };
        let (mut random, budget) = (Xoshiro256PlusPlus::seed_from_u64(seed), Budget::of(&monitor));
        let (ants, mut traces) = (Ants::default(), Traces::default());
        let found = match best.cycle {
            Some(_) => aco_live(&mut walker, &ants, (&guide, &back), &mut random, &budget, &mut traces),
            None => aco(&mut walker, &ants, &guide, &mut random, &budget, &mut traces),
        };
        effort.spend(walker.effort);
        let other = found.ok().flatten().and_then(|found| Path::of(problem, &found));
        let other = other.filter(|other| other.wrong.violation == best.wrong.violation);
        let other = other.map(|other| without_needless_moves(problem, without_loops(problem, other), effort, &monitor));
        if let Some(other) = other.filter(|other| other.length(problem).is_some_and(|other| other < length)) {
            best = other;
        }
    }
    best
}
