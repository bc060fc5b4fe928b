//! From a formula that was read to its automaton.

use crate::report::formula::{Sense, StutterInvariant, Translated};
use ltl::translate::{self, Options};
use ltl::{Expr, Formulas, Limit};
use std::time::Instant;

/// The automaton of a formula or of its negation; reading began at `started`.
pub fn translate(text: &str, expr: Expr, sense: Sense, started: Instant) -> Result<Translated, Limit> {
    let mut formulas = Formulas::new();
    let goal = formulas.intern(&sense.of(&expr));
    let translation = translate::translate(&mut formulas, goal, &Options::default())?;
    let time = started.elapsed();
    let classes = translation.automaton.classes();
    Ok(Translated { text: text.to_string(), expr, sense, translation, classes, time })
}

pub fn stutter_invariant(translated: &Translated) -> StutterInvariant {
    let mut formulas = Formulas::new();
    let goal = formulas.intern(&translated.sense.of(&translated.expr));
    // a limit is one way not to know
    translate::is_stutter_invariant(&mut formulas, goal, &Options::default()).ok().flatten()
}
