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
pub use formula::{Formula, Formulas};

/// Why a translation gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// More states than allowed.
    States(usize),
    /// The decision diagrams became too large.
    Diagrams,
    /// More than [`automaton::MAX_MARKS`] eventualities.
    Marks,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Limit::States(count) => write!(f, "the automaton of this formula has more than {count} states"),
            Limit::Diagrams => write!(f, "this formula needs too large decision diagrams"),
            Limit::Marks => write!(f, "this formula has more than {} eventualities", automaton::MAX_MARKS),
        }
    }
}

impl std::error::Error for Limit {}
