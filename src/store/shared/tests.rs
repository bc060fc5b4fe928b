//! The shared store: what it keeps, and every interleaving of small cases (loom).

#[allow(clippy::duplicate_mod)]
mod at_the_gate;

use super::gate::Gate;
use super::*;
use crate::store::{Own, Store};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::{iter, thread};

/// A state of 2 to 6 words; the first word is their number.
fn state(number: u64) -> Vec<u64> {
    let words = 2 + number % 5;
    let mut state = vec![number.wrapping_mul(0x9e37_79b9_7f4a_7c15); words as usize];
    state[0] = words;
    state[1] = number;
    state
}

#[test]
fn one_thread_agrees_with_the_store_for_one_thread() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut store, shared) =
        (Store::new(0, &Default::default()).expect("memory"), Shared::new(1, &Default::default()).expect("memory"));
    let mut writer = shared.writer();
    let mut ids = FxHashMap::default();
    for _ in 0..50_000 {
        let state = state(random.random_range(0..20_000));
        let known = store.insert(&state, store.hash(&state), 0).expect("room");
        let Inserted { id, new } = writer.insert(&state, writer.hash(&state), 0).expect("room");
        assert_eq!(new, known.new);
        assert_eq!(*ids.entry(known.id).or_insert(id), id);
        assert_eq!(shared.copy(id), state);
        assert_eq!(writer.get(&state, writer.hash(&state)), Some(id));
    }
    assert_eq!(writer.get(&state(20_000), writer.hash(&state(20_000))), None);
}

#[test]
fn many_threads_add_each_state_once() {
    const STATES: u64 = 30_000;
    const THREADS: u64 = 8;
    for round in 0..3 {
        let shared = Shared::new(2, &Default::default()).expect("memory");
        let added: Vec<u64> = thread::scope(|scope| {
            let work = |thread: u64| {
                let shared = &shared;
                move || {
                    let mut random = Xoshiro256PlusPlus::seed_from_u64(round * THREADS + thread);
                    let mut numbers: Vec<u64> = (0..STATES).collect();
                    numbers.shuffle(&mut random);
                    let mut writer = shared.writer();
                    let mut added = 0;
                    for number in numbers {
                        let state = state(number);
                        let Inserted { id, new } = writer.insert(&state, writer.hash(&state), 0).expect("room");
                        assert_eq!(shared.copy(id), state);
                        added += new as u64;
                        shared.note(id).fetch_or(1 << thread, Relaxed);
                        shared.word(id, 1).fetch_add(1, Relaxed);
                        writer.pass();
                    }
                    added
                }
            };
            let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(work(thread))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(added.iter().sum::<u64>(), STATES, "{added:?}");
        assert_eq!(shared.count.load(Relaxed), STATES);
        let writer = shared.writer();
        for number in 0..STATES {
            let id = writer.get(&state(number), writer.hash(&state(number))).expect("it was added");
            assert_eq!(shared.note(id).load(Relaxed), (1 << THREADS) - 1);
            assert_eq!(shared.word(id, 1).load(Relaxed), THREADS);
        }
    }
}

#[test]
fn readers_join_and_leave_while_the_table_grows() {
    const STATES: u64 = 30_000;
    let shared = Arc::new(Shared::new(1, &Default::default()).expect("memory"));
    let even = Explored::new(&shared, 2);
    let add = |numbers: std::ops::Range<u64>| {
        let mut writer = shared.writer();
        for number in numbers {
            let state = state(number);
            let Inserted { id, .. } = writer.insert(&state, writer.hash(&state), 0).expect("room");
            shared.note(id).store(2 >> (number % 2), Relaxed);
            writer.pass();
        }
    };
    let ask = |number: u64| even.ask(|reader| reader.contains(&state(number), hash(&state(number), 0)));
    let is_even = |number: u64| {
        let answer = iter::repeat_with(|| ask(number)).flatten().next();
        answer.expect("a table grows for some time only")
    };
    add(0..2);
    thread::scope(|scope| {
        let writers = [scope.spawn(|| add(2..STATES / 2)), scope.spawn(|| add(STATES / 2..STATES))];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        while !writers.iter().all(|writer| writer.is_finished()) {
            assert!(is_even(0) && !is_even(1) && !is_even(STATES));
            let number = random.random_range(0..STATES);
            assert!(!is_even(number) || number % 2 == 0);
        }
    });
    assert!((0..STATES).all(|number| is_even(number) == (number % 2 == 0)));
}

#[test]
fn work_alone_is_exclusive() {
    let gate = Gate::default();
    let inside = AtomicUsize::new(0);
    thread::scope(|scope| {
        for number in 0..8 {
            let (gate, inside) = (&gate, &inside);
            scope.spawn(move || {
                let member = gate.join();
                for round in 0..2_000 {
                    member.pass();
                    inside.fetch_add(1, Relaxed);
                    inside.fetch_sub(1, Relaxed);
                    if round % 50 == number {
                        member.alone(|| assert_eq!(inside.load(Relaxed), 0));
                    }
                }
            });
        }
    });
    // no member is left to wait for
    assert!(gate.join().alone(|| {}));
}

/// Lookup and insertion on loom's atomics and cells, which try every order of steps and every value that the memory
/// model allows.
mod every_interleaving {
    use super::super::probe::{Probed, Slots, find, find_or_add};
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64;
    use loom::sync::atomic::Ordering::{AcqRel, Acquire};
    use loom::thread;

    struct Small {
        slots: Vec<AtomicU64>,
        /// A record for each thread; an unordered read and write are an error.
        records: Vec<UnsafeCell<u64>>,
    }

    impl Slots for Small {
        fn len(&self) -> usize {
            self.slots.len()
        }

        fn load(&self, slot: usize) -> u64 {
            self.slots[slot].load(Acquire)
        }

        fn claim(&self, slot: usize, entry: u64) -> Result<(), u64> {
            self.slots[slot].compare_exchange(0, entry, AcqRel, Acquire).map(drop)
        }
    }

    impl Small {
        fn new(slots: usize, records: usize) -> Small {
            Small {
                slots: (0..slots).map(|_| AtomicU64::new(0)).collect(),
                records: (0..records).map(|_| UnsafeCell::new(0)).collect(),
            }
        }

        fn read(&self, place: u32) -> u64 {
            // SAFETY: loom checks every access, and fails on a data race.
            self.records[place as usize].with(|record| unsafe { *record })
        }

        fn insert(&self, place: u32, state: u64) -> Probed {
            let write = || {
                // SAFETY: as above
                self.records[place as usize].with_mut(|record| unsafe { *record = state });
                Some(place)
            };
            find_or_add(self, 0, 1, |place| self.read(place) == state, write)
        }
    }

    /// Threads insert these states, all with the same tag; `distinct` of them are added.
    fn check(states: &'static [u64], distinct: usize) {
        loom::model(move || {
            let table = Arc::new(Small::new(4, states.len()));
            let threads: Vec<_> = states
                .iter()
                .enumerate()
                .map(|(number, &state)| {
                    let table = table.clone();
                    thread::spawn(move || match table.insert(number as u32, state) {
                        Probed::Added(place) => {
                            assert_eq!(place, number as u32);
                            1
                        }
                        Probed::Found(place) => {
                            assert_eq!(table.read(place), state);
                            0
                        }
                        other => panic!("{other:?}"),
                    })
                })
                .collect();
            let added: usize = threads.into_iter().map(|thread| thread.join().expect("no panic")).sum();
            assert_eq!(added, distinct);
            for &state in states {
                assert!(find(&*table, 0, 1, |place| table.read(place) == state).is_some());
            }
        });
    }

    #[test]
    fn the_same_state_is_added_once() {
        check(&[7, 7], 1);
        check(&[7, 7, 7], 1);
    }

    #[test]
    fn different_states_are_all_added() {
        check(&[7, 8], 2);
        check(&[7, 8, 7], 2);
    }

    #[test]
    fn a_full_table_says_so() {
        loom::model(|| {
            let table = Small::new(2, 3);
            assert_eq!(table.insert(0, 7), Probed::Added(0));
            assert_eq!(table.insert(1, 8), Probed::Added(1));
            assert_eq!(table.insert(2, 9), Probed::Crowded);
            assert_eq!(table.insert(2, 8), Probed::Found(1));
        });
    }
}
