//! Limits hold before the search, too: while the model is loaded and looked at for reduction, and when a trail is read.

use crate::limits::{LATE, capped, list};
use crate::{ASSERTION, Output, Sandbox};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// To load it takes ten seconds and more than a gigabyte.
fn long() -> Sandbox {
    Sandbox::with(&format!("int x; active proctype P() {{ {} }}", list(" ", "x = 1;", 1_150_000)))
}

/// Control goes from each label to the one before it, so that what matters at one is found out in as many rounds as there are labels.
fn backward() -> Sandbox {
    let labels: String = (1..20_000).map(|n| format!("L{n}: x = 1; goto L{};\n", n - 1)).collect();
    Sandbox::with(&format!(
        "byte x; active proctype P() {{ byte y; y = x; goto L19999; L0: x = y; goto done;\n{labels} done: skip }}"
    ))
}

/// What becomes of a run that gets a signal after a while, and how long that takes.
fn signalled(sandbox: &Sandbox, args: &str, signal: Signal) -> (ExitStatus, String, Duration) {
    let child = sandbox.command(args).spawn().expect("swarmgp starts");
    std::thread::sleep(Duration::from_millis(1500));
    let started = Instant::now();
    let pid = Pid::from_raw(child.id() as i32).expect("a process has a number");
    kill_process(pid, signal).expect("it is still there");
    let done = child.wait_with_output().expect("swarmgp ends");
    (done.status, String::from_utf8_lossy(&done.stdout).into_owned(), started.elapsed())
}

#[test]
fn a_model_is_loaded_within_the_limits() {
    let sandbox = long();
    let started = Instant::now();
    let Output { code, out, err } = sandbox.run("verify m.pml --time 0.4 --memory 8G");
    assert_eq!((code, err.as_str()), (3, ""), "{out}");
    assert_eq!(out, "inconclusive: the time limit of 0.4 s was reached before the model was loaded\n");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    let (code, document) = sandbox.document("verify m.pml --memory 100M --json");
    assert_eq!((code, document["verdict"].as_str()), (3, Some("inconclusive")), "{document}");
    let why = document["diagnostics"][0]["message"].as_str().expect("a reason");
    assert!(why.contains("the memory limit of 100 MiB was reached before the model was loaded"), "{why}");
}

#[test]
fn a_signal_ends_what_comes_before_the_search() {
    let sandbox = long();
    for (args, signal) in [("verify m.pml", Signal::TERM), ("compare m.pml --search bfs", Signal::INT)] {
        let (status, out, took) = signalled(&sandbox, args, signal);
        assert_eq!(status.signal(), Some(signal.as_raw()), "{args}: {out}");
        assert!(took < Duration::from_secs(3), "{args}: {took:?}");
    }
}

#[test]
fn what_is_found_out_for_reductions_obeys_the_limits() {
    let sandbox = backward();
    let started = Instant::now();
    let output = sandbox.run("verify m.pml --search bfs --reduce=dead --time 2");
    assert!(output.code == 3 && output.out.contains("the time limit of 2 s was reached"), "{}", output.out);
    assert!(started.elapsed() < LATE, "{:?}", started.elapsed());
    let (status, out, took) = signalled(&sandbox, "verify m.pml --search bfs --reduce=dead", Signal::TERM);
    assert!(status.code() == Some(3) && out.contains("the search was interrupted"), "{status} {out}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

#[test]
fn a_trail_that_is_none_is_refused_without_showing_all_of_it() {
    let sandbox = Sandbox::with(ASSERTION);
    let zeros = File::create(sandbox.dir.join("z.trail")).expect("a file");
    zeros.set_len(200 << 20).expect("a file with a hole");
    let Output { code, err, .. } = capped(&sandbox, "replay m.pml z.trail");
    assert!(code == 2 && err.contains("this is not a line of a trail") && err.len() < 10_000, "{code} {}", err.len());
}

#[test]
fn not_all_of_a_million_errors_are_told() {
    let sandbox = Sandbox::with(&format!("{} active proctype P() {{ skip }}", list("\n", "byte y;", 300)));
    let Output { code, err, .. } = sandbox.run("verify m.pml");
    assert!(code == 2 && err.ends_with("… and 99 more\n"), "{err}");
}
