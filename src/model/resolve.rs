//! [`resolve`]: every name of a [`Spec`] is looked up, every type checked.
//!
//! The units are read once, in the order of the text, because that is how SPIN decides which global a name means; ltl
//! blocks are read last, since SPIN puts them off to the end of the file. What needs the whole model (arguments of
//! `run`, messages of channels that nobody reassigns) is noted on the way and checked at the end.
//!
//! A part that has an error yields nothing (`None`), its neighbours are still looked at, and the model is dropped.

use super::arguments::{self, Arguments};
use super::bodies::{self, Body};
use super::messages::Channels;
use super::report::Report;
use super::scope::Names;
use super::tree::{Formula, GlobalId, Model, MtypeId, MtypeSet, ProctypeId, ProctypeKind, RefusedFormula, Root};
use super::types::Extent;
use super::{claims, declare, expressions, types};
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, Spec, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

/// Errors mean no model; warnings accompany one.
pub fn resolve(spec: &Spec) -> (Option<Model>, Vec<Diagnostic>) {
    let mut cx = Context::new();
    collect_names(&mut cx, spec);
    let mut bodies = 0;
    for item in &spec.units {
        unit(&mut cx, item, ProctypeId(bodies));
        bodies += usize::from(bodies::has_body(item));
    }
    cx.ltl = true;
    for (item, name) in claims::ltl_names(&mut cx, spec) {
        formula(&mut cx, item, name);
    }
    arguments::check_calls(&mut cx);
    arguments::check_messages(&mut cx);
    refuse_late(&mut cx);
    claims::check_whole(&mut cx);
    let model = (!cx.report.has_errors()).then_some(cx.model);
    (model, cx.report.finish())
}

/// Reads an ltl block. An error in it concerns nothing else: the property is refused, not the model.
fn formula(cx: &mut Context, item: &spec::Ltl, name: String) {
    if !item.faults.is_empty() {
        cx.model.refused.push(RefusedFormula { name, diagnostics: item.faults.clone() });
        return;
    }
    cx.unknown.clear();
    let span = item.formula.at.0;
    let (uses, first_enabled) = (cx.model.uses, cx.first_enabled);
    let before = std::mem::take(&mut cx.report);
    let formula = expressions::expression(cx, &item.formula);
    if let Some(formula) = &formula {
        claims::check_formula(cx, formula, span);
    }
    let found = std::mem::replace(&mut cx.report, before);
    match formula {
        Some(formula) if !found.has_errors() => {
            cx.report.append(found);
            cx.model.formulas.push(Formula { name, formula, span });
        }
        _ => {
            (cx.model.uses, cx.first_enabled) = (uses, first_enabled);
            cx.model.refused.push(RefusedFormula { name, diagnostics: found.finish() });
        }
    }
}

/// Refuses the blocks in which something turns out to be wrong only when the whole model is known.
fn refuse_late(cx: &mut Context) {
    for Formula { name, formula, span } in std::mem::take(&mut cx.model.formulas) {
        let diagnostics = cx.report.take_errors_within(span);
        if diagnostics.is_empty() {
            cx.model.formulas.push(Formula { name, formula, span });
        } else {
            cx.model.refused.push(RefusedFormula { name, diagnostics });
        }
    }
}

/// A variable of the model, by number: a local of the proctype it is given with, or a global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    pub proctype: Option<ProctypeId>,
    pub variable: usize,
}

/// Everything known while a specification is read.
pub struct Context {
    /// As far as it is built. Its proctypes have their place from the start, their contents when they were read.
    pub model: Model,
    pub report: Report,
    pub names: Names,
    /// The body being read.
    pub body: Option<Body>,
    /// Inside an ltl block, where temporal operators and `np_` are allowed.
    pub ltl: bool,
    /// Size of each struct.
    pub extents: Vec<Extent>,
    pub channels: Channels,
    pub arguments: Arguments,
    /// The mtype set of the first name assigned to a variable not declared with a set (as spin: mesg.c, `nochan_manip`).
    pub learned: FxHashMap<Owner, MtypeId>,
    /// How many `run`, and how many references to variables of other processes, were read so far.
    pub runs: usize,
    pub remote_reads: usize,
    /// The first `enabled(…)`.
    pub first_enabled: Option<Span>,
    /// The variable behind `_ = e`.
    pub blank: Option<GlobalId>,
    /// Names whose declaration has errors: their uses are none.
    pub failed: FxHashSet<String>,
    /// Undeclared names that were reported in the unit being read.
    pub unknown: FxHashSet<String>,
}

impl Context {
    fn new() -> Context {
        Context {
            model: Model { mtypes: vec![MtypeSet::default()], ..Model::default() },
            report: Report::default(),
            names: Names::default(),
            body: None,
            ltl: false,
            extents: Vec::new(),
            channels: Channels::default(),
            arguments: Arguments::default(),
            learned: FxHashMap::default(),
            runs: 0,
            remote_reads: 0,
            first_enabled: None,
            blank: None,
            failed: FxHashSet::default(),
            unknown: FxHashSet::default(),
        }
    }

    pub fn owner(&self, root: Root) -> Owner {
        match root {
            Root::Global(id) => Owner { proctype: None, variable: id.0 },
            Root::Local(id) => Owner { proctype: self.body.as_ref().map(|body| body.id), variable: id.0 },
        }
    }

    /// Whether the body being read is of this kind.
    pub fn is_in(&self, kind: ProctypeKind) -> bool {
        self.body.as_ref().is_some_and(|body| body.kind == kind)
    }
}

/// Names that are known before the text is read: proctypes, to be run, and all globals, to explain a use too early.
fn collect_names(cx: &mut Context, spec: &Spec) {
    let mut later = |ident: &spec::Ident| {
        cx.names.eventually.entry(ident.name.clone()).or_insert(ident.at.0);
    };
    for item in &spec.units {
        match item {
            Unit::Decl(decl) => decl.vars.iter().for_each(|var| later(&var.name)),
            Unit::Mtype(mtype) => mtype.names.iter().for_each(&mut later),
            Unit::Typedef(typedef) => later(&typedef.name),
            _ => {}
        }
    }
    for item in &spec.units {
        let Some(header) = bodies::header(item, &cx.model.proctypes) else {
            continue;
        };
        let id = ProctypeId(cx.model.proctypes.len());
        if header.kind == ProctypeKind::Process {
            cx.names.proctypes.entry(header.name.clone()).or_insert(id);
        }
        cx.model.proctypes.push(header);
    }
}

/// Reads one unit; `id` is its place among those with a body, if it is one.
fn unit(cx: &mut Context, item: &Unit, id: ProctypeId) {
    cx.unknown.clear();
    match item {
        Unit::Decl(decl) => declare::globals(cx, decl),
        Unit::Mtype(mtype) => types::mtype(cx, mtype),
        Unit::Typedef(typedef) => types::typedef(cx, typedef),
        Unit::Proctype(proctype) => bodies::proctype(cx, id, proctype),
        Unit::Init(init) => bodies::init(cx, id, init),
        Unit::Never(never) => bodies::never(cx, id, never),
        Unit::Trace(trace) => bodies::trace(cx, id, trace),
        Unit::Ltl(_) => {}
    }
}
