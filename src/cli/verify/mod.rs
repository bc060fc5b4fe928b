//! `swarmgp verify`

mod counterexample;
mod loading;
mod overview;
mod plan;
mod runs;
mod session;
mod summary;

use super::args::{PropertyArgs, Verify};
use super::output::Reader;
use super::overwrite;
use super::{Done, Exit, Failure, interrupt, memory, output, progress, say_all};
use crate::load::{self, Loaded};
use crate::machine;
use crate::program::Program;
use crate::property::Fairness;
use crate::reduce::Reductions;
use crate::report::json::{Document, Remark};
use crate::report::paint;
use crate::search::Plan;
use crate::search::catalogue::{self, AUTO, BEST_FIRST, DFS, Search};
use crate::search::{Checks, Limits, Monitor, Verdict};
use crate::source::Source;
use crate::verify::patience::{Others, Patience};
use crate::verify::{
    Asked, Clock, Kind, RefusedProperty, Request, RunsDone, Task, Unwatched, Watcher, check_reduction, properties,
};
use ltl::automaton::Buchi;
use session::{Results, Session};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub fn verify(args: &Verify) -> Done {
    let mut document = Document::new(args.model.shown());
    let done = check(args, &mut document);
    if let (Err(Failure::Limit(inconclusive)), None) = (&done, args.json) {
        output::print(&format!("{}\n", paint::headline(inconclusive)))?;
        return Ok(Exit::Inconclusive);
    }
    if let Some(schema) = args.json {
        match &done {
            Ok(_) => {}
            Err(failure @ Failure::Limit(_)) => document.give_up(failure.remarks()),
            Err(failure) => document.refuse(failure.remarks()),
        }
        document.render(schema.into()).map_or(Ok(Reader::There), |text| output::print(&text))?;
    }
    done
}

/// Checks everything; what programs want to know of it goes to `document`, the rest is printed at once.
fn check(args: &Verify, document: &mut Document) -> Done {
    let started = Instant::now();
    let loading = args.clone();
    let (loaded, automaton, fingerprint) = loading::within(limits(args), started, move || {
        let model = load::read(&loading.model.model)?;
        let (source, automaton) = source(&loading, model.clone())?;
        let loaded = load::program(source, &loading.model.options())?;
        let fingerprint = load::fingerprint(&model, &loading.model.options())?;
        Ok((loaded, automaton, fingerprint))
    })?;
    say_all(&loaded.sources, &loaded.warnings);
    document.warn(Remark::all(&loaded.sources, &loaded.warnings));
    let stop = interrupt::flag();
    let request = request(args);
    let Asked { tasks, refused } =
        args.asked.question().tasks(&loaded, automaton, &patience(args, (started, &stop)))?;
    let plans = plans(args, &loaded.it, &tasks)?;
    check_trail(args, &loaded, &tasks)?;
    let alone = tasks.len() == 1 && refused.is_empty();
    let session = Session { args, request: &request, loaded: &loaded, fingerprint, alone, stop: &stop };
    let mut results = Results { document, overview: Vec::new(), exit: Exit::Fine };
    for (number, (task, plan)) in tasks.iter().zip(&plans).enumerate() {
        let clock = match tasks.len() {
            1 => Clock { started, time: args.time, stop: &stop },
            all => Clock::for_next(args.time, started, all - number, &stop),
        };
        if session.check(task, plan, clock, &mut results)? == Reader::Gone {
            return Ok(results.exit);
        }
    }
    session.refuse(&refused, &mut results)?;
    if !alone && !args.quiet && args.json.is_none() {
        output::print(&overview::text(&results.overview, output::width()))?;
    }
    Ok(results.exit)
}

/// The line on the terminal that shows how far a search is.
struct Line {
    shown: bool,
}

impl Watcher for Line {
    fn watch<T>(&self, monitor: &Monitor, work: impl FnOnce() -> T) -> T {
        if self.shown { progress::watched(monitor, work) } else { Unwatched.watch(monitor, work) }
    }

    fn watch_runs<T>(&self, done: &RunsDone, work: impl FnOnce() -> T) -> T {
        if self.shown { progress::counted(done, work) } else { work() }
    }
}

/// The model with what the command line adds to it, and the automaton that it names.
fn source(args: &Verify, model: Source) -> Result<(Source, Option<Buchi>), Failure> {
    let model = match &args.goal {
        Some(goal) => properties::with_goal(model, goal)?,
        None => model,
    };
    Ok(args.asked.question().added_to(model)?)
}

/// What the command line wants, whatever is searched.
fn request(args: &Verify) -> Request {
    Request {
        checks: checks(args),
        claim_checks: cycle_checks(args),
        fairness: fairness(args),
        limits: limits(args),
        execution_counts: args.execution_counts,
        savings: args.savings.into(),
        shortest: args.shortest,
        runs: args.runs,
    }
}

/// What the command line allows.
fn limits(args: &Verify) -> Limits {
    Limits {
        max_depth: args.max_depth,
        max_states: args.max_states,
        memory: args.memory.or_else(memory::default_limit),
        in_use: Some(machine::resident),
        time: args.time,
        evaluations: args.evaluations,
        ..Limits::default()
    }
}

/// Automata take part of the time that there is for everything.
fn patience(args: &Verify, clock: (Instant, &Arc<AtomicBool>)) -> Patience {
    let PropertyArgs { property, ltl, .. } = &args.asked;
    let others = if property.is_some() || ltl.is_some() { Others::Nothing } else { Others::Properties };
    Patience::new(limits(args), others, clock)
}

/// A trail does not overwrite what is read, and can be written where it was asked for.
fn check_trail(args: &Verify, loaded: &Loaded<Program>, tasks: &[Task]) -> Result<(), Failure> {
    if args.no_trail {
        return Ok(());
    }
    if let Some(file) = &args.trail {
        if output::is_standard(file) {
            return Err(Failure::Usage("--trail names a file: the standard output is for the result".into()));
        }
        return overwrite::check(&[("--trail", file)], inputs(args, loaded));
    }
    let alone = tasks.len() == 1;
    let mut files = tasks.iter().map(|task| counterexample::trail_file(args, task, 1, alone));
    files.try_for_each(|file| overwrite::check_input(("the trail", &file), inputs(args, loaded)))
}

/// All files that the model and the property were read from.
fn inputs<'i>(args: &'i Verify, loaded: &'i Loaded<Program>) -> impl Iterator<Item = &'i Path> {
    let PropertyArgs { never, automaton, .. } = &args.asked;
    loaded.sources.paths().chain(never.as_deref()).chain(automaton.as_deref())
}

/// What is asked about a model.
pub struct Question {
    pub property: String,
    /// A fingerprint of everything that is part of the model.
    pub model: u64,
    pub files: Vec<PathBuf>,
}

/// The only question that these arguments ask, if everything is in order; nothing is searched.
pub fn only_property(args: &Verify) -> Result<Question, Failure> {
    let (source, automaton) = source(args, load::read(&args.model.model)?)?;
    let loaded = load::program(source, &args.model.options())?;
    let clock = (Instant::now(), &Arc::default());
    let Asked { tasks, refused } = args.asked.question().tasks(&loaded, automaton, &patience(args, clock))?;
    plans(args, &loaded.it, &tasks)?;
    Ok(Question {
        property: only(&tasks, &refused)?.property.clone(),
        model: loaded.sources.fingerprint(),
        files: inputs(args, &loaded).map(Path::to_path_buf).collect(),
    })
}

fn only<'t, 'p>(tasks: &'t [Task<'p>], refused: &[RefusedProperty]) -> Result<&'t Task<'p>, Failure> {
    if let ([task], []) = (tasks, refused) {
        return Ok(task);
    }
    let refused = refused.iter().map(|refused| refused.property.as_str());
    let names: Vec<&str> = tasks.iter().map(|task| task.property.as_str()).chain(refused).collect();
    let names = names.join(", ");
    Err(Failure::Usage(format!("the model states several properties: choose one with --property: {names}")))
}

/// Searches that are worth a comparison on the only property that these arguments ask for.
pub fn suitable(args: &Verify) -> Result<Vec<&'static Search>, Failure> {
    let (source, automaton) = source(args, load::read(&args.model.model)?)?;
    let loaded = load::program(source, &args.model.options())?;
    let clock = (Instant::now(), &Arc::default());
    let Asked { tasks, refused } = args.asked.question().tasks(&loaded, automaton, &patience(args, clock))?;
    let kind = &only(&tasks, &refused)?.kind;
    let others = [&BEST_FIRST].into_iter().chain(kind.walks().iter().copied());
    Ok([kind.exhaustive()].into_iter().chain(others).filter(|&search| kind.allows(search)).collect())
}

/// How each property is searched.
fn plans(args: &Verify, program: &Program, tasks: &[Task]) -> Result<Vec<Plan>, Failure> {
    let searches = tasks.iter().map(|task| search_for(args, task, tasks.len() == 1)).collect::<Result<Vec<_>, _>>()?;
    check_options(args, tasks)?;
    let plans = tasks.iter().zip(searches).map(|(task, search)| {
        // a property that the named search cannot check is searched as usual
        let usual = args.search.is_some_and(|named| named != search && named != &AUTO);
        let plan = match usual {
            true => plan::unnamed(args, program, task, search),
            false => plan::planned(args, program, task, search)?,
        };
        check_reduction(&plan.config, task.kind.aim(program))?;
        Ok(plan)
    });
    plans.collect()
}

/// What does not apply is refused, not ignored.
fn check_options(args: &Verify, tasks: &[Task]) -> Result<(), Failure> {
    let safety = tasks.iter().any(|task| matches!(task.kind, Kind::Safety));
    let cycles = tasks.iter().any(|task| !matches!(task.kind, Kind::Safety));
    let about_safety = [
        ("--check-channels-empty", args.check_channels_empty),
        ("--no-end-states", args.no_end_states),
        ("--unreached", args.unreached),
    ];
    if let Some((option, _)) = about_safety.into_iter().find(|&(_, given)| given && !safety) {
        return Err(Failure::Usage(format!("{option} is about safety, which is not checked here")));
    }
    if args.asked.weak_fairness && !cycles {
        return Err(Failure::Usage("--weak-fairness is about cycles, and none are looked for here".into()));
    }
    if args.trail.is_some() && tasks.len() > 1 {
        return Err(Failure::Usage(
            "--trail names one file, and several properties are checked: choose one with --property".into(),
        ));
    }
    Ok(())
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::Holds => Exit::Fine,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    }
}

/// A violation is worse than a property that is in error, and that is worse than not knowing.
fn worse(first: Exit, second: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Violated => 3,
        Exit::Refused => 2,
        Exit::Inconclusive => 1,
        _ => 0,
    };
    if rank(second) > rank(first) { second } else { first }
}

/// The search for a property: the one that was named, if it can check it. Where several properties are checked, one that
/// the named search cannot check gets its usual search.
fn search_for(args: &Verify, task: &Task, alone: bool) -> Result<&'static Search, Failure> {
    if args.shortest && args.search == Some(&DFS) && matches!(task.kind, Kind::Safety) {
        return Err(Failure::Usage(
            "--shortest needs --search bfs or pbfs: a depth-first search finds any trail".into(),
        ));
    }
    match args.search.filter(|&search| search != &AUTO) {
        Some(search) if task.kind.allows(search) => Ok(search),
        Some(search) if alone => {
            let can = match &task.kind {
                Kind::Cycles { claim, .. } if !claim.is_terminal() && search.finds_states() => {
                    "ndfs, indfs, scc or cndfs: it is more than a bad prefix"
                }
                kind => &can(kind),
            };
            Err(Failure::Usage(format!("--search {} cannot check {}: use {can}", search.name, task.property)))
        }
        _ if asks_for_everything(args) => Ok(task.kind.exhaustive()),
        _ => Ok(&AUTO),
    }
}

/// What only a search that sees everything can do; no walk need start beside it then.
fn asks_for_everything(args: &Verify) -> bool {
    let limits = args.max_states.is_some() || args.max_depth.is_some();
    let errors = args.keep_going || args.errors.is_some() || args.stop_after.is_some();
    limits || errors || args.reduce.is_some_and(Reductions::any) || args.unreached || asks_for_figures(args)
}

/// Figures of the whole state space, which a reduced search or one by many threads would not give.
fn asks_for_figures(args: &Verify) -> bool {
    args.ranges || args.execution_counts
}

/// The searches that see everything and can check a property.
fn can(kind: &Kind) -> String {
    let named = catalogue::ALL.into_iter().filter(|&search| search != &AUTO);
    let able = named.filter(|&search| kind.allows(search) && search.proves());
    let able: Vec<&str> = able.map(|search| search.name).collect();
    able.join(", ")
}

fn fairness(args: &Verify) -> Fairness {
    if args.asked.weak_fairness { Fairness::Weak } else { Fairness::None }
}

fn checks(args: &Verify) -> Checks {
    Checks {
        assertions: !args.no_assertions,
        end_states: !args.no_end_states,
        channels_empty: args.check_channels_empty,
        run_time_errors: true,
        claim_assertions: !args.no_assertions,
        truncation: args.check_truncation,
    }
}

/// A claim that is checked alone looks for what goes wrong on its runs, too, as pan does; where safety has been checked
/// before, all that has been said, but for what goes wrong in the claim itself.
fn cycle_checks(args: &Verify) -> Checks {
    let only_claims = !checks_safety_too(args);
    Checks {
        assertions: only_claims && !args.no_assertions,
        end_states: false,
        channels_empty: false,
        run_time_errors: only_claims,
        claim_assertions: !args.no_assertions,
        truncation: only_claims && args.check_truncation,
    }
}

/// Nothing was named, so that everything is checked, and safety first.
fn checks_safety_too(args: &Verify) -> bool {
    let PropertyArgs { property, ltl, never, automaton, .. } = &args.asked;
    property.is_none() && ltl.is_none() && never.is_none() && automaton.is_none()
}
