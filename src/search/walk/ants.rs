//! ACOhg for violations that show in a state (`aco`), and ACOhg-live for cycles (`aco-live`).
//!
//! ACOhg-live is Algorithm 2 of Chicano, Alba 2008: one colony looks for accepting states; from each of them another one
//! looks for a way back to it; what has been tried is not tried again. At most `tries` of them are tried in a round,
//! and there are at most `rounds` rounds.
//!
//! With the classes of the claim (`scc`, the paper's ACOhg-live⁺) accepting states in N-components are ignored, and a
//! cycle that an ant closes inside an F-component ends the search. We also end it where an ant closes a cycle through an
//! accepting state that it has come through, in whatever component.

use super::colony::{Colony, Objective, Parameters};
use super::walker::{Place, Walker};
use super::{Budget, Found, Traces};
use crate::search::Reason;
use crate::search::guide::Guide;
use crate::system::System;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxHashMap, FxHashSet};

/// What `aco` and the two phases of `aco-live` do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ants {
    pub first: Parameters,
    pub second: Parameters,
    /// Use the classes of the claim.
    pub scc: bool,
    /// Accepting states from which a way back is looked for before new ones are.
    pub tries: u64,
    /// Rounds of both phases.
    pub rounds: u64,
}

impl Default for Ants {
    /// Table 2 of the paper. Few tries: where no ant has found a way back from some states, new ones are better than more of
    /// the same (giop with 20 clients: 10 of 10 runs within 4 seconds with 5 tries, 5 of 6 and up to 185 seconds with 1000).
    fn default() -> Ants {
        let first = Parameters {
            steps: 100,
            ants: 10,
            length: 20,
            stage: 4,
            width: 10,
            xi: 0.7,
            ratio: 5.0,
            rho: 0.2,
            alpha: 1.0,
            beta: 2.0,
            penalty: 1000.0,
            circle: 1000.0,
            orders: 0.5,
        };
        Ants { first, second: Parameters { ants: 20, length: 4, xi: 0.5, ..first }, scc: true, tries: 5, rounds: 50 }
    }
}

/// Looks for a violation that shows in a state.
pub fn aco<S: System>(
    walker: &mut Walker<S>,
    ants: &Ants,
    guide: &Guide,
    random: &mut Xoshiro256PlusPlus,
    budget: &Budget,
    traces: &mut Traces,
) -> Result<Option<Found>, Reason> {
    let origin = walker.place.clone();
    run(walker, ants.first, guide, random, budget, traces, &origin, Objective::Violation)
}

/// Looks for an accepting cycle.
pub fn aco_live<S: System>(
    walker: &mut Walker<S>,
    ants: &Ants,
    (guide, back): (&Guide, &Guide),
    random: &mut Xoshiro256PlusPlus,
    budget: &Budget,
    traces: &mut Traces,
) -> Result<Option<Found>, Reason> {
    let problem = walker.problem;
    let origin = walker.place.clone();
    let mut tried: FxHashSet<u64> = FxHashSet::default();
    for _ in 0..ants.rounds {
        let mut accepting: Vec<Place> = Vec::new();
        let mut note = |place: &Place| {
            let useful = !ants.scc || problem.may_accept(&place.state);
            if useful && accepting.len() < ants.tries as usize && tried.insert(place.hash()) {
                accepting.push(place.clone());
            }
        };
        let found = run(walker, ants.first, guide, random, budget, traces, &origin, Objective::Accepting(&mut note))?;
        if found.is_some() || accepting.is_empty() {
            return Ok(found);
        }
        let places: usize = accepting.iter().map(|place| place.state.len() * 8 + place.depth() * 12).sum();
        traces.memory = traces.memory.max((places + tried.capacity() * 9) as u64);
        for place in &accepting {
            let objective = Objective::State(place);
            let found = run(walker, ants.second, back, random, budget, traces, place, objective)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

#[expect(clippy::too_many_arguments, reason = "the parts of a colony, once")]
fn run<S: System>(
    walker: &mut Walker<S>,
    parameters: Parameters,
    guide: &Guide,
    random: &mut Xoshiro256PlusPlus,
    budget: &Budget,
    traces: &mut Traces,
    origin: &Place,
    objective: Objective,
) -> Result<Option<Found>, Reason> {
    let mut colony = Colony {
        parameters,
        walker,
        guide,
        random,
        budget,
        estimates: FxHashMap::default(),
        memory: 0,
        states: 0,
        chronicle: &mut traces.chronicle,
    };
    let found = colony.search(origin, objective);
    let Colony { memory, states, .. } = colony;
    traces.states = traces.states.max(states);
    traces.memory = traces.memory.max(memory);
    found
}
