//! Labels and gotos.

use super::check;

#[test]
fn goto_needs_a_label() {
    check("init { goto L; skip }", &["error 1:13 undefined label `L`"]);
    check("init { here: goto foo }", &["error 1:19 undefined label `foo`"]);
    check("init { loop: skip; goto lopo }", &["error 1:25 undefined label `lopo` (did you mean `loop`?)"]);
    check(
        "byte x; init { goto x; skip }",
        &["error 1:21 `x` is a variable: a label cannot have its name", "error 1:21 undefined label `x`"],
    );
    check("byte x; init { x: skip }", &["error 1:16 `x` is a variable: a label cannot have its name"]);
    check("init { x: skip; int x; skip }", &["error 1:21 `x` is already declared, as a label"]);
    check("init { { int x; skip }; x: skip; goto x }", &[]);
}

#[test]
fn labels_are_unique_in_a_scope() {
    check("init { L: skip; L: skip }", &["error 1:17 label `L` is defined twice"]);
    check("init { L: skip; { skip; L: skip } }", &["error 1:25 label `L` is defined twice"]);
    check("init { { skip; L: skip }; { skip; L: skip }; goto L }", &[]);
    check("inline f() { skip; L: skip; goto L } init { f(); f() }", &[]);
    check("inline f() { skip; L: skip; goto L } init { goto L; f(); L: skip }", &[]);
}

#[test]
fn places_for_labels() {
    check(
        "init { if :: L: skip fi }",
        &["warning 1:14 a label on the first statement of an option is not a state: put it before the selection"],
    );
    check("init { atomic { L: skip } }", &["error 1:17 a label cannot begin a block: write `Label: atomic { … }`"]);
    check("init { d_step { L: skip } }", &["error 1:17 a label cannot begin a block: write `Label: d_step { … }`"]);
    check("init { { L: skip } }", &["error 1:10 a label cannot begin a block: write `Label: { … }`"]);
    check("init { skip unless L: skip }", &["error 1:20 a label cannot stand on the guard of an unless"]);
    check("init { skip unless { L: skip } }", &["error 1:22 a label cannot begin a block: write `Label: { … }`"]);
    check(
        "init { L: skip unless skip }",
        &["error 1:8 a label cannot stand on a part of unless: write `Label: { … unless … }`"],
    );
    check("init { L: { skip } unless skip }", &[]);
    check("init { L: M: skip; goto M }", &[]);
    check("byte i; init { for (i : 0 .. 2) { L: skip } }", &[]);
}

#[test]
fn jumps_and_d_steps() {
    check("init { L: d_step { skip; skip }; skip; goto L }", &["error 1:45 a jump into a d_step"]);
    check("init { L: d_step { skip; goto L; skip } }", &["error 1:31 a jump out of a d_step"]);
    check("init { d_step { skip; L: skip; goto L } }", &[]);
    check("init { d_step { skip; goto L }; L: skip }", &["error 1:28 a jump out of a d_step"]);
    check("init { goto L; d_step { skip; L: skip; skip } }", &["error 1:13 a jump into a d_step"]);
    check("init { do :: d_step { skip; break } od }", &["error 1:29 a jump out of a d_step"]);
    check("init { d_step { do :: skip; break od } }", &[]);
    check("init { d_step { skip; skip unless skip } }", &["error 1:23 `unless` cannot be used inside a d_step"]);
    check("init { d_step { skip; d_step { skip; L: skip }; goto L } }", &[]);
    check("init { atomic { skip; goto L }; skip; L: skip }", &[]);
}

#[test]
fn gotos_that_lead_nowhere() {
    check("init { L: goto L }", &["error 1:16 `goto L` leads back to itself"]);
    check("init { L: M: goto L }", &["error 1:19 `goto L` leads back to itself"]);
    check(
        "init { L: goto M; M: goto L }",
        &["error 1:16 `goto M` leads back to itself", "error 1:27 `goto L` leads back to itself"],
    );
    check("init { end: goto end }", &[]);
    check("init { goto L; L: goto M; M: skip; goto L }", &[]);
}

#[test]
fn loops_may_be_labelled_anywhere() {
    check("inline f() { L: do :: break od } init { f(); { M: do :: break od }; if :: N: do :: break od fi }", &[]);
    check("byte i; init { atomic { L: for (i : 0 .. 2) { skip } }; skip unless M: do :: break od }", &[]);
    check("init { L: do :: break od unless skip }", &[]);
}
