//! A walk from its plan to its report.

use super::chronicle::Chronicle;
use super::gega::Guides;
use super::generation::{Sum, Workers};
use super::walker::{Walker, Watch};
use super::{Budget, Found, Traces, ants};
use crate::search::Plan;
use crate::search::catalogue::Job;
use crate::search::guide::Guide;
use crate::search::improve::{Effort, Likeness, improved};
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::search::{Config, Finding, Monitor, Reason, Tally};
use crate::system::System;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Who walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    Aco,
    AcoLive,
    PathGa,
    Gega,
    Random,
}

impl Walk {
    /// What a walker has to remember of its path.
    fn watch<S: System>(self, problem: &Problem<S>, plan: &Plan) -> Watch {
        match self {
            Walk::AcoLive if !plan.knobs.walks.ants.scc => Watch::Path,
            _ if problem.claim.is_some() => Watch::Cycles,
            Walk::Aco => Watch::Path,
            _ => Watch::Nothing,
        }
    }
}

/// Walks until something is found, or nothing is left to be done.
pub fn search<S: System>(problem: &Problem<S>, walk: Walk, job: &Job) -> Tally {
    let &Job { plan, monitor, .. } = job;
    let mut tally = Tally::new(Config::of(plan.config.search), problem.checks);
    tally.seed = Some(plan.seed);
    let is_reduced = plan.config.reduce.order && problem.reduction.is_some();
    let watch = walk.watch(problem, plan).max(if is_reduced { Watch::Path } else { Watch::Nothing });
    let walker = match Walker::new(problem, watch) {
        Ok(walker) if is_reduced => walker.beside(monitor.explored()).reduced(),
        Ok(walker) => walker.beside(monitor.explored()),
        Err(fault) => {
            tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
            return tally;
        }
    };
    tally.reduced = walker.is_reduced();
    let chronicle = if plan.traced { Chronicle::wanted() } else { Chronicle::default() };
    let mut traces = Traces { chronicle, ..Traces::default() };
    let (found, sum) = walked(walker, walk, job, &mut traces, &mut tally);
    tally.counts.stored = traces.states;
    tally.counts.matched = sum.looks.saturating_sub(traces.states);
    tally.counts.depth = sum.deepest as u64;
    tally.counts.memory = traces.memory.max(sum.memory);
    tally.evaluations = Some(sum.looks);
    tally.rounds = traces.chronicle.rounds();
    match found {
        Ok(Some(found)) => {
            let all: Vec<Found> = std::iter::once(found).chain(traces.further).collect();
            let effort = Effort::after(sum.effort);
            report(problem, &all, plan, (&effort, monitor), &mut tally);
        }
        Ok(None) => tally.cut_short(Reason::NotExhaustive(plan.config.search.name)),
        Err(reason) => tally.cut_short(reason),
    }
    tally
}

/// What was found, and what it took.
fn walked<'w, S: System>(
    mut walker: Walker<'w, S>,
    walk: Walk,
    &Job { plan, monitor, .. }: &Job<'w>,
    traces: &mut Traces,
    tally: &mut Tally,
) -> (Result<Option<Found>, Reason>, Sum) {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let (program, claim) = (walker.problem.system.program(), walker.problem.claim);
    let guide = Guide::new(program, claim, plan.heuristic, plan.goal.clone());
    let back = Guide::new(program, None, plan.back, None);
    let settings = &plan.knobs.walks;
    let budget = Budget::of(monitor);
    let found = match walk {
        Walk::PathGa | Walk::Gega => {
            let mut workers = Workers::new(walker, plan.config.threads, monitor);
            let guides = Guides { there: &guide, back: &back };
            let found = match walk {
                Walk::PathGa => settings.path_ga.search(&mut workers, plan.heuristic, random, traces),
                _ => settings.gega.search(&mut workers, guides, random, traces),
            };
            return (found, workers.end(tally));
        }
        Walk::Aco => ants::aco(&mut walker, &settings.ants, &guide, random, &budget, traces),
        Walk::AcoLive => ants::aco_live(&mut walker, &settings.ants, (&guide, &back), random, &budget, traces),
        Walk::Random => settings.random.search(&mut walker, random, &budget, traces),
    };
    let (looks, effort, deepest, memory) = (walker.looks, walker.effort, walker.deepest, walker.memory());
    tally.learn::<S>(walker.scratch);
    (found, Sum { looks, effort, deepest, memory })
}

/// Notes what was found, with its trail made shorter if that is wanted.
fn report<S: System>(
    problem: &Problem<S>,
    found: &[Found],
    plan: &Plan,
    (effort, monitor): (&Effort, &Monitor),
    tally: &mut Tally,
) {
    let likeness = if found.len() > 1 { Likeness::Identity } else { Likeness::Kind };
    for (number, one) in found.iter().enumerate() {
        let Some(path) = Path::of(problem, one) else {
            tally.cut_short(Reason::NotExhaustive(plan.config.search.name));
            continue;
        };
        let raw = path.finding(problem);
        if number == 0 {
            tally.found_length = raw.as_ref().map(|finding| finding.witness.length());
        }
        let rest = (found.len() - number) as u64;
        let improve = |effort: &Effort| improved(problem, path, likeness, (effort, monitor));
        let shorter = plan.shorten.then(|| effort.for_part(rest, improve)).flatten();
        let length = |finding: &Finding| finding.witness.length();
        let finding = match (raw, shorter) {
            (Some(raw), Some(shorter)) if length(&shorter) < length(&raw) => Some(shorter),
            (raw, shorter) => raw.or(shorter),
        };
        match finding {
            Some(finding) => tally.found(finding),
            None => tally.cut_short(Reason::StoreFull),
        }
    }
}
