//! Proctypes, init, never claims and traces: their headers, and the reading of one body.

use super::declare;
use super::labels::{self, Labels, Region};
use super::resolve::Context;
use super::scope::{Global, Scopes};
use super::tree::{Proctype, ProctypeId, ProctypeKind, Start, Variable};
use super::{claims, constants, expressions, statements};
use crate::source::Span;
use crate::syntax::spec::{self, Unit};

/// Beyond this many instances of one proctype, something is wrong with the number.
const MAX_ACTIVE: i32 = 10_000;

/// The body being read.
pub struct Body {
    pub id: ProctypeId,
    pub kind: ProctypeKind,
    pub locals: Vec<Variable>,
    pub scopes: Scopes,
    pub labels: Labels,
    /// No statement was read yet: a declaration still says what a process starts with (as spin: `initialization_ok`).
    pub at_start: bool,
    /// The loops around this point, each with the d_step it stands in.
    pub loops: Vec<Option<usize>>,
    /// The outermost d_step around this point, by number.
    pub d_step: Option<usize>,
    pub d_steps: usize,
}

impl Body {
    fn new(id: ProctypeId, kind: ProctypeKind) -> Body {
        Body {
            id,
            kind,
            locals: Vec::new(),
            scopes: Scopes::new(),
            labels: Labels::default(),
            at_start: false,
            loops: Vec::new(),
            d_step: None,
            d_steps: 0,
        }
    }

    pub fn region(&self) -> Region {
        self.d_step.map_or(Region::Outside, Region::Inside)
    }
}

pub fn has_body(item: &Unit) -> bool {
    matches!(item, Unit::Proctype(_) | Unit::Init(_) | Unit::Never(_) | Unit::Trace(_))
}

/// The place a unit with a body takes in the model; `before` are those that come earlier.
pub fn header(item: &Unit, before: &[Proctype]) -> Option<Proctype> {
    let nevers = || before.iter().filter(|p| p.kind == ProctypeKind::Never).count();
    let (name, kind, at, body) = match item {
        Unit::Proctype(p) => (p.name.name.clone(), ProctypeKind::Process, p.at, &p.body),
        Unit::Init(init) => ("init".to_string(), ProctypeKind::Init, init.at, &init.body),
        Unit::Never(never) => {
            let name = never.name.as_ref().map_or_else(|| format!("never_{}", nevers()), |name| name.name.clone());
            (name, ProctypeKind::Never, never.at, &never.body)
        }
        Unit::Trace(t) if t.negated => ("notrace".to_string(), ProctypeKind::NoTrace, t.at, &t.body),
        Unit::Trace(t) => ("trace".to_string(), ProctypeKind::Trace, t.at, &t.body),
        Unit::Ltl(_) | Unit::Typedef(_) | Unit::Mtype(_) | Unit::Decl(_) => return None,
    };
    let span = body.at.0;
    let end_span = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
    Some(Proctype {
        name,
        kind,
        locals: Vec::new(),
        params: 0,
        labels: Vec::new(),
        provided: None,
        body: Vec::new(),
        span: at.0,
        end_span,
    })
}

pub fn proctype(cx: &mut Context, id: ProctypeId, proctype: &spec::Proctype) {
    let name = &proctype.name;
    if let Err(earlier) = cx.names.declare(&name.name, Global::Proctype(id)) {
        cx.report.error(name.at.0, format!("`{}` is already declared, as {}", name.name, earlier.noun()));
    }
    let active = proctype.active.as_ref().and_then(|count| instances(cx, count));
    cx.body = Some(Body::new(id, ProctypeKind::Process));
    for decl in &proctype.params {
        declare::parameters(cx, decl);
    }
    let params = cx.body.as_ref().map_or(0, |body| body.locals.len());
    if params != proctype.params.iter().map(|decl| decl.vars.len()).sum::<usize>() {
        cx.arguments.unclear.insert(id);
    }
    let priority = priority(cx, proctype.priority.as_ref());
    let provided = proctype.provided.as_ref().and_then(|condition| claims::provided(cx, condition));
    read(cx, &proctype.body);
    let into = &mut cx.model.proctypes[id.0];
    into.params = params;
    into.provided = provided;
    if let Some(count @ 1..) = active {
        cx.model.started.push(Start { proctype: id, count, priority });
    }
}

pub fn init(cx: &mut Context, id: ProctypeId, init: &spec::Init) {
    cx.body = Some(Body::new(id, ProctypeKind::Init));
    let priority = priority(cx, init.priority.as_ref());
    read(cx, &init.body);
    let earlier = &cx.model.proctypes[..id.0];
    if earlier.iter().any(|proctype| proctype.kind == ProctypeKind::Init) {
        let Span { start, .. } = init.at.0;
        let keyword = Span { end: start + "init".len() as u32, ..init.at.0 };
        cx.report.warning(keyword, "another `init`: each of them is a process of its own, as in SPIN");
    }
    cx.model.started.push(Start { proctype: id, count: 1, priority });
}

pub fn never(cx: &mut Context, id: ProctypeId, never: &spec::Never) {
    let name = cx.model.proctypes[id.0].name.clone();
    claims::name(cx, &name, never.name.as_ref().map_or(never.at.0, |name| name.at.0));
    cx.body = Some(Body::new(id, ProctypeKind::Never));
    read(cx, &never.body);
}

pub fn trace(cx: &mut Context, id: ProctypeId, trace: &spec::Trace) {
    let kind = cx.model.proctypes[id.0].kind;
    let is_trace = |p: &Proctype| matches!(p.kind, ProctypeKind::Trace | ProctypeKind::NoTrace);
    if cx.model.proctypes[..id.0].iter().any(is_trace) {
        cx.report.error(trace.at.0, "a model has at most one trace or notrace");
    }
    cx.body = Some(Body::new(id, kind));
    read(cx, &trace.body);
}

/// Reads a body into the proctype that is waiting for it.
fn read(cx: &mut Context, block: &spec::Block) {
    let Some(body) = &mut cx.body else {
        return;
    };
    body.at_start = true;
    body.scopes.enter();
    let mut steps = statements::sequence(cx, &block.steps);
    let Some(mut body) = cx.body.take() else {
        return;
    };
    body.scopes.leave();
    let targets = labels::targets(&body, &mut cx.report);
    labels::link(&mut steps, &targets);
    let into = &mut cx.model.proctypes[body.id.0];
    into.locals = body.locals;
    into.labels = body.labels.into_model();
    into.body = steps;
}

/// How many instances `active [n]` asks for.
fn instances(cx: &mut Context, count: &spec::Expr) -> Option<usize> {
    let expr = expressions::expression(cx, count)?;
    let value = match declare::initial_constant(cx, &expr) {
        Some(value) => value,
        None => constants::required(&mut cx.report, &expr, "the number of instances", count.at.0)?,
    };
    if value > MAX_ACTIVE {
        cx.report.error(count.at.0, format!("{value} instances are too many: at most {MAX_ACTIVE}"));
    }
    Some(value.max(0) as usize)
}

/// A priority clause, or the default.
pub fn priority(cx: &mut Context, clause: Option<&spec::Expr>) -> i32 {
    let Some(clause) = clause else {
        return 1;
    };
    cx.model.uses.priority = true;
    let value = expressions::expression(cx, clause)
        .and_then(|expr| constants::required(&mut cx.report, &expr, "a priority", clause.at.0));
    if let Some(value) = value
        && !(1..=255).contains(&value)
    {
        cx.report.error(clause.at.0, format!("priority {value} is not in the range 1..255"));
    }
    value.unwrap_or(1)
}
