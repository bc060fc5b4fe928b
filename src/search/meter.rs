//! When a search checks its monitor: after a fixed amount of work, or when the number of states is at its limit.

use super::monitor::SUCCESSORS;
use super::{Monitor, Reason};

/// Words of successors between two checks. A check takes a few microseconds.
const CHECK_EVERY: usize = 1 << 16;

/// The work of one worker since its last check.
pub struct Meter<'m> {
    pub monitor: &'m Monitor,
    words: usize,
    /// Successors that were produced, as far as they count.
    produced: u64,
}

impl<'m> Meter<'m> {
    pub fn new(monitor: &'m Monitor) -> Meter<'m> {
        Meter { monitor, words: 0, produced: 0 }
    }

    /// Adds work; true if a check is due.
    #[inline(always)]
    pub fn add(&mut self, words: usize) -> bool {
        self.words += 1 + words;
        self.words >= CHECK_EVERY
    }

    /// Counts successors as work, for the searches beside this one.
    #[inline(always)]
    pub fn weigh(&mut self, successors: usize) {
        self.produced += successors as u64;
    }

    /// The number of states is at its limit.
    #[inline(always)]
    pub fn is_at_limit(&self, states: u64) -> bool {
        self.monitor.limits.max_states.is_some_and(|limit| states >= limit)
    }

    /// The depth limit, if this depth has reached it.
    #[inline(always)]
    pub fn too_deep(&self, depth: u64) -> Option<u64> {
        self.monitor.limits.max_depth.filter(|&limit| depth >= limit)
    }

    /// Checks the limits if a check is due; returns whether it was. An error says why the search must stop.
    #[inline(always)]
    pub fn poll(
        &mut self,
        words: usize,
        states: u64,
        depth: u64,
        memory: impl FnOnce() -> u64,
    ) -> Result<bool, Reason> {
        let due = self.add(words) || self.is_at_limit(states);
        if due {
            self.check(states, depth, memory())?;
        }
        Ok(due)
    }

    /// Checks the limits, and notes the search's progress in the monitor; an error says why it must stop.
    pub fn check(&mut self, states: u64, depth: u64, memory: u64) -> Result<(), Reason> {
        self.words = 0;
        self.monitor.check_work(states, states.max(self.produced / SUCCESSORS), depth, memory)
    }
}
