//! Formulas as they were written: a tree with the place of every part.
//!
//! Nothing is simplified here, so that a formula can be shown as it was read. [`Formulas`](crate::Formulas) turns it
//! into the shared form that everything else works on.

use std::ops::Range;

/// A stretch of the text, in bytes.
pub type Span = Range<usize>;

/// A formula and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// The outermost operator and its operands.
    pub kind: Kind,
    /// Where it stands in the text.
    pub span: Span,
}

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Constant(bool),
    /// What is true or false of one letter; the name is all that this crate knows about it.
    Atom(String),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with a left and a right operand.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A chain of `&&`: at least two parts, none of which is such a chain unless it stood in parentheses.
    And(Vec<Expr>),
    /// A chain of `||`, likewise.
    Or(Vec<Expr>),
}

/// The operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `!a`
    Not,
    /// `X a`: a in the next moment.
    Next,
    /// `[]a`, `G a`: a now and forever.
    Always,
    /// `<>a`, `F a`: a now or at some later moment.
    Eventually,
}

/// The operators with two operands, other than chains of `&&` and `||`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `a -> b`
    Implies,
    /// `a <-> b`
    Equivalent,
    /// `a U b`: a until b, and b happens.
    Until,
    /// `a W b`: a until b, or a forever.
    WeakUntil,
    /// `a R b`, SPIN's `V`: b up to and including the first a, or b forever.
    Release,
    /// `a M b`: b up to and including the first a, and a happens.
    StrongRelease,
}
