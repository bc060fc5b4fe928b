//! What a worker of `swarm-gp` leaves behind for the sweep between two phases (see [`super::genetic`]).

use super::log::Log;
use crate::search::exhaustive::stack::Visit;
use crate::store::StateId;
use crate::system::{Batch, Coverage, Step};

/// An edge with the state that it comes from.
pub type Arrival = Visit<StateId>;

impl Arrival {
    /// Where a search begins: a state and its parent.
    pub fn root(state: StateId, parent: StateId) -> Arrival {
        Visit { state, steps: 0, edge: parent }
    }

    pub fn parent(self) -> StateId {
        self.edge
    }
}

/// What a worker leaves behind for the sweep and the next phase.
#[derive(Debug, Default)]
pub struct Traces {
    /// How many states in doubt may be opened in any case.
    pub ahead: u64,
    /// Artificial states that were bred.
    pub bred: u64,
    /// Artificial states that are left to search from, the next one last.
    pub roots: Vec<Vec<u64>>,
    /// Expansions of the searches from artificial states.
    pub log: Log,
    /// States that a worker from an artificial state had opened when this one, from the initial state, came to them.
    pub hits: Vec<Arrival>,
    /// States that this worker has opened from artificial states, and those that it has opened from the initial state
    /// after a worker from an artificial state.
    pub artificial: u64,
    pub both: u64,
    /// How many of `artificial` the sweeps have found to be reachable.
    pub reachable: u64,
    /// States that were still to be visited when a phase ended early.
    pub left: Vec<Arrival>,
    /// Coverage of the searches from artificial states.
    pub coverage: Coverage,
    /// For each transition, up to `SIGHTINGS` states in which it was executed, and how many that are.
    pub sightings: Vec<(u32, StateId)>,
    seen_in: Vec<u8>,
}

/// How many states are remembered in which a transition was executed.
const SIGHTINGS: u8 = 16;

impl Traces {
    /// Notes which transitions were executed in a state, unless enough states are known for them.
    pub fn note_executed(&mut self, state: StateId, batch: &Batch) {
        for (_, transition) in batch.entries.iter().flat_map(|entry| batch.steps(entry)).flat_map(Step::movers) {
            let number = transition as usize;
            if self.seen_in.len() <= number {
                self.seen_in.resize(number + 1, 0);
            }
            if self.seen_in[number] < SIGHTINGS {
                self.seen_in[number] += 1;
                self.sightings.push((transition, state));
            }
        }
    }

    /// Takes over artificial states; the search from the first one comes first.
    pub fn adopt(&mut self, states: Vec<Vec<u64>>) {
        self.bred = states.len() as u64;
        self.roots = states;
        self.roots.reverse();
    }
}
