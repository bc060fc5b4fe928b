//! What to say about values that were truncated in the course of a search.

use super::figures::counted;
use super::rows::place;
use crate::program::Program;
use crate::source::{Sources, Span};
use crate::system::{Interpreter, Truncation, Truncations};

/// How many statements and initial values are concerned, and the first of them; `None` if there are none.
pub fn warning(program: &Program, sources: &Sources, executed: &Truncations) -> Option<String> {
    let declared = |truncation: &Truncation| truncation.variable(program).map(|(variable, ..)| variable.span);
    let initial = Interpreter::new(program).initial_truncations();
    let initial = initial.iter().map(|truncation| (declared(truncation), *truncation));
    let statement = |&transition: &u32| program.infos[transition as usize].span;
    let executed = executed.iter().map(|(transition, truncation)| (Some(statement(transition)), *truncation));
    let all: Vec<(Option<Span>, Truncation)> = initial.chain(executed).collect();
    let (span, first) = all.first()?;
    let at = span.map_or(String::new(), |span| format!(" at {}", place(sources, span)));
    let places = counted(all.len() as u64, "place");
    Some(format!("values are truncated in {places}, first{at}: {}", first.named(program)))
}
