//! See `swarmgp_fuzz::trail`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| swarmgp_fuzz::trail::run(text));
