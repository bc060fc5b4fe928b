//! Names, runs and remote references in expressions.

use super::{check, model};

#[test]
fn undeclared_names() {
    check(
        "byte count; init { coutn = 1; coutn = 2; coutn++ }",
        &["error 1:20 undeclared name `coutn` (did you mean `count`?)"],
    );
    check(
        "byte count; proctype P() { coutn = 1 } init { coutn = 2 }",
        &[
            "error 1:28 undeclared name `coutn` (did you mean `count`?)",
            "error 1:47 undeclared name `coutn` (did you mean `count`?)",
        ],
    );
    check(
        "init { x = 1; y = 2 } byte x;",
        &[
            "error 1:8 undeclared name `x` (`x` can only be used after its declaration)",
            "error 1:15 undeclared name `y`",
        ],
    );
    check("byte x; init { x = xor }", &["error 1:20 undeclared name `xor`"]);
    check("byte x; init { x = nochan }", &["error 1:20 undeclared name `nochan`"]);
    check("mtype = { ack }; byte x; init { x = akc }", &["error 1:37 undeclared name `akc` (did you mean `ack`?)"]);
    check("proctype P() { x = 1 } init { byte x; run P() }", &["error 1:16 undeclared name `x`"]);
    check("init { { int x; x = 1 }; x = 2 }", &["error 1:26 undeclared name `x`"]);
    check("init { atomic { int j; j = 1 }; j = 2 }", &["error 1:33 undeclared name `j`"]);
    check("init { if :: int x = 3; skip fi; x = 4 }", &[]);
    check("byte i; init { for (i : 0 .. 3) { int j; skip } j = 1 }", &["error 1:49 undeclared name `j`"]);
}

#[test]
fn arrays_and_scalars() {
    check("int x; init { x[0] = 1; x[1] = 2 }", &["error 1:25 `x` is no array"]);
    check("int x[2]; init { x = 1 }", &["error 1:18 `x` is an array: it needs an index"]);
    check(
        "int x[2]; init { x[5] = x[-1] }",
        &[
            "warning 1:18 index 5 is outside of `x`, which has 2 elements",
            "warning 1:25 index -1 is outside of `x`, which has 2 elements",
        ],
    );
    check("int x[2]; byte i; init { x[i] = 1 }", &[]);
    check("proctype P() { skip } byte x; init { x = P }", &["error 1:42 `P` is a proctype, not a variable"]);
    check("proctype P() { skip } init { P = 1 }", &["error 1:30 `P` is a proctype, not a variable"]);
    check("mtype = { a }; init { a = 1 }", &["error 1:23 `a` is an mtype name, not a variable"]);
}

#[test]
fn structs() {
    check(
        "typedef T { byte a; byte b } T t, u; init { t = u }",
        &[
            "error 1:45 `t` is a whole struct: assign its fields one by one",
            "error 1:49 `u` is a whole struct: name one of its fields",
        ],
    );
    check(
        "typedef T { byte a; byte b } T t, u; init { t == u }",
        &[
            "error 1:45 `t` is a whole struct: name one of its fields",
            "error 1:50 `u` is a whole struct: name one of its fields",
        ],
    );
    check(
        "typedef T { byte a; byte b } T t; init { printf(\"%d\\n\", t) }",
        &["error 1:57 `t` is a whole struct: name one of its fields"],
    );
    check(
        "typedef T { byte left; byte right } T t; init { t.letf = 1 }",
        &["error 1:51 typedef `T` has no field `letf` (did you mean `left`?)"],
    );
    check("typedef T { byte a } T t; init { t.a.b = 1 }", &["error 1:38 `a` is no struct: it has no fields"]);
    check("byte x; init { x.b = 1 }", &["error 1:18 `x` is no struct: it has no fields"]);
    check(
        "typedef T { byte a[2] } T t[3]; init { t[1].a[0] = 1; t[1].a = 2; t.a[1] = 3; t[9].a[9] = 4 }",
        &[
            "error 1:60 `a` is an array: it needs an index",
            "error 1:67 `t` is an array: it needs an index",
            "warning 1:79 index 9 is outside of `t`, which has 3 elements",
            "warning 1:84 index 9 is outside of `a`, which has 2 elements",
        ],
    );
}

#[test]
fn predefined_names() {
    check("byte x; init { x = _ }", &["error 1:20 `_` has no value: it can only be assigned to"]);
    check("byte x; init { _ = x; x = _pid + _nr_pr + _last + _priority; _priority = 2; _priority++ }", &[]);
    check("init { _pid = 3 }", &["error 1:8 `_pid` cannot be assigned to"]);
    check(
        "init { _pid++; _last = 1; _nr_pr-- }",
        &[
            "error 1:8 `_pid` cannot be assigned to",
            "error 1:16 `_last` cannot be assigned to",
            "error 1:27 `_nr_pr` cannot be assigned to",
        ],
    );
    check("init { _++ }", &["error 1:8 `_` has no value: it can only be assigned to"]);
    check("init { np_ }", &["error 1:8 `np_` can only be used in a never claim or an ltl block"]);
    check("never { np_ } init { skip }", &[]);
    check("ltl p { [] np_ } init { skip }", &[]);
}

#[test]
fn truncated_assignments() {
    check(
        "byte x; init { x = 300; x = 255 + 1; x = 2 * 100 }",
        &["warning 1:20 300 does not fit in a byte: becomes 44", "warning 1:29 256 does not fit in a byte: becomes 0"],
    );
    check("bit b; bit a[2]; init { b = 2; a[0] = 2; b = 1 }", &["warning 1:29 2 does not fit in a bit: becomes 0"]);
}

#[test]
fn assigning_channels_and_mtypes() {
    check("chan c; init { c = 3 }", &["error 1:20 a number cannot be assigned to a channel"]);
    check("chan c, d; byte x; init { c = d; x = c; c = x }", &[]);
    check("chan c; byte x; init { x = c + 1 }", &["error 1:28 arithmetic on a channel"]);
    check(
        "chan c; byte x; init { x = -c; c++ }",
        &["error 1:28 arithmetic on a channel", "error 1:32 arithmetic on a channel"],
    );
    check("chan c; byte x; init { x = (c == 1) }", &[]);
    check(
        "mtype = { a }; mtype:c = { r }; mtype:c x; init { x = a }",
        &["error 1:55 a name of type mtype is assigned to a variable of type mtype:c"],
    );
    check(
        "mtype = { a }; mtype:c = { r }; mtype x; init { x = r; x = a }",
        &["error 1:60 a name of type mtype is assigned to a variable of type mtype:c"],
    );
    check(
        "mtype = { a }; mtype:c = { r }; byte x; init { x = a; x = r }",
        &["error 1:59 a name of type mtype:c is assigned to a variable of type mtype"],
    );
}

#[test]
fn run_in_expressions() {
    check("proctype P() { skip } byte x; init { run P(); (run P()); x = run P() + run P(); assert(run P() > 0) }", &[]);
    check("proctype P() { skip } init { run P() > 0 }", &["error 1:30 `run` cannot be part of a larger condition"]);
    check("proctype P() { skip } init { run P() && run P() }", &["error 1:30 more than one `run` in a condition"]);
    check(
        "proctype P() { skip } chan c = [1] of { byte }; init { c!run P() }",
        &["error 1:56 `run` cannot be used in a send"],
    );
    check(
        "proctype P() { skip } chan c = [1] of { byte }; init { c!!run P() }",
        &["error 1:56 `run` cannot be used in a send"],
    );
    check(
        "proctype P() { skip } chan c = [1] of { byte }; init { c?eval(run P()) }",
        &["error 1:56 `run` cannot be used in a receive"],
    );
    check(
        "proctype P() { skip } byte i; init { for (i : 0 .. run P()) { skip } }",
        &["error 1:52 `run` cannot be used in the bound of a loop"],
    );
    check(
        "proctype P() { skip } init { d_step { skip; run P() } }",
        &["error 1:45 `run` cannot be used inside a d_step: use atomic"],
    );
    check("proctype P() { skip } never { run P() } init { skip }", &["error 1:31 a never claim cannot run processes"]);
}

#[test]
fn run_arguments() {
    check(
        "proctype P(byte a) { skip } init { run P(); run P(1, 2); run P(1) }",
        &["error 1:36 proctype `P` takes 1 argument, not 0", "error 1:45 proctype `P` takes 1 argument, not 2"],
    );
    check(
        "proctype Philosopher(byte a) { skip } init { run Philosoper(1) }",
        &["error 1:50 unknown proctype `Philosoper` (did you mean `Philosopher`?)"],
    );
    check("byte y; init { run y() }", &["error 1:20 unknown proctype `y`"]);
    check("never N { skip } init { run N() }", &["error 1:29 never claim `N` cannot be run"]);
    check(
        "proctype P(byte a; chan c) { skip } chan q = [1] of { byte }; init { run P(300, q); run P(1, 2); run P(q, q) }",
        &[
            "warning 1:76 300 does not fit in a byte: becomes 44",
            "warning 1:94 a number as a channel",
            "warning 1:104 a channel where a byte is expected",
        ],
    );
    check(
        "mtype = { a }; mtype:c = { r }; proctype P(mtype m) { skip } mtype x; init { run P(r); run P(x); run P(a) }",
        &["error 1:84 a name of type mtype:c where mtype is expected"],
    );
    check(
        "proctype P(byte a) { skip } init { run P(1) priority 300; run P(1) priority 0; run P(1) priority 7 }",
        &["error 1:54 priority 300 is not in the range 1..255"],
    );
    check("proctype P(Tpye t) { skip } typedef Type { byte a } init { run P(1) }", &["error 1:12 unknown type `Tpye`"]);
}

#[test]
fn remote_references() {
    check("active proctype P() { byte x; L: skip } init { P@L; P[0]@L; P:x == 0; P[0]:x == 0 }", &[]);
    check(
        "active proctype P() { byte count; Loop: skip } init { P@Lop; P:cuont == 0 }",
        &[
            "error 1:57 proctype `P` has no label `Lop` (did you mean `Loop`?)",
            "error 1:64 proctype `P` has no variable `cuont` (did you mean `count`?)",
        ],
    );
    check(
        "active proctype P() { byte a[2]; skip } init { P:a == 0; P:a[1] == 0 }",
        &["error 1:50 `a` is an array: it needs an index"],
    );
    check(
        "active proctype P() { skip; P[_pid]@L; L: skip }",
        &["error 1:37 label `L` of the same proctype must be defined before"],
    );
    check("active proctype P() { skip; L: skip; P[_pid]@L }", &[]);
    check(
        "never { P@L } active proctype P() { L: skip }",
        &["error 1:9 proctype `P` is declared further down: only earlier ones can be observed"],
    );
    check(
        "active proctype Proc() { L: skip } init { Prco@L }",
        &["error 1:43 unknown proctype `Prco` (did you mean `Proc`?)"],
    );
    check(
        "active proctype P() { byte x; L: skip } init { d_step { skip; P@L } }",
        &["error 1:65 labels of other processes cannot be observed inside a d_step"],
    );
    check(
        "active proctype P() { byte x; L: skip } init { byte y; d_step { skip; y = P:x }; d_step { skip; P:x == 0 } }",
        &["error 1:97 variables of other processes cannot be observed inside a d_step"],
    );
}

#[test]
fn temporal_operators() {
    check("byte x; ltl p { [] (x == 0) -> <> (x == 1) } ltl { x U (x == 2) } ltl { true } init { skip }", &[]);
    let refused = model("ltl p { [] z && z } init { skip }").refused;
    let messages: Vec<_> =
        refused.iter().flat_map(|block| &block.diagnostics).map(|said| said.message.as_str()).collect();
    assert_eq!((refused[0].name.as_str(), messages), ("p", vec!["undeclared name `z`"]));
    check("byte x; ltl p { [] x } ltl p { <> x } init { skip }", &["error 1:28 claim `p` is defined twice"]);
    check("never p { skip } ltl p { true } init { skip }", &["error 1:22 claim `p` is defined twice"]);
}
