//! The formulas that a command is about, and what is said about them on the standard error.

use super::conditions::condition;
use crate::cli::{Exit, output, say};
use crate::load::{self, Refused};
use crate::source::{Diagnostic, Source, Sources, Span};
use ltl::parse::Warning;
use ltl::{Error, Limit, Parsed, parse_with};
use std::path::Path;

/// Where formulas were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Argument,
    Lines,
}

/// Texts that ought to be formulas.
pub struct Input {
    pub origin: Origin,
    pub sources: Sources,
    pub formulas: Vec<Span>,
}

/// Why a formula gets no answer.
pub struct Problem {
    pub exit: Exit,
    pub diagnostic: Diagnostic,
}

impl Input {
    /// The one formula of an argument.
    pub fn argument(name: &str, text: &str) -> Input {
        let mut sources = Sources::default();
        let file = sources.add(Source::new(name, text));
        Input { origin: Origin::Argument, sources, formulas: vec![Span::new(file, 0, text.len())] }
    }

    /// A formula a line, without the space around it; empty lines and lines that begin with # have none.
    pub fn lines(path: &Path) -> Result<Input, Refused> {
        let mut sources = Sources::default();
        let file = sources.add(load::read(path)?);
        let mut formulas = Vec::new();
        let mut start = 0;
        for line in sources.file(file).text.split_inclusive('\n') {
            let formula = line.trim();
            let at = start + line.len() - line.trim_start().len();
            if !formula.is_empty() && !formula.starts_with('#') {
                formulas.push(Span::new(file, at, at + formula.len()));
            }
            start += line.len();
        }
        Ok(Input { origin: Origin::Lines, sources, formulas })
    }

    pub fn parse(&self, formula: Span) -> Result<Parsed, Problem> {
        let refused = |error: Error| {
            let diagnostic =
                Diagnostic { help: error.help, ..Diagnostic::error(within(formula, error.span), error.message) };
            Problem { exit: Exit::Refused, diagnostic }
        };
        parse_with(self.sources.text(formula), &condition).map_err(refused)
    }

    /// A formula that is too hard.
    pub fn beyond(&self, formula: Span, limit: Limit) -> Problem {
        Problem { exit: Exit::Inconclusive, diagnostic: Diagnostic::error(formula, limit.to_string()) }
    }

    /// Says that SPIN reads a formula otherwise: once, since whoever cares asks with --show. Of a line in a file there
    /// is one line to say.
    pub fn warn(&self, formula: Span, warnings: &[Warning]) {
        let [Warning { note, .. }, more @ ..] = warnings else { return };
        let span = within(formula, note.span.clone());
        if self.origin == Origin::Lines {
            return output::warn(&format!("{}: {}", self.sources.place(span), note.message));
        }
        let more = if more.is_empty() { "" } else { "; --show tells of another reading" };
        let warning = Diagnostic::warning(span, note.message.as_str());
        let warning = Diagnostic { help: note.help.as_ref().map(|help| format!("{help}{more}")), ..warning };
        say(&self.sources, &warning);
    }
}

fn within(formula: Span, part: ltl::Span) -> Span {
    let start = formula.start as usize;
    Span::new(formula.file, start + part.start, start + part.end)
}
