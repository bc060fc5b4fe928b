//! Runs the search for one property.

use super::plan::Planned;
use super::tasks::{Kind, Task};
use super::{asks_for_figures, checks, cycle_checks, fairness};
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
use crate::search::rounds::{Pacing, side_by_side};
use crate::search::swarm::{genetic, hunt};
use crate::search::walk::run as walk;
use crate::search::{
    self, Checks, Config, CycleProblem, Limits, Monitor, Problem, Quality, Reason, Report, Strategy, Verdict,
};
use crate::system::{Interpreter, System};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// One of several runs with different seeds.
pub struct Run {
    pub report: Report,
    pub time: Duration,
}

/// What came out, the best run first if there were several.
pub fn search(
    args: &Verify,
    program: &Program,
    task: &Task,
    planned: &Planned,
    alone: bool,
    clock: (Instant, &Arc<AtomicBool>),
) -> Result<Vec<Run>, Failure> {
    let mut runs = Vec::new();
    for number in 0..args.runs.filter(|_| planned.strategy.is_walk()).unwrap_or(1) {
        let seed = derived(planned.seed, number);
        let start = Instant::now();
        // a time limit is for all properties, and for each run of several
        let clock = if args.runs.is_some() { (start, clock.1) } else { clock };
        let report = once(args, program, task, planned, seed, alone, clock)?;
        runs.push(Run { report, time: start.elapsed() });
        if clock.1.load(std::sync::atomic::Ordering::Relaxed) {
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

fn once(
    args: &Verify,
    program: &Program,
    task: &Task,
    planned: &Planned,
    seed: u64,
    alone: bool,
    (started, stop): (Instant, &Arc<AtomicBool>),
) -> Result<Report, Failure> {
    let limits = Limits {
        max_depth: args.max_depth,
        max_states: args.max_states,
        memory: args.memory.or_else(memory::default_limit),
        in_use: Some(machine::resident),
        time: args.time,
        evaluations: args.evaluations,
    };
    let monitor = Monitor::since(started, limits, stop.clone());
    // a walk may not close a cycle, or come to a state again, where something is hidden that makes a difference
    let may_walk = Interpreter::new(program).hidden_words() == 0;
    let work = || match planned.strategy {
        Strategy::Auto if !may_walk || planned.threads == 1 => {
            let exhaustive = planned.with(task.kind.exhaustive(), task, program);
            attempt(args, program, task, (&exhaustive, seed), alone, &monitor)
        }
        Strategy::Auto => {
            let beside_walks = |strategy: Strategy, monitor: &Monitor| {
                // those beside a search by many threads have not been there before
                let parallel = strategy.is_parallel();
                let (first, pacing) = if parallel { (OTHER_WALKS, Pacing::Free) } else { (0, Pacing::Rounds) };
                let walk = |number: u64, monitor: &Monitor| {
                    let walks = task.kind.walks();
                    let walk = planned.with(walks[number as usize % walks.len()], task, program);
                    attempt(args, program, task, (&walk, derived(seed, first + number)), alone, monitor)
                };
                let exhaustive = planned.with(strategy, task, program);
                let exhaustive = |monitor: &Monitor| attempt(args, program, task, (&exhaustive, seed), alone, monitor);
                side_by_side(exhaustive, walk, pacing, monitor)
            };
            let part = beside_walks(task.kind.exhaustive(), &monitor.for_part(SMALL))?;
            if !matches!(part.verdict, Verdict::Inconclusive(Reason::States(SMALL))) {
                return Ok(part);
            }
            let before = part.walked.unwrap_or(0);
            let report = beside_walks(task.kind.parallel(), &monitor.after_walks(before))?;
            Ok(Report { walked: report.walked.map(|walked| before + walked), ..report })
        }
        _ => attempt(args, program, task, (planned, seed), alone, &monitor),
    };
    if args.quiet || args.json.is_some() { work() } else { progress::watched(&monitor, work) }
}

/// One search, with its trail made shorter.
fn attempt(
    args: &Verify,
    program: &Program,
    task: &Task,
    (planned, seed): (&Planned, u64),
    alone: bool,
    monitor: &Monitor,
) -> Result<Report, Failure> {
    let strategy = planned.strategy;
    let config = Config {
        strategy,
        keep_going: args.keep_going,
        reduce: args.reduce,
        threads: planned.threads,
        ranges: args.ranges,
    };
    match &task.kind {
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
        Kind::Cycles { claim, violation, .. } => {
            let kind = (*violation, fairness(args));
            let checks = cycle_checks(args, alone);
            let problem = |strategy| {
                let system = system(args, program, checks, monitor);
                CycleProblem::new(system, claim, kind, strategy, checks).map_err(Failure::Usage)
            };
            // a shortest cycle is looked for where fairness is part of the states
            let (searched, shortened) = (problem(strategy)?, problem(Strategy::Indfs)?);
            let model = (program, Some(&**claim));
            if let Some(report) = guided(&searched, model, true, (planned, seed), config, monitor) {
                return Ok(finished(report, &searched, model, planned, monitor));
            }
            let mut report = match strategy {
                Strategy::CndfsGp => hunt::search(&searched, &planned.knobs.genetic, seed, config, monitor)
                    .report(searched.product.cutoff()),
                _ => search::run_for_cycles(&searched, config, monitor),
            };
            if args.shortest {
                search::shorten(&shortened, &mut report, strategy, monitor);
                return Ok(report);
            }
            Ok(finished(report, &shortened, model, planned, monitor))
        }
    }
}

/// What is searched, with what it has to tell.
fn system<'p>(args: &Verify, program: &'p Program, checks: Checks, monitor: &Monitor) -> Interpreter<'p> {
    let system = Interpreter::new(program).on_truncation(checks.on_truncation()).within(monitor.cutoff());
    if args.execution_counts { system.listing_executed() } else { system }
}

/// States of a model for which one thread that sees everything is enough, so that trails are short and the same every time.
const SMALL: u64 = 500_000;

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

fn check_reduction(strategy: Strategy, reduction: &Result<Reduction, &'static str>) -> Result<(), Failure> {
    match reduction {
        _ if strategy != Strategy::Bfs => {
            Err(Failure::Usage(format!("--reduce works with --search bfs, not with {}", strategy.name())))
        }
        Err(why) => Err(Failure::Usage(format!("--reduce does not work for this model: {why}"))),
        Ok(_) => Ok(()),
    }
}
