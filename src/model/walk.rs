//! Looking into expressions without recursion: sums of thousands of terms lean to the left.

use super::tree::{Expr, Place, RecvArg};

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
