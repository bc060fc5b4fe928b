//! Stubborn sets: of the moves that are possible in a state, a part that suffices.
//!
//! A. Valmari, Stubborn sets for reduced state space generation, 1991; on guards as in A. Laarman, E. Pater, J. van de Pol,
//! H. Hansen, Guard-based partial-order reduction, STTT 2014. A set T of transitions of the current control states is closed under:
//!
//! ```text
//! t is executable:      the other transitions of its process; whoever can ever do what t minds; the partners of a handshake
//! t is not executable:  whoever can ever make one of its false guards true
//! ```
//! "Whoever can ever" is a transition of a process at its current control state from which such an access can be reached. So what other
//! processes do without moving one of T neither makes a transition of T executable nor notices that one was executed
//! first, and the executable ones of T stay so.
//!
//! One closure for each process that can move; the one with the fewest successors is taken. The choice depends on the state of the
//! system alone.
//!
//! Differs from the guards of the paper: control states are no guards. What must happen before a process comes to a transition is
//! not followed back step by step, but summed up ([`Profile::future`]).

use super::Reduction;
use super::access::{END, Set};
use super::profile::{Guard, Move, Needs, Profile};
use super::touch::Actor;
use crate::program::footprint::Owner;
use crate::system::state::{bytes, load};
use crate::system::{Batch, Observer, Outcome, Step};
use rustc_hash::FxHashMap;

/// One worker's memory for stubborn sets.
pub struct Chooser {
    profiles: Vec<Profile>,
    known: FxHashMap<(u32, Option<u32>, Box<[i32]>), usize>,
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
    /// The set under construction, and what of it is still to be looked at.
    chosen: Vec<bool>,
    todo: Vec<u32>,
    /// Sets that were found: their number of successors, and where they are in `sets`.
    found: Vec<(u32, usize)>,
    sets: Vec<bool>,
}

const NO_ITEM: u32 = u32::MAX;
/// Words of profiles beyond which processes are not told apart by their arguments.
const MOST_PROFILED: usize = 1 << 24;

/// Where a process is.
#[derive(Clone, Copy, Debug)]
struct Place {
    kind: u32,
    state: u32,
    profile: usize,
    /// Its first item.
    first: u32,
    /// One of its transitions is executable.
    moves: bool,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    pid: u32,
    transition: u32,
    /// Successors that begin with it, or in which it is the receiver.
    entries: u32,
}

/// Whether a state can be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All successors are needed.
    All,
    /// There are sets with fewer.
    Some,
}

impl Chooser {
    pub fn new(reduction: &Reduction) -> Chooser {
        Chooser {
            profiles: Vec::new(),
            known: FxHashMap::default(),
            size: 0,
            places: Vec::new(),
            items: Vec::new(),
            pairs: Vec::new(),
            begins: Vec::new(),
            inert: reduction.shared.none(),
            state: Vec::new(),
            chosen: Vec::new(),
            todo: Vec::new(),
            found: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Finds sets of the successors of a state, the smallest first.
    pub fn choose(&mut self, reduction: &Reduction, state: &[u64], batch: &Batch, observer: &mut Observer) -> Choice {
        self.found.clear();
        self.sets.clear();
        if batch.entries.len() < 2 {
            return Choice::All;
        }
        self.locate(reduction, state, observer);
        let Some(total) = self.note_moves(reduction, batch) else { return Choice::All };
        reduction.note_final(bytes(state), &mut self.inert);
        self.state.clear();
        self.state.extend_from_slice(state);
        let mut best = total;
        for pid in (0..self.places.len()).rev().filter(|&pid| self.places[pid].moves).collect::<Vec<_>>() {
            let Some(weight) = self.close(reduction, pid, best, observer) else { continue };
            best = weight;
            self.found.push((weight, self.sets.len()));
            self.sets.extend_from_slice(&self.chosen);
            if weight == 1 {
                break;
            }
        }
        self.found.reverse();
        if self.found.is_empty() { Choice::All } else { Choice::Some }
    }

    /// The sets that were found, as numbers.
    pub fn sets(&self) -> std::ops::Range<usize> {
        0..self.found.len()
    }

    /// Whether an entry of the batch belongs to a set.
    pub fn keeps(&self, set: usize, entry: usize) -> bool {
        let item = self.begins[entry];
        item == NO_ITEM || self.sets[self.found[set].1 + item as usize]
    }

    fn locate(&mut self, reduction: &Reduction, state: &[u64], observer: &mut Observer) {
        let bytes = bytes(state);
        self.items.clear();
        self.places.clear();
        let program = reduction.program();
        let processes: Vec<_> = observer.frames(state).collect();
        for (pid, (kind, at, frame)) in processes.into_iter().enumerate() {
            let profile = self.profile(reduction, pid as u32, kind, frame, bytes);
            let first = self.items.len() as u32;
            self.places.push(Place { kind, state: at, profile, first, moves: false });
            let leaving = program.leaving(kind, at);
            self.items.extend(leaving.map(|t| Item { pid: pid as u32, transition: t as u32, entries: 0 }));
        }
    }

    fn profile(&mut self, reduction: &Reduction, pid: u32, kind: u32, frame: usize, bytes: &[u8]) -> usize {
        let program = reduction.program();
        let automaton = program.automaton(kind);
        let told_apart = self.size < MOST_PROFILED;
        let value = |cell: &crate::program::code::Cell| load(bytes, frame + cell.offset as usize, cell.width);
        let settled: Box<[i32]> =
            if told_apart { automaton.settled.iter().map(value).collect() } else { Box::default() };
        let pid = Some(pid).filter(|_| told_apart && reduction.knows_pid[kind as usize]);
        *self.known.entry((kind, pid, settled)).or_insert_with_key(|(_, _, settled)| {
            let owner = Owner { kind, pid, settled: settled.clone() };
            let actor = Actor { program, shared: &reduction.shared, owner: &owner, careers: &reduction.careers };
            let profile = Profile::new(actor, &reduction.watched);
            self.size += profile.size();
            self.profiles.push(profile);
            self.profiles.len() - 1
        })
    }

    /// Notes which transitions are executable. `None` if the state is one that must not be reduced; otherwise the number of successors.
    fn note_moves(&mut self, reduction: &Reduction, batch: &Batch) -> Option<u32> {
        self.pairs.clear();
        self.begins.clear();
        let mut total = 0;
        for entry in &batch.entries {
            let step = batch.steps(entry).next().filter(|&step| step != Step::STUTTER);
            let Some(step) = step else {
                if !matches!(entry.outcome, Outcome::Fault(_)) {
                    return None;
                }
                self.begins.push(NO_ITEM);
                continue;
            };
            if entry.outcome == Outcome::Endless {
                return None;
            }
            total += 1;
            let item = self.item(reduction, step.pid, step.transition);
            self.begins.push(item);
            if self.note_move(item) {
                return None;
            }
            if let Some(receiver) = step.receiver {
                let taker = self.item(reduction, receiver.pid, receiver.transition);
                self.note_move(taker);
                self.pairs.push((item, taker));
            }
        }
        Some(total)
    }

    /// The item is executable; whether that may be because of a timeout.
    fn note_move(&mut self, item: u32) -> bool {
        let Item { pid, entries, .. } = &mut self.items[item as usize];
        *entries += 1;
        self.places[*pid as usize].moves = true;
        self.at(item).timeout
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

    fn items_of(&self, pid: usize) -> std::ops::Range<u32> {
        let end = self.places.get(pid + 1).map_or(self.items.len() as u32, |next| next.first);
        self.places[pid].first..end
    }

    /// The closure that begins with the moves of a process; its number of successors, if they are fewer than `best`.
    fn close(&mut self, reduction: &Reduction, pid: usize, best: u32, observer: &mut Observer) -> Option<u32> {
        self.chosen.clear();
        self.chosen.resize(self.items.len(), false);
        self.todo.clear();
        let start = self.items_of(pid).find(|&item| self.items[item as usize].entries > 0)?;
        self.add(start);
        let mut weight = 0;
        while let Some(item) = self.todo.pop() {
            if self.items[item as usize].entries > 0 {
                self.add_disturbers(item);
                // a handshake is counted with its sender
                weight += self.begun(item);
                if weight >= best {
                    return None;
                }
            } else if !self.add_enablers(item, observer) {
                return None;
            }
        }
        let visible = |item: u32| self.chosen[item as usize] && self.begun(item) > 0 && self.at(item).visible;
        if reduction.is_watched() && self.is_all_visible(&visible) {
            return None;
        }
        Some(weight)
    }

    /// All that can be executed in the set is visible, and something invisible outside of it can be.
    fn is_all_visible(&self, visible: &impl Fn(u32) -> bool) -> bool {
        let mut executable = (0..self.items.len() as u32).filter(|&item| self.begun(item) > 0);
        let invisible_chosen = executable.clone().any(|item| self.chosen[item as usize] && !visible(item));
        !invisible_chosen && executable.any(|item| !self.at(item).visible)
    }

    /// Successors that begin with an item.
    fn begun(&self, item: u32) -> u32 {
        let Item { entries, .. } = self.items[item as usize];
        entries - self.pairs.iter().filter(|&&(_, taker)| taker == item).count() as u32
    }

    fn add(&mut self, item: u32) {
        if !std::mem::replace(&mut self.chosen[item as usize], true) {
            self.todo.push(item);
        }
    }

    /// Adds what might notice that an executable item is put off, or prevent it.
    fn add_disturbers(&mut self, item: u32) {
        let pid = self.items[item as usize].pid as usize;
        for sibling in self.items_of(pid) {
            self.add(sibling);
        }
        for number in 0..self.pairs.len() {
            let (sender, taker) = self.pairs[number];
            if sender == item || taker == item {
                self.add(sender);
                self.add(taker);
            }
        }
        for other in (0..self.places.len()).filter(|&other| other != pid) {
            let minds = &self.at(item).minds;
            let Place { profile, state, .. } = self.places[other];
            if !minds.meets_beside(self.profiles[profile].future(state), &self.inert) {
                continue;
            }
            for candidate in self.items_of(other) {
                if !self.chosen[candidate as usize] {
                    let disturbs = self.at(item).minds.meets_beside(&self.at(candidate).future, &self.inert);
                    if disturbs {
                        self.add(candidate);
                    }
                }
            }
        }
    }

    /// Adds what might make an item executable that is not; false if that may be anything.
    fn add_enablers(&mut self, item: u32, observer: &mut Observer) -> bool {
        let pid = self.items[item as usize].pid as usize;
        if let Some(first) = self.precedent(item, pid) {
            self.add(first);
            return true;
        }
        let mut cheapest: Option<(usize, Vec<u32>)> = None;
        let mut state = std::mem::take(&mut self.state);
        for number in 0..self.at(item).guards.len() {
            let guard = &self.at(item).guards[number];
            let holds = guard.test.as_ref().is_some_and(|test| observer.value(&mut state, pid, test) != Some(0));
            if holds {
                continue;
            }
            let Some(enablers) = self.enablers(item, pid, number) else { continue };
            let cost = enablers.iter().filter(|&&other| self.items[other as usize].entries > 0).count();
            if cheapest.as_ref().is_none_or(|(least, _)| cost < *least) {
                cheapest = Some((cost, enablers));
            }
        }
        self.state = state;
        let Some((_, enablers)) = cheapest else { return false };
        enablers.into_iter().for_each(|other| self.add(other));
        true
    }

    /// An executable transition of the same process in favour of which this one is not tried.
    fn precedent(&self, item: u32, pid: usize) -> Option<u32> {
        let this = self.at(item);
        let executable = self.items_of(pid).filter(|&other| self.items[other as usize].entries > 0);
        let mut executable = executable.filter(|&other| other != item);
        executable.find(|&other| {
            let other = self.at(other);
            this.is_else || other.escape > 0 && other.escape != this.escape
        })
    }

    /// The items not chosen yet that may make a guard true; `None` if that may be anything.
    fn enablers(&self, item: u32, pid: usize, guard: usize) -> Option<Vec<u32>> {
        let Guard { needs, own, .. } = &self.at(item).guards[guard];
        let mut enablers = Vec::new();
        if *own {
            let comes_back = |&other: &u32| other != item && self.at(other).returns();
            enablers.extend(self.items_of(pid).filter(comes_back));
        }
        match needs {
            Needs::Anything => return None,
            Needs::YoungerEnd => {
                let younger = (pid + 1..self.places.len()).flat_map(|other| self.items_of(other));
                enablers.extend(younger.filter(|&other| self.at(other).future.contains(END)));
            }
            Needs::Access(needs) => {
                for other in 0..self.places.len() {
                    let Place { profile, state, .. } = self.places[other];
                    if needs.meets_beside(self.profiles[profile].future(state), &self.inert) {
                        let helps =
                            |&other: &u32| other != item && needs.meets_beside(&self.at(other).future, &self.inert);
                        enablers.extend(self.items_of(other).filter(helps));
                    }
                }
            }
        }
        enablers.retain(|&other| !self.chosen[other as usize]);
        Some(enablers)
    }
}
