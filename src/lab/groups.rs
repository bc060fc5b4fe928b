//! What searches did together on a group of cases: sums, as papers publish them.
//!
//! Only those cases count that all searches of the group have answered in most of their runs; of each, the median of the runs counts.

use super::metric::Metric;
use super::stats::{mean, median};
use super::study::{Case, Series, Study};
use std::collections::BTreeSet;

/// What is added up.
pub const METRICS: [Metric; 3] = [Metric::States, Metric::Wall, Metric::Cpu];

/// How to read the sums.
pub const KEY: &str = "Sums over the cases that all searches of the group have answered in most of their runs; of each case the median of \
     the runs counts. Percentages are means over these cases. The speed-up of a search is the sum of seconds of the one that it is relative \
     to (see the experiment), divided by its own";

/// Cases that are added up.
#[derive(Clone, Debug)]
pub struct Group<'g> {
    pub name: &'g str,
    /// How many cases it has, and how many of them count.
    pub cases: usize,
    pub counted: usize,
    pub rows: Vec<Sums<'g>>,
    baseline: Option<&'g str>,
}

/// What one search did on them.
#[derive(Clone, Debug)]
pub struct Sums<'g> {
    pub search: &'g str,
    /// How many threads it was told to use.
    pub threads: Option<u64>,
    /// The search whose time is divided by its own.
    pub relative_to: Option<&'g str>,
    /// By metric.
    pub sums: [f64; METRICS.len()],
    /// Its states in percent of those of the baseline.
    pub percent: Option<f64>,
    pub speed_up: Option<f64>,
}

impl Study {
    /// All groups, in the order in which the experiment names them.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.cases.iter().filter_map(|case| case.group.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| self.group(name)).collect()
    }

    fn group<'s>(&'s self, name: &'s str) -> Group<'s> {
        let cases: Vec<&Case> = self.cases.iter().filter(|case| case.group.as_deref() == Some(name)).collect();
        let mut first: Vec<&Series> = Vec::new();
        for series in cases.iter().flat_map(|case| &case.series) {
            if first.iter().all(|known| known.search != series.search) {
                first.push(series);
            }
        }
        let has_all =
            |case: &&&Case| first.iter().all(|series| case.of(&series.search).is_some_and(Series::is_answered));
        let counted: Vec<&Case> = cases.iter().filter(has_all).copied().collect();
        let baseline = self.baseline.as_deref().filter(|name| first.iter().any(|series| series.search == *name));
        let rows = first.into_iter().map(|series| sums(&counted, series, baseline)).collect();
        Group { name, cases: cases.len(), counted: counted.len(), rows, baseline }
    }
}

impl Case {
    /// The runs of a search.
    fn of(&self, search: &str) -> Option<&Series> {
        self.series.iter().find(|series| series.search == search)
    }

    fn median(&self, search: &str, metric: Metric) -> Option<f64> {
        median(&self.of(search)?.values(metric))
    }
}

fn sums<'s>(counted: &[&Case], series: &'s Series, baseline: Option<&str>) -> Sums<'s> {
    // a sum of nothing would be -0
    let sum = |search: &str, metric| {
        counted.iter().filter_map(|case| case.median(search, metric)).fold(0.0, |sum, more| sum + more)
    };
    let percent_of = |baseline: &str| {
        let percent = |case: &&Case| {
            let states = |search| case.median(search, Metric::States);
            Some(100.0 * states(&series.search)? / states(baseline)?)
        };
        mean(&counted.iter().filter_map(percent).collect::<Vec<f64>>())
    };
    let ratio = |other: &str| sum(other, Metric::Wall) / sum(&series.search, Metric::Wall);
    let relative_to = series.relative_to.as_deref();
    Sums {
        search: &series.search,
        threads: series.threads,
        relative_to,
        sums: METRICS.map(|metric| sum(&series.search, metric)),
        percent: baseline.and_then(percent_of),
        // nothing, or no time at all, compares with nothing
        speed_up: relative_to.map(ratio).filter(|ratio| ratio.is_finite() && *ratio > 0.0),
    }
}

impl Group<'_> {
    /// `M1: 9 of 10 cases`
    pub fn title(&self) -> String {
        format!("{}: {} of {} cases", self.name, self.counted, self.cases)
    }

    /// The heads of its columns.
    pub fn titles(&self) -> Vec<String> {
        let sums = METRICS.map(|metric| metric.title().to_string());
        let percent = self.baseline.map(|name| format!("% of {name}"));
        let speed_up = self.has_speed_ups().then(|| "speed-up".to_string());
        ["search".to_string()].into_iter().chain(sums).chain(percent).chain(speed_up).collect()
    }

    /// The cells of a row.
    pub fn cells(&self, row: &Sums) -> Vec<String> {
        let sum = |(metric, sum): (&Metric, f64)| if self.counted > 0 { metric.shown(sum) } else { "–".into() };
        let sums = METRICS.iter().zip(row.sums).map(sum);
        let decimals = |value: Option<f64>, many: usize| value.map_or_else(|| "–".into(), |it| format!("{it:.many$}"));
        let percent = self.baseline.map(|_| decimals(row.percent, 1));
        let speed_up = self.has_speed_ups().then(|| decimals(row.speed_up, 2));
        [row.search.to_string()].into_iter().chain(sums).chain(percent).chain(speed_up).collect()
    }

    fn has_speed_ups(&self) -> bool {
        self.rows.iter().any(|row| row.relative_to.is_some())
    }

    /// Searches that differ in their threads alone, as far as the experiment says so: the name of the one that the others are relative to,
    /// and what each of them has of something, by threads.
    pub fn by_threads(&self, value: impl Fn(&Sums) -> Option<f64>) -> Vec<(&str, Vec<(f64, f64)>)> {
        let origins: BTreeSet<&str> = self.rows.iter().filter_map(|row| row.relative_to).collect();
        let is_origin = |row: &&Sums| origins.contains(row.search);
        let line = |origin: &Sums| {
            let own = |row: &&Sums| row.search == origin.search || row.relative_to == Some(origin.search);
            self.rows.iter().filter(own).filter_map(|row| Some((row.threads? as f64, value(row)?))).collect::<Vec<_>>()
        };
        let lines = self.rows.iter().filter(is_origin).map(|origin| (origin.search, line(origin)));
        lines.filter(|(_, points)| points.len() > 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::job::{Contender, Job, Key};
    use crate::lab::record::{Outcome, Record, Used};
    use crate::lab::study::Published;

    /// Runs with so many states, each of which takes as many seconds; 0: no verdict.
    fn series(search: &str, relative_to: Option<&str>, states: &[u64]) -> Series {
        let contender = Contender::parse(search, 3).expect("a search");
        let record = |(run, &states): (u64, &u64)| {
            let key = Key { case: "c".into(), search: contender.name.clone(), run, seed: None };
            let record =
                Record::crashed(&Job { key, args: vec![], model: String::new() }, String::new(), Used::default());
            let outcome = if states == 0 { Outcome::Inconclusive } else { Outcome::Holds };
            Record { outcome, states, time_s: states as f64, ..record }
        };
        let records: Vec<Record> = (1..).zip(states).map(record).collect();
        let relative_to = relative_to.map(String::from);
        Series { relative_to, ..Series::of(&contender, Published::default(), records.into_iter()) }
    }

    fn case(number: usize, group: Option<&str>, all: &[u64], one: &[u64], two: &[u64]) -> Case {
        let one = series("one=swarm --threads 1", None, one);
        let two = series("two=swarm --threads 2", Some("one"), two);
        let group = group.map(String::from);
        Case { name: format!("c{number}"), group, series: vec![series("all=dfs", None, all), one, two] }
    }

    fn study(cases: Vec<Case>) -> Study {
        Study {
            title: String::new(),
            about: String::new(),
            source: None,
            models: None,
            baseline: Some("all".into()),
            command: String::new(),
            in_directory: true,
            sessions: Vec::new(),
            seed: 1,
            cases,
        }
    }

    #[test]
    fn what_all_have_answered_is_added_up() {
        let study = study(vec![
            case(1, Some("G"), &[100], &[90, 50, 10], &[30, 20, 25]),
            case(2, None, &[7], &[7], &[7]),
            case(3, Some("H"), &[9], &[0], &[9]),
            case(4, Some("G"), &[200], &[20, 0, 40], &[20, 20, 20]),
            // one of three runs is not most of them
            case(5, Some("G"), &[1000], &[1000], &[0, 1000, 0]),
        ]);
        let groups = study.groups();
        assert_eq!(groups.iter().map(Group::title).collect::<Vec<_>>(), ["G: 2 of 3 cases", "H: 0 of 1 cases"]);
        let shown = |group: &Group| group.rows.iter().map(|row| group.cells(row).join(" ")).collect::<Vec<_>>();
        assert_eq!(groups[0].titles(), ["search", "states", "s", "CPU s", "% of all", "speed-up"]);
        // (50/100 + 30/200) / 2, (25/100 + 20/200) / 2, (50 + 30) / (25 + 20)
        let expected = ["all 300 300 0.000 100.0 –", "one 80 80.0 0.000 32.5 –", "two 45 45.0 0.000 17.5 1.78"];
        assert_eq!(shown(&groups[0]), expected);
        assert_eq!(shown(&groups[1]), ["all – – – – –", "one – – – – –", "two – – – – –"]);
        assert_eq!(groups[0].by_threads(|row| row.percent), [("one", vec![(1.0, 32.5), (2.0, 17.5)])]);
    }
}
