//! The run of a finding, executed again: nobody sees a violation that the model does not have.

use super::request::Request;
use super::task::Kind;
use crate::program::Program;
use crate::search::{Checks, Finding, Reason, Violation};
use crate::source::Sources;
use crate::system::{Cutoff, Fault};
use crate::trail::follow::{self, Moment};
use crate::trail::observed::{Observed, View};
use crate::trail::{Ending, Replayed, Unplayable};

/// Why a finding is none.
pub enum Unconfirmed {
    /// The run cannot be executed.
    Unplayable(Unplayable),
    /// It does not end in the violation that was found.
    Elsewhere,
}

impl Request {
    /// What counts as a violation of a property.
    pub fn checks_of(&self, kind: &Kind) -> Checks {
        match kind {
            Kind::Safety | Kind::Untranslated(_) => self.checks,
            Kind::Cycles { .. } => self.claim_checks,
        }
    }
}

impl Unconfirmed {
    /// The explanation in one line; `finding` is what was not confirmed.
    pub fn message(&self, program: &Program, sources: &Sources, finding: &Finding) -> String {
        match self {
            Unconfirmed::Unplayable(unplayable) => {
                let why = unplayable.explain(program, sources).message;
                format!("the violation that was found cannot be replayed: {why}")
            }
            Unconfirmed::Elsewhere => {
                format!("the replay does not end in the violation that was found ({})", finding.message)
            }
        }
    }
}

/// Why a run that was found need not be one that can be replayed; without such a reason we are wrong.
pub fn excuse(program: &Program, cutoff: &Cutoff) -> Option<Reason> {
    let hidden = || (program.layout.hidden_words > 0).then_some(Reason::Hidden);
    cutoff.halted().map(Reason::from).or_else(hidden)
}

/// Executes the run of a finding; `see` is shown each moment of it, and what the claim sees there.
pub fn confirm(
    request: &Request,
    program: &Program,
    kind: &Kind,
    finding: &Finding,
    cutoff: &Cutoff,
    see: &mut dyn FnMut(&Moment, Option<View>),
) -> Result<Replayed, Unconfirmed> {
    let checks = request.checks_of(kind);
    let mut faults = Vec::new();
    let mut observed = match kind {
        Kind::Safety | Kind::Untranslated(_) => None,
        Kind::Cycles { claim, .. } => Some(Observed::new(program, claim, &finding.witness)),
    };
    let replayed = follow::follow(program, &finding.witness, checks.on_truncation(), cutoff, &mut |moment| {
        let view = observed.as_mut().and_then(|observed| observed.see(moment));
        see(moment, view);
        faults = moment.faults.to_vec();
    });
    let replayed = replayed.map_err(Unconfirmed::Unplayable)?;
    let right = match (kind, &mut observed) {
        _ if finding.violation == Violation::DepthLimit => is_deep(finding, request.limits.max_depth),
        (Kind::Cycles { formula, .. }, Some(observed)) => {
            observed.end(&replayed.state);
            match finding.violation {
                Violation::AcceptanceCycle | Violation::NonProgressCycle | Violation::ClaimCompleted => {
                    observed.is_violation(&replayed, *formula)
                }
                _ => {
                    ends_so(finding, &replayed, &faults, checks)
                        || observed.claim_fails(&replayed.state, &finding.message)
                }
            }
        }
        _ => ends_so(finding, &replayed, &faults, checks),
    };
    if right { Ok(replayed) } else { Err(Unconfirmed::Elsewhere) }
}

/// Whether a run is as long as it may be, in moves or in steps.
fn is_deep(finding: &Finding, limit: Option<u64>) -> bool {
    let length = finding.witness.length().max(finding.witness.sights.len());
    limit.is_some_and(|limit| length as u64 >= limit)
}

/// Whether a replay ends in the violation that a search reported; `faults` are those of its last step.
fn ends_so(finding: &Finding, replayed: &Replayed, faults: &[Fault], checks: Checks) -> bool {
    match (finding.violation, &replayed.ending) {
        (Violation::InvalidEndState, Ending::End) => checks.channels_empty && replayed.messages_left,
        (Violation::InvalidEndState, _) => replayed.deadlock,
        (_, Ending::Fault { fault, step: None }) => fault.to_string() == finding.message,
        (_, Ending::Fault { .. }) => faults.iter().any(|fault| fault.to_string() == finding.message),
        _ => false,
    }
}
