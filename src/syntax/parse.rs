//! Flat text to [`Spec`]: `grammar/promela.pest` recognises, this file and its children build the tree.
//!
//! What comes in is text after preprocessing, inline expansion and layout; what goes out is a tree whose every node
//! knows its place, or diagnostics. Three kinds of fault are found: text that is not Promela (`complain`), what a grammar
//! cannot say, such as numbers beyond 32 bits, and trees that are too deep.
//!
//! Invariant: a path from the root of a returned tree to a leaf has at most `MOST_BRACKETS` brackets and `MOST_LINKS`
//! other nodes, so later passes may recurse. Recognising recurses on brackets only, and pest stops with an error where
//! its stack would overflow.

mod blocks;
pub(crate) mod complain;
mod expr;
mod reading;
mod stmt;
#[cfg(test)]
pub(crate) mod tests;
mod unit;

use super::spec::{At, Ident, Ltl, Spec, Unit};
use crate::source::{Diagnostic, Span};
use pest::Parser as _;
use reading::Reading;

/// The parser pest derives from the grammar.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/promela.pest"]
    pub(super) struct Grammar;
}

use grammar::{Grammar, Rule};

type Pair<'t> = pest::iterators::Pair<'t, Rule>;
type Pairs<'t> = pest::iterators::Pairs<'t, Rule>;

/// How many brackets (blocks, options, parentheses, indices, …) may enclose each other. Recognising and building recurse
/// on them: a level takes about 20 kB of stack without optimisation and 9 kB with it, so that 32 MB are enough.
const MOST_BRACKETS: usize = 1_200;

/// How many operands, operators, labels and fields may stand on the way to a leaf: these nest without brackets.
const MOST_LINKS: usize = 10_000;

const TOO_DEEP: &str = "nested too deeply";

/// Where the flat text comes from.
pub trait Origin {
    /// The place of a range of its bytes in what the user wrote.
    fn span(&self, start: usize, end: usize) -> Span;

    /// What the user wrote for the token at these bytes, if it was spelled anew for the grammar.
    fn typed(&self, _start: usize, _end: usize) -> Option<String> {
        None
    }
}

/// Nothing was spelled anew.
impl<F: Fn(usize, usize) -> Span> Origin for F {
    fn span(&self, start: usize, end: usize) -> Span {
        self(start, end)
    }
}

/// Parses flat text; `origin` knows where a range of its bytes comes from. Warnings accompany a tree. What is wrong inside an ltl
/// block alone is kept with the block.
pub fn parse(text: &str, origin: &dyn Origin) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let error = match Grammar::parse(Rule::spec, text) {
        Ok(pairs) => return build(pairs, Vec::new(), origin),
        Err(error) => error,
    };
    let (rest, faulty) = blocks::cut(text, origin);
    match Grammar::parse(Rule::spec, &rest) {
        Ok(pairs) => build(pairs, faulty, origin),
        Err(_) => Err(complain::all(text, origin, error)),
    }
}

/// The tree of a text that the grammar recognises, with ltl blocks that it does not.
fn build(
    pairs: Pairs<'_>,
    faulty: Vec<(usize, Ltl)>,
    origin: &dyn Origin,
) -> Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut build =
        Build { origin, faults: Vec::new(), warnings: Vec::new(), reading: Reading::Taken, brackets: 0, links: 0 };
    let mut units: Vec<(usize, Unit)> = faulty.into_iter().map(|(start, ltl)| (start, Unit::Ltl(ltl))).collect();
    for pair in pairs.flat_map(Pair::into_inner) {
        let (start, _) = range(&pair);
        units.extend(build.unit(pair).map(|unit| (start, unit)));
    }
    units.sort_by_key(|&(start, _)| start);
    let spec = Spec { units: units.into_iter().map(|(_, unit)| unit).collect() };
    if build.faults.is_empty() { Ok((spec, build.warnings)) } else { Err(build.faults) }
}

/// The tree builder: turns recognised pairs into nodes, collecting the faults a grammar cannot express.
struct Build<'t> {
    origin: &'t dyn Origin,
    faults: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// How formulas are read.
    reading: Reading,
    /// The brackets around what is being built.
    brackets: usize,
    /// The links it hangs on.
    links: usize,
}

impl Build<'_> {
    fn at(&self, pair: &Pair<'_>) -> At {
        let (start, end) = range(pair);
        At(self.origin.span(start, end))
    }

    fn fault(&mut self, pair: &Pair<'_>, message: impl Into<String>) {
        let At(span) = self.at(pair);
        self.faults.push(Diagnostic::error(span, message));
    }

    fn ident(&self, pair: Pair<'_>) -> Ident {
        Ident { name: pair.as_str().to_string(), at: self.at(&pair) }
    }

    /// Builds something inside one more bracket, or nothing where that would be too deep.
    fn inside<T>(&mut self, pair: &Pair<'_>, build: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.brackets == MOST_BRACKETS {
            self.fault(pair, TOO_DEEP);
            return None;
        }
        self.brackets += 1;
        let built = build(self);
        self.brackets -= 1;
        Some(built)
    }

    /// Builds something that hangs on more links, or nothing where that would be too deep.
    fn below<T>(&mut self, links: usize, pair: &Pair<'_>, build: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.links + links > MOST_LINKS {
            self.fault(pair, TOO_DEEP);
            return None;
        }
        self.links += links;
        let built = build(self);
        self.links -= links;
        Some(built)
    }
}

/// The bytes of a pair. Pest's own range runs on over the white space before an optional part that did not come.
fn range(pair: &Pair<'_>) -> (usize, usize) {
    let start = pair.as_span().start();
    (start, start + pair.as_str().trim_end().len())
}

/// The next part of a rule, where the grammar promises one.
fn next<'t>(parts: &mut Pairs<'t>) -> Pair<'t> {
    parts.next().expect("the grammar has a part here")
}

/// The only part of a rule.
fn only(pair: Pair<'_>) -> Pair<'_> {
    next(&mut pair.into_inner())
}

/// Takes the next part if it is a `rule`.
fn take<'t>(parts: &mut Pairs<'t>, rule: Rule) -> Option<Pair<'t>> {
    if parts.peek()?.as_rule() == rule { parts.next() } else { None }
}
