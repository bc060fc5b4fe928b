//! See `swarmgp_fuzz::hoa`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| swarmgp_fuzz::hoa::run(text));
