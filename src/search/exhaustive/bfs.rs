//! Breadth-first search with a wide frontier: the exhaustive search for safety, and for claims that wait for a bad prefix.
//!
//! States are expanded in the order in which they were inserted, block by block (see [`super::block`]). Parents are kept, so
//! that the first violation comes with a shortest trail (counted in macro steps: an atomic sequence is one).

use super::block::{Blocks, WIDTH};
use super::shortcut::Shortcut;
use crate::search::meter::Meter;
use crate::search::problem::Problem;
use crate::search::witness::{ROOT, along, parent_note, path_to};
use crate::search::{Config, DEPTH_LIMIT, Monitor, Reason, Tally, Violation, start};
use crate::store::{Full, Own, StateId};
use crate::system::System;
use std::iter;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let (store, root, scratch, tally) = match start::<S, V>(&problem.system, problem.checks, config, ROOT) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let mut search = Bfs {
        problem,
        store,
        scratch,
        shortcut: Shortcut::new(config),
        answer: None,
        blocks: Blocks::default(),
        level: vec![root],
        next: Vec::new(),
        meter: Meter::new(monitor),
        tally,
    };
    search.tally.counts.stored = 1;
    if let Err(reason) = search.levels() {
        search.tally.cut_short(reason);
    }
    if let Some(answer) = search.answer {
        return answer;
    }
    let memory = search.memory();
    let Bfs { store, scratch, shortcut, mut tally, .. } = search;
    tally.count_matches();
    tally.counts.memory = memory;
    tally.note_ranges(&problem.system, &store);
    tally.learn::<S>(scratch);
    shortcut.or_better(tally)
}

struct Bfs<'b, S: System, V> {
    problem: &'b Problem<'b, S>,
    store: V,
    scratch: S::Scratch,
    shortcut: Shortcut,
    /// That of the shortcut, if it was there first.
    answer: Option<Tally>,
    blocks: Blocks,
    /// The states of the level that is being expanded, and those of the next one.
    level: Vec<StateId>,
    next: Vec<StateId>,
    meter: Meter<'b>,
    tally: Tally,
}

impl<S: System, V: Own> Bfs<'_, S, V> {
    /// Explores level after level.
    fn levels(&mut self) -> Result<(), Reason> {
        while !self.level.is_empty() && !self.tally.stopped() {
            if let Some(limit) = self.meter.too_deep(self.tally.counts.depth) {
                self.too_deep();
                return Err(Reason::Depth(limit));
            }
            self.expand_all()?;
            if self.tally.stopped() {
                return Ok(());
            }
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.tally.counts.depth += 1;
        }
        Ok(())
    }

    fn expand_all(&mut self) -> Result<(), Reason> {
        let mut expanded = 0;
        loop {
            let Bfs { problem, store, scratch, blocks, level, next, tally, .. } = self;
            let block = &level[expanded..level.len().min(expanded + WIDTH)];
            expanded += block.len();
            let goes_on = blocks.expand(*problem, scratch, block.iter().copied(), store);
            blocks.judge(*problem, store, path_to, scratch, tally);
            blocks.insert_previous(store, parent_note, next, tally).map_err(|Full| Reason::StoreFull)?;
            if tally.stopped() || !goes_on {
                return Ok(());
            }
            self.poll()?;
        }
    }

    fn poll(&mut self) -> Result<(), Reason> {
        let Bfs { problem, store, shortcut, answer, blocks, level, next, meter, tally, .. } = self;
        let memory = || store.memory() + bytes_of(level, next);
        // each state of a block is work, too
        if meter.poll(blocks.words() + WIDTH - 1, store.len(), tally.counts.depth, memory)? {
            *answer = shortcut.answer::<S, V>(store.len(), problem, meter.monitor);
        }
        if answer.is_some() { Err(Reason::Overtaken) } else { Ok(()) }
    }

    /// The states of the level are beyond the depth limit.
    fn too_deep(&mut self) {
        let Bfs { problem, store, scratch, level, tally, .. } = self;
        if let Some(&first) = level.first().filter(|_| tally.depth_is_error()) {
            let witness = || along(&problem.system, store, &path_to(store, first), iter::empty(), scratch);
            tally.violation(Violation::DepthLimit, DEPTH_LIMIT.into(), witness);
        }
    }

    fn memory(&self) -> u64 {
        self.store.memory() + bytes_of(&self.level, &self.next)
    }
}

fn bytes_of(level: &Vec<StateId>, next: &Vec<StateId>) -> u64 {
    ((level.capacity() + next.capacity()) * size_of::<StateId>()) as u64
}
