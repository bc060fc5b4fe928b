//! Where in the text the parts of a tree come from.

use super::{parse_ok, steps};
use crate::syntax::spec::{At, Block, ExprKind, Stmt, StmtKind, Unit};

/// The text a place covers; `body` starts behind `init { `.
fn text<'t>(source: &'t str, at: &At) -> &'t str {
    &source[at.0.start as usize..at.0.end as usize]
}

fn body(source: &str) -> Vec<Stmt> {
    let spec = parse_ok(source);
    match spec.units.into_iter().next() {
        Some(Unit::Init(init)) => init.body.steps,
        unit => panic!("{unit:?}"),
    }
}

#[test]
fn places_cover_their_text_and_no_white_space() {
    let source = "init { L : x = ( a + b ) * c   ; if :: y -> z fi   }";
    let steps = body(source);
    assert_eq!(text(source, &steps[0].at), "L : x = ( a + b ) * c");
    let StmtKind::Label(_, Some(assign)) = &steps[0].kind else { panic!() };
    assert_eq!(text(source, &assign.at), "x = ( a + b ) * c");
    let StmtKind::Assign(var, value) = &assign.kind else { panic!() };
    assert_eq!(text(source, &var.at), "x");
    assert_eq!(text(source, &value.at), "( a + b ) * c");
    let ExprKind::Binary(_, left, _) = &value.kind else { panic!() };
    assert_eq!(text(source, &left.at), "a + b");
    let StmtKind::If(options) = &steps[1].kind else { panic!() };
    let [Block { at, .. }] = options.as_slice() else { panic!() };
    assert_eq!(text(source, at), ":: y -> z");
}

#[test]
fn places_of_references() {
    let source = "init { a [ 1 ] . b ? x }";
    let StmtKind::Receive { chan, .. } = &body(source)[0].kind else { panic!() };
    assert_eq!(text(source, &chan.at), "a [ 1 ] . b");
    assert_eq!(text(source, &chan.field.as_ref().expect("a field").at), "b");
}

#[test]
fn equality_ignores_places() {
    assert_eq!(steps("x=1;y"), steps("x   =   1   ;   y"));
}
