//! What counts as a violation.

use crate::system::{Fault, FaultKind, OnTruncation, Step};

/// The kinds of violations that a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Assertions of the model.
    pub assertions: bool,
    /// States without successors where some process is not at a valid end.
    pub end_states: bool,
    /// An end state with messages left in a channel is invalid, too.
    pub channels_empty: bool,
    /// Whatever else can go wrong in a step.
    pub run_time_errors: bool,
    /// The assertions of a claim. Any other fault in a claim is a violation: a search without the claim cannot see it.
    pub claim_assertions: bool,
    /// Values that do not fit where they are stored. The interpreter must tell: see [`Checks::on_truncation`].
    pub truncation: bool,
}

impl Checks {
    /// What the interpreter makes of a value that does not fit.
    pub fn on_truncation(self) -> OnTruncation {
        if self.truncation { OnTruncation::Fail } else { OnTruncation::Note }
    }

    /// A fault in this step is a violation.
    pub fn wants(self, fault: &Fault, step: Step) -> bool {
        let of_claim = step == Step::STUTTER;
        match fault.kind {
            FaultKind::Assertion(_) if of_claim => self.claim_assertions,
            FaultKind::Assertion(_) => self.assertions,
            FaultKind::Truncated(_) => self.truncation,
            _ => of_claim || self.run_time_errors,
        }
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            assertions: true,
            end_states: true,
            channels_empty: false,
            run_time_errors: true,
            claim_assertions: true,
            truncation: false,
        }
    }
}
