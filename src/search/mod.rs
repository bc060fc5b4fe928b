//! Searches. Every engine is a function of a problem, a configuration and a monitor.

mod checks;
mod expand;
pub mod directed;
mod exhaustive;
mod graph;
pub mod guide;
pub(crate) mod ida;
pub(crate) mod improve;
mod parameter;
mod path;
mod knobs;
mod plan;
pub(crate) mod ranges;
pub(crate) mod seed;
pub mod problem;
pub(crate) mod rounds;
mod shortest;
pub(crate) mod swarm;
pub mod catalogue;
mod meter;
mod named;
mod monitor;
mod tally;
pub(crate) mod walk;
mod witness;

use crate::reduce::Reductions;
use crate::store::{Own, StateId, Store};
pub use crate::system::fault::Violation;
use crate::system::{Coverage, Seen, System};
use catalogue::{Aim, BFS, Job, Search, Trails};
pub use checks::Checks;
use exhaustive::bfs;
pub use exhaustive::proviso::Proviso;
pub use knobs::Knobs;
pub use monitor::{Limits, Monitor, Progress, Reason, rounded};
pub use parameter::{Parameter, Value};
pub use plan::Plan;
pub use problem::{CycleProblem, Cycles, Problem, SafetyProblem};
use ranges::Ranges;
pub use shortest::Quality;
use std::time::Duration;
pub use swarm::genetic::Artificial;
pub use tally::{Counts, Tally};
use walk::chronicle::Round;
pub use witness::Witness;

/// What every search is told.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The row of the search.
    pub search: &'static Search,
    /// When it has found enough.
    pub enough: Enough,
    /// Runs that come to the depth limit are errors.
    pub depth_is_error: bool,
    /// What is reduced from the start.
    pub reduce: Reductions,
    /// Which states are explored completely all the same; `None` for what is usual.
    pub proviso: Option<Proviso>,
    /// How many threads search together.
    pub threads: usize,
    /// Note the least and greatest values of variables (searches by one thread that store states).
    pub ranges: bool,
}

impl Config {
    /// A plain search by one thread that ends with the first error.
    pub fn of(search: &'static Search) -> Config {
        Config {
            search,
            enough: Enough::First,
            depth_is_error: false,
            reduce: Reductions::NONE,
            proviso: None,
            threads: 1,
            ranges: false,
        }
    }
}

impl Config {
    /// The proviso of a reduced search for what is wrong; `None` if it is not reduced.
    fn proviso<S: System>(&self, problem: &Problem<S>) -> Option<Proviso> {
        let aim = problem.claim.map_or_else(|| Aim::Safety(problem.system.program()), |_| Aim::Claim);
        let usual = || self.search.provisos_for(aim).next();
        self.reduce.order.then(|| self.proviso.or_else(usual)).flatten()
    }
}

/// What is said about a run that is longer than it may be, as pan does.
const DEPTH_LIMIT: &str = "depth limit reached";

/// How many errors end a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enough {
    /// The first one.
    First,
    /// This many, be they different or not, as `pan -cN` counts them.
    Errors(u64),
    /// This many different ones.
    Different(usize),
    /// It goes on after errors, as `pan -c0` does.
    Never,
}

/// What is known at the end.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The property was checked completely, and nothing violates it.
    Holds,
    /// There is a run that violates it.
    Violated(Box<Finding>),
    /// Neither of the two is known.
    Inconclusive(Reason),
}

/// A violation, and a run that shows it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its kind.
    pub violation: Violation,
    /// What went wrong, in a few words.
    pub message: String,
    /// The run.
    pub witness: Witness,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The answer.
    pub verdict: Verdict,
    /// Other violations than that of the verdict, if they were asked for.
    pub further: Vec<Finding>,
    /// The whole state space was explored.
    pub complete: bool,
    /// Why it was not, if it was cut short by a limit.
    pub cut: Option<Reason>,
    /// The search was reduced: the counts are not those of the whole state space.
    pub reduced: bool,
    /// Why it was not, or not as far as was asked for.
    pub unreduced: Option<&'static str>,
    /// States of the whole state space that were stored before the reduced search began.
    pub whole: Option<u64>,
    /// States, transitions, depth, memory.
    pub counts: Counts,
    /// Errors by kind.
    pub errors: Vec<(Violation, u64)>,
    /// How often each of the different errors was met, that of the verdict first and then the further ones.
    pub met: Vec<u64>,
    /// Errors that are none of these: there were too many different ones.
    pub unlisted: u64,
    /// What its steps have covered.
    pub coverage: Coverage,
    /// How often each transition was executed, if that was asked for; those behind the last one never were.
    pub executions: Vec<u64>,
    /// The values of all variables, if they were asked for.
    pub ranges: Option<Ranges>,
    /// How it was searched.
    pub search: &'static Search,
    /// By how many threads, if it is a search for many.
    pub threads: Option<usize>,
    /// What the claim has seen, if there is one.
    pub seen: Option<Seen>,
    /// What chance depended on.
    pub seed: Option<u64>,
    /// States that a walk has expanded.
    pub evaluations: Option<u64>,
    /// How a walk came along, if that was asked for.
    pub rounds: Option<Vec<Round>>,
    /// States that walks beside this search have expanded without finding a violation.
    pub walked: Option<u64>,
    /// States that a depth-first search beside this one has entered without finding a violation.
    pub dived: Option<u64>,
    /// The length of the counterexample before it was made shorter.
    pub found_length: Option<usize>,
    /// What became of artificial states, if there were any.
    pub artificial: Option<Artificial>,
    /// Whether the counterexample is a shortest one, if that was asked for.
    pub quality: Option<Quality>,
}

impl Report {
    /// Takes back what was found, because it is no run.
    pub fn retract(&mut self, reason: Reason) {
        self.verdict = Verdict::Inconclusive(reason.clone());
        self.cut = Some(reason);
        self.complete = false;
        self.errors.clear();
        self.met.clear();
        self.unlisted = 0;
        self.further.clear();
        self.found_length = None;
        self.quality = None;
    }

    /// Says of a time that is not the limit itself that it was a share of it.
    pub fn name_shares_of(&mut self, limit: Option<Duration>) {
        let verdict = match &mut self.verdict {
            Verdict::Inconclusive(reason) => Some(reason),
            Verdict::Holds | Verdict::Violated(_) => None,
        };
        for reason in verdict.into_iter().chain(&mut self.cut) {
            if let Reason::Time(time) = *reason
                && Some(time) != limit
            {
                *reason = Reason::Share(time);
            }
        }
    }

    /// Keeps the error of the verdict only; the others are counted.
    pub fn keep_first(&mut self) {
        self.further.clear();
        let others = self.met.iter().skip(1).sum::<u64>();
        self.unlisted += others;
        self.met.truncate(1);
    }

    /// All violations that were found.
    pub(crate) fn findings_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        let first = match &mut self.verdict {
            Verdict::Violated(finding) => Some(&mut **finding),
            Verdict::Holds | Verdict::Inconclusive(_) => None,
        };
        first.into_iter().chain(&mut self.further)
    }

    /// How it was searched, in a word.
    pub fn search_name(&self) -> String {
        let how = if self.reduced { "-reduced" } else { "" };
        format!("{}{how}", self.search.name)
    }
}

/// Runs a search for violations of safety, to its end or to a limit. An error says why it cannot be run. What is found has not been
/// executed again: this is for tests, others ask [`Check`](crate::verify::Check).
#[doc(hidden)]
pub fn run(problem: &SafetyProblem, job: &Job) -> Result<Report, String> {
    let search = job.plan.config.search;
    let on_system = search.on_system.ok_or_else(|| format!("{} is not for safety", search.name))?;
    Ok(on_system(problem, job).report(problem.system.cutoff()))
}

/// Runs a search of a product, to its end or to a limit. Breadth-first search sees bad prefixes only, and is for claims that wait for
/// nothing else. An error says why it cannot be run. For tests, as [`run`].
#[doc(hidden)]
pub fn run_for_cycles(problem: &CycleProblem, job: &Job) -> Result<Report, String> {
    let search = job.plan.config.search;
    let on_product = search.on_product.ok_or_else(|| format!("{} is not for claims", search.name))?;
    Ok(on_product(problem, job).report(problem.system.cutoff()))
}

/// Replaces the counterexample of a report by a shortest one, as far as that can be found; that of a breadth-first search is one.
pub fn shorten(problem: &CycleProblem, report: &mut Report, monitor: &Monitor) {
    let Verdict::Violated(finding) = &mut report.verdict else { return };
    if report.search.trails == Trails::Shortest {
        report.quality = Some(Quality::Shortest);
    } else if let Some((witness, quality)) = shortest::shorten(problem, finding, monitor) {
        finding.witness = witness;
        report.quality = Some(quality);
    } else {
        // something that fails: a breadth-first search meets it by a shortest way, unless it loses track of endings
        report.quality = Some(Quality::BestSoFar);
        let config = Config::of(&BFS);
        let search = || bfs::search::<_, Store>(problem, config, monitor).report(problem.system.cutoff());
        let again = problem.system.remembers_endings().then(search);
        if let Some(Report { verdict: Verdict::Violated(shortest), .. }) = again {
            *finding = shortest;
            report.quality = Some(Quality::Shortest);
        }
    }
}

/// A store with the initial state in it, its number, and what else a search starts with; or the end of a search that
/// cannot start.
fn start<S: System, V: Own>(
    system: &S,
    checks: Checks,
    config: Config,
    note: u64,
) -> Result<(V, StateId, S::Scratch, Tally), Box<Tally>> {
    let mut scratch = system.scratch();
    let mut tally = Tally::new(config, checks);
    tally.rely_on::<V>();
    let initial = match system.initial(&mut scratch) {
        Ok(state) => state,
        Err(fault) => {
            tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
            return Err(Box::new(tally));
        }
    };
    let root = V::new(system.hidden_words(), system.cutoff()).and_then(|mut store| {
        let hash = store.hash(&initial);
        store.insert(&initial, hash, note).ok().map(|root| (store, root.id))
    });
    match root {
        Some((store, root)) => Ok((store, root, scratch, tally)),
        None => {
            tally.cut_short(Reason::StoreFull);
            Err(Box::new(tally))
        }
    }
}
