//! Generalised automata to Büchi automata with acceptance on states.

use crate::automaton::{Automaton, Buchi, Marks, Move, Place, State};
use crate::bdd::{Bdd, Bdds};
use crate::degeneralise::{Entry, degeneralise};
use crate::graph::{Components, Graph};
use crate::simulation::{Acceptance, reduce};
use crate::trim::trim;

/// Steps on decision diagrams for one automaton: some seconds.
const STEPS: usize = 40_000_000;

/// A small Büchi automaton with the language of any automaton; `None` if that is too much work.
pub fn of_automaton(automaton: &Automaton) -> Option<Buchi> {
    let mut bdds = Bdds::default();
    bdds.allow(STEPS);
    let mut graph = Graph::read(automaton, &mut bdds);
    trim(&mut graph, &mut bdds);
    let order: Vec<u32> = (0..graph.sets).collect();
    let mut levels = degeneralise(&graph, Entry::Known, &order, &mut bdds);
    reduce_states(&mut levels, true, &mut bdds);
    let buchi = write(&levels, automaton.atoms.clone(), &mut bdds);
    (!bdds.is_exhausted()).then_some(buchi)
}

/// Reductions of an automaton with acceptance on states.
pub fn reduce_states(graph: &mut Graph, simulation: bool, bdds: &mut Bdds) {
    trim(graph, bdds);
    on_states(graph);
    if simulation {
        reduce(graph, Acceptance::OnStates, bdds);
        trim(graph, bdds);
        on_states(graph);
    }
}

/// Moves marks back to states after trimming, which looks at edges: a state is accepting if its edges inside its
/// component are marked.
pub fn on_states(graph: &mut Graph) {
    let components = Components::of(graph);
    for state in 0..graph.state_count() {
        let inside = |target: State| components.same(state, target);
        let all = graph.sets == 0;
        let accepting = graph.arcs[state].iter().any(|arc| inside(arc.target) && (all || arc.marks != Marks::NONE));
        let marks = if accepting { Marks::one(0) } else { Marks::NONE };
        graph.arcs[state].iter_mut().for_each(|arc| arc.marks = marks);
    }
    graph.sets = 1;
}

/// The automaton with labels that anybody can evaluate.
pub fn write(graph: &Graph, atoms: Vec<String>, bdds: &mut Bdds) -> Buchi {
    let mut label = |function: Bdd| bdds.label(function);
    let states = graph.arcs.iter().map(|arcs| Place {
        accepting: arcs.first().is_some_and(|arc| arc.marks != Marks::NONE),
        moves: arcs.iter().map(|arc| Move { label: label(arc.label), target: arc.target }).collect(),
    });
    Buchi { atoms, initial: graph.initial, states: states.collect() }
}
