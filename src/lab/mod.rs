//! Experiments: searches run many times, and what the runs say when they are compared.

pub mod stats;
