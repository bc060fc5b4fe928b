//! Units and declarations.

use super::{Build, Pair, Rule, next, only, take};
use crate::syntax::spec::{
    Decl, Declarator, Expr, ExprKind, Init, Initializer, Ltl, Mtype, Never, Proctype, Trace, TypeName, Typedef, Unit,
    Visibility,
};

impl Build<'_> {
    /// A unit, or nothing for the end of the text.
    pub(super) fn unit(&mut self, pair: Pair<'_>) -> Option<Unit> {
        Some(match pair.as_rule() {
            Rule::proctype => Unit::Proctype(Box::new(self.proctype(pair))),
            Rule::init => Unit::Init(self.init(pair)),
            Rule::never => Unit::Never(self.never(pair)),
            Rule::trace => Unit::Trace(self.trace(pair)),
            Rule::ltl => Unit::Ltl(self.ltl(pair)),
            Rule::typedef => Unit::Typedef(self.typedef(pair)),
            Rule::mtype => Unit::Mtype(self.mtype(pair)),
            Rule::declaration => Unit::Decl(self.declaration(pair)),
            _ => return None,
        })
    }

    fn proctype(&mut self, pair: Pair<'_>) -> Proctype {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let active = take(&mut parts, Rule::active).map(|active| self.active(active));
        let deterministic = next(&mut parts).as_str() == "D_proctype";
        Proctype {
            active,
            deterministic,
            name: self.ident(next(&mut parts)),
            params: next(&mut parts).into_inner().map(|decl| self.parameter(decl)).collect(),
            priority: take(&mut parts, Rule::priority).map(|priority| self.constant(only(priority))),
            provided: take(&mut parts, Rule::provided).map(|provided| self.expr(only(provided))),
            body: self.block(next(&mut parts)),
            at,
        }
    }

    fn active(&mut self, pair: Pair<'_>) -> Expr {
        let at = self.at(&pair);
        match pair.into_inner().next() {
            Some(index) => self.expr(only(index)),
            None => Expr { kind: ExprKind::Const(1), at },
        }
    }

    fn parameter(&mut self, pair: Pair<'_>) -> Decl {
        let declarators = pair.clone().into_inner().filter(|part| part.as_rule() == Rule::declarator);
        for part in declarators.flat_map(Pair::into_inner) {
            if matches!(part.as_rule(), Rule::expr | Rule::list | Rule::channel) {
                self.fault(&part, "a parameter cannot have an initial value: the `run` gives it one");
            }
        }
        self.declaration(pair)
    }

    fn init(&mut self, pair: Pair<'_>) -> Init {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let priority = take(&mut parts, Rule::priority).map(|priority| self.constant(only(priority)));
        Init { priority, body: self.block(next(&mut parts)), at }
    }

    fn never(&mut self, pair: Pair<'_>) -> Never {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let name = take(&mut parts, Rule::name).map(|name| self.ident(name));
        Never { name, body: self.block(next(&mut parts)), at }
    }

    fn trace(&mut self, pair: Pair<'_>) -> Trace {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let negated = next(&mut parts).as_str() == "notrace";
        Trace { negated, body: self.block(next(&mut parts)), at }
    }

    fn ltl(&mut self, pair: Pair<'_>) -> Ltl {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let name = take(&mut parts, Rule::name).map(|name| self.ident(name));
        let known = self.faults.len();
        let formula = self.formula(next(&mut parts));
        Ltl { name, formula, faults: self.faults.split_off(known), at }
    }

    fn typedef(&mut self, pair: Pair<'_>) -> Typedef {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let name = self.ident(next(&mut parts));
        Typedef { name, fields: parts.map(|field| self.declaration(field)).collect(), at }
    }

    fn mtype(&mut self, pair: Pair<'_>) -> Mtype {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let set = take(&mut parts, Rule::subset).map(|subset| self.ident(only(subset)));
        Mtype { set, names: parts.map(|name| self.ident(name)).collect(), at }
    }

    pub(super) fn declaration(&mut self, pair: Pair<'_>) -> Decl {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let visibility = take(&mut parts, Rule::visibility).map(|word| match word.as_str() {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            _ => Visibility::Local,
        });
        let ty = self.type_name(next(&mut parts));
        Decl { visibility, ty, vars: parts.map(|part| self.declarator(part)).collect(), at }
    }

    fn type_name(&self, pair: Pair<'_>) -> TypeName {
        let part = only(pair);
        match part.as_rule() {
            Rule::name => TypeName::User(self.ident(part)),
            Rule::symbol_type => TypeName::Mtype(part.into_inner().next().map(|subset| self.ident(only(subset)))),
            _ => match part.as_str() {
                "bit" => TypeName::Bit,
                "bool" => TypeName::Bool,
                "byte" => TypeName::Byte,
                "pid" => TypeName::Pid,
                "short" => TypeName::Short,
                "int" => TypeName::Int,
                "unsigned" => TypeName::Unsigned,
                _ => TypeName::Chan,
            },
        }
    }

    fn declarator(&mut self, pair: Pair<'_>) -> Declarator {
        let at = self.at(&pair);
        let mut parts = pair.into_inner();
        let name = self.ident(next(&mut parts));
        let width = take(&mut parts, Rule::width).map(|width| self.constant(only(width)));
        let size = take(&mut parts, Rule::index).map(|index| self.expr(only(index)));
        let init = parts.next().map(|init| self.initializer(init));
        Declarator { name, width, size, init, at }
    }

    fn initializer(&mut self, pair: Pair<'_>) -> Initializer {
        match pair.as_rule() {
            Rule::list => Initializer::List(pair.into_inner().map(|value| self.expr(value)).collect()),
            Rule::channel => {
                let mut parts = pair.into_inner();
                let capacity = self.expr(only(next(&mut parts)));
                Initializer::Channel { capacity, fields: parts.map(|field| self.type_name(field)).collect() }
            }
            _ => Initializer::Expr(self.expr(pair)),
        }
    }
}
