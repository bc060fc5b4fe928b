//! The table of searches: one row for each, with all that anyone need know about it.
//!
//! Help, refusals, `swarmgp searches`, `compare`, tests and documentation derive from these rows. A new search is its own file and a row
//! here. Users of the library may write rows of their own and hand them to [`verify`](crate::verify).

use super::directed::{self, Order};
use super::exhaustive::nested::Classes;
use super::exhaustive::{bfs, dfs, ndfs, reduced, scc};
use super::guide::{Guide, Heuristic};
use super::knobs::Knobs;
use super::plan::Plan;
use super::problem::FairnessBy;
use super::problem::Problem;
use super::swarm::{self, genetic, hunt};
use super::walk::run::{self as walk, Walk};
use super::walk::settings::{Parameter, Value, parameter};
use super::{CycleProblem, Monitor, SafetyProblem, Tally, ida};
use crate::program::Program;
use crate::program::code::Action;
use crate::store::Store;
use crate::system::System;
use std::fmt;

/// One search.
pub struct Search {
    pub name: &'static str,
    /// In one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    pub finds: Finds,
    pub proves: Proves,
    pub chance: Chance,
    pub shape: Shape,
    pub workers: Workers,
    pub trails: Trails,
    pub fairness: FairnessBy,
    /// The options that it honours, of those that not every search does.
    pub honours: Honours,
    /// The heuristics that it can use, besides those for ways back.
    pub heuristics: fn() -> Vec<Heuristic>,
    /// The heuristic that follows from what it is after.
    pub usual: fn(Aim) -> Heuristic,
    /// Its own parameters.
    pub parameters: for<'k> fn(&'k mut Knobs) -> Vec<Parameter<'k>>,
    /// How it searches a system for violations of safety.
    pub on_system: Option<fn(&SafetyProblem, &Job) -> Tally>,
    /// How it searches a product.
    pub on_product: Option<fn(&CycleProblem, &Job) -> Tally>,
}

/// What to do, and who watches.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    pub plan: &'j Plan,
    pub monitor: &'j Monitor,
}

/// What a search is after.
#[derive(Clone, Copy)]
pub enum Aim<'a> {
    /// A violation of safety, in this program.
    Safety(&'a Program),
    /// A run that a claim accepts.
    Claim,
}

/// Which violations it looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finds {
    /// Those of safety.
    Safety,
    /// Those that show in a state: of safety, and bad prefixes of a claim.
    States,
    /// Accepting cycles.
    Cycles,
    StatesAndCycles,
}

/// What it can say about a property for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// That it holds, and that it does not.
    Both,
    /// That it does not hold; that it holds only if nothing was dropped on the way.
    Unless,
    /// That it does not hold.
    Violations,
}

/// Whether its result is another one each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    Never,
    /// It depends on a seed.
    Seeded,
    /// It depends on which worker is faster.
    Unseeded,
}

/// How it goes through the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Several searches side by side.
    Portfolio,
    /// Level by level.
    Frontier,
    /// Depth first.
    Stack,
    /// The most promising state first.
    Directed,
    /// Along paths, without a memory of all states.
    Walk,
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workers {
    One,
    Many,
    /// Many, of which some begin at artificial states.
    Genetic,
    /// Many, each of which evaluates some individuals of a generation: the result is the same for any number of them.
    Generation,
}

/// How long the trails are that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trails {
    Shortest,
    /// Shortest if the estimate is never too high.
    ByEstimate,
    Any,
}

/// Options that are not for every search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opt {
    Seed,
    Runs,
    Evaluations,
    Threads,
    TraceRun,
    Errors,
    StopAfter,
    DepthIsError,
    BackHeuristic,
    MaxStates,
    Ranges,
    ExecutionCounts,
    MaxDepth,
    Continue,
    Shortest,
    Reduce,
}

impl Opt {
    pub const ALL: [Opt; 16] = [
        Opt::Seed,
        Opt::Runs,
        Opt::Evaluations,
        Opt::Threads,
        Opt::TraceRun,
        Opt::Errors,
        Opt::StopAfter,
        Opt::DepthIsError,
        Opt::BackHeuristic,
        Opt::MaxStates,
        Opt::Ranges,
        Opt::ExecutionCounts,
        Opt::MaxDepth,
        Opt::Continue,
        Opt::Shortest,
        Opt::Reduce,
    ];

    pub fn flag(self) -> &'static str {
        match self {
            Opt::Seed => "--seed",
            Opt::Runs => "--runs",
            Opt::Evaluations => "--evaluations",
            Opt::Threads => "--threads",
            Opt::TraceRun => "--trace-run",
            Opt::Errors => "--errors",
            Opt::StopAfter => "--stop-after",
            Opt::DepthIsError => "--depth-is-error",
            Opt::BackHeuristic => "--back-heuristic",
            Opt::MaxStates => "--max-states",
            Opt::Ranges => "--ranges",
            Opt::ExecutionCounts => "--execution-counts",
            Opt::MaxDepth => "--max-depth",
            Opt::Continue => "--continue",
            Opt::Shortest => "--shortest",
            Opt::Reduce => "--reduce",
        }
    }

    /// Which searches it is for: the end of a sentence that begins with the flag.
    pub fn scope(self) -> String {
        match self {
            Opt::Seed => "is for searches that depend on chance (see swarmgp searches)".into(),
            Opt::Runs | Opt::Evaluations => "is for searches that walk (see swarmgp searches)".into(),
            Opt::Threads => "is for searches by many threads and for --runs (see swarmgp searches)".into(),
            Opt::TraceRun => "is for searches that go on round by round, ants and genes".into(),
            Opt::Errors | Opt::StopAfter => "is for searches by one thread that see each state once".into(),
            Opt::MaxStates => "is for searches that store states (others have --evaluations)".into(),
            Opt::Ranges | Opt::ExecutionCounts | Opt::MaxDepth => {
                "is for searches by one thread that store states".into()
            }
            Opt::Continue => "is for searches that see each state once".into(),
            Opt::Shortest => "is for bfs, pbfs and for searches for cycles that see everything".into(),
            Opt::DepthIsError | Opt::BackHeuristic | Opt::Reduce => format!("is for {}", self.honoured_by()),
        }
    }

    /// The names of the searches that honour it.
    fn honoured_by(self) -> String {
        let names: Vec<&str> = ALL.iter().filter(|search| search.honours.has(self)).map(|search| search.name).collect();
        match names.split_last() {
            Some((last, [])) => last.to_string(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// A set of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Honours(u32);

impl Honours {
    pub const fn only(options: &[Opt]) -> Honours {
        Honours(0).and(options)
    }

    pub const fn and(self, options: &[Opt]) -> Honours {
        let (mut bits, mut next) = (self.0, 0);
        while next < options.len() {
            bits |= 1 << options[next] as u32;
            next += 1;
        }
        Honours(bits)
    }

    pub const fn has(self, option: Opt) -> bool {
        self.0 & 1 << option as u32 != 0
    }
}

impl Search {
    /// A search by one thread that sees every state once: what most rows begin with. It cannot be run.
    pub const EXHAUSTIVE: Search = Search {
        name: "",
        summary: "",
        paper: "",
        finds: Finds::States,
        proves: Proves::Both,
        chance: Chance::Never,
        shape: Shape::Stack,
        workers: Workers::One,
        trails: Trails::Any,
        fairness: FairnessBy::States,
        honours: Honours::only(&[
            Opt::Errors,
            Opt::StopAfter,
            Opt::MaxStates,
            Opt::Ranges,
            Opt::ExecutionCounts,
            Opt::MaxDepth,
            Opt::Continue,
        ]),
        heuristics: Vec::new,
        usual: |aim| match aim {
            Aim::Safety(_) => Heuristic::Error,
            Aim::Claim => Heuristic::Formula,
        },
        parameters: |_| Vec::new(),
        on_system: None,
        on_product: None,
    };

    /// A search that depends on chance and proves nothing.
    pub const WALK: Search = Search {
        proves: Proves::Violations,
        chance: Chance::Seeded,
        shape: Shape::Walk,
        honours: Honours::only(&[Opt::Seed, Opt::Runs, Opt::Evaluations]),
        ..Search::EXHAUSTIVE
    };

    pub fn is_walk(&self) -> bool {
        self.shape == Shape::Walk
    }

    /// It goes on round by round, and gets better.
    pub fn has_rounds(&self) -> bool {
        self.honours.has(Opt::TraceRun)
    }

    /// Many threads search together, on one visited set.
    pub fn is_parallel(&self) -> bool {
        matches!(self.workers, Workers::Many | Workers::Genetic)
    }

    /// It looks at the most promising states first.
    pub fn is_directed(&self) -> bool {
        self.shape == Shape::Directed
    }

    /// It finds cycles.
    pub fn finds_cycles(&self) -> bool {
        matches!(self.finds, Finds::Cycles | Finds::StatesAndCycles)
    }

    /// It finds violations that show in a state.
    pub fn finds_states(&self) -> bool {
        self.finds != Finds::Cycles
    }

    /// It searches a product, too.
    pub fn takes_claims(&self) -> bool {
        self.finds != Finds::Safety
    }

    pub fn proves(&self) -> bool {
        self.proves == Proves::Both
    }
}

impl PartialEq for Search {
    fn eq(&self, other: &Search) -> bool {
        self.name == other.name
    }
}

impl Eq for Search {}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The search with this name.
pub fn find(name: &str) -> Option<&'static Search> {
    ALL.into_iter().find(|search| search.name == name)
}

/// All searches, in the order in which they are listed.
pub static ALL: [&Search; 20] = [
    &AUTO,
    &BFS,
    &DFS,
    &NDFS,
    &INDFS,
    &SCC,
    &ASTAR,
    &IDA_STAR,
    &BEST_FIRST,
    &BEAM,
    &ACO,
    &ACO_LIVE,
    &PATH_GA,
    &GEGA,
    &RANDOM_WALK,
    &PBFS,
    &SWARM,
    &SWARM_GP,
    &CNDFS,
    &CNDFS_GP,
];

/// Of searches that follow one path, or one level, to the letter.
const TO_THE_LETTER: &[Opt] = &[Opt::DepthIsError, Opt::Shortest];

pub static AUTO: Search = Search {
    name: "auto",
    summary: "an exhaustive search, on all cores where there is much to search, and beside it ants, genes and a depth-first search: who is first",
    finds: Finds::StatesAndCycles,
    chance: Chance::Seeded,
    shape: Shape::Portfolio,
    honours: Honours::only(&[
        Opt::Seed,
        Opt::Evaluations,
        Opt::Threads,
        Opt::MaxStates,
        Opt::MaxDepth,
        Opt::Continue,
        Opt::Shortest,
    ]),
    ..Search::EXHAUSTIVE
};

pub static BFS: Search = Search {
    name: "bfs",
    summary: "breadth first, with shortest trails",
    shape: Shape::Frontier,
    trails: Trails::Shortest,
    fairness: FairnessBy::Edges,
    honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER).and(&[Opt::Reduce]),
    on_system: Some(|problem, job| match &problem.reduction {
        Some(reduction) if job.plan.config.reduce => {
            reduced::search::<_, Store>(problem, reduction, job.plan.config, job.monitor)
        }
        _ => bfs::search::<_, Store>(problem, job.plan.config, job.monitor),
    }),
    on_product: Some(|problem, job| bfs::search::<_, Store>(problem, job.plan.config, job.monitor)),
    ..Search::EXHAUSTIVE
};

pub static DFS: Search = Search {
    name: "dfs",
    summary: "depth first, in pan's order",
    finds: Finds::Safety,
    honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER),
    on_system: Some(|problem, job| dfs::search::<_, Store>(problem, job.plan.config, job.monitor)),
    ..Search::EXHAUSTIVE
};

/// What searches for cycles by one thread have in common.
const FOR_CYCLES: Search =
    Search { finds: Finds::Cycles, honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER), ..Search::EXHAUSTIVE };

pub static NDFS: Search = Search {
    name: "ndfs",
    summary: "nested depth-first search for cycles",
    paper: "Holzmann, Peled, Yannakakis 1996; Schwoon, Esparza 2005",
    on_product: Some(|problem, job| ndfs::search::<_, Store>(problem, Classes::Ignored, job.plan.config, job.monitor)),
    ..FOR_CYCLES
};

pub static INDFS: Search = Search {
    name: "indfs",
    summary: "the same, with the classes of the claim's components",
    paper: "Edelkamp, Lluch Lafuente, Leue 2001",
    on_product: Some(|problem, job| ndfs::search::<_, Store>(problem, Classes::Used, job.plan.config, job.monitor)),
    ..FOR_CYCLES
};

pub static SCC: Search = Search {
    name: "scc",
    summary: "cycles by strongly connected components",
    paper: "Couvreur 1999; Gabow 2000",
    fairness: FairnessBy::Edges,
    on_product: Some(|problem, job| scc::search::<_, Store>(problem, job.plan.config, job.monitor)),
    ..FOR_CYCLES
};

/// What directed searches have in common.
const DIRECTED: Search = Search {
    paper: "Edelkamp, Lluch Lafuente, Leue 2001",
    shape: Shape::Directed,
    heuristics: of_states,
    ..Search::EXHAUSTIVE
};

pub static ASTAR: Search = Search {
    name: "astar",
    summary: "A*: steps so far and estimate together",
    usual: |_| Heuristic::None,
    trails: Trails::ByEstimate,
    parameters: |knobs| {
        let weight = Value::Real(&mut knobs.weight, 0.0..=1e6);
        vec![parameter("weight", "of the estimate; 1 for shortest trails", weight)]
    },
    on_system: Some(|problem, job| directed(problem, Order::AStar { weight: job.plan.knobs.weight }, job)),
    on_product: Some(|problem, job| directed(problem, Order::AStar { weight: job.plan.knobs.weight }, job)),
    ..DIRECTED
};

pub static IDA_STAR: Search = Search {
    name: "ida-star",
    summary: "A* by iterative deepening, without a memory of visited states",
    paper: "Korf 1985; Edelkamp, Lluch Lafuente, Leue 2001",
    usual: |_| Heuristic::None,
    trails: Trails::ByEstimate,
    honours: Honours::only(&[Opt::MaxStates, Opt::MaxDepth]),
    on_system: Some(|problem, job| deepening(problem, job.plan, job.monitor)),
    on_product: Some(|problem, job| deepening(problem, job.plan, job.monitor)),
    ..DIRECTED
};

pub static BEST_FIRST: Search = Search {
    name: "best-first",
    summary: "the state with the least estimate first",
    on_system: Some(|problem, job| directed(problem, Order::BestFirst, job)),
    on_product: Some(|problem, job| directed(problem, Order::BestFirst, job)),
    ..DIRECTED
};

pub static BEAM: Search = Search {
    name: "beam",
    summary: "best first, level by level, with room for some states of each",
    proves: Proves::Unless,
    honours: Honours::only(&[Opt::MaxStates, Opt::Ranges, Opt::ExecutionCounts, Opt::MaxDepth, Opt::Continue]),
    parameters: |knobs| vec![parameter("width", "states of a level", Value::Count(&mut knobs.width, 1..=100_000_000))],
    on_system: Some(|problem, job| directed(problem, Order::Beam { width: job.plan.knobs.width as usize }, job)),
    on_product: Some(|problem, job| directed(problem, Order::Beam { width: job.plan.knobs.width as usize }, job)),
    ..DIRECTED
};

pub static ACO: Search = Search {
    name: "aco",
    summary: "ants (ACOhg) for violations that show in a state",
    paper: "Alba, Chicano 2007",
    honours: Search::WALK.honours.and(&[Opt::TraceRun]),
    heuristics: of_states,
    parameters: |knobs| knobs.walks.ants(false),
    on_system: Some(|problem, job| walk::search(problem, Walk::Aco, job)),
    on_product: Some(|problem, job| walk::search(problem, Walk::Aco, job)),
    ..Search::WALK
};

pub static ACO_LIVE: Search = Search {
    name: "aco-live",
    summary: "ants (ACOhg-live) for cycles",
    paper: "Chicano, Alba 2008",
    usual: |_| Heuristic::Lasso,
    finds: Finds::Cycles,
    honours: Search::WALK.honours.and(&[Opt::TraceRun, Opt::BackHeuristic]),
    heuristics: of_states,
    parameters: |knobs| knobs.walks.ants(true),
    on_product: Some(|problem, job| walk::search(problem, Walk::AcoLive, job)),
    ..Search::WALK
};

pub static PATH_GA: Search = Search {
    name: "path-ga",
    summary: "a genetic algorithm on paths of bits",
    paper: "Godefroid, Khurshid 2004",
    workers: Workers::Generation,
    honours: Search::WALK.honours.and(&[Opt::TraceRun, Opt::Errors, Opt::Threads]),
    heuristics: || vec![Heuristic::Enabled, Heuristic::Messages, Heuristic::Assertions],
    usual: |aim| match aim {
        Aim::Safety(program) => fitness(program),
        Aim::Claim => Heuristic::Enabled,
    },
    parameters: |knobs| knobs.walks.path_ga.parameters(),
    on_system: Some(|problem, job| walk::search(problem, Walk::PathGa, job)),
    on_product: Some(|problem, job| walk::search(problem, Walk::PathGa, job)),
    ..Search::WALK
};

pub static GEGA: Search = Search {
    name: "gega",
    summary: "a genetic algorithm on paths that grow and shrink, with a memory operator",
    paper: "Alba, Chicano, Ferreira, Gómez-Pulido 2008",
    finds: Finds::StatesAndCycles,
    workers: Workers::Generation,
    honours: Search::WALK.honours.and(&[Opt::TraceRun, Opt::BackHeuristic, Opt::Threads]),
    heuristics: || of_states().into_iter().chain([Heuristic::Blocked]).collect(),
    usual: |aim| match aim {
        Aim::Safety(_) => Heuristic::Blocked,
        Aim::Claim => Heuristic::Formula,
    },
    parameters: |knobs| knobs.walks.gega.parameters(),
    on_system: Some(|problem, job| walk::search(problem, Walk::Gega, job)),
    on_product: Some(|problem, job| walk::search(problem, Walk::Gega, job)),
    ..Search::WALK
};

pub static RANDOM_WALK: Search = Search {
    name: "random-walk",
    summary: "random walks",
    finds: Finds::StatesAndCycles,
    parameters: |knobs| knobs.walks.random.parameters(),
    on_system: Some(|problem, job| walk::search(problem, Walk::Random, job)),
    on_product: Some(|problem, job| walk::search(problem, Walk::Random, job)),
    ..Search::WALK
};

/// What searches by many threads have in common.
const PARALLEL: Search = Search {
    chance: Chance::Unseeded,
    workers: Workers::Many,
    honours: Honours::only(&[Opt::Threads, Opt::MaxStates]),
    ..Search::EXHAUSTIVE
};

pub static PBFS: Search = Search {
    name: "pbfs",
    summary: "breadth first, by many threads, with shortest trails",
    shape: Shape::Frontier,
    trails: Trails::Shortest,
    fairness: FairnessBy::Edges,
    honours: PARALLEL.honours.and(&[Opt::Continue, Opt::Shortest]),
    on_system: Some(|problem, job| swarm::bfs::search(problem, job.plan.config, job.monitor)),
    on_product: Some(|problem, job| swarm::bfs::search(problem, job.plan.config, job.monitor)),
    ..PARALLEL
};

pub static SWARM: Search = Search {
    name: "swarm",
    summary: "depth first, by many threads in different orders",
    paper: "Renault 2020",
    finds: Finds::Safety,
    honours: PARALLEL.honours.and(&[Opt::Continue]),
    on_system: Some(|problem, job| swarm::search(problem, job.plan.config, job.monitor)),
    ..PARALLEL
};

pub static SWARM_GP: Search = Search {
    name: "swarm-gp",
    summary: "the same, and some threads start at states that were bred from others",
    paper: "Renault 2020",
    finds: Finds::Safety,
    chance: Chance::Seeded,
    workers: Workers::Genetic,
    honours: PARALLEL.honours.and(&[Opt::Seed]),
    parameters: |knobs| knobs.genetic.parameters(),
    on_system: Some(|problem, job| {
        genetic::search(problem, &job.plan.knobs.genetic, job.plan.seed, job.plan.config, job.monitor)
    }),
    ..PARALLEL
};

pub static CNDFS: Search = Search {
    name: "cndfs",
    summary: "nested depth-first search for cycles, by many threads in different orders",
    paper: "Evangelista, Laarman, Petrucci, van de Pol 2012",
    finds: Finds::Cycles,
    honours: PARALLEL.honours.and(&[Opt::Shortest]),
    on_product: Some(|problem, job| swarm::search_for_cycles(problem, job.plan.config, job.monitor)),
    ..PARALLEL
};

pub static CNDFS_GP: Search = Search {
    name: "cndfs-gp",
    summary: "the same, and some threads hunt from states that were bred from others",
    paper: "Evangelista, Laarman, Petrucci, van de Pol 2012; Renault 2020",
    finds: Finds::Cycles,
    chance: Chance::Seeded,
    workers: Workers::Genetic,
    honours: PARALLEL.honours.and(&[Opt::Seed, Opt::Shortest]),
    parameters: |knobs| knobs.genetic.parameters(),
    on_product: Some(|problem, job| {
        hunt::search(problem, &job.plan.knobs.genetic, job.plan.seed, job.plan.config, job.monitor)
    }),
    ..PARALLEL
};

/// The heuristics that look at one state.
fn of_states() -> Vec<Heuristic> {
    Heuristic::ALL.into_iter().filter(|heuristic| !heuristic.needs_walk() && !heuristic.needs_target()).collect()
}

/// What is fit for a path on which something is to go wrong.
fn fitness(program: &Program) -> Heuristic {
    let has = |wanted: fn(&Action) -> bool| program.transitions.iter().any(|transition| wanted(&transition.action));
    match (has(|action| matches!(action, Action::Assert(..))), has(|action| matches!(action, Action::Send(_)))) {
        (false, _) => Heuristic::Enabled,
        (true, true) => Heuristic::Messages,
        (true, false) => Heuristic::Assertions,
    }
}

fn directed<S: System>(problem: &Problem<S>, order: Order, job: &Job) -> Tally {
    let guide = guide(problem, job.plan);
    let estimate = |system: &S, state: &mut [u64], scratch: &mut _| guide.estimate(system, state, scratch);
    directed::search::<_, Store>(problem, order, &estimate, job.plan.config, job.monitor)
}

fn deepening<S: System>(problem: &Problem<S>, plan: &Plan, monitor: &Monitor) -> Tally {
    let guide = guide(problem, plan);
    let estimate = |system: &S, state: &mut [u64], scratch: &mut _| guide.estimate(system, state, scratch);
    ida::search(problem, &estimate, plan.config, monitor)
}

fn guide<S: System>(problem: &Problem<S>, plan: &Plan) -> Guide {
    Guide::new(problem.system.program(), problem.claim, plan.heuristic, plan.goal.clone())
}
