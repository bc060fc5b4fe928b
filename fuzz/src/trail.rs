//! A text as a trail: its steps written and read again are the same, and following them ends in a verdict or a complaint.

use std::fmt::Write;
use std::sync::OnceLock;
use swarmgp::load::{self, Options, Program};
use swarmgp::source::{Source, Sources};
use swarmgp::trail::follow::witness_of;
use swarmgp::trail::{Origin, Trail, read};

/// What the trails are trails of: atomic sequences, a handshake, a d_step, a process that is created, one that may fail.
pub const MODEL: &str = "byte x; chan q = [1] of { byte }; chan r = [0] of { byte };
proctype P(byte n) { q!n; atomic { x++; x = x + n } r!x }
init { byte y; d_step { y = 1; y++ } run P(y); q?y; do :: r?y -> break :: x < 2 -> x++ od; assert(x == 5) }";

pub fn run(text: &str) {
    if let Some(origin) = Origin::read(text) {
        assert_eq!(Origin::read(&origin.to_string()), Some(origin));
    }
    let Some(trail) = trail(text) else { return };
    let mut written = String::new();
    for (number, line) in trail.lines.iter().enumerate() {
        if trail.cycle == Some(number) {
            written += "-1:-1:-1\n";
        }
        let _ = writeln!(written, "{}:{}:{}", number + 1, line.pid, line.id);
    }
    let again = trail_of(&written);
    let steps = |trail: &Trail| trail.lines.iter().map(|line| (line.pid, line.id)).collect::<Vec<_>>();
    assert_eq!(steps(&again), steps(&trail), "{written}");
    if let Ok(witness) = witness_of(program(), &trail) {
        assert!(witness.cycle.is_none_or(|cycle| cycle <= witness.steps.len()));
    }
}

fn trail_of(text: &str) -> Trail {
    trail(text).unwrap_or_else(|| panic!("refused: {text}"))
}

fn trail(text: &str) -> Option<Trail> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("t.trail", text));
    let read = read::read(&sources, file);
    read.map_err(|diagnostic| assert!(!sources.render(&diagnostic).is_empty())).ok()
}

fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let loaded = load::program(Source::new("m.pml", MODEL), &Options::default());
        loaded.unwrap_or_else(|refused| panic!("{:?}", refused.diagnostics)).it
    })
}
