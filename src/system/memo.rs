//! Moves that are remembered.
//!
//! What a process can do depends on a few words of the state: its own frame and the globals its statements touch. A
//! process comes to the same values of these again and again while the rest of the state changes, so what the
//! interpreter found out once is kept: the values before, and for each move how they change. Making such a move is then
//! a copy and a few words. A control state at which that does not pay is not tried any more.

use super::state::{bytes, load};
use super::{Batch, Entry, Outcome, Step};
use crate::program::Program;
use crate::program::code::{Base, Cell, Width};
use crate::program::footprint::{Footprint, Owner, footprint};
use rustc_hash::FxHashMap;

/// The processes of a state with more touched words than this are interpreted.
const MOST_WORDS: usize = 12;
const TABLE_BITS: u32 = 16;
/// Words of records, and steps of chains, after which everything is forgotten: what does not fit into the second-level
/// cache does not help.
const MOST_RECORDED: usize = 1 << 18;
const MOST_PLANS: usize = 1 << 16;
/// A process with more control states has no plans: they are made at once, and the limits of a search wait for that.
const MOST_STATES: u32 = 1 << 13;
/// After this many misses a plan must show that it is worth it.
const PROBATION: u32 = 1 << 12;

/// No plans for this process.
pub(super) const UNPLANNED: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Memo {
    plans: Vec<Plan>,
    /// By pid, place of the frame and proctype: what its plans assume (an index into `assumed`), and the first of them;
    /// they are numbered by control state.
    owners: FxHashMap<(u32, u32, u32), Vec<(usize, u32)>>,
    /// What plans assume of the process they are for: the values at these places.
    assumed: Vec<Vec<Assumption>>,
    /// A process was not the one its plans are for.
    pub stale: bool,
    /// Where records are, by hash; 0 for none.
    table: Vec<u32>,
    records: Vec<u64>,
    chain: Vec<Step>,
}

/// This value is at this place.
type Assumption = (u32, Width, i32);

fn fulfilled(assumptions: &[Assumption], bytes: &[u8]) -> bool {
    assumptions.iter().all(|&(at, width, value)| load(bytes, at as usize, width) == value)
}

/// What matters to a process at a place and a control state.
struct Plan {
    /// Which bytes of which words. Empty: not possible, or not worth it.
    parts: Vec<Part>,
    /// There are no moves at all.
    idle: bool,
    /// Index into [`Memo::assumed`]. (What is assumed is also read, so no other process finds the records.)
    assumed: usize,
    hits: u32,
    misses: u32,
}

struct Part {
    word: u32,
    mask: u64,
}

impl Part {
    #[inline(always)]
    fn of(&self, state: &[u64]) -> u64 {
        state[self.word as usize] & self.mask
    }
}

/// A record: plan and number of moves; the atomic steps that all of them take together; the values of the plan's parts
/// before; and the moves.
const HEAD: usize = 2;
/// A move: transition and number of words it changes; where its chain is and how long; and for each changed word where
/// it is and how it changes.
const MOVE: usize = 2;
/// It ends inside an atomic sequence.
const UNFINISHED: u64 = 1 << 63;

/// What was interpreted and may be remembered.
pub(super) struct Visit {
    pub entries: usize,
    pub atomic_steps: u64,
}

impl Memo {
    /// The first plan of process `pid`, whose frame is at `at`.
    pub fn plans_of(&mut self, program: &Program, bytes: &[u8], pid: u32, at: u32, kind: u32) -> u32 {
        let known = self.owners.entry((pid, at, kind)).or_default();
        if let Some(&(_, first)) = known.iter().find(|&&(assumed, _)| fulfilled(&self.assumed[assumed], bytes)) {
            return first;
        }
        let automaton = program.automaton(kind);
        let states = automaton.states.len() as u32;
        let first = self.plans.len() as u32;
        if states > MOST_STATES || (first + states) as usize > MOST_PLANS {
            return UNPLANNED;
        }
        if self.table.is_empty() {
            self.table.resize(1 << TABLE_BITS, 0);
            // what an empty entry of the table points to: a record of no plan
            self.records.resize(HEAD + MOST_WORDS, u64::MAX);
        }
        let value = |cell: &Cell| load(bytes, (at + cell.offset) as usize, cell.width);
        let owner = Owner { kind, pid: Some(pid), settled: automaton.settled.iter().map(value).collect() };
        let assumed = self.assumed.len();
        let settled = automaton.settled.iter().zip(&owner.settled);
        self.assumed.push(settled.map(|(cell, &value)| (at + cell.offset, cell.width, value)).collect());
        self.plans.extend((0..states).map(|state| {
            let idle = program.transitions[automaton.leaving(state)].iter().all(|t| t.waits);
            let footprint = if idle { None } else { footprint(program, &owner, state) };
            Plan::new(footprint, at, assumed, idle)
        }));
        known.push((assumed, first));
        first
    }

    /// Appends the moves of process `pid` to the batch if they are known; false if they are not.
    #[inline(always)]
    pub fn recall(&mut self, index: u32, pid: u32, source: &[u64], batch: &mut Batch) -> bool {
        let Memo { plans, table, records, chain, .. } = self;
        let plan = &mut plans[index as usize];
        if plan.parts.is_empty() {
            return plan.idle;
        }
        let mut at = table[plan.slot(index, source)] as usize;
        let (head, atomic_steps) = (records[at], records[at + 1]);
        if head as u32 != index {
            return false;
        }
        at += HEAD;
        for part in &plan.parts {
            if part.of(source) != records[at] {
                return false;
            }
            at += 1;
        }
        plan.hits = plan.hits.saturating_add(1);
        batch.atomic_steps += atomic_steps;
        for _ in 0..head >> 32 {
            let (made, steps) = (records[at], records[at + 1]);
            at += MOVE;
            let start = batch.words.len();
            batch.words.extend_from_slice(source);
            let state = &mut batch.words[start..];
            for _ in 0..made as u32 {
                state[records[at] as usize] ^= records[at + 1];
                at += 2;
            }
            let before = batch.chain.len() as u32;
            let mut after = before;
            if steps != 0 {
                let (from, len) = (steps as u32, (steps >> 32) as u32);
                batch.chain.extend_from_slice(&chain[from as usize..(from + len) as usize]);
                after += len;
            }
            let unfinished = made & UNFINISHED != 0;
            batch.unfinished |= unfinished;
            batch.entries.push(Entry {
                outcome: if unfinished { Outcome::Atomic(pid) } else { Outcome::State },
                start,
                len: source.len() as u32,
                step: Step { pid, transition: (made >> 32) as u32 & !(1 << 31), receiver: None },
                before: (before, after),
            });
        }
        true
    }

    /// Remembers the moves that were interpreted since `visit`.
    pub fn record(&mut self, index: u32, source: &[u64], visit: &Visit, batch: &Batch) {
        let plan = &mut self.plans[index as usize];
        if plan.parts.is_empty() {
            return;
        }
        if !fulfilled(&self.assumed[plan.assumed], bytes(source)) {
            self.stale = true;
            return;
        }
        plan.misses += 1;
        if plan.misses >= PROBATION && plan.misses > plan.hits / 4 {
            plan.parts.clear();
            return;
        }
        let entries = &batch.entries[visit.entries..];
        let ordinary = |e: &Entry| matches!(e.outcome, Outcome::State | Outcome::Atomic(_));
        if !entries.iter().all(|e| ordinary(e) && e.len as usize == source.len()) {
            return;
        }
        if self.records.len() + self.chain.len() > MOST_RECORDED {
            self.forget();
        }
        let plan = &self.plans[index as usize];
        self.table[plan.slot(index, source)] = self.records.len() as u32;
        self.records.push(index as u64 | (entries.len() as u64) << 32);
        self.records.push(batch.atomic_steps - visit.atomic_steps);
        self.records.extend(plan.parts.iter().map(|part| part.of(source)));
        for entry in entries {
            let unfinished = if matches!(entry.outcome, Outcome::Atomic(_)) { UNFINISHED } else { 0 };
            let state = batch.state(entry);
            let chain = batch.before(entry);
            let at = self.records.len();
            self.records.push(unfinished | (entry.step.transition as u64) << 32);
            let from = if chain.is_empty() { 0 } else { self.chain.len() as u64 };
            self.records.push(from | (chain.len() as u64) << 32);
            self.chain.extend_from_slice(chain);
            for part in plan.parts.iter().filter(|part| part.of(source) != part.of(state)) {
                self.records.extend([part.word as u64, part.of(source) ^ part.of(state)]);
                self.records[at] += 1;
            }
        }
    }

    fn forget(&mut self) {
        self.table.fill(0);
        self.chain.clear();
        self.records.truncate(HEAD + MOST_WORDS);
    }
}

impl Plan {
    /// The words that a footprint lies in, for a process whose frame is at `frame`.
    fn new(footprint: Option<Footprint>, frame: u32, assumed: usize, idle: bool) -> Plan {
        let mut parts: Vec<Part> = Vec::new();
        for stretch in footprint.iter().flat_map(|footprint| &footprint.stretches) {
            let start = stretch.offset + if stretch.base == Base::Frame { frame } else { 0 };
            for byte in start..start + stretch.len {
                let (word, mask) = (byte / 8, 0xff << (byte % 8 * 8));
                match parts.iter().position(|part| part.word == word) {
                    Some(part) => parts[part].mask |= mask,
                    None if parts.len() == MOST_WORDS => return Plan::unplanned(assumed, idle),
                    None => parts.push(Part { word, mask }),
                }
            }
        }
        Plan { parts, idle, assumed, hits: 0, misses: 0 }
    }

    /// Nothing is remembered: too many words are touched.
    fn unplanned(assumed: usize, idle: bool) -> Plan {
        Plan { parts: Vec::new(), idle, assumed, hits: 0, misses: 0 }
    }

    /// Where the table points to the record of this state's values.
    #[inline(always)]
    fn slot(&self, index: u32, state: &[u64]) -> usize {
        let mut hash = index as u64;
        for part in &self.parts {
            hash = (hash.rotate_left(29) ^ part.of(state)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash >> (64 - TABLE_BITS)) as usize
    }
}
