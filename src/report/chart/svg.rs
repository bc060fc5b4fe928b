//! A chart as SVG: for a page, in two parts so that the head can stay in sight, or as a file of its own.

use super::layout::Drawing;
use askama::Template;

/// What pages look like, and charts that stand alone.
pub const STYLE: &str = include_str!("../../../templates/style.css");
/// What charts and automata look like.
pub const CHART_STYLE: &str = include_str!("../../../templates/chart.css");

/// A chart that stands alone.
#[derive(Template)]
#[template(path = "chart-file.svg")]
struct File<'d> {
    style: &'static str,
    chart_style: &'static str,
    width: u32,
    height: u32,
    title: &'d str,
    head: Head<'d>,
    body: Body<'d>,
}

/// The names of the processes.
#[derive(Template)]
#[template(path = "chart-head.svg")]
pub struct Head<'d> {
    /// The chart that this is the head of.
    pub drawing: &'d Drawing,
}

/// What happens.
#[derive(Template)]
#[template(path = "chart-body.svg")]
pub struct Body<'d> {
    /// The chart that this is the body of.
    pub drawing: &'d Drawing,
}

/// The head of a chart. It is an SVG fragment once it is rendered.
pub fn head(drawing: &Drawing) -> Head<'_> {
    Head { drawing }
}

/// The body of a chart. It is an SVG fragment once it is rendered.
pub fn body(drawing: &Drawing) -> Body<'_> {
    Body { drawing }
}

/// The chart as a file.
pub fn file(drawing: &Drawing, title: &str) -> askama::Result<String> {
    let (head, body) = (head(drawing), body(drawing));
    let (width, height) = (drawing.width, drawing.height);
    File { style: STYLE, chart_style: CHART_STYLE, width, height, title, head, body }.render()
}
