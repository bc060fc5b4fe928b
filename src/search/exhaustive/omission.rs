//! What a reduced search with a queue leaves out: which successors of a state, and of which states nothing in the end. The
//! proviso is QUEUE or BOTTOM-SAFE, see [`super::block`].

use super::doubt::{Doubts, Outset};
use super::proviso::Proviso;
use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::Reason;
use crate::search::problem::Problem;
use crate::store::statuses::{Status, Statuses};
use crate::store::{Inserted, StateId, Visited};
use crate::system::{Batch, Observer, Outcome, Run, System};

/// What is left out of a reduced search, by one worker.
pub struct Omission<'o> {
    reduction: &'o Reduction<'o>,
    pub chooser: Chooser,
    /// If the proviso is BOTTOM-SAFE.
    pub doubts: Option<Doubts<'o>>,
}

impl<'o> Omission<'o> {
    /// With this reduction and proviso; `statuses` are those of all states, if it needs them.
    pub fn new(reduction: &'o Reduction<'o>, proviso: Proviso, statuses: Statuses<'o>) -> Omission<'o> {
        let doubts = (proviso == Proviso::BottomSafe).then(|| Doubts::new(statuses));
        Omission { reduction, chooser: Chooser::new(reduction), doubts }
    }

    /// Whether something may be left out of a state, whose successors are the entries of the batch from this one on; the chooser tells what.
    pub fn choose(&mut self, words: &[u64], batch: &Batch, first: usize, observer: &mut Observer) -> bool {
        self.chooser.choose(self.reduction, words, batch, first, observer) == Choice::Some
    }

    /// It is the turn of this state, of which this part of the successors is inserted.
    pub fn note_turn<V>(&mut self, visited: &mut V, notes: &impl Notes<V>, state: StateId, part: Part) {
        match &mut self.doubts {
            None => notes.has_come(visited, state),
            Some(doubts) if part == Part::All => doubts.note_expanded(state),
            Some(_) => {}
        }
    }

    /// An edge to this state leads to one that is explored later.
    pub fn leads_on<V>(&self, visited: &V, notes: &impl Notes<V>, inserted: Inserted) -> bool {
        inserted.new || self.doubts.is_none() && notes.is_to_come(visited, inserted.id)
    }

    /// No edge of a state leads on: whether what was left out is to be inserted at once.
    pub fn completes(&mut self, state: StateId) -> bool {
        match &mut self.doubts {
            None => true,
            Some(doubts) => {
                doubts.add(state);
                false
            }
        }
    }

    /// Private bytes in use.
    pub fn memory(&self) -> u64 {
        self.doubts.as_ref().map_or(0, Doubts::memory)
    }

    /// Decides about all states in doubt; those whose other successors must be inserted. `poll` is told the words of each state's successors.
    pub fn settle<S: System>(
        &mut self,
        problem: &Problem<S>,
        scratch: &mut S::Scratch,
        visited: &impl Visited,
        mut poll: impl FnMut(usize) -> Result<(), Reason>,
    ) -> Result<Vec<StateId>, Reason> {
        let Omission { reduction, chooser, doubts: Some(doubts) } = self else { return Ok(Vec::new()) };
        let (mut batch, mut buffer) = (Batch::default(), Vec::new());
        let mut successors = |state: StateId| {
            let words = visited.recall(state, &mut buffer);
            batch.clear();
            problem.system.successors(words, Run::GoesOn, scratch, &mut batch, |_| {});
            poll(batch.words.len())?;
            chooser.choose(reduction, words, &batch, 0, &mut problem.system.observer(scratch));
            let entries = batch.entries.iter().enumerate();
            let kept = entries.filter(|(number, entry)| entry.outcome == Outcome::State && chooser.keeps(*number));
            let find = |words: &[u64]| visited.get(words, visited.hash(words));
            Ok(kept.filter_map(|(_, entry)| find(batch.state(entry))).collect())
        };
        let mut expanded = Vec::new();
        for state in doubts.take() {
            if doubts.status(state) == Status::Unknown {
                let outset = Outset::from(state, |state| doubts.status(state) != Status::Unknown, &mut successors)?;
                expanded.extend(doubts.decide(outset));
            }
        }
        Ok(expanded)
    }
}

/// The successors of a state that are inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    All,
    /// Those in a stubborn set, and the others if the proviso wants them.
    Kept,
    /// Those that are not in it.
    LeftOut,
}

/// What is noted with states: where they come from, and whether they have had their turn in the queue.
pub trait Notes<V> {
    /// That of a state with this parent.
    fn of(&self, parent: StateId) -> u64;
    /// It is the turn of this state.
    fn has_come(&self, visited: &mut V, state: StateId);
    /// It is not the turn of this state yet.
    fn is_to_come(&self, visited: &V, state: StateId) -> bool;
}
