//! Statements without statements inside.

use super::symbols::{Type, Var};
use super::{Generator, Place, Region};
use crate::support::print::expression;
use crate::support::tree::{Decl, Expr, Kind, Seq, Stmt, head};

impl Generator<'_> {
    pub fn assignment(&mut self, place: Place) -> Stmt {
        if self.chance(6)
            && let Some(stmt) = self.assign_channel()
        {
            return stmt;
        }
        let Some(var) = self.pick_some(&self.writable(|_| true)) else { return self.skip() };
        if let Some(name) = self.symbols.increment.clone()
            && var.ty.is_number()
            && !var.is_bit_array()
            && var.readable
            && self.chance(10)
        {
            self.note("macro: with a parameter");
            return Stmt::plain(format!("{name}({})", expression(&self.place_of(&var, &[]))));
        }
        let target = self.place_of(&var, &[]);
        let value = self.value_for(&var, place);
        self.note(if var.pieces.len() > 1 { "assign: structure field" } else { "assign" });
        Kind::Assign(target, value).into()
    }

    /// `x++` or `x--`, in a loop only for types of few values.
    pub fn step(&mut self, place: Place) -> Stmt {
        let fits = |var: &Var| var.ty.is_number() && !var.is_bit_array() && (var.ty.is_narrow() || !place.repeats);
        let Some(var) = self.pick_some(&self.writable(fits)) else { return self.assignment(place) };
        let target = expression(&self.place_of(&var, &[]));
        self.note("++ and --");
        Stmt::plain(format!("{target}{}", if self.chance(65) { "++" } else { "--" }))
    }

    pub fn print(&mut self) -> Stmt {
        let mtypes = self.readable(|var| !var.ty.is_number() && var.is_scalar());
        if let Some(var) = self.pick_some(&mtypes).filter(|_| self.chance(40)) {
            let name = expression(&self.place_of(&var, &[]));
            self.note("printm and %e");
            return Stmt::plain(if self.chance(50) {
                format!("printm({name})")
            } else {
                format!("printf(\"%e\\n\", {name})")
            });
        }
        self.note("printf");
        match self.below(3) {
            0 => Stmt::plain("printf(\"here\\n\")"),
            1 => Stmt::plain(format!("printf(\"%d\\n\", {})", expression(&self.value(1)))),
            _ => Stmt::plain(format!("printf(\"%d %x\\n\", {}, _pid)", expression(&self.value(0)))),
        }
    }

    pub fn assertion(&mut self) -> Stmt {
        self.note("assert");
        let condition = if self.temper.truthful || self.chance(50) { self.tautology() } else { self.condition(2) };
        Kind::Assert(condition).into()
    }

    /// True by the range of a type, the capacity of a channel or the excluded middle.
    fn tautology(&mut self) -> Expr {
        let channel = self.pick_some(&self.channels(|channel| channel.capacity > 0));
        if let Some(channel) = channel.filter(|_| self.chance(30)) {
            let name = self.channel_name(&channel);
            return Expr::binary("<=", Expr::atom(format!("len({name})")), Expr::atom(channel.capacity));
        }
        let most = |ty| match ty {
            Type::Bit | Type::Bool => 1,
            Type::Byte | Type::Pid => 255,
            Type::Unsigned(bits) => (1 << bits) - 1,
            _ => 32767,
        };
        let fits = |var: &Var| var.ty.is_number() && var.ty != Type::Int;
        match self.pick_some(&self.readable(fits)).filter(|_| self.chance(70)) {
            Some(var) => Expr::binary("<=", self.place_of(&var, &[]), Expr::atom(most(var.ty))),
            None => {
                let condition = self.condition(1);
                let negation = Expr::unary("!", Expr::Paren(Box::new(condition.clone())));
                Expr::binary("||", condition, negation)
            }
        }
    }

    pub fn skip(&mut self) -> Stmt {
        self.note("skip");
        Stmt::plain(self.pick(&["skip", "skip", "true", "(1)"]))
    }

    /// A condition that may stand beside an `else`.
    pub fn plain_guard(&mut self) -> Stmt {
        self.note("condition");
        Kind::Guard(self.condition(2)).into()
    }

    pub fn guard(&mut self) -> Stmt {
        self.note("condition");
        let condition = if self.chance(15) { self.probe() } else { None };
        Kind::Guard(condition.unwrap_or_else(|| self.condition(2))).into()
    }

    pub fn timeout(&mut self) -> Stmt {
        self.note("timeout");
        if self.chance(90) {
            return Stmt::plain("timeout");
        }
        let condition = self.condition(0);
        Kind::Guard(Expr::binary("&&", Expr::Paren(Box::new(Expr::atom("timeout"))), condition)).into()
    }

    /// A variable that is declared in the middle of a body: its initial value is a step of its own.
    pub fn declaration(&mut self) -> Stmt {
        let ty = self.any_type();
        self.note_type(ty);
        self.note("declaration in a block");
        let name = self.fresh_name();
        let (before, after) = self.type_text(ty);
        let init = self.chance(50).then(|| match ty {
            Type::Mtype(set) => expression(&self.mtype_constant(set)),
            ty if ty.is_narrow() => expression(&self.value(1)),
            _ => expression(&self.bounded(3)),
        });
        self.scope.vars.push(Var::scalar(name.clone(), ty));
        Kind::Declare(Decl { before, name, after, init }).into()
    }

    pub fn priority_change(&mut self) -> Stmt {
        self.note("priority: changed");
        let value = self.between(1, 3);
        Stmt::plain(if self.chance(50) {
            format!("_priority = {value}")
        } else {
            format!("set_priority(_pid, {value})")
        })
    }

    /// A statement that can always be executed.
    pub fn prompt(&mut self, place: Place) -> Stmt {
        let weights = &self.profile.weights;
        let choices = [
            (weights.assign, 0),
            (weights.step, 1),
            (weights.print, 2),
            (weights.assert, 3),
            (weights.skip, 4),
            (if self.temper.priorities { 4 } else { 0 }, 5),
        ];
        match self.weighted(&choices) {
            0 => self.assignment(place),
            1 => self.step(place),
            2 => self.print(),
            3 => self.assertion(),
            4 => self.skip(),
            _ => self.priority_change(),
        }
    }

    /// A statement that may have to wait.
    pub fn waiting(&mut self, place: Place) -> Stmt {
        let weights = &self.profile.weights;
        let choices = [(weights.guard, 0), (weights.send, 1), (weights.receive, 2), (weights.timeout, 3)];
        let stmt = match self.weighted(&choices) {
            0 => None,
            1 => self.send(place),
            2 => self.receive(place),
            _ => Some(self.timeout()),
        };
        stmt.unwrap_or_else(|| self.guard())
    }

    /// Gives a waiting statement an alternative, always if the model is patient: an `else`, a `timeout` or an `end`
    /// label that makes waiting for ever legal.
    pub fn with_alternative(&mut self, stmt: Stmt, place: Place) -> Seq {
        let io = head(std::slice::from_ref(&stmt)).io;
        let alternative = self.profile.alternative;
        if !self.temper.patient && !self.chance(alternative) {
            return vec![stmt];
        }
        let else_allowed = !io || self.chance(self.profile.else_with_io);
        let way = if place.region == Region::DStep { 2 } else { self.below(3) };
        match way {
            0 => {
                self.note("label: end");
                vec![stmt.labelled(self.fresh_label("end"))]
            }
            1 if else_allowed => self.choice_with("else", stmt, place),
            2 if place.region == Region::DStep => self.choice_with("else", stmt, place),
            _ => self.choice_with("timeout", stmt, place),
        }
    }

    fn choice_with(&mut self, guard: &'static str, stmt: Stmt, place: Place) -> Seq {
        self.note(guard);
        let mut rest = vec![Stmt::plain(guard)];
        if self.chance(60) {
            rest.push(self.prompt(place));
        }
        let mut first = vec![stmt];
        if self.chance(40) {
            first.push(self.prompt(place));
        }
        self.note("if");
        vec![Kind::If(vec![first, rest]).into()]
    }
}
