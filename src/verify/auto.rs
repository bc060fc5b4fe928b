//! `auto`: several searches for one property, beside each other and one after the other.
//!
//! ```text
//! up to SMALL states: the whole state space by one thread, others beside it (search/rounds): the counts are SPIN's, the result is the same
//!                     every time
//! beyond:             what was stored is given back, and a search of a reduced state space begins anew, by all threads
//! ```
//! A reduced search cannot go on where the whole one has stopped: which successors of a state are left out depends on which others were
//! visited before, and a value that is dropped makes other states of the old ones. To begin anew costs half a million states at most.
//!
//! Where the property cannot be reduced, the second search is one of the whole state space, too.
//!
//! For cycles that is cndfs: rdkp and ufscc store as many states (leader, two-phase-commit, producer-consumer, token-ring with two threads),
//! are no faster there, and need 10 % to 160 % more memory where it is more than a few megabytes.

use super::request::Refusal;
use super::run::Attempts;
use super::task::SMALL;
use crate::reduce::Reductions;
use crate::search::catalogue::{Aim, Search};
use crate::search::rounds::{Companions, Pacing, side_by_side};
use crate::search::seed::derived;
use crate::search::{Config, Enough, Monitor, Plan, Reason, Report, Verdict};
use crate::system::{Interpreter, System};

/// The number of the first walk beside a search by many threads.
const OTHER_WALKS: u64 = 1 << 32;

impl Attempts<'_> {
    /// An exhaustive search, and others beside it.
    pub(super) fn auto(&self, planned: &Plan, monitor: &Monitor) -> Result<Report, Refusal> {
        let kind = &self.task.kind;
        // a walk may not close a cycle, or come to a state again, where something is hidden that makes a difference
        if Interpreter::new(self.program).hidden_words() > 0 {
            return self.run(&planned.with(kind.exhaustive(), self.aim()), monitor);
        }
        let limit = monitor.limits.max_states;
        let first = monitor.for_part(limit.map_or(SMALL, |limit| limit.min(SMALL)));
        let part = self.stage(kind.exhaustive(), planned, &first)?;
        let is_part = matches!(part.verdict, Verdict::Inconclusive(Reason::States(SMALL)));
        if !is_part || limit.is_some_and(|limit| limit <= SMALL) {
            return Ok(part);
        }
        let search = if planned.config.threads == 1 { kind.exhaustive() } else { kind.parallel() };
        let before = part.walked.unwrap_or(0);
        let (reduce, unreduced) = self.reductions(&planned.config);
        let config = Config { reduce, ..planned.config };
        let report = self.stage(search, &Plan { config, ..planned.clone() }, &monitor.after_walks(before))?;
        let (walked, dived) = (report.walked.map(|walked| before + walked), report.dived.max(part.dived));
        Ok(Report {
            walked,
            dived: dived.filter(|_| walked.is_some()),
            whole: report.reduced.then_some(part.counts.stored),
            unreduced: report.unreduced.or(unreduced.filter(|_| report.search.proves())),
            ..report
        })
    }

    /// What is reduced where the state space is large; or why nothing is.
    fn reductions(&self, config: &Config) -> (Reductions, Option<&'static str>) {
        let wants_figures = config.ranges || self.request.execution_counts || config.enough != Enough::First;
        match self.conditions() {
            _ if wants_figures || config.reduce.any() => (config.reduce, None),
            Ok(_) => (Reductions::ALL, None),
            Err(why) => (Reductions::NONE, Some(why)),
        }
    }

    /// An exhaustive search, with others beside it unless there is one thread only.
    fn stage(&self, search: &'static Search, planned: &Plan, monitor: &Monitor) -> Result<Report, Refusal> {
        let by = |search: &'static Search, monitor: &Monitor| self.run(&planned.with(search, self.aim()), monitor);
        if planned.config.threads == 1 {
            return by(search, monitor);
        }
        let kind = &self.task.kind;
        // those beside a search by many threads have not been there before
        let (first, pacing) = if search.is_parallel() { (OTHER_WALKS, Pacing::Free) } else { (0, Pacing::Rounds) };
        let walk = |number: u64, monitor: &Monitor| {
            let walks = kind.walks();
            // a worker for itself would be one more beside those of the exhaustive search
            let walk = planned.with(walks[number as usize % walks.len()], self.aim()).by_threads(1);
            self.run(&in_every_order(walk).seeded(derived(planned.seed, first + number)), monitor)
        };
        let depth_first = kind.depth_first();
        let depth_first = depth_first.map(|search| move |monitor: &Monitor| by(search, monitor));
        side_by_side(|monitor| by(search, monitor), Companions { walk, depth_first }, pacing, monitor)
    }

    fn aim(&self) -> Aim<'_> {
        self.task.kind.aim(self.program)
    }
}

/// A walk beside a reduced search has the same states, so that it can be told which of them are explored. But it takes them in every order:
/// with stubborn sets it may find less and takes longer (docs/papers.md, Table 4 of Godefroid and Khurshid, PHIL).
fn in_every_order(mut walk: Plan) -> Plan {
    walk.config.reduce.order = false;
    walk
}
