//! How the operators of a formula group, where readers disagree.
//!
//! A model is read as SPIN reads it (spin.y, `%left` lines): every infix operator groups to the left, and `->` and `<->`
//! bind alike. Two things differ from SPIN on purpose: the temporal operators before an operand bind looser than
//! comparisons, and a macro is one operand (`syntax/formula.rs`). The literature and `swarmgp ltl` group `->` and
//! `U V W M` to the right, and let `->` bind tighter than `<->`. Where the reading taken is not the only one there is, a
//! warning shows both.

use super::{Build, Origin, Pair, Rule, only, range};
use crate::source::Diagnostic;
use crate::syntax::print;
use crate::syntax::spec::{At, BinaryOp, Expr, ExprKind};
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::sync::LazyLock;

/// Whose reading of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// What the model means to us.
    Taken,
    /// That of the literature and of `swarmgp ltl`.
    Literature,
    Spin,
}

impl Reading {
    pub(super) fn precedence(self) -> &'static PrattParser<Rule> {
        static TAKEN: LazyLock<PrattParser<Rule>> = LazyLock::new(|| values(prefixes(connectives(Assoc::Left))));
        static LITERATURE: LazyLock<PrattParser<Rule>> = LazyLock::new(|| values(prefixes(connectives(Assoc::Right))));
        static SPIN: LazyLock<PrattParser<Rule>> = LazyLock::new(|| prefixes(values(connectives(Assoc::Left))));
        match self {
            Reading::Taken => &TAKEN,
            Reading::Literature => &LITERATURE,
            Reading::Spin => &SPIN,
        }
    }

    /// Operands and operators. SPIN does not see the parentheses that were put around a macro: no text is behind them.
    pub(super) fn parts<'t>(self, pair: Pair<'t>, origin: &dyn Origin) -> Vec<Pair<'t>> {
        let inserted = |part: &Pair<'_>| {
            let (start, _) = range(part);
            let open = origin.span(start, start + 1);
            part.as_rule() == Rule::formula_paren && open.start == open.end && part.clone().into_inner().count() == 1
        };
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            if self == Reading::Spin && inserted(&part) {
                parts.extend(self.parts(only(part), origin));
            } else {
                parts.push(part);
            }
        }
        parts
    }
}

/// The connectives, loosest first; `side` is where those group that readers disagree about.
fn connectives(side: Assoc) -> PrattParser<Rule> {
    let implies = Op::infix(Rule::implies, side);
    let arrows = match side {
        Assoc::Left => PrattParser::new().op(Op::infix(Rule::equivalent, Assoc::Left) | implies),
        Assoc::Right => PrattParser::new().op(Op::infix(Rule::equivalent, Assoc::Left)).op(implies),
    };
    let untils = Op::infix(Rule::until, side)
        | Op::infix(Rule::weak_until, side)
        | Op::infix(Rule::release, side)
        | Op::infix(Rule::strong_release, side);
    arrows.op(Op::infix(Rule::or, Assoc::Left)).op(Op::infix(Rule::and, Assoc::Left)).op(untils)
}

fn prefixes(parser: PrattParser<Rule>) -> PrattParser<Rule> {
    parser.op(Op::prefix(Rule::always) | Op::prefix(Rule::eventually) | Op::prefix(Rule::next))
}

/// The operators between values, and those before an operand; the same list, tightest first, is in the grammar.
fn values(parser: PrattParser<Rule>) -> PrattParser<Rule> {
    parser
        .op(Op::infix(Rule::bit_or, Assoc::Left))
        .op(Op::infix(Rule::bit_xor, Assoc::Left))
        .op(Op::infix(Rule::bit_and, Assoc::Left))
        .op(Op::infix(Rule::equality, Assoc::Left))
        .op(Op::infix(Rule::order, Assoc::Left))
        .op(Op::infix(Rule::shift, Assoc::Left))
        .op(Op::infix(Rule::plus, Assoc::Left))
        .op(Op::infix(Rule::times, Assoc::Left))
        .op(Op::prefix(Rule::not) | Op::prefix(Rule::complement) | Op::prefix(Rule::minus))
}

impl Build<'_> {
    /// The formula of an ltl block.
    pub(super) fn formula(&mut self, pair: Pair<'_>) -> Expr {
        let taken = self.expr(pair.clone());
        for reading in [Reading::Literature, Reading::Spin] {
            if let Some(other) = self.read_as(reading, pair.clone())
                && let Some((ours, theirs)) = difference(&taken, &other)
            {
                self.warnings.push(warning(reading, ours, theirs));
            }
        }
        taken
    }

    /// The formula in another reading, if it has one.
    fn read_as(&mut self, reading: Reading, pair: Pair<'_>) -> Option<Expr> {
        let known = self.faults.len();
        self.reading = reading;
        let read = self.expr(pair);
        self.reading = Reading::Taken;
        let faultless = self.faults.len() == known;
        self.faults.truncate(known);
        faultless.then_some(read)
    }
}

fn warning(reading: Reading, ours: &Expr, theirs: &Expr) -> Diagnostic {
    let At(span) = ours.at;
    let (ours, theirs) = (shown(ours), shown(theirs));
    let (message, help) = match reading {
        Reading::Spin => (
            format!("this is read as `{ours}`, but SPIN reads `{theirs}`"),
            "write the parentheses, so that both read the same".to_string(),
        ),
        Reading::Taken | Reading::Literature => (
            format!("this is read as `{ours}`: operators of a model group to the left, as in SPIN"),
            format!("write the parentheses; `swarmgp ltl` and textbooks read `{theirs}`"),
        ),
    };
    Diagnostic::warning(span, message).help(help)
}

fn shown(expr: &Expr) -> String {
    const LONG: usize = 200;
    let text = print::expr(expr);
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The smallest parts of two readings of one text that hold all the difference in meaning between them.
fn difference<'e>(first: &'e Expr, second: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    let (ours, theirs) = (parts(first), parts(second));
    let same_kind = match (&first.kind, &second.kind) {
        (ExprKind::Unary(a, _), ExprKind::Unary(b, _)) => a == b,
        (ExprKind::Binary(a, ..), ExprKind::Binary(b, ..)) => a == b,
        (ExprKind::Conditional(..), ExprKind::Conditional(..)) => true,
        _ => return (first != second).then_some((first, second)),
    };
    if !same_kind || ours.len() != theirs.len() {
        return Some((first, second));
    }
    let mut differences = ours.into_iter().zip(theirs).filter_map(|(a, b)| difference(a, b));
    let found = differences.next()?;
    Some(if differences.next().is_none() { found } else { (first, second) })
}

/// The operands of the topmost operator; where grouping does not matter, of the whole chain.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary(_, operand) => vec![operand],
        ExprKind::Binary(op, ..) => {
            let mut chain = Vec::new();
            links(*op, expr, &mut chain);
            chain
        }
        ExprKind::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
        _ => Vec::new(),
    }
}

fn links<'e>(op: BinaryOp, expr: &'e Expr, chain: &mut Vec<&'e Expr>) {
    let ExprKind::Binary(_, left, right) = &expr.kind else { return };
    for part in [left, right] {
        match &part.kind {
            ExprKind::Binary(inner, ..) if *inner == op && is_associative(op) => links(op, part, chain),
            _ => chain.push(part),
        }
    }
}

fn is_associative(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, And | Or | Equivalent | BitAnd | BitOr | BitXor | Add | Mul)
}
