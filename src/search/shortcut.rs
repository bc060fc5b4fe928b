//! The way out of a state space that explodes: a reduced search, asked now and then.
//!
//! A search of the whole state space gives SPIN's counts, and where it ends its answer stands. But three hundred processes
//! with two independent steps each have 3^300 states. So a search that has stored very many states asks whether a
//! reduced search gets by with a thousandth of that; if so, the reduced search has the answer.

use super::{Config, Monitor, Problem, Strategy, Tally, reduced};

const FIRST_QUESTION: u64 = 1_000_000;
const SHARE: u64 = 1000;

pub struct Shortcut {
    config: Config,
    /// Ask when there are this many states.
    next: u64,
}

impl Shortcut {
    pub fn new(config: Config) -> Shortcut {
        Shortcut { config, next: FIRST_QUESTION }
    }

    /// The answer of a reduced search, if it is time to ask and there is one. Who counts errors wants all of them, and
    /// is never answered.
    pub fn answer(&mut self, states: u64, problem: &Problem, monitor: &Monitor) -> Option<Tally> {
        if states < self.next || self.config.keep_going {
            return None;
        }
        self.next = states.saturating_mul(2);
        let reduction = problem.reduction.as_ref()?;
        let config = Config { strategy: Strategy::Bfs, ..self.config };
        let tally = reduced::search(problem, reduction, config, &monitor.within(states / SHARE));
        tally.is_conclusive().then_some(tally)
    }
}
