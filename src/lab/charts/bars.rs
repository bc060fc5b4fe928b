//! Hit rates as bars, with the interval in which they lie.

use super::axis::Scale;
use super::{COLOURS, LEFT, RIGHT, WIDTH, escaped};
use crate::lab::stats::Interval;

/// Of one search, in percent.
#[derive(Clone, Debug)]
pub struct Bar<'b> {
    pub name: &'b str,
    pub colour: usize,
    pub rate: f64,
    pub interval: Option<Interval>,
    /// What others have measured.
    pub published: Option<f64>,
    /// Behind the bar.
    pub text: String,
}

pub fn bars(title: &str, axis: &str, rows: &[Bar]) -> String {
    let scale = Scale::up_to(100.0, LEFT, WIDTH - RIGHT - 60.0);
    super::rows(title, axis, &scale, rows.iter().map(|row| row.name), |number, y| one(&rows[number], &scale, y))
}

fn one(row: &Bar, scale: &Scale, y: f64) -> String {
    let (start, end) = (scale.at(0.0), scale.at(row.rate));
    let mut out = format!(
        "<g class=\"s{}\"><rect class=\"bar\" x=\"{start:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"18\"/>",
        row.colour % COLOURS,
        y - 9.0,
        end - start
    );
    if let Some(interval) = row.interval {
        let (low, high) = (scale.at(interval.low * 100.0), scale.at(interval.high * 100.0));
        out.push_str(&format!(
            "<path class=\"interval\" d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {0:.1}v8M{high:.1} {0:.1}v8\"/>",
            y - 4.0
        ));
    }
    if let Some(rate) = row.published {
        let x = scale.at(rate);
        let (top, bottom) = (y - 12.0, y + 12.0);
        out.push_str(&format!(
            "<path class=\"published\" d=\"M{x:.1} {top:.1}V{bottom:.1}\"><title>published: {rate} %</title></path>"
        ));
    }
    out.push_str(&format!(
        "<text class=\"value\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
        scale.at(100.0) + 10.0,
        y + 4.0,
        escaped(&row.text)
    ));
    out
}
