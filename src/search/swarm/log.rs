//! The expansions of searches from artificial states.
//!
//! Which of these states are reachable is not known during the search. The sweep at the end of a phase reads their successors here
//! instead of expanding them again.

use crate::store::StateId;

/// What one worker has expanded, record after record: figures and marks, then the successors.
#[derive(Debug, Default)]
pub struct Log {
    words: Vec<u32>,
}

/// Words in front of the successors of a record: their number, the state's number, atomic steps, marks.
const FIGURES: usize = 4;

/// What is known about a state that was expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'l> {
    pub atomic_steps: u32,
    pub marks: u32,
    /// Numbers of states.
    pub successors: &'l [u32],
}

/// Something is wrong in the state or with one of its steps.
pub const WRONG: u32 = 1;
/// The expansion was given up: not all successors are known.
pub const GAVE_UP: u32 = 2;

/// Where a record is: the number of the log and, from 1, the place in it. 0 means that there is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(pub u64);

const LOG_SHIFT: u32 = 48;

impl Link {
    pub fn log(self) -> usize {
        (self.0 >> LOG_SHIFT) as usize
    }

    fn place(self) -> usize {
        (self.0 & ((1 << LOG_SHIFT) - 1)) as usize - 1
    }
}

impl Log {
    /// Begins a record in the log with this number.
    pub fn begin(&mut self, log: usize, state: StateId, atomic_steps: u64, marks: u32) -> Link {
        let place = self.words.len() as u64 + 1;
        // the arena of a store has 2^32 words at most
        self.words.extend([0, state.pack(), u32::try_from(atomic_steps).unwrap_or(u32::MAX), marks]);
        Link((log as u64) << LOG_SHIFT | place)
    }

    /// Adds a successor to the last record.
    pub fn add(&mut self, record: Link, successor: StateId) {
        self.words[record.place()] += 1;
        self.words.push(successor.pack());
    }

    pub fn get(&self, link: Link) -> Record<'_> {
        let at = link.place();
        let first = at + FIGURES;
        let successors = &self.words[first..first + self.words[at] as usize];
        Record { atomic_steps: self.words[at + 2], marks: self.words[at + 3], successors }
    }

    /// The states that were expanded.
    pub fn states(&self) -> impl Iterator<Item = StateId> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let state = *self.words.get(at + 1)?;
            at += FIGURES + self.words[at] as usize;
            Some(StateId::unpack(state))
        })
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.words.capacity() * size_of::<u32>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_found_again() {
        let mut log = Log::default();
        let first = log.begin(3, StateId::unpack(10), 7, 0);
        log.add(first, StateId::unpack(11));
        log.add(first, StateId::unpack(12));
        let second = log.begin(3, StateId::unpack(12), 0, WRONG);
        assert_eq!(log.get(first), Record { atomic_steps: 7, marks: 0, successors: &[11, 12] });
        assert_eq!(log.get(second), Record { atomic_steps: 0, marks: WRONG, successors: &[] });
        assert_eq!((first.log(), second.log()), (3, 3));
        assert_ne!(first.0, 0);
        assert_eq!(log.states().collect::<Vec<_>>(), [StateId::unpack(10), StateId::unpack(12)]);
    }
}
