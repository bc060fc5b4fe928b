//! What a claim has seen, and remarks on properties that hold vacuously.

use super::{claim, explored, program};
use crate::property::vacuity;
use crate::system::Seen;

/// The remarks on the formula of a model that holds.
fn remarks(text: &str) -> Vec<String> {
    let program = program(text);
    let claim = claim(&program);
    let run = explored(&program, &claim);
    vacuity::remarks(&claim, program.formulas.first(), &run.scratch.seen)
}

#[test]
fn an_antecedent_that_is_never_true() {
    let found = remarks("byte x; active proctype P() { x = 1 } ltl p { [] ((x == 5) -> <> (x == 6)) }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("is true in no state that the claim looks at"), "{found:?}");
}

#[test]
fn an_antecedent_that_is_false_at_the_start() {
    let found = remarks("byte x; active proctype P() { x = 1 } ltl p { (x == 1) -> <> (x == 6) }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("is not true at the start"), "{found:?}");
}

#[test]
fn a_formula_that_no_run_can_violate() {
    let found = remarks("byte x; active proctype P() { x = 1 } ltl p { [] ((x == 1) || (x != 1)) || <> true }");
    assert_eq!(found, ["nothing can violate this property: it holds for every model"]);
}

#[test]
fn a_condition_that_never_changes() {
    let found = remarks("byte x; active proctype P() { x = 1 } ltl p { <> ((x == 1) || (x == 9)) }");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("is false in every state that the claim looks at"), "{found:?}");
}

#[test]
fn nothing_is_said_where_the_property_means_it() {
    let alternating = "byte x; active proctype P() { do :: x = 1 - x od } ltl p { [] ((x == 1) -> <> (x == 0)) }";
    assert_eq!(remarks(alternating), [""; 0]);
    assert!(remarks("byte x; active proctype P() { x = 1 } ltl p { [] !(x == 9) }").is_empty());
}

#[test]
fn letters_and_states_of_the_claim_are_seen() {
    let program = program("byte x; active proctype P() { x = 1; x = 2 } ltl p { <> (x == 9) }");
    let claim = claim(&program);
    let run = explored(&program, &claim);
    let seen = &run.scratch.seen;
    assert_eq!(seen.first(), Some(0));
    assert_eq!(seen.letters().map(|letters| letters.collect::<Vec<_>>()), Some(vec![0]));
    assert!(seen.state(claim.initial()));
}

#[test]
fn what_two_threads_have_seen_is_joined() {
    let text =
        |value: u8| format!("byte x = {value}; active proctype P() {{ skip }} ltl p {{ <> (x == 1) || [] (x == 3) }}");
    let (one, two) = (program(&text(2)), program(&text(3)));
    let claims = (claim(&one), claim(&two));
    let mut all = Seen::new(claims.0.state_count(), claims.0.initial());
    all.join(explored(&one, &claims.0).scratch.seen);
    all.join(explored(&two, &claims.1).scratch.seen);
    let mut letters: Vec<u64> = all.letters().expect("few letters").collect();
    letters.sort();
    assert_eq!(letters.len(), 2, "{letters:?}");
    assert_eq!(all.first(), Some(letters[0]), "the first that was seen stays the first");
}
