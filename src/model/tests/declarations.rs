//! Declarations: sizes, initial values, and who may have which name.

use super::check;

#[test]
fn mtype_names_are_numbered_once() {
    check("mtype = { a, b, a }; init { skip }", &["error 1:11 `a` is already declared, as an mtype name"]);
    check("mtype = { a }; mtype:c = { a }; init { skip }", &["error 1:28 `a` is already declared, as an mtype name"]);
    check("int a; mtype = { a }; init { skip }", &["error 1:18 `a` is already declared, as a variable"]);
}

#[test]
fn unsigned_needs_a_width() {
    check("unsigned u; init { skip }", &["error 1:10 unsigned `u` needs a width: `unsigned u : 4`"]);
    check("unsigned u : 32; init { skip }", &["error 1:14 width 32 is not in the range 1..31"]);
    check("unsigned u : 0; init { skip }", &["error 1:14 width 0 is not in the range 1..31"]);
    check("byte u : 3; init { skip }", &["error 1:10 only an unsigned can have a width"]);
}

#[test]
fn array_sizes() {
    check("int z[0]; init { skip }", &["error 1:7 an array cannot have 0 elements"]);
    check("int z[-2]; init { skip }", &["error 1:7 an array cannot have -2 elements"]);
    check("int z[1/0]; init { skip }", &["error 1:7 an array size divides by zero"]);
    check("int z[2147483647 + 1]; init { skip }", &["error 1:7 an array size is out of the range of int"]);
    check("int z[1000000000]; init { skip }", &["error 1:7 array of 1000000000 elements is too large"]);
    check("byte n = 3; int z[n]; init { skip }", &["warning 1:19 a variable as array size: taken as 3"]);
    check("byte n; int z[n]; init { skip }", &["warning 1:15 a variable as array size: taken as 8"]);
    check("byte n; int z[n + 1]; init { skip }", &["error 1:15 an array size must be a constant"]);
    check("int z[k]; init { skip }", &["error 1:7 undeclared name `k`"]);
    check("mtype = { a, b }; int z[b + 2 * 3]; init { skip }", &[]);
}

#[test]
fn hidden_is_for_globals() {
    check("hidden bit b; init { skip }", &["error 1:12 a bit cannot be hidden"]);
    check("hidden chan c; init { skip }", &["error 1:13 a channel cannot be hidden"]);
    check("init { hidden int b; skip }", &["error 1:19 only a global can be hidden"]);
    check("typedef T { hidden byte z } init { skip }", &["error 1:25 only a global can be hidden"]);
    check("hidden byte b; local byte l; show byte s; init { local byte m; show byte t; skip }", &[]);
}

#[test]
fn redeclaration() {
    check("init { int x; int x; skip }", &["error 1:19 `x` is already declared"]);
    check("init { int x; { int x; skip } }", &["error 1:21 `x` is already declared"]);
    check("init { { int x; skip }; { int x; skip } }", &[]);
    check(
        "int y; init { int y; skip }",
        &["error 1:19 `y` is already declared, as a variable (a local cannot have the name of an earlier global)"],
    );
    check("init { int y; skip } int y;", &[]);
    check(
        "int y; proctype P(byte y) { skip } init { run P(1) }",
        &["error 1:24 `y` is already declared, as a variable (a local cannot have the name of an earlier global)"],
    );
    check("proctype P(byte a; byte a) { skip } init { run P(1, 2) }", &["error 1:25 `a` is already declared"]);
    check("proctype P(byte a) { byte a; skip } init { run P(1) }", &["error 1:27 `a` is already declared"]);
    check("int x, x; init { skip }", &["error 1:8 `x` is already declared, as a variable"]);
    check("init { if :: int x = 3; skip :: int x = 4; skip fi }", &["error 1:37 `x` is already declared"]);
    check("init { int _pid; skip }", &["error 1:12 `_pid` is predefined"]);
    check("int P; proctype P() { skip } init { skip }", &["error 1:17 `P` is already declared, as a variable"]);
    check(
        "proctype P() { skip } proctype P() { skip } init { skip }",
        &["error 1:32 `P` is already declared, as a proctype"],
    );
    check(
        "mtype = { m }; init { byte m; skip }",
        &["error 1:28 `m` is already declared, as an mtype name (a local cannot have the name of an earlier global)"],
    );
}

#[test]
fn names_of_a_list_are_visible_after_it() {
    check(
        "int a, b = a + 1; init { skip }",
        &["error 1:12 undeclared name `a` (`a` can only be used after its declaration)"],
    );
    check("int a = 1; int b = a + 1; init { skip }", &[]);
    check("init { int a = a; skip }", &["error 1:16 undeclared name `a`"]);
}

#[test]
fn typedefs() {
    check("typedef T { int a; int a } init { skip }", &["error 1:24 field `a` is declared twice"]);
    check(
        "typedef T { T a } init { skip }",
        &["error 1:13 unknown type `T` (`T` can only be used after its declaration)"],
    );
    check(
        "T t; typedef T { int a } init { skip }",
        &["error 1:1 unknown type `T` (`T` can only be used after its declaration)"],
    );
    check(
        "typedef Point { byte x } Piont p; init { skip }",
        &["error 1:26 unknown type `Piont` (did you mean `Point`?)"],
    );
    check(
        "typedef T { byte a = n } byte n; T t; init { skip }",
        &["error 1:22 undeclared name `n` (`n` can only be used after its declaration)"],
    );
    check(
        "typedef T { byte a = 300; byte b[2] = 1; chan c = [2] of { byte } } T t; init { t.c!1 }",
        &["warning 1:22 300 does not fit in a byte: becomes 44"],
    );
    check("typedef T { byte a } T t = 3; init { skip }", &["warning 1:24 the initial value of struct `t` is ignored"]);
}

#[test]
fn initial_values() {
    check("byte x = 300; init { skip }", &["warning 1:10 300 does not fit in a byte: becomes 44"]);
    check(
        "bit b = 2; short s = 40000; unsigned u : 3 = 9; init { skip }",
        &[
            "warning 1:9 2 does not fit in a bit: becomes 0",
            "warning 1:22 40000 does not fit in a short: becomes -25536",
            "warning 1:46 9 does not fit in an unsigned of 3 bits: becomes 1",
        ],
    );
    check("bit a[2] = 2; byte b[2] = 256; init { skip }", &["warning 1:27 256 does not fit in a byte: becomes 0"]);
    check("byte x = -1; init { skip }", &["warning 1:10 -1 does not fit in a byte: becomes 255"]);
    check(
        "proctype P() { skip } byte x = run P(); init { skip }",
        &["error 1:32 `run` can only be used inside a proctype or init"],
    );
    check(
        "proctype P() { skip } init { byte x = run P(); skip }",
        &["error 1:39 `run` cannot be used in an initial value"],
    );
    check(
        "chan c = [1] of { byte }; byte x = len(c); init { skip }",
        &["error 1:36 the initial value of a global cannot depend on processes or channels"],
    );
    check("chan c = [1] of { byte }; init { byte x = len(c); skip }", &[]);
    check(
        "byte x = _pid; init { byte y = _pid; skip }",
        &["error 1:10 the initial value of a global cannot depend on processes or channels"],
    );
    check("chan c = [1] of { byte }; byte x = c + 1; init { skip }", &["error 1:36 arithmetic on a channel"]);
    check("chan c = 3; init { skip }", &["warning 1:10 a number as a channel"]);
    check("int z[2] = { 1, 2, 3 }; init { skip }", &["warning 1:5 3 values for an array of 2"]);
    check("byte z[2] = { 1, 256 }; init { skip }", &["warning 1:18 256 does not fit in a byte: becomes 0"]);
    check("int z = { 1 }; init { skip }", &["error 1:5 `z` is no array: a list cannot be its initial value"]);
    check(
        "init { skip; int z[2] = { 1, 2 }; skip }",
        &["error 1:18 a list can only be assigned before the first statement of a body"],
    );
    check("init { skip; int z[2] = 5; skip }", &["warning 1:25 only `z[0]` gets this value, the rest stays as it is"]);
    check(
        "mtype = { a }; mtype:c = { r }; mtype:c x = a; mtype y = r; init { skip }",
        &["error 1:45 `x` is of type mtype:c, its initial value of type mtype"],
    );
}

#[test]
fn channels() {
    check("chan c = [-1] of { byte }; init { skip }", &["error 1:11 a channel cannot have -1 slots"]);
    check("byte n = 2; chan c = [n] of { byte }; init { skip }", &["error 1:23 a capacity must be a constant"]);
    check("chan c = [2] of { unsigned }; init { skip }", &["error 1:11 an unsigned cannot be a message field"]);
    check(
        "typedef T { unsigned u : 3 } chan c = [2] of { T }; init { skip }",
        &["error 1:40 typedef `T` cannot be a message field: it has an unsigned in it"],
    );
    check("typedef T { byte a[2] } chan c = [2] of { T }; T t; init { c!t; c?t }", &[]);
    check(
        "typedef T { byte a } typedef S { T t[2] } chan c = [2] of { S }; init { skip }",
        &["error 1:53 typedef `S` cannot be passed: `t` is an array of structs"],
    );
    check("byte c = [2] of { byte }; init { skip }", &["error 1:6 `c` is a byte: it cannot hold a channel of its own"]);
    check(
        "init { skip; chan c = [2] of { byte }; skip }",
        &["error 1:19 declare channel `c` at the start of the body, before the first statement"],
    );
    check(
        "init { { chan c = [2] of { byte }; skip } }",
        &["error 1:15 declare channel `c` at the start of the body, before the first statement"],
    );
    check("init { byte x; chan c = [2] of { byte }; c!1 }", &[]);
    check(
        "chan c = [100000000] of { byte }; init { skip }",
        &["error 1:11 a channel with 100000000 slots is too large"],
    );
}

#[test]
fn parameters() {
    check("proctype P(int a[2]) { skip } init { run P(1) }", &["error 1:16 parameter `a` cannot be an array"]);
    check(
        "typedef T { byte a[2] } proctype P(T t) { skip } init { skip }",
        &["error 1:38 typedef `T` cannot be a parameter: it has an array in it"],
    );
    check(
        "typedef T { byte a; bit b } proctype P(byte x; T t) { skip } init { T t; run P(1, t); run P(1, 2, 3) }",
        &["warning 1:99 3 does not fit in a bit: becomes 1"],
    );
}
