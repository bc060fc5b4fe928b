//! Removing what no accepting run needs.
//!
//! In: any graph. Out: the same language; every state is reachable and reaches an accepting cycle (unless nothing is
//! accepted at all), marks stand inside accepting components only, and a mark that every cycle sees, or that says no more
//! than another one, is gone.
//! Somenzi, Bloem, Efficient Büchi automata from LTL formulae, CAV 2000 (section 5); Duret-Lutz, LTL translation improvements
//! in Spot 1.0, IJCCBS 2014.
//!
//! ```text
//! remove every state that reaches no accepting component
//! for each component C:
//!   C is not accepting: no marks on its edges
//!   otherwise, for each mark m: needed if some cycle of C avoids m, and no other needed mark of C implies m;
//!     rename the needed ones 0, 1, …; names that C does not need are on all its edges
//! ```

use crate::automaton::Marks;
use crate::bdd::Bdds;
use crate::graph::{Arc, Components, Graph};

/// Removes useless states, edges and marks.
///
/// If the budget of the diagrams is spent, nothing is left of it.
pub fn trim(graph: &mut Graph, bdds: &mut Bdds) {
    graph.renumber();
    remove_dead_states(graph);
    remove_useless_marks(graph, bdds);
    if bdds.is_stopped() {
        *graph = Graph::empty();
    }
    graph.tidy(bdds);
    graph.renumber();
}

fn remove_dead_states(graph: &mut Graph) {
    let components = Components::of(graph);
    // components come after those they reach
    let mut alive: Vec<bool> = Vec::with_capacity(components.members.len());
    for (component, states) in components.members.iter().enumerate() {
        let mut below = states.iter().flat_map(|&state| &graph.arcs[state]).map(|arc| components.of[arc.target]);
        let reaches = below.any(|next| next != component && alive[next]);
        alive.push(reaches || components.accepting(graph, component));
    }
    if !alive[components.of[graph.initial]] {
        *graph = Graph::empty();
        return;
    }
    graph.restrict(|state| alive[components.of[state]]);
}

/// Marks matter inside accepting components only. There, one that every cycle sees, or that another one implies, can be
/// left out, and all components may use the same few.
fn remove_useless_marks(graph: &mut Graph, bdds: &mut Bdds) {
    let components = Components::of(graph);
    let mut most = 0;
    let mut plans: Vec<Option<Vec<u32>>> = Vec::new();
    for component in 0..components.members.len() {
        let plan = components.accepting(graph, component).then(|| needed_marks(graph, &components, component, bdds));
        most = most.max(plan.as_ref().map_or(0, Vec::len));
        plans.push(plan);
    }
    // a component without accepting cycles must lack a mark
    let some_rejecting =
        (0..plans.len()).any(|component| plans[component].is_none() && components.has_cycle(graph, component));
    let sets = if some_rejecting { most.max(1) } else { most };
    for state in 0..graph.state_count() {
        let component = components.of[state];
        for arc in &mut graph.arcs[state] {
            arc.marks = match &plans[component] {
                Some(plan) if components.of[arc.target] == component => renamed(arc.marks, plan, sets),
                _ => Marks::NONE,
            };
        }
    }
    graph.sets = sets as u32;
}

/// The marks of an edge under their new names; names that the component does not need are on all its edges.
fn renamed(marks: Marks, plan: &[u32], sets: usize) -> Marks {
    let spare = Marks::all(sets as u32).0 & !Marks::all(plan.len() as u32).0;
    let named = plan.iter().enumerate().filter(|&(_, &old)| marks.contains(Marks::one(old)));
    Marks(named.fold(spare, |all, (new, _)| all | 1 << new))
}

fn needed_marks(graph: &Graph, components: &Components, component: usize, bdds: &mut Bdds) -> Vec<u32> {
    let states = &components.members[component];
    let inside = || {
        let arcs = states.iter().flat_map(|&state| &graph.arcs[state]);
        arcs.filter(|arc| components.of[arc.target] == component).map(|arc| arc.marks)
    };
    let implied = |weaker: u32, stronger: u32| {
        inside().all(|marks| !marks.contains(Marks::one(stronger)) || marks.contains(Marks::one(weaker)))
    };
    let mut needed: Vec<u32> =
        (0..graph.sets).filter(|&mark| bdds.poll(0) && can_be_avoided(graph, components, component, mark)).collect();
    let mut position = 0;
    while position < needed.len() {
        let mark = needed[position];
        if needed.iter().any(|&other| other != mark && implied(mark, other)) {
            needed.remove(position);
        } else {
            position += 1;
        }
    }
    needed
}

/// Some cycle of the component does not see the mark.
fn can_be_avoided(graph: &Graph, components: &Components, component: usize, mark: u32) -> bool {
    let mut without = Graph { sets: 0, initial: 0, arcs: vec![Vec::new(); graph.state_count()] };
    for &state in &components.members[component] {
        let avoiding = |arc: &&Arc| components.of[arc.target] == component && !arc.marks.contains(Marks::one(mark));
        without.arcs[state] = graph.arcs[state].iter().filter(avoiding).copied().collect();
    }
    let parts = Components::of(&without);
    components.members[component].iter().any(|&state| parts.has_cycle(&without, parts.of[state]))
}
