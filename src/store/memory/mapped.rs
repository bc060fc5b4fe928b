//! Words in memory that the system maps.

use super::Block;
use memmap2::{MmapMut, MmapOptions};

pub struct Mapped(MmapMut);

/// Below this a huge page would mostly be empty.
#[cfg(target_os = "linux")]
const HUGE_FROM: usize = 8 << 20;

impl Block for Mapped {
    const LAZY: bool = true;

    fn zeroed(len: usize) -> Option<Mapped> {
        let map = MmapOptions::new().len(len.checked_mul(8)?).no_reserve_swap().map_anon().ok()?;
        #[cfg(target_os = "linux")]
        if map.len() >= HUGE_FROM {
            // a refusal costs speed, nothing else
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Some(Mapped(map))
    }

    /// All the address space was taken when it was made.
    fn extend(&mut self, _: usize) -> bool {
        false
    }

    fn words(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.0)
    }
}
