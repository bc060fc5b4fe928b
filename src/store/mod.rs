//! Visited sets.

mod exact;
mod hash;

pub use exact::{Inserted, StateId, Store};
pub use hash::hash;
