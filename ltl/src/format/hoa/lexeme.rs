//! The smallest parts of the format. Each parser takes the space behind its lexeme, too.

use super::super::reading::{Mistake, Read, fail, miss};
use nom::Parser;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, satisfy};
use nom::combinator::{recognize, verify};
use nom::sequence::{preceded, terminated};

pub const ABORT: &str = "--ABORT--";

/// A number and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number<'a> {
    pub value: usize,
    pub at: &'a str,
}

/// The text behind space and comments. Comments nest; one that is never closed is not space.
pub fn space(mut input: &str) -> &str {
    loop {
        input = input.trim_start();
        match comment(input) {
            Some(behind) => input = behind,
            None => return input,
        }
    }
}

fn comment(input: &str) -> Option<&str> {
    let mut rest = input.strip_prefix("/*")?;
    let mut depth = 1;
    while depth > 0 {
        rest = &rest[rest.find(['*', '/'])?..];
        let (change, skip) = match rest.as_bytes() {
            [b'*', b'/', ..] => (-1, 2),
            [b'/', b'*', ..] => (1, 2),
            _ => (0, 1),
        };
        depth += change;
        rest = &rest[skip..];
    }
    Some(rest)
}

fn spaced<T>((rest, value): (&str, T)) -> (&str, T) {
    (space(rest), value)
}

pub fn sign<'a>(sign: &'static str) -> impl Fn(&'a str) -> Read<'a, &'a str> {
    move |input| tag(sign).parse(input).map(spaced)
}

pub fn number(input: &str) -> Read<'_, Number<'_>> {
    let (rest, at) = digit1(input)?;
    match at.parse() {
        Ok(value) => Ok((space(rest), Number { value, at })),
        Err(_) => fail(Mistake::new(at, "the number is too large")),
    }
}

fn word(input: &str) -> Read<'_, &str> {
    recognize((satisfy(|c| c.is_ascii_alphabetic() || c == '_'), take_while(in_word))).parse(input)
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A word that does not name a header.
pub fn identifier(input: &str) -> Read<'_, &str> {
    let (rest, found) = word(input)?;
    if rest.starts_with(':') { miss(input) } else { Ok((space(rest), found)) }
}

/// The name of a header, which ends with a colon that is not part of the result.
pub fn header_name(input: &str) -> Read<'_, &str> {
    terminated(word, char(':')).parse(input).map(spaced)
}

pub fn boolean(input: &str) -> Read<'_, bool> {
    verify(identifier, |word: &str| word == "t" || word == "f").map(|word| word == "t").parse(input)
}

/// The name of an alias, without its `@`.
pub fn alias(input: &str) -> Read<'_, &str> {
    preceded(char('@'), take_while1(in_word)).parse(input).map(spaced)
}

/// A string as it stands in the text, between its quotes.
pub fn string(input: &str) -> Read<'_, &str> {
    let (inside, open) = quote(input)?;
    let mut escaped = false;
    let end = inside.find(|c| {
        let closes = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    });
    match end {
        Some(end) => Ok((space(&inside[end + 1..]), &inside[..end])),
        None => fail(Mistake::new(open, "this string is never closed")),
    }
}

fn quote(input: &str) -> Read<'_, &str> {
    tag("\"").parse(input)
}

/// The characters that a string stands for: a backslash protects the next one.
pub fn unescaped(string: &str) -> String {
    let mut out = String::with_capacity(string.len());
    let mut characters = string.chars();
    while let Some(c) = characters.next() {
        out.extend(if c == '\\' { characters.next() } else { Some(c) });
    }
    out
}
