//! What is to be checked: the properties of the model, or the one that was asked for.

use super::automaton;
use super::plan::GOAL;
use crate::cli::Failure;
use crate::cli::args::Verify;
use crate::cli::claims;
use crate::load::Loaded;
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::{Strategy, Violation};
use crate::source::Source;
use ltl::automaton::Buchi;

/// One property to check.
pub struct Task<'t> {
    /// As `--property` names it.
    pub property: String,
    pub kind: Kind<'t>,
}

pub enum Kind<'t> {
    /// Assertions, end states, run-time errors and the trace.
    Safety,
    /// A claim, what its accepting cycles are called, and the formula that it is against.
    Cycles { claim: Box<Claim>, violation: Violation, formula: Option<&'t Formula> },
}

impl Kind<'_> {
    /// The search that sees everything, if none is named.
    pub fn exhaustive(&self) -> Strategy {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => Strategy::Indfs,
            Kind::Safety | Kind::Cycles { .. } => Strategy::Bfs,
        }
    }

    /// The search that sees everything, by many threads.
    pub fn parallel(&self) -> Strategy {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => Strategy::Cndfs,
            Kind::Safety | Kind::Cycles { .. } => Strategy::Pbfs,
        }
    }

    /// Searches that may be faster to find a violation.
    pub fn walks(&self) -> &'static [Strategy] {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => &[Strategy::AcoLive, Strategy::Gega],
            Kind::Safety | Kind::Cycles { .. } => &[Strategy::Aco, Strategy::Gega, Strategy::PathGa],
        }
    }

    /// The depth-first search for what is too far away for a breadth-first one.
    pub fn depth_first(&self) -> Option<Strategy> {
        match self {
            Kind::Safety => Some(Strategy::Dfs),
            Kind::Cycles { claim, .. } if claim.is_terminal() => Some(Strategy::Indfs),
            Kind::Cycles { .. } => None,
        }
    }

    pub fn allows(&self, search: Strategy) -> bool {
        match (self, search) {
            (Kind::Safety, search) => search.finds_states(),
            (Kind::Cycles { .. }, Strategy::Dfs | Strategy::Swarm | Strategy::SwarmGp) => false,
            (Kind::Cycles { claim, .. }, search) => search.finds_cycles() || claim.is_terminal(),
        }
    }
}

/// The automaton of the command line, and the model with what the command line adds to it.
pub fn source(args: &Verify, model: Source) -> Result<(Source, Option<Buchi>), Failure> {
    let mut source = model;
    if let Some(formula) = &args.asked.ltl {
        source = claims::with_formula(source, formula)?;
    }
    if let Some(goal) = &args.goal {
        if goal.trim().is_empty() || claims::closes_more_than_it_opens(goal) {
            return Err(Failure::Usage(format!("the goal `{goal}` is not an expression")));
        }
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
pub fn tasks<'t>(
    args: &Verify,
    loaded: &'t Loaded<Program>,
    automaton: Option<Buchi>,
) -> Result<Vec<Task<'t>>, Failure> {
    let program = &loaded.it;
    if let (Some(file), Some(automaton)) = (&args.asked.automaton, automaton) {
        let claim = Box::new(automaton::claim(program, automaton)?);
        let kind = Kind::Cycles { claim, violation: Violation::AcceptanceCycle, formula: None };
        return Ok(vec![Task { property: format!("automaton:{}", file.display()), kind }]);
    }
    if let Some(text) = &args.asked.ltl {
        let kind = against(claims::formula_of_option(program)?)?;
        return Ok(vec![Task { property: format!("ltl:{}", text.trim()), kind }]);
    }
    if args.asked.never.is_some() {
        return Ok(vec![never(loaded)?]);
    }
    match args.asked.property.as_deref() {
        None => all(loaded),
        Some("safety") => Ok(vec![safety()]),
        Some("never") => Ok(vec![never(loaded)?]),
        Some("acceptance") => Ok(vec![acceptance(program)?]),
        Some("progress") => Ok(vec![progress()]),
        Some(name) => match name.strip_prefix("ltl:") {
            Some(block) => {
                let kind = against(claims::named(program, block)?)?;
                Ok(vec![Task { property: name.into(), kind }])
            }
            None => {
                let message =
                    format!("no such property: {name} (there are safety, ltl:NAME, never, acceptance, progress)");
                Err(Failure::Usage(message))
            }
        },
    }
}

/// Everything the model states.
fn all(loaded: &Loaded<Program>) -> Result<Vec<Task<'_>>, Failure> {
    let program = &loaded.it;
    let mut tasks = vec![safety()];
    for formula in program.formulas.iter().filter(|formula| formula.name != GOAL) {
        tasks.push(Task { property: format!("ltl:{}", formula.name), kind: against(formula)? });
    }
    if Claim::never(program).is_some() {
        tasks.push(never(loaded)?);
    }
    Ok(tasks)
}

fn safety() -> Task<'static> {
    Task { property: "safety".into(), kind: Kind::Safety }
}

fn never(loaded: &Loaded<Program>) -> Result<Task<'static>, Failure> {
    let claim = Box::new(claims::never(loaded)?);
    let kind = Kind::Cycles { claim, violation: Violation::AcceptanceCycle, formula: None };
    Ok(Task { property: "never".into(), kind })
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

fn against(formula: &Formula) -> Result<Kind<'_>, Failure> {
    let claim = Claim::against(formula).map_err(|limit| Failure::Usage(format!("ltl {}: {limit}", formula.name)))?;
    Ok(Kind::Cycles { claim: Box::new(claim), violation: Violation::AcceptanceCycle, formula: Some(formula) })
}
