//! What the generator knows about the names it has declared.

use super::Generator;
use crate::support::tree::Decl;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned(u32),
    /// Index of a set of mtype names.
    Mtype(usize),
}

impl Type {
    pub fn is_signed(self) -> bool {
        matches!(self, Type::Short | Type::Int)
    }

    /// Few values whatever is assigned.
    pub fn is_narrow(self) -> bool {
        matches!(self, Type::Bit | Type::Bool | Type::Unsigned(_))
    }

    /// Whether a variable of this type keeps every value of type `other`.
    pub fn holds(self, other: Type) -> bool {
        let width = |ty| match ty {
            Type::Bit | Type::Bool | Type::Unsigned(_) => 1,
            Type::Byte | Type::Pid | Type::Mtype(_) => 8,
            Type::Short => 16,
            Type::Int => 32,
        };
        let signed = other.is_signed() <= self.is_signed();
        signed && width(self) >= width(other)
    }

    pub fn is_number(self) -> bool {
        !matches!(self, Type::Mtype(_))
    }
}

/// A scalar or an array of scalars, perhaps deep inside a structure: `s[2].f[3]` is `[("s", 2), (".f", 3)]`.
#[derive(Clone, Debug)]
pub struct Var {
    pub pieces: Vec<(String, Option<u32>)>,
    pub ty: Type,
    pub readable: bool,
    pub writable: bool,
}

impl Var {
    pub fn scalar(name: impl Into<String>, ty: Type) -> Var {
        Var { pieces: vec![(name.into(), None)], ty, readable: true, writable: true }
    }

    pub fn is_scalar(&self) -> bool {
        self.pieces.iter().all(|(_, size)| size.is_none())
    }

    /// pan keeps bit arrays as bytes and does not reduce what is stored in them.
    pub fn is_bit_array(&self) -> bool {
        matches!(self.ty, Type::Bit | Type::Bool) && self.pieces.last().is_some_and(|(_, size)| size.is_some())
    }
}

/// What two channels must share so that one can stand for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// Index into `Symbols::signatures`.
    pub signature: usize,
    pub rendezvous: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Scalar(Type),
    Channel(Form),
    /// Index of a typedef without arrays.
    Record(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Global,
    /// Dies with its process: may only be used or handed to a younger process.
    Local,
    /// A variable of type `chan` that holds a global channel.
    Variable,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub name: String,
    pub array: Option<u32>,
    pub form: Form,
    pub capacity: u32,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// `mtype` or `mtype:name`.
    pub keyword: String,
    pub names: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: String,
    pub fields: Vec<(String, Option<u32>, FieldType)>,
}

#[derive(Clone, Copy, Debug)]
pub enum FieldType {
    Scalar(Type),
    /// Index of an earlier typedef.
    Nested(usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Formal {
    /// Replaced by any expression, without parentheses: only tested, never stored.
    Value,
    /// Replaced by a byte variable.
    Variable,
    Channel(Form),
}

#[derive(Clone, Debug)]
pub struct InlineSign {
    pub name: String,
    pub formals: Vec<Formal>,
    /// Never blocks: may be called inside a `d_step`.
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Param {
    Scalar(Type),
    Channel(Form),
    Record(usize),
}

#[derive(Clone, Debug)]
pub struct ProcSign {
    pub name: String,
    /// 0: created by `run` only.
    pub active: u32,
    pub params: Vec<Param>,
    /// Instances that can exist over a run, at most.
    pub instances: u32,
    /// Index of the process that must create this one.
    pub parent: Option<usize>,
    pub is_init: bool,
}

#[derive(Default)]
pub struct Symbols {
    pub vars: Vec<Var>,
    pub channels: Vec<Channel>,
    pub signatures: Vec<Vec<Field>>,
    pub mtypes: Vec<MtypeSet>,
    pub typedefs: Vec<Typedef>,
    /// Global structure variables: name and typedef.
    pub records: Vec<(String, usize)>,
    /// Macros that stand for a condition.
    pub conditions: Vec<String>,
    /// Macros that stand for a number.
    pub numbers: Vec<String>,
    /// A macro with a parameter that makes a statement of a variable.
    pub increment: Option<String>,
    pub inlines: Vec<InlineSign>,
    pub procs: Vec<ProcSign>,
    /// Label and local variable of process 0, once it has been written.
    pub remote: Option<(String, String)>,
}

/// A label that a goto may name.
#[derive(Clone, Debug)]
pub struct Landing {
    pub label: String,
}

/// The names of the process or inline that is being written.
#[derive(Default)]
pub struct Scope {
    pub vars: Vec<Var>,
    pub channels: Vec<Channel>,
    pub records: Vec<(String, usize)>,
    /// Loop counters, declared where the body begins.
    pub counters: Vec<Decl>,
    pub landings: Vec<Landing>,
    /// Prefix of all names, so that an inline never clashes with its caller.
    pub prefix: String,
    pub next_name: u32,
    pub next_label: u32,
    /// Index of the process; none in an inline.
    pub process: Option<usize>,
    /// Statements are being written, not initial values.
    pub running: bool,
    /// Only variables that nobody writes may be read: spin's simulator evaluates the initial value of a global when the
    /// variable is first used.
    pub constants_only: bool,
    /// Formals of an inline that stand for a value.
    pub values: Vec<String>,
}

impl Generator<'_> {
    pub fn readable(&self, accept: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.visible(|var| var.readable && accept(var))
    }

    pub fn writable(&self, accept: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.visible(|var| var.writable && accept(var))
    }

    fn visible(&self, accept: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.scope.vars.iter().chain(&self.symbols.vars).filter(|var| accept(var)).cloned().collect()
    }

    pub fn channels(&self, accept: impl Fn(&Channel) -> bool) -> Vec<Channel> {
        self.scope.channels.iter().chain(&self.symbols.channels).filter(|channel| accept(channel)).cloned().collect()
    }

    pub fn records(&self, typedef: usize) -> Vec<String> {
        let all = self.scope.records.iter().chain(&self.symbols.records);
        all.filter(|(_, of)| *of == typedef).map(|(name, _)| name.clone()).collect()
    }

    pub fn fresh_name(&mut self) -> String {
        self.scope.next_name += 1;
        format!("{}{}", self.scope.prefix, self.scope.next_name - 1)
    }

    pub fn fresh_label(&mut self, stem: &str) -> String {
        self.scope.next_label += 1;
        format!("{stem}_{}{}", self.scope.prefix, self.scope.next_label - 1)
    }
}
