//! How much a walk may do.
//!
//! The number of looks (expanded states) is bounded exactly: the same walks with the same bound do the same, however many workers there
//! are. Time, memory and Ctrl-C are checked now and then.

use super::walker::Walker;
use crate::search::monitor::SUCCESSORS;
use crate::search::{Limits, Monitor, Reason};
use crate::system::System;

pub struct Budget<'b> {
    monitor: &'b Monitor,
    /// The looks of the walker before this walk, and those of all earlier walks.
    start: u64,
    before: u64,
    bound: Option<Bound>,
}

/// The most looks, and the reason why the search ends when they are used up.
#[derive(Clone, Debug)]
pub struct Bound {
    pub looks: u64,
    pub reason: Reason,
}

impl Bound {
    /// The smaller one of the limits of expanded and of stored states: each look counts for both.
    pub fn of(limits: &Limits) -> Option<Bound> {
        let evaluations = limits.evaluations.map(|looks| Bound { looks, reason: Reason::Evaluations(looks) });
        let states = limits.max_states.map(|looks| Bound { looks, reason: Reason::States(looks) });
        evaluations.into_iter().chain(states).min_by_key(|bound| bound.looks)
    }
}

/// Looks between two checks of the monitor: a power of two.
const CHECK_EVERY: u64 = 256;
/// Bytes of a walker whose looks take so long that the monitor is checked each time.
const LARGE: u64 = 4 << 20;

impl<'b> Budget<'b> {
    /// For a single walker that does all walks.
    pub fn of(monitor: &'b Monitor) -> Budget<'b> {
        Budget { monitor, start: 0, before: 0, bound: Bound::of(&monitor.limits) }
    }

    /// For one walk, by a walker that has done `start` looks, after earlier walks with `before` looks in all; `bound`
    /// is for this walk alone.
    pub fn of_one(monitor: &'b Monitor, start: u64, before: u64, bound: Option<Bound>) -> Budget<'b> {
        Budget { monitor, start, before, bound }
    }

    /// Looks of this walk, if the walker has done `looks` in all.
    pub fn own(&self, looks: u64) -> u64 {
        looks - self.start
    }

    /// Called before each look, by a walker that uses `memory` bytes.
    #[inline]
    pub fn check<S: System>(&self, walker: &Walker<S>, memory: u64) -> Result<(), Reason> {
        let looks = walker.looks;
        let own = self.own(looks);
        if let Some(bound) = self.bound.as_ref().filter(|bound| own >= bound.looks) {
            return Err(bound.reason.clone());
        }
        if looks.is_multiple_of(CHECK_EVERY) || memory > LARGE {
            // the number of states is limited by the bound alone, exactly
            let most = self.monitor.limits.max_states.map_or(u64::MAX, |limit| limit.saturating_sub(1));
            let states = (self.before + own).min(most);
            let work = states.max(walker.effort / SUCCESSORS);
            return self.monitor.check_work(states, work, walker.deepest as u64, memory);
        }
        Ok(())
    }
}
