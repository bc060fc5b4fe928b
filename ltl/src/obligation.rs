//! The minimal weak deterministic automaton of an obligation property.
//!
//! Dax, Eisinger, Klaedtke, Mechanizing the powerset construction for restricted classes of ω-automata, ATVA 2007: if a
//! language is an obligation, then the deterministic automaton of sets of states, each of its components accepting if one
//! of its cycles is accepted, recognises it. Löding, Efficient minimization of deterministic weak ω-automata, IPL 2001:
//! once every state has the right colour, such an automaton is minimised like one on finite words, and the result is unique.
//!
//! ```text
//! D ← sets of states reachable by letters; the empty set is a rejecting sink
//! a component of D is accepting if the product of D and A has an accepting cycle inside it
//! colour(C), bottom up, l the largest colour below (none: 0 for accepting, 1 for rejecting):
//!   trivial C: l;  otherwise: the least colour ≥ l that is even if C is accepting and odd if not
//! minimise D with the states of even colour as final states
//! ```
//!
//! Whether the language is an obligation is checked unless the formula's syntax says so: the result must be disjoint
//! from the automaton of the negation, and its complement from the automaton itself.

use crate::automaton::{Marks, State};
use crate::bdd::{self, Bdd, Bdds};
use crate::emptiness::{disjoint, product};
use crate::graph::{Arc, Components, Graph};
use rustc_hash::FxHashMap;

/// Sets of states with more edges than this, on average, are not worth the work.
const EDGES_PER_STATE: usize = 16;

/// What there is to check the result with.
pub enum Proof<'a> {
    /// The formula is syntactically an obligation.
    Syntax,
    /// An automaton of the complement.
    Negation(&'a Graph),
}

/// What became of the search for a minimal automaton.
pub enum Minimal {
    /// Weak, deterministic, complete, with acceptance on states.
    Automaton(Graph),
    /// There is none: the language is no obligation.
    NoObligation,
    /// It was too much work to tell.
    Unknown,
}

/// The minimal weak deterministic Büchi automaton of `graph`'s language, if the automaton of sets does not have more than
/// `max_states` states.
pub fn minimal(graph: &Graph, proof: &Proof, max_states: usize, bdds: &mut Bdds) -> Minimal {
    match attempt(graph, proof, max_states, bdds) {
        Some((result, right)) if !bdds.is_exhausted() => {
            if right {
                Minimal::Automaton(result)
            } else {
                Minimal::NoObligation
            }
        }
        _ => Minimal::Unknown,
    }
}

/// The only automaton that it can be, and whether it is; `None` if that is too much work.
fn attempt(graph: &Graph, proof: &Proof, max_states: usize, bdds: &mut Bdds) -> Option<(Graph, bool)> {
    let sets = determinise(graph, max_states, bdds)?;
    let accepting = accepting_components(graph, &sets, max_states * graph.state_count(), bdds)?;
    let coloured = colour(&sets, &accepting);
    let result = minimise(&sets, &coloured, bdds);
    let right = match proof {
        Proof::Syntax => true,
        Proof::Negation(negation) => {
            disjoint(&result, negation, usize::MAX, bdds)? && disjoint(&complement(&result), graph, usize::MAX, bdds)?
        }
    };
    Some((result, right))
}

/// The complement of a complete deterministic weak automaton.
fn complement(graph: &Graph) -> Graph {
    let mut complement = graph.clone();
    for arc in complement.arcs.iter_mut().flatten() {
        arc.marks = Marks(arc.marks.0 ^ 1);
    }
    complement
}

/// The automaton of sets of states, without marks.
fn determinise(graph: &Graph, max_states: usize, bdds: &mut Bdds) -> Option<Graph> {
    let mut subsets = vec![vec![graph.initial]];
    let mut numbers = FxHashMap::from_iter([(subsets[0].clone(), 0)]);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut edges = 0;
    while arcs.len() < subsets.len() {
        let mut own = Vec::new();
        for (label, targets) in successors(graph, &subsets[arcs.len()], bdds) {
            let target = *numbers.entry(targets).or_insert_with_key(|targets| {
                subsets.push(targets.clone());
                subsets.len() - 1
            });
            own.push(Arc { label, target, marks: Marks::NONE });
        }
        edges += own.len();
        arcs.push(own);
        if subsets.len() > max_states || edges > max_states * EDGES_PER_STATE {
            return None;
        }
    }
    let mut sets = Graph { sets: 0, initial: 0, arcs };
    sets.tidy(bdds);
    Some(sets)
}

/// Letters and the set that each leads to; together all letters.
fn successors(graph: &Graph, states: &[State], bdds: &mut Bdds) -> Vec<(Bdd, Vec<State>)> {
    let mut parts: Vec<(Bdd, Vec<State>)> = vec![(bdd::TRUE, Vec::new())];
    for arc in states.iter().flat_map(|&state| &graph.arcs[state]) {
        let mut refined = Vec::with_capacity(parts.len() + 1);
        if !bdds.poll(parts.len() * size_of::<(Bdd, Vec<State>)>()) {
            return Vec::new();
        }
        for (label, targets) in parts {
            let (inside, outside) = (bdds.and(label, arc.label), bdds.minus(label, arc.label));
            if inside != bdd::FALSE {
                let mut with = targets.clone();
                if let Err(place) = with.binary_search(&arc.target) {
                    with.insert(place, arc.target);
                }
                refined.push((inside, with));
            }
            if outside != bdd::FALSE {
                refined.push((outside, targets));
            }
        }
        parts = refined;
    }
    parts
}

/// Which states of `sets` lie in a component where some cycle is accepted; `None` if that is too much work.
fn accepting_components(graph: &Graph, sets: &Graph, max_states: usize, bdds: &mut Bdds) -> Option<Vec<bool>> {
    let (product, pairs) = product(sets, graph, max_states, bdds)?;
    let (inner, outer) = (Components::of(&product), Components::of(sets));
    let mut accepting = vec![false; outer.members.len()];
    for (component, states) in inner.members.iter().enumerate() {
        if inner.accepting(&product, component) {
            accepting[outer.of[pairs[states[0]].0]] = true;
        }
    }
    Some(outer.of.iter().map(|&component| accepting[component]).collect())
}

fn colour(sets: &Graph, accepting: &[bool]) -> Vec<bool> {
    let components = Components::of(sets);
    let mut colours: Vec<usize> = Vec::new();
    for (component, states) in components.members.iter().enumerate() {
        let below = states.iter().flat_map(|&state| &sets.arcs[state]).map(|arc| components.of[arc.target]);
        let largest = below.filter(|&next| next != component).map(|next| colours[next]).max();
        let odd = usize::from(!accepting[states[0]]);
        colours.push(match largest {
            None => odd,
            Some(colour) if !components.has_cycle(sets, component) || colour % 2 == odd => colour,
            Some(colour) => colour + 1,
        });
    }
    components.of.iter().map(|&component| colours[component].is_multiple_of(2)).collect()
}

/// Moore's algorithm; the states of the result are accepting if those of their class are final.
fn minimise(sets: &Graph, last: &[bool], bdds: &mut Bdds) -> Graph {
    let mut class: Vec<usize> = last.iter().map(|&accepting| usize::from(accepting)).collect();
    let mut count = 0;
    loop {
        let mut numbers: FxHashMap<(usize, Vec<(usize, Bdd)>), usize> = FxHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        for (state, arcs) in sets.arcs.iter().enumerate() {
            let mut moves: Vec<(usize, Bdd)> = arcs.iter().map(|arc| (class[arc.target], arc.label)).collect();
            moves.sort_unstable();
            moves.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 = bdds.or(kept.1, next.1);
                }
                same
            });
            let number = numbers.len();
            next.push(*numbers.entry((class[state], moves)).or_insert(number));
        }
        let found = numbers.len();
        class = next;
        if found == count || !bdds.poll(0) {
            count = found;
            return quotient(sets, &class, count, last, bdds);
        }
        count = found;
    }
}

fn quotient(sets: &Graph, class: &[usize], count: usize, last: &[bool], bdds: &mut Bdds) -> Graph {
    let mut arcs: Vec<Vec<Arc>> = vec![Vec::new(); count];
    for (state, own) in sets.arcs.iter().enumerate().rev() {
        let marks = if last[state] { Marks::one(0) } else { Marks::NONE };
        arcs[class[state]] = own.iter().map(|arc| Arc { target: class[arc.target], marks, ..*arc }).collect();
    }
    let mut graph = Graph { sets: 1, initial: class[sets.initial], arcs };
    graph.tidy(bdds);
    graph
}
