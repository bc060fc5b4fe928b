//! Channels: what they carry, and the statements that send and receive.

use super::arguments::{self, Act};
use super::constants::required;
use super::expressions::{expression, named_constant};
use super::places::{self, LastIndex};
use super::resolve::{Context, Owner};
use super::scope::Predefined;
use super::tree::{ChannelType, Expr, Place, ProctypeKind, RecvArg, Root, Scalar, StmtKind, StructId, Type};
use super::types::{MAX_BYTES, extent, leaves, type_of};
use crate::source::Span;
use crate::syntax::spec::{self, VarRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known about the channels of the model.
#[derive(Default)]
pub struct Channels {
    /// Channels declared to carry exactly one struct, for `for (m in c)`.
    pub carriers: FxHashMap<Owner, StructId>,
    /// Variables of type chan that something is assigned to or received into.
    pub reassigned: FxHashSet<Owner>,
    /// The number of fields of the widest message.
    pub widest: usize,
    pub has_rendezvous: bool,
}

/// `[capacity] of { fields }`, for `count` channels; also the struct it carries, if that is all.
pub fn channel_type(
    cx: &mut Context,
    capacity: &spec::Expr,
    fields: &[spec::TypeName],
    count: u32,
) -> Option<(ChannelType, Option<StructId>)> {
    let span = capacity.at.0;
    let slots = expression(cx, capacity).and_then(|e| required(&mut cx.report, &e, "a capacity", span));
    let mut scalars = Some(Vec::new());
    let mut carried = None;
    for field in fields {
        if *field == spec::TypeName::Unsigned {
            cx.report.error(span, "an unsigned cannot be a message field");
        }
        let ty = type_of(cx, field, 16);
        if let Some(Type::Struct(id)) = ty {
            carried = (fields.len() == 1).then_some(id);
        }
        let more = ty.and_then(|ty| message_scalars(cx, ty, span));
        scalars = scalars.zip(more).map(|(all, more)| [all, more].concat());
    }
    let (slots, fields) = (slots?, scalars?);
    let Ok(capacity) = u32::try_from(slots) else {
        cx.report.error(span, format!("a channel cannot have {slots} slots"));
        return None;
    };
    cx.channels.has_rendezvous |= capacity == 0;
    cx.channels.widest = cx.channels.widest.max(fields.len());
    let bytes: u64 = fields.iter().map(|&field| extent(cx, Type::Scalar(field)).bytes).sum();
    if bytes.saturating_mul(slots as u64).saturating_mul(count.into()) > MAX_BYTES {
        cx.report.error(span, format!("a channel with {capacity} slots is too large"));
    }
    Some((ChannelType { capacity, fields }, carried))
}

/// The scalars a message field stands for.
fn message_scalars(cx: &mut Context, ty: Type, span: Span) -> Option<Vec<Scalar>> {
    let id = match ty {
        Type::Scalar(ty) => return Some(vec![ty]),
        Type::Struct(id) => id,
    };
    let scalars: Vec<Scalar> = leaves(cx, id, span)?.into_iter().map(|leaf| leaf.ty).collect();
    if scalars.iter().any(|ty| matches!(ty, Scalar::Unsigned(_))) {
        let name = &cx.model.structs[id.0].name;
        cx.report.error(span, format!("typedef `{name}` cannot be a message field: it has an unsigned in it"));
    }
    Some(scalars)
}

pub fn send(cx: &mut Context, chan: &VarRef, sorted: bool, args: &[spec::Expr], span: Span) -> Option<StmtKind> {
    let runs = cx.runs;
    refuse_in_claim(cx, span);
    let place = places::channel(cx, chan);
    let args = arguments::expand(cx, args);
    if cx.runs > runs {
        cx.report.error(span, "`run` cannot be used in a send");
    }
    let (place, args) = (place?, args?);
    arguments::note_message(cx, &place, Act::Send, args.iter().map(|(e, at)| arguments::summary(e, *at)), span);
    Some(StmtKind::Send { chan: place, sorted, args: args.into_iter().map(|(expr, _)| expr).collect() })
}

fn refuse_in_claim(cx: &mut Context, span: Span) {
    if cx.is_in(ProctypeKind::Never) {
        cx.report.error(span, "a never claim cannot send or receive");
    }
}

pub fn receive(
    cx: &mut Context,
    chan: &VarRef,
    (random, copy): (bool, bool),
    args: &[spec::RecvArg],
    span: Span,
) -> Option<StmtKind> {
    let runs = cx.runs;
    refuse_in_claim(cx, span);
    let place = places::channel(cx, chan);
    let args = fields(cx, args, Act::Receive);
    if cx.runs > runs {
        cx.report.error(span, "`run` cannot be used in a receive");
    }
    let (chan, args) = (place?, args?);
    check_distinct(cx, &args);
    note(cx, &chan, Act::Receive, &args, span);
    Some(StmtKind::Receive { chan, random, copy, args: without_places(args) })
}

/// `c?[…]`
pub fn poll(cx: &mut Context, chan: &VarRef, random: bool, args: &[spec::RecvArg], span: Span) -> Option<Expr> {
    let runs = cx.runs;
    let place = places::channel(cx, chan);
    let args = fields(cx, args, Act::Poll);
    if cx.runs > runs {
        cx.report.error(span, "`run` cannot be used in a poll");
    }
    let (chan, args) = (place?, args?);
    note(cx, &chan, Act::Poll, &args, span);
    Some(Expr::Poll { chan, random, args: without_places(args) })
}

fn without_places(args: Vec<(RecvArg, Span)>) -> Vec<RecvArg> {
    args.into_iter().map(|(arg, _)| arg).collect()
}

fn note(cx: &mut Context, chan: &Place, act: Act, args: &[(RecvArg, Span)], span: Span) {
    let summary = |(arg, at): &(RecvArg, Span)| match arg {
        RecvArg::Store(place) => arguments::stored(place, *at),
        RecvArg::Ignore => arguments::anything(*at),
        RecvArg::Match(expr) => arguments::summary(expr, *at),
    };
    arguments::note_message(cx, chan, act, args.iter().map(summary), span);
}

/// The arguments of a receive or a poll, structs flattened.
fn fields(cx: &mut Context, args: &[spec::RecvArg], act: Act) -> Option<Vec<(RecvArg, Span)>> {
    let mut all = Some(Vec::new());
    for arg in args {
        let more = field(cx, arg, act);
        all = all.zip(more).map(|(all, more)| [all, more].concat());
    }
    all
}

fn field(cx: &mut Context, arg: &spec::RecvArg, act: Act) -> Option<Vec<(RecvArg, Span)>> {
    let (arg, span) = match arg {
        spec::RecvArg::Var(var) => return variable(cx, var, act),
        spec::RecvArg::Eval(expr) => (RecvArg::Match(expression(cx, expr)?), expr.at.0),
        spec::RecvArg::Const(value, at) => (RecvArg::Match(Expr::Const(*value)), at.0),
    };
    Some(vec![(arg, span)])
}

fn variable(cx: &mut Context, var: &VarRef, act: Act) -> Option<Vec<(RecvArg, Span)>> {
    let span = var.at.0;
    match places::plain_predefined(var) {
        Some(Predefined::Blank) => return Some(vec![(RecvArg::Ignore, span)]),
        Some(_) => {
            cx.report.error(span, format!("`{}` cannot be received into", var.name.name));
            return None;
        }
        None => {}
    }
    if let Some(name) = named_constant(cx, var) {
        return Some(vec![(RecvArg::Match(name), span)]);
    }
    let path = places::path(cx, var, LastIndex::Needed)?;
    let cells = places::scalars(cx, path)?;
    if act == Act::Receive && cells.iter().any(|cell| cell.ty == Scalar::Chan) {
        cx.channels.reassigned.insert(cx.owner(cells[0].root));
    }
    Some(cells.into_iter().map(|cell| (RecvArg::Store(cell), span)).collect())
}

/// One plain variable cannot take two fields of a message (as spin: pangen2.c).
fn check_distinct(cx: &mut Context, args: &[(RecvArg, Span)]) {
    let mut seen: Vec<Root> = Vec::new();
    for (arg, span) in args {
        let RecvArg::Store(Place { root, index: None, path, .. }) = arg else {
            continue;
        };
        if !path.is_empty() {
            continue;
        }
        if seen.contains(root) {
            cx.report.error(*span, "a variable cannot receive two fields of one message");
        }
        seen.push(*root);
    }
}
