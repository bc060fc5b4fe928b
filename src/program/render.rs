//! Statements and expressions as SPIN prints them: fully parenthesised, without the spelling of the source.
//!
//! Assertion texts in error messages and `swarmgp show --stage program` use this form; trails show the source instead. Where an assertion
//! fails, pan puts a space in front of `!`, `~` and `-`, which `pan -d` and `spin -p` do not.

use super::elements::{Node, Target};
use crate::model::{
    BinaryOp, Expr, Model, Place, Probe, Proctype, ProctypeId, RecvArg, Root, StmtKind, Type, UnaryOp, Variable,
};
use std::fmt::Write;

pub fn expr(model: &Model, proctype: Option<ProctypeId>, expr: &Expr) -> String {
    let mut out = String::new();
    Renderer { model, proctype, before_unary: "" }.expr(expr, &mut out);
    out
}

/// The condition of an assertion, as pan says that it is violated.
pub fn asserted(model: &Model, proctype: Option<ProctypeId>, condition: &Expr) -> String {
    let mut out = String::new();
    Renderer { model, proctype, before_unary: " " }.expr(condition, &mut out);
    out
}

pub fn node(model: &Model, proctype: ProctypeId, node: &Node, line: usize) -> String {
    let renderer = Renderer { model, proctype: Some(proctype), before_unary: "" };
    let labels = &model.proctypes[proctype.0].labels;
    match node {
        Node::Basic(stmt) => renderer.stmt(stmt),
        Node::Goto(Target::Label(label)) => format!("goto {}", labels[label.0].name),
        Node::Goto(Target::Break(number)) => format!("goto :b{number}"),
        Node::Dot => ".(goto)".into(),
        Node::BreakTarget => "break".into(),
        Node::If => "IF".into(),
        Node::Do => "DO".into(),
        Node::Unless => "unless".into(),
        Node::Atomic(_) => "ATOMIC".into(),
        Node::DStep(_) => format!("D_STEP{line}"),
        Node::Block(_) => "sub-sequence".into(),
        Node::End => "-end-".into(),
    }
}

struct Renderer<'r> {
    model: &'r Model,
    proctype: Option<ProctypeId>,
    /// What is in front of an operator with one operand.
    before_unary: &'static str,
}

impl Renderer<'_> {
    fn stmt(&self, stmt: &StmtKind) -> String {
        let mut out = String::new();
        match stmt {
            StmtKind::Assign(place, value) | StmtKind::Declare(Some((place, value))) => {
                self.place(place, &mut out);
                out.push_str(" = ");
                self.expr(value, &mut out);
            }
            StmtKind::Send { chan, sorted, args } => {
                self.place(chan, &mut out);
                out.push_str(if *sorted { "!!" } else { "!" });
                self.list(args, &mut out);
            }
            StmtKind::Receive { chan, random, copy, args } => {
                self.place(chan, &mut out);
                out.push_str(if *random { "??" } else { "?" });
                out.push_str(if *copy { "<" } else { "" });
                self.takes(args, &mut out);
                out.push_str(if *copy { ">" } else { "" });
            }
            StmtKind::Printf(format, args) => {
                let _ = write!(out, "printf('{format}'");
                for arg in args {
                    out.push(',');
                    self.expr(arg, &mut out);
                }
                out.push(')');
            }
            StmtKind::Printm(value) => self.wrapped("printm", value, &mut out),
            StmtKind::Assert(condition) => self.wrapped("assert", condition, &mut out),
            StmtKind::Expr(condition) => self.wrapped("", condition, &mut out),
            StmtKind::SetOwnPriority(value) => {
                out.push_str("_priority = ");
                self.expr(value, &mut out);
            }
            StmtKind::SetPriority(pid, value) => {
                out.push_str("set_priority(");
                self.expr(pid, &mut out);
                out.push_str(", ");
                self.expr(value, &mut out);
                out.push(')');
            }
            StmtKind::Else => out.push_str("else"),
            StmtKind::Declare(None) => out.push_str("declaration"),
            _ => out.push_str("compound statement"),
        }
        out
    }

    fn wrapped(&self, name: &str, inner: &Expr, out: &mut String) {
        out.push_str(name);
        out.push('(');
        self.expr(inner, out);
        out.push(')');
    }

    fn list(&self, args: &[Expr], out: &mut String) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.expr(arg, out);
        }
    }

    fn takes(&self, args: &[RecvArg], out: &mut String) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            match arg {
                RecvArg::Store(place) => self.place(place, out),
                RecvArg::Ignore => out.push('_'),
                RecvArg::Match(value @ (Expr::Const(_) | Expr::Name(..))) => self.expr(value, out),
                RecvArg::Match(value) => self.wrapped("eval", value, out),
            }
        }
    }

    fn root(&self, place: &Place, of: Option<ProctypeId>) -> Option<&Variable> {
        match place.root {
            Root::Global(id) => self.model.globals.get(id.0),
            Root::Local(id) => of.and_then(|p| self.model.proctypes[p.0].locals.get(id.0)),
        }
    }

    fn place(&self, place: &Place, out: &mut String) {
        self.place_of(place, self.proctype, out);
    }

    fn place_of(&self, place: &Place, of: Option<ProctypeId>, out: &mut String) {
        let Some(mut variable) = self.root(place, of) else { return out.push('?') };
        out.push_str(&variable.name);
        self.index(place.index.as_deref(), out);
        for step in &place.path {
            let Type::Struct(id) = variable.ty else { break };
            variable = &self.model.structs[id.0].fields[step.field];
            out.push('.');
            out.push_str(&variable.name);
            self.index(step.index.as_ref(), out);
        }
    }

    fn index(&self, index: Option<&Expr>, out: &mut String) {
        if let Some(index) = index {
            out.push('[');
            self.expr(index, out);
            out.push(']');
        }
    }

    fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.model.proctypes[id.0]
    }

    fn expr(&self, expr: &Expr, out: &mut String) {
        match expr {
            Expr::Const(value) => drop(write!(out, "{value}")),
            Expr::Name(set, value) => {
                let name = self.model.mtypes[set.0].names.get(*value as usize - 1);
                out.push_str(name.map_or("?", |n| n.as_str()));
            }
            Expr::Load(place) => self.place(place, out),
            Expr::Any => out.push('_'),
            Expr::Unary(op, inner) => {
                out.push_str(self.before_unary);
                out.push_str(unary(*op));
                self.wrapped("", inner, out);
            }
            Expr::Binary(op, left, right) => {
                out.push('(');
                self.expr(left, out);
                out.push_str(binary(*op));
                self.expr(right, out);
                out.push(')');
            }
            Expr::Conditional(c, a, b) => {
                self.wrapped("( ", c, out);
                self.wrapped(" -> ", a, out);
                self.wrapped(" : ", b, out);
                out.push_str(" )");
            }
            Expr::Len(chan) => self.probe("len", chan, out),
            Expr::Probe(probe, chan) => self.probe(probe_name(*probe), chan, out),
            Expr::Poll { chan, random, args } => {
                self.place(chan, out);
                out.push_str(if *random { "??[" } else { "?[" });
                self.takes(args, out);
                out.push(']');
            }
            Expr::Run { proctype, args, .. } => {
                let _ = write!(out, "run {}(", self.proctype(*proctype).name);
                self.list(args, out);
                out.push(')');
            }
            Expr::Timeout => out.push_str("timeout"),
            Expr::NonProgress => out.push_str("np_"),
            Expr::Pid => out.push_str("_pid"),
            Expr::ProcessCount => out.push_str("_nr_pr"),
            Expr::Last => out.push_str("_last"),
            Expr::Priority => out.push_str("_priority"),
            Expr::Enabled(pid) => self.wrapped("enabled", pid, out),
            Expr::PcValue(pid) => self.wrapped("pc_value", pid, out),
            Expr::GetPriority(pid) => self.wrapped("get_priority", pid, out),
            Expr::RemoteLabel { proctype, pid, label } => {
                out.push_str(&self.proctype(*proctype).name);
                self.index(pid.as_deref(), out);
                let _ = write!(out, "@{}", self.proctype(*proctype).labels[label.0].name);
            }
            Expr::RemoteVar { proctype, pid, place } => {
                out.push_str(&self.proctype(*proctype).name);
                self.index(pid.as_deref(), out);
                out.push(':');
                self.place_of(place, Some(*proctype), out);
            }
        }
    }

    fn probe(&self, name: &str, chan: &Place, out: &mut String) {
        out.push_str(name);
        out.push('(');
        self.place(chan, out);
        out.push(')');
    }
}

fn probe_name(probe: Probe) -> &'static str {
    match probe {
        Probe::Full => "full",
        Probe::NotFull => "nfull",
        Probe::Empty => "empty",
        Probe::NotEmpty => "nempty",
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "!",
        UnaryOp::Complement => "~",
        UnaryOp::Minus => "-",
        UnaryOp::Always => "[] ",
        UnaryOp::Eventually => "<> ",
        UnaryOp::Next => "X ",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Implies => " -> ",
        BinaryOp::Equivalent => " <-> ",
        BinaryOp::Until => " U ",
        BinaryOp::Release => " V ",
        BinaryOp::WeakUntil => " W ",
        BinaryOp::StrongRelease => " M ",
    }
}
