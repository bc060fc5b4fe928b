//! The automata that translation and reductions work on: generalised Büchi, labels as decision diagrams.
//!
//! [`Graph`] is [`Automaton`] with labels that can be compared at once. It lives with the [`Bdds`] of
//! its labels. Invariant after [`Graph::tidy`]: between two states there is at most one edge for a set of marks.

use crate::automaton::{Automaton, Edge, Marks, State};
use crate::bdd::{self, Bdd, Bdds};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// An edge of a [`Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arc {
    /// The state behind it.
    pub target: State,
    /// The marks that a run sees on it.
    pub marks: Marks,
    /// The letters for which it can be taken.
    pub label: Bdd,
}

/// A generalised Büchi automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// How many marks an accepting run sees infinitely often.
    pub sets: u32,
    /// Where runs start.
    pub initial: State,
    /// The edges of every state.
    pub arcs: Vec<Vec<Arc>>,
}

/// Which component every state belongs to. A component has a smaller number than those it can be reached from.
pub struct Components {
    /// By state: the number of its component.
    pub of: Vec<usize>,
    /// The states of each.
    pub members: Vec<Vec<State>>,
}

impl Components {
    /// The strongly connected components of a graph.
    pub fn of(graph: &Graph) -> Components {
        let mut petgraph: DiGraph<(), (), usize> = DiGraph::default();
        let nodes: Vec<_> = graph.arcs.iter().map(|_| petgraph.add_node(())).collect();
        for (state, arcs) in graph.arcs.iter().enumerate() {
            for arc in arcs {
                petgraph.add_edge(nodes[state], nodes[arc.target], ());
            }
        }
        let mut of = vec![0; graph.arcs.len()];
        let mut members = Vec::new();
        for (component, states) in tarjan_scc(&petgraph).into_iter().enumerate() {
            let mut states: Vec<State> = states.into_iter().map(|node| node.index()).collect();
            states.sort_unstable();
            states.iter().for_each(|&state| of[state] = component);
            members.push(states);
        }
        Components { of, members }
    }

    /// Both states are in one component.
    pub fn same(&self, first: State, second: State) -> bool {
        self.of[first] == self.of[second]
    }

    /// The marks on the edges inside a component.
    pub fn marks(&self, graph: &Graph, component: usize) -> Marks {
        let inside = |&state: &State| graph.arcs[state].iter().filter(move |arc| self.of[arc.target] == component);
        self.members[component].iter().flat_map(inside).fold(Marks::NONE, |all, arc| all.with(arc.marks))
    }

    /// There is an edge inside.
    pub fn has_cycle(&self, graph: &Graph, component: usize) -> bool {
        let inside = |&state: &State| graph.arcs[state].iter().any(|arc| self.of[arc.target] == component);
        self.members[component].iter().any(inside)
    }

    /// Some run stays inside and is accepting.
    pub fn accepting(&self, graph: &Graph, component: usize) -> bool {
        self.has_cycle(graph, component) && self.marks(graph, component).contains(Marks::all(graph.sets))
    }
}

impl Graph {
    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.arcs.len()
    }

    /// The number of edges.
    pub fn arc_count(&self) -> usize {
        self.arcs.iter().map(Vec::len).sum()
    }

    /// An automaton that accepts nothing.
    pub fn empty() -> Graph {
        Graph { sets: 1, initial: 0, arcs: vec![Vec::new()] }
    }

    /// An automaton with its labels as diagrams, tidy.
    pub fn read(automaton: &Automaton, bdds: &mut Bdds) -> Graph {
        let mut arc = |edge: &Edge| Arc { target: edge.target, marks: edge.marks, label: bdds.of_label(&edge.label) };
        let arcs = automaton.states.iter().map(|edges| edges.iter().map(&mut arc).collect()).collect();
        let mut graph = Graph { sets: automaton.sets, initial: automaton.initial, arcs };
        graph.tidy(bdds);
        graph
    }

    /// The automaton with labels that anybody can evaluate, over atoms with these names.
    pub fn write(&self, atoms: Vec<String>, bdds: &mut Bdds) -> Automaton {
        let mut edge = |arc: &Arc| Edge { label: bdds.label(arc.label), target: arc.target, marks: arc.marks };
        let states = self.arcs.iter().map(|arcs| arcs.iter().map(&mut edge).collect()).collect();
        Automaton { atoms, sets: self.sets, initial: self.initial, states }
    }

    /// Puts edges together that differ in their label only, drops those without letters, and sorts them.
    pub fn tidy(&mut self, bdds: &mut Bdds) {
        for arcs in &mut self.arcs {
            arcs.retain(|arc| arc.label != bdd::FALSE);
            arcs.sort_unstable();
            arcs.dedup_by(|next, kept| {
                let same = (next.target, next.marks) == (kept.target, kept.marks);
                if same {
                    kept.label = bdds.or(kept.label, next.label);
                }
                same
            });
        }
    }

    /// Keeps the states that are wanted, and the edges between them; the others keep their order. The initial state stays.
    pub fn restrict(&mut self, wanted: impl Fn(State) -> bool) {
        let keep: Vec<bool> = (0..self.state_count()).map(|state| state == self.initial || wanted(state)).collect();
        let mut number = 0;
        let new: Vec<State> = keep
            .iter()
            .map(|&kept| {
                number += usize::from(kept);
                number.wrapping_sub(1)
            })
            .collect();
        let mut arcs = Vec::with_capacity(number);
        for (state, mut own) in std::mem::take(&mut self.arcs).into_iter().enumerate() {
            if keep[state] {
                own.retain(|arc| keep[arc.target] && (wanted(arc.target) || arc.target == state));
                own.iter_mut().for_each(|arc| arc.target = new[arc.target]);
                arcs.push(own);
            }
        }
        self.arcs = arcs;
        self.initial = new[self.initial];
    }

    /// The states that can be reached, in the order of a breadth-first search.
    pub fn reachable(&self) -> Vec<State> {
        let mut order = vec![self.initial];
        let mut seen = vec![false; self.state_count()];
        seen[self.initial] = true;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for arc in &self.arcs[state] {
                if !std::mem::replace(&mut seen[arc.target], true) {
                    order.push(arc.target);
                }
            }
        }
        order
    }

    /// Numbers the states that can be reached from 0 on, breadth first, and drops the others.
    pub fn renumber(&mut self) {
        let order = self.reachable();
        let mut new = vec![0; self.state_count()];
        order.iter().enumerate().for_each(|(number, &state)| new[state] = number);
        let mut arcs: Vec<Vec<Arc>> = order.iter().map(|&state| std::mem::take(&mut self.arcs[state])).collect();
        for arc in arcs.iter_mut().flatten() {
            arc.target = new[arc.target];
        }
        arcs.iter_mut().for_each(|own| own.sort_unstable());
        self.arcs = arcs;
        self.initial = 0;
    }
}
