//! A search and everything that was set for it.

use super::Config;
use super::catalogue::{Aim, Search, Trails};
use super::guide::Heuristic;
use super::knobs::Knobs;
use crate::program::code::Code;

/// A row of the catalogue with everything that can be set for it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The row, and what every search is told.
    pub config: Config,
    /// Its parameters.
    pub knobs: Knobs,
    /// What guides it.
    pub heuristic: Heuristic,
    /// A condition that is to become true, for heuristics that estimate how far conditions are.
    pub goal: Option<Code>,
    /// Guides back to a known state.
    pub back: Heuristic,
    /// Of the random numbers.
    pub seed: u64,
    /// Trails are made shorter, unless they are shortest ones.
    pub shorten: bool,
    /// A walk keeps a chronicle of its rounds.
    pub traced: bool,
}

impl Plan {
    /// Nothing was set.
    pub fn usual(search: &'static Search, aim: Aim) -> Plan {
        Plan {
            config: Config::of(search),
            knobs: Knobs::default(),
            heuristic: (search.usual)(aim),
            goal: None,
            back: Heuristic::Fsm,
            seed: 1,
            shorten: true,
            traced: false,
        }
    }

    /// The same for another search.
    pub fn with(&self, search: &'static Search, aim: Aim) -> Plan {
        let config = Config { search, ..self.config };
        Plan { config, seed: self.seed, shorten: self.shorten, ..Plan::usual(search, aim) }
    }

    /// The same with another seed.
    pub fn seeded(&self, seed: u64) -> Plan {
        Plan { seed, ..self.clone() }
    }

    /// The same with this many threads.
    pub fn by_threads(&self, threads: usize) -> Plan {
        Plan { config: Config { threads, ..self.config }, ..self.clone() }
    }

    /// What it finds is a shortest trail.
    pub fn is_optimal(&self) -> bool {
        match self.config.search.trails {
            Trails::Shortest => true,
            Trails::ByEstimate => self.knobs.weight <= 1.0 && self.heuristic.is_admissible(),
            Trails::Any => false,
        }
    }
}
