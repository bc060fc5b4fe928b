//! Breadth-first search with a wide frontier: the exhaustive search for safety, and for claims that wait for a bad prefix.
//!
//! States are expanded in the order in which they were inserted, block by block (see [`super::block`]). Parents are kept, so
//! that the first violation comes with a shortest trail (counted in macro steps: an atomic sequence is one).

use super::audit::audit;
use super::block::{Blocks, WIDTH};
use super::frontier::{Frontier, Levels};
use super::omission::{Notes, Omission, Part};
use super::shortcut::Shortcut;
use crate::search::problem::Problem;
use crate::search::witness::{ROOT, parent_note, path_to};
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::statuses::{Bits, Status, Statuses};
use crate::store::{Full, Own, StateId};
use crate::system::System;

pub fn search<S: System, V: Own>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let (frontier, root) = match Frontier::<S, V>::start(problem, config, monitor, ROOT) {
        Ok(started) => started,
        Err(tally) => return *tally,
    };
    let (blocks, levels) = (Blocks::default(), Levels::new(root));
    let proviso = config.proviso(problem);
    let omission = problem.reduction.as_ref().zip(proviso);
    let omission =
        omission.map(|(reduction, proviso)| Omission::new(reduction, proviso, Statuses::Own(Bits::default())));
    let mut search = Bfs { frontier, omission, shortcut: Shortcut::new(config), answer: None, blocks, levels };
    search.frontier.tally.reduced = search.omission.is_some();
    if let Err(reason) = search.explore() {
        search.frontier.tally.cut_short(reason);
    }
    if let Some(answer) = search.answer {
        return answer;
    }
    if cfg!(debug_assertions)
        && let Some((omission, proviso)) = search.omission.as_ref().zip(proviso)
    {
        let Frontier { store, tally, .. } = &search.frontier;
        let status = |state| omission.doubts.as_ref().map_or(Status::Unknown, |doubts| doubts.status(state));
        audit(problem, proviso, store, tally, status);
    }
    search.frontier.tally.count_matches();
    let queue = search.queue();
    search.shortcut.or_better(search.frontier.end(queue))
}

/// Above its parent a note tells whether a state has had its turn. (The initial state is always the first.)
const HAD_ITS_TURN: u64 = 1 << 32;

struct ByNote;

impl<V: Own> Notes<V> for ByNote {
    fn of(&self, parent: StateId) -> u64 {
        parent_note(parent)
    }

    fn has_come(&self, visited: &mut V, state: StateId) {
        visited.set_note(state, visited.note(state) | HAD_ITS_TURN);
    }

    fn is_to_come(&self, visited: &V, state: StateId) -> bool {
        visited.note(state) & HAD_ITS_TURN == 0
    }
}

struct Bfs<'b, S: System, V> {
    frontier: Frontier<'b, S, V>,
    /// What is left out, if the search is reduced.
    omission: Option<Omission<'b>>,
    shortcut: Shortcut,
    /// That of the shortcut, if it was there first.
    answer: Option<Tally>,
    blocks: Blocks,
    levels: Levels,
}

impl<S: System, V: Own> Bfs<'_, S, V> {
    /// Explores level after level, until there are no states to explore and none in doubt.
    fn explore(&mut self) -> Result<(), Reason> {
        while !self.levels.is_empty() && !self.frontier.tally.stopped() {
            self.levels.check_depth(&mut self.frontier)?;
            self.expand_all(Part::Kept)?;
            if self.frontier.tally.stopped() {
                return Ok(());
            }
            self.levels.advance();
            self.frontier.tally.counts.depth += 1;
            if self.levels.is_empty() {
                self.settle()?;
            }
        }
        Ok(())
    }

    /// Decides about the states in doubt. What was left out of those that are expanded is the next level.
    fn settle(&mut self) -> Result<(), Reason> {
        let Bfs { frontier: Frontier { problem, store, scratch, meter, tally, .. }, omission, .. } = self;
        let Some(omission) = omission else { return Ok(()) };
        let poll = |words| meter.poll(words, store.len(), tally.counts.depth, || store.memory()).map(drop);
        self.levels.set(omission.settle(problem, scratch, store, poll)?);
        self.expand_all(Part::LeftOut)?;
        self.levels.advance();
        Ok(())
    }

    /// Expands the states of the level; this part of their successors is the next one.
    fn expand_all(&mut self, part: Part) -> Result<(), Reason> {
        loop {
            let Bfs { frontier: Frontier { problem, store, scratch, tally, .. }, blocks, levels, omission, .. } = self;
            let block = levels.take(WIDTH).iter().copied();
            let goes_on =
                blocks.expand(*problem, scratch, block, store, omission.as_mut().map(|omission| (omission, part)));
            if part != Part::LeftOut {
                blocks.judge(*problem, store, path_to, scratch, tally);
            }
            let inserted =
                blocks.insert_previous(&problem.system, store, &ByNote, omission.as_mut(), levels.next(), tally);
            inserted.map_err(|Full| Reason::StoreFull)?;
            if tally.stopped() || !goes_on {
                return Ok(());
            }
            self.poll()?;
        }
    }

    fn poll(&mut self) -> Result<(), Reason> {
        let queue = self.queue();
        let Bfs { frontier, shortcut, answer, blocks, .. } = self;
        // each state of a block is work, too
        if frontier.poll(blocks.words() + WIDTH - 1, || queue)? {
            let Frontier { store, problem, meter, .. } = &*frontier;
            *answer = shortcut.answer(store.len(), problem, meter.monitor, search::<S, V>);
        }
        if answer.is_some() { Err(Reason::Overtaken) } else { Ok(()) }
    }

    /// Bytes in use for the states that are to be looked at.
    fn queue(&self) -> u64 {
        self.levels.memory() + self.omission.as_ref().map_or(0, Omission::memory)
    }
}
