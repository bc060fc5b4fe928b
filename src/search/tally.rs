//! What a search has counted and found so far, and the one place that says "holds".

use super::ranges::Ranges;
use super::swarm::genetic::Artificial;
use super::walk::chronicle::Round;
use super::{Checks, Config, Enough, Finding, Reason, Report, Verdict, Violation, Witness};
use crate::store::{Own, Visited};
use crate::system::{Batch, Completions, Coverage, Cutoff, Fault, Seen, Step, System};
use std::collections::BTreeMap;

/// Figures as SPIN counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Different states.
    pub stored: u64,
    /// Transitions to a known state.
    pub matched: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// The longest path, or the number of levels.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
}

impl Counts {
    /// Transitions to any state.
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }
}

/// The most different errors whose trails are kept.
const MOST_LISTED: usize = 100;

/// An error, and how often it was met.
struct Found {
    finding: Finding,
    place: u64,
    met: u64,
}

/// The running totals of one search.
pub struct Tally {
    config: Config,
    checks: Checks,
    /// The figures so far.
    pub counts: Counts,
    errors: BTreeMap<Violation, u64>,
    /// How often the claim has come to its end, as far as the states do not tell.
    completions: Completions,
    /// Different errors, in the order in which they were met.
    found: Vec<Found>,
    /// Errors that were met after the list of different ones was full.
    unlisted: u64,
    cut: Option<Reason>,
    pub(crate) reduced: bool,
    /// The store may take different states for the same.
    lossy: bool,
    /// A violation ended the search.
    stopped: bool,
    /// Something is wrong, but no run could be built that shows it.
    unwitnessed: bool,
    pub(crate) coverage: Coverage,
    /// How often each transition was executed, if that is counted.
    executions: Vec<u64>,
    ranges: Option<Ranges>,
    /// What the claim has seen, if there is one.
    pub(crate) seen: Option<Seen>,
    pub(crate) seed: Option<u64>,
    pub(crate) evaluations: Option<u64>,
    pub(crate) rounds: Option<Vec<Round>>,
    pub(crate) found_length: Option<usize>,
    pub(crate) artificial: Option<Artificial>,
}

impl Tally {
    /// Nothing was counted or found yet.
    pub fn new(config: Config, checks: Checks) -> Tally {
        Tally {
            config,
            checks,
            counts: Counts::default(),
            errors: BTreeMap::new(),
            completions: Completions::default(),
            found: Vec::new(),
            unlisted: 0,
            cut: None,
            reduced: false,
            lossy: false,
            stopped: false,
            unwitnessed: false,
            coverage: Coverage::default(),
            executions: Vec::new(),
            ranges: None,
            seen: None,
            seed: None,
            evaluations: None,
            rounds: None,
            found_length: None,
            artificial: None,
        }
    }

    /// An empty tally for another worker of the same search.
    pub fn another(&self) -> Tally {
        Tally::new(self.config, self.checks)
    }

    /// Notes a fault of a step, if it is one that is checked for; `witness` as in [`Tally::violation_at`].
    pub fn fault(&mut self, fault: &Fault, step: Step, witness: impl FnOnce() -> Option<Witness>) {
        if !self.checks.wants(fault, step) {
            return;
        }
        let violation = fault.violation();
        let place = if violation.is_of_a_step() { step.transition.into() } else { 0 };
        self.violation_at(place, violation, fault.to_string(), witness);
        self.stopped |= fault.is_fatal();
    }

    /// Notes a violation without a place, because it is one of the whole run.
    pub fn violation(&mut self, violation: Violation, message: String, witness: impl FnOnce() -> Option<Witness>) {
        self.violation_at(0, violation, message, witness);
    }

    /// Notes a violation; `witness` is called only if none like it is known: of this kind, with this message, at this
    /// place. If it returns none (a limit was met, or hidden variables differ), the violation is not reported, but the
    /// verdict is not "holds".
    pub fn violation_at(
        &mut self,
        place: u64,
        violation: Violation,
        message: String,
        witness: impl FnOnce() -> Option<Witness>,
    ) {
        *self.errors.entry(violation).or_default() += 1;
        match self.found.iter().position(|known| known.is(violation, &message, place)) {
            Some(known) => self.found[known].met += 1,
            None if self.found.len() >= MOST_LISTED => self.unlisted += 1,
            None => {
                let finding = witness().map(|witness| Finding { violation, message, witness });
                self.unwitnessed |= finding.is_none();
                self.found.extend(finding.map(|finding| Found { finding, place, met: 1 }));
            }
        }
        self.stopped |= self.has_enough();
    }

    fn has_enough(&self) -> bool {
        match self.config.enough {
            Enough::First => true,
            Enough::Errors(limit) => self.errors.values().sum::<u64>() >= limit,
            Enough::Different(limit) => self.found.len() >= limit,
            Enough::Never => false,
        }
    }

    /// Notes a violation and keeps it, even if one like it is known.
    pub fn found(&mut self, finding: Finding) {
        *self.errors.entry(finding.violation).or_default() += 1;
        self.found.push(Found { finding, place: 0, met: 1 });
        self.stopped |= self.has_enough();
    }

    /// Notes that the search does not cover everything. The first reason counts, unless it is the depth limit, which
    /// cuts off paths while the search goes on.
    pub fn cut_short(&mut self, reason: Reason) {
        if matches!(self.cut, None | Some(Reason::Depth(_))) {
            self.cut = Some(reason);
        }
    }

    /// Counts a state that was entered at this depth.
    #[inline(always)]
    pub fn enter(&mut self, depth: u64) {
        self.counts.stored += 1;
        self.counts.depth = self.counts.depth.max(depth);
    }

    /// Adds the counts of an expansion.
    pub fn absorb(&mut self, batch: &Batch) {
        self.counts.atomic_steps += batch.atomic_steps;
        self.completions += batch.completions;
        if batch.gave_up {
            self.cut_short(Reason::EndlessAtomic);
        }
        if let Some(processes) = batch.crowd {
            self.cut_short(Reason::Processes(processes));
        }
        if !batch.executed.is_empty() {
            self.count_executed(&batch.executed);
        }
    }

    fn count_executed(&mut self, transitions: &[u32]) {
        for &transition in transitions {
            let transition = transition as usize;
            if self.executions.len() <= transition {
                self.executions.resize(transition + 1, 0);
            }
            self.executions[transition] += 1;
        }
    }

    /// Takes over the coverage, and what the claim has seen, from a worker's scratch memory.
    pub fn learn<S: System>(&mut self, mut scratch: S::Scratch) {
        self.coverage = std::mem::take(S::coverage(&mut scratch));
        self.seen = S::seen(scratch);
    }

    /// Notes the ranges of all variables over the states of a search, if they are asked for.
    pub fn note_ranges<S: System>(&mut self, system: &S, store: &impl Own) {
        if self.config.ranges {
            self.ranges = Some(Ranges::of(system.program(), store));
        }
    }

    /// Takes over what another worker has counted and found. Violations with shorter trails come first.
    pub fn join(&mut self, other: Tally) {
        self.unwitnessed |= other.unwitnessed;
        self.lossy |= other.lossy;
        self.reduced |= other.reduced;
        let Tally { counts, errors, completions, found, unlisted, cut, stopped, coverage, seen, .. } = other;
        self.coverage.join(coverage);
        self.completions += completions;
        self.counts.stored += counts.stored;
        self.counts.matched += counts.matched;
        self.counts.atomic_steps += counts.atomic_steps;
        self.counts.depth = self.counts.depth.max(counts.depth);
        self.counts.memory += counts.memory;
        for (violation, count) in errors {
            *self.errors.entry(violation).or_default() += count;
        }
        self.unlisted += unlisted;
        found.into_iter().for_each(|new| self.join_found(new));
        self.found.sort_by_key(Found::length);
        if self.config.enough == Enough::First {
            self.found.truncate(1);
        }
        self.cut = self.cut.take().or(cut);
        self.stopped |= stopped;
        match (&mut self.seen, seen) {
            (Some(own), Some(new)) => own.join(new),
            (own, new) => *own = own.take().or(new),
        }
    }

    fn join_found(&mut self, new: Found) {
        let Finding { violation, message, .. } = &new.finding;
        let known = self.found.iter_mut().find(|known| known.is(*violation, message, new.place));
        let Some(known) = known else {
            if self.found.len() < MOST_LISTED {
                self.found.push(new);
            } else {
                self.unlisted += new.met;
            }
            return;
        };
        known.met += new.met;
        if new.length() < known.length() {
            known.finding = new.finding;
        }
    }

    /// Corrects `matched`, where workers have counted all successors: each is a new state or a match, and of the stored
    /// states only the initial one is not a successor.
    pub fn count_matches(&mut self) {
        self.counts.matched = (self.counts.matched + 1).saturating_sub(self.counts.stored);
    }

    /// Whether a run that reaches the depth limit is an error.
    pub fn depth_is_error(&self) -> bool {
        self.config.depth_is_error
    }

    /// Neither a violation nor another reason has ended the search so far.
    pub fn is_unfinished(&self) -> bool {
        !self.stopped && self.cut.is_none()
    }

    /// Whether a violation was found.
    pub fn is_violated(&self) -> bool {
        !self.found.is_empty()
    }

    /// Whether there is a verdict other than "inconclusive".
    pub fn is_conclusive(&self) -> bool {
        self.is_violated() || self.cut.is_none()
    }

    /// Whether a violation ends the search here.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// pan reports a claim that reaches its end twice: when it moves there, and again in each state that the system
    /// moves to then. Our searches find the latter.
    fn counted_errors(&self) -> Vec<(Violation, u64)> {
        let counted = |(&violation, &count): (&Violation, &u64)| match violation {
            Violation::ClaimCompleted => (violation, count + self.moves_to_the_end()),
            _ => (violation, count),
        };
        self.errors.iter().map(counted).collect()
    }

    /// The errors of pan that are not those of states, less those of states that pan does not have.
    fn moves_to_the_end(&self) -> u64 {
        let Completions { moves, uncounted_states, .. } = self.completions;
        if self.config.enough == Enough::Never { moves.saturating_sub(uncounted_states) } else { 0 }
    }

    /// The figures without the states that pan does not have.
    fn counts_as_pan(&self) -> Counts {
        let Completions { uncounted_moves, uncounted_states, .. } = self.completions;
        let Counts { stored, matched, .. } = self.counts;
        Counts {
            stored: stored.saturating_sub(uncounted_states),
            matched: (matched + uncounted_states).saturating_sub(uncounted_moves),
            ..self.counts
        }
    }

    /// How often each of the different errors was met.
    fn met(&self) -> Vec<u64> {
        let mut met: Vec<u64> = self.found.iter().map(|found| found.met).collect();
        let completed = self.found.iter().position(|found| found.finding.violation == Violation::ClaimCompleted);
        if let Some(completed) = completed {
            met[completed] += self.moves_to_the_end();
        }
        met
    }

    /// Notes that the search keeps its states in a store of this kind, which may be lossy.
    pub fn rely_on<V: Visited>(&mut self) {
        self.lossy |= !V::EXACT;
    }

    /// The only place where a search says that a property holds: nothing was found, nothing was cut short, and every
    /// store was exact. `cutoff` tells whether an expansion was abandoned.
    pub(crate) fn report(mut self, cutoff: &Cutoff) -> Report {
        if let Some(halt) = cutoff.halted() {
            // the store is full because the limit was met, not vice versa
            self.cut = self.cut.filter(|cut| *cut != Reason::StoreFull);
            self.cut_short(halt.into());
        }
        if self.unwitnessed && self.found.is_empty() {
            self.cut_short(Reason::Hidden);
        }
        if self.lossy {
            self.cut_short(Reason::LossyStore);
        }
        let complete = self.cut.is_none() && !self.stopped;
        let errors = self.counted_errors();
        let met = self.met();
        let counts = self.counts_as_pan();
        let mut findings = self.found.into_iter().map(|found| found.finding);
        let verdict = match (findings.next(), &self.cut) {
            (Some(finding), _) => Verdict::Violated(Box::new(finding)),
            (None, Some(reason)) => Verdict::Inconclusive(reason.clone()),
            (None, None) => Verdict::Holds,
        };
        Report {
            verdict,
            complete,
            cut: self.cut,
            further: findings.collect(),
            met,
            unlisted: self.unlisted,
            reduced: self.reduced,
            unreduced: None,
            whole: None,
            counts,
            errors,
            coverage: self.coverage,
            executions: self.executions,
            ranges: self.ranges,
            threads: self.config.search.is_parallel().then_some(self.config.threads),
            search: self.config.search,
            seen: self.seen,
            seed: self.seed,
            evaluations: self.evaluations,
            rounds: self.rounds,
            walked: None,
            dived: None,
            found_length: self.found_length,
            artificial: self.artificial,
            quality: None,
        }
    }
}

impl Found {
    fn is(&self, violation: Violation, message: &str, place: u64) -> bool {
        (self.finding.violation, self.place) == (violation, place) && self.finding.message == message
    }

    fn length(&self) -> usize {
        self.finding.witness.length()
    }
}
