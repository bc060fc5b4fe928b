//! The files of the repository, and what of them is code.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of Rust.
pub struct File {
    /// From the root of the repository, with `/`.
    pub name: String,
    pub text: String,
    code: OnceLock<String>,
}

impl File {
    pub fn new(name: String, text: String) -> File {
        File { name, text, code: OnceLock::new() }
    }

    fn read(path: &Path) -> File {
        let name = path.strip_prefix(root()).expect("below the root").display().to_string().replace('\\', "/");
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
        File::new(name, text)
    }

    /// The text with comments, strings and tests blanked out, line by line as long as before.
    fn code(&self) -> &str {
        let code = || if is_test(&self.name) { String::new() } else { without_tests(&bare(&self.text)) };
        self.code.get_or_init(code)
    }

    /// The words and signs of its code.
    pub fn tokens(&self) -> Vec<&str> {
        tokens(self.code())
    }
}

/// Every file of Rust below these folders, in order of their names.
pub fn files(folders: &[&str]) -> Vec<File> {
    let mut paths = Vec::new();
    folders.iter().for_each(|folder| collect(&root().join(folder), &mut paths));
    paths.sort();
    paths.iter().map(|path| File::read(path)).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A file that is compiled for tests only.
fn is_test(name: &str) -> bool {
    name.split('/').any(|part| part == "tests" || part == "tests.rs" || part == "samples.rs")
}

/// The text with comments, strings and characters blanked out.
fn bare(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<char> = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        }
        for &c in &chars[at.min(end)..end] {
            out.push(if c == '\n' { '\n' } else { ' ' });
        }
        at = at.max(end);
    }
    out.into_iter().collect()
}

/// Where the comment, string or character that starts at `at` ends; `at` if there is none.
fn skipped(chars: &[char], at: usize) -> usize {
    let next = |offset: usize| chars.get(at + offset).copied().unwrap_or(' ');
    let in_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    match (chars[at], next(1)) {
        ('/', '/') => find(chars, at, |i| chars[i] == '\n'),
        ('/', '*') => find(chars, at + 2, |i| chars[i] == '*' && chars.get(i + 1) == Some(&'/')) + 2,
        ('"', _) => quoted(chars, at),
        ('r', '"' | '#') if !in_word => raw(chars, at),
        ('\'', '\\') => quoted(chars, at),
        ('\'', _) if next(2) == '\'' => at + 3,
        _ => at,
    }
}

fn find(chars: &[char], from: usize, stop: impl Fn(usize) -> bool) -> usize {
    (from..chars.len()).find(|&i| stop(i)).unwrap_or(chars.len())
}

/// Behind a string or character with escapes.
fn quoted(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() && chars[at] != chars[start] {
        at += 1 + (chars[at] == '\\') as usize;
    }
    (at + 1).min(chars.len())
}

/// Behind a raw string; `start` if it is a raw name.
fn raw(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(start + 1 + hashes) != Some(&'"') {
        return start;
    }
    let ends = |i: usize| chars[i] == '"' && chars[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes;
    (find(chars, start + 2 + hashes, ends) + 1 + hashes).min(chars.len())
}

/// Bare code with items under `#[cfg(test)]` blanked out.
fn without_tests(code: &str) -> String {
    let mut chars: Vec<char> = code.chars().collect();
    let mark: Vec<char> = "#[cfg(test)]".chars().collect();
    let mut at = 0;
    while at + mark.len() <= chars.len() {
        if chars[at..at + mark.len()] != mark[..] {
            at += 1;
            continue;
        }
        let end = item_end(&chars, at + mark.len());
        chars[at..end].iter_mut().filter(|c| **c != '\n').for_each(|c| *c = ' ');
        at = end;
    }
    chars.into_iter().collect()
}

/// Behind the item that starts at `from`: its semicolon, or the brace that closes it.
fn item_end(chars: &[char], from: usize) -> usize {
    let mut depth = 0;
    for (at, c) in chars.iter().enumerate().skip(from) {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => {
                depth -= 1;
                if *c == '}' && depth == 0 {
                    return at + 1;
                }
            }
            ';' | ',' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    chars.len()
}

/// Words and signs; `::` and `->` are one sign each.
fn tokens(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") || rest.starts_with("->") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    found
}

#[test]
fn code_is_what_is_left_without_comments_strings_and_tests() {
    let text = "a /* b */ \"c\\\"d\" 'e' '\\'' f::<'g>() r#\"h \" i\"# // j\n#[cfg(test)]\nmod k { l { } }\nm r#n";
    let code = without_tests(&bare(text));
    assert_eq!(tokens(&code), ["a", "f", "::", "<", "'", "g", ">", "(", ")", "m", "r", "#", "n"]);
    assert_eq!(code.lines().count(), text.lines().count());
}
