//! A model file to a program: the stages of the front end, one after the other.
//!
//! Each stage runs the ones before it and hands out its own result, so that every one of them can be shown. Diagnostics
//! come back with the sources they point into; nothing is printed here.

pub use crate::program::Program;
pub use crate::syntax::preprocess::Options;
#[doc(hidden)]
pub use crate::syntax::print::print;

use crate::file;
use crate::machine;
use crate::model::{self, Model};
use crate::program;
use crate::source::{self, Diagnostic, Source, Sources};
use crate::syntax::flat::{self, Flat};
use crate::syntax::parse;
use crate::syntax::spec::{Spec, Unit};
use crate::system::deep_stack;
use std::path::Path;
use std::thread;

/// The result of a stage.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    /// What the spans in it point into.
    pub sources: Sources,
    /// What was noticed on the way; no error.
    pub warnings: Vec<Diagnostic>,
    /// What the stage makes.
    pub it: T,
}

/// What is wrong with a model; at least one error.
#[derive(Clone, Debug)]
pub struct Refused {
    /// What the diagnostics point into.
    pub sources: Sources,
    /// Warnings and errors, in the order of the stages.
    pub diagnostics: Vec<Diagnostic>,
    /// The property that is refused, if the rest of the model is in order.
    pub property: Option<String>,
}

impl Refused {
    /// The model, or another text, is refused.
    pub(crate) fn new(sources: Sources, diagnostics: Vec<Diagnostic>) -> Refused {
        Refused { sources, diagnostics, property: None }
    }
}

/// A model file or another text, or the standard input for `-`.
pub fn read(path: &Path) -> Result<Source, Refused> {
    read_up_to(path, file::MOST_TEXT)
}

/// The same for a trail, which may be long.
pub fn read_trail(path: &Path) -> Result<Source, Refused> {
    read_up_to(path, file::MOST_RECORDED)
}

fn read_up_to(path: &Path, most: u64) -> Result<Source, Refused> {
    let source = if path == Path::new("-") {
        file::read_input(most)
            .map_err(|error| unread("<stdin>", &error))
            .and_then(|text| Source::from_bytes("<stdin>", text))
    } else {
        let name = shown(path);
        let bytes = file::read(path, most).map_err(|error| {
            let help = path.starts_with("/dev").then_some("- is the standard input");
            Diagnostic { help: help.map(String::from), ..unread(&name, &error) }
        });
        bytes.and_then(|bytes| Source::from_bytes(name, bytes)).map(|source| source.at(path))
    };
    source.map_err(|diagnostic| Refused::new(Sources::default(), vec![diagnostic]))
}

/// A path as it was given, or relative to the current directory if that is shorter.
fn shown(path: &Path) -> String {
    let given = path.display().to_string();
    let here = std::env::current_dir().ok().filter(|_| path.is_absolute());
    let relative = here.and_then(|here| Some(path.strip_prefix(here).ok()?.display().to_string()));
    relative.filter(|relative| !relative.is_empty() && relative.len() < given.len()).unwrap_or(given)
}

fn unread(name: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::general(format!("cannot read {name}: {}", file::why(error)))
}

/// A number that tells a model from others: its text as the grammar reads it, with macros replaced and without comments and layout.
pub fn fingerprint(source: &Source, options: &Options) -> Result<u64, Refused> {
    let loaded = flat(source.clone(), options)?;
    let words = loaded.it.text.split_whitespace();
    Ok(source::fnv(words.flat_map(|word| word.bytes().chain([b' ']))))
}

/// The text the grammar reads.
pub fn flat(source: Source, options: &Options) -> Result<Loaded<Flat>, Refused> {
    let mut sources = Sources::default();
    let file = sources.add(source);
    match flat::flatten(&mut sources, file, options, &|path: &Path| file::read(path, file::MOST_TEXT)) {
        Ok((flat, warnings)) => Ok(Loaded { sources, warnings, it: flat }),
        Err(diagnostics) => Err(Refused::new(sources, diagnostics)),
    }
}

/// The syntax tree.
pub fn spec(source: Source, options: &Options) -> Result<Loaded<Spec>, Refused> {
    let Loaded { sources, mut warnings, it: flat } = flat(source, options)?;
    let parsed = parse::parse(&flat.text, &flat.origin(&sources));
    match parsed {
        Ok((mut spec, remarks)) => {
            warnings.extend(remarks);
            for unit in &mut spec.units {
                if let Unit::Ltl(ltl) = unit {
                    let faults = std::mem::take(&mut ltl.faults).into_iter();
                    ltl.faults = faults.map(|fault| sources.without_brackets(fault)).collect();
                }
            }
            Ok(Loaded { sources, warnings, it: spec })
        }
        Err(errors) => {
            warnings.extend(errors.into_iter().map(|error| sources.without_brackets(error)));
            Err(Refused::new(sources, warnings))
        }
    }
}

/// The model with all names resolved.
pub fn model(source: Source, options: &Options) -> Result<Loaded<Model>, Refused> {
    let Loaded { sources, mut warnings, it: spec } = spec(source, options)?;
    let (model, diagnostics) = model::resolve(&spec);
    warnings.extend(diagnostics);
    match model {
        Some(model) => Ok(Loaded { sources, warnings, it: model }),
        None => Err(Refused::new(sources, warnings)),
    }
}

/// The program, ready to run.
pub fn program(source: Source, options: &Options) -> Result<Loaded<Program>, Refused> {
    let Loaded { sources, mut warnings, it: model } = model(source, options)?;
    match program::lower(model, &sources) {
        Ok(program) => Ok(Loaded { sources, warnings, it: Program { lossy: options.lossy, ..program } }),
        Err(errors) => {
            warnings.extend(errors);
            Err(Refused::new(sources, warnings))
        }
    }
}

/// Runs `work` on a thread whose stack is deep enough for any model; an error is the panic that ended it. Where there are no threads, it
/// has to do with the stack of the caller.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> thread::Result<T> {
    if !machine::HAS_THREADS {
        return Ok(work());
    }
    thread::scope(|scope| match thread::Builder::new().stack_size(deep_stack()).spawn_scoped(scope, work) {
        Ok(thread) => thread.join(),
        Err(error) => Err(Box::new(format!("cannot start a thread: {error}")) as Box<_>),
    })
}
