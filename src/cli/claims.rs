//! Claims that the command line names: a formula, a never claim in a file, a block of the model.

use super::Failure;
use crate::load::{self, Loaded, Refused};
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::source::{Diagnostic, Source};
use std::path::Path;
use strsim::levenshtein;

/// The block that `--ltl` becomes part of the model as.
const COMMAND_LINE: &str = "__ltl_option__";

/// The model with the formula of `--ltl`.
pub fn with_formula(source: Source, formula: &str) -> Result<Source, Failure> {
    if formula.trim().is_empty() {
        return Err(Failure::Usage("the formula of --ltl is empty".into()));
    }
    if closes_more_than_it_opens(formula) && formula.contains('}') {
        return Err(Failure::Usage("the formula of --ltl closes more than it opens".into()));
    }
    Ok(source.followed_by(&format!("ltl {COMMAND_LINE} {{"), "--ltl", formula, "}"))
}

/// The model with the never claim of a file.
pub fn with_never(source: Source, file: &Path) -> Result<Source, Failure> {
    let claim = load::read(file)?;
    Ok(source.followed_by("", &claim.name, &claim.text, ""))
}

/// The formula of `--ltl`, in the program of the model with it.
pub fn formula_of_option(program: &Program) -> Result<&Formula, Failure> {
    block(program, COMMAND_LINE).ok_or_else(|| Failure::Internal("the formula of --ltl is lost".into()))
}

/// A block of the model.
pub fn named<'p>(program: &'p Program, name: &str) -> Result<&'p Formula, Failure> {
    block(program, name).ok_or_else(|| {
        let names: Vec<&str> = program.formulas.iter().map(|formula| formula.name.as_str()).collect();
        let nearest =
            names.iter().min_by_key(|known| levenshtein(known, name)).filter(|known| levenshtein(known, name) <= 2);
        Failure::Usage(match (nearest, &names[..]) {
            (Some(nearest), _) => format!("the model has no ltl block `{name}`; did you mean `{nearest}`?"),
            (None, []) => format!("the model has no ltl block `{name}`, nor any other"),
            (None, _) => format!("the model has no ltl block `{name}`; it has {}", names.join(", ")),
        })
    })
}

fn block<'p>(program: &'p Program, name: &str) -> Option<&'p Formula> {
    program.formulas.iter().find(|formula| formula.name == name)
}

/// The never claim of the model.
pub fn never(loaded: &Loaded<Program>) -> Result<Claim, Failure> {
    if let Some(span) = Claim::meddling(&loaded.it) {
        let message = "a never claim may only look at the state: conditions, assertions and jumps";
        let diagnostics = vec![Diagnostic::error(span, message)];
        return Err(Failure::Refused(Refused { sources: loaded.sources.clone(), diagnostics }));
    }
    Claim::never(&loaded.it).ok_or_else(|| Failure::Usage("the model has no never claim".into()))
}

/// Some bracket closes what the text has not opened: put between brackets, it would get out of them.
pub fn closes_more_than_it_opens(text: &str) -> bool {
    let mut open = Vec::new();
    for bracket in text.chars() {
        match bracket {
            '(' | '[' | '{' => open.push(bracket),
            ')' | ']' | '}' => {
                let opening = match bracket {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(opening) {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}
