//! The value of a `#if` line: C's integer constant expressions.
//!
//! In come the tokens of the line after macro expansion, `defined` already answered; names that are left are 0. Values
//! have 64 bits, signed unless an operand has the suffix `u`; arithmetic wraps. What `&&`, `||` and `?:` do not reach
//! is parsed but may divide by zero.

use super::token::{Kind, Token};
use super::word::{Word, Words};
use crate::source::{Diagnostic, Span};

/// Parentheses, prefix operators and right operands inside one another.
const MAX_DEPTH: usize = 200;

/// Is the condition true? `directive` is the place to blame when it is missing.
pub fn evaluate(tokens: &[Token], words: &Words, directive: Span) -> Result<bool, Diagnostic> {
    let mut parser = Parser { tokens, words, at: 0, directive, depth: 0 };
    let value = parser.conditional(Mode::Run)?;
    match parser.tokens.get(parser.at) {
        Some(extra) => Err(Diagnostic::error(extra.span, "unexpected text after the condition")),
        None => Ok(value.bits != 0),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn truth(value: bool) -> Value {
        Value { bits: u64::from(value), unsigned: false }
    }

    fn signed(self) -> i64 {
        self.bits as i64
    }
}

/// Whether an operand is evaluated or only parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Run,
    Skip,
}

impl Mode {
    fn only_if(self, reached: bool) -> Mode {
        if reached { self } else { Mode::Skip }
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    words: &'a Words,
    at: usize,
    directive: Span,
    depth: usize,
}

type Outcome = Result<Value, Diagnostic>;

impl Parser<'_> {
    fn here(&self) -> Span {
        let last = self.tokens.last().map_or(self.directive, |t| t.span);
        self.tokens.get(self.at).map_or(last, |t| t.span)
    }

    fn error(&self, message: &str) -> Diagnostic {
        Diagnostic::error(self.here(), message)
    }

    fn take(&mut self, word: Word) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|t| t.is(word));
        self.at += usize::from(found);
        found
    }

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        if self.depth == MAX_DEPTH {
            return Err(self.error("this condition is nested too deeply"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// `c ? a : b`
    fn conditional(&mut self, mode: Mode) -> Outcome {
        let condition = self.binary(0, mode)?;
        if !self.take(Word::RECEIVE) {
            return Ok(condition);
        }
        let chosen = condition.bits != 0;
        let yes = self.nested(|p| p.conditional(mode.only_if(chosen)))?;
        if !self.take(Word::COLON) {
            return Err(self.error("`?` in a condition needs a `:`"));
        }
        let no = self.nested(|p| p.conditional(mode.only_if(!chosen)))?;
        let unsigned = yes.unsigned || no.unsigned;
        Ok(Value { unsigned, ..if chosen { yes } else { no } })
    }

    /// Operators that bind at least as tightly as `floor`, by precedence climbing.
    fn binary(&mut self, floor: u8, mode: Mode) -> Outcome {
        let mut left = self.unary(mode)?;
        while let Some(token) = self.tokens.get(self.at) {
            let Some(level) = precedence(token.text).filter(|&level| level >= floor) else { break };
            let (operator, span) = (token.text, token.span);
            self.at += 1;
            let reached = match operator {
                Word::AND => left.bits != 0,
                Word::OR => left.bits == 0,
                _ => true,
            };
            let mode = mode.only_if(reached);
            let right = self.nested(|p| p.binary(level + 1, mode))?;
            let zero = matches!(operator, Word::SLASH | Word::PERCENT) && right.bits == 0;
            if zero && mode == Mode::Run {
                return Err(Diagnostic::error(span, "division by zero in a condition"));
            }
            left = if zero { right } else { apply(operator, left, right) };
        }
        Ok(left)
    }

    fn unary(&mut self, mode: Mode) -> Outcome {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(self.error("a condition is missing here"));
        };
        self.at += 1;
        let negate = |value: Value| Value::truth(value.bits == 0);
        match (token.kind, token.text) {
            (Kind::Name, _) => Ok(Value::truth(false)),
            (Kind::Number, _) => self.number(token),
            (Kind::Char, _) => Ok(self.character(token)),
            (_, Word::PAREN) => {
                let value = self.nested(|p| p.conditional(mode))?;
                if self.take(Word::PAREN_END) { Ok(value) } else { Err(self.error("`)` is missing in a condition")) }
            }
            (_, Word::SEND) => Ok(negate(self.nested(|p| p.unary(mode))?)),
            (_, Word::SORTED_SEND) => Ok(negate(negate(self.nested(|p| p.unary(mode))?))),
            (_, Word::PLUS) => self.nested(|p| p.unary(mode)),
            (_, Word::MINUS) => {
                let value = self.nested(|p| p.unary(mode))?;
                Ok(Value { bits: value.bits.wrapping_neg(), ..value })
            }
            (_, Word::TILDE) => {
                let value = self.nested(|p| p.unary(mode))?;
                Ok(Value { bits: !value.bits, ..value })
            }
            _ => Err(Diagnostic::error(token.span, "this cannot stand in a condition")),
        }
    }

    fn number(&self, token: &Token) -> Outcome {
        let text = self.words.text(token.text).to_ascii_lowercase();
        let (digits, radix) = match text.as_bytes() {
            [b'0', b'x', ..] => (&text[2..], 16),
            [b'0', b'b', ..] => (&text[2..], 2),
            [b'0', ..] => (text.as_str(), 8),
            _ => (text.as_str(), 10),
        };
        let bare = digits.trim_end_matches(['u', 'l']);
        let suffix = &digits[bare.len()..];
        let legal = matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
        match u64::from_str_radix(bare, radix) {
            Ok(bits) if legal => Ok(Value { bits, unsigned: suffix.contains('u') || bits > i64::MAX as u64 }),
            _ => Err(Diagnostic::error(token.span, "this is no integer of 64 bits")),
        }
    }

    fn character(&self, token: &Token) -> Value {
        let value = match self.words.text(token.text).as_bytes() {
            [_, b'\\', b'n', _] => b'\n',
            [_, b'\\', b't', _] => b'\t',
            [_, b'\\', b'r', _] => b'\r',
            [_, b'\\', b'f', _] => 0x0c,
            [_, b'\\', b'0', _] => 0,
            [_, b'\\', c, _] | [_, c, _] => *c,
            _ => 0,
        };
        Value { bits: u64::from(value), unsigned: false }
    }
}

fn precedence(operator: Word) -> Option<u8> {
    Some(match operator {
        Word::OR => 0,
        Word::AND => 1,
        Word::BAR => 2,
        Word::CARET => 3,
        Word::AMP => 4,
        Word::EQ | Word::NE => 5,
        Word::LT | Word::LE | Word::GT | Word::GE => 6,
        Word::SHL | Word::SHR => 7,
        Word::PLUS | Word::MINUS => 8,
        Word::STAR | Word::SLASH | Word::PERCENT => 9,
        _ => return None,
    })
}

/// `b` is not zero for `/` and `%`.
fn apply(operator: Word, a: Value, b: Value) -> Value {
    let unsigned = a.unsigned || b.unsigned;
    let order = if unsigned { a.bits.cmp(&b.bits) } else { a.signed().cmp(&b.signed()) };
    let number = |bits: u64| Value { bits, unsigned };
    match operator {
        Word::OR => Value::truth(a.bits != 0 || b.bits != 0),
        Word::AND => Value::truth(a.bits != 0 && b.bits != 0),
        Word::EQ => Value::truth(order.is_eq()),
        Word::NE => Value::truth(order.is_ne()),
        Word::LT => Value::truth(order.is_lt()),
        Word::LE => Value::truth(order.is_le()),
        Word::GT => Value::truth(order.is_gt()),
        Word::GE => Value::truth(order.is_ge()),
        Word::BAR => number(a.bits | b.bits),
        Word::CARET => number(a.bits ^ b.bits),
        Word::AMP => number(a.bits & b.bits),
        Word::SHL | Word::SHR => shift(operator, a, b),
        Word::PLUS => number(a.bits.wrapping_add(b.bits)),
        Word::MINUS => number(a.bits.wrapping_sub(b.bits)),
        Word::STAR => number(a.bits.wrapping_mul(b.bits)),
        Word::SLASH if unsigned => number(a.bits / b.bits),
        Word::SLASH => number(a.signed().wrapping_div(b.signed()) as u64),
        _ if unsigned => number(a.bits % b.bits),
        _ => number(a.signed().wrapping_rem(b.signed()) as u64),
    }
}

/// As gcc: a negative count shifts the other way, a large one shifts everything out.
fn shift(operator: Word, a: Value, b: Value) -> Value {
    let back = !b.unsigned && b.signed() < 0;
    let left = (operator == Word::SHL) != back;
    let count = if back { b.signed().unsigned_abs() } else { b.bits };
    let sign = if a.unsigned || a.signed() >= 0 { 0 } else { u64::MAX };
    let bits = match (left, u32::try_from(count)) {
        (true, Ok(n)) => a.bits.checked_shl(n).unwrap_or(0),
        (true, Err(_)) => 0,
        (false, Ok(n)) if a.unsigned => a.bits.checked_shr(n).unwrap_or(0),
        (false, Ok(n)) => a.signed().checked_shr(n).map_or(sign, |v| v as u64),
        (false, Err(_)) => sign,
    };
    Value { bits, ..a }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use crate::syntax::token::lex;

    fn value(text: &str) -> Result<bool, String> {
        let mut words = Words::default();
        let (tokens, _) = lex(FileId(0), text, &mut words);
        evaluate(&tokens, &words, Span::new(FileId(0), 0, 0)).map_err(|d| d.message)
    }

    #[test]
    fn as_in_c() {
        for text in [
            "1 + 2 * 3 == 7",
            "(1 + 2) * 3 == 9",
            "10 - 4 - 3 == 3",
            "-7 / 2 == -3 && -7 % 2 == -1",
            "0x1F == 31 && 017 == 15 && 0b101 == 5",
            "-1 > 0u",
            "-1 < 0",
            "1 ? 2 : 1/0",
            "0 ? 1/0 : 0 ? 0 : 5",
            "1 || 1/0",
            "!(0 && 1/0)",
            "!!5 == 1",
            "~0 == -1",
            "'a' == 97 && '\\n' == 10",
            "1 << 3 >> 1 == 4",
            "(-8 >> 1) == -4",
            "(1 << 64) == 0",
            "(5 & 3 | 8 ^ 1) == 9",
            "undefined == 0",
            "2 - -2 == 4",
            "1 ? 0 : 1 ? 0 : 1 || 1 == 0 ? 1 : 1",
        ] {
            let expected = if text.starts_with("1 ? 0") { Ok(false) } else { Ok(true) };
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn wrong_conditions_are_refused() {
        for (text, message) in [
            ("", "a condition is missing here"),
            ("1 +", "a condition is missing here"),
            ("(1", "`)` is missing in a condition"),
            ("1 2", "unexpected text after the condition"),
            ("1 ? 2", "`?` in a condition needs a `:`"),
            ("1 / 0", "division by zero in a condition"),
            ("99999999999999999999", "this is no integer of 64 bits"),
            ("1lul", "this is no integer of 64 bits"),
            ("08", "this is no integer of 64 bits"),
            ("\"a\"", "this cannot stand in a condition"),
            ("a = 1", "unexpected text after the condition"),
        ] {
            assert_eq!(value(text), Err(message.to_string()), "{text}");
        }
        for deep in ["(", "!", "1?", "1+(", "- "] {
            assert!(value(&deep.repeat(100_000)).is_err(), "{deep}");
        }
    }
}
