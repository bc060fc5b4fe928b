//! Golden tests: flat text in, the printed tree or the complaint out.

mod errors;
mod expressions;
mod places;
mod statements;
mod units;

use super::parse;
use crate::source::{Diagnostic, FileId, Span};
use crate::syntax::print;
use crate::syntax::spec::{Spec, Stmt, Unit};

pub(crate) fn parse_flat(text: &str) -> Result<Spec, Vec<Diagnostic>> {
    parse(text, &|start, end| Span::new(FileId(0), start, end)).and_then(|(spec, _)| {
        let faults: Vec<Diagnostic> = spec.units.iter().flat_map(faults).cloned().collect();
        if faults.is_empty() { Ok(spec) } else { Err(faults) }
    })
}

fn faults(unit: &Unit) -> &[Diagnostic] {
    match unit {
        Unit::Ltl(ltl) => &ltl.faults,
        _ => &[],
    }
}

/// What the earlier passes do to the colon of a remote reference, which the printer writes without spaces.
pub(crate) fn respell(printed: &str) -> String {
    let bytes = printed.as_bytes();
    let tight = |i: usize| bytes.get(i).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b']'));
    let mut flat = String::new();
    for (i, c) in printed.char_indices() {
        let remote = c == ':' && i > 0 && tight(i - 1) && tight(i + 1) && !printed[..i].ends_with("mtype");
        flat.push_str(if remote { "@:" } else { "" });
        if !remote {
            flat.push(c);
        }
    }
    flat
}

#[track_caller]
pub(crate) fn parse_ok(text: &str) -> Spec {
    match parse_flat(text) {
        Ok(spec) => spec,
        Err(faults) => panic!("{text}\n{faults:?}"),
    }
}

/// The steps of an `init` with this body.
#[track_caller]
fn steps(body: &str) -> Vec<Stmt> {
    let mut spec = parse_ok(&format!("init {{ {body} }}"));
    match spec.units.pop() {
        Some(Unit::Init(init)) => init.body.steps,
        unit => panic!("{unit:?}"),
    }
}

/// Units parse, print as `printed`, and that parses to the same tree again.
#[track_caller]
fn check_units(text: &str, printed: &str) {
    let spec = parse_ok(text);
    assert_eq!(print::print(&spec).trim_end(), printed);
    assert_eq!(parse_ok(&respell(printed)), spec);
}

/// A statement parses, prints on one line as `printed`, and that parses to the same tree again.
#[track_caller]
fn check_stmt(text: &str, printed: &str) {
    let parsed = steps(text);
    assert_eq!(parsed.iter().map(print::stmt).collect::<Vec<_>>().join("; "), printed);
    assert_eq!(steps(&respell(printed)), parsed);
}

/// An expression parses as the parenthesised form does and prints as `printed`.
#[track_caller]
fn check_expr(text: &str, parenthesised: &str, printed: &str) {
    let statement = |expr: &str| steps(&format!("x = {expr}"));
    assert_eq!(statement(text), statement(parenthesised));
    assert_eq!(print::stmt(&statement(text)[0]), format!("x = {printed}"));
    assert_eq!(statement(&respell(printed)), statement(text));
}

/// The same for a formula.
#[track_caller]
fn check_ltl(text: &str, parenthesised: &str, printed: &str) {
    let unit = |formula: &str| parse_ok(&format!("ltl {{ {formula} }}"));
    assert_eq!(unit(text), unit(parenthesised));
    assert_eq!(print::print(&unit(text)).trim_end(), format!("ltl {{ {printed} }}"));
    assert_eq!(unit(&respell(printed)), unit(text));
}

/// The first complaint about `text`: what it points at, the message and the help.
#[track_caller]
fn check_error(text: &str, at: &str, message: &str, help: &str) {
    let faults = parse_flat(text).expect_err("this should not parse");
    let span = faults[0].span.expect("a place");
    assert_eq!(faults[0].message, message);
    assert_eq!(&text[span.start as usize..span.end as usize], at);
    assert_eq!(faults[0].help.as_deref().unwrap_or(""), help);
}
