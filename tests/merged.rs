//! Merged steps (`--reduce=merge`) leave out states, and nothing else: what is left of random models and of those of the repository is a part of
//! all their states, all those in which no process stands where steps are merged are among them, and the same statements fail.
//!
//! `SWARMGP_MERGED_SEEDS=1-20000 cargo test --test merged -- --nocapture` chooses the seeds. A model that loses a state is shrunk and printed.

#[allow(dead_code)]
mod support {
    pub mod formula;
    pub mod generate;
    pub mod print;
    pub mod profile;
    pub mod shrink;
    pub mod tree;
}

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use support::formula::{entangled, formula, model, text};
use support::generate::generate;
use support::print::print;
use support::profile::Profile;
use support::shrink::shrink;
use support::tree::Model;
use swarmgp::load::{self, Options, Program};
use swarmgp::property::Claim;
use swarmgp::reduce::{Liveness, Reductions, smaller};
use swarmgp::source::Source;
use swarmgp::system::{Batch, Interpreter, Outcome, Run, System};

const SHRINKING: Duration = Duration::from_secs(120);
/// Larger models are not explored.
const MOST_STATES: usize = 5_000;

/// All that a search could see of a program.
struct Explored {
    states: HashSet<Vec<u64>>,
    /// Processes and the transitions with which something goes wrong.
    faults: BTreeSet<(u32, u32)>,
}

/// `None` for models that are too large, and for those with variables that are no part of a state.
fn explore(program: &Program) -> Option<Explored> {
    let system = Interpreter::new(program);
    if system.hidden_words() > 0 {
        return None;
    }
    let mut scratch = system.scratch();
    let initial = system.initial(&mut scratch).ok()?;
    let mut explored = Explored { states: HashSet::from([initial.clone()]), faults: BTreeSet::new() };
    let (mut open, mut batch) = (vec![initial], Batch::default());
    while let Some(state) = open.pop() {
        batch.clear();
        system.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
        if batch.gave_up || explored.states.len() > MOST_STATES {
            return None;
        }
        for entry in &batch.entries {
            match entry.outcome {
                Outcome::State if explored.states.insert(batch.state(entry).to_vec()) => {
                    open.push(batch.state(entry).to_vec());
                }
                Outcome::Fault(_) => {
                    explored.faults.insert((entry.step.pid, entry.step.transition));
                }
                _ => {}
            }
        }
    }
    Some(explored)
}

/// Proctypes and control states at which a process of the merged program does not stop.
fn passed(program: &Program, merged: &Program) -> HashSet<(u32, u32)> {
    let transitions = program.transitions.iter().zip(&merged.transitions);
    let passing = transitions.zip(&program.infos).filter(|((before, after), _)| before.atomic != after.atomic);
    passing.map(|((_, after), info)| (info.proctype, after.to)).collect()
}

/// How many states there are, and how many are left. `None` if the model cannot be explored.
fn compare(program: &Program, merged: &Program) -> Result<Option<(usize, usize)>, String> {
    let Some(whole) = explore(program) else { return Ok(None) };
    let Some(rest) = explore(merged) else { return Err("merged, the model cannot be explored".into()) };
    if !rest.states.is_subset(&whole.states) {
        return Err("merged, there are states that were not there before".into());
    }
    let passed = passed(program, merged);
    let system = Interpreter::new(program);
    let mut scratch = system.scratch();
    let mut stops = |state: &[u64]| !system.observer(&mut scratch).control(state).any(|at| passed.contains(&at));
    let lost = whole.states.difference(&rest.states).filter(|state| stops(state)).count();
    if lost > 0 {
        return Err(format!("{lost} of {} states are lost", whole.states.len()));
    }
    if whole.faults != rest.faults {
        return Err(format!("what fails: {:?}; merged: {:?}", whole.faults, rest.faults));
    }
    Ok(Some((whole.states.len(), rest.states.len())))
}

/// The same for all that may be asked about a model: safety, and its formulas.
fn examine(text: &str) -> Result<Option<(usize, usize)>, String> {
    let source = Source::new("m.pml", text.to_string());
    let Ok(loaded) = load::program(source, &Options::default()) else { return Ok(None) };
    let program = loaded.it;
    let merge = Reductions { merge: true, ..Reductions::NONE };
    let claims = program.formulas.iter().filter_map(|formula| Claim::against(formula).ok()?.conditions().ok());
    let mut sizes = None;
    for conditions in claims.chain([Vec::new()]) {
        sizes = compare(&program, &smaller(&program, merge, Liveness::Strong, &conditions))?;
    }
    Ok(sizes)
}

fn seeds() -> (u64, u64) {
    let Ok(text) = std::env::var("SWARMGP_MERGED_SEEDS") else { return (1, 500) };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"));
    (number(first), number(last))
}

/// Goes through the seeds; the first model that loses something is shrunk. Now and then there must be something to merge.
fn examine_seeds(make: fn(u64) -> Model, source: impl Fn(u64, &Model) -> String) {
    let (first, last) = seeds();
    let (mut compared, mut fewer) = (0, 0);
    for seed in first..=last {
        let wrong = |model: &Model| examine(&source(seed, model)).err();
        match examine(&source(seed, &make(seed))) {
            Ok(None) => {}
            Ok(Some((whole, left))) => {
                compared += 1;
                fewer += (left < whole) as u64;
            }
            Err(why) => {
                let deadline = Instant::now() + SHRINKING;
                let still = |model: &Model| Instant::now() < deadline && wrong(model).is_some();
                let smallest = shrink(&make(seed), &mut |candidate| still(candidate));
                panic!("seed {seed}: {why}\nshrunk: {:?}\n{}", wrong(&smallest), source(seed, &smallest));
            }
        }
    }
    println!("{compared} models compared, steps merged in {fewer}");
    assert!(compared * 3 > last - first && fewer * 4 > compared, "{compared} compared, {fewer} merged");
}

#[test]
fn merging_loses_no_state_of_random_models() {
    examine_seeds(|seed| generate(seed, &Profile::default()), |_, model| print(model));
}

#[test]
fn merging_loses_no_state_of_entangled_models() {
    examine_seeds(entangled, |_, model| print(model));
}

#[test]
fn merging_loses_no_state_of_models_with_formulas() {
    examine_seeds(model, |seed, model| text(model, &formula(seed)));
}

#[test]
fn merging_loses_no_state_of_our_models() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("models")];
    let mut compared = 0;
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|extension| extension == "pml") => {
                    let text = std::fs::read_to_string(&path).expect("a model");
                    let sizes = examine(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                    compared += sizes.is_some() as u64;
                }
                _ => {}
            }
        }
    }
    assert!(compared > 50, "{compared}");
}
