//! Everything that is printed or written to a file, without panics.
//!
//! What cannot be written is an error, and its exit code 2 takes the place of the verdict's: a result that got lost was not
//! given. A reader may go away at any time (`swarmgp … | head`); that is no error, and the command ends with the exit code
//! of what is known by then. Whatever is written goes through [`visible`], so that no model or file name can send codes to a
//! terminal. Colours of our own ([`paint`]) are left out where they are not wanted: in a pipe or a file, with NO_COLOR, on a terminal that has
//! none, and as `--color` says.

use super::Failure;
use super::args::When;
use super::wrap::all_wrapped;
use crate::file::why;
use crate::report::paint;
use crate::report::visible::visible;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether there is anybody to write more for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    There,
    Gone,
}

/// The standard output was closed when the program started.
pub static CLOSED: AtomicBool = AtomicBool::new(false);

/// What becomes of writing then.
pub fn closed() -> io::Error {
    io::Error::other("it is closed")
}

/// Writes a result to the standard output.
pub fn print(text: &str) -> Result<Reader, Failure> {
    print_styled(&paint::escapes(&visible(text)))
}

/// Writes a text that has codes for a terminal of our own; all that is not ours in it has been made visible.
pub fn print_styled(text: &str) -> Result<Reader, Failure> {
    if CLOSED.load(Relaxed) && !text.is_empty() {
        return judge(Err(closed()));
    }
    let mut out = AutoStream::auto(io::stdout()).lock();
    judge(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// What came of writing to the standard output.
pub fn judge(written: io::Result<()>) -> Result<Reader, Failure> {
    match written {
        Ok(()) => Ok(Reader::There),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(Failure::Usage(format!("cannot write to the standard output: {}", why(&error)))),
    }
}

/// Writes a file, or to the standard output for `-`.
pub fn write(file: &Path, text: &str) -> Result<(), Failure> {
    if is_standard(file) {
        return print(text).map(drop);
    }
    std::fs::write(file, visible(text).as_bytes()).map_err(|error| unwritable(file, &error))
}

pub fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

pub fn unwritable(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot write {}: {}", file.display(), why(error)))
}

/// Writes a line to the standard error; where this fails there is nobody left to tell.
pub fn complain(text: &str) {
    complain_styled(&paint::escapes(&visible(text)));
}

/// The same for a text that has codes for a terminal of our own.
pub fn complain_styled(text: &str) {
    let _ = writeln!(AutoStream::auto(io::stderr()), "{text}");
}

pub fn warn(text: &str) {
    complain(&headline(&format!("warning: {text}")));
}

pub fn error(text: &str) {
    complain(&headline(&format!("error: {text}")));
}

fn headline(text: &str) -> String {
    paint::headline(&all_wrapped(text, 2, width_of_complaints()))
}

/// From now on, colours are used as `--color` says.
pub fn use_colours(when: When) {
    match when {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    }
    .write_global();
}

/// How many columns the terminal of the standard output has; `None` if it is none: what goes elsewhere is not cut.
pub fn width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let set = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    set.or_else(|| console::Term::stdout().size_checked().map(|(_, columns)| columns.into()))
        .filter(|&columns| columns > 0)
}

/// The same for the standard error.
pub fn width_of_complaints() -> Option<usize> {
    console::Term::stderr().size_checked().map(|(_, columns)| columns.into()).filter(|_| io::stderr().is_terminal())
}
