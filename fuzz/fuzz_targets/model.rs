//! See `swarmgp_fuzz::model`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| swarmgp_fuzz::model::run(text));
