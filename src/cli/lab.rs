//! What `swarmgp compare` and `swarmgp bench` have in common: runs are checked before any is done, watched, and shown.

use super::args::{Cli, Command, Measuring, Outputs, Verify};
use super::overwrite::{self, Output};
use super::verify::{self, Question};
use super::wrap::wrapped;
use super::{Done, Exit, Failure, interrupt, output};
use crate::lab::job::Job;
use crate::lab::measure::{ALWAYS, measure_all};
use crate::lab::record::Record;
use crate::lab::study::{Case, Study};
use crate::lab::table::{self, Medium};
use crate::lab::{formats::Format, groups, judge};
use crate::report::visible::visible;
use crate::search::catalogue::Search;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use rustc_hash::FxHashMap;
use std::io::{IsTerminal, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

/// What all jobs are about.
pub struct Checked {
    /// Of the first one.
    pub property: String,
    /// Everything that runs read.
    pub files: Vec<PathBuf>,
}

/// Notes which models the jobs are about. Bad input is refused before the first run. The runs of a search on a case differ in their seeds
/// alone, so that one of them stands for all.
pub fn checked(jobs: &mut [Job]) -> Result<Checked, Failure> {
    let mut first = None;
    let mut files = Vec::new();
    let mut models: FxHashMap<(String, String), String> = FxHashMap::default();
    for runs in jobs.chunk_by_mut(|one, next| one.row() == next.row()) {
        let (case, search) = runs[0].row();
        let row = (case.to_string(), search.to_string());
        let model = match models.get(&row) {
            Some(model) => model.clone(),
            None => {
                let question = question_of(&runs[0])?;
                first.get_or_insert(question.property);
                files.extend(question.files);
                models.entry(row).or_insert(format!("{:016x}", question.model)).clone()
            }
        };
        runs.iter_mut().for_each(|job| job.model.clone_from(&model));
    }
    files.sort_unstable();
    files.dedup();
    Ok(Checked { property: first.unwrap_or_default(), files })
}

/// What a job is about, if it can be done.
fn question_of(job: &Job) -> Result<Question, Failure> {
    let about = |message: String| format!("{} with {}: {message}", job.key.case, job.key.search);
    let asked = parsed(&job.args).and_then(|args| verify::only_property(&args));
    asked.map_err(|failure| match failure {
        Failure::Usage(message) => Failure::Usage(about(message)),
        other => other,
    })
}

/// What `verify` would be told by these words.
fn parsed(words: &[String]) -> Result<Box<Verify>, Failure> {
    let words = ["swarmgp", "verify"].into_iter().chain(words.iter().map(String::as_str)).chain(ALWAYS);
    let cli = Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let lines: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
        Failure::Usage(lines.join(" ").trim_start_matches("error: ").into())
    })?;
    match cli.command {
        Command::Verify(args) => Ok(args),
        _ => Err(Failure::Internal("a job verifies".into())),
    }
}

/// The searches to compare where none is named: one that sees everything, and others that may find a violation sooner.
pub fn suitable(case: &[String]) -> Result<Vec<&'static str>, Failure> {
    let candidates = verify::suitable(&*parsed(case)?)?;
    let works = |search: &&'static Search| {
        let words = [case, &["--search".into(), search.name.into()]].concat();
        parsed(&words).and_then(|args| verify::only_property(&args)).is_ok()
    };
    Ok(candidates.into_iter().filter(works).map(|search| search.name).collect())
}

/// Runs jobs until an interrupt and shows how far that is; true if all were done. `take` gets each record at once.
pub fn run(
    jobs: &[Job],
    measuring: &Measuring,
    mut take: impl FnMut(Record) -> Result<(), String>,
) -> Result<bool, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Usage(format!("cannot find the program that is running: {error}")))?;
    let stop = interrupt::flag();
    let bar = progress_bar(jobs.len(), measuring.quiet);
    let done = measure_all(&program, jobs, measuring.jobs as usize, &stop, |record| {
        bar.set_message(visible(&format!("{}, {}", record.key.case, record.key.search)).into_owned());
        bar.inc(1);
        take(record)
    });
    bar.finish_and_clear();
    done.map_err(Failure::Usage)?;
    Ok(!stop.load(SeqCst))
}

fn progress_bar(jobs: usize, quiet: bool) -> ProgressBar {
    if quiet || !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(jobs as u64);
    let template = "{bar:30} {pos} of {len} runs, {elapsed} so far, {eta} to go: {msg}";
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Files that cannot be written, or that are read, are refused before the first run.
pub fn check_outputs<'i>(
    outputs: &Outputs,
    journal: Option<Output>,
    inputs: impl IntoIterator<Item = &'i Path>,
) -> Result<(), Failure> {
    let named = files(outputs).into_iter().map(|(option, file, _)| (option, file));
    // the directory of a journal is made when it is opened; nothing else can be there before
    let journal = journal.filter(|(_, file)| file.parent().is_none_or(|parent| parent == "" || parent.is_dir()));
    overwrite::check(&journal.into_iter().chain(named).collect::<Vec<Output>>(), inputs)
}

/// The files that are asked for, each with its option.
fn files(outputs: &Outputs) -> Vec<(&'static str, &Path, Format)> {
    let Outputs { report, csv, json, markdown } = outputs;
    let all = [
        ("--report", report, Format::Page),
        ("--csv", csv, Format::Csv),
        ("--json", json, Format::Json),
        ("--markdown", markdown, Format::Markdown),
    ];
    all.into_iter().filter_map(|(name, file, format)| Some((name, file.as_deref()?, format))).collect()
}

/// Prints the study and writes the files that were asked for.
pub fn show(study: &Study, outputs: &Outputs, complete: bool) -> Done {
    let files = files(outputs);
    if !files.iter().any(|(_, file, _)| output::is_standard(file)) {
        print(study)?;
    }
    for (_, file, format) in files {
        output::write(file, &format.of(study).map_err(Failure::Internal)?)?;
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

/// The tables, on the standard output.
fn print(study: &Study) -> Result<(), Failure> {
    let medium = if stdout().is_terminal() {
        Medium::Terminal(output::width().and_then(|width| width.try_into().ok()))
    } else {
        Medium::Plain
    };
    let text: String = study.cases.iter().map(|case| shown(case, medium)).collect();
    let sums = study
        .groups()
        .iter()
        .map(|group| format!("{}\n{}\n\n", visible(&group.title()), table::of_group(group, medium)))
        .collect::<String>();
    output::print_styled(&(text + &sums))?;
    if !sums.is_empty() {
        output::print(&wrapped(&format!("{}.\n", groups::KEY), 0, output::width()))?;
    }
    if study.cases.iter().any(|case| !judge::judge(case).lines().is_empty()) {
        output::print(&wrapped(&format!("{}.\n", judge::KEY), 0, output::width()))?;
    }
    Ok(())
}

fn shown(case: &Case, medium: Medium) -> String {
    let verdict = case.verdict().map_or("no verdict", |outcome| outcome.name());
    let mut text = format!("{}: {verdict}\n{}\n", visible(&case.name), table::of_case(case, medium));
    let lines = table::remarks(case).into_iter().chain(judge::judge(case).lines());
    lines.for_each(|line| text.push_str(&wrapped(&format!("  {}\n", visible(&line)), 4, output::width())));
    text.push('\n');
    text
}

/// The command as it could be given again. Where the models of an experiment are is a matter of the machine, and not said.
pub fn command_line() -> String {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    for at in 0..words.len() {
        if words[at].starts_with("--models=") {
            words[at] = "--models=DIRECTORY".into();
        } else if at > 0 && words[at - 1] == "--models" {
            words[at] = "DIRECTORY".into();
        }
    }
    let quoted = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    format!("swarmgp {quoted}")
}
