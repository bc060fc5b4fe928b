//! Mutants of our own models: whatever the text, `verify` ends with an answer or a diagnostic, in time and within memory.
//!
//! `SWARMGP_MUTANTS=10000 cargo test --test mutants -- --nocapture` chooses how many (or which: `500-900`, or one: `7-7`),
//! `SWARMGP_WORKERS=4` how many run at once. A mutant that breaks a rule is named by its seed, and its text is kept.

#[allow(dead_code)]
mod support {
    pub mod command;
    pub mod mutate;
}

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256StarStar;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::command::Workshop;
use support::mutate::mutant;
use wait4::{ResUse, Wait4};

/// As many as CI has the time for.
const WITHOUT_BEING_ASKED: u64 = 1000;
const WORKERS: usize = 2;

const OPTIONS: [&str; 4] = ["--time", "2", "--memory", "200M"];
/// In kilobytes: what a process may map, beyond which allocations fail.
const ADDRESS_SPACE: &str = "2000000";
const LATEST: Duration = Duration::from_secs(4);
/// Who has not ended by then is killed.
const GIVEN_UP: Duration = Duration::from_secs(15);
const MOST_RESIDENT: u64 = 300 << 20;

#[test]
fn mutants_keep_within_their_limits() {
    let models = models();
    let seeds = seeds();
    let next = AtomicU64::new(*seeds.start());
    let broken = Mutex::new(Vec::new());
    let tally = Mutex::new([0u64; 4]);
    std::thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                let workshop = Workshop::new();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        return;
                    }
                    match examine(seed, &models, &workshop) {
                        Ok(code) => tally.lock().expect("no thread panics with the lock")[code] += 1,
                        Err(why) => broken.lock().expect("no thread panics with the lock").push((seed, why)),
                    }
                }
            });
        }
    });
    let mut broken = broken.into_inner().expect("no thread panics with the lock");
    broken.sort();
    println!("mutants by exit code 0 to 3: {:?}; broken rules: {}", tally.into_inner(), broken.len());
    let list: Vec<String> = broken.iter().map(|(seed, why)| format!("seed {seed}: {why}")).collect();
    assert!(broken.is_empty(), "{} mutants broke a rule:\n{}", broken.len(), list.join("\n"));
}

#[test]
fn a_seed_names_a_mutant() {
    let models = models();
    for seed in 0..100 {
        let (model, text) = mutant_of(seed, &models);
        assert_eq!((model, text.clone()), mutant_of(seed, &models));
        assert!(text.len() < 2 * fs::read_to_string(model).expect("a model").len() + 100, "seed {seed}");
    }
}

/// The exit code, or the rule that was broken. Who is late has another try: other programs may have kept it waiting.
fn examine(seed: u64, models: &[PathBuf], workshop: &Workshop) -> Result<usize, String> {
    let (model, text) = mutant_of(seed, models);
    workshop.write("mutant.pml", &text);
    let mut run = verify(&workshop.path);
    if run.took > LATEST {
        run = verify(&workshop.path);
    }
    run.broken_rule().map_or(Ok(run.code() as usize), |rule| {
        let kept = keep(seed, &text);
        let said = workshop.read("stderr.txt").unwrap_or_default();
        let said = said.lines().find(|line| !line.is_empty()).unwrap_or_default();
        Err(format!("{rule}; of {}, kept in {}: {said}", model.display(), kept.display()))
    })
}

fn mutant_of(seed: u64, models: &[PathBuf]) -> (&Path, String) {
    let model = &models[(seed % models.len() as u64) as usize];
    let text = fs::read_to_string(model).expect("a model is a text");
    (model, mutant(&text, &mut Xoshiro256StarStar::seed_from_u64(seed)))
}

fn keep(seed: u64, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder).expect("the folder for tests is writable");
    let path = folder.join(format!("{seed}.pml"));
    fs::write(&path, text).expect("the folder for tests is writable");
    path
}

struct Run {
    usage: ResUse,
    took: Duration,
}

impl Run {
    /// -1 if a signal ended it.
    fn code(&self) -> i32 {
        self.usage.status.code().unwrap_or(-1)
    }

    fn broken_rule(&self) -> Option<String> {
        let resident = self.usage.rusage.maxrss;
        if self.took >= GIVEN_UP {
            Some(format!("killed after {} s", GIVEN_UP.as_secs()))
        } else if let Some(signal) = self.usage.status.signal() {
            Some(format!("ended by signal {signal}"))
        } else if !(0..=3).contains(&self.code()) {
            Some(format!("exit code {}", self.code()))
        } else if self.took > LATEST {
            Some(format!("took {:.1} s, twice later than {} s", self.took.as_secs_f64(), LATEST.as_secs()))
        } else if resident > MOST_RESIDENT {
            Some(format!("{} MB resident", resident >> 20))
        } else {
            None
        }
    }
}

/// `swarmgp verify mutant.pml` in a folder, with all limits.
fn verify(folder: &Path) -> Run {
    let file = |name: &str| File::create(folder.join(name)).expect("the temporary directory is writable");
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -c 0; ulimit -v "$0"; exec "$@""#, ADDRESS_SPACE, env!("CARGO_BIN_EXE_swarmgp")]);
    command.args(["verify", "mutant.pml"]).args(OPTIONS).current_dir(folder);
    command.stdin(Stdio::null()).stdout(file("stdout.txt")).stderr(file("stderr.txt"));
    let started = Instant::now();
    let child = command.spawn().expect("sh can be started");
    let usage = wait(child, started + GIVEN_UP);
    Run { usage, took: started.elapsed() }
}

/// Polls, so that nobody else has to kill the process and its number stays its own until it was waited for.
fn wait(mut child: Child, deadline: Instant) -> ResUse {
    let number = Pid::from_raw(child.id() as i32).expect("processes have numbers above 0");
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    while waitid(WaitId::Pid(number), options).expect("a child can be asked").is_none() {
        if Instant::now() >= deadline {
            child.kill().expect("a child can be killed");
            break;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    child.wait4().expect("a child can be waited for")
}

/// Our models, in one order on every machine.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let folders = [root.clone(), root.join("language")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the models")).flatten();
    let mut models: Vec<PathBuf> = files.map(|file| file.path()).filter(|path| is_model(path)).collect();
    models.sort();
    models
}

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pml")
}

/// `SWARMGP_MUTANTS` is a number of mutants or a range of seeds.
fn seeds() -> RangeInclusive<u64> {
    let Ok(text) = std::env::var("SWARMGP_MUTANTS") else { return 1..=WITHOUT_BEING_ASKED };
    let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("SWARMGP_MUTANTS={text} is no number"));
    match text.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => 1..=number(&text),
    }
}

fn workers() -> usize {
    std::env::var("SWARMGP_WORKERS").ok().and_then(|text| text.parse().ok()).unwrap_or(WORKERS)
}
