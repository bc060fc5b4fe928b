//! The product of a system and a claim: again a system.
//!
//! A state of the product is a state of the system with the claim's state in the spare half word of its header. It is
//! the claim's state before it has looked at this state of the system (as pan stores it). A step:
//!
//! ```text
//! (s, c): for each move c → c' that s allows:
//!   for each successor s' of s: (s', c')
//!   if there is none, the run has ended and s repeats: (s, c')
//! ```
//!
//! A claim without a move drops the run. All successors of `s` are found once and copied for each further move.

use super::claim::{Claim, ClaimState};
use crate::system::observe::{Moves, Sight};
use crate::system::{Batch, Fault, Interpreter, Outcome, Scratch, System};

pub struct Product<'p> {
    pub system: Interpreter<'p>,
    pub claim: &'p Claim,
    /// Processes have acceptance labels, and they count.
    labels: bool,
}

/// Per-thread memory of a product.
pub struct ProductScratch {
    pub system: Scratch,
    source: Vec<u64>,
    moves: Moves,
}

const CLAIM_SHIFT: u32 = 48;

/// The claim's state in a state of the product.
#[inline]
pub fn claim_state(state: &[u64]) -> ClaimState {
    (state[0] >> CLAIM_SHIFT) as ClaimState
}

#[inline]
pub fn set_claim_state(state: &mut [u64], claim: ClaimState) {
    state[0] = state[0] & !(0xffff << CLAIM_SHIFT) | (claim as u64) << CLAIM_SHIFT;
}

impl<'p> Product<'p> {
    /// An error says why there is no product.
    pub fn new(system: Interpreter<'p>, claim: &'p Claim) -> Result<Product<'p>, String> {
        if claim.state_count() > 1 << 16 {
            return Err("the claim has more than 65,536 states".into());
        }
        let automata = &system.program().automata;
        let processes = automata.iter().filter(|automaton| automaton.kind != crate::model::ProctypeKind::Never);
        let labels = processes.flat_map(|automaton| &automaton.marks).any(|marks| marks.accept);
        Ok(Product { system, claim, labels })
    }

    /// Processes have acceptance labels: which cycles are accepting is not the claim's decision alone.
    pub fn has_labels(&self) -> bool {
        self.labels
    }

    pub fn is_accepting(&self, state: &[u64], scratch: &mut ProductScratch) -> bool {
        self.claim.is_accepting(claim_state(state))
            || self.labels && self.system.at_accept_label(state, &mut scratch.system)
    }

    /// The moves of the claim in a state of the product; left in the scratch.
    fn look(&self, sight: Sight, from: ClaimState, scratch: &mut ProductScratch) {
        let ProductScratch { system, source, moves } = scratch;
        self.claim.moves(&self.system, source, from, sight, system, moves);
    }
}

impl System for Product<'_> {
    type Scratch = ProductScratch;

    fn scratch(&self) -> ProductScratch {
        ProductScratch { system: self.system.scratch(), source: Vec::new(), moves: Moves::default() }
    }

    fn initial(&self, scratch: &mut ProductScratch) -> Result<Vec<u64>, Fault> {
        let mut state = self.system.initial(&mut scratch.system)?;
        set_claim_state(&mut state, self.claim.initial());
        Ok(state)
    }

    fn successors(
        &self,
        state: &[u64],
        scratch: &mut ProductScratch,
        batch: &mut Batch,
        mut watch: impl FnMut(&Batch),
    ) {
        let from = claim_state(state);
        if self.claim.is_completed(from) {
            return;
        }
        scratch.source.clear();
        scratch.source.extend_from_slice(state);
        set_claim_state(&mut scratch.source, 0);
        self.look(Sight::Moving, from, scratch);
        if scratch.moves.targets.is_empty() && scratch.moves.faults.is_empty() && !self.claim.sees_endings() {
            return;
        }
        let first = batch.entries.len();
        let ProductScratch { system, source, .. } = scratch;
        self.system.successors(source, system, batch, |_| {});
        if !batch.moved_since(first) {
            self.look(Sight::Ended, from, scratch);
            for position in 0..scratch.moves.targets.len() {
                batch.push_stutter(&scratch.source);
                batch.set_claim(batch.entries.len() - 1, scratch.moves.targets[position]);
            }
        } else {
            let last = batch.entries.len();
            for (number, &target) in scratch.moves.targets.iter().enumerate() {
                let start = if number == 0 { first } else { batch.copy_states(first..last) };
                (start..batch.entries.len()).for_each(|entry| batch.set_claim(entry, target));
            }
            if scratch.moves.targets.is_empty() {
                batch.forget(first);
            }
        }
        for fault in scratch.moves.faults.drain(..) {
            batch.push_claim_fault(fault);
        }
        watch(batch);
    }

    fn valid_end(&self, state: &[u64], scratch: &mut ProductScratch) -> bool {
        self.system.valid_end(state, &mut scratch.system)
    }

    fn hidden_words(&self) -> usize {
        self.system.hidden_words()
    }
}

impl Batch {
    /// Some process moved in the entries from `first` on.
    fn moved_since(&self, first: usize) -> bool {
        self.entries[first..].iter().any(|entry| !matches!(entry.outcome, Outcome::Fault(_)))
    }

    fn set_claim(&mut self, entry: usize, claim: ClaimState) {
        if self.entries[entry].outcome == Outcome::State {
            let state = self.state_mut(entry);
            set_claim_state(state, claim);
        }
    }
}
