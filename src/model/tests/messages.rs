//! What goes through channels.

use super::check;

#[test]
fn arity() {
    check(
        "chan c = [1] of { byte, byte }; init { c!1; c!1,2; c!1,2,3 }",
        &[
            "warning 1:40 a message of `c` has 2 fields, not 1",
            "error 1:52 3 fields are more than any channel of the model carries",
        ],
    );
    check(
        "chan c = [1] of { byte, byte }; byte x, y, z; init { c?x; c?x,y; c?x,y,z; c?[x] }",
        &["warning 1:54 a message of `c` has 2 fields, not 1", "warning 1:66 a message of `c` has 2 fields, not 3"],
    );
    check("chan c; init { c!1,2,3 }", &["error 1:16 3 fields are more than any channel of the model carries"]);
    check(
        "chan c = [1] of { byte }; chan d; init { c = d; c!1,2 }",
        &["error 1:49 2 fields are more than any channel of the model carries"],
    );
    check(
        "chan c = [1] of { chan }; init { c?c; c!1,2 }",
        &["error 1:39 2 fields are more than any channel of the model carries"],
    );
    check(
        "proctype P(chan c) { c!1,2,3 } chan c1 = [1] of { byte }; init { run P(c1) }",
        &["error 1:22 3 fields are more than any channel of the model carries"],
    );
    check(
        "init { chan c = [1] of { byte }; c!1,2 }",
        &["error 1:34 2 fields are more than any channel of the model carries"],
    );
    check(
        "typedef T { chan c = [1] of { byte } } T t; init { t.c!1,2 }",
        &["error 1:52 2 fields are more than any channel of the model carries"],
    );
}

#[test]
fn types() {
    check(
        "chan c = [1] of { byte, chan, mtype }; mtype = { a }; mtype:s = { r }; init { c!300,c,a; c!c,2,r; c!1,c,3 }",
        &[
            "warning 1:81 300 does not fit in a byte: becomes 44",
            "warning 1:92 a channel where a byte is expected",
            "warning 1:94 a number as a channel",
            "warning 1:96 a name of type mtype:s where mtype is expected",
        ],
    );
    check(
        "chan c = [1] of { byte }; init { c?300; c?200; c?-1 }",
        &[
            "warning 1:36 300 is never received: the field is a byte",
            "warning 1:50 -1 is never received: the field is a byte",
        ],
    );
    check(
        "chan c = [1] of { bit }; chan d = [1] of { bit, byte }; init { c!2; d!2,2 }",
        &["warning 1:71 2 does not fit in a bit: becomes 0"],
    );
    check(
        "chan c = [1] of { byte, chan }; byte x; chan d; init { c?x,d; c?d,x }",
        &["warning 1:65 a channel where a byte is expected", "warning 1:67 a byte where a channel is expected"],
    );
    check(
        "byte x; init { x!1; x?1; len(x) == 0; empty(x) }",
        &[
            "error 1:16 `x` is a byte, not a channel",
            "error 1:21 `x` is a byte, not a channel",
            "error 1:30 `x` is a byte, not a channel",
            "error 1:45 `x` is a byte, not a channel",
        ],
    );
}

#[test]
fn receive_targets() {
    check(
        "chan c = [1] of { byte, byte }; byte x; init { c?x,x }",
        &["error 1:52 a variable cannot receive two fields of one message"],
    );
    check("chan c = [1] of { byte, byte }; byte x[2]; init { c?x[0],x[0] }", &[]);
    check("chan c = [1] of { byte, byte }; mtype = { a }; byte x; init { c?a,x; c?eval(x),_; c?_,_; c??[a,3] }", &[]);
    check(
        "chan c = [1] of { byte }; init { c?_pid; c!_ }",
        &["error 1:36 `_pid` cannot be received into", "error 1:44 `_` has no value: it can only be assigned to"],
    );
}

#[test]
fn structs_in_messages() {
    check(
        "typedef T { byte a; byte b } typedef S { T t; byte c } chan c = [1] of { S }; S s; T t;\n\
         init { c!s; c!t,1; c!s.t,1; c?s; c?t,_; c?s.t,s.c; c?[s]; c!t }",
        &["warning 2:59 a message of `c` has 3 fields, not 2"],
    );
    check(
        "typedef T { byte a; byte b } T t[2]; chan c = [1] of { T }; init { c!t[1]; c?t[0]; c!t }",
        &["error 1:86 `t` is an array: it needs an index"],
    );
}
