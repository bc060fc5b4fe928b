//! `swarmgp replay`

use super::args::Replay;
use super::{Done, Exit, Failure, output, say_all};
use crate::load::{self, Loaded, Refused};
use crate::program::Program;
use crate::report::json::{self, Step, Trail};
use crate::report::rows::Rows;
use crate::report::text::{self, Excerpt};
use crate::search::Violation;
use crate::source::{Diagnostic, Sources};
use crate::trail::{Ending, Replayed, Unplayable, follow, read};
use std::path::PathBuf;

pub fn replay(args: &Replay) -> Done {
    let source = load::read(&args.model.model)?;
    let mut loaded = load::program(source, &args.model.options())?;
    say_all(&loaded.sources, &loaded.warnings);
    let file = trail_file(args)?;
    let trail = loaded.sources.add(load::read(&file)?);
    let Loaded { it: program, sources, .. } = &loaded;
    let trail = read::read(sources, trail).map_err(|diagnostic| refused(sources, diagnostic))?;
    let stuck = |unplayable: Unplayable| refused(sources, unplayable.explain(program, sources));
    let witness = follow::witness_of(program, &trail).map_err(stuck)?;
    let length = witness.length();
    let mut excerpt = if args.full_trail || args.json { Excerpt::whole(length) } else { Excerpt::abbreviated(length) };
    let rows = Rows::new(program, sources);
    let replayed = follow::follow(program, &witness, &mut |moment| {
        if excerpt.wants(moment.number) {
            excerpt.rows.extend(rows.of(moment));
        }
    });
    let replayed = replayed.map_err(stuck)?;
    let found = violation(args, &replayed);
    if args.json {
        let (violation, message) = found.clone().unzip();
        let steps = Some(excerpt.rows.iter().map(Step::from).collect());
        let cycle_start = witness.cycle.map(|i| witness.steps[..i].iter().map(|s| s.length()).sum::<usize>() + 1);
        let trail = Trail { length, cycle_start, file: Some(file.display().to_string()), steps };
        let message = message.unwrap_or_else(|| "no violation".into());
        output::print(&json::render(&json::Replay::new(args.model.shown(), violation, message, trail)));
    } else {
        output::print(&shown(program, sources, &found, &excerpt, &replayed));
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

fn shown(
    program: &Program,
    sources: &Sources,
    found: &Option<(Violation, String)>,
    excerpt: &Excerpt,
    replayed: &Replayed,
) -> String {
    let place = match replayed.ending {
        Ending::Fault { step: Some(step), .. } => Some(text::place_of(program, sources, step)),
        _ => None,
    };
    let headline = match found {
        Some((_, message)) => text::violated(message, place.as_deref()),
        None if replayed.ending == Ending::Cycle => {
            "a cycle (a trail does not say which property it violates: swarmgp verify does)".into()
        }
        None => "no violation".into(),
    };
    format!("{headline}\n\n{}{}", excerpt.text(), text::ending(program, sources, replayed))
}
