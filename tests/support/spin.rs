//! SPIN as the oracle: model text in a directory → what pan found, with its counts and its trail.
//!
//! The options make pan's counts semantic ones: `-o1 -o2 -o3` switch off the optimisations of spin that change the set
//! of states, `-DNOREDUCE` partial-order reduction, `-DNOCOMP` the mask that drops bytes of processes with priorities.
//! Verified with SPIN 6.5.2.

use super::command::{End, Limits, Workshop, run};
use std::collections::BTreeSet;

const SMALL: Limits = Limits { seconds: 20, megabytes: 2000 };
const COMPILER: Limits = Limits { seconds: 120, megabytes: 2000 };
const STATES: u64 = 100_000;
const SEARCH: Limits = Limits { seconds: 10, megabytes: 3000 };

pub enum Outcome {
    /// The generator wrote something that spin does not accept.
    Refused(String),
    CompilerFailed(String),
    /// pan ended with a signal or refused the model.
    Crashed(String),
    TimedOut,
    /// More states than a test should wait for.
    TooLarge,
    /// The depth limit was reached: the search is not complete.
    TooDeep,
    Finished(Answer),
}

pub struct Answer {
    /// Of the search that goes on after errors.
    pub counts: Counts,
    /// Kinds of all the errors.
    pub kinds: BTreeSet<&'static str>,
    /// Control states that were never reached, and all control states.
    pub unreached: (u64, u64),
    pub first: Option<FirstError>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub stored: u64,
    pub transitions: u64,
    pub atomic_steps: u64,
    pub errors: u64,
    pub depth: u64,
}

pub struct FirstError {
    pub kind: &'static str,
    pub message: String,
    pub trail: String,
}

impl FirstError {
    /// Number of steps: lines that are not remarks.
    pub fn length(&self) -> usize {
        self.trail.lines().filter(|line| !line.is_empty() && !line.starts_with('-')).count()
    }
}

/// Checks `m.pml` in the directory.
pub fn check(workshop: &Workshop) -> Outcome {
    let dir = &workshop.path;
    let spin = run(dir, "spin", &["-a", "-o1", "-o2", "-o3", "m.pml"], SMALL);
    if spin.end != End::Code(0) || !dir.join("pan.c").exists() {
        return Outcome::Refused(first_lines(&spin.both()));
    }
    let flags =
        ["-O0", "-w", "-DNOREDUCE", "-DNOCOMP", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=4096", "-o", "pan", "pan.c"];
    let compiler = run(dir, "gcc", &flags, COMPILER);
    if compiler.end != End::Code(0) {
        return Outcome::CompilerFailed(first_lines(&compiler.both()));
    }
    let all = run(dir, "./pan", &["-m1000000", "-c0"], SEARCH);
    let text = all.both();
    match all.end {
        End::TimedOut => return Outcome::TimedOut,
        End::Signal(signal) => return Outcome::Crashed(format!("signal {signal}")),
        End::Code(0) => {}
        End::Code(code) => return Outcome::Crashed(format!("exit status {code}: {}", first_lines(&text))),
    }
    if text.contains("max search depth too small") {
        return Outcome::TooDeep;
    }
    let Some(counts) = counts(&text) else { return Outcome::Crashed(first_lines(&text)) };
    if counts.stored > STATES {
        return Outcome::TooLarge;
    }
    let kinds = messages(&text).iter().map(|message| kind_of(message)).collect();
    let first = if counts.errors > 0 { first_error(workshop) } else { None };
    if counts.errors > 0 && first.is_none() {
        return Outcome::Crashed("no trail of the first error".into());
    }
    Outcome::Finished(Answer { counts, kinds, unreached: unreached(&text), first })
}

fn first_error(workshop: &Workshop) -> Option<FirstError> {
    let _ = std::fs::remove_file(workshop.path.join("m.pml.trail"));
    let pan = run(&workshop.path, "./pan", &["-m1000000"], SEARCH);
    let message = messages(&pan.both()).into_iter().next()?;
    let trail = workshop.read("m.pml.trail")?;
    let _ = std::fs::rename(workshop.path.join("m.pml.trail"), workshop.path.join("pan.trail"));
    Some(FirstError { kind: kind_of(&message), message, trail })
}

/// Whether spin's simulator can follow the trail; the text says where it could not.
pub fn replay(workshop: &Workshop, trail: &str) -> Result<(), String> {
    let spin = run(&workshop.path, "spin", &["-p", "-k", trail, "m.pml"], SMALL);
    let text = spin.both();
    const FAILURES: [&str; 6] =
        ["transition failed", "no matching stmnt", "invalid statement", "stop error", "(?)", "cannot find"];
    let failed = text.lines().find(|line| FAILURES.iter().any(|failure| line.contains(failure)));
    match failed {
        Some(line) => Err(line.trim().to_string()),
        None if !text.contains("trail ends after") => Err("the trail does not end".to_string()),
        None => Ok(()),
    }
}

fn first_lines(text: &str) -> String {
    let wanted = |line: &&str| !line.contains("warning: trigraph") && !line.trim().is_empty();
    text.lines().filter(wanted).take(4).collect::<Vec<_>>().join(" | ")
}

/// The texts between `pan:N: ` and ` (at depth D)`.
fn messages(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("pan:")) {
        let Some((number, message)) = line.split_once(": ") else { continue };
        if number.trim().parse::<u64>().is_ok() {
            out.push(message.split(" (at depth").next().unwrap_or(message).trim().to_string());
        }
    }
    out
}

/// The name that our own reports use for the kind of an error.
fn kind_of(message: &str) -> &'static str {
    match message {
        m if m.contains("invalid array index") => "array-index",
        m if m.contains("assertion violated") => "assertion",
        m if m.contains("invalid end state") => "invalid-end-state",
        m if m.contains("event_trace") => "trace",
        _ => "runtime-error",
    }
}

fn counts(text: &str) -> Option<Counts> {
    let summary = text.lines().find(|line| line.starts_with("State-vector"))?;
    Some(Counts {
        stored: before(text, " states, stored")?,
        transitions: before(text, " transitions (= stored+matched)")?,
        atomic_steps: before(text, " atomic steps")?,
        errors: number(summary.rsplit("errors: ").next()?)?,
        depth: number(summary.split("depth reached ").nth(1)?.split(',').next()?)?,
    })
}

fn before(text: &str, what: &str) -> Option<u64> {
    number(text.lines().find(|line| line.contains(what))?.split(what).next()?)
}

/// pan prints large numbers as `1.2345678e+08`.
fn number(text: &str) -> Option<u64> {
    text.trim().parse::<f64>().ok().map(|value| value as u64)
}

fn unreached(text: &str) -> (u64, u64) {
    let mut sum = (0, 0);
    for line in text.lines().filter_map(|line| line.trim().strip_prefix('(')?.strip_suffix(" states)")) {
        if let Some((some, all)) = line.split_once(" of ") {
            sum.0 += number(some).unwrap_or(0);
            sum.1 += number(all).unwrap_or(0);
        }
    }
    sum
}
