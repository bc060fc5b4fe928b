//! See `swarmgp_fuzz::never`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| swarmgp_fuzz::never::run(text));
