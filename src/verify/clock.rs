//! How long a property may take.
//!
//! A time limit is for all properties together. Each may take its share of the time that is left when its turn comes, so that what one
//! leaves goes to the next ones, and none is left without.

use crate::machine::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// When the search for a property began, how long it may take, and who may stop it.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'c> {
    /// When the search for the property began.
    pub started: Instant,
    /// How long it may take; `None` if there is no limit.
    pub time: Option<Duration>,
    /// The search ends when this flag is set.
    pub stop: &'c Arc<AtomicBool>,
}

impl<'c> Clock<'c> {
    /// For the next one of so many properties that are left of those that began then.
    pub fn for_next(limit: Option<Duration>, began: Instant, left: usize, stop: &'c Arc<AtomicBool>) -> Clock<'c> {
        let started = Instant::now();
        let time = limit.map(|limit| share(limit.saturating_sub(started.duration_since(began)), left));
        Clock { started, time, stop }
    }

    /// For one of several runs, which has all the time.
    pub fn for_run(self, limit: Option<Duration>) -> Clock<'c> {
        Clock { started: Instant::now(), time: limit, ..self }
    }

    /// The stop flag is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

/// In whole milliseconds, unless all of it is for one.
fn share(rest: Duration, left: usize) -> Duration {
    match left {
        0 | 1 => rest,
        _ => Duration::from_millis((rest / left as u32).as_millis() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_share_of_what_is_left() {
        let second = Duration::from_secs(1);
        assert_eq!(share(3 * second, 3), second);
        assert_eq!(share(2 * second, 1), 2 * second);
        assert_eq!(share(second, 3), Duration::from_millis(333));
        assert_eq!(share(Duration::ZERO, 2), Duration::ZERO);
    }
}
