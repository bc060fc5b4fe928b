//! The grammar of the claims that we read: a tree with slices of the text.
//!
//! ```text
//! claim   = "never" word? "{" (label* step separator)* "}"
//! step    = ("if" option+ "fi") | ("do" option+ "od") | plain
//! option  = "::" (guard | plain) (separator plain)*
//! guard   = "else" | "atomic" "{" condition separator "assert" "(" "!" condition ")" separator? "}"
//! plain   = "skip" | "goto" word | "break" | "assert" "(" "false" ")" | condition
//! separator = ";" | "->"
//! ```

use super::super::condition::Condition;
use super::super::reading::{Mistake, Read, expect, fail, miss, stretch};
use super::expression::{Expression, expression};
use super::lexeme::{keyword, label, name, sign, space, word};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::opt;
use nom::multi::many0;

pub struct Claim<'a> {
    pub steps: Vec<Step<'a>>,
}

pub struct Step<'a> {
    pub labels: Vec<&'a str>,
    pub action: Action<'a>,
}

pub enum Action<'a> {
    If(Vec<Branch<'a>>),
    Do(Vec<Branch<'a>>),
    Plain(Plain<'a>),
}

/// The statements of an option; there is at least one.
pub type Branch<'a> = Vec<Plain<'a>>;

pub enum Plain<'a> {
    When(Guard<'a>),
    Else(&'a str),
    Goto(&'a str),
    Break(&'a str),
    /// An assertion that cannot hold: whatever comes now, the claim has caught it.
    Caught,
}

pub struct Guard<'a> {
    pub condition: Expression<'a>,
    pub at: &'a str,
}

pub fn claim(input: &str) -> Read<'_, Claim<'_>> {
    let (input, _) = expect("`never`", keyword("never")).parse(space(input))?;
    let (input, _) = opt(name).parse(input)?;
    let (input, open) = expect("`{`", sign("{")).parse(input)?;
    let (input, steps) = steps(input)?;
    let (input, _) = expect("a statement of a claim or `}`", sign("}")).parse(input)?;
    if steps.is_empty() {
        return fail(Mistake::new(open, "the claim has no statements"));
    }
    if input.is_empty() {
        return Ok((input, Claim { steps }));
    }
    match keyword("never").parse(input) {
        Ok((_, never)) => fail(Mistake::new(never, "another claim begins here; only one is read")),
        Err(_) => fail(Mistake::expected("nothing behind the claim", input)),
    }
}

fn steps(mut input: &str) -> Read<'_, Vec<Step<'_>>> {
    let mut steps = Vec::new();
    while !input.is_empty() && !input.starts_with('}') {
        let (rest, step) = step(input)?;
        let (rest, separators) = separators(rest)?;
        let needed = matches!(step.action, Action::Plain(_)) && !rest.starts_with('}');
        if needed && separators == 0 {
            return fail(after_statement(rest));
        }
        steps.push(step);
        input = rest;
    }
    Ok((input, steps))
}

fn step(input: &str) -> Read<'_, Step<'_>> {
    let (input, labels) = many0(label).parse(input)?;
    let choices = alt((|input| choice("if", "fi", input), |input| choice("do", "od", input)));
    let (input, action) = expect("a statement of a claim", choices.or(plain.map(Action::Plain))).parse(input)?;
    Ok((input, Step { labels, action }))
}

fn choice<'a>(open: &'static str, close: &'static str, input: &'a str) -> Read<'a, Action<'a>> {
    let (mut input, opened) = keyword(open).parse(input)?;
    let mut branches = Vec::new();
    while let Ok((rest, _)) = sign("::")(input) {
        let (rest, branch) = branch(rest)?;
        branches.push(branch);
        input = rest;
    }
    let what = if close == "fi" { "`::` or `fi`" } else { "`::` or `od`" };
    let (input, _) = expect(what, keyword(close)).parse(input)?;
    match (branches.is_empty(), open) {
        (true, _) => fail(Mistake::new(opened, format!("this `{open}` has no options"))),
        (false, "if") => Ok((input, Action::If(branches))),
        (false, _) => Ok((input, Action::Do(branches))),
    }
}

fn branch(input: &str) -> Read<'_, Branch<'_>> {
    let (mut input, mut branch) = alt((caught, otherwise.map(|only| vec![only]), simple)).parse(input)?;
    loop {
        let (rest, separators) = separators(input)?;
        let over = rest.starts_with("::") || word(rest).is_ok_and(|(_, word)| word == "fi" || word == "od");
        if over || rest.is_empty() {
            return Ok((rest, branch));
        }
        if separators == 0 {
            return fail(after_statement(rest));
        }
        let (rest, next) = simple(rest)?;
        branch.extend(next);
        input = rest;
    }
}

/// A statement inside an option. What SPIN allows here besides is not in the claims that are generated.
fn simple(input: &str) -> Read<'_, Vec<Plain<'_>>> {
    if let Ok((_, label)) = label(input) {
        return fail(Mistake::new(label, "a label inside an option is not supported"));
    }
    if let Ok((_, nested)) = alt((keyword("if"), keyword("do"))).parse(input) {
        return fail(Mistake::new(nested, format!("`{nested}` inside an option is not supported")));
    }
    expect("a condition, `goto`, `skip` or `break`", plain).map(|only| vec![only]).parse(input)
}

fn separators(input: &str) -> Read<'_, usize> {
    many0(alt((sign(";"), sign("->")))).map(|all| all.len()).parse(input)
}

fn after_statement(input: &str) -> Mistake<'_> {
    let mistake = Mistake::expected("`;` or `->`", input);
    match input.starts_with(['=', '?', '!']) {
        true => mistake.help("a claim only watches the model: no assignments, no sends, no receives"),
        false => mistake,
    }
}

fn otherwise(input: &str) -> Read<'_, Plain<'_>> {
    keyword("else").map(Plain::Else).parse(input)
}

fn plain(input: &str) -> Read<'_, Plain<'_>> {
    alt((skip, goto, keyword("break").map(Plain::Break), always_false, guard.map(Plain::When))).parse(input)
}

fn skip(input: &str) -> Read<'_, Plain<'_>> {
    keyword("skip").map(|at| Plain::When(Guard { condition: Condition::Constant(true), at })).parse(input)
}

fn goto(input: &str) -> Read<'_, Plain<'_>> {
    let (input, _) = keyword("goto").parse(input)?;
    expect("a label", name).map(Plain::Goto).parse(input)
}

fn guard(input: &str) -> Read<'_, Guard<'_>> {
    let begins = |c: char| c.is_ascii_digit() || "(!-~'".contains(c);
    if name(input).is_err() && !input.starts_with(begins) {
        return miss(input);
    }
    let (rest, condition) = expression(input)?;
    let at = input[..input.len() - rest.len()].trim_end();
    Ok((rest, Guard { condition, at }))
}

/// `assert(false)`.
fn always_false(input: &str) -> Read<'_, Plain<'_>> {
    let (rest, (condition, at)) = assertion(input)?;
    match condition {
        Condition::Constant(false) => Ok((rest, Plain::Caught)),
        _ => fail(unsupported_assertion(at)),
    }
}

/// `atomic { c -> assert(!c) }`: how SPIN 6 says that a word is accepted as soon as `c` holds.
fn caught(input: &str) -> Read<'_, Vec<Plain<'_>>> {
    let (input, _) = keyword("atomic").parse(input)?;
    let (input, _) = expect("`{`", sign("{")).parse(input)?;
    let (input, guard) = expect("a condition", guard).parse(input)?;
    let (input, _) = expect("`->`", alt((sign("->"), sign(";")))).parse(input)?;
    let (input, (asserted, at)) = expect("`assert`", assertion).parse(input)?;
    let (input, _) = separators(input)?;
    let (input, _) = expect("`}`", sign("}")).parse(input)?;
    let opposite = matches!(&asserted, Condition::Not(inner) if **inner == guard.condition);
    match opposite || asserted == Condition::Constant(false) {
        true => Ok((input, vec![Plain::When(guard), Plain::Caught])),
        false => fail(unsupported_assertion(at)),
    }
}

fn assertion(input: &str) -> Read<'_, (Expression<'_>, &str)> {
    let (rest, _) = keyword("assert").parse(input)?;
    let (rest, _) = expect("`(`", sign("(")).parse(rest)?;
    let (rest, condition) = expression(rest)?;
    let (rest, close) = expect("`)`", sign(")")).parse(rest)?;
    Ok((rest, (condition, stretch(input, close))))
}

fn unsupported_assertion(at: &str) -> Mistake<'_> {
    Mistake::new(at, "this assertion is not supported")
        .help("`assert(false)` is, and `atomic { (c) -> assert(!(c)) }` with the same condition twice")
}
