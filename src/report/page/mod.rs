//! A run as one page that needs nothing else: the chart, the steps, the variables, the source and the claim.
//!
//! Everything the page can show is in it: what changes from step to step is data (`data`), which a small script shows.

mod automaton;
mod data;

use super::chart::svg::{Body, CHART_STYLE, Head, STYLE};
use super::chart::{Chart, Drawing, svg};
use super::recording::Recording;
use crate::property::Claim;
use crate::trail::Ending;
use crate::trail::accepted::Watched;
use askama::Template;
use automaton::Picture;
use ltl::Buchi;

const TRAIL_STYLE: &str = include_str!("../../../templates/trail.css");
const SCRIPT: &str = include_str!("../../../templates/trail.js");

/// What a page is about.
pub struct Subject<'s> {
    /// The model file, as it was named.
    pub model: String,
    /// The name of the trail file.
    pub trail: String,
    /// In one line.
    pub headline: String,
    /// What is violated, if anything is.
    pub violation: Option<String>,
    /// What the run comes to after its last step.
    pub ending: String,
    /// The property that the run is judged by, if there is one.
    pub property: Option<Property<'s>>,
    /// How much of the text of the model file is the model; behind it is what the command line adds.
    pub model_length: usize,
}

/// The property that the run is judged by.
pub struct Property<'s> {
    /// As `--property` names it.
    pub name: String,
    /// The claim against the property.
    pub claim: &'s Claim,
    /// The automaton over conditions; a never claim is its own.
    pub automaton: Option<Buchi>,
    /// What the claim makes of the run.
    pub watched: Watched,
}

#[derive(Template)]
#[template(path = "trail.html")]
struct Page<'p> {
    style: &'static str,
    chart_style: &'static str,
    trail_style: &'static str,
    script: &'static str,
    subject: &'p Subject<'p>,
    summary: String,
    drawing: &'p Drawing,
    head: Head<'p>,
    body: Body<'p>,
    last: usize,
    cycle: Option<usize>,
    picture: Option<Picture>,
    listings: Vec<data::Listing>,
    /// JSON that is safe inside a script element.
    data: String,
}

/// The page as HTML.
pub fn render(recording: &Recording, subject: &Subject) -> askama::Result<String> {
    let chart = Chart::of(recording);
    let drawing = Drawing::of(&chart, recording, subject.violation.as_deref());
    let picture =
        subject.property.as_ref().map(|property| automaton::draw(recording.program, recording.sources, property));
    let (data, listings) = data::of(recording, &chart, &drawing, subject, picture.as_ref());
    let page = Page {
        style: STYLE,
        chart_style: CHART_STYLE,
        trail_style: TRAIL_STYLE,
        script: SCRIPT,
        subject,
        summary: summary(recording, &chart),
        drawing: &drawing,
        head: svg::head(&drawing),
        body: svg::body(&drawing),
        last: recording.beats.len(),
        cycle: recording.cycle,
        picture,
        listings,
        data,
    };
    page.render()
}

/// How long the run is and who takes part in it.
fn summary(recording: &Recording, chart: &Chart) -> String {
    use super::figures::counted;
    let length: usize = recording.beats.iter().map(|beat| beat.rows.len()).sum();
    let mut parts = vec![counted(length as u64, "step"), processes(chart.lanes.len())];
    parts.push(counted(chart.arrows().count() as u64, "message"));
    if let Some(beat) = recording.cycle.and_then(|cycle| recording.beats.get(cycle)) {
        parts.push(format!("cycle from step {}", beat.rows[0].number));
    }
    if recording.ending == Ending::Repeats {
        parts.push("the last state repeats".into());
    }
    parts.join(" · ")
}

fn processes(count: usize) -> String {
    if count == 1 { "1 process".into() } else { format!("{count} processes") }
}
