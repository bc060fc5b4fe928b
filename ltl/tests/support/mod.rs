//! Random formulas and words, the same for the same seed.
#![allow(dead_code)]

use ltl::expr::{Binary, Expr, Kind, Unary};
use ltl::word::Lasso;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub const NAMES: [&str; 4] = ["p", "q", "r", "s"];

pub type Random = Xoshiro256PlusPlus;

pub fn random(seed: u64) -> Random {
    Random::seed_from_u64(seed)
}

/// Seeds from the environment (`LTL_SEEDS=1-10000`), or these.
pub fn seeds(first: u64, last: u64) -> std::ops::RangeInclusive<u64> {
    let Ok(text) = std::env::var("LTL_SEEDS") else { return first..=last };
    let (first, last) = text.split_once('-').expect("LTL_SEEDS=first-last");
    first.parse().expect("a number")..=last.parse().expect("a number")
}

/// How deep and wide random formulas are.
#[derive(Clone, Copy)]
pub struct Shape {
    pub depth: u32,
    pub atoms: u32,
    pub next: bool,
}

pub fn expr(random: &mut Random, shape: Shape) -> Expr {
    let kind = if shape.depth == 0 || random.random_ratio(1, 12) { leaf(random, shape) } else { inner(random, shape) };
    Expr { kind, span: 0..0 }
}

fn leaf(random: &mut Random, shape: Shape) -> Kind {
    if random.random_ratio(1, 30) {
        return Kind::Constant(random.random_bool(0.5));
    }
    Kind::Atom(NAMES[random.random_range(0..shape.atoms as usize)].into())
}

fn inner(random: &mut Random, shape: Shape) -> Kind {
    // mostly one deep branch, so that deep formulas stay readable
    let below = Shape { depth: shape.depth - 1, ..shape };
    let shallow = Shape { depth: (shape.depth - 1).min(random.random_range(0..3)), ..shape };
    let mut operands = || {
        let mut pair = [expr(random, below), expr(random, shallow)];
        if random.random_bool(0.5) {
            pair.swap(0, 1);
        }
        pair
    };
    let [left, right] = operands();
    let single = if left.kind.depth() > right.kind.depth() { left.clone() } else { right.clone() };
    let unary = |operator| Kind::Unary(operator, Box::new(single));
    let binary = |operator, left, right| Kind::Binary(operator, Box::new(left), Box::new(right));
    match random.random_range(0..if shape.next { 23 } else { 21 }) {
        0..2 => unary(Unary::Not),
        2..5 => unary(Unary::Always),
        5..8 => unary(Unary::Eventually),
        8..11 => Kind::And(vec![left, right]),
        11..14 => Kind::Or(vec![left, right]),
        14 => binary(Binary::Implies, left, right),
        15 => binary(Binary::Equivalent, left, right),
        16..18 => binary(Binary::Until, left, right),
        18 => binary(Binary::Release, left, right),
        19 => binary(Binary::WeakUntil, left, right),
        20 => binary(Binary::StrongRelease, left, right),
        _ => unary(Unary::Next),
    }
}

trait Depth {
    fn depth(&self) -> usize;
}

impl Depth for Kind {
    fn depth(&self) -> usize {
        match self {
            Kind::Constant(_) | Kind::Atom(_) => 0,
            Kind::Unary(_, operand) => 1 + operand.kind.depth(),
            Kind::Binary(_, left, right) => 1 + left.kind.depth().max(right.kind.depth()),
            Kind::And(parts) | Kind::Or(parts) => 1 + parts.iter().map(|part| part.kind.depth()).max().unwrap_or(0),
        }
    }
}

pub fn lasso(random: &mut Random, atoms: u32) -> Lasso {
    let letters = 1u64 << atoms;
    let (prefix, cycle) = (random.random_range(0..6), random.random_range(1..6));
    // words with few and with many true atoms are the interesting ones
    let density = random.random_range(0..3);
    let mut word = |length: usize| -> Vec<u64> {
        let letter = |_| {
            let (first, second) = (random.random_range(0..letters), random.random_range(0..letters));
            [first, first & second, first | second][density]
        };
        (0..length).map(letter).collect()
    };
    Lasso { prefix: word(prefix), cycle: word(cycle) }
}

/// The word with some of its letters more often.
pub fn repeat_letters(word: &Lasso, random: &mut Random) -> Lasso {
    let mut repeat =
        |letters: &[u64]| letters.iter().flat_map(|&letter| vec![letter; random.random_range(1..4)]).collect();
    Lasso { prefix: repeat(&word.prefix), cycle: repeat(&word.cycle) }
}
