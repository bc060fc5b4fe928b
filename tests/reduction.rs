//! Reduction changes the counts, not the answers: random models, with and without formulas, through every search that can be reduced and
//! every proviso. Each seed takes a part of these ways, so that a thousand seeds take each of them more than a hundred times.
//!
//! `SWARMGP_REDUCED_SEEDS=1-20000 cargo test --test reduction -- --nocapture` chooses the seeds. A seed on which a reduced search says
//! something else is shrunk and printed.

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
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::formula::{formula, model, text};
use support::generate::generate;
use support::print::print;
use support::profile::Profile;
use support::shrink::shrink;
use support::tree::Model;
use swarmgp::reduce::Reductions;
use swarmgp::search::catalogue::{BFS, CNDFS, DFS, INDFS, NDFS, PBFS, RDKP, SCC, SWARM, Search, UFSCC};
use swarmgp::search::{Checks, Limits, Proviso, Verdict};
use swarmgp::verify::{Check, Refusal, Request};

const SHRINKING: Duration = Duration::from_secs(120);
const PART: u32 = 5;
/// Larger models are not compared.
const MOST_STATES: u64 = 20_000;

/// The searches that can be reduced, each with all its provisos.
fn reduced(searches: &'static [&'static Search]) -> impl Iterator<Item = (&'static Search, Proviso)> {
    let for_cycles = std::ptr::eq(searches, &FOR_CYCLES);
    let fits = move |proviso: &Proviso| !for_cycles || proviso.is_for_cycles();
    searches
        .iter()
        .flat_map(move |search| search.provisos.iter().copied().filter(fits).map(|proviso| (*search, proviso)))
}

/// What a search says about a property: whether it is violated, and how many states it stored. `None` if it says nothing.
fn answer(check: Check) -> Option<(bool, u64)> {
    let answers = check.answers().ok()?;
    let answer = answers.first()?;
    match answer.verdict() {
        Verdict::Holds => Some((false, answer.report.counts.stored)),
        Verdict::Violated(_) => Some((true, answer.report.counts.stored)),
        Verdict::Inconclusive(_) => None,
    }
}

fn request(checks: Checks) -> Request {
    let limits = Limits { max_states: Some(MOST_STATES), time: Some(Duration::from_secs(20)), ..Limits::default() };
    Request { limits, checks, ..Request::default() }
}

/// The first way in which a reduced search differs from the whole one; the states of both otherwise.
fn compare(whole: Check, ways: Vec<(String, Check)>) -> Result<Option<(u64, u64)>, String> {
    let Some((violated, states)) = answer(whole) else { return Ok(None) };
    let mut least = states;
    for (name, check) in ways {
        let is_claim = FOR_CYCLES.iter().any(|search| name.starts_with(search.name));
        let answers = match check.answers() {
            // many threads and hidden variables do not go together
            Err(Refusal::Unfit(_)) => continue,
            answers => answers.map_err(|refusal| format!("{name}: {refusal:?}"))?,
        };
        let report = &answers.first().ok_or("no answer")?.report;
        let told = match report.verdict {
            Verdict::Holds => Some(false),
            Verdict::Violated(_) => Some(true),
            Verdict::Inconclusive(_) => None,
        };
        // another order may lead to the limit before it leads to the violation
        if told.is_none() && violated {
            continue;
        }
        if told != Some(violated) {
            return Err(format!("violated: {violated}; {name}: {:?}", report.verdict));
        }
        // a claim drops some runs before a merged decision is taken: only without one there are never more states
        if !violated && report.counts.stored > states && !is_claim {
            return Err(format!("{name} stores {} states, the whole search {states}", report.counts.stored));
        }
        least = least.min(report.counts.stored);
    }
    Ok(Some((states, least)))
}

/// Of every search and proviso with all reductions, and each reduction alone, one in [`PART`], chosen by the seed.
fn ways(seed: u64, check: &Check, searches: &'static [&'static Search]) -> Vec<(String, Check)> {
    let all = reduced(searches).map(|(search, proviso)| {
        let threads: &[usize] = if search.is_parallel() { &[1, 2, 4, 8] } else { &[1] };
        threads.iter().map(move |&threads| {
            let name = format!("{} with {} by {threads}", search.name, proviso.name());
            (name, check.clone().search(search).threads(threads).reduce(Reductions::ALL).proviso(proviso))
        })
    });
    let all = all.flatten();
    let alone = ["dead", "merge", "order"].into_iter().map(|name| {
        let one = name.parse().expect("a reduction");
        (format!("{} with {name} alone", searches[0].name), check.clone().search(searches[0]).reduce(one))
    });
    let mut chance = Xoshiro256StarStar::seed_from_u64(seed);
    all.chain(alone).filter(|_| chance.random_ratio(1, PART)).collect()
}

static FOR_SAFETY: [&Search; 6] = [&BFS, &DFS, &PBFS, &SWARM, &RDKP, &UFSCC];
static FOR_CYCLES: [&Search; 6] = [&INDFS, &NDFS, &SCC, &CNDFS, &RDKP, &UFSCC];

fn safety(seed: u64, model: &Model) -> Result<Option<(u64, u64)>, String> {
    let text = print(model);
    let ends = Checks { assertions: false, ..Checks::default() };
    let mut sizes = None;
    for checks in [Checks::default(), ends] {
        let check = Check::of(&text).property("safety").request(request(checks));
        sizes = compare(check.clone().search(&BFS), ways(seed, &check, &FOR_SAFETY))?;
    }
    Ok(sizes)
}

fn liveness(seed: u64, model: &Model, formula: &str) -> Result<Option<(u64, u64)>, String> {
    let check = Check::of(&text(model, formula)).property("ltl:f").request(request(Checks::default()));
    compare(check.clone().search(&SCC), ways(seed, &check, &FOR_CYCLES))
}

/// Goes through the seeds by two threads; what differs is shrunk. Reduction must have helped now and then.
fn examine(
    name: &str,
    make: fn(u64) -> Model,
    compare: impl Fn(u64, &Model) -> Result<Option<(u64, u64)>, String> + Sync,
) {
    let (first, last) = seeds();
    let next = AtomicU64::new(first);
    let (compared, smaller) = (AtomicU64::new(0), AtomicU64::new(0));
    let differing = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > last {
                        return;
                    }
                    match compare(seed, &make(seed)) {
                        Ok(None) => {}
                        Ok(Some((whole, least))) => {
                            compared.fetch_add(1, Ordering::Relaxed);
                            smaller.fetch_add((least < whole) as u64, Ordering::Relaxed);
                        }
                        Err(why) => differing.lock().expect("no panic").push((seed, why)),
                    }
                }
            });
        }
    });
    let (compared, smaller) = (compared.into_inner(), smaller.into_inner());
    println!("{name}: {compared} models compared, reduction helped with {smaller}");
    let differing = differing.into_inner().expect("no panic");
    if let Some((seed, why)) = differing.first() {
        let deadline = Instant::now() + SHRINKING;
        let still = |model: &Model| Instant::now() < deadline && compare(*seed, model).is_err();
        let smallest = shrink(&make(*seed), &mut |candidate| still(candidate));
        let seeds: Vec<u64> = differing.iter().map(|(seed, _)| *seed).collect();
        panic!("{name}: seeds {seeds:?}; {seed}: {why}\nshrunk: {:?}\n{}", compare(*seed, &smallest), print(&smallest));
    }
    assert!(compared * 4 > last - first && smaller * 3 > compared, "{compared} compared, {smaller} smaller");
}

fn seeds() -> (u64, u64) {
    let Ok(text) = std::env::var("SWARMGP_REDUCED_SEEDS") else { return (1, 200) };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"));
    (number(first), number(last))
}

#[test]
fn reduced_searches_find_what_the_whole_one_finds() {
    examine("safety", |seed| generate(seed, &Profile::default()), safety);
}

#[test]
fn reduced_searches_for_cycles_find_what_the_whole_one_finds() {
    examine("formulas", model, |seed, model| liveness(seed, model, &formula(seed)));
}
