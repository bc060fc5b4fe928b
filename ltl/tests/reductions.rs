//! Every reduction on random automata: the language stays, word by word.

mod support;

use ltl::Automaton;
use ltl::automaton::{Cube, Edge, Label, Marks};
use ltl::bdd::Bdds;
use ltl::buchi::{self, on_states};
use ltl::degeneralise::{Entry, degeneralise};
use ltl::graph::Graph;
use ltl::simulation::{Acceptance, Passing, backward, bisimulate, forward};
use ltl::trim::trim;
use rand::RngExt;
use support::{Random, lasso, random, seeds};

const ATOMS: u32 = 2;

fn label(random: &mut Random) -> Label {
    let cube = |random: &mut Random| {
        let positive = random.random_range(0..4u64) & random.random_range(0..4u64);
        Cube { positive, negative: random.random_range(0..4u64) & !positive }
    };
    Label((0..random.random_range(1..3)).map(|_| cube(random)).collect())
}

fn automaton(random: &mut Random, acceptance: Acceptance) -> Automaton {
    let states = random.random_range(1..8);
    let sets = if acceptance == Acceptance::OnStates { 1 } else { random.random_range(0..4) };
    let row = |random: &mut Random| -> Vec<Edge> {
        let own = Marks(random.random_range(0..=Marks::all(sets).0));
        let edge = |random: &mut Random| {
            let marks =
                Marks(random.random_range(0..=Marks::all(sets).0) & random.random_range(0..=Marks::all(sets).0));
            let marks = if acceptance == Acceptance::OnStates { own } else { marks };
            Edge { label: label(random), target: random.random_range(0..states), marks }
        };
        (0..random.random_range(0..4)).map(|_| edge(random)).collect()
    };
    let states = (0..states).map(|_| row(random)).collect();
    Automaton { atoms: vec!["p".into(), "q".into()], sets, initial: 0, states }
}

/// The same language after `change`, or a word that tells them apart.
fn check(acceptance: Acceptance, change: impl Fn(&mut Graph, &mut Bdds)) {
    for seed in seeds(1, 3000) {
        let mut random = random(seed);
        let before = automaton(&mut random, acceptance);
        let mut bdds = Bdds::default();
        let mut graph = Graph::read(&before, &mut bdds);
        change(&mut graph, &mut bdds);
        let after = graph.write(before.atoms.clone(), &mut bdds);
        for _ in 0..40 {
            let word = lasso(&mut random, ATOMS);
            assert_eq!(
                word.is_accepted(&before),
                word.is_accepted(&after),
                "seed {seed}: {word:?}\n{before:#?}\n{after:#?}"
            );
        }
    }
}

#[test]
fn trimming() {
    check(Acceptance::OnEdges, trim);
    check(Acceptance::OnStates, |graph, bdds| {
        trim(graph, bdds);
        on_states(graph);
    });
}

#[test]
fn forward_simulation() {
    for passing in [Passing::AllMarks, Passing::NoMarks] {
        check(Acceptance::OnEdges, |graph, bdds| forward(graph, passing, bdds));
        check(Acceptance::OnStates, |graph, bdds| forward(graph, passing, bdds));
    }
}

#[test]
fn backward_simulation() {
    for passing in [Passing::AllMarks, Passing::NoMarks] {
        for acceptance in [Acceptance::OnEdges, Acceptance::OnStates] {
            check(acceptance, |graph, bdds| backward(graph, acceptance, passing, bdds));
        }
    }
}

#[test]
fn bisimulation() {
    check(Acceptance::OnEdges, bisimulate);
    check(Acceptance::OnStates, bisimulate);
}

#[test]
fn levels() {
    for entry in Entry::ALL {
        check(Acceptance::OnEdges, |graph, bdds| {
            trim(graph, bdds);
            let order: Vec<u32> = (0..graph.sets).rev().collect();
            *graph = degeneralise(graph, entry, &order, bdds);
        });
    }
}

#[test]
fn any_automaton_as_a_buchi_automaton() {
    for seed in seeds(1, 3000) {
        let mut random = random(seed);
        let before = automaton(&mut random, Acceptance::OnEdges);
        let after = buchi::of_automaton(&before).expect("a small automaton");
        for _ in 0..40 {
            let word = lasso(&mut random, ATOMS);
            let accepted = word.is_accepted(&after.generalised());
            assert_eq!(word.is_accepted(&before), accepted, "seed {seed}: {word:?}\n{before:#?}\n{after:#?}");
        }
    }
}
