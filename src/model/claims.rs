//! What is special about claims, formulas, traces and provided clauses, and what only the whole model shows.

use super::expressions::expression;
use super::resolve::Context;
use super::tree::{BinaryOp, Expr, ProctypeKind, Root, UnaryOp};
use super::walk::any;
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, Spec, StmtKind, Unit};

/// A `provided` clause: it is tested between the steps of a process, so it may not look at the process's variables
/// (as spin: pangen4.c, `proper_enabler`).
pub fn provided(cx: &mut Context, condition: &spec::Expr) -> Option<Expr> {
    let value = expression(cx, condition)?;
    let is_local = |e: &Expr| match e {
        Expr::Load(place) | Expr::Len(place) | Expr::Probe(_, place) => matches!(place.root, Root::Local(_)),
        Expr::Poll { chan, .. } => matches!(chan.root, Root::Local(_)),
        _ => false,
    };
    if any(&value, is_local) {
        cx.report.error(condition.at.0, "a provided clause can only mention globals, `_pid` and `_priority`");
    }
    let is_foreign = |e: &Expr| matches!(e, Expr::RemoteLabel { .. } | Expr::RemoteVar { .. } | Expr::Run { .. });
    if any(&value, is_foreign) {
        cx.report.error(condition.at.0, "a provided clause cannot run or observe processes");
    }
    Some(value)
}

/// Registers the name of a never claim or an ltl block.
pub fn name(cx: &mut Context, name: &str, span: Span) {
    if cx.names.claims.insert(name.to_string(), span).is_some() {
        cx.report.error(span, format!("claim `{name}` is defined twice"));
    }
}

/// The ltl blocks with their names: those without one are called ltl_0, ltl_1, …
pub fn ltl_names<'s>(cx: &mut Context, spec: &'s Spec) -> Vec<(&'s spec::Ltl, String)> {
    let mut unnamed = 0;
    let mut all = Vec::new();
    for unit in &spec.units {
        let Unit::Ltl(ltl) = unit else {
            continue;
        };
        let (name, span) = match &ltl.name {
            Some(name) => (name.name.clone(), name.at.0),
            None => {
                unnamed += 1;
                (format!("ltl_{}", unnamed - 1), ltl.at.0)
            }
        };
        self::name(cx, &name, span);
        all.push((ltl, name));
    }
    all
}

/// Some part of the expression is a temporal operator.
pub fn is_temporal(expr: &Expr) -> bool {
    any(expr, |part| match part {
        Expr::Unary(op, _) => matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next),
        Expr::Binary(op, ..) => is_temporal_operator(*op),
        _ => false,
    })
}

fn is_temporal_operator(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Until | WeakUntil | Release | StrongRelease | Implies | Equivalent)
}

/// Temporal operators stand above conditions, and conditions say something about a state, not about a process.
pub fn check_formula(cx: &mut Context, formula: &Expr, span: Span) {
    let mut conditions = vec![formula];
    while let Some(part) = conditions.pop() {
        match part {
            Expr::Unary(UnaryOp::Not, inner) => conditions.push(inner),
            Expr::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, inner) => conditions.push(inner),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => conditions.extend([&**left, right]),
            Expr::Binary(op, left, right) if is_temporal_operator(*op) => conditions.extend([&**left, right]),
            Expr::Binary(op @ (BinaryOp::BitAnd | BinaryOp::BitOr), left, right) if is_temporal(part) => {
                let (one, two) = if *op == BinaryOp::BitAnd { ("&", "&&") } else { ("|", "||") };
                cx.report.warning(span, format!("`{one}` between formulas is read as `{two}`"));
                conditions.extend([&**left, right]);
            }
            _ if is_temporal(part) => {
                let diagnostic =
                    Diagnostic::error(span, "a temporal operator is part of arithmetic or of a comparison");
                cx.report.add(diagnostic.help("put parentheses around the condition: [] (x == 1)"));
            }
            _ if any(part, |e| matches!(e, Expr::Run { .. } | Expr::Timeout | Expr::Pid | Expr::Priority)) => {
                let message = "a formula is about states: it cannot use `run`, `timeout`, `_pid` or `_priority`";
                cx.report.error(span, message);
            }
            _ => {}
        }
    }
}

/// In a trace only sends and receives, and the control around them, are allowed (as spin: spin.y, `stmnt`).
pub fn check_event(cx: &mut Context, stmt: &spec::Stmt) {
    if !cx.is_in(ProctypeKind::Trace) && !cx.is_in(ProctypeKind::NoTrace) {
        return;
    }
    let is_event = match &stmt.kind {
        StmtKind::Send { sorted, .. } => !sorted,
        StmtKind::Receive { random, copy, .. } => !random && !copy,
        StmtKind::If(_) | StmtKind::Do(_) | StmtKind::Break | StmtKind::Goto(_) | StmtKind::Unless(..) => true,
        StmtKind::Label(_, inner) => inner.is_some(),
        _ => false,
    };
    if !is_event {
        cx.report.error(stmt.at.0, "not an event: a trace consists of sends and receives");
    }
}

/// What only the whole model shows.
pub fn check_whole(cx: &mut Context) {
    if cx.model.started.is_empty() && !cx.report.has_errors() {
        let diagnostic = Diagnostic::general("no process is ever started");
        cx.report.add(diagnostic.help("add an init, or write `active` before a proctype"));
    }
    if let Some(span) = cx.first_enabled
        && cx.channels.has_rendezvous
    {
        cx.report.error(span, "`enabled` cannot be used in a model with rendezvous channels");
    }
}
