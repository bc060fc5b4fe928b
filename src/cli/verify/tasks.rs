//! What is to be checked: the properties of the model, or the one that was asked for.

use super::automaton;
use super::plan::GOAL;
use crate::cli::Failure;
use crate::cli::args::Verify;
use crate::cli::claims::{self, Never};
use crate::load::Loaded;
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::Violation;
use crate::source::{Diagnostic, Source};
use crate::verify::patience::Patience;
use crate::verify::{Kind, Task};
use ltl::automaton::Buchi;

/// What is to be checked, and what cannot be.
pub struct Asked<'t> {
    pub tasks: Vec<Task<'t>>,
    /// Properties of the model that are in error, where all were asked for.
    pub refused: Vec<RefusedProperty>,
}

/// A property that is in error, and why.
pub struct RefusedProperty {
    pub property: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// The automaton of the command line, and the model with what the command line adds to it.
pub fn source(args: &Verify, model: Source) -> Result<(Source, Option<Buchi>), Failure> {
    let mut source = model;
    if let Some(formula) = &args.asked.ltl {
        source = claims::with_formula(source, formula)?;
    }
    if let Some(goal) = &args.goal {
        if goal.trim().is_empty() {
            return Err(Failure::Usage("the goal of --goal is empty".into()));
        }
        claims::check_brackets("--goal", goal)?;
        source = source.followed_by(&format!("ltl {GOAL} {{"), "--goal", goal, "}");
    }
    if let Some(file) = &args.asked.never {
        source = claims::with_never(source, file)?;
    }
    let Some(file) = &args.asked.automaton else { return Ok((source, None)) };
    let automaton = automaton::read(file)?;
    Ok((automaton::added_to(source, file, &automaton)?, Some(automaton)))
}

/// The properties to check, in order.
pub fn asked<'t>(
    args: &Verify,
    loaded: &'t Loaded<Program>,
    automaton: Option<Buchi>,
    patience: &Patience,
) -> Result<Asked<'t>, Failure> {
    claims::check_added(loaded)?;
    if args.asked.property.is_none() && automaton.is_none() && args.asked.ltl.is_none() && args.asked.never.is_none() {
        return Ok(all(loaded, patience));
    }
    Ok(Asked { tasks: named(args, loaded, automaton, patience)?, refused: Vec::new() })
}

/// What the command line names.
fn named<'t>(
    args: &Verify,
    loaded: &'t Loaded<Program>,
    automaton: Option<Buchi>,
    patience: &Patience,
) -> Result<Vec<Task<'t>>, Failure> {
    let program = &loaded.it;
    if let (Some(file), Some(automaton)) = (&args.asked.automaton, automaton) {
        let claim = Box::new(automaton::claim(program, automaton)?);
        let kind = Kind::Cycles { claim, violation: Violation::AcceptanceCycle, formula: None };
        return Ok(vec![Task { property: format!("automaton:{}", file.display()), kind }]);
    }
    if let Some(text) = &args.asked.ltl {
        let kind = against(claims::formula_of_option(loaded)?, patience);
        return Ok(vec![Task { property: format!("ltl:{}", text.trim()), kind }]);
    }
    let refusal = |refused: RefusedProperty| claims::refusal(&loaded.sources, refused.diagnostics);
    if let Some(file) = &args.asked.never {
        let claims = claims::nevers_of_file(loaded, file)?;
        return claims.iter().map(|claim| never(loaded, claim).map_err(refusal)).collect();
    }
    let name = args.asked.property.as_deref().unwrap_or("safety");
    Ok(vec![match (name, name.split_once(':')) {
        ("safety", _) => safety(),
        ("acceptance", _) => acceptance(program)?,
        ("progress", _) => progress(),
        ("never", _) | (_, Some(("never", _))) => never(loaded, &claims::never(program, name)?).map_err(refusal)?,
        (_, Some(("ltl", block))) => {
            Task { property: name.into(), kind: against(claims::named(loaded, block)?, patience) }
        }
        _ => return Err(claims::unknown(program, name)),
    }])
}

/// Everything the model states. What is in error does not keep the rest from being checked.
fn all<'t>(loaded: &'t Loaded<Program>, patience: &Patience) -> Asked<'t> {
    let program = &loaded.it;
    let mut asked = Asked { tasks: vec![safety()], refused: Vec::new() };
    for formula in program.formulas.iter().filter(|formula| !claims::is_added(&formula.name)) {
        asked.tasks.push(Task { property: format!("ltl:{}", formula.name), kind: against(formula, patience) });
    }
    for block in &program.model.refused {
        let (property, diagnostics) = (format!("ltl:{}", block.name), block.diagnostics.clone());
        asked.refused.push(RefusedProperty { property, diagnostics });
    }
    for claim in claims::nevers(program) {
        match never(loaded, &claim) {
            Ok(task) => asked.tasks.push(task),
            Err(refused) => asked.refused.push(refused),
        }
    }
    asked
}

fn safety() -> Task<'static> {
    Task { property: "safety".into(), kind: Kind::Safety }
}

fn never(loaded: &Loaded<Program>, never: &Never) -> Result<Task<'static>, RefusedProperty> {
    let property = never.property.clone();
    match claims::claim(loaded, never) {
        Ok(claim) => {
            let (claim, violation) = (Box::new(claim), Violation::AcceptanceCycle);
            Ok(Task { property, kind: Kind::Cycles { claim, violation, formula: None } })
        }
        Err(diagnostics) => Err(RefusedProperty { property, diagnostics }),
    }
}

fn acceptance(program: &Program) -> Result<Task<'static>, Failure> {
    if !program.has_accept_labels() {
        return Err(Failure::Usage("no process of the model has an acceptance label".into()));
    }
    let claim = Box::new(Claim::labels());
    let kind = Kind::Cycles { claim, violation: Violation::AcceptanceCycle, formula: None };
    Ok(Task { property: "acceptance".into(), kind })
}

fn progress() -> Task<'static> {
    let claim = Box::new(Claim::no_progress());
    let kind = Kind::Cycles { claim, violation: Violation::NonProgressCycle, formula: None };
    Task { property: "progress".into(), kind }
}

fn against<'t>(formula: &'t Formula, patience: &Patience) -> Kind<'t> {
    match patience.claim(formula) {
        Ok(claim) => {
            Kind::Cycles { claim: Box::new(claim), violation: Violation::AcceptanceCycle, formula: Some(formula) }
        }
        Err(reason) => Kind::Untranslated(reason),
    }
}
