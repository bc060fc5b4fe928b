//! Large blocks of zeroed words, backed by huge pages where the system has them.
//!
//! The visited table and the arena are touched at random places all the time; with 4 KiB pages most of these accesses
//! miss the translation cache as well as the data cache. A block takes address space when it is made and memory only
//! where it is touched, so that an arena never has to be moved to grow.

#![expect(unsafe_code, reason = "states are words of mapped memory")]

use crate::machine;
use memmap2::{MmapMut, MmapOptions};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

pub struct Words {
    /// `map` as words; found once, because finding it checks alignment and length.
    words: NonNull<[u64]>,
    _map: MmapMut,
}

// SAFETY: the words belong to the map, which is `Send` and `Sync`, and are reached through `&self` and `&mut self` only.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

/// Below this a huge page would mostly be empty.
const HUGE_FROM: usize = 8 << 20;
/// Words of an arena at least.
const SMALLEST_ARENA: usize = 1 << 20;

impl Words {
    /// A block of `len` words. `None` if the system does not have that much address space for us.
    pub fn zeroed(len: usize) -> Option<Words> {
        let mut map = MmapOptions::new().len(len * 8).no_reserve_swap().map_anon().ok()?;
        #[cfg(target_os = "linux")]
        if len * 8 >= HUGE_FROM {
            // a refusal costs speed, nothing else
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        let words = NonNull::from(bytemuck::cast_slice_mut(&mut map));
        Some(Words { words, _map: map })
    }

    /// The first word, for those who share the block; they must keep clear of references to the same words.
    #[inline(always)]
    pub fn pointer(&self) -> *mut u64 {
        self.words.as_ptr().cast()
    }

    /// A block for an arena of at most `most` words and, if memory is limited, no more than may be used. It leaves half of the address
    /// space to everything else where that is limited, too.
    pub fn arena(most: usize, memory: Option<u64>) -> Option<Words> {
        let space = machine::address_space_left().map_or(u64::MAX, |left| left / 2);
        let words = (memory.unwrap_or(u64::MAX).min(space) / 8) as usize;
        let mut len = most.min(words.max(SMALLEST_ARENA));
        while len >= SMALLEST_ARENA {
            if let Some(words) = Words::zeroed(len) {
                return Some(words);
            }
            len /= 2;
        }
        None
    }
}

impl Words {
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.words.len()
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        // SAFETY: the map lives as long as `self`, does not move, and is only reached through `self`.
        unsafe { self.words.as_ref() }
    }
}

impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as in `deref`; `&mut self` makes it the only reference.
        unsafe { self.words.as_mut() }
    }
}
