//! Diagnostics as data.

use crate::source::{Diagnostic, Severity, Sources};
use serde::Serialize;

/// An error or a warning, and where it belongs if it is about a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    severity: &'static str,
    message: String,
    /// The property that is refused for this, if the rest is in order.
    property: Option<String>,
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    /// How to mend it.
    help: Option<String>,
    /// The macros and inlines that the text came through, innermost first.
    notes: Vec<String>,
}

impl Remark {
    /// A diagnostic with the file, the line and the column that its span stands for.
    pub fn new(sources: &Sources, diagnostic: &Diagnostic) -> Remark {
        let place = diagnostic.span.map(|span| sources.place(span));
        Remark {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: diagnostic.message.clone(),
            property: None,
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            file: place.map(|place| place.file),
            help: diagnostic.help.clone(),
            notes: diagnostic.span.map_or_else(Vec::new, |span| sources.notes(span)),
        }
    }

    /// One remark for each diagnostic, in the same order.
    pub fn all(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<Remark> {
        diagnostics.iter().map(|diagnostic| Remark::new(sources, diagnostic)).collect()
    }

    /// The same as the reason why a property is refused.
    pub fn about(self, property: &str) -> Remark {
        Remark { property: Some(property.into()), ..self }
    }

    /// An error that is about no place.
    pub fn error(message: impl Into<String>) -> Remark {
        Remark::new(&Sources::default(), &Diagnostic::general(message))
    }

    /// A warning that is about no place.
    pub fn warning(message: impl Into<String>) -> Remark {
        Remark { severity: "warning", ..Remark::error(message) }
    }
}
