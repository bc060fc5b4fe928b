//! Remarks about a property that holds for a reason that may not be meant.
//!
//! A formula can hold because what it talks about never happens: `[](p -> <>q)` where no state satisfies `p`. Who wrote it
//! will want to know. The remarks are about the states that the claim looked at; where it had given up a run already,
//! nothing further on could have mattered.

use super::claim::Claim;
use crate::program::formula::Formula;
use crate::system::Seen;
use ltl::Expr;
use ltl::automaton::Atoms;
use ltl::expr::{Binary, Kind, Unary};
use ltl::scc::Class;

/// What is worth knowing about a claim that no run satisfies.
pub fn remarks(claim: &Claim, formula: Option<&Formula>, seen: &Seen) -> Vec<String> {
    if !claim.is_satisfiable() {
        return vec!["nothing can violate this property: it holds for every model".into()];
    }
    let mut remarks = Vec::new();
    if let Some(letters) = seen.letters() {
        formula.into_iter().for_each(|formula| antecedents(claim, formula, seen, letters.clone(), &mut remarks));
        // an automaton does not tell whether it asks for a constant; one that waits for a bad prefix probably does
        if remarks.is_empty() && (formula.is_some() || !claim.is_terminal()) {
            constants(claim, formula, letters, &mut remarks);
        }
    }
    if remarks.is_empty() && never_left(claim, seen) {
        remarks.push("no run even begins to violate it: the claim never gets past its first states".into());
    }
    remarks
}

/// A claim waits, in states without accepting cycles, for something that never comes. What ends in an accepting state
/// that is never left again is different: there, never to come is all that the property asks for.
fn never_left(claim: &Claim, seen: &Seen) -> bool {
    let waits = |state: u32| claim.class(state) == Class::N && !claim.is_completed(state);
    let states = 0..claim.state_count() as u32;
    claim.asks_for_more() && states.into_iter().filter(|&state| seen.state(state)).all(waits)
}

/// Remarks on implications whose left side is never true where it would matter.
fn antecedents(
    claim: &Claim,
    formula: &Formula,
    seen: &Seen,
    letters: impl Iterator<Item = Atoms> + Clone,
    remarks: &mut Vec<String>,
) {
    let reader = Reader { claim };
    let mut implications = Vec::new();
    implied(&formula.expr, false, &mut implications);
    for (always, left, right) in implications {
        let is_true = |letter: Atoms| reader.is_true(left, letter);
        let (is_said, place) = if always {
            (letters.clone().any(is_true), "is true in no state that the claim looks at")
        } else {
            (seen.first().is_none_or(is_true), "is not true at the start")
        };
        if !is_said {
            let (left, right) = (shown(left), shown(right));
            remarks.push(format!("{left} {place}, so {left} -> {right} says nothing"));
        }
    }
}

/// The implications that are to hold in every state (`always`) or in the first one, where the left side is about one state.
fn implied<'e>(expr: &'e Expr, always: bool, found: &mut Vec<(bool, &'e Expr, &'e Expr)>) {
    match &expr.kind {
        Kind::Unary(Unary::Always, inner) => implied(inner, true, found),
        Kind::And(parts) => parts.iter().for_each(|part| implied(part, always, found)),
        Kind::Binary(Binary::Implies, left, right) => {
            if is_boolean(left) {
                found.push((always, left, right));
            }
            implied(right, always, found);
        }
        _ => {}
    }
}

fn is_boolean(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Constant(_) | Kind::Atom(_) => true,
        Kind::Unary(Unary::Not, inner) => is_boolean(inner),
        Kind::Binary(Binary::Implies | Binary::Equivalent, left, right) => is_boolean(left) && is_boolean(right),
        Kind::And(parts) | Kind::Or(parts) => parts.iter().all(is_boolean),
        Kind::Unary(..) | Kind::Binary(..) => false,
    }
}

/// Remarks on conditions that have the same value everywhere, unless that is what the property says.
fn constants(
    claim: &Claim,
    formula: Option<&Formula>,
    letters: impl Iterator<Item = Atoms>,
    remarks: &mut Vec<String>,
) {
    let (mut sometimes, mut always) = (0, Atoms::MAX);
    for letter in letters {
        sometimes |= letter;
        always &= letter;
    }
    let reader = Reader { claim };
    let mut wanted = Wanted::default();
    formula.into_iter().for_each(|formula| reader.demands(&formula.expr, true, &mut wanted));
    for (number, atom) in claim.atoms().iter().enumerate() {
        let bit = 1 << number;
        let value = match (sometimes & bit != 0, always & bit != 0) {
            (_, true) if wanted.to_be_true & bit == 0 => "true",
            (false, _) if wanted.to_be_false & bit == 0 => "false",
            _ => continue,
        };
        remarks.push(format!("{} is {value} in every state that the claim looks at", atom.text));
    }
}

/// Reads formulas over the atoms of a claim.
struct Reader<'r> {
    claim: &'r Claim,
}

impl Reader<'_> {
    fn bit(&self, text: &str) -> Atoms {
        self.claim.atoms().iter().position(|atom| atom.text == text).map_or(0, |number| 1 << number)
    }

    /// A formula without temporal operators.
    fn is_true(&self, expr: &Expr, letter: Atoms) -> bool {
        let is_true = |expr: &Expr| self.is_true(expr, letter);
        match &expr.kind {
            Kind::Constant(value) => *value,
            Kind::Atom(text) => letter & self.bit(text) != 0,
            Kind::Unary(_, inner) => !is_true(inner),
            Kind::Binary(Binary::Equivalent, left, right) => is_true(left) == is_true(right),
            Kind::Binary(_, left, right) => !is_true(left) || is_true(right),
            Kind::And(parts) => parts.iter().all(is_true),
            Kind::Or(parts) => parts.iter().any(is_true),
        }
    }

    /// The atoms that are to have one value for as long as it matters, if the formula is to be true (`positive`), or false.
    fn demands(&self, expr: &Expr, positive: bool, wanted: &mut Wanted) {
        match (&expr.kind, positive) {
            (Kind::Atom(text), true) => wanted.to_be_true |= self.bit(text),
            (Kind::Atom(text), false) => wanted.to_be_false |= self.bit(text),
            (Kind::Unary(Unary::Not, inner), _) => self.demands(inner, !positive, wanted),
            (Kind::Unary(Unary::Always, inner), true) | (Kind::Unary(Unary::Eventually, inner), false) => {
                self.demands(inner, positive, wanted);
            }
            (Kind::And(parts), true) | (Kind::Or(parts), false) => {
                parts.iter().for_each(|part| self.demands(part, positive, wanted));
            }
            (Kind::Binary(Binary::Implies, left, right), false) => {
                self.demands(left, true, wanted);
                self.demands(right, false, wanted);
            }
            (Kind::Binary(Binary::Until | Binary::WeakUntil, left, _), true) => self.demands(left, true, wanted),
            (Kind::Binary(Binary::Until | Binary::WeakUntil, _, right), false) => self.demands(right, false, wanted),
            (Kind::Binary(Binary::Release, _, right), true) => self.demands(right, true, wanted),
            (Kind::Binary(Binary::Release, left, _), false) => self.demands(left, false, wanted),
            _ => {}
        }
    }
}

/// Atoms, as bits.
#[derive(Default)]
struct Wanted {
    to_be_true: Atoms,
    to_be_false: Atoms,
}

/// A formula as the model has it, without the quotes around conditions.
fn shown(expr: &Expr) -> String {
    expr.to_string().replace('"', "")
}
