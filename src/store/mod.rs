//! Visited sets.

mod exact;
mod hash;
mod memory;
pub mod shared;

pub use exact::{Inserted, StateId, Store};
pub use hash::hash;
pub use shared::{Explored, Full, Shared, Writer};

/// States by their numbers.
pub trait States {
    fn state(&self, id: StateId) -> &[u64];
}
