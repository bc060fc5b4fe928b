//! [`Spec`] back to Promela, for people: indented, with as few parentheses as SPIN and we agree on.
//!
//! The text says exactly what the tree says: parsing it gives an equal tree. It is also good SPIN input wherever the
//! tree is; so negations are not written `!!` and temporal operators are parenthesised where SPIN's precedence differs.

mod expr;
mod stmt;
#[cfg(test)]
mod tests;

use super::spec::{
    Block, Decl, Declarator, Expr, Initializer, Mtype, Proctype, Spec, TypeName, Typedef, Unit, Visibility,
};

/// A whole model.
pub fn print(spec: &Spec) -> String {
    let mut printer = Printer { out: String::new(), indent: Some(0) };
    for unit in &spec.units {
        printer.unit(unit);
        printer.out.push('\n');
    }
    printer.out
}

/// An expression or a formula.
pub fn expr(expr: &Expr) -> String {
    let mut printer = Printer { out: String::new(), indent: None };
    printer.expr(expr);
    printer.out
}

/// A statement on one line.
#[cfg(test)]
pub fn stmt(stmt: &super::spec::Stmt) -> String {
    let mut printer = Printer { out: String::new(), indent: None };
    printer.stmt(stmt);
    printer.out
}

struct Printer {
    out: String,
    /// How far lines are indented; `None` to stay on one line.
    indent: Option<usize>,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Starts a new line, if there are lines.
    fn line(&mut self) {
        match self.indent {
            None => self.out.push(' '),
            Some(indent) => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n("    ", indent));
            }
        }
    }

    fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent = self.indent.map(|indent| indent + 1);
        print(self);
        self.indent = self.indent.map(|indent| indent - 1);
    }

    fn separated<T>(&mut self, separator: &str, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            print(self, item);
        }
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Proctype(proctype) => self.proctype(proctype),
            Unit::Init(init) => {
                self.text("init");
                self.priority(init.priority.as_ref());
                self.body(&init.body);
            }
            Unit::Never(never) => {
                self.text("never");
                self.optional_name(never.name.as_ref().map(|name| name.name.as_str()));
                self.body(&never.body);
            }
            Unit::Trace(trace) => {
                self.text(if trace.negated { "notrace" } else { "trace" });
                self.body(&trace.body);
            }
            Unit::Ltl(ltl) => {
                self.text(if ltl.faults.is_empty() { "ltl" } else { "/* not a formula */ ltl" });
                self.optional_name(ltl.name.as_ref().map(|name| name.name.as_str()));
                self.text(" { ");
                self.expr(&ltl.formula);
                self.text(" }");
            }
            Unit::Typedef(typedef) => self.typedef(typedef),
            Unit::Mtype(mtype) => self.mtype(mtype),
            Unit::Decl(decl) => {
                self.decl(decl);
                self.text(";");
            }
        }
    }

    fn optional_name(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.text(" ");
            self.text(name);
        }
    }

    fn priority(&mut self, priority: Option<&Expr>) {
        if let Some(priority) = priority {
            self.text(" priority ");
            self.expr(priority);
        }
    }

    fn body(&mut self, block: &Block) {
        self.text(" ");
        self.block(block);
    }

    fn proctype(&mut self, proctype: &Proctype) {
        if let Some(count) = &proctype.active {
            let count = expr(count);
            self.text("active ");
            if count != "1" {
                self.text(&format!("[{count}] "));
            }
        }
        self.text(if proctype.deterministic { "D_proctype " } else { "proctype " });
        self.text(&proctype.name.name);
        self.text("(");
        self.separated("; ", &proctype.params, Printer::decl);
        self.text(")");
        self.priority(proctype.priority.as_ref());
        if let Some(provided) = &proctype.provided {
            self.text(" provided (");
            self.expr(provided);
            self.text(")");
        }
        self.body(&proctype.body);
    }

    fn typedef(&mut self, typedef: &Typedef) {
        self.text(&format!("typedef {} {{", typedef.name.name));
        self.indented(|printer| {
            for (i, field) in typedef.fields.iter().enumerate() {
                printer.text(if i > 0 { ";" } else { "" });
                printer.line();
                printer.decl(field);
            }
        });
        self.line();
        self.text("}");
    }

    fn mtype(&mut self, mtype: &Mtype) {
        self.text("mtype");
        if let Some(set) = &mtype.set {
            self.text(&format!(":{}", set.name));
        }
        self.text(" = { ");
        self.separated(", ", &mtype.names, |printer, name| printer.text(&name.name));
        self.text(" }");
    }

    fn decl(&mut self, decl: &Decl) {
        self.text(match decl.visibility {
            None => "",
            Some(Visibility::Hidden) => "hidden ",
            Some(Visibility::Show) => "show ",
            Some(Visibility::Local) => "local ",
        });
        self.type_name(&decl.ty);
        self.text(" ");
        self.separated(", ", &decl.vars, Printer::declarator);
    }

    fn type_name(&mut self, ty: &TypeName) {
        match ty {
            TypeName::Bit => self.text("bit"),
            TypeName::Bool => self.text("bool"),
            TypeName::Byte => self.text("byte"),
            TypeName::Pid => self.text("pid"),
            TypeName::Short => self.text("short"),
            TypeName::Int => self.text("int"),
            TypeName::Unsigned => self.text("unsigned"),
            TypeName::Chan => self.text("chan"),
            TypeName::Mtype(None) => self.text("mtype"),
            TypeName::Mtype(Some(set)) => self.text(&format!("mtype:{}", set.name)),
            TypeName::User(name) => self.text(&name.name),
        }
    }

    fn declarator(&mut self, declarator: &Declarator) {
        self.text(&declarator.name.name);
        if let Some(width) = &declarator.width {
            self.text(" : ");
            self.expr(width);
        }
        if let Some(size) = &declarator.size {
            self.index(size);
        }
        if let Some(init) = &declarator.init {
            self.text(" = ");
            self.initializer(init);
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(value) => self.expr(value),
            Initializer::List(values) => {
                self.text("{ ");
                self.separated(", ", values, Printer::expr);
                self.text(" }");
            }
            Initializer::Channel { capacity, fields } => {
                self.index(capacity);
                self.text(" of { ");
                self.separated(", ", fields, Printer::type_name);
                self.text(" }");
            }
        }
    }
}
