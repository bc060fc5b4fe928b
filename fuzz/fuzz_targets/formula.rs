//! See `swarmgp_fuzz::formula`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| swarmgp_fuzz::formula::run(text));
