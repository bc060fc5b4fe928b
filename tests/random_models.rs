//! Random Promela models through swarmgp and SPIN: same verdict, same number of states, trails that both can replay.
//!
//! `SWARMGP_SEEDS=1-2000 cargo test --test random_models agree -- --nocapture` chooses the seeds. A seed on
//! which the two differ is shrunk and printed. The ignored test `statistics` runs SPIN alone, for tuning the profile.

mod support {
    pub mod command;
    pub mod compare;
    pub mod generate;
    pub mod ours;
    pub mod print;
    pub mod profile;
    pub mod shrink;
    pub mod spin;
    pub mod tally;
    pub mod tree;
}

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::command::installed;
use support::compare::{Difference, Outcome, compare, spin_alone};
use support::generate::generate;
use support::print::print;
use support::profile::Profile;
use support::shrink::shrink;
use support::tally::Tally;
use support::tree::Model;

const THREADS: usize = 2;
/// Differences that are shrunk, one for each aspect.
const SHRUNK: usize = 3;
const SHRINKING: Duration = Duration::from_secs(300);

#[test]
fn random_models_agree_with_spin() {
    if !oracle_installed() {
        return;
    }
    let (mut tally, differing) = examine(compare);
    println!("{}", tally.report());
    assert!(tally.refused() as u64 * 20 <= tally.seeds() + 20, "spin refuses more than 5% of the generated models");
    if !differing.is_empty() {
        let seeds: Vec<_> =
            differing.iter().map(|(seed, difference)| format!("{seed} ({})", difference.aspect)).collect();
        panic!("{} seeds differ: {}\n{}", seeds.len(), seeds.join(", "), shrunk(differing));
    }
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let text = |seed| print(&generate(seed, &Profile::default()));
    for seed in 0..100 {
        assert_eq!(text(seed), text(seed), "seed {seed}");
        assert_ne!(text(seed), text(seed + 1), "seed {seed}");
    }
}

/// A model "fails" as long as it contains an assertion: almost nothing else is left of it.
#[test]
fn shrinking_keeps_what_fails_and_little_else() {
    let model = generate(1, &Profile::default());
    let with_assertion = |model: &Model| print(model).contains("assert(");
    let model = (2..).map(|seed| generate(seed, &Profile::default())).find(with_assertion).unwrap_or(model);
    let smallest = print(&shrink(&model, &mut |candidate| with_assertion(candidate)));
    assert!(smallest.contains("assert("));
    assert!(smallest.lines().count() <= 4, "{smallest}");
}

#[test]
#[ignore = "prints what SPIN makes of the generated models"]
fn statistics() {
    if oracle_installed() {
        let (mut tally, _) = examine(spin_alone);
        println!("{}", tally.report());
    }
}

fn oracle_installed() -> bool {
    let missing: Vec<_> = ["spin", "gcc"].into_iter().filter(|program| !installed(program)).collect();
    if !missing.is_empty() {
        println!("Random models are not compared with SPIN: {} is not installed.", missing.join(" and "));
    }
    missing.is_empty()
}

/// `SWARMGP_SEEDS` is a range such as `1-2000` or a single seed.
fn seeds() -> RangeInclusive<u64> {
    let Ok(text) = std::env::var("SWARMGP_SEEDS") else { return 1..=50 };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("SWARMGP_SEEDS={text} is not a range"));
    number(first)..=number(last)
}

/// Runs every seed through `check`, on a few threads.
fn examine(check: fn(&str) -> Outcome) -> (Tally, Vec<(u64, Difference)>) {
    let range = seeds();
    let next = AtomicU64::new(*range.start());
    let result = Mutex::new((Tally::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > *range.end() {
                        return;
                    }
                    let model = generate(seed, &Profile::default());
                    let outcome = check(&print(&model));
                    let (tally, differing) = &mut *result.lock().expect("no thread panics while it holds the lock");
                    match outcome {
                        Outcome::Same(facts) => tally.compared(&facts, &model),
                        Outcome::Skipped(skip) => tally.skipped(seed, skip),
                        Outcome::Differs(difference) => {
                            tally.differs();
                            differing.push((seed, difference));
                        }
                    }
                }
            });
        }
    });
    let (tally, mut differing) = result.into_inner().expect("no thread panics while it holds the lock");
    differing.sort_by_key(|(seed, _)| *seed);
    (tally, differing)
}

/// The smallest models that show the same differences, one for each aspect.
fn shrunk(differing: Vec<(u64, Difference)>) -> String {
    let mut by_aspect = BTreeMap::new();
    for (seed, difference) in differing {
        by_aspect.entry(difference.aspect).or_insert(seed);
    }
    by_aspect.into_iter().take(SHRUNK).map(|(aspect, seed)| shrunk_seed(aspect, seed)).collect()
}

fn shrunk_seed(aspect: &'static str, seed: u64) -> String {
    let deadline = Instant::now() + SHRINKING;
    let mut last = None;
    let smallest = shrink(&generate(seed, &Profile::default()), &mut |candidate| {
        if Instant::now() > deadline {
            return false;
        }
        match compare(&print(candidate)) {
            Outcome::Differs(difference) if difference.aspect == aspect => {
                last = Some(difference);
                true
            }
            _ => false,
        }
    });
    let (spin, ours) = last.map(|difference| (difference.spin, difference.ours)).unwrap_or_default();
    format!("\nseed {seed}, {aspect}\n  SPIN: {spin}\n  ours: {ours}\n{}", print(&smallest))
}
