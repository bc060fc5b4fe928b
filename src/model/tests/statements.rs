//! Statements, loops, claims, and how a model starts.

use super::check;

#[test]
fn else_belongs_to_options() {
    check("init { if :: else -> skip :: else -> skip fi }", &["error 1:30 a second `else` in the same selection"]);
    check("init { else; skip }", &["warning 1:8 `else` that does not begin an option is always executable"]);
    check("init { if :: skip; else fi }", &["warning 1:20 `else` that does not begin an option is always executable"]);
    check(
        "chan c = [1] of { byte }; init { if :: c?1 :: else fi }",
        &["warning 1:47 `else` beside a send or a receive is hard to predict"],
    );
}

#[test]
fn break_and_loops() {
    check("init { break }", &["error 1:8 `break` outside of a loop"]);
    check("init { do :: break od }", &[]);
    check("init { do :: skip od unless break }", &["error 1:29 `break` outside of a loop"]);
    check("init { do :: do :: skip od unless break od }", &[]);
    check("byte i; init { for (i : 0 .. 2) { break } }", &[]);
}

#[test]
fn for_and_select() {
    check(
        "byte a[3]; init { for (a[1] : 0 .. 2) { skip } }",
        &["error 1:24 a loop variable must be a plain variable that can count"],
    );
    check(
        "typedef T { byte i } T t; init { for (t.i : 0 .. 2) { skip } }",
        &["error 1:39 a loop variable must be a plain variable that can count"],
    );
    check(
        "chan c; init { for (c : 0 .. 2) { skip } }",
        &["error 1:21 a loop variable must be a plain variable that can count"],
    );
    check("byte i; init { for (i : 2 .. 0) { skip } }", &["error 1:30 the range 2 .. 0 is empty"]);
    check(
        "byte i; init { for (i : 0 .. 255) { skip } }",
        &["warning 1:30 the loop never ends: a byte never exceeds 255"],
    );
    check("byte i, n; init { for (i : 300 .. n) { skip } }", &["warning 1:28 300 does not fit in a byte: becomes 44"]);
    check("byte i, n; init { select (i : n .. 300) }", &["warning 1:36 300 does not fit in a byte: becomes 44"]);
    check(
        "byte a[3], n; init { select (a[0] : 0 .. n) }",
        &["error 1:30 a loop variable must be a plain variable that can count"],
    );
    check("init { for (_pid : 0 .. 3) { skip } }", &["error 1:13 `_pid` cannot be a loop variable"]);
    check(
        "byte i; byte a[3]; byte b; init { for (i in a) { skip } for (i in b) { skip } }",
        &["error 1:67 `for (… in …)` goes through an array, or through a channel with a struct"],
    );
    check("byte i; typedef T { byte a[3] } T t; init { for (i in t.a) { skip } }", &[]);
    check("typedef T { byte a } chan c = [2] of { T }; T t; init { for (t in c) { skip } }", &[]);
    check(
        "typedef T { byte a } chan c = [0] of { T }; T t; init { for (t in c) { skip } }",
        &["error 1:67 the channel must be declared with slots, and to carry structs of the type of the loop variable"],
    );
    check(
        "typedef T { byte a } typedef U { byte a } chan c = [2] of { U }; T t; init { for (t in c) { skip } }",
        &["error 1:88 the channel must be declared with slots, and to carry structs of the type of the loop variable"],
    );
    check(
        "typedef T { byte a } chan c = [2] of { T, byte }; T t; init { for (t in c) { skip } }",
        &["error 1:73 the channel must be declared with slots, and to carry structs of the type of the loop variable"],
    );
    check(
        "typedef T { byte a } proctype P(chan c) { T t; for (t in c) { skip } } init { skip }",
        &["error 1:58 the channel must be declared with slots, and to carry structs of the type of the loop variable"],
    );
}

#[test]
fn empty_blocks() {
    check("chan c = [1] of { byte }; init { xr c }", &[]);
    check("chan c = [1] of { byte }; init { { xr c }; skip }", &["error 1:34 a block needs at least one statement"]);
    check("chan c = [1] of { byte }; init { if :: xr c fi }", &["error 1:37 an option needs at least one statement"]);
    check("byte b; init { xs b; skip }", &["error 1:19 `b` is no channel"]);
    check("init { int x }", &[]);
    check("init { { int x } }", &[]);
}

#[test]
fn printf() {
    check(
        "init { printf(\"%d %d\\n\", 1); printf(\"%d\", 1, 2); printf(\"%y\", 1); printf(\"100%%\\n\"); printf(\"100%\") }",
        &[
            "warning 1:8 the format has 2 conversions, but there are 1 arguments",
            "warning 1:30 the format has 1 conversions, but there are 2 arguments",
            "warning 1:50 unknown conversion `%y`",
            "warning 1:50 the format has 0 conversions, but there are 1 arguments",
            "warning 1:86 the format ends with `%`",
        ],
    );
}

#[test]
fn priorities_and_provided() {
    check("active proctype P() priority 300 { skip }", &["error 1:30 priority 300 is not in the range 1..255"]);
    check("active proctype P() priority 0 { skip }", &["error 1:30 priority 0 is not in the range 1..255"]);
    check(
        "byte x; active proctype P(byte y) provided (y > x) { skip }",
        &["error 1:45 a provided clause can only mention globals, `_pid` and `_priority`"],
    );
    check("byte x; active proctype P() provided (x > _pid) { byte x1; skip }", &[]);
    check("active proctype P() provided (x > 0) { byte x; skip }", &["error 1:31 undeclared name `x`"]);
    check(
        "active proctype P() { L: skip } active proctype Q() provided (P@L) { skip }",
        &["error 1:63 a provided clause cannot run or observe processes"],
    );
}

#[test]
fn starting() {
    check(
        "proctype P() { skip }",
        &["error no process is ever started (add an init, or write `active` before a proctype)"],
    );
    check(
        "active [0] proctype P() { skip }",
        &["error no process is ever started (add an init, or write `active` before a proctype)"],
    );
    check("active [20000] proctype P() { skip }", &["error 1:9 20000 instances are too many: at most 10000"]);
    check("int n = 3; active [n] proctype P() { skip }", &[]);
    check("active [1/0] proctype P() { skip }", &["error 1:9 the number of instances divides by zero"]);
    check(
        "init { skip } init { skip }",
        &["warning 1:15 another `init`: each of them is a process of its own, as in SPIN"],
    );
}

#[test]
fn claims_and_traces() {
    check(
        "byte x; never { x = 1; x++ } init { skip }",
        &[
            "warning 1:17 a never claim should not change variables",
            "warning 1:24 a never claim should not change variables",
        ],
    );
    check(
        "chan c = [1] of { byte }; never { c?1; c!1 } init { skip }",
        &["error 1:35 a never claim cannot send or receive", "error 1:40 a never claim cannot send or receive"],
    );
    check("never { byte x; skip } init { skip }", &["error 1:9 a never claim cannot have local variables"]);
    check("never a { skip } never a { skip } init { skip }", &["error 1:24 claim `a` is defined twice"]);
    check("chan c = [1] of { byte }; byte x; trace { do :: c!1; c?x :: c?_; goto L od; L: c!2 } init { skip }", &[]);
    check(
        "chan c = [1] of { byte }; byte x; trace { c!1; skip; x = 1; c!!1; c??1; c?<x>; atomic { c!1 } } init { skip }",
        &[
            "error 1:48 not an event: a trace consists of sends and receives",
            "error 1:54 not an event: a trace consists of sends and receives",
            "error 1:61 not an event: a trace consists of sends and receives",
            "error 1:67 not an event: a trace consists of sends and receives",
            "error 1:73 not an event: a trace consists of sends and receives",
            "error 1:80 not an event: a trace consists of sends and receives",
        ],
    );
    check(
        "chan c = [1] of { byte }; trace { c!1 } notrace { c!1 } init { skip }",
        &["error 1:41 a model has at most one trace or notrace"],
    );
    check(
        "chan c = [0] of { byte }; init { enabled(0) }",
        &["error 1:34 `enabled` cannot be used in a model with rendezvous channels"],
    );
    check("chan c = [1] of { byte }; init { enabled(0) }", &[]);
}

#[test]
fn one_error_is_reported_once() {
    check("init { L: x = 1; goto L }", &["error 1:11 undeclared name `x`"]);
    check("byte a[0]; init { a[1] = 2; a[2] = 3 }", &["error 1:8 an array cannot have 0 elements"]);
    check("inline f() { x = 1 } init { f(); f() } proctype P() { f() }", &["error 1:14 undeclared name `x`"]);
    check(
        "proctype P() { y = 1 } proctype Q() { z = 2; int z[0] } init { w = 3 }",
        &[
            "error 1:16 undeclared name `y`",
            "error 1:39 undeclared name `z`",
            "error 1:52 an array cannot have 0 elements",
            "error 1:64 undeclared name `w`",
        ],
    );
}

#[test]
fn an_assignment_beside_else() {
    check(
        "byte x; init { if :: x = 1 -> skip :: else -> skip fi }",
        &[
            "warning 1:22 an assignment can always be executed, so the `else` beside it never is (`=` assigns; to compare, write `==`)",
        ],
    );
    check("byte x; init { if :: x = 1 -> skip :: x = 2 fi; do :: x++ :: else -> break od }", &[]);
}

#[test]
fn misspelled_keywords() {
    check("byt x; init { skip }", &["error 1:1 unknown type `byt` (did you mean `byte`?)"]);
    check(
        "init { do :: skip -> skip :: esle -> break od }",
        &["error 1:30 undeclared name `esle` (did you mean `else`?)"],
    );
}
