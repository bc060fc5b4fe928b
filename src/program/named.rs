//! The scalars of a variable by name: where each of them lies, and what it is called.

use super::Program;
use super::layout::GlobalPlace;
use crate::model::{Scalar, Type, Variable};

/// A scalar cell of a variable, found while walking through it.
pub struct Cell<'c> {
    pub name: &'c str,
    /// Relative to what the variable's own offset is relative to.
    pub offset: u32,
    /// The variable, or the field of a struct, whose cell this is.
    pub variable: &'c Variable,
}

/// Calls `visit` for every scalar of a variable: of all its elements, of all fields of a struct.
pub fn scalars(program: &Program, variable: &Variable, name: &str, offset: u32, visit: &mut dyn FnMut(Cell)) {
    let size = program.layout.element_size(variable);
    for i in 0..variable.array.unwrap_or(1) {
        let element = if variable.array.is_some() { format!("{name}[{i}]") } else { name.to_string() };
        let offset = offset + i * size;
        match variable.ty {
            Type::Scalar(_) => visit(Cell { name: &element, offset, variable }),
            Type::Struct(id) => {
                let fields = program.model.structs[id.0].fields.iter().zip(&program.layout.structs[id.0].fields);
                for (field, at) in fields {
                    scalars(program, field, &format!("{element}.{}", field.name), offset + at, visit);
                }
            }
        }
    }
}

/// The globals that have a place in the state, and their offsets.
pub fn globals(program: &Program) -> impl Iterator<Item = (&Variable, u32)> {
    let places = program.model.globals.iter().zip(&program.layout.globals);
    places.filter_map(|(variable, place)| match place {
        GlobalPlace::At(offset) => Some((variable, *offset)),
        GlobalPlace::Channel(_) => None,
    })
}

/// The locals of a proctype, and their offsets in a frame.
pub fn locals(program: &Program, proctype: u32) -> impl Iterator<Item = (&Variable, u32)> {
    let frame = &program.layout.frames[proctype as usize];
    program.model.proctypes[proctype as usize].locals.iter().zip(frame.locals.iter().copied())
}

/// The variable whose scalar is at an offset, and the name of the scalar.
pub fn at<'v>(
    program: &Program,
    variables: impl Iterator<Item = (&'v Variable, u32)>,
    wanted: u32,
) -> Option<(&'v Variable, String, Scalar)> {
    let mut within = variables.filter(|&(v, at)| (at..at + program.layout.size(v)).contains(&wanted));
    let (variable, offset) = within.next()?;
    let mut found = None;
    scalars(program, variable, &variable.name, offset, &mut |cell| {
        if let (true, Type::Scalar(scalar)) = (cell.offset == wanted, cell.variable.ty) {
            found = Some((variable, cell.name.to_string(), scalar));
        }
    });
    found
}

/// What a global channel is called, if it always is the same one.
pub fn channel(program: &Program, number: u32) -> Option<String> {
    program.model.globals.iter().zip(&program.layout.globals).find_map(|(variable, place)| match place {
        GlobalPlace::Channel(first) if (*first..first + variable.array.unwrap_or(1)).contains(&number) => {
            let index = variable.array.map_or(String::new(), |_| format!("[{}]", number - first));
            Some(format!("{}{index}", variable.name))
        }
        _ => None,
    })
}

/// A type as one writes it.
pub fn type_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Bit => "bit".into(),
        Scalar::Byte => "byte".into(),
        Scalar::Short => "short".into(),
        Scalar::Int => "int".into(),
        Scalar::Unsigned(bits) => format!("unsigned:{bits}"),
        Scalar::Mtype(_) => "mtype".into(),
        Scalar::Chan => "chan".into(),
    }
}
