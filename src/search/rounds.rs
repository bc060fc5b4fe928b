//! Two searches side by side (`auto`): one that sees everything, and walks that may be faster to find what is wrong.
//!
//! They work at the same time, on two threads, and in rounds:
//!
//! ```text
//! in round n the exhaustive search may come to FIRST · 2^n states, and walks may expand 1/SHARE of that (none in round 0)
//! who has done so waits for the other one
//! if the exhaustive search has an answer, that is the answer
//! if not, and a walk has found a violation by the end of the round, that is the answer
//! if a limit of time or memory ends the exhaustive search, walks go on until they have expanded as many states as it has stored; if it
//!     has stored as many as it was to, only until the end of the round
//! ```
//!
//! So the result depends on how much each has done, and not on how fast it was: it is the same every time, unless a limit of
//! time or memory is met. A model that is small enough is searched exhaustively, and nothing else happens.
//!
//! The result of a search by many threads is not the same every time anyway. Then there are no rounds, and nobody waits for walks: they
//! work one part in SHARE of the time, and whoever has an answer first is right. Such a search shares its visited set, and every second
//! walk keeps off what it has explored.

use super::monitor::Monitor;
use super::{Reason, Report, Verdict};
use crate::store::Explored;
use crate::system::deep_stack;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// States of the exhaustive search in the first round.
const FIRST: u64 = 20_000;
/// Walks get one part in so many: they cost time and memory bandwidth even if they find nothing.
const SHARE: u64 = 4;
/// What a walk counts at least, so that those that end at once do not go on forever.
const LEAST: u64 = 1_000;

/// How walks keep up with the exhaustive search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    /// Who is ahead waits for the other one.
    Rounds,
    /// Walks have a part of the time.
    Free,
}

/// Runs `exhaustive`, and meanwhile `walk` with the numbers 0, 1, 2 and so on, until there is an answer.
pub fn side_by_side<E: Send>(
    exhaustive: impl FnOnce(&Monitor) -> Result<Report, E>,
    walk: impl Fn(u64, &Monitor) -> Result<Report, E> + Send,
    pacing: Pacing,
    monitor: &Monitor,
) -> Result<Report, E> {
    let rounds = Arc::new(Rounds::new(pacing));
    let own = monitor.paced(Pace::new(&rounds, Player::Exhaustive), monitor.limits);
    thread::scope(|scope| {
        let walks =
            thread::Builder::new().stack_size(deep_stack()).spawn_scoped(scope, || walks(walk, &rounds, monitor));
        if walks.is_err() {
            // no thread, no walks
            rounds.leave(Player::Walks, false);
        }
        let report = {
            let mut seat = Seat { rounds: &rounds, player: Player::Exhaustive, certain: false };
            let report = exhaustive(&own);
            seat.certain = report.as_ref().map_or(true, is_certain);
            rounds.board().is_part = report.as_ref().is_ok_and(is_part);
            report
        };
        let found = walks.ok().and_then(|walks| walks.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        match report {
            Ok(report) if !is_certain(&report) => {
                found.unwrap_or_else(|| Ok(Report { walked: Some(rounds.board().expanded), ..report }))
            }
            report => report,
        }
    })
}

fn is_certain(report: &Report) -> bool {
    !matches!(report.verdict, Verdict::Inconclusive(_))
}

/// It was to store so many states and no more, and another search takes over.
fn is_part(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Inconclusive(Reason::States(_)))
}

/// Walks until one finds something, or it is over. A walk that cannot start leaves the answer to the other search.
fn walks<E>(
    walk: impl Fn(u64, &Monitor) -> Result<Report, E>,
    rounds: &Arc<Rounds>,
    monitor: &Monitor,
) -> Option<Result<Report, E>> {
    let mut seat = Seat { rounds, player: Player::Walks, certain: false };
    let mut done = 0;
    for number in 0.. {
        let pace = Pace { before: done, ..Pace::new(rounds, Player::Walks) };
        if !pace.may_go_on(0) {
            return None;
        }
        let left = monitor.limits.evaluations.map(|limit| limit.saturating_sub(done));
        if left == Some(0) {
            return None;
        }
        let monitor = monitor.paced(pace, super::Limits { evaluations: left, ..monitor.limits });
        let report = walk(number, &monitor).ok()?;
        match &report.verdict {
            Verdict::Inconclusive(Reason::NotExhaustive(_)) => {
                done += report.evaluations.unwrap_or(0).max(LEAST);
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    Exhaustive,
    Walks,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Work,
    /// Has done what it may do in this round.
    Wait,
    /// Has ended with an answer, or without.
    Gone { certain: bool },
}

#[derive(Debug, Default)]
struct Board {
    round: u32,
    exhaustive: At,
    walks: At,
    /// States that the exhaustive search has stored, and walks have expanded.
    stored: u64,
    expanded: u64,
    /// The exhaustive search has done its part, and nobody need do more than that.
    is_part: bool,
    /// Nobody need go on.
    over: bool,
    /// How long walks have worked, and since when they do so again.
    walked_for: Duration,
    walks_since: Option<Instant>,
}

impl Board {
    fn at(&mut self, player: Player) -> &mut At {
        match player {
            Player::Exhaustive => &mut self.exhaustive,
            Player::Walks => &mut self.walks,
        }
    }

    /// What a player may have done by the end of this round.
    fn allowance(&self, player: Player) -> u64 {
        let states = FIRST.saturating_mul(1 << self.round.min(40));
        match player {
            Player::Exhaustive => states,
            Player::Walks if self.round == 0 => 0,
            Player::Walks if matches!(self.exhaustive, At::Gone { .. }) && !self.is_part => self.stored,
            Player::Walks => states / SHARE,
        }
    }

    /// Looks whether it is over, or the next round begins.
    fn settle(&mut self) {
        match (self.exhaustive, self.walks) {
            (At::Gone { certain: true }, _) => self.over = true,
            (At::Work, _) | (_, At::Work) => {}
            (_, At::Gone { certain: true }) => self.over = true,
            (At::Gone { .. }, At::Gone { .. }) => self.over = true,
            (At::Gone { .. }, At::Wait) if self.is_part || self.expanded >= self.stored => self.over = true,
            _ => {
                self.round += 1;
                for at in [&mut self.exhaustive, &mut self.walks] {
                    *at = if *at == At::Wait { At::Work } else { *at };
                }
            }
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
    /// As the board says, for those who must not wait for it.
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
        // what a panic has left behind is as good as before: each change is one assignment
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, player: Player, certain: bool) {
        let mut board = self.board();
        *board.at(player) = At::Gone { certain };
        board.settle();
        board.over |= self.pacing == Pacing::Free && certain;
        self.over.store(board.over, Relaxed);
        self.changed.notify_all();
    }
}

/// A player's place, which is given up in any case.
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

/// How fast a search may go on.
#[derive(Debug)]
pub struct Pace {
    rounds: Arc<Rounds>,
    player: Player,
    /// What was done before.
    before: u64,
}

impl Pace {
    fn new(rounds: &Arc<Rounds>, player: Player) -> Pace {
        Pace { rounds: rounds.clone(), player, before: 0 }
    }

    /// The others go as fast as this one.
    pub fn sets_it(&self) -> bool {
        self.player == Player::Exhaustive
    }

    /// Set when nobody need go on.
    pub fn over(&self) -> Arc<AtomicBool> {
        self.rounds.over.clone()
    }

    pub fn share(&self, explored: Explored) {
        // there is one who explores, and it says so once
        _ = self.rounds.explored.set(explored);
    }

    pub fn explored(&self) -> Option<Explored> {
        self.rounds.explored.get().cloned()
    }

    /// Waits until there is something left to do in a round, for one that has done so much; false if it is over.
    pub fn may_go_on(&self, done: u64) -> bool {
        let done = self.before + done;
        let mut board = self.rounds.board();
        match self.player {
            Player::Exhaustive => board.stored = board.stored.max(done),
            Player::Walks => board.expanded = board.expanded.max(done),
        }
        let exhaustive_goes_on = !matches!(board.exhaustive, At::Gone { .. });
        if self.rounds.pacing == Pacing::Free && exhaustive_goes_on {
            return match self.player {
                Player::Exhaustive => !board.over,
                Player::Walks => self.take_a_break(board),
            };
        }
        while !board.over && done >= board.allowance(self.player) {
            if *board.at(self.player) == At::Work {
                *board.at(self.player) = At::Wait;
                board.settle();
                self.rounds.over.store(board.over, Relaxed);
                self.rounds.changed.notify_all();
                continue;
            }
            board = self.rounds.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
        !board.over
    }

    /// Waits until walks have had no more than their part of the time; false if it is over.
    fn take_a_break(&self, mut board: MutexGuard<'_, Board>) -> bool {
        if let Some(since) = board.walks_since.take() {
            board.walked_for += since.elapsed();
        }
        while !board.over && !matches!(board.exhaustive, At::Gone { .. }) {
            let due = board.walked_for * SHARE as u32;
            let left = due.saturating_sub(self.rounds.started.elapsed());
            if left.is_zero() && board.stored >= FIRST {
                break;
            }
            let pause = left.max(Duration::from_millis(1));
            let waited = self.rounds.changed.wait_timeout(board, pause);
            board = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        board.walks_since = Some(Instant::now());
        !board.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Checks, Config, Limits, Strategy, Tally};
    use std::convert::Infallible;
    use std::sync::atomic::AtomicU64;

    fn tally(strategy: Strategy) -> Tally {
        Tally::new(Config::of(strategy), Checks::default())
    }

    /// A search of so many states that then says what it is to say.
    fn search(
        strategy: Strategy,
        states: u64,
        verdict: Option<Reason>,
        monitor: &Monitor,
    ) -> Result<Report, Infallible> {
        let mut tally = tally(strategy);
        for done in (0..states).step_by(100) {
            tally.evaluations = Some(done);
            if let Some(reason) = monitor.check(done, 0, 0) {
                tally.cut_short(reason);
                return Ok(tally.report(&Default::default()));
            }
        }
        match (strategy, verdict) {
            (_, Some(reason)) => tally.cut_short(reason),
            (Strategy::Bfs, None) => {}
            (_, None) => {
                tally.violation(crate::search::Violation::Assertion, "wrong".into(), || Some(Default::default()))
            }
        }
        Ok(tally.report(&Default::default()))
    }

    fn answer(exhaustive: (u64, Option<Reason>), walk: (u64, Option<Reason>)) -> Report {
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let result = side_by_side(
            |monitor| search(Strategy::Bfs, exhaustive.0, exhaustive.1, monitor),
            |_, monitor| search(Strategy::Aco, walk.0, walk.1.clone(), monitor),
            Pacing::Rounds,
            &monitor,
        );
        result.unwrap_or_else(|never| match never {})
    }

    #[test]
    fn who_has_less_to_do_wins() {
        let first_of_both = |exhaustive, walk| answer((exhaustive, None), (walk, None)).strategy;
        assert_eq!(first_of_both(FIRST / 2, 100), Strategy::Bfs, "walks start in the second round");
        assert_eq!(first_of_both(10 * FIRST, FIRST / SHARE), Strategy::Aco);
        assert_eq!(first_of_both(10 * FIRST, 100 * FIRST), Strategy::Bfs);
        assert_eq!(first_of_both(3 * FIRST / 2, 100), Strategy::Bfs, "both in the same round");
    }

    #[test]
    fn walks_go_on_after_a_limit_but_not_forever() {
        let cut = (4 * FIRST, Some(Reason::StoreFull));
        assert_eq!(answer(cut.clone(), (3 * FIRST, None)).strategy, Strategy::Aco);
        let report = answer(cut, (10 * FIRST, None));
        assert!(matches!(report.verdict, Verdict::Inconclusive(Reason::StoreFull)));
        assert!(report.walked.is_some_and(|walked| walked >= 3 * FIRST), "{:?}", report.walked);
    }

    #[test]
    fn walks_end_their_round_when_the_other_search_has_done_its_part() {
        let part = (3 * FIRST, Some(Reason::States(3 * FIRST)));
        assert_eq!(answer(part.clone(), (FIRST / 2, None)).strategy, Strategy::Aco);
        let report = answer(part, (10 * FIRST, None));
        assert!(matches!(report.verdict, Verdict::Inconclusive(Reason::States(_))));
        assert_eq!(report.walked, Some(4 * FIRST / SHARE));
    }

    #[test]
    fn walks_are_repeated() {
        let numbers = AtomicU64::new(0);
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let report = side_by_side(
            |monitor| search(Strategy::Bfs, 100 * FIRST, None, monitor),
            |number, monitor| {
                numbers.fetch_max(number, Relaxed);
                let nothing = (number < 3).then_some(Reason::NotExhaustive("aco"));
                search(Strategy::Aco, 200, nothing, monitor)
            },
            Pacing::Rounds,
            &monitor,
        );
        assert_eq!(report.map(|report| report.strategy), Ok::<_, Infallible>(Strategy::Aco));
        assert_eq!(numbers.into_inner(), 3);
    }

    #[test]
    fn without_rounds_nobody_waits_for_walks() {
        let looks = AtomicU64::new(0);
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let slow = |_, monitor: &Monitor| {
            let mut tally = tally(Strategy::Aco);
            while monitor.check(looks.fetch_add(1, Relaxed), 0, 0).is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            tally.cut_short(Reason::Overtaken);
            Ok::<_, Infallible>(tally.report(&Default::default()))
        };
        let report =
            side_by_side(|monitor| search(Strategy::Bfs, 100 * FIRST, None, monitor), slow, Pacing::Free, &monitor);
        assert!(report.is_ok_and(|report| report.complete));
        // in rounds it would have to expand nearly as many states as it may
        assert!(looks.into_inner() < 10 * FIRST / SHARE);
    }

    #[test]
    fn without_rounds_the_first_answer_is_right() {
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let report = side_by_side(
            |monitor| search(Strategy::Bfs, u64::MAX, None, monitor),
            |_, monitor| search(Strategy::Aco, 200, None, monitor),
            Pacing::Free,
            &monitor,
        );
        assert_eq!(report.map(|report| report.strategy), Ok::<_, Infallible>(Strategy::Aco));
    }

    #[test]
    fn a_walk_that_panics_holds_nobody_up() {
        let monitor = Monitor::new(Limits::default(), Arc::default());
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let walk = |_, _: &Monitor| -> Result<Report, Infallible> { panic!("on purpose") };
            side_by_side(|monitor| search(Strategy::Bfs, 10 * FIRST, None, monitor), walk, Pacing::Rounds, &monitor)
        }));
        assert!(result.is_err());
    }
}
