//! Expressions and formulas with the parentheses they need.

use super::Printer;
use crate::syntax::spec::{BinaryOp, Expr, ExprKind, Ident, Probe, RecvArg, UnaryOp, VarRef};

/// How tightly things bind, loosest first, as in the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Equivalent,
    Implies,
    Or,
    And,
    Until,
    Temporal,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Plus,
    Times,
    Prefix,
    Atom,
}

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(value) => self.text(&value.to_string()),
            ExprKind::Var(var) => self.varref(var),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.text("(");
                self.operand(condition, Level::Or);
                self.text(" -> ");
                self.operand(then, Level::Or);
                self.text(" : ");
                self.expr(otherwise);
                self.text(")");
            }
            ExprKind::Len(chan) => self.call("len", |printer| printer.varref(chan)),
            ExprKind::Probe(probe, chan) => self.call(probe_word(*probe), |printer| printer.varref(chan)),
            ExprKind::Poll { chan, random, args } => {
                self.varref(chan);
                self.text(if *random { "??[" } else { "?[" });
                self.separated(", ", args, Printer::receive_arg);
                self.text("]");
            }
            ExprKind::Run { proctype, args, priority } => {
                self.text("run ");
                self.call(&proctype.name, |printer| printer.separated(", ", args, Printer::expr));
                self.priority(priority.as_deref());
            }
            ExprKind::Timeout => self.text("timeout"),
            ExprKind::NonProgress => self.text("np_"),
            ExprKind::Enabled(pid) => self.call("enabled", |printer| printer.expr(pid)),
            ExprKind::PcValue(pid) => self.call("pc_value", |printer| printer.expr(pid)),
            ExprKind::GetPriority(pid) => self.call("get_priority", |printer| printer.expr(pid)),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.process(proctype, pid.as_deref());
                self.text(&format!("@{}", label.name));
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.process(proctype, pid.as_deref());
                self.text(":");
                self.varref(var);
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        let (sign, temporal) = match op {
            UnaryOp::Not => ("!", false),
            UnaryOp::Complement => ("~", false),
            UnaryOp::Minus => ("-", false),
            UnaryOp::Always => ("[] ", true),
            UnaryOp::Eventually => ("<> ", true),
            UnaryOp::Next => ("X ", true),
        };
        let smallest = matches!(operand.kind, ExprKind::Const(i32::MIN)) && op == UnaryOp::Minus;
        // `--` and, for SPIN, `!!` are tokens of their own. SPIN lets `[]` bind as tightly as `!`.
        let repeated = matches!(operand.kind, ExprKind::Unary(inner, _) if inner == op) && !temporal
            || matches!(operand.kind, ExprKind::Const(..0)) && op == UnaryOp::Minus;
        let prefixed = matches!(operand.kind, ExprKind::Unary(..)) && temporal;
        if smallest {
            self.expr(operand);
        } else {
            self.text(sign);
            self.operand(
                operand,
                if prefixed {
                    Level::Temporal
                } else if repeated {
                    Level::Atom
                } else {
                    Level::Prefix
                },
            );
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let (level, sign) = describe(op);
        // SPIN has `->` and `<->` on one level and associates everything to the left.
        let (left_least, right_least) = match level {
            Level::Equivalent | Level::Implies => (Level::Or, Level::Or),
            Level::Until => (Level::Temporal, Level::Temporal),
            level => (level, tighter(level)),
        };
        self.operand(left, left_least);
        self.text(&format!(" {sign} "));
        self.operand(right, right_least);
    }

    /// An expression, in parentheses if it binds looser than `least`.
    fn operand(&mut self, expr: &Expr, least: Level) {
        if level(expr) >= least {
            self.expr(expr);
        } else {
            self.text("(");
            self.expr(expr);
            self.text(")");
        }
    }

    pub(super) fn call(&mut self, word: &str, args: impl FnOnce(&mut Self)) {
        self.text(word);
        self.text("(");
        args(self);
        self.text(")");
    }

    pub(super) fn index(&mut self, index: &Expr) {
        self.text("[");
        self.expr(index);
        self.text("]");
    }

    fn process(&mut self, proctype: &Ident, pid: Option<&Expr>) {
        self.text(&proctype.name);
        if let Some(pid) = pid {
            self.index(pid);
        }
    }

    pub(super) fn varref(&mut self, var: &VarRef) {
        self.text(&var.name.name);
        if let Some(index) = &var.index {
            self.index(index);
        }
        if let Some(field) = &var.field {
            self.text(".");
            self.varref(field);
        }
    }

    pub(super) fn receive_arg(&mut self, arg: &RecvArg) {
        match arg {
            RecvArg::Var(var) => self.varref(var),
            RecvArg::Eval(value) => self.call("eval", |printer| printer.expr(value)),
            RecvArg::Const(value, _) => self.text(&value.to_string()),
        }
    }
}

fn level(expr: &Expr) -> Level {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next, _) => Level::Temporal,
        ExprKind::Unary(..) | ExprKind::Const(..0) => Level::Prefix,
        ExprKind::Binary(op, ..) => describe(*op).0,
        _ => Level::Atom,
    }
}

/// The next tighter level of the operators that associate to the left.
fn tighter(level: Level) -> Level {
    match level {
        Level::Or => Level::And,
        Level::And => Level::Until,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Equality,
        Level::Equality => Level::Order,
        Level::Order => Level::Shift,
        Level::Shift => Level::Plus,
        Level::Plus => Level::Times,
        _ => Level::Prefix,
    }
}

fn describe(op: BinaryOp) -> (Level, &'static str) {
    match op {
        BinaryOp::Equivalent => (Level::Equivalent, "<->"),
        BinaryOp::Implies => (Level::Implies, "->"),
        BinaryOp::Or => (Level::Or, "||"),
        BinaryOp::And => (Level::And, "&&"),
        BinaryOp::Until => (Level::Until, "U"),
        BinaryOp::Release => (Level::Until, "V"),
        BinaryOp::WeakUntil => (Level::Until, "W"),
        BinaryOp::StrongRelease => (Level::Until, "M"),
        BinaryOp::BitOr => (Level::BitOr, "|"),
        BinaryOp::BitXor => (Level::BitXor, "^"),
        BinaryOp::BitAnd => (Level::BitAnd, "&"),
        BinaryOp::Eq => (Level::Equality, "=="),
        BinaryOp::Ne => (Level::Equality, "!="),
        BinaryOp::Lt => (Level::Order, "<"),
        BinaryOp::Le => (Level::Order, "<="),
        BinaryOp::Gt => (Level::Order, ">"),
        BinaryOp::Ge => (Level::Order, ">="),
        BinaryOp::ShiftLeft => (Level::Shift, "<<"),
        BinaryOp::ShiftRight => (Level::Shift, ">>"),
        BinaryOp::Add => (Level::Plus, "+"),
        BinaryOp::Sub => (Level::Plus, "-"),
        BinaryOp::Mul => (Level::Times, "*"),
        BinaryOp::Div => (Level::Times, "/"),
        BinaryOp::Rem => (Level::Times, "%"),
    }
}

fn probe_word(probe: Probe) -> &'static str {
    match probe {
        Probe::Full => "full",
        Probe::NotFull => "nfull",
        Probe::Empty => "empty",
        Probe::NotEmpty => "nempty",
    }
}
