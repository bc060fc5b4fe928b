//! The command line from outside: exit codes, what is printed where, files that are written.

mod automaton;
mod errors;
mod formulas;
mod habits;
mod inputs;
mod json;
mod lab;
mod language;
mod large;
mod limits;
mod liveness;
mod loading;
mod ltl;
mod manual;
mod outputs;
mod portfolio;
mod refusals;
mod replay;
mod show;
mod simulate;
mod terminal;
mod vacuity;
mod values;
mod verify;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory of its own for each test, gone when the test is over.
pub struct Sandbox {
    pub dir: PathBuf,
}

/// What a run of swarmgp left behind.
pub struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn empty() -> Sandbox {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("swarmgp-cli-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory for the test");
        Sandbox { dir }
    }

    /// With a model in `m.pml`.
    pub fn with(model: &str) -> Sandbox {
        let sandbox = Sandbox::empty();
        sandbox.file("m.pml", model);
        sandbox
    }

    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.dir.join(name), text).expect("a file for the test");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.dir.join(name).exists()
    }

    pub fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_swarmgp"));
        command.args(args.split_whitespace()).current_dir(&self.dir);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, args: &str) -> Output {
        self.run_with(args, "")
    }

    /// With something on the standard input.
    pub fn run_with(&self, args: &str, input: &str) -> Output {
        finish(self.command(args), input)
    }

    /// The only result in the JSON object of a run, or the whole object if there is not just one, and the exit code.
    pub fn json(&self, args: &str) -> (i32, serde_json::Value) {
        let (code, mut document) = self.document(args);
        match document.get_mut("results").and_then(|all| all.as_array_mut()).map(Vec::as_mut_slice) {
            Some([only]) => (code, only.take()),
            _ => (code, document),
        }
    }

    /// The JSON object of a run, and its exit code; nothing else may be on the standard output.
    pub fn document(&self, args: &str) -> (i32, serde_json::Value) {
        let Output { code, out, err } = self.run(args);
        let value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{err}"));
        (code, value)
    }
}

/// Runs a command to its end.
pub fn finish(mut command: Command, input: &str) -> Output {
    let mut child = command.spawn().expect("swarmgp starts");
    // whoever does not read its input may be gone by now
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let done = child.wait_with_output().expect("swarmgp ends");
    Output {
        code: done.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8(done.stdout).expect("text"),
        err: String::from_utf8(done.stderr).expect("text"),
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

pub const HOLDS: &str = "byte x; active proctype P() { x = 1; assert(x == 1) }\n";

pub const ASSERTION: &str = "byte x;
active proctype P()
{
    x = 1;
    x = 2;
    assert(x == 1)
}
";

pub const DEADLOCK: &str = "chan c = [0] of { byte };
active proctype Sender() { c!1; c!2 }
active proctype Receiver() { byte got; c?got }
";

/// More states than anyone wants to wait for.
pub const ENDLESS: &str = "int x, y;
active proctype X() { do :: x++ od }
active proctype Y() { do :: y++ :: x + y < 0 -> break od }
";
