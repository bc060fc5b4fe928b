//! Writing without panics: a reader may go away at any time (`swarmgp … | head`).

use std::io::{self, Write};

/// Writes a result to the standard output. False: nobody reads it any more.
pub fn print(text: &str) -> bool {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_ok()
}

/// Writes a line to the standard error.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

pub fn warn(text: &str) {
    complain(&format!("warning: {text}"));
}
