//! Depth-first search in pan's order, so that the first error is pan's.
//!
//! ```text
//! visit(s): mark s as entered; expand s; insert all successors (not entered);
//!           for each successor in order: if not entered, visit it
//! ```
//! Differs from pan in that a state which is cut off by the depth limit stays in the table, not entered.

use super::bfs;
use super::shortcut::Shortcut;
use super::stack::{Descent, Encounter, Policy, Visit};
use crate::search::{Config, Monitor, Problem, Reason, Tally};
use crate::store::{Own, StateId};
use crate::system::{Outcome, Run, System};
use std::marker::PhantomData;

/// The note of a state that has been entered.
const ENTERED: u64 = 1;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let mut descent = match Descent::start(problem, config, monitor) {
        Ok(descent) => descent,
        Err(tally) => return *tally,
    };
    let mut dfs = Dfs { searched: PhantomData::<(S, V)>, shortcut: Shortcut::new(config), answer: None };
    let ended = descent.explore(&mut dfs);
    if let Some(answer) = dfs.answer {
        return answer;
    }
    if let Err(reason) = ended {
        descent.tally.cut_short(reason);
    }
    let (mut tally, scratch) = descent.end(0);
    tally.learn::<S>(scratch);
    dfs.shortcut.or_better(tally)
}

struct Dfs<S, V> {
    searched: PhantomData<(S, V)>,
    shortcut: Shortcut,
    /// That of the shortcut, if it was there first.
    answer: Option<Tally>,
}

impl<S: System, V: Own> Policy for Dfs<S, V> {
    type System = S;
    type Visited = V;
    /// The number of the entry among the successors.
    type Edge = u32;
    type Halt = Reason;

    #[inline(always)]
    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<u32>) -> Result<Encounter, Reason> {
        if on.visited.note(visit.state) == ENTERED {
            on.tally.counts.matched += 1;
            return Ok(Encounter::Known);
        }
        if on.system.hidden_words() > 0 {
            renew_hidden(on, visit);
        }
        Ok(Encounter::New)
    }

    #[inline(always)]
    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<u32>) -> Result<(), Reason> {
        on.visited.set_note(visit.state, ENTERED);
        on.tally.enter(on.depth);
        Ok(())
    }

    #[inline(always)]
    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        on.push_all(|entry| entry as u32)
    }

    #[inline(always)]
    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        if on.poll_limits(|| 0)? {
            let states = on.tally.counts.stored;
            self.answer = self.shortcut.answer(states, on.problem, on.meter.monitor, bfs::search::<S, V>);
        }
        if self.answer.is_some() { Err(Reason::Overtaken) } else { Ok(()) }
    }

    #[inline(always)]
    fn leave(&mut self, _: &mut Descent<Self>) -> Result<(), Reason> {
        Ok(())
    }
}

/// A state may have been inserted on the way from another parent: hidden variables, which do not tell states apart, must
/// have the values of the path on which it is entered.
fn renew_hidden<S: System, V: Own>(on: &mut Descent<Dfs<S, V>>, visit: Visit<u32>) {
    let Some(parent) = on.path.last() else { return };
    on.expand(parent.state, Run::GoesOn);
    let batch = &on.successors.batch;
    // a limit may have cut off the expansion this time
    if let Some(entry) = batch.entries.get(visit.edge as usize).filter(|entry| entry.outcome == Outcome::State) {
        on.visited.replace_hidden(visit.state, batch.state(entry));
    }
}
