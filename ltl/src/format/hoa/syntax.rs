//! The grammar of the format: a tree with slices of the text.
//!
//! ```text
//! document   = "HOA:" word header* "--BODY--" state* "--END--"
//! header     = "States:" number | "Start:" target | "AP:" number string* | "Alias:" alias condition
//!            | "Acceptance:" number condition | name ":" (word | number | string)*
//! state      = "State:" label? number string? marks? edge*
//! edge       = label? target marks?
//! label      = "[" condition "]"
//! target     = number ("&" number)*
//! marks      = "{" number* "}"
//! ```

use super::super::condition::{self, Condition, Syntax};
use super::super::reading::{Mistake, Read, expect, fail, miss, stretch};
use super::lexeme::{Number, alias, boolean, header_name, identifier, number, sign, space, string};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, verify};
use nom::multi::many0;

pub struct Document<'a> {
    pub headers: Vec<Header<'a>>,
    /// The line between the headers and the states.
    pub body: &'a str,
    pub states: Vec<StateItem<'a>>,
}

pub struct Header<'a> {
    pub name: &'a str,
    pub kind: HeaderKind<'a>,
}

pub enum HeaderKind<'a> {
    States(Number<'a>),
    Start(Number<'a>),
    /// The number of atoms that are announced, and their names between the quotes.
    Atoms(Number<'a>, Vec<&'a str>),
    Alias(&'a str, Written<'a, Leaf<'a>>),
    Acceptance(Number<'a>, Written<'a, Set<'a>>),
    Other,
}

/// A condition and its text.
pub struct Written<'a, L> {
    pub condition: Condition<L>,
    pub at: &'a str,
}

pub enum Leaf<'a> {
    Atom(Number<'a>),
    Alias(&'a str),
}

/// `Inf(3)`, `Fin(!0)`.
pub struct Set<'a> {
    pub name: &'a str,
    pub negated: bool,
    pub number: Number<'a>,
    pub at: &'a str,
}

pub struct StateItem<'a> {
    pub label: Option<Written<'a, Leaf<'a>>>,
    pub number: Number<'a>,
    pub marks: Vec<Number<'a>>,
    pub edges: Vec<EdgeItem<'a>>,
}

pub struct EdgeItem<'a> {
    pub label: Option<Written<'a, Leaf<'a>>>,
    pub target: Number<'a>,
    pub marks: Vec<Number<'a>>,
}

pub fn document(input: &str) -> Read<'_, Document<'_>> {
    let (input, _) = version(space(input))?;
    let (input, headers) = many0(header).parse(input)?;
    let (input, body) = expect("a header or `--BODY--`", sign("--BODY--")).parse(input)?;
    let (input, states) = many0(state).parse(input)?;
    let (input, _) = expect("an edge, `State:` or `--END--`", sign("--END--")).parse(input)?;
    if input.is_empty() {
        return Ok((input, Document { headers, body, states }));
    }
    match input.strip_prefix("HOA:") {
        Some(_) => fail(Mistake::new(&input[..4], "another automaton begins here; only one is read")),
        None => fail(Mistake::expected("nothing behind the automaton", input)),
    }
}

fn version(input: &str) -> Read<'_, &str> {
    let (input, _) = expect("`HOA:`", named("HOA")).parse(input)?;
    let (rest, version) = expect("a version", identifier).parse(input)?;
    match version {
        "v1" => Ok((rest, version)),
        _ => fail(Mistake::new(version, format!("version `{version}` of the format is not known")).help("`v1` is")),
    }
}

fn named<'a>(name: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Mistake<'a>> {
    verify(header_name, move |found: &str| found == name)
}

fn header(input: &str) -> Read<'_, Header<'_>> {
    let (input, name) = header_name(input)?;
    let (input, kind) = match name {
        "States" => expect("the number of states", number).map(HeaderKind::States).parse(input),
        "Start" => target(input).map(|(rest, state)| (rest, HeaderKind::Start(state))),
        "AP" => atoms(input),
        "Alias" => alias_definition(input),
        "Acceptance" => acceptance(input),
        _ => other(input),
    }?;
    Ok((input, Header { name, kind }))
}

fn atoms(input: &str) -> Read<'_, HeaderKind<'_>> {
    let (input, count) = expect("the number of atoms", number).parse(input)?;
    let (input, names) = many0(string).parse(input)?;
    Ok((input, HeaderKind::Atoms(count, names)))
}

fn alias_definition(input: &str) -> Read<'_, HeaderKind<'_>> {
    let (input, name) = expect("an alias such as `@a`", alias).parse(input)?;
    let (input, value) = written::<Labels>(input)?;
    Ok((input, HeaderKind::Alias(name, value)))
}

fn acceptance(input: &str) -> Read<'_, HeaderKind<'_>> {
    let (input, count) = expect("the number of acceptance sets", number).parse(input)?;
    let (input, formula) = written::<Acceptance>(input)?;
    Ok((input, HeaderKind::Acceptance(count, formula)))
}

fn other(input: &str) -> Read<'_, HeaderKind<'_>> {
    let value = alt((identifier, string, number.map(|number| number.at)));
    let (input, _) = many0(value).parse(input)?;
    Ok((input, HeaderKind::Other))
}

fn state(input: &str) -> Read<'_, StateItem<'_>> {
    let (input, _) = named("State").parse(input)?;
    let (input, label) = opt(label).parse(input)?;
    let (input, number) = expect("the number of a state", number).parse(input)?;
    let (input, _) = opt(string).parse(input)?;
    let (input, marks) = marks(input)?;
    let (input, edges) = many0(edge).parse(input)?;
    Ok((input, StateItem { label, number, marks, edges }))
}

fn edge(input: &str) -> Read<'_, EdgeItem<'_>> {
    let (behind, label) = opt(label).parse(input)?;
    if label.is_none() && !behind.starts_with(|c: char| c.is_ascii_digit()) {
        return miss(input);
    }
    let (input, target) = target(behind)?;
    let (input, marks) = marks(input)?;
    Ok((input, EdgeItem { label, target, marks }))
}

fn label(input: &str) -> Read<'_, Written<'_, Leaf<'_>>> {
    let (inside, _) = sign("[")(input)?;
    let (behind, condition) = condition::condition::<Labels>(inside, 0)?;
    let (rest, close) = expect("`]`", sign("]")).parse(behind)?;
    Ok((rest, Written { condition, at: stretch(input, close) }))
}

fn target(input: &str) -> Read<'_, Number<'_>> {
    let (rest, state) = expect("the number of a state", number).parse(input)?;
    match sign("&")(rest) {
        Ok((_, and)) => fail(Mistake::new(and, "universal branching (`&` between states) is not supported")),
        Err(_) => Ok((rest, state)),
    }
}

fn marks(input: &str) -> Read<'_, Vec<Number<'_>>> {
    let Ok((inside, _)) = sign("{")(input) else { return Ok((input, Vec::new())) };
    let (input, marks) = many0(number).parse(inside)?;
    let (input, _) = expect("an acceptance set or `}`", sign("}")).parse(input)?;
    Ok((input, marks))
}

fn written<S: Syntax>(input: &str) -> Read<'_, Written<'_, S::Leaf<'_>>> {
    let (rest, condition) = condition::condition::<S>(input, 0)?;
    let consumed = &input[..input.len() - rest.len()];
    Ok((rest, Written { condition, at: consumed.trim_end() }))
}

/// Labels: atoms by number, aliases.
struct Labels;

impl Syntax for Labels {
    type Leaf<'a> = Leaf<'a>;
    const AND: &'static str = "&";
    const OR: &'static str = "|";

    fn space(input: &str) -> &str {
        space(input)
    }

    fn operand(input: &str, depth: usize) -> Read<'_, Condition<Leaf<'_>>> {
        let (first, rest) = (input.chars().next(), input);
        match first {
            Some('!') => {
                let (rest, not) = sign("!")(rest)?;
                let (rest, inner) = Labels::operand(rest, condition::deeper(not, depth)?)?;
                Ok((rest, inner.negated()))
            }
            Some('(') => condition::group::<Labels>(rest, depth),
            _ => expect("a label", label_leaf).parse(rest),
        }
    }
}

fn label_leaf(input: &str) -> Read<'_, Condition<Leaf<'_>>> {
    alt((
        boolean.map(Condition::Constant),
        number.map(|number| Condition::Leaf(Leaf::Atom(number))),
        alias.map(|name| Condition::Leaf(Leaf::Alias(name))),
    ))
    .parse(input)
}

/// Acceptance conditions: sets to be seen infinitely or finitely often. There is no negation but that of a set.
struct Acceptance;

impl Syntax for Acceptance {
    type Leaf<'a> = Set<'a>;
    const AND: &'static str = "&";
    const OR: &'static str = "|";

    fn space(input: &str) -> &str {
        space(input)
    }

    fn operand(input: &str, depth: usize) -> Read<'_, Condition<Set<'_>>> {
        match input.starts_with('(') {
            true => condition::group::<Acceptance>(input, depth),
            false => {
                let leaf = alt((boolean.map(Condition::Constant), set.map(Condition::Leaf)));
                expect("an acceptance condition such as `Inf(0)`", leaf).parse(input)
            }
        }
    }
}

fn set(input: &str) -> Read<'_, Set<'_>> {
    let (rest, name) = identifier(input)?;
    let (rest, _) = expect("`(`", sign("(")).parse(rest)?;
    let (rest, not) = opt(sign("!")).parse(rest)?;
    let (rest, number) = expect("the number of an acceptance set", number).parse(rest)?;
    let (rest, close) = expect("`)`", sign(")")).parse(rest)?;
    Ok((rest, Set { name, negated: not.is_some(), number, at: stretch(input, close) }))
}
