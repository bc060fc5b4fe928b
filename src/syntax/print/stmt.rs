//! Statements, on one line or on several.

use super::Printer;
use crate::syntax::spec::{Block, Exclusive, Expr, ExprKind, RecvArg, Stmt, StmtKind, VarRef};

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        self.text("{");
        self.indented(|printer| {
            printer.line();
            printer.steps(&block.steps);
        });
        self.line();
        self.text("}");
    }

    fn steps(&mut self, steps: &[Stmt]) {
        for (i, step) in steps.iter().enumerate() {
            if i > 0 {
                self.text(";");
                self.line();
            }
            self.stmt(step);
        }
    }

    fn options(&mut self, open: &str, options: &[Block], close: &str) {
        self.text(open);
        for option in options {
            self.line();
            self.text(":: ");
            self.indented(|printer| printer.option(option));
        }
        self.line();
        self.text(close);
    }

    fn option(&mut self, option: &Block) {
        let Some((guard, rest)) = option.steps.split_first() else { return };
        self.stmt(guard);
        if !rest.is_empty() {
            self.text(if matches!(guard.kind, StmtKind::Decl(_)) { ";" } else { " ->" });
            self.line();
            self.steps(rest);
        }
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Label(label, inner) => {
                self.text(&format!("{}:", label.name));
                if let Some(inner) = inner {
                    self.text(" ");
                    self.stmt(inner);
                }
            }
            StmtKind::Unless(main, escape) => {
                self.stmt(main);
                self.text(" unless ");
                self.stmt(escape);
            }
            StmtKind::If(options) => self.options("if", options, "fi"),
            StmtKind::Do(options) => self.options("do", options, "od"),
            StmtKind::Atomic(block) => self.headed("atomic ", block),
            StmtKind::DStep(block) => self.headed("d_step ", block),
            StmtKind::Block(block) => self.block(block),
            StmtKind::ForRange { var, lo, hi, body } => {
                self.range("for", var, lo, hi);
                self.headed(" ", body);
            }
            StmtKind::ForIn { var, over, body } => {
                self.text("for (");
                self.varref(var);
                self.text(" in ");
                self.varref(over);
                self.headed(") ", body);
            }
            _ => self.simple(stmt),
        }
    }

    fn headed(&mut self, head: &str, block: &Block) {
        self.text(head);
        self.block(block);
    }

    fn range(&mut self, word: &str, var: &VarRef, lo: &Expr, hi: &Expr) {
        self.text(word);
        self.text(" (");
        self.varref(var);
        self.text(" : ");
        self.expr(lo);
        self.text(" .. ");
        self.expr(hi);
        self.text(")");
    }

    /// A statement without statements in it.
    fn simple(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Decl(decl) => self.decl(decl),
            StmtKind::Exclusive(way, chans) => {
                self.text(if *way == Exclusive::Receive { "xr " } else { "xs " });
                self.separated(", ", chans, Printer::varref);
            }
            StmtKind::Send { chan, sorted, args } => self.send(chan, if *sorted { "!!" } else { "!" }, args),
            StmtKind::Receive { chan, random, copy, args } => self.receive(chan, *random, *copy, args),
            StmtKind::Select { var, lo, hi } => self.range("select", var, lo, hi),
            StmtKind::Goto(label) => self.text(&format!("goto {}", label.name)),
            StmtKind::Assign(var, value) => {
                self.varref(var);
                self.text(" = ");
                self.expr(value);
            }
            StmtKind::Increment(var) => {
                self.varref(var);
                self.text("++");
            }
            StmtKind::Decrement(var) => {
                self.varref(var);
                self.text("--");
            }
            StmtKind::SetPriority(pid, priority) => {
                self.call("set_priority", |printer| {
                    printer.expr(pid);
                    printer.text(", ");
                    printer.expr(priority);
                });
            }
            StmtKind::Printf(format, args) => self.call("printf", |printer| {
                printer.text(&format!("\"{format}\""));
                for arg in args {
                    printer.text(", ");
                    printer.expr(arg);
                }
            }),
            StmtKind::Printm(value) => self.call("printm", |printer| printer.expr(value)),
            StmtKind::Assert(condition) => self.call("assert", |printer| printer.expr(condition)),
            StmtKind::Expr(Expr { kind: ExprKind::Const(1), .. }) => self.text("skip"),
            StmtKind::Expr(condition) => self.expr(condition),
            StmtKind::Break => self.text("break"),
            _ => self.text("else"),
        }
    }

    fn send(&mut self, chan: &VarRef, sign: &str, args: &[Expr]) {
        self.varref(chan);
        self.text(sign);
        let start = self.out.len();
        self.separated(", ", args, Printer::expr);
        // `c!!x` is a sorted send of `x`, not a send of `!x`.
        if self.out[start..].starts_with('!') {
            self.out.insert(start, ' ');
        }
    }

    fn receive(&mut self, chan: &VarRef, random: bool, copy: bool, args: &[RecvArg]) {
        self.varref(chan);
        self.text(if random { "??" } else { "?" });
        self.text(if copy { "<" } else { "" });
        self.separated(", ", args, Printer::receive_arg);
        self.text(if copy { ">" } else { "" });
    }
}
