//! Random formulas: what they mean, word by word, against what their automata accept.
//!
//! `LTL_SEEDS=1-10000 cargo test --release -p ltl --test random_formulas` is the long run.

mod support;

use ltl::automaton::{Automaton, Edge, Label, Marks};
use ltl::bdd::Bdds;
use ltl::emptiness::disjoint;
use ltl::formula::{Formula, Formulas};
use ltl::graph::Graph;
use ltl::rewrite::Rewriter;
use ltl::translate::{Options, is_stutter_invariant, translate};
use ltl::word::Lasso;
use ltl::{Buchi, Expr};
use rand::RngExt;
use support::{Random, Shape, expr, lasso, random, repeat_letters, seeds};

/// A random formula and what belongs to it.
struct Case {
    seed: u64,
    random: Random,
    atoms: u32,
    expr: Expr,
    formulas: Formulas,
    f: Formula,
    not_f: Formula,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut random = random(seed);
        let atoms = 3 + (seed % 2) as u32;
        let expr = expr(&mut random, Shape { depth: 1 + (seed % 8) as u32, atoms, next: true });
        let mut formulas = Formulas::new();
        support::NAMES.iter().for_each(|name| _ = formulas.atom(name));
        let f = formulas.intern(&expr);
        let not_f = formulas.not(f);
        Case { seed, random, atoms, expr, formulas, f, not_f }
    }

    fn automata(&mut self, options: &Options) -> Option<[Buchi; 2]> {
        let yes = translate(&mut self.formulas, self.f, options).ok()?;
        let no = translate(&mut self.formulas, self.not_f, options).ok()?;
        Some([yes.automaton, no.automaton])
    }

    fn word(&mut self) -> Lasso {
        lasso(&mut self.random, self.atoms)
    }
}

fn default() -> Options {
    Options { max_states: 2_000, ..Options::default() }
}

/// Runs over the seeds; a formula may be too large, but few are.
fn for_all(last: u64, mut check: impl FnMut(&mut Case) -> Option<()>) {
    let seeds = seeds(1, last);
    let count = seeds.clone().count();
    let done = seeds.filter_map(|seed| check(&mut Case::new(seed))).count();
    assert!(done * 100 >= count * 97, "only {done} of {count} formulas could be translated");
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    for_all(1000, |case| {
        let [yes, no] = case.automata(&default())?.map(|automaton| automaton.generalised());
        for _ in 0..50 {
            let word = case.word();
            let satisfied = word.satisfies(&case.formulas, case.f);
            assert_eq!(word.is_accepted(&yes), satisfied, "seed {}: {} {word:?}", case.seed, case.expr);
            assert_eq!(word.is_accepted(&no), !satisfied, "seed {}: !({}) {word:?}", case.seed, case.expr);
        }
        Some(())
    });
}

#[test]
fn rewriting_keeps_the_meaning() {
    for_all(1000, |case| {
        let simple = Rewriter::default().simplify(&mut case.formulas, case.f);
        for _ in 0..50 {
            let word = case.word();
            let (before, after) = (word.satisfies(&case.formulas, case.f), word.satisfies(&case.formulas, simple));
            assert_eq!(before, after, "seed {}: {} {word:?}", case.seed, case.expr);
        }
        Some(())
    });
}

/// A formula and its negation share no word; and in every random structure every state has a run that satisfies one of them.
#[test]
fn a_formula_and_its_negation_divide_the_words() {
    for_all(500, |case| {
        let automata = case.automata(&default())?.map(|automaton| automaton.generalised());
        let mut bdds = Bdds::default();
        let [yes, no] = [0, 1].map(|side| Graph::read(&automata[side], &mut bdds));
        assert_eq!(disjoint(&yes, &no, usize::MAX, &mut bdds), Some(true), "seed {}: {}", case.seed, case.expr);
        let structure = structure(&mut case.random, case.atoms);
        let mut structure = Graph::read(&structure, &mut bdds);
        for state in 0..structure.state_count() {
            structure.initial = state;
            let sides = [&yes, &no].map(|side| disjoint(&structure, side, usize::MAX, &mut bdds) == Some(false));
            assert!(sides[0] || sides[1], "seed {}: {} state {state}", case.seed, case.expr);
        }
        Some(())
    });
}

/// Some states, each with its letter and one to three successors; all its runs count.
fn structure(random: &mut Random, atoms: u32) -> Automaton {
    let count = random.random_range(2..8);
    let row = |random: &mut Random| -> Vec<Edge> {
        let letter = random.random_range(0..1u64 << atoms);
        let label = Label(vec![ltl::automaton::Cube { positive: letter, negative: !letter & ((1 << atoms) - 1) }]);
        let edge = |_| Edge { label: label.clone(), target: random.random_range(0..count), marks: Marks::NONE };
        let successors = 1 + letter as usize % 3;
        (0..successors).map(edge).collect()
    };
    let states = (0..count).map(|_| row(random)).collect();
    Automaton { atoms: support::NAMES.map(String::from).to_vec(), sets: 0, initial: 0, states }
}

/// With any reduction switched off, and with all of them, the language is the same.
#[test]
fn reductions_on_and_off_agree() {
    let all = default();
    let without = [
        Options { rewrite: false, ..all.clone() },
        Options { simulation: false, ..all.clone() },
        Options { obligation: false, ..all.clone() },
        Options { merging: false, ..all.clone() },
        Options { variants: false, ..all.clone() },
        Options { max_states: 2_000, ..Options::plain() },
    ];
    let mut compared = [0; 6];
    let count = seeds(1, 300).count();
    for seed in seeds(1, 300) {
        let mut case = Case::new(seed);
        let Some(automata) = case.automata(&all) else { continue };
        let mut bdds = Bdds::default();
        let [yes, no] = [0, 1].map(|side| Graph::read(&automata[side].generalised(), &mut bdds));
        for (number, options) in without.iter().enumerate() {
            let Some(others) = case.automata(options) else { continue };
            compared[number] += 1;
            let others = others.map(|automaton| automaton.generalised());
            let [other_yes, other_no] = [0, 1].map(|side| Graph::read(&others[side], &mut bdds));
            let what = format!("seed {seed}, {options:?}: {}", case.expr);
            assert_eq!(disjoint(&yes, &other_no, usize::MAX, &mut bdds), Some(true), "{what}");
            assert_eq!(disjoint(&other_yes, &no, usize::MAX, &mut bdds), Some(true), "{what}");
            for _ in 0..20 {
                let word = case.word();
                let satisfied = word.satisfies(&case.formulas, case.f);
                assert_eq!(word.is_accepted(&others[0]), satisfied, "{what} {word:?}");
            }
        }
    }
    assert!(compared.iter().all(|&done| done * 10 >= count * 9), "{compared:?} of {count}");
}

#[test]
fn repetitions_do_not_matter_to_stutter_invariant_formulas() {
    let mut found = [0, 0];
    for_all(500, |case| {
        let invariant = is_stutter_invariant(&mut case.formulas, case.f, &default()).ok()??;
        found[usize::from(invariant)] += 1;
        for _ in 0..if invariant { 50 } else { 0 } {
            let word = case.word();
            let repeated = repeat_letters(&word, &mut case.random);
            let [once, often] = [&word, &repeated].map(|word| word.satisfies(&case.formulas, case.f));
            assert_eq!(once, often, "seed {}: {} {word:?} {repeated:?}", case.seed, case.expr);
        }
        Some(())
    });
    assert!(found[0] > 0 && found[1] > 0, "{found:?}");
}
