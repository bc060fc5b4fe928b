//! A text as an automaton in the HOA format: what was read is written, and read again it is the same automaton.

use ltl::buchi;
use ltl::format::{dot, hoa, never};

pub fn run(text: &str) {
    let automaton = match hoa::read(text) {
        Ok(automaton) => automaton,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?} is not in the text");
            return;
        }
    };
    let written = hoa::write(&automaton, Some("again"), &[]);
    let again = hoa::read(&written).unwrap_or_else(|error| panic!("{written}\nis refused: {error:?}"));
    assert_eq!(again, automaton, "{written}");
    // more takes too long
    let is_small = automaton.states.len() <= 8 && automaton.atoms.len() <= 4 && automaton.sets <= 3;
    if let Some(buchi) = is_small.then(|| buchi::of_automaton(&automaton)).flatten() {
        let _ = (never::write(&buchi), dot::write_buchi(&buchi));
    }
}
