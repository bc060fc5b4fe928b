//! All records of a question, by case and search.

use super::job::{Chance, Contender, TRACED};
use super::machine::Session;
use super::metric::Metric;
use super::record::{Outcome, Record};
use super::stats::mean;
use crate::search::catalogue::Opt;
use std::collections::BTreeMap;

/// What was asked, and everything that came out.
#[derive(Clone, Debug)]
pub struct Study {
    pub title: String,
    /// What it is about, paragraph by paragraph.
    pub about: String,
    /// Where the figures of others are from.
    pub source: Option<String>,
    /// Where to get the models, if they are not beside the experiment.
    pub models: Option<String>,
    /// The search with whose states those of the others are compared.
    pub baseline: Option<String>,
    /// The command that made it.
    pub command: String,
    /// The commands of single runs are for the directory of an experiment, or of its models.
    pub in_directory: bool,
    /// When and where runs were done.
    pub sessions: Vec<Session>,
    pub seed: u64,
    pub cases: Vec<Case>,
}

/// A model with parameters and a property.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// Cases of a group are added up.
    pub group: Option<String>,
    pub series: Vec<Series>,
}

/// The runs of one search on one case.
#[derive(Clone, Debug)]
pub struct Series {
    pub search: String,
    pub chance: Chance,
    /// Many threads search, so that time is not CPU time.
    pub parallel: bool,
    /// How many threads it is told to use.
    pub threads: Option<u64>,
    /// The search whose time is divided by its own.
    pub relative_to: Option<String>,
    /// How many runs there are to be.
    pub planned: usize,
    pub records: Vec<Record>,
    /// One more run, of which is known how it came along.
    pub traced: Option<Record>,
    /// What others have measured.
    pub published: Published,
}

/// Figures of a paper, by the names of metrics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// Percent of the runs.
    pub hit_rate: Option<f64>,
    pub values: BTreeMap<String, f64>,
    pub note: Option<String>,
}

impl Published {
    pub fn is_empty(&self) -> bool {
        *self == Published::default()
    }

    pub fn of(&self, metric: Metric) -> Option<f64> {
        self.values.get(metric.name()).copied()
    }
}

impl Series {
    /// The runs of a search, out of all.
    pub fn of(contender: &Contender, published: Published, records: impl Iterator<Item = Record>) -> Series {
        let (traced, mut records): (Vec<Record>, Vec<Record>) = records.partition(|record| record.key.run == TRACED);
        records.sort_by_key(|record| record.key.run);
        Series {
            search: contender.name.clone(),
            chance: contender.chance(),
            parallel: contender.search.honours.has(Opt::Threads),
            threads: contender.threads(),
            relative_to: None,
            planned: contender.planned() as usize,
            records,
            traced: traced.into_iter().next_back(),
            published,
        }
    }

    /// Runs with a verdict.
    pub fn decided(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|record| record.outcome.is_verdict())
    }

    pub fn hits(&self) -> usize {
        self.decided().count()
    }

    /// Most of its runs have a verdict.
    pub fn is_answered(&self) -> bool {
        2 * self.hits() > self.records.len()
    }

    /// The values of the runs with a verdict.
    pub fn values(&self, metric: Metric) -> Vec<f64> {
        self.decided().filter_map(|record| metric.of(record)).collect()
    }

    /// Why most of the runs without a verdict have none.
    pub fn usual_reason(&self) -> Option<&str> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for record in self.records.iter().filter(|record| !record.outcome.is_verdict()) {
            *reasons.entry(&record.message).or_default() += 1;
        }
        reasons.into_iter().max_by_key(|&(_, count)| count).map(|(reason, _)| reason)
    }
}

impl Case {
    /// What there is to compare: metrics that anybody has a value of. Time is one of them only where threads make it differ from CPU time.
    pub fn metrics(&self) -> Vec<Metric> {
        let is_wanted = |metric: &Metric| {
            let has = |series: &Series| !series.values(*metric).is_empty() || series.published.of(*metric).is_some();
            let parallel = |series: &Series| series.parallel || series.published.of(*metric).is_some();
            self.series.iter().any(has) && (*metric != Metric::Wall || self.series.iter().any(parallel))
        };
        Metric::ALL.into_iter().filter(is_wanted).collect()
    }

    /// The shortest trail that any of the searches has found, and which search that was.
    pub fn shortest(&self) -> Option<(&Record, u64)> {
        let records = self.series.iter().flat_map(|series| &series.records);
        records.filter_map(|record| Some((record, record.length?))).min_by_key(|&(_, length)| length)
    }

    /// One search says that the property holds, and another one that it does not.
    pub fn disagreement(&self) -> Option<(&Record, &Record)> {
        let find =
            |outcome| self.series.iter().flat_map(|series| &series.records).find(|record| record.outcome == outcome);
        find(Outcome::Holds).zip(find(Outcome::Violated))
    }

    /// What those runs say that have a verdict.
    pub fn verdict(&self) -> Option<Outcome> {
        self.series.iter().flat_map(Series::decided).map(|record| record.outcome).next()
    }

    /// The searches whose mean is best, of those with any value; at least two have to be compared.
    pub fn best(&self, metric: Metric) -> Vec<usize> {
        let means = self.series.iter().map(|series| mean(&series.values(metric)));
        least(means.map(|mean| mean.map(|mean| (metric.shown(mean), mean))).collect())
    }

    /// The searches that have a verdict most often.
    pub fn most_hits(&self) -> Vec<usize> {
        let rates = self.series.iter().map(|series| {
            let rate = series.hits() as f64 / series.records.len().max(1) as f64;
            (series.hits() > 0).then(|| (format!("{rate:.6}"), -rate))
        });
        least(rates.collect())
    }
}

/// The numbers of those with the least value, and of those that look the same in a table.
fn least(values: Vec<Option<(String, f64)>>) -> Vec<usize> {
    let known: Vec<&(String, f64)> = values.iter().flatten().collect();
    let Some((shown, _)) = known.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { return Vec::new() };
    let is_least = |value: &Option<(String, f64)>| value.as_ref().is_some_and(|(other, _)| other == shown);
    let all: Vec<usize> = (0..values.len()).filter(|&number| is_least(&values[number])).collect();
    // where all are the same none is best
    if all.len() < values.len() { all } else { Vec::new() }
}
