//! What a user most likely meant by a word that is not known.

use super::word::Word;
use std::cmp::Reverse;

/// The candidate nearest to `name`, as a help text.
pub fn did_you_mean<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<String> {
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

/// The keyword nearest to `name`. A name of one or two letters is near to nearly all short keywords.
pub fn keyword(name: &str) -> Option<String> {
    did_you_mean(name, Word::keywords()).filter(|_| name.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::keyword;

    #[test]
    fn the_nearest_keyword() {
        for (name, meant) in
            [("proctyp", "proctype"), ("byt", "byte"), ("esle", "else"), ("ini", "init"), ("Init", "init")]
        {
            assert_eq!(keyword(name), Some(format!("did you mean `{meant}`?")), "{name}");
        }
        ["x", "no", "count", "philosopher"].into_iter().for_each(|name| assert_eq!(keyword(name), None, "{name}"));
    }
}
