//! The property that a trail is replayed with: the one that is asked for, the one that the trail names, or for a page the only one there is.

use super::Replay;
use crate::cli::Failure;
use crate::load::Loaded;
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::Violation;
use crate::source::Source;
use crate::trail::Origin;
use crate::trail::origin::Violated;
use crate::verify::claims::{self, Never};
use ltl::Buchi;
use ltl::formula::Formulas;
use ltl::translate::{Options, translate};
use std::path::PathBuf;

/// A property, and the claim that accepts the runs which violate it.
pub struct Chosen {
    pub name: String,
    pub claim: Claim,
    pub kind: Kind,
    /// What an accepting cycle is called.
    pub violation: Violation,
    /// The claim as an automaton over conditions, if it is one.
    pub automaton: Option<Buchi>,
    pub why: Why,
}

/// What a claim is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A formula or a never claim.
    Claim,
    /// Acceptance or progress labels.
    Labels,
}

/// Why a property was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Asked,
    /// The trail names it.
    Recorded,
    /// It is the only one: a page shows it if the run violates it.
    Guessed,
}

/// What a run is to be judged by.
pub enum Question {
    /// What goes wrong by itself: assertions, end states, run-time errors.
    Safety,
    /// As `--property` names it.
    Named(String, Why),
    /// A formula that is no part of the model.
    Formula(String, Why),
    /// A never claim in a file.
    NeverIn(PathBuf),
    /// The trail says that it is one of a claim in this file, which is not read unless somebody asks.
    Elsewhere(String),
    /// Nobody says.
    Open,
}

impl Question {
    /// The command line comes first, then what the trail says.
    pub fn of(args: &Replay, origin: Option<&Origin>) -> Question {
        if let Some(formula) = &args.ltl {
            return Question::Formula(formula.clone(), Why::Asked);
        }
        if let Some(file) = &args.never {
            return Question::NeverIn(file.clone());
        }
        let recorded = origin.map(|origin| &origin.violated);
        match (args.property.as_deref(), recorded) {
            (Some("safety"), _) => Question::Safety,
            (Some(name), _) => Question::Named(name.into(), Why::Asked),
            (None, Some(Violated::Property(name))) if name == "safety" => Question::Safety,
            (None, Some(Violated::Property(name))) => Question::Named(name.clone(), Why::Recorded),
            (None, Some(Violated::Formula(text))) => Question::Formula(text.clone(), Why::Recorded),
            (None, Some(Violated::Claim(file))) => Question::Elsewhere(file.clone()),
            (None, None) => Question::Open,
        }
    }

    /// Nobody asked: the trail says so.
    pub fn is_recorded(&self) -> bool {
        matches!(self, Question::Named(_, Why::Recorded) | Question::Formula(_, Why::Recorded))
    }

    /// The model with what the question adds to it.
    pub fn added_to(&self, source: Source) -> Result<Source, Failure> {
        match self {
            Question::Formula(formula, _) => Ok(claims::with_formula(source, formula)?),
            Question::NeverIn(file) => Ok(claims::with_never(source, file)?),
            _ => Ok(source),
        }
    }

    /// The property with its claim, if there is one.
    pub fn chosen(&self, args: &Replay, loaded: &Loaded<Program>) -> Result<Option<Chosen>, Failure> {
        match self {
            Question::Safety | Question::Elsewhere(_) => Ok(None),
            Question::Formula(text, why) => {
                let chosen = against(claims::formula_of_option(loaded)?, format!("ltl:{}", text.trim()))?;
                Ok(Some(Chosen { why: *why, ..chosen }))
            }
            Question::NeverIn(file) => match &claims::nevers_of_file(loaded, file)?[..] {
                [only] => never(loaded, only).map(Some),
                _ => Err(Failure::Usage(format!("{} has several never claims", file.display()))),
            },
            Question::Named(name, Why::Asked) => named(name, loaded).map(Some),
            // the model may have changed, or the claim is in a file
            Question::Named(name, why) => Ok(named(name, loaded).ok().map(|chosen| Chosen { why: *why, ..chosen })),
            Question::Open if args.html.is_some() => Ok(only(loaded)),
            Question::Open => Ok(None),
        }
    }
}

fn named(name: &str, loaded: &Loaded<Program>) -> Result<Chosen, Failure> {
    match name {
        "acceptance" => Ok(labels(name, Claim::labels(), Violation::AcceptanceCycle)),
        "progress" => Ok(labels(name, Claim::no_progress(), Violation::NonProgressCycle)),
        _ => match (name.strip_prefix("ltl:"), name == "never" || name.starts_with("never:")) {
            (Some(block), _) => against(claims::named(loaded, block)?, name.into()),
            (None, true) => never(loaded, &claims::never(&loaded.it, name)?),
            (None, false) => Err(claims::unknown(&loaded.it, name).into()),
        },
    }
}

/// The only claim of the model, if it can be had: nobody asked for it.
fn only(loaded: &Loaded<Program>) -> Option<Chosen> {
    let chosen = match (&loaded.it.formulas[..], &claims::nevers(&loaded.it)[..]) {
        ([formula], []) => against(formula, format!("ltl:{}", formula.name)),
        ([], [only]) => never(loaded, only),
        _ => return None,
    };
    chosen.ok().map(|chosen| Chosen { why: Why::Guessed, ..chosen })
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
    Ok(Chosen { automaton: Some(automaton), ..of_claim(&name, claim) })
}

fn never(loaded: &Loaded<Program>, never: &Never) -> Result<Chosen, Failure> {
    let refusal = |diagnostics| claims::property_refusal(&loaded.sources, never.property.clone(), diagnostics);
    let claim = claims::claim(loaded, never).map_err(refusal)?;
    Ok(of_claim(&never.property, claim))
}

fn labels(name: &str, claim: Claim, violation: Violation) -> Chosen {
    Chosen { kind: Kind::Labels, violation, ..of_claim(name, claim) }
}

fn of_claim(name: &str, claim: Claim) -> Chosen {
    let violation = Violation::AcceptanceCycle;
    Chosen { name: name.into(), claim, kind: Kind::Claim, violation, automaton: None, why: Why::Asked }
}
