//! Formulas as text.
//!
//! What is printed reads back as the same tree. [`Display`] moreover keeps to what SPIN's two readers and
//! ours agree on: `spin -f` has just two levels of binary operators, U and V above `&&`, `||`, `->` and `<->`, so
//! operands of `&&`, `||`, `->` and `<->` may be temporal without parentheses, and every other binary operator in an
//! operand is in parentheses. That happens to be how people write formulas, too.

use crate::expr::{Binary, Expr, Kind, Unary};
use crate::parse::{is_reserved, is_word, split_letters};
use std::fmt::{self, Display, Formatter};

/// In SPIN's notation, with the parentheses that it takes. Only `M` is a letter that SPIN does not know.
impl Display for Expr {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write_expr(self, Style::Spin, f)
    }
}

impl Expr {
    /// In SPIN's notation, with parentheses around every operand that has an operator.
    pub fn explicit(&self) -> impl Display {
        Styled { expr: self, style: Style::Explicit }
    }

    /// In letters, as most papers and tools write it: `G(p -> F q)`.
    pub fn letters(&self) -> impl Display {
        Styled { expr: self, style: Style::Letters }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Spin,
    Explicit,
    Letters,
}

struct Styled<'a> {
    expr: &'a Expr,
    style: Style,
}

impl Display for Styled<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write_expr(self.expr, self.style, f)
    }
}

fn write_expr(expr: &Expr, style: Style, f: &mut Formatter) -> fmt::Result {
    match &expr.kind {
        Kind::Constant(constant) => write!(f, "{constant}"),
        Kind::Atom(name) => write_atom(name, style, f),
        Kind::Unary(operator, operand) => {
            f.write_str(style.prefix(*operator))?;
            f.write_str(style.gap(*operator, operand))?;
            write_operand(expr, operand, style, f)
        }
        Kind::Binary(operator, left, right) => {
            write_operand(expr, left, style, f)?;
            write!(f, " {} ", style.infix(*operator))?;
            write_operand(expr, right, style, f)
        }
        Kind::And(parts) => write_chain(expr, parts, style.and(), style, f),
        Kind::Or(parts) => write_chain(expr, parts, style.or(), style, f),
    }
}

fn write_chain(chain: &Expr, parts: &[Expr], operator: &str, style: Style, f: &mut Formatter) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            write!(f, " {operator} ")?;
        }
        write_operand(chain, part, style, f)?;
    }
    Ok(())
}

fn write_operand(parent: &Expr, operand: &Expr, style: Style, f: &mut Formatter) -> fmt::Result {
    if style.encloses(parent, operand) {
        f.write_str("(")?;
        write_expr(operand, style, f)?;
        f.write_str(")")
    } else {
        write_expr(operand, style, f)
    }
}

/// A name in quotes where the bare one would be read otherwise.
fn write_atom(name: &str, style: Style, f: &mut Formatter) -> fmt::Result {
    if !is_plain(name) {
        write!(f, "\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    } else if style == Style::Spin && name.starts_with('X') {
        // Outside of parentheses, `spin -f` reads `Xmit` as `X mit`.
        write!(f, "({name})")
    } else {
        f.write_str(name)
    }
}

fn is_plain(name: &str) -> bool {
    is_word(name) && !is_reserved(name) && split_letters(name).is_none()
}

/// How tightly the outermost operator binds, as far as all readers agree.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Boolean,
    Temporal,
    Prefix,
    Leaf,
}

fn strength(expr: &Expr) -> Strength {
    match &expr.kind {
        Kind::Constant(_) | Kind::Atom(_) => Strength::Leaf,
        Kind::Unary(..) => Strength::Prefix,
        Kind::And(_) | Kind::Or(_) | Kind::Binary(Binary::Implies | Binary::Equivalent, ..) => Strength::Boolean,
        Kind::Binary(Binary::Until | Binary::WeakUntil | Binary::Release | Binary::StrongRelease, ..) => {
            Strength::Temporal
        }
    }
}

impl Style {
    fn encloses(self, parent: &Expr, operand: &Expr) -> bool {
        match (self, strength(operand)) {
            (_, Strength::Leaf) => false,
            (Style::Explicit, _) => true,
            (_, Strength::Prefix) => false,
            (_, strength_of_operand) => strength_of_operand <= strength(parent),
        }
    }

    fn prefix(self, operator: Unary) -> &'static str {
        match (operator, self) {
            (Unary::Not, _) => "!",
            (Unary::Next, _) => "X",
            (Unary::Always, Style::Letters) => "G",
            (Unary::Always, _) => "[]",
            (Unary::Eventually, Style::Letters) => "F",
            (Unary::Eventually, _) => "<>",
        }
    }

    fn infix(self, operator: Binary) -> &'static str {
        match (operator, self) {
            (Binary::Implies, _) => "->",
            (Binary::Equivalent, _) => "<->",
            (Binary::Until, _) => "U",
            (Binary::WeakUntil, _) => "W",
            (Binary::Release, Style::Letters) => "R",
            (Binary::Release, _) => "V",
            (Binary::StrongRelease, _) => "M",
        }
    }

    fn and(self) -> &'static str {
        if self == Style::Letters { "&" } else { "&&" }
    }

    fn or(self) -> &'static str {
        if self == Style::Letters { "|" } else { "||" }
    }

    /// What keeps an operator apart from the operand after it.
    fn gap(self, operator: Unary, operand: &Expr) -> &'static str {
        let apart = match (self, operator) {
            // SPIN takes `!!` for an operator on channels (spinlex.c, O_SND).
            (Style::Spin, Unary::Not) => matches!(operand.kind, Kind::Unary(Unary::Not, _)),
            (Style::Letters, Unary::Next | Unary::Always | Unary::Eventually) => !self.may_touch_letter(operand),
            (_, Unary::Next) => true,
            _ => false,
        };
        if apart { " " } else { "" }
    }

    /// What follows a letter does not become part of a name with it.
    fn may_touch_letter(self, operand: &Expr) -> bool {
        match &operand.kind {
            Kind::Constant(_) => false,
            Kind::Atom(name) => !is_plain(name) || split_letters(&format!("X{name}")).is_some(),
            _ => true,
        }
    }
}
