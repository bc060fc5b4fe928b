//! What a claim has seen in the course of a search.

use super::observe::Moves;
use ltl::automaton::Atoms;
use rustc_hash::FxHashSet;

/// Different letters that are remembered. With more of them nothing is so rare that it would be worth a remark.
const MAX_LETTERS: usize = 1 << 14;

/// The letters that a claim has seen, and the states that it has been in.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The truth values of the conditions in some state, as bits.
    letters: FxHashSet<Atoms>,
    first: Option<Atoms>,
    last: Option<Atoms>,
    overflown: bool,
    /// By state of the claim: it was there.
    states: Vec<bool>,
}

impl Seen {
    /// Nothing but the initial state of a claim with `count` states.
    pub fn new(count: usize, initial: u32) -> Seen {
        let mut states = vec![false; count];
        states[initial as usize] = true;
        Seen { letters: FxHashSet::default(), first: None, last: None, overflown: false, states }
    }

    /// The claim has looked at a state.
    #[inline]
    pub fn note(&mut self, moves: &Moves) {
        if moves.letter != self.last {
            self.note_letter(moves.letter);
        }
        moves.targets.iter().for_each(|&target| self.states[target as usize] = true);
    }

    fn note_letter(&mut self, letter: Option<Atoms>) {
        self.last = letter;
        self.first = self.first.or(letter);
        let Some(letter) = letter else { return };
        if self.letters.len() < MAX_LETTERS {
            self.letters.insert(letter);
        } else {
            self.overflown |= !self.letters.contains(&letter);
        }
    }

    /// Takes over what another thread has seen.
    pub fn join(&mut self, other: Seen) {
        self.first = self.first.or(other.first);
        self.overflown |= other.overflown;
        other.letters.into_iter().for_each(|letter| self.note_letter(Some(letter)));
        self.states.iter_mut().zip(other.states).for_each(|(own, new)| *own |= new);
    }

    /// The first letter that was seen: that of the initial state.
    pub fn first(&self) -> Option<Atoms> {
        self.first
    }

    /// Every letter that was seen; `None` if there were too many.
    pub fn letters(&self) -> Option<impl Iterator<Item = Atoms> + Clone> {
        (!self.overflown).then(|| self.letters.iter().copied())
    }

    /// The claim was in this state.
    pub fn state(&self, state: u32) -> bool {
        self.states[state as usize]
    }
}
