//! A text as a never claim: what was read is written, and read again and written it gives a text that stays the same.

use ltl::format::{hoa, never};

pub fn run(text: &str) {
    let automaton = match never::read(text) {
        Ok(automaton) => automaton,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?} is not in the text");
            return;
        }
    };
    let written = never::write(&automaton);
    let again = never::read(&written).unwrap_or_else(|error| panic!("{written}\nis refused: {error:?}"));
    assert_eq!(again.states.len(), automaton.states.len(), "{written}");
    // names have the numbers of states, which are now in the order of the text
    let written = never::write(&again);
    let again = never::read(&written).unwrap_or_else(|error| panic!("{written}\nis refused: {error:?}"));
    assert_eq!(never::write(&again), written);
    let as_hoa = hoa::write_buchi(&automaton, None, &[]);
    let again = hoa::read(&as_hoa).unwrap_or_else(|error| panic!("{as_hoa}\nis refused: {error:?}"));
    assert_eq!(again, automaton.generalised(), "{as_hoa}");
}
