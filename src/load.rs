//! A model file to a program: the stages of the front end, one after the other.
//!
//! Each stage runs the ones before it and hands out its own result, so that every one of them can be shown. Diagnostics
//! come back with the sources they point into; nothing is printed here.

use crate::model::{self, Model};
use crate::program::{self, Program};
use crate::source::{Diagnostic, Source, Sources};
use crate::syntax::flat::{self, Flat};
use crate::syntax::parse;
use crate::syntax::preprocess::Options;
use crate::syntax::spec::Spec;
use crate::system::DEEP_STACK;
use std::io::Read;
use std::path::Path;
use std::thread;

/// The result of a stage.
#[derive(Clone, Debug)]
pub struct Loaded<T> {
    pub sources: Sources,
    pub warnings: Vec<Diagnostic>,
    pub it: T,
}

/// What is wrong with a model; at least one error.
#[derive(Clone, Debug)]
pub struct Refused {
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
}

/// A model file, or the standard input for `-`.
pub fn read(path: &Path) -> Result<Source, Refused> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        ("<stdin>".to_string(), std::io::stdin().read_to_end(&mut bytes).map(|_| bytes))
    } else {
        (path.display().to_string(), std::fs::read(path))
    };
    let bytes = bytes.map_err(|error| Diagnostic::general(format!("cannot read {name}: {}", why(&error))));
    let source = bytes.and_then(|bytes| Source::from_bytes(name, bytes));
    source.map_err(|diagnostic| Refused { sources: Sources::default(), diagnostics: vec![diagnostic] })
}

/// The reason alone, without the operating system's number.
pub fn why(error: &std::io::Error) -> String {
    let text = error.to_string();
    let end = text.find(" (os error").unwrap_or(text.len());
    let mut reason = text[..end].to_string();
    if let Some(first) = reason.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    reason
}

/// The text the grammar reads.
pub fn flat(source: Source, options: &Options) -> Result<Loaded<Flat>, Refused> {
    let mut sources = Sources::default();
    let file = sources.add(source);
    match flat::flatten(&mut sources, file, options, &|path: &Path| std::fs::read(path)) {
        Ok((flat, warnings)) => Ok(Loaded { sources, warnings, it: flat }),
        Err(diagnostics) => Err(Refused { sources, diagnostics }),
    }
}

/// The syntax tree.
pub fn spec(source: Source, options: &Options) -> Result<Loaded<Spec>, Refused> {
    let Loaded { sources, mut warnings, it: flat } = flat(source, options)?;
    match parse::parse(&flat.text, &|start, end| flat.span(start..end, &sources)) {
        Ok(spec) => Ok(Loaded { sources, warnings, it: spec }),
        Err(errors) => {
            warnings.extend(errors);
            Err(Refused { sources, diagnostics: warnings })
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
        None => Err(Refused { sources, diagnostics: warnings }),
    }
}

/// The program, ready to run.
pub fn program(source: Source, options: &Options) -> Result<Loaded<Program>, Refused> {
    let Loaded { sources, mut warnings, it: model } = model(source, options)?;
    match program::lower(model, &sources) {
        Ok(program) => Ok(Loaded { sources, warnings, it: program }),
        Err(errors) => {
            warnings.extend(errors);
            Err(Refused { sources, diagnostics: warnings })
        }
    }
}

/// Runs `work` on a thread whose stack is deep enough for any model; an error is the panic that ended it.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> thread::Result<T> {
    thread::scope(|scope| match thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, work) {
        Ok(thread) => thread.join(),
        Err(error) => Err(Box::new(format!("cannot start a thread: {error}")) as Box<_>),
    })
}
