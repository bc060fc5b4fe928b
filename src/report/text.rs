//! Results as text for people: the verdict first, then how it came about, then the figures.

use super::executions::Execution;
use super::figures::{bytes, counted, cut, grouped, rate, seconds};
use super::names::scalar;
use super::rows::{Row, Sight, place};
use super::stands::{Stand, stands};
use super::unreached::Unreached;
use crate::program::Program;
use crate::search::ranges::{Range, Ranges};
use crate::search::{Report, Verdict};
use crate::source::Sources;
use crate::system::{Step, Truncated};
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

pub fn violated(message: &str, place: Option<&str>) -> String {
    format!("violated: {message}{}", place.map_or(String::new(), |place| format!("  ({place})")))
}

/// Where a step stands in the source; of a handshake, the half that came last.
pub fn place_of(program: &Program, sources: &Sources, step: Step) -> String {
    let transition = step.receiver.map_or(step.transition, |r| r.transition);
    place(sources, program.infos[transition as usize].span)
}

/// The widths of the columns in front of the changes.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    number: usize,
    process: usize,
    place: usize,
    text: usize,
}

/// Longer statements are cut.
const LONGEST_STATEMENT: usize = 60;
/// Longer ones push what follows to the right.
const STATEMENT_COLUMN: usize = 40;
/// More changes in one step than this are only counted.
const MOST_CHANGES: usize = 12;

impl Widths {
    /// Wide enough for these rows.
    pub fn of_rows(rows: &[Row]) -> Widths {
        let widest = |width: &dyn Fn(&Row) -> usize| rows.iter().map(width).max().unwrap_or(0);
        Widths {
            number: widest(&|row| row.number.to_string().len()).max(3),
            process: widest(&|row| process(row).chars().count()),
            place: widest(&|row| row_place(row).chars().count()),
            text: widest(&|row| row.text.chars().count()).min(STATEMENT_COLUMN),
        }
    }

    /// Wide enough for most rows of runs of this program.
    pub fn of_program(program: &Program, sources: &Sources) -> Widths {
        let names = program.automata.iter().map(|a| a.name.chars().count());
        let places = program.infos.iter().map(|info| place(sources, info.span).chars().count());
        let texts = (0..program.infos.len() as u32).map(|t| super::rows::statement(program, sources, t));
        let texts = texts.map(|text| text.chars().count());
        Widths {
            number: 4,
            process: names.max().unwrap_or(0) + "(0)".len(),
            place: places.max().unwrap_or(0),
            text: texts.max().unwrap_or(0).min(STATEMENT_COLUMN),
        }
    }
}

fn process(row: &Row) -> String {
    format!("{}({})", row.process, row.pid)
}

fn row_place(row: &Row) -> String {
    format!("{}:{}", row.file, row.line)
}

/// One row, and below it what it prints.
pub fn row(row: &Row, widths: Widths, out: &mut String) {
    let Widths { number, process: process_width, place, text } = widths;
    if row.starts_cycle {
        let _ = writeln!(out, "{:number$}  ---- the cycle starts here ----", "");
    }
    let mut changes: Vec<String> = row.changes.iter().take(MOST_CHANGES).map(|change| change.to_string()).collect();
    if row.changes.len() > MOST_CHANGES {
        changes.push(format!("and {} more", row.changes.len() - MOST_CHANGES));
    }
    let line = format!(
        "{:number$}  {:process_width$}  {:place$}  {:text$}  {}",
        row.number,
        process(row),
        row_place(row),
        cut(&row.text, LONGEST_STATEMENT),
        changes.join(", ")
    );
    let _ = writeln!(out, "{}", line.trim_end());
    for printed in row.printed.lines() {
        let _ = writeln!(out, "{:number$}  | {printed}", "");
    }
    for remark in row.remarks() {
        let _ = writeln!(out, "{:number$}  ^ {remark}", "");
    }
}

/// The rows of a trail that are shown.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub rows: Vec<Row>,
    total: usize,
    /// Rows at each end of an abbreviated trail.
    shown: usize,
}

/// Trails up to this long are shown whole.
const LONGEST_WHOLE: usize = 200;

impl Excerpt {
    pub fn whole(total: usize) -> Excerpt {
        Excerpt { rows: Vec::new(), total, shown: total }
    }

    /// The middle of a long trail is left out.
    pub fn abbreviated(total: usize) -> Excerpt {
        let shown = if total <= LONGEST_WHOLE { total } else { LONGEST_WHOLE / 2 };
        Excerpt { rows: Vec::new(), total, shown }
    }

    /// Whether the row with this number is shown.
    pub fn wants(&self, number: usize) -> bool {
        number <= self.shown || number > self.total - self.shown
    }

    pub fn text(&self, replayed: &Replayed) -> String {
        let said_by_ending = |number: usize| number == self.total && matches!(replayed.ending, Ending::Fault { .. });
        let widths = Widths::of_rows(&self.rows);
        let mut out = truncated_at_start(&replayed.truncated_at_start, widths);
        let mut last = 0;
        let mut seen: Option<&Sight> = None;
        for shown in &self.rows {
            let missing = shown.number - last - 1;
            if missing > 0 {
                let left_out = counted(missing as u64, "step");
                let _ = writeln!(out, "{:1$}  … {left_out} left out …", "", widths.number);
            }
            if let Some(sight) = shown.sight.as_ref().filter(|&sight| seen != Some(sight)) {
                let _ = writeln!(out, "{:1$}  {2}", "", widths.number, self::sight(sight));
                seen = Some(sight);
            }
            row(shown, widths, &mut out);
            last = shown.number;
            for fault in shown.faults.iter().filter(|_| !said_by_ending(last)) {
                let _ = writeln!(out, "{:1$}  ^ {fault}", "", widths.number);
            }
        }
        out
    }
}

/// Initial values that do not fit, one line each.
pub fn truncated_at_start(all: &[Truncated], widths: Widths) -> String {
    all.iter().map(|truncated| format!("{:1$}  ^ initial value truncated: {truncated}\n", "", widths.number)).collect()
}

/// What a claim sees and does, in a line.
fn sight(sight: &Sight) -> String {
    let condition = |(text, holds): &(String, bool)| if *holds { text.clone() } else { format!("!{text}") };
    let conditions: Vec<String> = sight.conditions.iter().map(condition).collect();
    format!("claim {} → {}  {}", sight.before, sight.after, conditions.join("  ")).trim_end().to_string()
}

/// What a run comes to after its last step.
pub fn ending(program: &Program, sources: &Sources, replayed: &Replayed) -> String {
    match &replayed.ending {
        Ending::Fault { fault, step: Some(step) } => {
            format!("{} fails: {fault}  ({})\n", who(program, *step), place_of(program, sources, *step))
        }
        Ending::Fault { fault, step: None } => format!("an initial value fails: {fault}\n"),
        Ending::InvalidEnd => {
            format!("invalid end state: nothing can move\n{}", where_all(&stands(program, sources, &replayed.state)))
        }
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

/// A run that has ended, as one that goes on forever.
fn repeats(stands: &[Stand]) -> String {
    match stands {
        [] => "the run has ended, all processes are gone; its last state repeats forever\n".into(),
        _ => format!("the run has ended: nothing can move, and its last state repeats forever\n{}", where_all(stands)),
    }
}

fn who(program: &Program, step: Step) -> String {
    let (pid, transition) = step.receiver.map_or((step.pid, step.transition), |r| (r.pid, r.transition));
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
        out.push_str("with partial-order reduction: these are not the counts of the whole state space\n");
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
    for proctype in all.iter().filter(|proctype| !proctype.lines.is_empty()) {
        let states = counted(proctype.states as u64, "state");
        let _ = writeln!(out, "unreached in {} ({} of {states}):", proctype.proctype, proctype.missed);
        let width = proctype.lines.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
        for (place, text) in &proctype.lines {
            let _ = writeln!(out, "  {place:width$}  {}", cut(text, LONGEST_STATEMENT));
        }
    }
    out
}
