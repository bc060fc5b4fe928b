//! Reduction changes the counts, not the answers: random models, with and without formulas, through every search that can be reduced and
//! every proviso; and walks in reduced graphs, which find nothing that is not there. Each seed takes a part of these ways, so that a thousand
//! seeds take each of them more than a hundred times. SPIN follows the trails of every so many seeds.
//!
//! `SWARMGP_REDUCED_SEEDS=1-20000 cargo test --test reduction -- --nocapture` chooses the seeds. A seed on which a reduced search says
//! something else is shrunk and printed.

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

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::command::{Workshop, installed};
use support::formula::{entangled, formula, model, monitored, text, watched};
use support::generate::generate;
use support::print::print;
use support::profile::Profile;
use support::shrink::shrink;
use support::spin;
use support::tree::Model;
use swarmgp::reduce::Reductions;
use swarmgp::search::catalogue::{ACO, ACO_LIVE, GEGA, PATH_GA, RANDOM_WALK};
use swarmgp::search::catalogue::{BFS, CNDFS, DFS, INDFS, NDFS, PBFS, RDKP, SCC, SWARM, Search, UFSCC};
use swarmgp::search::{Checks, Limits, Proviso, Verdict};
use swarmgp::verify::{Answer, Check, Refusal, Request};

const SHRINKING: Duration = Duration::from_secs(120);
const PART: u32 = 5;
/// Larger models are not compared.
const MOST_STATES: u64 = 20_000;
/// Of so many seeds the trails of one are shown to SPIN: each takes a process.
const SHOWN: u64 = 5;
/// Pairs of values that are looked for in each model.
const MONITORS: u64 = 4;

/// The searches that can be reduced, each with all its provisos.
fn reduced(searches: &'static [&'static Search]) -> impl Iterator<Item = (&'static Search, Proviso)> {
    let are_for_claims = are_for_claims(searches);
    let fits = move |proviso: &Proviso| !are_for_claims || proviso.is_for_claims();
    searches
        .iter()
        .flat_map(move |search| search.provisos.iter().copied().filter(fits).map(|proviso| (*search, proviso)))
}

fn are_for_claims(searches: &'static [&'static Search]) -> bool {
    std::ptr::eq(searches, &FOR_CLAIMS)
}

/// Whether a property is violated, if a search says so.
fn told(answer: &Answer) -> Option<bool> {
    match answer.verdict() {
        Verdict::Holds => Some(false),
        Verdict::Violated(_) => Some(true),
        Verdict::Inconclusive(_) => None,
    }
}

/// What a search says about a property: whether it is violated, and how many states it stored. `None` if it says nothing.
fn answer(check: Check) -> Option<(bool, u64)> {
    let answers = check.answers().ok()?;
    let answer = answers.first()?;
    Some((told(answer)?, answer.report.counts.stored))
}

fn request(checks: Checks) -> Request {
    let limits = Limits { max_states: Some(MOST_STATES), time: Some(Duration::from_secs(20)), ..Limits::default() };
    Request { limits, checks, ..Request::default() }
}

/// What came out for a model: the states of the whole search, the fewest of a reduced one, and how many trails SPIN has followed.
#[derive(Clone, Copy, Default)]
struct Compared {
    whole: u64,
    least: u64,
    trails: u64,
}

impl Compared {
    /// The sizes of what was compared last, and all trails.
    fn and(earlier: Option<Compared>, last: Option<Compared>) -> Option<Compared> {
        let trails = earlier.map_or(0, |earlier| earlier.trails);
        last.map(|last| Compared { trails: last.trails + trails, ..last }).or(earlier)
    }
}

/// Shows trails of one model to SPIN's simulator, each once.
struct Simulator {
    workshop: Workshop,
    shown: HashSet<String>,
}

impl Simulator {
    /// For one seed in [`SHOWN`], where SPIN is installed.
    fn of(seed: u64, text: &str) -> Option<Simulator> {
        let wanted = seed.is_multiple_of(SHOWN) && installed("spin");
        wanted.then(|| {
            let workshop = Workshop::new();
            workshop.write("m.pml", text);
            Simulator { workshop, shown: HashSet::new() }
        })
    }

    fn show(&mut self, name: &str, answer: &Answer) -> Result<(), String> {
        let trail = answer.trail.as_deref().ok_or_else(|| format!("{name}: no trail"))?;
        if !self.shown.insert(trail.into()) {
            return Ok(());
        }
        self.workshop.write("m.trail", trail);
        spin::replay(&self.workshop, "m.trail").map_err(|why| format!("SPIN cannot follow {name}: {why}\n{trail}"))
    }
}

/// The first way in which a reduced search differs from the whole one, or has a trail that SPIN cannot follow; what came out otherwise.
fn compare(whole: Check, ways: Ways, mut simulator: Option<Simulator>) -> Result<Option<Compared>, String> {
    let Some((violated, states)) = answer(whole) else { return Ok(None) };
    let mut least = states;
    let is_claim = are_for_claims(ways.searches);
    for (name, check) in ways.checks {
        let answers = match check.answers() {
            // many threads and hidden variables do not go together, nor do breadth-first searches and cycles
            Err(Refusal::Unfit(_)) => continue,
            answers => answers.map_err(|refusal| format!("{name}: {refusal:?}"))?,
        };
        let answer = answers.first().ok_or("no answer")?;
        let told = told(answer);
        // another order may lead to the limit before it leads to the violation
        if told.is_none() && violated {
            continue;
        }
        if told != Some(violated) {
            return Err(format!("violated: {violated}; {name}: {:?}", answer.verdict()));
        }
        // a claim drops some runs before a merged decision is taken: only without one there are never more states
        let stored = answer.report.counts.stored;
        if !violated && stored > states && !is_claim {
            return Err(format!("{name} stores {stored} states, the whole search {states}"));
        }
        if violated && let Some(simulator) = &mut simulator {
            simulator.show(&name, answer)?;
        }
        least = least.min(stored);
    }
    let trails = simulator.map_or(0, |simulator| simulator.shown.len() as u64);
    Ok(Some(Compared { whole: states, least, trails }))
}

/// Reduced searches with their names.
struct Ways {
    searches: &'static [&'static Search],
    checks: Vec<(String, Check)>,
}

/// Of every search and proviso with all reductions, and each reduction alone, one in [`PART`], chosen by the seed.
fn ways(seed: u64, check: &Check, searches: &'static [&'static Search]) -> Ways {
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
    Ways { searches, checks: all.chain(alone).filter(|_| chance.random_ratio(1, PART)).collect() }
}

static FOR_SAFETY: [&Search; 6] = [&BFS, &DFS, &PBFS, &SWARM, &RDKP, &UFSCC];
static FOR_CLAIMS: [&Search; 8] = [&INDFS, &NDFS, &SCC, &CNDFS, &RDKP, &UFSCC, &BFS, &PBFS];

fn safety(seed: u64, model: &Model) -> Result<Option<Compared>, String> {
    let text = print(model);
    let ends = Checks { assertions: false, ..Checks::default() };
    let mut both: Option<Compared> = None;
    for checks in [Checks::default(), ends] {
        let check = Check::of(&text).property("safety").request(request(checks));
        let ways = ways(seed, &check, &FOR_SAFETY);
        let compared = compare(check.clone().search(&BFS), ways, Simulator::of(seed, &text))?;
        both = Compared::and(both, compared);
    }
    Ok(both)
}

/// Whether globals can have certain values together: violations that are hard to come by, unlike most of [`safety`].
fn values(seed: u64, model: &Model) -> Result<Option<Compared>, String> {
    let checks = Checks { end_states: false, ..Checks::default() };
    let mut all: Option<Compared> = None;
    for monitor in 0..MONITORS {
        let text = monitored(model, seed * MONITORS + monitor);
        let check = Check::of(&text).property("safety").request(request(checks));
        let ways = ways(seed * MONITORS + monitor, &check, &FOR_SAFETY);
        let compared = compare(check.clone().search(&BFS), ways, Simulator::of(seed, &text))?;
        all = Compared::and(all, compared);
    }
    Ok(all)
}

fn liveness(seed: u64, model: &Model, formula: &str) -> Result<Option<Compared>, String> {
    let text = text(model, formula);
    let check = Check::of(&text).property("ltl:f").request(request(Checks::default()));
    let ways = ways(seed, &check, &FOR_CLAIMS);
    // SPIN takes for ever to translate some formulas, which it does not need for a trail
    compare(check.clone().search(&SCC), ways, Simulator::of(seed, &watched(model)))
}

/// What came out for many models.
#[derive(Default)]
struct Results {
    compared: u64,
    smaller: u64,
    trails: u64,
    differing: Vec<(u64, String)>,
}

impl Results {
    fn add(&mut self, seed: u64, result: Result<Option<Compared>, String>) {
        match result {
            Ok(None) => {}
            Ok(Some(Compared { whole, least, trails })) => {
                self.compared += 1;
                self.smaller += (least < whole) as u64;
                self.trails += trails;
            }
            Err(why) => self.differing.push((seed, why)),
        }
    }
}

/// Goes through the seeds by two threads; what differs is shrunk. Reduction must have helped now and then.
fn examine(
    name: &str,
    make: fn(u64) -> Model,
    compare: impl Fn(u64, &Model) -> Result<Option<Compared>, String> + Sync,
) {
    let (first, last) = seeds();
    let next = AtomicU64::new(first);
    let results = Mutex::new(Results::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > last {
                        return;
                    }
                    let result = compare(seed, &make(seed));
                    results.lock().expect("no panic").add(seed, result);
                }
            });
        }
    });
    let Results { compared, smaller, trails, differing } = results.into_inner().expect("no panic");
    println!("{name}: {compared} models compared, reduction helped with {smaller}, SPIN followed {trails} trails");
    if !installed("spin") {
        println!("Trails of reduced searches are not shown to SPIN: spin is not installed.");
    }
    if let Some((seed, why)) = differing.first() {
        let deadline = Instant::now() + SHRINKING;
        let still = |model: &Model| Instant::now() < deadline && compare(*seed, model).is_err();
        let smallest = shrink(&make(*seed), &mut |candidate| still(candidate));
        let seeds: Vec<u64> = differing.iter().map(|(seed, _)| *seed).collect();
        let shrunk = compare(*seed, &smallest).err().unwrap_or_default();
        panic!("{name}: seeds {seeds:?}; {seed}: {why}\nshrunk: {shrunk}\n{}", print(&smallest));
    }
    assert!(compared * 4 > last - first && smaller * 3 > compared, "{compared} compared, {smaller} smaller");
}

fn seeds() -> (u64, u64) {
    let Ok(text) = std::env::var("SWARMGP_REDUCED_SEEDS") else { return (1, 200) };
    let (first, last) = text.split_once('-').unwrap_or((&text, &text));
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{text} is no number"));
    (number(first), number(last))
}

/// Walks that need not be long: the models are small.
static WALKS_FOR_SAFETY: [&Search; 4] = [&ACO, &PATH_GA, &GEGA, &RANDOM_WALK];
static WALKS_FOR_CYCLES: [&Search; 3] = [&ACO_LIVE, &GEGA, &RANDOM_WALK];
const MOST_LOOKS: u64 = 3_000;

/// What walks report that the whole search denies, or that cannot be replayed. Otherwise how many violations there are to be found, and how
/// many of them were: with the whole graph, and with the reduced one.
fn walk(check: &Check, whole: &'static Search, walks: &[&'static Search], seed: u64) -> Result<[u64; 3], String> {
    let Some((violated, _)) = answer(check.clone().search(whole)) else { return Ok([0; 3]) };
    let mut found = [violated as u64 * walks.len() as u64, 0, 0];
    for search in walks {
        for (number, reduce) in [(1, Reductions::NONE), (2, Reductions::ALL)] {
            let limits =
                Limits { evaluations: Some(MOST_LOOKS), time: Some(Duration::from_secs(20)), ..Limits::default() };
            let request = Request { limits, ..Request::default() };
            let walk = check.clone().request(request).search(search).seed(seed).reduce(reduce);
            // hidden variables and walks do not go together
            let answers = match walk.answers() {
                Err(Refusal::Unfit(_)) => continue,
                answers => answers.map_err(|refusal| format!("{}: {refusal:?}", search.name))?,
            };
            match answers.first().ok_or("no answer")?.verdict() {
                Verdict::Violated(_) if violated => found[number] += 1,
                Verdict::Inconclusive(_) => {}
                other => return Err(format!("violated: {violated}; {} {reduce:?}: {other:?}", search.name)),
            }
        }
    }
    Ok(found)
}

/// Walks in reduced graphs, for all seeds; they find most of what walks in whole graphs find.
fn walk_all(name: &str, make: impl Fn(u64) -> Result<[u64; 3], String>) {
    let (first, last) = seeds();
    let mut all = [0; 3];
    for seed in first..=last {
        let found = make(seed).unwrap_or_else(|why| panic!("{name}, seed {seed}: {why}"));
        all.iter_mut().zip(found).for_each(|(all, found)| *all += found);
    }
    let [there, whole, reduced] = all;
    println!("{name}: {there} times something is wrong; walks find it {whole} times, reduced ones {reduced} times");
    assert!(reduced * 10 >= whole * 9, "{name}: {whole} in the whole graph, {reduced} in the reduced one");
}

/// One process need never stop, be it in a small circle or in one that is longer than any walk, and with stubborn sets it could be the only
/// one that moves.
#[test]
fn walks_put_nothing_off_for_ever() {
    for forever in ["i = 1 - i", "i++"] {
        let text = format!(
            "active proctype wrong() {{ byte a; a = 1; a = 2; assert(a == 1) }}
             active proctype goes_on() {{ int i; do :: {forever} od }}"
        );
        for search in WALKS_FOR_SAFETY {
            let order = Reductions { order: true, ..Reductions::NONE };
            let answers = Check::of(&text).property("safety").search(search).reduce(order).answers();
            let answer = &answers.expect("a model")[0];
            assert!(answer.is_violated() && answer.report.reduced, "{search:?}, {forever}: {:?}", answer.verdict());
        }
    }
}

#[test]
fn walks_in_reduced_graphs_find_what_is_there() {
    walk_all("safety", |seed| {
        let text = print(&generate(seed, &Profile::default()));
        let check = Check::of(&text).property("safety").request(request(Checks::default()));
        walk(&check, &BFS, &WALKS_FOR_SAFETY, seed)
    });
}

#[test]
fn walks_for_cycles_in_reduced_graphs_find_what_is_there() {
    walk_all("formulas", |seed| {
        let check =
            Check::of(&text(&model(seed), &formula(seed))).property("ltl:f").request(request(Checks::default()));
        walk(&check, &SCC, &WALKS_FOR_CYCLES, seed)
    });
}

#[test]
fn reduced_searches_find_what_the_whole_one_finds() {
    examine("safety", |seed| generate(seed, &Profile::default()), safety);
}

#[test]
fn reduced_searches_come_by_the_values_that_the_whole_one_comes_by() {
    examine("values", entangled, values);
}

#[test]
fn reduced_searches_for_cycles_find_what_the_whole_one_finds() {
    examine("formulas", model, |seed, model| liveness(seed, model, &formula(seed)));
}

#[test]
#[ignore = "prints the models of SWARMGP_REDUCED_SEEDS, with their monitors"]
fn show() {
    let (first, last) = seeds();
    (first..=last).for_each(|seed| println!("/* {seed} */\n{}", monitored(&entangled(seed), seed * MONITORS)));
}
