//! Visited sets, behind one interface.

#![warn(missing_docs)]

mod exact;
mod hash;
mod memory;
pub mod shared;

pub use exact::Store;
pub use hash::hash;
pub use shared::{Explored, Shared, Writer};

/// The number of a stored state. Only its store knows what it stands for; to others it is 32 bits that they may pack into
/// notes, queues and logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);

impl StateId {
    /// As a number for [`StateId::unpack`].
    #[inline(always)]
    pub fn pack(self) -> u32 {
        self.0
    }

    /// A number that [`StateId::pack`] has given.
    #[inline(always)]
    pub fn unpack(packed: u32) -> StateId {
        StateId(packed)
    }

    /// The state whose record starts here in an arena, which has at most 2^32 words.
    #[inline(always)]
    fn at(place: usize) -> StateId {
        debug_assert!(place <= u32::MAX as usize, "an arena has at most 2^32 words");
        StateId(place as u32)
    }

    #[inline(always)]
    fn place(self) -> usize {
        self.0 as usize
    }
}

/// States by their numbers.
pub trait States {
    /// The words of a state.
    fn state(&self, id: StateId) -> &[u64];
}

/// A set of visited states, as a search uses it. A state has a note, a word whose meaning is the search's own.
pub trait Visited: States {
    /// Different states are never taken for the same. Only then may a search that has seen everything say that a property holds.
    const EXACT: bool;

    /// The hash by which the state is found: of what is compared, without hidden variables.
    fn hash(&self, state: &[u64]) -> u64;

    /// Asks the processor to fetch what [`Visited::insert`] will look at first.
    fn prefetch(&self, hash: u64);

    /// As [`Visited::prefetch`], one step further: the record that the table points to.
    fn prefetch_record(&self, hash: u64);

    /// Finds a state or adds it, with a note.
    fn insert(&mut self, state: &[u64], hash: u64, note: u64) -> Result<Inserted, Full>;

    /// The number of a state, if it is here.
    fn get(&self, state: &[u64], hash: u64) -> Option<StateId>;

    /// The note of a state.
    fn note(&self, id: StateId) -> u64;
}

/// Where a state is now.
pub struct Inserted {
    /// Its number, now and for as long as the store lives.
    pub id: StateId,
    /// It was not there before.
    pub new: bool,
}

/// There is no room for another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;
