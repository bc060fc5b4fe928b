//! Results as text for people: the verdict first, then how it came about, then the figures.

use super::executions::Execution;
use super::figures::{bytes, counted, cut, grouped, rate, seconds};
use super::names::scalar;
use super::rows::place;
use super::stands::{Stand, stands};
use super::unreached::{Missed, Unreached};
use crate::program::Program;
use crate::search::ranges::{Range, Ranges};
use crate::search::{Report, Verdict};
use crate::source::Sources;
use crate::system::{Fault, FaultKind, Step};
use crate::trail::{Ending, Replayed};
use std::fmt::Write;
use std::time::Duration;

/// The answer in one line; `place` is where it went wrong.
pub fn headline(verdict: &Verdict, place: Option<&str>) -> String {
    match verdict {
        Verdict::Holds => "holds".into(),
        Verdict::Violated(finding) => violated(&finding.message, place),
        Verdict::Inconclusive(reason) => format!("inconclusive: {reason}"),
    }
}

/// The headline of a violation; `place` is where it went wrong.
pub fn violated(message: &str, place: Option<&str>) -> String {
    format!("violated: {message}{}", place.map_or(String::new(), |place| format!("  ({place})")))
}

/// Where a step stands in the source; of a handshake, the half that came last.
pub fn place_of(program: &Program, sources: &Sources, step: Step, fault: &Fault) -> String {
    let (_, transition) = failing(step, fault);
    place(sources, program.infos[transition as usize].span)
}

/// The process that fails in a step, and its transition: of a handshake the receiver, unless it is about the message.
fn failing(step: Step, fault: &Fault) -> (u32, u32) {
    let of_message = matches!(&fault.kind, FaultKind::Truncated(truncated) if truncated.in_message);
    let receiver = step.receiver.filter(|_| !of_message);
    receiver.map_or((step.pid, step.transition), |receiver| (receiver.pid, receiver.transition))
}

/// Longer statements are cut.
const LONGEST_STATEMENT: usize = 60;

/// What a run comes to after its last step.
pub fn ending(program: &Program, sources: &Sources, replayed: &Replayed) -> String {
    match &replayed.ending {
        Ending::Fault { fault, step: Some(step) } => {
            let place = place_of(program, sources, *step, fault);
            let fails = format!("{} fails: {fault}  ({place})\n", who(program, *step, fault));
            // a run that goes on after an assertion may come to another violation
            let stuck = replayed.deadlock && !replayed.failed;
            if stuck { fails + &invalid_end(program, sources, replayed) } else { fails }
        }
        Ending::Fault { fault, step: None } => format!("an initial value fails: {fault}\n"),
        Ending::InvalidEnd => invalid_end(program, sources, replayed),
        Ending::End if replayed.messages_left => "the run ends; messages are left in channels\n".into(),
        Ending::End => "the run ends\n".into(),
        Ending::Cycle => "the run goes on forever: back at the start of the cycle\n".into(),
        Ending::Repeats => repeats(&stands(program, sources, &replayed.state)),
        Ending::BrokenCycle => {
            "the cycle does not lead back to exactly the state where it starts (pan resets dead variables, unless it \
             comes from spin -a -o1)\n"
                .into()
        }
        Ending::Open => "the trail ends here; the run could go on\n".into(),
    }
}

fn invalid_end(program: &Program, sources: &Sources, replayed: &Replayed) -> String {
    format!("invalid end state: nothing can move\n{}", where_all(&stands(program, sources, &replayed.state)))
}

/// A run that has ended, as one that goes on forever.
fn repeats(stands: &[Stand]) -> String {
    match stands {
        [] => "the run has ended, all processes are gone; its last state repeats forever\n".into(),
        _ => format!("the run has ended: nothing can move, and its last state repeats forever\n{}", where_all(stands)),
    }
}

fn who(program: &Program, step: Step, fault: &Fault) -> String {
    let (pid, transition) = failing(step, fault);
    let info = &program.infos[transition as usize];
    format!("{}({pid})", program.automaton(info.proctype).name)
}

/// Where all processes are, one line each.
pub fn where_all(stands: &[Stand]) -> String {
    let process = stands.iter().map(|s| s.process.chars().count()).max().unwrap_or(0);
    let place = stands.iter().map(|s| s.place.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for stand in stands {
        let text = cut(&stand.text, LONGEST_STATEMENT);
        let end = if stand.may_end { "  (may end here)" } else { "" };
        let _ = writeln!(out, "  {:process$}  {:place$}  {text}{end}", stand.process, stand.place);
    }
    out
}

/// States, transitions, time and memory.
pub fn figures(report: &Report, time: Duration) -> String {
    let counts = &report.counts;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} stored, {} matched, {}, {}, depth {}",
        counted(counts.stored, "state"),
        grouped(counts.matched),
        counted(counts.transitions(), "transition"),
        counted(counts.atomic_steps, "atomic step"),
        grouped(counts.depth),
    );
    if report.reduced {
        out.push_str("with reduction: these are not the counts of the whole state space\n");
    }
    if let Some(whole) = report.whole {
        let _ = writeln!(out, "a search of the whole state space was given up after {}", counted(whole, "state"));
    }
    if let Some(why) = report.unreduced {
        let _ = writeln!(out, "every order of steps was explored: {why}");
    }
    let speed = match rate(report.evaluations.unwrap_or(counts.stored), time) {
        Some(rate) => format!("{} states/s, ", grouped(rate)),
        None => String::new(),
    };
    let _ = writeln!(out, "{}, {speed}{}", seconds(time), bytes(counts.memory));
    let total: u64 = report.errors.iter().map(|(_, count)| count).sum();
    if total > 1 {
        let kinds = report.errors.iter().map(|(kind, count)| format!("{} {}", grouped(*count), kind.name()));
        let _ = writeln!(out, "{}: {}", counted(total, "error"), kinds.collect::<Vec<_>>().join(", "));
    }
    if let (Verdict::Violated(_), Some(reason)) = (&report.verdict, &report.cut) {
        let _ = writeln!(out, "the search is incomplete: {reason}");
    }
    out
}

/// The least and greatest value of every variable.
pub fn ranges(program: &Program, ranges: &Ranges, complete: bool) -> String {
    let explored = if complete { "" } else { ", which are not all" };
    let mut out = format!("values in {}{explored}:\n", counted(ranges.states, "state"));
    let name = |range: &Range| match &range.proctype {
        Some(proctype) => format!("{proctype}:{}", range.name),
        None => range.name.clone(),
    };
    let width = ranges.variables.iter().map(|range| name(range).chars().count()).max().unwrap_or(0);
    for range in &ranges.variables {
        let (least, greatest) =
            (scalar(program, range.scalar, range.least), scalar(program, range.scalar, range.greatest));
        let values = if least == greatest { least } else { format!("{least}..{greatest}") };
        let _ = writeln!(out, "  {:width$}  {values}", name(range));
    }
    out
}

/// How often statements were executed.
pub fn executions(all: &[Execution], complete: bool) -> String {
    let explored = if complete { "" } else { ", not everywhere" };
    let mut out = format!("executed{explored}:\n");
    let count = all.iter().map(|each| grouped(each.count).len()).max().unwrap_or(0);
    let process = all.iter().map(|each| each.proctype.chars().count()).max().unwrap_or(0);
    let place = |each: &Execution| format!("{}:{}", each.file, each.line);
    let width = all.iter().map(|each| place(each).chars().count()).max().unwrap_or(0);
    for each in all {
        let (times, text) = (grouped(each.count), cut(&each.text, LONGEST_STATEMENT));
        let _ = writeln!(out, "  {times:>count$}  {:process$}  {:width$}  {text}", each.proctype, place(each));
    }
    out
}

/// The statements that were never reached, by proctype.
pub fn unreached(all: &[Unreached]) -> String {
    let mut out = String::new();
    for proctype in all.iter().filter(|proctype| !proctype.statements.is_empty()) {
        let states = counted(proctype.states as u64, "state");
        let _ = writeln!(out, "unreached in {} ({} of {states}):", proctype.proctype, proctype.missed);
        let place = |missed: &Missed| format!("{}:{}", missed.file, missed.line);
        let width = proctype.statements.iter().map(|missed| place(missed).chars().count()).max().unwrap_or(0);
        for missed in &proctype.statements {
            let _ = writeln!(out, "  {:width$}  {}", place(missed), cut(&missed.text, LONGEST_STATEMENT));
        }
    }
    out
}
