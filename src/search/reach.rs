//! What can be decided state by state: violations of safety, and bad prefixes.
//!
//! A search that looks at states, in whatever order, need not know which of the two it is after.

use super::shortcut::Shortcut;
use super::witness::{self, bad_prefix};
use super::{Checks, CycleProblem, Monitor, Problem, Tally, Violation};
use crate::property::Product;
use crate::property::product::ProductScratch;
use crate::store::{StateId, Store};
use crate::system::{Batch, Interpreter, Outcome, Scratch, System};
use std::ops::Range;

/// A system, and what is wrong with a state of it. States are in a store whose notes are parents.
pub trait Reach {
    type System: System;

    fn system(&self) -> &Self::System;

    fn checks(&self) -> Checks;

    /// Writes all successors of a state that are worth a look.
    fn successors(&self, state: &[u64], scratch: &mut <Self::System as System>::Scratch, batch: &mut Batch);

    /// Looks for violations in a state whose successors are these entries of the batch.
    fn judge(
        &self,
        store: &Store,
        state: StateId,
        successors: (&Batch, Range<usize>),
        scratch: &mut <Self::System as System>::Scratch,
        tally: &mut Tally,
    );

    /// The answer of a cheaper search, if there is one.
    fn ask(&self, shortcut: &mut Shortcut, states: u64, monitor: &Monitor) -> Option<Tally>;

    /// Hands over what was noted on the way.
    fn end(scratch: <Self::System as System>::Scratch, tally: &mut Tally);
}

/// Faults, and states in which a run must not end.
impl<'p> Reach for Problem<'p> {
    type System = Interpreter<'p>;

    fn system(&self) -> &Interpreter<'p> {
        &self.system
    }

    fn checks(&self) -> Checks {
        self.checks
    }

    fn successors(&self, state: &[u64], scratch: &mut Scratch, batch: &mut Batch) {
        self.system.successors(state, scratch, batch, |_| {});
    }

    fn judge(
        &self,
        store: &Store,
        state: StateId,
        (batch, entries): (&Batch, Range<usize>),
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        let end = entries.is_empty();
        faults(&self.system, store, state, (batch, entries), scratch, tally);
        if end && self.is_deadlock(store.state(state), scratch) {
            let path = witness::path_to(store, state);
            let witness = || witness::along(&self.system, store, &path, std::iter::empty(), scratch);
            tally.violation(Violation::InvalidEndState, "invalid end state".into(), witness);
        }
    }

    fn ask(&self, shortcut: &mut Shortcut, states: u64, monitor: &Monitor) -> Option<Tally> {
        shortcut.answer(states, self, monitor)
    }

    fn end(scratch: Scratch, tally: &mut Tally) {
        tally.executed = scratch.executed;
    }
}

/// Faults, and states in which the claim has seen enough. Where that is all that a claim can wait for, no search for
/// cycles is needed.
impl<'p> Reach for CycleProblem<'p> {
    type System = Product<'p>;

    fn system(&self) -> &Product<'p> {
        &self.product
    }

    fn checks(&self) -> Checks {
        self.checks
    }

    fn successors(&self, state: &[u64], scratch: &mut ProductScratch, batch: &mut Batch) {
        if self.product.is_decided(state).is_none() {
            self.product.successors(state, scratch, batch, |_| {});
        }
    }

    fn judge(
        &self,
        store: &Store,
        state: StateId,
        successors: (&Batch, Range<usize>),
        scratch: &mut ProductScratch,
        tally: &mut Tally,
    ) {
        faults(&self.product, store, state, successors, scratch, tally);
        if let Some(message) = self.product.is_decided(store.state(state)) {
            let witness = || bad_prefix(&self.product, store, &witness::path_to(store, state), scratch);
            tally.violation(Violation::ClaimCompleted, message.into(), witness);
        }
    }

    fn ask(&self, _: &mut Shortcut, _: u64, _: &Monitor) -> Option<Tally> {
        None
    }

    fn end(scratch: ProductScratch, tally: &mut Tally) {
        tally.executed = scratch.system.executed;
        tally.seen = Some(scratch.seen);
    }
}

/// The faults among the successors of a state.
fn faults<S: System>(
    system: &S,
    store: &Store,
    state: StateId,
    (batch, entries): (&Batch, Range<usize>),
    scratch: &mut S::Scratch,
    tally: &mut Tally,
) {
    for entry in &batch.entries[entries] {
        if let Outcome::Fault(fault) = entry.outcome {
            let path = || witness::path_to(store, state);
            let witness = || witness::along(system, store, &path(), batch.steps(entry), scratch);
            tally.fault(&batch.faults[fault as usize], witness);
        }
        if tally.stopped() {
            return;
        }
    }
}
