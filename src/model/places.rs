//! Variable references: which cell, or which whole struct, a name with its indices and fields stands for.

use super::constants::{article, evaluate, unpacked};
use super::declare::explain_too_early;
use super::expressions::expression;
use super::report::{or_keyword, unknown};
use super::resolve::Context;
use super::scope::{Global, Predefined, predefined};
use super::tree::{Expr, FieldStep, GlobalId, Init, Place, Root, Scalar, Type, Variable};
use super::types::leaves;
use crate::source::{Diagnostic, Span};
use crate::syntax::spec::{self, VarRef};
use crate::syntax::spelling::slip_of_keyword;

/// A reference that was followed to its end: a scalar, a struct, or an array whose last index is missing.
#[derive(Clone)]
pub struct Path {
    pub root: Root,
    pub index: Option<Box<Expr>>,
    pub steps: Vec<FieldStep>,
    pub ty: Type,
    /// The length, if the last variable or field is an array; its index may be missing if that was allowed.
    pub length: Option<u32>,
    pub span: Span,
}

impl Path {
    fn cell(self, ty: Scalar) -> Place {
        Place { root: self.root, index: self.index, path: self.steps, ty, span: self.span }
    }
}

/// Whether the last index may be left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LastIndex {
    Needed,
    Optional,
}

/// Where an assignment or a receive puts a value.
pub enum Target {
    /// The cell, and the type it is stored with.
    Cell(Place, Scalar),
    /// `_`
    Blank,
    /// `_priority`
    Priority,
}

/// The scalar a reference stands for.
pub fn scalar(cx: &mut Context, var: &VarRef) -> Option<Place> {
    let path = path(cx, var, LastIndex::Needed)?;
    match path.ty {
        Type::Scalar(ty) => Some(path.cell(ty)),
        Type::Struct(_) => {
            cx.report.error(path.span, format!("`{}` is a whole struct: name one of its fields", var.name.name));
            None
        }
    }
}

/// A scalar that is assigned to.
pub fn target(cx: &mut Context, var: &VarRef) -> Option<Target> {
    match plain_predefined(var) {
        Some(Predefined::Blank) => return Some(Target::Blank),
        Some(Predefined::Priority) => {
            cx.model.uses.priority = true;
            return Some(Target::Priority);
        }
        Some(_) => {
            cx.report.error(var.at.0, format!("`{}` cannot be assigned to", var.name.name));
            return None;
        }
        None => {}
    }
    let path = path(cx, var, LastIndex::Needed)?;
    match path.ty {
        Type::Scalar(ty) => {
            let stored = if path.length.is_some() { unpacked(ty) } else { ty };
            if ty == Scalar::Chan {
                cx.channels.reassigned.insert(cx.owner(path.root));
            }
            Some(Target::Cell(path.cell(ty), stored))
        }
        Type::Struct(_) => {
            cx.report.error(path.span, format!("`{}` is a whole struct: assign its fields one by one", var.name.name));
            None
        }
    }
}

/// The cell behind `_ = e`: as in pan, a hidden global that nothing reads.
pub fn blank(cx: &mut Context, span: Span) -> Place {
    let id = *cx.blank.get_or_insert_with(|| {
        let ty = Type::Scalar(Scalar::Int);
        let blank = Variable { name: "_".into(), ty, array: None, init: Init::Default, hidden: true, span };
        cx.model.globals.push(blank);
        GlobalId(cx.model.globals.len() - 1)
    });
    Place { root: Root::Global(id), index: None, path: Vec::new(), ty: Scalar::Int, span }
}

/// A reference to a channel.
pub fn channel(cx: &mut Context, var: &VarRef) -> Option<Place> {
    let place = scalar(cx, var)?;
    if place.ty != Scalar::Chan {
        let article = article(place.ty);
        cx.report.error(place.span, format!("`{}` is {article}, not a channel", spelled(var)));
        return None;
    }
    Some(place)
}

/// The reference without its indices, as users would name it.
pub fn spelled(var: &VarRef) -> String {
    match &var.field {
        Some(field) => format!("{}.{}", var.name.name, spelled(field)),
        None => var.name.name.clone(),
    }
}

/// A predefined name, if the reference is nothing else.
pub fn plain_predefined(var: &VarRef) -> Option<Predefined> {
    if var.index.is_some() || var.field.is_some() {
        return None;
    }
    predefined(&var.name.name)
}

/// Follows a reference.
pub fn path(cx: &mut Context, var: &VarRef, last: LastIndex) -> Option<Path> {
    let root = variable(cx, &var.name)?;
    follow(cx, root, var, last)
}

/// Follows a reference whose root is known.
fn follow(cx: &mut Context, root: Root, var: &VarRef, last: LastIndex) -> Option<Path> {
    let variable = match root {
        Root::Global(id) => &cx.model.globals[id.0],
        Root::Local(id) => &cx.body.as_ref()?.locals[id.0],
    };
    let (ty, array) = (variable.ty, variable.array);
    follow_from(cx, (root, ty, array), var, last)
}

/// Follows a reference to a variable of this type.
pub fn follow_from(
    cx: &mut Context,
    (root, mut ty, mut array): (Root, Type, Option<u32>),
    var: &VarRef,
    last: LastIndex,
) -> Option<Path> {
    let last_at = |at: &VarRef| if at.field.is_none() { last } else { LastIndex::Needed };
    let first = subscript(cx, var, array, last_at(var))?;
    let (mut steps, mut at) = (Vec::new(), var);
    while let Some(inner) = &at.field {
        let field = field(cx, ty, at, inner)?;
        let Type::Struct(id) = ty else {
            return None;
        };
        (ty, array) = (cx.model.structs[id.0].fields[field].ty, cx.model.structs[id.0].fields[field].array);
        let index = subscript(cx, inner, array, last_at(inner))?;
        steps.push(FieldStep { field, index });
        at = inner;
    }
    let index = first.map(Box::new);
    Some(Path { root, index, steps, ty, length: array, span: var.at.0 })
}

/// The index of one part of a reference.
fn subscript(cx: &mut Context, var: &VarRef, array: Option<u32>, last: LastIndex) -> Option<Option<Expr>> {
    let name = &var.name.name;
    let index = match &var.index {
        Some(index) => Some(expression(cx, index)?),
        None => None,
    };
    match (array, index) {
        (None, None) => Some(None),
        // `x[0]` is `x` (as spin: pangen2.c, `putname`).
        (None, Some(Expr::Const(0))) => Some(None),
        (None, Some(_)) => {
            cx.report.error(var.at.0, format!("`{name}` is no array"));
            None
        }
        (Some(_), None) if last == LastIndex::Optional => Some(None),
        (Some(_), None) => {
            cx.report.error(var.name.at.0, format!("`{name}` is an array: it needs an index"));
            None
        }
        (Some(length), Some(index)) => {
            if let Ok(value) = evaluate(&index)
                && !(0..i64::from(length)).contains(&i64::from(value))
            {
                let message = format!("index {value} is outside of `{name}`, which has {length} elements");
                cx.report.warning(var.at.0, message);
            }
            Some(Some(index))
        }
    }
}

/// The number of the field that `inner` names in the struct of `outer`.
fn field(cx: &mut Context, ty: Type, outer: &VarRef, inner: &VarRef) -> Option<usize> {
    let Type::Struct(id) = ty else {
        cx.report.error(inner.at.0, format!("`{}` is no struct: it has no fields", outer.name.name));
        return None;
    };
    let fields = &cx.model.structs[id.0].fields;
    let found = fields.iter().position(|field| field.name == inner.name.name);
    if found.is_none() {
        let what = format!("typedef `{}` has no field", cx.model.structs[id.0].name);
        let names = fields.iter().map(|field| field.name.as_str());
        cx.report.add(unknown(inner.name.at.0, &what, &inner.name.name, names));
    }
    found
}

/// The variable a name stands for here.
fn variable(cx: &mut Context, name: &spec::Ident) -> Option<Root> {
    if let Some(local) = cx.body.as_ref().and_then(|body| body.scopes.get(&name.name)) {
        return Some(Root::Local(local));
    }
    match cx.names.get(&name.name) {
        Some(Global::Variable(id)) => return Some(Root::Global(id)),
        Some(other) => {
            cx.report.error(name.at.0, format!("`{}` is {}, not a variable", name.name, other.noun()));
        }
        None if predefined(&name.name).is_some() => {
            cx.report.error(name.at.0, format!("`{}` cannot be used here", name.name));
        }
        None if cx.failed.contains(&name.name) => {}
        None => undeclared(cx, name),
    }
    None
}

/// Reports an undeclared name, once per unit.
pub fn undeclared(cx: &mut Context, name: &spec::Ident) {
    if !cx.unknown.insert(name.name.clone()) {
        return;
    }
    let locals = cx.body.iter().flat_map(|body| body.scopes.names());
    let diagnostic = unknown(name.at.0, "undeclared name", &name.name, locals.chain(cx.names.values()));
    let diagnostic = or_keyword(diagnostic, slip_of_keyword(&name.name));
    let apart = taken_apart(cx, &name.name).map(|meant| format!("did you mean `{meant}`?"));
    let diagnostic = Diagnostic { help: apart.or(diagnostic.help), ..diagnostic };
    let diagnostic = explain_too_early(cx, &name.name, diagnostic);
    cx.report.add(diagnostic);
}

/// What a word such as `GFp` says in a formula if its end is a name: `G F p`.
fn taken_apart(cx: &Context, word: &str) -> Option<String> {
    let (operators, length) = ltl::parse::split_letters(word).filter(|_| cx.ltl)?;
    let (letters, atom) = word.split_at_checked(operators.len())?;
    let is_known = length == atom.len() && cx.names.get(atom).is_some();
    let letters: String = letters.chars().flat_map(|letter| [letter, ' ']).collect();
    is_known.then(|| format!("{letters}{atom}"))
}

/// The scalars of a struct reference, in order.
pub fn flatten(cx: &mut Context, path: &Path) -> Option<Vec<Place>> {
    let Type::Struct(id) = path.ty else {
        return None;
    };
    let leaves = leaves(cx, id, path.span)?;
    let place = |leaf: super::types::Leaf| {
        let below = leaf
            .path
            .iter()
            .map(|&(field, element)| FieldStep { field, index: element.map(|element| Expr::Const(element as i32)) });
        let mut path = path.clone();
        path.steps.extend(below);
        path.cell(leaf.ty)
    };
    Some(leaves.into_iter().map(place).collect())
}

/// The scalars behind a reference: itself, or those of a whole struct.
pub fn scalars(cx: &mut Context, path: Path) -> Option<Vec<Place>> {
    match path.ty {
        Type::Scalar(ty) => Some(vec![path.cell(ty)]),
        Type::Struct(_) => flatten(cx, &path),
    }
}
