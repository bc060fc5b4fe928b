//! Text from models, files and other programs, so that a terminal shows it and does not obey it.

use std::borrow::Cow;

/// The text with every control character written out: `\u{1b}` for an escape. New lines (also those with a carriage return
/// before them) and tabs stay; what reverses the direction of text is written out, too.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let ends_line = c == '\r' && rest.peek() == Some(&'\n');
        if is_hidden(c) && !ends_line {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Control characters, and the marks that change the direction of text.
fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && !matches!(c, '\n' | '\t')
}

/// A JSON text with every control character written as JSON does it: the serializer leaves DEL and those above it as they are.
pub fn visible_json(text: String) -> String {
    if !text.contains(is_hidden) {
        return text;
    }
    let written = |c: char| if is_hidden(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    text.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal() {
        assert_eq!(visible("plain\ttext – é\r\n"), "plain\ttext – é\r\n");
        assert_eq!(visible("\u{1b}[31m\u{7}\u{9b}2J\r"), "\\u{1b}[31m\\u{7}\\u{9b}2J\\u{d}");
        assert_eq!(visible("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(visible_json("\"\u{7f}\u{9b}\u{202e}\"\n".into()), "\"\\u007f\\u009b\\u202e\"\n");
    }
}
