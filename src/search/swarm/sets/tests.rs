//! Every interleaving of small cases (loom), and large cases by threads.

use super::list::{Coverage, Finish, Last};
use super::*;
use crate::search::swarm::crew::bit;
use crate::store::Visited;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU64 as LoomU64;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::thread;

struct LoomWords(Vec<[LoomU64; list::HEADER]>);

impl Word for LoomU64 {
    fn load(&self) -> u64 {
        LoomU64::load(self, SeqCst)
    }

    fn replace(&self, old: u64, new: u64) -> Result<(), u64> {
        self.compare_exchange(old, new, SeqCst, SeqCst).map(drop)
    }

    fn set(&self, bits: u64) -> u64 {
        self.fetch_or(bits, SeqCst)
    }

    fn clear(&self, bits: u64) {
        self.fetch_and(!bits, SeqCst);
    }
}

impl Words for LoomWords {
    type Word = LoomU64;

    fn word(&self, state: StateId, number: usize) -> &LoomU64 {
        &self.0[state.pack() as usize][number]
    }

    fn pause(&self, _: &Backoff) {
        loom::thread::yield_now();
    }
}

fn state(number: u32) -> StateId {
    StateId::unpack(number)
}

/// Runs two threads on this many states, in every order, and then looks at the result.
fn in_every_order(
    states: usize,
    one: fn(Sets<LoomWords>) -> u64,
    other: fn(Sets<LoomWords>) -> u64,
    then: fn(Sets<LoomWords>, u64, u64),
) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let word = || LoomU64::new(0);
        let words: Vec<_> = (0..states).map(|_| [word(), word(), word(), word()]).collect();
        let words = Arc::new(LoomWords(words));
        let shared = words.clone();
        let thread = loom::thread::spawn(move || other(Sets::new(&*shared)));
        let first = one(Sets::new(&*words));
        let second = thread.join().expect("no panic");
        then(Sets::new(&*words), first, second);
    });
}

/// How many states of a set are left, which are all done afterwards.
fn count_left<W: Words>(sets: Sets<W>, of: StateId) -> usize {
    let mut left = 0;
    while let Some(next) = sets.pick(of) {
        assert!(sets.are_united(next, of));
        assert_eq!(sets.finish(next, Coverage::Full, Last::Nothing), Finish::Done);
        left += 1;
    }
    assert!(sets.is_dead(of));
    left
}

#[test]
fn sets_that_two_workers_unite_are_one() {
    in_every_order(
        3,
        |sets| (sets.unite_listed(state(0), state(1)) == United::Same) as u64,
        |sets| (sets.unite_listed(state(2), state(1)) == United::Same) as u64,
        |sets, first, second| {
            assert_eq!((first, second), (1, 1));
            assert!(sets.are_united(state(0), state(2)));
            assert_eq!(count_left(sets, state(1)), 3);
        },
    );
}

#[test]
fn the_same_two_sets_are_united_once() {
    in_every_order(
        2,
        |sets| (sets.unite_listed(state(0), state(1)) == United::Same) as u64,
        |sets| (sets.unite_listed(state(1), state(0)) == United::Same) as u64,
        |sets, first, second| {
            assert_eq!((first, second), (1, 1));
            assert_eq!(count_left(sets, state(0)), 2);
        },
    );
}

#[test]
fn marks_and_claims_are_passed_on() {
    in_every_order(
        2,
        |sets| {
            assert_eq!(sets.claim(state(0), 0), Claim::New);
            sets.add_marks(state(0), 1);
            0
        },
        |sets| {
            assert_eq!(sets.claim(state(1), 1), Claim::New);
            sets.unite_listed(state(0), state(1));
            sets.add_marks(state(1), 2)
        },
        |sets, _, _| {
            assert_eq!(sets.add_marks(state(0), 0), 3);
            assert_eq!(sets.claim(state(1), 0), Claim::Found);
            assert_eq!(sets.claim(state(0), 1), Claim::Found);
            assert_eq!(sets.claim(state(0), 2), Claim::New);
        },
    );
}

#[test]
fn a_list_loses_no_state_that_is_not_done() {
    in_every_order(
        3,
        |sets| {
            sets.unite_listed(state(0), state(1));
            (sets.finish(state(0), Coverage::Full, Last::Nothing) == Finish::Done) as u64
        },
        |sets| {
            sets.unite_listed(state(1), state(2));
            (sets.finish(state(2), Coverage::Full, Last::Nothing) == Finish::Done) as u64
        },
        |sets, first, second| {
            assert_eq!((first, second), (1, 1));
            assert_eq!(sets.pick(state(0)), Some(state(1)));
            assert_eq!(count_left(sets, state(2)), 1);
        },
    );
}

#[test]
fn what_is_expanded_is_not_done_before_that_is_heeded() {
    in_every_order(
        1,
        |sets| {
            sets.expand(state(0));
            sets.is_expanded(state(0)) as u64
        },
        |sets| match sets.finish(state(0), Coverage::Reduced, Last::Nothing) {
            Finish::Done => 1,
            Finish::Before | Finish::Expand => 0,
        },
        |sets, expanded, done| {
            assert_eq!(expanded + done, 1, "either the one or the other");
            assert_eq!(sets.is_done(state(0)), done == 1);
        },
    );
}

#[test]
fn one_of_the_last_two_is_expanded() {
    in_every_order(
        2,
        |sets| {
            sets.unite_listed(state(0), state(1));
            (sets.finish(state(0), Coverage::Reduced, Last::ExpandWithout(1)) == Finish::Expand) as u64
        },
        |sets| {
            sets.unite_listed(state(0), state(1));
            (sets.finish(state(1), Coverage::Reduced, Last::ExpandWithout(1)) == Finish::Expand) as u64
        },
        |_, first, second| assert_eq!(first + second, 1),
    );
}

#[test]
fn a_state_that_two_workers_finish_is_done_once() {
    in_every_order(
        3,
        |sets| {
            sets.unite_listed(state(0), state(1));
            sets.unite_listed(state(1), state(2));
            let done = |of| (sets.finish(of, Coverage::Full, Last::ExpandWithout(1)) == Finish::Done) as u64;
            let first = done(state(0)) + done(state(1));
            // what is done leaves the list
            sets.pick(state(0));
            sets.pick(state(1));
            first + done(state(2))
        },
        |sets| (sets.finish(state(0), Coverage::Full, Last::ExpandWithout(1)) == Finish::Done) as u64,
        |sets, first, second| {
            assert_eq!(first + second, 3);
            for number in 0..3 {
                let again = sets.finish(state(number), Coverage::Reduced, Last::ExpandWithout(2));
                assert_eq!(again, Finish::Before);
            }
            assert_eq!(sets.pick(state(1)), None);
        },
    );
}

/// A set is complete only if it is not united meanwhile with one that has states left.
#[test]
fn a_set_with_states_left_is_not_complete() {
    in_every_order(
        2,
        |sets| {
            sets.finish(state(0), Coverage::Full, Last::Nothing);
            sets.pick(state(0)).is_none() as u64
        },
        |sets| (sets.unite_listed(state(0), state(1)) == United::TooLate) as u64,
        |sets, complete, too_late| {
            assert_eq!(complete, too_late);
            assert_eq!(sets.is_dead(state(0)), complete == 1);
            assert!(!sets.is_dead(state(1)));
            assert_eq!(sets.pick(state(1)), Some(state(1)));
        },
    );
}

/// The same where the other set is the greater one of two that are being united.
#[test]
fn a_set_that_grows_is_not_complete() {
    in_every_order(
        3,
        |sets| {
            sets.unite_listed(state(1), state(0));
            for number in [0, 1] {
                sets.finish(state(number), Coverage::Full, Last::Nothing);
            }
            sets.pick(state(0)).is_none() as u64
        },
        |sets| (sets.unite_listed(state(2), state(1)) == United::TooLate) as u64,
        |sets, complete, too_late| {
            assert_eq!(complete, too_late);
            assert_eq!(sets.pick(state(1)).is_none(), complete == 1);
            assert_eq!(sets.pick(state(2)), Some(state(2)));
        },
    );
}

/// Sets without lists: two workers find the same component on different ways, and one is done with it before the other.
#[test]
fn a_component_that_one_worker_has_completed_is_complete_as_a_whole() {
    in_every_order(
        3,
        |sets| {
            sets.unite(state(1), state(0), |_, _| true);
            sets.unite(state(2), state(1), |_, _| true);
            sets.add_marks(state(2), 1)
        },
        |sets| {
            sets.unite(state(0), state(2), |_, _| true);
            sets.unite(state(2), state(1), |_, _| true);
            let marks = sets.add_marks(state(0), 2);
            sets.mark_dead(state(1));
            marks
        },
        |sets, first, second| {
            assert!((0..3).all(|number| sets.is_dead(state(number))));
            assert!(sets.are_united(state(0), state(1)) && sets.are_united(state(1), state(2)));
            assert!(first == 3 || second == 3, "the one that was later has seen the marks of both: {first} {second}");
        },
    );
}

/// What `ufscc` does with WS-DONE-LIVE on a cycle of two states that two workers explore.
#[test]
fn on_a_cycle_one_state_is_expanded() {
    fn explore(sets: Sets<LoomWords>, node: StateId, target: StateId) -> u64 {
        // all edges were looked at: those to states that are not done are expanded
        if !sets.is_done(target) && !sets.is_expanded(node) && !sets.is_done(target) {
            sets.expand(target);
        }
        if sets.finish(node, Coverage::Reduced, Last::Nothing) == Finish::Expand {
            assert_eq!(sets.finish(node, Coverage::Full, Last::Nothing), Finish::Done);
        }
        sets.is_expanded(node) as u64
    }
    in_every_order(
        2,
        |sets| explore(sets, state(0), state(1)),
        |sets| explore(sets, state(1), state(0)),
        |sets, first, second| {
            assert!(first + second >= 1);
            assert!(sets.is_done(state(0)) && sets.is_done(state(1)));
        },
    );
}

/// Threads unite random pairs, among them those that make one set of every block of ten; each state is explored.
#[test]
fn many_threads_explore_each_state_once() {
    const STATES: u64 = 2_000;
    const THREADS: usize = 8;
    let store = Shared::new(list::HEADER, &Default::default()).expect("memory");
    let mut writer = store.writer();
    let ids: Vec<StateId> = (0..STATES)
        .map(|number| {
            let state = [2, number];
            writer.insert(&state, writer.hash(&state), 0).expect("room").id
        })
        .collect();
    drop(writer);
    let sets = Sets::new(&store);
    let done: u64 = thread::scope(|scope| {
        let work = |number: usize| {
            let ids = &ids;
            move || {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(number as u64);
                let mut pairs: Vec<usize> = (0..STATES as usize).filter(|first| first % 10 != 9).collect();
                pairs.shuffle(&mut random);
                for first in pairs {
                    sets.claim(ids[first], number);
                    sets.unite_listed(ids[first], ids[first + 1]);
                    sets.add_marks(ids[first], bit(number));
                }
                let start = random.random_range(0..STATES as usize / 10) * 10;
                let blocks = (0..STATES as usize / 10).map(|block| ids[(start + block * 10) % STATES as usize]);
                let explore = |of: StateId| {
                    let mut done = 0;
                    while let Some(next) = sets.pick(of) {
                        done += (sets.finish(next, Coverage::Full, Last::Nothing) == Finish::Done) as u64;
                    }
                    done
                };
                blocks.map(explore).sum::<u64>()
            }
        };
        let threads: Vec<_> = (0..THREADS).map(|number| scope.spawn(work(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert_eq!(done, STATES);
    for (number, &id) in ids.iter().enumerate() {
        assert!(sets.is_dead(id));
        assert!(sets.are_united(id, ids[number / 10 * 10]));
        assert!(!sets.are_united(id, ids[(number + 10) % STATES as usize]));
    }
}
