//! Runs the search for one property.

use super::clock::Clock;
use super::plan::Planned;
use super::tasks::{Kind, Task};
use super::{asks_for_figures, checks, cycle_checks, fairness, shortest};
use crate::cli::args::Verify;
use crate::cli::{Failure, memory, progress};
use crate::lab::job::derived;
use crate::machine;
use crate::program::Program;
use crate::property::Claim;
use crate::reduce::Reduction;
use crate::search::directed::{self, Order};
use crate::search::guide::Guide;
use crate::search::ida;
use crate::search::improve;
use crate::search::reach::Reach;
use crate::search::rounds::{Companions, Pacing, side_by_side};
use crate::search::swarm::{genetic, hunt};
use crate::search::walk::run as walk;
use crate::search::{
    self, Checks, Config, CycleProblem, Enough, Limits, Monitor, Problem, Quality, Reason, Report, Strategy, Tally,
    Verdict,
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
    for number in 0..args.runs.filter(|_| planned.strategy.is_walk()).unwrap_or(1) {
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
    let config = Config {
        strategy: args.search.unwrap_or(Strategy::Auto),
        enough: enough(args),
        depth_is_error: false,
        reduce: false,
        threads: 1,
        ranges: args.ranges,
    };
    let mut tally = Tally::new(config, cycle_checks(args));
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
        let report = match attempts.planned.strategy {
            Strategy::Auto => auto(attempts, seed, &monitor),
            _ => attempts.run((attempts.planned, seed), &monitor),
        };
        if args.shortest { shortest::shortest(attempts, report?, &monitor) } else { report }
    };
    if args.quiet || args.json.is_some() { work() } else { progress::watched(&monitor, work) }
}

/// An exhaustive search, and others beside it.
fn auto(attempts: &Attempts, seed: u64, monitor: &Monitor) -> Result<Report, Failure> {
    let Attempts { program, task, planned, .. } = attempts;
    let by =
        |strategy: Strategy, monitor: &Monitor| attempts.run((&planned.with(strategy, task, program), seed), monitor);
    // a walk may not close a cycle, or come to a state again, where something is hidden that makes a difference
    let may_walk = Interpreter::new(program).hidden_words() == 0;
    if !may_walk || planned.threads == 1 {
        return by(task.kind.exhaustive(), monitor);
    }
    let beside = |strategy: Strategy, monitor: &Monitor| {
        // those beside a search by many threads have not been there before
        let parallel = strategy.is_parallel();
        let (first, pacing) = if parallel { (OTHER_WALKS, Pacing::Free) } else { (0, Pacing::Rounds) };
        let walk = |number: u64, monitor: &Monitor| {
            let walks = task.kind.walks();
            let walk = planned.with(walks[number as usize % walks.len()], task, program);
            attempts.run((&walk, derived(seed, first + number)), monitor)
        };
        let depth_first = task.kind.depth_first();
        let depth_first = depth_first.map(|strategy| move |monitor: &Monitor| by(strategy, monitor));
        side_by_side(|monitor| by(strategy, monitor), Companions { walk, depth_first }, pacing, monitor)
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
    pub planned: &'a Planned,
}

impl<'a> Attempts<'a> {
    /// One search, with its trail made shorter.
    pub fn run(&self, (planned, seed): (&Planned, u64), monitor: &Monitor) -> Result<Report, Failure> {
        let Attempts { args, program, task, .. } = *self;
        let strategy = planned.strategy;
        let config = Config {
            strategy,
            enough: enough(args),
            depth_is_error: args.depth_is_error,
            reduce: args.reduce,
            threads: planned.threads,
            ranges: args.ranges,
        };
        match &task.kind {
            Kind::Untranslated(reason) => Ok(nothing(args, reason.clone())),
            Kind::Safety => {
                let reduction = Reduction::new(program);
                if args.reduce {
                    check_reduction(strategy, &reduction)?;
                }
                // a reduced search is no way out where figures of the whole state space are wanted
                let reduction = reduction.ok().filter(|_| args.reduce || !asks_for_figures(args));
                let checks = checks(args);
                let problem = Problem { system: system(args, program, checks, monitor), checks, reduction };
                let guided = guided(&problem, (program, None), false, (planned, seed), config, monitor);
                let report = guided.unwrap_or_else(|| match strategy {
                    Strategy::SwarmGp => genetic::search(&problem, &planned.knobs.genetic, seed, config, monitor)
                        .report(problem.system.cutoff()),
                    _ => search::run(&problem, config, monitor),
                });
                Ok(finished(report, &problem, (program, None), planned, monitor))
            }
            Kind::Cycles { claim, .. } => {
                // a trail is made shorter where fairness is part of the states
                let (searched, shortened) =
                    (self.cycle_problem(strategy, monitor)?, self.cycle_problem(Strategy::Indfs, monitor)?);
                let model = (program, Some(&**claim));
                if let Some(report) = guided(&searched, model, true, (planned, seed), config, monitor) {
                    return Ok(finished(report, &searched, model, planned, monitor));
                }
                let report = match strategy {
                    Strategy::CndfsGp => hunt::search(&searched, &planned.knobs.genetic, seed, config, monitor)
                        .report(searched.product.cutoff()),
                    _ => search::run_for_cycles(&searched, config, monitor),
                };
                Ok(finished(report, &shortened, model, planned, monitor))
            }
        }
    }

    /// The product as a search sees it.
    pub fn cycle_problem(&self, strategy: Strategy, monitor: &Monitor) -> Result<CycleProblem<'a>, Failure> {
        let Kind::Cycles { claim, violation, .. } = &self.task.kind else {
            return Err(Failure::Internal("safety has no cycles".into()));
        };
        let (kind, checks) = ((*violation, fairness(self.args)), cycle_checks(self.args));
        CycleProblem::new(system(self.args, self.program, checks, monitor), claim, kind, strategy, checks)
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

/// The result of a directed search or a walk, if it is one.
fn guided<R: Reach>(
    problem: &R,
    (program, claim): (&Program, Option<&Claim>),
    cycles: bool,
    (planned, seed): (&Planned, u64),
    config: Config,
    monitor: &Monitor,
) -> Option<Report> {
    if planned.strategy.is_walk() {
        let plan = planned.walk(seed);
        return Some(walk::search(problem, (program, claim), cycles, &plan, monitor).report(problem.system().cutoff()));
    }
    if !planned.strategy.is_directed() {
        return None;
    }
    let guide = Guide::new(program, claim, planned.heuristic, planned.goal.clone());
    let estimate = |problem: &R, state: &mut [u64], scratch: &mut _| problem.estimate(&guide, state, scratch);
    let order = match planned.strategy {
        Strategy::IdaStar => {
            return Some(ida::search(problem, &estimate, config, monitor).report(problem.system().cutoff()));
        }
        Strategy::AStar => Order::AStar { weight: planned.knobs.weight },
        Strategy::BestFirst => Order::BestFirst,
        Strategy::Beam => Order::Beam { width: planned.knobs.width as usize },
        _ => return None,
    };
    Some(directed::search(problem, order, &estimate, config, monitor).report(problem.system().cutoff()))
}

/// The report of a search, with a trail that is made shorter unless it is a shortest one. Walks have done so themselves.
fn finished<R: Reach>(
    mut report: Report,
    problem: &R,
    model: (&Program, Option<&Claim>),
    planned: &Planned,
    monitor: &Monitor,
) -> Report {
    if planned.is_optimal() && !report.reduced {
        // a breadth-first search need not say so
        let violated = matches!(report.verdict, Verdict::Violated(_));
        report.quality = (violated && planned.strategy.is_directed()).then_some(Quality::Shortest);
    } else if planned.shorten && !planned.strategy.is_walk() {
        improve::shorten(problem, model, &mut report, monitor);
    }
    report
}

fn enough(args: &Verify) -> Enough {
    match (args.keep_going, args.errors, args.stop_after) {
        (true, ..) => Enough::Never,
        (_, Some(errors), _) => Enough::Different(errors as usize),
        (_, _, Some(errors)) => Enough::Errors(errors),
        _ => Enough::First,
    }
}

fn check_reduction(strategy: Strategy, reduction: &Result<Reduction, &'static str>) -> Result<(), Failure> {
    match reduction {
        _ if strategy != Strategy::Bfs => {
            Err(Failure::Usage(format!("--reduce works with --search bfs, not with {}", strategy.name())))
        }
        Err(why) => Err(Failure::Usage(format!("--reduce does not work for this model: {why}"))),
        Ok(_) => Ok(()),
    }
}
