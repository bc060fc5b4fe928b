//! Generalised Büchi with marks on edges → Büchi with acceptance on states.
//!
//! Inside a component with several marks, a level says which of them have been seen, in some order, since the last
//! accepting state; with the last one the run is in an accepting copy and starts again. Components where every cycle is
//! accepting, and those where none is, need no levels.
//!
//! Gastin, Oddoux, Fast LTL to Büchi automata translation, CAV 2001 (several levels in one step); Babiak, Badie,
//! Duret-Lutz, Křetínský, Strejček, SPIN 2013 (levels by component).
//!
//! ```text
//! step((q, level), q –m→ q'):
//!   if q' is in another component: (q', its entry level)
//!   if level is accepting: level ← 0
//!   while level < marks and order[level] in m: level ← level + 1
//!   (q', level)                                   accepting if level = marks
//! ```
//!
//! All copies of a state accept the same words, so an edge from outside may enter at any level.

use crate::automaton::{Marks, State};
use crate::bdd::Bdds;
use crate::graph::{Arc, Components, Graph};
use rustc_hash::FxHashMap;

/// What a component needs.
enum Plan {
    /// All its states are accepting, or none.
    Flat(bool),
    /// Marks in the order in which they are waited for.
    Levels(Vec<u32>),
}

/// Copies of a state are told apart by their level; in a component with n marks level n is accepting.
type Copy = (State, usize);

/// Where edges from outside enter a component with levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Nothing seen yet.
    First,
    /// Everything just seen.
    Accepting,
    /// At a level that the state has anyway, if it has one by then.
    Known,
}

impl Entry {
    /// In the order in which they are tried.
    pub const ALL: [Entry; 3] = [Entry::First, Entry::Known, Entry::Accepting];
}

/// Degeneralises a trimmed graph; marks are waited for in the given order, in each component those that it needs.
///
/// If the budget of the diagrams is spent, nothing is left of it.
pub fn degeneralise(graph: &Graph, entry: Entry, order: &[u32], bdds: &mut Bdds) -> Graph {
    let components = Components::of(graph);
    let plans: Vec<Plan> =
        (0..components.members.len()).map(|component| plan(graph, &components, component, order)).collect();
    let mut levels = Levels {
        graph,
        components: &components,
        plans: &plans,
        entry,
        copies: Vec::new(),
        numbers: FxHashMap::default(),
    };
    let start = levels.enter(graph.initial);
    let initial = levels.number(start);
    let mut arcs: Vec<Vec<Arc>> = Vec::new();
    let mut edges = 0;
    while let Some(&(state, level)) = levels.copies.get(arcs.len()) {
        if !bdds.poll(edges * size_of::<Arc>()) {
            return Graph::empty();
        }
        let marks = if levels.accepting((state, level)) { Marks::one(0) } else { Marks::NONE };
        let mut own = Vec::new();
        for arc in &graph.arcs[state] {
            let copy = levels.step((state, level), arc);
            own.push(Arc { label: arc.label, target: levels.number(copy), marks });
        }
        edges += own.len();
        arcs.push(own);
    }
    Graph { sets: 1, initial, arcs }
}

fn plan(graph: &Graph, components: &Components, component: usize, order: &[u32]) -> Plan {
    if !components.accepting(graph, component) {
        return Plan::Flat(false);
    }
    let states = &components.members[component];
    let inside = || {
        let arcs = states.iter().flat_map(|&state| &graph.arcs[state]);
        arcs.filter(|arc| components.of[arc.target] == component)
    };
    // trimming has put marks that every cycle sees on every edge
    let everywhere = inside().fold(Marks::all(graph.sets), |all, arc| all.and(arc.marks));
    let needed: Vec<u32> = order.iter().copied().filter(|&mark| !everywhere.contains(Marks::one(mark))).collect();
    if needed.is_empty() { Plan::Flat(true) } else { Plan::Levels(needed) }
}

struct Levels<'a> {
    graph: &'a Graph,
    components: &'a Components,
    plans: &'a [Plan],
    entry: Entry,
    copies: Vec<Copy>,
    numbers: FxHashMap<Copy, usize>,
}

impl Levels<'_> {
    fn number(&mut self, copy: Copy) -> usize {
        *self.numbers.entry(copy).or_insert_with(|| {
            self.copies.push(copy);
            self.copies.len() - 1
        })
    }

    fn accepting(&self, (state, level): Copy) -> bool {
        match &self.plans[self.components.of[state]] {
            Plan::Flat(accepting) => *accepting,
            Plan::Levels(order) => level == order.len(),
        }
    }

    fn enter(&self, state: State) -> Copy {
        let Plan::Levels(order) = &self.plans[self.components.of[state]] else { return (state, 0) };
        let known = || (0..=order.len()).rev().find(|&level| self.numbers.contains_key(&(state, level)));
        match self.entry {
            Entry::First => (state, 0),
            Entry::Accepting => (state, order.len()),
            Entry::Known => (state, known().unwrap_or(0)),
        }
    }

    fn step(&self, (state, level): Copy, arc: &Arc) -> Copy {
        debug_assert!(self.graph.arcs[state].contains(arc));
        if !self.components.same(state, arc.target) {
            return self.enter(arc.target);
        }
        let Plan::Levels(order) = &self.plans[self.components.of[state]] else { return (arc.target, 0) };
        let from = if level == order.len() { 0 } else { level };
        let seen = order[from..].iter().take_while(|&&mark| arc.marks.contains(Marks::one(mark))).count();
        (arc.target, from + seen)
    }
}
