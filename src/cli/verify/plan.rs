//! How a property is searched: the search, and what was set for it.

use super::automaton;
use super::tasks::{Kind, Task};
use crate::cli::Failure;
use crate::cli::args::{Switch, Verify};
use crate::program::Program;
use crate::program::code::{Action, Code};
use crate::search::Strategy;
use crate::search::catalogue::Knobs;
use crate::search::guide::Heuristic;
use crate::search::swarm::MOST_THREADS;
use crate::search::walk::run::Plan;
use crate::search::walk::settings;

/// The block that `--goal` becomes part of the model as.
pub const GOAL: &str = "__goal_option__";

/// Everything that was set for a search.
pub struct Planned {
    pub strategy: Strategy,
    pub knobs: Knobs,
    pub heuristic: Heuristic,
    pub goal: Option<Code>,
    pub back: Heuristic,
    pub seed: u64,
    pub shorten: bool,
    pub threads: usize,
    pub traced: bool,
}

impl Planned {
    /// Nothing was set.
    pub fn usual(task: &Task, program: &Program, strategy: Strategy) -> Planned {
        Planned {
            strategy,
            knobs: Knobs::default(),
            heuristic: usual(strategy, task, program),
            goal: None,
            back: Heuristic::Fsm,
            seed: 1,
            shorten: true,
            threads: 1,
            traced: false,
        }
    }

    /// The same for another search.
    pub fn with(&self, strategy: Strategy, task: &Task, program: &Program) -> Planned {
        let Planned { seed, shorten, threads, .. } = *self;
        Planned { seed, shorten, threads, ..Planned::usual(task, program, strategy) }
    }

    /// What it finds is a shortest trail.
    pub fn is_optimal(&self) -> bool {
        match self.strategy {
            Strategy::Bfs | Strategy::Pbfs => true,
            Strategy::AStar | Strategy::IdaStar => self.knobs.weight <= 1.0 && self.heuristic.is_admissible(),
            _ => false,
        }
    }

    /// The plan of a walk with this seed.
    pub fn walk(&self, seed: u64) -> Plan {
        Plan {
            strategy: self.strategy,
            settings: self.knobs.walks.clone(),
            seed,
            heuristic: self.heuristic,
            back: self.back,
            goal: self.goal.clone(),
            shorten: self.shorten,
            traced: self.traced,
        }
    }
}

/// What the options say about a search that was not named.
pub fn unnamed(args: &Verify, program: &Program, task: &Task, strategy: Strategy) -> Planned {
    let shorten = args.shorten != Some(Switch::Off);
    let (seed, threads) = (args.seed.unwrap_or(1), threads(args));
    Planned { seed, shorten, threads, ..Planned::usual(task, program, strategy) }
}

/// How many threads may search.
fn threads(args: &Verify) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    args.threads.map_or_else(cores, |threads| threads as usize).min(MOST_THREADS)
}

/// What the options say about a search; those that do not apply to it are refused.
pub fn planned(args: &Verify, program: &Program, task: &Task, strategy: Strategy) -> Result<Planned, Failure> {
    refuse(args, strategy)?;
    if strategy.is_parallel() && program.layout.hidden_words > 0 {
        let why = "the model has hidden variables, whose values are those of one thread's way to a state";
        return Err(Failure::Usage(format!("--search {}: {why}", strategy.name())));
    }
    let mut knobs = Knobs::default();
    for assignment in assignments(args, strategy) {
        let mut parameters = knobs.of(strategy);
        settings::set(&mut parameters, &assignment)
            .map_err(|why| Failure::Usage(format!("--search {}: {why}", strategy.name())))?;
    }
    knobs.check(strategy).map_err(|why| Failure::Usage(format!("--search {}: {why}", strategy.name())))?;
    let goal = match &args.goal {
        None => None,
        Some(text) => {
            let block = program.formulas.iter().find(|formula| formula.name == GOAL);
            let code = block.and_then(|block| automaton::condition(&block.expr, &block.atoms));
            Some(code.ok_or_else(|| Failure::Usage(format!("the goal `{text}` is about more than one state")))?)
        }
    };
    let heuristic = match args.heuristic {
        Some(heuristic) if !strategy.heuristics().contains(&heuristic) => {
            let known: Vec<&str> = strategy.heuristics().into_iter().map(Heuristic::name).collect();
            let why = format!("--search {} cannot use the heuristic {}", strategy.name(), heuristic.name());
            return Err(Failure::Usage(format!("{why}: it has {}", known.join(", "))));
        }
        Some(heuristic) if goal.is_some() && heuristic != Heuristic::Formula => {
            return Err(Failure::Usage("--goal is for --heuristic formula".into()));
        }
        Some(Heuristic::Claim) if matches!(task.kind, Kind::Safety) => {
            return Err(Failure::Usage("--heuristic claim needs a claim, and safety has none".into()));
        }
        Some(heuristic) => heuristic,
        None if goal.is_some() => Heuristic::Formula,
        None => usual(strategy, task, program),
    };
    let planned = Planned {
        strategy,
        knobs,
        heuristic,
        goal,
        back: args.back_heuristic.unwrap_or(Heuristic::Fsm),
        seed: args.seed.unwrap_or(1),
        shorten: args.shorten != Some(Switch::Off),
        threads: threads(args),
        traced: args.trace_run,
    };
    let several = planned.knobs.walks.path_ga.errors > 1;
    if several && (args.trail.is_some() || args.runs.is_some()) {
        return Err(Failure::Usage(
            "several errors have several trails, and belong to one run: no --trail, no --runs".into(),
        ));
    }
    if args.shorten.is_some() && (planned.is_optimal() && !args.reduce || args.shortest) {
        return Err(Failure::Usage("--shorten is for searches whose trails are not shortest ones anyway".into()));
    }
    Ok(planned)
}

/// The heuristic that follows from the property.
fn usual(strategy: Strategy, task: &Task, program: &Program) -> Heuristic {
    match (strategy, &task.kind) {
        (Strategy::AStar | Strategy::IdaStar, _) => Heuristic::None,
        (Strategy::Gega, Kind::Safety) => Heuristic::Blocked,
        (Strategy::PathGa, Kind::Safety) => usual_fitness(program),
        (Strategy::PathGa, _) => Heuristic::Enabled,
        (_, Kind::Safety) => Heuristic::Error,
        (Strategy::AcoLive, _) => Heuristic::Lasso,
        _ => Heuristic::Formula,
    }
}

/// What is fit for a path on which something is to go wrong.
fn usual_fitness(program: &Program) -> Heuristic {
    let has = |wanted: fn(&Action) -> bool| program.transitions.iter().any(|transition| wanted(&transition.action));
    match (has(|action| matches!(action, Action::Assert(..))), has(|action| matches!(action, Action::Send(_)))) {
        (false, _) => Heuristic::Enabled,
        (true, true) => Heuristic::Messages,
        (true, false) => Heuristic::Assertions,
    }
}

/// Options of their own are another way to set a parameter.
fn assignments(args: &Verify, strategy: Strategy) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(args.weight.map(|weight| format!("weight={weight}")));
    all.extend(args.scc.map(|scc| format!("scc={}", scc.name())));
    all.extend(args.crossover.map(|crossover| format!("crossover={}", crossover.name())));
    all.extend(args.errors.filter(|_| strategy == Strategy::PathGa).map(|errors| format!("errors={errors}")));
    if args.memory_operator {
        // the paper's: paths are short, and there is time for many generations
        all.extend(["memory=on", "length=50", "generations=1000"].map(String::from));
    }
    all.extend(args.set.iter().cloned());
    all
}

fn refuse(args: &Verify, strategy: Strategy) -> Result<(), Failure> {
    use Strategy::{AStar, BestFirst, Bfs, Dfs, Indfs, Ndfs, Scc};
    let walk = strategy.is_walk();
    let may_walk = walk || strategy == Strategy::Auto;
    let of_walks = "is for searches that walk (see swarmgp searches)";
    let of_one_thread = "is for searches by one thread that store states";
    let of_all = "is for searches by one thread that see each state once";
    let sees_all = matches!(strategy, Bfs | Dfs | Ndfs | Indfs | Scc | AStar | BestFirst);
    let of_chance = "is for searches that depend on chance (see swarmgp searches)";
    let wrong = [
        ("--seed", args.seed.is_some() && !may_walk && !strategy.is_genetic(), of_chance),
        ("--runs", args.runs.is_some() && !walk, of_walks),
        ("--evaluations", args.evaluations.is_some() && !may_walk, of_walks),
        (
            "--heuristic",
            args.heuristic.is_some() && strategy.heuristics().is_empty(),
            "is for searches that are guided",
        ),
        (
            "--goal",
            args.goal.is_some() && !strategy.heuristics().contains(&Heuristic::Formula),
            "is for searches that are guided",
        ),
        (
            "--threads",
            args.threads.is_some_and(|threads| threads > 1 || args.search.is_some())
                && !strategy.is_parallel()
                && strategy != Strategy::Auto,
            "is for searches by many threads (see swarmgp searches)",
        ),
        (
            "--trace-run",
            args.trace_run && !strategy.has_rounds(),
            "is for searches that go on round by round, ants and genes",
        ),
        ("--errors", args.errors.is_some() && strategy != Strategy::PathGa && !sees_all, of_all),
        ("--stop-after", args.stop_after.is_some() && !sees_all, of_all),
        (
            "--depth-is-error",
            args.depth_is_error && !matches!(strategy, Bfs | Dfs | Ndfs | Indfs),
            "is for bfs, dfs, ndfs and indfs",
        ),
        (
            "--back-heuristic",
            args.back_heuristic.is_some() && !matches!(strategy, Strategy::AcoLive | Strategy::Gega),
            "is for aco-live and gega",
        ),
        (
            "--max-states",
            args.max_states.is_some() && walk,
            "is for searches that store states (others have --evaluations)",
        ),
        ("--ranges", args.ranges && !strategy.stores_alone(), of_one_thread),
        ("--execution-counts", args.execution_counts && !strategy.stores_alone(), of_one_thread),
        ("--max-depth", args.max_depth.is_some() && (walk || strategy.is_parallel()), of_one_thread),
        (
            "--continue",
            args.keep_going
                && (walk || matches!(strategy, Strategy::IdaStar | Strategy::Cndfs) || strategy.is_genetic()),
            "is for searches that see each state once",
        ),
        (
            "--shortest",
            args.shortest
                && (walk || strategy.is_directed() || matches!(strategy, Strategy::Swarm | Strategy::SwarmGp)),
            "is for bfs, pbfs and for searches for cycles that see everything",
        ),
    ];
    match wrong.into_iter().find(|&(_, given, _)| given) {
        Some((option, _, why)) => Err(Failure::Usage(format!("{option} {why}, not for {}", strategy.name()))),
        None => Ok(()),
    }
}
