//! Colours for a terminal.
//!
//! Texts are composed of what we say and of what models say, and only we may send codes to a terminal. So a tone is a pair of marks in the text
//! (code points that are no characters); when it is printed, all control characters are made visible first, and then the marks become escape
//! sequences.

use anstyle::{AnsiColor, Style};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Good,
    Bad,
    Unsure,
    Mark,
    Aside,
}

const TONES: [(Tone, Style); 5] = [
    (Tone::Good, AnsiColor::Green.on_default().bold()),
    (Tone::Bad, AnsiColor::Red.on_default().bold()),
    (Tone::Unsure, AnsiColor::Yellow.on_default().bold()),
    (Tone::Mark, AnsiColor::Cyan.on_default().bold()),
    (Tone::Aside, Style::new().dimmed()),
];

/// The first of the marks, one for each tone; the end of every tone.
const START: u32 = 0xfdd0;
const END: char = '\u{fdef}';

/// Verdicts, and what else a headline may begin with.
const WORDS: [(&str, Tone); 6] = [
    ("holds", Tone::Good),
    ("violated", Tone::Bad),
    ("inconclusive", Tone::Unsure),
    ("warning", Tone::Unsure),
    ("error", Tone::Bad),
    ("hint", Tone::Mark),
];

/// The text with escape sequences instead of marks.
pub fn escapes(text: &str) -> Cow<'_, str> {
    if !text.contains(END) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        match TONES.iter().find(|(tone, _)| start(*tone) == c) {
            Some((_, style)) => out.push_str(&style.to_string()),
            None if c == END => out.push_str("\u{1b}[0m"),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn start(tone: Tone) -> char {
    char::from_u32(START + tone as u32).unwrap_or(END)
}

/// A line that begins with a verdict, perhaps behind the name of a property.
pub fn headline(text: &str) -> String {
    let place =
        |word: &str| if text.starts_with(word) { Some(0) } else { text.find(&format!(": {word}")).map(|at| at + 2) };
    let found = WORDS.into_iter().filter_map(|(word, tone)| Some((place(word)?, word, tone)));
    match found.min_by_key(|&(at, ..)| at) {
        Some((at, word, tone)) => {
            format!("{}{}{}", &text[..at], painted(word, tone), &text[at + word.len()..])
        }
        None => text.into(),
    }
}

/// A verdict alone, in a column of its own.
pub fn verdict(padded: &str) -> String {
    let known = WORDS.into_iter().find(|(word, _)| padded.trim() == *word);
    known.map_or_else(|| padded.into(), |(_, tone)| painted(padded, tone))
}

/// What is to be found at a glance.
pub fn mark(text: &str) -> String {
    painted(text, Tone::Mark)
}

/// What may be skipped.
pub fn aside(text: &str) -> String {
    painted(text, Tone::Aside)
}

fn painted(text: &str, tone: Tone) -> String {
    format!("{}{text}{END}", start(tone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_painted_and_nothing_else() {
        assert_eq!(escapes(&headline("holds")), "\u{1b}[1m\u{1b}[32mholds\u{1b}[0m");
        assert_eq!(
            escapes(&headline("ltl:p: violated: a cycle")),
            "ltl:p: \u{1b}[1m\u{1b}[31mviolated\u{1b}[0m: a cycle"
        );
        assert_eq!(escapes(&headline("no violation")), "no violation");
    }
}
