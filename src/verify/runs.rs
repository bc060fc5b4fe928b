//! Several runs of a search that walks, each with a seed of its own, by all cores.
//!
//! What comes out is what would come out one after the other: runs know nothing of each other, and stand in the order of their numbers. Each
//! has the whole time limit from when it begins. The memory limit is for the process: a run that meets it while others need memory, too, is
//! done again when it is alone, with all of the memory.

use super::clock::Clock;
use super::request::{Refusal, RunsDone, Unwatched, Watcher};
use super::run::{Attempt, Attempts};
use crate::machine::Instant;
use crate::search::Plan;
use crate::search::seed::derived;
use crate::search::{Reason, Report};
use crate::system::deep_stack;
use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A run, and which one it is.
struct Numbered {
    number: u64,
    run: Result<Attempt, Refusal>,
}

impl Attempts<'_> {
    /// All runs that are wanted, in their order. At least one, be it interrupted; no others are begun then.
    pub(super) fn runs(&self, clock: Clock, watcher: &impl Watcher) -> Result<Vec<Attempt>, Refusal> {
        let Attempts { request, plan, .. } = self;
        let wanted = request.runs.filter(|_| plan.config.search.is_walk()).unwrap_or(1);
        let at_once = wanted.min(plan.config.threads as u64) as usize;
        let pool = ThreadPoolBuilder::new().num_threads(at_once).stack_size(deep_stack());
        // without threads it takes longer
        let pool = (at_once > 1).then(|| pool.build().ok()).flatten();
        match pool {
            Some(pool) => self.side_by_side(wanted, &pool, clock, watcher),
            None => self.one_by_one(wanted, clock, watcher),
        }
    }

    fn one_by_one(&self, wanted: u64, clock: Clock, watcher: &impl Watcher) -> Result<Vec<Attempt>, Refusal> {
        let mut runs = Vec::new();
        for number in 0..wanted {
            runs.push(self.one(number, self.plan, clock, watcher)?);
            if clock.is_stopped() {
                break;
            }
        }
        Ok(runs)
    }

    fn side_by_side(
        &self,
        wanted: u64,
        pool: &ThreadPool,
        clock: Clock,
        watcher: &impl Watcher,
    ) -> Result<Vec<Attempt>, Refusal> {
        let finished = RunsDone { done: AtomicU64::new(0), of: wanted };
        let refused = AtomicBool::new(false);
        let plan = self.plan.by_threads(self.plan.config.threads / pool.current_num_threads());
        let one = |number: u64| {
            if number > 0 && (clock.is_stopped() || refused.load(Relaxed)) {
                return None;
            }
            let run = self.one(number, &plan, clock, &Unwatched);
            refused.fetch_or(run.is_err(), Relaxed);
            finished.done.fetch_add(1, Relaxed);
            Some(Numbered { number, run })
        };
        let work = || pool.install(|| (0..wanted).par_bridge().filter_map(one).collect());
        let mut all: Vec<Numbered> = watcher.watch_runs(&finished, work);
        all.sort_unstable_by_key(|numbered| numbered.number);
        let finish = |Numbered { number, run }: Numbered| match run {
            Ok(run) if lacked_memory(&run.report) && !clock.is_stopped() => self.one(number, self.plan, clock, watcher),
            run => run,
        };
        all.into_iter().map(finish).collect()
    }

    fn one(&self, number: u64, plan: &Plan, clock: Clock, watcher: &impl Watcher) -> Result<Attempt, Refusal> {
        let start = Instant::now();
        // a time limit is for all properties, and for each run of several
        let clock = if self.request.runs.is_some() { clock.for_run(self.request.limits.time) } else { clock };
        let mut report = self.once(&plan.seeded(derived(plan.seed, number)), clock, watcher)?;
        report.name_shares_of(self.request.limits.time);
        Ok(Attempt { report, time: start.elapsed() })
    }
}

fn lacked_memory(report: &Report) -> bool {
    matches!(report.cut, Some(Reason::Memory(_) | Reason::StoreFull))
}
