//! The smallest parts of Promela that occur in claims. Each parser takes the space behind its lexeme, too.

use super::super::reading::{Mistake, Read, miss};
use nom::Parser;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::satisfy;
use nom::combinator::{recognize, verify};

/// Words that are no expressions.
const KEYWORDS: [&str; 14] =
    ["assert", "atomic", "break", "d_step", "do", "else", "fi", "for", "goto", "if", "never", "od", "skip", "unless"];

/// The text behind space and comments. A comment that is never closed is not space.
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
    if let Some(line) = input.strip_prefix("//") {
        return Some(line.find('\n').map_or(&line[line.len()..], |end| &line[end..]));
    }
    let inside = input.strip_prefix("/*")?;
    inside.find("*/").map(|end| &inside[end + 2..])
}

/// A sign. The caller sees to it that it is not the beginning of a longer one.
pub fn sign<'a>(sign: &'static str) -> impl Fn(&'a str) -> Read<'a, &'a str> {
    move |input| {
        let (rest, found) = tag(sign).parse(input)?;
        Ok((space(rest), found))
    }
}

pub fn word(input: &str) -> Read<'_, &str> {
    let start = satisfy(|c| c.is_ascii_alphabetic() || c == '_');
    let (rest, found) = recognize((start, take_while(|c: char| c.is_ascii_alphanumeric() || c == '_'))).parse(input)?;
    Ok((space(rest), found))
}

pub fn keyword<'a>(keyword: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Mistake<'a>> {
    verify(word, move |found: &str| found == keyword)
}

/// A word that may name something.
pub fn name(input: &str) -> Read<'_, &str> {
    verify(word, |found: &str| !KEYWORDS.contains(&found)).parse(input)
}

/// A name that is followed by a colon, but not by two.
pub fn label(input: &str) -> Read<'_, &str> {
    let (rest, found) = name(input)?;
    match rest.strip_prefix(':') {
        Some(behind) if !behind.starts_with(':') => Ok((space(behind), found)),
        _ => miss(input),
    }
}
