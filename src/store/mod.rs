//! Visited sets.

mod exact;
mod hash;
mod memory;

pub use exact::{Inserted, StateId, Store};
pub use hash::hash;
