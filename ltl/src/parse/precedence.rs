//! How tightly operators bind: here, in SPIN's `ltl` blocks, and in `spin -f`.
//!
//! All three agree that the operators before an operand bind tightest. The binary ones, tightest first:
//!
//! | here                   | `ltl { }` (spin.y, `%left` lines)      | `spin -f` (tl_parse.c, `prec`)     |
//! |------------------------|----------------------------------------|------------------------------------|
//! | U V R W M, to the right| `&`, then `\|` (bitwise), to the left  |                                    |
//! |                        | U V W, to the left                     | U V, to the left                   |
//! | `&&`                   | `&&`                                   | `&&` `\|\|` `->` `<->`, all alike, |
//! | `\|\|`                 | `\|\|`                                 | to the left                        |
//! | `->`, to the right     | `->` `<->`, alike, to the left         |                                    |
//! | `<->`, to the right    |                                        |                                    |
//!
//! So `a U b U c` is `a U (b U c)` here and `(a U b) U c` in both of SPIN's readers, and `a || b && c` is
//! `(a || b) && c` for `spin -f` alone. Measured with SPIN 6.5.2: `spin -a` shows how it read a block; for `-f` the
//! never claims of a formula and of its two parenthesised forms were compared.

use super::token::Infix;
use crate::expr::Binary;

/// How an infix operator competes for the operand between it and another one. The higher level wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Binding {
    pub level: u8,
    pub side: Side,
}

/// Which of two operators of one level gets the operand between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

const fn left(level: u8) -> Binding {
    Binding { level, side: Side::Left }
}

const fn right(level: u8) -> Binding {
    Binding { level, side: Side::Right }
}

/// This crate's own reading, which is that of the literature.
pub fn here(operator: Infix) -> Binding {
    match operator {
        Infix::Binary(Binary::Equivalent) => right(0),
        Infix::Binary(Binary::Implies) => right(1),
        Infix::Or => left(2),
        Infix::And => left(3),
        Infix::Binary(Binary::Until | Binary::WeakUntil | Binary::Release | Binary::StrongRelease) => right(4),
    }
}

/// In an `ltl` block, for the spellings that SPIN knows there.
pub fn in_block(spelling: &str) -> Option<Binding> {
    Some(match spelling {
        "->" | "implies" | "<->" | "equivalent" => left(0),
        "||" => left(1),
        "&&" => left(2),
        "U" | "until" | "stronguntil" | "W" | "weakuntil" | "V" | "release" => left(3),
        "|" => left(4),
        "&" => left(5),
        _ => return None,
    })
}

/// On the command line (`spin -f`), for the spellings that SPIN knows there.
pub fn in_command(spelling: &str) -> Option<Binding> {
    Some(match spelling {
        "&&" | "/\\" | "||" | "\\/" | "->" | "<->" => left(0),
        "U" | "until" | "V" => left(1),
        _ => return None,
    })
}
