//! What a search needs to know about a problem, be it safety or cycles.
//!
//! A search that looks at states, in whatever order, need not know whether it is after violations of safety or bad prefixes;
//! one that walks from state to state need not know which cycles are accepting, and why.

use super::exhaustive::shortcut::Shortcut;
use super::guide::Guide;
use super::witness::{self, bad_prefix};
use super::{Checks, CycleProblem, Monitor, Problem, Tally, Violation};
use crate::program::Program;
use crate::program::code::Action;
use crate::property::product::ProductScratch;
use crate::property::{Claim, Product};
use crate::store::{StateId, States, Store};
use crate::system::{Batch, Entry, Interpreter, Outcome, Scratch, Step, System};
use ltl::scc::Class;
use std::ops::Range;

/// A state in a store, and how its notes tell the way to it.
pub struct Reached<S> {
    pub state: StateId,
    pub path_to: fn(&S, StateId) -> Vec<StateId>,
}

impl Reached<Store> {
    /// A state in a store whose notes are parents.
    pub fn by_parents(state: StateId) -> Reached<Store> {
        Reached { state, path_to: witness::path_to }
    }
}

impl<S> Reached<S> {
    fn path(&self, store: &S) -> Vec<StateId> {
        (self.path_to)(store, self.state)
    }
}

/// A system, and what is wrong with a state of it.
pub trait Reach {
    type System: System;

    fn system(&self) -> &Self::System;

    fn checks(&self) -> Checks;

    /// The program, and the claim if there is one.
    fn model(&self) -> (&Program, Option<&Claim>);

    /// Accepting cycles are violations, too.
    fn has_cycles(&self) -> bool {
        false
    }

    /// Writes all successors of a state that are worth a look.
    fn successors(&self, state: &[u64], scratch: &mut <Self::System as System>::Scratch, batch: &mut Batch);

    /// Looks for violations in a state whose successors are these entries of the batch.
    fn judge<S: States>(
        &self,
        store: &S,
        reached: Reached<S>,
        successors: (&Batch, Range<usize>),
        scratch: &mut <Self::System as System>::Scratch,
        tally: &mut Tally,
    );

    /// Writes the successors of a state in which the run may have `ended` without the state telling.
    fn expand(&self, state: &[u64], _ended: bool, scratch: &mut <Self::System as System>::Scratch, batch: &mut Batch) {
        self.successors(state, scratch, batch);
    }

    /// A run in which the last state `ended` or not has ended after this step, and the state does not tell.
    fn ends(&self, _ended: bool, _entry: &Entry) -> bool {
        false
    }

    /// A search that knows states only loses track of whether the run has ended.
    fn forgets_endings(&self) -> bool {
        false
    }

    /// What is wrong with a state that has these successors, if anything is.
    fn wrong(
        &self,
        state: &[u64],
        successors: &Batch,
        scratch: &mut <Self::System as System>::Scratch,
    ) -> Option<Wrong>;

    /// A cycle through this state is accepting.
    fn is_accepting(&self, _state: &[u64], _scratch: &mut <Self::System as System>::Scratch) -> bool {
        false
    }

    /// An accepting cycle may lead through this state.
    fn may_accept(&self, _state: &[u64]) -> bool {
        true
    }

    /// A cycle through `source` and, next, `target` is accepting because all cycles there are.
    fn closes(&self, _source: &[u64], _target: &[u64]) -> bool {
        false
    }

    /// What an accepting cycle is called.
    fn cycle(&self) -> Wrong;

    /// The estimate of a guide for a state.
    fn estimate(&self, guide: &Guide, state: &mut [u64], scratch: &mut <Self::System as System>::Scratch) -> u32;

    /// The estimate of a guide for the way from one state to another.
    fn between(&self, guide: &Guide, from: &[u64], to: &[u64]) -> u32;

    /// The statement of a step, if anybody moves.
    fn action(&self, step: Step) -> Option<&Action>;

    /// The answer of a cheaper search, if there is one.
    fn ask(&self, shortcut: &mut Shortcut, states: u64, monitor: &Monitor) -> Option<Tally>;

    /// Hands over what was noted on the way.
    fn end(scratch: <Self::System as System>::Scratch, tally: &mut Tally);
}

/// A violation that shows in one state or behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub violation: Violation,
    pub message: String,
    /// The step that fails, if it is one.
    pub step: Option<FailingStep>,
}

/// A step that is no step, because it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailingStep {
    /// Its number among the successors.
    pub entry: usize,
    pub transition: u32,
}

impl Wrong {
    /// What tells this from other things that may be wrong, in a state with this hash: a statement that fails is the same
    /// in whatever state it fails, an invalid end state is another one where it is another state.
    pub fn identity(&self, hash: u64) -> (Violation, &str, u64) {
        let place = match self.step {
            Some(step) => step.transition.into(),
            None if self.violation == Violation::InvalidEndState => hash,
            None => 0,
        };
        (self.violation, &self.message, place)
    }
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

    fn model(&self) -> (&Program, Option<&Claim>) {
        (self.system.program(), None)
    }

    fn successors(&self, state: &[u64], scratch: &mut Scratch, batch: &mut Batch) {
        self.system.successors(state, scratch, batch, |_| {});
    }

    fn judge<S: States>(
        &self,
        store: &S,
        reached: Reached<S>,
        (batch, entries): (&Batch, Range<usize>),
        scratch: &mut Scratch,
        tally: &mut Tally,
    ) {
        let end = entries.is_empty();
        faults(&self.system, store, &reached, (batch, entries), scratch, tally);
        if end && self.is_deadlock(store.state(reached.state), scratch) {
            let place = self.place_of_end(store.state(reached.state), scratch);
            let witness = || witness::along(&self.system, store, &reached.path(store), std::iter::empty(), scratch);
            tally.violation_at(place, Violation::InvalidEndState, "invalid end state".into(), witness);
        }
    }

    fn wrong(&self, state: &[u64], batch: &Batch, scratch: &mut Scratch) -> Option<Wrong> {
        let deadlock = batch.entries.is_empty() && self.is_deadlock(state, scratch);
        let deadlock = deadlock.then(|| Wrong {
            violation: Violation::InvalidEndState,
            message: "invalid end state".into(),
            step: None,
        });
        faults_in(batch, self.checks).next().or(deadlock)
    }

    fn cycle(&self) -> Wrong {
        unreachable!("safety has no cycles")
    }

    fn estimate(&self, guide: &Guide, state: &mut [u64], scratch: &mut Scratch) -> u32 {
        guide.estimate(&self.system, 0, state, scratch)
    }

    fn between(&self, guide: &Guide, from: &[u64], to: &[u64]) -> u32 {
        guide.between(&self.system, from, to)
    }

    fn action(&self, step: Step) -> Option<&Action> {
        action(&self.system, step)
    }

    fn ask(&self, shortcut: &mut Shortcut, states: u64, monitor: &Monitor) -> Option<Tally> {
        shortcut.answer(states, self, monitor)
    }

    fn end(scratch: Scratch, tally: &mut Tally) {
        tally.learn(scratch);
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

    fn model(&self) -> (&Program, Option<&Claim>) {
        (self.product.program(), Some(self.product.claim))
    }

    fn has_cycles(&self) -> bool {
        true
    }

    fn successors(&self, state: &[u64], scratch: &mut ProductScratch, batch: &mut Batch) {
        if self.product.is_decided(state).is_none() {
            self.product.successors(state, scratch, batch, |_| {});
        }
    }

    fn judge<S: States>(
        &self,
        store: &S,
        reached: Reached<S>,
        successors: (&Batch, Range<usize>),
        scratch: &mut ProductScratch,
        tally: &mut Tally,
    ) {
        faults(&self.product, store, &reached, successors, scratch, tally);
        if let Some(message) = self.product.is_decided(store.state(reached.state)) {
            let witness = || bad_prefix(&self.product, store, &reached.path(store), scratch);
            tally.violation(Violation::ClaimCompleted, message.into(), witness);
        }
    }

    fn expand(&self, state: &[u64], ended: bool, scratch: &mut ProductScratch, batch: &mut Batch) {
        if ended {
            self.product.successors_once_ended(state, scratch, batch);
        } else {
            self.successors(state, scratch, batch);
        }
    }

    fn ends(&self, ended: bool, entry: &Entry) -> bool {
        self.forgets_endings() && (ended || entry.step == Step::STUTTER)
    }

    fn forgets_endings(&self) -> bool {
        !self.product.remembers_endings()
    }

    fn wrong(&self, state: &[u64], batch: &Batch, _: &mut ProductScratch) -> Option<Wrong> {
        let decided = self.product.is_decided(state);
        let decided =
            decided.map(|message| Wrong { violation: Violation::ClaimCompleted, message: message.into(), step: None });
        faults_in(batch, self.checks).next().or(decided)
    }

    fn is_accepting(&self, state: &[u64], scratch: &mut ProductScratch) -> bool {
        self.product.is_accepting(state, scratch)
    }

    fn may_accept(&self, state: &[u64]) -> bool {
        self.product.class(state) != Class::N
    }

    fn closes(&self, source: &[u64], target: &[u64]) -> bool {
        self.product.class(target) == Class::F && self.product.component(source) == self.product.component(target)
    }

    fn cycle(&self) -> Wrong {
        Wrong { violation: self.violation, message: self.message(), step: None }
    }

    fn estimate(&self, guide: &Guide, state: &mut [u64], scratch: &mut ProductScratch) -> u32 {
        guide.estimate(&self.product.system, self.product.claim_state(state), state, &mut scratch.system)
    }

    fn between(&self, guide: &Guide, from: &[u64], to: &[u64]) -> u32 {
        guide.between(&self.product.system, from, to)
    }

    fn action(&self, step: Step) -> Option<&Action> {
        action(&self.product.system, step)
    }

    fn ask(&self, _: &mut Shortcut, _: u64, _: &Monitor) -> Option<Tally> {
        None
    }

    fn end(scratch: ProductScratch, tally: &mut Tally) {
        tally.learn(scratch.system);
        tally.seen = Some(scratch.seen);
    }
}

/// The faults that count.
pub fn faults_in(batch: &Batch, checks: Checks) -> impl Iterator<Item = Wrong> + '_ {
    batch.entries.iter().enumerate().filter_map(move |(number, entry)| match entry.outcome {
        Outcome::Fault(fault) if checks.wants(&batch.faults[fault as usize], entry.step) => {
            let fault = &batch.faults[fault as usize];
            let step = FailingStep { entry: number, transition: entry.step.transition };
            Some(Wrong { violation: fault.violation(), message: fault.to_string(), step: Some(step) })
        }
        _ => None,
    })
}

fn action<'p>(system: &Interpreter<'p>, step: Step) -> Option<&'p Action> {
    system.program().transitions.get(step.transition as usize).map(|transition| &transition.action)
}

/// The faults among the successors of a state.
fn faults<Y: System, S: States>(
    system: &Y,
    store: &S,
    reached: &Reached<S>,
    (batch, entries): (&Batch, Range<usize>),
    scratch: &mut Y::Scratch,
    tally: &mut Tally,
) {
    for entry in &batch.entries[entries] {
        if let Outcome::Fault(fault) = entry.outcome {
            let witness = || witness::along(system, store, &reached.path(store), batch.steps(entry), scratch);
            tally.fault(&batch.faults[fault as usize], entry.step, witness);
        }
        if tally.stopped() {
            return;
        }
    }
}
