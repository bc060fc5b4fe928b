//! Statements.

use super::expr::value;
use super::{Build, Pair, Rule, next, only, range, take};
use crate::syntax::spec::{At, Block, Exclusive, Expr, ExprKind, RecvArg, Stmt, StmtKind, VarRef};

impl Build<'_> {
    /// A `{ … }` or an option.
    pub(super) fn block(&mut self, pair: Pair<'_>) -> Block {
        let at = self.at(&pair);
        let steps = self.inside(&pair.clone(), |build| pair.into_inner().map(|step| build.step(step)).collect());
        Block { steps: steps.unwrap_or_default(), at }
    }

    fn step(&mut self, pair: Pair<'_>) -> Stmt {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let first = next(&mut parts);
        let kind = match first.as_rule() {
            Rule::declaration => StmtKind::Decl(self.declaration(first)),
            Rule::exclusive => self.exclusive(first),
            _ => {
                let main = self.statement(first);
                match parts.next() {
                    None => return main,
                    Some(escape) => StmtKind::Unless(Box::new(main), Box::new(self.statement(escape))),
                }
            }
        };
        Stmt { kind, at }
    }

    fn exclusive(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let way = if next(&mut parts).as_str() == "xr" { Exclusive::Receive } else { Exclusive::Send };
        StmtKind::Exclusive(way, parts.map(|chan| self.varref(chan)).collect())
    }

    fn statement(&mut self, pair: Pair<'_>) -> Stmt {
        let (_, end) = range(&pair);
        let mut labels = Vec::new();
        let mut parts = pair.clone().into_inner();
        while let Some(label) = take(&mut parts, Rule::label) {
            labels.push((label.as_span().start(), self.ident(only(label))));
        }
        let built = self.below(labels.len(), &pair, |build| parts.next().map(|simple| build.simple(simple)));
        let mut stmt = built.flatten();
        while let Some((start, label)) = labels.pop() {
            let at = At(self.origin.span(start, end));
            stmt = Some(Stmt { kind: StmtKind::Label(label, stmt.map(Box::new)), at });
        }
        stmt.unwrap_or_else(|| Stmt { kind: StmtKind::Else, at: self.at(&pair) })
    }

    fn simple(&mut self, pair: Pair<'_>) -> Stmt {
        let at = self.at(&pair);
        let kind = match pair.as_rule() {
            Rule::selection => StmtKind::If(pair.into_inner().map(|option| self.block(option)).collect()),
            Rule::repetition => StmtKind::Do(pair.into_inner().map(|option| self.block(option)).collect()),
            Rule::atomic => StmtKind::Atomic(self.block(only(pair))),
            Rule::d_step => StmtKind::DStep(self.block(only(pair))),
            Rule::block => StmtKind::Block(self.block(pair)),
            Rule::goto => StmtKind::Goto(self.ident(only(pair))),
            Rule::break_ => StmtKind::Break,
            Rule::else_ => StmtKind::Else,
            Rule::printf => self.printf(pair),
            Rule::printm => StmtKind::Printm(self.printed(only(pair))),
            Rule::assert => StmtKind::Assert(self.expr(only(pair))),
            Rule::for_ => self.for_loop(pair),
            Rule::select => self.select(pair),
            Rule::set_priority => self.set_priority(pair),
            Rule::access => self.access(pair),
            _ => StmtKind::Expr(self.expr(pair)),
        };
        Stmt { kind, at }
    }

    fn printf(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let quoted = next(&mut parts).as_str();
        let format = quoted[1..quoted.len() - 1].to_string();
        StmtKind::Printf(format, parts.map(|value| self.expr(value)).collect())
    }

    /// What `printm` prints: a variable or a constant.
    fn printed(&mut self, pair: Pair<'_>) -> Expr {
        if pair.as_rule() != Rule::varref {
            return self.constant(pair);
        }
        let at = self.at(&pair);
        Expr { kind: ExprKind::Var(self.varref(pair)), at }
    }

    fn set_priority(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        StmtKind::SetPriority(self.expr(next(&mut parts)), self.expr(next(&mut parts)))
    }

    fn for_loop(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let var = self.varref(next(&mut parts));
        let head = next(&mut parts);
        let body = next(&mut parts);
        let ranged = head.as_rule() == Rule::range;
        let mut head = head.into_inner();
        if ranged {
            let (lo, hi) = (self.expr(next(&mut head)), self.expr(next(&mut head)));
            StmtKind::ForRange { var, lo, hi, body: self.block(body) }
        } else {
            StmtKind::ForIn { var, over: self.varref(next(&mut head)), body: self.block(body) }
        }
    }

    fn select(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let var = self.varref(next(&mut parts));
        let mut bounds = next(&mut parts).into_inner();
        StmtKind::Select { var, lo: self.expr(next(&mut bounds)), hi: self.expr(next(&mut bounds)) }
    }

    fn access(&mut self, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let var = self.varref(next(&mut parts));
        let what = next(&mut parts);
        match what.as_rule() {
            Rule::assign => StmtKind::Assign(var, self.expr(only(what))),
            Rule::increment => StmtKind::Increment(var),
            Rule::decrement => StmtKind::Decrement(var),
            Rule::send => {
                let mut parts = what.into_inner();
                let sorted = next(&mut parts).as_str() == "!!";
                StmtKind::Send { chan: var, sorted, args: parts.map(|value| self.expr(value)).collect() }
            }
            _ => self.receive(var, what),
        }
    }

    fn receive(&mut self, chan: VarRef, pair: Pair<'_>) -> StmtKind {
        let mut parts = pair.into_inner();
        let random = next(&mut parts).as_str() == "??";
        let copied = take(&mut parts, Rule::copy);
        let copy = copied.is_some();
        let args = copied.map_or(parts, Pair::into_inner);
        StmtKind::Receive { chan, random, copy, args: args.map(|arg| self.receive_arg(arg)).collect() }
    }

    pub(super) fn receive_arg(&mut self, pair: Pair<'_>) -> RecvArg {
        let at = self.at(&pair);
        let part = only(pair);
        match part.as_rule() {
            Rule::varref => RecvArg::Var(self.varref(part)),
            Rule::eval => RecvArg::Eval(self.expr(only(part))),
            Rule::negative => RecvArg::Const(value(&only(part)).wrapping_neg(), at),
            _ => RecvArg::Const(value(&part), at),
        }
    }
}
