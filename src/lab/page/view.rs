//! What the page shows, as its template wants it.

use crate::lab::charts::{Bar, Boxed, Curve, bars, boxes, cactus, curves};
use crate::lab::groups::{self, Group, Sums};
use crate::lab::judge::{Pair, judge, rate};
use crate::lab::metric::Metric;
use crate::lab::record::Record;
use crate::lab::stats::{CONFIDENCE, Interval, Resampling, Summary, bootstrap, mean, median};
use crate::lab::study::{Case, Series, Study};
use crate::lab::table;
use serde_json::Value;

pub struct View<'v> {
    pub study: &'v Study,
    /// Each search once, with its colour.
    pub searches: Vec<(usize, &'v str)>,
    pub cases: Vec<CaseView<'v>>,
    pub groups: Vec<GroupView>,
    /// How to read the sums of groups.
    pub sums: &'static str,
    pub sessions: Vec<String>,
    pub cactus: Option<String>,
    /// For each case and search: how many verdicts, and how long trails are.
    pub overview: Vec<Vec<Cell>>,
    pub runs: usize,
}

pub struct GroupView {
    pub title: String,
    pub titles: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// What is drawn by the number of threads, and whose lines these are, by colour.
    pub charts: Vec<ChartView>,
    pub lines: Vec<String>,
}

pub struct CaseView<'v> {
    pub name: &'v str,
    /// For links.
    pub anchor: String,
    pub verdict: &'static str,
    pub metrics: Vec<Metric>,
    pub rows: Vec<RowView<'v>>,
    pub remarks: Vec<String>,
    pub tests: Vec<String>,
    /// All tests of each metric.
    pub pairs: Vec<(&'static str, Vec<Pair>)>,
    pub charts: Vec<ChartView>,
    pub traces: Vec<TraceView<'v>>,
}

pub struct RowView<'v> {
    pub colour: usize,
    pub search: &'v str,
    pub verdicts: Cell,
    pub cells: Vec<Cell>,
    /// What was published, if anything.
    pub published: Option<Vec<String>>,
    pub seeds: String,
    pub command: String,
}

pub struct Cell {
    pub text: String,
    /// In smaller letters, line by line.
    pub details: Vec<String>,
    pub best: bool,
}

pub struct ChartView {
    pub title: String,
    pub svg: String,
}

pub struct TraceView<'v> {
    pub search: &'v str,
    pub seed: u64,
    pub charts: Vec<ChartView>,
}

impl<'v> View<'v> {
    pub fn of(study: &'v Study) -> View<'v> {
        let mut names: Vec<&str> = Vec::new();
        for series in study.cases.iter().flat_map(|case| &case.series) {
            if !names.contains(&series.search.as_str()) {
                names.push(&series.search);
            }
        }
        let colour = |search: &str| names.iter().position(|name| *name == search).unwrap_or(0);
        let cases = study.cases.iter().enumerate().map(|(number, case)| case_view(case, number, &colour));
        View {
            study,
            cases: cases.collect(),
            groups: study.groups().iter().map(group_view).collect(),
            sums: groups::KEY,
            sessions: study.sessions.iter().map(|session| session.shown()).collect(),
            overview: study.cases.iter().map(|case| overview(case, &names)).collect(),
            cactus: (study.cases.len() > 1).then(|| over_cases(study, &names)),
            runs: study.cases.iter().flat_map(|case| &case.series).map(|series| series.records.len()).sum(),
            searches: names.iter().enumerate().map(|(colour, &name)| (colour, name)).collect(),
        }
    }
}

fn group_view(group: &Group) -> GroupView {
    // what others are relative to is as fast as itself
    let speed_up = |row: &Sums| Some(row.speed_up.unwrap_or(1.0));
    let drawn = [
        ("States, in percent of the baseline", group.by_threads(|row| row.percent)),
        ("Speed-up", group.by_threads(speed_up)),
    ];
    let lines = drawn[1].1.iter().map(|(name, _)| name.to_string()).collect();
    let charts = drawn.into_iter().filter(|(_, lines)| group.counted > 0 && !lines.is_empty()).map(|(title, lines)| {
        let lines: Vec<Curve> =
            lines.into_iter().enumerate().map(|(colour, (_, points))| Curve { colour, points }).collect();
        ChartView { title: title.into(), svg: curves(&format!("{title}: {}", group.name), "threads", &lines) }
    });
    GroupView {
        title: group.title(),
        titles: group.titles(),
        rows: group.rows.iter().map(|row| group.cells(row)).collect(),
        charts: charts.collect(),
        lines,
    }
}

fn overview(case: &Case, names: &[&str]) -> Vec<Cell> {
    let most = case.most_hits();
    let cell = |name: &&str| {
        let Some(number) = case.series.iter().position(|series| series.search == **name) else {
            return Cell { text: String::new(), details: Vec::new(), best: false };
        };
        let series = &case.series[number];
        let steps = mean(&series.values(Metric::Length)).map(|mean| format!("{} steps", Metric::Length.shown(mean)));
        Cell { text: table::hits(series), details: steps.into_iter().collect(), best: most.contains(&number) }
    };
    names.iter().map(cell).collect()
}

/// For each search the median time of each case that it has answered in most of the runs.
fn over_cases(study: &Study, names: &[&str]) -> String {
    let times = names.iter().enumerate().map(|(colour, name)| {
        let series = study.cases.iter().flat_map(|case| &case.series).filter(|series| series.search == *name);
        let answered = series.filter(|series| series.is_answered());
        (colour, answered.filter_map(|series| median(&series.values(Metric::Cpu))).collect())
    });
    let times: Vec<(usize, Vec<f64>)> = times.collect();
    cactus("Cases answered in most of the runs, by median CPU seconds", study.cases.len(), &times)
}

fn case_view<'v>(case: &'v Case, number: usize, colour: &dyn Fn(&str) -> usize) -> CaseView<'v> {
    let metrics = case.metrics();
    let most_hits = case.most_hits();
    let best: Vec<Vec<usize>> = metrics.iter().map(|&metric| case.best(metric)).collect();
    let rows = case.series.iter().enumerate().map(|(number, series)| RowView {
        colour: colour(&series.search),
        search: &series.search,
        verdicts: Cell { text: table::hits(series), details: Vec::new(), best: most_hits.contains(&number) },
        cells: metrics.iter().zip(&best).map(|(&metric, best)| cell(series, metric, best.contains(&number))).collect(),
        published: published(series, &metrics),
        seeds: seeds(series),
        command: series.records.first().map_or_else(String::new, |record| record.command()),
    });
    let judgement = judge(case);
    let tests = judgement.lines();
    let of_metrics = judgement.metrics.into_iter().map(|judged| (judged.metric.title(), judged.pairs));
    let pairs = of_metrics.chain([("verdicts", judgement.rates)]).filter(|(_, pairs)| !pairs.is_empty());
    CaseView {
        name: &case.name,
        anchor: format!("case-{}", number + 1),
        verdict: case.verdict().map_or("no verdict", |outcome| outcome.name()),
        rows: rows.collect(),
        remarks: table::remarks(case),
        pairs: pairs.collect(),
        tests,
        charts: charts(case, &metrics, colour),
        traces: case.series.iter().filter_map(|series| trace(series.traced.as_ref()?)).collect(),
        metrics,
    }
}

fn cell(series: &Series, metric: Metric, best: bool) -> Cell {
    let shown = |value: f64| metric.shown(value);
    match Summary::of(&series.values(metric)) {
        None => Cell { text: "–".into(), details: Vec::new(), best: false },
        Some(summary) => {
            let details = summary.sd.map(|sd| {
                let interval = bootstrap(&series.values(metric), mean, Resampling::seeded(1));
                let interval = interval.map(|Interval { low, high }| format!("{} to {}", shown(low), shown(high)));
                let lines = [format!("± {}", shown(sd)), format!("median {}", shown(summary.median))];
                lines.into_iter().chain(interval).collect()
            });
            Cell { text: shown(summary.mean), details: details.unwrap_or_default(), best }
        }
    }
}

fn published(series: &Series, metrics: &[Metric]) -> Option<Vec<String>> {
    let figures = &series.published;
    let rate = figures.hit_rate.map_or_else(String::new, |rate| format!("{rate} %"));
    let values = metrics.iter().map(|metric| figures.of(*metric).map_or_else(String::new, |value| metric.shown(value)));
    (!figures.is_empty()).then(|| std::iter::once(rate).chain(values).collect())
}

fn seeds(series: &Series) -> String {
    let seeds: Vec<String> =
        series.records.iter().filter_map(|record| record.key.seed).map(|seed| seed.to_string()).collect();
    seeds.join(" ")
}

fn charts(case: &Case, metrics: &[Metric], colour: &dyn Fn(&str) -> usize) -> Vec<ChartView> {
    let rates = case.series.iter().filter_map(|series| {
        let rate = rate(series)?;
        Some(Bar {
            name: &series.search,
            colour: colour(&series.search),
            rate: rate.rate() * 100.0,
            interval: rate.wilson(CONFIDENCE).filter(|_| series.records.len() > 1),
            published: series.published.hit_rate,
            text: format!("{:.0} %", rate.rate() * 100.0),
        })
    });
    let rates: Vec<Bar> = rates.collect();
    let title = "Runs with a verdict, in percent";
    let mut all = vec![ChartView {
        title: title.into(),
        svg: bars(&format!("{title}: {}", case.name), "percent, with 95 % intervals (Wilson)", &rates),
    }];
    for (titles, metric, rows) in boxed(case, metrics, colour) {
        let title = titles.join("; ");
        let svg = boxes(&format!("{title}: {}", case.name), metric.title(), &rows);
        all.push(ChartView { title, svg });
    }
    all
}

/// What is drawn once for all metrics that have the same values: steps, where no trail was made shorter. The axis is that of the first.
type SharedChart<'c> = (Vec<&'static str>, Metric, Vec<Boxed<'c>>);

fn boxed<'c>(case: &'c Case, metrics: &[Metric], colour: &dyn Fn(&str) -> usize) -> Vec<SharedChart<'c>> {
    let mut all: Vec<SharedChart> = Vec::new();
    for &metric in metrics {
        let rows = case.series.iter().map(|series| Boxed {
            name: &series.search,
            colour: colour(&series.search),
            values: series.values(metric),
        });
        let rows: Vec<Boxed> = rows.collect();
        let is_same =
            |other: &[Boxed]| other.iter().zip(&rows).all(|(one, other): (&Boxed, &Boxed)| one.values == other.values);
        // as many states as steps are a coincidence
        let of_steps = |metric: Metric| matches!(metric, Metric::Found | Metric::Length);
        let shared = |(_, other, rows): &&mut SharedChart| of_steps(metric) && of_steps(*other) && is_same(rows);
        match all.iter_mut().find(shared) {
            Some((titles, ..)) => titles.push(metric.meaning()),
            None => all.push((vec![metric.meaning()], metric, rows)),
        }
    }
    all
}

/// How the values of a run developed.
fn trace(record: &Record) -> Option<TraceView<'_>> {
    let rounds = record.trace.as_ref()?.as_array()?;
    let curve = |what: &str, which: &str, colour: usize| {
        let point = |round: &Value| Some((round["expanded"].as_f64()?, round[what][which].as_f64()?));
        Curve { colour, points: rounds.iter().filter_map(point).collect() }
    };
    let chart = |title: &str, what: &str| {
        let lines = [curve(what, "least", 0), curve(what, "mean", 1), curve(what, "most", 2)];
        let name = format!("{title}: {}", record.key.search);
        let some = lines.iter().any(|line| line.points.len() > 1);
        some.then(|| ChartView { title: title.into(), svg: curves(&name, "states expanded", &lines) })
    };
    let charts = [chart("Value or fitness of the paths of a round", "values"), chart("Pheromone", "pheromone")];
    let charts: Vec<ChartView> = charts.into_iter().flatten().collect();
    Some(TraceView { search: &record.key.search, seed: record.key.seed.unwrap_or(0), charts })
}
