//! What the machine gives this process: the memory it uses, the address space it may still take, and the time.
//!
//! Not every target has all of it. Without a file system that tells, memory in use is unknown; a target without a clock has one that
//! stands still until the program supplies one (`clock`); where there are no threads ([`HAS_THREADS`]), everything runs on the caller's.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
pub mod clock;
mod heap;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "unknown.rs"]
mod process;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::Instant;
pub use heap::{Heap, is_exhausted};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Threads can be started.
pub const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// What a process with 32-bit addresses can use of them; the system keeps the rest.
const ADDRESSES_OF_32_BITS: u64 = 3 << 30;

/// Bytes of memory that this process has in use; `None` where the system does not tell.
///
/// Cheap enough to be asked every few milliseconds: one read of a file that stays open.
pub fn resident() -> Option<u64> {
    process::in_use().map(|in_use| in_use.memory)
}

/// Bytes of address space that this process may still take (`ulimit -v`, or what its addresses can name); `None` without a limit.
pub fn address_space_left() -> Option<u64> {
    let by_width = (usize::BITS == 32).then_some(ADDRESSES_OF_32_BITS);
    let limit = [process::address_space_limit(), by_width].into_iter().flatten().min()?;
    let taken = process::in_use().map_or(0, |in_use| in_use.address_space);
    Some(limit.saturating_sub(taken))
}

/// In bytes.
struct InUse {
    address_space: u64,
    memory: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_that_is_touched_is_in_use() {
        let before = resident().expect("Linux tells");
        let block = vec![1_u8; 64 << 20];
        let after = resident().expect("Linux tells");
        assert!(after > before + (32 << 20), "{before} {after} {}", block.len());
    }
}
