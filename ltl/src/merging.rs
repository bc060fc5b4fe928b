//! Merging states that no local comparison can, with the automaton of the negation as the judge.
//!
//! Putting two states together, with the edges and the acceptance of both, never loses a word: every run is still
//! there. It may add words; then and only then does the result meet the automaton of ¬φ. So every pair can be tried, and
//! whatever passes is right. Simulation finds most pairs more cheaply; this finds the rest, and costs a product per pair.
//!
//! ```text
//! for each pair (p, q) of states of A:
//!   B ← A with q's edges given to p, all edges to q led to p, p accepting if p or q was
//!   if B × A_¬φ accepts nothing: A ← B
//! ```
//!
//! Differs from the literature, where delayed simulation (Etessami, Wilke, Schuller, SIAM J. Comput. 2005) and its
//! relatives find some of these pairs: with the negation at hand the check is exact, so they are not needed.

use crate::automaton::{Marks, State};
use crate::bdd::Bdds;
use crate::emptiness::disjoint;
use crate::graph::{Arc, Graph};

/// Merges pairs of states of a Büchi automaton with acceptance on states for as long as it stays disjoint from
/// `negation` and the budget, counted in pairs of edges, lasts.
pub fn merge(graph: &mut Graph, negation: &Graph, budget: &mut usize, bdds: &mut Bdds) {
    let cost = graph.arc_count() * negation.arc_count();
    let mut first = 0;
    while first < graph.state_count() {
        let mut second = first + 1;
        while second < graph.state_count() {
            let Some(left) = budget.checked_sub(cost).filter(|_| !bdds.is_stopped()) else { return };
            *budget = left;
            let candidate = merged(graph, first, second, bdds);
            if disjoint(&candidate, negation, usize::MAX, bdds) == Some(true) {
                *graph = candidate;
                second = first + 1;
            } else {
                second += 1;
            }
        }
        first += 1;
    }
    graph.renumber();
}

/// `second` becomes part of `first`.
fn merged(graph: &Graph, first: State, second: State, bdds: &mut Bdds) -> Graph {
    let new = |state: State| match state {
        _ if state == second => first,
        _ if state > second => state - 1,
        _ => state,
    };
    let mut arcs: Vec<Vec<Arc>> = graph.arcs.clone();
    let more = arcs.remove(second);
    arcs[first].extend(more);
    let marks = arcs[first].iter().fold(Marks::NONE, |all, arc| all.with(arc.marks));
    arcs[first].iter_mut().for_each(|arc| arc.marks = marks);
    arcs.iter_mut().flatten().for_each(|arc| arc.target = new(arc.target));
    let mut merged = Graph { sets: graph.sets, initial: new(graph.initial), arcs };
    merged.tidy(bdds);
    merged
}
