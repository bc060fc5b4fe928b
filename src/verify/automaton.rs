//! A claim from a file in the Hanoi Omega-Automata format.
//!
//! The automaton accepts the runs nobody wants. Its propositions are Promela expressions over the model: each becomes
//! part of the model as an ltl block of its own, so that it is read as any other expression there.

use super::claims::check_brackets;
use super::request::Refusal;
use crate::load::{self, Refused};
use crate::program::Program;
use crate::program::code::{Code, Op};
use crate::program::formula::Atom;
use crate::property::Claim;
use crate::source::{Diagnostic, Source, Sources, Span};
use ltl::automaton::Buchi;
use ltl::expr::{Binary, Expr, Kind, Unary};
use ltl::{buchi, format::hoa};
use std::path::Path;

/// Reads the automaton of a file.
pub fn read(path: &Path) -> Result<Buchi, Refusal> {
    let mut sources = Sources::default();
    let file = sources.add(load::read(path)?);
    let refused = |span: ltl::Span, message: String, help: Option<String>| {
        let span = Span::new(file, span.start, span.end);
        let diagnostic = Diagnostic { help, ..Diagnostic::error(span, message) };
        Refusal::Refused(Refused::new(sources.clone(), vec![diagnostic]))
    };
    let automaton =
        hoa::read(&sources.file(file).text).map_err(|error| refused(error.span, error.message, error.help))?;
    if automaton.states.iter().all(Vec::is_empty) && !sources.file(file).text.contains("Start:") {
        return Err(refused(0..0, "this automaton has no state to start in".into(), None));
    }
    buchi::of_automaton(&automaton)
        .ok_or_else(|| refused(0..0, "it takes too much work to make a Büchi automaton of this one".into(), None))
}

/// The model with the propositions of the automaton.
pub fn added_to(mut source: Source, path: &Path, automaton: &Buchi) -> Result<Source, Refusal> {
    for (number, atom) in automaton.atoms.iter().enumerate() {
        let (before, place) = (format!("ltl {} {{", block(number)), format!("{} (AP {number})", path.display()));
        check_brackets(&place, atom)?;
        source = source.followed_by(&before, &place, atom, "}");
    }
    Ok(source)
}

/// The claim, in the program of the model with the propositions.
pub fn claim(program: &Program, automaton: Buchi) -> Result<Claim, Refusal> {
    let atoms = (0..automaton.atoms.len()).map(|number| proposition(program, number, &automaton.atoms[number]));
    let atoms = atoms.collect::<Result<Vec<_>, _>>()?;
    Ok(Claim::of_automaton(automaton, atoms))
}

fn proposition(program: &Program, number: usize, text: &str) -> Result<Atom, Refusal> {
    let block = program.formulas.iter().find(|formula| formula.name == block(number));
    let block = block.ok_or_else(|| Refusal::Broken(format!("the proposition {text} is lost")))?;
    let code = condition(&block.expr, &block.atoms);
    let code = code.ok_or_else(|| Refusal::Unfit(format!("the proposition `{text}` is about more than one state")))?;
    Ok(Atom { text: shown(text), code })
}

/// A formula without temporal operators as one condition.
pub fn condition(expr: &Expr, atoms: &[Atom]) -> Option<Code> {
    let part = |expr: &Expr| condition(expr, atoms);
    let not = |code: Code| Code::Not(Box::new(code));
    let fold = |parts: &[Expr], join: fn(Box<(Code, Code)>) -> Code| {
        let mut codes = parts.iter().map(part).collect::<Option<Vec<_>>>()?.into_iter();
        let first = codes.next()?;
        Some(codes.fold(first, |left, right| join(Box::new((left, right)))))
    };
    match &expr.kind {
        Kind::Constant(value) => Some(Code::Const(*value as i32)),
        Kind::Atom(text) => atoms.iter().find(|atom| atom.text == *text).map(|atom| atom.code.clone()),
        Kind::Unary(Unary::Not, inner) => Some(not(part(inner)?)),
        Kind::And(parts) => fold(parts, Code::And),
        Kind::Or(parts) => fold(parts, Code::Or),
        Kind::Binary(Binary::Implies, left, right) => Some(Code::Or(Box::new((not(part(left)?), part(right)?)))),
        Kind::Binary(Binary::Equivalent, left, right) => {
            Some(Code::Binary(Op::Eq, Box::new((not(part(left)?), not(part(right)?)))))
        }
        Kind::Unary(..) | Kind::Binary(..) => None,
    }
}

/// As one operand.
fn shown(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word { text.to_string() } else { format!("({text})") }
}

fn block(number: usize) -> String {
    format!("__automaton_proposition_{number}__")
}
