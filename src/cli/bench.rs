//! `swarmgp bench`

use super::args::{Bench, Outputs};
use super::lab::{Checked, check_outputs, checked, command_line, run, show};
use super::{Done, Failure, output};
use crate::file;
use crate::lab::experiment::Experiment;
use crate::lab::job::Job;
use crate::lab::journal::{self, Entries, Journal};
use crate::lab::machine::Session;
use crate::lab::record::Record;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf, absolute};

pub fn bench(args: &Bench) -> Done {
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", args.experiment.display()));
    let experiment = Experiment::parse(&read(&args.experiment)?).map_err(wrong)?;
    check_models(args, &experiment).map_err(wrong)?;
    let command = command_line();
    let outputs = from_here(&args.outputs)?;
    let own = path_from_here(&args.experiment)?;
    let results = args.results.as_deref().map(path_from_here).transpose()?;
    let results = results.unwrap_or_else(|| match args.models {
        Some(_) => own.with_file_name("").join(experiment.results(&args.experiment)),
        None => experiment.results(&args.experiment),
    });
    go_to(args.models.as_deref().or(args.experiment.parent()))?;
    let mut jobs = experiment.jobs().map_err(wrong)?;
    if args.trace_run {
        jobs.extend(experiment.traced().map_err(wrong)?);
    }
    let Checked { mut files, .. } = checked(&mut jobs)?;
    files.push(own);
    files.extend(args.no_run.then(|| results.clone()));
    let journal = Some(("--results", results.as_path())).filter(|_| !args.no_run);
    check_outputs(&outputs, journal, files.iter().map(PathBuf::as_path))?;
    let (records, sessions, complete) = if args.no_run {
        let entries = journal::read(&results).map_err(Failure::Usage)?;
        let (records, _) = entries.sort_out(&jobs);
        (records, entries.sessions, true)
    } else {
        run_missing(args, &jobs, &results)?
    };
    let study = experiment.study(records, sessions, command).map_err(Failure::Internal)?;
    show(&study, &outputs, complete)
}

fn read(experiment: &Path) -> Result<String, Failure> {
    let cannot = |why: String| Failure::Usage(format!("cannot read {}: {why}", experiment.display()));
    let bytes = file::read(experiment, file::MOST_TEXT).map_err(|error| cannot(file::why(&error)))?;
    String::from_utf8(bytes).map_err(|_| cannot("it is not UTF-8".into()))
}

/// Does the runs that the journal does not have; all records, and whether there is one for each job.
fn run_missing(args: &Bench, jobs: &[Job], results: &Path) -> Result<(Vec<Record>, Vec<Session>, bool), Failure> {
    let (mut journal, mut entries) = Journal::open(results).map_err(Failure::Usage)?;
    if args.retry {
        entries.forget_crashes();
    }
    let (mut records, missing) = entries.sort_out(jobs);
    tell(&entries, records.len(), &missing, results);
    let session = Session::now(args.measuring.jobs as usize);
    let mut sessions = entries.sessions;
    if !missing.is_empty() && !sessions.last().is_some_and(|last| last.is_like(&session)) {
        journal.begin(&session).map_err(Failure::Usage)?;
        sessions.push(session);
    }
    let complete = run(&missing, &args.measuring, |record| {
        journal.add(&record)?;
        records.push(record);
        Ok(())
    })?;
    Ok((records, sessions, complete))
}

fn tell(entries: &Entries, known: usize, missing: &[Job], results: &Path) {
    let distinct: FxHashSet<_> = entries.records.iter().map(Record::id).collect();
    let other = distinct.len().saturating_sub(known);
    if other > 0 {
        let what = format!("{} has {other} runs that are not part of this experiment", results.display());
        output::warn(&format!("{what}: it, or a model, was another one then"));
    }
    if known > 0 && !missing.is_empty() {
        output::complain(&format!("{known} runs are in {}, {} are left", results.display(), missing.len()));
    }
}

/// An experiment whose models are not beside it needs to be told where they are, and no other does.
fn check_models(args: &Bench, experiment: &Experiment) -> Result<(), String> {
    match (&experiment.models, &args.models) {
        (Some(models), None) => Err(format!(
            "its models are not part of swarmgp but from {models}: say with --models DIRECTORY where you have them"
        )),
        (None, Some(_)) => {
            Err("its models are beside it: --models is for experiments that say where to get theirs".into())
        }
        _ => Ok(()),
    }
}

/// Models are named from their own directory or from that of the experiment, wherever it is run.
fn go_to(directory: Option<&Path>) -> Result<(), Failure> {
    let Some(directory) = directory.filter(|directory| !directory.as_os_str().is_empty()) else { return Ok(()) };
    std::env::set_current_dir(directory)
        .map_err(|error| Failure::Usage(format!("cannot enter {}: {error}", directory.display())))
}

fn path_from_here(file: &Path) -> Result<PathBuf, Failure> {
    absolute(file).map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))
}

/// Files are named from the directory where the command is given.
fn from_here(outputs: &Outputs) -> Result<Outputs, Failure> {
    let file = |file: &Option<PathBuf>| match file {
        Some(file) if file != Path::new("-") => path_from_here(file).map(Some),
        other => Ok(other.clone()),
    };
    let Outputs { report, csv, json, markdown } = outputs;
    Ok(Outputs { report: file(report)?, csv: file(csv)?, json: file(json)?, markdown: file(markdown)? })
}
