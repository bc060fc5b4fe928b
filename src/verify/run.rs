//! Runs the searches for one property.

use super::clock::Clock;
use super::request::{Refusal, Request, Watcher};
use super::retell::retell;
use super::shortest;
use super::task::{Kind, Task};
use crate::program::Program;
use crate::program::code::Code;
use crate::property::{Claim, Fairness};
use crate::reduce::{Liveness, Reduction, Reductions, smaller_within};
use crate::search::Plan;
use crate::search::catalogue::{AUTO, Aim, Job, Opt, Search};
use crate::search::improve;
use crate::search::problem::FairnessBy;
use crate::search::{
    self, Checks, Config, CycleProblem, Cycles, Limits, Monitor, Problem, Proviso, Quality, Reason, Report, Tally,
    Verdict,
};
use crate::system::{Cutoff, Effort, Interpreter, OnTruncation, System};
use std::time::Duration;

/// One of several runs with different seeds.
pub struct Attempt {
    pub report: Report,
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "for who shows it"))]
    pub time: Duration,
}

/// What all searches for one property have in common.
pub struct Attempts<'a> {
    pub request: &'a Request,
    pub program: &'a Program,
    pub task: &'a Task<'a>,
    pub plan: &'a Plan,
}

impl<'a> Attempts<'a> {
    /// What came out, the best run first if there were several.
    pub fn search(&self, clock: Clock, watcher: &impl Watcher) -> Result<Vec<Attempt>, Refusal> {
        let mut runs = self.runs(clock, watcher)?;
        let length = |run: &Attempt| match &run.report.verdict {
            Verdict::Violated(finding) => finding.witness.length(),
            _ => usize::MAX,
        };
        if let Some(best) = (0..runs.len()).min_by_key(|&number| length(&runs[number])) {
            runs.swap(0, best);
        }
        Ok(runs)
    }

    pub(super) fn once(&self, plan: &Plan, clock: Clock, watcher: &impl Watcher) -> Result<Report, Refusal> {
        if let Kind::Untranslated(reason) = &self.task.kind {
            return Ok(nothing(plan, reason.clone()));
        }
        let limits = Limits { time: clock.time, ..self.request.limits };
        let monitor = Monitor::since(clock.started, limits, clock.stop.clone());
        watcher.watch(&monitor, || {
            let report = if plan.config.search == &AUTO { self.auto(plan, &monitor) } else { self.run(plan, &monitor) };
            if self.request.shortest { shortest::shortest(self, report?, &monitor) } else { report }
        })
    }

    /// One search, with its trail made shorter.
    pub fn run(&self, plan: &Plan, monitor: &Monitor) -> Result<Report, Refusal> {
        let Attempts { request, program, task, .. } = *self;
        let job = Job { plan, monitor };
        let search = plan.config.search;
        if monitor.limits.max_depth.is_some() && !search.honours.has(Opt::MaxDepth) {
            return Err(refused(Opt::MaxDepth, search));
        }
        refuse_hidden(search, program)?;
        check_reduction(&plan.config, task.kind.aim(program))?;
        match &task.kind {
            Kind::Untranslated(reason) => Ok(nothing(plan, reason.clone())),
            Kind::Safety => {
                let checks = request.checks;
                let whole = Problem::of_safety(self.system(checks, monitor), checks);
                if !plan.config.reduce.any() {
                    // a reduced search is no way out where figures of the whole state space are wanted
                    let figures = plan.config.ranges || request.execution_counts;
                    let reduction = if figures {
                        None
                    } else {
                        let cutoff = monitor.cutoff();
                        match Reduction::watching_within(program, &[], &mut Effort::within(&cutoff)) {
                            Ok(reduction) => reduction.ok(),
                            Err(halt) => return Ok(nothing(plan, halt.into())),
                        }
                    };
                    let problem = whole.with_reduction(reduction);
                    let report = search::run(&problem, &job).map_err(Refusal::Broken)?;
                    return Ok(finished(report, &problem, plan, monitor));
                }
                let report = self.reduced(plan, checks, monitor, |system, reduction| {
                    let problem = Problem::of_safety(system, checks).with_reduction(reduction);
                    search::run(&problem, &job).map_err(Refusal::Broken)
                })?;
                Ok(finished(report, &whole, plan, monitor))
            }
            Kind::Cycles { claim, .. } => {
                let counted = plan.config.search.fairness;
                let report = if plan.config.reduce.any() {
                    self.reduced(plan, request.claim_checks, monitor, |system, reduction| {
                        let problem = self.product(system, claim, counted)?.with_reduction(reduction);
                        search::run_for_cycles(&problem, &job).map_err(Refusal::Broken)
                    })?
                } else {
                    let searched = self.cycle_problem(counted, monitor)?;
                    search::run_for_cycles(&searched, &job).map_err(Refusal::Broken)?
                };
                // a trail is made shorter where fairness is part of the states
                let shortened = self.cycle_problem(FairnessBy::States, monitor)?;
                Ok(finished(report, &shortened, plan, monitor))
            }
        }
    }

    /// Searches a system that is made smaller, as far as the model and the property allow it; the report says what was reduced.
    fn reduced(
        &self,
        plan: &Plan,
        checks: Checks,
        monitor: &Monitor,
        search: impl FnOnce(Interpreter, Option<Reduction>) -> Result<Report, Refusal>,
    ) -> Result<Report, Refusal> {
        let wanted = plan.config.reduce;
        let conditions = match self.conditions() {
            Ok(conditions) => conditions,
            Err(why) => {
                let report = search(self.system(checks, monitor), None)?;
                return Ok(Report { unreduced: Some(why), ..report });
            }
        };
        // a value that is dropped cannot be seen to be truncated
        let dead = wanted.dead && checks.on_truncation() != OnTruncation::Fail;
        let liveness = match self.task.kind {
            Kind::Cycles { .. } => Liveness::Plain,
            Kind::Safety | Kind::Untranslated(_) => Liveness::Strong,
        };
        // a search that is guided reads its goal
        let read: Vec<Code> = conditions.iter().chain(&plan.goal).cloned().collect();
        let cutoff = monitor.cutoff();
        let effort = &mut Effort::within(&cutoff);
        let smaller = match smaller_within(self.program, Reductions { dead, ..wanted }, liveness, &read, effort) {
            Ok(smaller) => smaller,
            Err(halt) => return Ok(nothing(plan, halt.into())),
        };
        let ordered = wanted.order.then(|| Reduction::watching_within(&smaller, &conditions, effort));
        let (reduction, unreduced) = match ordered.transpose() {
            Ok(None) => (None, None),
            Ok(Some(Ok(reduction))) => (Some(reduction), None),
            Ok(Some(Err(why))) => (None, Some(why)),
            Err(halt) => return Ok(nothing(plan, halt.into())),
        };
        let mut report = search(self.system_of(&smaller, checks, monitor), reduction)?;
        let cutoff = monitor.cutoff().with_grace();
        for finding in report.findings_mut() {
            retell(self.program, &self.task.kind, finding, checks.on_truncation(), &cutoff);
        }
        Ok(Report { reduced: report.reduced || dead || wanted.merge, unreduced, ..report })
    }

    /// What the property looks at; or why the search for it cannot be reduced.
    pub(super) fn conditions(&self) -> Result<Vec<Code>, &'static str> {
        match &self.task.kind {
            Kind::Safety | Kind::Untranslated(_) => Ok(Vec::new()),
            Kind::Cycles { .. } if self.request.fairness == Fairness::Weak => {
                Err("weak fairness depends on which processes can move")
            }
            Kind::Cycles { claim, .. } => claim.conditions(),
        }
    }

    /// What is searched, with what it has to tell.
    fn system(&self, checks: Checks, monitor: &Monitor) -> Interpreter<'a> {
        self.system_of(self.program, checks, monitor)
    }

    fn system_of<'p>(&self, program: &'p Program, checks: Checks, monitor: &Monitor) -> Interpreter<'p> {
        let system = Interpreter::new(program).on_truncation(checks.on_truncation()).within(monitor.cutoff());
        let system = system.saving(self.request.savings);
        if self.request.execution_counts { system.listing_executed() } else { system }
    }

    /// The product as a search sees it.
    pub fn cycle_problem(&self, counted: FairnessBy, monitor: &Monitor) -> Result<CycleProblem<'a>, Refusal> {
        let Kind::Cycles { claim, .. } = &self.task.kind else {
            return Err(Refusal::Broken("safety has no cycles".into()));
        };
        self.product(self.system(self.request.claim_checks, monitor), claim, counted)
    }

    fn product<'p>(
        &self,
        system: Interpreter<'p>,
        claim: &'p Claim,
        counted: FairnessBy,
    ) -> Result<CycleProblem<'p>, Refusal> {
        let Kind::Cycles { violation, .. } = &self.task.kind else {
            return Err(Refusal::Broken("safety has no cycles".into()));
        };
        let cycles = Cycles { violation: *violation, fairness: self.request.fairness };
        Problem::of_claim(system, claim, cycles, counted, self.request.claim_checks).map_err(Refusal::Unfit)
    }
}

/// The report of a search, with a trail that is made shorter unless it is a shortest one. Walks have done so themselves.
fn finished<S: System>(mut report: Report, problem: &Problem<S>, plan: &Plan, monitor: &Monitor) -> Report {
    if plan.is_optimal() && !report.reduced {
        // a breadth-first search need not say so
        let violated = matches!(report.verdict, Verdict::Violated(_));
        report.quality = (violated && plan.config.search.is_directed()).then_some(Quality::Shortest);
    } else if plan.shorten && !plan.config.search.is_walk() {
        improve::shorten(problem, &mut report, monitor);
    }
    report
}

/// A search that cannot be reduced, or not with this proviso, is refused.
pub fn check_reduction(config: &Config, aim: Aim) -> Result<(), Refusal> {
    let search = config.search;
    if config.reduce.any() && !search.honours.has(Opt::Reduce) {
        return Err(refused(Opt::Reduce, search));
    }
    if config.reduce.dead && config.ranges {
        let why = "--ranges is about values, and --reduce with dead drops some: there is --reduce=merge,order";
        return Err(Refusal::Unfit(why.into()));
    }
    match config.proviso {
        Some(_) if !config.reduce.order => Err(Refusal::Unfit("--proviso is for --reduce with order".into())),
        Some(proviso) if !search.provisos_for(aim).any(|known| known == proviso) => {
            let known: Vec<&str> = search.provisos_for(aim).map(Proviso::name).collect();
            let (name, known) = (proviso.name(), known.join(", "));
            let purpose = if search.provisos.contains(&proviso) { " for claims" } else { "" };
            let search = search.name;
            Err(Refusal::Unfit(format!("--search {search} does not have the proviso {name}{purpose}: it has {known}")))
        }
        _ => Ok(()),
    }
}

/// Hidden variables have the values of the way to a state, of which many workers have many.
pub fn refuse_hidden(search: &Search, program: &Program) -> Result<(), Refusal> {
    if search.is_parallel() && program.layout.hidden_words > 0 {
        let why = "the model has hidden variables, whose values are those of one thread's way to a state";
        return Err(Refusal::Unfit(format!("--search {}: {why}", search.name)));
    }
    Ok(())
}

/// The search does not honour an option.
fn refused(option: Opt, search: &Search) -> Refusal {
    Refusal::Unfit(format!("{} {}, not for {}", option.name(), option.scope(), search.name))
}

/// The report about a property that was not searched.
fn nothing(plan: &Plan, reason: Reason) -> Report {
    let mut tally = Tally::new(Config::of(plan.config.search), Checks::default());
    tally.cut_short(reason);
    tally.report(&Cutoff::default())
}
