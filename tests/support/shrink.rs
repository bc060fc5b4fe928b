//! Makes a failing model small: greedily applies the edits below as long as the model still fails.
//!
//! An edit need not keep the model valid: SPIN then refuses the candidate, which so does not fail in the way that
//! matters and is dropped. Edits are numbered in a fixed order, large ones first; after an edit that is kept the same
//! number is tried again, because it now names the next part.

use super::tree::{Decl, Expr, Kind, Model, Seq, Stmt};

/// At most this many candidates are tried.
const TRIALS: usize = 1500;

pub fn shrink(model: &Model, still_fails: &mut dyn FnMut(&Model) -> bool) -> Model {
    let mut best = model.clone();
    let mut trials = 0;
    loop {
        let before = trials;
        let mut kept = false;
        for pass in [Pass::Large, Pass::Statements, Pass::Expressions, Pass::Declarations] {
            let mut number = 0;
            while trials < TRIALS {
                let mut candidate = best.clone();
                if !edit(&mut candidate, pass, number) {
                    break;
                }
                trials += 1;
                if still_fails(&candidate) {
                    best = candidate;
                    kept = true;
                } else {
                    number += 1;
                }
            }
        }
        if !kept || trials == before || trials >= TRIALS {
            return best;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Processes, inlines, and the halves of bodies.
    Large,
    /// Statements, options, labels; a compound statement is also replaced by what is in it.
    Statements,
    /// An expression becomes one of its operands or a constant.
    Expressions,
    /// Declarations and their initial values, `provided`, priorities, macros.
    Declarations,
}

/// Applies edit `number` of the pass; false when there are not that many.
fn edit(model: &mut Model, pass: Pass, number: usize) -> bool {
    let mut editor = Editor { pass, left: number, done: false };
    editor.model(model);
    editor.done
}

struct Editor {
    pass: Pass,
    /// Edits to be passed over before the one that is applied.
    left: usize,
    done: bool,
}

impl Editor {
    /// True for exactly one of the edits that are offered.
    fn take(&mut self) -> bool {
        if self.done {
            return false;
        }
        self.done = self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.done
    }

    fn remove_one<T>(&mut self, list: &mut Vec<T>) {
        for i in 0..list.len() {
            if self.take() {
                list.remove(i);
                return;
            }
        }
    }

    fn model(&mut self, model: &mut Model) {
        if self.pass == Pass::Large {
            self.remove_one(&mut model.procs);
            self.remove_one(&mut model.inlines);
        }
        if self.pass == Pass::Declarations {
            self.declarations(model);
        }
        for inline in &mut model.inlines {
            self.seq(&mut inline.body);
        }
        for process in &mut model.procs {
            if let (Pass::Expressions, Some(condition)) = (self.pass, &mut process.provided) {
                self.expr(condition);
            }
            self.seq(&mut process.body);
        }
    }

    fn declarations(&mut self, model: &mut Model) {
        for process in &mut model.procs {
            self.decls(&mut process.locals);
            if process.provided.is_some() && self.take() {
                process.provided = None;
            }
            if process.priority.is_some() && self.take() {
                process.priority = None;
            }
            if process.keyword.starts_with("active [") && self.take() {
                process.keyword = "active proctype".into();
            }
        }
        self.decls(&mut model.globals);
        self.remove_one(&mut model.prologue);
        if model.bare_lines && self.take() {
            model.bare_lines = false;
        }
    }

    fn decls(&mut self, decls: &mut Vec<Decl>) {
        self.remove_one(decls);
        for decl in decls.iter_mut().filter(|decl| decl.before != "chan") {
            self.initial(decl);
        }
    }

    fn initial(&mut self, decl: &mut Decl) {
        if decl.init.is_some() && self.take() {
            decl.init = None;
        }
    }

    fn seq(&mut self, seq: &mut Seq) {
        let half = seq.len() / 2;
        if self.pass == Pass::Large && half > 0 {
            if self.take() {
                seq.truncate(half);
            } else if self.take() {
                seq.drain(..half);
            }
        }
        if self.pass == Pass::Statements {
            self.statements(seq);
        }
        for stmt in seq.iter_mut() {
            self.stmt(stmt);
        }
    }

    fn statements(&mut self, seq: &mut Seq) {
        self.remove_one(seq);
        for i in 0..seq.len() {
            if seq[i].label.is_some() && self.take() {
                seq[i].label = None;
            }
            for part in 0..parts(&seq[i]).len() {
                if self.take() {
                    let inside = parts(&seq[i]).swap_remove(part);
                    seq.splice(i..=i, inside);
                    return;
                }
            }
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            Kind::If(options) | Kind::Do(options) => self.options(options),
            Kind::For(_, body) | Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => self.seq(body),
            Kind::Unless(main, escape) => {
                self.stmt(main);
                self.stmt(escape);
            }
            Kind::Declare(decl) if self.pass == Pass::Declarations => self.initial(decl),
            kind if self.pass == Pass::Expressions => exprs(kind).into_iter().for_each(|expr| self.expr(expr)),
            _ => {}
        }
    }

    fn options(&mut self, options: &mut Vec<Seq>) {
        if self.pass == Pass::Statements && options.len() > 1 {
            self.remove_one(options);
        }
        for option in options {
            self.seq(option);
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        let simpler = operands(expr);
        for operand in simpler {
            if self.take() {
                *expr = operand;
                return;
            }
        }
        match expr {
            Expr::Atom(_) => {}
            Expr::Place(pieces) => pieces.iter_mut().filter_map(|(_, index)| index.as_mut()).for_each(|e| self.expr(e)),
            Expr::Unary(_, operand) | Expr::Paren(operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Cond(test, yes, no) => {
                self.expr(test);
                self.expr(yes);
                self.expr(no);
            }
        }
    }
}

/// The sequences inside a compound statement.
fn parts(stmt: &Stmt) -> Vec<Seq> {
    match &stmt.kind {
        Kind::If(options) | Kind::Do(options) => options.clone(),
        Kind::For(_, body) | Kind::Atomic(body) | Kind::DStep(body) | Kind::Block(body) => vec![body.clone()],
        Kind::Unless(main, escape) => vec![vec![(**main).clone()], vec![(**escape).clone()]],
        _ => Vec::new(),
    }
}

/// The expressions of a simple statement that are read.
fn exprs(kind: &mut Kind) -> Vec<&mut Expr> {
    match kind {
        Kind::Guard(expr) | Kind::Assert(expr) | Kind::Assign(_, expr) => vec![expr],
        Kind::Send(_, exprs) | Kind::Call(_, exprs) => exprs.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// What may stand for an expression: its operands; zero or one for anything that is not a number already.
fn operands(expr: &Expr) -> Vec<Expr> {
    let constants = || ["1", "0"].map(Expr::atom);
    let mut out = match expr {
        Expr::Atom(text) if text.parse::<u32>().is_ok() => return Vec::new(),
        Expr::Atom(_) | Expr::Place(_) => Vec::new(),
        Expr::Unary(_, operand) | Expr::Paren(operand) => vec![(**operand).clone()],
        Expr::Binary(_, left, right) => vec![(**left).clone(), (**right).clone()],
        Expr::Cond(test, yes, no) => vec![(**test).clone(), (**yes).clone(), (**no).clone()],
    };
    out.extend(constants());
    out
}
