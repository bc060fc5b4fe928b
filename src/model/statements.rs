//! Statements.

use super::bodies::Body;
use super::constants::check_fit;
use super::expressions::expression;
use super::labels::Region;
use super::places::{self, Target};
use super::resolve::Context;
use super::tree::{BinaryOp, Expr, Place, ProctypeKind, Scalar, Sequence, Stmt, StmtKind, Type};
use super::types::set_name;
use super::walk::{any, any_index};
use super::{claims, declare, loops, messages};
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, StmtKind as Kind, VarRef};

/// The statements of a body, a block or an option.
pub fn sequence(cx: &mut Context, steps: &[spec::Stmt]) -> Sequence {
    let mut out = Vec::new();
    for step in steps {
        match &step.kind {
            Kind::Decl(decl) => declare::locals(cx, decl, &mut out),
            Kind::Exclusive(_, channels) => channels.iter().for_each(|chan| exclusive(cx, chan)),
            _ => out.extend(statement(cx, step)),
        }
    }
    out
}

/// `{ … }`: a scope of its own.
pub fn block(cx: &mut Context, block: &spec::Block) -> Sequence {
    enter(cx);
    if block.steps.iter().all(|step| matches!(step.kind, Kind::Exclusive(..))) {
        cx.report.error(block.at.0, "a block needs at least one statement");
    }
    let steps = sequence(cx, &block.steps);
    if let Some(body) = &mut cx.body {
        body.scopes.leave();
    }
    steps
}

fn enter(cx: &mut Context) {
    if let Some(body) = &mut cx.body {
        body.at_start = false;
        body.scopes.enter();
    }
}

/// One statement that is no declaration.
pub fn statement(cx: &mut Context, stmt: &spec::Stmt) -> Option<Stmt> {
    let span = stmt.at.0;
    if let Some(body) = &mut cx.body {
        body.at_start = false;
    }
    claims::check_event(cx, stmt);
    let kind = match &stmt.kind {
        Kind::Decl(_) | Kind::Exclusive(..) => {
            cx.report.error(span, "a declaration cannot stand here");
            None
        }
        Kind::Label(name, inner) => label(cx, name, inner.as_deref(), span),
        Kind::Unless(main, escape) => unless(cx, main, escape, span),
        Kind::Send { chan, sorted, args } => messages::send(cx, chan, *sorted, args, span),
        Kind::Receive { chan, random, copy, args } => messages::receive(cx, chan, (*random, *copy), args, span),
        Kind::ForRange { var, lo, hi, body } => loops::for_range(cx, var, lo, hi, body),
        Kind::ForIn { var, over, body } => loops::for_in(cx, var, over, body, span),
        Kind::Select { var, lo, hi } => loops::select(cx, var, lo, hi),
        Kind::If(options) => Some(StmtKind::If(selection(cx, options))),
        Kind::Do(options) => Some(StmtKind::Do(loops::looping(cx, |cx| selection(cx, options)))),
        Kind::Break => loops::leave(cx, span),
        Kind::Goto(name) => goto(cx, name),
        Kind::Else => {
            cx.report.warning(span, "`else` that does not begin an option is always executable");
            Some(StmtKind::Else)
        }
        Kind::Atomic(steps) => Some(StmtKind::Atomic(labelled_block(cx, steps, "Label: atomic { … }"))),
        Kind::DStep(steps) => Some(StmtKind::DStep(d_step(cx, steps))),
        Kind::Block(steps) => Some(StmtKind::Block(labelled_block(cx, steps, "Label: { … }"))),
        _ => basic(cx, stmt),
    };
    kind.map(|kind| Stmt { kind, span })
}

/// A statement without statements in it.
fn basic(cx: &mut Context, stmt: &spec::Stmt) -> Option<StmtKind> {
    let (span, remote_reads) = (stmt.at.0, cx.remote_reads);
    let kind = match &stmt.kind {
        Kind::Assign(var, value) => return assign(cx, var, value, span),
        Kind::Increment(var) => return count(cx, var, BinaryOp::Add),
        Kind::Decrement(var) => return count(cx, var, BinaryOp::Sub),
        Kind::SetPriority(pid, value) => {
            cx.model.uses.priority = true;
            let (pid, value) = (expression(cx, pid), expression(cx, value));
            StmtKind::SetPriority(pid?, value?)
        }
        Kind::Printf(format, args) => {
            check_format(cx, format, args.len(), span);
            let args: Vec<Option<Expr>> = args.iter().map(|arg| expression(cx, arg)).collect();
            StmtKind::Printf(format.clone(), args.into_iter().collect::<Option<_>>()?)
        }
        Kind::Printm(value) => return expression(cx, value).map(StmtKind::Printm),
        Kind::Assert(condition) => StmtKind::Assert(expression(cx, condition)?),
        Kind::Expr(expr) => StmtKind::Expr(condition(cx, expr)?),
        _ => return None,
    };
    if cx.remote_reads > remote_reads && cx.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
        cx.report.error(span, "variables of other processes cannot be observed inside a d_step");
    }
    Some(kind)
}

/// An expression as a statement: `run` must stand alone in it.
fn condition(cx: &mut Context, expr: &spec::Expr) -> Option<Expr> {
    let runs = cx.runs;
    let value = expression(cx, expr)?;
    match cx.runs - runs {
        0 => {}
        1 if matches!(value, Expr::Run { .. }) => {}
        1 => cx.report.error(expr.at.0, "`run` cannot be part of a larger condition"),
        _ => cx.report.error(expr.at.0, "more than one `run` in a condition"),
    }
    Some(value)
}

fn label(cx: &mut Context, name: &spec::Ident, inner: Option<&spec::Stmt>, span: Span) -> Option<StmtKind> {
    check_label_name(cx, name);
    let body = cx.body.as_mut()?;
    let scope = (body.labels.mention(&name.name, &body.scopes), body.scopes.current());
    // A statement with an error still has its label, so that the gotos to it are no errors too.
    let skip = Stmt { kind: StmtKind::Expr(Expr::Const(1)), span };
    let inner = inner.and_then(|inner| statement(cx, inner)).unwrap_or(skip);
    let body = cx.body.as_mut()?;
    let region = match body.region() {
        Region::Outside if begins_d_step(&inner) => Region::Border,
        region => region,
    };
    match body.labels.define(name, scope, &inner, region) {
        Ok(id) => Some(StmtKind::Label(id, Box::new(inner))),
        Err(problem) => {
            cx.report.error(name.at.0, problem);
            None
        }
    }
}

fn begins_d_step(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::DStep(_) => true,
        StmtKind::Label(_, inner) => begins_d_step(inner),
        _ => false,
    }
}

fn goto(cx: &mut Context, name: &spec::Ident) -> Option<StmtKind> {
    check_label_name(cx, name);
    let body = cx.body.as_mut()?;
    Some(StmtKind::Goto(body.labels.goto(name, &body.scopes, body.region())))
}

/// A label cannot have the name of a variable that can be seen where it stands.
fn check_label_name(cx: &mut Context, name: &spec::Ident) {
    let is_local = cx.body.as_ref().is_some_and(|body| body.scopes.get(&name.name).is_some());
    if is_local || matches!(cx.names.get(&name.name), Some(super::scope::Global::Variable(_))) {
        cx.report.error(name.at.0, format!("`{}` is a variable: a label cannot have its name", name.name));
    }
}

/// The label a statement begins with, unless it is that of a loop: a loop has a state in front of its label, so that
/// one can stand anywhere (as spin: flow.c, `if_seq` and `close_seq`).
fn first_label(stmt: &spec::Stmt) -> Option<&spec::Ident> {
    let Kind::Label(name, inner) = &stmt.kind else {
        return None;
    };
    match inner.as_deref() {
        Some(inner) if matches!(inner.kind, Kind::Label(..)) => first_label(inner),
        Some(inner) if is_loop(inner) => None,
        _ => Some(name),
    }
}

fn is_loop(stmt: &spec::Stmt) -> bool {
    matches!(stmt.kind, Kind::Do(_) | Kind::ForRange { .. } | Kind::ForIn { .. } | Kind::Select { .. })
}

/// The label a block or an option begins with.
fn opening_label(block: &spec::Block) -> Option<&spec::Ident> {
    block.steps.iter().find(|step| !matches!(step.kind, Kind::Exclusive(..))).and_then(first_label)
}

fn labelled_block(cx: &mut Context, steps: &spec::Block, instead: &str) -> Sequence {
    if let Some(name) = opening_label(steps) {
        cx.report.error(name.at.0, format!("a label cannot begin a block: write `{instead}`"));
    }
    block(cx, steps)
}

/// Only the outermost d_step counts: an inner one is a pair of braces.
fn d_step(cx: &mut Context, steps: &spec::Block) -> Sequence {
    let number = |body: &mut Body| {
        let outer = body.d_step;
        if outer.is_none() {
            body.d_steps += 1;
            body.d_step = Some(body.d_steps);
        }
        outer
    };
    let outer = cx.body.as_mut().and_then(number);
    let inside = labelled_block(cx, steps, "Label: d_step { … }");
    if let Some(body) = &mut cx.body {
        body.d_step = outer;
    }
    inside
}

fn unless(cx: &mut Context, main: &spec::Stmt, escape: &spec::Stmt, span: Span) -> Option<StmtKind> {
    if cx.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
        cx.report.error(span, "`unless` cannot be used inside a d_step");
    }
    if let Some(name) = first_label(main)
        && !is_labelled_block(main)
    {
        let message = "a label cannot stand on a part of unless: write `Label: { … unless … }`";
        cx.report.error(name.at.0, message);
    }
    if let Some(name) = first_label(escape) {
        cx.report.error(name.at.0, "a label cannot stand on the guard of an unless");
    }
    let (main, escape) = (statement(cx, main), statement(cx, escape));
    Some(StmtKind::Unless(Box::new(main?), Box::new(escape?)))
}

fn is_labelled_block(stmt: &spec::Stmt) -> bool {
    let Kind::Label(_, Some(inner)) = &stmt.kind else {
        return false;
    };
    matches!(inner.kind, Kind::Block(_) | Kind::Atomic(_) | Kind::DStep(_))
}

/// The options of `if` or `do`. They are no scopes: a variable declared in one can be seen behind it.
fn selection(cx: &mut Context, options: &[spec::Block]) -> Vec<Sequence> {
    check_else(cx, options);
    options.iter().map(|option| self::option(cx, option)).collect()
}

fn option(cx: &mut Context, option: &spec::Block) -> Sequence {
    if option.steps.iter().all(|step| matches!(step.kind, Kind::Exclusive(..))) {
        cx.report.error(option.at.0, "an option needs at least one statement");
    }
    if let Some(name) = opening_label(option) {
        let message = "a label on the first statement of an option is not a state: put it before the selection";
        cx.report.warning(name.at.0, message);
    }
    match option.steps.split_first() {
        Some((first, rest)) if first.kind == Kind::Else => {
            claims::check_event(cx, first);
            let mut steps = vec![Stmt { kind: StmtKind::Else, span: first.at.0 }];
            steps.extend(sequence(cx, rest));
            steps
        }
        _ => sequence(cx, &option.steps),
    }
}

fn check_else(cx: &mut Context, options: &[spec::Block]) {
    let firsts = || options.iter().filter_map(|option| option.steps.first());
    let mut elses = firsts().filter(|first| first.kind == Kind::Else);
    let Some(first) = elses.next() else {
        return;
    };
    if let Some(second) = elses.next() {
        cx.report.error(second.at.0, "a second `else` in the same selection");
    }
    if firsts().any(|first| matches!(first.kind, Kind::Send { .. } | Kind::Receive { .. })) {
        cx.report.warning(first.at.0, "`else` beside a send or a receive is hard to predict");
    }
    if let Some(assignment) = firsts().find(|first| matches!(first.kind, Kind::Assign(..))) {
        let message = "an assignment can always be executed, so the `else` beside it never is";
        let warning = Diagnostic::warning(assignment.at.0, message);
        cx.report.add(warning.help("`=` assigns; to compare, write `==`"));
    }
}

fn exclusive(cx: &mut Context, chan: &VarRef) {
    if let Some(path) = places::path(cx, chan, places::LastIndex::Optional)
        && !matches!(path.ty, Type::Scalar(Scalar::Chan) | Type::Struct(_))
    {
        cx.report.error(path.span, format!("`{}` is no channel", places::spelled(chan)));
    }
}

fn assign(cx: &mut Context, var: &VarRef, value: &spec::Expr, span: Span) -> Option<StmtKind> {
    warn_side_effect(cx, span);
    let target = places::target(cx, var);
    let span = value.at.0;
    let value = expression(cx, value);
    let (target, value) = (target?, value?);
    Some(match target {
        Target::Blank => StmtKind::Assign(places::blank(cx, var.at.0), value),
        Target::Priority => StmtKind::SetOwnPriority(value),
        Target::Cell(place, stored) => {
            check_assigned(cx, &place, &value, span);
            check_fit(&mut cx.report, stored, &value, span);
            StmtKind::Assign(place, value)
        }
    })
}

fn warn_side_effect(cx: &mut Context, span: Span) {
    if cx.is_in(ProctypeKind::Never) {
        cx.report.warning(span, "a never claim should not change variables");
    }
}

/// What SPIN checks of the types in an assignment (mesg.c, `nochan_manip`); fields of structs are not looked at.
fn check_assigned(cx: &mut Context, place: &Place, value: &Expr, span: Span) {
    if !place.path.is_empty() {
        return;
    }
    if place.ty == Scalar::Chan && matches!(value, Expr::Const(_) | Expr::Name(..)) {
        cx.report.error(span, "a number cannot be assigned to a channel");
    }
    if has_channel_arithmetic(value) {
        cx.report.error(span, "arithmetic on a channel");
    }
    let Expr::Name(given, _) = value else {
        return;
    };
    let declared = if let Scalar::Mtype(set) = place.ty { Some(set).filter(|set| set.0 != 0) } else { None };
    let owner = cx.owner(place.root);
    let known = declared.unwrap_or_else(|| *cx.learned.entry(owner).or_insert(*given));
    if known != *given {
        let (known, given) = (set_name(cx, known), set_name(cx, *given));
        cx.report.error(span, format!("a name of type {given} is assigned to a variable of type {known}"));
    }
}

/// A channel below an arithmetic operator. Comparing channels is fine.
pub fn has_channel_arithmetic(value: &Expr) -> bool {
    let is_channel = |e: &Expr| matches!(e, Expr::Load(Place { ty: Scalar::Chan, .. }));
    any(value, |e| match e {
        Expr::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or, ..) => false,
        Expr::Binary(_, a, b) => is_channel(a) || is_channel(b),
        Expr::Unary(_, a) => is_channel(a),
        _ => false,
    })
}

/// `v++` and `v--`
fn count(cx: &mut Context, var: &VarRef, op: BinaryOp) -> Option<StmtKind> {
    warn_side_effect(cx, var.at.0);
    let by_one = |value| Expr::Binary(op, Box::new(value), Box::new(Expr::Const(1)));
    match places::target(cx, var)? {
        Target::Blank => {
            cx.report.error(var.at.0, "`_` has no value: it can only be assigned to");
            None
        }
        Target::Priority => Some(StmtKind::SetOwnPriority(by_one(Expr::Priority))),
        Target::Cell(place, _) if place.ty == Scalar::Chan => {
            cx.report.error(var.at.0, "arithmetic on a channel");
            None
        }
        Target::Cell(place, _) => {
            if any_index(&place, |e| matches!(e, Expr::Run { .. })) {
                cx.report.error(var.at.0, "`run` would be executed twice");
            }
            let value = by_one(Expr::Load(place.clone()));
            Some(StmtKind::Assign(place, value))
        }
    }
}

/// Conversions and arguments of a printf should agree; SPIN prints rubbish otherwise.
fn check_format(cx: &mut Context, format: &str, args: usize, span: Span) {
    let mut conversions = 0;
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '%' => match chars.next() {
                Some('%') => {}
                Some('c' | 'd' | 'e' | 'o' | 'u' | 'x') => conversions += 1,
                Some(other) => cx.report.warning(span, format!("unknown conversion `%{other}`")),
                None => cx.report.warning(span, "the format ends with `%`"),
            },
            _ => {}
        }
    }
    if conversions != args {
        cx.report.warning(span, format!("the format has {conversions} conversions, but there are {args} arguments"));
    }
}
