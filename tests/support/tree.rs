//! The tree of a generated Promela model: as much structure as a shrinker needs to cut parts out, and no more. Names,
//! channel operands and initialisers are plain text; `print.rs` turns the tree into a file.

use std::collections::BTreeSet;

/// A whole model. `features` are the names of the language constructs that the generator put into it.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// `#define`, `mtype`, `typedef`: one deletable text each.
    pub prologue: Vec<String>,
    pub globals: Vec<Decl>,
    pub inlines: Vec<Inline>,
    pub procs: Vec<Proc>,
    /// Statements are separated by line ends alone where SPIN reads those as `;`.
    pub bare_lines: bool,
    pub features: BTreeSet<&'static str>,
}

/// `before name after = init`, for example `hidden byte`, `g1`, `[3]`, `{1, 2}`.
#[derive(Clone, Debug)]
pub struct Decl {
    pub before: String,
    pub name: String,
    pub after: String,
    pub init: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Inline {
    pub name: String,
    pub formals: Vec<String>,
    pub body: Seq,
}

#[derive(Clone, Debug)]
pub struct Proc {
    /// `active proctype`, `active [2] proctype`, `proctype`, or `init` (which has no name and no parameters).
    pub keyword: String,
    pub name: String,
    pub params: Vec<String>,
    pub priority: Option<u32>,
    pub provided: Option<Expr>,
    pub locals: Vec<Decl>,
    pub body: Seq,
}

pub type Seq = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub label: Option<String>,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    /// A statement without parts worth shrinking: `skip`, `break`, `goto L`, `else`, `timeout`, `q?x,_`, `printf(..)`.
    Plain(String),
    Declare(Decl),
    Guard(Expr),
    Assert(Expr),
    Assign(Expr, Expr),
    /// Channel with operator, then the message fields: `("q!!", [x, 1])`.
    Send(String, Vec<Expr>),
    /// Everything up to the parenthesis, then the arguments: `run P` or `p = run P` or `inline0`.
    Call(String, Vec<Expr>),
    If(Vec<Seq>),
    Do(Vec<Seq>),
    /// `for (header) { body }`.
    For(String, Seq),
    Atomic(Seq),
    DStep(Seq),
    Block(Seq),
    Unless(Box<Stmt>, Box<Stmt>),
}

#[derive(Clone, Debug)]
pub enum Expr {
    Atom(String),
    /// Alternating text and index: `s[i].f[j]` is `[("s", i), (".f", j)]`.
    Place(Vec<(String, Option<Expr>)>),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `(a -> b : c)`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Parentheses that the precedence of the operators does not ask for.
    Paren(Box<Expr>),
}

impl From<Kind> for Stmt {
    fn from(kind: Kind) -> Stmt {
        Stmt { label: None, kind }
    }
}

impl Stmt {
    pub fn plain(text: impl Into<String>) -> Stmt {
        Kind::Plain(text.into()).into()
    }

    pub fn labelled(self, label: impl Into<String>) -> Stmt {
        Stmt { label: Some(label.into()), ..self }
    }
}

impl Expr {
    pub fn atom(text: impl ToString) -> Expr {
        Expr::Atom(text.to_string())
    }

    pub fn binary(op: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn unary(op: &'static str, operand: Expr) -> Expr {
        Expr::Unary(op, Box::new(operand))
    }
}

/// How a sequence or statement can begin; SPIN merges the beginnings of nested selections into one control state.
#[derive(Clone, Copy, Default, Debug)]
pub struct Head {
    /// Number of `else` guards among the first statements.
    pub elses: usize,
    /// A send or receive is among the first statements.
    pub io: bool,
    /// An `unless` is among the first statements.
    pub escape: bool,
}

pub fn head(seq: &[Stmt]) -> Head {
    let Some(first) = seq.first() else { return Head::default() };
    match &first.kind {
        Kind::Plain(text) => Head { elses: usize::from(text == "else"), io: text.contains('?'), escape: false },
        Kind::Send(..) => Head { io: true, ..Head::default() },
        Kind::Guard(condition) => Head { io: probes(condition), ..Head::default() },
        Kind::If(options) | Kind::Do(options) => options.iter().map(|option| head(option)).fold(Head::default(), merge),
        Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => head(body),
        // whatever an inline begins with
        Kind::Call(callee, _) if !callee.contains("run ") => Head { elses: 1, io: true, escape: false },
        Kind::Unless(main, _) => Head { escape: true, ..head(std::slice::from_ref(main)) },
        _ => Head::default(),
    }
}

/// `full(q)` and its like count as input or output where SPIN warns about `else`.
fn probes(condition: &Expr) -> bool {
    match condition {
        Expr::Atom(text) => ["full(", "empty("].iter().any(|name| text.contains(name)),
        Expr::Binary(_, left, right) => probes(left) || probes(right),
        _ => false,
    }
}

fn merge(a: Head, b: Head) -> Head {
    Head { elses: a.elses + b.elses, io: a.io || b.io, escape: a.escape || b.escape }
}
