//! Whatever tree there is, its text parses back to it.

mod random;

use crate::syntax::parse::tests::{parse_ok, respell};
use crate::syntax::print;
use crate::syntax::spec::{Spec, Unit};
use random::Random;

#[track_caller]
fn round_trip(spec: &Spec) {
    let text = print::print(spec);
    assert_eq!(&parse_ok(&respell(&text)), spec, "\n{text}");
}

#[test]
fn random_models_survive_printing() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        // Small models first, so that a failure is a small one.
        round_trip(&random.spec(seed as usize / 100));
    }
}

#[test]
fn random_statements_survive_one_line() {
    for seed in 0..400 {
        let steps = Random::new(seed).block(seed as usize / 100).steps;
        let text = steps.iter().map(print::stmt).collect::<Vec<_>>().join("; ");
        let spec = parse_ok(&respell(&format!("init {{ {text} }}")));
        let Some(Unit::Init(init)) = spec.units.first() else { panic!("{spec:?}") };
        assert_eq!(init.body.steps, steps, "\n{text}");
    }
}

#[test]
fn random_formulas_survive_one_line() {
    for seed in 0..2_000 {
        let formula = Random::new(seed).formula(seed as usize / 400);
        let text = print::expr(&formula);
        let spec = parse_ok(&respell(&format!("ltl {{ {text} }}")));
        let Some(Unit::Ltl(ltl)) = spec.units.first() else { panic!("{spec:?}") };
        assert_eq!(ltl.formula, formula, "\n{text}");
    }
}
