//! What to search and what to look for.
//!
//! A search that looks at states, in whatever order, need not know whether it is after violations of safety or bad prefixes;
//! one that walks from state to state need not know which cycles are accepting, and why. The marks of a state are the system's; what is
//! wrong with a state, or behind it, is said here.

use super::witness::{self, bad_prefix};
use super::{Checks, Tally, Violation};
use crate::property::{Claim, Fairness, Product};
use crate::reduce::Reduction;
use crate::store::{StateId, States, Visited};
use crate::system::{Batch, End, Interpreter, Outcome, System};
use ltl::scc::Class;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::iter;
use std::ops::Range;

/// A system, and what is wrong with its states and runs.
pub struct Problem<'p, S> {
    /// What is searched.
    pub system: S,
    /// The violations that count.
    pub checks: Checks,
    /// How to reduce the search, if the model and the property allow it.
    pub reduction: Option<Reduction<'p>>,
    /// The claim, if the system is a product.
    pub claim: Option<&'p Claim>,
    /// What an accepting cycle is called. Without a claim there is none.
    pub cycles: Violation,
    /// Which runs count.
    pub fairness: Fairness,
}

/// Violations that show in a state of a model.
pub type SafetyProblem<'p> = Problem<'p, Interpreter<'p>>;
/// Accepting cycles of the product of a model and a claim.
pub type CycleProblem<'p> = Problem<'p, Product<'p, Interpreter<'p>>>;

impl<'p, S: System> Problem<'p, S> {
    /// Whether something is wrong with a state of a system, or fails behind it.
    pub fn of_safety(system: S, checks: Checks) -> Problem<'p, S> {
        let (cycles, fairness) = (Violation::AcceptanceCycle, Fairness::None);
        Problem { system, checks, reduction: None, claim: None, cycles, fairness }
    }

    /// The same, with what is known of a reduction.
    pub fn with_reduction(self, reduction: Option<Reduction<'p>>) -> Problem<'p, S> {
        Problem { reduction, ..self }
    }
}

/// Where weak fairness is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairnessBy {
    /// In the states of the product, round by round.
    States,
    /// On edges, or not at all: a bad prefix can always be continued fairly.
    Edges,
}

/// The cycles that violate a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycles {
    /// What an accepting cycle is called.
    pub violation: Violation,
    /// Which runs count.
    pub fairness: Fairness,
}

impl<'p, S: System> Problem<'p, Product<'p, S>> {
    /// Whether a claim accepts a run of a system; an error says why there is no product.
    pub fn of_claim(
        system: S,
        claim: &'p Claim,
        cycles: Cycles,
        counted: FairnessBy,
        checks: Checks,
    ) -> Result<Problem<'p, Product<'p, S>>, String> {
        let Cycles { violation, fairness } = cycles;
        let counted = match counted {
            FairnessBy::Edges => Fairness::None,
            FairnessBy::States => fairness,
        };
        let system = Product::new(system, claim, counted)?;
        Ok(Problem { system, checks, reduction: None, claim: Some(claim), cycles: violation, fairness })
    }
}

/// A violation that shows in one state or behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Its kind.
    pub violation: Violation,
    /// What went wrong, in a few words.
    pub message: String,
    /// The step that fails, if it is one.
    pub step: Option<FailingStep>,
}

/// A step that fails: an entry of the batch that is a fault, not a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailingStep {
    /// Its number among the successors.
    pub entry: usize,
    /// Its transition.
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

/// A state in a store, and how its notes tell the way to it.
pub struct Reached<S> {
    /// The state.
    pub state: StateId,
    /// The states from the initial one to it.
    pub path_to: fn(&S, StateId) -> Vec<StateId>,
}

impl<V: Visited> Reached<V> {
    /// A state in a store whose notes are parents.
    pub fn by_parents(state: StateId) -> Reached<V> {
        Reached { state, path_to: witness::path_to }
    }
}

impl<S> Reached<S> {
    fn path(&self, store: &S) -> Vec<StateId> {
        (self.path_to)(store, self.state)
    }
}

/// What is said about a run that ends where it must not.
const INVALID_END: &str = "invalid end state";

impl<S: System> Problem<'_, S> {
    /// An accepting cycle.
    pub fn cycle(&self) -> Wrong {
        let kind = if self.cycles == Violation::NonProgressCycle { "non-progress" } else { "acceptance" };
        Wrong { violation: self.cycles, message: format!("{kind} cycle"), step: None }
    }

    /// A cycle through `source` and, next, `target` is accepting because all cycles there are.
    pub fn closes(&self, source: &[u64], target: &[u64]) -> bool {
        self.system.class(target) == Class::F && self.system.component(source) == self.system.component(target)
    }

    /// An accepting cycle may lead through this state, for all that the claim tells.
    pub fn may_accept(&self, state: &[u64]) -> bool {
        self.claim.is_none() || self.system.class(state) != Class::N
    }

    /// Looks for violations in a state whose successors are these entries of the batch.
    pub fn judge<V: States>(
        &self,
        store: &V,
        reached: Reached<V>,
        batch: &Batch,
        entries: Range<usize>,
        scratch: &mut S::Scratch,
        tally: &mut Tally,
    ) {
        let is_end = entries.is_empty();
        for entry in &batch.entries[entries] {
            if let Outcome::Fault(fault) = entry.outcome {
                let witness = || witness::along(&self.system, store, &reached.path(store), batch.steps(entry), scratch);
                tally.fault(&batch.faults[fault as usize], entry.step, witness);
            }
            if tally.stopped() {
                return;
            }
        }
        if is_end {
            self.judge_end(store, reached.state, || reached.path(store), scratch, tally);
        }
    }

    /// Notes what is wrong with a state without successors, to which `path` leads.
    pub fn judge_end(
        &self,
        store: &impl States,
        state: StateId,
        path: impl FnOnce() -> Vec<StateId>,
        scratch: &mut S::Scratch,
        tally: &mut Tally,
    ) {
        let mut buffer = Vec::new();
        let words = store.recall(state, &mut buffer);
        if let Some(message) = self.system.decided(words) {
            let witness = || bad_prefix(&self.system, store, &path(), scratch);
            tally.violation(Violation::ClaimCompleted, message.into(), witness);
        } else if self.is_deadlock(words, scratch) {
            let place = self.place_of_end(words, scratch);
            let witness = || witness::along(&self.system, store, &path(), iter::empty(), scratch);
            tally.violation_at(place, Violation::InvalidEndState, INVALID_END.into(), witness);
        }
    }

    /// What is wrong with a state that has these successors, if anything is.
    pub fn wrong(&self, state: &[u64], successors: &Batch, scratch: &mut S::Scratch) -> Option<Wrong> {
        let without_step = |violation, message: &str| Wrong { violation, message: message.into(), step: None };
        let fault = faults_in(successors, self.checks).next();
        if fault.is_some() || !successors.entries.is_empty() {
            return fault;
        }
        let decided = self.system.decided(state).map(|message| without_step(Violation::ClaimCompleted, message));
        decided
            .or_else(|| self.is_deadlock(state, scratch).then(|| without_step(Violation::InvalidEndState, INVALID_END)))
    }

    /// Whether a state without successors is an invalid end state.
    fn is_deadlock(&self, state: &[u64], scratch: &mut S::Scratch) -> bool {
        self.checks.end_states
            && match self.system.end(state, scratch) {
                End::Valid => false,
                End::MessagesLeft => self.checks.channels_empty,
                End::Invalid => true,
            }
    }

    /// What tells an end state from others: where its processes are.
    fn place_of_end(&self, state: &[u64], scratch: &mut S::Scratch) -> u64 {
        let mut hasher = FxHasher::default();
        self.system.observer(scratch).control(state).for_each(|place| place.hash(&mut hasher));
        hasher.finish()
    }
}

/// The faults that count.
pub fn faults_in(batch: &Batch, checks: Checks) -> impl Iterator<Item = Wrong> + '_ {
    batch.entries.iter().enumerate().filter_map(move |(number, entry)| match entry.outcome {
        Outcome::Fault(fault) if checks.wants(&batch.faults[fault as usize], entry.step) => {
            let fault = &batch.faults[fault as usize];
            let violation = fault.violation();
            let step = || FailingStep { entry: number, transition: entry.step.transition };
            let step = violation.is_of_a_step().then(step);
            Some(Wrong { violation, message: fault.to_string(), step })
        }
        _ => None,
    })
}
