//! Shorter trails by leaving moves out.
//!
//! Much of what happens in a run that was found by chance has nothing to do with what goes wrong. Here a part of its moves is
//! left out, and with them all later ones that are impossible then; if the run still goes wrong in the same way, it was
//! not needed: first all moves of a process, then longer and shorter stretches, at last single moves.
//!
//! Action elimination: Nakhost, Müller, Action elimination and plan neighborhood graph search, ICAPS 2010; stretches as in
//! Zeller, Hildebrandt, Simplifying and isolating failure-inducing input, 2002. Differs from the papers: a cycle is gone
//! through some times, because a shorter one may close later than the known one did.

use super::Effort;
use crate::search::Monitor;
use crate::search::path::{Path, same};
use crate::search::problem::Problem;
use crate::search::walk::Found;
use crate::search::walk::walker::{View, Walker, Watch};
use crate::system::{Step, System};

/// Successors produced in all, whatever the effort may be.
const MOST: u64 = 10_000_000;
/// How often the moves of a cycle are tried.
const ROUNDS: usize = 3;

/// A path of the same length or shorter, with a violation of the same kind.
pub fn without_needless_moves<S: System>(problem: &Problem<S>, path: Path, effort: &Effort, monitor: &Monitor) -> Path {
    let watch = if path.cycle.is_some() { Watch::Cycles } else { Watch::Path };
    let Ok(walker) = Walker::new(problem, watch) else { return path };
    let mut trial = Trial { walker, wanted: &path, most: effort.left().min(MOST), monitor, is_over: false };
    let Some(known) = trial.known() else { return path };
    let mut best = known;
    loop {
        let before = best.length;
        trial.without_processes(&mut best);
        let mut size = best.moves.len() / 2;
        while size > 0 {
            trial.without_stretches(&mut best, size);
            size /= 2;
        }
        trial.without_pairs(&mut best);
        if best.length == before || trial.is_over {
            break;
        }
    }
    effort.spend(trial.walker.effort);
    let better = best.found.as_ref().and_then(|found| Path::of(problem, found));
    better.unwrap_or(path)
}

/// A move as it can be known again in another state.
#[derive(Clone, Debug, PartialEq)]
struct Move {
    steps: Vec<Step>,
    /// Where the claim goes.
    claim: u32,
}

/// A run by its moves.
#[derive(Clone, Debug)]
struct Run {
    moves: Vec<Move>,
    /// Where the cycle starts.
    cycle: Option<usize>,
    /// Steps as SPIN counts them.
    length: usize,
    /// Its choices, unless it is the path that was there from the start.
    found: Option<Found>,
}

struct Trial<'t, S: System> {
    walker: Walker<'t, S>,
    wanted: &'t Path,
    /// Successors that may be produced.
    most: u64,
    monitor: &'t Monitor,
    /// A limit is met.
    is_over: bool,
}

impl<S: System> Trial<'_, S> {
    /// The moves of the path.
    fn known(&mut self) -> Option<Run> {
        let hidden = self.walker.problem.system.hidden_words();
        let mut moves = Vec::new();
        let mut length = 0;
        self.walker.restart();
        for pair in 1..self.wanted.states.len() {
            // what the walker sees besides its successors is not of interest here
            self.walker.look();
            let target = &self.wanted.states[pair];
            let option = (0..self.walker.options()).find(|&option| same(self.walker.state(option), target, hidden))?;
            moves.push(self.move_of(option));
            length += self.walker.length(option);
            self.walker.take(option);
        }
        Some(Run { moves, cycle: self.wanted.cycle, length, found: None })
    }

    fn move_of(&self, option: usize) -> Move {
        let claim = self.walker.problem.system.claim_state(self.walker.state(option));
        Move { steps: self.walker.steps(option).collect(), claim }
    }

    /// Leaves out all moves of one process after the other.
    fn without_processes(&mut self, best: &mut Run) {
        let mut processes: Vec<u32> = best.moves.iter().map(|each| each.steps[0].pid).collect();
        processes.sort_unstable();
        processes.dedup();
        for pid in processes {
            self.attempt(best, |_, each| each.steps[0].pid != pid);
        }
    }

    /// Leaves out one stretch of `size` moves after the other, from the end on.
    fn without_stretches(&mut self, best: &mut Run, size: usize) {
        let mut end = best.moves.len();
        while end > 0 && !self.is_over {
            let start = end.saturating_sub(size);
            self.attempt(best, |number, _| !(start..end).contains(&number));
            end = start.min(best.moves.len());
        }
    }

    /// Leaves out two moves at a time: what one process has sent and another one has received.
    fn without_pairs(&mut self, best: &mut Run) {
        let mut second = best.moves.len();
        while second > 1 && !self.is_over {
            second -= 1;
            let mut first = second;
            while first > 0 && second < best.moves.len() && !self.is_over {
                first -= 1;
                self.attempt(best, |number, _| number != first && number != second);
            }
        }
    }

    /// Replaces a run by what is left of it with some of its moves, if that is shorter and goes wrong in the same way.
    fn attempt(&mut self, best: &mut Run, keeps: impl Fn(usize, &Move) -> bool) {
        let walker = &self.walker;
        self.is_over |= walker.effort >= self.most || self.monitor.check(walker.looks, 0, walker.memory()).is_err();
        if !self.is_over
            && let Some(shorter) = self.walk(best, keeps)
        {
            *best = shorter;
        }
    }

    fn walk(&mut self, run: &Run, keeps: impl Fn(usize, &Move) -> bool) -> Option<Run> {
        let all = 0..run.moves.len();
        let again = run.cycle.unwrap_or(all.end)..all.end;
        let rounds = std::iter::repeat_n(again, ROUNDS - 1).flatten();
        let mut order = all.chain(rounds).filter(|&number| keeps(number, &run.moves[number]));
        let mut moves = Vec::new();
        let mut length = 0;
        self.walker.restart();
        while length < run.length {
            match self.walker.look() {
                View::Successors(0) => return None,
                View::Successors(_) => {}
                View::Wrong(wrong) => {
                    let fits = run.cycle.is_none() && wrong.violation == self.wanted.wrong.violation;
                    let found = Some(Found::wrong(&self.walker.place, wrong));
                    return fits.then_some(Run { moves, cycle: None, length, found });
                }
                View::Cycle { option, start } => {
                    moves.push(self.move_of(option));
                    length += self.walker.length(option);
                    let found = Some(self.walker.closed(option, start));
                    return (length < run.length).then_some(Run { moves, cycle: Some(start), length, found });
                }
            }
            let option = order.find_map(|number| self.possible(&run.moves[number]))?;
            moves.push(self.move_of(option));
            length += self.walker.length(option);
            self.walker.take(option);
        }
        None
    }

    /// The successor by a move like this: with the same statement first, by the same process or else by another one of its
    /// kind, and as much alike as can be.
    fn possible(&self, known: &Move) -> Option<usize> {
        let first = &known.steps[0];
        let alike = |&option: &usize| {
            let same_steps = self.walker.steps(option).eq(known.steps.iter().copied());
            let claim = self.walker.problem.system.claim_state(self.walker.state(option));
            let same_process = self.walker.mover(option) == first.pid;
            (same_process, claim == known.claim, same_steps)
        };
        let starts_so = |option: &usize| {
            let step = self.walker.steps(*option).next();
            step.is_some_and(|step| step.transition == first.transition)
        };
        (0..self.walker.options()).filter(starts_so).rev().max_by_key(alike)
    }
}
