//! The Hanoi Omega-Automata format, version 1: <http://adl.github.io/hoaf/>.
//!
//! Out goes one automaton with explicit labels. In comes any automaton of the format whose runs are accepted as ours
//! are, by a conjunction of `Inf(n)`: with marks on states or edges, labels on edges, on states or implicit, aliases,
//! and any number of initial states. What a text may mean beyond that is refused, not guessed: universal branching,
//! other acceptance, headers with a capital letter that we do not know.
//!
//! What is read is not always what was written. Marks of a state go to its edges. Several initial states (or none)
//! become a new one, the last state, with the edges of all of them. Edges that no letter can take are left out.

mod acceptance;
mod lexeme;
mod resolve;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

pub use write::{write, write_buchi};

use super::reading::run;
use crate::automaton::Automaton;
use crate::error::Error;

/// The automaton of a text that holds exactly one.
pub fn read(text: &str) -> Result<Automaton, Error> {
    let automaton = run(text, syntax::document).and_then(|document| resolve::resolve(&document));
    automaton.map_err(|mistake| aborted(mistake.of(text), text))
}

/// `--ABORT--` can stand in the place of any lexeme, so it is looked for only where something else was expected.
fn aborted(error: Error, text: &str) -> Error {
    match text[error.span.clone()] == *lexeme::ABORT {
        true => Error::new("the tool that wrote the automaton gave it up here", error.span),
        false => error,
    }
}
