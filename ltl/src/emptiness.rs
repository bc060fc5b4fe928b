//! Whether an automaton, or two of them together, accept a word, and which.
//!
//! A product has a pair of states for a state and the marks of both; a word is in both if an accepting component can
//! be reached. A word is found as a path to such a component and a tour of all its marks (Couvreur, On-the-fly
//! verification of linear temporal logic, FM 1999).
//!
//! ```text
//! product: (p, q) –l ∧ l', m ∪ m'→ (p', q')  for p –l,m→ p' and q –l',m'→ q' with l ∧ l' satisfiable
//! accepts something: some reachable component has an edge inside and, together, all marks on such edges
//! word: path to that component; for each mark a path, inside, over an edge that has it; path back
//! ```

use crate::automaton::{Atoms, MAX_MARKS, Marks, State};
use crate::bdd::{self, Bdd, Bdds};
use crate::graph::{Arc, Components, Graph};
use crate::word::Lasso;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The product of two automata over the same diagrams, and the pair behind each of its states. `None` if the product
/// would have more than `max_states` states or more than 64 marks, or if the budget of the diagrams is spent.
pub fn product(a: &Graph, b: &Graph, max_states: usize, bdds: &mut Bdds) -> Option<(Graph, Vec<(State, State)>)> {
    if a.sets + b.sets > MAX_MARKS {
        return None;
    }
    let mut pairs = vec![(a.initial, b.initial)];
    let mut numbers = FxHashMap::from_iter([(pairs[0], 0)]);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut edges = 0;
    while let Some(&(p, q)) = pairs.get(arcs.len()) {
        if !bdds.poll(edges * size_of::<Arc>()) {
            return None;
        }
        let mut own = Vec::new();
        for first in &a.arcs[p] {
            for second in &b.arcs[q] {
                let label = bdds.and(first.label, second.label);
                if label == bdd::FALSE {
                    continue;
                }
                let pair = (first.target, second.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                });
                own.push(Arc { label, target, marks: Marks(first.marks.0 | second.marks.0 << a.sets) });
            }
        }
        edges += own.len();
        arcs.push(own);
        if pairs.len() > max_states {
            return None;
        }
    }
    Some((Graph { sets: a.sets + b.sets, initial: 0, arcs }, pairs))
}

/// The automaton accepts some word.
pub fn accepts_something(graph: &Graph) -> bool {
    let components = Components::of(graph);
    let mut reachable = vec![false; components.members.len()];
    graph.reachable().iter().for_each(|&state| reachable[components.of[state]] = true);
    (0..reachable.len()).any(|component| reachable[component] && components.accepting(graph, component))
}

/// A word that the automaton accepts.
pub fn accepted_word(graph: &Graph, bdds: &Bdds) -> Option<Lasso> {
    let components = Components::of(graph);
    let judged: Vec<bool> = (0..components.members.len()).map(|each| components.accepting(graph, each)).collect();
    let accepting = |state: State| judged[components.of[state]];
    let (prefix, mut state) = path(graph, bdds, graph.initial, |_| true, accepting)?;
    let (start, mut cycle) = (state, Vec::new());
    let inside = |next: State| components.same(start, next);
    for mark in 0..graph.sets {
        // on to an edge with this mark, and over it
        let has_mark = |arc: &Arc| inside(arc.target) && arc.marks.contains(Marks::one(mark));
        let (there, at) = path(graph, bdds, state, inside, |next| graph.arcs[next].iter().any(has_mark))?;
        let arc = graph.arcs[at].iter().find(|arc| has_mark(arc))?;
        cycle.extend(there);
        cycle.push(bdds.letter(arc.label));
        state = arc.target;
    }
    if cycle.is_empty() {
        let arc = graph.arcs[state].iter().find(|arc| inside(arc.target))?;
        cycle.push(bdds.letter(arc.label));
        state = arc.target;
    }
    let (back, _) = path(graph, bdds, state, inside, |next| next == start)?;
    cycle.extend(back);
    Some(Lasso { prefix, cycle })
}

/// No word is in both; `None` if the product is too large to tell.
pub fn disjoint(a: &Graph, b: &Graph, max_states: usize, bdds: &mut Bdds) -> Option<bool> {
    let (product, _) = product(a, b, max_states, bdds)?;
    Some(!accepts_something(&product))
}

/// The letters of a shortest path through wanted states to one that is a goal, and that state.
fn path(
    graph: &Graph,
    bdds: &Bdds,
    from: State,
    wanted: impl Fn(State) -> bool,
    goal: impl Fn(State) -> bool,
) -> Option<(Vec<Atoms>, State)> {
    let mut came: Vec<Option<(State, Bdd)>> = vec![None; graph.state_count()];
    let mut queue = VecDeque::from([from]);
    while let Some(state) = queue.pop_front() {
        if goal(state) {
            let mut letters = Vec::new();
            let mut at = state;
            while at != from
                && let Some((previous, label)) = came[at]
            {
                letters.push(bdds.letter(label));
                at = previous;
            }
            letters.reverse();
            return Some((letters, state));
        }
        for arc in &graph.arcs[state] {
            if wanted(arc.target) && arc.target != from && came[arc.target].is_none() {
                came[arc.target] = Some((state, arc.label));
                queue.push_back(arc.target);
            }
        }
    }
    None
}
