//! The product of a system and a claim: again a system.
//!
//! A state of the product is a state of the system with the claim's state in the spare half word of its header. It is
//! the claim's state before it has looked at this state of the system (as pan stores it). A step:
//!
//! ```text
//! (s, c): for each move c → c' that s allows, for each successor s' of s: (s', c')
//! if there is no successor, the run has ended and s repeats: (s, c') and, from then on, claim moves only
//! ```
//!
//! A claim without a move drops the run. All successors of `s` are found once and copied for each further move.
//!
//! That a run has ended is part of the state for automata. For never claims it is not, so that states are counted as pan
//! counts them: pan lets the claim look twice when the run ends, before it stores anything (pan.c, at `Stutter:`), and
//! takes the states before and after that for the same. A search has to remember then how it came to a state
//! ([`Product::remembers_endings`]).

use super::claim::{Claim, ClaimState};
use crate::model::ProctypeKind;
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

/// Where the claim's state is in the first word of a state.
const CLAIM_SHIFT: u32 = 48;
const MAX_CLAIM_STATES: usize = 1 << 15;
/// The bit that says that the run has ended.
const ENDED: u64 = 1 << 63;

/// The claim's state in a state of the product.
#[inline]
pub fn claim_state(state: &[u64]) -> ClaimState {
    ((state[0] & !ENDED) >> CLAIM_SHIFT) as ClaimState
}

#[inline]
fn set_claim_state(state: &mut [u64], claim: ClaimState) {
    state[0] = state[0] & !(0xffff << CLAIM_SHIFT) | (claim as u64) << CLAIM_SHIFT;
}

impl<'p> Product<'p> {
    /// An error says why there is no product.
    pub fn new(system: Interpreter<'p>, claim: &'p Claim) -> Result<Product<'p>, String> {
        if claim.state_count() > MAX_CLAIM_STATES {
            return Err(format!("the claim has more than {MAX_CLAIM_STATES} states"));
        }
        let automata = &system.program().automata;
        let processes = automata.iter().filter(|automaton| automaton.kind != ProctypeKind::Never);
        let labels = claim.heeds_labels() && processes.flat_map(|automaton| &automaton.marks).any(|marks| marks.accept);
        Ok(Product { system, claim, labels })
    }

    /// States tell whether the run has ended. If not, a search must know, and expand states that it has come to by a step in
    /// which nobody moved with [`System::successors_once_ended`].
    pub fn remembers_endings(&self) -> bool {
        !self.claim.is_never()
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

    /// The run has ended, and the claim has just looked.
    fn end(&self, scratch: &mut ProductScratch, batch: &mut Batch) {
        if self.remembers_endings() {
            return self.repeat(scratch, batch);
        }
        for target in std::mem::take(&mut scratch.moves.targets) {
            if self.claim.is_completed(target) {
                scratch.moves.targets = vec![target];
            } else {
                self.look(Sight::Ended, target, scratch);
            }
            self.repeat(scratch, batch);
        }
    }

    /// The state again, once for each move of the claim.
    fn repeat(&self, scratch: &mut ProductScratch, batch: &mut Batch) {
        let ended = if self.remembers_endings() { ENDED } else { 0 };
        for &target in &scratch.moves.targets {
            batch.push_stutter(&scratch.source);
            let entry = batch.entries.len() - 1;
            batch.set_claim(entry, target);
            batch.state_mut(entry)[0] |= ended;
        }
        for fault in scratch.moves.faults.drain(..) {
            batch.push_claim_fault(fault);
        }
    }
}

impl ProductScratch {
    /// Takes over a state, without what is the product's.
    fn take_source(&mut self, state: &[u64]) {
        self.source.clear();
        self.source.extend_from_slice(state);
        set_claim_state(&mut self.source, 0);
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

    fn successors(&self, state: &[u64], scratch: &mut ProductScratch, batch: &mut Batch, mut watch: impl FnMut(&Batch)) {
        if state[0] & ENDED != 0 {
            return self.successors_once_ended(state, scratch, batch);
        }
        let from = claim_state(state);
        if self.claim.is_completed(from) {
            return;
        }
        scratch.take_source(state);
        self.look(Sight::Moving, from, scratch);
        if !scratch.moves.targets.is_empty() {
            let first = batch.entries.len();
            let ProductScratch { system, source, moves } = scratch;
            self.system.successors(source, system, batch, |_| {});
            if batch.moved_since(first) {
                let last = batch.entries.len();
                for (number, &target) in moves.targets.iter().enumerate() {
                    let start = if number == 0 { first } else { batch.copy_states(first..last) };
                    (start..batch.entries.len()).for_each(|entry| batch.set_claim(entry, target));
                }
            } else {
                self.end(scratch, batch);
            }
        }
        for fault in scratch.moves.faults.drain(..) {
            batch.push_claim_fault(fault);
        }
        watch(batch);
    }

    fn successors_once_ended(&self, state: &[u64], scratch: &mut ProductScratch, batch: &mut Batch) {
        let from = claim_state(state);
        if self.claim.is_completed(from) {
            return;
        }
        scratch.take_source(state);
        self.look(Sight::Ended, from, scratch);
        self.repeat(scratch, batch);
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
