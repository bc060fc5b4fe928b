//! A state as stubborn sets see it: where the processes are, and what is known of what they can do.

use super::Reduction;
use super::access::{END, Set};
use super::choices::Question;
use super::meetings::{Meetings, SetId};
use super::memory::Memory;
use super::profile::{Move, Needs, Profile};
use super::touch::Actor;
use crate::program::code::Cell;
use crate::program::footprint::Owner;
use crate::system::Observer;
use crate::system::state::{bytes, load};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// One worker's knowledge, and the state that it looks at. An item is a transition of a process at its control state; items are
/// numbered process by process.
pub struct Scene {
    profiles: Vec<Profile>,
    known: FxHashMap<Owner, usize>,
    /// By pid: the profile that was used last.
    recent: Vec<usize>,
    memory: Memory,
    /// Words of all profiles.
    size: usize,
    meetings: Meetings,
    /// The set of one access, that a process ends.
    end: SetId,
    /// Accesses to variables that have their final value.
    inert: Set,
    /// By pid.
    pub places: Vec<Place>,
    /// A copy of the state, for evaluations, if there was one.
    copy: Vec<u64>,
    is_copied: bool,
    /// Guards that were looked at, and whether they are true.
    pub asked: Vec<(Question, bool)>,
}

/// Where a process is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    profile: usize,
    /// The number of the first item's move in the profile.
    start: u32,
    /// Its items are `first..end`.
    first: u32,
    end: u32,
}

impl Place {
    /// The transitions that leave it.
    pub fn items(self) -> Range<u32> {
        self.first..self.end
    }

    /// The control state of a process with this profile, as a word.
    pub fn describe(self) -> u64 {
        (self.profile as u64) << 32 | self.start as u64
    }
}

impl Scene {
    /// Nothing is known yet.
    pub fn new(reduction: &Reduction, memory: Memory) -> Scene {
        let none = reduction.shared.none();
        let mut meetings = Meetings::new(none.clone(), memory.meetings);
        let mut end = none.clone();
        end.insert(END);
        Scene {
            profiles: Vec::new(),
            known: FxHashMap::default(),
            recent: Vec::new(),
            memory,
            size: 0,
            end: meetings.number(end),
            meetings,
            inert: none,
            places: Vec::new(),
            copy: Vec::new(),
            is_copied: false,
            asked: Vec::new(),
        }
    }

    /// There are so many profiles that they are to be forgotten before the next state, and with them what is remembered of them elsewhere.
    ///
    /// They must not be made in a simpler way instead: what is chosen in a state would depend on the states before it.
    pub fn is_full(&self) -> bool {
        self.size > self.memory.profiles
    }

    /// Looks at a state.
    pub fn locate(&mut self, reduction: &Reduction, state: &[u64], observer: &mut Observer) {
        let bytes = bytes(state);
        self.places.clear();
        self.asked.clear();
        self.is_copied = false;
        let program = reduction.program();
        let mut first = 0;
        for (pid, (kind, at, frame)) in observer.frames(state).enumerate() {
            let profile = self.profile(reduction, pid as u32, kind, frame, bytes);
            let leaving = program.leaving(kind, at);
            let start = self.profiles[profile].number(leaving.start) as u32;
            let end = first + leaving.len() as u32;
            self.places.push(Place { profile, start, first, end });
            first = end;
        }
        reduction.note_final(bytes, &mut self.inert);
    }

    fn profile(&mut self, reduction: &Reduction, pid: u32, kind: u32, frame: usize, bytes: &[u8]) -> usize {
        let program = reduction.program();
        let automaton = program.automaton(kind);
        let recent = self.recent.get(pid as usize).copied();
        if let Some(recent) = recent.filter(|&recent| self.profiles[recent].is_of(kind, automaton, frame, bytes)) {
            return recent;
        }
        let value = |cell: &Cell| load(bytes, frame + cell.offset as usize, cell.width);
        let known_pid = Some(pid).filter(|_| reduction.knows_pid[kind as usize]);
        let owner = Owner { kind, pid: known_pid, settled: automaton.settled.iter().map(value).collect() };
        let found = *self.known.entry(owner).or_insert_with_key(|owner| {
            let actor = Actor { program, shared: &reduction.shared, owner, careers: &reduction.careers };
            let profile = Profile::new(actor, &reduction.watched, &mut self.meetings);
            self.size += profile.size();
            self.profiles.push(profile);
            self.profiles.len() - 1
        });
        self.recent.resize(self.recent.len().max(pid as usize + 1), found);
        self.recent[pid as usize] = found;
        found
    }

    /// Accesses that do not count.
    pub fn inert(&self) -> &Set {
        &self.inert
    }

    /// From now on sets are asked for.
    pub fn prepare(&mut self) {
        self.meetings.ignore(&self.inert);
    }

    /// How many items there are.
    pub fn items(&self) -> u32 {
        self.places.last().map_or(0, |place| place.end)
    }

    /// The item of a transition.
    pub fn item(&self, pid: u32, transition: u32) -> u32 {
        let Place { profile, start, first, .. } = self.places[pid as usize];
        first + (self.profiles[profile].number(transition as usize) as u32 - start)
    }

    /// The transition of an item.
    pub fn transition(&self, pid: u32, item: u32) -> u32 {
        let Place { profile, start, first, .. } = self.places[pid as usize];
        self.profiles[profile].transition((start + item - first) as usize) as u32
    }

    /// The move of an item of a process.
    #[inline]
    pub fn at(&self, pid: u32, item: u32) -> &Move {
        let Place { profile, start, first, .. } = self.places[pid as usize];
        &self.profiles[profile].moves[(start + item - first) as usize]
    }

    /// Adds the items of a process behind which something in the set may be done.
    #[inline]
    pub fn add_meeting(&mut self, set: SetId, pid: usize, items: &mut [u64]) {
        let Place { profile, start, first, end } = self.places[pid];
        let futures = &self.profiles[profile].futures;
        for skipped in (0..end - first).step_by(64) {
            let found = self.meetings.ask(set, profile, futures, (start + skipped) as usize);
            let left = end - first - skipped;
            let found = if left < 64 { found & ((1 << left) - 1) } else { found };
            let at = first + skipped;
            let (word, shift) = (at as usize / 64, at % 64);
            items[word] |= found << shift;
            if let Some(high) = found.checked_shr(64 - shift).filter(|&high| high != 0) {
                items[word + 1] |= high;
            }
        }
    }

    /// Adds the other items that may lead to what makes a guard of an item true; false if it may be anything.
    pub fn add_helpers(&mut self, pid: u32, item: u32, guard: usize, items: &mut [u64]) -> bool {
        let (needs, own) = {
            let guard = &self.at(pid, item).guards[guard];
            (guard.needs, guard.own)
        };
        let (set, first) = match needs {
            Needs::Access(set) => (set, 0),
            Needs::YoungerEnd => (self.end, pid as usize + 1),
            Needs::Anything => return false,
        };
        for process in first..self.places.len() {
            self.add_meeting(set, process, items);
        }
        if own {
            for other in self.places[pid as usize].items().filter(|&other| self.at(pid, other).returns()) {
                items[other as usize / 64] |= 1 << (other % 64);
            }
        }
        items[item as usize / 64] &= !(1 << (item % 64));
        true
    }

    /// A guard of an item is false; `None` if it has no test.
    pub fn fails(&mut self, pid: u32, item: u32, guard: usize, state: &[u64], observer: &mut Observer) -> Option<bool> {
        self.at(pid, item).guards[guard].test.as_ref()?;
        let Place { start, first, .. } = self.places[pid as usize];
        let question = Question { pid, number: start + item - first, guard: guard as u32 };
        if let Some(&(_, value)) = self.asked.iter().find(|(asked, _)| *asked == question) {
            return Some(!value);
        }
        let value = self.is_true(question, state, observer);
        self.asked.push((question, value));
        Some(!value)
    }

    /// A guard is true.
    pub fn is_true(&mut self, question: Question, state: &[u64], observer: &mut Observer) -> bool {
        let Question { pid, number, guard } = question;
        if !std::mem::replace(&mut self.is_copied, true) {
            self.copy.clear();
            self.copy.extend_from_slice(state);
        }
        let moves = &self.profiles[self.places[pid as usize].profile].moves;
        let test = moves[number as usize].guards[guard as usize].test.as_ref();
        test.is_some_and(|test| observer.value(&mut self.copy, pid as usize, test) != Some(0))
    }
}
