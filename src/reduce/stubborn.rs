//! Stubborn sets: of the moves that are possible in a state, a part that suffices.
//!
//! A. Valmari, Stubborn sets for reduced state space generation, 1991; on guards as in A. Laarman, E. Pater, J. van de Pol,
//! H. Hansen, Guard-based partial-order reduction, STTT 2014. A set T of transitions of the current control states is closed under:
//!
//! ```text
//! t is executable:      the other transitions of its process; the partners of a handshake;
//!                       the transitions behind which something is done that t minds
//! t is not executable:  the transitions behind which something may make one of its false guards true
//! ```
//! All of them are transitions of processes at their current control states; "behind" is whatever such a process may do later. So what other
//! processes do without moving one of T neither makes a transition of T executable nor notices that one was executed
//! first, and the executable ones of T stay so.
//!
//! One closure for each process that can move; the one with the fewest successors is taken. The choice depends on the state of the
//! system alone.
//!
//! Differs from the guards of the paper: control states are no guards. What must happen before a process comes to a transition is
//! not followed back step by step, but summed up ([`Profile::future`]).

use super::Reduction;
use super::choices::{Choices, Node};
use super::closure::{Closures, Minimal, Visibility};
use super::memory::Memory;
use super::scene::{Place, Scene};
use crate::system::{Batch, Entry, Observer, Outcome, Step};

/// One worker's memory for stubborn sets.
pub struct Chooser {
    memory: Memory,
    scene: Scene,
    closures: Closures,
    /// Where the processes are, which successors there are, and what does not count: see [`Choices`].
    description: Vec<u64>,
    choices: Choices,
    /// The successors that are kept, as bits; none if all are.
    kept: Vec<u64>,
}

/// Transitions of a state beyond which it is not reduced.
const MOST_ITEMS: u32 = 1 << 12;

/// Whether a state can be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All successors are needed.
    All,
    /// There is a set with fewer.
    Some,
}

impl Chooser {
    /// Memory for a search with this reduction.
    pub fn new(reduction: &Reduction) -> Chooser {
        Chooser::remembering(reduction, Memory::default())
    }

    /// One that remembers so much.
    pub fn remembering(reduction: &Reduction, memory: Memory) -> Chooser {
        Chooser {
            memory,
            scene: Scene::new(reduction, memory),
            closures: Closures::default(),
            description: Vec::new(),
            choices: Choices::new(memory.choices),
            kept: Vec::new(),
        }
    }

    /// One that remembers no choice.
    pub fn forgetful(reduction: &Reduction) -> Chooser {
        Chooser { choices: Choices::given_up(), ..Chooser::new(reduction) }
    }

    /// Finds a small set of the successors of a state: the entries of the batch from `first` on.
    pub fn choose(
        &mut self,
        reduction: &Reduction,
        state: &[u64],
        batch: &Batch,
        first: usize,
        observer: &mut Observer,
    ) -> Choice {
        let entries = &batch.entries[first..];
        if entries.len() < 2 || moves_of_one_process(batch, entries) {
            return Choice::All;
        }
        self.locate(reduction, state, observer);
        if !self.describe(batch, entries) {
            return Choice::All;
        }
        self.kept.clear();
        if self.choices.have_given_up() {
            self.find_smallest(reduction, state, batch, entries, observer);
        } else if !self.recall(state, observer) {
            self.find_smallest(reduction, state, batch, entries, observer);
            self.choices.remember(&self.description, &self.scene.asked, &self.kept);
        }
        if self.kept.is_empty() { Choice::All } else { Choice::Some }
    }

    /// Whether the set that was found contains this successor.
    pub fn keeps(&self, successor: usize) -> bool {
        self.kept[successor / 64] >> (successor % 64) & 1 != 0
    }

    /// Whether a move of the state that was looked at last may change what the claim looks at.
    pub fn is_visible(&self, step: Step) -> bool {
        let at = |pid: u32, transition: u32| self.scene.at(pid, self.scene.item(pid, transition)).visible;
        step != Step::STUTTER
            && (at(step.pid, step.transition) || step.receiver.is_some_and(|taker| at(taker.pid, taker.transition)))
    }

    /// The transitions of the set that was found, by pid and number; `None` if it may have been remembered.
    pub fn members(&self) -> Option<impl Iterator<Item = (u32, u32)> + '_> {
        self.choices.have_given_up().then(|| self.closures.smallest(&self.scene))
    }

    /// The smallest set that deletion finds in a state with these successors; `None` if it must not be reduced, or is too large for that.
    pub fn minimal(
        &mut self,
        reduction: &Reduction,
        state: &[u64],
        batch: &Batch,
        observer: &mut Observer,
    ) -> Option<Minimal> {
        if batch.entries.len() < 2 || moves_of_one_process(batch, &batch.entries) {
            return None;
        }
        self.locate(reduction, state, observer);
        if !self.describe(batch, &batch.entries) {
            return None;
        }
        let Chooser { scene, closures, .. } = self;
        let all = closures.note_moves(scene, batch, &batch.entries)?;
        scene.prepare();
        closures.minimal(scene, visibility(reduction), all, state, observer)
    }

    fn locate(&mut self, reduction: &Reduction, state: &[u64], observer: &mut Observer) {
        if self.scene.is_full() {
            // choices know the profiles by their numbers
            self.scene = Scene::new(reduction, self.memory);
            self.choices.forget();
        }
        self.scene.locate(reduction, state, observer);
    }

    /// Describes the state as far as it decides about the choice, except for the values of conditions; false if it must not be reduced.
    fn describe(&mut self, batch: &Batch, entries: &[Entry]) -> bool {
        let Chooser { scene, description, .. } = self;
        description.clear();
        description.push(scene.places.len() as u64);
        description.extend(scene.places.iter().copied().map(Place::describe));
        for entry in entries {
            match batch.steps(entry).next().filter(|&step| step != Step::STUTTER) {
                // a claim with several moves has several copies of each state, but not of a fault: they cannot be weighed
                Some(_) if matches!(entry.outcome, Outcome::Endless | Outcome::Fault(_)) => return false,
                Some(Step { pid, transition, receiver }) => {
                    description.push((pid as u64) << 32 | transition as u64);
                    let receiver = receiver.map(|taker| 1 << 63 | (taker.pid as u64) << 32 | taker.transition as u64);
                    description.extend(receiver);
                }
                None if matches!(entry.outcome, Outcome::Fault(_)) => description.push(u64::MAX),
                None => return false,
            }
        }
        description.extend_from_slice(scene.inert().as_words());
        scene.items() <= MOST_ITEMS
    }

    /// Looks whether the choice was made before; true if so.
    fn recall(&mut self, state: &[u64], observer: &mut Observer) -> bool {
        let mut node = self.choices.root(&self.description);
        while let Node::Ask(question, next) = node {
            let value = self.scene.is_true(question, state, observer);
            node = self.choices.node(next[value as usize]);
        }
        if let Node::Keep(start, end) = node {
            self.kept.extend_from_slice(self.choices.kept(start, end));
        }
        self.choices.count(node);
        matches!(node, Node::Keep(..))
    }

    /// Finds the smallest of the sets that begin with the moves of each process, and which successors it contains.
    fn find_smallest(
        &mut self,
        reduction: &Reduction,
        state: &[u64],
        batch: &Batch,
        entries: &[Entry],
        observer: &mut Observer,
    ) {
        let Chooser { scene, closures, kept, .. } = self;
        let Some(total) = closures.note_moves(scene, batch, entries) else { return };
        scene.prepare();
        let visibility = visibility(reduction);
        let mut best = total;
        for pid in (0..scene.places.len()).rev() {
            if best == 1 {
                break;
            }
            if closures.is_untried(scene, pid) {
                best = closures.close(scene, pid, best, visibility, state, observer).unwrap_or(best);
            }
        }
        if best < total {
            closures.keep(kept);
        }
    }
}

fn visibility(reduction: &Reduction) -> Visibility {
    if reduction.is_watched() { Visibility::Matters } else { Visibility::DoesNotMatter }
}

/// The same process moves in all successors, and without others.
fn moves_of_one_process(batch: &Batch, entries: &[Entry]) -> bool {
    let first = |entry: &Entry| batch.steps(entry).next();
    let Some(mover) = entries.first().and_then(first) else { return true };
    entries.iter().filter_map(first).all(|step| step.pid == mover.pid && step.receiver.is_none())
}
