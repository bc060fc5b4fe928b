//! Expressions: any value, a truth value, a number below a bound, a place to assign to.

use super::symbols::{Type, Var};
use super::{Generator, Place};
use crate::support::tree::Expr;

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator<'_> {
    /// Any 32-bit value.
    pub fn value(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.chance(35) {
            return self.leaf();
        }
        match self.below(12) {
            0..=3 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                self.note("expression: arithmetic");
                Expr::binary(op, self.value(depth - 1), self.value(depth - 1))
            }
            4 => {
                let op = self.pick(&["/", "%"]);
                self.note("expression: division");
                let divisor = self.divisor();
                Expr::binary(op, self.value(depth - 1), divisor)
            }
            5 => {
                let op = self.pick(&["<<", ">>"]);
                self.note("expression: shift");
                let distance = Expr::atom(self.below(4));
                Expr::binary(op, self.value(depth - 1), distance)
            }
            6 => {
                let op = self.pick(&["-", "~", "!"]);
                self.note("expression: unary");
                Expr::unary(op, self.value(depth - 1))
            }
            7 => {
                self.note("expression: conditional");
                let test = self.condition(depth - 1);
                Expr::Cond(Box::new(test), Box::new(self.value(depth - 1)), Box::new(self.value(depth - 1)))
            }
            8 => Expr::Paren(Box::new(self.value(depth - 1))),
            _ => {
                let condition = self.condition(depth - 1);
                if self.may_poll(&condition) { Expr::unary("!", condition) } else { condition }
            }
        }
    }

    /// pan forgets the parentheses around a poll inside arithmetic.
    fn may_poll(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.may_poll(inner),
            Expr::Atom(text) => text.contains("?[") || self.symbols.conditions.contains(text),
            _ => false,
        }
    }

    /// Never zero: a constant, or one or two.
    fn divisor(&mut self) -> Expr {
        if self.chance(70) {
            return Expr::atom(self.between(1, 4));
        }
        let bit = Expr::binary("&", self.leaf(), Expr::atom(1));
        Expr::binary("+", bit, Expr::atom(1))
    }

    fn leaf(&mut self) -> Expr {
        if self.chance(30) {
            return self.constant();
        }
        match self.below(40) {
            0 => self.special("_pid"),
            1 => self.special("_nr_pr"),
            2..=4 if self.temper.last => self.special("_last"),
            5 | 9 if self.temper.remote => self.remote_value(),
            6 => self.length().unwrap_or_else(|| self.constant()),
            7 => self.number_macro(),
            8 if self.temper.priorities => self.special("_priority"),
            _ => self.read(|var| var.ty.is_number()).unwrap_or_else(|| self.constant()),
        }
    }

    fn special(&mut self, name: &'static str) -> Expr {
        let known = self.scope.running || (name == "_pid" && self.scope.process.is_some());
        if !known {
            return self.constant();
        }
        self.note(name);
        Expr::atom(name)
    }

    pub fn constant(&mut self) -> Expr {
        if self.chance(90) { Expr::atom(self.below(4)) } else { Expr::atom(self.pick(&[7, 127, 128, 255, 256, 300])) }
    }

    fn number_macro(&mut self) -> Expr {
        let macros = self.symbols.numbers.clone();
        match self.pick_some(&macros) {
            Some(name) => Expr::atom(name),
            None => self.constant(),
        }
    }

    fn remote_value(&mut self) -> Expr {
        match self.symbols.remote.clone() {
            Some((_, variable)) if self.scope.running && self.scope.process.is_some() => {
                self.note("remote variable");
                Expr::atom(variable)
            }
            _ => self.constant(),
        }
    }

    fn length(&mut self) -> Option<Expr> {
        let channel = self.any_channel(|_| true)?;
        self.note("len");
        Some(Expr::atom(format!("len({channel})")))
    }

    pub fn read(&mut self, accept: impl Fn(&Var) -> bool) -> Option<Expr> {
        let constants_only = self.scope.constants_only;
        let var = self.pick_some(&self.readable(|var| accept(var) && !(constants_only && var.writable)))?;
        Some(self.place_of(&var, &[]))
    }

    /// True or false, 1 or 0.
    pub fn condition(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.chance(60) {
            return self.test();
        }
        match self.below(8) {
            0..=2 => {
                let op = self.pick(&["&&", "||"]);
                self.note("expression: logical");
                Expr::binary(op, self.condition(depth - 1), self.condition(depth - 1))
            }
            3 => Expr::unary("!", Expr::Paren(Box::new(self.condition(depth - 1)))),
            4 => Expr::Paren(Box::new(self.condition(depth - 1))),
            _ => {
                let op = self.pick(&COMPARISONS);
                Expr::binary(op, self.value(depth - 1), self.value(depth - 1))
            }
        }
    }

    /// A single comparison or the like; its value is 0 or 1.
    fn test(&mut self) -> Expr {
        match self.below(20) {
            0 => self.macro_test(),
            1 => self.mtype_test(),
            2 | 3 => self.poll().unwrap_or_else(|| self.comparison()),
            4 | 5 if self.temper.remote => self.remote_test(),
            6 if !self.scope.values.is_empty() => {
                let formals = self.scope.values.clone();
                let formal = self.pick(&formals);
                self.compare(Expr::atom(formal))
            }
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> Expr {
        let left = self.leaf();
        self.compare(left)
    }

    fn compare(&mut self, left: Expr) -> Expr {
        let (op, right) = (self.pick(&COMPARISONS), self.below(3));
        let right = if matches!(op, "<" | "<=") { right + 1 } else { right };
        Expr::binary(op, left, Expr::atom(right))
    }

    fn macro_test(&mut self) -> Expr {
        let macros = self.symbols.conditions.clone();
        match self.pick_some(&macros) {
            Some(name) => {
                self.note("macro condition");
                Expr::atom(name)
            }
            None => self.comparison(),
        }
    }

    fn remote_test(&mut self) -> Expr {
        match self.symbols.remote.clone() {
            Some((label, _)) if self.scope.running && self.scope.process.is_some() => {
                self.note("remote label");
                Expr::Paren(Box::new(Expr::atom(label)))
            }
            _ => self.comparison(),
        }
    }

    fn mtype_test(&mut self) -> Expr {
        let Some(var) = self.pick_some(&self.readable(|var| !var.ty.is_number())) else { return self.comparison() };
        let Type::Mtype(set) = var.ty else { unreachable!("only mtypes are no numbers") };
        let names = self.symbols.mtypes[set].names.clone();
        let op = self.pick(&["==", "!="]);
        self.note("mtype comparison");
        Expr::binary(op, self.place_of(&var, &[]), Expr::atom(self.pick(&names)))
    }

    /// A value of few: below `bound` in size, so that a loop cannot make many states of it.
    pub fn bounded(&mut self, bound: u32) -> Expr {
        match self.below(4) {
            0 => Expr::atom(self.below(bound)),
            1 => self.condition(1),
            _ => {
                let value = self.value(1);
                Expr::binary("%", Expr::Paren(Box::new(value)), Expr::atom(bound))
            }
        }
    }

    /// What may be assigned to `var` at this place.
    pub fn value_for(&mut self, var: &Var, place: Place) -> Expr {
        match var.ty {
            Type::Mtype(set) => self.mtype_value(set),
            _ if var.is_bit_array() => self.condition(1),
            ty if ty.is_narrow() || !place.repeats => self.value(2),
            _ => self.bounded(3),
        }
    }

    pub fn mtype_value(&mut self, set: usize) -> Expr {
        if self.chance(30)
            && let Some(same) = self.read(|var| var.ty == Type::Mtype(set))
        {
            return same;
        }
        let names = self.symbols.mtypes[set].names.clone();
        Expr::atom(self.pick(&names))
    }

    /// Names an element of `var`. The index never mentions the names in `avoid` (pan restores a receive into `a[x]`
    /// with the received `x`), nor the variable itself.
    pub fn place_of(&mut self, var: &Var, avoid: &[String]) -> Expr {
        let pieces = var.pieces.clone();
        let root = pieces[0].0.clone();
        let pieces = pieces.into_iter().map(|(text, size)| {
            let index = size.map(|size| self.index(size, &root, avoid));
            (text, index)
        });
        Expr::Place(pieces.collect())
    }

    fn index(&mut self, size: u32, root: &str, avoid: &[String]) -> Expr {
        if !self.scope.running {
            return Expr::atom(self.below(size)); // pan.c cannot check an index in an initialiser
        }
        if self.temper.stray && self.chance(self.profile.stray_index.1) {
            self.note("array: index may stray");
            return Expr::atom(self.between(0, size));
        }
        let known = |name: &String| name != root && !avoid.contains(name);
        let unsigned = self.readable(|var| var.is_scalar() && !var.ty.is_signed() && var.ty.is_number());
        let simple: Vec<_> =
            unsigned.into_iter().filter(|var| var.pieces.len() == 1 && known(&var.pieces[0].0)).collect();
        if !avoid.is_empty() || simple.is_empty() || self.chance(50) {
            return Expr::atom(self.below(size));
        }
        self.note("array: computed index");
        let var = self.pick(&simple);
        let variable = Expr::atom(&var.pieces[0].0);
        if size.is_power_of_two() && self.chance(40) {
            return Expr::binary("&", variable, Expr::atom(size - 1));
        }
        Expr::binary("%", variable, Expr::atom(size))
    }
}
