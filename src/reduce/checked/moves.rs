//! The moves of a state: which steps they are, and what they lead to. They are remembered, since many paths lead to the same state.

use crate::system::{Batch, Entry, Interpreter, Outcome, Run, Scratch, Step, System};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A set: transitions of processes, by pid and number.
pub type Members = FxHashSet<(u32, u32)>;

/// A move of one process, or a handshake: an atomic sequence or a d_step is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// They tell a move from all others that are possible in the same state.
    pub steps: Box<[Step]>,
    pub target: Target,
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    State(Rc<[u64]>),
    /// Something fails.
    Fault(String),
    /// An atomic sequence that does not end.
    Nowhere,
}

impl Move {
    fn of(batch: &Batch, entry: &Entry) -> Move {
        let target = match entry.outcome {
            Outcome::State => Target::State(batch.state(entry).into()),
            Outcome::Fault(fault) => Target::Fault(batch.faults[fault as usize].to_string()),
            Outcome::Atomic(_) | Outcome::Endless => Target::Nowhere,
        };
        Move { steps: batch.steps(entry).collect(), target }
    }

    /// The state behind it, if there is one.
    pub fn state(&self) -> Option<&Rc<[u64]>> {
        match &self.target {
            Target::State(state) => Some(state),
            Target::Fault(_) | Target::Nowhere => None,
        }
    }

    /// The processes that move first, and their transitions.
    pub fn begins_with(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.steps.first().into_iter().flat_map(|step| step.movers())
    }

    /// It is the same move as the other one, and fails in the same way if it fails; the states behind it need not be the same.
    pub fn is_like(&self, other: &Move) -> bool {
        let same_end = match (&self.target, &other.target) {
            (Target::State(_), Target::State(_)) => true,
            (one, other) => one == other,
        };
        self.steps == other.steps && same_end
    }
}

/// The moves of a batch from an entry on, without those of a claim.
pub fn moves_of(batch: &Batch, first: usize) -> Vec<Move> {
    let moved = batch.entries[first..].iter().filter(|entry| entry.step != Step::STUTTER);
    moved.map(|entry| Move::of(batch, entry)).collect()
}

/// A system that remembers the moves of states.
pub struct Remembering<'p> {
    pub system: Interpreter<'p>,
    pub scratch: Scratch,
    batch: Batch,
    known: FxHashMap<Rc<[u64]>, Rc<[Move]>>,
}

/// States whose moves are remembered.
const MOST_KNOWN: usize = 1 << 14;
/// Those of a state with more moves than this are not.
const MOST_REMEMBERED: usize = 1 << 10;

impl<'p> Remembering<'p> {
    pub fn new(system: Interpreter<'p>) -> Remembering<'p> {
        let scratch = system.scratch();
        Remembering { system, scratch, batch: Batch::default(), known: FxHashMap::default() }
    }

    pub fn moves(&mut self, state: &[u64]) -> Rc<[Move]> {
        if let Some(moves) = self.known.get(state) {
            return moves.clone();
        }
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        let moves: Rc<[Move]> = moves_of(self.expand(state), 0).into();
        if moves.len() <= MOST_REMEMBERED {
            self.known.insert(state.into(), moves.clone());
        }
        moves
    }

    /// The successors of a state.
    pub fn expand(&mut self, state: &[u64]) -> &mut Batch {
        self.batch.clear();
        self.system.successors(state, Run::GoesOn, &mut self.scratch, &mut self.batch, |_| {});
        &mut self.batch
    }
}
