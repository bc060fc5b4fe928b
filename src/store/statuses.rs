//! What reduced searches have decided about states: two bits for each, beside the notes of one worker's store or in a word that
//! workers share.

use super::{Shared, StateId};
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// Whether all successors of a state are followed. It is decided once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// That is not decided yet.
    Unknown,
    /// They are.
    Expanded,
    /// Some are left out.
    NotExpanded,
}

impl Status {
    fn of(bits: u8) -> Status {
        match bits & 3 {
            0 => Status::Unknown,
            1 => Status::Expanded,
            _ => Status::NotExpanded,
        }
    }

    fn bits(self) -> u8 {
        self as u8
    }
}

/// The statuses of all states; `Unknown` at first.
#[derive(Debug)]
pub enum Statuses<'s> {
    /// Of a search by one thread.
    Own(Bits),
    /// Of a search by many.
    Shared(InWords<'s>),
}

impl Statuses<'_> {
    /// The status of a state.
    #[inline]
    pub fn get(&self, state: StateId) -> Status {
        Status::of(match self {
            Statuses::Own(bits) => bits.get(state),
            Statuses::Shared(words) => words.get(state),
        })
    }

    /// Gives a state this status unless it has one already; the one that it has then.
    #[inline]
    pub fn decide(&mut self, state: StateId, status: Status) -> Status {
        match self {
            Statuses::Own(bits) => {
                if bits.get(state) == 0 {
                    bits.set(state, status.bits());
                }
                Status::of(bits.get(state))
            }
            Statuses::Shared(words) => words.decide(state, status),
        }
    }

    /// Private bytes in use.
    pub fn memory(&self) -> u64 {
        match self {
            Statuses::Own(bits) => bits.0.capacity() as u64,
            Statuses::Shared(_) => 0,
        }
    }
}

/// Two bits of a word in front of each state of a shared store.
#[derive(Clone, Copy)]
pub struct InWords<'s> {
    /// Where the states are.
    pub store: &'s Shared,
    /// The number of the word.
    pub word: usize,
    /// The first one of the two bits.
    pub shift: u32,
}

impl std::fmt::Debug for InWords<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "word {}, bit {}", self.word, self.shift)
    }
}

impl InWords<'_> {
    fn get(&self, state: StateId) -> u8 {
        (self.store.word(state, self.word).load(Acquire) >> self.shift) as u8 & 3
    }

    fn decide(&self, state: StateId, status: Status) -> Status {
        let decided = |word: u64| (word >> self.shift & 3 == 0).then_some(word | (status.bits() as u64) << self.shift);
        match self.store.word(state, self.word).fetch_update(AcqRel, Acquire, decided) {
            Ok(_) => status,
            Err(word) => Status::of((word >> self.shift) as u8),
        }
    }
}

/// Two bits for each state.
#[derive(Clone, Debug, Default)]
pub struct Bits(Vec<u8>);

/// States whose bits share a byte.
const PER_BYTE: usize = 4;

impl Bits {
    #[inline]
    fn get(&self, state: StateId) -> u8 {
        let (byte, shift) = place(state);
        self.0.get(byte).map_or(0, |bits| bits >> shift & 3)
    }

    #[inline]
    fn set(&mut self, state: StateId, status: u8) {
        let (byte, shift) = place(state);
        if byte >= self.0.len() {
            self.0.resize((byte + 1).next_power_of_two(), 0);
        }
        self.0[byte] = self.0[byte] & !(3 << shift) | status << shift;
    }
}

fn place(state: StateId) -> (usize, usize) {
    (state.place() / PER_BYTE, state.place() % PER_BYTE * 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Visited;

    fn decide_some(statuses: &mut Statuses, states: &[StateId]) {
        let status = |number: usize| [Status::Unknown, Status::Expanded, Status::NotExpanded][number % 3];
        for (number, &state) in states.iter().enumerate() {
            assert_eq!(statuses.decide(state, status(number)), status(number));
        }
        for (number, &state) in states.iter().enumerate() {
            assert_eq!(statuses.get(state), status(number), "neighbours keep theirs");
        }
        assert_eq!(statuses.decide(states[1], Status::NotExpanded), Status::Expanded, "it is decided once");
        assert_eq!(statuses.decide(states[2], Status::Expanded), Status::NotExpanded);
        assert_eq!(statuses.decide(states[0], Status::Expanded), Status::Expanded);
    }

    #[test]
    fn one_worker_decides_once() {
        let states: Vec<StateId> = (0..100).map(StateId::unpack).collect();
        let mut statuses = Statuses::Own(Bits::default());
        decide_some(&mut statuses, &states);
        assert_eq!(statuses.get(StateId::unpack(1 << 20)), Status::Unknown);
    }

    #[test]
    fn many_workers_decide_once() {
        let store = Shared::new(2, &Default::default()).expect("memory");
        let mut writer = store.writer();
        let states: Vec<StateId> = (0..100)
            .map(|number| {
                let state = [number << 32 | 1];
                writer.insert(&state, writer.hash(&state), 0).expect("room").id
            })
            .collect();
        decide_some(&mut Statuses::Shared(InWords { store: &store, word: 1, shift: 5 }), &states);
    }
}
