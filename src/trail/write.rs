//! A witness as a trail file that SPIN replays: system steps only, pids as they are, no claim.
//!
//! Behind the steps it says what it is a trail of: see [`super::origin`].
//!
//! SPIN puts the process at the statement a line names and executes it, so that lines of a claim can be left out.

use super::origin::Origin;
use crate::program::Program;
use crate::search::Witness;
use std::fmt::Write;

/// The text of the trail file. `failed`: the last step could not be executed. It is left out then, as in pan's trails:
/// SPIN's replay would take a condition that fails for false, or die of the step. Replaying finds out that it fails.
pub fn write(program: &Program, witness: &Witness, failed: bool, origin: &Origin) -> String {
    let steps = &witness.steps[..witness.steps.len() - failed as usize];
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
    // the run has ended, and its last state repeats
    if witness.cycle == Some(steps.len()) {
        out.push_str("-1:-1:-1\n");
    }
    let _ = write!(out, "{origin}");
    out
}
