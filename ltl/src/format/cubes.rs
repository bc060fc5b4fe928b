//! Sets of letters as lists of cubes: from conditions to labels, and the questions that writers ask about labels.
//!
//! No list that is made here has a cube that is false or that implies another of the list. Negation is pushed to the
//! leaves on the way, so a conjunction below an even number of negations multiplies lists and everything else appends
//! them; products can grow exponentially, hence [`MAX_CUBES`].

use super::condition::Condition;
use crate::automaton::{Atoms, Cube, Label};
use std::collections::BTreeMap;

/// The most cubes that a label may have at any time while it is built.
pub const MAX_CUBES: usize = 4096;

/// A label would need more than [`MAX_CUBES`] cubes.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

/// Which letters satisfy the condition, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    Plain,
    Negated,
}

impl Sense {
    fn flipped(self) -> Sense {
        match self {
            Sense::Plain => Sense::Negated,
            Sense::Negated => Sense::Plain,
        }
    }
}

/// The letters of a condition, given those of its leaves in either sense.
pub fn label<Leaf, F, E>(condition: &Condition<Leaf>, sense: Sense, leaf: &mut F) -> Result<Label, E>
where
    F: FnMut(&Leaf, Sense) -> Result<Label, E>,
    E: From<TooMany>,
{
    match condition {
        Condition::Constant(value) => Ok(constant(*value == (sense == Sense::Plain))),
        Condition::Leaf(each) => leaf(each, sense),
        Condition::Not(inner) => label(inner, sense.flipped(), leaf),
        Condition::And(parts) if sense == Sense::Plain => product(parts, sense, leaf),
        Condition::Or(parts) if sense == Sense::Negated => product(parts, sense, leaf),
        Condition::And(parts) | Condition::Or(parts) => sum(parts, sense, leaf),
    }
}

pub fn constant(value: bool) -> Label {
    Label(if value { vec![Cube::TRUE] } else { Vec::new() })
}

/// The letters in which one atom is true, or false.
pub fn literal(atom: usize, sense: Sense) -> Label {
    let bit = 1 << atom;
    Label(vec![match sense {
        Sense::Plain => Cube { positive: bit, negative: 0 },
        Sense::Negated => Cube { positive: 0, negative: bit },
    }])
}

fn product<Leaf, F, E>(parts: &[Condition<Leaf>], sense: Sense, leaf: &mut F) -> Result<Label, E>
where
    F: FnMut(&Leaf, Sense) -> Result<Label, E>,
    E: From<TooMany>,
{
    let mut all = constant(true);
    for part in parts {
        let right = label(part, sense, leaf)?;
        let mut both = Label::default();
        for &one in &all.0 {
            for &other in &right.0 {
                add(one.and(other), &mut both)?;
            }
        }
        all = both;
    }
    Ok(all)
}

fn sum<Leaf, F, E>(parts: &[Condition<Leaf>], sense: Sense, leaf: &mut F) -> Result<Label, E>
where
    F: FnMut(&Leaf, Sense) -> Result<Label, E>,
    E: From<TooMany>,
{
    let mut all = Label::default();
    for part in parts {
        for cube in label(part, sense, leaf)?.0 {
            add(cube, &mut all)?;
        }
    }
    Ok(all)
}

fn add(cube: Cube, label: &mut Label) -> Result<(), TooMany> {
    if cube.is_false() || label.0.iter().any(|&other| implies(cube, other)) {
        return Ok(());
    }
    label.0.retain(|&other| !implies(other, cube));
    if label.0.len() == MAX_CUBES {
        return Err(TooMany);
    }
    label.0.push(cube);
    Ok(())
}

/// Every letter of `strong` is one of `weak`: it has all its literals.
fn implies(strong: Cube, weak: Cube) -> bool {
    strong.and(weak) == strong
}

/// The same letters with fewer cubes: wherever two differ in the sense of one atom only, they become one without it.
///
/// One pass over the atoms, as fits lists of single letters: all letters become one cube, and those with a common
/// literal become that literal.
pub fn merged(label: Label, atoms: usize) -> Label {
    (0..atoms).fold(label, |label, atom| merged_at(label, 1 << atom))
}

fn merged_at(label: Label, bit: Atoms) -> Label {
    let mut senses: BTreeMap<Cube, Cube> = BTreeMap::new();
    for cube in label.0 {
        let other = Cube { positive: cube.positive & !bit, negative: cube.negative & !bit };
        let own = Cube { positive: cube.positive & bit, negative: cube.negative & bit };
        let free = if own == Cube::TRUE { Cube { positive: bit, negative: bit } } else { own };
        let both = senses.entry(other).or_default();
        *both = both.and(free);
    }
    let cube = |(other, own): (Cube, Cube)| if own.is_false() { other } else { other.and(own) };
    Label(senses.into_iter().map(cube).collect())
}

/// The literals of a cube by atom: `true` for an atom that must hold.
pub fn literals(cube: Cube) -> impl Iterator<Item = (usize, bool)> {
    let atoms = cube.positive | cube.negative;
    (0..crate::automaton::MAX_ATOMS)
        .filter(move |atom| atoms >> atom & 1 == 1)
        .map(move |atom| (atom, cube.positive >> atom & 1 == 1))
}

/// The cubes of a label that have letters.
pub fn possible(label: &Label) -> impl Iterator<Item = Cube> {
    label.0.iter().copied().filter(|cube| !cube.is_false())
}

/// No letter is in both.
pub fn disjoint(one: &Label, other: &Label) -> bool {
    one.0.iter().all(|&a| other.0.iter().all(|&b| a.and(b).is_false()))
}

/// Every letter is in one of these cubes, and `budget` steps were enough to see it.
///
/// The question is coNP-complete; the answer only adds a property to an output, so giving up is fine.
pub fn exhaustive(cubes: &[Cube], budget: &mut usize) -> bool {
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    if cubes.contains(&Cube::TRUE) {
        return true;
    }
    let Some((atom, _)) = cubes.first().and_then(|&cube| literals(cube).next()) else { return false };
    [Sense::Plain, Sense::Negated]
        .iter()
        .all(|&sense| exhaustive(&restricted(cubes, literal(atom, sense).0[0]), budget))
}

/// The cubes that agree with a literal, without it.
fn restricted(cubes: &[Cube], literal: Cube) -> Vec<Cube> {
    let without =
        |cube: &Cube| Cube { positive: cube.positive & !literal.positive, negative: cube.negative & !literal.negative };
    cubes.iter().filter(|cube| !cube.and(literal).is_false()).map(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(positive: Atoms, negative: Atoms) -> Cube {
        Cube { positive, negative }
    }

    #[test]
    fn cubes_that_imply_others_are_dropped() {
        let mut label = Label::default();
        for each in [cube(0b11, 0), cube(0b1, 0), cube(0b1, 0b10), cube(0b1, 0b1), cube(0, 0b1)] {
            add(each, &mut label).unwrap();
        }
        assert_eq!(label.0, [cube(0b1, 0), cube(0, 0b1)]);
    }

    #[test]
    fn letters_merge() {
        let letter = |letter: Atoms| cube(letter, !letter & 0b111);
        assert_eq!(merged(Label((0..8).map(letter).collect()), 3), constant(true));
        assert_eq!(merged(Label([4, 5, 6, 7].map(letter).to_vec()), 3), literal(2, Sense::Plain));
        assert_eq!(merged(Label([0, 3].map(letter).to_vec()), 3).0.len(), 2);
    }

    #[test]
    fn exhaustive_or_not() {
        let ask = |cubes: &[Cube]| exhaustive(cubes, &mut 100);
        assert!(ask(&[Cube::TRUE]));
        assert!(ask(&[cube(1, 0), cube(2, 1), cube(0, 3)]));
        assert!(!ask(&[cube(1, 0), cube(2, 1)]));
        assert!(!ask(&[]));
        assert!(!exhaustive(&[cube(1, 0), cube(0, 1)], &mut 1));
    }
}
