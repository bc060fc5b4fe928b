//! Results as JSON: one object, keys in the documented order (docs/json.md).

mod document;
mod remark;

pub use document::{Document, Schema};
pub use remark::Remark;

use super::changes::Change;
use super::executions::Execution;
use super::rows::Row;
use super::unreached::Unreached;
use super::visible::visible_json;
use crate::search::walk::chronicle::Round;
use crate::search::{self, Artificial, Quality, Report, Verdict};
use crate::system::Truncated;
use crate::system::fault::Violation;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// The result of checking one property.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    property: String,
    search: String,
    seed: Option<u64>,
    verdict: &'static str,
    violation: Option<&'static str>,
    message: String,
    complete: bool,
    reason: Option<String>,
    states_stored: u64,
    states_matched: u64,
    transitions: u64,
    atomic_steps: u64,
    depth: u64,
    errors: Errors,
    /// Others than the first (schema 1).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further: Vec<Error>,
    /// Errors that are none of these, because there were too many different ones.
    #[serde(skip_serializing_if = "is_zero")]
    pub errors_unlisted: u64,
    trail: Option<Trail>,
    time_s: f64,
    memory_bytes: u64,
    /// The most that the whole process has used, if that was asked for and the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_bytes: Option<u64>,
    /// With a search by many threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    /// States that a walk has expanded.
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluations: Option<u64>,
    /// How a walk came along, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Vec<Round>>,
    /// States that walks beside this search have expanded without finding a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    walked: Option<u64>,
    /// States that a depth-first search beside this one has entered without finding a violation.
    #[serde(skip_serializing_if = "Option::is_none")]
    dived: Option<u64>,
    /// What became of artificial states.
    #[serde(skip_serializing_if = "Option::is_none")]
    artificial: Option<Artificial>,
    /// The length of the trail before it was made shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_length: Option<usize>,
    /// Whether the trail is a shortest one, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    quality: Option<&'static str>,
    /// With several seeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<RunFigures>,
    /// The values of variables, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Ranges>,
    /// How often each statement was executed, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executions: Option<Vec<Execution>>,
    /// How long it might take, if a time limit is for several properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_s: Option<f64>,
    /// States of the whole state space that were stored before a reduced search began.
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up_after: Option<u64>,
    /// Why every order of steps was explored although a reduction was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_reduced: Option<&'static str>,
    /// Options that are left to be tried, if nothing is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untried: Vec<String>,
    /// Why the verdict may not be what was meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// By proctype, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached: Option<Vec<Unreached>>,
}

/// The least and greatest values of variables in the explored states.
#[derive(Clone, Debug, Serialize)]
pub struct Ranges {
    states: u64,
    variables: Vec<Range>,
}

#[derive(Clone, Debug, Serialize)]
struct Range {
    proctype: Option<String>,
    name: String,
    least: i32,
    greatest: i32,
}

impl From<&search::ranges::Ranges> for Ranges {
    fn from(ranges: &search::ranges::Ranges) -> Ranges {
        let range = |range: &search::ranges::Range| {
            let search::ranges::Range { proctype, name, least, greatest, .. } = range.clone();
            Range { proctype, name, least, greatest }
        };
        Ranges { states: ranges.states, variables: ranges.variables.iter().map(range).collect() }
    }
}

/// One of several runs with different seeds.
#[derive(Clone, Debug, Serialize)]
pub struct RunFigures {
    /// The seed of the run.
    pub seed: u64,
    /// `holds`, `violated` or `inconclusive`.
    pub verdict: &'static str,
    /// The length of the trail in steps as SPIN counts them, if a violation was found.
    pub length: Option<usize>,
    /// The length before the trail was made shorter, if a violation was found and shortening was tried.
    pub found_length: Option<usize>,
    /// The number of states that a walk has expanded; 0 for other searches.
    pub evaluations: u64,
    /// The number of states stored.
    pub states: u64,
    /// Seconds that the run took.
    pub time_s: f64,
    /// Memory for its states, in bytes.
    pub memory_bytes: u64,
}

/// What was asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// As `--property` names it.
    pub property: String,
    /// The name of the search that gave the answer.
    pub search: String,
    /// Its seed; `None` if it does not depend on chance.
    pub seed: Option<u64>,
}

/// A run: a counterexample, or a run that was replayed.
#[derive(Clone, Debug, Serialize)]
pub struct Trail {
    /// In steps as SPIN counts them.
    pub length: usize,
    /// The number of the first step of the cycle.
    pub cycle_start: Option<usize>,
    /// The trail file; `None` if none was written.
    pub file: Option<String>,
    /// Initial values that do not fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub initial_truncations: Vec<Truncation>,
    /// The rows of the steps, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
}

/// A value that does not fit where it is stored.
#[derive(Clone, Debug, Serialize)]
pub struct Truncation {
    variable: String,
    r#type: String,
    value: i32,
    stored: i32,
}

impl From<&Truncated> for Truncation {
    fn from(truncated: &Truncated) -> Truncation {
        let Truncated { variable, kind, value, stored, .. } = truncated.clone();
        Truncation { variable, r#type: kind, value, stored }
    }
}

/// The errors that were met.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Errors {
    /// The different ones, that of the verdict first.
    Listed(Vec<Error>),
    /// By kind (schema 1).
    Counted(BTreeMap<&'static str, u64>),
}

/// One of several errors.
#[derive(Clone, Debug, Serialize)]
pub struct Error {
    /// Its kind ([`Violation::name`]).
    pub violation: &'static str,
    /// What is wrong, in words.
    pub message: String,
    /// Where a step failed.
    pub place: Option<String>,
    /// How often it was met.
    pub count: u64,
    /// A run that comes to it.
    pub trail: Trail,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// One row of a trail.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    step: usize,
    pid: u32,
    process: String,
    file: String,
    line: usize,
    statement: u32,
    text: String,
    changes: Map<String, Value>,
    created: Vec<String>,
    ended: Vec<String>,
    printed: String,
    faults: Vec<String>,
    /// What it stores that does not fit, be it a fault or not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    truncations: Vec<Truncation>,
    /// What the claim sees before this step.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimStep>,
}

/// The claim's state before and after it has looked, and the conditions that it looked at.
#[derive(Clone, Debug, Serialize)]
struct ClaimStep {
    before: u32,
    after: u32,
    conditions: BTreeMap<String, bool>,
}

impl Answer {
    /// With errors as schema 1 has them.
    pub fn with_counted_errors(mut self, report: &Report) -> Answer {
        let counted = report.errors.iter().map(|&(kind, count)| (kind.name(), count)).collect();
        if let Errors::Listed(errors) = std::mem::replace(&mut self.errors, Errors::Counted(counted)) {
            self.further = errors.into_iter().skip(1).collect();
        }
        self.errors_unlisted = 0;
        self
    }

    /// The result as the report has it. The public fields that it cannot fill are empty.
    pub fn new(
        question: Question,
        report: &Report,
        (trail, errors): (Option<Trail>, Vec<Error>),
        warnings: Vec<String>,
        runs: Vec<RunFigures>,
        time: Duration,
    ) -> Answer {
        let Question { property, search, seed } = question;
        let (verdict, violation, message) = match &report.verdict {
            Verdict::Holds => ("holds", None, "holds".to_string()),
            Verdict::Violated(finding) => ("violated", Some(finding.violation.name()), finding.message.clone()),
            Verdict::Inconclusive(reason) => ("inconclusive", None, reason.to_string()),
        };
        let counts = &report.counts;
        Answer {
            property,
            search,
            seed,
            verdict,
            violation,
            message,
            complete: report.complete,
            reason: report.cut.as_ref().map(|reason| reason.to_string()),
            states_stored: counts.stored,
            states_matched: counts.matched,
            transitions: counts.transitions(),
            atomic_steps: counts.atomic_steps,
            depth: counts.depth,
            errors: Errors::Listed(errors),
            further: Vec::new(),
            errors_unlisted: report.unlisted,
            trail,
            time_s: time.as_secs_f64(),
            memory_bytes: counts.memory,
            peak_bytes: None,
            threads: report.threads,
            evaluations: report.evaluations,
            trace: report.rounds.clone(),
            walked: report.walked,
            dived: report.dived,
            artificial: report.artificial,
            found_length: report.found_length,
            quality: report.quality.map(Quality::name),
            runs,
            ranges: report.ranges.as_ref().map(Ranges::from),
            executions: None,
            share_s: None,
            given_up_after: report.whole,
            not_reduced: report.unreduced,
            untried: Vec::new(),
            warnings,
            unreached: None,
        }
    }
}

/// The result of a replay; what is not in schema 1 is left out there.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    schema: u32,
    model: Option<String>,
    violation: Option<&'static str>,
    message: String,
    trail: Option<Trail>,
    /// Whether the run violates the property that it was judged by, if it was. Not in schema 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<Judgement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagnostics: Option<Vec<Remark>>,
}

/// Whether a run violates a property; null if it stops too early to tell.
#[derive(Clone, Debug, Serialize)]
pub struct Judgement {
    /// As `--property` names it.
    pub name: String,
    /// `None` if the run stops too early to tell.
    pub violated: Option<bool>,
}

impl Replay {
    /// A run that was followed to its end.
    pub fn new(model: String, violation: Option<Violation>, message: String, trail: Trail) -> Replay {
        let (model, violation) = (Some(model), violation.map(Violation::name));
        Replay { schema: 1, model, violation, message, trail: Some(trail), property: None, diagnostics: None }
    }

    /// A run that could not be followed.
    pub fn refused(model: impl Into<Option<String>>) -> Replay {
        let (model, message) = (model.into(), "the trail was not replayed".into());
        Replay { schema: 1, model, violation: None, message, trail: None, property: None, diagnostics: None }
    }

    /// The text of the object; `diagnostics` are not in schema 1.
    pub fn render(self, schema: Schema, diagnostics: Vec<Remark>) -> String {
        match schema {
            Schema::One => render(&Replay { property: None, ..self }),
            Schema::Two => render(&Replay { schema: 2, diagnostics: Some(diagnostics), ..self }),
        }
    }
}

impl From<&Row> for Step {
    fn from(row: &Row) -> Step {
        let mut step = Step {
            step: row.number,
            pid: row.pid,
            process: row.process.clone(),
            file: row.file.clone(),
            line: row.line,
            statement: row.statement,
            text: row.text.clone(),
            changes: Map::new(),
            created: Vec::new(),
            ended: Vec::new(),
            printed: row.printed.clone(),
            faults: row.faults.iter().map(|fault| fault.to_string()).collect(),
            truncations: row.truncated.iter().map(Truncation::from).collect(),
            claim: row.sight.as_ref().map(|sight| ClaimStep {
                before: sight.before,
                after: sight.after,
                conditions: sight.conditions.iter().cloned().collect(),
            }),
        };
        for change in &row.changes {
            match change {
                Change::Value { name, value } => {
                    step.changes.insert(name.clone(), json_value(value));
                }
                Change::Created(process) => step.created.push(process.clone()),
                Change::Ended(process) => step.ended.push(process.clone()),
            }
        }
        step
    }
}

/// Numbers as numbers, names and channel contents as text.
fn json_value(value: &str) -> Value {
    value.parse::<i64>().map_or_else(|_| Value::from(value), Value::from)
}

/// One object, with a line end.
pub fn render(object: &impl Serialize) -> String {
    ended(serde_json::to_string_pretty(object))
}

/// One object in one line, with its end.
pub fn render_line(object: &impl Serialize) -> String {
    ended(serde_json::to_string(object))
}

fn ended(text: serde_json::Result<String>) -> String {
    let mut text = text.unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"));
    text.push('\n');
    visible_json(text)
}
