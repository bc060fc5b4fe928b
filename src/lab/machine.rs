//! Where and with what runs were done.

use crate::report::figures::bytes;
use serde::{Deserialize, Serialize};
use std::fs;
use std::time::SystemTime;

/// A line of a journal: the runs behind it, up to the next such line, were done so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Of swarmgp.
    pub version: String,
    pub processor: String,
    pub cores: usize,
    /// In bytes; 0 if unknown.
    pub memory: u64,
    pub system: String,
    /// Runs at once.
    pub jobs: usize,
    /// In UTC.
    pub started: String,
}

impl Session {
    /// This machine, now.
    pub fn now(jobs: usize) -> Session {
        Session {
            version: env!("CARGO_PKG_VERSION").into(),
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)).unwrap_or(0),
            system: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| std::env::consts::OS.into(), |release| format!("Linux {}", release.trim())),
            jobs,
            started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        }
    }

    /// In a sentence without its end.
    pub fn shown(&self) -> String {
        let Session { version, processor, cores, memory, system, jobs, started } = self;
        let memory = bytes(*memory);
        let jobs = if *jobs > 1 { format!(", {jobs} runs at once") } else { String::new() };
        format!("swarmgp {version}, {processor}, {cores} cores, {memory}, {system}, {started}{jobs}")
    }

    /// The same machine and program, at whatever time.
    pub fn is_like(&self, other: &Session) -> bool {
        Session { started: other.started.clone(), ..self.clone() } == *other
    }
}

/// The first value of a name in a file of lines `name : value`.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'))?;
    Some(value.trim().into())
}

fn kilobytes(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
