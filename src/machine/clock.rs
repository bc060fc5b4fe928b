//! A clock for targets that have none (`wasm32-unknown-unknown`, where [`std::time::Instant::now`] panics).
//!
//! It is the program that knows the time there: [`set`] says how to ask for it. Without that no time passes, so that time limits are
//! never met and everything takes 0 s.

use std::sync::RwLock;
use std::time::Duration;

static CLOCK: RwLock<fn() -> Duration> = RwLock::new(|| Duration::ZERO);

/// From now on `since_start` is asked for the time since a moment of its own choice. It must never go back.
pub fn set(since_start: fn() -> Duration) {
    *CLOCK.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = since_start;
}

/// As [`std::time::Instant`], as far as it is used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// What the clock shows.
    pub fn now() -> Instant {
        let since_start = *CLOCK.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        Instant(since_start())
    }

    /// The time since then.
    pub fn elapsed(self) -> Duration {
        Instant::now().duration_since(self)
    }

    /// The time since an earlier moment; none if it was later.
    pub fn duration_since(self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_once_there_is_a_clock() {
        let started = Instant::now();
        assert_eq!(started.elapsed(), Duration::ZERO);
        set(|| Duration::from_secs(5));
        assert_eq!(started.elapsed(), Duration::from_secs(5));
        assert!(Instant::now() > started);
        assert_eq!(started.duration_since(Instant::now()), Duration::ZERO);
    }
}
