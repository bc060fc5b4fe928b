//! Random trees, of the shapes the parser can return.

use crate::source::{FileId, Span};
use crate::syntax::spec::{
    At, BinaryOp, Block, Decl, Declarator, Exclusive, Expr, ExprKind, Ident, Init, Initializer, Ltl, Mtype, Never,
    Probe, Proctype, RecvArg, Spec, Stmt, StmtKind, Trace, TypeName, Typedef, UnaryOp, Unit, VarRef, Visibility,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(super) struct Random {
    rng: Xoshiro256PlusPlus,
    temporal: bool,
}

fn at() -> At {
    At(Span::new(FileId(0), 0, 0))
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { rng: Xoshiro256PlusPlus::seed_from_u64(seed), temporal: false }
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.random_range(0..n)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.below(3) == 0 { Some(make(self)) } else { None }
    }

    fn many<T>(&mut self, least: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(3);
        (0..count).map(|_| make(self)).collect()
    }

    fn ident(&mut self) -> Ident {
        let name = self.pick(&["a", "b_1", "_pid", "in", "doit", "If", "x", "fix", "nextto", "Up", "_"]);
        Ident { name: name.to_string(), at: at() }
    }

    fn varref(&mut self, size: usize) -> VarRef {
        let name = self.ident();
        let index = if size > 0 { self.some(|r| Box::new(r.plain(size - 1))) } else { None };
        let field = if size > 0 { self.some(|r| Box::new(r.varref(size - 1))) } else { None };
        VarRef { name, index, field, at: at() }
    }

    /// An expression without temporal operators: brackets other than parentheses lead out of a formula.
    fn plain(&mut self, size: usize) -> Expr {
        let temporal = std::mem::replace(&mut self.temporal, false);
        let expr = self.expr(size);
        self.temporal = temporal;
        expr
    }

    fn constant(&mut self) -> Expr {
        let value = self.pick(&[0, 1, 2, 77, i32::MAX]);
        Expr { kind: ExprKind::Const(value), at: at() }
    }

    fn expr(&mut self, size: usize) -> Expr {
        if size == 0 {
            return match self.below(3) {
                0 => self.constant(),
                _ => Expr { kind: ExprKind::Var(self.varref(0)), at: at() },
            };
        }
        let size = size - 1;
        let kind = match self.below(8) {
            0 | 1 => ExprKind::Unary(self.unary_op(), Box::new(self.expr(size))),
            2..=4 => ExprKind::Binary(self.binary_op(), Box::new(self.expr(size)), Box::new(self.expr(size))),
            5 => {
                let [condition, then, otherwise] = [(); 3].map(|()| Box::new(self.expr(size)));
                ExprKind::Conditional(condition, then, otherwise)
            }
            _ => self.operand(size),
        };
        Expr { kind, at: at() }
    }

    fn operand(&mut self, size: usize) -> ExprKind {
        match self.below(11) {
            0 => ExprKind::Len(self.varref(size)),
            1 => {
                let probe = self.pick(&[Probe::Full, Probe::NotFull, Probe::Empty, Probe::NotEmpty]);
                ExprKind::Probe(probe, self.varref(size))
            }
            2 => ExprKind::Poll { chan: self.varref(size), random: self.flip(), args: self.receive_args(size) },
            3 => ExprKind::Run {
                proctype: self.ident(),
                args: self.many(0, |r| r.plain(size)),
                priority: self.some(|r| Box::new(r.constant())),
            },
            4 if self.flip() => ExprKind::Timeout,
            4 => ExprKind::NonProgress,
            5 => ExprKind::Enabled(Box::new(self.plain(size))),
            6 => ExprKind::PcValue(Box::new(self.plain(size))),
            7 => ExprKind::GetPriority(Box::new(self.plain(size))),
            8 => ExprKind::RemoteLabel {
                proctype: self.ident(),
                pid: self.some(|r| Box::new(r.plain(size))),
                label: self.ident(),
            },
            9 => ExprKind::RemoteVar {
                proctype: self.ident(),
                pid: self.some(|r| Box::new(r.plain(size))),
                var: self.varref(size),
            },
            _ => ExprKind::Var(self.varref(size)),
        }
    }

    fn unary_op(&mut self) -> UnaryOp {
        use UnaryOp::{Always, Complement, Eventually, Minus, Next, Not};
        if self.temporal && self.flip() {
            self.pick(&[Always, Eventually, Next])
        } else {
            self.pick(&[Not, Complement, Minus])
        }
    }

    fn binary_op(&mut self) -> BinaryOp {
        use BinaryOp::{
            Add, And, BitAnd, BitOr, BitXor, Div, Eq, Equivalent, Ge, Gt, Implies, Le, Lt, Mul, Ne, Or, Release, Rem,
            ShiftLeft, ShiftRight, Sub, Until, WeakUntil,
        };
        if self.temporal && self.flip() {
            self.pick(&[Implies, Equivalent, Until, Release, WeakUntil])
        } else {
            self.pick(&[
                Add, Sub, Mul, Div, Rem, BitAnd, BitXor, BitOr, ShiftLeft, ShiftRight, Lt, Le, Gt, Ge, Eq, Ne, And, Or,
            ])
        }
    }

    fn receive_args(&mut self, size: usize) -> Vec<RecvArg> {
        self.many(1, |r| match r.below(3) {
            0 => RecvArg::Var(r.varref(size)),
            1 => RecvArg::Eval(r.plain(size)),
            _ => RecvArg::Const(r.pick(&[0, 5, -7, i32::MIN]), at()),
        })
    }

    fn type_name(&mut self) -> TypeName {
        match self.below(10) {
            0 => TypeName::Bit,
            1 => TypeName::Bool,
            2 => TypeName::Byte,
            3 => TypeName::Pid,
            4 => TypeName::Short,
            5 => TypeName::Int,
            6 => TypeName::Unsigned,
            7 => TypeName::Chan,
            8 => TypeName::Mtype(self.some(Random::ident)),
            _ => TypeName::User(self.ident()),
        }
    }

    fn decl(&mut self, size: usize) -> Decl {
        Decl {
            visibility: self.some(|r| r.pick(&[Visibility::Hidden, Visibility::Show, Visibility::Local])),
            ty: self.type_name(),
            vars: self.many(1, |r| r.declarator(size)),
            at: at(),
        }
    }

    fn declarator(&mut self, size: usize) -> Declarator {
        let width = self.some(Random::constant);
        let index = if width.is_none() { self.some(|r| r.expr(size)) } else { None };
        let init = self.some(|r| match r.below(3) {
            0 => Initializer::Expr(r.expr(size)),
            1 => Initializer::List(r.many(1, |r| r.expr(size))),
            _ => Initializer::Channel { capacity: r.expr(size), fields: r.many(1, Random::type_name) },
        });
        Declarator { name: self.ident(), width, size: index, init, at: at() }
    }

    pub fn block(&mut self, size: usize) -> Block {
        Block { steps: self.many(1, |r| r.step(size)), at: at() }
    }

    fn step(&mut self, size: usize) -> Stmt {
        let kind = match self.below(8) {
            0 => StmtKind::Decl(self.decl(size)),
            1 => {
                let way = self.pick(&[Exclusive::Receive, Exclusive::Send]);
                StmtKind::Exclusive(way, self.many(1, |r| r.varref(size)))
            }
            2 => StmtKind::Unless(Box::new(self.stmt(size)), Box::new(self.stmt(size))),
            _ => return self.stmt(size),
        };
        Stmt { kind, at: at() }
    }

    fn stmt(&mut self, size: usize) -> Stmt {
        let inner = size.saturating_sub(1);
        let kind = match self.below(if size > 0 { 22 } else { 14 }) {
            0 => StmtKind::Assign(self.varref(size), self.expr(size)),
            1 => StmtKind::Increment(self.varref(size)),
            2 => StmtKind::Decrement(self.varref(size)),
            3 => StmtKind::Send { chan: self.varref(size), sorted: self.flip(), args: self.many(1, |r| r.expr(size)) },
            4 => StmtKind::Receive {
                chan: self.varref(size),
                random: self.flip(),
                copy: self.flip(),
                args: self.receive_args(size),
            },
            5 => StmtKind::Select { var: self.varref(size), lo: self.expr(size), hi: self.expr(size) },
            6 => StmtKind::Goto(self.ident()),
            7 => StmtKind::SetPriority(self.expr(size), self.expr(size)),
            8 => StmtKind::Printf("a \\\" %d: x\\n".into(), self.many(0, |r| r.expr(size))),
            9 => StmtKind::Printm(Expr { kind: ExprKind::Var(self.varref(size)), at: at() }),
            10 => StmtKind::Assert(self.expr(size)),
            11 => StmtKind::Break,
            12 => StmtKind::Else,
            13 => StmtKind::Expr(self.expr(size)),
            14 => StmtKind::Label(self.ident(), self.some(|r| Box::new(r.stmt(inner)))),
            15 => StmtKind::If(self.many(1, |r| r.block(inner))),
            16 => StmtKind::Do(self.many(1, |r| r.block(inner))),
            17 => StmtKind::Atomic(self.block(inner)),
            18 => StmtKind::DStep(self.block(inner)),
            19 => StmtKind::Block(self.block(inner)),
            20 => StmtKind::ForIn { var: self.varref(size), over: self.varref(size), body: self.block(inner) },
            _ => {
                let (var, lo, hi) = (self.varref(size), self.expr(size), self.expr(size));
                StmtKind::ForRange { var, lo, hi, body: self.block(inner) }
            }
        };
        Stmt { kind, at: at() }
    }

    pub fn spec(&mut self, size: usize) -> Spec {
        Spec { units: self.many(1, |r| r.unit(size)) }
    }

    fn unit(&mut self, size: usize) -> Unit {
        match self.below(8) {
            0 => Unit::Proctype(Box::new(Proctype {
                name: self.ident(),
                deterministic: self.flip(),
                active: self.some(|r| r.expr(size)),
                params: self.many(0, |r| Decl { vars: vec![r.parameter()], ..r.decl(0) }),
                priority: self.some(Random::constant),
                provided: self.some(|r| r.expr(size)),
                body: self.block(size),
                at: at(),
            })),
            1 => Unit::Init(Init { priority: self.some(Random::constant), body: self.block(size), at: at() }),
            2 => Unit::Never(Never { name: self.some(Random::ident), body: self.block(size), at: at() }),
            3 => Unit::Trace(Trace { negated: self.flip(), body: self.block(size), at: at() }),
            4 => Unit::Ltl(Ltl {
                name: self.some(Random::ident),
                formula: self.formula(size + 1),
                faults: Vec::new(),
                at: at(),
            }),
            5 => Unit::Typedef(Typedef { name: self.ident(), fields: self.many(1, |r| r.decl(size)), at: at() }),
            6 => {
                let set = self.some(Random::ident);
                Unit::Mtype(Mtype { set, names: self.many(1, Random::ident), at: at() })
            }
            _ => Unit::Decl(self.decl(size)),
        }
    }

    fn parameter(&mut self) -> Declarator {
        Declarator { init: None, ..self.declarator(0) }
    }

    pub fn formula(&mut self, size: usize) -> Expr {
        self.temporal = true;
        let formula = self.expr(size);
        self.temporal = false;
        formula
    }
}
