//! Syntax errors in the user's words.
//!
//! Pest knows the furthest place a rule or a literal was tried and what would have been welcome there. This file turns
//! that into the token found and one [`Wanted`]; [`scene`] adds what is still open around it, and [`advice`] knows the
//! common mistakes. After an error in one unit the next units are looked at too, so that a run reports several.

pub(crate) mod advice;
mod formula;
mod scene;

use super::{Grammar, Origin, Rule, TOO_DEEP};
use crate::source::Diagnostic;
use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use scene::Scene;
pub(super) use scene::{Token, tokens};
use std::sync::Mutex;

/// More errors than this are the consequence of earlier ones.
const MOST: usize = 10;

/// What the grammar asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Unit,
    Statement,
    Expression,
    Name,
    Text,
    Argument,
    /// An operand is complete: an operator or the end of whatever is open.
    End,
    /// One of some literals.
    Literal,
}

/// Every syntax error of `text`, of which `error` is the first.
pub(super) fn all(text: &str, origin: &dyn Origin, error: Error<Rule>) -> Vec<Diagnostic> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut error = error;
    let mut from = 0;
    loop {
        let (diagnostic, at) = one(text, &tokens, from, error, origin);
        found.push(diagnostic);
        let next = tokens.iter().find(|token| token.start >= at && token.start > from && token.is_unit());
        match next {
            Some(token) if found.len() < MOST => from = token.start,
            _ => return found,
        }
        match Grammar::parse(Rule::spec, &text[from..]) {
            Ok(_) => return found,
            Err(next) => error = next,
        }
    }
}

/// The error met when parsing from byte `from` on, and the byte it is at.
fn one(text: &str, tokens: &[Token<'_>], from: usize, error: Error<Rule>, origin: &dyn Origin) -> (Diagnostic, usize) {
    let (InputLocation::Pos(tried) | InputLocation::Span((tried, _))) = error.location;
    let tried = from + tried;
    let before = &tokens[..tokens.partition_point(|token| token.start < tried)];
    let ErrorVariant::ParsingError { positives, .. } = error.variant else {
        let last = before.last().map_or(0..0, |token| token.start..token.end());
        return (Diagnostic::error(origin.span(last.start, last.end), TOO_DEEP), tried);
    };
    let unit = before.iter().rposition(Token::is_unit).unwrap_or(0);
    let tokens = &tokens[unit..];
    let from = tokens.first().map_or(0, |token| token.start);
    let (furthest, literals) = furthest(&text[from..]);
    let furthest = (from + furthest).max(tried);
    // A keyword that was looked at and refused has been read to its end, and nothing, not even a blank, was tried there.
    let refused = literals.iter().all(|literal| literal != " ");
    let formula = tokens.first().is_some_and(|token| token.text == "ltl");
    let reserved = |token: &Token<'_>| token.is_keyword() || formula && token.is_temporal();
    let here = |token: &Token<'_>| furthest < token.end() || furthest == token.end() && refused && reserved(token);
    let here = tokens.iter().position(here).unwrap_or(tokens.len());
    let start = tokens.get(here).map_or(text.len(), |token| token.start);
    let rules = if tried == start { positives } else { Vec::new() };
    let literals = if furthest == start || here == tokens.len() { literals } else { Vec::new() };
    let typed = tokens.get(here).and_then(|token| origin.typed(token.start, token.end()));
    let scene = Scene { typed, ..Scene::new(tokens, here, wanted(&rules, &literals), literals) };
    (advice::diagnose(&scene, origin), start)
}

/// The furthest byte any literal was tried at, and the literals tried there. Pest collects them only when asked to, by
/// a switch that is global to the process, hence the lock; it is slow, hence the second run and that of one unit only.
fn furthest(text: &str) -> (usize, Vec<String>) {
    static SWITCH: Mutex<()> = Mutex::new(());
    let guard = SWITCH.lock();
    pest::set_error_detail(true);
    // The space tells a word that was read to the end of the text from one that was accepted.
    let padded = format!("{text} ");
    let outcome = Grammar::parse(Rule::spec, &padded);
    pest::set_error_detail(false);
    drop(guard);
    match outcome.as_ref().err().and_then(Error::parse_attempts) {
        None => (0, Vec::new()),
        Some(attempts) => {
            let literals = attempts.expected_tokens().iter().map(ToString::to_string).collect();
            (attempts.max_position, literals)
        }
    }
}

/// What was asked for: the rules tried at the place tell best, the literals otherwise.
fn wanted(rules: &[Rule], literals: &[String]) -> Wanted {
    let tried = |rule| rules.contains(&rule);
    let literal = |text: &str| literals.iter().any(|literal| literal == text);
    if tried(Rule::EOI) {
        Wanted::Unit
    } else if tried(Rule::step) || tried(Rule::selection) || literal("{") && literal("~") {
        Wanted::Statement
    } else if tried(Rule::times) || literal("*") || literal(";") && literal("->") {
        Wanted::End
    } else if [Rule::expr, Rule::formula, Rule::not, Rule::paren].into_iter().any(tried) || literal("~") {
        Wanted::Expression
    } else if tried(Rule::string) {
        Wanted::Text
    } else if tried(Rule::receive_arg) || literal("'") {
        Wanted::Argument
    } else if tried(Rule::name) || literal("A..Z") {
        Wanted::Name
    } else {
        Wanted::Literal
    }
}
