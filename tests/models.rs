//! Every model in models/ says in its head comment what must come out; this checks it on every engine.
//!
//! A line is `expect [-DNAME=VALUE …]: safety holds|violated KIND[, states N, transitions N]`. Counts are those of a complete search
//! (`--continue`). Lines about ltl, never claims, acceptance and progress state what SPIN says; they are not checked yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use swarmgp::load;
use swarmgp::reduce::Reduction;
use swarmgp::search::{Checks, Config, Limits, Monitor, Problem, Report, Strategy, Verdict};
use swarmgp::syntax::preprocess::Options;
use swarmgp::system::Interpreter;

struct Expectation {
    defines: Vec<String>,
    /// `None`: holds.
    violation: Option<String>,
    counts: Option<(u64, u64)>,
}

#[test]
fn every_model_does_what_its_head_comment_says() {
    let mut checked = 0;
    let mut failures = Vec::new();
    for path in models(Path::new(env!("CARGO_MANIFEST_DIR")).join("models")) {
        let text = std::fs::read_to_string(&path).expect("a model is a text file");
        let expectations: Vec<Expectation> = text.lines().filter_map(expectation).collect();
        assert!(!expectations.is_empty(), "{} states no expectation about safety", path.display());
        for expected in expectations {
            for (strategy, reduce) in [(Strategy::Bfs, false), (Strategy::Dfs, false), (Strategy::Bfs, true)] {
                checked += 1;
                let config = Config { strategy, keep_going: reduce || expected.counts.is_some(), reduce };
                if let Err(why) = check(&path, &expected, config) {
                    failures.push(format!("{} {:?} {config:?}: {why}", path.display(), expected.defines));
                }
            }
        }
    }
    assert!(checked > 100, "only {checked} expectations were found");
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
    let claim = claim.strip_prefix("safety ")?;
    let mut parts = claim.split(", ");
    let verdict = parts.next()?;
    let mut number = |name: &str| parts.next()?.strip_prefix(name)?.trim().parse().ok();
    let counts = number("states ").zip(number("transitions "));
    let violation = verdict.strip_prefix("violated ").map(|kind| kind.trim().to_string());
    assert!(violation.is_some() || verdict.trim() == "holds", "unknown verdict in {line:?}");
    Some(Expectation { defines: options.split_whitespace().map(String::from).collect(), violation, counts })
}

fn check(path: &Path, expected: &Expectation, config: Config) -> Result<(), String> {
    let mut options = Options::default();
    for define in &expected.defines {
        options.define(define.strip_prefix("-D").ok_or("options are -D only")?);
    }
    let report = run(path, &options, config)?;
    let found = match &report.verdict {
        Verdict::Holds => None,
        Verdict::Violated(finding) => Some(finding.violation.name().to_string()),
        Verdict::Inconclusive(reason) => return Err(reason.to_string()),
    };
    if found.is_some() != expected.violation.is_some() {
        return Err(format!("found {found:?}, expected {:?}", expected.violation));
    }
    let kinds: Vec<&str> = report.errors.iter().map(|(kind, _)| kind.name()).collect();
    if let Some(kind) = &expected.violation
        && !kinds.contains(&kind.as_str())
    {
        return Err(format!("found {kinds:?}, expected {kind}"));
    }
    if let Some((states, transitions)) = expected.counts.filter(|_| !report.reduced) {
        let counted = (report.counts.stored, report.counts.transitions());
        if counted != (states, transitions) {
            return Err(format!("states, transitions {counted:?}, expected {:?}", (states, transitions)));
        }
    }
    Ok(())
}

fn run(path: &Path, options: &Options, config: Config) -> Result<Report, String> {
    let source = load::read(path).map_err(|_| "cannot be read")?;
    load::on_deep_stack(|| {
        let loaded = load::program(source, options).map_err(|refused| format!("{:?}", refused.diagnostics))?;
        let reduction = Reduction::new(&loaded.it).ok();
        let problem = Problem { system: Interpreter::new(&loaded.it), checks: Checks::default(), reduction };
        let monitor = Monitor::new(Limits::default(), Arc::new(AtomicBool::new(false)));
        Ok(swarmgp::search::run(&problem, config, &monitor))
    })
    .map_err(|_| "panicked")?
}
