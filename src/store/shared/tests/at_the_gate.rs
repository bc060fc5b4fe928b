//! The gate, on locks and atomics that try every order of steps.

mod sync {
    pub use loom::sync::atomic::AtomicBool;
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
}
#[path = "../gate.rs"]
mod gate;

use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// What members read as they like, and change only while they are alone.
struct Hall {
    gate: Gate,
    thing: UnsafeCell<u64>,
}

impl Hall {
    fn read(&self) -> u64 {
        // SAFETY: loom watches every access, and fails where two of them may happen at once.
        self.thing.with(|thing| unsafe { *thing })
    }

    fn change(&self) {
        // SAFETY: as above
        self.thing.with_mut(|thing| unsafe { *thing += 1 });
    }
}

#[test]
fn what_is_changed_alone_is_read_safely() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let other = hall.clone();
        let reader = thread::spawn(move || {
            let member = other.gate.join();
            let before = other.read();
            member.pass();
            assert!(other.read() >= before);
        });
        {
            let member = hall.gate.join();
            hall.read();
            assert!(member.alone(|| hall.change()));
            assert_eq!(hall.read(), 1);
        }
        reader.join().expect("no panic");
    });
}

#[test]
fn two_who_want_to_be_alone_take_turns_or_wait() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let other = hall.clone();
        let rival = thread::spawn(move || {
            let member = other.gate.join();
            member.alone(|| other.change()) as u64
        });
        let own = {
            let member = hall.gate.join();
            member.alone(|| hall.change()) as u64
        };
        let changes = own + rival.join().expect("no panic");
        assert_eq!(hall.read(), changes);
        assert!(changes > 0);
    });
}

#[test]
fn nobody_waits_for_who_is_away() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let other = hall.clone();
        let wanderer = thread::spawn(move || {
            let mut member = other.gate.join();
            let before = other.read();
            member.away(thread::yield_now);
            assert!(other.read() >= before);
        });
        {
            let member = hall.gate.join();
            assert!(member.alone(|| hall.change()));
        }
        wanderer.join().expect("no panic");
    });
}

#[test]
fn who_only_tries_never_waits_and_never_disturbs() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let other = hall.clone();
        let guest = thread::spawn(move || other.gate.try_join().map(|_member| other.read()));
        {
            let member = hall.gate.join();
            assert!(member.alone(|| hall.change()));
        }
        assert!(guest.join().expect("no panic").is_none_or(|read| read <= 1));
    });
}
