//! A chart on paper: where everything is drawn, in pixels. Time goes down.
//!
//! Every beat has a row. In a long run, consecutive beats in which nothing but local steps happen share one: a tick in
//! every lane that moves, and how many steps there are.

use super::{Chart, Fate, Message};
use crate::report::changes::Change;
use crate::report::figures::{counted, cut};
use crate::report::recording::{Beat, Recording};
use crate::trail::Ending;

/// A chart with the places of all its parts, in pixels.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The width of the whole drawing.
    pub width: u32,
    /// The height of the whole drawing, with its head and what stands below the last row.
    pub height: u32,
    /// One vertical line for each process.
    pub lanes: Vec<LaneLine>,
    /// What processes do: a dot on the line of the process, with a text beside it.
    pub ticks: Vec<Tick>,
    /// Messages that arrive.
    pub arrows: Vec<Arrow>,
    /// Messages that do not arrive.
    pub stubs: Vec<Stub>,
    /// The numbers of the steps, on the left.
    pub numbers: Vec<Label>,
    /// Where the cycle is, if the run has one.
    pub cycle: Option<Bracket>,
    /// What the run comes to.
    pub ending: Footer,
    /// By position: where its row is. Position 0 is the head.
    pub rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub top: u32,
    pub height: u32,
}

/// The life of a process.
#[derive(Clone, Debug)]
pub struct LaneLine {
    pub name: String,
    pub shown: String,
    pub x: u32,
    pub top: u32,
    pub bottom: u32,
    /// It starts later than the run.
    pub late: bool,
    pub ends: bool,
}

/// Something that a process does on its own, or its part in a message.
#[derive(Clone, Debug)]
pub struct Tick {
    pub x: u32,
    pub y: u32,
    pub kind: &'static str,
    pub label: Label,
    /// The whole statement, and where it stands.
    pub title: String,
    /// Positions, the first and the last.
    pub first: usize,
    pub last: usize,
}

#[derive(Clone, Debug)]
pub struct Arrow {
    pub kind: &'static str,
    pub path: String,
    /// The tip: a triangle.
    pub tip: String,
    pub label: Label,
    pub title: String,
    /// Positions of the send and of the receive.
    pub sent: usize,
    pub taken: usize,
}

#[derive(Clone, Debug)]
pub struct Stub {
    pub x: u32,
    pub end: i64,
    pub y: u32,
    pub label: Label,
    pub title: String,
    pub sent: usize,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub x: i64,
    pub y: u32,
    pub anchor: &'static str,
    pub text: String,
}

/// The cycle: a band from one row to another and a way back.
#[derive(Clone, Debug)]
pub struct Bracket {
    pub top: u32,
    pub bottom: u32,
    pub text: String,
}

/// What the run comes to, below it.
#[derive(Clone, Debug)]
pub struct Footer {
    pub top: u32,
    pub kind: &'static str,
    pub text: String,
}

const RIGHT: u32 = 24;
/// Above the first row of a chart: the names of the processes.
pub const HEAD: u32 = 46;
const MESSAGE_ROW: u32 = 28;
const LOCAL_ROW: u32 = 20;
const FOLDED_ROW: u32 = 18;
const FOOT: u32 = 44;
/// Longer runs are folded.
const LONGEST_UNFOLDED: usize = 400;
/// How wide a character is.
const CHARACTER: f64 = 6.3;

/// Beats that share a row.
struct Fold {
    first: usize,
    last: usize,
}

impl Drawing {
    /// `verdict` says what is violated, if anything is.
    pub fn of(chart: &Chart, recording: &Recording, verdict: Option<&str>) -> Drawing {
        let folds = folds(chart, recording);
        let mut rows = vec![Row { top: 0, height: HEAD }];
        let mut top = HEAD;
        for fold in &folds {
            let height = row_height(chart, fold);
            rows.extend((fold.first..=fold.last).map(|_| Row { top, height }));
            top += height;
        }
        let (left, gap) = (left_margin(&folds, recording), lane_gap(chart.lanes.len()));
        let width = left + gap * chart.lanes.len().max(2) as u32 + RIGHT;
        let mut drawing = Drawing {
            width,
            height: top + FOOT,
            lanes: Vec::new(),
            ticks: Vec::new(),
            arrows: Vec::new(),
            stubs: Vec::new(),
            numbers: Vec::new(),
            cycle: None,
            ending: footer(recording, verdict, top),
            rows,
        };
        let pen = Pen { chart, recording, left, gap };
        drawing.lanes = (0..chart.lanes.len()).map(|lane| pen.lane(lane, top, &drawing.rows)).collect();
        for fold in &folds {
            pen.ticks(fold, &mut drawing);
        }
        for message in &chart.messages {
            match message.arrival() {
                Some(_) => drawing.arrows.push(pen.arrow(message, &drawing.rows)),
                None => drawing.stubs.push(pen.stub(message, &drawing.rows)),
            }
        }
        drawing.cycle = cycle(recording, top, &drawing.rows);
        drawing
    }
}

/// The numbers of the beats that share a row.
fn numbers(fold: &Fold, recording: &Recording) -> String {
    let number = |beat: usize| recording.beats[beat].number();
    match fold.first == fold.last {
        true => number(fold.first),
        false => format!("{}…{}", number(fold.first), number(fold.last)),
    }
}

/// Room for the way back and for the numbers.
fn left_margin(folds: &[Fold], recording: &Recording) -> u32 {
    let longest = folds.iter().map(|fold| numbers(fold, recording).chars().count()).max().unwrap_or(0);
    52 + 7 * longest.max(3) as u32
}

/// Which beats share a row.
fn folds(chart: &Chart, recording: &Recording) -> Vec<Fold> {
    let mut speaks = vec![false; recording.beats.len()];
    for message in &chart.messages {
        speaks[message.sent.beat] = true;
        message.arrival().into_iter().for_each(|point| speaks[point.beat] = true);
    }
    let silent = |beat: usize| !speaks[beat] && is_silent(&recording.beats[beat]);
    let folding = recording.beats.len() > LONGEST_UNFOLDED;
    let mut folds: Vec<Fold> = Vec::new();
    for beat in 0..recording.beats.len() {
        match folds.last_mut() {
            Some(fold) if folding && silent(beat) && silent(fold.last) && recording.cycle != Some(beat) => {
                fold.last = beat;
            }
            _ => folds.push(Fold { first: beat, last: beat }),
        }
    }
    folds
}

/// Nothing happens in it that must be seen.
fn is_silent(beat: &Beat) -> bool {
    beat.rows.iter().all(|row| {
        let lives = |change: &Change| !matches!(change, Change::Value { .. });
        row.faults.is_empty() && row.printed.is_empty() && !row.changes.iter().any(lives)
    })
}

fn row_height(chart: &Chart, fold: &Fold) -> u32 {
    if fold.first < fold.last {
        return FOLDED_ROW;
    }
    let here = |message: &Message| message.sent.beat == fold.first;
    // messages are in the order in which they are sent
    let from = chart.messages.partition_point(|message| message.sent.beat < fold.first);
    let speaks = chart.messages.get(from).is_some_and(here) || chart.movers[fold.first].len() > 1;
    if speaks { MESSAGE_ROW } else { LOCAL_ROW }
}

fn lane_gap(lanes: usize) -> u32 {
    match lanes {
        0..=3 => 190,
        4..=5 => 165,
        6..=8 => 145,
        _ => 120,
    }
}

fn footer(recording: &Recording, verdict: Option<&str>, top: u32) -> Footer {
    let (kind, text) = match &recording.ending {
        Ending::Repeats => ("cycle", "the run has ended: its last state repeats forever".into()),
        Ending::Cycle => ("cycle", format!("and so on forever: {}", back_to(recording))),
        Ending::BrokenCycle => ("open", "the cycle does not lead back to where it starts".into()),
        Ending::End => ("end", "the run ends".into()),
        Ending::InvalidEnd => ("end", "nothing can move".into()),
        Ending::Fault { .. } => ("end", String::new()),
        Ending::Open => ("open", "the trail ends here; the run could go on".to_string()),
    };
    let (kind, text) = match verdict {
        Some(verdict) if text.is_empty() => ("violated", format!("violated: {verdict}")),
        Some(verdict) => ("violated", format!("violated: {verdict} · {text}")),
        None => (kind, text),
    };
    Footer { top, kind, text }
}

fn back_to(recording: &Recording) -> String {
    let first = recording.cycle.and_then(|cycle| recording.beats.get(cycle));
    first.map_or(String::new(), |beat| format!("back to step {}", beat.rows[0].number))
}

fn cycle(recording: &Recording, bottom: u32, rows: &[Row]) -> Option<Bracket> {
    let cycle = recording.cycle?;
    let row = rows.get(cycle + 1)?;
    Some(Bracket { top: row.top, bottom, text: back_to(recording) })
}

/// Draws the parts of one chart.
struct Pen<'c> {
    chart: &'c Chart,
    recording: &'c Recording<'c>,
    left: u32,
    gap: u32,
}

impl Pen<'_> {
    fn x(&self, lane: usize) -> u32 {
        self.left + self.gap * lane as u32 + self.gap / 2 - 40
    }

    /// The text, as much of it as fits between two lanes.
    fn fit(&self, text: &str) -> String {
        cut(text, ((self.gap - 22) as f64 / CHARACTER) as usize)
    }

    fn lane(&self, number: usize, bottom: u32, rows: &[Row]) -> LaneLine {
        let lane = &self.chart.lanes[number];
        let middle = |beat: usize| rows[beat + 1].top + rows[beat + 1].height / 2;
        LaneLine {
            name: lane.name.clone(),
            shown: cut(&lane.name, ((self.gap - 14) as f64 / 7.4) as usize),
            x: self.x(number),
            top: lane.born.map_or(HEAD, middle),
            bottom: lane.gone.map_or(bottom, middle),
            late: lane.born.is_some(),
            ends: lane.gone.is_some(),
        }
    }

    /// What the beats of a row do, and their numbers.
    fn ticks(&self, fold: &Fold, drawing: &mut Drawing) {
        let row = drawing.rows[fold.first + 1];
        let y = row.top + row.height / 2;
        let text = numbers(fold, self.recording);
        drawing.numbers.push(Label { x: self.left as i64 - 22, y: y + 4, anchor: "end", text });
        match fold.first == fold.last {
            true => self.beat(fold.first, y, drawing),
            false => self.folded(fold, y, drawing),
        }
    }

    /// How many steps each process takes in beats that share a row.
    fn folded(&self, fold: &Fold, y: u32, drawing: &mut Drawing) {
        let mut steps = vec![0; self.chart.lanes.len()];
        for beat in fold.first..=fold.last {
            self.chart.movers[beat].iter().for_each(|&lane| steps[lane] += 1);
        }
        for (lane, &count) in steps.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let text = counted(count, "step");
            let label = self.beside(lane, y, &text);
            let (first, last) = (fold.first + 1, fold.last + 1);
            drawing.ticks.push(Tick { x: self.x(lane), y, kind: "folded", title: text, label, first, last });
        }
    }

    /// What each process does in a beat that has a row of its own.
    fn beat(&self, number: usize, y: u32, drawing: &mut Drawing) {
        let beat = &self.recording.beats[number];
        for (row, &lane) in beat.rows.iter().zip(&self.chart.movers[number]) {
            let name = &self.chart.lanes[lane].name;
            let title = format!("step {}: {name}  {}:{}  {}", row.number, row.file, row.line, row.text);
            let x = self.x(lane);
            let mut label = self.beside(lane, y, &row.text);
            let kind = match self.part(number, lane) {
                _ if beat.faults().next().is_some() => "fault",
                Part::Local => "local",
                Part::Handshake | Part::Sender => {
                    // the arrow says it
                    label.text.clear();
                    "end"
                }
                Part::Receiver { from_right } => {
                    // away from the arrow, unless the numbers of the steps are there
                    if from_right && lane > 0 {
                        (label.x, label.anchor) = (x as i64 - 9, "end");
                    }
                    "end"
                }
            };
            drawing.ticks.push(Tick { x, y, kind, label, title, first: number + 1, last: number + 1 });
        }
    }

    /// Text on the right of a lane.
    fn beside(&self, lane: usize, y: u32, text: &str) -> Label {
        Label { x: self.x(lane) as i64 + 9, y: y + 4, anchor: "start", text: self.fit(text) }
    }

    fn part(&self, beat: usize, lane: usize) -> Part {
        if self.chart.movers[beat].len() > 1 {
            return Part::Handshake;
        }
        let from = self.chart.messages.partition_point(|message| message.sent.beat < beat);
        if self.chart.messages.get(from).is_some_and(|message| message.sent.beat == beat) {
            return Part::Sender;
        }
        let takes = |message: &Message| message.arrival().is_some_and(|p| (p.beat, p.lane) == (beat, lane));
        match self.chart.messages[..from].iter().rev().find(|message| takes(message)) {
            Some(message) => Part::Receiver { from_right: message.sent.lane > lane },
            None => Part::Local,
        }
    }

    fn arrow(&self, message: &Message, rows: &[Row]) -> Arrow {
        let sent = message.sent;
        let taken = message.arrival().unwrap_or(sent);
        let middle = |beat: usize| rows[beat + 1].top + rows[beat + 1].height / 2;
        let (x1, y1) = (self.x(sent.lane) as f64, middle(sent.beat) as f64);
        let (x2, y2) = (self.x(taken.lane) as f64, middle(taken.beat) as f64);
        let right = x2 >= x1;
        let (path, angle) = if sent.lane == taken.lane {
            // to oneself: out to the right and back
            let out = x1 + 34.0;
            (format!("M{x1} {y1}C{out} {y1} {out} {y2} {x2} {y2}"), std::f64::consts::PI)
        } else {
            (format!("M{x1} {y1}L{x2} {y2}"), (y2 - y1).atan2(x2 - x1))
        };
        let text = self.fit(&message.label());
        let label = match message.fate {
            Fate::Handshake(_) => {
                let from = if right { x1 } else { x2 };
                Label { x: (from + self.gap as f64 / 2.0) as i64, y: y1 as u32 - 5, anchor: "middle", text }
            }
            _ if right => Label { x: x1 as i64 + 9, y: y1 as u32 - 4, anchor: "start", text },
            _ => Label { x: x1 as i64 - 9, y: y1 as u32 - 4, anchor: "end", text },
        };
        let kind = if matches!(message.fate, Fate::Handshake(_)) { "handshake" } else { "buffered" };
        let (from, to) = (&self.chart.lanes[sent.lane].name, &self.chart.lanes[taken.lane].name);
        let numbers = (self.recording.beats[sent.beat].number(), self.recording.beats[taken.beat].number());
        let title = match kind {
            "handshake" => format!("{}: {from} to {to}, step {}", message.label(), numbers.0),
            _ => format!("{}: {from}, step {}, to {to}, step {}", message.label(), numbers.0, numbers.1),
        };
        let tip = tip(x2, y2, angle);
        Arrow { kind, path, tip, label, title, sent: sent.beat + 1, taken: taken.beat + 1 }
    }

    fn stub(&self, message: &Message, rows: &[Row]) -> Stub {
        let sent = message.sent;
        let (x, row) = (self.x(sent.lane), rows[sent.beat + 1]);
        let y = row.top + row.height / 2;
        let what = match message.fate {
            Fate::Lost => "lost with its channel".to_string(),
            Fate::NextRound(point) => format!(
                "received by {} in step {} of the next round",
                self.chart.lanes[point.lane].name,
                self.recording.beats[point.beat].number()
            ),
            Fate::Waiting | Fate::Received(_) | Fate::Handshake(_) => "not received".to_string(),
        };
        let title = format!(
            "{}: {}, step {}, {what}",
            message.label(),
            self.chart.lanes[sent.lane].name,
            self.recording.beats[sent.beat].number()
        );
        let label = Label { x: x as i64 + 9, y: y - 4, anchor: "start", text: self.fit(&message.label()) };
        let end = label.x + (label.text.chars().count() as f64 * 6.9) as i64 + 12;
        Stub { x, end, y, label, title, sent: sent.beat + 1 }
    }
}

/// What a process does in a beat.
enum Part {
    Local,
    Sender,
    /// Of a message from a lane on the right, or not.
    Receiver {
        from_right: bool,
    },
    Handshake,
}

/// The triangle at the end of an arrow that comes in at this angle.
pub fn tip(x: f64, y: f64, angle: f64) -> String {
    let corner = |turn: f64| (x - 9.0 * (angle + turn).cos(), y - 9.0 * (angle + turn).sin());
    let ((ax, ay), (bx, by)) = (corner(0.4), corner(-0.4));
    format!("M{x:.1} {y:.1}L{ax:.1} {ay:.1}L{bx:.1} {by:.1}Z")
}
