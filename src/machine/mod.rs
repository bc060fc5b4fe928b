//! What the machine gives this process: the memory it uses, and the address space it may still take.

#![warn(missing_docs)]

mod heap;

pub use heap::{Heap, is_exhausted};
use rustix::process::{Resource, getrlimit};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

/// Bytes of memory that this process has in use; `None` where the system does not tell.
///
/// Cheap enough to be asked every few milliseconds: one read of a file that stays open.
pub fn resident() -> Option<u64> {
    statm().map(|(_, resident)| resident)
}

/// Bytes of address space that this process may still take (`ulimit -v`); `None` without a limit.
pub fn address_space_left() -> Option<u64> {
    let limit = getrlimit(Resource::As).current?;
    let (taken, _) = statm()?;
    Some(limit.saturating_sub(taken))
}

/// Bytes of address space taken and of memory in use.
fn statm() -> Option<(u64, u64)> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let file = FILE.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?;
    let mut text = [0; 128];
    let length = file.read_at(&mut text, 0).ok()?;
    let page = rustix::param::page_size() as u64;
    let mut numbers = std::str::from_utf8(&text[..length]).ok()?.split(' ').map(|pages| pages.parse::<u64>().ok());
    Some((numbers.next()?? * page, numbers.next()?? * page))
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
