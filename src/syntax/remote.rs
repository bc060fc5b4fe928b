//! Remote references told apart from labels.
//!
//! `P:x` and `P[i]:x` read a variable of another process if `P` is a proctype, while `L: x` is a label. SPIN's lexer
//! knows the proctypes; a grammar does not, so the colon of a remote reference is spelled `@:` from here on, which no
//! model can write itself. `P@label` is plain as it is.
//!
//! As in SPIN the name of a proctype is never a label below its declaration. Above it, SPIN takes `P: x` for a label
//! and fails on `P[i]:x`; we read a label only where a statement starts. Formulas are read last, knowing all names.

use super::formula::{Tracker, proctypes};
use super::layout::ends_line;
use super::token::{Gap, Kind, Token};
use super::word::Word;
use rustc_hash::FxHashSet;

/// Respells the colons of remote references.
pub fn mark(tokens: &mut [Token]) {
    let all: FxHashSet<Word> = proctypes(tokens).collect();
    let mut above: FxHashSet<Word> = FxHashSet::default();
    let mut formula = Tracker::default();
    // For every open `[`: does it follow the name of a proctype?
    let mut indexed = Vec::new();
    for at in 0..tokens.len() {
        let token = tokens[at];
        formula.see(&token);
        let next = tokens.get(at + 1).map(|next| next.text);
        let mut remote = false;
        match (token.kind, token.text) {
            (Kind::Name, Word::PROCTYPE | Word::D_PROCTYPE) => above.extend(next),
            (Kind::Name, name) if next == Some(Word::COLON) && all.contains(&name) => {
                remote = above.contains(&name) || formula.inside() || !declares_or_labels(&tokens[..=at]);
            }
            (_, Word::BRACKET) => indexed.push(at > 0 && all.contains(&tokens[at - 1].text)),
            (_, Word::BRACKET_END) => remote = indexed.pop() == Some(true) && next == Some(Word::COLON),
            _ => {}
        }
        if remote {
            tokens[at + 1].text = Word::REMOTE;
        }
    }
}

/// Is the name at the end of `tokens`, before a colon, a label, a variable of `for` or `select`, or an `unsigned`?
fn declares_or_labels(tokens: &[Token]) -> bool {
    let [before @ .., name] = tokens else { return true };
    match before {
        [] => true,
        [.., keyword, open] if open.is(Word::PAREN) => matches!(keyword.text, Word::FOR | Word::SELECT),
        [.., last] => {
            let separator = matches!(
                last.text,
                Word::SEMI | Word::ARROW | Word::SEP | Word::COLON | Word::BRACE | Word::BRACE_END | Word::ELSE
            );
            separator || last.is(Word::UNSIGNED) || (name.gap >= Gap::Break && ends_line(last))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::flat::tests::text;

    #[test]
    fn proctypes_are_no_labels() {
        let model = "proctype P() { L: skip }\nnever { do :: P:x == 1 -> P[2]:y; P@L; L: P[P:z]@L :: (a -> b : c) od }";
        assert_eq!(
            text(model),
            "proctype P ( ) { L : skip } never { do :: P @: x == 1 -> P [ 2 ] @: y; P @ L; L : P [ P @: z ] @ L \
             :: ( a -> b : c ) od }"
        );
    }

    #[test]
    fn above_the_declaration_statements_may_carry_labels() {
        let model = "init { P: skip; (P:x); P[1]:y; unsigned P : 3; for (P : 1 .. 3) { skip }\n P: skip }\n\
                     ltl { [] P:x && (P:y) } proctype P() { skip }";
        assert_eq!(
            text(model),
            "init { P : skip; ( P @: x ); P [ 1 ] @: y; unsigned P : 3; for ( P : 1 .. 3 ) { skip }; P : skip } \
             ltl { [] P @: x && ( P @: y ) } proctype P ( ) { skip }"
        );
    }
}
