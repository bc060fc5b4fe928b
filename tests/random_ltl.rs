//! Random Promela models with random formulas through swarmgp and SPIN: the same verdict from every search, and lassos
//! that both can replay.
//!
//! `SWARMGP_LTL_SEEDS=1-1500 cargo test --test random_ltl agree -- --nocapture` chooses the seeds. A seed on which
//! the two differ is shrunk and printed.

#[allow(dead_code)]
mod support {
    pub mod command;
    pub mod formula;
    pub mod generate;
    pub mod print;
    pub mod profile;
    pub mod shrink;
    pub mod spin;
    pub mod tree;
}

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::command::{End, Limits, Workshop, installed, run};
use support::formula::{formula, model, text};
use support::shrink::shrink;
use support::spin::replay;

/// Seeds of models in which pan reports a cycle that is none, as in models/language/claim-stutter.pml.
const PAN_ERRS: [u64; 1] = [250];

const SEARCHES: [Option<&str>; 4] = [None, Some("ndfs"), Some("indfs"), Some("scc")];
const SPIN: Limits = Limits { seconds: 20, megabytes: 2000 };
const COMPILER: Limits = Limits { seconds: 120, megabytes: 2000 };
const SEARCH: Limits = Limits { seconds: 10, megabytes: 3000 };
const OURS: Limits = Limits { seconds: 60, megabytes: 8000 };
const SHRINKING: Duration = Duration::from_secs(200);

enum Outcome {
    Same(&'static str),
    Skipped(&'static str),
    Differs(String),
}

#[test]
fn random_formulas_agree_with_spin() {
    if !installed("spin") || !installed("gcc") {
        println!("Random formulas are not compared with SPIN: spin or gcc is not installed.");
        return;
    }
    let (first, last) = seeds();
    let next = AtomicU64::new(first);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > last {
                        return;
                    }
                    let outcome = compare(&text(&model(seed), &formula(seed)), PAN_ERRS.contains(&seed));
                    results.lock().expect("no thread panics here").push((seed, outcome));
                }
            });
        }
    });
    report(results.into_inner().expect("no thread panics here"));
}

fn report(results: Vec<(u64, Outcome)>) {
    let count = |wanted: &str| {
        let name = |outcome: &Outcome| match outcome {
            Outcome::Same(name) | Outcome::Skipped(name) => *name,
            Outcome::Differs(_) => "differs",
        };
        results.iter().filter(|(_, outcome)| name(outcome) == wanted).count()
    };
    let names = ["holds", "violated", "refused by spin", "pan failed", "too large", "differs"];
    println!("{}", names.map(|name| format!("{name}: {}", count(name))).join(", "));
    let mut differing: Vec<(u64, &String)> = Vec::new();
    for (seed, outcome) in &results {
        if let Outcome::Differs(why) = outcome {
            differing.push((*seed, why));
        }
    }
    differing.sort();
    if let Some(&(seed, why)) = differing.first() {
        let seeds: Vec<u64> = differing.iter().map(|(seed, _)| *seed).collect();
        panic!("seeds {seeds:?} differ; the first: {why}\n{}", shrunk(seed));
    }
    let compared = count("holds") + count("violated");
    assert!(compared * 10 >= results.len() * 7, "only {compared} of {} models could be compared", results.len());
}

fn seeds() -> (u64, u64) {
    let Ok(text) = std::env::var("SWARMGP_LTL_SEEDS") else { return (1, 30) };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("SWARMGP_LTL_SEEDS={text} is not a range"));
    (number(first), number(last))
}

/// All searches against pan, which reports a violation wrongly if it `errs`.
fn compare(text: &str, errs: bool) -> Outcome {
    let workshop = Workshop::new();
    workshop.write("m.pml", text);
    // pan counts the claim as a process
    workshop.write("pan.pml", &text.replace("_nr_pr", "(_nr_pr - 1)"));
    let violated = match pan(&workshop) {
        Ok(violated) => violated != errs,
        Err(skip) => return Outcome::Skipped(skip),
    };
    let expected = if violated { "violated" } else { "holds" };
    for search in SEARCHES {
        let name = search.unwrap_or("default");
        let trail = format!("{name}.trail");
        let mut arguments = vec!["verify", "m.pml", "--property", "ltl:f", "--quiet", "--trail", &trail];
        arguments.extend(search.into_iter().flat_map(|search| ["--search", search]));
        let ours = run(&workshop.path, env!("CARGO_BIN_EXE_swarmgp"), &arguments, OURS);
        if ours.end != End::Code(violated as i32) {
            return Outcome::Differs(format!("SPIN: {expected}; {name}: {:?} {}", ours.end, ours.both()));
        }
        if violated && let Err(why) = replay(&workshop, &trail) {
            return Outcome::Differs(format!("spin cannot replay the trail of {name}: {why}"));
        }
    }
    Outcome::Same(expected)
}

/// Whether pan finds an error; or why it says nothing.
fn pan(workshop: &Workshop) -> Result<bool, &'static str> {
    let dir = &workshop.path;
    let spin = run(dir, "spin", &["-a", "-o1", "-o2", "-o3", "pan.pml"], SPIN);
    if spin.end != End::Code(0) || !dir.join("pan.c").exists() {
        return Err("refused by spin");
    }
    let flags = ["-O0", "-w", "-DNOREDUCE", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    if run(dir, "gcc", &flags, COMPILER).end != End::Code(0) {
        return Err("pan failed");
    }
    let pan = run(dir, "./pan", &["-a", "-m1000000"], SEARCH);
    let text = pan.both();
    let errors = text.lines().find_map(|line| line.split("errors: ").nth(1)?.trim().parse::<u64>().ok());
    match (pan.end, errors) {
        (End::TimedOut, _) => Err("too large"),
        (End::Code(0), Some(0)) if text.contains("max search depth too small") => Err("too large"),
        (End::Code(0), Some(errors)) => Ok(errors > 0),
        _ => Err("pan failed"),
    }
}

fn shrunk(seed: u64) -> String {
    let deadline = Instant::now() + SHRINKING;
    let formula = formula(seed);
    let smallest = shrink(&model(seed), &mut |candidate| {
        Instant::now() < deadline && matches!(compare(&text(candidate, &formula), false), Outcome::Differs(_))
    });
    let text = text(&smallest, &formula);
    let why = if let Outcome::Differs(why) = compare(&text, false) { why } else { String::new() };
    format!("seed {seed}, shrunk: {why}\n{text}")
}

#[test]
#[ignore = "prints the model of SWARMGP_LTL_SEEDS"]
fn show() {
    let (seed, _) = seeds();
    print!("{}", text(&model(seed), &formula(seed)));
}
