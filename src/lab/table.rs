//! A study as tables of text, for a terminal or as Markdown.
//!
//! Means, deviations and medians are those of the runs with a verdict. A search that gives the same result each time was run once, and
//! has a value instead.

use super::groups::Group;
use super::judge::quoted;
use super::metric::Metric;
use super::stats::Summary;
use super::study::{Case, Series};
use crate::report::visible::visible;
use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{Attribute, Cell, CellAlignment, ContentArrangement, Row, Table};

/// Where a table is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// With bold letters, and no wider than this.
    Terminal(Option<u16>),
    /// Where nothing is bold.
    Plain,
    Markdown,
}

/// All searches of a case.
pub fn of_case(case: &Case, medium: Medium) -> String {
    let metrics = case.metrics();
    let titles = ["search", "verdicts"].into_iter().chain(metrics.iter().map(|metric| metric.title()));
    let mut table = headed(titles.map(Cell::new), medium);
    let most_hits = case.most_hits();
    for (number, series) in case.series.iter().enumerate() {
        let mut cells =
            vec![cell(series.search.clone(), false, medium), cell(hits(series), most_hits.contains(&number), medium)];
        for &metric in &metrics {
            cells.push(cell(figures(series, metric), case.best(metric).contains(&number), medium));
        }
        table.add_row(cells);
        if !series.published.is_empty() {
            table.add_row(published(series, &metrics));
        }
    }
    drawn(table, medium)
}

/// All searches of a group, added up.
pub fn of_group(group: &Group, medium: Medium) -> String {
    let cells = |texts: Vec<String>| texts.into_iter().map(|text| cell(text, false, medium)).collect::<Vec<Cell>>();
    let mut table = headed(cells(group.titles()), medium);
    for row in &group.rows {
        table.add_row(cells(group.cells(row)));
    }
    drawn(table, medium)
}

fn headed(titles: impl IntoIterator<Item = Cell>, medium: Medium) -> Table {
    let mut table = Table::new();
    table.load_style(if medium == Medium::Markdown { ASCII_MARKDOWN } else { UTF8_FULL_CONDENSED });
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(titles.into_iter().collect::<Vec<Cell>>());
    table
}

/// As text, with figures to the right.
fn drawn(mut table: Table, medium: Medium) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if medium == Medium::Plain {
        table.force_no_tty();
    } else if let Medium::Terminal(width) = medium {
        table.enforce_styling();
        let natural = table.to_string();
        return width.filter(|&width| !fits(&table, width)).map_or(natural, |width| narrow(table, width));
    }
    table.to_string()
}

fn fits(table: &Table, width: u16) -> bool {
    // borders and the space around cells are three columns each
    let cells: usize = table.column_max_content_widths().iter().map(|&column| usize::from(column) + 3).sum();
    cells < usize::from(width)
}

/// In cells of several lines or, where these would have no room, as a list.
fn narrow(mut table: Table, width: u16) -> String {
    let columns = table.column_max_content_widths().len();
    if usize::from(width) >= columns * LEAST_COLUMN {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        return table.to_string();
    }
    let titles: Vec<String> = table.header().map(texts).unwrap_or_default();
    let mut lines = Vec::new();
    for row in table.row_iter() {
        for (number, text) in texts(row).into_iter().enumerate() {
            lines.push(if number == 0 { text } else { format!("  {}: {text}", titles[number]) });
        }
    }
    lines.join("\n")
}

/// Less is no column.
const LEAST_COLUMN: usize = 11;

fn texts(row: &Row) -> Vec<String> {
    row.cell_iter().map(|cell| cell.content()).collect()
}

fn cell(text: String, best: bool, medium: Medium) -> Cell {
    let text = visible(&text).into_owned();
    match medium {
        Medium::Markdown if best => Cell::new(format!("**{}**", text.replace('|', "\\|"))),
        Medium::Markdown => Cell::new(text.replace('|', "\\|")),
        Medium::Terminal(_) if best => Cell::new(text).add_attribute(Attribute::Bold),
        _ => Cell::new(text),
    }
}

/// `9 of 10`, and how many are still to be done.
pub fn hits(series: &Series) -> String {
    let (hits, runs) = (series.hits(), series.records.len());
    let left = if runs < series.planned { format!(", {} to go", series.planned - runs) } else { String::new() };
    format!("{hits} of {runs}{left}")
}

/// Mean ± deviation (median), or the only value.
fn figures(series: &Series, metric: Metric) -> String {
    let values = series.values(metric);
    let shown = |value: f64| metric.shown(value);
    match Summary::of(&values) {
        None => "–".into(),
        Some(summary) if summary.n == 1 => shown(summary.mean),
        Some(summary) => {
            let deviation = shown(summary.sd.unwrap_or(0.0));
            format!("{} ± {deviation} ({})", shown(summary.mean), shown(summary.median))
        }
    }
}

fn published(series: &Series, metrics: &[Metric]) -> Vec<Cell> {
    let rate = series.published.hit_rate.map_or_else(|| "–".into(), |rate| format!("{rate} %"));
    let values = metrics
        .iter()
        .map(|metric| series.published.of(*metric).map_or_else(|| "–".into(), |value| metric.shown(value)));
    ["  published".into(), rate].into_iter().chain(values).map(Cell::new).collect()
}

/// What a table does not show: why there is no verdict, notes on published figures, the shortest trail.
pub fn remarks(case: &Case) -> Vec<String> {
    let mut remarks = Vec::new();
    for series in &case.series {
        if let Some(reason) = series.usual_reason() {
            let without = series.records.len() - series.hits();
            let mostly = if without > 1 { ", mostly" } else { "" };
            remarks.push(format!(
                "{}: no verdict in {without} of {} runs{mostly}: {reason}",
                quoted(&series.search),
                series.records.len()
            ));
        }
        if let Some(note) = &series.published.note {
            remarks.push(format!("{}, published: {note}", quoted(&series.search)));
        }
    }
    if case.series.iter().any(|series| series.hits() > 0 && series.hits() < series.records.len()) {
        remarks.push(
            "not all runs have a verdict: figures of a search that gives up early are those of its lucky runs".into(),
        );
    }
    if let Some((record, length)) = case.shortest() {
        let seed = record.key.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
        remarks.push(format!("shortest trail that is known: {length} steps ({}{seed})", quoted(&record.key.search)));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::job::{Contender, Job, Key};
    use crate::lab::record::{Outcome, Record, Used};
    use crate::lab::study::Published;

    fn series(search: &str) -> Series {
        let contender = Contender::parse(search, 3).expect("a search");
        let record = |run: u64| {
            let key = Key { case: "c".into(), search: search.into(), run, seed: Some(run) };
            let job = Job { key, args: Vec::new(), model: String::new() };
            let (outcome, states) = (Outcome::Violated, 123_456 * run);
            Record {
                outcome,
                states,
                length: Some(1000 + run),
                ..Record::crashed(&job, String::new(), Used::default())
            }
        };
        Series::of(&contender, Published::default(), (1..=3).map(record))
    }

    #[test]
    fn a_table_keeps_to_the_width_of_the_terminal() {
        let case = Case { name: "c".into(), group: None, series: vec![series("aco --set ants=3"), series("gega")] };
        let whole = of_case(&case, Medium::Terminal(None));
        assert_eq!(of_case(&case, Medium::Terminal(Some(200))), whole);
        for width in [20, 40, 60, 80, 100] {
            let text = of_case(&case, Medium::Terminal(Some(width)));
            let letters = |line: &str| plain(line).chars().count();
            assert!(width < 40 || text.lines().all(|line| letters(line) <= usize::from(width)), "{width}:\n{text}");
            assert!(text.contains("gega"), "{text}");
        }
        assert!(of_case(&case, Medium::Terminal(Some(40))).contains("\n  verdicts: 3 of 3\n"));
    }

    /// Without the codes for bold letters.
    fn plain(line: &str) -> String {
        let parts = line.split('\u{1b}').enumerate();
        parts
            .map(|(number, part)| if number == 0 { part } else { part.split_once('m').map_or("", |it| it.1) })
            .collect()
    }
}
