//! Boolean combinations of whatever a format has for leaves: labels and acceptance of HOA, conditions of never claims.
//!
//! `|` binds weaker than `&`, and chains are flat, so that only parentheses and negations nest. How deep they may nest is
//! limited: the parser and all that walks the tree are recursive.

use super::reading::{Mistake, Read, expect};
use nom::Parser;
use nom::bytes::complete::tag;

pub const MAX_DEPTH: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition<Leaf> {
    Constant(bool),
    Leaf(Leaf),
    Not(Box<Condition<Leaf>>),
    And(Vec<Condition<Leaf>>),
    Or(Vec<Condition<Leaf>>),
}

impl<Leaf> Condition<Leaf> {
    pub fn negated(self) -> Condition<Leaf> {
        Condition::Not(Box::new(self))
    }
}

/// How a format writes its conditions.
pub trait Syntax {
    type Leaf<'a>;
    const AND: &'static str;
    const OR: &'static str;

    /// The text behind space and comments.
    fn space(input: &str) -> &str;

    /// The parts of a conjunction. `depth` is the number of parentheses and negations around it.
    fn operand(input: &str, depth: usize) -> Read<'_, Condition<Self::Leaf<'_>>>;
}

/// A condition, up to what cannot be part of it.
pub fn condition<S: Syntax>(input: &str, depth: usize) -> Read<'_, Condition<S::Leaf<'_>>> {
    let (mut rest, first) = conjunction::<S>(input, depth)?;
    let mut parts = vec![first];
    while let Ok((behind, _)) = sign::<S>(rest, S::OR) {
        let (behind, part) = conjunction::<S>(behind, depth)?;
        parts.push(part);
        rest = behind;
    }
    Ok((rest, joined(parts, Condition::Or)))
}

fn conjunction<S: Syntax>(input: &str, depth: usize) -> Read<'_, Condition<S::Leaf<'_>>> {
    let (mut rest, first) = S::operand(input, depth)?;
    let mut parts = vec![first];
    while let Ok((behind, _)) = sign::<S>(rest, S::AND) {
        let (behind, part) = S::operand(behind, depth)?;
        parts.push(part);
        rest = behind;
    }
    Ok((rest, joined(parts, Condition::And)))
}

fn joined<Leaf>(mut parts: Vec<Condition<Leaf>>, join: fn(Vec<Condition<Leaf>>) -> Condition<Leaf>) -> Condition<Leaf> {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

/// A condition in parentheses, one level deeper.
pub fn group<S: Syntax>(input: &str, depth: usize) -> Read<'_, Condition<S::Leaf<'_>>> {
    let (rest, open) = sign::<S>(input, "(")?;
    let (rest, inner) = condition::<S>(rest, deeper(open, depth)?)?;
    let (rest, _) = expect("`)`", |input| sign::<S>(input, ")")).parse(rest)?;
    Ok((rest, inner))
}

/// One of the signs of the format, and the space behind it.
pub fn sign<'a, S: Syntax>(input: &'a str, sign: &'static str) -> Read<'a, &'a str> {
    let (rest, found) = tag(sign).parse(input)?;
    Ok((S::space(rest), found))
}

/// The depth behind another parenthesis or negation, `at`.
pub fn deeper<'a>(at: &'a str, depth: usize) -> Result<usize, nom::Err<Mistake<'a>>> {
    match depth < MAX_DEPTH {
        true => Ok(depth + 1),
        false => Err(nom::Err::Failure(Mistake::new(at, format!("nested more than {MAX_DEPTH} deep")))),
    }
}
