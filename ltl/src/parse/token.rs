//! A formula as a sequence of tokens.
//!
//! The scanner guarantees that operands and operators alternate and that parentheses match. Which operand belongs to
//! which operator is left open: [`tree`](super::tree) decides it, by a table of bindings that is handed in.

use crate::expr::{Binary, Span, Unary};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub symbol: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    Open,
    Close,
    Prefix(Unary),
    Infix(Infix),
    Constant(bool),
    Atom(String),
}

/// An operator between two operands; a chain of the first two is one node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    And,
    Or,
    Binary(Binary),
}

impl Token {
    pub fn spelling<'a>(&self, text: &'a str) -> &'a str {
        &text[self.span.clone()]
    }
}
