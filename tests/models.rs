//! Every model in models/ says in its head comment what must come out; this checks it on every engine.
//!
//! The form of these lines is in models/README.md. Counts are those of a complete search (`--continue`). A violated
//! claim must come with a run that replays, that the claim accepts and the formula does not, and that is fair if it has
//! to be.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use swarmgp::load::{self, Options, Program};
use swarmgp::property::{Claim, Fairness, Formula};
use swarmgp::reduce::{self, Liveness, Reduction, Reductions};
use swarmgp::search::Plan;
use swarmgp::search::catalogue::{self, Aim, Job, Opt, Search, Shape, Workers};
use swarmgp::search::{
    Checks, Config, Cycles, Enough, Finding, Knobs, Limits, Monitor, Problem, Report, Verdict, Violation, Witness,
};
use swarmgp::system::{Batch, Interpreter, OnTruncation, Run, System};
use swarmgp::trail::observed::Observed;
use swarmgp::trail::{Ending, follow};

/// The searches by one worker, or by many, that see everything and can check a property of this kind.
fn searches(property: &Property, is_wanted: fn(Workers) -> bool) -> impl Iterator<Item = &'static Search> {
    let safety = matches!(property, Property::Safety);
    let sees_all = |search: &Search| search.proves() && matches!(search.shape, Shape::Frontier | Shape::Stack);
    let fits = move |search: &Search| if safety { search.on_system.is_some() } else { search.on_product.is_some() };
    catalogue::ALL.into_iter().filter(move |search| sees_all(search) && is_wanted(search.workers) && fits(search))
}

struct Expectation {
    defines: Vec<String>,
    property: Property,
    fairness: Fairness,
    verdict: Expected,
    states: Option<u64>,
    transitions: Option<u64>,
}

#[derive(Debug)]
enum Property {
    Safety,
    Ltl(String),
    /// By its name, where there are several.
    Never(Option<String>),
    Acceptance,
    Progress,
}

#[derive(Debug)]
enum Expected {
    Holds,
    /// With errors of this kind among those found, if it is given.
    Violated(Option<String>),
}

#[test]
fn every_model_does_what_its_head_comment_says() {
    let mut checked = 0;
    let mut failures = Vec::new();
    for path in models(Path::new(env!("CARGO_MANIFEST_DIR")).join("models")) {
        let text = std::fs::read_to_string(&path).expect("a model is a text file");
        let expectations: Vec<Expectation> = text.lines().filter_map(expectation).collect();
        let safety = expectations.iter().any(|expected| matches!(expected.property, Property::Safety));
        assert!(safety, "{} states no expectation about safety", path.display());
        for expected in expectations {
            for config in configs(&expected) {
                checked += 1;
                if let Err(why) = check(&path, &expected, config) {
                    let Expectation { defines, property, fairness, .. } = &expected;
                    failures.push(format!(
                        "{} {defines:?} {property:?}, fairness {fairness:?}, {config:?}: {why}",
                        path.display()
                    ));
                }
            }
        }
    }
    assert!(checked > 100, "only {checked} expectations were found");
    assert!(failures.is_empty(), "{} of {checked} differ:\n{}", failures.len(), failures.join("\n"));
}

/// How often each search by several threads is repeated: any order of their steps must lead to the same result.
fn repetitions() -> u32 {
    std::env::var("SWARMGP_REPETITIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(2)
}

/// States of a model that is searched again and again, at most.
fn largest() -> u64 {
    std::env::var("SWARMGP_LARGEST").ok().and_then(|number| number.parse().ok()).unwrap_or(50_000)
}

#[test]
fn many_threads_find_what_one_finds() {
    let (mut checked, mut failures) = (0, Vec::new());
    for path in models(Path::new(env!("CARGO_MANIFEST_DIR")).join("models")) {
        let text = std::fs::read_to_string(&path).expect("a model is a text file");
        for mut expected in text.lines().filter_map(expectation) {
            if expected.states.is_none_or(|states| states > largest()) || text.contains("hidden ") {
                continue;
            }
            let searches: Vec<&Search> = searches(&expected.property, |workers| workers != Workers::One).collect();
            assert!(searches.len() >= 3);
            for search in searches {
                let keep_going = search.honours.has(Opt::Continue);
                let enough = if keep_going { Enough::Never } else { Enough::First };
                if !keep_going && matches!(expected.verdict, Expected::Violated(_)) {
                    // the others end with the first violation, which may be of another kind
                    (expected.states, expected.transitions) = (None, None);
                    expected.verdict = Expected::Violated(None);
                }
                for threads in [1, 2, 4, 8] {
                    for _ in 0..repetitions() {
                        checked += 1;
                        let config = Config { enough, threads, ..Config::of(search) };
                        if let Err(why) = check(&path, &expected, config) {
                            let (name, property) = (search.name, &expected.property);
                            let defines = &expected.defines;
                            failures
                                .push(format!("{} {defines:?} {property:?} {name} {threads}: {why}", path.display()));
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 500, "only {checked} searches");
    assert!(failures.is_empty(), "{} of {checked} differ:\n{}", failures.len(), failures.join("\n"));
}

fn models(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder of models") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Reads one line of a head comment.
fn expectation(line: &str) -> Option<Expectation> {
    let rest = line.trim_start_matches([' ', '*']).strip_prefix("expect")?;
    let (options, claim) = rest.split_once(": ")?;
    let (fairness, claim) = match claim.strip_prefix("fair ") {
        Some(claim) => (Fairness::Weak, claim),
        None => (Fairness::None, claim),
    };
    let mut parts = claim.trim_end().split(", ");
    let mut words = parts.next()?.split(' ').peekable();
    let property = match words.next()? {
        "safety" => Property::Safety,
        "ltl" => Property::Ltl(words.next()?.to_string()),
        "never" => Property::Never(words.next_if(|word| !matches!(*word, "holds" | "violated")).map(String::from)),
        "acceptance" => Property::Acceptance,
        "progress" => Property::Progress,
        _ => panic!("unknown property in {line:?}"),
    };
    let verdict = match (words.next(), words.next()) {
        (Some("holds"), None) => Expected::Holds,
        (Some("violated"), kind) => Expected::Violated(kind.map(String::from)),
        _ => panic!("unknown verdict in {line:?}"),
    };
    let mut number = |name: &str| {
        let number = parts.next()?.strip_prefix(name).and_then(|number| number.parse().ok());
        Some(number.unwrap_or_else(|| panic!("unknown count in {line:?}")))
    };
    let (states, transitions) = (number("states "), number("transitions "));
    let defines = options.split_whitespace().map(String::from).collect();
    Some(Expectation { defines, property, fairness, verdict, states, transitions })
}

/// Every engine that can check it.
fn configs(expected: &Expectation) -> Vec<Config> {
    let enough = if expected.states.is_some() { Enough::Never } else { Enough::First };
    let whole = searches(&expected.property, |workers| workers == Workers::One);
    let whole = whole.map(|search| Config { enough, ..Config::of(search) });
    let able = searches(&expected.property, |workers| workers == Workers::One);
    let reduced = able.flat_map(|search| {
        let with =
            move |&proviso| Config { enough, reduce: Reductions::ALL, proviso: Some(proviso), ..Config::of(search) };
        let is_safety = matches!(expected.property, Property::Safety);
        search.provisos.iter().filter(move |proviso| is_safety || proviso.is_for_claims()).map(with)
    });
    whole.chain(reduced).collect()
}

fn check(path: &Path, expected: &Expectation, config: Config) -> Result<(), String> {
    let mut options = Options::default();
    for define in &expected.defines {
        options.define(define.strip_prefix("-D").ok_or("options are -D only")?);
    }
    let source = load::read(path).map_err(|_| "cannot be read")?;
    let report = load::on_deep_stack(|| {
        let loaded = load::program(source, &options).map_err(|refused| format!("{:?}", refused.diagnostics))?;
        match expected.property {
            Property::Safety => Ok(Some(check_safety(&loaded.it, config))),
            _ => check_claim(&loaded.it, expected, config),
        }
    });
    report.map_err(|_| "panicked")??.map_or(Ok(()), |report| compare(&report, expected, config))
}

fn compare(report: &Report, expected: &Expectation, config: Config) -> Result<(), String> {
    let kinds: Vec<&str> = report.errors.iter().map(|(kind, _)| kind.name()).collect();
    let right = match (&report.verdict, &expected.verdict) {
        (Verdict::Inconclusive(reason), _) => return Err(reason.to_string()),
        (Verdict::Holds, Expected::Holds) | (Verdict::Violated(_), Expected::Violated(None)) => true,
        (Verdict::Violated(_), Expected::Violated(Some(kind))) => kinds.contains(&kind.as_str()),
        _ => false,
    };
    if !right {
        return Err(format!("found {kinds:?}, expected {:?}", expected.verdict));
    }
    let counts = [("states", expected.states, report.counts.stored), {
        ("transitions", expected.transitions, report.counts.transitions())
    }];
    for (what, expected, counted) in counts {
        if let Some(expected) = expected.filter(|&number| !config.reduce.any() && number != counted) {
            return Err(format!("{counted} {what}, expected {expected}"));
        }
    }
    Ok(())
}

fn monitor() -> Monitor {
    Monitor::new(Limits::default(), Arc::new(AtomicBool::new(false)))
}

/// Artificial states are bred from few others, and differ much from them.
fn wild(config: Config, aim: Aim) -> Plan {
    let mut knobs = Knobs::default();
    (knobs.genetic.share, knobs.genetic.seen, knobs.genetic.ahead) = (0.5, 20, 10);
    (knobs.genetic.genetics.threshold, knobs.genetic.genetics.population) = (0.9, 20);
    Plan { config, knobs, seed: config.threads as u64, ..Plan::usual(config.search, aim) }
}

fn check_safety(program: &Program, config: Config) -> Report {
    let searched = reduce::smaller(program, config.reduce, Liveness::Strong, &[]);
    let reduction = Reduction::new(&searched).ok();
    let problem = Problem::of_safety(Interpreter::new(&searched), Checks::default()).with_reduction(reduction);
    let plan = wild(config, Aim::Safety(program));
    let report =
        swarmgp::search::run(&problem, &Job { plan: &plan, monitor: &monitor() }).expect("a search for safety");
    if let Verdict::Violated(finding) = &report.verdict {
        let replayed = follow::follow(program, &finding.witness, OnTruncation::Note, &Default::default(), &mut |_| {})
            .expect("the run can be replayed");
        assert!(matches!(replayed.ending, Ending::Fault { .. } | Ending::InvalidEnd), "{:?}", replayed.ending);
    }
    report
}

/// `None` if that search is not for the claim.
fn check_claim(program: &Program, expected: &Expectation, config: Config) -> Result<Option<Report>, String> {
    let (claim, formula) = claim(program, &expected.property)?;
    // a search that sees bad prefixes only
    if !config.search.finds_cycles() && !claim.is_terminal() {
        return Ok(None);
    }
    let violation = match expected.property {
        Property::Progress => Violation::NonProgressCycle,
        _ => Violation::AcceptanceCycle,
    };
    let checks = Checks { end_states: false, ..Checks::default() };
    let cycles = Cycles { violation, fairness: expected.fairness };
    let problem = Problem::of_claim(Interpreter::new(program), &claim, cycles, config.search.fairness, checks)?;
    let unfair = expected.fairness == Fairness::None;
    let conditions = claim.conditions().ok().filter(|_| config.reduce.any() && unfair);
    let reduction = conditions.and_then(|conditions| Reduction::watching(program, &conditions).ok());
    let problem = problem.with_reduction(reduction);
    let plan = wild(config, Aim::Claim);
    let report = swarmgp::search::run_for_cycles(&problem, &Job { plan: &plan, monitor: &monitor() })?;
    if let Verdict::Violated(finding) = &report.verdict {
        replay(program, &claim, formula, expected.fairness, finding)?;
    }
    Ok(Some(report))
}

/// The claim against a property and, if that is one, the formula.
fn claim<'p>(program: &'p Program, property: &Property) -> Result<(Claim, Option<&'p Formula>), String> {
    match property {
        Property::Safety => Err("safety has no claim".into()),
        Property::Ltl(name) => {
            let formula = program.formulas.iter().find(|formula| &formula.name == name).ok_or("no such ltl block")?;
            Ok((Claim::against(formula)?, Some(formula)))
        }
        Property::Never(name) => {
            let named = |&number: &u32| name.as_ref().is_none_or(|name| program.automaton(number).name == *name);
            let number = Claim::nevers(program).into_iter().find(named).ok_or("no such never claim")?;
            Ok((Claim::never(program, number), None))
        }
        Property::Acceptance => Ok((Claim::labels(), None)),
        Property::Progress => Ok((Claim::no_progress(), None)),
    }
}

/// The run is possible and is what it is said to be.
fn replay(
    program: &Program,
    claim: &Claim,
    formula: Option<&Formula>,
    fairness: Fairness,
    finding: &Finding,
) -> Result<(), String> {
    let mut observed = Observed::new(program, claim, &finding.witness);
    let mut cycle = Cycle::new(program, &finding.witness);
    let replayed = follow::follow(program, &finding.witness, OnTruncation::Note, &Default::default(), &mut |moment| {
        observed.see(moment);
        cycle.see(moment.before);
    });
    let replayed = replayed.map_err(|_| "the run cannot be replayed")?;
    observed.end(&replayed.state);
    match finding.violation {
        Violation::AcceptanceCycle | Violation::NonProgressCycle
            if !matches!(replayed.ending, Ending::Cycle | Ending::Repeats) =>
        {
            Err(format!("the run ends with {:?}, not in a cycle", replayed.ending))
        }
        Violation::AcceptanceCycle | Violation::NonProgressCycle | Violation::ClaimCompleted => {
            if !observed.is_violation(&replayed, formula) {
                return Err("the run is no violation".into());
            }
            if fairness == Fairness::Weak && !cycle.is_fair() {
                return Err("the run is not fair".into());
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Who can move in a cycle, and who does.
struct Cycle<'w> {
    system: Interpreter<'w>,
    witness: &'w Witness,
    steps: usize,
    /// Those that could move in all states of the cycle seen so far.
    able: Option<BTreeSet<u32>>,
    movers: BTreeSet<u32>,
}

impl<'w> Cycle<'w> {
    fn new(program: &'w Program, witness: &'w Witness) -> Cycle<'w> {
        Cycle { system: Interpreter::new(program), witness, steps: 0, able: None, movers: BTreeSet::new() }
    }

    fn see(&mut self, before: &[u64]) {
        let number = self.steps;
        self.steps += 1;
        if self.witness.cycle.is_none_or(|start| number < start) {
            return;
        }
        let step = self.witness.steps[number];
        self.movers.insert(step.pid);
        self.movers.extend(step.receiver.map(|receiver| receiver.pid));
        if self.witness.sights.iter().any(|&(at, _)| at == number) {
            let (mut batch, mut scratch) = (Batch::default(), self.system.scratch());
            self.system.successors(before, Run::GoesOn, &mut scratch, &mut batch, |_| {});
            let here = batch.entries.iter().filter_map(|entry| batch.steps(entry).next()).map(|step| step.pid);
            let here: BTreeSet<u32> = here.collect();
            self.able = Some(self.able.take().map_or(here.clone(), |able| &able & &here));
        }
    }

    fn is_fair(&self) -> bool {
        self.able.as_ref().is_none_or(|able| able.is_subset(&self.movers))
    }
}
