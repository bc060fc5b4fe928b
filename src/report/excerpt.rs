//! The steps of a trail as lines of text: who, where, which statement, what changes.
//!
//! If all steps come from one file, only their lines are shown. On a terminal no line is longer than it is wide; what goes elsewhere is not
//! cut.

use super::changes::Change;
use super::figures::{counted, cut};
use super::fold::{Line, folded, unfolded};
use super::paint;
use super::rows::{Row, Sight, place, statement};
use crate::program::Program;
use crate::source::Sources;
use crate::system::{Control, Truncated};
use crate::trail::{Ending, Moment, Replayed};
use std::fmt::Write;

/// How wide the text may be, if there is a limit.
pub type Room = Option<usize>;

/// The widths of the columns in front of the changes.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    number: usize,
    process: usize,
    place: usize,
    text: usize,
    /// Lines are shown without their file.
    one_file: bool,
    room: Room,
}

/// Longer statements are cut.
const LONGEST_STATEMENT: usize = 60;
/// Longer ones push what follows to the right.
const STATEMENT_COLUMN: usize = 40;
/// More changes in one step than this are only counted.
const MOST_CHANGES: usize = 12;

impl Widths {
    /// Wide enough for these lines.
    fn of_lines(lines: &[Line], room: Room) -> Widths {
        let mut files = lines.iter().map(|line| &line.first().file);
        let first = files.next();
        let one_file = files.all(|file| Some(file) == first);
        let widest =
            |width: &dyn Fn(&Line) -> String| lines.iter().map(|line| width(line).chars().count()).max().unwrap_or(0);
        Widths {
            number: widest(&|line| line.number()).max(3),
            process: widest(&|line| line.process()),
            place: widest(&|line| line.place(one_file)),
            text: widest(&|line| line.text()),
            one_file,
            room,
        }
        .bounded()
    }

    /// Wide enough for most rows of runs of this program.
    pub fn of_program(program: &Program, sources: &Sources, room: Room) -> Widths {
        let mut files = program.infos.iter().map(|info| sources.place(info.span).file);
        let first = files.next();
        let one_file = files.all(|file| Some(file) == first);
        let names = program.automata.iter().map(|a| a.name.chars().count());
        let places = program.infos.iter().map(|info| match one_file {
            true => format!(":{}", sources.place(info.span).line),
            false => place(sources, info.span),
        });
        let texts = (0..program.infos.len() as u32).map(|t| statement(program, sources, t).chars().count());
        Widths {
            number: 4,
            process: names.max().unwrap_or(0) + "(0)".len(),
            place: places.map(|place| place.chars().count()).max().unwrap_or(0),
            text: texts.max().unwrap_or(0),
            one_file,
            room,
        }
        .bounded()
    }

    /// Statements leave some room for what they change.
    fn bounded(self) -> Widths {
        let before = self.number + self.process + self.place + 6;
        let share = self.room.map_or(usize::MAX, |room| room.saturating_sub(before).max(20) * 6 / 10);
        Widths { text: self.text.min(STATEMENT_COLUMN).min(share), ..self }
    }

    fn fit(&self, line: &str) -> String {
        self.room.map_or_else(|| line.into(), |room| cut(line, room.max(20)))
    }
}

impl Line<'_> {
    fn first(&self) -> &Row {
        match self {
            Line::Step(row) => row,
            Line::Folded(fold) => fold.first(),
        }
    }

    fn last(&self) -> &Row {
        match self {
            Line::Step(row) => row,
            Line::Folded(fold) => fold.last(),
        }
    }

    fn number(&self) -> String {
        match self {
            Line::Step(row) => row.number.to_string(),
            Line::Folded(fold) => fold.number(),
        }
    }

    fn process(&self) -> String {
        match self {
            Line::Step(row) => format!("{}({})", row.process, row.pid),
            Line::Folded(fold) => fold.process(),
        }
    }

    fn place(&self, one_file: bool) -> String {
        let row = self.first();
        let lines = match self {
            Line::Folded(fold) => fold.lines(),
            Line::Step(_) => None,
        };
        let lines = match lines {
            Some((first, last)) if first < last => format!("{first}–{last}"),
            _ => row.line.to_string(),
        };
        if one_file { format!(":{lines}") } else { format!("{}:{lines}", row.file) }
    }

    fn text(&self) -> String {
        match self {
            Line::Step(row) => cut(&row.text, LONGEST_STATEMENT),
            Line::Folded(fold) => fold.text(),
        }
    }

    fn changes(&self) -> Vec<Change> {
        match self {
            Line::Step(row) => row.changes.clone(),
            Line::Folded(fold) => fold.changes(),
        }
    }

    fn remarks(&self) -> Vec<String> {
        match self {
            Line::Step(row) => row.remarks().collect(),
            Line::Folded(fold) => fold.remarks(),
        }
    }

    fn printed(&self) -> String {
        match self {
            Line::Step(row) => row.printed.clone(),
            Line::Folded(fold) => fold.printed(),
        }
    }
}

/// One row, and below it what it prints.
pub fn row(row: &Row, widths: Widths, out: &mut String) {
    line(&Line::Step(row), widths, out);
}

fn line(line: &Line, widths: Widths, out: &mut String) {
    let Widths { number, process, place, text, .. } = widths;
    if line.first().starts_cycle {
        let _ = writeln!(out, "{:number$}  {}", "", paint::mark("---- the cycle starts here ----"));
    }
    let columns = format!(
        "{:>number$}  {:process$}  {:place$}  {:text$}  {}",
        line.number(),
        line.process(),
        line.place(widths.one_file),
        line.text(),
        listed(&line.changes())
    );
    let _ = writeln!(out, "{}", widths.fit(columns.trim_end()));
    for printed in line.printed().lines() {
        let _ = writeln!(out, "{}", widths.fit(&format!("{:number$}  | {printed}", "")));
    }
    for remark in line.remarks() {
        let _ = writeln!(out, "{:number$}  ^ {remark}", "");
    }
}

fn listed(changes: &[Change]) -> String {
    let mut shown: Vec<String> = changes.iter().take(MOST_CHANGES).map(|change| change.to_string()).collect();
    if changes.len() > MOST_CHANGES {
        shown.push(format!("and {} more", changes.len() - MOST_CHANGES));
    }
    shown.join(", ")
}

/// The rows of a trail that are shown.
#[derive(Clone, Debug)]
pub struct Excerpt {
    /// The rows that are shown, in order.
    pub rows: Vec<Row>,
    total: usize,
    /// Steps at the start that are not shown.
    skipped: usize,
    /// Rows at each end of what is left, if that is abbreviated.
    shown: usize,
    /// Long atomic sequences are shown as one line.
    folds: bool,
}

/// Trails up to this long are shown whole.
const LONGEST_WHOLE: usize = 200;

impl Excerpt {
    /// Every step of a trail is shown by itself; `total` is the length of the trail in steps.
    pub fn whole(total: usize) -> Excerpt {
        Excerpt { rows: Vec::new(), total, skipped: 0, shown: total, folds: false }
    }

    /// The middle of a long trail is left out, and steps that belong together are folded.
    pub fn abbreviated(total: usize) -> Excerpt {
        Excerpt { folds: true, shown: ends_of(total), ..Excerpt::whole(total) }
    }

    /// Shows nothing of the first steps.
    pub fn skipping(self, skipped: usize) -> Excerpt {
        let skipped = skipped.min(self.total);
        let left = self.total - skipped;
        Excerpt { skipped, shown: if self.folds { ends_of(left) } else { left }, ..self }
    }

    /// Takes down the rows of a step, if it is one that is shown.
    pub fn see(&mut self, moment: &Moment, rows: impl FnOnce() -> Vec<Row>) {
        if self.wants(moment.number) {
            let inside = moment.control == Control::Held;
            self.rows.extend(rows().into_iter().map(|row| Row { inside, ..row }));
        }
    }

    /// Whether the row with this number is shown.
    fn wants(&self, number: usize) -> bool {
        number > self.skipped && (number - self.skipped <= self.shown || number > self.total - self.shown)
    }

    /// The rows as lines of text, with what the claim sees and with the faults that are not the end of the run.
    pub fn text(&self, replayed: &Replayed, room: Room) -> String {
        let said_by_ending = |number: usize| number == self.total && matches!(replayed.ending, Ending::Fault { .. });
        let lines = if self.folds { folded(&self.rows) } else { unfolded(&self.rows) };
        let widths = Widths::of_lines(&lines, room);
        let indent = format!("{:1$}", "", widths.number);
        let mut out = truncated_at_start(&replayed.truncated_at_start, widths);
        let mut last = 0;
        let mut seen: Option<&Sight> = None;
        for shown in &lines {
            let first = shown.first();
            let missing = first.number - last - 1;
            if missing > 0 {
                let left_out = counted(missing as u64, "step");
                let _ = writeln!(out, "{indent}  {}", paint::aside(&format!("… {left_out} left out …")));
            }
            if let Some(sight) = first.sight.as_ref().filter(|&sight| seen != Some(sight)) {
                let look = widths.fit(&format!("{indent}  {}", self::sight(sight)));
                let _ = writeln!(out, "{}", paint::aside(&look));
                seen = Some(sight);
            }
            line(shown, widths, &mut out);
            let end = shown.last();
            last = end.number;
            for fault in end.faults.iter().filter(|_| !said_by_ending(last)) {
                let _ = writeln!(out, "{indent}  ^ {fault}");
            }
        }
        if lines.iter().any(|line| matches!(line, Line::Folded(_))) {
            let _ = writeln!(out, "{indent}  {}", paint::aside("--full-trail shows every step"));
        }
        out
    }
}

/// How many steps are shown at each end of so many.
fn ends_of(steps: usize) -> usize {
    if steps <= LONGEST_WHOLE { steps } else { LONGEST_WHOLE / 2 }
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
