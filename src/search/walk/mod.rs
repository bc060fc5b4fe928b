//! Searches that walk: ants, genes and chance. They find violations, often short ones in models that nobody can exhaust, and
//! never say that a property holds.

pub mod ants;
pub mod chronicle;
pub mod colony;
pub mod gega;
pub mod order;
pub mod path_ga;
mod pheromone;
pub mod random;
pub mod run;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod walker;

use super::problem::Wrong;
use super::{Monitor, Reason, Violation};
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

/// How much may be done.
pub struct Budget<'b> {
    pub monitor: &'b Monitor,
}

/// Looks between two looks at the monitor: a power of two.
const CHECK_EVERY: u64 = 256;
/// Bytes of a walker for whom each look takes so long that the monitor is asked every time.
const LARGE: u64 = 4 << 20;

impl Budget<'_> {
    /// Called before each look at the successors of a state.
    #[inline]
    pub fn check(&self, looks: u64, depth: u64, memory: u64) -> Result<(), Reason> {
        if let Some(limit) = self.monitor.limits.evaluations.filter(|&limit| looks >= limit) {
            return Err(Reason::Evaluations(limit));
        }
        if looks.is_multiple_of(CHECK_EVERY) || memory > LARGE {
            return self.monitor.check(looks, depth, memory);
        }
        Ok(())
    }
}
