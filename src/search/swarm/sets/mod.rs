//! Partial components that workers share: sets of states that are known to be in the same strongly connected component.
//!
//! A union-find without a lock for the whole, after V. Bloemen, A. Laarman, J. van de Pol, Multi-core on-the-fly SCC decomposition,
//! PPoPP 2016. What is known of a set is kept at its root:
//!
//! ```text
//! find(s):       follow the parents to the root, which has none, and shorten the way
//! claim(s, p):   the set is dead: Dead. It has the bit of worker p: Found. Otherwise set the bit, again if the root has changed: New
//! unite(a, b):   lock the lesser one of the two roots; join what belongs to the sets (see [`list`]); link it to the greater one;
//!                pass its bits and marks on; unlock it
//! ```
//! Roots are ordered by the numbers of their states. Only a root that is locked is linked to another, so that a set is linked once, and links
//! go upwards, so that there are no circles. A worker that has changed something at a root looks whether it still is one, and changes the
//! new root, too, if not: what is added to a set is not lost.
//!
//! Bits are passed on after the link. In between a worker may not find its bit and take a state of its own set for a new one: it visits it
//! once more, which does no harm. (The other way round it could take a set for its own that is not on its stack.)
//!
//! The words are a trait so that the tests can run the same lines on loom's atomics.

pub mod list;
#[cfg(test)]
mod tests;

use super::crew::bit;
use crate::store::{Shared, StateId};
use crossbeam_utils::Backoff;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

/// An atomic word. All operations are sequentially consistent.
pub trait Word {
    fn load(&self) -> u64;
    /// Replaces `old`; `Err` with what is there if it is something else.
    fn replace(&self, old: u64, new: u64) -> Result<(), u64>;
    /// Sets these bits; what was there before.
    fn set(&self, bits: u64) -> u64;
    /// Clears these bits.
    fn clear(&self, bits: u64);

    /// Replaces what is there until `new` has nothing better; what was there before the last change, if there was one.
    fn update(&self, mut new: impl FnMut(u64) -> Option<u64>) -> Option<u64> {
        let mut old = self.load();
        loop {
            match self.replace(old, new(old)?) {
                Ok(()) => return Some(old),
                Err(other) => old = other,
            }
        }
    }
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        AtomicU64::load(self, SeqCst)
    }

    #[inline]
    fn replace(&self, old: u64, new: u64) -> Result<(), u64> {
        self.compare_exchange(old, new, SeqCst, SeqCst).map(drop)
    }

    #[inline]
    fn set(&self, bits: u64) -> u64 {
        self.fetch_or(bits, SeqCst)
    }

    #[inline]
    fn clear(&self, bits: u64) {
        self.fetch_and(!bits, SeqCst);
    }
}

/// The words in front of each state.
pub trait Words {
    type Word: Word;
    fn word(&self, state: StateId, number: usize) -> &Self::Word;

    /// Waits a little for another worker.
    fn pause(&self, backoff: &Backoff) {
        backoff.snooze();
    }
}

impl Words for Shared {
    type Word = AtomicU64;

    #[inline(always)]
    fn word(&self, state: StateId, number: usize) -> &AtomicU64 {
        Shared::word(self, state, number)
    }
}

/// The word with the flags below and, at a root, the bits of workers.
const NOTE: usize = 0;
/// The word with the parent in the set and, above it, the state from which this one was reached first.
const LINKS: usize = 1;
/// The word with the marks of a set, at its root.
const MARKS: usize = 2;
/// How many words a union-find needs. Lists need one more.
pub const HEADER: usize = 3;

/// Flags of roots: its set is about to be linked to another; all states of its set have been explored.
const LOCKED: u64 = 1;
const DEAD: u64 = 2;
/// Flags of states: some worker has entered it; the run has ended there, and the state does not tell.
pub const ENTERED: u64 = 4;
pub const ENDED: u64 = 8;
/// The first one of the two bits of a status in a reduced search.
pub const STATUS_SHIFT: u32 = 4;
/// All above the flags: the bits of workers.
const WORKERS: u64 = !0xff;

const PARENT: u64 = u32::MAX as u64;
const REACHED_SHIFT: u32 = 32;

/// What a worker learns of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Its component is complete.
    Dead,
    /// It is in a set that the worker is visiting.
    Found,
    /// The worker visits this set from now on.
    New,
}

/// What became of a request to unite two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum United {
    /// They are one set now, or were before.
    Same,
    /// One of them is complete already.
    TooLate,
}

/// The sets of all states, each a set of its own at first.
pub struct Sets<'s, W = Shared> {
    words: &'s W,
}

impl<W> Clone for Sets<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for Sets<'_, W> {}

impl<'s, W: Words> Sets<'s, W> {
    pub fn new(words: &'s W) -> Sets<'s, W> {
        Sets { words }
    }

    fn note(&self, state: StateId) -> &'s W::Word {
        self.words.word(state, NOTE)
    }

    fn parent(&self, state: StateId) -> Option<StateId> {
        let links = self.words.word(state, LINKS).load() & PARENT;
        links.checked_sub(1).map(|parent| StateId::unpack(parent as u32))
    }

    fn set_parent(&self, state: StateId, parent: StateId) {
        let linked = |links: u64| Some(links & !PARENT | (parent.pack() as u64 + 1));
        self.words.word(state, LINKS).update(linked);
    }

    /// The root of the set that a state belongs to.
    pub fn find(&self, state: StateId) -> StateId {
        let mut state = state;
        while let Some(parent) = self.parent(state) {
            let Some(next) = self.parent(parent) else { return parent };
            // whoever else shortens the way leads to the same root
            self.set_parent(state, next);
            state = next;
        }
        state
    }

    /// Two states are in the same set. Once they are they always will be.
    pub fn are_united(&self, a: StateId, b: StateId) -> bool {
        loop {
            let (root, other) = (self.find(a), self.find(b));
            if root == other {
                return true;
            }
            // a root that has not changed meanwhile tells
            if self.parent(root).is_none() {
                return false;
            }
        }
    }

    /// What a worker is to do about a state.
    pub fn claim(&self, state: StateId, worker: usize) -> Claim {
        let mut root = self.find(state);
        let note = self.note(root).load();
        if note & DEAD != 0 {
            return Claim::Dead;
        }
        if note & bit(worker) != 0 {
            return Claim::Found;
        }
        loop {
            let before = self.note(root).set(bit(worker));
            if before & DEAD != 0 {
                return Claim::Dead;
            }
            if self.parent(root).is_none() {
                return Claim::New;
            }
            root = self.find(root);
        }
    }

    /// The component of a state is complete.
    pub fn is_dead(&self, state: StateId) -> bool {
        self.note(self.find(state)).load() & DEAD != 0
    }

    /// Declares the set of a state complete.
    pub fn mark_dead(&self, state: StateId) {
        if let Some(root) = self.lock_root(state) {
            self.note(root).set(DEAD);
            self.unlock(root);
        }
    }

    /// Locks the root of a set, after waiting if another worker has locked it; `None` if the set is dead.
    fn lock_root(&self, state: StateId) -> Option<StateId> {
        let backoff = Backoff::new();
        loop {
            let root = self.find(state);
            match self.lock(root) {
                Lock::Taken => return Some(root),
                Lock::Dead => return None,
                Lock::NotNow => self.words.pause(&backoff),
            }
        }
    }

    fn lock(&self, root: StateId) -> Lock {
        let before = self.note(root).set(LOCKED);
        if before & LOCKED != 0 {
            return Lock::NotNow;
        }
        if before & DEAD == 0 && self.parent(root).is_none() {
            return Lock::Taken;
        }
        self.unlock(root);
        if before & DEAD != 0 { Lock::Dead } else { Lock::NotNow }
    }

    fn unlock(&self, root: StateId) {
        self.note(root).clear(LOCKED);
    }

    /// Makes one set of the sets of two states. `join` joins what else belongs to the sets whose roots these are, the one that is linked
    /// first; it returns false if one of them is complete.
    pub fn unite(&self, a: StateId, b: StateId, join: impl Fn(StateId, StateId) -> bool) -> United {
        let backoff = Backoff::new();
        loop {
            let (one, other) = (self.find(a), self.find(b));
            if one == other {
                return United::Same;
            }
            let (lesser, greater) = if one < other { (one, other) } else { (other, one) };
            match self.lock(lesser) {
                Lock::Taken => {}
                Lock::Dead => return United::TooLate,
                Lock::NotNow => {
                    self.words.pause(&backoff);
                    continue;
                }
            }
            let united = if join(lesser, greater) {
                self.set_parent(lesser, greater);
                // as changes of nothing: either they see what another worker has added, or that one sees the link
                self.add_workers(greater, self.note(lesser).set(0) & WORKERS);
                self.add_marks(greater, self.words.word(lesser, MARKS).set(0));
                United::Same
            } else {
                United::TooLate
            };
            self.unlock(lesser);
            return united;
        }
    }

    fn add_workers(&self, state: StateId, bits: u64) {
        let mut root = self.find(state);
        loop {
            self.note(root).set(bits);
            if self.parent(root).is_none() {
                return;
            }
            root = self.find(root);
        }
    }

    /// Adds marks to the set of a state; all that it has then.
    pub fn add_marks(&self, state: StateId, marks: u64) -> u64 {
        let mut root = self.find(state);
        loop {
            let all = self.words.word(root, MARKS).set(marks) | marks;
            if self.parent(root).is_none() {
                return all;
            }
            root = self.find(root);
        }
    }

    /// Notes that a worker has entered a state, and with which flags if it is the first to do so; true if it is.
    pub fn enter(&self, state: StateId, flags: impl FnOnce() -> u64) -> bool {
        let note = self.note(state);
        if note.load() & ENTERED != 0 {
            return false;
        }
        let flags = flags() | ENTERED;
        note.update(|note| (note & ENTERED == 0).then_some(note | flags)).is_some()
    }

    /// Notes from which state another one was reached, unless it is known of one already.
    pub fn reach(&self, state: StateId, from: StateId) {
        let reached = (from.pack() as u64 + 1) << REACHED_SHIFT;
        self.words.word(state, LINKS).update(|links| (links >> REACHED_SHIFT == 0).then_some(links | reached));
    }

    /// The state from which it was reached first; `None` for the initial state.
    pub fn reached_from(&self, state: StateId) -> Option<StateId> {
        let from = self.words.word(state, LINKS).load() >> REACHED_SHIFT;
        from.checked_sub(1).map(|from| StateId::unpack(from as u32))
    }
}

enum Lock {
    Taken,
    /// The set is dead.
    Dead,
    /// Another worker has locked it, or it is no root any more.
    NotNow,
}
