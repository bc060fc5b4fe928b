//! What fuzzers run: each target takes any text and panics if something is wrong with what we make of it.
//!
//! tests/fuzz_targets.rs runs every target over some inputs, so that they keep working.

pub mod formula;
pub mod hoa;
pub mod model;
pub mod never;
pub mod trail;
