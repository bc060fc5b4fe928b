//! Text in, diagnostics or a model out.

mod declarations;
mod examples;
mod expressions;
mod labels;
mod messages;
mod models;
mod statements;

use super::{Model, resolve};
use crate::source::{Diagnostic, Severity, Source, Sources};
use crate::syntax::preprocess::Options;
use crate::syntax::spec::Spec;
use crate::syntax::{flat, parse};
use std::io;
use std::path::Path;

/// Resolves a text and compares all diagnostics, each as `severity line:column message (help)`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut sources = Sources::default();
    let spec = read(&mut sources, Source::new("model.pml", text));
    let (model, found) = resolve(&spec);
    let found: Vec<String> = found.iter().map(|diagnostic| show(&sources, diagnostic)).collect();
    assert_eq!(found, expected, "\n{text}");
    assert_eq!(model.is_some(), !expected.iter().any(|line| line.starts_with("error")), "\n{text}");
}

/// The model of a text that has no errors.
#[track_caller]
fn model(text: &str) -> Model {
    let mut sources = Sources::default();
    let spec = read(&mut sources, Source::new("model.pml", text));
    let (model, found) = resolve(&spec);
    let found: Vec<String> = found.iter().map(|diagnostic| show(&sources, diagnostic)).collect();
    model.unwrap_or_else(|| panic!("{found:#?}\n{text}"))
}

fn show(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let place = diagnostic.span.map(|span| sources.place(span));
    let place = place.map_or(String::new(), |place| format!(" {}:{}", place.line, place.column));
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{severity}{place} {}{help}", diagnostic.message)
}

#[track_caller]
fn read(sources: &mut Sources, source: Source) -> Spec {
    let file = sources.add(source);
    let disk = |path: &Path| -> io::Result<Vec<u8>> { std::fs::read(path) };
    let (flat, _) = flat::flatten(sources, file, &Options::default(), &disk).expect("the text is flat");
    parse::parse(&flat.text, &|start, end| flat.span(start..end, sources)).expect("the text is Promela").0
}
