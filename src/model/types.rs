//! Types: mtype sets, typedefs, and what a struct is made of.

use super::declare;
use super::report::{or_keyword, unknown};
use super::resolve::Context;
use super::scope::Global;
use super::tree::{MtypeId, MtypeSet, Scalar, Struct, StructId, Type, Variable};
use crate::source::Span;
use crate::syntax::spec;
use crate::syntax::spelling::keyword;
use rustc_hash::FxHashSet;

/// More than any real model needs, and still small enough for a state vector.
pub const MAX_BYTES: u64 = 16 << 20;
/// Scalars in one message or parameter list.
const MAX_FLAT: u64 = 1 << 16;

/// How large a struct is, computed once: nested typedefs double quickly.
#[derive(Clone, Copy)]
pub struct Extent {
    pub bytes: u64,
    pub scalars: u64,
}

pub fn extent(cx: &Context, ty: Type) -> Extent {
    let bytes = match ty {
        Type::Struct(id) => return cx.extents[id.0],
        Type::Scalar(Scalar::Bit | Scalar::Byte | Scalar::Mtype(_) | Scalar::Chan) => 1,
        Type::Scalar(Scalar::Short) => 2,
        Type::Scalar(Scalar::Int | Scalar::Unsigned(_)) => 4,
    };
    Extent { bytes, scalars: 1 }
}

/// The type a name stands for; `width` is the bits of an unsigned.
pub fn type_of(cx: &mut Context, name: &spec::TypeName, width: u8) -> Option<Type> {
    Some(Type::Scalar(match name {
        spec::TypeName::Bit | spec::TypeName::Bool => Scalar::Bit,
        spec::TypeName::Byte | spec::TypeName::Pid => Scalar::Byte,
        spec::TypeName::Short => Scalar::Short,
        spec::TypeName::Int => Scalar::Int,
        spec::TypeName::Unsigned => Scalar::Unsigned(width),
        spec::TypeName::Chan => Scalar::Chan,
        spec::TypeName::Mtype(set) => Scalar::Mtype(mtype_set(cx, set.as_ref())),
        spec::TypeName::User(name) => return struct_named(cx, name).map(Type::Struct),
    }))
}

fn struct_named(cx: &mut Context, name: &spec::Ident) -> Option<StructId> {
    match cx.names.get(&name.name) {
        Some(Global::Struct(id)) => return Some(id),
        Some(other) => cx.report.error(name.at.0, format!("`{}` is {}, not a type", name.name, other.noun())),
        None => {
            let diagnostic = unknown(name.at.0, "unknown type", &name.name, cx.names.structs());
            let diagnostic = or_keyword(diagnostic, keyword(&name.name));
            let diagnostic = declare::explain_too_early(cx, &name.name, diagnostic);
            cx.report.add(diagnostic);
        }
    }
    None
}

/// The set called `name`, created when first mentioned, as SPIN does.
fn mtype_set(cx: &mut Context, name: Option<&spec::Ident>) -> MtypeId {
    let Some(name) = name else {
        return MtypeId(0);
    };
    let known = cx.model.mtypes.iter().position(|set| set.name.as_ref() == Some(&name.name));
    MtypeId(known.unwrap_or_else(|| {
        cx.model.mtypes.push(MtypeSet { name: Some(name.name.clone()), names: Vec::new() });
        cx.model.mtypes.len() - 1
    }))
}

/// `mtype = { a, b, c }`: numbered from the end of each list, above what the set already has.
pub fn mtype(cx: &mut Context, mtype: &spec::Mtype) {
    let set = mtype_set(cx, mtype.set.as_ref());
    for name in mtype.names.iter().rev() {
        let value = cx.model.mtypes[set.0].names.len() as i32 + 1;
        match cx.names.declare(&name.name, Global::Constant(set, value)) {
            Ok(()) => cx.model.mtypes[set.0].names.push(name.name.clone()),
            Err(earlier) => {
                cx.report.error(name.at.0, format!("`{}` is already declared, as {}", name.name, earlier.noun()))
            }
        }
    }
    if cx.model.mtypes[set.0].names.len() > 255 {
        cx.report.error(mtype.at.0, "an mtype set has at most 255 names");
    }
}

/// The name of a set as users write it.
pub fn set_name(cx: &Context, set: MtypeId) -> String {
    match &cx.model.mtypes[set.0].name {
        Some(name) => format!("mtype:{name}"),
        None => "mtype".into(),
    }
}

pub fn typedef(cx: &mut Context, typedef: &spec::Typedef) {
    let mut fields: Vec<Variable> = Vec::new();
    let mut seen = FxHashSet::default();
    for decl in &typedef.fields {
        for declarator in &decl.vars {
            let name = &declarator.name;
            if !seen.insert(&name.name) {
                cx.report.error(name.at.0, format!("field `{}` is declared twice", name.name));
            }
            fields.extend(declare::field(cx, decl, declarator));
        }
    }
    let sum = |part: fn(Extent) -> u64| {
        let all = fields.iter().map(|f| part(extent(cx, f.ty)).saturating_mul(f.array.unwrap_or(1).into()));
        all.fold(0, u64::saturating_add)
    };
    let extent = Extent { bytes: sum(|e| e.bytes), scalars: sum(|e| e.scalars) };
    if extent.bytes > MAX_BYTES {
        cx.report.error(typedef.name.at.0, format!("typedef `{}` is too large", typedef.name.name));
    }
    let id = StructId(cx.model.structs.len());
    cx.model.structs.push(Struct { name: typedef.name.name.clone(), fields });
    cx.extents.push(extent);
    if let Err(earlier) = cx.names.declare(&typedef.name.name, Global::Struct(id)) {
        let message = format!("`{}` is already declared, as {}", typedef.name.name, earlier.noun());
        cx.report.error(typedef.name.at.0, message);
    }
}

/// One scalar of a struct: the fields to go down, and the element where a field is an array.
#[derive(Clone)]
pub struct Leaf {
    pub path: Vec<(usize, Option<u32>)>,
    pub ty: Scalar,
}

/// The scalars of a struct in order, arrays of scalars element by element; `None`, with a diagnostic, where SPIN can
/// not flatten either: arrays of structs (structs.c, `Cnt_flds`).
pub fn leaves(cx: &mut Context, id: StructId, span: Span) -> Option<Vec<Leaf>> {
    if cx.extents[id.0].scalars > MAX_FLAT {
        cx.report.error(span, format!("typedef `{}` has too many fields for a message", cx.model.structs[id.0].name));
        return None;
    }
    let mut out = Vec::new();
    match collect_leaves(&cx.model.structs, id, &mut Vec::new(), &mut out) {
        Ok(()) => Some(out),
        Err(field) => {
            let name = &cx.model.structs[id.0].name;
            let message = format!("typedef `{name}` cannot be passed: `{field}` is an array of structs");
            cx.report.error(span, message);
            None
        }
    }
}

fn collect_leaves(
    structs: &[Struct],
    id: StructId,
    path: &mut Vec<(usize, Option<u32>)>,
    out: &mut Vec<Leaf>,
) -> Result<(), String> {
    for (i, field) in structs[id.0].fields.iter().enumerate() {
        match (field.ty, field.array) {
            (Type::Struct(inner), None) => {
                path.push((i, None));
                collect_leaves(structs, inner, path, out)?;
                path.pop();
            }
            (Type::Struct(_), Some(_)) => return Err(field.name.clone()),
            (Type::Scalar(ty), None) => out.push(Leaf { path: [path.as_slice(), &[(i, None)]].concat(), ty }),
            (Type::Scalar(ty), Some(n)) => {
                out.extend((0..n).map(|k| Leaf { path: [path.as_slice(), &[(i, Some(k))]].concat(), ty }))
            }
        }
    }
    Ok(())
}
