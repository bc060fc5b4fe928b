//! A text as a model: preprocessed, parsed, resolved, lowered; and a few steps of it.
//!
//! A tree that was read is printed and read again, which has to give the same tree. Diagnostics have to be renderable.

use std::time::{Duration, Instant};
use swarmgp::load::{self, Options, Program, Refused};
use swarmgp::source::{Diagnostic, Source, Sources};
use swarmgp::system::{Batch, Cutoff, Interpreter, Outcome, Run, System};

/// Steps that are taken of a model.
const STEPS: usize = 50;

pub fn run(text: &str) {
    // files of this machine are none of a fuzzer's business
    if text.contains("include") {
        return;
    }
    load::on_deep_stack(|| on_this_stack(text)).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn on_this_stack(text: &str) {
    let options = Options::default();
    match load::spec(Source::new("model", text), &options) {
        Err(refused) => return render_refused(&refused),
        Ok(loaded) => {
            let printed = load::print(&loaded.it);
            let again = load::spec(Source::new("printed", &*printed), &options);
            let again = again.unwrap_or_else(|refused| panic!("{printed}\nis refused: {:?}", refused.diagnostics));
            // what is printed in place of a formula with errors is a formula
            assert_eq!(load::print(&again.it), printed.replace("/* not a formula */ ", ""));
        }
    }
    match load::program(Source::new("model", text), &options) {
        Err(refused) => render_refused(&refused),
        Ok(loaded) => {
            render(&loaded.sources, &loaded.warnings);
            walk(&loaded.it);
        }
    }
}

fn render_refused(refused: &Refused) {
    assert!(!refused.diagnostics.is_empty(), "refused without a word");
    render(&refused.sources, &refused.diagnostics);
}

fn render(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert!(!sources.render(diagnostic).is_empty());
    }
}

/// Takes the first way for some steps; every state that is handed out is as long as it says.
fn walk(program: &Program) {
    let cutoff = Cutoff::new(Vec::new(), Instant::now(), Some(Duration::from_millis(200)), None);
    let system = Interpreter::new(program).within(cutoff);
    let mut scratch = system.scratch();
    let Ok(mut state) = system.initial(&mut scratch) else { return };
    for _ in 0..STEPS {
        let mut batch = Batch::default();
        system.successors(&state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
        let mut next = None;
        for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
            let words = batch.state(entry);
            assert_eq!(swarmgp::system::state::word_count(words), words.len());
            next = next.or(Some(words.to_vec()));
        }
        match next {
            Some(next) => state = next,
            None => break,
        }
    }
}
