//! The model: the specification with every name and type resolved.
//!
//! A [`Model`] knows which variable, label, proctype and type each name stands for, and has no errors left in it: what
//! SPIN refuses has been refused. Byte offsets, control states and statement numbers are not decided here; they belong
//! to [`crate::program`].
//!
//! A declaration at the start of a proctype body has become the initial value of a local; any other declaration is a
//! local with initial value 0 and, in its place, a statement that assigns the initial value ([`StmtKind::Declare`]), which is what
//! SPIN makes of it.

use crate::source::{Diagnostic, Span};
pub use crate::syntax::spec::{BinaryOp, Probe, UnaryOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProctypeId(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StructId(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalId(pub usize);

/// A local variable of one proctype, parameters first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId(pub usize);

/// A label of one proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelId(pub usize);

/// An mtype set; 0 is the anonymous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MtypeId(pub usize);

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub structs: Vec<Struct>,
    /// At least the anonymous set.
    pub mtypes: Vec<MtypeSet>,
    pub globals: Vec<Variable>,
    /// Proctypes, init, never claims and traces, in textual order: the order in which SPIN numbers their statements.
    pub proctypes: Vec<Proctype>,
    /// What runs at the start, in pid order.
    pub started: Vec<Start>,
    /// The ltl blocks, in textual order.
    pub formulas: Vec<Formula>,
    /// Those with errors: they are no properties, but the rest of the model is in order.
    pub refused: Vec<RefusedFormula>,
    pub uses: Uses,
}

/// Language features whose mere presence changes what a state is or how processes are scheduled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `_last` is mentioned.
    pub last: bool,
    /// A priority, `_priority`, `get_priority` or `set_priority` is mentioned.
    pub priority: bool,
    /// `enabled(…)` is mentioned.
    pub enabled: bool,
    /// `np_` is mentioned.
    pub non_progress: bool,
}

/// `count` instances of a proctype that run from the start.
#[derive(Clone, Debug)]
pub struct Start {
    pub proctype: ProctypeId,
    pub count: usize,
    pub priority: i32,
}

/// An ltl block that cannot be checked, and why.
#[derive(Clone, Debug)]
pub struct RefusedFormula {
    pub name: String,
    /// At least one error.
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct Formula {
    pub name: String,
    pub formula: Expr,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub fields: Vec<Variable>,
}

/// The names of an mtype set; the value of `names[i]` is `i + 1`.
#[derive(Clone, Debug, Default)]
pub struct MtypeSet {
    /// `None` for the anonymous set.
    pub name: Option<String>,
    pub names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// bit, bool
    Bit,
    /// byte, pid
    Byte,
    Short,
    Int,
    /// `unsigned x : n`
    Unsigned(u8),
    Mtype(MtypeId),
    Chan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    Struct(StructId),
}

/// A global, a local, a parameter or a field.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    /// Number of elements of an array.
    pub array: Option<u32>,
    pub init: Init,
    /// Declared `hidden`: not part of the compared state.
    pub hidden: bool,
    pub span: Span,
}

/// The value a variable has from the start: of the run for globals, of the process for locals. (Structs: see their fields.)
#[derive(Clone, Debug)]
pub enum Init {
    /// 0
    Default,
    /// All elements get this value.
    Expr(Expr),
    /// Element by element; the last value repeats.
    List(Vec<Expr>),
    /// A fresh channel for each element.
    Channel(ChannelType),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// 0 = rendezvous.
    pub capacity: u32,
    /// Structs are flattened to their scalar fields.
    pub fields: Vec<Scalar>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProctypeKind {
    Process,
    Init,
    Never,
    Trace,
    NoTrace,
}

#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: String,
    pub kind: ProctypeKind,
    /// Parameters first, then every variable of the body in declaration order, whatever block it stands in.
    pub locals: Vec<Variable>,
    /// How many of `locals` are parameters (a struct parameter is one local, but takes as many arguments as it has scalars).
    pub params: usize,
    pub labels: Vec<Label>,
    pub provided: Option<Expr>,
    pub body: Vec<Stmt>,
    pub span: Span,
    /// The closing brace.
    pub end_span: Span,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: String,
    pub span: Span,
    /// Some remote reference names it, so that it must stay a state of its own.
    pub remote: bool,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

pub type Sequence = Vec<Stmt>;

#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(LabelId, Box<Stmt>),
    /// A declaration that is not at the start of the body: `v = e` or `v = 0`; `None` for a struct, which is a step without effect.
    Declare(Option<(Place, Expr)>),
    Unless(Box<Stmt>, Box<Stmt>),
    Send {
        chan: Place,
        sorted: bool,
        args: Vec<Expr>,
    },
    Receive {
        chan: Place,
        random: bool,
        copy: bool,
        args: Vec<RecvArg>,
    },
    /// `v = lo; do :: v <= hi -> body; v++ :: else -> break od`
    ForRange {
        var: Place,
        lo: Expr,
        hi: Expr,
        body: Sequence,
    },
    /// `counter = 0; do :: counter < len(c) -> c?message; c!message; body; counter++ :: else -> break od`
    ForChannel {
        counter: Place,
        chan: Place,
        /// The scalar fields of the loop variable.
        message: Vec<Place>,
        body: Sequence,
    },
    /// `v = lo; do :: break :: v < hi -> v++ od`
    Select {
        var: Place,
        lo: Expr,
        hi: Expr,
    },
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    Break,
    Goto(LabelId),
    /// Also `v++` and `v--`.
    Assign(Place, Expr),
    /// `_priority = e`
    SetOwnPriority(Expr),
    SetPriority(Expr, Expr),
    Printf(String, Vec<Expr>),
    Printm(Expr),
    Assert(Expr),
    Expr(Expr),
    Else,
    Atomic(Sequence),
    DStep(Sequence),
    Block(Sequence),
}

#[derive(Clone, Debug)]
pub enum RecvArg {
    Store(Place),
    /// `_`
    Ignore,
    /// A constant, an mtype name or `eval(e)`.
    Match(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    Global(GlobalId),
    Local(LocalId),
}

/// A scalar cell: a variable, an element of an array, a field of a struct, and so on.
#[derive(Clone, Debug)]
pub struct Place {
    pub root: Root,
    /// The index into the root, if it is an array.
    pub index: Option<Box<Expr>>,
    /// Field by field down to the scalar.
    pub path: Vec<FieldStep>,
    pub ty: Scalar,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct FieldStep {
    pub field: usize,
    pub index: Option<Expr>,
}

#[derive(Clone, Debug)]
pub enum Expr {
    Const(i32),
    /// An mtype name: its value, kept apart so that it can be shown by name.
    Name(MtypeId, i32),
    Load(Place),
    /// `_` as an argument of a send in a trace: any value.
    Any,
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Len(Place),
    Probe(Probe, Place),
    Poll {
        chan: Place,
        random: bool,
        args: Vec<RecvArg>,
    },
    Run {
        proctype: ProctypeId,
        args: Vec<Expr>,
        priority: Option<i32>,
    },
    Timeout,
    NonProgress,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    ProcessCount,
    /// `_last`
    Last,
    /// `_priority`
    Priority,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// `pid` is `None` for `P@L`: the live instance with the lowest pid.
    RemoteLabel {
        proctype: ProctypeId,
        pid: Option<Box<Expr>>,
        label: LabelId,
    },
    /// The place's root is a local of `proctype`.
    RemoteVar {
        proctype: ProctypeId,
        pid: Option<Box<Expr>>,
        place: Place,
    },
}
