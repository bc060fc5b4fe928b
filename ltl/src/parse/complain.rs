//! What to say about a text that is not a formula: what was expected, what is there, and what may have been meant.

use super::lexeme::{number, word};
use super::operators::{INFIX_WORDS, PREFIX_WORDS, infix_symbol, meaning, prefix_symbol};
use super::token::{Symbol, Token};
use crate::error::Error;
use crate::expr::Span;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::one_of;
use nom::combinator::recognize;
use nom::{IResult, Parser};
use strsim::damerau_levenshtein;

/// What other notations call our operators.
const FOREIGN: &[(&str, &str)] = &[("and", "&&"), ("or", "||"), ("iff", "<->"), ("equiv", "<->")];

pub fn operand_expected(text: &str, at: usize, before: Option<&Token>) -> Error {
    let place = match before {
        Some(token) => format!(" after `{}`", token.spelling(text)),
        None => String::new(),
    };
    let lexeme = lexeme(&text[at..]);
    let error = Error::new(format!("expected a formula{place}, found {}", shown(lexeme)), span(lexeme, at));
    if word(lexeme).is_ok() {
        return error.help(format!("an atom of this name is written in quotes: \"{lexeme}\""));
    }
    error
}

pub fn operator_expected(text: &str, at: usize, before: &[Token], open: &[Span]) -> Error {
    let expected = if open.is_empty() { "an operator" } else { "an operator or `)`" };
    let lexeme = lexeme(&text[at..]);
    let error = Error::new(format!("expected {expected}, found {}", shown(lexeme)), span(lexeme, at));
    match suggestion(text, before.last(), lexeme) {
        Some(help) => error.help(help),
        None => error,
    }
}

pub fn not_a_truth_value(number: &str, at: usize) -> Error {
    Error::new(format!("expected a formula, found the number `{number}`"), span(number, at))
        .help("the only numbers that are formulas are 0 and 1")
}

fn shown(lexeme: &str) -> String {
    if lexeme.is_empty() {
        "the end of the text".to_string()
    } else if is_infix(lexeme) {
        format!("the operator `{lexeme}`")
    } else {
        format!("`{lexeme}`")
    }
}

fn is_infix(lexeme: &str) -> bool {
    infix_symbol(lexeme).is_ok() || meaning(INFIX_WORDS, lexeme).is_some()
}

fn span(lexeme: &str, at: usize) -> Span {
    at..at + lexeme.len()
}

/// What stands at the beginning of a text, to be named in a message.
fn lexeme(text: &str) -> &str {
    let operator = alt((recognize(infix_symbol), tag("!="), recognize(prefix_symbol)));
    let found: IResult<&str, &str> = alt((word, number, operator, expression_symbol, take(1usize))).parse(text);
    found.map_or("", |(_, lexeme)| lexeme)
}

/// What joins values rather than formulas.
fn expression_symbol(text: &str) -> IResult<&str, &str> {
    let comparison = alt((tag("=="), tag("!="), tag("<="), tag(">=")));
    alt((comparison, recognize(one_of("=<>+-*/%[.@:?")))).parse(text)
}

fn suggestion(text: &str, before: Option<&Token>, found: &str) -> Option<String> {
    if expression_symbol(found).is_ok_and(|(rest, _)| rest.is_empty()) {
        return Some("write what is true of a single state in quotes, as in \"x == 3\"".to_string());
    }
    let mistyped = before
        .filter(|token| matches!(token.symbol, Symbol::Atom(_)))
        .and_then(|token| nearest(PREFIX_WORDS, token.spelling(text)));
    let meant = mistyped.or_else(|| meaning(FOREIGN, found)).or_else(|| nearest(INFIX_WORDS, found))?;
    Some(format!("did you mean `{meant}`?"))
}

/// The operator word that differs from this one by a slip or two.
fn nearest<T>(table: &[(&'static str, T)], word: &str) -> Option<&'static str> {
    let near = table.iter().map(|&(operator, _)| (damerau_levenshtein(operator, word), operator));
    near.filter(|&(slips, operator)| slips <= 2 && slips * 3 <= operator.len()).min().map(|(_, operator)| operator)
}
