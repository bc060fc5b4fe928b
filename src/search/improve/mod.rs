//! Shorter trails: what a search that does not care for length has found, made shorter.
//!
//! ```text
//! loops are cut
//! moves that are not needed are left out                                     eliminate
//! ants look again, where only the remaining processes move                   again
//! the shortest run in which only the remaining processes move is looked for  narrow
//! a directed search looks for a shorter way to the end of a finite run       towards
//! ```
//!
//! Each of them has its part of the effort that the trail is worth, and none makes a trail longer.

mod again;
mod effort;
mod eliminate;
mod narrow;
mod towards;

use super::path::{Path, same};
use super::problem::Problem;
use super::{Finding, Monitor, Report, Verdict};
use crate::machine::Instant;
use crate::store::hash;
use crate::system::{Run, System};
pub use effort::Effort;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Moves of a trail that is worth the work, and bytes for its states.
const MOST_MOVES: usize = 100_000;
const MOST_BYTES: usize = 1 << 26;
/// Copies of the states of a trail, or of something as large, that may be in memory at once.
const COPIES: usize = 8;

/// How often a trail is walked along, at least, until it is known whether there is a shorter one. It matters where one
/// step takes a second: there must be time for that and for the replay.
const WALKS: u32 = 16;

/// The effort is measured in states, so that the same is done every time. Where a step takes long shortening ends after this time, or after
/// half of the time that the search took.
const LONGEST: Duration = Duration::from_secs(3);

/// Makes the trails of a report shorter.
pub fn shorten<S: System>(problem: &Problem<S>, report: &mut Report, monitor: &Monitor) {
    let Verdict::Violated(first) = &mut report.verdict else { return };
    report.found_length = Some(first.witness.length());
    let effort = Effort::after(report.counts.transitions());
    // each of several findings must stay the same violation
    let likeness = if report.further.is_empty() { Likeness::Kind } else { Likeness::Identity };
    let mut left = 1 + report.further.len() as u64;
    for finding in std::iter::once(&mut **first).chain(&mut report.further) {
        effort.for_part(left, |effort| shorten_one(problem, finding, likeness, (effort, monitor)));
        left -= 1;
    }
}

/// Replaces a finding by one that is like it and shorter, if there is one.
fn shorten_one<S: System>(
    problem: &Problem<S>,
    finding: &mut Finding,
    likeness: Likeness,
    (effort, monitor): (&Effort, &Monitor),
) {
    if !is_worth_the_work(problem, finding.witness.sights.len(), monitor) {
        return;
    }
    // a run may go wrong before its end, too, where others go on
    let started = Instant::now();
    let path = Path::along(problem, finding).filter(|path| likeness == Likeness::Kind || ends_so(path, finding));
    if !monitor.has_time_for(started.elapsed() * WALKS) {
        return;
    }
    let better = path.and_then(|path| improved(problem, path, likeness, (effort, monitor)));
    if let Some(better) = better.filter(|better| better.witness.length() < finding.witness.length()) {
        *finding = better;
    }
}

/// What is wrong with a path is what the finding says.
fn ends_so(path: &Path, finding: &Finding) -> bool {
    let last = finding.witness.steps.last().map(|step| step.transition);
    let step = path.wrong.step.map(|step| step.transition);
    path.wrong.message == finding.message && (step.is_none() || step == last)
}

/// There is room for a trail with `moves` moves, and it is not too long to work on.
fn is_worth_the_work<S: System>(problem: &Problem<S>, moves: usize, monitor: &Monitor) -> bool {
    let mut scratch = problem.system.scratch();
    let Ok(initial) = problem.system.initial(&mut scratch) else { return false };
    let bytes = moves * (std::mem::size_of_val(&initial[..]) + std::mem::size_of::<Vec<u64>>());
    let limit = monitor.limits.memory.map_or(MOST_BYTES, |limit| MOST_BYTES.min(limit as usize / COPIES));
    moves <= MOST_MOVES && bytes <= limit
}

/// What a shorter trail has in common with a longer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The kind of violation.
    Kind,
    /// The violation itself, as [`Wrong::identity`](super::problem::Wrong::identity) has it.
    Identity,
}

/// A finding that is like a path, and no longer; `None` if there is no memory for it.
pub fn improved<S: System>(
    problem: &Problem<S>,
    path: Path,
    likeness: Likeness,
    (effort, monitor): (&Effort, &Monitor),
) -> Option<Finding> {
    // the trail must still be replayed in time
    let longest = LONGEST.max(monitor.progress().elapsed / 2);
    let monitor = &monitor.unpaced().for_half_the_time().for_at_most(longest);
    // what is hidden makes no difference between states, but it may make one for what follows
    if problem.system.hidden_words() > 0 {
        return path.finding(problem);
    }
    let is_like = |known: &Path, other: &Path| {
        likeness == Likeness::Kind || known.cycle.is_some() || known.identity(problem) == other.identity(problem)
    };
    let mut path = without_loops(problem, path);
    type Stage<'s> = &'s dyn Fn(Path, &Effort) -> Path;
    let stages: [Stage; 3] = [
        &|path, effort| eliminate::without_needless_moves(problem, path, effort, monitor),
        &|path, effort| again::looked_again(problem, path, effort, monitor),
        &|path, effort| narrow::narrowed(problem, path, effort, monitor),
    ];
    for shorter in stages {
        if monitor.is_out_of_time() {
            break;
        }
        let other = effort.for_part(2, |effort| shorter(path.clone(), effort));
        path = if is_like(&path, &other) { other } else { path };
    }
    let finding = path.finding(problem)?;
    if path.cycle.is_some() || !problem.system.remembers_endings() || monitor.is_out_of_time() {
        return Some(finding);
    }
    let other = towards::another(problem, &path, effort, monitor);
    let other = other.filter(|other| other.witness.length() < finding.witness.length());
    let other = other.filter(|other| {
        likeness == Likeness::Kind || Path::along(problem, other).is_some_and(|other| is_like(&path, &other))
    });
    Some(other.unwrap_or(finding))
}

/// Cuts what lies between two visits of the same state, in the prefix.
fn without_loops<S: System>(problem: &Problem<S>, mut path: Path) -> Path {
    let hidden = problem.system.hidden_words();
    let end = path.cycle.unwrap_or(path.states.len() - 1);
    let mut last_visit: FxHashMap<(u64, Run), usize> = FxHashMap::default();
    for at in 0..=end {
        last_visit.insert((hash(&path.states[at], hidden), path.runs[at]), at);
    }
    let mut keep: Vec<usize> = Vec::new();
    let mut at = 0;
    while at <= end {
        let again = last_visit[&(hash(&path.states[at], hidden), path.runs[at])];
        at = if same(&path.states[at], &path.states[again], hidden) { again } else { at };
        keep.push(at);
        at += 1;
    }
    let start = keep.len() - 1;
    keep.extend(end + 1..path.states.len());
    path.states = keep.iter().map(|&number| std::mem::take(&mut path.states[number])).collect();
    path.runs = keep.iter().map(|&number| path.runs[number]).collect();
    path.cycle = path.cycle.map(|_| start);
    path
}
