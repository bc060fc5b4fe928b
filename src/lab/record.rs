//! What came out of a run: one line of a journal.

use super::job::{Job, Key};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;

/// A run that was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    #[serde(flatten)]
    pub key: Key,
    /// The run can be repeated with these.
    pub args: Vec<String>,
    /// A fingerprint of the model.
    pub model: String,
    pub outcome: Outcome,
    /// The violation, or why there is no verdict.
    pub message: String,
    /// Steps of the trail as it was found, and as it is in the end.
    pub found: Option<u64>,
    pub length: Option<u64>,
    /// States that were stored or, by a walk, expanded.
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    /// Of the search alone.
    pub time_s: f64,
    /// Of the whole process, user and system.
    pub cpu_s: f64,
    pub peak_bytes: u64,
    /// What the search says that it needs for states.
    pub memory_bytes: u64,
    /// How a walk came along, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Holds,
    Violated,
    Inconclusive,
    /// The process ended without an answer.
    Crashed,
}

impl Outcome {
    /// There is a verdict.
    pub fn is_verdict(self) -> bool {
        matches!(self, Outcome::Holds | Outcome::Violated)
    }

    pub fn name(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Violated => "violated",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Crashed => "crashed",
        }
    }
}

/// What a process used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    pub cpu: Duration,
    pub peak_bytes: u64,
}

impl Record {
    /// Which job this is the record of.
    pub fn id(&self) -> (&Key, &[String], &str) {
        (&self.key, &self.args, &self.model)
    }

    /// From the object that `verify --json` printed; a job is about one property.
    pub fn of_answer(job: &Job, document: &Value, used: Used) -> Option<Record> {
        let answer = &document["results"][0];
        let outcome = match answer["verdict"].as_str()? {
            "holds" => Outcome::Holds,
            "violated" => Outcome::Violated,
            _ => Outcome::Inconclusive,
        };
        let length = answer["trail"]["length"].as_u64();
        Some(Record {
            outcome,
            message: answer["message"].as_str()?.into(),
            found: answer["found_length"].as_u64().or(length),
            length,
            states: answer["evaluations"].as_u64().or_else(|| answer["states_stored"].as_u64())?,
            transitions: answer["transitions"].as_u64()?,
            depth: answer["depth"].as_u64()?,
            time_s: answer["time_s"].as_f64()?,
            memory_bytes: answer["memory_bytes"].as_u64()?,
            trace: answer.get("trace").cloned(),
            peak_bytes: answer["peak_bytes"].as_u64().unwrap_or(used.peak_bytes),
            ..Record::crashed(job, String::new(), used)
        })
    }

    /// The command that does the same run.
    pub fn command(&self) -> String {
        let words = shlex::try_join(self.args.iter().map(String::as_str)).unwrap_or_else(|_| self.args.join(" "));
        // how a run came along is part of the JSON object
        let json = if self.trace.is_some() { " --json" } else { "" };
        format!("swarmgp verify {words}{json}")
    }

    /// There was no answer.
    pub fn crashed(job: &Job, message: String, used: Used) -> Record {
        Record {
            key: job.key.clone(),
            args: job.args.clone(),
            model: job.model.clone(),
            outcome: Outcome::Crashed,
            message,
            found: None,
            length: None,
            states: 0,
            transitions: 0,
            depth: 0,
            time_s: 0.0,
            cpu_s: used.cpu.as_secs_f64(),
            peak_bytes: used.peak_bytes,
            memory_bytes: 0,
            trace: None,
        }
    }
}
