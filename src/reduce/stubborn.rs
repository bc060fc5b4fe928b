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

mod minimal;

use super::Reduction;
use super::access::{END, Set};
use super::profile::{Guard, Move, Needs, Profile};
use super::touch::Actor;
use crate::program::code::Cell;
use crate::program::footprint::Owner;
use crate::system::state::{bytes, load};
use crate::system::{Batch, Entry, Observer, Outcome, Step};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One worker's memory for stubborn sets.
pub struct Chooser {
    profiles: Vec<Profile>,
    known: FxHashMap<Owner, usize>,
    /// By pid: the profile that was used last.
    recent: Vec<usize>,
    /// Words of all profiles.
    size: usize,
    /// By pid.
    places: Vec<Place>,
    /// The transitions of all processes at their control states, process by process.
    items: Vec<Item>,
    /// Senders and receivers of possible handshakes, as items.
    pairs: Vec<(u32, u32)>,
    /// The item with which each entry of the batch begins; [`NO_ITEM`] if none does.
    begins: Vec<u32>,
    /// Accesses to variables that have their final value.
    inert: Set,
    /// A copy of the state, for evaluations.
    state: Vec<u64>,
    /// The set under construction, and what of it is still to be looked at: what can be executed, and what cannot.
    chosen: Vec<bool>,
    executable: Vec<u32>,
    blocked: Vec<u32>,
    /// The smallest set so far.
    smallest: Vec<bool>,
}

const NO_ITEM: u32 = u32::MAX;
/// Words of profiles beyond which processes are not told apart by their arguments.
const MOST_PROFILED: usize = 1 << 24;
/// Transitions of a state beyond which it is not reduced.
const MOST_ITEMS: usize = 1 << 12;

/// Where a process is.
#[derive(Clone, Copy, Debug)]
struct Place {
    kind: u32,
    state: u32,
    profile: usize,
    /// Its items are `first..end`.
    first: u32,
    end: u32,
    stage: Stage,
}

/// How far the search for sets has come with a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It cannot move.
    Blocked,
    /// No set has begun with its moves yet.
    Untried,
    /// Whatever contains its moves is no smaller than the smallest set so far.
    Tried,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    pid: u32,
    transition: u32,
    /// Successors that begin with it.
    begun: u32,
    /// It can be executed, if only as the receiver in a handshake.
    executable: bool,
}

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
        Chooser {
            profiles: Vec::new(),
            known: FxHashMap::default(),
            recent: Vec::new(),
            size: 0,
            places: Vec::new(),
            items: Vec::new(),
            pairs: Vec::new(),
            begins: Vec::new(),
            inert: reduction.shared.none(),
            state: Vec::new(),
            chosen: Vec::new(),
            executable: Vec::new(),
            blocked: Vec::new(),
            smallest: Vec::new(),
        }
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
        if self.items.len() > MOST_ITEMS {
            return Choice::All;
        }
        let Some(total) = self.note_moves(reduction, batch, entries) else { return Choice::All };
        reduction.note_final(bytes(state), &mut self.inert);
        self.state.clear();
        self.state.extend_from_slice(state);
        let mut best = total;
        for pid in (0..self.places.len()).rev() {
            if self.places[pid].stage != Stage::Untried {
                continue;
            }
            let weight = self.close(reduction, pid, best, observer);
            self.places[pid].stage = Stage::Tried;
            if let Some(weight) = weight {
                best = weight;
                std::mem::swap(&mut self.smallest, &mut self.chosen);
                if weight == 1 {
                    break;
                }
            }
        }
        if best == total { Choice::All } else { Choice::Some }
    }

    /// Whether the set that was found contains this successor.
    pub fn keeps(&self, successor: usize) -> bool {
        let item = self.begins[successor];
        item == NO_ITEM || self.smallest[item as usize]
    }

    /// The transitions of the set that was found, by pid and number.
    pub fn members(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let chosen = self.items.iter().zip(&self.smallest).filter(|(_, chosen)| **chosen);
        chosen.map(|(item, _)| (item.pid, item.transition))
    }

    fn locate(&mut self, reduction: &Reduction, state: &[u64], observer: &mut Observer) {
        let bytes = bytes(state);
        self.items.clear();
        self.places.clear();
        let program = reduction.program();
        for (pid, (kind, at, frame)) in observer.frames(state).enumerate() {
            let profile = self.profile(reduction, pid as u32, kind, frame, bytes);
            let first = self.items.len() as u32;
            let leaving = program.leaving(kind, at);
            let item = |t: usize| Item { pid: pid as u32, transition: t as u32, begun: 0, executable: false };
            self.items.extend(leaving.map(item));
            let end = self.items.len() as u32;
            self.places.push(Place { kind, state: at, profile, first, end, stage: Stage::Blocked });
        }
    }

    fn profile(&mut self, reduction: &Reduction, pid: u32, kind: u32, frame: usize, bytes: &[u8]) -> usize {
        let program = reduction.program();
        let automaton = program.automaton(kind);
        let told_apart = self.size < MOST_PROFILED;
        let recent = self.recent.get(pid as usize).copied();
        if let Some(recent) = recent.filter(|&recent| self.profiles[recent].is_of(kind, automaton, frame, bytes)) {
            return recent;
        }
        let value = |cell: &Cell| load(bytes, frame + cell.offset as usize, cell.width);
        let settled: Box<[i32]> =
            if told_apart { automaton.settled.iter().map(value).collect() } else { Box::default() };
        let known_pid = Some(pid).filter(|_| told_apart && reduction.knows_pid[kind as usize]);
        let owner = Owner { kind, pid: known_pid, settled };
        let found = *self.known.entry(owner).or_insert_with_key(|owner| {
            let actor = Actor { program, shared: &reduction.shared, owner, careers: &reduction.careers };
            let profile = Profile::new(actor, &reduction.watched);
            self.size += profile.size();
            self.profiles.push(profile);
            self.profiles.len() - 1
        });
        self.recent.resize(self.recent.len().max(pid as usize + 1), found);
        self.recent[pid as usize] = found;
        found
    }

    /// Notes which transitions are executable. `None` if the state is one that must not be reduced; otherwise the number of successors.
    fn note_moves(&mut self, reduction: &Reduction, batch: &Batch, entries: &[Entry]) -> Option<u32> {
        self.pairs.clear();
        self.begins.clear();
        let mut total = 0;
        for entry in entries {
            let step = batch.steps(entry).next().filter(|&step| step != Step::STUTTER);
            let Some(step) = step else {
                if !matches!(entry.outcome, Outcome::Fault(_)) {
                    return None;
                }
                self.begins.push(NO_ITEM);
                continue;
            };
            // a claim with several moves has several copies of each state, but not of a fault: they cannot be weighed against each other
            if matches!(entry.outcome, Outcome::Endless | Outcome::Fault(_)) {
                return None;
            }
            total += 1;
            let item = self.item(reduction, step.pid, step.transition);
            self.begins.push(item);
            self.items[item as usize].begun += 1;
            self.note_executable(item);
            if self.at(item).timeout {
                return None;
            }
            if let Some(receiver) = step.receiver {
                let taker = self.item(reduction, receiver.pid, receiver.transition);
                self.note_executable(taker);
                self.pairs.push((item, taker));
            }
        }
        Some(total)
    }

    fn note_executable(&mut self, item: u32) {
        let item = &mut self.items[item as usize];
        item.executable = true;
        self.places[item.pid as usize].stage = Stage::Untried;
    }

    fn item(&self, reduction: &Reduction, pid: u32, transition: u32) -> u32 {
        let place = &self.places[pid as usize];
        let start = reduction.program().leaving(place.kind, place.state).start as u32;
        place.first + (transition - start)
    }

    fn at(&self, item: u32) -> &Move {
        let Item { pid, transition, .. } = self.items[item as usize];
        self.profiles[self.places[pid as usize].profile].at(transition as usize)
    }

    fn items_of(&self, pid: usize) -> Range<u32> {
        let Place { first, end, .. } = self.places[pid];
        first..end
    }

    /// The closure that begins with the moves of a process; its number of successors, if they are fewer than `best`.
    ///
    /// What can be executed is looked at first, and a closure that comes to a process that was tried before is given up: it contains
    /// what that one has led to.
    fn close(&mut self, reduction: &Reduction, pid: usize, best: u32, observer: &mut Observer) -> Option<u32> {
        self.chosen.clear();
        self.chosen.resize(self.items.len(), false);
        self.executable.clear();
        self.blocked.clear();
        let start = self.items_of(pid).find(|&item| self.items[item as usize].executable)?;
        self.add(start);
        let mut weight = 0;
        loop {
            if let Some(item) = self.executable.pop() {
                let Item { pid, begun, .. } = self.items[item as usize];
                weight += begun;
                if weight >= best || self.places[pid as usize].stage == Stage::Tried {
                    return None;
                }
                self.add_disturbers(item);
            } else if let Some(item) = self.blocked.pop() {
                self.add_enablers(item, observer)?;
            } else {
                break;
            }
        }
        (!reduction.is_watched() || self.has_invisible()).then_some(weight)
    }

    /// Something invisible is in the set, if anything invisible can be executed at all.
    fn has_invisible(&self) -> bool {
        let mut invisible = (0..self.items.len() as u32)
            .filter(|&item| self.items[item as usize].begun > 0 && !self.is_visible(item))
            .peekable();
        invisible.peek().is_none() || invisible.any(|item| self.chosen[item as usize])
    }

    /// A move that begins with this item, by whoever takes part in it, changes what the claim looks at.
    fn is_visible(&self, item: u32) -> bool {
        let taken = |&(sender, taker): &(u32, u32)| sender == item && self.at(taker).visible;
        self.at(item).visible || self.pairs.iter().any(taken)
    }

    #[inline]
    fn add(&mut self, item: u32) {
        if !std::mem::replace(&mut self.chosen[item as usize], true) {
            let list = if self.items[item as usize].executable { &mut self.executable } else { &mut self.blocked };
            list.push(item);
        }
    }

    /// Adds what might notice that an executable item is put off, or prevent it.
    fn add_disturbers(&mut self, item: u32) {
        let pid = self.items[item as usize].pid as usize;
        self.items_of(pid).for_each(|sibling| self.add(sibling));
        for number in 0..self.pairs.len() {
            let (sender, taker) = self.pairs[number];
            if sender == item || taker == item {
                self.add(sender);
                self.add(taker);
            }
        }
        for other in (0..self.places.len()).filter(|&other| other != pid) {
            let Place { profile, state, .. } = self.places[other];
            if self.at(item).minds.meets_beside(self.profiles[profile].future(state), &self.inert) {
                for candidate in self.items_of(other) {
                    let disturbs = !self.chosen[candidate as usize]
                        && self.at(item).minds.meets_beside(&self.at(candidate).future, &self.inert);
                    if disturbs {
                        self.add(candidate);
                    }
                }
            }
        }
    }

    /// Adds what might make an item executable that is not; `None` if that may be anything.
    fn add_enablers(&mut self, item: u32, observer: &mut Observer) -> Option<()> {
        let pid = self.items[item as usize].pid as usize;
        if let Some(first) = self.precedent(item, pid) {
            // an escape that can be executed does not keep a process from taking what another one offers
            let is_certain = !self.at(item).takes;
            return is_certain.then(|| self.add(first));
        }
        let mut state = std::mem::take(&mut self.state);
        let mut fails = |guard: &Guard| {
            let test = guard.test.as_ref();
            test.map(|test| observer.value(&mut state, pid, test) == Some(0))
        };
        let guards = &self.at(item).guards;
        // one without a test must be the reason if there is no other one
        let some_fail = guards.iter().any(|guard| fails(guard) == Some(true));
        let mut cheapest: Option<(usize, usize)> = None;
        for (number, guard) in guards.iter().enumerate() {
            let cost = if fails(guard).unwrap_or(!some_fail) { self.cost(item, pid, guard) } else { None };
            if cost.is_some_and(|cost| cheapest.is_none_or(|(least, _)| cost < least)) {
                cheapest = cost.map(|cost| (cost, number));
            }
        }
        self.state = state;
        let (_, number) = cheapest?;
        for other in 0..self.items.len() as u32 {
            if !self.chosen[other as usize] && self.helps(item, pid, &self.at(item).guards[number], other) {
                self.add(other);
            }
        }
        Some(())
    }

    /// An executable transition of the same process in favour of which this one is not tried.
    fn precedent(&self, item: u32, pid: usize) -> Option<u32> {
        let this = self.at(item);
        self.items_of(pid).filter(|&other| other != item && self.items[other as usize].executable).find(|&other| {
            let other = self.at(other);
            this.is_else || other.escape > 0 && other.escape != this.escape
        })
    }

    /// How many executable items must be added for the sake of a guard; `None` if it may be anything.
    fn cost(&self, item: u32, pid: usize, guard: &Guard) -> Option<usize> {
        if matches!(guard.needs, Needs::Anything) {
            return None;
        }
        let added = |&other: &u32| self.items[other as usize].executable && !self.chosen[other as usize];
        let items = (0..self.items.len() as u32).filter(added);
        Some(items.filter(|&other| self.helps(item, pid, guard, other)).count())
    }

    /// Whether another item may lead to what makes a guard of an item true.
    fn helps(&self, item: u32, pid: usize, guard: &Guard, other: u32) -> bool {
        let process = self.items[other as usize].pid as usize;
        if guard.own && process == pid && other != item && self.at(other).returns() {
            return true;
        }
        match &guard.needs {
            Needs::Anything => true,
            Needs::YoungerEnd => process > pid && self.at(other).future.contains(END),
            Needs::Access(needs) => {
                other != item
                    && needs.meets_beside(self.future_of(process), &self.inert)
                    && needs.meets_beside(&self.at(other).future, &self.inert)
            }
        }
    }

    /// All that a process may do from where it is.
    fn future_of(&self, pid: usize) -> &Set {
        let Place { profile, state, .. } = self.places[pid];
        self.profiles[profile].future(state)
    }
}

/// The same process moves in all successors, and without others.
fn moves_of_one_process(batch: &Batch, entries: &[Entry]) -> bool {
    let first = |entry: &Entry| batch.steps(entry).next();
    let Some(mover) = entries.first().and_then(first) else { return true };
    entries.iter().filter_map(first).all(|step| step.pid == mover.pid && step.receiver.is_none())
}
