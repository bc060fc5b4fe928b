//! When an expansion must be abandoned: the time limit, the memory limit, a request to stop.
//!
//! A search looks at its monitor between expansions, but one expansion may take longer than any limit: a d_step of a hundred
//! million statements, an atomic sequence with a million paths, ten thousand processes. So the interpreter polls a
//! [`Cutoff`] now and then while it works. An expansion that is abandoned has no successors but one entry of
//! [`super::Outcome::Endless`]: the state is not taken for a deadlock, nor the successors found so far for all of them.
//! The cutoff remembers that this has happened, so that a search that has not seen everything does not say "holds".

use crate::machine::{self, Instant};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Why an expansion was abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A stop flag was set.
    Stop,
    /// The time limit was met. This is the limit, without grace.
    Time(Duration),
    /// Bytes.
    Memory(u64),
    /// The system has no more memory.
    Exhausted,
}

/// What is polled; the default never halts anything.
#[derive(Clone, Debug, Default)]
pub struct Cutoff {
    limits: Option<Arc<Limits>>,
    /// How much later than the limits say.
    grace: Duration,
}

#[derive(Debug, Default)]
struct Limits {
    stops: Vec<Arc<AtomicBool>>,
    /// When a stop was first noticed.
    noticed: OnceLock<Instant>,
    time: Option<(Instant, Duration)>,
    memory: Option<Memory>,
    halted: OnceLock<Halt>,
}

/// A memory limit, and how memory in use is measured.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Bytes that may be in use.
    pub limit: u64,
    /// Tells how many bytes are in use now; `None` if that is not known.
    pub in_use: fn() -> Option<u64>,
}

/// How much later a witness must be complete: what was found in time should not be lost.
const GRACE: Duration = Duration::from_millis(300);
/// With grace, the memory limit is larger by 1/`MEMORY_GRACE`.
const MEMORY_GRACE: u64 = 4;

impl Cutoff {
    /// Halts when one of `stops` is set, when `time` has passed since `started`, or when more memory is in use than may be.
    pub fn new(
        stops: Vec<Arc<AtomicBool>>,
        started: Instant,
        time: Option<Duration>,
        memory: Option<Memory>,
    ) -> Cutoff {
        let time = time.map(|time| (started, time));
        Cutoff { limits: Some(Arc::new(Limits { stops, time, memory, ..Limits::default() })), grace: Duration::ZERO }
    }

    /// The same limits, met a little later: for what must be completed once something was found.
    pub fn with_grace(&self) -> Cutoff {
        Cutoff { grace: GRACE, ..self.clone() }
    }

    /// Looks at the limits; true if one is met.
    pub fn poll(&self) -> bool {
        let Some(limits) = &self.limits else { return false };
        let halt = limits.met(self.grace);
        if let Some(halt) = halt {
            // the first reason counts
            _ = limits.halted.set(halt);
        }
        halt.is_some()
    }

    /// Why an expansion was abandoned, if one was.
    pub fn halted(&self) -> Option<Halt> {
        self.limits.as_ref()?.halted.get().copied()
    }

    /// The memory limit, if there is one.
    pub fn memory(&self) -> Option<u64> {
        Some(self.limits.as_ref()?.memory?.limit)
    }

    /// Whether `bytes` more bytes may be taken at once.
    pub fn has_room(&self, bytes: u64) -> bool {
        let memory = self.limits.as_ref().and_then(|limits| limits.memory);
        memory.is_none_or(|memory| (memory.in_use)().is_none_or(|used| used.saturating_add(bytes) <= memory.limit))
    }

    /// Notes that the memory limit ends the search.
    pub fn note_full(&self) {
        if let Some(limits) = &self.limits
            && let Some(memory) = limits.memory
        {
            _ = limits.halted.set(Halt::Memory(memory.limit));
        }
    }
}

/// Work that polls a cutoff now and then.
pub struct Effort<'c> {
    cutoff: &'c Cutoff,
    /// Since the cutoff was polled.
    unpolled: usize,
}

/// Words that are looked at between two polls: a millisecond, or a megabyte.
const POLL_EVERY: usize = 1 << 17;
/// To look at a statement takes about as long as to look at this many words.
const STATEMENT: usize = 16;

impl<'c> Effort<'c> {
    /// Within these limits.
    pub fn within(cutoff: &'c Cutoff) -> Effort<'c> {
        Effort { cutoff, unpolled: 0 }
    }

    /// Counts a statement that is looked at, with this many words besides; an error if the work must be abandoned.
    pub fn spend(&mut self, words: usize) -> Result<(), Halt> {
        self.unpolled += STATEMENT + words;
        if self.unpolled < POLL_EVERY {
            return Ok(());
        }
        self.unpolled = 0;
        match self.cutoff.poll() {
            true => Err(self.cutoff.halted().unwrap_or(Halt::Stop)),
            false => Ok(()),
        }
    }
}

impl Limits {
    fn met(&self, grace: Duration) -> Option<Halt> {
        if self.stops.iter().any(|stop| stop.load(Relaxed)) && self.noticed.get_or_init(Instant::now).elapsed() >= grace
        {
            return Some(Halt::Stop);
        }
        if let Some((started, time)) = self.time
            && started.elapsed() >= time + grace
        {
            return Some(Halt::Time(time));
        }
        if machine::is_exhausted() {
            return Some(Halt::Exhausted);
        }
        let memory = self.memory?;
        let limit = if grace.is_zero() { memory.limit } else { memory.limit + memory.limit / MEMORY_GRACE };
        (memory.in_use)().filter(|&used| used > limit).map(|_| Halt::Memory(memory.limit))
    }
}
