//! Runs a program in a directory with limits on its time and memory.

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Code(i32),
    Signal(i32),
    TimedOut,
}

pub struct Finished {
    pub end: End,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn both(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

#[derive(Clone, Copy)]
pub struct Limits {
    pub seconds: u64,
    pub megabytes: u64,
}

/// Output goes through files, so that a program that prints much cannot block on a full pipe.
pub fn run(dir: &Path, program: &str, arguments: &[&str], limits: Limits) -> Finished {
    let (out, err) = (dir.join("stdout.txt"), dir.join("stderr.txt"));
    let mut child = Command::new("sh")
        .args(["-c", r#"ulimit -c 0; ulimit -v "$0"; exec "$@""#, &(limits.megabytes * 1024).to_string(), program])
        .args(arguments)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(File::create(&out).expect("the temporary directory is writable"))
        .stderr(File::create(&err).expect("the temporary directory is writable"))
        .spawn()
        .expect("sh can be started");
    let deadline = Instant::now() + Duration::from_secs(limits.seconds);
    let end = loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            break ended(status);
        }
        if Instant::now() >= deadline {
            let _ = child.kill();
            let _ = child.wait();
            break End::TimedOut;
        }
        std::thread::sleep(Duration::from_millis(4));
    };
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    Finished { end, stdout: text(&out), stderr: text(&err) }
}

fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, Some(signal)) => End::Signal(signal),
        (None, None) => End::Code(-1),
    }
}

pub fn installed(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

/// A directory that is removed with everything in it when the value is dropped.
pub struct Workshop {
    pub path: PathBuf,
}

impl Workshop {
    pub fn new() -> Workshop {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("swarmgp-random-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary directory can be made");
        Workshop { path }
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path.join(name), text).expect("the temporary directory is writable");
    }

    pub fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path.join(name)).ok()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
