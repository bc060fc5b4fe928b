//! What a search has counted and found so far, and the one place where "holds" is said.

use super::ranges::Ranges;
use super::swarm::genetic::Artificial;
use super::walk::chronicle::Round;
use super::{Checks, Config, Finding, Reason, Report, Verdict, Violation, Witness};
use crate::property::Seen;
use crate::store::Store;
use crate::system::truncation::{self, Truncations};
use crate::system::{Batch, Cutoff, Fault, Scratch, Step, System};
use std::collections::BTreeMap;

/// Figures as SPIN counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub stored: u64,
    pub matched: u64,
    pub atomic_steps: u64,
    pub depth: u64,
    pub memory: u64,
}

impl Counts {
    pub fn transitions(&self) -> u64 {
        self.stored + self.matched
    }
}

/// The running totals of one search.
pub struct Tally {
    config: Config,
    checks: Checks,
    pub counts: Counts,
    errors: BTreeMap<Violation, u64>,
    /// Moves by which the claim has come to its end.
    completions: u64,
    first: Option<Finding>,
    /// Others, if they were asked for.
    further: Vec<Finding>,
    cut: Option<Reason>,
    pub reduced: bool,
    /// A violation ended the search.
    stopped: bool,
    pub executed: Vec<bool>,
    pub truncations: Truncations,
    /// How often each transition was executed, if somebody counts.
    executions: Vec<u64>,
    ranges: Option<Ranges>,
    /// What the claim has seen, if there is one.
    pub seen: Option<Seen>,
    pub seed: Option<u64>,
    pub evaluations: Option<u64>,
    pub rounds: Option<Vec<Round>>,
    pub found_length: Option<usize>,
    pub artificial: Option<Artificial>,
}

impl Tally {
    pub fn new(config: Config, checks: Checks) -> Tally {
        Tally {
            config,
            checks,
            counts: Counts::default(),
            errors: BTreeMap::new(),
            completions: 0,
            first: None,
            further: Vec::new(),
            cut: None,
            reduced: false,
            stopped: false,
            executed: Vec::new(),
            truncations: Truncations::new(),
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

    /// Notes a fault that a step met; `witness` is asked for only if this is the first violation.
    pub fn fault(&mut self, fault: &Fault, step: Step, witness: impl FnOnce() -> Option<Witness>) {
        if !self.checks.wants(fault, step) {
            return;
        }
        self.violation(fault.violation(), fault.to_string(), witness);
        self.stopped |= fault.is_fatal();
    }

    /// Notes a violation. Without a witness, because a limit was met before it was complete, nobody will hear of it.
    pub fn violation(&mut self, violation: Violation, message: String, witness: impl FnOnce() -> Option<Witness>) {
        *self.errors.entry(violation).or_default() += 1;
        if self.first.is_none() {
            self.first = witness().map(|witness| Finding { violation, message, witness });
        }
        self.stopped |= !self.config.keep_going;
    }

    /// Notes a violation and keeps it, be it the first or not.
    pub fn found(&mut self, finding: Finding) {
        if self.first.is_some() {
            *self.errors.entry(finding.violation).or_default() += 1;
            self.further.push(finding);
        } else {
            self.violation(finding.violation, finding.message, || Some(finding.witness));
        }
    }

    /// Notes that the search does not cover everything. The first reason counts, unless it only cut off some of the ways and the
    /// search went on.
    pub fn cut_short(&mut self, reason: Reason) {
        if matches!(self.cut, None | Some(Reason::Depth(_))) {
            self.cut = Some(reason);
        }
    }

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

    /// Takes over what the interpreter has come across.
    pub fn learn(&mut self, scratch: Scratch) {
        self.executed = scratch.executed;
        self.truncations = scratch.truncations;
    }

    /// Notes the ranges of all variables in the states of a search, if they are asked for.
    pub fn note_ranges<S: System>(&mut self, system: &S, store: &Store) {
        if self.config.ranges {
            self.ranges = Some(Ranges::of(system.program(), store));
        }
    }

    /// Takes over what another thread has counted and found. Of two violations the one with the shorter trail comes first.
    pub fn join(&mut self, other: Tally) {
        let Tally { counts, errors, completions, first, further, cut, stopped, executed, truncations, seen, .. } =
            other;
        truncation::join(&mut self.truncations, truncations);
        self.completions += completions;
        self.counts.stored += counts.stored;
        self.counts.matched += counts.matched;
        self.counts.atomic_steps += counts.atomic_steps;
        self.counts.depth = self.counts.depth.max(counts.depth);
        self.counts.memory += counts.memory;
        for (violation, count) in errors {
            *self.errors.entry(violation).or_default() += count;
        }
        let length = |finding: &Finding| finding.witness.length();
        self.first = match (self.first.take(), first) {
            (Some(own), Some(new)) if length(&new) < length(&own) => Some(new),
            (own, new) => own.or(new),
        };
        self.further.extend(further);
        self.cut = self.cut.take().or(cut);
        self.stopped |= stopped;
        if self.executed.len() < executed.len() {
            self.executed.resize(executed.len(), false);
        }
        self.executed.iter_mut().zip(executed).for_each(|(own, new)| *own |= new);
        match (&mut self.seen, seen) {
            (Some(own), Some(new)) => own.join(new),
            (own, new) => *own = own.take().or(new),
        }
    }

    /// Threads have counted the successors of their states as matched. Each leads to a state that is new or to one that is known, and
    /// the initial state is new without being one.
    pub fn count_matches(&mut self) {
        self.counts.matched = (self.counts.matched + 1).saturating_sub(self.counts.stored);
    }

    /// Nothing has ended the search so far.
    pub fn is_unfinished(&self) -> bool {
        !self.stopped && self.cut.is_none()
    }

    /// Whether something is wrong.
    pub fn is_violated(&self) -> bool {
        self.first.is_some()
    }

    /// Whether there is a verdict other than "inconclusive".
    pub fn is_conclusive(&self) -> bool {
        self.first.is_some() || self.cut.is_none()
    }

    /// Whether a violation ends the search here.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// pan reports a claim that comes to its end twice: when it moves there, and again in each state that the system moves to
    /// then. Our searches find the latter.
    fn counted_errors(&self) -> Vec<(Violation, u64)> {
        let moves = if self.config.keep_going { self.completions } else { 0 };
        let counted = |(&violation, &count): (&Violation, &u64)| match violation {
            Violation::ClaimCompleted => (violation, count + moves),
            _ => (violation, count),
        };
        self.errors.iter().map(counted).collect()
    }

    /// The only place where a search says that a property holds: nothing was found, nothing was cut short, and the store
    /// was exact (every engine here uses an exact store). `cutoff` tells whether an expansion was abandoned.
    pub fn report(mut self, cutoff: &Cutoff) -> Report {
        if let Some(halt) = cutoff.halted() {
            // the store is full because the limit was met, and not the other way round
            self.cut = self.cut.filter(|cut| *cut != Reason::StoreFull);
            self.cut_short(halt.into());
        }
        let complete = self.cut.is_none() && !self.stopped;
        let errors = self.counted_errors();
        let verdict = match (self.first, &self.cut) {
            (Some(finding), _) => Verdict::Violated(Box::new(finding)),
            (None, Some(reason)) => Verdict::Inconclusive(reason.clone()),
            (None, None) => Verdict::Holds,
        };
        Report {
            verdict,
            complete,
            cut: self.cut,
            further: self.further,
            reduced: self.reduced,
            counts: self.counts,
            errors,
            executed: self.executed,
            truncations: self.truncations,
            executions: self.executions,
            ranges: self.ranges,
            threads: self.config.strategy.is_parallel().then_some(self.config.threads),
            strategy: self.config.strategy,
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
