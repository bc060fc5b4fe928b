//! Visited sets, behind one interface.

mod exact;
mod hash;
mod memory;
pub mod shared;
pub mod statuses;

pub use exact::Store;
pub use hash::hash;
pub use shared::{Explored, Shared, Writer};

use crate::system::Cutoff;

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
    /// The words of a state. A store that has them as they are lends its own, one that has them in another form puts them together in
    /// the buffer.
    fn recall<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u64>) -> &'s [u64];

    /// A copy of a state.
    fn copy(&self, id: StateId) -> Vec<u64> {
        self.recall(id, &mut Vec::new()).to_vec()
    }
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

/// A visited set that one thread has to itself.
pub trait Own: Visited + Sized {
    /// An empty one for states of which `hidden` words behind the first are not compared. `None` if there is no memory for it.
    fn new(hidden: usize, cutoff: &Cutoff) -> Option<Self>;

    /// Replaces the note of a state.
    fn set_note(&mut self, id: StateId, note: u64);

    /// Gives a state the hidden words of `other`, which is equal to it otherwise.
    fn replace_hidden(&mut self, id: StateId, other: &[u64]);

    /// Number of states.
    fn len(&self) -> u64;

    /// There is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    fn memory(&self) -> u64;

    /// All states, in the order in which they were inserted.
    fn ids(&self) -> impl Iterator<Item = StateId> + '_;
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
