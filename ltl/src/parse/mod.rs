//! Formulas from text.
//!
//! | meaning            | SPIN's symbols and letters | words                     | also           |
//! |--------------------|----------------------------|---------------------------|----------------|
//! | not                | `!`                        | `not`                     | `~`            |
//! | next               | `X`                        | `next`                    |                |
//! | always             | `[]`                       | `always`                  | `G`            |
//! | eventually         | `<>`                       | `eventually`              | `F`            |
//! | until              | `U`                        | `until` `stronguntil`     |                |
//! | weak until         | `W`                        | `weakuntil`               |                |
//! | release            | `V`                        | `release`                 | `R`            |
//! | strong release     |                            |                           | `M`            |
//! | and                | `&&`                       |                           | `&` `/\`       |
//! | or                 | `\|\|`                     |                           | `\|` `\/`      |
//! | implies            | `->`                       | `implies`                 | `=>`           |
//! | equivalent         | `<->`                      | `equivalent`              | `<=>`          |
//! | true, false        |                            | `true` `false`            | `1` `0`        |
//!
//! The operators before an operand bind tightest, then come U, W, V, R and M, then and, or, implies, equivalent. U, W,
//! V, R, M, implies and equivalent group to the right. Where SPIN groups otherwise there is a [`Warning`].
//!
//! An atom is an identifier, or any text in double quotes, or what the caller takes for one ([`parse_with`]). G, F and X
//! may be glued to each other and to a short atom, a lower case letter with digits: `GFp0` is `G F p0`. All other words
//! are names: `Full` and `Xmit` are atoms.

use crate::error::Error;
use crate::expr::Expr;

mod complain;
mod lexeme;
mod operators;
mod precedence;
mod scan;
mod spin;
mod token;
mod tree;

pub(crate) use lexeme::is_word;
pub use lexeme::split_letters;
pub(crate) use operators::is_reserved;
pub use spin::Reader;

/// The word is an operator, a constant, or letters that are operators glued together.
pub fn is_operator(word: &str) -> bool {
    is_reserved(word) || word.chars().all(|letter| "GFXUVWRM".contains(letter))
}

/// How deeply operators, and parentheses, may be nested.
///
/// Everything that walks a tree may do so recursively. Chains of `&&` and `||` are flat and of any length.
pub const MAX_NESTING: usize = 500;

/// A formula that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The tree, as it was written.
    pub expr: Expr,
    /// Where others would read another formula.
    pub warnings: Vec<Warning>,
}

/// SPIN reads the text in another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which of SPIN's readers do.
    pub readers: Vec<Reader>,
    /// What they read, and at which place.
    pub note: Error,
}

/// Reads a formula whose atoms are identifiers and quoted texts.
pub fn parse(text: &str) -> Result<Parsed, Error> {
    parse_with(text, &|_| None)
}

/// Reads a formula with atoms of the caller's.
///
/// Wherever an operand may begin, also before `(` and before an operator such as `!`, the function is given the rest of
/// the text. It returns the length in bytes of the atom that it recognises there; its text becomes the name. If it
/// returns nothing, the text is read as by [`parse`].
pub fn parse_with(text: &str, atoms: &dyn Fn(&str) -> Option<usize>) -> Result<Parsed, Error> {
    let tokens = scan::scan(text, atoms)?;
    let infix = |position: usize| match tokens[position].symbol {
        token::Symbol::Infix(operator) => precedence::here(operator),
        _ => unreachable!("only infix operators are asked for"),
    };
    let expr = tree::build(&tokens, infix)?;
    let warnings = spin::differences(text, &tokens, &expr);
    Ok(Parsed { expr, warnings })
}
