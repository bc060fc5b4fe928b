//! States, moves and sets in words, for whoever has to find out why a set is wrong.

use super::moves::{Members, Move, Target};
use crate::model::Type;
use crate::program::layout::scalar_width;
use crate::program::{Program, named};
use crate::system::state::{bytes, load};
use crate::system::{Interpreter, System};
use std::fmt::Write;

/// The globals, and where the processes are.
pub fn state(system: &Interpreter, words: &[u64]) -> String {
    let control: Vec<_> = system.observer(&mut system.scratch()).control(words).collect();
    let program = system.program();
    let mut text = String::new();
    for (variable, offset) in named::globals(program) {
        named::scalars(program, variable, &variable.name, offset, &mut |cell| {
            // elements of arrays may be narrower: they are among the words
            if let (Type::Scalar(scalar), None) = (cell.variable.ty, cell.variable.array) {
                let value = load(bytes(words), cell.offset as usize, scalar_width(scalar));
                _ = write!(text, "{} = {value}, ", cell.name);
            }
        });
    }
    _ = writeln!(text, "words {words:x?}");
    for (pid, (kind, at)) in control.into_iter().enumerate() {
        let automaton = program.automaton(kind);
        _ = writeln!(text, "  process {pid} ({}) at {at}:", automaton.name);
        for number in automaton.leaving(at) {
            _ = writeln!(text, "    {}", transition(program, number as u32));
        }
    }
    text
}

/// A transition with its number.
fn transition(program: &Program, number: u32) -> String {
    let end = if program.transitions[number as usize].atomic { " (goes on)" } else { "" };
    format!("#{number} {}{end}", program.infos[number as usize].text)
}

/// The steps of a move.
pub fn steps(program: &Program, it: &Move) -> String {
    let movers = it.steps.iter().flat_map(|step| step.movers());
    let steps: Vec<String> = movers.map(|(pid, number)| format!("{pid}: {}", transition(program, number))).collect();
    let end = match &it.target {
        Target::State(_) => String::new(),
        Target::Fault(why) => format!(" fails: {why}"),
        Target::Nowhere => " does not end".into(),
    };
    steps.join("; ") + &end
}

/// Moves, one in each line.
pub fn list<'m>(program: &Program, moves: impl Iterator<Item = &'m Move>) -> String {
    moves.map(|it| format!("  {}\n", steps(program, it))).collect()
}

/// The transitions of a set.
pub fn set(program: &Program, set: &Members) -> String {
    let mut members: Vec<_> = set.iter().copied().collect();
    members.sort_unstable();
    members.into_iter().map(|(pid, number)| format!("  {pid}: {}\n", transition(program, number))).collect()
}
