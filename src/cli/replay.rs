//! `swarmgp replay`

mod files;
mod property;

use super::args::Replay;
use super::{Done, Exit, Failure, output, say_all};
use crate::load::{self, Loaded, Refused};
use crate::program::Program;
use crate::report::json::{self, Step, Trail};
use crate::report::recording::Recorder;
use crate::report::rows::Rows;
use crate::report::text::{self, Excerpt};
use crate::search::Violation;
use crate::source::{Diagnostic, Sources};
use crate::system::OnTruncation;
use crate::trail::{Ending, Replayed, Unplayable, follow, read};
use std::path::PathBuf;

pub fn replay(args: &Replay) -> Done {
    let to_output = files::to_output(args)?;
    let source = load::read(&args.model.model)?;
    let model_length = source.text.len();
    let mut loaded = load::program(property::added_to(source, args)?, &args.model.options())?;
    say_all(&loaded.sources, &loaded.warnings);
    let file = trail_file(args)?;
    let trail = loaded.sources.add(load::read_trail(&file)?);
    files::check(args, &loaded.sources)?;
    let property = if args.html.is_some() { property::chosen(args, &loaded)? } else { None };
    let Loaded { it: program, sources, .. } = &loaded;
    let trail = read::read(sources, trail).map_err(|diagnostic| refused(sources, diagnostic))?;
    let stuck = |unplayable: Unplayable| refused(sources, unplayable.explain(program, sources));
    let witness = follow::witness_of(program, &trail).map_err(stuck)?;
    let length = witness.length();
    let mut excerpt = if args.full_trail || args.json { Excerpt::whole(length) } else { Excerpt::abbreviated(length) };
    let rows = Rows::new(program, sources);
    let mut recorder = files::wanted(args).then(Recorder::default);
    let on_truncation = if args.check_truncation { OnTruncation::Fail } else { OnTruncation::Note };
    let replayed = follow::follow(program, &witness, on_truncation, &mut |moment| {
        let wanted = excerpt.wants(moment.number);
        if wanted || recorder.is_some() {
            let rows = rows.of(moment);
            if wanted {
                excerpt.rows.extend_from_slice(&rows);
            }
            recorder.iter_mut().for_each(|recorder| recorder.note(moment, rows.clone()));
        }
    });
    let replayed = replayed.map_err(stuck)?;
    let found = violation(args, &replayed);
    if let Some(recorder) = recorder {
        let story = files::Story {
            model: args.model.shown(),
            trail: file.display().to_string(),
            headline: headline(program, sources, &found, &replayed),
            violation: found.as_ref().map(|(_, message)| message.clone()),
            ending: text::ending(program, sources, &replayed),
            property,
            model_length,
            recording: recorder.finish(program, sources, &replayed, witness.cycle),
        };
        files::write(args, story)?;
    }
    if args.json {
        let (violation, message) = found.clone().unzip();
        let steps = Some(excerpt.rows.iter().map(Step::from).collect());
        let cycle_start = witness.cycle.map(|i| witness.steps[..i].iter().map(|s| s.length()).sum::<usize>() + 1);
        let initial = replayed.truncated_at_start.iter().map(json::Truncation::from).collect();
        let file = Some(file.display().to_string());
        let trail = Trail { length, cycle_start, file, initial_truncations: initial, steps };
        let message = message.unwrap_or_else(|| "no violation".into());
        output::print(&json::render(&json::Replay::new(args.model.shown(), violation, message, trail)))?;
    } else {
        let headline = headline(program, sources, &found, &replayed);
        let text = format!("{headline}\n\n{}{}", excerpt.text(&replayed), text::ending(program, sources, &replayed));
        match to_output {
            true => output::complain(text.trim_end()),
            false => _ = output::print(&text)?,
        }
    }
    Ok(if found.is_some() { Exit::Violated } else { Exit::Fine })
}

/// The trail file that was named, or the first of those it could be.
fn trail_file(args: &Replay) -> Result<PathBuf, Failure> {
    if let Some(file) = &args.trail {
        return Ok(file.clone());
    }
    let here = args.model.trail_file(None, 1);
    let beside = args.model.model.with_file_name(&here);
    let found = [&here, &beside].into_iter().find(|file| file.exists()).cloned();
    found.ok_or_else(|| {
        let beside = if beside == here { String::new() } else { format!(" nor {}", beside.display()) };
        Failure::Usage(format!("there is no trail: neither {}{beside} exists", here.display()))
    })
}

fn refused(sources: &Sources, diagnostic: Diagnostic) -> Failure {
    Failure::Refused(Refused { sources: sources.clone(), diagnostics: vec![diagnostic] })
}

/// What is violated in the end, or was on the way.
fn violation(args: &Replay, replayed: &Replayed) -> Option<(Violation, String)> {
    match &replayed.ending {
        Ending::Fault { fault, .. } => Some((fault.violation(), fault.to_string())),
        Ending::InvalidEnd => Some((Violation::InvalidEndState, "invalid end state".into())),
        Ending::End if args.check_channels_empty && replayed.messages_left => {
            Some((Violation::InvalidEndState, "messages are left in channels".into()))
        }
        _ => replayed.passed.as_ref().map(|fault| (fault.violation(), fault.to_string())),
    }
}

/// What the trail comes to, in one line.
fn headline(program: &Program, sources: &Sources, found: &Option<(Violation, String)>, replayed: &Replayed) -> String {
    let place = match replayed.ending {
        Ending::Fault { step: Some(step), .. } => Some(text::place_of(program, sources, step)),
        _ => None,
    };
    match found {
        Some((_, message)) => text::violated(message, place.as_deref()),
        None if replayed.ending == Ending::Cycle => {
            "a cycle (a trail does not say which property it violates: swarmgp verify does)".into()
        }
        None if replayed.ending == Ending::Repeats => {
            "a run that ends (a trail does not say which property it violates: swarmgp verify does)".into()
        }
        None => "no violation".into(),
    }
}
