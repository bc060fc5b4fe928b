//! The page, the pictures and the traces of a trail: they show what the steps of the trail say, and nothing else.

#[path = "../support/browser.rs"]
mod browser;
mod charts;
mod escaping;
mod files;
mod itf;
mod report;
mod stepper;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A violated model with its trail, and a directory for what is made of it.
pub struct Case {
    dir: PathBuf,
    model: PathBuf,
    /// For the preprocessor.
    defines: Vec<String>,
}

pub struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Case {
    /// One of our models; `property` are options of verify. Its trail is `trail`.
    pub fn of(model: &str, defines: &[&str], property: &[&str]) -> Case {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(model);
        Case::new(model, defines).violated(property)
    }

    /// A model that is given as text.
    pub fn with(text: &str, property: &[&str]) -> Case {
        let mut case = Case::new("m.pml".into(), &[]);
        case.model = case.dir.join("m.pml");
        fs::write(&case.model, text).expect("a file for the test");
        case.violated(property)
    }

    fn new(model: PathBuf, defines: &[&str]) -> Case {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("swarmgp-pages-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory for the test");
        Case { dir, model, defines: defines.iter().map(|define| define.to_string()).collect() }
    }

    fn violated(self, property: &[&str]) -> Case {
        let mut options = vec!["--trail", "trail", "--quiet"];
        options.extend(property);
        let Output { code, out, err } = self.run("verify", &[], &options);
        assert_eq!(code, 1, "{}: {out}{err}", self.model.display());
        self
    }

    fn run(&self, command: &str, trail: &[&str], options: &[&str]) -> Output {
        let mut program = Command::new(env!("CARGO_BIN_EXE_swarmgp"));
        program.arg(command).arg(&self.model).args(trail).args(&self.defines).args(options).current_dir(&self.dir);
        let done = program.output().expect("swarmgp runs");
        Output {
            code: done.status.code().expect("an exit code"),
            out: String::from_utf8(done.stdout).expect("text"),
            err: String::from_utf8(done.stderr).expect("text"),
        }
    }

    /// As if pan had written the trail: it does not say which property it violates.
    pub fn forget_origin(&self) {
        let file = self.dir.join("trail");
        let text = fs::read_to_string(&file).expect("a trail");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        fs::write(&file, lines.join("\n") + "\n").expect("the folder is writable");
    }

    pub fn replay(&self, options: &[&str]) -> Output {
        self.run("replay", &["trail"], options)
    }

    /// What a replay writes to a file.
    pub fn written(&self, option: &str, more: &[&str]) -> String {
        let file = format!("written{option}");
        let mut options = vec![option, &file];
        options.extend(more);
        let Output { code, err, .. } = self.replay(&options);
        assert!(code < 2, "{}: {err}", self.model.display());
        fs::read_to_string(self.dir.join(file)).expect("the file is there")
    }

    /// The page, as a file.
    pub fn page(&self, options: &[&str]) -> PathBuf {
        self.written("--html", options);
        self.dir.join("written--html")
    }

    /// The answer of a replay with its steps.
    pub fn trail(&self) -> Value {
        let Output { out, err, .. } = self.replay(&["--json"]);
        serde_json::from_str::<Value>(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))["trail"].take()
    }

    pub fn file(&self, name: &str, text: &str) {
        fs::write(self.dir.join(name), text).expect("a file for the test");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// The steps of a trail.
pub fn steps(trail: &Value) -> &[Value] {
    trail["steps"].as_array().expect("steps")
}

pub fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} of {value}"))
}
