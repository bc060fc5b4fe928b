//! The syntax tree: what the text says, before any name is looked up.
//!
//! It is faithful to the text after macro and inline expansion (an inline call is a [`StmtKind::Block`]). Two trees are
//! equal when they say the same thing: places ([`At`]) never count.

use crate::source::{Diagnostic, Span};

/// The place of a node; all places are equal, so that derived equality compares what a tree says, not where.
#[derive(Clone, Copy, Debug)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub at: At,
}

/// A whole model.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Spec {
    pub units: Vec<Unit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    Proctype(Box<Proctype>),
    Init(Init),
    Never(Never),
    Trace(Trace),
    Ltl(Ltl),
    Typedef(Typedef),
    Mtype(Mtype),
    Decl(Decl),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    pub name: Ident,
    /// `D_proctype`: that two of its statements are executable at once is an error.
    pub deterministic: bool,
    /// `active` = `Some(1)`, `active [e]` = `Some(e)`.
    pub active: Option<Expr>,
    /// Parameters: declarations without initialisers.
    pub params: Vec<Decl>,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Block,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    pub priority: Option<Expr>,
    pub body: Block,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    pub name: Option<Ident>,
    pub body: Block,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// `notrace` instead of `trace`.
    pub negated: bool,
    pub body: Block,
    pub at: At,
}

/// `ltl name { formula }`. Temporal operators occur only here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl {
    pub name: Option<Ident>,
    pub formula: Expr,
    /// If there are any, the formula is none.
    pub faults: Vec<Diagnostic>,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    pub name: Ident,
    pub fields: Vec<Decl>,
    pub at: At,
}

/// `mtype = { … }` or `mtype:set = { … }`; names in textual order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mtype {
    pub set: Option<Ident>,
    pub names: Vec<Ident>,
    pub at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Hidden,
    Show,
    Local,
}

/// One declaration statement: `hidden byte a, b[3] = 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    pub visibility: Option<Visibility>,
    pub ty: TypeName,
    pub vars: Vec<Declarator>,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeName {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype` or `mtype:set`.
    Mtype(Option<Ident>),
    /// A typedef.
    User(Ident),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    pub name: Ident,
    /// `: n` of an unsigned.
    pub width: Option<Expr>,
    /// `[n]`.
    pub size: Option<Expr>,
    pub init: Option<Initializer>,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initializer {
    Expr(Expr),
    /// `{ 1, 2, 3 }`.
    List(Vec<Expr>),
    /// `[capacity] of { fields }`.
    Channel {
        capacity: Expr,
        fields: Vec<TypeName>,
    },
}

/// A `{ … }`, or an option of `if`/`do` from `::` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub steps: Vec<Stmt>,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusive {
    /// `xr`
    Receive,
    /// `xs`
    Send,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    Decl(Decl),
    Exclusive(Exclusive, Vec<VarRef>),
    /// `name: stmt`; `None` for a label with nothing behind it, which stands for `name: skip`.
    Label(Ident, Option<Box<Stmt>>),
    /// `main unless escape`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `c!a,b` or `c!!a,b`; `c!a(b)` is the same as `c!a,b`.
    Send {
        chan: VarRef,
        sorted: bool,
        args: Vec<Expr>,
    },
    /// `c?a`, `c??a`, `c?<a>`, `c??<a>`
    Receive {
        chan: VarRef,
        random: bool,
        copy: bool,
        args: Vec<RecvArg>,
    },
    /// `for (v : lo .. hi) { … }`
    ForRange {
        var: VarRef,
        lo: Expr,
        hi: Expr,
        body: Block,
    },
    /// `for (v in a) { … }`
    ForIn {
        var: VarRef,
        over: VarRef,
        body: Block,
    },
    /// `select (v : lo .. hi)`, where it was not expanded textually (see `layout`).
    Select {
        var: VarRef,
        lo: Expr,
        hi: Expr,
    },
    If(Vec<Block>),
    Do(Vec<Block>),
    Break,
    Goto(Ident),
    Assign(VarRef, Expr),
    Increment(VarRef),
    Decrement(VarRef),
    SetPriority(Expr, Expr),
    /// The format is kept as written, without its quotes.
    Printf(String, Vec<Expr>),
    Printm(Expr),
    Assert(Expr),
    Expr(Expr),
    Else,
    Atomic(Block),
    DStep(Block),
    Block(Block),
}

/// An argument of a receive or a poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecvArg {
    /// A variable to store into, or a symbolic constant (an mtype name looks the same until names are resolved).
    Var(VarRef),
    Eval(Expr),
    Const(i32, At),
}

/// `a`, `a[i]`, `s.f[i].g`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarRef {
    pub name: Ident,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<VarRef>>,
    pub at: At,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Complement,
    Minus,
    // in ltl only:
    Always,
    Eventually,
    Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitXor,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    // in ltl only:
    Implies,
    Equivalent,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    Full,
    NotFull,
    Empty,
    NotEmpty,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number, a character, `true`, `false` or `skip`.
    Const(i32),
    /// A variable, or an mtype name.
    Var(VarRef),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Len(VarRef),
    Probe(Probe, VarRef),
    /// `c?[…]`, `c??[…]`
    Poll {
        chan: VarRef,
        random: bool,
        args: Vec<RecvArg>,
    },
    Run {
        proctype: Ident,
        args: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    Timeout,
    /// `np_`
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// `P[pid]@label`, `P@label`
    RemoteLabel {
        proctype: Ident,
        pid: Option<Box<Expr>>,
        label: Ident,
    },
    /// `P[pid]:var`, `P:var`
    RemoteVar {
        proctype: Ident,
        pid: Option<Box<Expr>>,
        var: VarRef,
    },
}
