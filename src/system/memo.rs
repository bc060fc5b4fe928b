//! Moves that are remembered.
//!
//! What a process can do depends on a few words of the state: its own frame and the globals its statements touch. A
//! process comes to the same values of these again and again while the rest of the state changes, so what the
//! interpreter found out once is kept: the values before, and for each move the values after. Making such a move is
//! then a copy and a few masked words. A control state at which that does not pay is not tried any more.

use super::{Batch, Entry, Outcome, Step};
use crate::program::Program;
use crate::program::code::Base;
use crate::program::footprint::Stretch;
use rustc_hash::FxHashMap;

/// The processes of a state with more touched words than this are interpreted.
const MOST_WORDS: usize = 12;
const TABLE_BITS: u32 = 16;
/// Words of records after which everything is forgotten: what does not fit into the second-level cache does not help.
const MOST_RECORDED: usize = 1 << 18;
const MOST_PLANS: usize = 1 << 16;
/// After this many misses a plan must show that it is worth it.
const PROBATION: u32 = 1 << 12;

/// No plans for this process.
pub(super) const UNPLANNED: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Memo {
    plans: Vec<Plan>,
    /// By pid, place of the frame and proctype: the first of the plans, which are numbered by control state.
    first_plans: FxHashMap<(u32, u32, u32), u32>,
    /// Where records are, by hash; 0 for none.
    table: Vec<u32>,
    records: Vec<u64>,
    chain: Vec<Step>,
}

/// Which words, and which bytes of them, matter to a process at a place and a control state.
#[derive(Clone, Copy)]
struct Plan {
    /// 0: not worth it or not possible.
    len: usize,
    words: [u32; MOST_WORDS],
    masks: [u64; MOST_WORDS],
    hits: u32,
    misses: u32,
}

/// A record: head, values before, and for each move: transition, chain, values after.
///
/// The head is the plan (32 bits) and the number of moves (32 bits), then the atomic steps that all moves together take.
const HEAD: usize = 2;
/// Transition and whether it ends inside an atomic sequence; where its chain is and how long.
const MOVE: usize = 2;
const UNFINISHED: u64 = 1 << 32;

/// What was interpreted and may be remembered.
pub(super) struct Visit {
    pub entries: usize,
    pub atomic_steps: u64,
}

impl Memo {
    /// The first plan of a process.
    pub fn plans_of(&mut self, program: &Program, pid: u32, at: u32, kind: u32) -> u32 {
        if self.table.is_empty() {
            self.forget();
        }
        let plans = &mut self.plans;
        *self.first_plans.entry((pid, at, kind)).or_insert_with(|| {
            let footprints = &program.automaton(kind).footprints;
            if plans.len() + footprints.len() > MOST_PLANS {
                return UNPLANNED;
            }
            let first = plans.len() as u32;
            plans.extend(footprints.iter().map(|footprint| Plan::new(footprint.as_deref(), at)));
            first
        })
    }

    pub fn is_planned(&self, plan: u32) -> bool {
        self.plans[plan as usize].len > 0
    }

    /// Appends the moves of process `pid` to the batch if they are known; false if they are not.
    #[inline]
    pub fn recall(&mut self, plan: u32, pid: u32, source: &[u64], batch: &mut Batch) -> bool {
        let index = plan;
        let plan = &mut self.plans[plan as usize];
        let len = plan.len;
        let mut hash = index as u64;
        let mut key = [0; MOST_WORDS];
        for ((key, &word), &mask) in key.iter_mut().zip(&plan.words[..len]).zip(&plan.masks) {
            *key = source[word as usize] & mask;
            hash = (hash ^ *key).wrapping_mul(MULTIPLIER);
            hash ^= hash >> 32;
        }
        let place = self.table[slot(hash)] as usize;
        let record = &self.records[place..];
        if record[0] as u32 != index || record[HEAD..HEAD + len] != key[..len] {
            return false;
        }
        plan.hits = plan.hits.saturating_add(1);
        batch.atomic_steps += record[1];
        let moves = (record[0] >> 32) as usize;
        for made in record[HEAD + len..].chunks_exact(MOVE + len).take(moves) {
            let start = batch.words.len();
            batch.words.extend_from_slice(source);
            let state = &mut batch.words[start..];
            for ((&word, &mask), &value) in plan.words[..len].iter().zip(&plan.masks).zip(&made[MOVE..]) {
                let word = &mut state[word as usize];
                *word = *word & !mask | value;
            }
            let before = batch.chain.len() as u32;
            if made[1] != 0 {
                let (from, len) = (made[1] as u32 as usize, (made[1] >> 32) as usize);
                batch.chain.extend_from_slice(&self.chain[from..from + len]);
            }
            let unfinished = made[0] & UNFINISHED != 0;
            batch.unfinished |= unfinished;
            batch.entries.push(Entry {
                outcome: if unfinished { Outcome::Atomic(pid) } else { Outcome::State },
                start,
                len: source.len() as u32,
                step: Step { pid, transition: made[0] as u32, receiver: None },
                before: (before, batch.chain.len() as u32),
            });
        }
        true
    }

    /// Remembers the moves that were interpreted since `visit`.
    pub fn record(&mut self, plan: u32, source: &[u64], visit: &Visit, batch: &Batch) {
        let index = plan;
        let plan = &mut self.plans[plan as usize];
        plan.misses += 1;
        if plan.misses >= PROBATION && plan.misses > plan.hits / 4 {
            plan.len = 0;
            return;
        }
        let entries = &batch.entries[visit.entries..];
        let ordinary = |e: &Entry| matches!(e.outcome, Outcome::State | Outcome::Atomic(_));
        if !entries.iter().all(|e| ordinary(e) && e.len as usize == source.len()) {
            return;
        }
        if self.records.len() > MOST_RECORDED {
            self.forget();
        }
        let plan = &self.plans[index as usize];
        let masked = |state: &[u64]| -> [u64; MOST_WORDS] {
            std::array::from_fn(|i| if i < plan.len { state[plan.words[i] as usize] & plan.masks[i] } else { 0 })
        };
        let key = &masked(source)[..plan.len];
        let hash = key.iter().fold(index as u64, |hash, key| {
            let hash = (hash ^ key).wrapping_mul(MULTIPLIER);
            hash ^ hash >> 32
        });
        self.table[slot(hash)] = self.records.len() as u32;
        self.records.push(index as u64 | (entries.len() as u64) << 32);
        self.records.push(batch.atomic_steps - visit.atomic_steps);
        self.records.extend_from_slice(key);
        for entry in entries {
            let unfinished = if matches!(entry.outcome, Outcome::Atomic(_)) { UNFINISHED } else { 0 };
            let chain = batch.before(entry);
            self.records.push(entry.step.transition as u64 | unfinished);
            self.records.push(self.chain.len() as u64 | (chain.len() as u64) << 32);
            self.chain.extend_from_slice(chain);
            self.records.extend_from_slice(&masked(batch.state(entry))[..plan.len]);
        }
    }

    fn forget(&mut self) {
        self.table.clear();
        self.table.resize(1 << TABLE_BITS, 0);
        self.chain.clear();
        self.records.clear();
        // what an empty entry of the table points to: a record of no plan
        self.records.resize(HEAD + MOST_WORDS, u64::MAX);
    }
}

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn slot(hash: u64) -> usize {
    (hash.wrapping_mul(MULTIPLIER) >> (64 - TABLE_BITS)) as usize
}

impl Plan {
    const NONE: Plan = Plan { len: 0, words: [0; MOST_WORDS], masks: [0; MOST_WORDS], hits: 0, misses: 0 };

    /// The words that these stretches lie in, for a process whose frame is at `frame`.
    fn new(stretches: Option<&[Stretch]>, frame: u32) -> Plan {
        let mut plan = Plan::NONE;
        for stretch in stretches.into_iter().flatten() {
            let start = stretch.offset + if stretch.base == Base::Frame { frame } else { 0 };
            for byte in start..start + stretch.len {
                let Some(mask) = plan.mask_of(byte / 8) else { return Plan::NONE };
                *mask |= 0xff << (byte % 8 * 8);
            }
        }
        plan
    }

    fn mask_of(&mut self, word: u32) -> Option<&mut u64> {
        let known = self.words[..self.len].iter().position(|&w| w == word);
        let at = known.unwrap_or(self.len);
        if at == MOST_WORDS {
            return None;
        }
        self.words[at] = word;
        self.len = self.len.max(at + 1);
        Some(&mut self.masks[at])
    }
}
