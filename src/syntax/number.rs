//! Numbers of a model: decimal digits, read as 32 bits.

use super::token::{Kind, Token};
use super::word::{Word, Words};
use crate::source::Diagnostic;

/// The value of some digits. SPIN reads a C `long` and keeps its lowest 32 bits; what is too large for that, too, is the
/// largest `long` (as spin: spinlex.c, `lex`).
pub fn read(digits: &str) -> i32 {
    digits.parse::<i64>().unwrap_or(i64::MAX) as i32
}

/// A warning if the number `token` is not the value of its digits. The smallest number has a minus `before` it.
pub fn truncated(token: &Token, before: Option<&Token>, words: &Words) -> Option<Diagnostic> {
    let digits = words.text(token.text);
    let value = read(digits);
    let smallest = value == i32::MIN && before.is_some_and(|before| before.is(Word::MINUS));
    if token.kind != Kind::Number || digits.parse() == Ok(value) || smallest && digits.parse() == Ok(1i64 << 31) {
        return None;
    }
    let message = format!("`{digits}` does not fit into 32 bits: it is read as {value}, as SPIN does");
    Some(Diagnostic::warning(token.span, message))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::syntax::flat::tests::messages;

    #[test]
    fn the_lowest_32_bits_count() {
        let values = [("2147483647", i32::MAX), ("2147483648", i32::MIN), ("4294967296", 0), ("4294967303", 7)];
        values.into_iter().for_each(|(digits, value)| assert_eq!(read(digits), value, "{digits}"));
        assert_eq!(read("99999999999999999999"), -1);
    }

    #[test]
    fn what_is_cut_off_is_reported() {
        assert!(messages("init { x = 2147483647; x = -2147483648 }").is_empty());
        let warning = |digits: &str, value| {
            let message = format!("`{digits}` does not fit into 32 bits: it is read as {value}, as SPIN does");
            assert_eq!(messages(&format!("init {{ x = {digits} }}")), [message]);
        };
        warning("2147483648", "-2147483648");
        warning("4294967296", "0");
        warning("99999999999999999999", "-1");
    }
}
