//! One model, both programs: equal, different, or not comparable.

use super::command::Workshop;
use super::ours::{self, Report};
use super::spin::{self, Answer};

pub enum Outcome {
    Same(Facts),
    /// Why this model says nothing.
    Skipped(Skip),
    Differs(Difference),
}

/// What is worth knowing about a model on which both programs agree.
pub struct Facts {
    pub verdict: &'static str,
    pub stored: u64,
    /// Control states: unreached and all.
    pub unreached: (u64, u64),
    /// Only the verdict and the first error were compared.
    pub verdict_only: bool,
}

pub struct Skip {
    pub reason: &'static str,
    pub detail: String,
}

#[derive(Debug)]
pub struct Difference {
    pub aspect: &'static str,
    pub spin: String,
    pub ours: String,
}

pub fn compare(text: &str) -> Outcome {
    match with_answer(text, |workshop, answer| differences(text, workshop, answer)) {
        Outcome::Differs(difference) if is_overlooked(text, &difference) => {
            let reason = "pan overlooks a channel that was never set";
            Outcome::Skipped(Skip { reason, detail: String::new() })
        }
        outcome => outcome,
    }
}

/// In a model without a buffered channel pan takes a receive from a channel that was never set for one that waits
/// (docs/SPIN.md).
fn is_overlooked(text: &str, difference: &Difference) -> bool {
    let buffered = text.split(" = [").skip(1).any(|rest| !rest.starts_with("0] of"));
    !buffered && difference.ours.contains("use of an uninitialised channel (receive)")
}

/// What SPIN makes of the model, compared with nothing.
pub fn spin_alone(text: &str) -> Outcome {
    with_answer(text, |_, _| Ok(()))
}

fn with_answer(text: &str, check: impl Fn(&Workshop, &Answer) -> Result<(), Difference>) -> Outcome {
    let workshop = Workshop::new();
    workshop.write("m.pml", text);
    let skip = |reason, detail| Outcome::Skipped(Skip { reason, detail });
    let answer = match spin::check(&workshop) {
        spin::Outcome::Refused(detail) => return skip("refused by spin", detail),
        spin::Outcome::CompilerFailed(detail) => return skip("gcc failed", detail),
        spin::Outcome::Crashed(detail) => return skip("pan crashed", detail),
        spin::Outcome::TimedOut => return skip("pan timed out", String::new()),
        spin::Outcome::TooLarge => return skip("too many states", String::new()),
        spin::Outcome::TooDeep => return skip("pan's depth limit", String::new()),
        spin::Outcome::Finished(answer) => answer,
    };
    match check(&workshop, &answer) {
        Err(difference) => Outcome::Differs(difference),
        Ok(()) => Outcome::Same(Facts {
            verdict: answer.first.as_ref().map_or("holds", |first| first.kind),
            stored: answer.counts.stored,
            unreached: answer.unreached,
            verdict_only: !counts_are_defined(&answer),
        }),
    }
}

fn differences(text: &str, workshop: &Workshop, answer: &Answer) -> Result<(), Difference> {
    for search in ["dfs", "bfs"] {
        let report = verify(workshop, search, &["--continue"])?;
        check_verdict(answer, &report)?;
        if counts_are_defined(answer) {
            check_counts(answer, &report, search)?;
        }
    }
    let Some(first) = &answer.first else { return Ok(()) };
    let dfs = verify(workshop, "dfs", &["--trail", "dfs.trail", "--shorten", "off"])?;
    check_verdict(answer, &dfs)?;
    let shortened = verify(workshop, "dfs", &["--trail", "short.trail"])?;
    same("kind of the error with a shorter trail", first.kind, shortened.violation.as_deref().unwrap_or("none"))?;
    if length(&shortened) > length(&dfs) {
        return Err(Difference {
            aspect: "a trail made longer",
            spin: length(&dfs).to_string(),
            ours: length(&shortened).to_string(),
        });
    }
    same("kind of the first error", first.kind, dfs.violation.as_deref().unwrap_or("none"))?;
    let bfs = verify(workshop, "bfs", &["--trail", "bfs.trail"])?;
    check_verdict(answer, &bfs)?;
    // after any other error the simulator stops, or pan's failing step is not a step of its trail
    if matches!(first.kind, "assertion" | "invalid-end-state") {
        same("length of the first trail", first.length() as u64, length(&dfs))?;
        check_trails(text, workshop, answer, &bfs, &dfs)?;
    }
    match ours::replay(workshop, "pan.trail") {
        Ok(_) => Ok(()),
        Err(complaint) => {
            Err(Difference { aspect: "replay of pan's trail", spin: first.trail.clone(), ours: complaint })
        }
    }
}

fn verify(workshop: &Workshop, search: &str, more: &[&str]) -> Result<Report, Difference> {
    let options = format!("{search} {}", more.join(" "));
    ours::verify(workshop, search, more).map_err(|complaint| Difference {
        aspect: "a report",
        spin: "a result".into(),
        ours: format!("{options}: {complaint}"),
    })
}

fn check_verdict(answer: &Answer, report: &Report) -> Result<(), Difference> {
    let expected = if answer.counts.errors > 0 { "violated" } else { "holds" };
    if report.verdict == expected {
        return Ok(());
    }
    let message = answer.first.as_ref().map(|first| first.message.clone()).unwrap_or_default();
    Err(Difference { aspect: "verdict", spin: format!("{expected} {message}"), ours: report.summary() })
}

/// After an access outside an array or a run-time error pan goes on with whatever is in memory.
fn counts_are_defined(answer: &Answer) -> bool {
    answer.kinds.iter().all(|kind| matches!(*kind, "assertion" | "invalid-end-state"))
}

fn check_counts(answer: &Answer, report: &Report, search: &str) -> Result<(), Difference> {
    let spin = &answer.counts;
    let equal = |aspect, theirs: u64, ours: u64| {
        let show = || format!("{search}: {}", report.summary());
        if theirs == ours { Ok(()) } else { Err(Difference { aspect, spin: format!("{spin:?}"), ours: show() }) }
    };
    equal("stored states", spin.stored, report.states_stored)?;
    equal("transitions", spin.transitions, report.transitions)?;
    equal("completeness", 1, report.complete.into())?;
    if search == "dfs" {
        equal("atomic steps", spin.atomic_steps, report.atomic_steps)?;
        equal("errors", spin.errors, report.error_count())?;
    }
    Ok(())
}

fn check_trails(
    text: &str,
    workshop: &Workshop,
    answer: &Answer,
    bfs: &Report,
    dfs: &Report,
) -> Result<(), Difference> {
    let one_line_per_step = answer.counts.atomic_steps == 0 && !text.contains("[0] of");
    // a failing step adds a line, so that a deadlock on the same level has one line less
    if one_line_per_step && length(bfs) > length(dfs) + 1 {
        let (shorter, longer) = (format!("dfs: {}", length(dfs)), format!("bfs: {}", length(bfs)));
        return Err(Difference { aspect: "bfs found the longer trail", spin: shorter, ours: longer });
    }
    if spin::replay(workshop, "pan.trail").is_err() {
        return Ok(()); // the simulator and pan disagree on something in this model
    }
    for (aspect, trail) in [
        ("replay of our dfs trail", "dfs.trail"),
        ("replay of a shorter trail", "short.trail"),
        ("replay of our bfs trail", "bfs.trail"),
    ] {
        spin::replay(workshop, trail).map_err(|failure| Difference {
            aspect,
            spin: failure,
            ours: workshop.read(trail).unwrap_or_else(|| "no trail was written".into()),
        })?;
    }
    Ok(())
}

fn length(report: &Report) -> u64 {
    report.trail.as_ref().map_or(0, |trail| trail.length)
}

fn same<T: PartialEq + ToString>(aspect: &'static str, spin: T, ours: T) -> Result<(), Difference> {
    if spin == ours { Ok(()) } else { Err(Difference { aspect, spin: spin.to_string(), ours: ours.to_string() }) }
}
