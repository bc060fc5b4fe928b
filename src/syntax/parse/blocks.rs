//! Ltl blocks that are not formulas: they are cut out, so that the rest of the model can be read without them.

use super::complain::{self, Token};
use super::{Grammar, Origin, Rule};
use crate::source::Span;
use crate::syntax::spec::{At, Expr, ExprKind, Ident, Ltl};
use pest::Parser as _;

/// The text with blanks for the ltl blocks that are not in order, and these with the places where they start.
pub(super) fn cut(text: &str, origin: &dyn Origin) -> (String, Vec<(usize, Ltl)>) {
    let tokens = complain::tokens(text);
    let mut rest = text.to_string();
    let mut faulty = Vec::new();
    for block in blocks(&tokens) {
        let (start, end) = (block[0].start, block[block.len() - 1].end());
        let part = Part { origin, start };
        if let Err(error) = Grammar::parse(Rule::spec, &text[start..end]) {
            let faults = complain::all(&text[start..end], &part, error);
            let ident =
                |name: &Token<'_>| Ident { name: name.text.to_string(), at: At(origin.span(name.start, name.end())) };
            let name = Some(&block[1]).filter(|name| name.text != "{").map(ident);
            let at = At(origin.span(start, end));
            faulty.push((start, Ltl { name, formula: Expr { kind: ExprKind::Const(0), at }, faults, at }));
            rest.replace_range(start..end, &" ".repeat(end - start));
        }
    }
    (rest, faulty)
}

/// A text that begins at byte `start` of another.
struct Part<'o> {
    origin: &'o dyn Origin,
    start: usize,
}

impl Origin for Part<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        self.origin.span(self.start + start, self.start + end)
    }

    fn typed(&self, start: usize, end: usize) -> Option<String> {
        self.origin.typed(self.start + start, self.start + end)
    }
}

/// The tokens of each `ltl { … }`, with or without a name.
fn blocks<'t>(tokens: &'t [Token<'t>]) -> Vec<&'t [Token<'t>]> {
    let mut found = Vec::new();
    let starts = (0..tokens.len()).filter(|&at| tokens[at].text == "ltl");
    for start in starts {
        let body = &tokens[start..];
        let brace = if body.get(1).is_some_and(|token| token.text == "{") { 1 } else { 2 };
        if body.get(brace).is_some_and(|token| token.text == "{")
            && let Some(length) = closed(&body[brace..])
        {
            found.push(&body[..brace + length]);
        }
    }
    found
}

/// How many tokens there are up to the brace that closes the first one.
fn closed(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}
