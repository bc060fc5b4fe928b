//! A witness as a trail file that SPIN replays: system steps only, pids as they are, no claim.
//!
//! SPIN puts the process at the statement a line names and executes it, so that lines of a claim can be left out.

use crate::program::Program;
use crate::program::code::Action;
use crate::search::Witness;
use crate::system::{FaultKind, Step};
use std::fmt::Write;

/// The text of the trail file. `failed` is the fault of the last step, if that step could not be executed because of
/// it; the step is then left out, unless SPIN can show it.
pub fn write(program: &Program, witness: &Witness, failed: Option<&FaultKind>) -> String {
    let mut steps = witness.steps.as_slice();
    if let (Some(fault), Some((last, before))) = (failed, steps.split_last())
        && !shown_by_spin(program, last, fault)
    {
        steps = before;
    }
    let mut out = String::new();
    let mut number = 0;
    let mut line = |pid: u32, transition: u32, out: &mut String| {
        number += 1;
        let _ = writeln!(out, "{number}:{pid}:{}", program.infos[transition as usize].id);
    };
    for (i, step) in steps.iter().enumerate() {
        if witness.cycle == Some(i) {
            out.push_str("-1:-1:-1\n");
        }
        line(step.pid, step.transition, &mut out);
        if let Some(receiver) = step.receiver {
            line(receiver.pid, receiver.transition, &mut out);
        }
    }
    out
}

/// Whether SPIN's replay goes through a step that fails, and says why. Where it does not, the trail ends before it: a
/// condition that fails counts as false ("transition failed"), and a division by zero ends SPIN itself. An assignment
/// to an element that does not exist is reported and passed over.
fn shown_by_spin(program: &Program, step: &Step, fault: &FaultKind) -> bool {
    let action = &program.transitions[step.transition as usize].action;
    matches!((action, fault), (Action::Assign(..), FaultKind::ArrayIndex { .. }))
}
