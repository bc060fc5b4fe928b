//! Never claims of Promela: as a Büchi automaton is handed to SPIN, and as SPIN, ltl2ba and Spot print theirs.
//!
//! A claim is a program that takes one step at each step of the system. Its control states are the states of the
//! automaton; those with a label that begins with `accept` are accepting. A claim that comes to its closing brace has
//! completed, which SPIN reports as an error whatever happens afterwards: an accepting state with a loop for all letters.
//!
//! Read are claims whose conditions stand in one `if` or `do` per state. Their conditions are taken apart at `!`, `&&`
//! and `||`; what stands between is an atom, with its text for a name. Any other Promela is refused.

mod expression;
mod lexeme;
mod resolve;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

pub use write::write;

use super::reading::run;
use crate::automaton::Buchi;
use crate::error::Error;

/// The automaton of a text that holds exactly one claim.
pub fn read(text: &str) -> Result<Buchi, Error> {
    let automaton = run(text, syntax::claim).and_then(|claim| resolve::resolve(&claim));
    automaton.map_err(|mistake| mistake.of(text))
}
