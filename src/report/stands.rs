//! Where the processes of a state are.

use super::rows::written;
use crate::program::Program;
use crate::source::Sources;
use crate::trail::frames;

/// A process and the statement it would execute next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// `name(pid)`
    pub process: String,
    /// `file:line`
    pub place: String,
    /// The statement as the user wrote it; `-end-` at the end of the body, empty if it has no place in the text.
    pub text: String,
    /// A run may end with the process here.
    pub may_end: bool,
}

/// All processes of a state, by pid.
pub fn stands(program: &Program, sources: &Sources, state: &[u64]) -> Vec<Stand> {
    let stand = |process: frames::Process| {
        let automaton = program.automaton(process.proctype);
        let here = &automaton.states[process.at as usize];
        let text = match here.span {
            Some(_) if here.text == "-end-" => "-end-".into(),
            Some(span) => written(sources, span, &here.text),
            None => String::new(),
        };
        Stand {
            process: frames::name(program, process),
            place: here.span.map_or(String::new(), |span| super::rows::place(sources, span)),
            text,
            may_end: automaton.marks[process.at as usize].end,
        }
    };
    frames::processes(program, state).into_iter().map(stand).collect()
}
