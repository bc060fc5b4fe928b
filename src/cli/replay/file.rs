//! Which trail file is replayed.

use super::{Failure, Replay};
use crate::file;
use crate::trail::Origin;
use crate::trail::origin::Violated;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The trail file that was named, or the one that verify wrote for the property that is asked for.
///
/// verify writes MODEL.trail for a property that is checked alone and for safety, and MODEL.PROPERTY.trail if several are checked. Where
/// both exist, the newer of those that name the property counts.
pub fn choose(args: &Replay) -> Result<PathBuf, Failure> {
    if let Some(file) = &args.trail {
        return Ok(file.clone());
    }
    let plain = places(args, None);
    let own = args.property.as_deref().filter(|&name| name != "safety");
    let own: Vec<PathBuf> = own.map(|name| places(args, Some(name))).unwrap_or_default();
    let there = || own.iter().chain(&plain).filter(|file| file.exists());
    let Some(name) = &args.property else {
        return there().next().map_or_else(|| other(args, &plain), |file| Ok(file.clone()));
    };
    let named = there().filter(|file| recorded(file).is_some_and(|violated| is_of(&violated, name)));
    // pan's trails do not say what they are trails of
    let silent = || there().find(|file| recorded(file).is_none());
    if let Some(file) = named.max_by_key(|file| written(file)).or_else(silent) {
        return Ok(file.clone());
    }
    match there().find_map(|file| Some((file, recorded(file)?))) {
        Some((file, violated)) => Err(Failure::Usage(format!(
            "there is no trail of {name}; {} is one of {}: name it to judge it by {name}",
            file.display(),
            violated.text()
        ))),
        None => other(args, &plain),
    }
}

/// Where there is none of the files that were looked for: the only trail of a property, if nobody asked for another one.
fn other(args: &Replay, plain: &[PathBuf]) -> Result<PathBuf, Failure> {
    match &of_properties(args)[..] {
        [only] if args.property.is_none() => Ok(only.clone()),
        [] => Err(Failure::Usage(format!(
            "there is no trail of {}: {} does not exist",
            args.model.shown(),
            listed(plain)
        ))),
        several => {
            let message = format!("{} does not exist; name one of {}", listed(plain), listed(several));
            Err(Failure::Usage(message))
        }
    }
}

/// In the current directory, then beside the model.
fn places(args: &Replay, property: Option<&str>) -> Vec<PathBuf> {
    let here = args.model.trail_file(property.map(|name| name.replace(':', ".")).as_deref(), 1);
    let beside = args.model.model.with_file_name(&here);
    if beside == here { vec![here] } else { vec![here, beside] }
}

/// What the file says that it is a trail of.
fn recorded(path: &Path) -> Option<Violated> {
    let text = file::read(path, file::MOST_RECORDED).ok().and_then(|bytes| String::from_utf8(bytes).ok())?;
    Origin::read(&text).map(|origin| origin.violated)
}

/// The only never claim of a model goes without its name, too.
fn is_of(violated: &Violated, property: &str) -> bool {
    let Violated::Property(name) = violated else { return false };
    name == property || name == "never" && property.starts_with("never:")
}

fn written(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|data| data.modified()).ok()
}

/// Trails of single properties of this model in the current directory.
fn of_properties(args: &Replay) -> Vec<PathBuf> {
    let plain = args.model.trail_file(None, 1).display().to_string();
    let stem = plain.strip_suffix("trail").unwrap_or(&plain);
    let names =
        std::fs::read_dir(".").into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut found: Vec<PathBuf> = names
        .filter(|name| name.starts_with(stem) && name.ends_with(".trail") && *name != plain)
        .map(PathBuf::from)
        .collect();
    found.sort();
    found
}

fn listed(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" or ")
}
