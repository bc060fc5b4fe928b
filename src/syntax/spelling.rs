//! What a user most likely meant by a word that is not known.

use super::word::Word;
use std::cmp::Reverse;

/// Longer words are not compared with keywords. (The time to compare two words grows with the square of their length.)
const MOST_LETTERS: usize = 200;

/// The candidate nearest to `name`, as a help text.
pub fn did_you_mean<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
    if name.len() > MOST_LETTERS {
        return None;
    }
    let allowed = (name.chars().count() / 3).max(1);
    let distance = |candidate: &str| match candidate.eq_ignore_ascii_case(name) {
        true => 0,
        false => strsim::damerau_levenshtein(name, candidate),
    };
    candidates
        .into_iter()
        .filter(|&c| c != name && c.chars().count().abs_diff(name.chars().count()) <= allowed)
        .map(|c| (distance(c), Reverse(same_start(name, c)), c))
        .filter(|&(d, _, c)| d <= allowed && d < c.chars().count())
        .min()
        .map(|(.., nearest)| format!("did you mean `{nearest}`?"))
}

/// How many letters two words have in common at their start: mistakes are rare there.
fn same_start(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}

/// What other languages call our types.
const FOREIGN: [(&str, &str); 3] = [("boolean", "bool"), ("integer", "int"), ("char", "byte")];

/// The keyword nearest to `name`. A name of one or two letters is near to nearly all short keywords, and one that starts
/// otherwise is rarely meant for a keyword.
pub fn keyword(name: &str) -> Option<String> {
    if let Some((_, ours)) = FOREIGN.iter().find(|(word, _)| *word == name) {
        return Some(format!("did you mean `{ours}`?"));
    }
    let same_letter = |word: &str| word.chars().next() == name.chars().next();
    let long = |word: &str| word.len() > 2 || name.starts_with(word);
    let near = |word: &&str| (same_letter(word) && long(word)) || (name.len() > 3 && is_slip(name, word));
    did_you_mean(name, Word::keywords().filter(near)).filter(|_| name.len() > 2)
}

/// The keyword that `name` is but for one slip. Names of variables are often near to keywords that nobody meant.
pub fn slip_of_keyword(name: &str) -> Option<String> {
    did_you_mean(name, Word::keywords().filter(|word| is_slip(name, word))).filter(|_| name.len() > 3)
}

fn is_slip(name: &str, word: &str) -> bool {
    let alike = name.len() <= MOST_LETTERS && strsim::damerau_levenshtein(name, word) == 1;
    alike || word.eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::{keyword, slip_of_keyword};

    #[test]
    fn names_of_variables_are_no_keywords() {
        assert_eq!(slip_of_keyword("esle"), Some("did you mean `else`?".into()));
        ["nochan", "xor", "foo", "timer"]
            .into_iter()
            .for_each(|name| assert_eq!(slip_of_keyword(name), None, "{name}"));
    }

    #[test]
    fn the_nearest_keyword() {
        for (name, meant) in [
            ("proctyp", "proctype"),
            ("byt", "byte"),
            ("esle", "else"),
            ("ini", "init"),
            ("Init", "init"),
            ("iff", "if"),
            ("boolean", "bool"),
            ("integer", "int"),
        ] {
            assert_eq!(keyword(name), Some(format!("did you mean `{meant}`?")), "{name}");
        }
        ["x", "no", "count", "philosopher", "nochan", "xor"]
            .into_iter()
            .for_each(|name| assert_eq!(keyword(name), None, "{name}"));
    }
}
