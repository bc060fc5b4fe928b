//! Declarations: globals, fields, parameters and locals, with their sizes and initial values.
//!
//! A local declared before the first statement of a body has an initial value; declared later it starts as 0 and its
//! declaration becomes a statement that assigns the value (as spin: spin.y, `ivar`).

use super::constants::{self, check_fit, required, unpacked};
use super::expressions::expression;
use super::messages::channel_type;
use super::resolve::{Context, Owner};
use super::scope::{Global, predefined};
use super::statements::has_channel_arithmetic;
use super::tree::{
    Expr, GlobalId, Init, LocalId, Place, ProctypeKind, Root, Scalar, Sequence, Stmt, StmtKind, StructId, Type,
    Variable,
};
use super::types::{MAX_BYTES, extent, set_name, type_of};
use super::walk::any;
use crate::source::{Diagnostic, Span};
use crate::syntax::spec;

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Global,
    Field,
    Parameter,
    /// Before the first statement of a body.
    Start,
    /// Anywhere else in a body.
    Later,
}

/// A declarator that was read, not yet visible under its name.
struct Declared {
    variable: Variable,
    /// The struct a channel carries, if that is all it carries.
    carries: Option<StructId>,
}

pub fn globals(cx: &mut Context, decl: &spec::Decl) {
    for (declarator, declared) in read(cx, decl, Position::Global) {
        let id = GlobalId(cx.model.globals.len());
        if is_free(cx, &declarator.name) && cx.names.declare(&declarator.name.name, Global::Variable(id)).is_ok() {
            cx.model.globals.push(declared.variable);
            cx.channels
                .carriers
                .extend(declared.carries.map(|carried| (Owner { proctype: None, variable: id.0 }, carried)));
        }
    }
}

pub fn parameters(cx: &mut Context, decl: &spec::Decl) {
    for (declarator, declared) in read(cx, decl, Position::Parameter) {
        local(cx, &declarator.name, declared);
    }
}

/// A declaration inside a body.
pub fn locals(cx: &mut Context, decl: &spec::Decl, out: &mut Sequence) {
    let at_start = cx.body.as_ref().is_some_and(|body| body.at_start);
    let position = if at_start { Position::Start } else { Position::Later };
    match cx.body.as_ref().map(|body| body.kind) {
        Some(ProctypeKind::Never) => cx.report.error(decl.at.0, "a never claim cannot have local variables"),
        Some(ProctypeKind::Trace | ProctypeKind::NoTrace) if !at_start => cx.report.error(decl.at.0, "not an event"),
        _ => {}
    }
    for (declarator, mut declared) in read(cx, decl, position) {
        let init = std::mem::replace(&mut declared.variable.init, Init::Default);
        if at_start {
            declared.variable.init = init;
            local(cx, &declarator.name, declared);
            continue;
        }
        let (ty, array) = (declared.variable.ty, declared.variable.array);
        if let Some(id) = local(cx, &declarator.name, declared) {
            let value = if let Init::Expr(value) = init { value } else { Expr::Const(0) };
            out.push(assignment(id, (ty, array), value, declarator.at.0));
        }
    }
}

/// The statement a later declaration becomes. An array gets its first element assigned, and only that one.
fn assignment(id: LocalId, (ty, array): (Type, Option<u32>), value: Expr, span: Span) -> Stmt {
    let place = |ty| Place {
        root: Root::Local(id),
        index: array.map(|_| Box::new(Expr::Const(0))),
        path: Vec::new(),
        ty,
        span,
    };
    let assigned = match ty {
        Type::Scalar(ty) => Some((place(ty), value)),
        Type::Struct(_) => None,
    };
    Stmt { kind: StmtKind::Declare(assigned), span }
}

pub fn field(cx: &mut Context, decl: &spec::Decl, declarator: &spec::Declarator) -> Option<Variable> {
    declare(cx, decl, declarator, Position::Field).map(|declared| declared.variable)
}

/// Reads all declarators of a list before any of them can be seen: `int a, b = a` is an error.
fn read<'s>(cx: &mut Context, decl: &'s spec::Decl, position: Position) -> Vec<(&'s spec::Declarator, Declared)> {
    let mut all = Vec::new();
    for declarator in &decl.vars {
        match declare(cx, decl, declarator, position) {
            Some(declared) => all.push((declarator, declared)),
            None => drop(cx.failed.insert(declarator.name.name.clone())),
        }
    }
    all
}

fn declare(cx: &mut Context, decl: &spec::Decl, declarator: &spec::Declarator, position: Position) -> Option<Declared> {
    let name = &declarator.name;
    let width = bits(cx, decl, declarator);
    let ty = type_of(cx, &decl.ty, width);
    let array = match (&declarator.size, ty) {
        (Some(size), Some(ty)) => Some(array_size(cx, size, ty)?),
        _ => None,
    };
    let ty = ty?;
    if position == Position::Parameter {
        parameter(cx, declarator, ty, array);
    }
    let mut carries = None;
    let init = match &declarator.init {
        None => Init::Default,
        Some(init) => initial(cx, declarator, init, (ty, array), position, &mut carries).unwrap_or(Init::Default),
    };
    let hidden = decl.visibility == Some(spec::Visibility::Hidden);
    if hidden {
        check_hidden(cx, name, ty, position);
    }
    let variable = Variable { name: name.name.clone(), ty, array, init, hidden, span: name.at.0 };
    Some(Declared { variable, carries })
}

fn check_hidden(cx: &mut Context, name: &spec::Ident, ty: Type, position: Position) {
    let problem = match ty {
        _ if position != Position::Global => "only a global can be hidden",
        Type::Scalar(Scalar::Bit) => "a bit cannot be hidden",
        Type::Scalar(Scalar::Chan) => "a channel cannot be hidden",
        _ => return,
    };
    cx.report.error(name.at.0, problem);
}

fn parameter(cx: &mut Context, declarator: &spec::Declarator, ty: Type, array: Option<u32>) {
    let span = declarator.at.0;
    if declarator.init.is_some() {
        cx.report.error(span, "a parameter cannot have an initial value");
    }
    if array.is_some() {
        cx.report.error(span, format!("parameter `{}` cannot be an array", declarator.name.name));
    }
    if let Type::Struct(id) = ty
        && let Some(leaves) = super::types::leaves(cx, id, span)
        && leaves.iter().any(|leaf| leaf.path.iter().any(|(_, element)| element.is_some()))
    {
        let name = &cx.model.structs[id.0].name;
        cx.report.error(span, format!("typedef `{name}` cannot be a parameter: it has an array in it"));
    }
}

/// `: n`, which an unsigned must have and nothing else may have.
fn bits(cx: &mut Context, decl: &spec::Decl, declarator: &spec::Declarator) -> u8 {
    let (name, is_unsigned) = (&declarator.name, decl.ty == spec::TypeName::Unsigned);
    match &declarator.width {
        Some(width) if !is_unsigned => cx.report.error(width.at.0, "only an unsigned can have a width"),
        None if is_unsigned => {
            let message = format!("unsigned `{0}` needs a width: `unsigned {0} : 4`", name.name);
            cx.report.error(name.at.0, message);
        }
        None => {}
        Some(width) => {
            let span = width.at.0;
            if declarator.size.is_some() {
                cx.report.error(name.at.0, "an unsigned cannot be an array");
            }
            let value = expression(cx, width).and_then(|e| required(&mut cx.report, &e, "a width", span));
            match value {
                Some(bits @ 1..=31) => return bits as u8,
                Some(bits) => cx.report.error(span, format!("width {bits} is not in the range 1..31")),
                None => {}
            }
        }
    }
    16
}

/// The value a plain variable was declared with, where SPIN wants a constant but also takes a variable.
pub fn initial_constant(cx: &Context, expr: &Expr) -> Option<i32> {
    let Expr::Load(Place { root, index: None, path, .. }) = expr else {
        return None;
    };
    if !path.is_empty() {
        return None;
    }
    let variable = match root {
        Root::Global(id) => cx.model.globals.get(id.0),
        Root::Local(id) => cx.body.as_ref().and_then(|body| body.locals.get(id.0)),
    };
    match &variable?.init {
        Init::Expr(value) => Some(constants::evaluate(value).unwrap_or(0)),
        _ => Some(0),
    }
}

fn array_size(cx: &mut Context, size: &spec::Expr, ty: Type) -> Option<u32> {
    let span = size.at.0;
    let expr = expression(cx, size)?;
    let value = match initial_constant(cx, &expr) {
        Some(initial) => {
            let value = if initial > 0 { initial } else { 8 };
            cx.report.warning(span, format!("a variable as array size: taken as {value}"));
            value
        }
        None => required(&mut cx.report, &expr, "an array size", span)?,
    };
    if value <= 0 {
        cx.report.error(span, format!("an array cannot have {value} elements"));
        return None;
    }
    if extent(cx, ty).bytes.saturating_mul(value as u64) > MAX_BYTES {
        cx.report.error(span, format!("array of {value} elements is too large"));
        return None;
    }
    Some(value as u32)
}

fn initial(
    cx: &mut Context,
    declarator: &spec::Declarator,
    init: &spec::Initializer,
    (ty, array): (Type, Option<u32>),
    position: Position,
    carries: &mut Option<StructId>,
) -> Option<Init> {
    let (name, span) = (&declarator.name.name, declarator.at.0);
    let Type::Scalar(ty) = ty else {
        cx.report.warning(span, format!("the initial value of struct `{name}` is ignored"));
        return None;
    };
    match init {
        spec::Initializer::Expr(expr) => {
            if array.is_some() && position == Position::Later {
                cx.report.warning(expr.at.0, format!("only `{name}[0]` gets this value, the rest stays as it is"));
            }
            let value = initial_value(cx, expr, position)?;
            let stored = if array.is_some() { unpacked(ty) } else { ty };
            check_initial(cx, declarator, &value, stored, expr.at.0);
            Some(Init::Expr(value))
        }
        spec::Initializer::List(list) => initial_list(cx, declarator, list, (ty, array), position),
        spec::Initializer::Channel { capacity, fields } => {
            if ty != Scalar::Chan {
                let article = constants::article(ty);
                cx.report.error(span, format!("`{name}` is {article}: it cannot hold a channel of its own"));
                return None;
            }
            if position == Position::Later {
                let message = format!("declare channel `{name}` at the start of the body, before the first statement");
                cx.report.error(span, message);
            }
            let (channel, carried) = channel_type(cx, capacity, fields, array.unwrap_or(1))?;
            *carries = carried;
            Some(Init::Channel(channel))
        }
    }
}

fn initial_list(
    cx: &mut Context,
    declarator: &spec::Declarator,
    list: &[spec::Expr],
    (ty, array): (Scalar, Option<u32>),
    position: Position,
) -> Option<Init> {
    let (name, span) = (&declarator.name.name, declarator.at.0);
    let Some(length) = array else {
        cx.report.error(span, format!("`{name}` is no array: a list cannot be its initial value"));
        return None;
    };
    if position == Position::Later {
        cx.report.error(span, "a list can only be assigned before the first statement of a body");
    }
    if list.len() > length as usize {
        cx.report.warning(span, format!("{} values for an array of {length}", list.len()));
    }
    let one = |item: &spec::Expr| {
        let value = expression(cx, item)?;
        required(&mut cx.report, &value, "an element of the list", item.at.0)?;
        check_fit(&mut cx.report, unpacked(ty), &value, item.at.0);
        Some(value)
    };
    list.iter().map(one).collect::<Option<Vec<_>>>().map(Init::List)
}

/// The expression of an initial value, which may not depend on what does not exist yet.
fn initial_value(cx: &mut Context, expr: &spec::Expr, position: Position) -> Option<Expr> {
    let (span, runs) = (expr.at.0, cx.runs);
    let value = expression(cx, expr)?;
    if cx.runs > runs && cx.body.is_some() {
        cx.report.error(span, "`run` cannot be used in an initial value");
    }
    match position {
        Position::Field => {
            required(&mut cx.report, &value, "the initial value of a field", span)?;
        }
        Position::Global if any(&value, is_dynamic) => {
            cx.report.error(span, "the initial value of a global cannot depend on processes or channels");
        }
        _ => {}
    }
    Some(value)
}

/// Has no meaning before the first process exists.
fn is_dynamic(expr: &Expr) -> bool {
    !matches!(
        expr,
        Expr::Const(_)
            | Expr::Name(..)
            | Expr::Load(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Conditional(..)
            | Expr::Run { .. }
    )
}

fn check_initial(cx: &mut Context, declarator: &spec::Declarator, value: &Expr, ty: Scalar, span: Span) {
    match (ty, value) {
        (Scalar::Mtype(set), Expr::Name(other, _)) if set.0 != 0 && set != *other => {
            let (set, other) = (set_name(cx, set), set_name(cx, *other));
            let message = format!("`{}` is of type {set}, its initial value of type {other}", declarator.name.name);
            cx.report.error(span, message);
        }
        (Scalar::Chan, _) if constants::evaluate(value).is_ok() => {
            cx.report.warning(span, "a number as a channel");
        }
        _ if has_channel_arithmetic(value) => cx.report.error(span, "arithmetic on a channel"),
        _ => check_fit(&mut cx.report, ty, value, span),
    }
}

/// Makes a variable visible in the innermost scope.
fn local(cx: &mut Context, name: &spec::Ident, declared: Declared) -> Option<LocalId> {
    if !is_free(cx, name) {
        return None;
    }
    if let Some(global) = cx.names.get(&name.name) {
        let noun = global.noun();
        let diagnostic = Diagnostic::error(name.at.0, format!("`{}` is already declared, as {noun}", name.name));
        cx.report.add(diagnostic.help("a local cannot have the name of an earlier global"));
        return None;
    }
    let body = cx.body.as_mut()?;
    let id = add_local(&mut body.locals, declared.variable);
    body.scopes.declare(&name.name, id);
    let owner = Owner { proctype: Some(body.id), variable: id.0 };
    cx.channels.carriers.extend(declared.carries.map(|carried| (owner, carried)));
    Some(id)
}

pub fn add_local(locals: &mut Vec<Variable>, variable: Variable) -> LocalId {
    locals.push(variable);
    LocalId(locals.len() - 1)
}

/// Whether a name can be declared here, as far as this body and the language are concerned.
fn is_free(cx: &mut Context, name: &spec::Ident) -> bool {
    let taken = match &cx.body {
        _ if predefined(&name.name).is_some() => "is predefined",
        Some(body) if body.scopes.get(&name.name).is_some() => "is already declared",
        Some(body) if body.labels.knows(&name.name, &body.scopes) => "is already declared, as a label",
        Some(_) => return true,
        None => match cx.names.get(&name.name) {
            None => return true,
            Some(global) => {
                cx.report.error(name.at.0, format!("`{}` is already declared, as {}", name.name, global.noun()));
                return false;
            }
        },
    };
    cx.report.error(name.at.0, format!("`{}` {taken}", name.name));
    false
}

/// Adds to an error about an unknown name that its declaration is still to come.
pub fn explain_too_early(cx: &Context, name: &str, diagnostic: Diagnostic) -> Diagnostic {
    match cx.names.eventually.contains_key(name) {
        true => diagnostic.help(format!("`{name}` can only be used after its declaration")),
        false => diagnostic,
    }
}
