//! A barrier where threads wait while one of them replaces data that all of them use.
//!
//! `pass` neither waits nor takes a lock until a member closes the gate to work alone. Then each of the others waits there when it next
//! calls `pass` (or `alone`), where it holds no reference to the data.
//!
//! Locks and atomics come from the module above, so that the tests can run the same lines on loom's.

use super::sync::{AtomicBool, Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Default)]
pub struct Gate {
    /// A copy of `Crowd::closed` that `pass` reads without the lock, as a hint.
    closed: AtomicBool,
    crowd: Mutex<Crowd>,
    changed: Condvar,
}

#[derive(Default)]
struct Crowd {
    members: usize,
    waiting: usize,
    /// A member works alone, or waits for the others to come to the gate.
    closed: bool,
}

/// A member, which must call `pass` from time to time.
pub struct Member<'g> {
    gate: &'g Gate,
}

impl Gate {
    fn crowd(&self) -> MutexGuard<'_, Crowd> {
        // a poisoned lock is harmless: each change is one assignment
        self.crowd.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'c>(&'c self, crowd: MutexGuard<'c, Crowd>) -> MutexGuard<'c, Crowd> {
        self.changed.wait(crowd).unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins as soon as the gate is open.
    pub fn join(&self) -> Member<'_> {
        self.enter();
        Member { gate: self }
    }

    /// Joins without waiting; `None` if the gate is closed.
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
    /// Leaves the gate during `elsewhere`, so that no other member waits for this one.
    pub fn away<T>(&mut self, elsewhere: impl FnOnce() -> T) -> T {
        self.gate.leave();
        // joins again even in a panic, because dropping the member leaves once more
        let _back = Back { gate: self.gate };
        elsewhere()
    }

    /// Waits while the gate is closed.
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

    /// Closes the gate, waits until all other members wait there, works, and returns true. If another member has closed
    /// it already, only waits until that one is done, and returns false.
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

/// Joins again when it is dropped, even in a panic.
struct Back<'g> {
    gate: &'g Gate,
}

impl Drop for Back<'_> {
    fn drop(&mut self) {
        self.gate.enter();
    }
}

/// Opens the gate when it is dropped, even in a panic. Holds the lock until then.
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
