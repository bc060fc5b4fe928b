//! A study as a file: a page, every run as comma-separated values, everything as JSON, tables as Markdown.

use super::groups::{self, Group};
use super::judge::{self, Judgement, Pair, judge};
use super::metric::Metric;
use super::page;
use super::record::Record;
use super::stats::{Interval, Resampling, Summary, Tested, bootstrap, mean};
use super::study::{Case, Series, Study};
use super::table::{self, Medium};
use crate::report::json::render;
use serde_json::{Map, Value, json};

const SCHEMA: u32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Page,
    Csv,
    Json,
    Markdown,
}

impl Format {
    pub fn of(self, study: &Study) -> Result<String, String> {
        match self {
            Format::Page => page::render(study),
            Format::Csv => Ok(csv(study)),
            Format::Json => Ok(json(study)),
            Format::Markdown => Ok(markdown(study)),
        }
    }
}

/// One line for each run.
fn csv(study: &Study) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "case",
        "search",
        "run",
        "seed",
        "outcome",
        "found",
        "length",
        "states",
        "transitions",
        "depth",
        "time_s",
        "cpu_s",
        "peak_bytes",
        "memory_bytes",
        "message",
        "command",
    ];
    let rows = records(study).map(|record| {
        let number = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
        let key = &record.key;
        vec![
            cell(&key.case),
            cell(&key.search),
            key.run.to_string(),
            number(key.seed),
            record.outcome.name().into(),
            number(record.found),
            number(record.length),
            record.states.to_string(),
            record.transitions.to_string(),
            record.depth.to_string(),
            record.time_s.to_string(),
            record.cpu_s.to_string(),
            record.peak_bytes.to_string(),
            record.memory_bytes.to_string(),
            cell(&record.message),
            cell(&record.command()),
        ]
    });
    let lines = std::iter::once(head.map(String::from).to_vec()).chain(rows);
    // writing to memory does not fail, and all lines have the same length
    lines.for_each(|line| drop(writer.write_record(line)));
    writer.into_inner().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// A text that no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.into() }
}

fn records(study: &Study) -> impl Iterator<Item = &Record> {
    study.cases.iter().flat_map(|case| &case.series).flat_map(|series| &series.records)
}

/// Figures, tests and every run.
fn json(study: &Study) -> String {
    let cases: Vec<Value> = study.cases.iter().map(|case| of_case(study, case)).collect();
    let groups: Vec<Value> = study.groups().iter().map(of_group).collect();
    render(&json!({
        "schema": SCHEMA,
        "title": study.title,
        "about": study.about,
        "source": study.source,
        "models": study.models,
        "baseline": study.baseline,
        "command": study.command,
        "seed": study.seed,
        "sessions": study.sessions,
        "groups": groups,
        "cases": cases,
    }))
}

fn of_group(group: &Group) -> Value {
    let searches: Vec<Value> = group
        .rows
        .iter()
        .map(|row| {
            let sums: Map<String, Value> =
                groups::METRICS.iter().zip(row.sums).map(|(metric, sum)| (metric.name().into(), json!(sum))).collect();
            json!({
                "search": row.search, "threads": row.threads, "sums": sums, "percent_of_baseline": row.percent,
                "relative_to": row.relative_to, "speed_up": row.speed_up,
            })
        })
        .collect();
    json!({ "name": group.name, "cases": group.cases, "counted": group.counted, "searches": searches })
}

fn of_case(study: &Study, case: &Case) -> Value {
    let Judgement { metrics, rates } = judge(case);
    let tests: Map<String, Value> = metrics
        .iter()
        .map(|judged| {
            let pairs: Vec<Value> = judged.pairs.iter().map(of_pair).collect();
            (judged.metric.name().into(), json!({ "kruskal_wallis": judged.overall.map(of_test), "pairs": pairs }))
        })
        .chain([("hit_rate".into(), json!({ "pairs": rates.iter().map(of_pair).collect::<Vec<_>>() }))])
        .collect();
    json!({
        "name": case.name,
        "group": case.group,
        "verdict": case.verdict().map(|outcome| outcome.name()),
        "shortest_known": case.shortest().map(|(_, length)| length),
        "searches": case.series.iter().map(|series| of_series(study, series)).collect::<Vec<_>>(),
        "tests": tests,
    })
}

fn of_series(study: &Study, series: &Series) -> Value {
    let figures = Metric::ALL.into_iter().filter_map(|metric| {
        let values = series.values(metric);
        let Summary { n, mean: average, sd, min, lower_quartile, median, upper_quartile, max } = Summary::of(&values)?;
        let interval = bootstrap(&values, mean, Resampling::seeded(study.seed));
        let figures = json!({
            "n": n, "mean": average, "sd": sd, "min": min, "q1": lower_quartile, "median": median, "q3": upper_quartile,
            "max": max, "mean_95": interval.map(|Interval { low, high }| [low, high]),
        });
        Some((metric.name().to_string(), figures))
    });
    json!({
        "search": series.search,
        "planned": series.planned,
        "runs": series.records.len(),
        "hits": series.hits(),
        "figures": figures.collect::<Map<_, _>>(),
        "published": (!series.published.is_empty()).then(|| json!({
            "hit_rate": series.published.hit_rate, "values": series.published.values, "note": series.published.note,
        })),
        "records": series.records,
        "traced": series.traced,
    })
}

fn of_pair(pair: &Pair) -> Value {
    json!({
        "first": pair.first, "second": pair.second, "test": pair.test.name(), "result": of_test(pair.tested),
        "p_holm": pair.adjusted, "a12": pair.effect, "significant": pair.is_significant(),
    })
}

fn of_test(tested: Tested) -> Value {
    match tested {
        Tested::TooFew { need } => json!({ "too_few": need }),
        Tested::Alike => json!("alike"),
        Tested::NotFinite => json!("not finite"),
        Tested::P { statistic, p } => json!({ "statistic": statistic, "p": p }),
    }
}

/// With nothing that Markdown takes for something else.
fn unformatted(text: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

/// The tables with what there is to say about them.
fn markdown(study: &Study) -> String {
    let mut text = format!("# {}\n\n", unformatted(&study.title));
    if !study.about.is_empty() {
        text.push_str(&format!("{}\n\n", study.about.trim()));
    }
    if let Some(source) = &study.source {
        text.push_str(&format!("Published figures: {source}.\n\n"));
    }
    if let Some(models) = &study.models {
        text.push_str(&format!("Models: {}.\n\n", unformatted(models)));
    }
    text.push_str(&sums(study));
    for case in &study.cases {
        text.push_str(&format!("## {}\n\n{}\n\n", unformatted(&case.name), table::of_case(case, Medium::Markdown)));
        let lines = table::remarks(case).into_iter().chain(judge(case).lines());
        lines.for_each(|line| text.push_str(&format!("- {}\n", unformatted(&line))));
        text.push('\n');
    }
    text.push_str("Mean ± standard deviation (median) of the runs with a verdict; the best mean is bold. ");
    text.push_str(&format!("{}.\n\n", judge::KEY));
    text.push_str(&format!("Command: `` {} ``. Seed {}.", study.command, study.seed));
    for session in &study.sessions {
        text.push_str(&format!(" {}.", session.shown()));
    }
    text.push('\n');
    text
}

/// The tables of groups, and how to read them.
fn sums(study: &Study) -> String {
    let groups = study.groups();
    let table = |group: &Group| {
        format!("## {}\n\n{}\n\n", unformatted(&group.title()), table::of_group(group, Medium::Markdown))
    };
    let key = if groups.is_empty() { String::new() } else { format!("{}.\n\n", unformatted(groups::KEY)) };
    groups.iter().map(table).chain([key]).collect()
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn no_cell_is_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(cell(text), format!("'{text}"));
        }
        assert_eq!(cell("gega --set length=3"), "gega --set length=3");
    }
}
