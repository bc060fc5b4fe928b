//! The model is loaded within the limits of time and memory, too.
//!
//! The stages of the front end know nothing of limits. They run on a thread of their own, which is watched, and left behind when a limit is
//! met: the process ends soon after.

use crate::cli::Failure;
use crate::machine;
use crate::search::{Limits, Reason};
use crate::system::deep_stack;
use std::panic;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often the limits are looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);
/// A model that is loaded this much too late is left to the search, which says more when it has no time.
const LATE: Duration = Duration::from_millis(300);
/// Nor is less memory than this a reason to give up.
const LITTLE: u64 = 64 << 20;

/// The result of `load`, or which limit was met before.
pub fn within<T: Send + 'static>(
    limits: Limits,
    started: Instant,
    load: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, loaded) = channel();
    let send = move || {
        // the watching thread may have given up
        let _ = sender.send(load());
    };
    let thread = match thread::Builder::new().stack_size(deep_stack()).spawn(send) {
        Ok(thread) => thread,
        Err(error) => return Err(unloaded(&Reason::NoThread(error.to_string()))),
    };
    loop {
        match loaded.recv_timeout(BETWEEN_LOOKS) {
            Ok(loaded) => return loaded,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(reason) = met(limits, started) {
                    return Err(unloaded(&reason));
                }
            }
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => panic::resume_unwind(panic),
                Ok(()) => return Err(Failure::Internal("the model was not loaded".into())),
            },
        }
    }
}

fn met(limits: Limits, started: Instant) -> Option<Reason> {
    let late = limits.time.filter(|&limit| started.elapsed() >= limit + LATE);
    let large = limits.memory.filter(|&limit| machine::resident().is_some_and(|used| used > limit.max(LITTLE)));
    let exhausted = machine::is_exhausted().then_some(Reason::StoreFull);
    late.map(Reason::Time).or(large.map(Reason::Memory)).or(exhausted)
}

fn unloaded(reason: &Reason) -> Failure {
    Failure::Limit(format!("inconclusive: {reason} before the model was loaded"))
}
