//! What `swarmgp compare` and `swarmgp bench` have in common: runs are checked before any is done, watched, and shown.

use super::args::{Cli, Command, Outputs};
use super::{Done, Exit, Failure, interrupt, output, verify};
use crate::lab::job::Job;
use crate::lab::measure::measure_all;
use crate::lab::record::Record;
use crate::lab::study::{Case, Study};
use crate::lab::table::{self, Medium};
use crate::lab::{formats::Format, judge, page};
use crate::load;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr, stdout};
use std::path::Path;
use std::sync::atomic::Ordering::SeqCst;

/// What a job is about, if it can be done: bad input is refused before the first run.
pub fn property_of(job: &Job) -> Result<String, Failure> {
    let about = |message: String| format!("{} with {}: {message}", job.key.case, job.key.search);
    let words = ["swarmgp", "verify"].into_iter().chain(job.args.iter().map(String::as_str));
    let cli = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Failure::Usage(about(first.trim_start_matches("error: ").into()))
    })?;
    let Command::Verify(args) = cli.command else { return Err(Failure::Internal("a job verifies".into())) };
    verify::only_property(&args).map_err(|failure| match failure {
        Failure::Usage(message) => Failure::Usage(about(message)),
        other => other,
    })
}

/// Runs jobs and shows how far that is; true if all were done. `take` gets each record at once.
pub fn run(
    jobs: &[Job],
    at_once: u64,
    quiet: bool,
    mut take: impl FnMut(Record) -> Result<(), String>,
) -> Result<bool, Failure> {
    let stop = interrupt::flag();
    let program = std::env::current_exe()
        .map_err(|error| Failure::Usage(format!("cannot find the program that is running: {error}")))?;
    let bar = progress_bar(jobs.len(), quiet);
    let mut failed = None;
    measure_all(&program, jobs, at_once as usize, &stop, |record| {
        bar.set_message(format!("{}, {}", record.key.case, record.key.search));
        bar.inc(1);
        failed = take(record).err();
        failed.is_none()
    });
    bar.finish_and_clear();
    match failed {
        Some(why) => Err(Failure::Usage(why)),
        None => Ok(!stop.load(SeqCst)),
    }
}

fn progress_bar(jobs: usize, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(jobs as u64);
    let template = "{bar:30} {pos} of {len} runs, {elapsed} so far, {eta} to go: {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.tick();
    bar
}

/// Prints the study and writes the files that were asked for.
pub fn show(study: &Study, outputs: &Outputs, complete: bool) -> Done {
    let Outputs { csv, json, markdown, .. } = outputs;
    let mut printed = false;
    for (file, format) in [(csv, Format::Csv), (json, Format::Json), (markdown, Format::Markdown)] {
        let Some(file) = file else { continue };
        let text = format.of(study);
        if file == Path::new("-") {
            output::print(&text);
            printed = true;
        } else {
            write(file, &text)?;
        }
    }
    if let Some(file) = &outputs.report {
        write(file, &page::render(study).map_err(Failure::Internal)?)?;
    }
    if !printed {
        let medium = if stdout().is_terminal() { Medium::Terminal } else { Medium::Plain };
        let text: String = study.cases.iter().map(|case| shown(case, medium)).collect();
        output::print(&text);
        if study.cases.iter().any(|case| !judge::judge(case).lines().is_empty()) {
            output::print(&format!("{}.\n", judge::KEY));
        }
    }
    if let Some((holds, violated)) = study.cases.iter().find_map(Case::disagreement) {
        let why = format!(
            "{}: {} says that the property holds, {} that it is violated",
            holds.key.case, holds.key.search, violated.key.search
        );
        return Err(Failure::Internal(why));
    }
    if !complete {
        output::warn("interrupted: these are the runs that were done");
        return Ok(Exit::Inconclusive);
    }
    Ok(Exit::Fine)
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text)
        .map_err(|error| Failure::Usage(format!("cannot write {}: {}", file.display(), load::why(&error))))
}

fn shown(case: &Case, medium: Medium) -> String {
    let verdict = case.verdict().map_or("no verdict", |outcome| outcome.name());
    let mut text = format!("{}: {verdict}\n{}\n", case.name, table::of_case(case, medium));
    let lines = table::remarks(case).into_iter().chain(judge::judge(case).lines());
    lines.for_each(|line| text.push_str(&format!("  {line}\n")));
    text.push('\n');
    text
}

/// The command as it could be given again.
pub fn command_line() -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let quoted = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    format!("swarmgp {quoted}")
}
