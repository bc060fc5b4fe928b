//! Warnings about properties that hold for no good reason.

use crate::Sandbox;

const COUNTER: &str = "\
byte x;
bool request, granted, left, right;
active proctype count() { do :: x < 4 -> x++ :: x == 4 -> atomic { x = 0; left = !left } od }
";

/// The warnings for a formula that holds.
fn warnings(formula: &str) -> Vec<String> {
    let sandbox = Sandbox::with(&format!("{COUNTER}ltl p {{ {formula} }}\n"));
    let (code, answer) = sandbox.json("verify m.pml --property ltl:p --json");
    assert_eq!(code, 0, "{formula}");
    let warnings = answer["warnings"].as_array().into_iter().flatten();
    let warnings: Vec<String> = warnings.map(|warning| warning.as_str().expect("text").to_string()).collect();
    let err = sandbox.run("verify m.pml --property ltl:p --quiet").err;
    assert!(warnings.iter().all(|warning| err.contains(&format!("warning: ltl:p: {warning}"))), "{err}");
    assert_eq!(err.is_empty(), warnings.is_empty(), "{err}");
    warnings
}

#[test]
fn antecedents_that_are_never_true() {
    for (formula, expected) in [
        ("[](request -> <>(x == 1))", "so request -> <>(x==1) says nothing"),
        ("[](request && x == 1 -> <>(x == 2))", "so request && (x==1) -> <>(x==2) says nothing"),
        ("[](x == 1 -> [](request -> <>(x == 2)))", "so request -> <>(x==2) says nothing"),
        ("[](x < 5) && [](request -> <>(x == 1))", "so request -> <>(x==1) says nothing"),
    ] {
        let warnings = warnings(formula);
        assert!(warnings.len() == 1 && warnings[0].ends_with(expected), "{formula}: {warnings:?}");
    }
}

#[test]
fn constant_conditions() {
    let always = "is true in every state that the claim looks at";
    let never = "is false in every state that the claim looks at";
    assert_eq!(warnings("[]!(left && right)"), [format!("right {never}")]);
    assert_eq!(warnings("[]<>(x < 5)"), [format!("(x<5) {always}")]);
    assert_eq!(warnings("<>(x == 0)"), [format!("(x==0) {always}")], "it is true at once");
    assert_eq!(
        warnings("request -> [](x == 0)"),
        ["request is not true at the start, so request -> [](x==0) says nothing"]
    );
}

#[test]
fn claims_that_cannot_be_left() {
    assert_eq!(warnings("[](x == 2 -> <>(x > 1))").len(), 1);
    assert!(warnings("[](x == 2 -> <>(x > 1))")[0].contains("never gets past its first states"));
    assert!(warnings("request || !request")[0].contains("nothing can violate this property"));
    let sandbox = Sandbox::with(COUNTER);
    sandbox.file("idle.pml", "never { do :: true :: request -> skip od }\n");
    sandbox
        .file("late.pml", "never { T: if :: request -> goto accept :: true -> goto T fi; accept: do :: x < 9 od }\n");
    sandbox.file("bad.pml", "never { T: if :: request -> goto accept :: true -> goto T fi; accept: do :: true od }\n");
    let err = |claim: &str| sandbox.run(&format!("verify m.pml --never {claim}.pml --quiet")).err;
    assert!(err("idle").contains("nothing can violate"));
    assert!(err("late").contains("never gets past"));
    assert_eq!(err("bad"), "", "an invariant that holds is left alone");
    sandbox.file("asserts.pml", "never { do :: assert(x < 9) od }\n");
    assert_eq!(err("asserts"), "", "its assertions can be violated");
}

#[test]
fn nothing_to_say() {
    for formula in [
        "[](x < 5)",
        "[]!request",
        "[]!request && [](x < 5)",
        "[](x == 1 -> <>(x == 3))",
        "[]<>(x == 0)",
        "!request W x == 3",
        "x < 4 U x == 4",
        "!<>(x == 7)",
    ] {
        assert_eq!(warnings(formula), [""; 0], "{formula}");
    }
}
