//! Conditions of claims, taken apart at `!`, `&&` and `||`.
//!
//! ```text
//! condition = and ("||" and)*           and = operand ("&&" operand)*
//! operand   = tight (infix tight)*      with an infix, all of it is one atom
//! tight     = ("!" | "-" | "~") tight | word suffix* | digits | "'" char "'" | "(" condition ("->" anything)? ")"
//! suffix    = "[" list "]" | "(" list ")" | "." word | "@" word | ":" word | ("?" | "??") "[" list "]"
//! ```
//!
//! `!x > 3` is `(!x) > 3` in Promela, hence an atom. Nothing is read twice: an operand becomes an atom after the fact,
//! by its text.

use super::super::condition::{Condition, Syntax, condition, deeper};
use super::super::reading::{Mistake, Read, expect, fail, miss, stretch};
use super::lexeme::{name, sign, space, word};
use nom::Parser;
use nom::character::complete::{anychar, char, digit1};
use nom::combinator::recognize;

/// A condition whose leaves are the texts of atoms.
pub type Expression<'a> = Condition<&'a str>;

/// A whole condition.
pub fn expression(input: &str) -> Read<'_, Expression<'_>> {
    condition::<Promela>(input, 0)
}

/// The text of an atom with its comments and runs of space replaced by one space.
pub fn tidy(mut text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    while let Some(c) = text.chars().next() {
        let behind = space(text);
        if behind.len() < text.len() {
            out.push(' ');
            text = behind;
        } else {
            out.push(c);
            text = &text[c.len_utf8()..];
        }
    }
    out.trim().to_owned()
}

struct Promela;

impl Syntax for Promela {
    type Leaf<'a> = &'a str;
    const AND: &'static str = "&&";
    const OR: &'static str = "||";

    fn space(input: &str) -> &str {
        space(input)
    }

    fn operand(input: &str, depth: usize) -> Read<'_, Expression<'_>> {
        let (mut rest, first) = tight(input, depth)?;
        let mut plain = true;
        while let Some(behind) = infix(rest) {
            (rest, _) = tight(behind, depth)?;
            plain = false;
        }
        if plain { Ok((rest, first)) } else { Ok((rest, atom(input, rest))) }
    }
}

/// The text from `input` to `rest` as an atom.
fn atom<'a>(input: &'a str, rest: &'a str) -> Expression<'a> {
    Condition::Leaf(input[..input.len() - rest.len()].trim_end())
}

/// The text behind an infix operator that binds tighter than `&&`.
fn infix(input: &str) -> Option<&str> {
    const OTHERS: [&str; 3] = ["&&", "||", "->"];
    const OPERATORS: [&str; 16] =
        ["==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^"];
    if OTHERS.iter().any(|other| input.starts_with(other)) || input.starts_with("/*") {
        return None;
    }
    OPERATORS.iter().find_map(|operator| input.strip_prefix(operator)).map(space)
}

fn tight(input: &str, depth: usize) -> Read<'_, Expression<'_>> {
    let first = input.chars().next();
    if !matches!(first, Some('!' | '-' | '~')) {
        return suffixed(input, depth);
    }
    let (operator, rest) = input.split_at(1);
    let (rest, inner) = tight(space(rest), deeper(operator, depth)?)?;
    match first {
        Some('!') => Ok((rest, inner.negated())),
        _ => Ok((rest, atom(input, rest))),
    }
}

/// A primary and what follows it. Only names have suffixes.
fn suffixed(input: &str, depth: usize) -> Read<'_, Expression<'_>> {
    let (mut rest, primary) = primary(input, depth)?;
    let mut plain = true;
    while name(input).is_ok() {
        match suffix(rest, depth) {
            Ok((behind, ())) => (rest, plain) = (behind, false),
            Err(nom::Err::Error(_)) => break,
            Err(failure) => return Err(failure),
        }
    }
    if plain { Ok((rest, primary)) } else { Ok((rest, atom(input, rest))) }
}

fn primary(input: &str, depth: usize) -> Read<'_, Expression<'_>> {
    match input.chars().next() {
        Some('(') => group(input, depth),
        Some('\'') => {
            let quoted = recognize((char('\''), anychar, char('\'')));
            let (rest, text) = expect("a character such as `'a'`", quoted).parse(input)?;
            Ok((space(rest), Condition::Leaf(text)))
        }
        Some('0'..='9') => {
            let (rest, digits): (_, &str) = digit1(input)?;
            Ok((space(rest), Condition::Constant(digits.contains(|c| c != '0'))))
        }
        _ => {
            let (rest, word) = expect("a condition", name).parse(input)?;
            Ok((rest, constant(word).unwrap_or(Condition::Leaf(word))))
        }
    }
}

fn constant(word: &str) -> Option<Expression<'_>> {
    match word {
        "true" => Some(Condition::Constant(true)),
        "false" => Some(Condition::Constant(false)),
        _ => None,
    }
}

/// Parentheses: a condition, or the conditional expression `(c -> x : y)`, which is an atom.
fn group(input: &str, depth: usize) -> Read<'_, Expression<'_>> {
    let (rest, open) = sign("(")(input)?;
    let depth = deeper(open, depth)?;
    let (rest, inner) = condition::<Promela>(rest, depth)?;
    if !rest.starts_with("->") {
        return expect("`)`", sign(")")).parse(rest).map(|(rest, _)| (rest, inner));
    }
    match balanced(rest) {
        Some(behind) => Ok((space(behind), Condition::Leaf(stretch(input, &rest[..rest.len() - behind.len()])))),
        None => fail(Mistake::new(open, "this parenthesis is never closed")),
    }
}

/// The text behind the `)` that closes what was opened before. Inside a conditional expression, `b : c` can also be
/// a remote reference, so only the brackets are looked at.
fn balanced(input: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in input.char_indices() {
        match c {
            ')' if depth == 0 => return Some(&input[at + 1..]),
            '(' => depth += 1,
            ')' => depth -= 1,
            '{' | '}' | ';' => return None,
            _ => {}
        }
    }
    None
}

/// What may follow a name: an index, arguments, a field, a remote reference, a poll of a channel.
fn suffix(input: &str, depth: usize) -> Read<'_, ()> {
    match input.as_bytes() {
        [b'[', ..] => list(input, "[", "]", depth),
        [b'(', ..] => list(input, "(", ")", depth),
        [b':', b':', ..] => miss(input),
        [b'.' | b'@' | b':', ..] => {
            let rest = space(&input[1..]);
            expect("a name", word).map(|_| ()).parse(rest)
        }
        [b'?', ..] => {
            let rest = space(input.trim_start_matches('?'));
            expect("`[`", |input| list(input, "[", "]", depth)).parse(rest)
        }
        _ => miss(input),
    }
}

fn list<'a>(input: &'a str, open: &'static str, close: &'static str, depth: usize) -> Read<'a, ()> {
    let (mut rest, opened) = sign(open)(input)?;
    let depth = deeper(opened, depth)?;
    if let Ok((rest, _)) = sign(close)(rest) {
        return Ok((rest, ()));
    }
    loop {
        (rest, _) = condition::<Promela>(rest, depth)?;
        match sign(",")(rest) {
            Ok((behind, _)) => rest = behind,
            Err(_) => break,
        }
    }
    match sign(close)(rest) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(_) => fail(Mistake::expected(if close == "]" { "`]`" } else { "`)`" }, rest)),
    }
}
