//! States and steps: what every search runs on.
//!
//! A [`System`] hands out an initial state and writes all successors of a state into a caller-owned [`Batch`]. A
//! successor is a state at which the scheduler is free: an atomic sequence, a d_step or a handshake is one successor,
//! and the steps inside it are listed with it. Scratch memory is per thread and handed in.

mod atomic;
mod batch;
mod channel;
pub mod checked;
mod coverage;
pub mod cutoff;
pub mod distance;
mod dstep;
mod eval;
mod execute;
pub mod fault;
mod handshake;
pub mod input;
pub mod interpreter;
mod memo;
pub mod observe;
mod process;
mod seen;
mod steps;
pub mod state;
#[cfg(test)]
mod tests;
mod trace;
pub mod truncation;

use crate::machine;
use crate::program::Program;
use ltl::scc::Class;

pub use batch::{Batch, Completions, Entry, Outcome, Receiver, Step};
pub use coverage::Coverage;
pub use cutoff::{Cutoff, Effort, Halt};
pub use fault::{CLAIM_COMPLETED, Fault, FaultKind};
pub use interpreter::{Control, Interpreter, Savings, Scratch};
pub use observe::Observer;
pub use seen::Seen;
pub use truncation::{OnTruncation, Truncated, Truncation, Truncations};

/// Trees of the depth the parser admits are built, walked, evaluated and dropped recursively.
const DEEP_STACK: usize = 512 << 20;

/// The size of a stack that is deep enough for any model, or as much of it as the address space has room for beside everything else.
pub fn deep_stack() -> usize {
    let left = machine::address_space_left().map_or(usize::MAX, |left| left as usize);
    DEEP_STACK.min(left / 8)
}

/// Whether expansions may go on a little beyond the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grace {
    /// A limit is met a little later, so that what was found can be completed.
    Granted,
    /// The limits are met as they are set.
    Over,
}

/// Whether the run has ended in a state. Mostly the state tells; where it does not ([`System::remembers_endings`]), the
/// search must remember how it came to the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Run {
    /// Some process may move on.
    #[default]
    GoesOn,
    /// The state repeats forever. Here `np_` is false (as spin: pangen1.h, `np_` in a stutter step).
    Ended,
}

/// How a run ends in a state without successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All processes and the trace may end here, and every buffered channel is empty.
    Valid,
    /// Processes may end here, but messages are left in channels.
    MessagesLeft,
    /// Some process, or the trace, may not end here: a deadlock.
    Invalid,
}

/// Something that has states and steps. What is known of a state, its marks, is asked for here, too; a system without a claim has those
/// that are given here.
pub trait System: Sync {
    /// Per-thread memory.
    type Scratch: Send;

    /// New memory for one thread.
    fn scratch(&self) -> Self::Scratch;

    /// The first state, or the fault that happened while it was set up.
    fn initial(&self, scratch: &mut Self::Scratch) -> Result<Vec<u64>, Fault>;

    /// Appends all successors of `state` to `batch`, in the order in which pan explores them. Calls `watch` from time to
    /// time while the batch grows, so that a search can prefetch; entries may still change after it was called.
    fn successors(
        &self,
        state: &[u64],
        run: Run,
        scratch: &mut Self::Scratch,
        batch: &mut Batch,
        watch: impl FnMut(&Batch),
    );

    /// Appends the successors by moves of one process. `timeout` is false.
    fn process_successors(&self, state: &[u64], pid: usize, scratch: &mut Self::Scratch, batch: &mut Batch);

    /// How a run ends in a state without successors.
    fn end(&self, state: &[u64], scratch: &mut Self::Scratch) -> End;

    /// The claim has seen enough: whatever follows, the run violates the property. Says why. Such a state has no successors,
    /// except, for the sake of pan's counts, one that is decided, too (`property/product.rs`).
    fn decided(&self, _state: &[u64]) -> Option<&'static str> {
        None
    }

    /// A cycle through this state is accepting.
    fn is_accepting(&self, _state: &[u64], _scratch: &mut Self::Scratch) -> bool {
        false
    }

    /// The component of the claim's state: no cycle leaves it.
    fn component(&self, _state: &[u64]) -> u32 {
        0
    }

    /// Which of the cycles in that component are accepting: none, some or all.
    fn class(&self, _state: &[u64]) -> Class {
        Class::N
    }

    /// Where the claim is.
    fn claim_state(&self, _state: &[u64]) -> u32 {
        0
    }

    /// States tell whether the run has ended.
    fn remembers_endings(&self) -> bool {
        true
    }

    /// Whether a run that was like `run` before this step has ended after it, as far as its state does not tell.
    fn run_after(&self, run: Run, step: Step) -> Run {
        if step == Step::STUTTER && !self.remembers_endings() { Run::Ended } else { run }
    }

    /// What can be read off states.
    fn observer<'o>(&'o self, scratch: &'o mut Self::Scratch) -> Observer<'o>;

    /// What was covered with this memory.
    fn coverage(scratch: &mut Self::Scratch) -> &mut Coverage;

    /// What the claim has seen with this memory, if there is one.
    fn seen(_scratch: Self::Scratch) -> Option<Seen> {
        None
    }

    /// Words at the start of a state, behind the first, that are not compared.
    fn hidden_words(&self) -> usize;

    /// What the states are states of.
    fn program(&self) -> &Program;

    /// When expansions are abandoned.
    fn cutoff(&self) -> &Cutoff;

    /// From now on expansions go on a little beyond the limits, or do not any more: what was found is to be completed.
    fn set_grace(&self, grace: Grace, scratch: &mut Self::Scratch);
}
