//! Runs jobs, each in a process of its own, and measures them.
//!
//! CPU time and peak memory are what the kernel says of the whole process, so that nothing is left out: reading the model, the stacks,
//! making a trail shorter. The peak is what a process says of itself: Linux tells its parent that it has used at least what the parent
//! used when it was started. Only where a process does not come to an answer, that has to do.

use super::job::Job;
use super::record::{Record, Used};
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use wait4::{ResUse, Wait4};

/// What every run is told besides what its job says.
pub const ALWAYS: [&str; 3] = ["--json", "--no-trail", "--peak-memory"];

/// How often [`measure_all`] checks whether it must stop.
const EVERY: Duration = Duration::from_millis(100);

/// Runs all jobs, `at_once` at a time, and hands each record to `take` as soon as there is one. Ends early, without the
/// records of what is being run, when `stop` is set, when a run cannot be started, and when `take` fails.
pub fn measure_all(
    program: &Path,
    jobs: &[Job],
    at_once: usize,
    stop: &AtomicBool,
    mut take: impl FnMut(Record) -> Result<(), String>,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let over = AtomicBool::new(false);
    let running = Running::default();
    let is_over = || stop.load(SeqCst) || over.load(SeqCst);
    let mut result = Ok(());
    thread::scope(|scope| {
        let (done, records) = mpsc::channel();
        for _ in 0..at_once.min(jobs.len()) {
            let (done, next, running) = (done.clone(), &next, &running);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, SeqCst)).filter(|_| !is_over()) {
                    let record = measure(program, job, running);
                    // a run that was interrupted has no valid record
                    if is_over() || done.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done);
        loop {
            let taken = match records.recv_timeout(EVERY) {
                Ok(record) => record.and_then(&mut take),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if taken.is_err() {
                result = taken;
                over.store(true, SeqCst);
            }
            if is_over() {
                running.end();
            }
            if result.is_err() {
                break;
            }
        }
    });
    result
}

/// Runs one job; an error if it cannot even be started.
fn measure(program: &Path, job: &Job, running: &Running) -> Result<Record, String> {
    let mut command = Command::new(program);
    command.arg("verify").args(&job.args).args(job.aside()).args(ALWAYS);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    ends_with_its_parent(&mut command);
    let child = command.spawn().map_err(|error| format!("cannot run {}: {error}", program.display()))?;
    let (usage, output, errors) = finish(child, running).map_err(|error| format!("lost a run: {error}"))?;
    let used = Used { cpu: usage.rusage.utime + usage.rusage.stime, peak_bytes: usage.rusage.maxrss };
    let answer = serde_json::from_slice(&output).ok();
    Ok(answer.and_then(|answer| Record::of_answer(job, &answer, used)).unwrap_or_else(|| {
        let said = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
        Record::crashed(job, format!("{}: {said}", usage.status), used)
    }))
}

/// A run is killed when its parent ends: nothing could take its result.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "what happens between fork and exec")]
fn ends_with_its_parent(command: &mut Command) {
    use rustix::process::{Signal, set_parent_process_death_signal};
    use std::os::unix::process::CommandExt;
    // SAFETY: between fork and exec this makes one system call, and neither allocates nor locks.
    unsafe {
        command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
}

#[cfg(not(target_os = "linux"))]
fn ends_with_its_parent(_: &mut Command) {}

/// The processes that are being run.
#[derive(Default)]
struct Running {
    numbers: Mutex<Vec<u32>>,
}

impl Running {
    fn change(&self, change: impl FnOnce(&mut Vec<u32>)) {
        change(&mut self.numbers.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
    }

    /// Ends all of them.
    fn end(&self) {
        self.change(|numbers| numbers.iter().for_each(|&number| kill(number)));
    }
}

#[cfg(unix)]
fn kill(number: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(process) = i32::try_from(number).ok().and_then(Pid::from_raw) {
        // it may be over already
        let _ = kill_process(process, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_: u32) {}

/// Waits for a process; what it used, its output and its complaints.
fn finish(mut child: Child, running: &Running) -> io::Result<(ResUse, Vec<u8>, String)> {
    let number = child.id();
    running.change(|numbers| numbers.push(number));
    let complaints = child.stderr.take().map(|mut stream| {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stream.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    });
    let mut output = Vec::new();
    let read = child.stdout.take().map_or(Ok(0), |mut stream| stream.read_to_end(&mut output));
    // its number may be given to another process only after it was waited for
    running.change(|numbers| numbers.retain(|&other| other != number));
    let usage = child.wait4()?;
    read?;
    let complaints = complaints.and_then(|thread| thread.join().ok()).unwrap_or_default();
    Ok((usage, output, complaints))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::lab::job::Key;
    use crate::lab::record::Outcome;

    fn job(run: u64) -> Job {
        let key = Key { case: "c".into(), search: "s".into(), run, seed: None };
        Job { key, args: Vec::new(), model: String::new() }
    }

    #[test]
    fn a_crash_costs_one_run() {
        let mut records = Vec::new();
        let jobs: Vec<Job> = (1..=5).map(job).collect();
        measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(false), |record| {
            records.push(record);
            Ok(())
        })
        .expect("they can be started");
        let mut runs: Vec<u64> = records.iter().map(|record| record.key.run).collect();
        runs.sort_unstable();
        assert_eq!(runs, [1, 2, 3, 4, 5]);
        assert!(records.iter().all(|record| record.outcome == Outcome::Crashed));
        assert!(records[0].message.starts_with("exit status: 1"), "{}", records[0].message);
    }

    #[test]
    fn what_cannot_be_started_is_no_result() {
        let jobs: Vec<Job> = (1..=5).map(job).collect();
        let nothing = |_| panic!("there is no record");
        let result = measure_all(Path::new("/nowhere/at/all"), &jobs, 2, &AtomicBool::new(false), nothing);
        assert!(result.is_err_and(|why| why.starts_with("cannot run /nowhere/at/all: ")));
    }

    #[test]
    fn who_takes_records_may_say_no() {
        let jobs: Vec<Job> = (1..=50).map(job).collect();
        let mut taken = 0;
        let result = measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(false), |_| {
            taken += 1;
            if taken < 3 { Ok(()) } else { Err("enough".into()) }
        });
        assert_eq!((result, taken), (Err("enough".into()), 3));
        let nothing = |_| panic!("nothing is run");
        assert_eq!(measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(true), nothing), Ok(()));
    }
}
