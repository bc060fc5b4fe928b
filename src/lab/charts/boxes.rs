//! Box plots: quartiles, median, extremes, and every value as a dot.

use super::axis::Scale;
use super::{COLOURS, LEFT, RIGHT, WIDTH};
use crate::lab::stats::Summary;

/// The values of one search.
#[derive(Clone, Debug)]
pub struct Boxed<'b> {
    pub name: &'b str,
    pub colour: usize,
    pub values: Vec<f64>,
}

/// A row for each search; `title` says what is measured.
pub fn boxes(title: &str, axis: &str, rows: &[Boxed]) -> String {
    let scale = Scale::over(rows.iter().flat_map(|row| row.values.iter().copied()), LEFT, WIDTH - RIGHT);
    super::rows(title, axis, &scale, rows.iter().map(|row| row.name), |number, y| one(&rows[number], &scale, y))
}

fn one(row: &Boxed, scale: &Scale, y: f64) -> String {
    let Some(summary) = Summary::of(&row.values) else {
        return format!("<text class=\"none\" x=\"{:.1}\" y=\"{:.1}\">no verdict</text>", LEFT + 6.0, y + 4.0);
    };
    let at = |value: f64| scale.at(value);
    let mut out = format!("<g class=\"s{}\">", row.colour % COLOURS);
    if summary.n > 1 {
        let (least, low, middle, high, most) = (
            at(summary.min),
            at(summary.lower_quartile),
            at(summary.median),
            at(summary.upper_quartile),
            at(summary.max),
        );
        out.push_str(&format!(
            "<line class=\"whisker\" x1=\"{least:.1}\" y1=\"{y:.1}\" x2=\"{most:.1}\" y2=\"{y:.1}\"/>\
             <rect class=\"box\" x=\"{low:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"18\"/>\
             <line class=\"median\" x1=\"{middle:.1}\" y1=\"{:.1}\" x2=\"{middle:.1}\" y2=\"{:.1}\"/>",
            y - 9.0,
            (high - low).max(1.0),
            y - 9.0,
            y + 9.0
        ));
    }
    let (class, radius) = if summary.n > 1 { ("dot", 2.5) } else { ("single", 5.0) };
    let dot =
        |&value: &f64| format!("<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>", at(value));
    out.extend(row.values.iter().map(dot));
    out.push_str("</g>");
    out
}
