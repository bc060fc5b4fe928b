//! What resolving has to tell the user: collected as found, handed out in the order of the text.

use crate::source::{Diagnostic, Severity, Span};

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

/// The candidate a user most likely meant by `name`, as a help text.
pub fn did_you_mean<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let allowed = (name.chars().count() / 3).max(1);
    let distance = |candidate: &str| match candidate.eq_ignore_ascii_case(name) {
        true => 0,
        false => strsim::damerau_levenshtein(name, candidate),
    };
    candidates
        .into_iter()
        .filter(|&c| c != name && c.chars().count().abs_diff(name.chars().count()) <= allowed)
        .map(|c| (distance(c), c))
        .filter(|&(d, c)| d <= allowed && d < c.chars().count())
        .min()
        .map(|(_, nearest)| format!("did you mean `{nearest}`?"))
}

/// An error about a name, with the nearest spelling as help.
pub fn unknown<'n>(span: Span, what: &str, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(span, format!("{what} `{name}`"));
    match did_you_mean(name, candidates) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
