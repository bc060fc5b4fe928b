//! Simulation: states that can do whatever others can.
//!
//! `q` simulates `p` if every move of `p` can be answered by `q`, with the same letter and at least the same marks, such
//! that the answers can go on forever; then `q` accepts whatever `p` accepts. States that simulate each other become
//! one, and an edge to a state is left out if a sibling leads, with its letters and marks, to one that simulates it. Backward
//! simulation does the same for the past.
//!
//! An automaton that is too large for this is reduced by bisimulation at least.
//!
//! Etessami, Wilke, Schuller, Fair simulation relations, parity games, and state space reduction for Büchi automata,
//! SIAM J. Comput. 2005 (direct simulation); Babiak, Badie, Duret-Lutz, Křetínský, Strejček, Compositional approach to
//! suspension and other improvements to LTL translation, SPIN 2013 (on transition-based generalised automata, labels in bulk).
//!
//! ```text
//! R ← all pairs
//! repeat until nothing changes:
//!   remove (p, q) from R if for some edge p –l,m→ p'
//!     the labels of q's edges q –l',m'→ q' with m ⊆ m' and (p', q') in R do not cover l
//! ```
//!
//! Differs from the papers: edges between components are taken finitely often, so their marks do not matter. We try both
//! all marks and none on them ([`Passing`]); a class is represented by its member in the lowest component (backward: in the
//! highest), so that none of these edges ends up on a cycle.

use crate::automaton::{Marks, State};
use crate::bdd::{self, Bdd, Bdds};
use crate::graph::{Arc, Components, Graph};
use rustc_hash::FxHashMap;

/// Where acceptance sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Any edge may have any marks.
    OnEdges,
    /// All edges that leave a state have the same marks.
    OnStates,
}

/// Beyond this many comparisons of edges, a round of simulation does not pay.
const MAX_WORK: usize = 4_000_000;

/// Pairs of states.
struct Relation {
    states: usize,
    pairs: Vec<bool>,
}

impl Relation {
    fn full(states: usize) -> Relation {
        Relation { states, pairs: vec![true; states * states] }
    }

    /// The second simulates the first.
    fn holds(&self, first: State, second: State) -> bool {
        self.pairs[first * self.states + second]
    }

    fn remove(&mut self, first: State, second: State) {
        self.pairs[first * self.states + second] = false;
    }

    fn equivalent(&self, first: State, second: State) -> bool {
        self.holds(first, second) && self.holds(second, first)
    }
}

/// What edges that lie on no cycle are marked with while states are compared. It must be the same for moves and for
/// answers: otherwise `q` could answer `p`, and `p` another state, that `q` cannot answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// They count as if they had all marks.
    AllMarks,
    /// They count as if they had none.
    NoMarks,
}

/// A move in the game: `label` and `marks` to (or, backwards, from) `state`.
struct Step {
    label: Bdd,
    marks: Marks,
    state: State,
}

/// Makes the automaton smaller by simulation in both directions until nothing changes.
pub fn reduce(graph: &mut Graph, acceptance: Acceptance, bdds: &mut Bdds) {
    if too_much(graph) {
        bisimulate(graph, bdds);
    }
    while !bdds.is_stopped() {
        let size = (graph.state_count(), graph.arc_count());
        for passing in [Passing::AllMarks, Passing::NoMarks] {
            forward(graph, passing, bdds);
            backward(graph, acceptance, passing, bdds);
        }
        if (graph.state_count(), graph.arc_count()) == size {
            return;
        }
    }
}

/// Merges states with the same moves to the same classes: less than simulation does, and little work. Classes are refined
/// until nothing changes, as in Moore's minimisation.
pub fn bisimulate(graph: &mut Graph, bdds: &mut Bdds) {
    let mut class = vec![0; graph.state_count()];
    let mut count = 1;
    loop {
        let mut quotient = graph.clone();
        quotient.arcs.iter_mut().flatten().for_each(|arc| arc.target = class[arc.target]);
        quotient.tidy(bdds);
        let mut numbers: FxHashMap<Vec<Arc>, usize> = FxHashMap::default();
        for (state, moves) in quotient.arcs.into_iter().enumerate() {
            let next = numbers.len();
            class[state] = *numbers.entry(moves).or_insert(next);
        }
        if numbers.len() == count || !bdds.poll(0) {
            count = numbers.len();
            break;
        }
        count = numbers.len();
    }
    let mut leader = vec![usize::MAX; count];
    for (state, &class) in class.iter().enumerate().rev() {
        leader[class] = state;
    }
    graph.arcs.iter_mut().flatten().for_each(|arc| arc.target = leader[class[arc.target]]);
    graph.initial = leader[class[graph.initial]];
    graph.tidy(bdds);
    graph.renumber();
}

fn too_much(graph: &Graph) -> bool {
    graph.arc_count().saturating_mul(graph.arc_count()) > MAX_WORK
}

/// Merges states that simulate each other, and prunes edges.
pub fn forward(graph: &mut Graph, passing: Passing, bdds: &mut Bdds) {
    if too_much(graph) {
        return;
    }
    let components = Components::of(graph);
    let mut moves: Vec<Vec<Step>> = Vec::new();
    for (state, arcs) in graph.arcs.iter().enumerate() {
        let step = |arc: &Arc| Step {
            label: arc.label,
            marks: marks(graph, &components, passing, state, arc),
            state: arc.target,
        };
        moves.push(arcs.iter().map(step).collect());
    }
    let relation = greatest(Relation::full(graph.state_count()), &moves, bdds);
    prune(graph, &moves, &relation, bdds);
    // the representative of a class: in the lowest component
    let leader = leaders(&relation, |state| components.of[state]);
    for arc in graph.arcs.iter_mut().flatten() {
        arc.target = leader[arc.target];
    }
    graph.initial = leader[graph.initial];
    graph.tidy(bdds);
    graph.renumber();
}

/// Merges states that simulate each other backwards.
pub fn backward(graph: &mut Graph, acceptance: Acceptance, passing: Passing, bdds: &mut Bdds) {
    if too_much(graph) {
        return;
    }
    let components = Components::of(graph);
    let mut moves: Vec<Vec<Step>> = (0..graph.state_count()).map(|_| Vec::new()).collect();
    for (state, arcs) in graph.arcs.iter().enumerate() {
        for arc in arcs {
            let marks = marks(graph, &components, passing, state, arc);
            moves[arc.target].push(Step { label: arc.label, marks, state });
        }
    }
    let mut relation = Relation::full(graph.state_count());
    for second in (0..graph.state_count()).filter(|&second| second != graph.initial) {
        relation.remove(graph.initial, second);
    }
    if acceptance == Acceptance::OnStates {
        keep_apart(graph, &mut relation);
    }
    let relation = greatest(relation, &moves, bdds);
    let highest = components.members.len();
    let leader = leaders(&relation, |state| highest - components.of[state]);
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); graph.state_count()];
    for (state, own) in graph.arcs.iter().enumerate() {
        // of a class, the leader's incoming edges and the outgoing edges of all members
        arcs[leader[state]].extend(own.iter().filter(|arc| leader[arc.target] == arc.target));
    }
    graph.arcs = arcs;
    graph.initial = leader[graph.initial];
    graph.tidy(bdds);
    graph.renumber();
}

/// States with different marks have different successors in the past's eyes.
fn keep_apart(graph: &Graph, relation: &mut Relation) {
    let marks: Vec<Option<Marks>> = graph.arcs.iter().map(|arcs| arcs.first().map(|arc| arc.marks)).collect();
    for first in 0..graph.state_count() {
        for second in 0..graph.state_count() {
            if marks[first] != marks[second] {
                relation.remove(first, second);
            }
        }
    }
}

/// The marks of an edge for the purpose of comparing.
fn marks(graph: &Graph, components: &Components, passing: Passing, from: State, arc: &Arc) -> Marks {
    match passing {
        _ if components.same(from, arc.target) => arc.marks,
        Passing::AllMarks => Marks::all(graph.sets),
        Passing::NoMarks => Marks::NONE,
    }
}

/// The greatest simulation within `relation`.
fn greatest(mut relation: Relation, moves: &[Vec<Step>], bdds: &mut Bdds) -> Relation {
    loop {
        let mut changed = false;
        for first in 0..moves.len() {
            for second in 0..moves.len() {
                if first == second || !relation.holds(first, second) {
                    continue;
                }
                if !bdds.tick() {
                    return relation;
                }
                if !moves[first].iter().all(|step| answered(step, &moves[second], &relation, bdds)) {
                    relation.remove(first, second);
                    changed = true;
                }
            }
        }
        if !changed {
            return relation;
        }
    }
}

fn answered(step: &Step, answers: &[Step], relation: &Relation, bdds: &mut Bdds) -> bool {
    let mut open = step.label;
    for answer in answers {
        if answer.marks.contains(step.marks) && relation.holds(step.state, answer.state) {
            open = bdds.minus(open, answer.label);
            if open == bdd::FALSE {
                return true;
            }
        }
    }
    false
}

/// Takes letters from edges that a better sibling has, too.
fn prune(graph: &mut Graph, moves: &[Vec<Step>], relation: &Relation, bdds: &mut Bdds) {
    for (arcs, steps) in graph.arcs.iter_mut().zip(moves) {
        let as_good = |worse: usize, better: usize| {
            let (step, other) = (&steps[worse], &steps[better]);
            other.marks.contains(step.marks) && relation.holds(step.state, other.state)
        };
        for (worse, arc) in arcs.iter_mut().enumerate() {
            for other in (0..steps.len()).filter(|&other| other != worse) {
                // of two equally good ones the first stays
                if as_good(worse, other) && (!as_good(other, worse) || other < worse) {
                    arc.label = bdds.minus(arc.label, steps[other].label);
                }
            }
        }
    }
}

/// For every state the member of its class with the least rank, the first of several.
fn leaders(relation: &Relation, rank: impl Fn(State) -> usize) -> Vec<State> {
    let class = |state: State| (0..relation.states).filter(move |&other| relation.equivalent(state, other));
    (0..relation.states).map(|state| class(state).min_by_key(|&other| (rank(other), other)).unwrap_or(state)).collect()
}
