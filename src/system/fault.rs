//! What can go wrong in a step: faults of the model, reported as violations with a trail.

use super::truncation::Truncated;
use std::fmt;

/// A fault of the model: in a step, in an initial value or in a claim. Its `Display` is the message for users.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
}

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// With the assertion as SPIN prints it.
    Assertion(Box<str>),
    /// An index is outside its array.
    ArrayIndex {
        /// The value of the index.
        index: i32,
        /// The number of elements of the array.
        size: u32,
    },
    /// The right operand of `/` or `%` is 0.
    DivisionByZero,
    /// A channel variable that names no channel, and the operation.
    UninitialisedChannel(&'static str),
    /// A channel that died with its process.
    DeadChannel,
    /// A send has fewer arguments than the channel has fields.
    TooFewArguments,
    /// A send has more arguments than the channel has fields.
    TooManyArguments,
    /// A receive has fewer arguments than the channel has fields.
    MissingReceiveArguments,
    /// A receive or a poll has more arguments than the channel has fields.
    TooManyReceiveArguments,
    /// `?[…]` or `?<…>` on a rendezvous channel.
    PollRendezvous,
    /// A statement inside a `d_step` is not executable when its turn comes.
    DStepBlocks,
    /// A selection inside a `d_step` has no executable option.
    DStepSelectionBlocks,
    /// A statement inside a `d_step` sends on a rendezvous channel.
    DStepRendezvous,
    /// A `d_step` repeats a state, or has executed 50 million statements.
    DStepEndless,
    /// The `trace` observes a send or a receive that it does not allow.
    NoMatchingEvent,
    /// The `notrace` has come to its end: the run is one that it forbids.
    AllEventsMatched,
    /// More than one transition of the `trace` or `notrace` matches an event.
    TraceNondeterministic,
    /// A priority is set to this value, which is outside 1..255.
    PriorityRange(i32),
    /// A process is created while there are 65,000 already.
    TooManyProcesses,
    /// `enabled()` is asked of the process that evaluates it, directly or through other processes.
    EnabledOfItself,
    /// A value that does not fit where it is stored, if that is a fault.
    Truncated(Box<Truncated>),
    /// A never claim has come to its end, in a state that has a successor nevertheless.
    ClaimCompleted,
}

/// What is said of a claim at its end.
pub const CLAIM_COMPLETED: &str = "the claim has come to its end";

/// The violation kinds of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Violation {
    /// An assertion is false.
    Assertion,
    /// A run ends where it may not: a deadlock, or messages left in channels where that is checked.
    InvalidEndState,
    /// An index is outside its array.
    ArrayIndex,
    /// Any other fault in a step: a division by zero, a wrong use of a channel, a `d_step` that blocks.
    RuntimeError,
    /// The `trace` or `notrace` is violated, or is nondeterministic.
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

    /// The name in the JSON output, for example `invalid-end-state`.
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
    /// The kind of violation as which the fault is reported.
    pub fn violation(&self) -> Violation {
        match self.kind {
            FaultKind::Assertion(_) => Violation::Assertion,
            FaultKind::ArrayIndex { .. } => Violation::ArrayIndex,
            FaultKind::Truncated(_) => Violation::Truncation,
            FaultKind::ClaimCompleted => Violation::ClaimCompleted,
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
            FaultKind::ClaimCompleted => write!(f, "{CLAIM_COMPLETED}"),
            FaultKind::EnabledOfItself => write!(f, "enabled() of the process itself"),
        }
    }
}
