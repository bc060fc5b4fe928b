//! A small model takes little memory, whatever the search: arenas, tables and stacks are large only where they are used.
//!
//! It is measured in a process of its own, which the most memory that it ever had in use belongs to.

#![cfg(target_os = "linux")]

use std::path::Path;
use swarmgp::search::Limits;
use swarmgp::search::catalogue::ALL;
use swarmgp::verify::{Check, Request};

/// Bytes; the binary has 9 to 13 MB in use after any one of these searches. One arena or stack that was touched as a whole would be above it.
const ENOUGH: u64 = 64 << 20;

#[test]
fn a_small_model_takes_little_memory() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/peterson.pml");
    let limits = Limits { evaluations: Some(10_000), ..Limits::default() };
    let before = most_in_use();
    for search in ALL {
        let request = Request { limits, ..Request::default() };
        let check = Check::file(&model).expect("the model is here").request(request).search(search).threads(8);
        let answers = check.answers().expect("the model is in order");
        assert_eq!(answers.len(), 3);
        let most = most_in_use();
        assert!(most < ENOUGH, "{most} bytes after {}, {before} before", search.name);
    }
}

fn most_in_use() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells");
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kib << 10
}
