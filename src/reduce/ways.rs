//! What lies behind each control state of a proctype: gathered in one pass over the components, however long its loops are.

use crate::program::Transition;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// Control states and the transitions between them.
pub struct Ways {
    /// By control state: where its transitions lead.
    next: Vec<Vec<u32>>,
    /// The strongly connected components; those that can be reached from one come before it.
    components: Vec<Vec<u32>>,
}

impl Ways {
    /// Those that these transitions make.
    pub fn new<'t>(states: usize, transitions: impl Iterator<Item = &'t Transition>) -> Ways {
        let mut graph = DiGraph::<(), ()>::new();
        for _ in 0..states.max(1) {
            graph.add_node(());
        }
        let mut next = vec![Vec::new(); states.max(1)];
        for transition in transitions {
            next[transition.from as usize].push(transition.to);
            graph.add_edge(NodeIndex::new(transition.from as usize), NodeIndex::new(transition.to as usize), ());
        }
        let numbers = |component: Vec<NodeIndex>| component.into_iter().map(|node| node.index() as u32).collect();
        Ways { next, components: kosaraju_scc(&graph).into_iter().map(numbers).collect() }
    }

    /// By control state: the number of its component.
    pub fn components(&self) -> Vec<u32> {
        let mut of = vec![0; self.next.len()];
        for (number, component) in self.components.iter().enumerate() {
            component.iter().for_each(|&state| of[state as usize] = number as u32);
        }
        of
    }

    /// By control state: what is there, and at all states that can be reached from it.
    pub fn behind<T: Clone>(&self, mut there: Vec<T>, mut add: impl FnMut(&mut T, &T)) -> Vec<T> {
        for component in &self.components {
            let Some((&first, others)) = component.split_first() else { continue };
            let mut sum = there[first as usize].clone();
            others.iter().for_each(|&state| add(&mut sum, &there[state as usize]));
            for &next in component.iter().flat_map(|&state| &self.next[state as usize]) {
                add(&mut sum, &there[next as usize]);
            }
            component.iter().for_each(|&state| there[state as usize] = sum.clone());
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::Ways;
    use crate::program::Transition;
    use crate::program::code::Action;

    fn ways(states: usize, edges: &[(u32, u32)]) -> Ways {
        let transition = |&(from, to): &(u32, u32)| Transition {
            from,
            to,
            atomic: false,
            escape: 0,
            waits: false,
            creates: false,
            plain: true,
            resets: Box::default(),
            action: Action::Nothing,
        };
        let transitions: Vec<Transition> = edges.iter().map(transition).collect();
        Ways::new(states, transitions.iter())
    }

    fn behind(states: usize, edges: &[(u32, u32)]) -> Vec<u64> {
        let there = (0..states).map(|state| 1 << state).collect();
        ways(states, edges).behind(there, |sum, more| *sum |= more)
    }

    #[test]
    fn what_can_be_reached_from_each_state() {
        assert_eq!(behind(4, &[(3, 2), (2, 1), (1, 0)]), [0b1, 0b11, 0b111, 0b1111]);
        assert_eq!(behind(4, &[(0, 1), (1, 2), (2, 0), (2, 3)]), [0b1111, 0b1111, 0b1111, 0b1000]);
        assert_eq!(behind(5, &[(0, 0), (1, 0), (1, 2), (3, 4), (4, 3), (4, 2)]), [0b1, 0b111, 0b100, 0b11100, 0b11100]);
    }

    #[test]
    fn states_of_a_loop_have_the_same_component() {
        let components = ways(4, &[(0, 1), (1, 0), (1, 2), (2, 3)]).components();
        assert_eq!(components[0], components[1]);
        assert!(components[2] != components[1] && components[2] != components[3]);
    }

    /// No recursion from one state to the next.
    #[test]
    fn a_long_way() {
        let edges: Vec<(u32, u32)> = (1..300_000).map(|state| (state, state - 1)).collect();
        let there = vec![1u32; 300_000];
        assert_eq!(ways(300_000, &edges).behind(there, |sum, more| *sum += more)[299_999], 300_000);
    }
}
