//! The message for a syntax error, and help with the common mistakes.

use super::scene::{Scene, Token, is_keyword, is_name};
use super::{Wanted, formula};
use crate::source::Diagnostic;
use crate::syntax::parse::Origin;
use crate::syntax::spelling;

const TYPES: [&str; 9] = ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];

/// Signs that join what is before them with what is behind them, so that no statement starts with one.
const JOINTS: [&str; 18] =
    ["*", "/", "%", "+", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||", "="];

pub(crate) const IF_HAS_OPTIONS: &str = "an `if` has options: `if :: x == 1 -> … :: else -> … fi`";
pub(crate) const DO_HAS_OPTIONS: &str = "a `do` has options: `do :: x < 9 -> … :: else -> break od`";

pub(super) fn diagnose(scene: &Scene<'_>, origin: &dyn Origin) -> Diagnostic {
    let last = scene.tokens.len().saturating_sub(1);
    let here = scene.tokens.get(scene.here.min(last)).copied();
    let here = here.unwrap_or(Token { text: "", start: 0 });
    let error = |token: Token<'_>, message| Diagnostic::error(origin.span(token.start, token.end()), message);
    let known = unclosed(scene).or_else(|| misnamed(scene)).or_else(|| misused(scene, here));
    if let Some((token, message)) = known {
        return error(token, message);
    }
    let diagnostic = error(here, format!("expected {}, found {}", expected(scene), found(scene)));
    let keyword = || unit_keyword(scene).or_else(|| misspelled(scene));
    let known = if scene.in_formula() { formula::help(scene) } else { keyword() };
    match known.or_else(|| help(scene).map(str::to_string)) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A name at the error or shortly before it that is nearly a keyword: that word was not recognised, and then what follows it makes no sense.
fn misspelled(scene: &Scene<'_>) -> Option<String> {
    let ends_operand = matches!(scene.text(0), "=" | ";" | "->" | ")" | "]" | ",");
    let is_operand = |back: usize| back == 1 && ends_operand && !scene.open.is_empty();
    let near = |back: usize| spelling::keyword(scene.text(back)).filter(|_| is_name(scene.text(back)));
    let help = (0..3).filter(|&back| !is_operand(back)).find_map(near)?;
    // where a separator is missing, any name may follow
    (scene.wanted != Wanted::End || matches!(scene.text(0), "{" | "(") || is_name(scene.text(0))).then_some(help)
}

/// The keyword of a unit that the word in front of a brace, or of a name and a brace, may be meant for.
fn unit_keyword(scene: &Scene<'_>) -> Option<String> {
    let back = if is_name(scene.text(2)) { 2 } else { 1 };
    let at_top = scene.open.is_empty() && scene.text(0) == "{" && is_name(scene.text(back));
    let known = ["ltl", "never", "init", "typedef", "trace", "notrace", "inline"];
    spelling::did_you_mean(scene.text(back), known).filter(|_| at_top)
}

fn found(scene: &Scene<'_>) -> String {
    match scene.typed() {
        "" => "the end of the model".to_string(),
        text => format!("`{text}`"),
    }
}

fn expected(scene: &Scene<'_>) -> String {
    match scene.wanted {
        Wanted::Unit => unit(scene).to_string(),
        Wanted::Statement => "a statement".to_string(),
        Wanted::Expression => "an expression".to_string(),
        Wanted::Name => "a name".to_string(),
        Wanted::Text => "a text in quotes".to_string(),
        Wanted::Argument => "a variable or a constant".to_string(),
        Wanted::End => end(scene),
        Wanted::Literal => literals(scene),
    }
}

/// At the top a unit may follow anything, but what the user meant to write before a stray sign is a separator.
fn unit(scene: &Scene<'_>) -> &'static str {
    if matches!(scene.text(1), "" | ";" | "->" | "}") { "a declaration or a proctype" } else { "`;`" }
}

/// What ends what is open, once an operand is complete.
fn end(scene: &Scene<'_>) -> String {
    for sign in [")", "]", "..", ":"] {
        if scene.welcome(sign) && !scene.welcome(";") {
            return format!("`{sign}`");
        }
    }
    match scene.open.last() {
        None => unit(scene).to_string(),
        Some(open) if open.body => "`;` or `->`".to_string(),
        Some(open) if is_formula(scene, open.token) => "the end of the formula".to_string(),
        Some(_) if scene.welcome(";") && !scene.welcome("*") => "`;`".to_string(),
        Some(open) => format!("`{}`", open.closer()),
    }
}

/// The brace of an `ltl` block; that around a formula of the command line nobody has typed.
fn is_formula(scene: &Scene<'_>, brace: Token<'_>) -> bool {
    let before = scene.tokens.iter().rev().skip_while(|token| token.start >= brace.start);
    brace.text == "{" && before.take(2).any(|token| token.text == "ltl")
}

/// The literals that would have been welcome, without white space, parts of words and what merely prolongs a reference.
fn literals(scene: &Scene<'_>) -> String {
    let dull = |literal: &str| literal.trim().is_empty() || literal.contains("..") || "_.[@:\\M".contains(literal);
    let signs = scene.literals.iter().filter(|literal| *literal == ":" || !dull(literal));
    let ends_formula = scene.open.last().is_some_and(|open| is_formula(scene, open.token));
    if ends_formula && scene.welcome("}") {
        return end(scene);
    }
    let signs: Vec<String> = signs.map(|literal| format!("`{literal}`")).collect();
    if (1..5).contains(&signs.len()) { signs.join(" or ") } else { end(scene) }
}

/// A bracket whose closer is missing, or a closer that has no bracket.
fn unclosed<'t>(scene: &Scene<'t>) -> Option<(Token<'t>, String)> {
    let text = scene.text(0);
    let closer = matches!(text, ")" | "]" | "}" | "fi" | "od");
    let confused = matches!(text, "fi" | "od") && matches!(scene.inside(), "if" | "do");
    if closer && !confused && !scene.open.iter().any(|open| open.closer() == text) {
        return Some((scene.tokens[scene.here], format!("there is nothing that this `{text}` closes")));
    }
    let open = scene.open.last()?;
    let ended = closer || scene.tokens.get(scene.here).is_none_or(Token::is_unit);
    let complete = matches!(scene.wanted, Wanted::End | Wanted::Statement | Wanted::Literal);
    let empty = matches!(scene.text(1), "{" | "::" | "if" | "do");
    let choice = scene.inside() == "(" && scene.welcome(":") && !scene.welcome(")");
    if !ended || !complete || empty || choice || text == open.closer() {
        return None;
    }
    let (opener, closer) = (open.token.text, open.closer());
    Some((open.token, format!("this `{opener}` is not closed: expected `{closer}` before {}", found(scene))))
}

/// A keyword where a name should be.
fn misnamed<'t>(scene: &Scene<'t>) -> Option<(Token<'t>, String)> {
    let back = match scene.wanted {
        // the word before it may be the one that is wrong: `actve proctype`
        Wanted::Name if scene.tokens.get(scene.here).is_some_and(Token::is_unit) && misspelled(scene).is_some() => {
            return None;
        }
        Wanted::Name if starts_unit(scene) => {
            let stray = scene.tokens[scene.here - 1];
            return Some((stray, format!("`{}` before `{}` has no meaning", stray.text, scene.text(0))));
        }
        Wanted::Name if is_keyword(scene.text(0)) && !TYPES.contains(&scene.text(0)) => 0,
        Wanted::Name => return None,
        _ if is_keyword(scene.text(1)) && matches!(scene.text(0), "=" | "++" | "--" | ":" | "." | "?" | "??") => 1,
        _ => return None,
    };
    let token = scene.tokens[scene.here - back];
    Some((token, format!("`{}` is a keyword and cannot be used as a name", token.text)))
}

/// A unit begins here, and a name that is no keyword stands before it, as in `an init { … }`.
fn starts_unit(scene: &Scene<'_>) -> bool {
    let begins = scene.tokens.get(scene.here).is_some_and(Token::is_unit);
    let goes_on = scene.after() == "{" || is_name(scene.after());
    begins && goes_on && scene.open.is_empty() && is_name(scene.text(1))
}

/// Words that are Promela but not here, and calls of what is no inline.
fn misused<'t>(scene: &Scene<'t>, here: Token<'t>) -> Option<(Token<'t>, String)> {
    let message = match here.text {
        "c_code" | "c_expr" | "c_decl" | "c_state" | "c_track" => {
            format!("embedded C (`{}`) is not supported", here.text)
        }
        "return" => "`return` outside of an inline".to_string(),
        "(" if is_name(scene.text(1)) && scene.wanted == Wanted::End && !scene.in_formula() => {
            let name = scene.tokens[scene.here - 1];
            let message = match (name.text, spelling::keyword(name.text)) {
                ("switch", _) => "there is no `switch`: write `if :: x == 1 -> … :: else -> … fi`".to_string(),
                ("while", _) => "there is no `while`: write `do :: condition -> … :: else -> break od`".to_string(),
                (text, Some(near)) => format!("`{text}` is not an inline: {near}"),
                (text, None) => format!("`{text}` is not an inline; a process is started with `run {text}(…)`"),
            };
            return Some((name, message));
        }
        // A unit needs no separator before it, so `int a b;` was taken for `int a` and a declaration `b …`.
        _ if scene.wanted == Wanted::Name
            && scene.open.is_empty()
            && is_name(scene.text(1))
            && is_name(scene.text(2)) =>
        {
            let name = scene.tokens[scene.here - 1];
            return Some((name, format!("expected `,` or `;`, found `{}`", name.text)));
        }
        _ => return None,
    };
    Some((here, message))
}

fn help(scene: &Scene<'_>) -> Option<&'static str> {
    let (here, before) = (scene.text(0), scene.text(1));
    let statement = scene.wanted == Wanted::Statement;
    Some(match here {
        _ if before == "if" => IF_HAS_OPTIONS,
        _ if before == "do" => DO_HAS_OPTIONS,
        ">" if before == "<" && scene.wanted == Wanted::Expression => "to compare, write `!=`",
        "=" if before == ":" => "an assignment is written `x = 2`",
        ":" if scene.after() == "=" => "an assignment is written `x = 2`",
        "<" if before == "=" => "to compare, write `<=`",
        "=" if scene.after() == "<" => "to compare, write `<=`",
        "=" if scene.after() == ">" => "write `->` behind a condition, or `>=` to compare",
        "=" if scene.text(2) == "(" && scene.text(3) == "for" => "a loop is written `for (i : 0 .. 9) { … }`",
        "=" if matches!(before, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^") => "write `x = x + 1` for `x += 1`",
        "=" if scene.wanted == Wanted::Name && !is_name(before) => return None,
        "=" if scene.open.is_empty() => "statements belong inside a proctype or `init`",
        "=" => "`=` assigns; to compare, write `==`",
        "unless" => "`unless` does not chain: put `{ … unless … }` in braces",
        "[" if before == "]" => "an array has one dimension; for more, use a typedef with an array in it",
        "{" if before == "]" => "a channel is written `[2] of { byte, bit }`",
        "::" if statement && scene.inside() == "{" => "options belong inside `if … fi` or `do … od`",
        "}" if before == "{" => "a block cannot be empty: write `skip`",
        "::" | "fi" | "od" if before == "::" => "an option cannot be empty: write `skip`",
        "->" | ";" if statement => "there is nothing before this separator",
        ")" if scene.welcome(":") && scene.welcome("*") => "a choice is written `(condition -> value : other value)`",
        _ if statement && before == ":" && TYPES.contains(&here) => "a label cannot stand before a declaration",
        _ if before == "," && scene.inside() == "(" && TYPES.contains(&here) => {
            "put `;` between parameters of different types"
        }
        _ if statement && JOINTS.contains(&here) => {
            "a line that ends in a name, a number or a bracket is a whole statement: to continue it, end the line before \
             with the operator or put the expression in parentheses"
        }
        _ if scene.wanted == Wanted::End && scene.in_body() => "statements are separated by `;` or `->`",
        _ => return None,
    })
}
