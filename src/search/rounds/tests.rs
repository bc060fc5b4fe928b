//! Searches side by side: who may do how much, whose answer counts, and that none waits for ever.

use super::*;
use crate::search::catalogue::{ACO, BFS, DFS, Search};
use crate::search::{Checks, Config, Limits, Tally};
use std::convert::Infallible;
use std::sync::atomic::AtomicU64;

const WALKS: u64 = 4;

type Run = fn(&Monitor) -> Result<Report, Infallible>;

fn walks_only<W>(walk: W) -> Companions<W, Run> {
    Companions { walk, depth_first: None }
}

fn tally(search: &'static Search) -> Tally {
    Tally::new(Config::of(search), Checks::default())
}

/// A search of `states` states that is then cut short by `verdict`; without one, it has found nothing (`bfs`) or a
/// violation (others).
fn search(by: &'static Search, states: u64, verdict: Option<Reason>, monitor: &Monitor) -> Result<Report, Infallible> {
    let mut tally = tally(by);
    for done in (0..states).step_by(100) {
        tally.evaluations = Some(done);
        if let Err(reason) = monitor.check(done, 0, 0) {
            tally.cut_short(reason);
            return Ok(tally.report(&Default::default()));
        }
    }
    match verdict {
        Some(reason) => tally.cut_short(reason),
        None if by == &BFS => {}
        None => tally.violation(crate::search::Violation::Assertion, "wrong".into(), || Some(Default::default())),
    }
    Ok(tally.report(&Default::default()))
}

fn answer(exhaustive: (u64, Option<Reason>), walk: (u64, Option<Reason>)) -> Report {
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let result = side_by_side(
        |monitor| search(&BFS, exhaustive.0, exhaustive.1, monitor),
        walks_only(|_, monitor: &Monitor| search(&ACO, walk.0, walk.1.clone(), monitor)),
        Pacing::Rounds,
        &monitor,
    );
    result.unwrap_or_else(|never| match never {})
}

#[test]
fn the_search_with_less_to_do_wins() {
    let first_of_both = |exhaustive, walk| answer((exhaustive, None), (walk, None)).search;
    assert_eq!(first_of_both(FIRST / 2, 100), &BFS, "walks start in the second round");
    assert_eq!(first_of_both(10 * FIRST, FIRST / WALKS), &ACO);
    assert_eq!(first_of_both(10 * FIRST, 100 * FIRST), &BFS);
    assert_eq!(first_of_both(3 * FIRST / 2, 100), &BFS, "both in the same round");
}

#[test]
fn walks_go_on_after_a_limit_but_not_forever() {
    let cut = (4 * FIRST, Some(Reason::StoreFull));
    assert_eq!(answer(cut.clone(), (3 * FIRST, None)).search, &ACO);
    let report = answer(cut, (10 * FIRST, None));
    assert!(matches!(report.verdict, Verdict::Inconclusive(Reason::StoreFull)));
    assert!(report.walked.is_some_and(|walked| walked >= 3 * FIRST), "{:?}", report.walked);
}

#[test]
fn walks_end_their_round_when_the_other_search_has_done_its_part() {
    let part = (3 * FIRST, Some(Reason::States(3 * FIRST)));
    assert_eq!(answer(part.clone(), (FIRST / 2, None)).search, &ACO);
    let report = answer(part, (10 * FIRST, None));
    assert!(matches!(report.verdict, Verdict::Inconclusive(Reason::States(_))));
    assert_eq!(report.walked, Some(4 * FIRST / WALKS));
}

#[test]
fn work_counts() {
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let wide = |monitor: &Monitor| {
        let mut tally = tally(&ACO);
        for done in (0..).step_by(100) {
            tally.evaluations = Some(done);
            if let Err(reason) = monitor.check_work(done, 10 * done, 0, 0) {
                tally.cut_short(reason);
                return Ok(tally.report(&Default::default()));
            }
        }
        unreachable!("the exhaustive search ends")
    };
    let part = Some(Reason::States(3 * FIRST));
    let report = side_by_side(
        |monitor| search(&BFS, 3 * FIRST, part, monitor),
        walks_only(|_, monitor: &Monitor| wide(monitor)),
        Pacing::Rounds,
        &monitor,
    );
    let Ok(report) = report;
    assert_eq!(report.walked, Some(4 * FIRST / WALKS / 10));
}

#[test]
fn walks_are_repeated() {
    let numbers = AtomicU64::new(0);
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let report = side_by_side(
        |monitor| search(&BFS, 100 * FIRST, None, monitor),
        walks_only(|number, monitor: &Monitor| {
            numbers.fetch_max(number, Relaxed);
            let nothing = (number < 3).then_some(Reason::NotExhaustive("aco"));
            search(&ACO, 200, nothing, monitor)
        }),
        Pacing::Rounds,
        &monitor,
    );
    assert_eq!(report.map(|report| report.search), Ok::<_, Infallible>(&ACO));
    assert_eq!(numbers.into_inner(), 3);
}

#[test]
fn without_rounds_the_exhaustive_search_does_not_wait_for_walks() {
    let looks = AtomicU64::new(0);
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let slow = |_, monitor: &Monitor| {
        let mut tally = tally(&ACO);
        while monitor.check(looks.fetch_add(1, Relaxed), 0, 0).is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
        tally.cut_short(Reason::Overtaken);
        Ok::<_, Infallible>(tally.report(&Default::default()))
    };
    let exhaustive = |monitor: &Monitor| search(&BFS, 100 * FIRST, None, monitor);
    let report = side_by_side(exhaustive, walks_only(slow), Pacing::Free, &monitor);
    assert!(report.is_ok_and(|report| report.complete));
    // in rounds the walks would have to expand nearly as many states as they may
    assert!(looks.into_inner() < 10 * FIRST / WALKS);
}

#[test]
fn without_rounds_the_first_answer_is_right() {
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let report = side_by_side(
        |monitor| search(&BFS, u64::MAX, None, monitor),
        walks_only(|_, monitor: &Monitor| search(&ACO, 200, None, monitor)),
        Pacing::Free,
        &monitor,
    );
    assert_eq!(report.map(|report| report.search), Ok::<_, Infallible>(&ACO));
}

#[test]
fn a_walk_that_panics_does_not_block_the_others() {
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let walk = |_, _: &Monitor| -> Result<Report, Infallible> { panic!("on purpose") };
        let exhaustive = |monitor: &Monitor| search(&BFS, 10 * FIRST, None, monitor);
        side_by_side(exhaustive, walks_only(walk), Pacing::Rounds, &monitor)
    }));
    assert!(result.is_err());
}

/// Which search answers first if they need this many states.
fn first_of_three(exhaustive: u64, walk: u64, depth_first: u64) -> &'static Search {
    let monitor = Monitor::new(Limits::default(), Arc::default());
    let companions = Companions {
        walk: |_, monitor: &Monitor| search(&ACO, walk, None, monitor),
        depth_first: Some(|monitor: &Monitor| search(&DFS, depth_first, None, monitor)),
    };
    let exhaustive = |monitor: &Monitor| search(&BFS, exhaustive, None, monitor);
    let report = side_by_side(exhaustive, companions, Pacing::Rounds, &monitor);
    report.unwrap_or_else(|never| match never {}).search
}

#[test]
fn a_depth_first_search_has_a_part_of_its_own() {
    assert_eq!(first_of_three(FIRST / 2, 100, 100), &BFS, "it starts in the second round");
    assert_eq!(first_of_three(20 * FIRST, 100 * FIRST, FIRST / 2), &DFS);
    assert_eq!(first_of_three(20 * FIRST, FIRST / 4, FIRST), &ACO, "walks are a round ahead");
    assert_eq!(first_of_three(20 * FIRST, 100, 100), &ACO, "in the same round the walks' answer counts");
    assert_eq!(first_of_three(20 * FIRST, 100 * FIRST, 100 * FIRST), &BFS);
}

#[test]
fn memory_beside_the_exhaustive_search_counts() {
    let rounds = Arc::new(Rounds::new(Pacing::Rounds));
    let (exhaustive, other) = (Pace::new(&rounds, Player::Exhaustive), Pace::new(&rounds, Player::DepthFirst));
    assert_eq!(other.memory(100), 100);
    assert_eq!(exhaustive.memory(1000), 1100);
    rounds.leave(Player::DepthFirst, false);
    assert_eq!(exhaustive.memory(1000), 1000);
}
