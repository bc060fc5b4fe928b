//! Breadth-first search with a wide frontier: the exhaustive search for safety, and for claims that wait for a bad prefix.
//!
//! States are expanded in the order in which they were inserted, block by block (see [`super::block`]). Parents are kept, so
//! that the first violation comes with a shortest trail (counted in macro steps: an atomic sequence is one).

use super::block::{Blocks, WIDTH};
use super::frontier::{Frontier, Levels};
use super::shortcut::Shortcut;
use crate::search::problem::Problem;
use crate::search::witness::{ROOT, parent_note, path_to};
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Full, Own};
use crate::system::System;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let (frontier, root) = match Frontier::<S, V>::start(problem, config, monitor, ROOT) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let (blocks, levels) = (Blocks::default(), Levels::new(root));
    let mut search = Bfs { frontier, shortcut: Shortcut::new(config), answer: None, blocks, levels };
    if let Err(reason) = search.explore() {
        search.frontier.tally.cut_short(reason);
    }
    if let Some(answer) = search.answer {
        return answer;
    }
    search.frontier.tally.count_matches();
    search.shortcut.or_better(search.frontier.end(search.levels.memory()))
}

struct Bfs<'b, S: System, V> {
    frontier: Frontier<'b, S, V>,
    shortcut: Shortcut,
    /// That of the shortcut, if it was there first.
    answer: Option<Tally>,
    blocks: Blocks,
    levels: Levels,
}

impl<S: System, V: Own> Bfs<'_, S, V> {
    /// Explores level after level.
    fn explore(&mut self) -> Result<(), Reason> {
        while !self.levels.is_empty() && !self.frontier.tally.stopped() {
            self.levels.check_depth(&mut self.frontier)?;
            self.expand_all()?;
            if self.frontier.tally.stopped() {
                return Ok(());
            }
            self.levels.advance();
            self.frontier.tally.counts.depth += 1;
        }
        Ok(())
    }

    fn expand_all(&mut self) -> Result<(), Reason> {
        loop {
            let Bfs { frontier: Frontier { problem, store, scratch, tally, .. }, blocks, levels, .. } = self;
            let block = levels.take(WIDTH).iter().copied();
            let goes_on = blocks.expand(*problem, scratch, block, store);
            blocks.judge(*problem, store, path_to, scratch, tally);
            blocks.insert_previous(store, parent_note, levels.next(), tally).map_err(|Full| Reason::StoreFull)?;
            if tally.stopped() || !goes_on {
                return Ok(());
            }
            self.poll()?;
        }
    }

    fn poll(&mut self) -> Result<(), Reason> {
        let Bfs { frontier, shortcut, answer, blocks, levels } = self;
        // each state of a block is work, too
        if frontier.poll(blocks.words() + WIDTH - 1, || levels.memory())? {
            *answer = shortcut.answer::<S, V>(frontier.store.len(), frontier.problem, frontier.meter.monitor);
        }
        if answer.is_some() { Err(Reason::Overtaken) } else { Ok(()) }
    }
}
