//! A violation with its run, which is re-executed before anyone sees it.

use super::tasks::{Kind, Task};
use super::{checks, cycle_checks, inputs};
use crate::cli::args::Verify;
use crate::cli::{Failure, output, overwrite};
use crate::load::Loaded;
use crate::program::Program;
use crate::report::excerpt::Excerpt;
use crate::report::rows::{Rows, Sight};
use crate::report::text;
use crate::search::{Checks, Finding, Violation};
use crate::source::Sources;
use crate::system::{Cutoff, Fault};
use crate::trail::observed::Observed;
use crate::trail::{Ending, Origin, Replayed, follow, write};
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
        args: &Verify,
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
        let mut faults = Vec::new();
        let mut observed = match &task.kind {
            Kind::Safety | Kind::Untranslated(_) => None,
            Kind::Cycles { claim, .. } => Some(Observed::new(program, claim, &finding.witness)),
        };
        let atoms = if let Kind::Cycles { claim, .. } = &task.kind { claim.atoms() } else { &[] };
        let checks = match &task.kind {
            Kind::Safety | Kind::Untranslated(_) => checks(args),
            Kind::Cycles { .. } => cycle_checks(args),
        };
        let replayed = follow::follow(program, &finding.witness, checks.on_truncation(), cutoff, &mut |moment| {
            let view = observed.as_mut().and_then(|observed| observed.see(moment));
            excerpt.see(program, moment, || {
                let mut shown = rows.of(moment);
                shown[0].sight = view.map(|view| Sight::new(&view, atoms));
                shown
            });
            faults = moment.faults.to_vec();
        });
        let replayed = replayed.map_err(|unplayable| {
            let why = unplayable.explain(program, sources).message;
            Failure::Internal(format!("the violation that was found cannot be replayed: {why}"))
        })?;
        let right = match (&task.kind, &mut observed) {
            _ if finding.violation == Violation::DepthLimit => is_deep(finding, args.max_depth),
            (Kind::Cycles { formula, .. }, Some(observed)) => {
                observed.end(&replayed.state);
                match finding.violation {
                    Violation::AcceptanceCycle | Violation::NonProgressCycle | Violation::ClaimCompleted => {
                        observed.is_violation(&replayed, *formula)
                    }
                    _ => {
                        confirmed(finding, &replayed, &faults, checks)
                            || observed.claim_fails(&replayed.state, &finding.message)
                    }
                }
            }
            _ => confirmed(finding, &replayed, &faults, checks),
        };
        if !right {
            let message = format!("the replay does not end in the violation that was found ({})", finding.message);
            return Err(Failure::Internal(message));
        }
        let written = write_trail(args, loaded, task, (finding, number), (&replayed, origin), alone).transpose();
        let (file, unwritten) = written.map_or_else(|why| (None, Some(why)), |file| (file, None));
        Ok(Counterexample { finding, excerpt, replayed, file, unwritten })
    }

    pub fn place(&self, program: &Program, sources: &Sources) -> Option<String> {
        match self.replayed.ending {
            Ending::Fault { step: Some(step), .. } if self.finding.violation.is_of_a_step() => {
                Some(text::place_of(program, sources, step))
            }
            _ => None,
        }
    }
}

/// Whether a run is as long as it may be, in moves or in steps.
fn is_deep(finding: &Finding, limit: Option<u64>) -> bool {
    let length = finding.witness.length().max(finding.witness.sights.len());
    limit.is_some_and(|limit| length as u64 >= limit)
}

/// Whether a replay ends in the violation that a search reported; `faults` are those of its last step.
fn confirmed(finding: &Finding, replayed: &Replayed, faults: &[Fault], checks: Checks) -> bool {
    match (finding.violation, &replayed.ending) {
        (Violation::InvalidEndState, Ending::End) => checks.channels_empty && replayed.messages_left,
        (Violation::InvalidEndState, _) => replayed.deadlock,
        (_, Ending::Fault { fault, step: None }) => fault.to_string() == finding.message,
        (_, Ending::Fault { .. }) => faults.iter().any(|fault| fault.to_string() == finding.message),
        _ => false,
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
    args: &Verify,
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
    let origin = Origin { options: deciding(args, task, finding), ..origin.clone() };
    let text = write::write(&loaded.it, &finding.witness, replayed.failed, &origin);
    let checked = overwrite::check_input(("the trail", &file), inputs(args, loaded));
    Some(match checked.and_then(|()| output::write(&file, &text)) {
        Ok(()) => Ok(file.display().to_string()),
        Err(failure) => Err(format!("there is no trail file: {}", failure.message())),
    })
}

/// The options without which the run would be none, or no violation.
fn deciding(args: &Verify, task: &Task, finding: &Finding) -> Vec<String> {
    let checks = match task.kind {
        Kind::Safety | Kind::Untranslated(_) => checks(args),
        Kind::Cycles { .. } => cycle_checks(args),
    };
    let all = [
        ("--lossy", args.model.lossy),
        ("--check-truncation", checks.truncation),
        ("--check-channels-empty", checks.channels_empty),
        ("--depth-is-error", finding.violation == Violation::DepthLimit),
    ];
    all.into_iter().filter(|(_, decides)| *decides).map(|(option, _)| option.into()).collect()
}
