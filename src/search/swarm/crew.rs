//! Threads that search together: what they share, and how they start and end.

use crate::search::meter::Meter;
use crate::search::{Monitor, Reason, Tally};
use crate::store::Shared;
use crate::system::deep_stack;
use crossbeam_utils::CachePadded;
use std::io;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread;

/// Threads that a record has a bit for.
pub const MOST_THREADS: usize = 56;
/// Bits of a record's note in front of those of single threads.
const MARKS: usize = 8;

/// The bit of a thread in a record's note.
pub fn bit(thread: usize) -> u64 {
    1 << (MARKS + thread)
}

/// States that a thread enters before it tells the others, unless their number is limited.
const TELL_EVERY: u64 = 256;

/// What all threads of a search use.
pub struct Crew<'c> {
    pub store: &'c Shared,
    pub monitor: &'c Monitor,
    stop: AtomicBool,
    pause: AtomicBool,
    /// Workers that search from the initial state.
    real: AtomicUsize,
    /// States that were entered, at least. Each worker adds to it now and then, and all read the flags above with each state: they must
    /// not share a line of the cache.
    entered: CachePadded<AtomicU64>,
    /// The bytes that each worker needs for itself.
    private: Vec<CachePadded<AtomicU64>>,
    tell_every: u64,
}

impl<'c> Crew<'c> {
    /// `threads` workers, of which the first `real` begin at the initial state.
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

    /// Everybody ends as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// A thread searches from the initial state; false if it is too late for that, because all who did so have ended.
    pub fn begin(&self) -> bool {
        self.real.fetch_update(AcqRel, Acquire, |real| (real > 0).then_some(real + 1)).is_ok()
    }

    /// A new phase: so many threads begin to search from states that can be reached.
    pub fn renew(&self, real: usize) {
        self.pause.store(false, Release);
        self.real.store(real, Release);
    }

    /// Everybody ends this phase as soon as possible, and there will be another one.
    pub fn pause(&self) {
        self.pause.store(true, Release);
    }

    #[inline]
    pub fn is_paused(&self) -> bool {
        self.pause.load(Relaxed)
    }

    /// For a thread that searches from the initial state: it has ended when this is dropped.
    pub fn shift(&self) -> Shift<'_> {
        Shift { real: &self.real }
    }

    /// So many more states turned out to be reachable.
    pub fn note_entered(&self, states: u64) {
        self.entered.fetch_add(states, Relaxed);
    }

    /// States that were entered from the initial state, at least.
    #[inline]
    pub fn entered(&self) -> u64 {
        self.entered.load(Relaxed)
    }

    /// All threads that search from the initial state have ended: nobody needs artificial states any more.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.real.load(Acquire) == 0
    }

    /// It is over, or the time is: for a thread that does not count states.
    pub fn is_out_of_time(&self) -> bool {
        self.is_stopped() || self.monitor.is_out_of_time()
    }

    /// So many bytes are more than a thread should use for itself.
    pub fn is_too_much(&self, bytes: u64) -> bool {
        self.monitor.limits.memory.is_some_and(|limit| bytes > limit / 4)
    }

    /// Bytes of the store and of all threads.
    pub fn memory(&self) -> u64 {
        self.store.memory() + self.private.iter().map(|bytes| bytes.load(Relaxed)).sum::<u64>()
    }

    /// Runs `work` on each thread, with its number. What the threads return is in their order; `Err` if not even one thread could be
    /// had. If one panics, the others stop, and so does the caller.
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
                    // fewer threads find the same
                    Err(error) if threads.is_empty() => return Err(error),
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

/// Stops everybody if a thread panics.
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

/// The time in which a thread searches from the initial state.
pub struct Shift<'c> {
    real: &'c AtomicUsize,
}

impl Drop for Shift<'_> {
    fn drop(&mut self) {
        self.real.fetch_sub(1, AcqRel);
    }
}

/// What a thread does and does not tell the others at once.
pub struct Watch<'c> {
    thread: usize,
    meter: Meter<'c>,
    /// States entered since the others were told.
    untold: u64,
}

impl<'c> Watch<'c> {
    pub fn new(crew: &Crew<'c>, thread: usize) -> Watch<'c> {
        Watch { thread, meter: Meter::new(crew.monitor), untold: 0 }
    }

    /// Called after each expansion with the number of words of the successors and of states that no worker had entered before. An error
    /// says why the search must stop.
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

    /// Without the alarm the second thread would wait forever for what the first one does not do any more.
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
