//! The rows of the table. Each says in its summary what it is.

#![allow(missing_docs)]

use super::{Aim, Chance, Finds, Honours, Job, Opt, Proves, Search, Shape, Trails, Workers};
use crate::program::Program;
use crate::program::code::Action;
use crate::search::directed::{self, Order};
use crate::search::exhaustive::nested::Classes;
use crate::search::exhaustive::{bfs, dfs, ndfs, scc};
use crate::search::guide::{Guide, Heuristic};
use crate::search::parameter::{Value, parameter};
use crate::search::problem::{FairnessBy, Problem};
use crate::search::swarm::{self, genetic, hunt};
use crate::search::walk::run::{self as walk, Walk};
use crate::search::{Monitor, Plan, Proviso, Tally, ida};
use crate::store::Store;
use crate::system::System;

/// All searches, in the order in which they are listed.
pub static ALL: [&Search; 22] = [
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
    &RDKP,
    &UFSCC,
];

/// Of searches that follow one path, or one level, to the letter.
const TO_THE_LETTER: &[Opt] = &[Opt::DepthIsError, Opt::Shortest];

/// What goes with reduction.
const REDUCED: &[Opt] = &[Opt::Reduce, Opt::Proviso];

pub static AUTO: Search = Search {
    name: "auto",
    summary: "an exhaustive search, a reduced one on all cores for large models, beside it ants, genes and depth first: the first answer counts",
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
    honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER).and(REDUCED),
    provisos: IN_A_QUEUE,
    on_system: Some(|problem, job| bfs::search::<_, Store>(problem, job.plan.config, job.monitor)),
    on_product: Some(|problem, job| bfs::search::<_, Store>(problem, job.plan.config, job.monitor)),
    ..Search::EXHAUSTIVE
};

pub static DFS: Search = Search {
    name: "dfs",
    summary: "depth first, in pan's order",
    finds: Finds::Safety,
    honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER).and(REDUCED),
    provisos: FOR_STATES,
    on_system: Some(|problem, job| dfs::search::<_, Store>(problem, job.plan.config, job.monitor)),
    ..Search::EXHAUSTIVE
};

/// The provisos of breadth-first searches.
const IN_A_QUEUE: &[Proviso] = &[Proviso::BottomSafe, Proviso::Queue];

/// The provisos of depth-first searches for what shows in a state.
const FOR_STATES: &[Proviso] = &[Proviso::Pr19Safe, Proviso::Lw14Safe, Proviso::Pr19Live, Proviso::Lw14Live];

/// What searches for cycles by one thread have in common.
const FOR_CYCLES: Search = Search {
    finds: Finds::Cycles,
    honours: Search::EXHAUSTIVE.honours.and(TO_THE_LETTER).and(REDUCED),
    provisos: &[Proviso::Pr19Live, Proviso::Lw14Live],
    ..Search::EXHAUSTIVE
};

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
    honours: PARALLEL.honours.and(&[Opt::Continue, Opt::Shortest]).and(REDUCED),
    provisos: IN_A_QUEUE,
    on_system: Some(|problem, job| swarm::bfs::search(problem, job.plan.config, job.monitor)),
    on_product: Some(|problem, job| swarm::bfs::search(problem, job.plan.config, job.monitor)),
    ..PARALLEL
};

pub static SWARM: Search = Search {
    name: "swarm",
    summary: "depth first, by many threads in different orders",
    paper: "Renault 2020",
    finds: Finds::Safety,
    honours: PARALLEL.honours.and(&[Opt::Continue]).and(REDUCED),
    provisos: FOR_STATES,
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
    honours: PARALLEL.honours.and(&[Opt::Shortest]).and(REDUCED),
    provisos: FOR_CYCLES.provisos,
    on_product: Some(|problem, job| swarm::search_for_cycles(problem, job.plan.config, job.monitor)),
    ..PARALLEL
};

/// What searches by components and many threads have in common.
const COMPONENTS: Search = Search {
    finds: Finds::StatesAndCycles,
    fairness: FairnessBy::Edges,
    honours: PARALLEL.honours.and(&[Opt::Shortest]).and(REDUCED),
    ..PARALLEL
};

pub static RDKP: Search = Search {
    name: "rdkp",
    summary: "cycles by components, by many threads that share what they know of them",
    paper: "Renault, Duret-Lutz, Kordon, Poitrenaud 2016; Poitrenaud, Renault 2019",
    provisos: &[Proviso::SccPr19Safe, Proviso::Pr19Safe, Proviso::Lw14Safe, Proviso::Pr19Live, Proviso::Lw14Live],
    on_system: Some(|problem, job| swarm::search_components(problem, job.plan.config, job.monitor)),
    on_product: Some(|problem, job| swarm::search_components(problem, job.plan.config, job.monitor)),
    ..COMPONENTS
};

pub static UFSCC: Search = Search {
    name: "ufscc",
    summary: "the same, and threads explore a component together",
    paper: "Bloemen, van de Pol 2016; Poitrenaud, Renault 2019",
    provisos: &[Proviso::WsPr19Safe, Proviso::WsDoneLive, Proviso::WsPr19Live],
    on_system: Some(|problem, job| swarm::search_shared_components(problem, job.plan.config, job.monitor)),
    on_product: Some(|problem, job| swarm::search_shared_components(problem, job.plan.config, job.monitor)),
    ..COMPONENTS
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
