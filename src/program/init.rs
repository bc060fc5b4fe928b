//! Initial values: what is stored when a run or a process starts.

use super::code::{Base, Cell, Code};
use super::compile::Compiler;
use super::layout::{GlobalPlace, variable_width};
use crate::model::{Init, Type, Variable};

/// One store into fresh memory, which is zero otherwise.
#[derive(Clone, Debug)]
pub enum InitStep {
    Value(Cell, Code),
    /// The id of the n-th channel (from 0) that comes into being together with these variables.
    Channel(Cell, u32),
}

/// The stores of all globals, in declaration order.
pub fn globals(compiler: &Compiler) -> Vec<InitStep> {
    let mut steps = Steps { compiler, channels: 0, out: Vec::new() };
    for (variable, &place) in compiler.model.globals.iter().zip(&compiler.layout.globals) {
        match place {
            GlobalPlace::At(offset) => steps.variable(variable, Base::Global, offset),
            GlobalPlace::Channel(_) => steps.channels += variable.array.unwrap_or(1),
        }
    }
    steps.out
}

/// The stores of the compiler's proctype's locals, parameters excepted.
pub fn locals(compiler: &Compiler) -> Vec<InitStep> {
    let Some(id) = compiler.proctype else { return Vec::new() };
    let proctype = &compiler.model.proctypes[id.0];
    let offsets = &compiler.layout.frames[id.0].locals;
    let mut steps = Steps { compiler, channels: 0, out: Vec::new() };
    for (variable, &offset) in proctype.locals.iter().zip(offsets).skip(proctype.params) {
        steps.variable(variable, Base::Frame, offset);
    }
    steps.out
}

/// The cells that arguments go to: scalar by scalar, structs flattened.
pub fn params(compiler: &Compiler) -> Vec<Cell> {
    let Some(id) = compiler.proctype else { return Vec::new() };
    let proctype = &compiler.model.proctypes[id.0];
    let offsets = &compiler.layout.frames[id.0].locals;
    let mut cells = Vec::new();
    for (variable, &offset) in proctype.locals.iter().zip(offsets).take(proctype.params) {
        scalars(compiler, variable, offset, &mut cells);
    }
    cells
}

fn scalars(compiler: &Compiler, variable: &Variable, offset: u32, cells: &mut Vec<Cell>) {
    match variable.ty {
        Type::Scalar(_) => cells.push(Cell { base: Base::Frame, offset, width: variable_width(variable) }),
        Type::Struct(id) => {
            let fields = compiler.model.structs[id.0].fields.iter().zip(&compiler.layout.structs[id.0].fields);
            for (field, at) in fields {
                scalars(compiler, field, offset + at, cells);
            }
        }
    }
}

struct Steps<'c> {
    compiler: &'c Compiler<'c>,
    channels: u32,
    out: Vec<InitStep>,
}

impl Steps<'_> {
    fn variable(&mut self, variable: &Variable, base: Base, offset: u32) {
        let stride = self.compiler.layout.element_size(variable);
        for i in 0..variable.array.unwrap_or(1) {
            self.element(variable, i, base, offset + i * stride);
        }
    }

    fn element(&mut self, variable: &Variable, i: u32, base: Base, offset: u32) {
        if let Type::Struct(id) = variable.ty {
            let fields = self.compiler.model.structs[id.0].fields.iter();
            for (field, at) in fields.zip(&self.compiler.layout.structs[id.0].fields) {
                self.variable(field, base, offset + at);
            }
            return;
        }
        let cell = Cell { base, offset, width: variable_width(variable) };
        let value = match &variable.init {
            Init::Default => return,
            Init::Expr(value) => value,
            Init::List(values) => match values.get(i as usize).or(values.last()) {
                Some(value) => value,
                None => return,
            },
            Init::Channel(_) => {
                self.out.push(InitStep::Channel(cell, self.channels));
                self.channels += 1;
                return;
            }
        };
        match self.compiler.expr(value) {
            Code::Const(0) => {}
            code => self.out.push(InitStep::Value(cell, code)),
        }
    }
}
