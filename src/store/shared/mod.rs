//! The exact visited set for many threads: one arena, one table, lock-free insertion.
//!
//! As in [`Store`](super::Store) a record is some words for the search followed by the state, and an entry of the table is 32
//! bits of hash and the 32-bit place of the record. Threads take the arena in chunks, so that each writes its records side by
//! side. When the table is crowded, all writers stop at a barrier (`gate`), and one of them moves the entries to a table of twice
//! the size, without reading a state. See `probe` for how an entry is inserted.
//!
//! The words in front of a state are atomic and shared by all threads. The first one is the note: colours, marks, bits of workers.

#![allow(unsafe_code, reason = "threads share the words of one arena")]

mod explored;
mod gate;
mod probe;

/// The locks and atomics of `gate`; its tests replace them by loom's.
mod sync {
    pub use std::sync::atomic::AtomicBool;
    pub use std::sync::{Condvar, Mutex, MutexGuard};
}

use super::exact::prefetch;
use super::hash::hash;
use super::memory::Words;
use super::{Full, Inserted, StateId, States, Visited};
use crate::system::Cutoff;
use crate::system::state::word_count;
use crossbeam_utils::CachePadded;
pub use explored::Explored;
use gate::{Gate, Member};
use probe::{Probed, Slots, find, find_or_add};
use std::cell::UnsafeCell;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};

const SMALLEST_TABLE: usize = 1 << 12;
/// Words of the arena that a thread takes at once.
const CHUNK: usize = 1 << 14;
/// States that a writer adds between two updates of the shared count.
const TELL_EVERY: u64 = 64;

/// A visited set for many threads, each of which has a [`Writer`].
pub struct Shared {
    arena: Words,
    /// Words of the arena that writers have taken.
    used: CachePadded<AtomicUsize>,
    table: UnsafeCell<Table>,
    /// Slots of the table; unlike the table, readable at any time.
    slots: AtomicUsize,
    /// Lower bound on the states in the table.
    count: CachePadded<AtomicU64>,
    /// Words in front of each state.
    header: usize,
    gate: Gate,
    cutoff: Cutoff,
}

// SAFETY: all threads access the words of arena and table by these rules only. Table: by atomic operations, and it is
// replaced only by a member of the gate while all others wait there. Arena: a record is written by the thread that owns
// the chunk before it publishes the record; from then on its header is accessed by atomic operations, and the state is
// only read.
unsafe impl Sync for Shared {}

struct Table {
    words: Words,
    /// A tag's first slot is `tag >> shift`.
    shift: u32,
}

impl Table {
    fn zeroed(len: usize) -> Option<Table> {
        Some(Table { words: Words::zeroed(len)?, shift: 32 - len.trailing_zeros() })
    }

    #[inline(always)]
    fn at(&self, slot: usize) -> &AtomicU64 {
        assert!(slot < self.words.len());
        // SAFETY: the slot is in the table, which lives as long as `self`, and all threads use it atomically.
        unsafe { AtomicU64::from_ptr(self.words.pointer().add(slot)) }
    }

    #[inline(always)]
    fn first(&self, tag: u64) -> usize {
        (tag >> self.shift) as usize
    }
}

impl Slots for Table {
    #[inline(always)]
    fn len(&self) -> usize {
        self.words.len()
    }

    #[inline(always)]
    fn load(&self, slot: usize) -> u64 {
        self.at(slot).load(Acquire)
    }

    #[inline(always)]
    fn claim(&self, slot: usize, entry: u64) -> Result<(), u64> {
        self.at(slot).compare_exchange(0, entry, AcqRel, Acquire).map(drop)
    }
}

/// The part of a hash that the table keeps; never 0, which is an empty entry.
#[inline(always)]
fn tag(hash: u64) -> u64 {
    hash >> 32 | 1
}

impl Shared {
    /// A store whose records have `header` words (at least one) in front of the state; `None` without memory for it.
    pub fn new(header: usize, cutoff: &Cutoff) -> Option<Shared> {
        Some(Shared {
            arena: Words::shared_arena(cutoff.memory())?,
            cutoff: cutoff.clone(),
            used: CachePadded::new(AtomicUsize::new(0)),
            table: UnsafeCell::new(Table::zeroed(SMALLEST_TABLE)?),
            slots: AtomicUsize::new(SMALLEST_TABLE),
            count: CachePadded::new(AtomicU64::new(0)),
            header: header.max(1),
            gate: Gate::default(),
        })
    }

    /// A thread needs a writer to use the store, and must call [`Writer::pass`] from time to time.
    pub fn writer(&self) -> Writer<'_> {
        self.writer_for(self.gate.join())
    }

    /// The same; `None`, without waiting, if the table is growing or about to.
    fn try_writer(&self) -> Option<Writer<'_>> {
        self.gate.try_join().map(|member| self.writer_for(member))
    }

    fn writer_for<'s>(&'s self, member: Member<'s>) -> Writer<'s> {
        Writer { store: self, member, free: 0..0, untold: 0 }
    }

    /// Bytes of the arena that writers have taken, and those of the table.
    pub fn memory(&self) -> u64 {
        8 * (self.used.load(Relaxed) + self.slots.load(Relaxed)) as u64
    }

    /// The word of a record that all threads share.
    #[inline(always)]
    pub fn note(&self, id: StateId) -> &AtomicU64 {
        self.word(id, 0)
    }

    /// A word in front of a state.
    #[inline(always)]
    pub fn word(&self, id: StateId, number: usize) -> &AtomicU64 {
        let at = id.place() + number;
        assert!(number < self.header && at < self.arena.len());
        // SAFETY: the word is in the arena, which lives as long as `self`; words of headers are used atomically once
        // their record is published.
        unsafe { AtomicU64::from_ptr(self.arena.pointer().add(at)) }
    }

    /// `len` words from `at` on; they must belong to published records.
    #[inline(always)]
    fn words(&self, at: usize, len: usize) -> &[u64] {
        assert!(at + len <= self.arena.len());
        // SAFETY: within the arena; a published record is never written again, apart from its header.
        unsafe { std::slice::from_raw_parts(self.arena.pointer().add(at), len) }
    }

    #[inline(always)]
    fn equal(&self, place: u32, state: &[u64]) -> bool {
        let at = place as usize + self.header;
        if at + state.len() > self.arena.len() || self.words(at, 1)[0] != state[0] {
            return false;
        }
        let stored = self.words(at, state.len());
        stored.iter().zip(state).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

impl States for Shared {
    #[inline(always)]
    fn recall<'s>(&'s self, id: StateId, _: &'s mut Vec<u64>) -> &'s [u64] {
        let at = id.place() + self.header;
        self.words(at, word_count(self.words(at, 1)))
    }
}

/// One thread's access to the store.
pub struct Writer<'s> {
    store: &'s Shared,
    member: Member<'s>,
    /// The rest of its chunk of the arena.
    free: std::ops::Range<usize>,
    /// States that it has added since the last update of the shared count.
    untold: u64,
}

impl<'s> Writer<'s> {
    /// The store that it writes to.
    pub fn store(&self) -> &'s Shared {
        self.store
    }

    #[inline(always)]
    fn table(&self) -> &Table {
        // SAFETY: the table is replaced only while all other members wait at the gate, and this one does not: it waits
        // there only in functions with `&mut self`, when no reference that this function has returned is alive.
        unsafe { &*self.store.table.get() }
    }

    /// To be called regularly by every writer: waits while another one replaces the table.
    #[inline]
    pub fn pass(&mut self) {
        self.member.pass();
    }

    /// Runs something that does not use the store, during which no other writer waits for this one.
    pub fn away<T>(&mut self, elsewhere: impl FnOnce() -> T) -> T {
        self.member.away(elsewhere)
    }

    /// Counts a state that was added; updates the shared count now and then, and grows a crowded table.
    #[inline(always)]
    fn tell(&mut self) -> Result<(), Full> {
        self.untold += 1;
        if self.untold < TELL_EVERY { Ok(()) } else { self.tell_now() }
    }

    #[inline(never)]
    fn tell_now(&mut self) -> Result<(), Full> {
        let count = self.store.count.fetch_add(self.untold, Relaxed) + self.untold;
        self.untold = 0;
        let (count, len) = (count as usize, self.table().len());
        if count * 4 <= len * 3 {
            return Ok(());
        }
        // without memory for a larger table, this one may be filled to 7/8 instead of 3/4
        if count * 8 <= len * 7 && !self.store.has_room(len) { Ok(()) } else { self.grow() }
    }

    /// Makes the table larger, unless another writer has just done so.
    #[inline(never)]
    fn grow(&mut self) -> Result<(), Full> {
        let mut grown = true;
        let (store, crowded) = (self.store, self.table().len());
        let work = || {
            // SAFETY: all other members wait at the gate, and this one holds no reference to the table.
            let table = unsafe { &mut *store.table.get() };
            if table.len() > crowded {
                return;
            }
            match store.has_room(crowded).then(|| larger(table)).flatten() {
                Some(larger) => {
                    store.slots.store(larger.len(), Relaxed);
                    *table = larger;
                }
                None => {
                    store.cutoff.note_full();
                    grown = false;
                }
            }
        };
        self.member.alone(work);
        if grown { Ok(()) } else { Err(Full) }
    }
}

impl States for Writer<'_> {
    #[inline(always)]
    fn recall<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u64>) -> &'s [u64] {
        self.store.recall(id, buffer)
    }
}

impl Visited for Writer<'_> {
    const EXACT: bool = true;

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        hash(state, 0)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        let table = self.table();
        prefetch(table.at(table.first(tag(hash))));
    }

    #[inline(always)]
    fn prefetch_record(&self, hash: u64) {
        let table = self.table();
        let entry = table.load(table.first(tag(hash)));
        if entry >> 32 == tag(hash) {
            prefetch(self.store.note(StateId(probe::place(entry))));
        }
    }

    /// A new record has zeros in its other words.
    #[inline(always)]
    fn insert(&mut self, state: &[u64], hash: u64, note: u64) -> Result<Inserted, Full> {
        loop {
            let tag = tag(hash);
            let Writer { store, free, .. } = &mut *self;
            // SAFETY: as in `table`
            let table = unsafe { &*store.table.get() };
            let write = || store.write(free, state, note);
            match find_or_add(table, table.first(tag), tag, |place| store.equal(place, state), write) {
                Probed::Found(place) => return Ok(Inserted { id: StateId(place), new: false }),
                Probed::Added(place) => {
                    self.free.start += self.store.header + state.len();
                    self.tell()?;
                    return Ok(Inserted { id: StateId(place), new: true });
                }
                Probed::NoRoom => return Err(Full),
                Probed::Crowded => self.grow()?,
            }
        }
    }

    fn get(&self, state: &[u64], hash: u64) -> Option<StateId> {
        let (table, tag) = (self.table(), tag(hash));
        find(table, table.first(tag), tag, |place| self.store.equal(place, state)).map(StateId)
    }

    #[inline(always)]
    fn note(&self, id: StateId) -> u64 {
        self.store.note(id).load(Acquire)
    }
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        self.store.count.fetch_add(self.untold, Relaxed);
    }
}

impl Shared {
    /// Whether the memory limit leaves room for a table of `2 * len` slots, beside the present one of `len`.
    fn has_room(&self, len: usize) -> bool {
        self.cutoff.has_room(16 * len as u64)
    }

    /// Writes a record at the start of the free range, or of a new chunk; `None` if the arena is full.
    #[inline(never)]
    fn write(&self, free: &mut std::ops::Range<usize>, state: &[u64], note: u64) -> Option<u32> {
        let len = self.header + state.len();
        if free.len() < len {
            let chunk = len.max(CHUNK);
            let start = self.used.fetch_add(chunk, Relaxed);
            if start + chunk >= self.arena.len() {
                self.cutoff.note_full();
                self.used.fetch_sub(chunk, Relaxed);
                return None;
            }
            *free = start..start + chunk;
        }
        let at = free.start;
        // SAFETY: only this thread has taken the range, which lies in the arena, and the record is not published yet.
        unsafe {
            let record = self.arena.pointer().add(at);
            record.write_bytes(0, self.header);
            record.write(note);
            record.add(self.header).copy_from_nonoverlapping(state.as_ptr(), state.len());
        }
        Some(at as u32)
    }
}

/// A table of twice the size with the same entries; `None` if there is no memory for it.
fn larger(table: &Table) -> Option<Table> {
    let larger = Table::zeroed(table.len() * 2)?;
    let mask = larger.len() - 1;
    for entry in (0..table.len()).map(|slot| table.load(slot)).filter(|&entry| entry != 0) {
        let mut slot = larger.first(entry >> 32);
        while larger.at(slot).load(Relaxed) != 0 {
            slot = (slot + 1) & mask;
        }
        larger.at(slot).store(entry, Release);
    }
    Some(larger)
}

#[cfg(test)]
mod tests;
