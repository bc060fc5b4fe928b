//! What a Unix system tells a process about itself.

use super::InUse;
use rustix::process::{Resource, getrlimit};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

/// `ulimit -v`.
pub fn address_space_limit() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// As Linux tells it; other systems do not have the file.
pub fn in_use() -> Option<InUse> {
    static FILE: OnceLock<Option<File>> = OnceLock::new();
    let file = FILE.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?;
    let mut text = [0; 128];
    let length = file.read_at(&mut text, 0).ok()?;
    let page = rustix::param::page_size() as u64;
    let mut numbers = std::str::from_utf8(&text[..length]).ok()?.split(' ').map(|pages| pages.parse::<u64>().ok());
    Some(InUse { address_space: numbers.next()?? * page, memory: numbers.next()?? * page })
}
