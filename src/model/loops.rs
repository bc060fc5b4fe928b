//! Loops: `do` with its `break`, `for` and `select`.

use super::constants::{article, check_fit, evaluate, stored};
use super::declare::add_local;
use super::expressions::expression;
use super::places::{self, LastIndex, Path};
use super::resolve::Context;
use super::statements::block;
use super::tree::{Expr, Init, LocalId, Place, ProctypeKind, Root, Scalar, StmtKind, Type, Variable};
use crate::source::Span;
use crate::syntax::spec::{self, VarRef};

/// Reads something that a `break` leaves.
pub fn looping<T>(cx: &mut Context, read: impl FnOnce(&mut Context) -> T) -> T {
    if let Some(body) = &mut cx.body {
        body.loops.push(body.d_step);
    }
    let inside = read(cx);
    if let Some(body) = &mut cx.body {
        body.loops.pop();
    }
    inside
}

/// `break`
pub fn leave(cx: &mut Context, span: Span) -> Option<StmtKind> {
    let body = cx.body.as_ref()?;
    match body.loops.last() {
        None => cx.report.error(span, "`break` outside of a loop"),
        Some(outside) if *outside != body.d_step => cx.report.error(span, "a jump out of a d_step"),
        Some(_) => {}
    }
    Some(StmtKind::Break)
}

/// `for (v : lo .. hi) { … }`
pub fn for_range(
    cx: &mut Context,
    var: &VarRef,
    lo: &spec::Expr,
    hi: &spec::Expr,
    body: &spec::Block,
) -> Option<StmtKind> {
    let range = range(cx, var, lo, hi);
    if let Some((var, _, to)) = &range {
        check_end(cx, var, to, hi.at.0);
    }
    let body = looping(cx, |cx| block(cx, body));
    let (var, lo, hi) = range?;
    Some(StmtKind::ForRange { var, lo, hi, body })
}

/// `select (v : lo .. hi)`
pub fn select(cx: &mut Context, var: &VarRef, lo: &spec::Expr, hi: &spec::Expr) -> Option<StmtKind> {
    let end = hi.at.0;
    let (var, lo, hi) = range(cx, var, lo, hi)?;
    check_fit(&mut cx.report, var.ty, &hi, end);
    Some(StmtKind::Select { var, lo, hi })
}

fn range(cx: &mut Context, var: &VarRef, lo: &spec::Expr, hi: &spec::Expr) -> Option<(Place, Expr, Expr)> {
    let place = counter_variable(cx, var);
    let from = expression(cx, lo);
    let runs = cx.runs;
    let to = expression(cx, hi);
    if cx.runs > runs {
        cx.report.error(hi.at.0, "`run` cannot be used in the bound of a loop");
    }
    let (place, from, to) = (place?, from?, to?);
    check_fit(&mut cx.report, place.ty, &from, lo.at.0);
    if let (Expr::Const(lo), Expr::Const(end)) = (&from, &to)
        && lo > end
    {
        cx.report.error(hi.at.0, format!("the range {lo} .. {end} is empty"));
    }
    Some((place, from, to))
}

/// A variable that counts: plain, and no channel (as spin: flow.c, `valid_name`).
fn counter_variable(cx: &mut Context, var: &VarRef) -> Option<Place> {
    if places::plain_predefined(var).is_some() {
        cx.report.error(var.at.0, format!("`{}` cannot be a loop variable", var.name.name));
        return None;
    }
    let path = places::path(cx, var, LastIndex::Optional)?;
    plain_scalar(cx, path)
}

fn plain_scalar(cx: &mut Context, path: Path) -> Option<Place> {
    match path.ty {
        Type::Scalar(ty) if ty != Scalar::Chan && path.steps.is_empty() && path.length.is_none() => {
            Some(Place { root: path.root, index: None, path: Vec::new(), ty, span: path.span })
        }
        _ => {
            cx.report.error(path.span, "a loop variable must be a plain variable that can count");
            None
        }
    }
}

/// The variable of a `for` has to get beyond the upper bound.
fn check_end(cx: &mut Context, var: &Place, hi: &Expr, span: Span) {
    if let Ok(hi) = evaluate(hi)
        && hi.checked_add(1).is_none_or(|behind| stored(var.ty, behind) != behind)
    {
        cx.report.warning(span, format!("the loop never ends: {} never exceeds {hi}", article(var.ty)));
    }
}

/// `for (v in a) { … }`
pub fn for_in(cx: &mut Context, var: &VarRef, over: &VarRef, body: &spec::Block, span: Span) -> Option<StmtKind> {
    let element = match places::plain_predefined(var) {
        Some(_) => counter_variable(cx, var).and(None),
        None => places::path(cx, var, LastIndex::Optional),
    };
    let over = places::path(cx, over, LastIndex::Optional);
    let header = element.zip(over).and_then(|(element, over)| header(cx, element, over, span));
    let body = looping(cx, |cx| block(cx, body));
    Some(match header? {
        Header::Array(var, length) => {
            let hi = Expr::Const(length as i32 - 1);
            StmtKind::ForRange { var, lo: Expr::Const(0), hi, body }
        }
        Header::Channel { counter, chan, message } => StmtKind::ForChannel { counter, chan, message, body },
    })
}

enum Header {
    Array(Place, u32),
    Channel { counter: Place, chan: Place, message: Vec<Place> },
}

fn header(cx: &mut Context, element: Path, over: Path, span: Span) -> Option<Header> {
    if let Type::Struct(_) = element.ty {
        return channel_header(cx, element, over, span);
    }
    let Some(length) = over.length else {
        cx.report.error(over.span, "`for (… in …)` goes through an array, or through a channel with a struct");
        return None;
    };
    Some(Header::Array(plain_scalar(cx, element)?, length))
}

/// A struct goes through the messages of a channel that carries such structs.
fn channel_header(cx: &mut Context, element: Path, over: Path, span: Span) -> Option<Header> {
    if cx.is_in(ProctypeKind::Never) {
        cx.report.error(span, "a never claim cannot send or receive");
    }
    let carried = cx.channels.carriers.get(&cx.owner(over.root)).copied();
    let slots = match &root_variable(cx, over.root)?.init {
        Init::Channel(channel) if over.steps.is_empty() => channel.capacity,
        _ => 0,
    };
    if carried.map(Type::Struct) != Some(element.ty) || slots == 0 || !element.steps.is_empty() {
        let message = "the channel must be declared with slots, and to carry structs of the type of the loop variable";
        cx.report.error(over.span, message);
        return None;
    }
    let counter = counter(cx, slots, span)?;
    let message = places::flatten(cx, &first_element(element))?;
    if message.iter().any(|cell| cell.ty == Scalar::Chan) {
        cx.channels.reassigned.insert(cx.owner(message[0].root));
    }
    let chan = first_element(over);
    let chan = Place { root: chan.root, index: chan.index, path: Vec::new(), ty: Scalar::Chan, span: chan.span };
    Some(Header::Channel { counter, chan, message })
}

/// SPIN takes the first element of an array without an index here.
fn first_element(path: Path) -> Path {
    match path.length {
        Some(_) if path.index.is_none() => Path { index: Some(Box::new(Expr::Const(0))), ..path },
        _ => path,
    }
}

fn root_variable(cx: &Context, root: Root) -> Option<&Variable> {
    match root {
        Root::Global(id) => cx.model.globals.get(id.0),
        Root::Local(id) => cx.body.as_ref()?.locals.get(id.0),
    }
}

/// The hidden counter of this scope.
fn counter(cx: &mut Context, slots: u32, span: Span) -> Option<Place> {
    let body = cx.body.as_mut()?;
    let ty = if slots > 255 { Scalar::Short } else { Scalar::Byte };
    let known = body.scopes.counter().filter(|id| body.locals[id.0].ty == Type::Scalar(ty));
    let id = known.unwrap_or_else(|| new_counter(&mut body.locals, ty, span));
    *body.scopes.counter() = Some(id);
    Some(Place { root: Root::Local(id), index: None, path: Vec::new(), ty, span })
}

fn new_counter(locals: &mut Vec<Variable>, ty: Scalar, span: Span) -> LocalId {
    let name = format!("_for_{}", locals.iter().filter(|l| l.name.starts_with("_for_")).count() + 1);
    let ty = Type::Scalar(ty);
    add_local(locals, Variable { name, ty, array: None, init: Init::Default, hidden: false, span })
}
