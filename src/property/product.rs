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
//! ([`System::remembers_endings`]). Where the claim is accepting in between, we store that state.
//!
//! The end of a never claim is an error in pan when the claim moves there and again in each new state with the claim at its
//! end ([`crate::system::Completions`] has the moves). The claim is a process there, the last one to die. From `s`:
//!
//! ```text
//! c → end, then a move to (s', end):  an error in each state inside an atomic sequence, too;
//!                                     if no process is left in s', the claim dies: one more error, no state
//! c → end when the run has ended,
//!   in the first look:                an error, no state; if no process is left, the claim dies: dead(s)
//!   in a later one, to (s, end):      an error if new; if no process is left, the claim dies: dead(s)
//! dead(s):                            a state without any process; an error if new
//! ```
//!
//! dead(s) is (s, end) with the mark that the run has ended. Where the first look finds the end, we store it even if
//! processes are left, so that searches find the error, and do not count it.
//!
//! With weak fairness the claim's state is paired with a level ([`super::fairness`]).

use super::claim::{Claim, ClaimState};
use super::fairness::{self, Level, Pids};
use crate::program::Program;
use crate::system::observe::Moves;
use crate::system::state::{bytes, process_count};
use crate::system::{Batch, Coverage, Cutoff, End, Fault, FaultKind, Grace, Observer, Outcome, Run, Seen, System};
use ltl::scc::Class;

/// A system together with a claim that watches its runs.
pub struct Product<'p, S> {
    /// The system whose runs are watched.
    pub system: S,
    /// The claim that watches them.
    pub claim: &'p Claim,
    /// Processes have acceptance labels, and they count.
    labels: bool,
    fairness: Fairness,
}

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// All runs.
    None,
    /// Those in which every process that can always move, from some moment on, moves again and again.
    Weak,
}

/// Per-thread memory of a product.
pub struct ProductScratch<S> {
    system: S,
    source: Vec<u64>,
    moves: Moves,
    pub(super) seen: Seen,
    /// The processes that can move in the current state.
    able: Pids,
    /// The processes that move in a step.
    movers: Pids,
}

/// Where the claim's state is in the first word of a state.
const CLAIM_SHIFT: u32 = 48;
/// What fits beside the bit below.
const MAX_EXTRA: u32 = 1 << 15;
/// The bit that says that the run has ended.
const ENDED: u64 = 1 << 63;

/// What the product adds to a state: the claim's state and, multiplied by their number, the level.
#[inline]
pub fn extra(state: &[u64]) -> u32 {
    ((state[0] & !ENDED) >> CLAIM_SHIFT) as u32
}

/// Also says that the run has not ended.
#[inline]
pub fn set_extra(state: &mut [u64], extra: u32) {
    state[0] = state[0] & !(0xffff << CLAIM_SHIFT) | (extra as u64) << CLAIM_SHIFT;
}

impl<'p, S: System> Product<'p, S> {
    /// An error says why there is no product.
    pub fn new(system: S, claim: &'p Claim, fairness: Fairness) -> Result<Product<'p, S>, String> {
        if claim.state_count() > MAX_EXTRA as usize / 3 {
            return Err(format!("the claim has more than {} states", MAX_EXTRA / 3));
        }
        let labels = claim.heeds_labels() && system.program().has_accept_labels();
        Ok(Product { system, claim, labels, fairness })
    }

    /// The claim, or a label, accepts here.
    fn satisfies(&self, state: &[u64], scratch: &mut ProductScratch<S::Scratch>) -> bool {
        self.claim.is_accepting(self.claim_state(state))
            || self.labels && self.system.observer(&mut scratch.system).at_accept_label(state)
    }

    fn level(&self, state: &[u64]) -> Level {
        extra(state) / self.claim.state_count() as u32
    }

    /// The moves of the claim in a state of the product; left in the scratch.
    fn look(&self, run: Run, from: ClaimState, scratch: &mut ProductScratch<S::Scratch>) {
        let ProductScratch { system, source, moves, seen, .. } = scratch;
        self.claim.moves(&mut self.system.observer(system), source, run, from, moves);
        seen.note(moves);
    }

    /// Gives an entry the claim's next state, and the level behind its steps.
    fn adorn(
        &self,
        entry: usize,
        target: ClaimState,
        from: Option<Level>,
        scratch: &mut ProductScratch<S::Scratch>,
        batch: &mut Batch,
    ) {
        if batch.entries[entry].outcome != Outcome::State {
            return;
        }
        let level = from.map_or(0, |from| {
            let ProductScratch { source, able, movers, .. } = scratch;
            movers.clear();
            batch.steps(&batch.entries[entry]).for_each(|step| movers.add_movers(step));
            fairness::next(from, process_count(bytes(source)) as u32, |pid| movers.contains(pid) || !able.contains(pid))
        });
        let claims = self.claim.state_count() as u32;
        if (level + 1) * claims > MAX_EXTRA {
            batch.crowd = Some(MAX_EXTRA / claims - 2);
            batch.entries[entry].outcome = Outcome::Endless;
            return;
        }
        set_extra(batch.state_mut(entry), target + level * claims);
    }

    /// The level from which steps out of a state are counted, with fairness.
    fn counted_from(&self, state: &[u64], scratch: &mut ProductScratch<S::Scratch>) -> Option<Level> {
        (self.fairness == Fairness::Weak).then(|| fairness::start(self.level(state), self.satisfies(state, scratch)))
    }

    /// Takes over a state and lets the claim look at it; false if the claim drops the run.
    fn claim_moves(&self, state: &[u64], scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) -> bool {
        scratch.take_source(state);
        self.look(Run::GoesOn, self.claim_state(state), scratch);
        scratch.moves.faults.drain(..).for_each(|fault| batch.push_claim_fault(fault));
        !scratch.moves.targets.is_empty()
    }

    /// Pairs the system's moves, which the batch has besides those from before, with those of the claim. As in pan, what fails in a move
    /// fails once for each move of the claim.
    fn pair(&self, before: Before, level: Option<Level>, scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) {
        let (first, last) = (before.entries, batch.entries.len());
        let atomic_steps = batch.atomic_steps - before.atomic_steps;
        let completed = |target: &&ClaimState| self.claim.is_completed(**target);
        let completed = scratch.moves.targets.iter().filter(completed).count() as u64;
        batch.completions.moves += completed * (1 + atomic_steps);
        scratch.able.clear();
        if level.is_some() {
            batch.entries[first..]
                .iter()
                .filter_map(|entry| batch.steps(entry).next())
                .for_each(|step| scratch.able.add(step.pid));
        }
        let targets = std::mem::take(&mut scratch.moves.targets);
        for (number, &target) in targets.iter().enumerate() {
            let start = if number == 0 { first } else { batch.copy_entries(first..last) };
            (start..batch.entries.len()).for_each(|entry| self.adorn(entry, target, level, scratch, batch));
        }
        batch.repeat_executed(before.executed, targets.len());
        scratch.moves.targets = targets;
    }

    /// The run has ended, and the claim has just looked.
    fn end_run(&self, level: Option<Level>, scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) {
        if self.remembers_endings() {
            return self.repeat(level, scratch, batch);
        }
        for target in std::mem::take(&mut scratch.moves.targets) {
            if self.claim.is_completed(target) {
                self.complete(target, scratch, batch);
                continue;
            }
            self.look(Run::Ended, target, scratch);
            // what the claim passes through must not be lost if it may be all that it accepts
            let accepts = self.claim.is_accepting(target) && self.claim.class(target) != Class::N;
            if accepts && !scratch.moves.targets.is_empty() {
                scratch.moves.targets = vec![target];
                scratch.moves.faults.clear();
            }
            self.repeat(level, scratch, batch);
        }
    }

    /// The claim has moved to its end in the first look after the end of a run.
    fn complete(&self, target: ClaimState, scratch: &ProductScratch<S::Scratch>, batch: &mut Batch) {
        batch.completions.moves += 1;
        batch.completions.uncounted_moves += (process_count(bytes(&scratch.source)) > 0) as u64;
        self.push_dead(target, scratch, batch);
    }

    /// Appends dead(s).
    fn push_dead(&self, target: ClaimState, scratch: &ProductScratch<S::Scratch>, batch: &mut Batch) {
        batch.push_stutter(&scratch.source);
        let state = batch.state_mut(batch.entries.len() - 1);
        set_extra(state, target);
        state[0] |= ENDED;
    }

    /// What pan reports, or stores, behind a state in which a never claim has come to its end.
    fn outlive(&self, state: &[u64], run: Run, scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) {
        let is_left = process_count(bytes(state)) > 0;
        if state[0] & ENDED != 0 {
            batch.completions.uncounted_states += is_left as u64;
        } else if !is_left && run == Run::GoesOn {
            batch.completions.moves += 1;
        } else if !is_left {
            scratch.take_source(state);
            batch.push_claim_fault(Fault { kind: FaultKind::ClaimCompleted });
            self.push_dead(self.claim_state(state), scratch, batch);
        }
    }

    /// Appends the successors of a state in which the run has ended.
    fn go_on_forever(&self, state: &[u64], scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) {
        let level = self.counted_from(state, scratch);
        scratch.take_source(state);
        self.look(Run::Ended, self.claim_state(state), scratch);
        self.repeat(level, scratch, batch);
    }

    /// The state again, once for each move of the claim.
    fn repeat(&self, level: Option<Level>, scratch: &mut ProductScratch<S::Scratch>, batch: &mut Batch) {
        let ended = if self.remembers_endings() { ENDED } else { 0 };
        scratch.able.clear();
        for target in std::mem::take(&mut scratch.moves.targets) {
            batch.push_stutter(&scratch.source);
            let entry = batch.entries.len() - 1;
            self.adorn(entry, target, level, scratch, batch);
            if batch.entries[entry].outcome == Outcome::State {
                batch.state_mut(entry)[0] |= ended;
            }
        }
        scratch.moves.faults.drain(..).for_each(|fault| batch.push_claim_fault(fault));
    }
}

/// How much a batch has before the system's moves are appended.
struct Before {
    entries: usize,
    executed: usize,
    atomic_steps: u64,
}

impl Before {
    fn of(batch: &Batch) -> Before {
        let Batch { entries, executed, atomic_steps, .. } = batch;
        Before { entries: entries.len(), executed: executed.len(), atomic_steps: *atomic_steps }
    }
}

impl<S> ProductScratch<S> {
    /// Takes over a state, without what is the product's.
    fn take_source(&mut self, state: &[u64]) {
        self.source.clear();
        self.source.extend_from_slice(state);
        set_extra(&mut self.source, 0);
    }
}

impl<S: System> System for Product<'_, S> {
    type Scratch = ProductScratch<S::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        ProductScratch {
            system: self.system.scratch(),
            source: Vec::new(),
            moves: Moves::default(),
            seen: Seen::new(self.claim.state_count(), self.claim.initial()),
            able: Pids::default(),
            movers: Pids::default(),
        }
    }

    fn initial(&self, scratch: &mut Self::Scratch) -> Result<Vec<u64>, Fault> {
        let mut state = self.system.initial(&mut scratch.system)?;
        set_extra(&mut state, self.claim.initial());
        Ok(state)
    }

    fn successors(
        &self,
        state: &[u64],
        run: Run,
        scratch: &mut Self::Scratch,
        batch: &mut Batch,
        mut watch: impl FnMut(&Batch),
    ) {
        if self.decided(state).is_some() {
            if self.claim.is_never() {
                self.outlive(state, run, scratch, batch);
            }
            return;
        }
        if run == Run::Ended || state[0] & ENDED != 0 {
            return self.go_on_forever(state, scratch, batch);
        }
        let level = self.counted_from(state, scratch);
        if self.claim_moves(state, scratch, batch) {
            let before = Before::of(batch);
            self.system.successors(&scratch.source, Run::GoesOn, &mut scratch.system, batch, |_| {});
            // a run has ended if no process can move; where every move fails, it has failed, not ended
            if batch.entries.len() == before.entries {
                self.end_run(level, scratch, batch);
            } else {
                self.pair(before, level, scratch, batch);
            }
        }
        watch(batch);
    }

    fn process_successors(&self, state: &[u64], pid: usize, scratch: &mut Self::Scratch, batch: &mut Batch) {
        if self.decided(state).is_some() || state[0] & ENDED != 0 {
            return;
        }
        if self.fairness == Fairness::Weak {
            // the level behind a move depends on who else could have moved
            let first = batch.entries.len();
            self.successors(state, Run::GoesOn, scratch, batch, |_| {});
            return batch.keep_moves_of(pid as u32, first);
        }
        if self.claim_moves(state, scratch, batch) {
            let before = Before::of(batch);
            self.system.process_successors(&scratch.source, pid, &mut scratch.system, batch);
            if batch.entries.len() > before.entries {
                self.pair(before, None, scratch, batch);
            }
        }
    }

    /// Runs of a product do not end: the last state repeats, or the claim has dropped the run.
    fn end(&self, _: &[u64], _: &mut Self::Scratch) -> End {
        End::Valid
    }

    fn decided(&self, state: &[u64]) -> Option<&'static str> {
        self.claim.is_decided(self.claim_state(state))
    }

    fn is_accepting(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool {
        match self.fairness {
            Fairness::None => self.satisfies(state, scratch),
            Fairness::Weak => self.level(state) == fairness::ROUND,
        }
    }

    fn component(&self, state: &[u64]) -> u32 {
        self.claim.component(self.claim_state(state))
    }

    /// That of the claim, as far as it decides about cycles: an unfair cycle is not accepting, whatever the claim says, and a label may be.
    fn class(&self, state: &[u64]) -> Class {
        match self.claim.class(self.claim_state(state)) {
            _ if self.labels => Class::P,
            Class::F if self.fairness == Fairness::Weak => Class::P,
            class => class,
        }
    }

    #[inline]
    fn claim_state(&self, state: &[u64]) -> ClaimState {
        match self.fairness {
            Fairness::None => extra(state),
            Fairness::Weak => extra(state) % self.claim.state_count() as u32,
        }
    }

    fn remembers_endings(&self) -> bool {
        !self.claim.is_never()
    }

    fn observer<'o>(&'o self, scratch: &'o mut Self::Scratch) -> Observer<'o> {
        self.system.observer(&mut scratch.system)
    }

    fn coverage(scratch: &mut Self::Scratch) -> &mut Coverage {
        S::coverage(&mut scratch.system)
    }

    fn seen(scratch: Self::Scratch) -> Option<Seen> {
        Some(scratch.seen)
    }

    fn hidden_words(&self) -> usize {
        self.system.hidden_words()
    }

    fn program(&self) -> &Program {
        self.system.program()
    }

    fn cutoff(&self) -> &Cutoff {
        self.system.cutoff()
    }

    fn set_grace(&self, grace: Grace, scratch: &mut Self::Scratch) {
        self.system.set_grace(grace, &mut scratch.system);
    }
}
