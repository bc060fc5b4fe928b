//! `swarmgp compare`

use super::args::Compare;
use super::lab::{command_line, property_of, run, show};
use super::{Done, Failure};
use crate::lab::job::{Contender, Job, jobs};
use crate::lab::machine::Session;
use crate::lab::record::Record;
use crate::lab::study::{Case, Published, Series, Study};
use std::path::{Path, PathBuf};

pub fn compare(args: &Compare) -> Done {
    if args.model.model == Path::new("-") {
        return Err(Failure::Usage("each run reads the model for itself: compare needs a file".into()));
    }
    let contenders = contenders(args)?;
    let model = args.model.words().join(" ");
    let mut all: Vec<Job> =
        contenders.iter().flat_map(|contender| jobs(&model, &case_args(args), contender, args.seed)).collect();
    let mut property = String::new();
    for job in all.iter().filter(|job| job.key.run == 1) {
        property = property_of(job)?;
    }
    let case = format!("{model}, {}", args.asked.ltl.as_ref().unwrap_or(&property));
    all.iter_mut().for_each(|job| job.key.case.clone_from(&case));
    let traced = contenders.iter().filter(|contender| args.trace_run && contender.strategy.has_rounds());
    for contender in traced {
        let first = all.iter_mut().find(|job| job.key.search == contender.name);
        first.into_iter().for_each(|job| job.args.push("--trace-run".into()));
    }
    let mut records: Vec<Record> = Vec::new();
    let complete = run(&all, args.measuring.jobs, args.measuring.quiet, |record| {
        records.push(record);
        Ok(())
    })?;
    records.sort_by_key(|record| record.key.run);
    let names: Vec<String> = contenders.iter().map(|contender| contender.name.clone()).collect();
    let series = contenders.into_iter().map(|contender| Series {
        chance: contender.chance(),
        planned: contender.planned() as usize,
        records: records.iter().filter(|record| record.key.search == contender.name).cloned().collect(),
        published: Published::default(),
        search: contender.name,
    });
    let study = Study {
        title: format!("{} compared", names.join(", ")),
        about: String::new(),
        source: None,
        command: command_line(),
        sessions: vec![Session::now(args.measuring.jobs as usize)],
        seed: args.seed,
        cases: vec![Case { name: case, series: series.collect() }],
    };
    show(&study, &args.outputs, complete)
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
    let mut all: Vec<Contender> = Vec::new();
    for text in &args.search {
        let contender = Contender::parse(text, args.runs).map_err(Failure::Usage)?;
        if all.iter().any(|other| other.name == contender.name) {
            return Err(Failure::Usage(format!("{} is there twice", contender.name)));
        }
        all.push(contender);
    }
    Ok(all)
}
