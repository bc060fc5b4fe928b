//! What a parallel search has explored, for a thread that is not one of its workers.

use super::{Shared, Visited, Writer};
use std::fmt;
use std::sync::atomic::Ordering::Acquire;
use std::sync::{Arc, Weak};

/// The states of a store that have a mark, as long as the store exists.
#[derive(Clone)]
pub struct Explored {
    store: Weak<Shared>,
    mark: u64,
}

impl Explored {
    /// The states with this mark in their notes, until the store is dropped.
    pub fn new(store: &Arc<Shared>, mark: u64) -> Explored {
        Explored { store: Arc::downgrade(store), mark }
    }

    /// Asks some questions. They must be quick, because the table cannot grow meanwhile. `None` if the store is gone,
    /// or if the table grows: this thread must not wait for the workers, because they may be waiting for it.
    pub fn ask<T>(&self, questions: impl FnOnce(&Reader) -> T) -> Option<T> {
        let store = self.store.upgrade()?;
        let reader = Reader { access: store.try_writer()?, mark: self.mark };
        Some(questions(&reader))
    }
}

impl fmt::Debug for Explored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explored").field("mark", &self.mark).finish_non_exhaustive()
    }
}

pub struct Reader<'e> {
    access: Writer<'e>,
    mark: u64,
}

impl Reader<'_> {
    /// Whether this state, which has this hash, is one of them.
    pub fn contains(&self, state: &[u64], hash: u64) -> bool {
        let known = self.access.get(state, hash);
        known.is_some_and(|id| self.access.store().note(id).load(Acquire) & self.mark != 0)
    }
}
