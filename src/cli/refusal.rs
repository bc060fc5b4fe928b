//! A command line that is refused before its command starts, for programs that asked for JSON.

use super::{Exit, explain, output};
use crate::report::json::{self, Document, Remark, Schema};

/// Prints the document of a command that has no result, if the words ask for one.
pub fn tell_programs(words: &[String], model: Option<String>, why: &str) -> Exit {
    let text = wanted(words).and_then(|command| document(command, model, Remark::error(why)));
    text.map_or(Ok(Exit::Refused), |text| output::print(&text).map(|_| Exit::Refused)).unwrap_or_else(explain)
}

/// The command whose document is wanted; schema 1 has none for what is refused.
fn wanted(words: &[String]) -> Option<&str> {
    let options = || words.iter().map(String::as_str).take_while(|&word| word != "--");
    let asked = options().any(|word| matches!(word, "--json" | "--json=2"));
    options().find(|word| matches!(*word, "verify" | "replay")).filter(|_| asked)
}

fn document(command: &str, model: Option<String>, remark: Remark) -> Option<String> {
    if command == "replay" {
        return Some(json::Replay::refused(model).render(Schema::Two, vec![remark]));
    }
    let mut document = Document::new(model);
    document.refuse([remark]);
    document.render(Schema::Two)
}

/// What the parser of the arguments says, without its headline and its advice.
pub fn first_paragraph(error: &str) -> String {
    let said = error.split("\n\n").next().unwrap_or(error);
    let lines: Vec<&str> = said.trim_start_matches("error: ").lines().map(str::trim).collect();
    lines.join(" ")
}
