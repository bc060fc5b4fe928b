//! Linear temporal logic: formulas to small Büchi automata, with their components classified.
//!
//! This crate knows no programs. An atom is a name, and what makes it true is the caller's business.
//!
//! # From a formula to an automaton
//!
//! ```
//! use ltl::translate::{Options, translate};
//! use ltl::{Formulas, parse};
//!
//! // what SPIN, Spot and textbooks write; a mistake comes with its place
//! let parsed = parse("[] (request -> <> answer)")?;
//! assert_eq!(parse("[] (request -> ").unwrap_err().span, 15..15);
//!
//! // shared, negations at the atoms; a checker wants the runs that violate the property
//! let mut formulas = Formulas::new();
//! let property = formulas.intern(&parsed.expr);
//! let violation = formulas.not(property);
//!
//! let translation = translate(&mut formulas, violation, &Options::default())?;
//! let claim = &translation.automaton;
//! assert_eq!((claim.states.len(), claim.edge_count()), (2, 3));
//! assert_eq!(claim.atoms, ["request", "answer"]);
//! let drawing = "\
//! → 0    true                ↺
//!        request && !answer  → 1
//!   1 ●  !answer             ↺
//! ";
//! assert_eq!(ltl::format::text::draw(claim), drawing);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the components are like
//!
//! A search that looks for accepting cycles may skip states whose component has none (N), and need not look further
//! once it has closed a cycle where all are accepting (F). Only in a component with both kinds (P) is there more to do.
//!
//! ```
//! # use ltl::translate::{Options, translate};
//! # use ltl::{Formulas, parse};
//! use ltl::scc::Class;
//!
//! # let mut formulas = Formulas::new();
//! # let property = formulas.intern(&parse("!([] (request -> <> answer))")?.expr);
//! # let claim = translate(&mut formulas, property, &Options::default())?.automaton;
//! let classes = claim.classes();
//! assert_eq!(classes.class(0), Class::N);
//! assert_eq!(classes.class(1), Class::F);
//! assert!(classes.is_weak());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Words
//!
//! [`Lasso`](word::Lasso)s are words that end in a loop. Formulas and automata can be tried on them, and a formula
//! that can be satisfied has one:
//!
//! ```
//! # use ltl::translate::{Options, translate, satisfying_word};
//! # use ltl::{Formulas, parse};
//! let mut formulas = Formulas::new();
//! let f = formulas.intern(&parse("[]<>p && []<>!p")?.expr);
//! let word = satisfying_word(&mut formulas, f, &Options::default())?.expect("it can be satisfied");
//! assert!(word.satisfies(&formulas, f));
//!
//! let automaton = translate(&mut formulas, f, &Options::default())?.automaton;
//! assert!(word.is_accepted(&automaton.generalised()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In and out
//!
//! Automata are written and read as never claims and in the Hanoi omega-automata format ([`mod@format`]):
//!
//! ```
//! use ltl::format::{hoa, never};
//!
//! let claim = never::read("never { S: do :: true :: p -> goto accept_T od; accept_T: do :: p od }")?;
//! assert_eq!(claim.states.len(), 2);
//! assert_eq!(hoa::read(&hoa::write_buchi(&claim, None, &[]))?, claim.generalised());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How
//!
//! [`translate`](mod@translate) has the stages on one page: [`rewrite`] (with [`implication`]), [`tableau`] (on [`bdd`]s),
//! [`trim`], [`simulation`], [`obligation`], [`degeneralise`], [`mod@buchi`], [`merging`] (with [`emptiness`]). Each file names its
//! papers. [`scc`] classifies, [`stutter`] tells whether repetitions matter,
//! [`stutter_game`] whether an automaton can follow them.
//!
//! Every limit is an error, [`Limit`]: a formula may have [`MAX_ATOMS`](automaton::MAX_ATOMS) atoms and its automaton needs
//! bounded work; the caller may set it a [`Budget`] of time and memory. The same formula, in a fresh [`Formulas`], always gives the same automaton.
//!
//! # How small
//!
//! 338 formulas from the literature and their negations (Dwyer et al., Etessami and Holzmann, Somenzi and Bloem, Liberouter,
//! BEEM), Büchi automata with acceptance on states, without sinks, beside those of Spot 2.12.1 (`ltl2tgba -B`) and
//! ltl2ba. `cargo run --release -p ltl --example sizes -- patterns.tsv` makes this table:
//!
#![doc = include_str!("../SIZES.md")]
#![warn(missing_docs)]

/// What the README shows is executed.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod automaton;
pub mod bdd;
pub mod buchi;
pub mod budget;
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
pub mod stutter_game;
pub mod tableau;
pub mod translate;
pub mod trim;
pub mod word;

pub use automaton::{Automaton, Buchi};
pub use budget::Budget;
pub use error::Error;
pub use expr::{Expr, Span};
pub use formula::{Formula, Formulas};
pub use parse::{Parsed, Reader, Warning, parse, parse_with};

/// Why a translation gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The formula has more than [`translate::MAX_SIZE`] different parts.
    Size,
    /// More states than allowed.
    States(usize),
    /// More edges than any use could be made of.
    Edges(usize),
    /// Too much work: the decision diagrams became too large, or too many steps were needed.
    Work,
    /// More than [`automaton::MAX_MARKS`] eventualities.
    Marks,
    /// The caller's [`Budget`] was spent.
    Stopped,
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Limit::Size => write!(f, "this formula has more than {} different parts", translate::MAX_SIZE),
            Limit::States(count) => write!(f, "the automaton of this formula has more than {count} states"),
            Limit::Edges(count) => write!(f, "the automaton of this formula has more than {count} edges"),
            Limit::Work => write!(f, "the automaton of this formula takes too much work"),
            Limit::Marks => write!(f, "this formula has more than {} eventualities", automaton::MAX_MARKS),
            Limit::Stopped => write!(f, "the translation of this formula was stopped"),
        }
    }
}

impl std::error::Error for Limit {}
