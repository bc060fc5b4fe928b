//! Expressions.

use super::places::{self, LastIndex};
use super::report::unknown;
use super::resolve::Context;
use super::scope::{Global, Predefined};
use super::tree::{BinaryOp, Expr, LabelId, Place, ProctypeId, ProctypeKind, Root, Type, UnaryOp};
use super::{arguments, messages};
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, ExprKind, VarRef};

/// Resolves an expression. Long sums lean to the left, so the left edge is followed in a loop.
pub fn expression(cx: &mut Context, expr: &spec::Expr) -> Option<Expr> {
    let (mut spine, mut leaf) = (Vec::new(), expr);
    while let ExprKind::Binary(op, left, right) = &leaf.kind {
        spine.push((*op, right, leaf.at.0));
        leaf = left;
    }
    let mut value = atom(cx, leaf);
    for (op, right, span) in spine.into_iter().rev() {
        if is_temporal(op) {
            allow_temporal(cx, span);
        }
        let right = expression(cx, right);
        value = value.zip(right).map(|(a, b)| Expr::Binary(op, Box::new(a), Box::new(b)));
    }
    value
}

fn is_temporal(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Implies | Equivalent | Until | Release | WeakUntil | StrongRelease)
}

fn allow_temporal(cx: &mut Context, span: Span) {
    if !cx.ltl {
        cx.report.error(span, "temporal operators can only be used in an ltl block");
    }
}

/// An expression that is no binary operation.
fn atom(cx: &mut Context, expr: &spec::Expr) -> Option<Expr> {
    let span = expr.at.0;
    Some(match &expr.kind {
        ExprKind::Const(value) => Expr::Const(*value),
        ExprKind::Var(var) => return load(cx, var),
        ExprKind::Unary(op, operand) => {
            if matches!(op, UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next) {
                allow_temporal(cx, span);
            }
            Expr::Unary(*op, boxed(cx, operand)?)
        }
        ExprKind::Binary(..) => return expression(cx, expr),
        ExprKind::Conditional(condition, yes, no) => {
            let (condition, yes, no) = (boxed(cx, condition), boxed(cx, yes), boxed(cx, no));
            Expr::Conditional(condition?, yes?, no?)
        }
        ExprKind::Len(chan) => Expr::Len(places::channel(cx, chan)?),
        ExprKind::Probe(probe, chan) => Expr::Probe(*probe, places::channel(cx, chan)?),
        ExprKind::Poll { chan, random, args } => return messages::poll(cx, chan, *random, args, span),
        ExprKind::Run { proctype, args, priority } => {
            return arguments::run(cx, proctype, args, priority.as_deref(), span);
        }
        ExprKind::Timeout => Expr::Timeout,
        ExprKind::NonProgress => non_progress(cx, span),
        ExprKind::Enabled(pid) => {
            cx.model.uses.enabled = true;
            cx.first_enabled.get_or_insert(span);
            Expr::Enabled(boxed(cx, pid)?)
        }
        ExprKind::PcValue(pid) => Expr::PcValue(boxed(cx, pid)?),
        ExprKind::GetPriority(pid) => {
            cx.model.uses.priority = true;
            Expr::GetPriority(boxed(cx, pid)?)
        }
        ExprKind::RemoteLabel { proctype, pid, label } => return remote_label(cx, proctype, pid.as_deref(), label),
        ExprKind::RemoteVar { proctype, pid, var } => return remote_var(cx, proctype, pid.as_deref(), var),
    })
}

fn boxed(cx: &mut Context, expr: &spec::Expr) -> Option<Box<Expr>> {
    expression(cx, expr).map(Box::new)
}

/// A variable, an mtype name or a predefined name.
fn load(cx: &mut Context, var: &VarRef) -> Option<Expr> {
    if let Some(name) = places::plain_predefined(var) {
        return predefined(cx, name, var.at.0);
    }
    match named_constant(cx, var) {
        Some(name) => Some(name),
        None => places::scalar(cx, var).map(Expr::Load),
    }
}

/// The mtype name a reference is, if it is one.
pub fn named_constant(cx: &Context, var: &VarRef) -> Option<Expr> {
    match cx.names.get(&var.name.name)? {
        Global::Constant(set, value) if var.index.is_none() && var.field.is_none() => Some(Expr::Name(set, value)),
        _ => None,
    }
}

fn predefined(cx: &mut Context, name: Predefined, span: Span) -> Option<Expr> {
    Some(match name {
        Predefined::Blank if cx.is_in(ProctypeKind::Trace) || cx.is_in(ProctypeKind::NoTrace) => Expr::Any,
        Predefined::Blank => {
            cx.report.error(span, "`_` has no value: it can only be assigned to");
            return None;
        }
        Predefined::Pid => Expr::Pid,
        Predefined::ProcessCount => {
            if cx.ltl || cx.is_in(ProctypeKind::Never) {
                let message =
                    "`_nr_pr` counts the processes of the model, not the claim; SPIN's verifier counts the claim, too";
                cx.report.add(Diagnostic::warning(span, message).help("there the number is one higher"));
            }
            Expr::ProcessCount
        }
        Predefined::Last => {
            cx.model.uses.last = true;
            Expr::Last
        }
        Predefined::Priority => {
            cx.model.uses.priority = true;
            Expr::Priority
        }
    })
}

fn non_progress(cx: &mut Context, span: Span) -> Expr {
    cx.model.uses.non_progress = true;
    if !cx.ltl && !cx.is_in(ProctypeKind::Never) {
        cx.report.error(span, "`np_` can only be used in a never claim or an ltl block");
    }
    Expr::NonProgress
}

/// The proctype of a remote reference, which must have been declared before (as in SPIN).
fn remote_proctype(cx: &mut Context, name: &spec::Ident) -> Option<ProctypeId> {
    match cx.names.get(&name.name) {
        Some(Global::Proctype(id)) => return Some(id),
        Some(other) => cx.report.error(name.at.0, format!("`{}` is {}, not a proctype", name.name, other.noun())),
        None if cx.names.proctypes.contains_key(&name.name) => {
            let message =
                format!("proctype `{}` is declared further down: only earlier ones can be observed", name.name);
            cx.report.error(name.at.0, message);
        }
        None => {
            let proctypes = cx.names.proctypes.keys().map(String::as_str);
            cx.report.add(unknown(name.at.0, "unknown proctype", &name.name, proctypes));
        }
    }
    None
}

/// `P[pid]@label`
fn remote_label(
    cx: &mut Context,
    proctype: &spec::Ident,
    pid: Option<&spec::Expr>,
    label: &spec::Ident,
) -> Option<Expr> {
    let pid = remote_pid(cx, pid);
    let id = remote_proctype(cx, proctype)?;
    if cx.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
        cx.report.error(label.at.0, "labels of other processes cannot be observed inside a d_step");
    }
    let label = match &mut cx.body {
        Some(body) if body.id == id => {
            let found = body.labels.refer(&label.name);
            if found.is_none() {
                let message = format!("label `{}` of the same proctype must be defined before", label.name);
                cx.report.error(label.at.0, message);
            }
            found?
        }
        _ => finished_label(cx, id, label)?,
    };
    Some(Expr::RemoteLabel { proctype: id, pid: pid?, label })
}

/// A label of a proctype that has been read.
fn finished_label(cx: &mut Context, id: ProctypeId, label: &spec::Ident) -> Option<LabelId> {
    let proctype = &mut cx.model.proctypes[id.0];
    if let Some(found) = proctype.labels.iter().position(|l| l.name == label.name) {
        proctype.labels[found].remote = true;
        return Some(LabelId(found));
    }
    let what = format!("proctype `{}` has no label", proctype.name);
    let names = proctype.labels.iter().map(|l| l.name.as_str());
    cx.report.add(unknown(label.at.0, &what, &label.name, names));
    None
}

/// `None` if there is an error in it.
fn remote_pid(cx: &mut Context, pid: Option<&spec::Expr>) -> Option<Option<Box<Expr>>> {
    match pid {
        None => Some(None),
        Some(pid) => boxed(cx, pid).map(Some),
    }
}

/// `P[pid]:variable`
fn remote_var(cx: &mut Context, proctype: &spec::Ident, pid: Option<&spec::Expr>, var: &VarRef) -> Option<Expr> {
    cx.remote_reads += 1;
    let pid = remote_pid(cx, pid);
    let id = remote_proctype(cx, proctype)?;
    let place = remote_place(cx, id, var)?;
    Some(Expr::RemoteVar { proctype: id, pid: pid?, place })
}

fn remote_place(cx: &mut Context, id: ProctypeId, var: &VarRef) -> Option<Place> {
    let locals = match &cx.body {
        Some(body) if body.id == id => &body.locals,
        _ => &cx.model.proctypes[id.0].locals,
    };
    let Some(found) = locals.iter().position(|local| local.name == var.name.name) else {
        let what = format!("proctype `{}` has no variable", cx.model.proctypes[id.0].name);
        let diagnostic = unknown(var.name.at.0, &what, &var.name.name, locals.iter().map(|l| l.name.as_str()));
        cx.report.add(diagnostic);
        return None;
    };
    let root = (Root::Local(super::tree::LocalId(found)), locals[found].ty, locals[found].array);
    let path = places::follow_from(cx, root, var, LastIndex::Needed)?;
    match path.ty {
        Type::Scalar(ty) => Some(Place { root: path.root, index: path.index, path: path.steps, ty, span: path.span }),
        Type::Struct(_) => {
            cx.report.error(path.span, format!("`{}` is a whole struct: name one of its fields", var.name.name));
            None
        }
    }
}
