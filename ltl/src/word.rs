//! Infinite words that end in a loop, and what formulas and automata make of them.
//!
//! This is the independent judge of everything else here: a formula's truth is computed from its definition, moment by
//! moment, without any automaton; whether an automaton accepts is computed without any formula.

use crate::automaton::{Atoms, Automaton, Marks, State};
use crate::formula::{Formula, Formulas, Node};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The word `prefix · cycle · cycle · …`; a letter is the set of atoms that are true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The letters before the cycle.
    pub prefix: Vec<Atoms>,
    /// Not empty.
    pub cycle: Vec<Atoms>,
}

impl Lasso {
    /// How many moments can be told apart by what follows.
    fn len(&self) -> usize {
        self.prefix.len() + self.cycle.len()
    }

    fn letter(&self, moment: usize) -> Atoms {
        if moment < self.prefix.len() { self.prefix[moment] } else { self.cycle[moment - self.prefix.len()] }
    }

    fn next(&self, moment: usize) -> usize {
        if moment + 1 < self.len() { moment + 1 } else { self.prefix.len() }
    }

    /// The word satisfies `f`.
    pub fn satisfies(&self, formulas: &Formulas, f: Formula) -> bool {
        self.truth(formulas, f, &mut FxHashMap::default())[0]
    }

    /// The truth of `f` at every moment, computed once for every part.
    fn truth(&self, formulas: &Formulas, f: Formula, known: &mut FxHashMap<Formula, Rc<[bool]>>) -> Rc<[bool]> {
        if let Some(truth) = known.get(&f) {
            return truth.clone();
        }
        let truth: Rc<[bool]> = self.by_operator(formulas, f, &mut |part| self.truth(formulas, part, known)).into();
        known.insert(f, truth.clone());
        truth
    }

    fn by_operator(&self, formulas: &Formulas, f: Formula, part: &mut dyn FnMut(Formula) -> Rc<[bool]>) -> Vec<bool> {
        let same = |value: bool| vec![value; self.len()];
        match *formulas.node(f) {
            Node::False => same(false),
            Node::True => same(true),
            Node::Literal { atom, positive } => {
                (0..self.len()).map(|moment| (self.letter(moment) >> atom & 1 == 1) == positive).collect()
            }
            Node::And(ref parts) => parts.iter().fold(same(true), |all, &f| zip(&all, &part(f), |a, b| a && b)),
            Node::Or(ref parts) => parts.iter().fold(same(false), |any, &f| zip(&any, &part(f), |a, b| a || b)),
            Node::Next(f) => {
                let f = part(f);
                (0..self.len()).map(|moment| f[self.next(moment)]).collect()
            }
            Node::Eventually(f) => self.backwards(&same(true), &part(f), false),
            Node::Always(f) => self.backwards(&part(f), &same(false), true),
            Node::Until(f, g) => self.backwards(&part(f), &part(g), false),
            Node::WeakUntil(f, g) => self.backwards(&part(f), &part(g), true),
            Node::Release(f, g) => {
                let (f, g) = (part(f), part(g));
                self.backwards(&g, &zip(&f, &g, |a, b| a && b), true)
            }
            Node::StrongRelease(f, g) => {
                let (f, g) = (part(f), part(g));
                self.backwards(&g, &zip(&f, &g, |a, b| a && b), false)
            }
        }
    }

    /// `left` until `right`; `forever` is what an endless `left` counts as. Twice around the loop is enough.
    fn backwards(&self, left: &[bool], right: &[bool], forever: bool) -> Vec<bool> {
        let mut truth = vec![forever; self.len()];
        for moment in (0..self.len()).rev().chain((0..self.len()).rev()) {
            truth[moment] = right[moment] || left[moment] && truth[self.next(moment)];
        }
        truth
    }

    /// The automaton has an accepting run over the word.
    pub fn is_accepted(&self, automaton: &Automaton) -> bool {
        let mut graph: DiGraphMap<(State, usize), Marks> = DiGraphMap::new();
        let mut todo = vec![(automaton.initial, 0)];
        graph.add_node(todo[0]);
        while let Some((state, moment)) = todo.pop() {
            for edge in automaton.states[state].iter().filter(|edge| edge.label.allows(self.letter(moment))) {
                let next = (edge.target, self.next(moment));
                if !graph.contains_node(next) {
                    todo.push(next);
                }
                // parallel edges: inside a component all of them can be taken
                let marks = graph.edge_weight((state, moment), next).map_or(edge.marks, |marks| marks.with(edge.marks));
                graph.add_edge((state, moment), next, marks);
            }
        }
        tarjan_scc(&graph).iter().any(|component| {
            let inside = component
                .iter()
                .flat_map(|&node| graph.edges(node))
                .filter(|(_, target, _)| component.contains(target));
            inside
                .map(|(_, _, &marks)| marks)
                .reduce(Marks::with)
                .is_some_and(|marks| marks.contains(Marks::all(automaton.sets)))
        })
    }
}

fn zip(left: &[bool], right: &[bool], join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    left.iter().zip(right).map(|(&a, &b)| join(a, b)).collect()
}
