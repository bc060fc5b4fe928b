//! Expressions and formulas: flat lists of operands and operators, made into trees by precedence.

use super::{Build, Pair, Rule, next, only, range, take};
use crate::syntax::number;
use crate::syntax::spec::{At, BinaryOp, Expr, ExprKind, Ident, Probe, UnaryOp, VarRef};

/// An expression and the bytes it takes up, its parentheses included.
struct Placed {
    expr: Expr,
    start: usize,
    end: usize,
}

impl Build<'_> {
    /// An `expr` or a `formula`.
    pub(super) fn expr(&mut self, pair: Pair<'_>) -> Expr {
        let parts = pair.clone().into_inner().count();
        let at = self.at(&pair);
        let built = self.below(parts, &pair, |build| build.inside(&pair, |build| build.operators(pair.clone())));
        built.flatten().unwrap_or(Expr { kind: ExprKind::Const(0), at })
    }

    fn operators(&mut self, pair: Pair<'_>) -> Expr {
        let origin = self.origin;
        let parts = self.reading.parts(pair, origin);
        let placed = self
            .reading
            .precedence()
            .map_primary(|operand| {
                let (start, end) = range(&operand);
                Placed { expr: self.operand(operand), start, end }
            })
            .map_prefix(|op, operand| {
                let (start, end) = (op.as_span().start(), operand.end);
                let kind = ExprKind::Unary(unary(&op), Box::new(operand.expr));
                Placed { expr: Expr { kind, at: At(origin.span(start, end)) }, start, end }
            })
            .map_infix(|left, op, right| {
                let (start, end) = (left.start, right.end);
                let kind = ExprKind::Binary(binary(&op), Box::new(left.expr), Box::new(right.expr));
                Placed { expr: Expr { kind, at: At(origin.span(start, end)) }, start, end }
            })
            .parse(parts.into_iter());
        placed.expr
    }

    fn operand(&mut self, pair: Pair<'_>) -> Expr {
        let at = self.at(&pair);
        let kind = match pair.as_rule() {
            Rule::paren => return self.paren(pair),
            Rule::formula_paren => return self.formula_paren(pair),
            Rule::reference => self.reference(pair),
            Rule::run => self.run(pair),
            Rule::len => ExprKind::Len(self.varref(only(pair))),
            Rule::probe => self.probe(pair),
            Rule::timeout => ExprKind::Timeout,
            Rule::non_progress => ExprKind::NonProgress,
            Rule::enabled => ExprKind::Enabled(Box::new(self.expr(only(pair)))),
            Rule::pc_value => ExprKind::PcValue(Box::new(self.expr(only(pair)))),
            Rule::get_priority => ExprKind::GetPriority(Box::new(self.expr(only(pair)))),
            _ => ExprKind::Const(value(&pair)),
        };
        Expr { kind, at }
    }

    fn paren(&mut self, pair: Pair<'_>) -> Expr {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let first = self.expr(next(&mut parts));
        let Some(then) = parts.next() else { return first };
        let (then, otherwise) = (self.expr(then), self.expr(next(&mut parts)));
        Expr { kind: ExprKind::Conditional(Box::new(first), Box::new(then), Box::new(otherwise)), at }
    }

    /// Inside a formula the arrow of a choice was read as an implication; a colon behind it tells.
    fn formula_paren(&mut self, pair: Pair<'_>) -> Expr {
        let at = self.at(&pair);
        let mut parts = pair.clone().into_inner();
        let first = self.expr(next(&mut parts));
        let Some(otherwise) = parts.next() else { return first };
        let otherwise = Box::new(self.expr(otherwise));
        match first.kind {
            ExprKind::Binary(BinaryOp::Implies, condition, then) => {
                Expr { kind: ExprKind::Conditional(condition, then, otherwise), at }
            }
            _ => {
                self.fault(&pair, "a `:` needs a condition and `->` before it, as in `(c -> a : b)`");
                first
            }
        }
    }

    fn reference(&mut self, pair: Pair<'_>) -> ExprKind {
        let mut parts = pair.into_inner();
        let base = next(&mut parts);
        let var = self.varref(base.clone());
        let Some(suffix) = parts.next() else { return ExprKind::Var(var) };
        match suffix.as_rule() {
            Rule::poll => {
                let mut parts = suffix.into_inner();
                let random = next(&mut parts).as_str() == "??";
                ExprKind::Poll { chan: var, random, args: parts.map(|arg| self.receive_arg(arg)).collect() }
            }
            Rule::remote_label => {
                let (proctype, pid) = self.process(var, &base);
                ExprKind::RemoteLabel { proctype, pid, label: self.ident(only(suffix)) }
            }
            _ => {
                let (proctype, pid) = self.process(var, &base);
                ExprKind::RemoteVar { proctype, pid, var: self.varref(only(suffix)) }
            }
        }
    }

    /// The process a remote reference looks at.
    fn process(&mut self, var: VarRef, pair: &Pair<'_>) -> (Ident, Option<Box<Expr>>) {
        if var.field.is_some() {
            self.fault(pair, "expected a proctype, as in `P@label` or `P[pid]:variable`, found a field");
        }
        (var.name, var.index)
    }

    pub(super) fn varref(&mut self, pair: Pair<'_>) -> VarRef {
        let (_, end) = range(&pair);
        let mut fields = Vec::new();
        let mut parts = pair.clone().into_inner();
        while let Some(name) = parts.next() {
            let index = take(&mut parts, Rule::index).map(|index| Box::new(self.expr(only(index))));
            fields.push((name.as_span().start(), self.ident(name), index));
        }
        self.below(fields.len(), &pair, |_| ());
        let mut field = None;
        while let Some((start, name, index)) = fields.pop() {
            let at = At(self.origin.span(start, end));
            field = Some(VarRef { name, index, field: field.map(Box::new), at });
        }
        field.expect("the grammar has a name here")
    }

    fn run(&mut self, pair: Pair<'_>) -> ExprKind {
        let mut parts = pair.into_inner();
        let proctype = self.ident(next(&mut parts));
        let args = next(&mut parts).into_inner().map(|arg| self.expr(arg)).collect();
        let priority = parts.next().map(|priority| Box::new(self.constant(only(priority))));
        ExprKind::Run { proctype, args, priority }
    }

    fn probe(&mut self, pair: Pair<'_>) -> ExprKind {
        let mut parts = pair.into_inner();
        let probe = match next(&mut parts).as_str() {
            "full" => Probe::Full,
            "nfull" => Probe::NotFull,
            "empty" => Probe::Empty,
            _ => Probe::NotEmpty,
        };
        ExprKind::Probe(probe, self.varref(next(&mut parts)))
    }

    pub(super) fn constant(&mut self, pair: Pair<'_>) -> Expr {
        Expr { kind: ExprKind::Const(value(&pair)), at: self.at(&pair) }
    }
}

/// What a number, a character or a truth value stands for.
pub(super) fn value(pair: &Pair<'_>) -> i32 {
    let text = pair.as_str();
    match pair.as_rule() {
        Rule::number => number::read(text),
        Rule::character => match &text[1..text.len() - 1] {
            "\\n" => i32::from(b'\n'),
            "\\t" => i32::from(b'\t'),
            "\\r" => i32::from(b'\r'),
            "\\f" => 12,
            plain => plain.chars().next_back().map_or(0, |c| u32::from(c) as i32),
        },
        _ => i32::from(text != "false"),
    }
}

fn unary(op: &Pair<'_>) -> UnaryOp {
    match op.as_rule() {
        Rule::not => UnaryOp::Not,
        Rule::complement => UnaryOp::Complement,
        Rule::minus => UnaryOp::Minus,
        Rule::always => UnaryOp::Always,
        Rule::eventually => UnaryOp::Eventually,
        _ => UnaryOp::Next,
    }
}

fn binary(op: &Pair<'_>) -> BinaryOp {
    match (op.as_rule(), op.as_str()) {
        (Rule::until, _) => BinaryOp::Until,
        (Rule::weak_until, _) => BinaryOp::WeakUntil,
        (Rule::release, _) => BinaryOp::Release,
        (Rule::strong_release, _) => BinaryOp::StrongRelease,
        (Rule::implies, _) => BinaryOp::Implies,
        (Rule::equivalent, _) => BinaryOp::Equivalent,
        (_, "*") => BinaryOp::Mul,
        (_, "/") => BinaryOp::Div,
        (_, "%") => BinaryOp::Rem,
        (_, "+") => BinaryOp::Add,
        (_, "-") => BinaryOp::Sub,
        (_, "<<") => BinaryOp::ShiftLeft,
        (_, ">>") => BinaryOp::ShiftRight,
        (_, "<") => BinaryOp::Lt,
        (_, "<=") => BinaryOp::Le,
        (_, ">") => BinaryOp::Gt,
        (_, ">=") => BinaryOp::Ge,
        (_, "==") => BinaryOp::Eq,
        (_, "!=") => BinaryOp::Ne,
        (_, "&") => BinaryOp::BitAnd,
        (_, "^") => BinaryOp::BitXor,
        (_, "|") => BinaryOp::BitOr,
        (_, "&&") => BinaryOp::And,
        _ => BinaryOp::Or,
    }
}
