//! Where SPIN reads a formula in another way.
//!
//! SPIN has two readers and they disagree: one for `ltl` blocks of a model (spin.y) and one for the command line
//! (tl_parse.c, `spin -f`). Each is imitated by building a second tree from the same tokens with its bindings. A text
//! with a spelling that a reader does not know has no reading there, so there is nothing to warn about.
//!
//! In a block, `&` and `|` are bitwise, which is the same for truth values; only their place in the tree is compared.
//!
//! Two more facts about `spin -f` (tl_lex.c):
//! - parentheses without a temporal operator or an arrow inside are one proposition (`is_predicate`). Its text is read
//!   later, as an expression of Promela, hence with the bindings of a block.
//! - elsewhere names begin with a lower case letter and the letters U, V and X are operators wherever they stand, so
//!   `Xmit` is read as `X mit`.

use super::Warning;
use super::lexeme::is_word;
use super::operators::is_reserved;
use super::precedence::{Binding, in_block, in_command};
use super::token::{Symbol, Token};
use super::tree;
use crate::error::Error;
use crate::expr::{Expr, Kind, Span, Unary};
use std::iter;

/// One of the places where SPIN reads formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `ltl { }` in a model.
    Block,
    /// `spin -f`.
    Command,
}

impl Reader {
    fn name(self) -> &'static str {
        match self {
            Reader::Block => "SPIN's ltl block",
            Reader::Command => "`spin -f`",
        }
    }
}

/// What to warn about a text that was read as `ours`.
pub fn differences(text: &str, tokens: &[Token], ours: &Expr) -> Vec<Warning> {
    let readings = [
        (Reader::Block, block(text, tokens).map(Reading::tree)),
        (Reader::Command, command(text, tokens).map(Reading::tree)),
    ];
    let mut warnings: Vec<Warning> = Vec::new();
    for (position, (_, reading)) in readings.iter().enumerate() {
        let Some(theirs) = reading else { continue };
        let shared = |reading: &Option<Tree>| reading.as_ref() == Some(theirs);
        let reported = readings[..position].iter().any(|(_, earlier)| shared(earlier));
        if !reported && theirs.as_ref() != Ok(ours) {
            let readers = readings.iter().filter(|(_, reading)| shared(reading)).map(|&(reader, _)| reader).collect();
            warnings.push(other_tree(ours, theirs, readers));
        }
    }
    warnings.extend(complement(text, tokens, &readings));
    warnings
}

/// Fails only where it is too deep.
type Tree = Result<Expr, Error>;

fn other_tree(ours: &Expr, theirs: &Tree, readers: Vec<Reader>) -> Warning {
    let spin = subject(&readers, "reads", "read");
    let (message, span) = match theirs {
        Ok(theirs) => {
            let (ours, theirs) = narrowed(ours, theirs);
            let shown = |expr: &Expr| shortened(expr.explicit().to_string());
            (format!("this is `{}`, but {spin} `{}`", shown(ours), shown(theirs)), ours.span.clone())
        }
        // Only a tree that leans to the other side gets deeper than ours.
        Err(_) => (format!("{spin} this with other parentheses, from left to right"), ours.span.clone()),
    };
    Warning { note: Error::new(message, span).help("add parentheses to say which is meant"), readers }
}

/// `~` is the bitwise complement in Promela, which makes a true value of 0 and of 1 alike.
fn complement(text: &str, tokens: &[Token], readings: &[(Reader, Option<Tree>)]) -> Option<Warning> {
    let token = tokens.iter().find(|token| token.spelling(text) == "~")?;
    let readers: Vec<Reader> = readings.iter().filter(|(_, tree)| tree.is_some()).map(|&(reader, _)| reader).collect();
    if readers.is_empty() {
        return None;
    }
    let message = format!("{} `~` as the bitwise complement", subject(&readers, "takes", "take"));
    Some(Warning { note: Error::new(message, token.span.clone()).help("write `!`"), readers })
}

fn subject(readers: &[Reader], one: &str, several: &str) -> String {
    let names: Vec<&str> = readers.iter().map(|reader| reader.name()).collect();
    format!("{} {}", names.join(" and "), if readers.len() == 1 { one } else { several })
}

/// The smallest stretch of the text that holds the whole difference between two trees.
fn narrowed<'a>(mut ours: &'a Expr, mut theirs: &'a Expr) -> (&'a Expr, &'a Expr) {
    while let Some(inner) = only_difference(ours, theirs) {
        (ours, theirs) = inner;
    }
    (ours, theirs)
}

fn only_difference<'a>(ours: &'a Expr, theirs: &'a Expr) -> Option<(&'a Expr, &'a Expr)> {
    let (our_parts, their_parts) = match (&ours.kind, &theirs.kind) {
        (Kind::Unary(a, x), Kind::Unary(b, y)) if a == b => (vec![&**x], vec![&**y]),
        (Kind::Binary(a, x, z), Kind::Binary(b, y, w)) if a == b => (vec![&**x, &**z], vec![&**y, &**w]),
        (Kind::And(a), Kind::And(b)) | (Kind::Or(a), Kind::Or(b)) => (a.iter().collect(), b.iter().collect()),
        _ => return None,
    };
    if our_parts.len() != their_parts.len() {
        return None;
    }
    let mut different = iter::zip(our_parts, their_parts).filter(|(a, b)| a != b);
    let (a, b) = different.next()?;
    (different.next().is_none() && a.span == b.span).then_some((a, b))
}

fn shortened(text: String) -> String {
    const LONG: usize = 200;
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Tokens as a reader sees them. Those that are not infix operators have no binding.
#[derive(Default)]
struct Reading {
    tokens: Vec<Token>,
    bindings: Vec<Option<Binding>>,
}

impl Reading {
    fn push(&mut self, token: Token, binding: Option<Binding>) {
        self.tokens.push(token);
        self.bindings.push(binding);
    }

    fn tree(self) -> Tree {
        tree::build(&self.tokens, |position| self.bindings[position].expect("every infix operator was looked up"))
    }
}

fn block(text: &str, tokens: &[Token]) -> Option<Reading> {
    let mut reading = Reading::default();
    for token in tokens {
        let spelling = token.spelling(text);
        let known = match &token.symbol {
            Symbol::Prefix(_) => block_knows_prefix(spelling) && !is_glued(text, token),
            Symbol::Atom(_) => !spelling.starts_with('"'),
            _ => true,
        };
        if !known {
            return None;
        }
        reading.push(token.clone(), binding(token, in_block(spelling))?);
    }
    Some(reading)
}

fn block_knows_prefix(spelling: &str) -> bool {
    matches!(spelling, "[]" | "always" | "<>" | "eventually" | "X" | "next" | "!" | "~")
}

/// A letter of a word such as `Xp0`, which is a name in a block.
fn is_glued(text: &str, token: &Token) -> bool {
    token.spelling(text) == "X" && text[token.span.end..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The binding of an infix operator; nothing if it is one that the reader does not know.
fn binding(token: &Token, known: Option<Binding>) -> Option<Option<Binding>> {
    match token.symbol {
        Symbol::Infix(_) => known.map(Some),
        _ => Some(None),
    }
}

fn command(text: &str, tokens: &[Token]) -> Option<Reading> {
    let mut reading = Reading::default();
    for (token, in_proposition) in iter::zip(tokens, propositions(text, tokens)) {
        let spelling = token.spelling(text);
        if in_proposition {
            if !promela_knows(token, spelling) {
                return None;
            }
            reading.push(token.clone(), binding(token, in_block(spelling))?);
        } else {
            let binding = binding(token, in_command(spelling))?;
            command_tokens(token, spelling)?.into_iter().for_each(|token| reading.push(token, binding));
        }
    }
    Some(reading)
}

/// For every token, whether it lies in parentheses that `spin -f` takes for one proposition.
fn propositions(text: &str, tokens: &[Token]) -> Vec<bool> {
    let ends = proposition_ends(text, tokens);
    let mut until = 0;
    let inside = ends.iter().enumerate().map(|(position, end)| {
        until = until.max(end.unwrap_or(0));
        position < until
    });
    inside.collect()
}

/// For every parenthesis that opens a proposition, the position after it.
fn proposition_ends(text: &str, tokens: &[Token]) -> Vec<Option<usize>> {
    let mut ends = vec![None; tokens.len()];
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (position, token) in tokens.iter().enumerate() {
        let temporal = match token.symbol {
            Symbol::Open => {
                open.push((position, false));
                false
            }
            Symbol::Close => {
                let (start, temporal) = open.pop().expect("parentheses match");
                ends[start] = (!temporal).then_some(position + 1);
                temporal
            }
            _ => is_temporal(token.spelling(text)),
        };
        if let Some((_, seen)) = open.last_mut() {
            *seen |= temporal;
        }
    }
    ends
}

/// What keeps parentheses from being a proposition: the list in `is_predicate`.
fn is_temporal(spelling: &str) -> bool {
    matches!(
        spelling,
        "always" | "equivalent" | "eventually" | "until" | "next" | "U" | "V" | "X" | "<>" | "<->" | "->" | "[]"
    )
}

fn promela_knows(token: &Token, spelling: &str) -> bool {
    match &token.symbol {
        Symbol::Prefix(_) => matches!(spelling, "!" | "~"),
        Symbol::Infix(_) => matches!(spelling, "&&" | "||" | "&" | "|"),
        Symbol::Atom(_) => !spelling.starts_with('"'),
        Symbol::Open | Symbol::Close | Symbol::Constant(_) => true,
    }
}

/// A token outside of propositions, as `spin -f` sees it; none if it cannot be read there.
fn command_tokens(token: &Token, spelling: &str) -> Option<Vec<Token>> {
    let known = match &token.symbol {
        Symbol::Prefix(_) => {
            matches!(spelling, "[]" | "always" | "<>" | "eventually" | "X" | "next" | "!" | "not")
        }
        Symbol::Constant(_) => matches!(spelling, "true" | "false"),
        Symbol::Atom(_) if spelling.starts_with('X') => return split_next(spelling, token.span.start),
        Symbol::Atom(_) => is_command_name(spelling) || spelling.starts_with('('),
        Symbol::Open | Symbol::Close | Symbol::Infix(_) => true,
    };
    known.then(|| vec![token.clone()])
}

fn is_command_name(spelling: &str) -> bool {
    is_word(spelling) && spelling.starts_with(|c: char| c.is_ascii_lowercase())
}

/// `Xmit` is `X mit`.
fn split_next(spelling: &str, start: usize) -> Option<Vec<Token>> {
    let name = spelling.trim_start_matches('X');
    if !is_command_name(name) || is_reserved(name) {
        return None;
    }
    let letters = spelling.len() - name.len();
    let token = |symbol, span: Span| Token { symbol, span: start + span.start..start + span.end };
    let next = (0..letters).map(|at| token(Symbol::Prefix(Unary::Next), at..at + 1));
    let atom = token(Symbol::Atom(name.to_string()), letters..spelling.len());
    Some(next.chain([atom]).collect())
}
