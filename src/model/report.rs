//! What resolving has to tell the user: collected as found, handed out in the order of the text.

use crate::source::{Diagnostic, Severity, Span};
use crate::syntax::spelling::did_you_mean;

/// The diagnostics found so far.
#[derive(Default)]
pub struct Report {
    found: Vec<Diagnostic>,
}

impl Report {
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(span, message));
    }

    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::warning(span, message));
    }

    pub fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    pub fn append(&mut self, other: Report) {
        self.found.extend(other.found);
    }

    /// Removes the errors about a part of a text.
    pub fn take_errors_within(&mut self, part: Span) -> Vec<Diagnostic> {
        let inside = |span: Span| {
            (span.file, span.via) == (part.file, part.via) && part.start <= span.start && span.end <= part.end
        };
        let taken = |d: &mut Diagnostic| d.severity == Severity::Error && d.span.is_some_and(inside);
        Report { found: self.found.extract_if(.., taken).collect() }.finish()
    }

    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.severity == Severity::Error)
    }

    /// In the order of the text, each once: the body of an inline that is called ten times has its mistake once.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        let place = |d: &Diagnostic| d.span.map(|s| (s.file.0, s.start, s.end));
        self.found.sort_by_key(place);
        self.found.dedup_by(|b, a| place(a) == place(b) && a.message == b.message);
        self.found
    }
}

/// An error about a name, with the nearest spelling of a candidate as help.
pub fn unknown<'n>(span: Span, what: &str, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let help = did_you_mean(name, candidates);
    Diagnostic { help, ..Diagnostic::error(span, format!("{what} `{name}`")) }
}

/// The same where no candidate is near, but a keyword may have been meant.
pub fn or_keyword(diagnostic: Diagnostic, keyword: Option<String>) -> Diagnostic {
    Diagnostic { help: diagnostic.help.or(keyword), ..diagnostic }
}
