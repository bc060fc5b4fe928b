//! Loops with a known number of rounds, and `select`.

use super::symbols::{Field, Type, Var};
use super::{Generator, Place};
use crate::support::print::expression;
use crate::support::tree::{Decl, Expr, Kind, Seq, Stmt};

impl Generator<'_> {
    /// `n = 0; do :: n < 2 -> ..; n++ :: else -> break od`. Nothing else writes the counter.
    pub fn counted(&mut self, place: Place) -> Seq {
        self.note("do: counted");
        let counter = self.counter(Type::Byte);
        let rounds = self.between(1, 2);
        let mut body = vec![Kind::Guard(Expr::binary("<", Expr::atom(&counter), Expr::atom(rounds))).into()];
        let length = self.between(1, 2);
        body.extend(self.sequence(length, Place { breakable: true, ..place.deeper() }));
        body.push(Stmt::plain(format!("{counter}++")));
        let leave = vec![Stmt::plain("else"), Stmt::plain("break")];
        let start = Kind::Assign(Expr::atom(&counter), Expr::atom(0)).into();
        vec![start, Kind::Do(vec![body, leave]).into()]
    }

    /// A new local variable that can be read but is written by its loop alone.
    pub fn counter(&mut self, ty: Type) -> String {
        let name = format!("n{}{}", self.scope.prefix, self.scope.counters.len());
        let (before, after) = self.type_text(ty);
        self.scope.counters.push(Decl { before, name: name.clone(), after, init: None });
        self.scope.vars.push(Var { writable: false, ..Var::scalar(&name, ty) });
        name
    }

    pub fn for_loop(&mut self, place: Place) -> Seq {
        if self.chance(self.profile.for_in_channel)
            && let Some(stmt) = self.for_in_channel(place)
        {
            return vec![stmt];
        }
        let ty = self.pick(&[Type::Byte, Type::Byte, Type::Short, Type::Int]);
        let counter = self.counter(ty);
        let arrays = self.readable(|var| var.pieces.len() == 1 && !var.is_scalar());
        let header = match self.pick_some(&arrays) {
            Some(array) if self.chance(30) => {
                self.note("for: in array");
                format!("{counter} in {}", array.pieces[0].0)
            }
            _ => {
                self.note("for: range");
                let least = self.below(2);
                format!("{counter} : {least} .. {}", self.upper_bound())
            }
        };
        let length = self.between(1, 2);
        vec![Kind::For(header, self.braced(length, Place { breakable: true, ..place.deeper() })).into()]
    }

    fn upper_bound(&mut self) -> String {
        if self.chance(75) {
            return self.between(1, 2).to_string();
        }
        let unsigned = self.read(|var| var.ty.is_number() && !var.ty.is_signed());
        let value = unsigned.unwrap_or_else(|| Expr::atom(1));
        expression(&Expr::binary("%", value, Expr::atom(3)))
    }

    /// `for (m in q)` takes out every message of the channel and puts it back at the end.
    fn for_in_channel(&mut self, place: Place) -> Option<Stmt> {
        let record_only = |fields: &Vec<Field>| matches!(fields.as_slice(), [Field::Record(_)]);
        let signatures = self.symbols.signatures.clone();
        let fits = self.channels(|c| c.capacity > 0 && c.array.is_none() && record_only(&signatures[c.form.signature]));
        let channel = self.pick_some(&fits)?;
        let record = self.pick_some(&self.records(0))?;
        self.note("for: in channel");
        let body = self.braced(1, Place { breakable: false, depth: 0, ..place });
        Some(Kind::For(format!("{record} in {}", channel.name), body).into())
    }

    pub fn select(&mut self, place: Place) -> Seq {
        let fits = |var: &Var| {
            var.is_scalar() && var.pieces.len() == 1 && matches!(var.ty, Type::Byte | Type::Short | Type::Int)
        };
        let Some(var) = self.pick_some(&self.writable(fits)) else { return vec![self.prompt(place)] };
        let name = &var.pieces[0].0;
        let (least, most) = (self.below(2), self.between(2, 3));
        // a hidden variable must not be read, which a computed upper bound would do
        if !var.readable || self.chance(60) {
            self.note("select: constant bounds");
            return vec![Stmt::plain(format!("select ({name} : {least} .. {most})"))];
        }
        self.note("select: computed bounds");
        let bound = self.bounded(3);
        let least = if matches!(bound, Expr::Atom(_)) { 0 } else { least };
        vec![Stmt::plain(format!("select ({name} : {least} .. {})", expression(&Expr::Paren(Box::new(bound)))))]
    }
}
