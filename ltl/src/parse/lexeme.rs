//! The small pieces of a text: blanks, words, numbers and quoted names.

use super::operators::letter;
use crate::expr::Unary;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while, take_while1};
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{all_consuming, recognize, rest_len, verify};
use nom::multi::{fold_many0, many1};
use nom::sequence::{delimited, pair, preceded};
use nom::{IResult, Parser};

pub fn skip_blanks(text: &str) -> &str {
    text.trim_start()
}

/// An identifier or a word operator: `[A-Za-z_][A-Za-z0-9_]*`.
pub fn word(text: &str) -> IResult<&str, &str> {
    let start = satisfy(|c| c.is_ascii_alphabetic() || c == '_');
    recognize(pair(start, take_while(is_word_part))).parse(text)
}

/// A digit and whatever is glued to it.
pub fn number(text: &str) -> IResult<&str, &str> {
    verify(take_while1(is_word_part), |word: &str| word.starts_with(|c: char| c.is_ascii_digit())).parse(text)
}

fn is_word_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The name between quotes. A backslash takes a quote or a backslash literally; elsewhere it stands for itself.
pub fn quoted(text: &str) -> IResult<&str, String> {
    let escaped = preceded(char('\\'), recognize(one_of("\"\\")));
    let piece = alt((escaped, is_not("\"\\"), tag("\\")));
    let name = fold_many0(piece, String::new, |name, piece| name + piece);
    delimited(char('"'), name, char('"')).parse(text)
}

/// Splits a word such as `GFp0`, `Fa` or `XX` into the operators at its start and how many bytes remain for the atom.
///
/// Other tools take any word apart that starts with such a letter; then `Full` would be `F` and `ull`. Here the rest
/// must be empty or a lower case letter with digits, so names of models remain names.
pub fn split_letters(word: &str) -> Option<(Vec<Unary>, usize)> {
    // Not nom's digit0: at the end of the text its rest is a slice at the start (8.0.0), which misleads recognize.
    let digits = take_while(|c: char| c.is_ascii_digit());
    let short_atom = recognize(pair(satisfy(|c| c.is_ascii_lowercase()), digits));
    let atom = alt((all_consuming(short_atom).map(str::len), verify(rest_len, |&length| length == 0)));
    let result: IResult<&str, (Vec<Unary>, usize)> = pair(many1(letter), atom).parse(word);
    result.ok().map(|(_, split)| split)
}

/// The text can stand for an atom without quotes, as far as its letters go.
pub fn is_word(text: &str) -> bool {
    matches!(word(text), Ok(("", _)))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_split_from_short_atoms_only() {
        let split = |word| split_letters(word).map(|(letters, atom)| (letters.len(), atom));
        let table = [("Fp0", 1, 2), ("GXp", 2, 1), ("GF", 2, 0), ("XXXq12", 3, 3)];
        for (word, letters, atom) in table {
            assert_eq!(split(word), Some((letters, atom)), "{word}");
        }
        for word in ["Full", "Fail0", "Fp0a", "F_0", "G1", "Xmit", "p0", "Up0", ""] {
            assert_eq!(split(word), None, "{word}");
        }
    }

    #[test]
    fn quotes_and_backslashes_are_escaped() {
        let read = |text| quoted(text).ok();
        let name = |name: &str| name.to_string();
        assert_eq!(read(r#""x > 3" U"#), Some((" U", name("x > 3"))));
        assert_eq!(read(r#""\"\\ \n""#), Some(("", name(r#""\ \n"#))));
        assert_eq!(read(r#""é""#), Some(("", name("é"))));
        assert_eq!(read(r#""x\""#), None);
        assert_eq!(read(r#""x"#), None);
    }
}
