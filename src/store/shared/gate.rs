//! A gate where threads wait while one of them changes what all of them use.
//!
//! Nobody waits, and nobody locks, until somebody asks the others to. Then every member comes to the gate by itself, at a
//! moment when it holds nothing that is about to change.
//!
//! Locks and atomics come from the module above, so that the same lines run on others when they are checked.

use super::sync::{AtomicBool, Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Default)]
pub struct Gate {
    /// A hint for those who pass: it is closed, or about to be.
    closed: AtomicBool,
    crowd: Mutex<Crowd>,
    changed: Condvar,
}

#[derive(Default)]
struct Crowd {
    members: usize,
    waiting: usize,
    /// Somebody waits for the others, or works alone.
    closed: bool,
}

/// A member of the crowd, who must pass by from time to time.
pub struct Member<'g> {
    gate: &'g Gate,
}

impl Gate {
    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        // nothing is left half done by a panic: each change is one assignment
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'c>(&'c self, crowd: MutexGuard<'c, Crowd>) -> MutexGuard<'c, Crowd> {
        self.changed.wait(crowd).unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the crowd, as soon as nobody works alone.
    pub fn join(&self) -> Member<'_> {
        self.enter();
        Member { gate: self }
    }

    /// Joins the crowd, unless somebody works alone or is about to.
    pub fn try_join(&self) -> Option<Member<'_>> {
        let mut crowd = self.crowd();
        if crowd.closed {
            return None;
        }
        crowd.members += 1;
        Some(Member { gate: self })
    }

    fn enter(&self) {
        let mut crowd = self.crowd();
        while crowd.closed {
            crowd = self.wait(crowd);
        }
        crowd.members += 1;
    }

    fn leave(&self) {
        self.crowd().members -= 1;
        self.changed.notify_all();
    }
}

impl Member<'_> {
    /// Is no member during this: nobody waits for it.
    pub fn away<T>(&mut self, elsewhere: impl FnOnce() -> T) -> T {
        self.gate.leave();
        // joins again even if there is a panic, because whoever is dropped leaves
        let _back = Back { gate: self.gate };
        elsewhere()
    }

    /// Waits if somebody wants to be alone.
    #[inline]
    pub fn pass(&self) {
        if self.gate.closed.load(Relaxed) {
            self.stand_by(self.gate.crowd());
        }
    }

    fn stand_by<'c>(&'c self, mut crowd: MutexGuard<'c, Crowd>) {
        crowd.waiting += 1;
        self.gate.changed.notify_all();
        while crowd.closed {
            crowd = self.gate.wait(crowd);
        }
        crowd.waiting -= 1;
    }

    /// Waits until all others wait, and works alone; if somebody else does so already, only waits. Says which.
    pub fn alone(&self, work: impl FnOnce()) -> bool {
        let gate = self.gate;
        let mut crowd = gate.crowd();
        if crowd.closed {
            self.stand_by(crowd);
            return false;
        }
        crowd.closed = true;
        gate.closed.store(true, Relaxed);
        while crowd.waiting + 1 < crowd.members {
            crowd = gate.wait(crowd);
        }
        let reopen = Reopen { gate, crowd };
        work();
        drop(reopen);
        true
    }
}

/// Someone comes back, whatever happens.
struct Back<'g> {
    gate: &'g Gate,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.gate.enter();
    }
}

/// The gate opens again, whatever happens.
struct Reopen<'g> {
    gate: &'g Gate,
    crowd: MutexGuard<'g, Crowd>,
}

impl Drop for Reopen<'_> {
    fn drop(&mut self) {
        self.crowd.closed = false;
        self.gate.closed.store(false, Relaxed);
        self.gate.changed.notify_all();
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.gate.leave();
    }
}
