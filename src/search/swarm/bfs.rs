//! Parallel breadth-first search (`pbfs`).
//!
//! ```text
//! for each level: workers take its states, portion by portion, and expand them block by block (see [`Blocks`])
//!                 a worker that inserts a new state appends it to its own part of the next level
//!                 barrier: when all workers are done, the leader concatenates the parts
//! ```
//!
//! No state is expanded before the previous level is complete, so that the trail of the first violation is a shortest one, as with one
//! worker; which of the shortest ones depends on timing. Worker 0 is the leader, the others are followers. The leader explores small
//! levels alone: waking the followers would take longer. In a reduced search the leader also decides about the states in doubt, when
//! there is no next level (see [`crate::search::exhaustive::doubt`]).

use super::Records;
use super::crew::{Crew, Watch};
use super::dfs::{CLOSED, note_of, path_to, status, statuses};
use crate::search::exhaustive::bfs;
use crate::search::exhaustive::block::Blocks;
use crate::search::exhaustive::doubt::Doubts;
use crate::search::exhaustive::omission::{Notes, Omission, Part};
use crate::search::exhaustive::shortcut::Shortcut;
use crate::search::problem::Problem;
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::statuses::Statuses;
use crate::store::{Full, StateId, Store, Writer};
use crate::system::System;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{iter, thread};

/// States of a level per worker from which on it pays to wake the followers.
const WIDE: usize = 64;
/// States that a worker takes at once.
const PORTION: usize = 32;

pub fn search<S: System>(problem: &Problem<S>, config: Config, monitor: &Monitor) -> Tally {
    let meeting = Meeting::default();
    let records = Records { header: 1, explored: CLOSED, status };
    let shortcut = Mutex::new((Shortcut::new(config), None));
    let tally = super::run_workers(problem, records, config, monitor, |crew, thread, root| {
        let mut worker = Worker::new(problem, crew, config, thread);
        if thread == 0 {
            let mut shortcut = shortcut.lock().unwrap_or_else(PoisonError::into_inner);
            let (shortcut, answer) = &mut *shortcut;
            worker.lead(root, &meeting, &mut |states, writer| {
                if shortcut.is_due(states) {
                    // away from the gate: the table may grow meanwhile
                    *answer = writer.away(|| shortcut.answer(states, problem, monitor, bfs::search::<S, Store>));
                }
                answer.is_some()
            });
        } else {
            worker.follow(&meeting);
        }
        worker.end()
    });
    let (shortcut, answer) = shortcut.into_inner().unwrap_or_else(PoisonError::into_inner);
    answer.unwrap_or_else(|| shortcut.or_better(tally))
}

/// Called with the number of states stored so far: whether there is a better answer (see [`Shortcut`]).
type Answered<'a> = dyn FnMut(u64, &mut Writer) -> bool + 'a;

/// States to expand, all at the same distance from the initial state.
#[derive(Default)]
struct Level {
    states: Vec<StateId>,
    depth: u64,
    /// Index of the first state that no worker has taken; may be beyond the end.
    taken: AtomicUsize,
}

impl Level {
    fn new(states: Vec<StateId>, depth: u64) -> Level {
        Level { states, depth, taken: AtomicUsize::new(0) }
    }

    /// The states that one worker takes, until none are left.
    fn share(&self) -> impl Iterator<Item = StateId> + '_ {
        let portions = iter::from_fn(|| {
            let start = self.taken.fetch_add(PORTION, Relaxed);
            self.states.get(start..(start + PORTION).min(self.states.len())).filter(|portion| !portion.is_empty())
        });
        portions.flatten().copied()
    }
}

/// The mark of a state that has had its turn in a reduced search.
const HAD_ITS_TURN: u64 = 64;

/// Of the states of a cycle, the one that has its turn last finds that the next one has had its own: all marks are in one order.
struct ByNote;

impl Notes<Writer<'_>> for ByNote {
    fn of(&self, parent: StateId) -> u64 {
        note_of(parent)
    }

    fn has_come(&self, writer: &mut Writer, state: StateId) {
        writer.store().note(state).fetch_or(HAD_ITS_TURN, SeqCst);
    }

    fn is_to_come(&self, writer: &Writer, state: StateId) -> bool {
        writer.store().note(state).load(SeqCst) & HAD_ITS_TURN == 0
    }
}

struct Worker<'w, S: System> {
    problem: &'w Problem<'w, S>,
    crew: &'w Crew<'w>,
    scratch: S::Scratch,
    blocks: Blocks,
    /// What is left out, if the search is reduced.
    omission: Option<Omission<'w>>,
    writer: Writer<'w>,
    /// This worker's part of the next level.
    next: Vec<StateId>,
    watch: Watch<'w>,
    tally: Tally,
}

impl<'w, S: System> Worker<'w, S> {
    fn new(problem: &'w Problem<'w, S>, crew: &'w Crew<'w>, config: Config, thread: usize) -> Worker<'w, S> {
        let omission = problem
            .reduction
            .as_ref()
            .zip(config.proviso(problem))
            .map(|(reduction, proviso)| Omission::new(reduction, proviso, Statuses::Shared(statuses(crew.store))));
        let mut tally = Tally::new(config, problem.checks);
        tally.reduced = omission.is_some();
        Worker {
            problem,
            crew,
            scratch: problem.system.scratch(),
            blocks: Blocks::default(),
            omission,
            writer: crew.store.writer(),
            next: Vec::new(),
            watch: Watch::new(crew, thread),
            tally,
        }
    }

    /// Explores all levels, the wide ones with the followers, until there is a better answer.
    fn lead(&mut self, root: StateId, meeting: &Meeting, answered: &mut Answered) {
        let _end = End { meeting };
        self.writer.store().note(root).store(note_of(root), Relaxed);
        self.tally.counts.stored = 1;
        self.crew.note_entered(1);
        let mut level = Level::new(vec![root], 0);
        while !level.states.is_empty() && !self.crew.is_stopped() {
            self.tally.counts.depth = level.depth;
            let depth = level.depth + 1;
            let mut gains = Gains::default();
            if level.states.len() < WIDE * self.crew.threads() {
                self.explore(&level, Part::Kept, answered);
            } else {
                let level = Arc::new(level);
                meeting.begin(level.clone());
                self.explore(&level, Part::Kept, answered);
                gains = self.writer.away(|| meeting.gains());
            }
            gains.add(self.gains());
            let mut next = gains.states;
            if let Some(doubts) = self.omission.as_mut().and_then(|omission| omission.doubts.as_mut()) {
                doubts.append(&mut gains.doubts);
            }
            if next.is_empty() && !self.crew.is_stopped() {
                next = self.settle(depth, answered);
            }
            level = Level::new(next, depth);
        }
        if !self.crew.is_stopped() {
            self.tally.counts.depth = level.depth;
        }
    }

    /// Decides about the states in doubt. What was left out of those that are expanded is the next level, which has this depth.
    fn settle(&mut self, depth: u64, answered: &mut Answered) -> Vec<StateId> {
        let Worker { problem, crew, scratch, omission: Some(omission), writer, watch, tally, .. } = self else {
            return Vec::new();
        };
        let poll = |words| watch.entered(crew, 0, words, tally, || 0);
        match omission.settle(problem, scratch, writer, poll) {
            Ok(states) => self.explore(&Level::new(states, depth), Part::LeftOut, answered),
            Err(reason) => self.give_up(reason),
        }
        std::mem::take(&mut self.next)
    }

    /// Helps the leader to explore wide levels, as long as there are any.
    fn follow(&mut self, meeting: &Meeting) {
        let mut number = 0;
        while let Some(level) = self.writer.away(|| meeting.next(&mut number)) {
            let mut turn = Turn { meeting, crew: self.crew, gains: Gains::default() };
            self.tally.counts.depth = level.depth;
            self.explore(&level, Part::Kept, &mut |_, _| false);
            turn.gains = self.gains();
        }
    }

    /// Hands over what this worker has for the next levels.
    fn gains(&mut self) -> Gains {
        let doubts = self.omission.as_mut().and_then(|omission| omission.doubts.as_mut());
        Gains { states: std::mem::take(&mut self.next), doubts: doubts.map(Doubts::take).unwrap_or_default() }
    }

    fn end(mut self) -> Tally {
        self.tally.learn::<S>(self.scratch);
        self.tally
    }

    /// Expands states of a level until none are left, or the search is stopped; this part of their successors is the next level.
    fn explore(&mut self, level: &Level, part: Part, answered: &mut Answered) {
        if let Err(reason) = self.expand_all(level, part, answered) {
            self.give_up(reason);
        }
    }

    fn give_up(&mut self, reason: Reason) {
        self.tally.cut_short(reason);
        self.crew.stop();
    }

    fn expand_all(&mut self, level: &Level, part: Part, answered: &mut Answered) -> Result<(), Reason> {
        let store = self.crew.store;
        let mut states = level.share().inspect(|&state| {
            // only this worker has taken the state, and no other one changes its note
            let note = store.note(state);
            note.store(note.load(Relaxed) | CLOSED, Relaxed);
        });
        loop {
            let Worker { problem, crew, scratch, blocks, omission, writer, next, tally, .. } = self;
            let reduced = omission.as_mut().map(|omission| (omission, part));
            let goes_on = blocks.expand(*problem, scratch, states.by_ref(), writer, reduced);
            if part != Part::LeftOut {
                blocks.judge(*problem, store, path_to, scratch, tally);
            }
            let before = tally.counts.stored;
            let inserted = blocks.insert_previous(&problem.system, writer, &ByNote, omission.as_mut(), next, tally);
            inserted.map_err(|Full| Reason::StoreFull)?;
            let new = tally.counts.stored - before;
            if tally.stopped() || answered(crew.entered(), writer) {
                crew.stop();
            }
            self.poll_limits(level, new)?;
            if !goes_on || self.crew.is_stopped() {
                return Ok(());
            }
        }
    }

    /// Lets another worker grow the table if it waits for that, and checks the limits.
    fn poll_limits(&mut self, level: &Level, new: u64) -> Result<(), Reason> {
        let Worker { crew, blocks, omission, writer, next, watch, tally, .. } = self;
        writer.pass();
        let states = || next.capacity() + level.states.capacity() / crew.threads();
        let doubts = || omission.as_ref().map_or(0, Omission::memory);
        watch.entered(crew, new, blocks.words(), tally, || (states() * size_of::<StateId>()) as u64 + doubts())
    }
}

/// What workers have for the next levels.
#[derive(Default)]
struct Gains {
    /// Parts of the next level.
    states: Vec<StateId>,
    /// States in doubt.
    doubts: Vec<StateId>,
}

impl Gains {
    fn add(&mut self, mut other: Gains) {
        self.states.append(&mut other.states);
        self.doubts.append(&mut other.doubts);
    }
}

/// The barrier between levels.
#[derive(Default)]
struct Meeting {
    board: Mutex<Board>,
    changed: Condvar,
}

#[derive(Default)]
struct Board {
    /// The followers that have arrived, and those of them that are at work.
    present: usize,
    busy: usize,
    /// The level at work, and its number.
    level: Arc<Level>,
    number: u64,
    /// What the followers have handed in.
    gains: Gains,
    over: bool,
}

impl Meeting {
    fn board(&self) -> MutexGuard<'_, Board> {
        // a poisoned board is still consistent, and all workers are about to stop
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'b>(&'b self, board: MutexGuard<'b, Board>) -> MutexGuard<'b, Board> {
        self.changed.wait(board).unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends all followers that have arrived to work.
    fn begin(&self, level: Arc<Level>) {
        let mut board = self.board();
        board.number += 1;
        board.level = level;
        board.busy = board.present;
        self.changed.notify_all();
    }

    /// Waits until all followers are done; what they have handed in.
    fn gains(&self) -> Gains {
        let mut board = self.board();
        while board.busy > 0 {
            board = self.wait(board);
        }
        board.level = Arc::default();
        std::mem::take(&mut board.gains)
    }

    /// For a follower: waits for a level after the one with this number; `None` if that was the last one.
    fn next(&self, number: &mut u64) -> Option<Arc<Level>> {
        let mut board = self.board();
        if *number == 0 {
            // a new follower, which begins with the next level
            board.present += 1;
            *number = board.number;
        }
        while board.number == *number && !board.over {
            board = self.wait(board);
        }
        *number = board.number;
        (!board.over).then(|| board.level.clone())
    }
}

/// Held by the leader; dropping it, even in a panic, ends the work of the followers.
struct End<'m> {
    meeting: &'m Meeting,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.meeting.board().over = true;
        self.meeting.changed.notify_all();
    }
}

/// A follower's work on one level. Dropping it hands in what was gained, even in a panic.
struct Turn<'m> {
    meeting: &'m Meeting,
    crew: &'m Crew<'m>,
    gains: Gains,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // before `busy` is decremented: the leader must not send this follower to work again
            self.crew.stop();
        }
        let mut board = self.meeting.board();
        board.busy -= 1;
        board.gains.add(std::mem::take(&mut self.gains));
        self.meeting.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::store::Shared;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Otherwise the leader would send the follower to work again, and wait for it forever.
    #[test]
    fn a_leader_that_has_the_gains_knows_of_the_panic() {
        let store = Shared::new(1, &Default::default()).expect("memory");
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let crew = Crew::new(&store, 2, 2, &monitor);
        let meeting = Meeting::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                let work = || {
                    let level = meeting.next(&mut 0);
                    let gains = Gains { states: vec![StateId::unpack(7)], ..Gains::default() };
                    let _turn = Turn { meeting: &meeting, crew: &crew, gains };
                    assert!(level.is_none(), "as expected by a test");
                };
                catch_unwind(AssertUnwindSafe(work)).expect_err("there is a level");
            });
            while meeting.board().present == 0 {
                thread::yield_now();
            }
            meeting.begin(Arc::default());
            assert_eq!(meeting.gains().states, [StateId::unpack(7)]);
            assert!(crew.is_stopped());
        });
    }
}
