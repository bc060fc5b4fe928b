//! Linear temporal logic.

pub mod automaton;
pub mod bdd;
pub mod degeneralise;
pub mod emptiness;
pub mod error;
pub mod expr;
pub mod format;
pub mod formula;
pub mod graph;
pub mod implication;
pub mod merging;
pub mod obligation;
pub mod parse;
pub mod print;
pub mod rewrite;
pub mod scc;
pub mod simulation;
pub mod stutter;
pub mod tableau;
pub mod translate;
pub mod trim;
pub mod word;

pub use automaton::{Automaton, Buchi};
pub use error::Error;
pub use expr::{Expr, Span};
pub use formula::{Formula, Formulas};
pub use parse::{Parsed, parse, parse_with};

/// Why a translation gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// More states than allowed.
    States(usize),
    /// More edges than any use could be made of.
    Edges(usize),
    /// Too much work: the decision diagrams became too large, or too many steps were needed.
    Work,
    /// More than [`automaton::MAX_MARKS`] eventualities.
    Marks,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Limit::States(count) => write!(f, "the automaton of this formula has more than {count} states"),
            Limit::Edges(count) => write!(f, "the automaton of this formula has more than {count} edges"),
            Limit::Work => write!(f, "the automaton of this formula takes too much work"),
            Limit::Marks => write!(f, "this formula has more than {} eventualities", automaton::MAX_MARKS),
        }
    }
}

impl std::error::Error for Limit {}
