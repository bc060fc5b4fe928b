//! Pheromone on states: what ants leave for those who come after them.
//!
//! A state that no ant has touched has the pheromone that all had at the start, evaporated like the rest; only what differs
//! is stored, by the hash of the state.

use super::chronicle::Spread;
use rustc_hash::FxHashMap;

pub struct Pheromone {
    trails: FxHashMap<u64, f64>,
    untouched: f64,
    /// All values lie between these: the mechanism of the Max-Min Ant System.
    least: f64,
    most: f64,
}

impl Pheromone {
    pub fn new(initial: f64) -> Pheromone {
        Pheromone { trails: FxHashMap::default(), untouched: initial, least: 0.0, most: f64::INFINITY }
    }

    pub fn of(&self, state: u64) -> f64 {
        self.trails.get(&state).copied().unwrap_or(self.untouched)
    }

    /// An ant has come to a state: the next one may look elsewhere.
    pub fn fade(&mut self, state: u64, xi: f64) {
        let value = (self.of(state) * (1.0 - xi)).max(self.least);
        self.trails.insert(state, value);
    }

    pub fn evaporate(&mut self, rho: f64) {
        self.untouched *= 1.0 - rho;
        self.trails.values_mut().for_each(|value| *value *= 1.0 - rho);
    }

    pub fn deposit(&mut self, states: &[u64], amount: f64) {
        for &state in states {
            let value = self.of(state) + amount;
            self.trails.insert(state, value);
        }
    }

    pub fn limit(&mut self, least: f64, most: f64) {
        (self.least, self.most) = (least, most);
        self.untouched = self.untouched.clamp(least, most);
        self.trails.values_mut().for_each(|value| *value = value.clamp(least, most));
    }

    /// Of the states that have a value of their own.
    pub fn spread(&self) -> Option<Spread> {
        Spread::of(self.trails.values().copied())
    }

    /// How many states have a value of their own.
    pub fn len(&self) -> usize {
        self.trails.len()
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.trails.capacity() * (size_of::<(u64, f64)>() + 1)) as u64
    }
}
