//! Files that are read: whole, up to a limit, and only where there is an end to be expected.
//!
//! Everything a user names (models, included files, claims, automata, formulas, trails, experiments, journals) comes in
//! through [`read`] or, for the standard input, [`read_input`]. A device may never end and a pipe may never begin, so
//! neither is opened.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// For what people write: models, claims, formulas, experiments. Bytes. No model that we know has a tenth of it, and the stages of the front
/// end take up to some hundred times as much memory as a text.
pub const MOST_TEXT: u64 = 8 << 20;
/// For what programs write: trails and journals. Bytes.
pub const MOST_RECORDED: u64 = 1 << 30;

/// The bytes of a regular file that has no more than `most`.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let about = fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other(format!("it is {}, not a file", kind(&about))));
    }
    read_up_to(File::open(path)?, most)
}

/// The bytes of the standard input, if there are no more than `most`.
pub fn read_input(most: u64) -> io::Result<Vec<u8>> {
    read_up_to(io::stdin().lock(), most)
}

fn read_up_to(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

fn kind(about: &Metadata) -> &'static str {
    if about.is_dir() { "a directory" } else { "a device, a pipe or a socket" }
}

/// The reason alone, without the operating system's number.
pub fn why(error: &io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut reason = text[..end].to_string();
    if let Some(first) = reason.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_opened() {
        let refused = |path: &str| why(&read(Path::new(path), MOST_TEXT).expect_err(path));
        assert_eq!(refused("/dev/zero"), "it is a device, a pipe or a socket, not a file");
        assert_eq!(refused("/"), "it is a directory, not a file");
        assert_eq!(refused("/no/such/file"), "no such file or directory");
    }

    #[test]
    fn no_more_than_the_limit() {
        assert_eq!(read_up_to(&b"1234"[..], 4).expect("it fits"), b"1234");
        assert_eq!(why(&read_up_to(io::repeat(0), 4 << 20).expect_err("endless")), "it has more than 4 MiB");
    }
}
