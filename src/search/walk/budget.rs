//! How much a walk may do.
//!
//! The number of looks is bounded exactly: the same walks with the same bound do the same, however many workers there are. Time, memory and
//! Ctrl-C are asked for now and then.

use crate::search::{Limits, Monitor, Reason};

pub struct Budget<'b> {
    monitor: &'b Monitor,
    /// The looks of the walker before this walk, and those of all walks before it.
    start: u64,
    before: u64,
    bound: Option<Bound>,
}

/// So many looks, and what is said when there are no more.
#[derive(Clone, Debug)]
pub struct Bound {
    pub looks: u64,
    pub reason: Reason,
}

impl Bound {
    /// The smaller one of the limits of states.
    pub fn of(limits: &Limits) -> Option<Bound> {
        let evaluations = limits.evaluations.map(|looks| Bound { looks, reason: Reason::Evaluations(looks) });
        let states = limits.max_states.map(|looks| Bound { looks, reason: Reason::States(looks) });
        evaluations.into_iter().chain(states).min_by_key(|bound| bound.looks)
    }
}

/// Looks between two looks at the monitor: a power of two.
const CHECK_EVERY: u64 = 256;
/// Bytes of a walker for whom each look takes so long that the monitor is asked every time.
const LARGE: u64 = 4 << 20;

impl<'b> Budget<'b> {
    /// Of one walker that does everything.
    pub fn of(monitor: &'b Monitor) -> Budget<'b> {
        Budget { monitor, start: 0, before: 0, bound: Bound::of(&monitor.limits) }
    }

    /// Of a walk by a walker that has had `start` looks, after walks with `before` looks in all; `bound` is for this walk alone.
    pub fn of_one(monitor: &'b Monitor, start: u64, before: u64, bound: Option<Bound>) -> Budget<'b> {
        Budget { monitor, start, before, bound }
    }

    /// The looks of this walk, by a walker that has had so many.
    pub fn own(&self, looks: u64) -> u64 {
        looks - self.start
    }

    /// Called before each look at the successors of a state, with the looks of the walker.
    #[inline]
    pub fn check(&self, looks: u64, depth: u64, memory: u64) -> Result<(), Reason> {
        let own = self.own(looks);
        if let Some(bound) = self.bound.as_ref().filter(|bound| own >= bound.looks) {
            return Err(bound.reason.clone());
        }
        if looks.is_multiple_of(CHECK_EVERY) || memory > LARGE {
            // the bound has the last word on the number of states
            let most = self.monitor.limits.max_states.map_or(u64::MAX, |limit| limit.saturating_sub(1));
            return self.monitor.check((self.before + own).min(most), depth, memory);
        }
        Ok(())
    }
}
