//! Labels as people and SPIN write them: `(p && !q) || r`.
//!
//! An atom that is not an identifier stands in parentheses: its text is an expression of which only its author knows
//! how strongly its operators bind.

use super::cubes::{literals, possible};
use crate::automaton::{Cube, Label};

/// The label in the operators of Promela.
pub fn show(label: &Label, atoms: &[String]) -> String {
    match label.is_true() {
        true => "true".to_owned(),
        false => one_of(&alternatives(label, atoms)),
    }
}

/// The cubes of a label, each as it stands in [`show`].
pub(super) fn alternatives(label: &Label, atoms: &[String]) -> Vec<String> {
    let alone = possible(label).count() == 1;
    let grouped = |cube: Cube| match alone || literals(cube).count() < 2 {
        true => show_cube(cube, atoms),
        false => format!("({})", show_cube(cube, atoms)),
    };
    possible(label).map(grouped).collect()
}

fn one_of(alternatives: &[String]) -> String {
    match alternatives {
        [] => "false".to_owned(),
        _ => alternatives.join(" || "),
    }
}

fn show_cube(cube: Cube, atoms: &[String]) -> String {
    if cube == Cube::TRUE {
        return "true".to_owned();
    }
    let literal = |(atom, holds): (usize, bool)| format!("{}{}", if holds { "" } else { "!" }, show_atom(&atoms[atom]));
    literals(cube).map(literal).collect::<Vec<_>>().join(" && ")
}

fn show_atom(text: &str) -> String {
    match is_identifier(text) {
        true => text.to_owned(),
        false => format!("({text})"),
    }
}

fn is_identifier(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(word) && text.starts_with(|c: char| !c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_words() {
        let atoms = ["p".to_owned(), "x > 3".to_owned()];
        let cube = |positive, negative| Cube { positive, negative };
        let check = |cubes: &[Cube], text: &str| assert_eq!(show(&Label(cubes.to_vec()), &atoms), text);
        check(&[], "false");
        check(&[Cube::TRUE], "true");
        check(&[cube(1, 2)], "p && !(x > 3)");
        check(&[cube(1, 2), cube(2, 0)], "(p && !(x > 3)) || (x > 3)");
        check(&[cube(0, 1), cube(0, 0)], "true");
    }
}
