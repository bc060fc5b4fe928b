//! How a property is searched: the search, and what was set for it.

use crate::cli::Failure;
use crate::cli::args::{Switch, Verify};
use crate::program::Program;
use crate::reduce::Reductions;
use crate::search::Plan;
use crate::search::catalogue::{Opt, Search};
use crate::search::guide::Heuristic;
use crate::search::swarm::MOST_THREADS;
use crate::search::{Config, Enough, Knobs};
use crate::verify::{Kind, Task, properties, refuse_hidden};

/// What the options say about a search that was not named.
pub fn unnamed(args: &Verify, program: &Program, task: &Task, search: &'static Search) -> Plan {
    let shorten = args.shorten != Some(Switch::Off);
    let (seed, config) = (args.seed.unwrap_or(1), config(args, search));
    Plan { config, seed, shorten, ..Plan::usual(search, task.kind.aim(program)) }
}

fn config(args: &Verify, search: &'static Search) -> Config {
    Config {
        search,
        enough: enough(args),
        depth_is_error: args.depth_is_error,
        reduce: args.reduce.unwrap_or_default(),
        proviso: args.proviso,
        threads: threads(args),
        ranges: args.ranges,
    }
}

fn enough(args: &Verify) -> Enough {
    match (args.keep_going, args.errors, args.stop_after) {
        (true, ..) => Enough::Never,
        (_, Some(errors), _) => Enough::Different(errors as usize),
        (_, _, Some(errors)) => Enough::Errors(errors),
        _ => Enough::First,
    }
}

/// How many threads may search.
fn threads(args: &Verify) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    args.threads.map_or_else(cores, |threads| threads as usize).min(MOST_THREADS)
}

/// What the options say about a search; those that do not apply to it are refused.
pub fn planned(args: &Verify, program: &Program, task: &Task, search: &'static Search) -> Result<Plan, Failure> {
    refuse(args, search)?;
    refuse_hidden(search, program)?;
    let mut knobs = Knobs::default();
    let set = search.set(&mut knobs, &assignments(args, search));
    set.map_err(|why| Failure::Usage(format!("--search {}: {why}", search.name)))?;
    let goal = match &args.goal {
        None => None,
        Some(text) => {
            let code = properties::goal(program);
            Some(code.ok_or_else(|| Failure::Usage(format!("the goal `{text}` is about more than one state")))?)
        }
    };
    let heuristic = match args.heuristic {
        Some(heuristic) if !(search.heuristics)().contains(&heuristic) => {
            let known: Vec<&str> = (search.heuristics)().into_iter().map(Heuristic::name).collect();
            let why = format!("--search {} cannot use the heuristic {}", search.name, heuristic.name());
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
        None => (search.usual)(task.kind.aim(program)),
    };
    let planned = Plan {
        config: config(args, search),
        knobs,
        heuristic,
        goal,
        back: args.back_heuristic.unwrap_or(Heuristic::Fsm),
        seed: args.seed.unwrap_or(1),
        shorten: args.shorten != Some(Switch::Off),
        traced: args.trace_run,
    };
    let several = planned.knobs.walks.path_ga.errors > 1;
    if several && (args.trail.is_some() || args.runs.is_some()) {
        return Err(Failure::Usage(
            "several errors have several trails, and belong to one run: no --trail, no --runs".into(),
        ));
    }
    if args.shorten.is_some() && (planned.is_optimal() && !planned.config.reduce.any() || args.shortest) {
        return Err(Failure::Usage("--shorten is for searches whose trails are not shortest ones anyway".into()));
    }
    Ok(planned)
}

/// Options of their own are another way to set a parameter.
fn assignments(args: &Verify, search: &Search) -> Vec<String> {
    let mut all = Vec::new();
    all.extend(args.weight.map(|weight| format!("weight={weight:?}")));
    all.extend(args.scc.map(|scc| format!("scc={}", scc.name())));
    all.extend(args.crossover.map(|crossover| format!("crossover={}", crossover.name())));
    all.extend(args.errors.filter(|_| search.is_walk()).map(|errors| format!("errors={errors}")));
    if args.memory_operator {
        // the paper's: paths are short, and there is time for many generations
        all.extend(["memory=on", "length=50", "generations=1000"].map(String::from));
    }
    all.extend(args.set.iter().cloned());
    all
}

/// Refuses an option that the search does not honour.
fn refuse(args: &Verify, search: &Search) -> Result<(), Failure> {
    let refused = Opt::ALL.into_iter().find(|&option| is_given(args, option) && !search.honours.has(option));
    let refused = refused.map(|option| (option.name(), option.scope()));
    let heuristics = (search.heuristics)();
    let unguided = [
        ("--heuristic", args.heuristic.is_some() && heuristics.is_empty()),
        ("--goal", args.goal.is_some() && !heuristics.contains(&Heuristic::Formula)),
    ];
    let unguided = unguided.into_iter().find(|&(_, given)| given);
    let unguided = unguided.map(|(flag, _)| (flag, "is for searches that are guided".to_string()));
    match refused.or(unguided) {
        Some((flag, scope)) => Err(Failure::Usage(format!("{flag} {scope}, not for {}", search.name))),
        None => Ok(()),
    }
}

fn is_given(args: &Verify, option: Opt) -> bool {
    match option {
        Opt::Seed => args.seed.is_some(),
        Opt::Runs => args.runs.is_some(),
        Opt::Evaluations => args.evaluations.is_some(),
        // with --runs the threads do different runs, so every search has them
        Opt::Threads => args.runs.is_none() && args.threads.is_some_and(|threads| threads > 1 || args.search.is_some()),
        Opt::TraceRun => args.trace_run,
        Opt::Errors => args.errors.is_some(),
        Opt::StopAfter => args.stop_after.is_some(),
        Opt::DepthIsError => args.depth_is_error,
        Opt::BackHeuristic => args.back_heuristic.is_some(),
        Opt::MaxStates => args.max_states.is_some(),
        Opt::Ranges => args.ranges,
        Opt::ExecutionCounts => args.execution_counts,
        Opt::MaxDepth => args.max_depth.is_some(),
        Opt::Continue => args.keep_going,
        Opt::Shortest => args.shortest,
        Opt::Reduce => args.reduce.is_some_and(Reductions::any),
        Opt::Proviso => args.proviso.is_some(),
    }
}
