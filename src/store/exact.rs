//! The exact visited set: every state, whole, in one arena.
//!
//! The arena is one vector of words. A record is a word for the search (parent, flags: whatever it likes) followed by
//! the state. The table is open addressing with linear probing; an entry is 32 bits of hash and the 32-bit place of the
//! record, so that most mismatches are seen without touching the arena. The place in the table comes from the same 32
//! bits, so that growing the table never looks at a state. An arena has at most 2^32 words (32 GiB) and is used
//! from the start; see `memory` for how it grows.

#![allow(unsafe_code, reason = "prefetching")]

use super::hash::hash;
use super::memory::Words;
use super::{Full, Inserted, Own, StateId, States, Visited};
use crate::system::Cutoff;
use crate::system::state::word_count;

/// A visited set for one thread.
pub struct Store {
    arena: Words,
    /// Words of the arena in use.
    used: usize,
    table: Words,
    /// A tag's place in the table is `tag >> shift`.
    shift: u32,
    count: u64,
    hidden: usize,
    cutoff: Cutoff,
}

const SMALLEST_TABLE: usize = 1 << 12;

/// States between two questions whether there is memory for a larger table.
const ASK_EVERY: u64 = 64;

/// The part of a hash that the table keeps; never 0, which is an empty entry.
#[inline]
fn tag(hash: u64) -> u64 {
    hash >> 32 | 1
}

impl Store {
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (tag(hash) >> self.shift) as usize
    }

    /// The number of a state, or the free slot at which the search for it ended.
    #[inline(always)]
    fn find(&self, state: &[u64], hash: u64) -> Result<StateId, usize> {
        let (table, tag) = (&self.table[..], tag(hash));
        let mask = table.len() - 1;
        let mut slot = self.slot(hash);
        loop {
            let entry = table[slot];
            if entry >> 32 == tag {
                let id = StateId::at(entry as u32 as usize - 1);
                if self.equal(id, state) {
                    return Ok(id);
                }
            } else if entry == 0 {
                return Err(slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a state that is not in the table, whose free slot is `slot`.
    #[inline(never)]
    fn add(&mut self, slot: usize, state: &[u64], hash: u64, note: u64) -> Result<Inserted, Full> {
        let end = self.used + 1 + state.len();
        if end >= self.arena.len() && !self.arena.extend(end + 1) {
            self.cutoff.note_full();
            return Err(Full);
        }
        let id = StateId::at(self.used);
        self.table[slot] = tag(hash) << 32 | (self.used as u64 + 1);
        if self.is_crowded() && !self.grow() {
            self.table[slot] = 0;
            return Err(Full);
        }
        self.arena[self.used] = note;
        self.arena[self.used + 1..end].copy_from_slice(state);
        self.used = end;
        self.count += 1;
        Ok(Inserted { id, new: true })
    }

    /// Tags are equal, so the states almost certainly are: all words are compared, without looking for an early end.
    #[inline(always)]
    fn equal(&self, id: StateId, state: &[u64]) -> bool {
        let at = id.place() + 1;
        let Some(stored) = self.arena.get(at..at + state.len()) else { return false };
        let differ = |a: &[u64], b: &[u64]| a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) != 0;
        match self.hidden {
            0 => !differ(stored, state),
            hidden => stored[0] == state[0] && !differ(&stored[1 + hidden..], &state[1 + hidden..]),
        }
    }

    /// The table is three quarters full.
    fn is_crowded(&self) -> bool {
        self.count as usize * 4 > self.table.len() * 3
    }

    /// Makes the table larger. Without memory for that it may become a little more crowded; false if it is that, too.
    fn grow(&mut self) -> bool {
        let Some(mut table) = self.larger_table() else {
            let bearable = self.count as usize * 8 <= self.table.len() * 7;
            if !bearable {
                self.cutoff.note_full();
            }
            return bearable;
        };
        let mask = table.len() - 1;
        self.shift -= 1;
        for &entry in self.table.iter().filter(|&&entry| entry != 0) {
            let mut slot = (entry >> 32 >> self.shift) as usize;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = entry;
        }
        self.table = table;
        true
    }

    /// A table of twice the size, if the memory limit leaves room for it beside the old one. That is found out now and then: while there
    /// is no room, this is asked for each state.
    fn larger_table(&self) -> Option<Words> {
        let len = self.table.len() * 2;
        let room = self.count.is_multiple_of(ASK_EVERY) && self.cutoff.has_room(8 * len as u64);
        room.then(|| Words::zeroed(len)).flatten()
    }
}

impl States for Store {
    #[inline(always)]
    fn recall<'s>(&'s self, id: StateId, _: &'s mut Vec<u64>) -> &'s [u64] {
        let at = id.place() + 1;
        &self.arena[at..at + word_count(&self.arena[at..])]
    }
}

impl Visited for Store {
    const EXACT: bool = true;

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        hash(state, self.hidden)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        prefetch(&self.table[self.slot(hash)]);
    }

    #[inline(always)]
    fn prefetch_record(&self, hash: u64) {
        let entry = self.table[self.slot(hash)];
        if entry >> 32 == tag(hash) {
            prefetch(&self.arena[entry as u32 as usize - 1]);
        }
    }

    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64, note: u64) -> Result<Inserted, Full> {
        match self.find(state, hash) {
            Ok(id) => Ok(Inserted { id, new: false }),
            Err(slot) => self.add(slot, state, hash, note),
        }
    }

    fn get(&self, state: &[u64], hash: u64) -> Option<StateId> {
        self.find(state, hash).ok()
    }

    #[inline(always)]
    fn note(&self, id: StateId) -> u64 {
        self.arena[id.place()]
    }
}

impl Own for Store {
    fn new(hidden: usize, cutoff: &Cutoff) -> Option<Store> {
        let shift = 32 - SMALLEST_TABLE.trailing_zeros();
        let arena = Words::arena(cutoff.memory())?;
        let table = Words::zeroed(SMALLEST_TABLE)?;
        Some(Store { arena, used: 0, table, shift, count: 0, hidden, cutoff: cutoff.clone() })
    }

    #[inline(always)]
    fn set_note(&mut self, id: StateId, note: u64) {
        self.arena[id.place()] = note;
    }

    fn replace_hidden(&mut self, id: StateId, other: &[u64]) {
        let at = id.place() + 2;
        self.arena[at..at + self.hidden].copy_from_slice(&other[1..1 + self.hidden]);
    }

    fn len(&self) -> u64 {
        self.count
    }

    fn memory(&self) -> u64 {
        8 * (self.used + self.table.len()) as u64
    }

    fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            let id = (next < self.used).then(|| StateId::at(next))?;
            next += 1 + word_count(&self.arena[next + 1..]);
            Some(id)
        })
    }
}

#[inline]
pub fn prefetch<T>(at: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching is a hint; `at` is a valid reference, and SSE is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
