//! Breadth-first search with a wide frontier: the exhaustive search for safety, and for claims that wait for a bad prefix.
//!
//! States are expanded in the order in which they were inserted, block by block (see [`super::block`]): the arena is the queue.
//! Parents are kept, so that the first violation comes with a shortest trail (counted in macro steps: an atomic sequence is one).

use super::block::{Blocks, Visited, WIDTH};
use super::reach::Reach;
use super::shortcut::Shortcut;
use super::witness::{ROOT, along, path_to};
use super::{Config, DEPTH_LIMIT, Monitor, Reason, Tally, Violation, start};
use crate::store::{Full, StateId, States, Store};
use crate::system::System;
use std::iter;

/// Words of successors between two looks at the monitor.
const CHECK_EVERY: usize = 1 << 16;

pub fn search<R: Reach>(problem: &R, config: Config, monitor: &Monitor) -> Tally {
    let (mut store, scratch, mut tally) = match start(problem.system(), problem.checks(), config, ROOT) {
        Ok((store, _, scratch, tally)) => (store, scratch, tally),
        Err(tally) => return *tally,
    };
    let mut search = Bfs { problem, scratch, shortcut: Shortcut::new(config), blocks: Blocks::default() };
    tally.counts.stored = 1;
    if let Some(answer) = search.levels(&mut store, &mut tally, monitor) {
        return answer;
    }
    tally.count_matches();
    tally.counts.memory = store.memory();
    tally.note_ranges(problem.system(), &store);
    R::end(search.scratch, &mut tally);
    search.shortcut.or_better(tally)
}

struct Bfs<'b, R: Reach> {
    problem: &'b R,
    scratch: <R::System as System>::Scratch,
    shortcut: Shortcut,
    blocks: Blocks,
}

impl<R: Reach> Bfs<'_, R> {
    /// Explores level after level. Returns the answer of the shortcut, if that was there first.
    fn levels(&mut self, store: &mut Store, tally: &mut Tally, monitor: &Monitor) -> Option<Tally> {
        let Bfs { problem, scratch, shortcut, blocks } = self;
        let mut next = StateId(0);
        let mut unchecked = 0;
        while next < store.end() {
            let level_end = store.end();
            if let Some(limit) = monitor.limits.max_depth.filter(|&limit| tally.counts.depth >= limit) {
                tally.cut_short(Reason::Depth(limit));
                if tally.depth_is_error() {
                    let path = path_to(store, next);
                    let witness = || along(problem.system(), store, &path, iter::empty(), scratch);
                    tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
                }
                return None;
            }
            while next < level_end {
                let level = iter::from_fn(|| {
                    let this = (next < level_end).then_some(next)?;
                    next = store.after(this);
                    Some(this)
                });
                blocks.expand(*problem, scratch, level, store);
                blocks.judge(*problem, store, path_to, scratch, tally);
                if blocks.insert_previous(store, tally).is_err() {
                    tally.cut_short(Reason::StoreFull);
                    return None;
                }
                if tally.stopped() {
                    return None;
                }
                unchecked += blocks.words() + WIDTH;
                if unchecked >= CHECK_EVERY || monitor.limits.max_states.is_some_and(|limit| store.len() >= limit) {
                    unchecked = 0;
                    if let Some(reason) = monitor.check(store.len(), tally.counts.depth, store.memory()) {
                        tally.cut_short(reason);
                        return None;
                    }
                    if let Some(answer) = problem.ask(shortcut, store.len(), monitor) {
                        return Some(answer);
                    }
                }
            }
            // the last block of the level
            if blocks.insert_previous(store, tally).is_err() {
                tally.cut_short(Reason::StoreFull);
                return None;
            }
            tally.counts.depth += 1;
        }
        None
    }
}

impl Visited for Store {
    #[inline(always)]
    fn state(&self, id: StateId) -> &[u64] {
        States::state(self, id)
    }

    #[inline(always)]
    fn hash(&self, state: &[u64]) -> u64 {
        Store::hash(self, state)
    }

    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        Store::prefetch(self, hash);
    }

    #[inline(always)]
    fn prefetch_record(&self, hash: u64) {
        Store::prefetch_record(self, hash);
    }

    #[inline(always)]
    fn add(&mut self, state: &[u64], hash: u64, parent: StateId) -> Result<bool, Full> {
        self.insert(state, hash, parent.0).map(|inserted| inserted.new).ok_or(Full)
    }
}
