//! Files without bounds: what has no end, or too much before it, is refused.

use crate::{ASSERTION, Sandbox, finish};
use std::fs::File;
use std::process::{Command, Stdio};

#[track_caller]
fn refused(sandbox: &Sandbox, args: &str, why: &str) {
    let run = sandbox.run(args);
    assert_eq!(run.code, 2, "{args}: {}", run.err);
    assert!(run.err.contains(why), "{args}: {}", run.err);
}

#[test]
fn devices_pipes_and_directories_are_no_files() {
    let sandbox = Sandbox::with(ASSERTION);
    sandbox.file("including.pml", "#include \"/dev/zero\"\n");
    sandbox.file(
        "e.toml",
        "title = \"t\"\nresults = \"/dev/zero\"\n[[case]]\nmodel = \"m.pml\"\n[[search]]\nuse = \"bfs\"\n",
    );
    let made = Command::new("mkfifo").arg(sandbox.dir.join("pipe")).status().expect("mkfifo");
    assert!(made.success());
    for args in [
        "verify /dev/zero",
        "verify including.pml",
        "verify m.pml --never /dev/zero",
        "verify m.pml --automaton /dev/zero",
        "simulate /dev/zero",
        "show /dev/zero --stage spec",
        "replay m.pml /dev/zero",
        "ltl --file /dev/zero",
        "compare /dev/zero --search bfs",
        "bench /dev/zero",
        "bench e.toml",
        "verify pipe",
    ] {
        refused(&sandbox, args, "it is a device, a pipe or a socket, not a file");
    }
    refused(&sandbox, "verify .", "cannot read .: it is a directory, not a file");
    refused(&sandbox, "verify /dev/stdin", "help: - is the standard input");
}

#[test]
fn there_is_a_limit_to_what_is_read() {
    let sandbox = Sandbox::with(ASSERTION);
    let huge = File::create(sandbox.dir.join("huge")).expect("a file");
    huge.set_len(9 << 20).expect("a file with a hole");
    refused(&sandbox, "verify huge", "cannot read huge: it has more than 8 MiB");
    refused(&sandbox, "ltl --file huge", "it has more than 8 MiB");
    refused(&sandbox, "bench huge", "it has more than 8 MiB");
    for args in ["verify -", "ltl --file -", "verify m.pml --never -"] {
        let mut command = sandbox.command(args);
        command.stdin(Stdio::from(File::open("/dev/zero").expect("a device")));
        let done = command.output().expect("it ends");
        let err = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.code() == Some(2) && err.contains("<stdin>: it has more than 8 MiB"), "{args}: {err}");
    }
}

#[test]
fn an_answer_without_end_is_none() {
    let sandbox = Sandbox::with(ASSERTION);
    let run = finish(sandbox.command("simulate m.pml --interactive"), &"1".repeat(100_000));
    assert_eq!(run.code, 0);
    assert!(run.out.ends_with("stopped\n"), "{}", run.out);
}
