//! Help with formulas: operators as other notations spell them, and letters that are operators here.

use super::Wanted;
use super::scene::Scene;

/// What other notations call our operators.
const FOREIGN: [(&str, &str); 5] = [("and", "&&"), ("or", "||"), ("iff", "<->"), ("equiv", "<->"), ("xor", "!=")];

pub(super) fn help(scene: &Scene<'_>) -> Option<String> {
    let (here, before) = (scene.text(0), scene.text(1));
    if before == "not" {
        return Some("a negation is written `!p`".into());
    }
    if here == "=" && scene.after() == ">" {
        return Some("an implication is written `->`".into());
    }
    if here == ">" && before == "<=" {
        return Some("an equivalence is written `<->`".into());
    }
    if here == "<>" && scene.wanted != Wanted::Expression {
        return Some("`<>` is the operator \"eventually\"; to compare, write `!=`".into());
    }
    let foreign = FOREIGN.iter().find(|(word, _)| *word == here).filter(|_| scene.wanted != Wanted::Expression);
    foreign.map(|(word, ours)| format!("for `{word}` write `{ours}`")).or_else(|| letter(scene.typed()))
}

/// A letter that the user may have taken for a name.
fn letter(typed: &str) -> Option<String> {
    match typed {
        "G" | "F" | "R" | "M" => Some(format!("`{typed}` is an operator, unless the model declares such a name")),
        "U" | "V" | "W" | "X" => Some(format!("`{typed}` is an operator of formulas")),
        _ => None,
    }
}
