//! Searches that walk: ants, genes and chance. They find violations, often short ones in models that are too large to
//! exhaust, and never say that a property holds.

pub mod ants;
mod budget;
pub mod chronicle;
pub mod colony;
pub mod gega;
mod generation;
pub mod order;
pub mod path_ga;
mod pheromone;
pub mod random;
pub mod run;
pub mod selection;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod walker;

use super::Violation;
use super::problem::Wrong;
pub use budget::Budget;
use chronicle::Chronicle;
use walker::Place;

/// A path to a violation, as choices from the initial state.
#[derive(Clone, Debug)]
pub struct Found {
    pub choices: Vec<u32>,
    pub kind: FoundKind,
    /// The hash of its last state.
    hash: u64,
}

#[derive(Clone, Debug)]
pub enum FoundKind {
    Wrong(Wrong),
    /// The last choice leads back to the state at this depth.
    Cycle(usize),
}

impl Found {
    pub fn new(choices: Vec<u32>, wrong: Wrong) -> Found {
        Found { choices, kind: FoundKind::Wrong(wrong), hash: 0 }
    }

    pub fn wrong(place: &Place, wrong: Wrong) -> Found {
        Found { choices: place.choices.clone(), kind: FoundKind::Wrong(wrong), hash: place.hash() }
    }

    /// Where the next choice leads back to a state of the path.
    pub fn cycle(place: &Place, choice: u32, start: usize) -> Found {
        let mut choices = place.choices.clone();
        choices.push(choice);
        Found { choices, kind: FoundKind::Cycle(start), hash: place.hashes[start] }
    }

    /// What tells it from other violations; all cycles are one.
    fn identity(&self) -> Option<(Violation, &str, u64)> {
        match &self.kind {
            FoundKind::Wrong(wrong) => Some(wrong.identity(self.hash)),
            FoundKind::Cycle(_) => None,
        }
    }
}

/// What a walk leaves behind, besides what it finds.
#[derive(Default)]
pub struct Traces {
    /// States in memory at the same time, at most.
    pub states: u64,
    /// Bytes, at most.
    pub memory: u64,
    /// Other violations than the first.
    pub further: Vec<Found>,
    pub chronicle: Chronicle,
}
