//! Arguments of `run` and of messages: expanded where they stand, compared with what is expected at the end, when every
//! proctype has its parameters and it is known which channels are never reassigned.

use super::constants::{self, evaluate, required};
use super::expressions::{expression, named_constant};
use super::places::{self, LastIndex};
use super::report::unknown;
use super::resolve::{Context, Owner};
use super::tree::{ChannelType, Expr, Init, MtypeId, Place, ProctypeId, ProctypeKind, Scalar, Type, Variable};
use super::types::{leaves, set_name};
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, ExprKind};
use rustc_hash::FxHashSet;

/// What is to be checked at the end.
#[derive(Default)]
pub struct Arguments {
    calls: Vec<Call>,
    messages: Vec<Message>,
    /// Proctypes whose parameters have errors.
    pub unclear: FxHashSet<ProctypeId>,
}

/// What has to be known about an argument later.
#[derive(Clone, Copy)]
pub struct Arg {
    constant: Option<i32>,
    /// The set, if it is an mtype name.
    set: Option<MtypeId>,
    /// The type, if it is a variable.
    ty: Option<Scalar>,
    span: Span,
}

/// A `run` to be checked.
struct Call {
    proctype: ProctypeId,
    args: Vec<Arg>,
    span: Span,
}

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Send,
    Receive,
    Poll,
}

/// A send, receive or poll to be checked.
struct Message {
    chan: Owner,
    /// Fields to go down from there.
    path: Vec<usize>,
    act: Act,
    args: Vec<Arg>,
    span: Span,
}

pub fn summary(expr: &Expr, span: Span) -> Arg {
    let set = if let Expr::Name(set, _) = expr { Some(*set) } else { None };
    let ty = if let Expr::Load(place) = expr { Some(place.ty) } else { None };
    Arg { constant: evaluate(expr).ok(), set, ty, span }
}

/// A variable that receives a field.
pub fn stored(place: &Place, span: Span) -> Arg {
    Arg { ty: Some(place.ty), ..anything(span) }
}

pub fn anything(span: Span) -> Arg {
    Arg { constant: None, set: None, ty: None, span }
}

/// Resolves the arguments of a send or a run; a whole struct becomes its scalars.
pub fn expand(cx: &mut Context, args: &[spec::Expr]) -> Option<Vec<(Expr, Span)>> {
    let mut all = Some(Vec::new());
    for arg in args {
        let more = expand_one(cx, arg);
        all = all.zip(more).map(|(mut all, more)| {
            all.extend(more.into_iter().map(|expr| (expr, arg.at.0)));
            all
        });
    }
    all
}

fn expand_one(cx: &mut Context, arg: &spec::Expr) -> Option<Vec<Expr>> {
    if let ExprKind::Var(var) = &arg.kind
        && places::plain_predefined(var).is_none()
        && named_constant(cx, var).is_none()
    {
        let path = places::path(cx, var, LastIndex::Needed)?;
        return places::scalars(cx, path).map(|cells| cells.into_iter().map(Expr::Load).collect());
    }
    expression(cx, arg).map(|expr| vec![expr])
}

/// `run P(args) priority n`
pub fn run(
    cx: &mut Context,
    name: &spec::Ident,
    args: &[spec::Expr],
    priority: Option<&spec::Expr>,
    span: Span,
) -> Option<Expr> {
    cx.runs += 1;
    refuse_run(cx, span);
    let args = expand(cx, args);
    let priority = run_priority(cx, priority);
    let Some(&proctype) = cx.names.proctypes.get(&name.name) else {
        not_runnable(cx, name);
        return None;
    };
    let args = args?;
    let noted = args.iter().map(|(expr, at)| summary(expr, *at)).collect();
    cx.arguments.calls.push(Call { proctype, args: noted, span });
    Some(Expr::Run { proctype, args: args.into_iter().map(|(expr, _)| expr).collect(), priority })
}

fn refuse_run(cx: &mut Context, span: Span) {
    let problem = match &cx.body {
        None => "`run` can only be used inside a proctype or init",
        Some(body) if body.kind == ProctypeKind::Never => "a never claim cannot run processes",
        Some(body) if body.d_step.is_some() => "`run` cannot be used inside a d_step: use atomic",
        _ => return,
    };
    cx.report.error(span, problem);
}

fn not_runnable(cx: &mut Context, name: &spec::Ident) {
    let is_claim = cx.model.proctypes.iter().any(|p| p.kind == ProctypeKind::Never && p.name == name.name);
    let diagnostic = match is_claim {
        true => Diagnostic::error(name.at.0, format!("never claim `{}` cannot be run", name.name)),
        false => unknown(name.at.0, "unknown proctype", &name.name, cx.names.proctypes.keys().map(String::as_str)),
    };
    cx.report.add(diagnostic);
}

/// 0 is the same as no priority at all (as spin: pangen2.c).
fn run_priority(cx: &mut Context, clause: Option<&spec::Expr>) -> Option<i32> {
    let clause = clause?;
    cx.model.uses.priority = true;
    let expr = expression(cx, clause)?;
    let value = required(&mut cx.report, &expr, "a priority", clause.at.0)?;
    if !(0..=255).contains(&value) {
        cx.report.error(clause.at.0, format!("priority {value} is not in the range 1..255"));
    }
    Some(value).filter(|&value| value != 0)
}

pub fn note_message(cx: &mut Context, chan: &Place, act: Act, args: impl Iterator<Item = Arg>, span: Span) {
    let path = chan.path.iter().map(|step| step.field).collect();
    cx.arguments.messages.push(Message { chan: cx.owner(chan.root), path, act, args: args.collect(), span });
}

/// Number and types of the arguments of every run.
pub fn check_calls(cx: &mut Context) {
    for call in std::mem::take(&mut cx.arguments.calls) {
        if cx.arguments.unclear.contains(&call.proctype) {
            continue;
        }
        let Some(expected) = parameters(cx, call.proctype, call.span) else {
            continue;
        };
        let name = cx.model.proctypes[call.proctype.0].name.clone();
        if expected.len() != call.args.len() {
            let message = format!("proctype `{name}` takes {}, not {}", arguments(expected.len()), call.args.len());
            cx.report.error(call.span, message);
            continue;
        }
        for (&ty, arg) in expected.iter().zip(&call.args) {
            if let (Scalar::Mtype(wanted), Some(given)) = (ty, arg.set)
                && wanted != given
            {
                let (wanted, given) = (set_name(cx, wanted), set_name(cx, given));
                cx.report.error(arg.span, format!("a name of type {given} where {wanted} is expected"));
            }
            check_value(cx, ty, arg);
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}

/// The scalars that the parameters of a proctype are made of.
fn parameters(cx: &mut Context, id: ProctypeId, span: Span) -> Option<Vec<Scalar>> {
    let proctype = &cx.model.proctypes[id.0];
    let types: Vec<Type> = proctype.locals[..proctype.params].iter().map(|local| local.ty).collect();
    let mut all = Vec::new();
    for ty in types {
        match ty {
            Type::Scalar(ty) => all.push(ty),
            Type::Struct(id) => all.extend(leaves(cx, id, span)?.into_iter().map(|leaf| leaf.ty)),
        }
    }
    Some(all)
}

/// A constant that does not fit, a channel where there should be none, or the other way round.
fn check_value(cx: &mut Context, ty: Scalar, arg: &Arg) {
    if let Some(value) = arg.constant {
        if ty == Scalar::Chan {
            cx.report.warning(arg.span, "a number as a channel");
        } else {
            constants::check_fit(&mut cx.report, ty, &Expr::Const(value), arg.span);
        }
    }
    if let Some(given) = arg.ty
        && (given == Scalar::Chan) != (ty == Scalar::Chan)
    {
        let (given, wanted) = (constants::article(given), constants::article(ty));
        cx.report.warning(arg.span, format!("{given} where {wanted} is expected"));
    }
}

/// Number and types of the fields of every message whose channel is certain: declared with its type and never
/// reassigned. What other channels carry shows only when the model runs. To be more than any channel can carry is an
/// error; to be the wrong number for this one is a warning, because SPIN complains only if the statement is executed,
/// and published models have such statements where they are never reached. A poll may leave fields out.
pub fn check_messages(cx: &mut Context) {
    for message in std::mem::take(&mut cx.arguments.messages) {
        if message.act == Act::Send && message.args.len() > cx.channels.widest {
            let sent = message.args.len();
            cx.report.error(message.span, format!("{sent} fields are more than any channel of the model carries"));
            continue;
        }
        if cx.channels.reassigned.contains(&message.chan) {
            continue;
        }
        if let Some((name, channel)) = declared(cx, &message) {
            check_message(cx, &message, &name, &channel);
        }
    }
}

fn check_message(cx: &mut Context, message: &Message, name: &str, channel: &ChannelType) {
    let (wanted, given) = (channel.fields.len(), message.args.len());
    if wanted != given && (message.act != Act::Poll || given > wanted) {
        let fields = if wanted == 1 { "1 field".to_string() } else { format!("{wanted} fields") };
        cx.report.warning(message.span, format!("a message of `{name}` has {fields}, not {given}"));
        return;
    }
    for (&ty, arg) in channel.fields.iter().zip(&message.args) {
        // A lone bit field is stored as a byte, as in pan.
        let ty = if wanted == 1 { constants::unpacked(ty) } else { ty };
        if let (Scalar::Mtype(wanted), Some(given)) = (ty, arg.set)
            && wanted != given
        {
            let (wanted, given) = (set_name(cx, wanted), set_name(cx, given));
            cx.report.warning(arg.span, format!("a name of type {given} where {wanted} is expected"));
        }
        match arg.constant {
            Some(value) if message.act != Act::Send => {
                if constants::stored(ty, value) != value {
                    let article = constants::article(ty);
                    cx.report.warning(arg.span, format!("{value} is never received: the field is {article}"));
                }
            }
            _ => check_value(cx, ty, arg),
        }
    }
}

/// The name and type of the channel a message goes through, if its declaration says so.
fn declared(cx: &Context, message: &Message) -> Option<(String, ChannelType)> {
    let variables = match message.chan.proctype {
        None => &cx.model.globals,
        Some(id) => &cx.model.proctypes[id.0].locals,
    };
    let mut variable: &Variable = variables.get(message.chan.variable)?;
    for &field in &message.path {
        let Type::Struct(id) = variable.ty else {
            return None;
        };
        variable = cx.model.structs[id.0].fields.get(field)?;
    }
    match &variable.init {
        Init::Channel(channel) => Some((variable.name.clone(), channel.clone())),
        _ => None,
    }
}
