//! The workers of one search: what they share, and how they start and end.

use crate::search::meter::Meter;
use crate::search::{Monitor, Reason, Tally};
use crate::store::Shared;
use crate::system::deep_stack;
use crossbeam_utils::CachePadded;
use std::io;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread;

/// The most workers of a search: a record's note has one bit for each.
pub const MOST_THREADS: usize = 56;
/// Low bits of a record's note, which are marks; the bits of the workers follow.
const MARKS: usize = 8;

/// The bit of a worker in a record's note.
pub fn bit(thread: usize) -> u64 {
    1 << (MARKS + thread)
}

/// States that a worker enters between two updates of the shared count; 1 if the number of states is limited.
const TELL_EVERY: u64 = 256;

/// What all workers of a search share.
pub struct Crew<'c> {
    pub store: &'c Shared,
    pub monitor: &'c Monitor,
    stop: AtomicBool,
    pause: AtomicBool,
    /// Workers that are still searching from the initial state or, in a later phase, from other reachable states.
    real: AtomicUsize,
    /// Lower bound on the reachable states that were entered: each worker adds its own in batches. Padded against false
    /// sharing, because every worker reads the flags above for each state.
    entered: CachePadded<AtomicU64>,
    /// Private bytes, by worker.
    private: Vec<CachePadded<AtomicU64>>,
    tell_every: u64,
}

impl<'c> Crew<'c> {
    /// `threads` workers; the first `real` of them start at the initial state.
    pub fn new(store: &'c Shared, threads: usize, real: usize, monitor: &'c Monitor) -> Crew<'c> {
        Crew {
            store,
            monitor,
            stop: AtomicBool::new(false),
            pause: AtomicBool::new(false),
            real: AtomicUsize::new(real),
            entered: CachePadded::new(AtomicU64::new(0)),
            private: (0..threads).map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
            tell_every: if monitor.limits.max_states.is_some() { 1 } else { TELL_EVERY },
        }
    }

    pub fn threads(&self) -> usize {
        self.private.len()
    }

    /// All workers end as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Registers one more worker that searches from the initial state; false if all such workers have already ended.
    pub fn begin(&self) -> bool {
        self.real.fetch_update(AcqRel, Acquire, |real| (real > 0).then_some(real + 1)).is_ok()
    }

    /// Begins a new phase, in which `real` workers search from reachable states.
    pub fn renew(&self, real: usize) {
        self.pause.store(false, Release);
        self.real.store(real, Release);
    }

    /// All workers end this phase as soon as possible; another phase follows.
    pub fn pause(&self) {
        self.pause.store(true, Release);
    }

    #[inline]
    pub fn is_paused(&self) -> bool {
        self.pause.load(Relaxed)
    }

    /// Held by a registered worker while it searches from the initial state; dropping it ends the registration.
    pub fn shift(&self) -> Shift<'_> {
        Shift { real: &self.real }
    }

    /// Adds states that turned out to be reachable.
    pub fn note_entered(&self, states: u64) {
        self.entered.fetch_add(states, Relaxed);
    }

    /// Lower bound on the reachable states that were entered.
    #[inline]
    pub fn entered(&self) -> u64 {
        self.entered.load(Relaxed)
    }

    /// All workers that search from the initial state have ended: searches from artificial states are of no more use.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.real.load(Acquire) == 0
    }

    /// The search was stopped or the time is up; for a worker that does not count states.
    pub fn is_out_of_time(&self) -> bool {
        self.is_stopped() || self.monitor.is_out_of_time()
    }

    /// `bytes` are more than one worker should use for itself: a quarter of the memory limit.
    pub fn is_too_much(&self, bytes: u64) -> bool {
        self.monitor.limits.memory.is_some_and(|limit| bytes > limit / 4)
    }

    /// An error if so many more bytes, taken at once by a worker, are beyond the memory limit.
    pub fn check_room(&self, bytes: usize) -> Result<(), Reason> {
        self.monitor.check_room(bytes as u64)
    }

    /// Bytes of the store and of all workers.
    pub fn memory(&self) -> u64 {
        self.store.memory() + self.private.iter().map(|bytes| bytes.load(Relaxed)).sum::<u64>()
    }

    /// Runs `work` on each worker, with its number; results are in this order. If threads cannot be started, there are
    /// fewer workers; `Err` if there is none. If a worker panics, the others stop and the caller panics, too.
    pub fn run<T: Send>(&self, work: impl Fn(usize) -> T + Sync) -> io::Result<Vec<T>> {
        let work = |number| {
            let _alarm = Alarm { crew: self };
            work(number)
        };
        let work = &work;
        thread::scope(|scope| {
            let mut threads = Vec::new();
            for number in 0..self.threads() {
                let thread = thread::Builder::new().stack_size(deep_stack());
                match thread.spawn_scoped(scope, move || work(number)) {
                    Ok(thread) => threads.push(thread),
                    Err(error) if threads.is_empty() => return Err(error),
                    // fewer workers find the same
                    Err(_) => break,
                }
            }
            let join = |thread: thread::ScopedJoinHandle<'_, T>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            Ok(threads.into_iter().map(join).collect())
        })
    }
}

/// Stops all workers if one panics.
struct Alarm<'a, 'c> {
    crew: &'a Crew<'c>,
}

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.crew.stop();
        }
    }
}

/// The time in which a registered worker searches from the initial state.
pub struct Shift<'c> {
    real: &'c AtomicUsize,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.real.fetch_sub(1, AcqRel);
    }
}

/// One worker's poll of the limits, and its entered states that are not in the shared count yet.
pub struct Watch<'c> {
    thread: usize,
    meter: Meter<'c>,
    /// States entered since the last update of the shared count.
    untold: u64,
}

impl<'c> Watch<'c> {
    pub fn new(crew: &Crew<'c>, thread: usize) -> Watch<'c> {
        Watch { thread, meter: Meter::new(crew.monitor), untold: 0 }
    }

    /// Called after each expansion: `new` states that no worker had entered before, `words` of successors, `private`
    /// bytes of the worker. An error says why the search must stop.
    #[inline]
    pub fn entered(
        &mut self,
        crew: &Crew,
        new: u64,
        words: usize,
        tally: &Tally,
        private: impl FnOnce() -> u64,
    ) -> Result<(), Reason> {
        self.untold += new;
        let due = self.meter.add(words);
        if !due && self.untold < crew.tell_every {
            return Ok(());
        }
        let entered = crew.entered.fetch_add(self.untold, Relaxed) + self.untold;
        self.untold = 0;
        if !due && !self.meter.is_at_limit(entered) {
            return Ok(());
        }
        crew.private[self.thread].store(private(), Relaxed);
        self.meter.check(entered, tally.counts.depth, crew.memory())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    /// Without [`Alarm`] the second worker would wait forever for the one that panicked.
    #[test]
    fn when_one_panics_all_stop() {
        let store = Shared::new(1, &Default::default()).expect("memory");
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let crew = Crew::new(&store, 2, 2, &monitor);
        let work = |number| match number {
            0 => panic!("as expected by a test"),
            _ => {
                while !crew.is_stopped() {
                    thread::yield_now();
                }
            }
        };
        assert!(catch_unwind(AssertUnwindSafe(|| crew.run(work))).is_err());
    }
}
