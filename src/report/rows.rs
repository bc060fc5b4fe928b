//! The steps of a run as rows: who, where, which statement, and what changed.

use super::changes::{Change, Comparison};
use crate::program::Program;
use crate::program::code::Action;
use crate::program::formula::Atom;
use crate::source::{Sources, Span};
use crate::system::{Fault, FaultKind, Step, Truncated};
use crate::trail::Moment;
use crate::trail::observed::View;

/// One statement that was executed, or failed.
#[derive(Clone, Debug)]
pub struct Row {
    /// The step's number, from 1.
    pub number: usize,
    /// The pid of the process.
    pub pid: u32,
    /// The proctype's name.
    pub process: String,
    /// The file in which the statement stands.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// The statement's number in SPIN's trails.
    pub statement: u32,
    /// The statement as the user wrote it, on one line.
    pub text: String,
    /// What the step changes; of a handshake, only in the second row.
    pub changes: Vec<Change>,
    /// What the step prints; of a handshake, only in the second row.
    pub printed: String,
    /// What goes wrong in the step; of a handshake, only in the second row.
    pub faults: Vec<Fault>,
    /// What it stores that does not fit, be it a fault or not.
    pub truncated: Vec<Truncated>,
    /// The cycle of the run starts with this row.
    pub starts_cycle: bool,
    /// It goes on with the atomic sequence of the row before.
    pub inside: bool,
    /// What the claim sees before this step, if there is one and it looks.
    pub sight: Option<Sight>,
}

impl Row {
    /// What it stores that does not fit, unless that is a fault.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let is_fault = |truncated: &Truncated| {
            self.faults.iter().any(|fault| matches!(&fault.kind, FaultKind::Truncated(other) if **other == *truncated))
        };
        let mere = self.truncated.iter().filter(move |truncated| !is_fault(truncated));
        mere.map(|truncated| format!("truncated: {truncated}"))
    }
}

/// What a claim sees in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The claim's state before it has looked.
    pub before: u32,
    /// Its state afterwards.
    pub after: u32,
    /// The conditions of the claim and whether they hold.
    pub conditions: Vec<(String, bool)>,
}

impl Sight {
    /// What the claim sees, with the text of its conditions, which are `atoms`.
    pub fn new(view: &View, atoms: &[Atom]) -> Sight {
        let holds = |bit: usize| view.truths >> bit & 1 == 1;
        let conditions = atoms.iter().enumerate().map(|(bit, atom)| (atom.text.clone(), holds(bit))).collect();
        Sight { before: view.before, after: view.after, conditions }
    }
}

/// Makes the rows of runs of one program.
pub struct Rows<'r> {
    program: &'r Program,
    sources: &'r Sources,
    comparison: Comparison<'r>,
}

impl<'r> Rows<'r> {
    /// Rows of runs of this program; `sources` has the text of its statements.
    pub fn new(program: &'r Program, sources: &'r Sources) -> Rows<'r> {
        Rows { program, sources, comparison: Comparison::new(program) }
    }

    /// The row of a step; a handshake has two, and what changed is in the second.
    pub fn of(&self, moment: &Moment) -> Vec<Row> {
        let Step { pid, transition, receiver } = moment.step;
        let mut rows = vec![self.row(moment.number, pid, transition)];
        rows.extend(receiver.map(|r| self.row(moment.number + 1, r.pid, r.transition)));
        rows[0].starts_cycle = moment.starts_cycle;
        if let Some(last) = rows.last_mut() {
            last.changes = moment.after.map_or(Vec::new(), |after| self.comparison.changes(moment.before, after));
            last.printed.clone_from(&moment.printed);
            last.faults = moment.faults.to_vec();
            last.truncated = moment.truncated.to_vec();
        }
        rows
    }

    fn row(&self, number: usize, pid: u32, transition: u32) -> Row {
        let info = &self.program.infos[transition as usize];
        let place = self.sources.place(info.span);
        Row {
            number,
            pid,
            process: self.program.automaton(info.proctype).name.clone(),
            file: place.file,
            line: place.line,
            statement: info.id,
            text: statement(self.program, self.sources, transition),
            changes: Vec::new(),
            printed: String::new(),
            faults: Vec::new(),
            truncated: Vec::new(),
            starts_cycle: false,
            inside: false,
            sight: None,
        }
    }
}

/// The place `file:line` where a transition's statement stands.
pub fn place(sources: &Sources, span: Span) -> String {
    let place = sources.place(span);
    format!("{}:{}", place.file, place.line)
}

/// The statement of a transition as the user wrote it, on one line.
pub fn statement(program: &Program, sources: &Sources, transition: u32) -> String {
    let info = &program.infos[transition as usize];
    match program.transitions[transition as usize].action {
        Action::End => "-end-".into(),
        _ => written(sources, info.span, &info.text),
    }
}

/// The text at `span`, on one line; `spelled` is SPIN's way to write it, used where the text is no single statement:
/// the assignments and conditions that a `for` stands for, the ends of selections.
pub fn written(sources: &Sources, span: Span, spelled: &str) -> String {
    let text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    if text.is_empty() || matches!(word, "for" | "select" | "if" | "do") { spelled.into() } else { text }
}
