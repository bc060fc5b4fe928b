//! Stubborn sets hold what their definition promises: see `swarmgp::reduce::checked`. All models of the repository and random ones, with the
//! formulas that they have, in states of random walks.
//!
//! `SWARMGP_STUBBORN_SEEDS=1-20000 cargo test --test stubborn -- --nocapture` chooses the seeds of the random models. A model with a
//! set that is wrong is shrunk and printed. `SWARMGP_STUBBORN_MODEL=file` examines one model.

#[allow(dead_code)]
mod support {
    pub mod formula;
    pub mod generate;
    pub mod print;
    pub mod profile;
    pub mod shrink;
    pub mod tree;
}

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::formula::{formula, model, text};
use support::generate::generate;
use support::print::print;
use support::profile::Profile;
use support::shrink::shrink;
use support::tree::Model;
use swarmgp::load::{self, Options, Program};
use swarmgp::property::product::set_extra;
use swarmgp::property::{Claim, Fairness, Product};
use swarmgp::reduce::checked::{Bounds, Examiner, Figures};
use swarmgp::reduce::{Liveness, Reduction, Reductions, smaller};
use swarmgp::source::Source;
use swarmgp::system::{Batch, Interpreter, Outcome, Run, Step, System};

const SHRINKING: Duration = Duration::from_secs(120);

/// How much of a model is examined.
#[derive(Clone, Copy)]
struct Effort {
    walks: u64,
    length: usize,
    bounds: Bounds,
}

const FOR_RANDOM_MODELS: Effort = Effort { walks: 3, length: 15, bounds: Bounds { states: 24, depth: 12 } };
const FOR_MODELS: Effort = Effort { walks: 4, length: 40, bounds: Bounds { states: 32, depth: 16 } };

/// Successors that our sets keep in states of the models for 1000 that are kept by sets that cannot be made smaller.
const MOST_PER_THOUSAND: u64 = 1005;

/// The states of random walks, each once.
fn walk<S: System>(
    system: &S,
    effort: Effort,
    mut see: impl FnMut(&[u64], &Batch, &mut S::Scratch) -> Result<(), String>,
) -> Result<(), String> {
    let mut scratch = system.scratch();
    let Ok(initial) = system.initial(&mut scratch) else { return Ok(()) };
    let mut seen = HashSet::new();
    let mut batch = Batch::default();
    for number in 0..effort.walks {
        let mut random = Xoshiro256StarStar::seed_from_u64(number);
        let mut state = initial.clone();
        for _ in 0..effort.length {
            batch.clear();
            system.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
            if seen.insert(state.clone()) {
                see(&state, &batch, &mut scratch)?;
            }
            let states: Vec<_> = batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).collect();
            if states.is_empty() {
                break;
            }
            state = batch.state(states[random.random_range(0..states.len())]).to_vec();
        }
    }
    Ok(())
}

/// The sets for what shows in a state, with and without the other reductions.
fn examine_safety(program: &Program, effort: Effort, figures: &mut Figures) -> Result<(), String> {
    for reductions in [Reductions::NONE, Reductions::ALL] {
        let program = smaller(program, reductions, Liveness::Strong, &[]);
        let Ok(reduction) = Reduction::new(&program) else { continue };
        let mut examiner = Examiner::new(&reduction, &[], effort.bounds);
        let system = Interpreter::new(&program);
        let seen = walk(&system, effort, |state, _, _| examiner.examine(state).map_err(|flaw| flaw.0));
        *figures += examiner.figures;
        seen?;
    }
    Ok(())
}

/// The sets for the claims of the model's formulas, in states of the products.
fn examine_claims(program: &Program, effort: Effort, figures: &mut Figures) -> Result<(), String> {
    for formula in &program.formulas {
        let Ok(claim) = Claim::against(formula) else { continue };
        let Ok(conditions) = claim.conditions() else { continue };
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let program = smaller(program, reductions, Liveness::Plain, &conditions);
            let Ok(reduction) = Reduction::watching(&program, &conditions) else { continue };
            let mut examiner = Examiner::new(&reduction, &conditions, effort.bounds);
            let product = Product::new(Interpreter::new(&program), &claim, Fairness::None)?;
            let seen = walk(&product, effort, |state, batch, scratch| {
                let has_ended = |entry| batch.steps(entry).any(|step| step == Step::STUTTER);
                if batch.entries.iter().any(has_ended) {
                    return Ok(());
                }
                let mut own = state.to_vec();
                set_extra(&mut own, 0);
                let examined = examiner.examine(&own);
                let examined = examined
                    .and_then(|()| examiner.examine_in_product(&own, state, batch, &mut product.observer(scratch)));
                examined.map_err(|flaw| format!("{}: {}", formula.name, flaw.0))
            });
            *figures += examiner.figures;
            seen?;
        }
    }
    Ok(())
}

fn examine(program: &Program, effort: Effort, figures: &mut Figures) -> Result<(), String> {
    examine_safety(program, effort, figures)?;
    examine_claims(program, effort, figures)
}

fn program(source: Source) -> Option<Program> {
    load::program(source, &Options::default()).ok().map(|loaded| loaded.it)
}

/// Examines numbered things by two threads; what is wrong with which.
fn each(last: u64, first: u64, look: impl Fn(u64, &mut Figures) -> Result<(), String> + Sync) -> (Figures, Vec<Wrong>) {
    let next = AtomicU64::new(first);
    let found = Mutex::new((Figures::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut figures = Figures::default();
                let mut wrong = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number > last {
                        break;
                    }
                    wrong.extend(look(number, &mut figures).err().map(|why| Wrong { number, why }));
                }
                let mut found = found.lock().expect("no panic");
                found.0 += figures;
                found.1.append(&mut wrong);
            });
        }
    });
    let (figures, mut wrong) = found.into_inner().expect("no panic");
    wrong.sort_by_key(|wrong| wrong.number);
    (figures, wrong)
}

struct Wrong {
    number: u64,
    why: String,
}

fn models() -> Vec<PathBuf> {
    if let Ok(file) = std::env::var("SWARMGP_STUBBORN_MODEL") {
        return vec![file.into()];
    }
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("models")];
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

#[test]
fn sets_of_models_are_stubborn() {
    let models = models();
    let (figures, wrong) = each(models.len() as u64 - 1, 0, |number, figures| {
        let path = &models[number as usize];
        let text = std::fs::read_to_string(path).expect("a model");
        let Some(program) = program(Source::new(path.to_string_lossy(), text)) else { return Ok(()) };
        examine(&program, FOR_MODELS, figures).map_err(|why| format!("{}: {why}", path.display()))
    });
    println!("{figures:?}");
    let whys: Vec<_> = wrong.into_iter().map(|wrong| wrong.why).collect();
    assert!(whys.is_empty(), "{} models\n{}", whys.len(), whys.join("\n\n"));
    assert!(models.len() == 1 || figures.reduced * 5 > figures.asked, "{figures:?}");
    assert!(figures.kept * 1000 <= figures.minimal * MOST_PER_THOUSAND, "{figures:?}");
}

#[test]
fn sets_beside_statements_that_fail_do_not_depend_on_the_claim() {
    let text = "bool a;
        active proctype p() { if :: assert(false) :: a = 1 fi }
        active proctype q() { byte y; if :: y = 1 :: y = 2 :: y = 3 fi; y = 5 }
        ltl f { []<> a }";
    let program = program(Source::new("m.pml", text)).expect("a model");
    examine(&program, FOR_MODELS, &mut Figures::default()).expect("sets of the system alone");
}

/// Goes through the seeds; the first model with a set that is wrong is shrunk.
fn examine_seeds(make: fn(u64) -> Model, source: impl Fn(u64, &Model) -> String + Sync) {
    let (first, last) = seeds();
    let look = |seed: u64, model: &Model, figures: &mut Figures| {
        let text = source(seed, model);
        program(Source::new("m.pml", text)).map_or(Ok(()), |it| examine(&it, FOR_RANDOM_MODELS, figures))
    };
    let (figures, wrong) = each(last, first, |seed, figures| look(seed, &make(seed), figures));
    println!("{figures:?}");
    if let Some(Wrong { number: seed, why }) = wrong.first() {
        let deadline = Instant::now() + SHRINKING;
        let still = |model: &Model| Instant::now() < deadline && look(*seed, model, &mut Figures::default()).is_err();
        let smallest = shrink(&make(*seed), &mut |candidate| still(candidate));
        let shrunk = look(*seed, &smallest, &mut Figures::default());
        let seeds: Vec<u64> = wrong.iter().map(|wrong| wrong.number).collect();
        let shrunk = shrunk.err().unwrap_or_default();
        panic!("seeds {seeds:?}; {seed}: {why}\nshrunk: {shrunk}\n{}", source(*seed, &smallest));
    }
    assert!(figures.reduced * 10 > figures.asked, "{figures:?}");
}

fn seeds() -> (u64, u64) {
    let Ok(text) = std::env::var("SWARMGP_STUBBORN_SEEDS") else { return (1, 1000) };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"));
    (number(first), number(last))
}

#[test]
fn sets_of_random_models_are_stubborn() {
    examine_seeds(|seed| generate(seed, &Profile::default()), |_, model| print(model));
}

#[test]
fn sets_for_random_formulas_are_stubborn() {
    examine_seeds(model, |seed, model| text(model, &formula(seed)));
}
