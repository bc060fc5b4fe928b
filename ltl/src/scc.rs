//! The components of a Büchi automaton, and what their cycles are like.
//!
//! Edelkamp, Lluch Lafuente and Leue, Directed explicit model checking with HSF-SPIN, SPIN 2001, call a strongly connected
//! component N if none of its cycles is accepting, F if all of them are, and P if there are both. Here the class is
//! decided on cycles and not by counting accepting states: a component is N if it has no cycle through an accepting
//! state, F if what is left without its accepting states has no cycle, P otherwise. A state on no cycle is an N of its own.
//!
//! ```text
//! for each strongly connected component C (Tarjan, SIAM J. Comput. 1972):
//!   N if C has no cycle or no accepting state; otherwise
//!   P if C without its accepting states has a cycle; otherwise F
//! ```
//!
//! A product's cycle lies above a cycle of the claim, so a search can ask for the class of the claim state, in constant
//! time: no accepting cycle goes through an N, every cycle inside an F is accepting.

use crate::automaton::{Buchi, Move, State};
use crate::bdd::{self, Bdds};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

/// What the cycles of a component are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// No cycle is accepting.
    N,
    /// Some cycles are accepting, some are not.
    P,
    /// All cycles are accepting, and there is one.
    F,
}

impl Buchi {
    /// The strongly connected components and what can happen in them.
    pub fn classes(&self) -> Classes {
        Classes::of(self)
    }
}

impl Class {
    /// The letter that the paper has for it.
    pub fn name(self) -> &'static str {
        match self {
            Class::N => "N",
            Class::P => "P",
            Class::F => "F",
        }
    }
}

/// A strongly connected component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// What its cycles are like.
    pub class: Class,
    /// In ascending order.
    pub states: Vec<State>,
}

/// All components of an automaton. A component has a smaller number than those it can be reached from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    components: Vec<Component>,
    of: Vec<usize>,
    terminal: bool,
}

impl Classes {
    /// The components of an automaton, with what their cycles are like.
    pub fn of(automaton: &Buchi) -> Classes {
        let mut graph = edges(automaton, |_| true);
        (0..automaton.states.len()).for_each(|state| _ = graph.add_node(state));
        let accepting = |state: State| automaton.states[state].accepting;
        let rejecting_cycles = cyclic(&edges(automaton, |state| !accepting(state)));
        let cycles = cyclic(&graph);
        let mut of = vec![0; automaton.states.len()];
        let mut components = Vec::new();
        for (number, mut states) in tarjan_scc(&graph).into_iter().enumerate() {
            states.sort_unstable();
            states.iter().for_each(|&state| of[state] = number);
            let class = if !cycles.contains(&states[0]) || !states.iter().any(|&state| accepting(state)) {
                Class::N
            } else if states.iter().any(|state| rejecting_cycles.contains(state)) {
                Class::P
            } else {
                Class::F
            };
            components.push(Component { class, states });
        }
        let mut classes = Classes { components, of, terminal: false };
        classes.terminal = classes.is_weak() && classes.accepting_components_accept_all(automaton);
        classes
    }

    /// The class of the component that the state is in.
    pub fn class(&self, state: State) -> Class {
        self.components[self.of[state]].class
    }

    /// The number of the component that the state is in.
    pub fn component(&self, state: State) -> usize {
        self.of[state]
    }

    /// All of them, by number.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// No component has both kinds of cycles: what matters is where a run ends up.
    pub fn is_weak(&self) -> bool {
        self.components.iter().all(|component| component.class != Class::P)
    }

    /// A run that reaches an accepting component can always accept: the automaton is weak, and such a component accepts
    /// every word.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    fn accepting_components_accept_all(&self, automaton: &Buchi) -> bool {
        let mut bdds = Bdds::default();
        let stays_for_all_letters = |state: State| {
            let inside = automaton.states[state].moves.iter().filter(|each| self.of[each.target] == self.of[state]);
            let letters = inside.fold(bdd::FALSE, |any, each| {
                let label = bdds.of_label(&each.label);
                bdds.or(any, label)
            });
            letters == bdd::TRUE
        };
        let accepting = self.components.iter().filter(|component| component.class == Class::F);
        accepting.flat_map(|component| component.states.iter().copied()).all(stays_for_all_letters)
    }
}

/// The edges that some letter can take, between states that are wanted.
fn edges(automaton: &Buchi, wanted: impl Fn(State) -> bool) -> DiGraphMap<State, ()> {
    let possible = |each: &Move| each.label.0.iter().any(|cube| !cube.is_false());
    let moves = automaton.moves().filter(|&(state, each)| wanted(state) && wanted(each.target) && possible(each));
    moves.map(|(state, each)| (state, each.target)).collect()
}

/// The states on cycles.
fn cyclic(graph: &DiGraphMap<State, ()>) -> Vec<State> {
    let has_cycle = |states: &Vec<State>| states.len() > 1 || graph.contains_edge(states[0], states[0]);
    tarjan_scc(graph).into_iter().filter(has_cycle).flatten().collect()
}
