//! What the stages from file to flat text have to say, and when they give up.
//!
//! A stage reports and goes on, so that one run shows several errors. It stops at a limit, or when there is too much to
//! report (binary junk read as a model).

use crate::source::{Diagnostic, Severity, Span};
use rustc_hash::FxHashSet;

/// Errors shown in one run.
const MAX_ERRORS: usize = 50;

/// Tokens that macros and inlines may produce, and expansions they may take. A large generated model has some hundred
/// thousand; `#define a b b`, `#define b c c`, … doubles with every line.
pub const MAX_TOKENS: usize = 2_000_000;

/// Expansions inside one another.
pub const MAX_DEPTH: u32 = 1_000;

#[derive(Debug, Default)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    stopped: bool,
    said: FxHashSet<(Option<Span>, String)>,
    used: usize,
}

impl Report {
    /// Reports once: a fault in the body of a macro is not repeated for every use.
    pub fn say(&mut self, diagnostic: Diagnostic) {
        let place = diagnostic.span.map(|span| Span { via: None, ..span });
        if self.stopped || !self.said.insert((place, diagnostic.message.clone())) {
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
        if self.errors == MAX_ERRORS {
            self.stop(Diagnostic::general("too many errors; the rest of the model was not looked at"));
        }
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.say(Diagnostic::error(span, message));
    }

    /// Reports an error after which going on makes no sense.
    pub fn stop(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.stopped = true;
            self.errors += 1;
            self.diagnostics.push(diagnostic);
        }
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Charges an expansion at `call` that produces `tokens` tokens and lies `depth` deep; stops when it is too much.
    pub fn charge(&mut self, tokens: usize, depth: u32, call: Span) {
        self.used = self.used.saturating_add(tokens).saturating_add(1);
        if self.used > MAX_TOKENS {
            let message = format!("the model expands to more than {MAX_TOKENS} tokens");
            self.stop(Diagnostic::error(call, message));
        } else if depth > MAX_DEPTH {
            self.stop(Diagnostic::error(call, format!("expansions are nested more than {MAX_DEPTH} deep")));
        }
    }

    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}
