//! Values that do not fit where they are stored.
//!
//! What is left of them is stored, as in pan. Each transition's first such value is remembered; where it is asked for, each
//! is a fault of its step, which happens nevertheless. What is known of a value while a step is made is a few numbers:
//! only who reports it finds out names.

use super::interpreter::{Interpreter, Scratch};
use super::{Batch, Fault, FaultKind, Step, System};
use crate::model::Variable;
use crate::program::code::{Base, Width};
use crate::program::{Program, named};
use std::collections::BTreeMap;
use std::fmt;

/// Different truncations that are noted of one step.
const MOST_NOTED: usize = 64;

/// What becomes of a value that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTruncation {
    /// It is remembered.
    Note,
    /// It is a fault.
    Fail,
}

/// Where a value was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A global variable. The number is the offset of the scalar in the state, in bytes.
    Global(u32),
    /// A local variable or a parameter.
    Local {
        /// The proctype of the process that owns the variable.
        proctype: u32,
        /// The offset of the scalar in the frame of the process, in bytes.
        offset: u32,
    },
    /// A field of a message.
    Field {
        /// The number of the channel in the state.
        channel: u32,
        /// The layout of the channel, as an index into `channel_layouts`.
        layout: u32,
        /// The position of the field in the message, from 0.
        field: u32,
    },
}

/// A value of which only a part was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncation {
    /// The value that was assigned.
    pub value: i32,
    /// What is left of it.
    pub stored: i32,
    /// Where it was stored.
    pub target: Target,
}

/// The first truncation of each transition.
pub type Truncations = BTreeMap<u32, Truncation>;

/// A truncation with names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truncated {
    /// The variable or the message field, for example `a[2]` or `field 1 of c`.
    pub variable: String,
    /// It is a field of a message, which its sender fills.
    pub in_message: bool,
    /// The type.
    pub kind: String,
    /// The value that was assigned.
    pub value: i32,
    /// What is left of it.
    pub stored: i32,
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Truncated { variable, kind, value, stored, .. } = self;
        write!(f, "{value} → {stored} ({kind} {variable})")
    }
}

impl Truncation {
    /// The truncation with the names of the variable and of its type.
    pub fn named(&self, program: &Program) -> Truncated {
        let (variable, kind) = match self.target {
            Target::Field { channel, layout, field } => {
                let scalar = program.layout.channel_layouts[layout as usize].scalars[field as usize];
                let channel = named::channel(program, channel).unwrap_or_else(|| "a message".into());
                (format!("field {} of {channel}", field + 1), named::type_name(scalar))
            }
            _ => match self.variable(program) {
                Some((_, name, kind)) => (name, kind),
                None => ("variable".into(), "a".into()),
            },
        };
        let in_message = matches!(self.target, Target::Field { .. });
        Truncated { variable, in_message, kind, value: self.value, stored: self.stored }
    }

    /// The variable in which the value was stored, the name of the scalar in it, and its type.
    pub fn variable<'p>(&self, program: &'p Program) -> Option<(&'p Variable, String, String)> {
        let found = match self.target {
            Target::Global(offset) => named::at(program, named::globals(program), offset),
            Target::Local { proctype, offset } => named::at(program, named::locals(program, proctype), offset),
            Target::Field { .. } => None,
        };
        found.map(|(variable, name, scalar)| (variable, name, named::type_name(scalar)))
    }
}

impl<'p> Interpreter<'p> {
    /// The same interpreter, for which a value that does not fit is a fault. Moves are not remembered then.
    pub fn on_truncation(mut self, on_truncation: OnTruncation) -> Interpreter<'p> {
        self.on_truncation = on_truncation;
        self.in_place &= on_truncation == OnTruncation::Note;
        self
    }

    /// The initial values that do not fit.
    pub fn initial_truncations(&self) -> Vec<Truncation> {
        let mut scratch = self.scratch();
        // a fault does not matter here: what was stored before it was stored
        let _ = self.initial(&mut scratch);
        scratch.initial_cut
    }

    /// The value has just been stored at `at`.
    #[cold]
    #[inline(never)]
    pub(super) fn cut(&self, s: &mut Scratch, (base, at): (Base, usize), width: Width, value: i32) {
        let target = match base {
            Base::Global => Target::Global(at as u32),
            Base::Frame => Target::Local { proctype: s.frames[s.pid].kind, offset: (at - s.frame) as u32 },
        };
        s.cut_for(target, width, value);
    }

    /// The current step has stored what does not fit, and goes well.
    #[cold]
    #[inline(never)]
    pub(super) fn report_cut(&self, step: Step, scratch: &mut Scratch, batch: &mut Batch) {
        let by = step.receiver.map_or(step.transition, |receiver| receiver.transition);
        for truncation in std::mem::take(&mut scratch.cut) {
            self.note_cut(truncation, by, step, scratch, batch);
        }
    }

    /// A message that did not fit has been received.
    #[cold]
    #[inline(never)]
    pub(super) fn report_offered(&self, step: Step, scratch: &mut Scratch, batch: &mut Batch) {
        for truncation in scratch.offered.clone() {
            self.note_cut(truncation, step.transition, step, scratch, batch);
        }
    }

    fn note_cut(&self, truncation: Truncation, by: u32, step: Step, scratch: &mut Scratch, batch: &mut Batch) {
        scratch.coverage.truncations.entry(by).or_insert(truncation);
        if self.on_truncation == OnTruncation::Fail {
            let kind = FaultKind::Truncated(Box::new(truncation.named(self.program)));
            batch.push_fault(Fault { kind }, step);
        }
    }

    /// As [`Interpreter::report_cut`], for a step inside an atomic sequence that is carried on in place.
    #[cold]
    #[inline(never)]
    pub(super) fn note_in_place(&self, transition: usize, scratch: &mut Scratch) {
        for truncation in std::mem::take(&mut scratch.cut) {
            scratch.coverage.truncations.entry(transition as u32).or_insert(truncation);
        }
    }
}

impl Scratch {
    /// A value does not fit. A d_step may store as many as it likes: each is noted once, up to a number.
    #[cold]
    #[inline(never)]
    pub(super) fn cut_for(&mut self, target: Target, width: Width, value: i32) {
        let truncation = Truncation { value, stored: width.truncate(value), target };
        if self.cut.len() < MOST_NOTED && !self.cut.contains(&truncation) {
            self.cut.push(truncation);
        }
    }
}

/// Adds the truncations of another worker, at transitions that have none yet.
pub fn join(own: &mut Truncations, other: Truncations) {
    for (transition, truncation) in other {
        own.entry(transition).or_insert(truncation);
    }
}
