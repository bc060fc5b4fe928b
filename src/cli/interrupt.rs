//! Ctrl-C: the first one ends the search, which still says what it knows; the second one ends the program.
//!
//! As long as there is nothing to say the first one ends the program, as the system does by itself: no flag is asked for before
//! there is a loop that polls it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// What a shell reports for a program that Ctrl-C ended.
const KILLED: i32 = 130;

/// A flag that the first interrupt sets, from now on; what comes must poll it.
pub fn flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    // without a handler Ctrl-C still ends the program, only less politely
    let _ = ctrlc::set_handler(move || {
        if seen.swap(true, SeqCst) {
            std::process::exit(KILLED);
        }
    });
    stop
}
