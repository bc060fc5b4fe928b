//! A claim from a file in the Hanoi Omega-Automata format.
//!
//! The automaton accepts the runs nobody wants. Its propositions are Promela expressions over the model: each becomes
//! part of the model as an ltl block of its own, so that it is read as any other expression there.

use crate::cli::Failure;
use crate::load::{self, Refused};
use crate::program::Program;
use crate::program::formula::Atom;
use crate::property::Claim;
use crate::source::{Diagnostic, Source, Sources, Span};
use ltl::automaton::Buchi;
use ltl::expr::Kind;
use ltl::{buchi, format::hoa};
use std::path::Path;

/// Reads the automaton of a file.
pub fn read(path: &Path) -> Result<Buchi, Failure> {
    let mut sources = Sources::default();
    let file = sources.add(load::read(path)?);
    let refused = |span: ltl::Span, message: String, help: Option<String>| {
        let span = Span::new(file, span.start, span.end);
        let diagnostic = Diagnostic { help, ..Diagnostic::error(span, message) };
        Failure::Refused(Refused { sources: sources.clone(), diagnostics: vec![diagnostic] })
    };
    let automaton =
        hoa::read(&sources.file(file).text).map_err(|error| refused(error.span, error.message, error.help))?;
    if automaton.states.iter().all(Vec::is_empty) {
        return Err(refused(0..0, "this automaton has no edge: there is nothing it could look for".into(), None));
    }
    buchi::of_automaton(&automaton)
        .ok_or_else(|| refused(0..0, "it takes too much work to make a Büchi automaton of this one".into(), None))
}

/// The model with the propositions of the automaton.
pub fn added_to(mut source: Source, path: &Path, automaton: &Buchi) -> Source {
    for (number, atom) in automaton.atoms.iter().enumerate() {
        let (before, place) = (format!("ltl {} {{ ((", block(number)), format!("{} (AP {number})", path.display()));
        source = source.followed_by(&before, &place, atom, ") != 0) }");
    }
    source
}

/// The claim, in the program of the model with the propositions.
pub fn claim(program: &Program, automaton: Buchi) -> Result<Claim, Failure> {
    let atoms = (0..automaton.atoms.len()).map(|number| proposition(program, number, &automaton.atoms[number]));
    let atoms = atoms.collect::<Result<Vec<_>, _>>()?;
    Ok(Claim::of_automaton(automaton, atoms))
}

fn proposition(program: &Program, number: usize, text: &str) -> Result<Atom, Failure> {
    let block = program.formulas.iter().find(|formula| formula.name == block(number));
    // a text with more parentheses closed than opened would be something else
    match block.map(|block| (&block.expr.kind, &block.atoms[..])) {
        Some((Kind::Atom(_), [atom])) => Ok(Atom { text: shown(text), code: atom.code.clone() }),
        _ => Err(Failure::Usage(format!("the proposition `{text}` is not an expression"))),
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
