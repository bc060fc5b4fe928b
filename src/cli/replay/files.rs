//! The files that a replay writes: a page, a picture, a diagram, a trace.

use super::property::{Chosen, Why};
use super::{Failure, Replay};
use crate::cli::output;
use crate::cli::overwrite::{self, Output};
use crate::report::chart::{Chart, Drawing, mermaid, svg};
use crate::report::page::{self, Property, Subject};
use crate::report::recording::Recording;
use crate::report::{itf, json};
use crate::source::Sources;
use crate::system::Control;
use crate::trail::accepted::{Visible, Watched, watch};

/// What the files say beside the run itself.
pub struct Story<'s> {
    pub model: String,
    pub trail: String,
    pub headline: String,
    pub violation: Option<String>,
    /// What the run comes to, in as many lines as it takes.
    pub ending: String,
    pub property: Option<Chosen>,
    pub model_length: usize,
    pub recording: Recording<'s>,
}

/// Whether any file is asked for.
pub fn wanted(args: &Replay) -> bool {
    !outputs(args).is_empty()
}

/// Whether a file is asked for on the standard output.
pub fn to_output(args: &Replay) -> Result<bool, Failure> {
    match outputs(args).into_iter().find(|(_, file)| output::is_standard(file)) {
        Some((name, _)) if args.json.is_some() => {
            Err(Failure::Usage(format!("--json and {name} - both want the standard output")))
        }
        found => Ok(found.is_some()),
    }
}

/// What is read is not written over.
pub fn check(args: &Replay, sources: &Sources) -> Result<(), Failure> {
    overwrite::check(&outputs(args), sources.paths().chain(args.never.as_deref()))
}

/// The files that are asked for, each with its option.
fn outputs(args: &Replay) -> Vec<Output<'_>> {
    let Replay { html, svg, mermaid, itf, .. } = args;
    let all = [("--html", html), ("--svg", svg), ("--mermaid", mermaid), ("--itf", itf)];
    all.into_iter().filter_map(|(option, file)| Some((option, file.as_deref()?))).collect()
}

/// Writes every file that is asked for.
pub fn write(args: &Replay, story: Story) -> Result<(), Failure> {
    let recording = &story.recording;
    if let Some(file) = &args.itf {
        let trace = itf::trace(recording, &story.model, &story.headline);
        output::write(file, &json::render(&trace))?;
    }
    if args.svg.is_some() || args.mermaid.is_some() {
        let chart = Chart::of(recording);
        if let Some(file) = &args.mermaid {
            output::write(file, &mermaid::diagram(&chart, recording, &story.headline))?;
        }
        if let Some(file) = &args.svg {
            let drawing = Drawing::of(&chart, recording, story.violation.as_deref());
            let title = format!("{}: {}", story.model, story.headline);
            output::write(file, &svg::file(&drawing, &title).map_err(unrendered)?)?;
        }
    }
    if let Some(file) = &args.html {
        let Story { model, trail, headline, violation, ending, property, model_length, recording } = &story;
        // what goes wrong otherwise is what the trail is about
        let asked = |chosen: &&Chosen| chosen.why == Why::Asked || violation.is_none();
        let property = property.as_ref().filter(asked).and_then(|chosen| judged(chosen, recording));
        let violated = property.as_ref().filter(|property| matches!(property.watched, Watched::Accepts(_)));
        // a trail alone does not say what its cycle violates: the claim does
        let own = violated.filter(|_| violation.is_none()).map(|property| property.name.clone());
        let subject = Subject {
            model: model.clone(),
            trail: trail.clone(),
            headline: own.as_ref().map_or(headline.clone(), |name| format!("violated: {name}")),
            violation: own.or(violation.clone()),
            ending: ending.clone(),
            property,
            model_length: *model_length,
        };
        output::write(file, &page::render(recording, &subject).map_err(unrendered)?)?;
    }
    Ok(())
}

/// A property and what its claim makes of the run; `None` if the run has nothing to do with it.
fn judged<'c>(chosen: &'c Chosen, recording: &Recording) -> Option<Property<'c>> {
    let is_seen = |at: &usize| recording.beats.get(*at).is_none_or(|beat| beat.control == Control::Free);
    let seen: Vec<usize> = (0..recording.states.len()).filter(is_seen).collect();
    let visible = Visible { states: &recording.states, seen: &seen, cycle: recording.cycle, ending: &recording.ending };
    let watched = watch(recording.program, &chosen.claim, &visible);
    let shown = chosen.why == Why::Asked || matches!(watched, Watched::Accepts(_));
    shown.then(|| Property {
        name: chosen.name.clone(),
        claim: &chosen.claim,
        automaton: chosen.automaton.clone(),
        watched,
    })
}

fn unrendered(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(format!("a template cannot be filled in: {error}"))
}
