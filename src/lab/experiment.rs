//! An experiment: models × parameters × searches × runs, read from a TOML file.
//!
//! ```toml
//! title = "Ants against nested depth-first search"
//! source = "Chicano, Alba 2008, Table 3"        # of the published figures
//! runs = 100
//! memory = "512M"
//!
//! [[case]]
//! model = "../models/giop.pml"                  # from the directory of this file
//! vary = { SERVERS = [10, 15, 20] }             # every combination is a case: `giop SERVERS=10`
//! ltl = "[](p -> <>q)"
//!
//! [[search]]
//! name = "ACOhg-live"                           # in tables; without it: what is used
//! use = "aco-live --scc on"
//!
//! [[published]]
//! case = "giop SERVERS=10"
//! search = "ACOhg-live"
//! hit_rate = 89
//! length = 42.3
//! ```

use super::job::{Contender, Job, MOST_RUNS, check_number, jobs, traced};
use super::machine::Session;
use super::metric::Metric;
use super::record::Record;
use super::study::{Case, Published, Series, Study};
use crate::syntax::preprocess::is_macro;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Cases, each with each of its searches.
const MOST_ROWS: u64 = 10_000;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub title: String,
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub source: Option<String>,
    /// Where to get the models, if they are not part of the repository: all of them are in one directory, which the command names.
    #[serde(default)]
    pub models: Option<String>,
    /// The search with whose states those of the others are compared, group by group.
    #[serde(default)]
    baseline: Option<String>,
    #[serde(default = "first_seed")]
    pub seed: u64,
    #[serde(default = "usual_runs")]
    pub runs: u64,
    time: Option<Time>,
    memory: Option<String>,
    /// Where the runs are written to; without it, beside the experiment.
    results: Option<PathBuf>,
    #[serde(rename = "case", default)]
    cases: Vec<CaseEntry>,
    #[serde(rename = "search", default)]
    searches: Vec<SearchEntry>,
    #[serde(default)]
    published: Vec<PublishedEntry>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseEntry {
    /// Without it: the name of the model's file.
    name: Option<String>,
    model: PathBuf,
    /// Cases of a group are added up.
    group: Option<String>,
    /// Macros.
    #[serde(default)]
    define: BTreeMap<String, toml::Value>,
    /// Macros with several values each.
    #[serde(default)]
    vary: BTreeMap<String, Vec<toml::Value>>,
    ltl: Option<String>,
    property: Option<String>,
    never: Option<PathBuf>,
    time: Option<Time>,
    memory: Option<String>,
    /// Other options of `verify`.
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchEntry {
    name: Option<String>,
    r#use: String,
    runs: Option<u64>,
    time: Option<Time>,
    memory: Option<String>,
    /// The search whose time is divided by its own, group by group.
    relative_to: Option<String>,
    /// The cases that it is for, `*` at the end of a name for any rest; without it: all.
    #[serde(default)]
    only: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct PublishedEntry {
    case: String,
    search: String,
    hit_rate: Option<f64>,
    note: Option<String>,
    #[serde(flatten)]
    values: BTreeMap<String, f64>,
}

/// A number of seconds, or a time with a unit: `"5m"`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Time {
    Seconds(f64),
    WithUnit(String),
}

impl Time {
    /// As an option has it.
    fn written(&self) -> String {
        match self {
            Time::Seconds(seconds) => format!("{seconds:?}"),
            Time::WithUnit(text) => text.clone(),
        }
    }
}

fn first_seed() -> u64 {
    1
}

fn usual_runs() -> u64 {
    30
}

/// One case with one search: what makes a line of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub case: String,
    pub case_args: Vec<String>,
    pub contender: Contender,
    group: Option<String>,
    relative_to: Option<String>,
}

impl Experiment {
    /// Reads the text of an experiment; an error says where and why.
    pub fn parse(text: &str) -> Result<Experiment, String> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| error.to_string())?;
        experiment.check_size()?;
        experiment.check_macros()?;
        let rows = experiment.rows()?;
        if experiment.cases.is_empty() || experiment.searches.is_empty() {
            return Err("an experiment has at least one [[case]] and one [[search]]".into());
        }
        let runs = [experiment.runs].into_iter().chain(experiment.searches.iter().filter_map(|search| search.runs));
        if runs.into_iter().any(|runs| !(1..=MOST_RUNS).contains(&runs)) {
            return Err(format!("`runs` is at least 1 and at most {MOST_RUNS}"));
        }
        check_number(rows.iter().map(|row| &row.contender))?;
        let nothing =
            |entry: &CaseEntry| entry.vary.iter().find(|(_, values)| values.is_empty()).map(|(name, _)| name.clone());
        if let Some(name) = experiment.cases.iter().find_map(nothing) {
            return Err(format!("`{name}` varies over no values"));
        }
        let mut seen = FxHashSet::default();
        for row in &rows {
            if !seen.insert((&row.case, &row.contender.name)) {
                return Err(format!(
                    "{} with {} is there twice: give one of them another name",
                    row.case, row.contender.name
                ));
            }
        }
        for entry in &experiment.published {
            let known = rows.iter().any(|row| row.case == entry.case && row.contender.name == entry.search);
            if !known {
                return Err(format!(
                    "figures were published for {} with {}, which is not part of the experiment",
                    entry.case, entry.search
                ));
            }
            let metrics = Metric::ALL.map(Metric::name);
            if let Some(name) = entry.values.keys().find(|name| !metrics.contains(&name.as_str())) {
                return Err(format!(
                    "`{name}` is not measured: published figures are hit_rate, {}",
                    metrics.join(", ")
                ));
            }
        }
        experiment.check_groups(&rows)?;
        for search in &experiment.searches {
            if let Some(name) = search.only.iter().find(|pattern| !rows.iter().any(|row| fits(pattern, &row.case))) {
                return Err(format!("`only = \"{name}\"` fits no case"));
            }
        }
        Ok(experiment)
    }

    /// Refuses more cases than anyone can wait for, before there is a list of them.
    fn check_size(&self) -> Result<(), String> {
        let product = |entry: &CaseEntry| {
            entry.vary.values().fold(1, |cases: u64, values| cases.saturating_mul(values.len() as u64))
        };
        let cases = self.cases.iter().fold(0, |all: u64, entry| all.saturating_add(product(entry)));
        let rows = cases.saturating_mul(self.searches.len() as u64);
        if rows > MOST_ROWS {
            return Err(format!("these are {rows} cases with searches, and there can be at most {MOST_ROWS}"));
        }
        Ok(())
    }

    /// Refuses what cannot be the name of a macro.
    fn check_macros(&self) -> Result<(), String> {
        let names = |entry: &'_ CaseEntry| {
            let (fixed, varied) = (entry.define.keys().cloned(), entry.vary.keys().cloned());
            fixed.chain(varied).collect::<Vec<String>>()
        };
        match self.cases.iter().flat_map(names).find(|name| !is_macro(name)) {
            Some(name) => {
                Err(format!("`{name}` cannot be the name of a macro: letters, digits and `_`, no digit first"))
            }
            None => Ok(()),
        }
    }

    /// Refuses comparisons within groups where there is no group, or no such search.
    fn check_groups(&self, rows: &[Row]) -> Result<(), String> {
        let of_rows = rows.iter().filter_map(|row| Some(("relative_to", row.relative_to.as_ref()?)));
        for (key, other) in self.baseline.iter().map(|name| ("baseline", name)).chain(of_rows) {
            if !rows.iter().any(|row| row.contender.name == *other) {
                return Err(format!("`{key} = \"{other}\"` is no search of the experiment"));
            }
            if rows.iter().all(|row| row.group.is_none()) {
                return Err(format!("`{key}` is for groups, and no case has a `group`"));
            }
        }
        match rows.iter().find(|row| row.relative_to.as_ref() == Some(&row.contender.name)) {
            Some(row) => Err(format!("`relative_to` of {} is the search itself", row.contender.name)),
            None => Ok(()),
        }
    }

    /// Where its runs are written to, from its own directory.
    pub fn results(&self, file: &Path) -> PathBuf {
        self.results
            .clone()
            .unwrap_or_else(|| PathBuf::from(file.file_name().unwrap_or_default()).with_extension("jsonl"))
    }

    /// Everything that is compared, case by case.
    pub fn rows(&self) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        for (case, entry, macros) in self.named_cases() {
            for search in self.searches.iter().filter(|search| search.is_for(&case)) {
                let mut contender = Contender::parse(&search.r#use, search.runs.unwrap_or(self.runs))?;
                if let Some(name) = &search.name {
                    contender.rename(name)?;
                }
                // what is said of a search comes before what is said of a case, and this before what is said of all
                let time = search.time.as_ref().or(entry.time.as_ref()).or(self.time.as_ref());
                let memory = search.memory.as_ref().or(entry.memory.as_ref()).or(self.memory.as_ref());
                rows.push(Row {
                    case: case.clone(),
                    case_args: entry.args(&macros, time, memory),
                    contender,
                    group: entry.group.clone(),
                    relative_to: search.relative_to.clone(),
                });
            }
        }
        Ok(rows)
    }

    /// All cases with their names and macros.
    fn named_cases(&self) -> Vec<(String, &CaseEntry, Vec<String>)> {
        let mut all = Vec::new();
        for entry in &self.cases {
            let stem = entry.model.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            let name = entry.name.clone().unwrap_or(stem);
            for varied in combinations(&entry.vary) {
                let case = [std::slice::from_ref(&name), &varied].concat().join(" ");
                let fixed = entry.define.iter().map(|(name, value)| definition(name, value));
                all.push((case, entry, fixed.chain(varied).collect()));
            }
        }
        all
    }

    /// All runs.
    pub fn jobs(&self) -> Result<Vec<Job>, String> {
        let rows = self.rows()?;
        Ok(rows.iter().flat_map(|row| jobs(&row.case, &row.case_args, &row.contender, self.seed)).collect())
    }

    /// One more run for each case and search that goes on round by round.
    pub fn traced(&self) -> Result<Vec<Job>, String> {
        let rows = self.rows()?;
        Ok(rows.iter().filter_map(|row| traced(&row.case, &row.case_args, &row.contender, self.seed)).collect())
    }

    /// What is known so far.
    pub fn study(&self, records: Vec<Record>, sessions: Vec<Session>, command: String) -> Result<Study, String> {
        let mut cases: Vec<Case> = Vec::new();
        for Row { case, contender, group, relative_to, .. } in self.rows()? {
            let records =
                records.iter().filter(|record| record.key.case == case && record.key.search == contender.name);
            let published = self.published.iter().find(|entry| entry.case == case && entry.search == contender.name);
            let published = published.map_or_else(Published::default, PublishedEntry::figures);
            let series = Series { relative_to, ..Series::of(&contender, published, records.cloned()) };
            match cases.iter_mut().find(|known| known.name == case) {
                Some(known) => known.series.push(series),
                None => cases.push(Case { name: case, group, series: vec![series] }),
            }
        }
        Ok(Study {
            title: self.title.clone(),
            about: self.about.clone(),
            source: self.source.clone(),
            models: self.models.clone(),
            baseline: self.baseline.clone(),
            command,
            in_directory: true,
            sessions,
            seed: self.seed,
            cases,
        })
    }
}

impl CaseEntry {
    fn args(&self, macros: &[String], time: Option<&Time>, memory: Option<&String>) -> Vec<String> {
        let model = self.model.display().to_string();
        // no option
        let mut args = vec![if model.starts_with('-') { format!("./{model}") } else { model }];
        args.extend(macros.iter().map(|text| format!("-D{text}")));
        let mut add =
            |name: &str, value: Option<String>| args.extend(value.into_iter().flat_map(|value| [name.into(), value]));
        add("--ltl", self.ltl.clone());
        add("--property", self.property.clone());
        add("--never", self.never.as_ref().map(|file| file.display().to_string()));
        add("--time", time.map(Time::written));
        add("--memory", memory.cloned());
        args.extend(self.options.iter().cloned());
        args
    }
}

impl SearchEntry {
    fn is_for(&self, case: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|pattern| fits(pattern, case))
    }
}

impl PublishedEntry {
    fn figures(&self) -> Published {
        Published { hit_rate: self.hit_rate, values: self.values.clone(), note: self.note.clone() }
    }
}

fn fits(pattern: &str, case: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => case.starts_with(start),
        None => case == pattern,
    }
}

/// `N=10`; texts without their quotation marks.
fn definition(name: &str, value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    }
}

/// Every combination of the values, the last name first.
fn combinations(vary: &BTreeMap<String, Vec<toml::Value>>) -> Vec<Vec<String>> {
    vary.iter().fold(vec![Vec::new()], |all, (name, values)| {
        let with = |before: &Vec<String>| -> Vec<Vec<String>> {
            values.iter().map(|value| [before.clone(), vec![definition(name, value)]].concat()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
title = "A title"
runs = 2
memory = "512M"
[[case]]
model = "m.pml"
vary = { A = [1, 2], B = ["x"] }
ltl = "<>p"
[[case]]
name = "n"
model = "n.pml"
define = { N = 3 }
time = "5m"
[[search]]
use = "gega --shorten off"
name = "genes"
memory = "1G"
[[search]]
use = "ndfs"
only = ["m A=1*"]
[[published]]
case = "n"
search = "genes"
hit_rate = 99
length = 12.5
"#;

    #[test]
    fn everything_is_combined() {
        let experiment = Experiment::parse(TEXT).unwrap();
        let jobs = experiment.jobs().unwrap();
        let shown: Vec<String> = jobs.iter().map(|job| format!("{}: {}", job.key.case, job.args.join(" "))).collect();
        let seed = crate::lab::job::derived(1, 1);
        let genes = |case: &str, args: &str, seed: u64| {
            format!("{case}: {args} --memory 1G --search gega --shorten off --seed {seed}")
        };
        let expected = [
            genes("m A=1 B=x", "m.pml -DA=1 -DB=x --ltl <>p", 1),
            genes("m A=1 B=x", "m.pml -DA=1 -DB=x --ltl <>p", seed),
            "m A=1 B=x: m.pml -DA=1 -DB=x --ltl <>p --memory 512M --search ndfs".into(),
            genes("m A=2 B=x", "m.pml -DA=2 -DB=x --ltl <>p", 1),
            genes("m A=2 B=x", "m.pml -DA=2 -DB=x --ltl <>p", seed),
            genes("n", "n.pml -DN=3 --time 5m", 1),
            genes("n", "n.pml -DN=3 --time 5m", seed),
        ];
        assert_eq!(shown, expected);
        let study = experiment.study(Vec::new(), Vec::new(), String::new()).unwrap();
        let series = &study.cases[2].series[0];
        assert_eq!((series.published.hit_rate, series.published.of(Metric::Length)), (Some(99.0), Some(12.5)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let why = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            Experiment::parse(&TEXT.replacen(from, to, 1)).unwrap_err()
        };
        assert!(why("runs = 2", "rnus = 2").contains("rnus"));
        assert_eq!(why("runs = 2", "runs = 0"), "`runs` is at least 1 and at most 100000");
        assert!(why("runs = 2", "runs = 1000000000").contains("at most 100000"));
        let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let names = ["A", "B", "C", "D", "E", "F"].map(|name| format!("{name} = [{}]", many.join(", ")));
        let why_many = why("A = [1, 2], B = [\"x\"]", &names.join(", "));
        assert!(why_many.ends_with("cases with searches, and there can be at most 10000"), "{why_many}");
        assert!(why("ndfs", "nfds").contains("there is no search `nfds`"));
        assert!(why("length = 12.5", "lenght = 12.5").contains("`lenght` is not measured"));
        assert!(why("case = \"n\"", "case = \"k\"").contains("k with genes, which is not part"));
        assert!(why("use = \"ndfs\"", "name = \"x\"\nuse = \"y=ndfs\"").contains("has two names: y and x"));
        assert!(why("m A=1*", "q*").contains("fits no case"));
        assert_eq!(why("runs = 2", "baseline = \"x\""), "`baseline = \"x\"` is no search of the experiment");
        assert_eq!(why("runs = 2", "baseline = \"ndfs\""), "`baseline` is for groups, and no case has a `group`");
        let grouped = |text: &str| why("time = \"5m\"", &format!("group = \"g\"\n[[search]]\nuse = \"bfs\"\n{text}"));
        assert_eq!(grouped("relative_to = \"x\""), "`relative_to = \"x\"` is no search of the experiment");
        assert_eq!(grouped("relative_to = \"bfs\""), "`relative_to` of bfs is the search itself");
        assert_eq!(why("[1, 2]", "[]"), "`A` varies over no values");
        assert!(why("name = \"n\"", "name = \"m A=1 B=x\"").contains("is there twice"));
        assert!(Experiment::parse("title = \"x\"").unwrap_err().contains("at least one [[case]]"));
    }
}
