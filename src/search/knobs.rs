//! The parameters of all searches that have any.

use super::swarm::breed::Breeding;
use super::walk::settings::{MOST_GENES, Settings};

/// The parameters of all searches, each of which uses its own.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// Of ants, genetic algorithms and random walks.
    pub walks: Settings,
    /// Of the estimate in A*.
    pub weight: f64,
    /// Of the beam.
    pub width: u64,
    /// Of searches from artificial states.
    pub genetic: Breeding,
}

impl Default for Knobs {
    fn default() -> Knobs {
        Knobs { walks: Settings::default(), weight: 1.0, width: 1_000, genetic: Breeding::default() }
    }
}

impl Knobs {
    /// What is within range one by one may still be too much together.
    pub fn check(&self) -> Result<(), String> {
        let Settings { path_ga, gega, .. } = &self.walks;
        let genes = [
            ("population × depth", path_ga.population.saturating_mul(path_ga.depth)),
            ("population × length", gega.population.saturating_mul(gega.length)),
        ];
        match genes.into_iter().find(|&(_, product)| product > MOST_GENES) {
            Some((what, product)) => Err(format!("{what} is {product}, and at most {MOST_GENES} genes can be kept")),
            None => Ok(()),
        }
    }
}
