//! The files that a replay writes: a page, a picture, a diagram, a trace.

use super::property::Chosen;
use super::{Failure, Replay};
use crate::cli::output;
use crate::load;
use crate::report::chart::{Chart, Drawing, mermaid, svg};
use crate::report::page::{self, Property, Subject};
use crate::report::recording::Recording;
use crate::report::{itf, json};
use crate::trail::accepted::{Visible, Watched, watch};
use std::path::Path;

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
    files(args).iter().any(|(_, file)| file.is_some())
}

/// Whether a file is asked for on the standard output; at most one can be.
pub fn to_output(args: &Replay) -> Result<bool, Failure> {
    let there: Vec<&str> =
        files(args).into_iter().filter(|(_, file)| *file == Some(Path::new("-"))).map(|(name, _)| name).collect();
    match &there[..] {
        [] => Ok(false),
        [name] if args.json => Err(Failure::Usage(format!("--json and {name} - both want the standard output"))),
        [_] => Ok(true),
        [one, other, ..] => Err(Failure::Usage(format!("{one} - and {other} - both want the standard output"))),
    }
}

/// What is read is not written over.
pub fn check(args: &Replay, trail: &Path) -> Result<(), Failure> {
    let real = |file: &Path| file.canonicalize().ok();
    let inputs = [args.model.model.as_path(), trail].map(real);
    let is_input = |file: &Path| real(file).is_some_and(|file| inputs.contains(&Some(file)));
    match files(args).into_iter().find(|(_, file)| file.is_some_and(is_input)) {
        Some((option, Some(file))) => {
            Err(Failure::Usage(format!("{option} {} would overwrite what is replayed", file.display())))
        }
        _ => Ok(()),
    }
}

fn files(args: &Replay) -> [(&'static str, Option<&Path>); 4] {
    let Replay { html, svg, mermaid, itf, .. } = args;
    [
        ("--html", html.as_deref()),
        ("--svg", svg.as_deref()),
        ("--mermaid", mermaid.as_deref()),
        ("--itf", itf.as_deref()),
    ]
}

/// Writes every file that is asked for.
pub fn write(args: &Replay, story: Story) -> Result<(), Failure> {
    let recording = &story.recording;
    if let Some(file) = &args.itf {
        let trace = itf::trace(recording, &story.model, &story.headline);
        write_file(file, &json::render(&trace))?;
    }
    if args.svg.is_some() || args.mermaid.is_some() {
        let chart = Chart::of(recording);
        if let Some(file) = &args.mermaid {
            write_file(file, &mermaid::diagram(&chart, recording, &story.headline))?;
        }
        if let Some(file) = &args.svg {
            let drawing = Drawing::of(&chart, recording, story.violation.as_deref());
            let title = format!("{}: {}", story.model, story.headline);
            write_file(file, &svg::file(&drawing, &title).map_err(unrendered)?)?;
        }
    }
    if let Some(file) = &args.html {
        let Story { model, trail, headline, violation, ending, property, model_length, recording } = &story;
        // what goes wrong otherwise is what the trail is about
        let asked = |chosen: &&Chosen| !chosen.guessed || violation.is_none();
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
        write_file(file, &page::render(recording, &subject).map_err(unrendered)?)?;
    }
    Ok(())
}

/// A property and what its claim makes of the run; `None` if the run has nothing to do with it.
fn judged<'c>(chosen: &'c Chosen, recording: &Recording) -> Option<Property<'c>> {
    let last = recording.beats.len();
    let visible = Visible {
        states: &recording.states,
        seen: (0..recording.states.len()).filter(|&at| at == last || !recording.is_inside(at)).collect(),
        cycle: recording.cycle,
        ending: &recording.ending,
    };
    let watched = watch(recording.program, &chosen.claim, &visible);
    let shown = !chosen.guessed || matches!(watched, Watched::Accepts(_));
    shown.then(|| Property {
        name: chosen.name.clone(),
        claim: &chosen.claim,
        automaton: chosen.automaton.clone(),
        watched,
    })
}

fn write_file(file: &Path, text: &str) -> Result<(), Failure> {
    if file == Path::new("-") {
        output::print(text);
        return Ok(());
    }
    let failed = |error| Failure::Usage(format!("cannot write {}: {}", file.display(), load::why(&error)));
    std::fs::write(file, text).map_err(failed)
}

fn unrendered(error: impl std::fmt::Display) -> Failure {
    Failure::Internal(format!("a template cannot be filled in: {error}"))
}
