//! The property that a trail is shown with: the one that is asked for, or the only one there is.

use super::Replay;
use crate::cli::{Failure, claims};
use crate::load::Loaded;
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::source::Source;
use ltl::Buchi;
use ltl::formula::Formulas;
use ltl::translate::{Options, translate};

/// A property, and the claim that accepts the runs which violate it.
pub struct Chosen {
    pub name: String,
    pub claim: Claim,
    /// The claim as an automaton over conditions, if it is one.
    pub automaton: Option<Buchi>,
    /// Nobody asked for it: it is shown only if the run violates it.
    pub guessed: bool,
}

/// The model with what the command line adds to it.
pub fn added_to(mut source: Source, args: &Replay) -> Result<Source, Failure> {
    if let Some(formula) = &args.ltl {
        source = claims::with_formula(source, formula)?;
    }
    if let Some(file) = &args.never {
        source = claims::with_never(source, file)?;
    }
    Ok(source)
}

pub fn chosen(args: &Replay, loaded: &Loaded<Program>) -> Result<Option<Chosen>, Failure> {
    let program = &loaded.it;
    if let Some(text) = &args.ltl {
        return against(claims::formula_of_option(program)?, format!("ltl:{}", text.trim())).map(Some);
    }
    if args.never.is_some() {
        return never(loaded).map(Some);
    }
    match args.property.as_deref() {
        Some("never") => never(loaded).map(Some),
        Some(name) => match name.strip_prefix("ltl:") {
            Some(block) => against(claims::named(program, block)?, name.into()).map(Some),
            None => {
                Err(Failure::Usage(format!("no property with an automaton: {name} (there are ltl:NAME and never)")))
            }
        },
        None => Ok(only(loaded)),
    }
}

/// The only claim of the model, if it can be had: nobody asked for it.
fn only(loaded: &Loaded<Program>) -> Option<Chosen> {
    let chosen = match (&loaded.it.formulas[..], Claim::never(&loaded.it)) {
        ([formula], None) => against(formula, format!("ltl:{}", formula.name)),
        ([], Some(_)) => never(loaded),
        _ => return None,
    };
    chosen.ok().map(|chosen| Chosen { guessed: true, ..chosen })
}

fn against(formula: &Formula, name: String) -> Result<Chosen, Failure> {
    let mut formulas = Formulas::new();
    // the atoms first, so that the bits of a letter are the positions of the conditions
    formula.atoms.iter().for_each(|atom| _ = formulas.atom(&atom.text));
    let property = formulas.intern(&formula.expr);
    let violation = formulas.not(property);
    let translation = translate(&mut formulas, violation, &Options::default());
    let automaton = translation.map_err(|limit| Failure::Usage(format!("{name}: {limit}")))?.automaton;
    let claim = Claim::of_automaton(automaton.clone(), formula.atoms.clone());
    Ok(Chosen { name, claim, automaton: Some(automaton), guessed: false })
}

fn never(loaded: &Loaded<Program>) -> Result<Chosen, Failure> {
    Ok(Chosen { name: "never".into(), claim: claims::never(loaded)?, automaton: None, guessed: false })
}
