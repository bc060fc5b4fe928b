//! The rest of a run from a state that a worker from an artificial state has marked to the violation behind it.

use super::dfs::DEADLOCK_GP;
use crate::search::expand::Expansion;
use crate::search::problem::{Problem, Wrong};
use crate::store::{StateId, States, Visited, Writer};
use crate::system::{Run, System};
use rustc_hash::FxHashSet;

/// Searches from a marked state, through marked states only, for one where something is wrong, as in section 5.1.4 of
/// the paper. The states on the way are added to `path`; the successors of the last one are left in `successors`.
pub fn doomed<S: System>(
    problem: &Problem<S>,
    writer: &Writer,
    successors: &mut Expansion<S>,
    from: StateId,
    path: &mut Vec<StateId>,
) -> Option<Wrong> {
    let mut seen = FxHashSet::from_iter([from]);
    let mut open: Vec<Vec<StateId>> = vec![vec![from]];
    while let Some(choices) = open.last_mut() {
        let Some(state) = choices.pop() else {
            open.pop();
            if !open.is_empty() {
                path.pop();
            }
            continue;
        };
        path.push(state);
        successors.expand(&problem.system, state, Run::GoesOn, writer);
        let Expansion { batch, source, scratch, .. } = &mut *successors;
        if let Some(wrong) = problem.wrong(writer.recall(state, source), batch, scratch) {
            return Some(wrong);
        }
        successors.arrange(0, |_| true);
        let known = successors.states().filter_map(|(entry, hash)| writer.get(successors.batch.state(entry), hash));
        let marked = known.filter(|&next| writer.note(next) & DEADLOCK_GP != 0);
        open.push(marked.filter(|&next| seen.insert(next)).collect());
    }
    None
}
