//! What is read is not written over, and two results are not written to one file.
//!
//! Files are told apart by what they are, not by how they are called: a symbolic link, a hard link and another way to the
//! same file are that file. So is the file that the standard input comes from, or the standard output goes to. Devices and pipes (`/dev/null`)
//! are nobody's input and take whatever comes.

use super::Failure;
use super::output::{is_standard, unwritable};
use std::fs::{self, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file to be written, and the option that names it.
pub type Output<'o> = (&'static str, &'o Path);

/// Refuses outputs that cannot be written, that are among the `inputs`, or that are the same twice. Files that do not exist
/// are made, to see that they can be, and removed again.
pub fn check<'i>(outputs: &[Output], inputs: impl IntoIterator<Item = &'i Path>) -> Result<(), Failure> {
    let inputs: Vec<Identity> = inputs.into_iter().filter_map(identity).chain(standard_input()).collect();
    let mut made = Vec::new();
    let checked = check_each(outputs, &inputs, &mut made);
    made.iter().for_each(|file: &PathBuf| _ = fs::remove_file(file));
    checked
}

/// Refuses a file that is among the inputs, or the standard output.
pub fn check_input<'i>(output: Output, inputs: impl IntoIterator<Item = &'i Path>) -> Result<(), Failure> {
    let Some(own) = identity(output.1) else { return Ok(()) };
    if inputs.into_iter().filter_map(identity).chain(standard_input()).any(|input| input == own) {
        return Err(overwrites(output));
    }
    match standard_output() {
        Some(standard) if standard == own => Err(written_twice(STANDARD_OUTPUT, output)),
        _ => Ok(()),
    }
}

fn check_each(outputs: &[Output], inputs: &[Identity], made: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let standard: Vec<&str> = outputs.iter().filter(|(_, file)| is_standard(file)).map(|(option, _)| *option).collect();
    if let [one, other, ..] = standard[..] {
        return Err(Failure::Usage(format!("{one} - and {other} - both want the standard output")));
    }
    let mut seen: Vec<(&str, Identity)> = standard_output().map(|own| (STANDARD_OUTPUT, own)).into_iter().collect();
    for &(option, file) in outputs.iter().filter(|(_, file)| !is_standard(file)) {
        let Some(own) = opened(file, made).map_err(|error| unwritable(file, &error))? else { continue };
        if inputs.contains(&own) {
            return Err(overwrites((option, file)));
        }
        if let Some((other, _)) = seen.iter().find(|(_, seen)| *seen == own) {
            return Err(written_twice(other, (option, file)));
        }
        seen.push((option, own));
    }
    Ok(())
}

fn overwrites((option, file): Output) -> Failure {
    Failure::Usage(format!("{option} {} would overwrite a file that is read", file.display()))
}

const STANDARD_OUTPUT: &str = "the standard output";

fn written_twice(other: &str, (option, file): Output) -> Failure {
    Failure::Usage(format!("{other} and {option} both write {}", file.display()))
}

/// What a file is that can be written; `None` for devices and pipes.
fn opened(file: &Path, made: &mut Vec<PathBuf>) -> io::Result<Option<Identity>> {
    let is_new = match fs::metadata(file) {
        Ok(about) if !about.is_file() && !about.is_dir() => return Ok(None),
        Ok(_) => false,
        Err(_) => true,
    };
    OpenOptions::new().create(true).append(true).open(file)?;
    if is_new {
        // a link to a file that did not exist stays
        made.push(file.canonicalize()?);
    }
    Ok(identity(file))
}

/// Which file a name stands for; `None` if there is none, or it is no regular file.
fn identity(file: &Path) -> Option<Identity> {
    fs::metadata(file).ok().filter(Metadata::is_file).and_then(|about| number(file, &about))
}

/// Device and number.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn number(_: &Path, about: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

/// The file that the standard input comes from, if it is one.
#[cfg(unix)]
fn standard_input() -> Option<Identity> {
    behind(io::stdin())
}

/// The file that the standard output goes to, if it is one.
#[cfg(unix)]
fn standard_output() -> Option<Identity> {
    behind(io::stdout())
}

#[cfg(unix)]
fn behind(stream: impl std::os::fd::AsFd) -> Option<Identity> {
    let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok().filter(Metadata::is_file).and_then(|about| number(Path::new("-"), &about))
}

#[cfg(not(unix))]
type Identity = PathBuf;

/// Has no name to tell it by.
#[cfg(not(unix))]
fn standard_input() -> Option<Identity> {
    None
}

#[cfg(not(unix))]
fn standard_output() -> Option<Identity> {
    None
}

#[cfg(not(unix))]
fn number(file: &Path, _: &Metadata) -> Option<Identity> {
    file.canonicalize().ok()
}
