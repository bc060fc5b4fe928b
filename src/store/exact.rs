//! The exact visited set: every state, whole, in one arena.
//!
//! The arena is one vector of words. A record is a word for the search (parent, flags: whatever it likes) followed by
//! the state. The table is open addressing with linear probing; an entry is 24 bits of hash and 40 bits of record
//! number, so that most mismatches are seen without touching the arena. States are numbered by where their record
//! starts, in insertion order: for a breadth-first search the arena is the queue.

use super::hash::hash;
use crate::system::state::word_count;

/// Where a record starts in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u64);

pub struct Inserted {
    pub id: StateId,
    pub new: bool,
}

pub struct Store {
    arena: Vec<u64>,
    table: Vec<u64>,
    count: u64,
    hidden: usize,
}

const INDEX_BITS: u32 = 40;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
const SMALLEST_TABLE: usize = 1 << 12;

impl Store {
    /// A store for states of which `hidden` words behind the first are not compared.
    pub fn new(hidden: usize) -> Store {
        Store { arena: Vec::new(), table: vec![0; SMALLEST_TABLE], count: 0, hidden }
    }

    /// Number of states.
    pub fn len(&self) -> u64 {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        8 * (self.arena.capacity() + self.table.capacity()) as u64
    }

    pub fn hash(&self, state: &[u64]) -> u64 {
        hash(state, self.hidden)
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    /// Asks the processor to fetch what [`Store::insert`] will look at first.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.table[self.slot(hash)]);
    }

    /// As [`Store::prefetch`], one step further: the record the table points to.
    #[inline]
    pub fn prefetch_record(&self, hash: u64) {
        let entry = self.table[self.slot(hash)];
        if entry != 0 && entry >> INDEX_BITS == hash >> INDEX_BITS {
            prefetch(&self.arena[(entry & INDEX_MASK) as usize - 1]);
        }
    }

    /// Finds a state or adds it with `note` as its search word.
    #[inline]
    pub fn insert(&mut self, state: &[u64], hash: u64, note: u64) -> Inserted {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == 0 {
                break;
            }
            if entry >> INDEX_BITS == hash >> INDEX_BITS {
                let id = StateId((entry & INDEX_MASK) - 1);
                if self.equal(id, state) {
                    return Inserted { id, new: false };
                }
            }
            slot = (slot + 1) & mask;
        }
        let id = StateId(self.arena.len() as u64);
        self.arena.push(note);
        self.arena.extend_from_slice(state);
        self.table[slot] = (hash >> INDEX_BITS << INDEX_BITS) | (id.0 + 1);
        self.count += 1;
        if self.count as usize * 4 > self.table.len() * 3 {
            self.grow();
        }
        Inserted { id, new: true }
    }

    #[inline]
    fn equal(&self, id: StateId, state: &[u64]) -> bool {
        let at = id.0 as usize + 1;
        self.arena[at] == state[0] && self.arena[at + 1 + self.hidden..at + state.len()] == state[1 + self.hidden..]
    }

    fn grow(&mut self) {
        let mut table = vec![0; self.table.len() * 2];
        let mask = table.len() - 1;
        let mut at = 0;
        while at < self.arena.len() {
            let words = word_count(&self.arena[at + 1..]);
            let hash = hash(&self.arena[at + 1..at + 1 + words], self.hidden);
            let mut slot = hash as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = (hash >> INDEX_BITS << INDEX_BITS) | (at as u64 + 1);
            at += 1 + words;
        }
        self.table = table;
    }

    pub fn state(&self, id: StateId) -> &[u64] {
        let at = id.0 as usize + 1;
        &self.arena[at..at + word_count(&self.arena[at..])]
    }

    pub fn note(&self, id: StateId) -> u64 {
        self.arena[id.0 as usize]
    }

    pub fn set_note(&mut self, id: StateId, note: u64) {
        self.arena[id.0 as usize] = note;
    }

    /// The state inserted after this one, if there is one: states are in insertion order.
    pub fn after(&self, id: StateId) -> StateId {
        StateId(id.0 + 1 + word_count(&self.arena[id.0 as usize + 1..]) as u64)
    }

    /// The id the next new state will get.
    pub fn end(&self) -> StateId {
        StateId(self.arena.len() as u64)
    }
}

#[inline]
fn prefetch<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching is a hint; `at` is a valid reference, and SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
