//! The surroundings of a syntax error: the tokens before it and the brackets still open.

use super::{Grammar, Rule, Wanted};
use pest::Parser as _;

/// A token of flat text.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Token<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn is_keyword(&self) -> bool {
        is_keyword(self.text)
    }

    /// A word that is an operator in formulas.
    pub fn is_temporal(&self) -> bool {
        Grammar::parse(Rule::temporal_word, self.text).is_ok()
    }

    /// Whether this starts a unit. These words occur nowhere else, so parsing can be taken up again there.
    pub fn is_unit(&self) -> bool {
        let words = ["active", "proctype", "D_proctype", "init", "never", "trace", "notrace", "ltl", "typedef"];
        words.contains(&self.text)
    }
}

pub(super) fn is_keyword(text: &str) -> bool {
    Grammar::parse(Rule::keyword, text).is_ok()
}

pub(super) fn is_name(text: &str) -> bool {
    Grammar::parse(Rule::name, text).is_ok()
}

/// The longest first; all others are single characters.
const SIGNS: [&str; 20] = [
    "\\M", "<->", "[]", "<>", "@:", "->", "--", "++", "<<", ">>", "<=", ">=", "==", "!=", "!!", "??", "&&", "||", "::",
    "..",
];

pub(in super::super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let length = length(rest);
        if !rest.starts_with(char::is_whitespace) {
            tokens.push(Token { text: &rest[..length], start });
        }
        start += length;
    }
    tokens
}

/// The length of the token or white space `text` starts with; `text` is not empty.
fn length(text: &str) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or(' ');
    if word(first) {
        text.find(|c| !word(c)).unwrap_or(text.len())
    } else if first == '"' || first == '\'' {
        quoted(text, first)
    } else {
        SIGNS.iter().find(|sign| text.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
    }
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// A bracket that is still open: `(`, `[`, `{`, `if` or `do`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<'t> {
    pub token: Token<'t>,
    /// A `{` that holds statements.
    pub body: bool,
}

impl Open<'_> {
    pub fn closer(&self) -> &'static str {
        match self.token.text {
            "(" => ")",
            "[" => "]",
            "if" => "fi",
            "do" => "od",
            _ => "}",
        }
    }
}

/// Where an error is: at token `here`, or at the end of the text.
pub(super) struct Scene<'t> {
    pub tokens: &'t [Token<'t>],
    pub here: usize,
    pub open: Vec<Open<'t>>,
    pub wanted: Wanted,
    /// What the user wrote for the token of the error, where that is another text.
    pub typed: Option<String>,
    /// The literals that would have been welcome.
    pub literals: Vec<String>,
}

impl<'t> Scene<'t> {
    pub fn new(tokens: &'t [Token<'t>], here: usize, wanted: Wanted, literals: Vec<String>) -> Scene<'t> {
        Scene { tokens, here, open: open(&tokens[..here]), wanted, typed: None, literals }
    }

    /// The text `back` tokens before the error (0: at the error), or nothing where there is none.
    pub fn text(&self, back: usize) -> &'t str {
        self.here.checked_sub(back).and_then(|i| self.tokens.get(i)).map_or("", |token| token.text)
    }

    /// The text behind the error's token.
    pub fn after(&self) -> &'t str {
        self.tokens.get(self.here + 1).map_or("", |token| token.text)
    }

    pub fn welcome(&self, literal: &str) -> bool {
        self.literals.iter().any(|welcome| welcome == literal)
    }

    /// The error is in a formula.
    pub fn in_formula(&self) -> bool {
        !self.open.is_empty() && self.tokens.first().is_some_and(|token| token.text == "ltl")
    }

    /// The error's token as the user wrote it.
    pub fn typed(&self) -> &str {
        self.typed.as_deref().unwrap_or(self.text(0))
    }

    /// The text of the innermost open bracket.
    pub fn inside(&self) -> &'t str {
        self.open.last().map_or("", |open| open.token.text)
    }

    /// Whether statements may stand here.
    pub fn in_body(&self) -> bool {
        self.open.last().is_some_and(|open| open.body)
    }
}

/// The brackets left open by tokens that were accepted, hence are well nested.
fn open<'t>(tokens: &[Token<'t>]) -> Vec<Open<'t>> {
    let mut open: Vec<Open<'t>> = Vec::new();
    let mut unit = "";
    let mut before = "";
    for &token in tokens {
        match token.text {
            text if token.is_unit() => unit = text,
            "(" | "[" => open.push(Open { token, body: false }),
            "if" | "do" => open.push(Open { token, body: true }),
            "{" => {
                let body = !matches!(unit, "ltl" | "typedef" | "") && !matches!(before, "of" | "=");
                open.push(Open { token, body });
            }
            ")" | "]" | "}" | "fi" | "od" => {
                open.pop();
                if open.is_empty() {
                    unit = if token.text == "}" { "" } else { unit };
                }
            }
            _ => {}
        }
        before = token.text;
    }
    open
}
