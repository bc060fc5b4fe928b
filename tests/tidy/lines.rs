//! Sizes of files and widths of lines, heads of files, and who may print.

use super::allowed;
use super::text::{File, files};

/// Characters in a line. rustfmt keeps code to 120; this holds for what it leaves alone: comments, strings, macros.
const WIDEST: usize = 150;

/// Lines in a file: more than this is two things in one room.
const LONGEST: usize = 600;

#[test]
fn lines_are_not_too_wide() {
    let is_table = |line: &str| line.trim_start().starts_with("//") && line.trim_end().ends_with('|');
    let is_wide = |line: &str| line.chars().count() > WIDEST && !is_table(line);
    let mut bad = Vec::new();
    for file in everything() {
        let wide = file.text.lines().enumerate().filter(|(_, line)| is_wide(line));
        bad.extend(wide.map(|(number, _)| format!("{}:{}", file.name, number + 1)));
    }
    assert!(bad.is_empty(), "more than {WIDEST} characters in a line: break it\n{}", bad.join("\n"));
}

#[test]
fn files_are_not_too_long() {
    let mut problems = Vec::new();
    for file in everything() {
        let is_long = file.text.lines().count() > LONGEST;
        match (is_long, allowed::LONG_FILES.contains(&file.name.as_str())) {
            (true, false) => problems.push(format!("{}: more than {LONGEST} lines: make two files of it", file.name)),
            (false, true) => problems.push(format!("{}: short enough: take it out of LONG_FILES", file.name)),
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_is() {
    let mut problems = Vec::new();
    for file in everything() {
        match (file.text.starts_with("//! "), allowed::WITHOUT_HEAD.contains(&file.name.as_str())) {
            (false, false) => problems.push(format!("{}: begin with `//!`, and what the file is", file.name)),
            (true, true) => problems.push(format!("{}: has a head now: take it out of WITHOUT_HEAD", file.name)),
            _ => {}
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn only_the_command_line_prints_and_exits() {
    let mut bad = Vec::new();
    for file in files(&["src", "ltl/src"]) {
        if !file.name.starts_with("src/cli/") && file.name != "src/main.rs" && prints_or_exits(&file) {
            bad.push(file.name);
        }
    }
    assert!(bad.is_empty(), "only src/cli prints and exits: return what is to be said\n{}", bad.join("\n"));
}

fn prints_or_exits(file: &File) -> bool {
    let tokens = file.tokens();
    let prints = |pair: &[&str]| ["print", "println", "eprint", "eprintln", "dbg"].contains(&pair[0]) && pair[1] == "!";
    let ends = |three: &[&str]| three[0] == "process" && three[1] == "::" && ["exit", "abort"].contains(&three[2]);
    tokens.windows(2).any(prints) || tokens.windows(3).any(ends)
}

fn everything() -> Vec<File> {
    files(&["src", "ltl", "tests", "examples", "fuzz"])
}
