//! A walk from its plan to its report.

use super::chronicle::Chronicle;
use super::settings::Settings;
use super::walker::{Walker, Watch};
use super::{Budget, Found, Traces, ants};
use crate::program::Program;
use crate::program::code::Code;
use crate::property::Claim;
use crate::search::guide::{Guide, Heuristic};
use crate::search::improve::{Effort, Likeness, improved};
use crate::search::path::Path;
use crate::search::reach::Reach;
use crate::search::{Config, Finding, Monitor, Reason, Strategy, Tally};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How to walk.
#[derive(Clone, Debug)]
pub struct Plan {
    pub strategy: Strategy,
    pub settings: Settings,
    pub seed: u64,
    pub heuristic: Heuristic,
    /// Guides back to a known state.
    pub back: Heuristic,
    pub goal: Option<Code>,
    /// Make what is found shorter.
    pub shorten: bool,
    /// Keep a chronicle.
    pub traced: bool,
}

/// Walks until something is found, or nothing is left to be done; `cycles` says that accepting cycles are wanted.
pub fn search<R: Reach>(
    problem: &R,
    (program, claim): (&Program, Option<&Claim>),
    cycles: bool,
    plan: &Plan,
    monitor: &Monitor,
) -> Tally {
    let config = Config::of(plan.strategy);
    let mut tally = Tally::new(config, problem.checks());
    tally.seed = Some(plan.seed);
    let watch = match plan.strategy {
        Strategy::AcoLive if !plan.settings.ants.scc => Watch::Path,
        _ if cycles => Watch::Cycles,
        Strategy::Aco => Watch::Path,
        _ => Watch::Nothing,
    };
    let mut walker = match Walker::new(problem, watch) {
        Ok(walker) => walker.beside(monitor.explored()),
        Err(fault) => {
            tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
            return tally;
        }
    };
    let chronicle = if plan.traced { Chronicle::wanted() } else { Chronicle::default() };
    let mut traces = Traces { chronicle, ..Traces::default() };
    let found = walk(&mut walker, (program, claim), cycles, plan, monitor, &mut traces);
    tally.counts.stored = traces.states;
    tally.counts.matched = walker.looks.saturating_sub(traces.states);
    tally.counts.depth = walker.deepest as u64;
    tally.counts.memory = traces.memory.max(walker.memory());
    tally.evaluations = Some(walker.looks);
    tally.rounds = traces.chronicle.rounds();
    match found {
        Ok(Some(found)) => {
            let all: Vec<Found> = std::iter::once(found).chain(traces.further).collect();
            let effort = Effort::after(walker.effort);
            report(problem, (program, claim), &all, plan, (&effort, monitor), &mut tally);
        }
        Ok(None) => tally.cut_short(Reason::NotExhaustive(plan.strategy.name())),
        Err(reason) => tally.cut_short(reason),
    }
    R::end(walker.scratch, &mut tally);
    tally
}

fn walk<R: Reach>(
    walker: &mut Walker<R>,
    (program, claim): (&Program, Option<&Claim>),
    cycles: bool,
    plan: &Plan,
    monitor: &Monitor,
    traces: &mut Traces,
) -> Result<Option<Found>, Reason> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let budget = Budget { monitor };
    let guide = Guide::new(program, claim, plan.heuristic, plan.goal.clone());
    let back = Guide::new(program, None, plan.back, None);
    let settings = &plan.settings;
    match plan.strategy {
        Strategy::Aco => ants::aco(walker, &settings.ants, &guide, &mut random, &budget, traces),
        Strategy::AcoLive => ants::aco_live(walker, &settings.ants, (&guide, &back), &mut random, &budget, traces),
        Strategy::PathGa => settings.path_ga.search(walker, plan.heuristic, &mut random, &budget, traces),
        Strategy::Gega => settings.gega.search(walker, (&guide, &back, cycles), &mut random, &budget, traces),
        _ => settings.random.search(walker, &mut random, &budget, traces),
    }
}

/// Notes what was found, with its trail made shorter if that is wanted.
fn report<R: Reach>(
    problem: &R,
    model: (&Program, Option<&Claim>),
    found: &[Found],
    plan: &Plan,
    (effort, monitor): (&Effort, &Monitor),
    tally: &mut Tally,
) {
    let likeness = if found.len() > 1 { Likeness::Identity } else { Likeness::Kind };
    for (number, one) in found.iter().enumerate() {
        let Some(path) = Path::of(problem, one) else {
            tally.cut_short(Reason::NotExhaustive(plan.strategy.name()));
            continue;
        };
        let raw = path.finding(problem);
        if number == 0 {
            tally.found_length = raw.as_ref().map(|finding| finding.witness.length());
        }
        let rest = (found.len() - number) as u64;
        let improve = |effort: &Effort| improved(problem, model, path, likeness, (effort, monitor));
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
