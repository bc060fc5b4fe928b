//! A replayed run as data: every step with its rows, and every state.
//!
//! What is drawn and exported is a function of this. A step of the run is called a beat here, because the rows of a
//! trail count a handshake twice; position `p` of the run is the state after `p` beats.

use super::rows::Row;
use crate::program::Program;
use crate::source::Sources;
use crate::system::{Control, Step, Truncated};
use crate::trail::{Ending, Moment, Replayed};

/// A run that was replayed.
pub struct Recording<'r> {
    /// The program whose run it is.
    pub program: &'r Program,
    /// The text of the model, for places and statements.
    pub sources: &'r Sources,
    /// The steps, in order.
    pub beats: Vec<Beat>,
    /// By position. Behind a beat that fails there is the state before it; a run that cannot start has no state.
    pub states: Vec<Vec<u64>>,
    /// The position at which the cycle starts.
    pub cycle: Option<usize>,
    /// How the run ends.
    pub ending: Ending,
    /// Initial values that do not fit.
    pub truncated_at_start: Vec<Truncated>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Beat {
    /// Which process moves by which transition; in a handshake, both processes.
    pub step: Step,
    /// One row, or the two halves of a handshake.
    pub rows: Vec<Row>,
    /// False: a fault prevents it.
    pub taken: bool,
    /// Held: it goes on with an atomic sequence, so that no other process sees the state before it.
    pub control: Control,
}

impl Beat {
    /// Its number, or its two numbers: `7–8`.
    pub fn number(&self) -> String {
        let numbers: Vec<String> = self.rows.iter().map(|row| row.number.to_string()).collect();
        numbers.join("–")
    }

    /// What goes wrong in it.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        self.rows.iter().flat_map(|row| &row.faults).map(|fault| fault.to_string())
    }
}

/// Takes down a run while it is followed.
#[derive(Default)]
pub struct Recorder {
    beats: Vec<Beat>,
    states: Vec<Vec<u64>>,
}

impl Recorder {
    /// Takes down a step, its rows and the state behind it.
    pub fn note(&mut self, moment: &Moment, rows: Vec<Row>) {
        if self.states.is_empty() {
            self.states.push(moment.before.to_vec());
        }
        self.states.push(moment.after.unwrap_or(moment.before).to_vec());
        let &Moment { step, control, .. } = moment;
        self.beats.push(Beat { step, rows, taken: moment.after.is_some(), control });
    }

    /// The run is over.
    pub fn finish<'r>(
        mut self,
        program: &'r Program,
        sources: &'r Sources,
        replayed: &Replayed,
        cycle: Option<usize>,
    ) -> Recording<'r> {
        if self.states.is_empty() && !replayed.state.is_empty() {
            self.states.push(replayed.state.clone());
        }
        let Recorder { beats, states } = self;
        let Replayed { ending, truncated_at_start, .. } = replayed.clone();
        Recording { program, sources, beats, states, cycle, ending, truncated_at_start }
    }
}
