//! A violation with its run, which is re-executed before anyone sees it.

use super::inputs;
use crate::cli::args::Verify;
use crate::cli::{Failure, output, overwrite};
use crate::load::Loaded;
use crate::program::Program;
use crate::report::excerpt::Excerpt;
use crate::report::rows::{Rows, Sight};
use crate::report::text;
use crate::search::{Finding, Violation};
use crate::source::Sources;
use crate::system::Cutoff;
use crate::trail::{Ending, Origin, Replayed, write};
use crate::verify::confirm::{Unconfirmed, confirm};
use crate::verify::{Kind, Request, Task};
use std::path::{Path, PathBuf};

pub struct Counterexample<'c> {
    pub finding: &'c Finding,
    pub excerpt: Excerpt,
    pub replayed: Replayed,
    /// The file the trail was written to.
    pub file: Option<String>,
    /// Why it could not be written.
    pub unwritten: Option<String>,
}

impl<'c> Counterexample<'c> {
    /// Re-executes the run of a finding, one of several if its number is above 1, and writes its trail file.
    pub fn of(
        (args, request): (&Verify, &Request),
        loaded: &Loaded<Program>,
        task: &Task,
        (finding, number): (&'c Finding, usize),
        origin: &Origin,
        alone: bool,
        cutoff: &Cutoff,
    ) -> Result<Self, Failure> {
        let Loaded { it: program, sources, .. } = loaded;
        let length = finding.witness.length();
        let whole = args.full_trail || args.trail_steps;
        let mut excerpt = if whole { Excerpt::whole(length) } else { Excerpt::abbreviated(length) };
        let rows = Rows::new(program, sources);
        let atoms = if let Kind::Cycles { claim, .. } = &task.kind { claim.atoms() } else { &[] };
        let replayed = confirm(request, program, &task.kind, finding, cutoff, &mut |moment, view| {
            excerpt.see(moment, || {
                let mut shown = rows.of(moment);
                shown[0].sight = view.map(|view| Sight::new(&view, atoms));
                shown
            });
        });
        let broken = |unconfirmed: Unconfirmed| Failure::Internal(unconfirmed.message(program, sources, finding));
        let replayed = replayed.map_err(broken)?;
        let written =
            write_trail((args, request), loaded, task, (finding, number), (&replayed, origin), alone).transpose();
        let (file, unwritten) = written.map_or_else(|why| (None, Some(why)), |file| (file, None));
        Ok(Counterexample { finding, excerpt, replayed, file, unwritten })
    }

    pub fn place(&self, program: &Program, sources: &Sources) -> Option<String> {
        match &self.replayed.ending {
            Ending::Fault { step: Some(step), fault } if self.finding.violation.is_of_a_step() => {
                Some(text::place_of(program, sources, *step, fault))
            }
            _ => None,
        }
    }
}

/// Where the trail of a violation is written to; one of several if its number is above 1.
pub fn trail_file(args: &Verify, task: &Task, number: usize, alone: bool) -> PathBuf {
    let apart = (!alone && !matches!(task.kind, Kind::Safety)).then(|| task.property.replace(':', "."));
    let named = args.trail.as_ref().map(|file| numbered(file, number));
    named.unwrap_or_else(|| args.model.trail_file(apart.as_deref(), number))
}

/// The file for one of several errors: from the second one on with a number.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.into();
    }
    let mut name = file.file_stem().unwrap_or_default().to_os_string();
    name.push(number.to_string());
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

/// Writes the trail file, if there is to be one; its name, or why there is none. Without it there is still a verdict.
fn write_trail(
    (args, request): (&Verify, &Request),
    loaded: &Loaded<Program>,
    task: &Task,
    (finding, number): (&Finding, usize),
    (replayed, origin): (&Replayed, &Origin),
    alone: bool,
) -> Option<Result<String, String>> {
    if args.no_trail {
        return None;
    }
    let file = trail_file(args, task, number, alone);
    let origin = Origin { options: deciding((args, request), task, finding), ..origin.clone() };
    let text = write::write(&loaded.it, &finding.witness, replayed.failed, &origin);
    let checked = overwrite::check_input(("the trail", &file), inputs(args, loaded));
    Some(match checked.and_then(|()| output::write(&file, &text)) {
        Ok(()) => Ok(file.display().to_string()),
        Err(failure) => Err(format!("there is no trail file: {}", failure.message())),
    })
}

/// The options without which the run would be none, or no violation.
fn deciding((args, request): (&Verify, &Request), task: &Task, finding: &Finding) -> Vec<String> {
    let checks = request.checks_of(&task.kind);
    let all = [
        ("--lossy", args.model.lossy),
        ("--check-truncation", checks.truncation),
        ("--check-channels-empty", checks.channels_empty),
        ("--depth-is-error", finding.violation == Violation::DepthLimit),
    ];
    all.into_iter().filter(|(_, decides)| *decides).map(|(option, _)| option.into()).collect()
}
