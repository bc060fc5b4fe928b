//! What nested depth-first searches have in common, by one worker (`ndfs`) or by many (`cndfs`): marks of states, cycles that are
//! certainly accepting, and how one is reported.

use super::stack::{Descent, Policy, Visit, states_of};
use crate::search::expand::Expansion;
use crate::search::witness::lasso;
use crate::store::{StateId, States, Visited};
use crate::system::{Run, System};
use ltl::scc::Class;

/// Marks of states; a search has others above them.
pub const ENTERED: u64 = 1;
pub const ACCEPTING: u64 = 2;
/// The run has ended, and the state does not tell.
pub const ENDED: u64 = 4;
/// The claim is in an F-component.
pub const ALL_ACCEPTING: u64 = 8;
/// The first mark that is free.
pub const FREE: u64 = 16;

/// Whether the classes of the claim's components are made use of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classes {
    Ignored,
    Used,
}

/// The marks of the state that was put on the path, for the worker that is the first to enter it.
pub fn marks<P: Policy>(on: &mut Descent<P>, visit: Visit<P::Edge>, classes: Classes) -> u64 {
    let Descent { system, visited, successors: Expansion { scratch, source, .. }, path, .. } = on;
    let words = visited.recall(visit.state, source);
    let accepting = system.is_accepting(words, scratch);
    let run = run_at(*system, visit, path.len() - 1);
    let all_accepting = classes == Classes::Used && system.class(words) == Class::F;
    ENTERED
        | if accepting { ACCEPTING } else { 0 }
        | if run == Run::Ended { ENDED } else { 0 }
        | if all_accepting { ALL_ACCEPTING } else { 0 }
}

/// Whether the run has ended in the state that an edge leads to. An edge without steps repeats the last state of a run that has ended,
/// unless it is the first one (`before` states are on the path in front of it) or the states themselves remember endings.
pub fn run_at<S: System, E>(system: &S, visit: Visit<E>, before: usize) -> Run {
    if visit.steps == 0 && before > 0 && !system.remembers_endings() { Run::Ended } else { Run::GoesOn }
}

/// Whether the run has ended in a state with this note.
#[inline(always)]
pub fn run(note: u64) -> Run {
    if note & ENDED == 0 { Run::GoesOn } else { Run::Ended }
}

/// The step from a state to one on the path closes a cycle that is certainly accepting.
pub fn closes<S: System>(system: &S, visited: &impl Visited, source: StateId, target: StateId) -> bool {
    let component = |state: StateId| system.component(visited.recall(state, &mut Vec::new()));
    let marked = (visited.note(source) | visited.note(target)) & ACCEPTING != 0;
    marked || visited.note(target) & ALL_ACCEPTING != 0 && component(source) == component(target)
}

/// Reports the cycle that leads from the end of the path over `back`, whose last state is on it.
pub fn report<P: Policy>(on: &mut Descent<P>, back: &[StateId]) {
    let Some(&target) = back.last() else { return };
    let Descent { problem, system, visited, successors: Expansion { scratch, .. }, path, tally, .. } = on;
    let witness = || {
        let mut path = states_of(path);
        let start = path.iter().rposition(|&state| state == target).unwrap_or(0);
        path.extend_from_slice(back);
        lasso(*system, visited, &path, start, scratch)
    };
    let cycle = problem.cycle();
    tally.violation(cycle.violation, cycle.message, witness);
}
