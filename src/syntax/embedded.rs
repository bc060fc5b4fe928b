//! Refusing embedded C.
//!
//! `c_code [pre] { … }`, `c_decl { … }`, `c_expr { … }`, `c_state "…" "…" "…"` and `c_track` hold C text that would need
//! a C compiler. Each of the five is reported once; its C text is skipped, so that nothing in it is taken for Promela.

use super::report::Report;
use super::token::{Kind, Token};
use super::word::{Word, Words};
use crate::source::Diagnostic;

#[derive(Debug, Default)]
pub struct Embedded {
    state: State,
    reported: Vec<Word>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Outside,
    /// Behind `c_code`, `c_decl` or `c_expr`.
    Keyword,
    /// In `[ … ]`, this deep.
    Precondition(usize),
    /// In `{ … }`, this deep.
    Block(usize),
    /// Behind `c_state` or `c_track`.
    Strings,
}

impl Embedded {
    pub fn inside(&self) -> bool {
        self.state != State::Outside
    }

    /// Is this token part of embedded C?
    pub fn swallows(&mut self, token: &Token, words: &Words, report: &mut Report) -> bool {
        let next = match (self.state, token.text) {
            (State::Keyword, Word::BRACKET) => Some(State::Precondition(1)),
            (State::Keyword, Word::BRACE) => Some(State::Block(1)),
            (State::Precondition(depth), Word::BRACKET) => Some(State::Precondition(depth + 1)),
            (State::Precondition(1), Word::BRACKET_END) => Some(State::Keyword),
            (State::Precondition(depth), Word::BRACKET_END) => Some(State::Precondition(depth - 1)),
            (State::Block(depth), Word::BRACE) => Some(State::Block(depth + 1)),
            (State::Block(1), Word::BRACE_END) => Some(State::Outside),
            (State::Block(depth), Word::BRACE_END) => Some(State::Block(depth - 1)),
            (State::Precondition(_) | State::Block(_), _) => Some(self.state),
            (State::Strings, _) if token.kind == Kind::Str => Some(State::Strings),
            _ => self.keyword(token, words, report),
        };
        self.state = next.unwrap_or(State::Outside);
        next.is_some()
    }

    fn keyword(&mut self, token: &Token, words: &Words, report: &mut Report) -> Option<State> {
        let next = match token.text {
            Word::C_CODE | Word::C_DECL | Word::C_EXPR => State::Keyword,
            Word::C_STATE | Word::C_TRACK => State::Strings,
            _ => return None,
        };
        if !self.reported.contains(&token.text) {
            self.reported.push(token.text);
            let message = format!("embedded C ({}) is not supported", words.text(token.text));
            let help = "describe its effect in Promela: there is no C compiler behind this checker";
            report.say(Diagnostic::error(token.span, message).help(help));
        }
        Some(next)
    }
}
