//! Looking into expressions without recursion: sums of thousands of terms lean to the left.

use super::tree::{Expr, Place, RecvArg, StmtKind};

/// Whether some part of `expr` (itself, operands, arguments, indices) is `wanted`.
pub fn any(expr: &Expr, mut wanted: impl FnMut(&Expr) -> bool) -> bool {
    let mut open = vec![expr];
    while let Some(next) = open.pop() {
        if wanted(next) {
            return true;
        }
        parts(next, &mut open);
    }
    false
}

/// The expressions of a statement, in the order of the text, without those of statements in it.
pub fn expressions(stmt: &StmtKind) -> Vec<&Expr> {
    let mut out = Vec::new();
    match stmt {
        StmtKind::Declare(Some((place, value))) | StmtKind::Assign(place, value) => {
            indices(place, &mut out);
            out.push(value);
        }
        StmtKind::Send { chan, args, .. } => {
            indices(chan, &mut out);
            out.extend(args);
        }
        StmtKind::Receive { chan, args, .. } => {
            indices(chan, &mut out);
            args.iter().for_each(|arg| argument(arg, &mut out));
        }
        StmtKind::ForRange { var, lo, hi, .. } | StmtKind::Select { var, lo, hi } => {
            indices(var, &mut out);
            out.extend([lo, hi]);
        }
        StmtKind::ForChannel { counter, chan, message, .. } => {
            indices(counter, &mut out);
            indices(chan, &mut out);
            message.iter().for_each(|place| indices(place, &mut out));
        }
        StmtKind::Printf(_, args) => out.extend(args),
        StmtKind::SetPriority(pid, value) => out.extend([pid, value]),
        StmtKind::SetOwnPriority(expr) | StmtKind::Printm(expr) | StmtKind::Assert(expr) | StmtKind::Expr(expr) => {
            out.push(expr)
        }
        StmtKind::Label(..)
        | StmtKind::Declare(None)
        | StmtKind::Unless(..)
        | StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::Break
        | StmtKind::Goto(_)
        | StmtKind::Else
        | StmtKind::Atomic(_)
        | StmtKind::DStep(_)
        | StmtKind::Block(_) => {}
    }
    out
}

/// The direct parts of an expression.
fn parts<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Load(place) | Expr::Len(place) | Expr::Probe(_, place) => indices(place, out),
        Expr::Unary(_, a) | Expr::Enabled(a) | Expr::PcValue(a) | Expr::GetPriority(a) => out.push(a),
        Expr::Binary(_, a, b) => out.extend([&**a, &**b]),
        Expr::Conditional(a, b, c) => out.extend([&**a, &**b, &**c]),
        Expr::Poll { chan, args, .. } => {
            indices(chan, out);
            args.iter().for_each(|arg| argument(arg, out));
        }
        Expr::Run { args, .. } => out.extend(args),
        Expr::RemoteLabel { pid, .. } => out.extend(pid.as_deref()),
        Expr::RemoteVar { pid, place, .. } => {
            out.extend(pid.as_deref());
            indices(place, out);
        }
        Expr::Const(_)
        | Expr::Any
        | Expr::Name(..)
        | Expr::Timeout
        | Expr::NonProgress
        | Expr::Pid
        | Expr::ProcessCount
        | Expr::Last
        | Expr::Priority => {}
    }
}

fn argument<'e>(arg: &'e RecvArg, out: &mut Vec<&'e Expr>) {
    match arg {
        RecvArg::Store(place) => indices(place, out),
        RecvArg::Ignore => {}
        RecvArg::Match(expr) => out.push(expr),
    }
}

fn indices<'e>(place: &'e Place, out: &mut Vec<&'e Expr>) {
    out.extend(place.index.as_deref());
    out.extend(place.path.iter().filter_map(|step| step.index.as_ref()));
}

/// The expressions a place is computed from.
pub fn any_index(place: &Place, wanted: impl Fn(&Expr) -> bool) -> bool {
    let mut open = Vec::new();
    indices(place, &mut open);
    open.into_iter().any(|index| any(index, &wanted))
}
