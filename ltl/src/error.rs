//! What can be wrong with a formula or an automaton that was read.

use crate::expr::Span;
use std::fmt;

/// A text that we cannot read, with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub message: String,
    /// In the text that was given.
    pub span: Span,
    /// What might be meant instead.
    pub help: Option<String>,
}

impl Error {
    /// An error without help.
    pub fn new(message: impl Into<String>, span: Span) -> Error {
        Error { message: message.into(), span, help: None }
    }

    /// The same error with a piece of advice.
    pub fn help(mut self, help: impl Into<String>) -> Error {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.span.start)
    }
}

impl std::error::Error for Error {}
