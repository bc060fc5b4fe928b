//! The way out of a state space that explodes: a reduced search, asked now and then.
//!
//! A search of the whole state space gives SPIN's counts, and where it ends its answer stands. But three hundred processes
//! with two independent steps each have 3^300 states. So a search that has stored very many states asks whether a
//! reduced search gets by with a thousandth of that. If it does and nothing is wrong, that is the answer. If something is
//! wrong, the search goes on, because its trail is a better one (the shortest, or pan's); what the reduced search has
//! found is kept in case a limit ends it.

use crate::reduce::Reductions;
use crate::search::catalogue::BFS;
use crate::search::{Config, Enough, Monitor, Problem, Tally};
use crate::system::System;

const FIRST_QUESTION: u64 = 1_000_000;
const SHARE: u64 = 1000;

pub struct Shortcut {
    config: Config,
    /// Ask when there are this many states.
    next: u64,
    /// A reduced search that found a violation.
    found: Option<Tally>,
}

impl Shortcut {
    pub fn new(config: Config) -> Shortcut {
        Shortcut { config, next: FIRST_QUESTION, found: None }
    }

    /// It is time to ask.
    pub fn is_due(&self, states: u64) -> bool {
        states >= self.next && !self.config.reduce.order && self.config.enough == Enough::First && self.found.is_none()
    }

    /// The answer of a reduced search, if it is time to ask and nothing is wrong. There is none for a search that goes
    /// on after the first error: it wants all of them. `search` is the breadth-first search.
    pub fn answer<S: System>(
        &mut self,
        states: u64,
        problem: &Problem<S>,
        monitor: &Monitor,
        search: impl FnOnce(&Problem<S>, Config, &Monitor) -> Tally,
    ) -> Option<Tally> {
        if !self.is_due(states) {
            return None;
        }
        self.next = states.saturating_mul(2);
        problem.reduction.as_ref()?;
        let config = Config { search: &BFS, reduce: Reductions { order: true, ..self.config.reduce }, ..self.config };
        let tally = search(problem, config, &monitor.within(states / SHARE));
        if tally.is_violated() {
            self.found = Some(tally);
            return None;
        }
        tally.is_conclusive().then_some(tally)
    }

    /// The better one of the result of the search and what was found on the way.
    pub fn or_better(self, tally: Tally) -> Tally {
        if tally.is_conclusive() { tally } else { self.found.unwrap_or(tally) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::reduce::Reduction;
    use crate::search::catalogue::DFS;
    use crate::search::exhaustive::bfs;
    use crate::search::{Checks, Limits, Reason, Verdict};
    use crate::source::Source;
    use crate::store::Store;
    use crate::syntax::preprocess::Options;
    use crate::system::Interpreter;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// What a shortcut tells a search with this many states about a hundred processes with two private steps each.
    fn told(next: u64, states: u64, keep_going: bool) -> Option<Verdict> {
        ask("active [100] proctype p() { byte x; x = 1; x = 2 }", next, states, keep_going).0
    }

    /// What it answers at once, and what it would say in place of a search that a limit has ended.
    fn ask(text: &str, next: u64, states: u64, keep_going: bool) -> (Option<Verdict>, Verdict) {
        let loaded = load::program(Source::new("p.pml", text), &Options::default()).expect("a model");
        let reduction = Reduction::new(&loaded.it).ok();
        let problem = Problem::of_safety(Interpreter::new(&loaded.it), Checks::default()).with_reduction(reduction);
        let enough = if keep_going { Enough::Never } else { Enough::First };
        let config = Config { enough, ..Config::of(&DFS) };
        let monitor = Monitor::new(Limits::default(), Arc::new(AtomicBool::new(false)));
        let mut shortcut = Shortcut { next, ..Shortcut::new(config) };
        let answer = shortcut
            .answer(states, &problem, &monitor, bfs::search::<_, Store>)
            .map(|tally| tally.report(&Default::default()).verdict);
        let mut cut = Tally::new(config, problem.checks);
        cut.cut_short(Reason::States(states));
        (answer, shortcut.or_better(cut).report(&Default::default()).verdict)
    }

    #[test]
    fn only_a_much_smaller_search_is_an_answer() {
        assert!(matches!(told(400_000, 400_000, false), Some(Verdict::Holds)));
        assert!(told(400_001, 400_000, false).is_none(), "not asked yet");
        assert!(told(400_000, 400_000, true).is_none(), "all errors are wanted");
        assert!(told(200_000, 200_000, false).is_none(), "301 states are more than a thousandth");
    }

    #[test]
    fn a_violation_waits_until_the_search_is_cut_short() {
        let text = "active [100] proctype p() { byte x; x = 1; assert(x == 2) }";
        let (answer, in_the_end) = ask(text, 400_000, 400_000, false);
        assert!(answer.is_none(), "the trail of the whole search is better");
        assert!(matches!(in_the_end, Verdict::Violated(_)));
        let (_, in_the_end) = ask("active proctype p() { skip }", 400_000, 100, false);
        assert!(matches!(in_the_end, Verdict::Inconclusive(_)), "nobody was asked");
    }
}
