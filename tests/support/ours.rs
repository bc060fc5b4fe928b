//! The program under test: model text in a directory → its report.

use super::command::{End, Limits, Workshop, run};
use serde::Deserialize;

const LIMITS: Limits = Limits { seconds: 60, megabytes: 8000 };
const PROGRAM: &str = env!("CARGO_BIN_EXE_swarmgp");

#[derive(Debug, Deserialize)]
pub struct Report {
    pub verdict: String,
    pub violation: Option<String>,
    pub message: Option<String>,
    pub complete: bool,
    pub reason: Option<String>,
    pub states_stored: u64,
    pub transitions: u64,
    pub atomic_steps: u64,
    #[serde(default)]
    pub errors: Vec<ErrorReport>,
    #[serde(default)]
    pub errors_unlisted: u64,
    #[serde(default)]
    pub trail: Option<TrailReport>,
}

#[derive(Debug, Deserialize)]
pub struct ErrorReport {
    pub count: u64,
}

#[derive(Debug, Deserialize)]
pub struct TrailReport {
    pub length: u64,
}

impl Report {
    pub fn error_count(&self) -> u64 {
        self.errors.iter().map(|error| error.count).sum::<u64>() + self.errors_unlisted
    }

    pub fn summary(&self) -> String {
        format!(
            "{} {} {}: stored {}, transitions {}, atomic steps {}, errors {}, complete {}{}",
            self.verdict,
            self.violation.as_deref().unwrap_or("-"),
            self.message.as_deref().unwrap_or(""),
            self.states_stored,
            self.transitions,
            self.atomic_steps,
            self.error_count(),
            self.complete,
            self.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default()
        )
    }
}

/// What `verify --json` prints.
#[derive(Deserialize)]
struct Document {
    results: Vec<Report>,
}

/// `m.pml` in the directory, by one search; `more` are further options.
pub fn verify(workshop: &Workshop, search: &str, more: &[&str]) -> Result<Report, String> {
    let arguments = ["verify", "m.pml", "--property", "safety", "--search", search, "--json"];
    let finished = run(&workshop.path, PROGRAM, &[&arguments, more].concat(), LIMITS);
    let complaint = || {
        let tail: Vec<_> = finished.stderr.lines().take(12).collect();
        format!("{:?}; stdout: {}; stderr: {}", finished.end, finished.stdout.trim(), tail.join("\n"))
    };
    let document: Document =
        serde_json::from_str(&finished.stdout).map_err(|error| format!("{error}; {}", complaint()))?;
    let report = document.results.into_iter().next().ok_or_else(complaint)?;
    let expected = match report.verdict.as_str() {
        "holds" => 0,
        "violated" => 1,
        "inconclusive" => 3,
        _ => return Err(complaint()),
    };
    if finished.end == End::Code(expected) { Ok(report) } else { Err(complaint()) }
}

/// Follows a trail: ended in a violation (1), ended without (0), or could not be followed.
pub fn replay(workshop: &Workshop, trail: &str) -> Result<i32, String> {
    let finished = run(&workshop.path, PROGRAM, &["replay", "m.pml", trail], LIMITS);
    match finished.end {
        End::Code(code @ (0 | 1)) => Ok(code),
        end => Err(format!("{end:?}: {}", finished.both().lines().take(8).collect::<Vec<_>>().join(" | "))),
    }
}
