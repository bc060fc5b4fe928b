//! Searches. Every engine is a function of a problem, a configuration and a monitor.

mod bfs;
mod block;
mod dfs;
pub mod directed;
mod graph;
pub mod guide;
pub mod ida;
pub mod improve;
mod ndfs;
mod path;
pub mod ranges;
pub mod reach;
mod reduced;
pub mod rounds;
mod scc;
mod shortest;
mod shortcut;
pub mod swarm;
pub mod catalogue;
pub mod monitor;
mod tally;
pub mod walk;
mod witness;

use crate::property::{Claim, Fairness, Product, Seen};
use crate::reduce::Reduction;
use crate::store::{StateId, Store};
pub use crate::system::fault::Violation;
use crate::system::{Fault, FaultKind, Interpreter, OnTruncation, Scratch, Step, System, Truncations};
pub use monitor::{Limits, Monitor, Reason};
use ranges::Ranges;
use rustc_hash::FxHasher;
pub use shortest::Quality;
use std::hash::{Hash, Hasher};
pub use swarm::genetic::Artificial;
pub use tally::{Counts, Tally};
use walk::chronicle::Round;
pub use witness::Witness;

/// What to search and what to look for.
pub struct Problem<'p> {
    pub system: Interpreter<'p>,
    pub checks: Checks,
    /// How to reduce the search, if the model allows it.
    pub reduction: Option<Reduction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    pub assertions: bool,
    pub end_states: bool,
    /// An end state with messages left in a channel is invalid, too.
    pub channels_empty: bool,
    /// Whatever else can go wrong in a step.
    pub run_time_errors: bool,
    /// The assertions of a claim. What else goes wrong in a claim is always a violation: nobody else would see it.
    pub claim_assertions: bool,
    /// Values that do not fit where they are stored. The interpreter must tell: see [`Checks::on_truncation`].
    pub truncation: bool,
}

impl Checks {
    /// What the interpreter makes of a value that does not fit.
    pub fn on_truncation(self) -> OnTruncation {
        if self.truncation { OnTruncation::Fail } else { OnTruncation::Note }
    }

    /// A fault in this step is a violation.
    pub fn wants(self, fault: &Fault, step: Step) -> bool {
        let of_claim = step == Step::STUTTER;
        match fault.kind {
            FaultKind::Assertion(_) if of_claim => self.claim_assertions,
            FaultKind::Assertion(_) => self.assertions,
            FaultKind::Truncated(_) => self.truncation,
            _ => of_claim || self.run_time_errors,
        }
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            assertions: true,
            end_states: true,
            channels_empty: false,
            run_time_errors: true,
            claim_assertions: true,
            truncation: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// An exhaustive search and walks, side by side.
    Auto,
    Bfs,
    Dfs,
    /// Nested depth-first search for cycles.
    Ndfs,
    /// The same with the classes of the claim's components.
    Indfs,
    /// By strongly connected components.
    Scc,
    AStar,
    IdaStar,
    BestFirst,
    Beam,
    /// Ants, for violations that show in a state.
    Aco,
    /// Ants, for cycles.
    AcoLive,
    PathGa,
    Gega,
    RandomWalk,
    /// Depth first, by many threads.
    Swarm,
    /// The same, also from artificial states.
    SwarmGp,
    /// Breadth first, by many threads.
    Pbfs,
    /// Nested depth-first search for cycles, by many threads.
    Cndfs,
    /// The same, and hunts from artificial states.
    CndfsGp,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::Bfs => "bfs",
            Strategy::Dfs => "dfs",
            Strategy::Ndfs => "ndfs",
            Strategy::Indfs => "indfs",
            Strategy::Scc => "scc",
            Strategy::AStar => "astar",
            Strategy::IdaStar => "ida-star",
            Strategy::BestFirst => "best-first",
            Strategy::Beam => "beam",
            Strategy::Aco => "aco",
            Strategy::AcoLive => "aco-live",
            Strategy::PathGa => "path-ga",
            Strategy::Gega => "gega",
            Strategy::RandomWalk => "random-walk",
            Strategy::Swarm => "swarm",
            Strategy::SwarmGp => "swarm-gp",
            Strategy::Pbfs => "pbfs",
            Strategy::Cndfs => "cndfs",
            Strategy::CndfsGp => "cndfs-gp",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub strategy: Strategy,
    /// When it has found enough.
    pub enough: Enough,
    /// Runs that come to the depth limit are errors.
    pub depth_is_error: bool,
    /// Reduce the search from the start (breadth-first only).
    pub reduce: bool,
    /// How many threads search together.
    pub threads: usize,
    /// Note the least and greatest values of variables (searches by one thread that store states).
    pub ranges: bool,
}

impl Config {
    /// A plain search by one thread that ends with the first error.
    pub fn of(strategy: Strategy) -> Config {
        Config { strategy, enough: Enough::First, depth_is_error: false, reduce: false, threads: 1, ranges: false }
    }
}

/// What is said about a run that is longer than it may be, as pan does.
const DEPTH_LIMIT: &str = "depth limit reached";

/// How many errors end a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enough {
    First,
    /// So many, be they different or not, as `pan -cN` counts them.
    Errors(u64),
    /// So many different ones.
    Different(usize),
    /// It goes on after errors, as `pan -c0` does.
    Never,
}

/// What is known at the end.
#[derive(Clone, Debug)]
pub enum Verdict {
    Holds,
    Violated(Box<Finding>),
    Inconclusive(Reason),
}

/// The first violation found.
#[derive(Clone, Debug)]
pub struct Finding {
    pub violation: Violation,
    pub message: String,
    pub witness: Witness,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    /// Other violations than that of the verdict, if they were asked for.
    pub further: Vec<Finding>,
    /// The whole state space was explored.
    pub complete: bool,
    /// Why it was not, if it was cut short by a limit.
    pub cut: Option<Reason>,
    /// The search was reduced: the counts are not those of the whole state space.
    pub reduced: bool,
    pub counts: Counts,
    /// Errors by kind.
    pub errors: Vec<(Violation, u64)>,
    /// How often each of the different errors was met, that of the verdict first and then the further ones.
    pub met: Vec<u64>,
    /// Errors that are none of these: there were too many different ones.
    pub unlisted: u64,
    /// Which transitions were executed.
    pub executed: Vec<bool>,
    /// Which of them stored what does not fit.
    pub truncations: Truncations,
    /// How often each transition was executed, if that was asked for; those behind the last one never were.
    pub executions: Vec<u64>,
    /// The values of all variables, if they were asked for.
    pub ranges: Option<Ranges>,
    /// How it was searched.
    pub strategy: Strategy,
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
    /// States that walks beside this search have expanded, for nothing.
    pub walked: Option<u64>,
    /// States that a depth-first search beside this one has entered, for nothing.
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

    /// Keeps the error of the verdict only; the others are counted.
    pub fn keep_first(&mut self) {
        self.further.clear();
        let others = self.met.iter().skip(1).sum::<u64>();
        self.unlisted += others;
        self.met.truncate(1);
    }

    /// How it was searched, in a word.
    pub fn search_name(&self) -> &'static str {
        if self.reduced { "bfs-reduced" } else { self.strategy.name() }
    }
}

/// Runs a search to its end or to a limit.
pub fn run(problem: &Problem, config: Config, monitor: &Monitor) -> Report {
    let tally = match (config.strategy, &problem.reduction) {
        (Strategy::Bfs, Some(reduction)) if config.reduce => reduced::search(problem, reduction, config, monitor),
        (Strategy::Bfs, _) => bfs::search(problem, config, monitor),
        (Strategy::Dfs, _) => dfs::search(problem, config, monitor),
        (Strategy::Swarm, _) => swarm::search(problem, config, monitor),
        (Strategy::Pbfs, _) => swarm::bfs::search(problem, config, monitor),
        _ => unreachable!("safety has no cycles, and other searches have plans"),
    };
    tally.report(problem.system.cutoff())
}

/// A product to search for accepting cycles.
pub struct CycleProblem<'p> {
    pub product: Product<'p>,
    pub checks: Checks,
    /// What an accepting cycle is called.
    pub violation: Violation,
    /// Which runs count.
    pub fairness: Fairness,
}

impl<'p> CycleProblem<'p> {
    /// What is said about an accepting cycle.
    fn message(&self) -> String {
        let kind = if self.violation == Violation::NonProgressCycle { "non-progress" } else { "acceptance" };
        format!("{kind} cycle")
    }

    /// An error says why there is no product.
    pub fn new(
        system: Interpreter<'p>,
        claim: &'p Claim,
        (violation, fairness): (Violation, Fairness),
        strategy: Strategy,
        checks: Checks,
    ) -> Result<CycleProblem<'p>, String> {
        let counted = match strategy {
            // components are fair or not by their edges; a bad prefix can always be continued fairly
            Strategy::Scc | Strategy::Bfs | Strategy::Pbfs => Fairness::None,
            // otherwise the product counts rounds
            _ => fairness,
        };
        Ok(CycleProblem { product: Product::new(system, claim, counted)?, checks, violation, fairness })
    }
}

/// Searches for accepting cycles, to the end or to a limit. Breadth-first search sees bad prefixes only, and is for claims
/// that wait for nothing else.
pub fn run_for_cycles(problem: &CycleProblem, config: Config, monitor: &Monitor) -> Report {
    let tally = match config.strategy {
        Strategy::Scc => scc::search(problem, config, monitor),
        Strategy::Cndfs => swarm::search_for_cycles(problem, config, monitor),
        Strategy::Bfs => bfs::search(problem, config, monitor),
        Strategy::Pbfs => swarm::bfs::search(problem, config, monitor),
        _ => ndfs::search(problem, config, monitor),
    };
    tally.report(problem.product.cutoff())
}

/// Replaces the counterexample of a report by a shortest one, as far as that can be found; that of a breadth-first search is one.
pub fn shorten(problem: &CycleProblem, report: &mut Report, monitor: &Monitor) {
    let Verdict::Violated(finding) = &mut report.verdict else { return };
    if matches!(report.strategy, Strategy::Bfs | Strategy::Pbfs) {
        report.quality = Some(Quality::Shortest);
    } else if let Some((witness, quality)) = shortest::shorten(problem, finding, monitor) {
        finding.witness = witness;
        report.quality = Some(quality);
    } else {
        // something that fails: a breadth-first search meets it by a shortest way, unless it loses track of endings
        report.quality = Some(Quality::BestSoFar);
        let config = Config::of(Strategy::Bfs);
        let search = || bfs::search(problem, config, monitor).report(problem.product.cutoff());
        let again = problem.product.remembers_endings().then(search);
        if let Some(Report { verdict: Verdict::Violated(shortest), .. }) = again {
            *finding = shortest;
            report.quality = Some(Quality::Shortest);
        }
    }
}

/// A store with the initial state in it, its number, and what else a search starts with; or the end of a search that
/// cannot start.
fn start<S: System>(
    system: &S,
    checks: Checks,
    config: Config,
    note: u64,
) -> Result<(Store, StateId, S::Scratch, Tally), Box<Tally>> {
    let mut scratch = system.scratch();
    let mut tally = Tally::new(config, checks);
    let initial = match system.initial(&mut scratch) {
        Ok(state) => state,
        Err(fault) => {
            tally.violation(fault.violation(), fault.to_string(), || Some(Default::default()));
            return Err(Box::new(tally));
        }
    };
    let root = Store::new(system.hidden_words(), system.cutoff()).and_then(|mut store| {
        let hash = store.hash(&initial);
        store.insert(&initial, hash, note).map(|root| (store, root.id))
    });
    match root {
        Some((store, root)) => Ok((store, root, scratch, tally)),
        None => {
            tally.cut_short(Reason::StoreFull);
            Err(Box::new(tally))
        }
    }
}

impl Problem<'_> {
    /// Whether a state without successors is an invalid end state.
    fn is_deadlock(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        if !self.checks.end_states {
            return false;
        }
        let messages_left = self.checks.channels_empty && !self.system.channels_empty(state, scratch);
        messages_left || !self.system.valid_end(state, scratch)
    }

    /// What tells an end state from others: where its processes are.
    fn place_of_end(&self, state: &[u64], scratch: &mut Scratch) -> u64 {
        let mut hasher = FxHasher::default();
        self.system.control(state, scratch).for_each(|place| place.hash(&mut hasher));
        hasher.finish()
    }
}
