//! The gate on loom's locks and atomics, which try every order of steps.

mod sync {
    pub use loom::sync::atomic::AtomicBool;
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
}
#[path = "../gate.rs"]
mod gate;

use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;

/// Data that members read at any time, and change only while they are alone.
struct Hall {
    gate: Gate,
    thing: UnsafeCell<u64>,
}

impl Hall {
    fn read(&self) -> u64 {
        // SAFETY: loom checks every access, and fails on a data race.
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
fn two_members_that_want_to_be_alone_take_turns_or_wait() {
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

/// The member that is away waits until the other one has been alone: if that one waited for it, there would be a
/// deadlock.
#[test]
fn no_member_waits_for_one_that_is_away() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let (other, signal) = (hall.clone(), done.clone());
        let mut member = hall.gate.join();
        let worker = thread::spawn(move || {
            let member = other.gate.join();
            assert!(member.alone(|| other.change()));
            *signal.0.lock().expect("no panic") = true;
            signal.1.notify_all();
        });
        member.away(|| {
            let mut is_done = done.0.lock().expect("no panic");
            while !*is_done {
                is_done = done.1.wait(is_done).expect("no panic");
            }
        });
        assert_eq!(hall.read(), 1);
        drop(member);
        worker.join().expect("no panic");
    });
}

/// A member that is not at the gate yet waits for a guest: if the guest waited for the gate, there would be a deadlock.
#[test]
fn try_join_never_waits() {
    loom::model(|| {
        let hall = Arc::new(Hall { gate: Gate::default(), thing: UnsafeCell::new(0) });
        let (other, visited) = (hall.clone(), hall.clone());
        let member = hall.gate.join();
        let worker = thread::spawn(move || {
            let member = other.gate.join();
            member.alone(|| other.change())
        });
        let guest = thread::spawn(move || visited.gate.try_join().map(|_member| visited.read()));
        let read = guest.join().expect("no panic");
        assert!(read.is_none_or(|read| read <= 1));
        drop(member);
        assert!(worker.join().expect("no panic"));
    });
}
