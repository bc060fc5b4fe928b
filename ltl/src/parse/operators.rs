//! How the operators are spelled: SPIN's symbols, letters and words, and the letters and symbols of other tools.
//!
//! SPIN's words are those of spinlex.c (`LTL_syms`); `not` and the pairs `/\` and `\/` are only known to `spin -f`
//! (tl_lex.c).

use super::token::Infix;
use crate::expr::{Binary, Unary};
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::value;
use nom::{IResult, Parser};

/// The operators before an operand that are words. A single letter may also be glued to what follows.
pub const PREFIX_WORDS: &[(&str, Unary)] = &[
    ("always", Unary::Always),
    ("eventually", Unary::Eventually),
    ("next", Unary::Next),
    ("not", Unary::Not),
    ("G", Unary::Always),
    ("F", Unary::Eventually),
    ("X", Unary::Next),
];

/// The operators between operands that are words.
pub const INFIX_WORDS: &[(&str, Infix)] = &[
    ("until", Infix::Binary(Binary::Until)),
    ("stronguntil", Infix::Binary(Binary::Until)),
    ("weakuntil", Infix::Binary(Binary::WeakUntil)),
    ("release", Infix::Binary(Binary::Release)),
    ("implies", Infix::Binary(Binary::Implies)),
    ("equivalent", Infix::Binary(Binary::Equivalent)),
    ("U", Infix::Binary(Binary::Until)),
    ("W", Infix::Binary(Binary::WeakUntil)),
    ("V", Infix::Binary(Binary::Release)),
    ("R", Infix::Binary(Binary::Release)),
    ("M", Infix::Binary(Binary::StrongRelease)),
];

pub const CONSTANT_WORDS: &[(&str, bool)] = &[("true", true), ("false", false)];

/// What a word means by such a table.
pub fn meaning<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(spelling, _)| *spelling == word).map(|&(_, meaning)| meaning)
}

/// No atom has this name unless it is quoted.
pub fn is_reserved(word: &str) -> bool {
    meaning(PREFIX_WORDS, word).is_some()
        || meaning(INFIX_WORDS, word).is_some()
        || meaning(CONSTANT_WORDS, word).is_some()
}

pub fn prefix_symbol(text: &str) -> IResult<&str, Unary> {
    alt((value(Unary::Not, one_of("!~")), value(Unary::Always, tag("[]")), value(Unary::Eventually, tag("<>"))))
        .parse(text)
}

pub fn infix_symbol(text: &str) -> IResult<&str, Infix> {
    alt((
        value(Infix::And, alt((tag("&&"), tag("&"), tag("/\\")))),
        value(Infix::Or, alt((tag("||"), tag("|"), tag("\\/")))),
        value(Infix::Binary(Binary::Equivalent), alt((tag("<->"), tag("<=>")))),
        value(Infix::Binary(Binary::Implies), alt((tag("->"), tag("=>")))),
    ))
    .parse(text)
}

/// The operator of one of the letters that may be glued together, as in `GFp0`.
pub fn letter(text: &str) -> IResult<&str, Unary> {
    alt((value(Unary::Always, tag("G")), value(Unary::Eventually, tag("F")), value(Unary::Next, tag("X")))).parse(text)
}
