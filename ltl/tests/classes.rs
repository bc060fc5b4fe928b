//! The classes of components against all their cycles, one by one.

mod support;

use ltl::Buchi;
use ltl::automaton::{Cube, Label, Move, Place, State};
use ltl::scc::Class;
use rand::RngExt;
use support::{Random, random, seeds};

fn automaton(random: &mut Random) -> Buchi {
    let count = random.random_range(1..8);
    let place = |random: &mut Random| {
        let edge = |random: &mut Random| {
            // sometimes a label without letters: an edge that nobody can take
            let cube = if random.random_ratio(1, 8) { Cube { positive: 1, negative: 1 } } else { Cube::TRUE };
            Move { label: Label(vec![cube]), target: random.random_range(0..count) }
        };
        let moves = (0..random.random_range(0..4)).map(|_| edge(random)).collect();
        Place { accepting: random.random_bool(0.4), moves }
    };
    Buchi { atoms: vec!["p".into()], initial: 0, states: (0..count).map(|_| place(random)).collect() }
}

/// Every simple cycle that begins at its smallest state.
fn simple_cycles(automaton: &Buchi) -> Vec<Vec<State>> {
    let mut cycles = Vec::new();
    for start in 0..automaton.states.len() {
        extend(automaton, &mut vec![start], &mut cycles);
    }
    cycles
}

fn extend(automaton: &Buchi, path: &mut Vec<State>, cycles: &mut Vec<Vec<State>>) {
    let last = path[path.len() - 1];
    for each in &automaton.states[last].moves {
        if each.label.0[0].is_false() {
            continue;
        }
        if each.target == path[0] {
            cycles.push(path.clone());
        } else if each.target > path[0] && !path.contains(&each.target) {
            path.push(each.target);
            extend(automaton, path, cycles);
            path.pop();
        }
    }
}

#[test]
fn classes_agree_with_all_cycles() {
    let mut seen = [0, 0, 0];
    for seed in seeds(1, 3000) {
        let automaton = automaton(&mut random(seed));
        let classes = automaton.classes();
        let cycles = simple_cycles(&automaton);
        for (number, component) in classes.components().iter().enumerate() {
            // a cycle is accepting if one of its states is; any cycle is made of simple ones, and an accepting state of
            // a component is on a simple cycle, so the simple ones tell
            let own: Vec<bool> = cycles
                .iter()
                .filter(|cycle| cycle.iter().all(|state| component.states.contains(state)))
                .map(|cycle| cycle.iter().any(|&state| automaton.states[state].accepting))
                .collect();
            let expected = match (own.contains(&true), own.contains(&false)) {
                (false, _) => Class::N,
                (true, true) => Class::P,
                (true, false) => Class::F,
            };
            assert_eq!(component.class, expected, "seed {seed}: {automaton:?}");
            seen[expected as usize] += 1;
            for &state in &component.states {
                assert_eq!((classes.component(state), classes.class(state)), (number, expected), "seed {seed}");
            }
        }
        let weak = classes.components().iter().all(|component| component.class != Class::P);
        assert_eq!(classes.is_weak(), weak);
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// Components come after those they can reach.
#[test]
fn components_are_numbered_from_below() {
    for seed in seeds(1, 500) {
        let automaton = automaton(&mut random(seed));
        let classes = automaton.classes();
        for (state, each) in automaton.moves().filter(|(_, each)| !each.label.0[0].is_false()) {
            assert!(classes.component(each.target) <= classes.component(state), "seed {seed}");
        }
    }
}
