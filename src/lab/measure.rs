//! Runs jobs, each in a process of its own, and measures them.
//!
//! CPU time and peak memory are what the kernel says of the whole process, so that nothing is left out: reading the model, the stacks,
//! making a trail shorter. The peak is what a process says of itself: Linux tells its parent that it has used at least what the parent
//! used when it was started. Only where a process does not come to an answer, that has to do.

use super::job::Job;
use super::record::{Record, Used};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;
use wait4::{ResUse, Wait4};

/// Runs all jobs, so many at once, and hands over each record as soon as there is one. Ends early, without the records of what is being
/// run, when `stop` is set; and when `take` says no.
pub fn measure_all(
    program: &Path,
    jobs: &[Job],
    at_once: usize,
    stop: &AtomicBool,
    mut take: impl FnMut(Record) -> bool,
) {
    let next = AtomicUsize::new(0);
    let gone = AtomicBool::new(false);
    thread::scope(|scope| {
        let (done, records) = mpsc::channel();
        for _ in 0..at_once.min(jobs.len()) {
            let (done, next, gone) = (done.clone(), &next, &gone);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, SeqCst)) {
                    if stop.load(SeqCst) || gone.load(SeqCst) {
                        break;
                    }
                    let record = measure(program, job);
                    // an interrupt goes to all processes of the terminal: what they say then is not their last word
                    if stop.load(SeqCst) || done.send(record).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done);
        for record in records {
            if !take(record) {
                gone.store(true, SeqCst);
                break;
            }
        }
    });
}

/// Runs one job.
pub fn measure(program: &Path, job: &Job) -> Record {
    let mut command = Command::new(program);
    command.arg("verify").args(&job.args).args(["--json", "--no-trail", "--peak-memory"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ended = command.spawn().and_then(finish);
    match ended {
        Ok((usage, output, errors)) => {
            let used = Used { cpu: usage.rusage.utime + usage.rusage.stime, peak_bytes: usage.rusage.maxrss };
            let answer = serde_json::from_slice(&output).ok();
            answer.and_then(|answer| Record::of_answer(job, &answer, used)).unwrap_or_else(|| {
                let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
                Record::crashed(job, format!("{}: {last}", usage.status), used)
            })
        }
        Err(error) => Record::crashed(job, format!("the run could not be started: {error}"), Used::default()),
    }
}

/// Waits for a process; what it used, its output and its complaints.
fn finish(mut child: Child) -> std::io::Result<(ResUse, Vec<u8>, String)> {
    let complaints = child.stderr.take().map(|mut stream| {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stream.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    });
    let mut output = Vec::new();
    if let Some(mut stream) = child.stdout.take() {
        stream.read_to_end(&mut output)?;
    }
    let usage = child.wait4()?;
    let complaints = complaints.and_then(|thread| thread.join().ok()).unwrap_or_default();
    Ok((usage, output, complaints))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::lab::job::Key;
    use crate::lab::record::Outcome;

    fn job(run: u64) -> Job {
        Job { key: Key { case: "c".into(), search: "s".into(), run, seed: None }, args: Vec::new() }
    }

    #[test]
    fn a_crash_costs_one_run() {
        let mut records = Vec::new();
        let jobs: Vec<Job> = (1..=5).map(job).collect();
        measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(false), |record| {
            records.push(record);
            true
        });
        let mut runs: Vec<u64> = records.iter().map(|record| record.key.run).collect();
        runs.sort_unstable();
        assert_eq!(runs, [1, 2, 3, 4, 5]);
        assert!(records.iter().all(|record| record.outcome == Outcome::Crashed));
        assert!(records[0].message.starts_with("exit status: 1"), "{}", records[0].message);
        let record = measure(Path::new("/nowhere/at/all"), &job(1));
        assert!(record.message.starts_with("the run could not be started"), "{}", record.message);
    }

    #[test]
    fn who_takes_records_may_say_no() {
        let jobs: Vec<Job> = (1..=50).map(job).collect();
        let mut taken = 0;
        measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(false), |_| {
            taken += 1;
            taken < 3
        });
        assert_eq!(taken, 3);
        measure_all(Path::new("/bin/false"), &jobs, 2, &AtomicBool::new(true), |_| panic!("nothing is run"));
    }
}
