//! Mutants of a text: tokens and lines deleted, doubled, swapped or replaced, numbers made extreme.
//!
//! A mutant is a function of the text and of the generator's state alone, so a seed names it.

use rand::RngExt;
use rand_xoshiro::Xoshiro256StarStar;

/// At most so many changes make one mutant: with more, hardly any mutant gets past the parser.
const MOST_CHANGES: u32 = 2;

/// What numbers become: the borders of all types, and sizes that nobody has the memory for.
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "32",
    "255",
    "256",
    "32768",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "99999999999999999999",
];

/// What tokens become, besides other tokens of the same text.
const TOKENS: &[&str] = &[
    "(", ")", "{", "}", "[", "]", ";", "->", "::", ":", ",", ".", "..", "!", "?", "!!", "??", "=", "==", "!=", "<",
    ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "&&", "|", "||", "^", "~", "++", "--", "@", "#", "if",
    "fi", "do", "od", "else", "break", "goto", "skip", "timeout", "atomic", "d_step", "unless", "run", "len", "full",
    "empty", "eval", "byte", "int", "bit", "short", "unsigned", "chan", "mtype", "of", "typedef", "proctype", "active",
    "init", "never", "trace", "ltl", "inline", "select", "for", "in", "hidden", "local", "xr", "xs", "provided",
    "priority", "printf", "assert", "_pid", "_nr_pr", "_last", "_", "np_", "enabled", "true", "false", "U", "X", "\"",
    "'", "/*",
];

/// The text with one or two changes.
pub fn mutant(text: &str, rng: &mut Xoshiro256StarStar) -> String {
    let mut text = text.to_string();
    for _ in 0..rng.random_range(1..=MOST_CHANGES) {
        text =
            if rng.random_range(0..5) == 0 { with_changed_lines(&text, rng) } else { with_changed_token(&text, rng) };
    }
    text
}

fn with_changed_lines(text: &str, rng: &mut Xoshiro256StarStar) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let (one, other) = (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
    match rng.random_range(0..4) {
        0 => _ = lines.remove(one),
        1 => lines.insert(one, lines[one]),
        2 => lines.swap(one, other),
        _ => lines.insert(other, lines[one]),
    }
    lines.join("\n") + "\n"
}

fn with_changed_token(text: &str, rng: &mut Xoshiro256StarStar) -> String {
    let mut parts = parts(text);
    let places: Vec<usize> = (0..parts.len()).filter(|&at| is_token(parts[at])).collect();
    if places.is_empty() {
        return text.to_string();
    }
    let (one, other) = (places[rng.random_range(0..places.len())], places[rng.random_range(0..places.len())]);
    let numbers: Vec<usize> = places.iter().copied().filter(|&at| is_number(parts[at])).collect();
    match rng.random_range(0..9) {
        0 => parts[one] = "",
        1 => parts.splice(one..one, [parts[one], " "]).for_each(drop),
        2 => parts.swap(one, other),
        3..=5 => parts[one] = like(one, &places, &parts, rng),
        6 => parts[one] = TOKENS[rng.random_range(0..TOKENS.len())],
        _ if numbers.is_empty() => parts[one] = NUMBERS[rng.random_range(0..NUMBERS.len())],
        _ => parts[numbers[rng.random_range(0..numbers.len())]] = NUMBERS[rng.random_range(0..NUMBERS.len())],
    }
    parts.concat()
}

/// A token of the text of the same kind as that at `at`: with these most mutants are models.
fn like<'t>(at: usize, places: &[usize], parts: &[&'t str], rng: &mut Xoshiro256StarStar) -> &'t str {
    let kind = |part: &str| (is_number(part), part.starts_with(|first: char| first.is_alphabetic() || first == '_'));
    let alike: Vec<usize> = places.iter().copied().filter(|&other| kind(parts[other]) == kind(parts[at])).collect();
    parts[alike[rng.random_range(0..alike.len())]]
}

/// The text in pieces: comments, white space, words, numbers, and single other characters.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = part_length(rest, first);
        parts.push(&rest[..length]);
        rest = &rest[length..];
    }
    parts
}

fn part_length(rest: &str, first: char) -> usize {
    let run = |of: fn(char) -> bool| rest.find(|other| !of(other)).unwrap_or(rest.len());
    match first {
        '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
        '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
        _ if first.is_whitespace() => run(char::is_whitespace),
        _ if first.is_alphanumeric() || first == '_' => run(|other| other.is_alphanumeric() || other == '_'),
        _ => first.len_utf8(),
    }
}

fn is_token(part: &str) -> bool {
    !part.starts_with(char::is_whitespace) && !part.starts_with("/*") && !part.starts_with("//") && !part.is_empty()
}

fn is_number(part: &str) -> bool {
    part.chars().all(|digit| digit.is_ascii_digit())
}
