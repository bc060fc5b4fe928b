//! What the script of a page needs to know, as JSON: the steps, the history of every variable, what the claim does.
//!
//! A variable is listed with the positions at which it gets a new value, not with its value at every position: long runs
//! stay small, and the value at a position is found by bisection.

use super::automaton::Picture;
use super::{Property, Subject};
use crate::report::chart::{Chart, Drawing};
use crate::report::recording::{Beat, Recording};
use crate::report::rows::Row;
use crate::report::values::{Named, Reading, Value, Values};
use crate::report::visible::visible_json;
use crate::source::{FileId, Span};
use crate::trail::accepted::{Course, Watched};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The text of a file with statements of the run.
pub struct Listing {
    pub name: String,
    pub lines: Vec<String>,
}

#[derive(Serialize)]
struct Data {
    steps: Vec<Step>,
    /// By position: where its row of the chart is, and how high.
    rows: Vec<(u32, u32)>,
    scopes: Vec<Scope>,
    /// The position at which the cycle starts.
    cycle: Option<usize>,
    /// What is said at the first position, and at the last.
    start: Vec<String>,
    ending: String,
    claim: Option<Claim>,
}

/// One beat.
#[derive(Serialize)]
struct Step {
    number: String,
    parts: Vec<Part>,
    #[serde(skip_serializing_if = "String::is_empty")]
    printed: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lives: Vec<String>,
}

/// A statement that a process executes.
#[derive(Serialize)]
struct Part {
    process: String,
    text: String,
    place: String,
    /// The listing, and the line in it.
    file: usize,
    line: usize,
    /// Where its lane is in the chart.
    x: u32,
}

/// The globals, the channels, or the variables of one process.
#[derive(Serialize)]
struct Scope {
    name: String,
    /// The positions at which it is there.
    from: usize,
    to: Option<usize>,
    variables: Vec<Variable>,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    /// Since which position it has which value.
    values: Vec<(usize, String)>,
}

#[derive(Serialize)]
struct Claim {
    /// The conditions it looks at.
    conditions: Vec<String>,
    laps: Vec<Vec<Glance>>,
    again: Option<usize>,
}

/// Position, state before, state after, conditions that hold.
type Glance = (usize, u32, u32, Vec<usize>);

pub fn of(
    recording: &Recording,
    chart: &Chart,
    drawing: &Drawing,
    subject: &Subject,
    picture: Option<&Picture>,
) -> (String, Vec<Listing>) {
    let mut files = Files { recording, known: Vec::new() };
    let steps = recording.beats.iter().zip(&chart.movers);
    let steps = steps.map(|(beat, lanes)| step(beat, lanes, drawing, &mut files)).collect();
    let listings = files.listings(subject);
    let claim = picture.and(subject.property.as_ref()).and_then(claim);
    let rows = drawing.rows.iter().map(|row| (row.top, row.height)).collect();
    let data = Data {
        steps,
        rows,
        scopes: scopes(recording, chart),
        cycle: recording.cycle,
        start: recording.truncated_at_start.iter().map(|each| format!("initial value truncated: {each}")).collect(),
        ending: subject.ending.clone(),
        claim,
    };
    (harmless(serde_json::to_string(&data).unwrap_or_default()), listings)
}

/// JSON that ends no script element and starts no comment.
fn harmless(json: String) -> String {
    visible_json(json).replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn step(beat: &Beat, lanes: &[usize], drawing: &Drawing, files: &mut Files) -> Step {
    use crate::report::changes::Change;
    let mut parts = Vec::new();
    for ((row, (_, transition)), &lane) in beat.rows.iter().zip(beat.step.movers()).zip(lanes) {
        let (file, line) = files.line(transition);
        parts.push(Part {
            process: process(row),
            text: row.text.clone(),
            place: format!("{}:{}", row.file, row.line),
            file,
            line,
            x: drawing.lanes[lane].x,
        });
    }
    let changes = beat.rows.iter().flat_map(|row| &row.changes);
    let lives = changes.filter(|change| !matches!(change, Change::Value { .. }));
    Step {
        number: beat.number(),
        parts,
        printed: beat.rows.iter().map(|row| row.printed.as_str()).collect(),
        faults: beat.faults().collect(),
        remarks: beat.rows.iter().flat_map(Row::remarks).collect(),
        lives: lives.map(|change| change.to_string()).collect(),
    }
}

fn process(row: &Row) -> String {
    format!("{}({})", row.process, row.pid)
}

/// The files that the statements of a run are in.
struct Files<'f> {
    recording: &'f Recording<'f>,
    known: Vec<FileId>,
}

impl Files<'_> {
    /// In which listing a statement stands, and in which line.
    fn line(&mut self, transition: u32) -> (usize, usize) {
        let sources = self.recording.sources;
        let Span { file, start, .. } = sources.written(self.recording.program.infos[transition as usize].span);
        let number = self.known.iter().position(|&known| known == file).unwrap_or_else(|| {
            self.known.push(file);
            self.known.len() - 1
        });
        let before = &sources.file(file).text.as_bytes()[..start as usize];
        (number, 1 + before.iter().filter(|&&byte| byte == b'\n').count())
    }

    fn listings(mut self, subject: &Subject) -> Vec<Listing> {
        if self.known.is_empty() {
            self.known.push(FileId(0));
        }
        let listing = |&file: &FileId| {
            let source = self.recording.sources.file(file);
            let text = match file {
                FileId(0) => source.text.get(..subject.model_length).unwrap_or(&source.text),
                _ => &source.text,
            };
            Listing { name: source.name.clone(), lines: text.lines().map(str::to_string).collect() }
        };
        self.known.iter().map(listing).collect()
    }
}

/// The histories of all variables.
fn scopes(recording: &Recording, chart: &Chart) -> Vec<Scope> {
    let values = Values::new(recording.program);
    let scope =
        |name: &str, from: usize, to: Option<usize>| Scope { name: name.into(), from, to, variables: Vec::new() };
    let mut scopes = vec![scope("globals", 0, None), scope("channels", 0, None)];
    for lane in &chart.lanes {
        let born = lane.born.map_or(0, |beat| beat + 1);
        scopes.push(scope(&lane.name, born, lane.gone.map(|beat| beat + 1)));
    }
    let mut latest: FxHashMap<(usize, usize), Value> = FxHashMap::default();
    for (position, words) in recording.states.iter().enumerate() {
        let reading: Reading = values.read(words);
        let mut note = |scope: usize, named: Vec<Named>| {
            for (number, (name, value)) in named.into_iter().enumerate() {
                let variables = &mut scopes[scope].variables;
                if number == variables.len() {
                    variables.push(Variable { name, values: Vec::new() });
                }
                if latest.get(&(scope, number)) != Some(&value) {
                    variables[number].values.push((position, value.to_string()));
                    latest.insert((scope, number), value);
                }
            }
        };
        note(0, reading.globals());
        note(1, reading.channels());
        for &process in &reading.alive {
            let Some(lane) = chart.lane_at(process.pid as usize, position) else { continue };
            note(2 + lane, reading.owned(process));
        }
    }
    scopes
}

fn claim(property: &Property) -> Option<Claim> {
    let Watched::Accepts(Course { laps, again }) = &property.watched else { return None };
    let conditions: Vec<String> = property.claim.atoms().iter().map(|atom| atom.text.clone()).collect();
    let holding = |truths: u64| (0..conditions.len()).filter(|&bit| truths >> bit & 1 == 1).collect();
    let lap = |lap: &Vec<crate::trail::accepted::Look>| {
        lap.iter().map(|look| (look.position, look.before, look.after, holding(look.truths))).collect()
    };
    Some(Claim { laps: laps.iter().map(lap).collect(), again: *again, conditions })
}
