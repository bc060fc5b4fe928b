//! Remarks about a property that holds for a reason that may not be meant.
//!
//! A formula can hold because what it talks about never happens: `[](p -> <>q)` where no state satisfies `p`. Who wrote it
//! will want to know. The remarks are about the states that the claim looked at; where it had given up a run already,
//! nothing further on could have mattered.

use super::claim::Claim;
use super::seen::Seen;
use crate::program::formula::Formula;
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
        let said = antecedents(claim, formula, letters.clone(), &mut remarks);
        constants(claim, formula, letters, said, &mut remarks);
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

/// Remarks on implications whose left side is never true; the atoms in them, as bits.
fn antecedents(
    claim: &Claim,
    formula: Option<&Formula>,
    letters: impl Iterator<Item = Atoms> + Clone,
    remarks: &mut Vec<String>,
) -> Atoms {
    let mut said = 0;
    let mut implications = Vec::new();
    formula.into_iter().for_each(|formula| always_implied(&formula.expr, false, &mut implications));
    for (left, right) in implications {
        let reader = Reader { claim };
        if letters.clone().any(|letter| reader.is_true(left, letter)) {
            continue;
        }
        let (left_text, right) = (shown(left), shown(right));
        remarks.push(format!(
            "{left_text} is true in no state that the claim looks at, so {left_text} -> {right} says nothing"
        ));
        said |= reader.atoms(left);
    }
    said
}

/// The implications that are to hold in every state, where the left side is about one state.
fn always_implied<'e>(expr: &'e Expr, always: bool, found: &mut Vec<(&'e Expr, &'e Expr)>) {
    match &expr.kind {
        Kind::Unary(Unary::Always, inner) => always_implied(inner, true, found),
        Kind::And(parts) => parts.iter().for_each(|part| always_implied(part, always, found)),
        Kind::Binary(Binary::Implies, left, right) => {
            if always && is_boolean(left) {
                found.push((left, right));
            }
            always_implied(right, always, found);
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
    said: Atoms,
    remarks: &mut Vec<String>,
) {
    let (mut sometimes, mut always) = (0, Atoms::MAX);
    for letter in letters {
        sometimes |= letter;
        always &= letter;
    }
    let reader = Reader { claim };
    let (mut wanted_true, mut wanted_false) = (0, 0);
    formula.into_iter().for_each(|formula| reader.demands(&formula.expr, &mut wanted_true, &mut wanted_false));
    for (number, atom) in claim.atoms().iter().enumerate() {
        let bit = 1 << number;
        let value = match (sometimes & bit != 0, always & bit != 0) {
            (_, true) if wanted_true & bit == 0 => "true",
            (false, _) if wanted_false & bit == 0 => "false",
            _ => continue,
        };
        if said & bit == 0 {
            remarks.push(format!("{} is {value} in every state that the claim looks at", atom.text));
        }
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

    fn atoms(&self, expr: &Expr) -> Atoms {
        match &expr.kind {
            Kind::Constant(_) => 0,
            Kind::Atom(text) => self.bit(text),
            Kind::Unary(_, inner) => self.atoms(inner),
            Kind::Binary(_, left, right) => self.atoms(left) | self.atoms(right),
            Kind::And(parts) | Kind::Or(parts) => parts.iter().fold(0, |all, part| all | self.atoms(part)),
        }
    }

    /// The atoms that the formula wants to be true, or false, in every state.
    fn demands(&self, expr: &Expr, wanted_true: &mut Atoms, wanted_false: &mut Atoms) {
        match &expr.kind {
            Kind::Atom(text) => *wanted_true |= self.bit(text),
            Kind::Unary(Unary::Always, inner) => self.demands(inner, wanted_true, wanted_false),
            Kind::Unary(Unary::Not, inner) => {
                if let Kind::Atom(text) = &inner.kind {
                    *wanted_false |= self.bit(text);
                }
            }
            Kind::And(parts) => parts.iter().for_each(|part| self.demands(part, wanted_true, wanted_false)),
            _ => {}
        }
    }
}

/// A formula as the model has it, without the quotes around conditions.
fn shown(expr: &Expr) -> String {
    expr.to_string().replace('"', "")
}
