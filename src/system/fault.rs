//! What can go wrong in a step: faults of the model, reported as violations with a trail.

use super::truncation::Truncated;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// With the assertion as SPIN prints it.
    Assertion(Box<str>),
    ArrayIndex {
        index: i32,
        size: u32,
    },
    DivisionByZero,
    /// A channel variable that names no channel, and the operation.
    UninitialisedChannel(&'static str),
    /// A channel that died with its process.
    DeadChannel,
    TooFewArguments,
    TooManyArguments,
    MissingReceiveArguments,
    TooManyReceiveArguments,
    /// `?[…]` or `?<…>` on a rendezvous channel.
    PollRendezvous,
    DStepBlocks,
    DStepSelectionBlocks,
    DStepRendezvous,
    DStepEndless,
    NoMatchingEvent,
    AllEventsMatched,
    TraceNondeterministic,
    PriorityRange(i32),
    TooManyProcesses,
    EnabledOfItself,
    /// A value that does not fit where it is stored, if that is a fault.
    Truncated(Box<Truncated>),
}

/// The violation kinds of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violation {
    Assertion,
    InvalidEndState,
    ArrayIndex,
    RuntimeError,
    Trace,
    /// A run that satisfies the claim forever.
    AcceptanceCycle,
    /// A run without progress.
    NonProgressCycle,
    /// The claim has come to its end: whatever follows, the run violates the property.
    ClaimCompleted,
    /// A value that does not fit where it is stored.
    Truncation,
    /// A run is longer than it may be, if that was declared to be an error.
    DepthLimit,
}

impl Violation {
    /// A step goes wrong, not a state or a run.
    pub fn is_of_a_step(self) -> bool {
        use Violation::*;
        !matches!(self, InvalidEndState | AcceptanceCycle | NonProgressCycle | ClaimCompleted | DepthLimit)
    }

    pub fn name(self) -> &'static str {
        match self {
            Violation::Assertion => "assertion",
            Violation::InvalidEndState => "invalid-end-state",
            Violation::ArrayIndex => "array-index",
            Violation::RuntimeError => "runtime-error",
            Violation::Trace => "trace",
            Violation::AcceptanceCycle => "acceptance-cycle",
            Violation::NonProgressCycle => "non-progress-cycle",
            Violation::ClaimCompleted => "claim-completed",
            Violation::Truncation => "truncation",
            Violation::DepthLimit => "depth-limit",
        }
    }
}

impl Fault {
    pub fn violation(&self) -> Violation {
        match self.kind {
            FaultKind::Assertion(_) => Violation::Assertion,
            FaultKind::ArrayIndex { .. } => Violation::ArrayIndex,
            FaultKind::Truncated(_) => Violation::Truncation,
            FaultKind::NoMatchingEvent | FaultKind::AllEventsMatched | FaultKind::TraceNondeterministic => {
                Violation::Trace
            }
            _ => Violation::RuntimeError,
        }
    }

    /// Whether nothing sensible can follow, so that even `--continue` stops here (pan: Uerror).
    pub fn is_fatal(&self) -> bool {
        use FaultKind::*;
        matches!(
            self.kind,
            DeadChannel
                | TooManyReceiveArguments
                | DStepBlocks
                | DStepSelectionBlocks
                | DStepRendezvous
                | DStepEndless
                | TraceNondeterministic
                | PriorityRange(_)
                | TooManyProcesses
                | EnabledOfItself
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            FaultKind::Assertion(text) => write!(f, "assertion violated {text}"),
            FaultKind::ArrayIndex { index, size } => {
                write!(f, "array index {index} is outside 0..{}", *size as i64 - 1)
            }
            FaultKind::DivisionByZero => write!(f, "division by zero"),
            FaultKind::UninitialisedChannel(what) => write!(f, "use of an uninitialised channel ({what})"),
            FaultKind::DeadChannel => write!(f, "use of a channel that died with its process"),
            FaultKind::TooFewArguments => write!(f, "too few arguments in a send"),
            FaultKind::TooManyArguments => write!(f, "too many arguments in a send"),
            FaultKind::MissingReceiveArguments => write!(f, "too few arguments in a receive"),
            FaultKind::TooManyReceiveArguments => write!(f, "too many arguments in a receive"),
            FaultKind::PollRendezvous => write!(f, "a rendezvous channel cannot be polled"),
            FaultKind::DStepBlocks => write!(f, "a statement inside a d_step blocks"),
            FaultKind::DStepSelectionBlocks => write!(f, "a selection inside a d_step has no executable option"),
            FaultKind::DStepRendezvous => write!(f, "a rendezvous send inside a d_step"),
            FaultKind::DStepEndless => write!(f, "a d_step does not end"),
            FaultKind::NoMatchingEvent => write!(f, "the trace does not allow this event"),
            FaultKind::AllEventsMatched => write!(f, "the notrace was completed"),
            FaultKind::TraceNondeterministic => write!(f, "the trace is nondeterministic here"),
            FaultKind::PriorityRange(value) => write!(f, "priority {value} is outside 1..255"),
            FaultKind::TooManyProcesses => write!(f, "more than 65,000 processes at once"),
            FaultKind::Truncated(truncated) => write!(f, "a value is truncated: {truncated}"),
            FaultKind::EnabledOfItself => write!(f, "enabled() of the process itself"),
        }
    }
}
