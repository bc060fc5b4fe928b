//! The property that a trail is shown with: the one that is asked for, or the only one there is.

use super::{Replay, refused};
use crate::cli::Failure;
use crate::load::{self, Loaded};
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::source::{Diagnostic, Source};
use ltl::Buchi;
use ltl::formula::Formulas;
use ltl::translate::{Options, translate};

/// The block that `--ltl` becomes part of the model as.
const COMMAND_LINE: &str = "__ltl_option__";

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
        if formula.trim().is_empty() {
            return Err(Failure::Usage("the formula of --ltl is empty".into()));
        }
        if escapes(formula) {
            return Err(Failure::Usage("the formula of --ltl closes more than it opens".into()));
        }
        source = source.followed_by(&format!("ltl {COMMAND_LINE} {{"), "--ltl", formula, "}");
    }
    if let Some(file) = &args.never {
        let claim = load::read(file)?;
        source = source.followed_by("", &claim.name, &claim.text, "");
    }
    Ok(source)
}

/// Some brace closes what the text has not opened.
fn escapes(text: &str) -> bool {
    let mut open = 0;
    text.chars().any(|c| {
        open += (c == '{') as i64 - (c == '}') as i64;
        open < 0
    })
}

pub fn chosen(args: &Replay, loaded: &Loaded<Program>) -> Result<Option<Chosen>, Failure> {
    let program = &loaded.it;
    if let Some(text) = &args.ltl {
        let formula = block(program, COMMAND_LINE);
        let formula = formula.ok_or_else(|| Failure::Internal("the formula of --ltl is lost".into()))?;
        return against(formula, format!("ltl:{}", text.trim())).map(Some);
    }
    if args.never.is_some() {
        return never(loaded).map(Some);
    }
    match args.property.as_deref() {
        Some("never") => never(loaded).map(Some),
        Some(name) => match name.strip_prefix("ltl:") {
            Some(block) => named(program, block).map(Some),
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

fn named(program: &Program, name: &str) -> Result<Chosen, Failure> {
    let formula = block(program, name).ok_or_else(|| {
        let names: Vec<&str> = program.formulas.iter().map(|formula| formula.name.as_str()).collect();
        Failure::Usage(match &names[..] {
            [] => format!("the model has no ltl block `{name}`, nor any other"),
            _ => format!("the model has no ltl block `{name}`; it has {}", names.join(", ")),
        })
    })?;
    against(formula, format!("ltl:{name}"))
}

fn block<'p>(program: &'p Program, name: &str) -> Option<&'p Formula> {
    program.formulas.iter().find(|formula| formula.name == name)
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
    if let Some(span) = Claim::meddling(&loaded.it) {
        let message = "a never claim may only look at the state: conditions, assertions and jumps";
        return Err(refused(&loaded.sources, Diagnostic::error(span, message)));
    }
    let claim = Claim::never(&loaded.it).ok_or_else(|| Failure::Usage("the model has no never claim".into()))?;
    Ok(Chosen { name: "never".into(), claim, automaton: None, guessed: false })
}
