//! Lock-free lookup and insertion of entries in one table.
//!
//! ```text
//! find_or_add(tag): from the tag's first slot on:
//!   entry has this tag and its record is equal: found
//!   slot is empty: write the record, then claim the slot (compare and swap); if another thread was faster, look again
//!   otherwise: next slot
//! ```
//!
//! Entries are never changed and never removed. A record is written before its entry is published (release) and never changed
//! afterwards, so that a thread that reads the entry (acquire) may read the record. Two threads that add the same state meet at the
//! same empty slot, because both have seen the same entries before it: one of them claims it, the other one finds its entry.
//!
//! The slots are a trait so that the tests can run the same lines on loom's atomics.

/// The slots of a table: a power of two of them, all 0 in the beginning.
pub trait Slots {
    fn len(&self) -> usize;

    /// Reads an entry (acquire): what was written before it was published is visible.
    fn load(&self, slot: usize) -> u64;

    /// Publishes an entry in an empty slot (release); `Err` with the entry that is there already (acquire).
    fn claim(&self, slot: usize, entry: u64) -> Result<(), u64>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probed {
    /// The record at this place is equal.
    Found(u32),
    /// The record was written at this place and published.
    Added(u32),
    /// Every slot is taken.
    Crowded,
    /// There is no room in the arena for the record.
    NoRoom,
}

/// An entry: the tag and, from 1, the place of the record.
#[inline(always)]
fn entry(tag: u64, place: u32) -> u64 {
    tag << 32 | (place as u64 + 1)
}

#[inline(always)]
pub fn place(entry: u64) -> u32 {
    (entry as u32).wrapping_sub(1)
}

/// Finds an entry with this 32-bit tag whose record is `equal`, or adds one whose record is written by `write`.
#[inline(always)]
pub fn find_or_add(
    slots: &impl Slots,
    first: usize,
    tag: u64,
    mut equal: impl FnMut(u32) -> bool,
    mut write: impl FnMut() -> Option<u32>,
) -> Probed {
    let mask = slots.len() - 1;
    let mut written = None;
    let mut slot = first;
    let mut seen = slots.load(slot);
    for _ in 0..=mask {
        if seen == 0 {
            let Some(own) = written.or_else(&mut write) else { return Probed::NoRoom };
            written = Some(own);
            match slots.claim(slot, entry(tag, own)) {
                Ok(()) => return Probed::Added(own),
                Err(other) => seen = other,
            }
        }
        if seen >> 32 == tag && equal(place(seen)) {
            return Probed::Found(place(seen));
        }
        slot = (slot + 1) & mask;
        seen = slots.load(slot);
    }
    Probed::Crowded
}

/// Finds an entry without adding one.
#[inline(always)]
pub fn find(slots: &impl Slots, first: usize, tag: u64, mut equal: impl FnMut(u32) -> bool) -> Option<u32> {
    let mask = slots.len() - 1;
    let mut slot = first;
    for _ in 0..=mask {
        let seen = slots.load(slot);
        if seen == 0 {
            return None;
        }
        if seen >> 32 == tag && equal(place(seen)) {
            return Some(place(seen));
        }
        slot = (slot + 1) & mask;
    }
    None
}
