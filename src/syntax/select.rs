//! `select` with constant bounds.
//!
//! SPIN's lexer replaces `select (i : 2 .. 4)` by `if :: i = 2 :: i = 3 :: i = 4 fi`, one step, when the name is plain
//! letters and digits (no `_`), the bounds are literal numbers, all of it stands on one line and not in an inline;
//! with more than 33 values by `i = 2 ; do :: ( i < 99 ) -> i ++ :: break od ;`. Any other `select` is left to the
//! grammar (as spin: spinlex.c, `scan_to`; flow.c, `sel_index`), and has the steps of that loop.

use super::report::Report;
use super::token::{Gap, Kind, Token};
use super::word::{Word, Words};
use crate::source::{Sources, Span};

/// Most values, less one, that become the options of an `if`.
const MAX_OPTIONS: i32 = 32;

/// Replaces every `select` that SPIN's lexer replaces.
pub fn expand(tokens: Vec<Token>, sources: &Sources, words: &mut Words, report: &mut Report) -> Vec<Token> {
    if !tokens.iter().any(|token| token.is(Word::SELECT)) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        match range(&tokens[at - 1..], words) {
            None => out.push(token),
            Some((name, from, to)) => {
                at += 7;
                let span = sources.join(token.span, tokens[at - 1].span);
                if from > to {
                    report.error(span, "this select has no value: its range is empty");
                    continue;
                }
                let first = out.len();
                if to - from <= MAX_OPTIONS {
                    options(name, from..=to, span, words, &mut out);
                } else {
                    counter(name, from, to, span, words, &mut out);
                }
                out[first].gap = token.gap;
            }
        }
    }
    out
}

/// The name and bounds of `select ( name : number .. number )` at the start of `tokens`.
fn range(tokens: &[Token], words: &Words) -> Option<(Word, i32, i32)> {
    let [select, open, name, colon, from, dots, to, close, ..] = tokens else { return None };
    let words_fit = select.is(Word::SELECT)
        && open.is(Word::PAREN)
        && colon.is(Word::COLON)
        && dots.is(Word::DOTDOT)
        && close.is(Word::PAREN_END);
    let one_line = tokens[2..8].iter().all(|token| token.gap < Gap::Break);
    let numbers = from.kind == Kind::Number && to.kind == Kind::Number;
    let plain = name.is_plain_name() && words.text(name.text).bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !(words_fit && one_line && numbers && plain) || select.inlined {
        return None;
    }
    let value = |token: &Token| words.text(token.text).parse().ok();
    Some((name.text, value(from)?, value(to)?))
}

fn options(name: Word, values: std::ops::RangeInclusive<i32>, span: Span, words: &mut Words, out: &mut Vec<Token>) {
    out.push(Token::new(Kind::Name, Word::IF, span));
    for value in values {
        let value = words.intern(&value.to_string());
        out.push(Token::op(Word::SEP, span));
        out.push(Token::new(Kind::Name, name, span));
        out.push(Token::op(Word::ASSIGN, span));
        out.push(Token::new(Kind::Number, value, span));
    }
    out.push(Token::new(Kind::Name, Word::FI, span));
}

fn counter(name: Word, from: i32, to: i32, span: Span, words: &mut Words, out: &mut Vec<Token>) {
    let (from, to) = (words.intern(&from.to_string()), words.intern(&to.to_string()));
    let word = |text| Token::new(Kind::Name, text, span);
    let number = |text| Token::new(Kind::Number, text, span);
    let op = |text| Token::op(text, span);
    out.extend([word(name), op(Word::ASSIGN), number(from), op(Word::SEMI)]);
    out.extend([word(Word::DO), op(Word::SEP), op(Word::PAREN), word(name), op(Word::LT), number(to)]);
    out.extend([op(Word::PAREN_END), op(Word::ARROW), word(name), op(Word::INCR)]);
    out.extend([op(Word::SEP), word(Word::BREAK), word(Word::OD), op(Word::SEMI)]);
}

#[cfg(test)]
mod tests {
    use crate::syntax::flat::tests::{messages, text};

    #[test]
    fn as_options_of_an_if() {
        assert_eq!(text("#define N 4\ninit { select (i : 2..N) }"), "init { if :: i = 2 :: i = 3 :: i = 4 fi }");
        assert_eq!(text("init { select\n(i:7 .. 7)\n x }"), "init { if :: i = 7 fi; x }");
        assert_eq!(text("init { select(i : 0..32) }").matches("::").count(), 33);
    }

    #[test]
    fn as_a_loop() {
        assert_eq!(text("init { select(i : 0..33) }"), "init { i = 0; do :: ( i < 33 ) -> i ++ :: break od; }");
    }

    #[test]
    fn left_alone() {
        for kept in ["a_b : 0..3", "a[1] : 0..3", "i : x..3", "i : 0..x", "i : -1..3", "i : (0)..3", "i :\n 0..3"] {
            let flat = text(&format!("init {{ select({kept}) }}"));
            assert!(flat.contains("select ("), "{flat}");
        }
        assert_eq!(text("inline f() { select(i : 0..3) }\ninit { f() }"), "init { { select ( i : 0 .. 3 ) } }");
    }

    #[test]
    fn an_empty_range_is_an_error() {
        assert_eq!(messages("init { select(i : 3..2) }"), ["this select has no value: its range is empty"]);
    }
}
