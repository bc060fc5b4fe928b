//! Several searches side by side (`auto`): an exhaustive search; walks, which may find a violation sooner; and, if the exhaustive search
//! is breadth-first, a depth-first search for violations that are far from the initial state.
//!
//! Each has a thread of its own and works in rounds:
//!
//! ```text
//! in round n the exhaustive search may store FIRST · 2^n states; walks may expand 1/4 of that, and the depth-first search may enter
//!     1/8 (neither does anything in round 0)
//! barrier: a search that has used up its allowance waits for the others
//! if the exhaustive search has an answer by the end of the round, that is the answer
//! if not, and a walk has found a violation, that is the answer; if not, that of the depth-first search
//! if a limit of time or memory ends the exhaustive search, the others go on until they have done as many states as it has stored; if it
//!     has reached its limit of states, only until the end of the round
//! ```
//!
//! A walk, or the depth-first search, that comes to states with many successors has done as many states as that is work of
//! (`monitor::SUCCESSORS`).
//!
//! So the result depends on how much each search has done, and not on how fast it was: it is the same every time, unless a limit of
//! time or memory is met. A model that is small enough is searched exhaustively, and nothing else happens.
//!
//! The result of a parallel exhaustive search is not the same every time anyway. Then there are no rounds, and it does not wait for the
//! others: each of these works for its share of the time, and the first answer counts. Such a search shares its visited set, and every
//! second walk keeps off the states that it has explored.

#[cfg(test)]
mod tests;

use super::monitor::Monitor;
use super::{Limits, Reason, Report, Verdict};
use crate::machine::Instant;
use crate::store::Explored;
use crate::system::deep_stack;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// States of the exhaustive search in the first round.
const FIRST: u64 = 20_000;
/// A walk counts as at least this many states, so that walks that end at once do not go on forever.
const LEAST: u64 = 1_000;
/// The depth-first search has a visited set of its own, limited to 1/`MEMORY_SHARE` of the memory.
const MEMORY_SHARE: u64 = 8;

/// How the other searches keep pace with the exhaustive one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// In rounds: a search that is ahead waits for the others.
    Rounds,
    /// The exhaustive search never waits; each of the others works for its share of the time.
    Free,
}

/// The searches beside the exhaustive one: walks, numbered from 0, and perhaps a depth-first search.
pub struct Companions<W, D> {
    pub walk: W,
    pub depth_first: Option<D>,
}

/// Runs `exhaustive`, and meanwhile its companions, until there is an answer.
pub fn side_by_side<E: Send>(
    exhaustive: impl FnOnce(&Monitor) -> Result<Report, E>,
    companions: Companions<
        impl Fn(u64, &Monitor) -> Result<Report, E> + Send,
        impl FnOnce(&Monitor) -> Result<Report, E> + Send,
    >,
    pacing: Pacing,
    monitor: &Monitor,
) -> Result<Report, E> {
    let rounds = Arc::new(Rounds::new(pacing));
    let own = monitor.paced(Pace::new(&rounds, Player::Exhaustive), monitor.limits);
    let Companions { walk, depth_first } = companions;
    let (rounds, spawn) = (&rounds, || thread::Builder::new().stack_size(deep_stack()));
    thread::scope(|scope| {
        let walks = spawn().spawn_scoped(scope, || walks(walk, rounds, monitor));
        if walks.is_err() {
            // no thread, no walks
            rounds.leave(Player::Walks, false);
        }
        let depth_first = depth_first.map(|search| spawn().spawn_scoped(scope, || dive(search, rounds, monitor)));
        if !matches!(depth_first, Some(Ok(_))) {
            rounds.leave(Player::DepthFirst, false);
        }
        let report = {
            let mut seat = Seat { rounds, player: Player::Exhaustive, certain: false };
            let report = exhaustive(&own);
            seat.certain = report.as_ref().map_or(true, is_certain);
            rounds.board().is_part = report.as_ref().is_ok_and(is_part);
            report
        };
        let threads = [walks.ok(), depth_first.and_then(Result::ok)];
        // joins both; if both have an answer, that of the walks counts
        let found = threads.map(|thread| {
            thread.and_then(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        match report {
            Ok(report) if !is_certain(&report) => found.into_iter().flatten().next().unwrap_or_else(|| {
                let board = rounds.board();
                let dived = board.of(Player::DepthFirst).done;
                Ok(Report { walked: Some(board.walked), dived: Some(dived), ..report })
            }),
            report => report,
        }
    })
}

fn is_certain(report: &Report) -> bool {
    !matches!(report.verdict, Verdict::Inconclusive(_))
}

/// The search has ended at its limit of states: another search takes over.
fn is_part(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Inconclusive(Reason::States(_)))
}

/// Walks until one finds a violation, or the search is over. If a walk cannot start, there are no more walks.
fn walks<E>(
    walk: impl Fn(u64, &Monitor) -> Result<Report, E>,
    rounds: &Arc<Rounds>,
    monitor: &Monitor,
) -> Option<Result<Report, E>> {
    let mut seat = Seat { rounds, player: Player::Walks, certain: false };
    let (mut done, mut walked) = (0, 0);
    for number in 0.. {
        let pace = Pace { before: done, ..Pace::new(rounds, Player::Walks) };
        if !pace.may_go_on(0) {
            return None;
        }
        let left = monitor.limits.evaluations.map(|limit| limit.saturating_sub(walked));
        if left == Some(0) {
            return None;
        }
        let monitor = monitor.paced(pace, Limits { evaluations: left, ..monitor.limits });
        let report = walk(number, &monitor).ok()?;
        let evaluations = report.evaluations.unwrap_or(0);
        walked += evaluations;
        rounds.board().walked = walked;
        match &report.verdict {
            Verdict::Inconclusive(Reason::NotExhaustive(_)) => {
                done = rounds.board().of(Player::Walks).done.max(done + evaluations.max(LEAST));
            }
            Verdict::Inconclusive(_) => return None,
            _ => {
                seat.certain = true;
                return Some(Ok(report));
            }
        }
    }
    None
}

/// Searches depth first, from round 1 on.
fn dive<E>(
    search: impl FnOnce(&Monitor) -> Result<Report, E>,
    rounds: &Arc<Rounds>,
    monitor: &Monitor,
) -> Option<Result<Report, E>> {
    let mut seat = Seat { rounds, player: Player::DepthFirst, certain: false };
    let pace = Pace::new(rounds, Player::DepthFirst);
    if !pace.may_go_on(0) {
        return None;
    }
    let report = search(&monitor.paced(pace, monitor.limits.share(MEMORY_SHARE))).ok()?;
    seat.certain = is_certain(&report);
    seat.certain.then_some(Ok(report))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    Exhaustive,
    Walks,
    DepthFirst,
}

impl Player {
    /// `n` if it gets 1/n of the states or of the time: it costs time and memory bandwidth even if it finds nothing.
    fn share(self) -> u64 {
        match self {
            Player::Exhaustive => 1,
            Player::Walks => 4,
            Player::DepthFirst => 8,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Work,
    /// It has used up its allowance for this round.
    Wait,
    /// It has ended, with an answer (`certain`) or without.
    Gone { certain: bool },
}

/// The state of one player.
#[derive(Debug, Default)]
struct Place {
    at: At,
    /// States stored (exhaustive), expanded (walks; as many as that was work of) or entered (depth-first).
    done: u64,
    /// Bytes.
    memory: u64,
    /// Without rounds: how long it has worked, and since when it has been at work again.
    worked_for: Duration,
    works_since: Option<Instant>,
}

#[derive(Debug, Default)]
struct Board {
    round: u32,
    /// States expanded by walks that have ended.
    walked: u64,
    places: [Place; 3],
    /// The exhaustive search has reached its limit of states: the others only complete the round.
    is_part: bool,
    /// The exhaustive search has ended without an answer, and the others go on until they have done as many states.
    is_last_lap: bool,
    /// All searches must stop.
    over: bool,
}

impl Board {
    fn of(&self, player: Player) -> &Place {
        &self.places[player as usize]
    }

    fn place(&mut self, player: Player) -> &mut Place {
        &mut self.places[player as usize]
    }

    /// How many states a player may have done by the end of this round.
    fn allowance(&self, player: Player) -> u64 {
        match player {
            Player::Exhaustive => self.states(),
            _ if self.round == 0 => 0,
            _ if self.is_last_lap => self.of(Player::Exhaustive).done,
            _ => self.states() / player.share(),
        }
    }

    /// The states of the exhaustive search at the end of this round.
    fn states(&self) -> u64 {
        FIRST.saturating_mul(1 << self.round.min(40))
    }

    fn is_gone(&self, player: Player) -> bool {
        matches!(self.of(player).at, At::Gone { .. })
    }

    /// Decides whether the searches are over, or else the next round begins.
    fn settle(&mut self) {
        let any = |at: At| self.places.iter().any(|place| place.at == at);
        let found = any(At::Gone { certain: true });
        let stored = self.of(Player::Exhaustive).done;
        let all_done = self.places.iter().filter(|place| place.at == At::Wait).all(|place| place.done >= stored);
        if self.of(Player::Exhaustive).at == (At::Gone { certain: true }) || self.is_last_lap && found {
            self.over = true;
        } else if any(At::Work) {
            // the round goes on
        } else if found || self.is_gone(Player::Exhaustive) && (self.is_part || all_done) {
            self.over = true;
        } else {
            self.round += 1;
            self.is_last_lap = self.is_gone(Player::Exhaustive);
            let waiting = self.places.iter_mut().filter(|place| place.at == At::Wait);
            waiting.for_each(|place| place.at = At::Work);
        }
    }
}

#[derive(Debug)]
struct Rounds {
    pacing: Pacing,
    started: Instant,
    board: Mutex<Board>,
    changed: Condvar,
    explored: OnceLock<Explored>,
    /// A copy of `Board::over` that is read without taking the lock.
    over: Arc<AtomicBool>,
}

impl Rounds {
    fn new(pacing: Pacing) -> Rounds {
        Rounds {
            pacing,
            started: Instant::now(),
            board: Mutex::default(),
            changed: Condvar::new(),
            explored: OnceLock::new(),
            over: Arc::default(),
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        // a poisoned board is still consistent: nothing panics in the middle of a change
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, player: Player, certain: bool) {
        let mut board = self.board();
        let place = board.place(player);
        (place.at, place.memory) = (At::Gone { certain }, 0);
        board.settle();
        board.over |= self.pacing == Pacing::Free && certain;
        self.over.store(board.over, Relaxed);
        self.changed.notify_all();
    }
}

/// Held by a player while it takes part; dropping it, even in a panic, lets the others go on.
struct Seat<'r> {
    rounds: &'r Rounds,
    player: Player,
    certain: bool,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.rounds.leave(self.player, self.certain);
    }
}

/// One search's access to the rounds: how far it may go on.
#[derive(Debug)]
pub struct Pace {
    rounds: Arc<Rounds>,
    player: Player,
    /// States done by earlier walks.
    before: u64,
}

impl Pace {
    fn new(rounds: &Arc<Rounds>, player: Player) -> Pace {
        Pace { rounds: rounds.clone(), player, before: 0 }
    }

    /// This is the exhaustive search, which the others keep pace with.
    pub fn sets_it(&self) -> bool {
        self.player == Player::Exhaustive
    }

    /// Set when all searches must stop.
    pub fn over(&self) -> Arc<AtomicBool> {
        self.rounds.over.clone()
    }

    /// Notes the bytes that this search uses; returns those that count for its limit, which for the exhaustive search
    /// are those of all.
    pub fn memory(&self, own: u64) -> u64 {
        let mut board = self.rounds.board();
        board.place(self.player).memory = own;
        if self.sets_it() { board.places.iter().map(|place| place.memory).sum() } else { own }
    }

    pub fn share(&self, explored: Explored) {
        // only the exhaustive search shares its visited set, once
        _ = self.rounds.explored.set(explored);
    }

    pub fn explored(&self) -> Option<Explored> {
        self.rounds.explored.get().cloned()
    }

    /// Waits until a search that has done `done` states may do more; false if it must stop.
    pub fn may_go_on(&self, done: u64) -> bool {
        let done = self.before + done;
        let mut board = self.rounds.board();
        let place = board.place(self.player);
        place.done = place.done.max(done);
        if self.rounds.pacing == Pacing::Free && !board.is_gone(Player::Exhaustive) {
            return match self.player {
                Player::Exhaustive => !board.over,
                Player::Walks | Player::DepthFirst => self.take_a_break(board),
            };
        }
        while !board.over && done >= board.allowance(self.player) {
            if board.of(self.player).at == At::Work {
                board.place(self.player).at = At::Wait;
                board.settle();
                self.rounds.over.store(board.over, Relaxed);
                self.rounds.changed.notify_all();
                continue;
            }
            board = self.rounds.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
        !board.over
    }

    /// Waits until the player has worked for no more than its share of the time; false if it must stop.
    fn take_a_break(&self, mut board: MutexGuard<'_, Board>) -> bool {
        let place = board.place(self.player);
        if let Some(since) = place.works_since.take() {
            place.worked_for += since.elapsed();
        }
        let due = place.worked_for * self.player.share() as u32;
        while !board.over && !board.is_gone(Player::Exhaustive) {
            let left = due.saturating_sub(self.rounds.started.elapsed());
            if left.is_zero() && board.of(Player::Exhaustive).done >= FIRST {
                break;
            }
            let pause = left.max(Duration::from_millis(1));
            let waited = self.rounds.changed.wait_timeout(board, pause);
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        board.place(self.player).works_since = Some(Instant::now());
        !board.over
    }
}
