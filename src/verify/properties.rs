//! What is to be checked: the properties of the model, or the one that was asked for.

use super::automaton;
use super::claims::{self, Never};
use super::patience::Patience;
use super::request::Refusal;
use super::task::{Kind, Task};
use crate::load::Loaded;
use crate::program::Program;
use crate::program::code::Code;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::Violation;
use crate::source::{Diagnostic, Source, Sources};
use ltl::automaton::Buchi;
use std::path::Path;

/// What is to be checked, and what cannot be.
pub struct Asked<'t> {
    /// The properties to check, in order.
    pub tasks: Vec<Task<'t>>,
    /// Properties of the model that are in error, where all were asked for.
    pub refused: Vec<RefusedProperty>,
}

/// A property that is in error, and why.
pub struct RefusedProperty {
    /// Its name, as `--property` names it.
    pub property: String,
    /// The errors in it.
    pub diagnostics: Vec<Diagnostic>,
}

impl RefusedProperty {
    /// The refusal, where nothing else was asked for.
    pub(super) fn refusal(self, sources: &Sources) -> Refusal {
        claims::property_refusal(sources, self.property, self.diagnostics)
    }
}

/// What is asked about a model.
#[derive(Clone, Copy, Debug)]
pub enum Question<'q> {
    /// Everything that it states: safety, then every ltl block and every never claim.
    Everything,
    /// One of safety, ltl:NAME, never or never:NAME, acceptance and progress.
    Property(&'q str),
    /// Every run satisfies this formula.
    Formula(&'q str),
    /// No run is one of the never claim in this file.
    Never(&'q Path),
    /// The automaton in this file accepts no run.
    Automaton(&'q Path),
}

impl Question<'_> {
    /// The model with what the question adds to it, and the automaton, if that is the question.
    pub fn added_to(self, model: Source) -> Result<(Source, Option<Buchi>), Refusal> {
        match self {
            Question::Everything | Question::Property(_) => Ok((model, None)),
            Question::Formula(formula) => Ok((claims::with_formula(model, formula)?, None)),
            Question::Never(file) => Ok((claims::with_never(model, file)?, None)),
            Question::Automaton(file) => {
                let automaton = automaton::read(file)?;
                Ok((automaton::added_to(model, file, &automaton)?, Some(automaton)))
            }
        }
    }

    /// The properties to check, in order; `automaton` is what [`Question::added_to`] has read.
    pub fn tasks<'t>(
        self,
        loaded: &'t Loaded<Program>,
        automaton: Option<Buchi>,
        patience: &Patience,
    ) -> Result<Asked<'t>, Refusal> {
        claims::check_added(loaded)?;
        let refusal = |refused: RefusedProperty| refused.refusal(&loaded.sources);
        let tasks = match self {
            Question::Everything => return Ok(all(loaded, patience)),
            Question::Property(name) => vec![named(name, loaded, patience)?],
            Question::Formula(text) => {
                let kind = against(claims::formula_of_option(loaded)?, patience);
                vec![Task { property: format!("ltl:{}", text.trim()), kind }]
            }
            Question::Never(file) => {
                let claims = claims::nevers_of_file(loaded, file)?;
                claims.iter().map(|claim| never(loaded, claim).map_err(refusal)).collect::<Result<_, _>>()?
            }
            Question::Automaton(file) => {
                let automaton = automaton.ok_or_else(|| Refusal::Broken("the automaton is lost".into()))?;
                let claim = Box::new(automaton::claim(&loaded.it, automaton)?);
                let kind = Kind::Cycles { claim, violation: Violation::AcceptanceCycle, formula: None };
                vec![Task { property: format!("automaton:{}", file.display()), kind }]
            }
        };
        Ok(Asked { tasks, refused: Vec::new() })
    }
}

/// The block that a goal becomes part of the model as.
const GOAL: &str = "__goal_option__";

/// The model with a condition to which searches are guided.
pub fn with_goal(model: Source, goal: &str) -> Result<Source, Refusal> {
    if goal.trim().is_empty() {
        return Err(Refusal::Unfit("the goal of --goal is empty".into()));
    }
    claims::check_brackets("--goal", goal)?;
    Ok(model.followed_by(&format!("ltl {GOAL} {{"), "--goal", goal, "}"))
}

/// The condition of [`with_goal`], in the program of the model with it, if it is about one state.
pub fn goal(program: &Program) -> Option<Code> {
    let block = program.formulas.iter().find(|formula| formula.name == GOAL)?;
    automaton::condition(&block.expr, &block.atoms)
}

/// A property by its name.
fn named<'t>(name: &str, loaded: &'t Loaded<Program>, patience: &Patience) -> Result<Task<'t>, Refusal> {
    let program = &loaded.it;
    let refusal = |refused: RefusedProperty| refused.refusal(&loaded.sources);
    Ok(match (name, name.split_once(':')) {
        ("safety", _) => safety(),
        ("acceptance", _) => acceptance(program)?,
        ("progress", _) => progress(),
        ("never", _) | (_, Some(("never", _))) => never(loaded, &claims::never(program, name)?).map_err(refusal)?,
        (_, Some(("ltl", block))) => {
            Task { property: name.into(), kind: against(claims::named(loaded, block)?, patience) }
        }
        _ => return Err(claims::unknown(program, name)),
    })
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

fn acceptance(program: &Program) -> Result<Task<'static>, Refusal> {
    if !program.has_accept_labels() {
        return Err(Refusal::Unfit("no process of the model has an acceptance label".into()));
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
