//! What a reduced search that is complete has left out, looked at once more when assertions are on: the promise of its proviso.
//!
//! The reduced graph has the stored states that can be reached; from an expanded one all successors are followed, from another one
//! those in its stubborn set. Then
//!
//! ```text
//! from every state an expanded one can be reached by invisible steps, however the claim moves
//! every cycle has an expanded state, if the proviso is one for cycles
//! ```
//! and every successor that is followed is stored, and decided about. A search with a queue has no statuses: a state of which all successors
//! are stored is as good as expanded.
//!
//! A search that was stopped is not looked at. If it was stopped inside its last expansions it does not know it yet; the cutoff of its system
//! does.

use super::proviso::Proviso;
use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::{Problem, Tally};
use crate::store::statuses::Status;
use crate::store::{StateId, Visited};
use crate::system::{Batch, Entry, Outcome, Run, System};
use rustc_hash::FxHashMap;

/// Graphs with more states are not looked at.
const MOST: usize = 100_000;

/// Panics if the search has broken its promise. `status` is what it has decided about states.
pub fn audit<S: System>(
    problem: &Problem<S>,
    proviso: Proviso,
    visited: &impl Visited,
    tally: &Tally,
    status: impl Fn(StateId) -> Status,
) {
    let was_cut_off = problem.system.cutoff().halted().is_some();
    let is_complete = tally.reduced && tally.is_unfinished() && !tally.is_violated() && !was_cut_off;
    // where states do not tell all, they cannot be expanded once more
    let is_plain = problem.system.remembers_endings() && problem.system.hidden_words() == 0;
    let Some(reduction) = problem.reduction.as_ref().filter(|_| is_complete && is_plain) else { return };
    let Some(graph) = Graph::of(problem, reduction, proviso, visited, status) else { return };
    let lost = graph.cut_off();
    assert!(lost.is_empty(), "{}: no expanded state behind {} states", proviso.name(), lost.len());
    if proviso.is_for_cycles() {
        let left = graph.on_reduced_cycles();
        assert!(
            left.is_empty(),
            "{}: {} states on or between cycles without expanded ones",
            proviso.name(),
            left.len()
        );
    }
}

/// The graph that was explored.
#[derive(Default)]
struct Graph {
    edges: Vec<Vec<Edge>>,
    expanded: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Edge {
    target: usize,
    /// The claim's state there.
    claim: u32,
    visible: bool,
}

impl Graph {
    /// `None` if it is too large, or cannot be expanded once more because of a limit. Panics if it was not explored to the end.
    fn of<S: System>(
        problem: &Problem<S>,
        reduction: &Reduction,
        proviso: Proviso,
        visited: &impl Visited,
        status: impl Fn(StateId) -> Status,
    ) -> Option<Graph> {
        let mut scratch = problem.system.scratch();
        let mut chooser = Chooser::new(reduction);
        let mut batch = Batch::default();
        let find = |words: &[u64]| visited.get(words, visited.hash(words));
        let initial = find(&problem.system.initial(&mut scratch).ok()?);
        let mut states = vec![initial.unwrap_or_else(|| panic!("{}: the first state is not stored", proviso.name()))];
        let mut numbers = FxHashMap::from_iter([(states[0], 0)]);
        let mut graph = Graph::default();
        while let Some(&state) = states.get(graph.edges.len()) {
            let words = visited.copy(state);
            batch.clear();
            problem.system.successors(&words, Run::GoesOn, &mut scratch, &mut batch, |_| {});
            if states.len() > MOST || batch.entries.iter().any(|entry| entry.outcome == Outcome::Endless) {
                return None;
            }
            let choice = chooser.choose(reduction, &words, &batch, 0, &mut problem.system.observer(&mut scratch));
            let is_visible = |entry: &Entry| {
                choice == Choice::Some && batch.steps(entry).next().is_some_and(|step| chooser.is_visible(step))
            };
            let successors = batch.entries.iter().enumerate().filter(|(_, entry)| entry.outcome == Outcome::State);
            let found = successors.map(|(number, entry)| {
                let claim = problem.system.claim_state(batch.state(entry));
                (number, find(batch.state(entry)), claim, is_visible(entry))
            });
            let found: Vec<(usize, Option<StateId>, u32, bool)> = found.collect();
            let expanded = choice == Choice::All
                || match (proviso, status(state)) {
                    (Proviso::Queue, _) => found.iter().all(|(_, target, ..)| target.is_some()),
                    // not every other state is noted
                    (Proviso::SccPr19Safe | Proviso::BottomSafe, status) => status == Status::Expanded,
                    (_, Status::Unknown) => panic!("{}: a state is left undecided", proviso.name()),
                    (_, status) => status == Status::Expanded,
                };
            let mut targets = Vec::new();
            let followed = found.into_iter().filter(|&(number, ..)| expanded || chooser.keeps(number));
            for (_, target, claim, visible) in followed {
                let Some(target) = target else {
                    panic!("{}: a successor that is followed is not stored", proviso.name());
                };
                let new = states.len();
                let number = *numbers.entry(target).or_insert(new);
                if number == new {
                    states.push(target);
                }
                targets.push(Edge { target: number, claim, visible });
            }
            graph.edges.push(targets);
            graph.expanded.push(expanded);
        }
        Some(graph)
    }

    /// The states from which no expanded one need be reached by invisible steps if the claim moves as it likes.
    fn cut_off(&self) -> Vec<usize> {
        let mut before = vec![Vec::new(); self.edges.len()];
        // by state: where the claim may move and no good successor is known yet
        let mut open: Vec<Vec<u32>> = Vec::new();
        for (source, edges) in self.edges.iter().enumerate() {
            let mut claims: Vec<u32> = edges.iter().map(|edge| edge.claim).collect();
            claims.sort_unstable();
            claims.dedup();
            open.push(claims);
            let invisible = edges.iter().filter(|edge| !edge.visible);
            invisible.for_each(|edge| before[edge.target].push((source, edge.claim)));
        }
        let mut reaches = self.expanded.clone();
        let mut todo: Vec<usize> = (0..reaches.len()).filter(|&state| reaches[state]).collect();
        while let Some(state) = todo.pop() {
            for &(source, claim) in &before[state] {
                open[source].retain(|&waiting| waiting != claim);
                if open[source].is_empty() && !std::mem::replace(&mut reaches[source], true) {
                    todo.push(source);
                }
            }
        }
        (0..reaches.len()).filter(|&state| !reaches[state]).collect()
    }

    /// What is left when states without predecessors are taken away again and again from those that are not expanded.
    fn on_reduced_cycles(&self) -> Vec<usize> {
        let mut left: Vec<bool> = self.expanded.iter().map(|expanded| !expanded).collect();
        let mut predecessors = vec![0; self.edges.len()];
        let reduced = |left: &[bool]| (0..left.len()).filter(|&state| left[state]).collect::<Vec<usize>>();
        for source in reduced(&left) {
            self.edges[source].iter().for_each(|edge| predecessors[edge.target] += 1);
        }
        let mut todo = reduced(&left);
        todo.retain(|&state| predecessors[state] == 0);
        while let Some(state) = todo.pop() {
            left[state] = false;
            for &Edge { target, .. } in &self.edges[state] {
                predecessors[target] -= 1;
                if left[target] && predecessors[target] == 0 {
                    todo.push(target);
                }
            }
        }
        reduced(&left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::search::catalogue::DFS;
    use crate::search::{Checks, Config};
    use crate::source::Source;
    use crate::store::{Own, Store};
    use crate::syntax::preprocess::Options;
    use crate::system::{Cutoff, Interpreter};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// Audits a search that claims to be complete but has stored the first `stored` states only.
    fn audit_part(stored: usize, cutoff: Cutoff) {
        let text =
            "byte g; active proctype p() { byte x; x = 1; x = 2; g = 1 } active proctype q() { byte y; y = 1; g = 2 }";
        let program = load::program(Source::new("p.pml", text), &Options::default()).expect("a model").it;
        let reduction = Reduction::new(&program).expect("a model that can be reduced");
        let system = Interpreter::new(&program).within(cutoff);
        let problem = Problem::of_safety(system, Checks::default()).with_reduction(Some(reduction));
        let mut tally = Tally::new(Config::of(&DFS), problem.checks);
        tally.reduced = true;
        let mut store = Store::new(0, &Cutoff::default()).expect("memory");
        // all states, as they are found
        let plain = Interpreter::new(&program);
        let mut scratch = plain.scratch();
        let mut todo = vec![plain.initial(&mut scratch).expect("a state")];
        while let Some(state) = todo.pop()
            && (store.len() as usize) < stored
        {
            let hash = store.hash(&state);
            if store.insert(&state, hash, 0).expect("room").new {
                let mut batch = Batch::default();
                plain.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
                todo.extend(batch.entries.iter().map(|entry| batch.state(entry).to_vec()));
            }
        }
        audit(&problem, Proviso::Pr19Safe, &store, &tally, |_| Status::Expanded);
    }

    #[test]
    fn all_states_are_enough() {
        audit_part(usize::MAX, Cutoff::default());
    }

    #[test]
    #[should_panic(expected = "a successor that is followed is not stored")]
    fn a_state_that_is_missing_is_found() {
        audit_part(4, Cutoff::default());
    }

    #[test]
    fn what_a_stop_has_cut_off_is_not_looked_at() {
        let stop = Arc::new(AtomicBool::new(true));
        let cutoff = Cutoff::new(vec![stop], crate::machine::Instant::now(), None, None);
        assert!(cutoff.poll());
        audit_part(4, cutoff);
    }

    fn graph(edges: &[&[usize]], expanded: &[usize]) -> Graph {
        let expanded = (0..edges.len()).map(|state| expanded.contains(&state)).collect();
        let edge = |&target: &usize| Edge { target, claim: 0, visible: false };
        Graph { edges: edges.iter().map(|targets| targets.iter().map(edge).collect()).collect(), expanded }
    }

    #[test]
    fn a_cycle_without_an_expanded_state_is_found() {
        let edges: &[&[usize]] = &[&[1], &[2], &[1, 3], &[3]];
        assert!(graph(edges, &[1, 3]).on_reduced_cycles().is_empty());
        assert_eq!(graph(edges, &[0, 1]).on_reduced_cycles(), [3], "an edge to itself");
        assert_eq!(graph(edges, &[0, 3]).on_reduced_cycles(), [1, 2]);
    }

    #[test]
    fn a_state_that_leads_to_no_expanded_one_is_found() {
        let edges: &[&[usize]] = &[&[1, 3], &[2], &[1], &[3]];
        assert!(graph(edges, &[1, 3]).cut_off().is_empty());
        assert_eq!(graph(edges, &[3]).cut_off(), [1, 2]);
    }

    #[test]
    fn the_claim_and_what_it_sees_may_be_in_the_way() {
        let edges: &[&[usize]] = &[&[0, 1], &[1]];
        let with = |change: fn(&mut Edge)| {
            let mut graph = graph(edges, &[1]);
            change(&mut graph.edges[0][1]);
            graph.cut_off()
        };
        assert!(with(|_| {}).is_empty());
        assert_eq!(with(|edge| edge.claim = 1), [0], "it may stay where it is");
        assert_eq!(with(|edge| edge.visible = true), [0], "it may be in the way");
    }
}
