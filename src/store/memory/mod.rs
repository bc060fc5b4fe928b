//! Large blocks of zeroed words, backed by huge pages where the system has them.
//!
//! The visited table and the arena are touched at random places all the time; with 4 KiB pages most of these accesses
//! miss the translation cache as well as the data cache. A mapped block takes address space when it is made and memory only
//! where it is touched, so that an arena never has to be moved to grow, and that of a small model is small. Where nothing can be
//! mapped, a block is an allocation: an arena starts small and is moved when it grows, unless threads share it.

#![expect(unsafe_code, reason = "states are words of a block")]

#[cfg(any(test, not(any(unix, windows))))]
mod allocated;
#[cfg(any(unix, windows))]
mod mapped;

use crate::machine;
#[cfg(not(any(unix, windows)))]
use allocated::Allocated as Memory;
#[cfg(any(unix, windows))]
use mapped::Mapped as Memory;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

pub type Words = WordsIn<Memory>;

/// Where words can be.
pub trait Block: Sized {
    /// Takes memory only where it is touched.
    const LAZY: bool;

    /// A block of `len` words, all zero and aligned for atomic operations. `None` if there is no memory or address space for it.
    fn zeroed(len: usize) -> Option<Self>;

    /// Makes it longer, with zeros; it may move. False if that cannot be.
    fn extend(&mut self, len: usize) -> bool;

    fn words(&mut self) -> &mut [u64];
}

pub struct WordsIn<B> {
    /// Those of the block; found once, because finding them checks alignment and length.
    words: NonNull<[u64]>,
    block: B,
    /// [`WordsIn::extend`] does not go beyond.
    most: usize,
}

// SAFETY: the words belong to the block and are reached through `&self` and `&mut self` only.
unsafe impl<B: Send> Send for WordsIn<B> {}
// SAFETY: as above.
unsafe impl<B: Sync> Sync for WordsIn<B> {}

/// An arena's words are numbered from 1 with 32 bits; where addresses are that short, fewer have one.
const LARGEST_ARENA: u64 = if usize::BITS > 32 { 1 << 32 } else { isize::MAX as u64 / 8 };
/// Words of an arena at least.
const SMALLEST_ARENA: u64 = 1 << 20;
/// Words that an arena starts with if it takes memory at once.
const FIRST_PART: usize = 1 << 12;
/// Words of an arena that takes memory at once and can never be moved.
const LARGEST_IN_ONE_PIECE: u64 = 1 << 23;

impl<B: Block> WordsIn<B> {
    /// A block of `len` words. `None` if the system does not have that much address space for us.
    pub fn zeroed(len: usize) -> Option<WordsIn<B>> {
        let mut block = B::zeroed(len)?;
        Some(WordsIn { words: NonNull::from(block.words()), block, most: len })
    }

    /// The first word, for those who share the block; they must keep clear of references to the same words.
    #[inline(always)]
    pub fn pointer(&self) -> *mut u64 {
        self.words.as_ptr().cast()
    }

    /// A block for an arena; if memory is limited, it never has more words than may be used. It leaves half of the address
    /// space to everything else where that is limited, too. Its owner may have to [extend](WordsIn::extend) it.
    pub fn arena(memory: Option<u64>) -> Option<WordsIn<B>> {
        let most = largest_arena(memory);
        if B::LAZY {
            return reserve(most);
        }
        Some(WordsIn { most: most as usize, ..WordsIn::zeroed(FIRST_PART)? })
    }

    /// The same for an arena that threads share: it is as long as it will ever be.
    pub fn shared_arena(memory: Option<u64>) -> Option<WordsIn<B>> {
        let most = largest_arena(memory);
        reserve(if B::LAZY { most } else { most.min(LARGEST_IN_ONE_PIECE) })
    }

    /// Makes an arena longer, so that it has at least `len` words; false if that is more than it may have.
    #[cold]
    pub fn extend(&mut self, len: usize) -> bool {
        // twice as long, so that words are seldom moved
        let extended = len.max(self.len().saturating_mul(2)).min(self.most);
        let done = len <= extended && self.block.extend(extended);
        self.words = NonNull::from(self.block.words());
        done
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.words.len()
    }
}

/// How many words an arena may have.
fn largest_arena(memory: Option<u64>) -> u64 {
    let space = machine::address_space_left().map_or(u64::MAX, |left| left / 2);
    let words = memory.unwrap_or(u64::MAX).min(space) / 8;
    LARGEST_ARENA.min(words.max(SMALLEST_ARENA))
}

/// As many words as can be had at once.
fn reserve<B: Block>(most: u64) -> Option<WordsIn<B>> {
    let sizes = std::iter::successors(Some(most), |len| Some(len / 2));
    sizes.take_while(|&len| len >= SMALLEST_ARENA).find_map(|len| WordsIn::zeroed(len as usize))
}

impl<B> Deref for WordsIn<B> {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        // SAFETY: the words live as long as `self`, move only in `extend`, which finds them again, and are only reached through `self`.
        unsafe { self.words.as_ref() }
    }
}

impl<B> DerefMut for WordsIn<B> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `deref`; `&mut self` makes it the only reference.
        unsafe { self.words.as_mut() }
    }
}

#[cfg(test)]
mod tests {
    use super::allocated::Allocated;
    use super::*;

    #[test]
    fn an_allocated_arena_starts_small_and_keeps_its_words() {
        let mut arena = WordsIn::<Allocated>::arena(None).expect("memory");
        assert_eq!(arena.len(), FIRST_PART);
        arena[FIRST_PART - 1] = 7;
        assert!(arena.extend(FIRST_PART + 1));
        assert_eq!(arena.len(), 2 * FIRST_PART);
        assert_eq!((arena[FIRST_PART - 1], arena[FIRST_PART]), (7, 0));
        assert!(arena.pointer().cast::<std::sync::atomic::AtomicU64>().is_aligned());
    }

    #[test]
    fn an_allocated_arena_does_not_outgrow_its_limit() {
        let limit = SMALLEST_ARENA as usize + 5;
        let mut arena = WordsIn::<Allocated>::arena(Some(8 * limit as u64)).expect("memory");
        assert!(arena.extend(limit));
        assert_eq!(arena.len(), limit);
        assert!(!arena.extend(limit + 1));
        assert_eq!(arena.len(), limit);
    }

    #[test]
    fn what_is_shared_is_there_at_once() {
        let arena = WordsIn::<Allocated>::shared_arena(None).expect("memory");
        assert_eq!(arena.len(), LARGEST_IN_ONE_PIECE as usize);
    }

    /// Searches by many threads in one process have an arena each.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_mapped_arena_takes_memory_only_where_it_is_touched() {
        let before = machine::resident().expect("Linux tells");
        let mut arenas: Vec<Words> = (0..8).map(|_| Words::shared_arena(None).expect("memory")).collect();
        for arena in &mut arenas {
            arena[0] = 1;
        }
        let taken = machine::resident().expect("Linux tells").saturating_sub(before);
        // a huge page each, and what other tests do meanwhile
        assert!(taken < 256 << 20, "{taken} bytes");
    }
}
