//! Runs the search for one property.

use super::clock::Clock;
use super::tasks::{Kind, Task};
use super::{asks_for_figures, checks, cycle_checks, fairness, shortest};
use crate::cli::args::Verify;
use crate::cli::{Failure, memory, progress};
use crate::lab::job::derived;
use crate::machine;
use crate::program::Program;
use crate::reduce::Reduction;
use crate::search::catalogue::{AUTO, FairnessBy, Job, Opt, Search};
use crate::search::improve;
use crate::search::plan::Plan;
use crate::search::reach::Reach;
use crate::search::rounds::{Companions, Pacing, side_by_side};
use crate::search::{
    self, Checks, Config, CycleProblem, Limits, Monitor, Problem, Quality, Reason, Report, Tally, Verdict,
};
use crate::system::{Cutoff, Interpreter, System};
use std::time::{Duration, Instant};

/// One of several runs with different seeds.
pub struct Run {
    pub report: Report,
    pub time: Duration,
}

/// What came out, the best run first if there were several.
pub fn search(attempts: &Attempts, clock: Clock) -> Result<Vec<Run>, Failure> {
    let Attempts { args, planned, .. } = attempts;
    let mut runs = Vec::new();
    for number in 0..args.runs.filter(|_| planned.config.search.is_walk()).unwrap_or(1) {
        let seed = derived(planned.seed, number);
        let start = Instant::now();
        // a time limit is for all properties, and for each run of several
        let clock = if args.runs.is_some() { clock.for_run(args.time) } else { clock };
        let report = once(attempts, seed, clock)?;
        runs.push(Run { report, time: start.elapsed() });
        if clock.is_stopped() {
            break;
        }
    }
    let length = |run: &Run| match &run.report.verdict {
        Verdict::Violated(finding) => finding.witness.length(),
        _ => usize::MAX,
    };
    if let Some(best) = (0..runs.len()).min_by_key(|&number| length(&runs[number])) {
        runs.swap(0, best);
    }
    Ok(runs)
}

/// What the command line allows.
pub fn limits(args: &Verify) -> Limits {
    Limits {
        max_depth: args.max_depth,
        max_states: args.max_states,
        memory: args.memory.or_else(memory::default_limit),
        in_use: Some(machine::resident),
        time: args.time,
        evaluations: args.evaluations,
    }
}

/// The report about a property that was not searched.
fn nothing(args: &Verify, reason: Reason) -> Report {
    let mut tally = Tally::new(Config::of(args.search.unwrap_or(&AUTO)), cycle_checks(args));
    tally.cut_short(reason);
    tally.report(&Cutoff::default())
}

fn once(attempts: &Attempts, seed: u64, clock: Clock) -> Result<Report, Failure> {
    let args = attempts.args;
    if let Kind::Untranslated(reason) = &attempts.task.kind {
        return Ok(nothing(args, reason.clone()));
    }
    let limits = Limits { time: clock.time, ..limits(args) };
    let monitor = Monitor::since(clock.started, limits, clock.stop.clone());
    let work = || {
        let report = if attempts.planned.config.search == &AUTO {
            auto(attempts, seed, &monitor)
        } else {
            attempts.run(&attempts.planned.seeded(seed), &monitor)
        };
        if args.shortest { shortest::shortest(attempts, report?, &monitor) } else { report }
    };
    if args.quiet || args.json.is_some() { work() } else { progress::watched(&monitor, work) }
}

/// An exhaustive search, and others beside it.
fn auto(attempts: &Attempts, seed: u64, monitor: &Monitor) -> Result<Report, Failure> {
    let Attempts { program, task, planned, .. } = attempts;
    let aim = task.kind.aim(program);
    let by =
        |search: &'static Search, monitor: &Monitor| attempts.run(&planned.with(search, aim).seeded(seed), monitor);
    // a walk may not close a cycle, or come to a state again, where something is hidden that makes a difference
    let may_walk = Interpreter::new(program).hidden_words() == 0;
    if !may_walk || planned.config.threads == 1 {
        return by(task.kind.exhaustive(), monitor);
    }
    let beside = |search: &'static Search, monitor: &Monitor| {
        // those beside a search by many threads have not been there before
        let parallel = search.is_parallel();
        let (first, pacing) = if parallel { (OTHER_WALKS, Pacing::Free) } else { (0, Pacing::Rounds) };
        let walk = |number: u64, monitor: &Monitor| {
            let walks = task.kind.walks();
            let walk = planned.with(walks[number as usize % walks.len()], aim);
            attempts.run(&walk.seeded(derived(seed, first + number)), monitor)
        };
        let depth_first = task.kind.depth_first();
        let depth_first = depth_first.map(|search| move |monitor: &Monitor| by(search, monitor));
        side_by_side(|monitor| by(search, monitor), Companions { walk, depth_first }, pacing, monitor)
    };
    let part = beside(task.kind.exhaustive(), &monitor.for_part(SMALL))?;
    if !matches!(part.verdict, Verdict::Inconclusive(Reason::States(SMALL))) {
        return Ok(part);
    }
    let before = part.walked.unwrap_or(0);
    let report = beside(task.kind.parallel(), &monitor.after_walks(before))?;
    let (walked, dived) = (report.walked.map(|walked| before + walked), report.dived.max(part.dived));
    Ok(Report { walked, dived: dived.filter(|_| walked.is_some()), ..report })
}

/// What all searches for one property have in common.
pub struct Attempts<'a> {
    pub args: &'a Verify,
    pub program: &'a Program,
    pub task: &'a Task<'a>,
    pub planned: &'a Plan,
}

impl<'a> Attempts<'a> {
    /// One search, with its trail made shorter.
    pub fn run(&self, plan: &Plan, monitor: &Monitor) -> Result<Report, Failure> {
        let Attempts { args, program, task, .. } = *self;
        let job = Job { plan, monitor };
        match &task.kind {
            Kind::Untranslated(reason) => Ok(nothing(args, reason.clone())),
            Kind::Safety => {
                let reduction = Reduction::new(program);
                if args.reduce {
                    check_reduction(plan.config.search, &reduction)?;
                }
                // a reduced search is no way out where figures of the whole state space are wanted
                let reduction = reduction.ok().filter(|_| args.reduce || !asks_for_figures(args));
                let checks = checks(args);
                let problem = Problem { system: system(args, program, checks, monitor), checks, reduction };
                let report = search::run(&problem, &job).map_err(Failure::Internal)?;
                Ok(finished(report, &problem, plan, monitor))
            }
            Kind::Cycles { .. } => {
                let searched = self.cycle_problem(plan.config.search.fairness, monitor)?;
                let report = search::run_for_cycles(&searched, &job).map_err(Failure::Internal)?;
                // a trail is made shorter where fairness is part of the states
                let shortened = self.cycle_problem(FairnessBy::States, monitor)?;
                Ok(finished(report, &shortened, plan, monitor))
            }
        }
    }

    /// The product as a search sees it.
    pub fn cycle_problem(&self, counted: FairnessBy, monitor: &Monitor) -> Result<CycleProblem<'a>, Failure> {
        let Kind::Cycles { claim, violation, .. } = &self.task.kind else {
            return Err(Failure::Internal("safety has no cycles".into()));
        };
        let (kind, checks) = ((*violation, fairness(self.args)), cycle_checks(self.args));
        CycleProblem::new(system(self.args, self.program, checks, monitor), claim, kind, counted, checks)
            .map_err(Failure::Usage)
    }
}

/// What is searched, with what it has to tell.
fn system<'p>(args: &Verify, program: &'p Program, checks: Checks, monitor: &Monitor) -> Interpreter<'p> {
    let system = Interpreter::new(program).on_truncation(checks.on_truncation()).within(monitor.cutoff());
    if args.execution_counts { system.listing_executed() } else { system }
}

/// States of a model for which one thread that sees everything is enough, so that trails are short and the same every time.
pub const SMALL: u64 = 500_000;

/// The number of the first walk beside a search by many threads.
const OTHER_WALKS: u64 = 1 << 32;

/// The report of a search, with a trail that is made shorter unless it is a shortest one. Walks have done so themselves.
fn finished<R: Reach>(mut report: Report, problem: &R, plan: &Plan, monitor: &Monitor) -> Report {
    if plan.is_optimal() && !report.reduced {
        // a breadth-first search need not say so
        let violated = matches!(report.verdict, Verdict::Violated(_));
        report.quality = (violated && plan.config.search.is_directed()).then_some(Quality::Shortest);
    } else if plan.shorten && !plan.config.search.is_walk() {
        improve::shorten(problem, &mut report, monitor);
    }
    report
}

fn check_reduction(search: &Search, reduction: &Result<Reduction, &'static str>) -> Result<(), Failure> {
    match reduction {
        _ if !search.honours.has(Opt::Reduce) => {
            Err(Failure::Usage(format!("{} {}, not for {}", Opt::Reduce.flag(), Opt::Reduce.scope(), search.name)))
        }
        Err(why) => Err(Failure::Usage(format!("--reduce does not work for this model: {why}"))),
        Ok(_) => Ok(()),
    }
}
