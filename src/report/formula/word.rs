//! Two formulas side by side: a word that tells them apart, for people and for programs.

use super::rows::row;
use crate::report::json;
use ltl::automaton::{Atoms, Cube, Label};
use ltl::format::label;
use ltl::word::Lasso;
use serde::Serialize;

/// One of two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// The formula that was given first.
    First,
    /// The formula that was given second.
    Second,
}

/// The word that satisfies `satisfies` only.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The formula that the word satisfies; it does not satisfy the other one.
    pub satisfies: Which,
    /// The word.
    pub word: Word,
}

/// A lasso, each letter as a conjunction of literals.
#[derive(Clone, Debug, Serialize)]
pub struct Word {
    prefix: Vec<String>,
    cycle: Vec<String>,
}

impl Word {
    /// Shows the atoms of `relevant` only.
    pub fn new(lasso: &Lasso, names: &[String], relevant: Atoms) -> Word {
        let cube = |letter: Atoms| Cube { positive: letter & relevant, negative: !letter & relevant };
        let show = |&letter: &Atoms| label::show(&Label(vec![cube(letter)]), names);
        Word { prefix: lasso.prefix.iter().map(show).collect(), cycle: lasso.cycle.iter().map(show).collect() }
    }
}

/// The difference as text; `None` means that the formulas are equivalent.
pub fn text(difference: Option<&Difference>) -> String {
    let Some(Difference { satisfies, word }) = difference else { return "equivalent\n".into() };
    let only = match satisfies {
        Which::First => "the first formula and not the second",
        Which::Second => "the second formula and not the first",
    };
    let rows = row("  first", &word.prefix) + &row("  forever", &word.cycle);
    format!("not equivalent: this word satisfies {only}\n\n{rows}")
}

#[derive(Clone, Debug, Serialize)]
struct Object<'w> {
    equivalent: bool,
    satisfies: Option<Which>,
    word: Option<&'w Word>,
}

/// The difference as a JSON object; `None` means that the formulas are equivalent.
pub fn object(difference: Option<&Difference>) -> String {
    json::render(&Object {
        equivalent: difference.is_none(),
        satisfies: difference.map(|difference| difference.satisfies),
        word: difference.map(|difference| &difference.word),
    })
}
