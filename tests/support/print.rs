//! Prints a generated model as Promela text, one statement per line, with parentheses only where the precedence of the
//! operators asks for them (those of the tree apart).

use super::tree::{Decl, Expr, Inline, Kind, Model, Proc, Seq, Stmt};
use std::fmt::Write;

pub fn print(model: &Model) -> String {
    let mut out = Printer { text: String::new(), indent: 0, bare_lines: model.bare_lines };
    for line in &model.prologue {
        out.line(line);
    }
    for decl in &model.globals {
        out.line(&format!("{};", declaration(decl)));
    }
    for inline in &model.inlines {
        out.inline(inline);
    }
    for process in &model.procs {
        out.process(process);
    }
    out.text
}

struct Printer {
    text: String,
    indent: usize,
    bare_lines: bool,
}

impl Printer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = self.indent * 2);
    }

    fn inline(&mut self, inline: &Inline) {
        self.line(&format!("inline {}({}) {{", inline.name, inline.formals.join(", ")));
        self.body(&inline.body);
        self.line("}");
    }

    fn process(&mut self, process: &Proc) {
        let mut header = process.keyword.clone();
        if process.keyword != "init" {
            let _ = write!(header, " {}({})", process.name, process.params.join("; "));
        }
        if let Some(priority) = process.priority {
            let _ = write!(header, " priority {priority}");
        }
        if let Some(condition) = &process.provided {
            let _ = write!(header, " provided ({})", expression(condition));
        }
        self.line(&format!("{header} {{"));
        self.indent += 1;
        for decl in &process.locals {
            self.line(&format!("{};", declaration(decl)));
        }
        self.indent -= 1;
        self.body(&process.body);
        self.line("}");
    }

    fn body(&mut self, seq: &Seq) {
        self.indent += 1;
        for (i, stmt) in seq.iter().enumerate() {
            let separator = if i + 1 < seq.len() { ";" } else { "" };
            self.statement(stmt, "", separator);
        }
        self.indent -= 1;
    }

    fn option(&mut self, seq: &Seq) {
        for (i, stmt) in seq.iter().enumerate() {
            let arrow = i == 0 && matches!(&stmt.kind, Kind::Plain(_) | Kind::Guard(_));
            let separator = if i + 1 == seq.len() {
                ""
            } else if arrow {
                " ->"
            } else {
                ";"
            };
            self.statement(stmt, if i == 0 { ":: " } else { "   " }, separator);
        }
    }

    /// `lead` stands before the first line of the statement, `separator` after its last.
    fn statement(&mut self, stmt: &Stmt, lead: &str, separator: &str) {
        let lead = match &stmt.label {
            Some(label) => format!("{lead}{label}: "),
            None => lead.to_string(),
        };
        match &stmt.kind {
            Kind::If(options) => self.selection(&lead, "if", options, "fi", separator),
            Kind::Do(options) => self.selection(&lead, "do", options, "od", separator),
            Kind::For(header, body) => self.braces(&format!("{lead}for ({header}) {{"), body, separator),
            Kind::Atomic(body) => self.braces(&format!("{lead}atomic {{"), body, separator),
            Kind::DStep(body) => self.braces(&format!("{lead}d_step {{"), body, separator),
            Kind::Block(body) => self.braces(&format!("{lead}{{"), body, separator),
            Kind::Unless(main, escape) => {
                self.statement(main, &lead, " unless");
                self.statement(escape, "  ", separator);
            }
            simple => {
                let text = simple_statement(simple);
                let implied = self.bare_lines && separator == ";" && ends_line(&text);
                self.line(&format!("{lead}{text}{}", if implied { "" } else { separator }));
            }
        }
    }

    fn selection(&mut self, lead: &str, open: &str, options: &[Seq], close: &str, separator: &str) {
        self.line(&format!("{lead}{open}"));
        self.indent += 1;
        options.iter().for_each(|option| self.option(option));
        self.indent -= 1;
        self.line(&format!("{close}{separator}"));
    }

    fn braces(&mut self, open: &str, body: &Seq, separator: &str) {
        self.line(open);
        self.body(body);
        self.line(&format!("}}{separator}"));
    }
}

/// SPIN reads a line end as `;` after a name, a number or a closing bracket (as spin: spinlex.c).
fn ends_line(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_alphanumeric() || ")]+-".contains(c)) && !text.ends_with("timeout")
}

pub fn declaration(decl: &Decl) -> String {
    let init = decl.init.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    format!("{} {}{}{init}", decl.before, decl.name, decl.after)
}

fn simple_statement(kind: &Kind) -> String {
    match kind {
        Kind::Plain(text) => text.clone(),
        Kind::Declare(decl) => declaration(decl),
        Kind::Guard(condition) => guard(condition),
        Kind::Assert(condition) => format!("assert({})", expression(condition)),
        Kind::Assign(place, value) => format!("{} = {}", expression(place), expression(value)),
        Kind::Send(channel, fields) => format!("{channel}{}", list(fields)),
        Kind::Call(callee, arguments) => format!("{callee}({})", bare_list(arguments)),
        _ => unreachable!("compound statements are printed line by line"),
    }
}

fn guard(condition: &Expr) -> String {
    match condition {
        Expr::Unary(..) => format!("({})", expression(condition)),
        _ => expression(condition),
    }
}

/// Message fields: operators in parentheses, since `q!!x` is a sorted send of `x`.
fn list(fields: &[Expr]) -> String {
    let field = |e: &Expr| if matches!(e, Expr::Unary(..)) { format!("({})", expression(e)) } else { expression(e) };
    fields.iter().map(field).collect::<Vec<_>>().join(",")
}

fn bare_list(arguments: &[Expr]) -> String {
    arguments.iter().map(expression).collect::<Vec<_>>().join(", ")
}

pub fn expression(expr: &Expr) -> String {
    at_level(expr, 0)
}

fn precedence(op: &str) -> u32 {
    match op {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => unreachable!("operator {op}"),
    }
}

/// Prints `expr` where an operator of precedence `level` or higher may stand without parentheses.
fn at_level(expr: &Expr, level: u32) -> String {
    match expr {
        Expr::Atom(text) => text.clone(),
        Expr::Place(pieces) => pieces.iter().map(piece).collect(),
        Expr::Unary("-", operand) if level > 0 => format!("(-{})", at_level(operand, 11)),
        // `!!` is one token
        Expr::Unary(op, operand) if matches!(**operand, Expr::Unary(..)) => format!("{op}({})", at_level(operand, 0)),
        Expr::Unary(op, operand) => format!("{op}{}", at_level(operand, 11)),
        Expr::Binary(op, left, right) => {
            let own = precedence(op);
            let text = format!("{} {op} {}", at_level(left, own), at_level(right, own + 1));
            if own < level { format!("({text})") } else { text }
        }
        Expr::Cond(test, yes, no) => {
            format!("({} -> {} : {})", at_level(test, 0), at_level(yes, 0), at_level(no, 0))
        }
        Expr::Paren(inner) => format!("({})", at_level(inner, 0)),
    }
}

fn piece((text, index): &(String, Option<Expr>)) -> String {
    match index {
        Some(index) => format!("{text}[{}]", at_level(index, 0)),
        None => text.clone(),
    }
}
