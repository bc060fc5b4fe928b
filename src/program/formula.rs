//! ltl blocks: formulas of the model to formulas over atoms.
//!
//! Boolean connectives and temporal operators are the formula; whatever is below them is an atom, a Promela expression
//! that is true or false of a state. Equal expressions are one atom. The property is what the block says; the claim
//! against it is made from its negation.

use super::code::Code;
use super::compile::Compiler;
use super::render;
use crate::model::{BinaryOp, Expr, UnaryOp, is_temporal};
use crate::source::Span;
use ltl::expr::{Binary, Kind, Unary};

/// An ltl block.
#[derive(Clone, Debug)]
pub struct Formula {
    /// That of the block.
    pub name: String,
    /// What must hold.
    pub expr: ltl::Expr,
    /// The atoms of `expr`, which knows them by their texts.
    pub atoms: Vec<Atom>,
    /// Where it stands.
    pub span: Span,
}

/// Something that is true or false of a state.
#[derive(Clone, Debug)]
pub struct Atom {
    /// As SPIN prints it.
    pub text: String,
    pub code: Code,
}

/// Compiles the formula of an ltl block.
pub fn compile(compiler: &Compiler, formula: &crate::model::Formula) -> Formula {
    let mut atoms = Vec::new();
    let expr = temporal(compiler, &formula.formula, &mut atoms);
    Formula { name: formula.name.clone(), expr, atoms, span: formula.span }
}

fn temporal(compiler: &Compiler, expr: &Expr, atoms: &mut Vec<Atom>) -> ltl::Expr {
    let mut part = |expr: &Expr| Box::new(temporal(compiler, expr, atoms));
    let kind = match expr {
        Expr::Const(value) => Kind::Constant(*value != 0),
        Expr::Unary(op, inner) if unary(*op).is_some() => Kind::Unary(unary(*op).unwrap_or(Unary::Not), part(inner)),
        Expr::Binary(BinaryOp::And, left, right) => Kind::And(vec![*part(left), *part(right)]),
        Expr::Binary(BinaryOp::Or, left, right) => Kind::Or(vec![*part(left), *part(right)]),
        // between formulas, bits are truth values
        Expr::Binary(BinaryOp::BitAnd, left, right) if is_temporal(expr) => Kind::And(vec![*part(left), *part(right)]),
        Expr::Binary(BinaryOp::BitOr, left, right) if is_temporal(expr) => Kind::Or(vec![*part(left), *part(right)]),
        Expr::Binary(op, left, right) if binary(*op).is_some() => {
            Kind::Binary(binary(*op).unwrap_or(Binary::Until), part(left), part(right))
        }
        _ => {
            let text = render::expr(compiler.model, None, expr);
            if !atoms.iter().any(|atom| atom.text == text) {
                atoms.push(Atom { text: text.clone(), code: compiler.expr(expr) });
            }
            Kind::Atom(text)
        }
    };
    ltl::Expr { kind, span: 0..0 }
}

fn unary(op: UnaryOp) -> Option<Unary> {
    match op {
        UnaryOp::Not => Some(Unary::Not),
        UnaryOp::Always => Some(Unary::Always),
        UnaryOp::Eventually => Some(Unary::Eventually),
        UnaryOp::Next => Some(Unary::Next),
        UnaryOp::Complement | UnaryOp::Minus => None,
    }
}

fn binary(op: BinaryOp) -> Option<Binary> {
    match op {
        BinaryOp::Implies => Some(Binary::Implies),
        BinaryOp::Equivalent => Some(Binary::Equivalent),
        BinaryOp::Until => Some(Binary::Until),
        BinaryOp::WeakUntil => Some(Binary::WeakUntil),
        BinaryOp::Release => Some(Binary::Release),
        BinaryOp::StrongRelease => Some(Binary::StrongRelease),
        _ => None,
    }
}
