//! What there is to say about formulas: their automata, how they were read, what tells two of them apart.

pub mod formats;
pub mod json;
pub mod reading;
mod rows;
pub mod summary;
pub mod word;

use ltl::Expr;
use ltl::expr::{Kind, Unary};
use ltl::scc::{Classes, Component};
use ltl::translate::Translation;
use std::time::Duration;

/// What an automaton stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The formula.
    Plain,
    /// Its negation.
    Negated,
}

impl Sense {
    /// The formula in this sense. The spans of a negation are those of the formula.
    pub fn of(self, expr: &Expr) -> Expr {
        match self {
            Sense::Plain => expr.clone(),
            Sense::Negated => Expr { kind: Kind::Unary(Unary::Not, Box::new(expr.clone())), span: expr.span.clone() },
        }
    }
}

/// A formula with its automaton.
#[derive(Clone, Debug)]
pub struct Translated {
    /// As it was given.
    pub text: String,
    /// As it was read.
    pub expr: Expr,
    /// Whether the formula or its negation was translated.
    pub sense: Sense,
    /// The automaton, and what is known about its language.
    pub translation: Translation,
    /// The strongly connected components of the automaton.
    pub classes: Classes,
    /// For reading and translating.
    pub time: Duration,
}

impl Translated {
    /// The components of the automaton in the order of their first states.
    pub fn components(&self) -> Vec<&Component> {
        let mut components: Vec<&Component> = self.classes.components().iter().collect();
        components.sort_by_key(|component| component.states.first());
        components
    }
}

/// What is known about the repetition of letters; `None`: too much work to tell.
pub type StutterInvariant = Option<bool>;
