//! The command line: the only part that prints and exits.
//!
//! Exit codes: 0 holds, completely checked · 1 violated · 2 bad usage, bad model, or a result that cannot be written ·
//! 3 inconclusive · 4 internal error.
//! For formulas: 0 done, or equivalent · 1 not equivalent · 2 bad usage or bad formula · 3 beyond a limit.
//! Results go to the standard output, everything else to the standard error.

mod args;
mod bench;
mod compare;
mod duration;
mod habits;
mod interrupt;
mod lab;
mod manual;
mod ltl;
mod memory;
mod output;
mod overwrite;
mod progress;
mod refusal;
mod replay;
mod searches;
mod show;
mod simulate;
mod size;
mod verify;
mod wrap;

use crate::load::{self, Refused};
use crate::model::{Model, RefusedFormula};
use crate::report::json::Remark;
use crate::report::paint;
use crate::report::visible::visible;
use crate::source::{Diagnostic, Severity, Sources};
use crate::verify::Refusal;
use args::{Cli, Command, ModelArgs, When};
use clap::Parser;
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::sync::atomic::Ordering::Relaxed;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// The property holds, or there was nothing to judge.
    Fine = 0,
    /// The property does not hold, or two formulas are not equivalent.
    Violated = 1,
    /// Bad usage, a bad model or a bad formula.
    Refused = 2,
    Inconclusive = 3,
    Internal = 4,
}

/// Why a command has no result.
enum Failure {
    /// The model or a trail file is not in order.
    Refused(Refused),
    /// The command line asks for something that cannot be had.
    Usage(String),
    /// A limit was met before there was anything to search.
    Limit(String),
    /// We are wrong, not the user.
    Internal(String),
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::Refused(refused)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Unfit(why) => Failure::Usage(why),
            Refusal::Refused(refused) => Failure::Refused(refused),
            Refusal::Broken(why) => Failure::Internal(why),
        }
    }
}

impl Failure {
    /// What is wrong, in a line.
    fn message(&self) -> String {
        match self {
            Failure::Refused(Refused { diagnostics, .. }) => {
                diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default()
            }
            Failure::Usage(message) | Failure::Limit(message) | Failure::Internal(message) => message.clone(),
        }
    }

    /// The same for programs.
    fn remarks(&self) -> Vec<Remark> {
        match self {
            Failure::Refused(Refused { sources, diagnostics, property }) => {
                let about = |remark: Remark| property.iter().fold(remark, |remark, property| remark.about(property));
                Remark::all(sources, diagnostics).into_iter().map(about).collect()
            }
            Failure::Usage(message) | Failure::Limit(message) => vec![Remark::error(message)],
            Failure::Internal(message) => vec![Remark::error(internal(message))],
        }
    }
}

type Done = Result<Exit, Failure>;

/// Runs the command line and returns the exit code.
pub fn main() -> i32 {
    // the hook tells where it happened; unwinding then ends the thread
    panic::set_hook(Box::new(|panic: &PanicHookInfo| output::complain(&internal(&panic_text(panic)))));
    load::on_deep_stack(run).unwrap_or(Exit::Internal) as i32
}

/// To be told before [`main`], by who can know: what is written to the standard output gets lost.
pub fn output_is_closed() {
    output::CLOSED.store(true, Relaxed);
}

/// The end of a process that has no memory left, not even to tell what it has found so far.
pub fn out_of_memory() -> ! {
    let _ = io::stderr().write_all(b"inconclusive: there is no memory left\n");
    std::process::exit(Exit::Inconclusive as i32)
}

fn run() -> Exit {
    // what is wrong with the command line is shown in these colours, too
    output::use_colours(When::of_words(std::env::args().skip(1)));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // help and version are no errors
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            let printed = if output::CLOSED.load(Relaxed) { Err(output::closed()) } else { printed };
            let words: Vec<String> = std::env::args().skip(1).collect();
            return match output::judge(printed) {
                _ if error.use_stderr() => {
                    let hints = habits::hints(&words);
                    hints.iter().for_each(|hint| output::complain(&paint::headline(&format!("hint: {hint}"))));
                    refusal::tell_programs(&words, None, &refusal::first_paragraph(&error.to_string()))
                }
                Ok(_) => Exit::Fine,
                Err(failure) => explain(failure),
            };
        }
    };
    if let Some(hint) = cli.command.model().and_then(habits::about_macros) {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let model = cli.command.model().map(ModelArgs::shown);
        refusal::tell_programs(&words, model, &hint);
        return explain(Failure::Usage(hint));
    }
    let done = match cli.command {
        Command::Verify(args) => verify::verify(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Simulate(args) => simulate::simulate(&args),
        Command::Show(args) => show::show(&args),
        Command::Ltl(args) => ltl::ltl(&args),
        Command::Searches(args) => searches::searches(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    done.unwrap_or_else(explain)
}

fn explain(failure: Failure) -> Exit {
    match failure {
        Failure::Refused(Refused { sources, diagnostics, .. }) => {
            say_all(&sources, &diagnostics);
            Exit::Refused
        }
        Failure::Usage(message) => {
            output::error(&message);
            Exit::Refused
        }
        Failure::Limit(message) => {
            output::complain(&paint::headline(&message));
            Exit::Inconclusive
        }
        Failure::Internal(message) => {
            output::complain(&internal(&message));
            Exit::Internal
        }
    }
}

/// The most diagnostics that are printed.
const MOST_SAID: usize = 200;

/// Diagnostics, each with its source line. If there are too many, errors go before warnings.
fn say_all(sources: &Sources, diagnostics: &[Diagnostic]) {
    let mut said: Vec<&Diagnostic> = diagnostics.iter().collect();
    if said.len() > MOST_SAID {
        said.sort_by_key(|diagnostic| diagnostic.severity == Severity::Warning);
    }
    said.iter().take(MOST_SAID).for_each(|diagnostic| say(sources, diagnostic));
    if said.len() > MOST_SAID {
        output::complain(&format!("… and {} more", said.len() - MOST_SAID));
    }
}

/// One diagnostic; with colours unless there is something in it that a terminal might obey.
fn say(sources: &Sources, diagnostic: &Diagnostic) {
    let plain = sources.render(diagnostic);
    if visible(&plain) == plain {
        output::complain_styled(&sources.render_styled(diagnostic, output::width_of_complaints()));
    } else {
        output::complain(&plain);
    }
}

/// Warns about the ltl blocks that cannot be checked, where nobody wants to check them.
fn say_refused(sources: &Sources, model: &Model) {
    for RefusedFormula { name, diagnostics } in &model.refused {
        for diagnostic in diagnostics {
            let message = format!("ltl block {name}: {}", diagnostic.message);
            say_all(sources, &[Diagnostic { severity: Severity::Warning, message, ..diagnostic.clone() }]);
        }
    }
}

fn internal(message: &str) -> String {
    format!("internal error: {message}; please report this, with the model")
}

fn panic_text(panic: &PanicHookInfo) -> String {
    let text = panic.payload_as_str().unwrap_or("a panic");
    panic.location().map_or(text.into(), |place| format!("{text} ({}:{})", place.file(), place.line()))
}
