//! The states of a set that are still to be explored, as a circular list that workers share.
//!
//! After Bloemen, Laarman, van de Pol (see [`super`]). Every state is in a list of its own at first. A state that is done stays in the list as
//! a tombstone until somebody comes by:
//!
//! ```text
//! pick(s):     from s on: a state that is not done. Tombstones are passed over, and skipped by the next one that comes.
//!              If all are done the set is dead
//! join(a, b):  lock a state that is not done in each of the two lists (Busy); exchange their successors: one list
//! ```
//! Only a locked state or a tombstone gets another successor, and a tombstone only one that is further on in the list, behind other tombstones:
//! no state that is not done is lost.
//!
//! Whether all successors of a state are explored (Expanded) is decided in the same word, so that a state cannot become both, expanded by
//! one worker and done for another that has not seen it.

use super::{Sets, United, Word, Words};
use crate::store::StateId;
use crossbeam_utils::Backoff;

/// The word of a list.
const LIST: usize = super::HEADER;
/// How many words there are in front of each state.
pub const HEADER: usize = LIST + 1;

const NEXT: u64 = u32::MAX as u64;
/// What a state is in its list; neither of the two: it is still to be explored.
const BUSY: u64 = 1 << 32;
const DONE: u64 = 1 << 33;
const EXPANDED: u64 = 1 << 34;

/// How a state was explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All successors were followed.
    Full,
    /// Some were left out.
    Reduced,
}

/// Whether a state is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It is, by this worker.
    Done,
    /// Another worker was faster.
    Before,
    /// It must be expanded.
    Expand,
}

/// What follows from a state's being the last one of its set to be explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Nothing.
    Nothing,
    /// It is expanded unless the set has this mark, which it gets then.
    ExpandWithout(u64),
}

impl<W: Words> Sets<'_, W> {
    fn list(&self, state: StateId) -> &W::Word {
        self.words.word(state, LIST)
    }

    /// The next state of a list, from the word of a state.
    fn next(state: StateId, word: u64) -> StateId {
        (word & NEXT).checked_sub(1).map_or(state, |next| StateId::unpack(next as u32))
    }

    /// The word of a state that no worker has locked.
    fn settled(&self, state: StateId) -> u64 {
        let backoff = Backoff::new();
        loop {
            let word = self.list(state).load();
            if word & BUSY == 0 {
                return word;
            }
            self.words.pause(&backoff);
        }
    }

    /// A state of the same set that is still to be explored; `None` if there is none, and the set is dead.
    pub fn pick(&self, state: StateId) -> Option<StateId> {
        let found = self.find_left(state);
        if found.is_none() {
            self.mark_dead(state);
        }
        found
    }

    fn find_left(&self, state: StateId) -> Option<StateId> {
        let mut at = state;
        loop {
            let word = self.settled(at);
            if word & DONE == 0 {
                return Some(at);
            }
            let next = Self::next(at, word);
            if next == at {
                return None;
            }
            let word = self.settled(next);
            if word & DONE == 0 {
                return Some(next);
            }
            let further = Self::next(next, word);
            if further == next {
                return None;
            }
            self.skip_to(at, further);
            at = further;
        }
    }

    /// Gives a tombstone another successor.
    fn skip_to(&self, state: StateId, next: StateId) {
        self.list(state).update(|word| Some(word & !NEXT | (next.pack() as u64 + 1)));
    }

    /// Makes one set of the sets of two states, with one list.
    pub fn unite_listed(&self, a: StateId, b: StateId) -> United {
        self.unite(a, b, |lesser, greater| self.join(lesser, greater))
    }

    /// A worker that waits here has locked the lesser root, and waits for one that has locked a greater one: there is no circle of them.
    fn join(&self, lesser: StateId, greater: StateId) -> bool {
        let Some(one) = self.lock_left(lesser) else { return false };
        let Some(other) = self.lock_left(greater) else {
            self.list(one).clear(BUSY);
            return false;
        };
        let behind_one = Self::next(one, self.list(one).load());
        let behind_other = Self::next(other, self.list(other).load());
        self.release(one, behind_other);
        self.release(other, behind_one);
        true
    }

    /// Locks a state of a list that is still to be explored.
    fn lock_left(&self, state: StateId) -> Option<StateId> {
        loop {
            let left = self.find_left(state)?;
            let lock = |word: u64| (word & (BUSY | DONE) == 0).then_some(word | BUSY);
            if self.list(left).update(lock).is_some() {
                return Some(left);
            }
        }
    }

    fn release(&self, state: StateId, next: StateId) {
        self.list(state).update(|word| Some(word & !(NEXT | BUSY) | (next.pack() as u64 + 1)));
    }

    /// A state has been explored as far as was wanted.
    pub fn finish(&self, state: StateId, coverage: Coverage, last: Last) -> Finish {
        let Last::ExpandWithout(mark) = last else { return self.make_done(state, coverage) };
        if self.add_marks(state, 0) & mark != 0 {
            // no set loses a mark: it does not matter which of its states is the last one
            return self.make_done(state, coverage);
        }
        // one by one, so that it is known which one is the last
        let Some(root) = self.lock_root(state) else { return Finish::Before };
        // the circle of the list need not lead back to a state that is done
        let is_last = !self.is_done(state) && self.is_last(state);
        if is_last && self.add_marks(root, 0) & mark == 0 {
            self.expand(state);
            self.add_marks(root, mark);
        }
        let finish = self.make_done(state, coverage);
        self.unlock(root);
        finish
    }

    fn make_done(&self, state: StateId, coverage: Coverage) -> Finish {
        let backoff = Backoff::new();
        loop {
            let word = self.list(state).load();
            if word & DONE != 0 {
                return Finish::Before;
            }
            if word & EXPANDED != 0 && coverage == Coverage::Reduced {
                return Finish::Expand;
            }
            if word & BUSY != 0 {
                self.words.pause(&backoff);
            } else if self.list(state).replace(word, word | DONE).is_ok() {
                return Finish::Done;
            }
        }
    }

    /// No other state of the set of this one, which is not done, is left. The tombstones behind it are passed over the next time, so
    /// that none is looked at for each of the states.
    fn is_last(&self, state: StateId) -> bool {
        let first = Self::next(state, self.settled(state));
        let mut at = first;
        while at != state {
            let word = self.list(at).load();
            if word & DONE == 0 {
                break;
            }
            at = Self::next(at, word);
        }
        if at != first {
            self.skip_to(first, at);
        }
        at == state
    }

    /// All successors of a state are to be explored, unless it is done.
    pub fn expand(&self, state: StateId) {
        self.list(state).update(|word| (word & (DONE | EXPANDED) == 0).then_some(word | EXPANDED));
    }

    /// All successors of a state are, or will be, explored.
    pub fn is_expanded(&self, state: StateId) -> bool {
        self.list(state).load() & EXPANDED != 0
    }

    /// A state has been explored.
    pub fn is_done(&self, state: StateId) -> bool {
        self.list(state).load() & DONE != 0
    }
}
