//! Random formulas: what they mean, word by word, against what their automata accept.

mod support;

use ltl::Automaton;
use ltl::formula::{Formula, Formulas};
use ltl::translate::{Options, translate};
use support::{Shape, expr, lasso, random, seeds};

fn automaton(formulas: &mut Formulas, f: Formula, options: &Options) -> Option<Automaton> {
    match translate(formulas, f, options) {
        Ok(translation) => Some(translation.automaton.generalised()),
        // a formula may be too large; a wrong answer it may not be
        Err(_) => None,
    }
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let mut translated = 0;
    let all = seeds(1, 400);
    let count = all.clone().count();
    for seed in all {
        let mut random = random(seed);
        let shape = Shape { depth: 1 + (seed % 8) as u32, atoms: 3 + (seed % 2) as u32, next: true };
        let expr = expr(&mut random, shape);
        let mut formulas = Formulas::new();
        ["p", "q", "r", "s"].iter().for_each(|name| _ = formulas.atom(name));
        let f = formulas.intern(&expr);
        let not_f = formulas.not(f);
        let options = Options { max_states: 2_000, ..Options::default() };
        let (Some(yes), Some(no)) = (automaton(&mut formulas, f, &options), automaton(&mut formulas, not_f, &options))
        else {
            continue;
        };
        translated += 1;
        for _ in 0..50 {
            let word = lasso(&mut random, shape.atoms);
            let satisfied = word.satisfies(&formulas, f);
            assert_eq!(word.is_accepted(&yes), satisfied, "seed {seed}: {expr:?} {word:?}");
            assert_eq!(word.is_accepted(&no), !satisfied, "seed {seed}: not {expr:?} {word:?}");
        }
    }
    assert!(translated * 100 >= count * 97, "only {translated} of {count} formulas could be translated");
}
