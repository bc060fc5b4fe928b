//! `swarmgp compare`

use super::args::Compare;
use super::lab::{Checked, check_outputs, checked, command_line, run, show, suitable};
use super::{Done, Failure};
use crate::lab::job::{Contender, Job, check_number, jobs, listed, traced};
use crate::lab::judge::quoted;
use crate::lab::machine::Session;
use crate::lab::record::Record;
use crate::lab::study::{Case, Published, Series, Study};
use std::path::{Path, PathBuf};

pub fn compare(args: &Compare) -> Done {
    if args.model.model == Path::new("-") {
        return Err(Failure::Usage("each run reads the model for itself: compare needs a file".into()));
    }
    let contenders = contenders(args)?;
    check_number(&contenders).map_err(Failure::Usage)?;
    let model = args.model.words().join(" ");
    let case_args = case_args(args);
    let of = |contender: &Contender| {
        let traced = traced(&model, &case_args, contender, args.seed).filter(|_| args.trace_run);
        jobs(&model, &case_args, contender, args.seed).into_iter().chain(traced).collect::<Vec<Job>>()
    };
    let mut all: Vec<Job> = contenders.iter().flat_map(of).collect();
    let Checked { property, files } = checked(&mut all)?;
    check_outputs(&args.outputs, None, files.iter().map(PathBuf::as_path))?;
    let fairness = if args.asked.weak_fairness { " under weak fairness" } else { "" };
    let case = format!("{model}, {}{fairness}", args.asked.ltl.as_ref().unwrap_or(&property));
    all.iter_mut().for_each(|job| job.key.case.clone_from(&case));
    let mut records: Vec<Record> = Vec::new();
    let complete = run(&all, &args.measuring, |record| {
        records.push(record);
        Ok(())
    })?;
    let series = contenders.iter().map(|contender| {
        let own = records.iter().filter(|record| record.key.search == contender.name);
        Series::of(contender, Published::default(), own.cloned())
    });
    let study = Study {
        title: title(&contenders),
        about: String::new(),
        source: None,
        models: None,
        baseline: None,
        command: command_line(),
        in_directory: false,
        sessions: vec![Session::now(args.measuring.jobs as usize)],
        seed: args.seed,
        cases: vec![Case { name: case, group: None, series: series.collect() }],
    };
    show(&study, &args.outputs, complete)
}

fn title(contenders: &[Contender]) -> String {
    if contenders.len() > 6 {
        return format!("{} searches compared", contenders.len());
    }
    let names: Vec<_> = contenders.iter().map(|contender| quoted(&contender.name)).collect();
    format!("{} compared", names.join(", "))
}

/// What `verify` is told, apart from the search.
fn case_args(args: &Compare) -> Vec<String> {
    let mut words = args.model.words();
    let path = |file: &Option<PathBuf>| file.as_ref().map(|file| file.display().to_string());
    let options = [
        ("--property", args.asked.property.clone()),
        ("--ltl", args.asked.ltl.clone()),
        ("--never", path(&args.asked.never)),
        ("--automaton", path(&args.asked.automaton)),
        ("--time", args.time.map(|time| time.as_secs_f64().to_string())),
        ("--memory", args.memory.map(|bytes| bytes.to_string())),
    ];
    for (option, value) in options {
        words.extend(value.into_iter().flat_map(|value| [option.into(), value]));
    }
    words.extend(args.asked.weak_fairness.then(|| "--weak-fairness".into()));
    words
}

fn contenders(args: &Compare) -> Result<Vec<Contender>, Failure> {
    if args.search.is_empty() {
        let suitable = suitable(&case_args(args))?;
        return suitable.iter().map(|name| Contender::parse(name, args.runs).map_err(Failure::Usage)).collect();
    }
    let mut all: Vec<Contender> = Vec::new();
    for text in args.search.iter().flat_map(|list| listed(list)) {
        let contender = Contender::parse(&text, args.runs).map_err(Failure::Usage)?;
        if all.iter().any(|other| other.name == contender.name) {
            return Err(Failure::Usage(format!("{} is there twice", contender.name)));
        }
        all.push(contender);
    }
    Ok(all)
}
