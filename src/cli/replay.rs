//! `swarmgp replay`

mod file;
mod files;
mod judge;
mod outcome;
mod property;

use super::args::{JsonSchema, Replay};
use super::{Done, Failure, output, say_all, say_refused};
use crate::load::{self, Loaded, Refused};
use crate::program::Program;
use crate::report::excerpt::Excerpt;
use crate::report::json::{self, Remark, Schema, Step, Trail};
use crate::report::recording::Recorder;
use crate::report::rows::Rows;
use crate::report::{paint, text};
use crate::source::{Diagnostic, Source, Sources};
use crate::system::{Cutoff, OnTruncation};
use crate::trail::accepted::Track;
use crate::trail::{Origin, Unplayable, follow, read};
use crate::verify::claims;
use judge::judge;
use outcome::Outcome;
use property::{Question, Why};
use std::path::Path;

pub fn replay(args: &Replay) -> Done {
    let mut remarks = Vec::new();
    let done = run(args, &mut remarks);
    if let (Err(failure), Some(JsonSchema::Two)) = (&done, args.json) {
        remarks.extend(failure.remarks());
        output::print(&json::Replay::refused(args.model.shown()).render(Schema::Two, remarks))?;
    }
    done
}

/// Replays; what there is to remark is also added to `remarks`, for programs.
fn run(args: &Replay, remarks: &mut Vec<Remark>) -> Done {
    let to_output = files::to_output(args)?;
    let model = load::read(&args.model.model)?;
    let file = file::choose(args);
    let trail = file.as_ref().ok().map(|file| load::read_trail(file)).transpose();
    let origin = trail.iter().flatten().find_map(|trail| Origin::read(&trail.text));
    let args = &with_options(args, origin.as_ref());
    let (question, mut loaded) = load_with(args, &model, origin.as_ref())?;
    say_all(&loaded.sources, &loaded.warnings);
    say_refused(&loaded.sources, &loaded.it.model);
    remarks.extend(Remark::all(&loaded.sources, &loaded.warnings));
    let chosen = question.chosen(args, &loaded)?;
    let (file, trail) = (file?, trail?);
    if let Some(stale) = origin.as_ref().and_then(|origin| stale(args, &model, origin, &file)) {
        output::warn(&stale);
        remarks.push(Remark::warning(stale));
    }
    if origin.as_ref().is_some_and(|origin| origin.options.iter().any(|option| option == "--depth-is-error")) {
        let deep =
            format!("{} ends at the depth limit of its search, which was the error (--depth-is-error)", file.display());
        output::warn(&deep);
        remarks.push(Remark::warning(deep));
    }
    let trail =
        trail.map(|trail| loaded.sources.add(trail)).ok_or_else(|| Failure::Internal("no trail was read".into()))?;
    files::check(args, &loaded.sources)?;
    let Loaded { it: program, sources, .. } = &loaded;
    let trail = read::read(sources, trail).map_err(|diagnostic| refused(sources, diagnostic))?;
    let stuck = |unplayable: Unplayable| refused(sources, unplayable.explain(program, sources));
    let witness = follow::witness_of(program, &trail).map_err(stuck)?;
    let length = witness.length();
    let whole = args.full_trail || args.json.is_some();
    let excerpt = if whole { Excerpt::whole(length) } else { Excerpt::abbreviated(length) };
    let mut excerpt = excerpt.skipping(args.skip);
    let rows = Rows::new(program, sources);
    let mut recorder = files::wanted(args).then(Recorder::default);
    let judging = chosen.as_ref().filter(|chosen| chosen.why == Why::Asked || length <= LONGEST_JUDGED);
    let judging = judging.filter(|chosen| chosen.why != Why::Guessed);
    let mut track = judging.map(|_| Track::default());
    let on_truncation = if args.check_truncation { OnTruncation::Fail } else { OnTruncation::Note };
    let replayed = follow::follow(program, &witness, on_truncation, &Cutoff::default(), &mut |moment| {
        excerpt.see(moment, || rows.of(moment));
        recorder.iter_mut().for_each(|recorder| recorder.note(moment, rows.of(moment)));
        track.iter_mut().for_each(|track| track.note(moment));
    });
    let replayed = replayed.map_err(stuck)?;
    let judged = judging.zip(track).map(|(chosen, mut track)| {
        track.end(&replayed.state);
        (chosen.name.clone(), judge(program, chosen, &track.visible(witness.cycle, &replayed.ending)))
    });
    let outcome = Outcome::of(args, &question, judged, &replayed);
    let headline = outcome.headline(program, sources, &question, &replayed);
    if let Some(recorder) = recorder {
        let story = files::Story {
            model: args.model.shown(),
            trail: file.display().to_string(),
            headline: headline.clone(),
            violation: outcome.by_itself.as_ref().map(|(_, message)| message.clone()),
            ending: text::ending(program, sources, &replayed),
            property: chosen,
            model_length: model.text.len(),
            recording: recorder.finish(program, sources, &replayed, witness.cycle),
        };
        files::write(args, story)?;
    }
    if let Some(schema) = args.json {
        let steps = Some(excerpt.rows.iter().map(Step::from).collect());
        let cycle_start = witness.cycle.map(|i| witness.steps[..i].iter().map(|s| s.length()).sum::<usize>() + 1);
        let initial = replayed.truncated_at_start.iter().map(json::Truncation::from).collect();
        let file = Some(file.display().to_string());
        let trail = Trail { length, cycle_start, file, initial_truncations: initial, steps };
        let (violation, message) = outcome.violation().unzip();
        let message = message.unwrap_or_else(|| "no violation".into());
        let mut answer = json::Replay::new(args.model.shown(), violation, message, trail);
        answer.property = outcome.judgement();
        output::print(&answer.render(schema.into(), std::mem::take(remarks)))?;
    } else {
        let steps = excerpt.text(&replayed, output::width());
        let text = format!("{}\n\n{steps}{}", paint::headline(&headline), text::ending(program, sources, &replayed));
        match to_output {
            true => output::complain(text.trim_end()),
            false => _ = output::print(&text)?,
        }
    }
    Ok(outcome.exit())
}

/// The arguments with the options that the trail was found with.
fn with_options(args: &Replay, origin: Option<&Origin>) -> Replay {
    let has = |name: &str| origin.is_some_and(|origin| origin.options.iter().any(|option| option == name));
    let mut args = args.clone();
    args.model.lossy |= has("--lossy");
    args.check_truncation |= has("--check-truncation");
    args.check_channels_empty |= has("--check-channels-empty");
    args
}

/// A longer run is judged only if somebody asks: all its states are needed for that.
const LONGEST_JUDGED: usize = 1_000_000;

/// The question, and the model with what it adds. A formula that the trail names may not fit a model that has changed since: then nobody asks.
fn load_with(args: &Replay, model: &Source, origin: Option<&Origin>) -> Result<(Question, Loaded<Program>), Failure> {
    let question = Question::of(args, origin);
    let load = |question: &Question| -> Result<Loaded<Program>, Failure> {
        let loaded = load::program(question.added_to(model.clone())?, &args.model.options())?;
        claims::check_added(&loaded)?;
        Ok(loaded)
    };
    match load(&question) {
        Err(_) if question.is_recorded() => load(&Question::Open).map(|loaded| (Question::Open, loaded)),
        loaded => loaded.map(|loaded| (question, loaded)),
    }
}

/// The trail was written for a model that was different.
fn stale(args: &Replay, model: &Source, origin: &Origin, file: &Path) -> Option<String> {
    let now = load::fingerprint(model, &args.model.options()).ok()?;
    (now != origin.model).then(|| {
        let (file, model) = (file.display(), args.model.shown());
        format!("{file} was written for another version of {model}: its text or its macros (-D) were different")
    })
}

fn refused(sources: &Sources, diagnostic: Diagnostic) -> Failure {
    Failure::Refused(Refused::new(sources.clone(), vec![diagnostic]))
}
