//! What the readers share: nom parsers whose mistakes know their place.
//!
//! A parser starts at the first byte of a lexeme and skips the space behind its own, so that "expected" always points at
//! what stands there instead. Pieces of the tree are slices of the text; a slice is turned into a span at the very end,
//! by its offset.
//!
//! nom's `Error` means "not this, try something else", its `Failure` means "wrong, and here is why". Only the latter
//! carries a message.

use crate::error::Error;
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Offset, Parser};

pub type Read<'a, T> = IResult<&'a str, T, Mistake<'a>>;

/// What is wrong, with the stretch of the text that is to blame. Behind a pointer, because results are on the stack of
/// recursive parsers.
#[derive(Debug)]
pub struct Mistake<'a>(Box<Blame<'a>>);

#[derive(Debug)]
struct Blame<'a> {
    at: &'a str,
    message: String,
    help: Option<&'static str>,
}

impl<'a> Mistake<'a> {
    pub fn new(at: &'a str, message: impl Into<String>) -> Mistake<'a> {
        Mistake(Box::new(Blame { at, message: message.into(), help: None }))
    }

    pub fn help(mut self, help: &'static str) -> Mistake<'a> {
        self.0.help = Some(help);
        self
    }

    /// `what` should stand at the start of `input`.
    pub fn expected(what: &str, input: &'a str) -> Mistake<'a> {
        let found = next(input);
        match found {
            "" => Mistake::new(found, format!("expected {what}, found the end of the text")),
            "/*" => Mistake::new(found, "this comment is never closed"),
            _ => Mistake::new(found, format!("expected {what}, found `{found}`")),
        }
    }

    /// The mistake as an error of `text`, of which `at` is a slice.
    pub fn of(self, text: &'a str) -> Error {
        let Blame { at, message, help } = *self.0;
        let start = text.offset(at);
        let error = Error::new(message, start..start + at.len());
        match help {
            Some(help) => error.help(help),
            None => error,
        }
    }
}

impl<'a> ParseError<&'a str> for Mistake<'a> {
    fn from_error_kind(input: &'a str, _: ErrorKind) -> Self {
        Mistake::new(&input[..0], "")
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Runs a parser for a whole text.
pub fn run<'a, T>(text: &'a str, parser: impl FnOnce(&'a str) -> Read<'a, T>) -> Result<T, Mistake<'a>> {
    match parser(text) {
        Ok((_, value)) => Ok(value),
        Err(Err::Failure(mistake) | Err::Error(mistake)) => Err(mistake),
        Err(Err::Incomplete(_)) => Err(Mistake::new(&text[text.len()..], "the text ends too early")),
    }
}

/// A mistake for good.
pub fn fail<'a, T>(mistake: Mistake<'a>) -> Read<'a, T> {
    Err(Err::Failure(mistake))
}

/// Not this: another parser may try.
pub fn miss<'a, T>(input: &'a str) -> Read<'a, T> {
    Err(Err::Error(Mistake::from_error_kind(input, ErrorKind::Alt)))
}

/// What must come now. If it does not, that is a mistake for good.
pub fn expect<'a, T, P>(what: &'static str, mut parser: P) -> impl FnMut(&'a str) -> Read<'a, T>
where
    P: Parser<&'a str, Output = T, Error = Mistake<'a>>,
{
    move |input| match parser.parse(input) {
        Err(Err::Error(_)) => fail(Mistake::expected(what, input)),
        result => result,
    }
}

/// The text from the start of `input` to the end of `last`, a slice of it.
pub fn stretch<'a>(input: &'a str, last: &'a str) -> &'a str {
    &input[..input.offset(last) + last.len()]
}

/// What a reader would take for the next lexeme, for messages only.
fn next(input: &str) -> &str {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let end = match input.chars().next() {
        None => 0,
        Some(c) if word(c) => input.find(|c| !word(c)).unwrap_or(input.len()),
        Some('-') => input.find(|c| !word(c) && c != '-').unwrap_or(input.len()),
        Some('/') if input.starts_with("/*") => 2,
        Some(c) => c.len_utf8(),
    };
    &input[..end]
}
