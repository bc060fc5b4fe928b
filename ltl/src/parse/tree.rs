//! From tokens to a tree, by bindings that are handed in.
//!
//! Two stacks instead of recursion (Dijkstra's shunting yard), so the depth of a text cannot exhaust ours: operands that
//! are complete, and operators and parentheses that still wait for their right operand. One pass, no backtracking.

use super::MAX_NESTING;
use super::precedence::{Binding, Side};
use super::token::{Infix, Symbol, Token};
use crate::error::Error;
use crate::expr::{Expr, Kind, Span, Unary};

/// The tree of tokens that alternate properly; `binding` is asked for the positions of infix operators.
///
/// Fails only where the tree would be nested too deeply.
pub fn build(tokens: &[Token], binding: impl Fn(usize) -> Binding) -> Result<Expr, Error> {
    let mut yard = Yard::default();
    for (position, token) in tokens.iter().enumerate() {
        let span = token.span.clone();
        match &token.symbol {
            Symbol::Open => yard.waiting.push(Waiting::Open(span)),
            Symbol::Close => yard.close(&span)?,
            Symbol::Prefix(operator) => yard.wait(Waiting::Prefix(*operator, span))?,
            Symbol::Infix(operator) => yard.infix(*operator, binding(position), span)?,
            Symbol::Constant(constant) => yard.operand(Operand::leaf(Kind::Constant(*constant), span))?,
            Symbol::Atom(name) => yard.operand(Operand::leaf(Kind::Atom(name.clone()), span))?,
        }
    }
    yard.finish()
}

pub fn too_deep(span: Span) -> Error {
    Error::new(format!("formulas are nested at most {MAX_NESTING} deep"), span)
}

struct Operand {
    expr: Expr,
    /// With the parentheses around it.
    extent: Span,
    /// It stood in parentheses, so it does not merge with a chain outside.
    closed: bool,
    /// How many operators lie above its deepest leaf.
    depth: usize,
}

enum Waiting {
    Open(Span),
    Prefix(Unary, Span),
    Infix(Infix, Binding, Span),
}

#[derive(Default)]
struct Yard {
    operands: Vec<Operand>,
    waiting: Vec<Waiting>,
    /// How many of those that wait are operators. Each of them will lie above what comes next.
    operators: usize,
}

impl Yard {
    fn infix(&mut self, operator: Infix, binding: Binding, span: Span) -> Result<(), Error> {
        while self.last_binds_before(binding) {
            self.apply()?;
        }
        self.wait(Waiting::Infix(operator, binding, span))
    }

    fn last_binds_before(&self, next: Binding) -> bool {
        match self.waiting.last() {
            Some(Waiting::Infix(_, last, _)) => {
                last.level > next.level || last.level == next.level && next.side == Side::Left
            }
            _ => false,
        }
    }

    fn wait(&mut self, operator: Waiting) -> Result<(), Error> {
        if self.operators == MAX_NESTING {
            return Err(too_deep(operator.span()));
        }
        self.operators += 1;
        self.waiting.push(operator);
        Ok(())
    }

    /// An operand is complete: the operators directly before it take it, since nothing binds tighter.
    fn operand(&mut self, operand: Operand) -> Result<(), Error> {
        self.operands.push(operand);
        while let Some(Waiting::Prefix(..)) = self.waiting.last() {
            self.apply()?;
        }
        Ok(())
    }

    fn close(&mut self, close: &Span) -> Result<(), Error> {
        while let Some(Waiting::Prefix(..) | Waiting::Infix(..)) = self.waiting.last() {
            self.apply()?;
        }
        let open = self.waiting.pop().expect("parentheses match").span();
        let inner = self.pop_operand();
        self.operand(Operand { extent: open.start..close.end, closed: true, ..inner })
    }

    fn finish(mut self) -> Result<Expr, Error> {
        while !self.waiting.is_empty() {
            self.apply()?;
        }
        Ok(self.pop_operand().expr)
    }

    /// The operator that waits last gets its operands.
    fn apply(&mut self) -> Result<(), Error> {
        let operator = self.waiting.pop().expect("an operator waits");
        let span = operator.span();
        self.operators -= 1;
        let right = self.pop_operand();
        let whole = match operator {
            Waiting::Prefix(operator, span) => right.under(operator, span.start),
            Waiting::Infix(operator, ..) => self.pop_operand().combined(operator, right),
            Waiting::Open(_) => unreachable!("parentheses match"),
        };
        if whole.depth > MAX_NESTING {
            return Err(too_deep(span));
        }
        self.operands.push(whole);
        Ok(())
    }

    fn pop_operand(&mut self) -> Operand {
        self.operands.pop().expect("operands and operators alternate")
    }
}

impl Waiting {
    fn span(&self) -> Span {
        match self {
            Waiting::Open(span) | Waiting::Prefix(_, span) | Waiting::Infix(_, _, span) => span.clone(),
        }
    }
}

impl Operand {
    fn leaf(kind: Kind, span: Span) -> Operand {
        Operand { extent: span.clone(), expr: Expr { kind, span }, closed: false, depth: 0 }
    }

    fn node(kind: Kind, span: Span, depth: usize) -> Operand {
        Operand { depth, ..Operand::leaf(kind, span) }
    }

    fn under(self, operator: Unary, start: usize) -> Operand {
        let span = start..self.extent.end;
        Operand::node(Kind::Unary(operator, Box::new(self.expr)), span, self.depth + 1)
    }

    fn combined(self, operator: Infix, right: Operand) -> Operand {
        let span = self.extent.start..right.extent.end;
        let depth = self.depth_in(operator).max(right.depth_in(operator)) + 1;
        let kind = match operator {
            Infix::And => Kind::And(self.joined(operator, right)),
            Infix::Or => Kind::Or(self.joined(operator, right)),
            Infix::Binary(operator) => Kind::Binary(operator, Box::new(self.expr), Box::new(right.expr)),
        };
        Operand::node(kind, span, depth)
    }

    /// The parts of a chain of both. The long one is on the left, so that a chain grows in linear time.
    fn joined(self, operator: Infix, right: Operand) -> Vec<Expr> {
        let mut parts = self.parts(operator);
        parts.extend(right.parts(operator));
        parts
    }

    fn parts(self, operator: Infix) -> Vec<Expr> {
        if !self.merges_into(operator) {
            return vec![self.expr];
        }
        match self.expr.kind {
            Kind::And(parts) | Kind::Or(parts) => parts,
            _ => unreachable!("only chains merge"),
        }
    }

    fn depth_in(&self, operator: Infix) -> usize {
        if self.merges_into(operator) { self.depth - 1 } else { self.depth }
    }

    fn merges_into(&self, operator: Infix) -> bool {
        let same = matches!((operator, &self.expr.kind), (Infix::And, Kind::And(_)) | (Infix::Or, Kind::Or(_)));
        same && !self.closed
    }
}
