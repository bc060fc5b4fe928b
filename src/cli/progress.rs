//! The line on the terminal that shows how far a search is.

use crate::report::figures::{bytes, grouped, rate};
use crate::search::{Monitor, Progress};
use crate::verify::RunsDone;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

const EVERY: Duration = Duration::from_millis(200);

/// Runs `work` and meanwhile shows what its monitor says, if there is a terminal to show it on.
pub fn watched<T>(monitor: &Monitor, work: impl FnOnce() -> T) -> T {
    shown(&|| line(&monitor.progress()), work)
}

/// The same for several runs at once.
pub fn counted<T>(runs: &RunsDone, work: impl FnOnce() -> T) -> T {
    shown(&|| format!("{} of {} runs", grouped(runs.done.load(Relaxed)), grouped(runs.of)), work)
}

fn shown<T>(line: &(impl Fn() -> String + Sync), work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || show(line, &ended));
        let result = work();
        // wakes the other thread at once
        drop(done);
        result
    })
}

fn show(line: &impl Fn() -> String, ended: &mpsc::Receiver<()>) {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
    while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(EVERY) {
        bar.set_message(line());
        bar.tick();
    }
    bar.finish_and_clear();
}

fn line(progress: &Progress) -> String {
    let Progress { states, depth, memory, elapsed } = *progress;
    format!(
        "{} states, {} states/s, depth {}, {}, {} s",
        grouped(states),
        grouped(rate(states, elapsed).unwrap_or(0)),
        grouped(depth),
        bytes(memory),
        elapsed.as_secs()
    )
}
