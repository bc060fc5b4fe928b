//! Models are run by a system that is checked at every step: see `swarmgp::system::checked`.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use swarmgp::load::{self, Options, Program};
use swarmgp::property::{Claim, Fairness, Product};
use swarmgp::source::Source;
use swarmgp::system::checked::Checked;
use swarmgp::system::{Batch, Interpreter, Outcome, Run, Savings, Step, System};

/// States of a model that are expanded.
const MOST: usize = 1_500;

/// What is asked for of each state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Successors,
    /// Those by moves of each process, too; together they are the same.
    ByProcess,
}

/// The moves in a batch: steps, and the states behind them.
fn moves(batch: &Batch) -> Vec<(String, Vec<u64>)> {
    let moved = batch.entries.iter().filter(|entry| entry.step != Step::STUTTER);
    let mut moves: Vec<_> = moved
        .map(|entry| (format!("{:?}", batch.steps(entry).collect::<Vec<_>>()), batch.state(entry).to_vec()))
        .collect();
    moves.sort();
    moves
}

/// Expands the first states of a system; says how many there were.
fn explore<S: System>(system: &S, asked: Asked) -> usize {
    let mut scratch = system.scratch();
    let Ok(initial) = system.initial(&mut scratch) else { return 0 };
    let mut seen = HashSet::from([initial.clone()]);
    let mut queue = VecDeque::from([initial]);
    let mut batch = Batch::default();
    let mut expanded = 0;
    while let Some(state) = queue.pop_front().filter(|_| expanded < MOST) {
        expanded += 1;
        batch.clear();
        system.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
        for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
            let next = batch.state(entry).to_vec();
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
        if batch.entries.is_empty() {
            system.end(&state, &mut scratch);
        }
        if asked == Asked::ByProcess {
            let all = moves(&batch);
            let count = system.observer(&mut scratch).control(&state).count();
            let mut parts = Vec::new();
            for pid in 0..count {
                batch.clear();
                system.process_successors(&state, pid, &mut scratch, &mut batch);
                parts.extend(moves(&batch));
            }
            parts.sort();
            if !system.program().uses_timeout {
                assert_eq!(parts, all);
            }
        }
    }
    expanded
}

fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut folders = vec![root];
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path if path.extension().is_some_and(|extension| extension == "pml") => models.push(path),
                _ => {}
            }
        }
    }
    models.sort();
    models
}

fn programs() -> impl Iterator<Item = (PathBuf, Program)> {
    let load = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a model");
        let source = Source::new(path.to_string_lossy(), text);
        load::program(source, &Options::default()).ok().map(|loaded| (path, loaded.it))
    };
    models().into_iter().filter_map(load)
}

#[test]
fn what_saves_work_changes_nothing() {
    let mut expanded = 0;
    for (path, program) in programs() {
        println!("{}", path.display());
        for savings in [Savings::All, Savings::InPlace] {
            let system = Interpreter::new(&program).saving(savings);
            expanded += explore(&Checked::new(system, &program), Asked::ByProcess);
        }
    }
    assert!(expanded > 50_000, "only {expanded} states");
}

#[test]
fn products_of_a_checked_system_are_its_products() {
    let mut expanded = 0;
    for (path, program) in programs() {
        println!("{}", path.display());
        for formula in &program.formulas {
            let Ok(claim) = Claim::against(formula) else { continue };
            for fairness in [Fairness::None, Fairness::Weak] {
                let checked = Checked::new(Interpreter::new(&program), &program);
                let (own, plain) = (
                    Product::new(checked, &claim, fairness).expect("a product"),
                    Product::new(Interpreter::new(&program), &claim, fairness).expect("a product"),
                );
                let states = explore(&own, Asked::Successors);
                assert_eq!(states, explore(&plain, Asked::ByProcess));
                expanded += states;
            }
        }
    }
    assert!(expanded > 10_000, "only {expanded} states");
}
