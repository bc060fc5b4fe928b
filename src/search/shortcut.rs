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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::reduce::Reduction;
    use crate::search::{Checks, Limits, Verdict};
    use crate::source::Source;
    use crate::syntax::preprocess::Options;
    use crate::system::Interpreter;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// What a shortcut tells a search with so many states about a hundred processes with two private steps each.
    fn told(next: u64, states: u64, keep_going: bool) -> Option<Verdict> {
        let text = "active [100] proctype p() { byte x; x = 1; x = 2 }";
        let loaded = load::program(Source::new("p.pml", text), &Options::default()).expect("a model");
        let reduction = Reduction::new(&loaded.it).ok();
        let problem = Problem { system: Interpreter::new(&loaded.it), checks: Checks::default(), reduction };
        let config = Config { strategy: Strategy::Dfs, keep_going, reduce: false };
        let monitor = Monitor::new(Limits::default(), Arc::new(AtomicBool::new(false)));
        Shortcut { config, next }.answer(states, &problem, &monitor).map(|tally| tally.report().verdict)
    }

    #[test]
    fn only_a_much_smaller_search_is_an_answer() {
        assert!(matches!(told(400_000, 400_000, false), Some(Verdict::Holds)));
        assert!(told(400_001, 400_000, false).is_none(), "not asked yet");
        assert!(told(400_000, 400_000, true).is_none(), "all errors are wanted");
        assert!(told(200_000, 200_000, false).is_none(), "301 states are more than a thousandth");
    }
}
