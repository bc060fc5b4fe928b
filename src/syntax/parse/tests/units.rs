//! Declarations, proctypes and claims as trees.

use super::{check_error, check_units};

#[test]
fn proctypes() {
    check_units("proctype P ( ) { skip }", "proctype P() {\n    skip\n}");
    check_units("active proctype P ( ) { skip ; }", "active proctype P() {\n    skip\n}");
    check_units("active [ 1 ] proctype P ( ) { skip }", "active proctype P() {\n    skip\n}");
    check_units("active [ N + 1 ] proctype P ( ) { skip }", "active [N + 1] proctype P() {\n    skip\n}");
    check_units(
        "D_proctype P ( byte a , b ; chan c ; T t ) priority 3 provided ( a > 1 ) { skip }",
        "D_proctype P(byte a, b; chan c; T t) priority 3 provided (a > 1) {\n    skip\n}",
    );
    check_units(
        "proctype P ( mtype : fruit z ; mtype y ) { skip }",
        "proctype P(mtype:fruit z; mtype y) {\n    skip\n}",
    );
    check_error(
        "proctype P ( int x = 3 ) { skip }",
        "3",
        "a parameter cannot have an initial value: the `run` gives it one",
        "",
    );
}

#[test]
fn other_units() {
    check_units("init { skip }", "init {\n    skip\n}");
    check_units("init priority 9 { skip }", "init priority 9 {\n    skip\n}");
    check_units("never { skip }", "never {\n    skip\n}");
    check_units("never claim { skip }", "never claim {\n    skip\n}");
    check_units("trace { skip }", "trace {\n    skip\n}");
    check_units("notrace { skip }", "notrace {\n    skip\n}");
    check_units("ltl { p }", "ltl { p }");
    check_units("ltl name { p ; }", "ltl name { p }");
}

#[test]
fn separators_between_units_are_free() {
    check_units("; int a int b ; ; byte c ; init { skip } ; ; ->", "int a;\nint b;\nbyte c;\ninit {\n    skip\n}");
    check_units("", "");
}

#[test]
fn typedefs_and_symbols() {
    check_units("typedef T { byte a }", "typedef T {\n    byte a\n}");
    check_units("typedef T { byte a , b [ 3 ] ; ; U u ; }", "typedef T {\n    byte a, b[3];\n    U u\n}");
    check_units("mtype = { a , b , c }", "mtype = { a, b, c }");
    check_units("mtype { a b , , c , }", "mtype = { a, b, c }");
    check_units("mtype : set = { a }", "mtype:set = { a }");
    check_units("mtype x = a ; mtype : set y , z", "mtype x = a;\nmtype:set y, z;");
}

#[test]
fn declarations() {
    check_units("hidden byte a , b [ 3 ] = 2 , c = 4", "hidden byte a, b[3] = 2, c = 4;");
    check_units("show bit a ; local bool b ; pid p", "show bit a;\nlocal bool b;\npid p;");
    check_units("short s ; int i ; unsigned u : 3 = 1", "short s;\nint i;\nunsigned u : 3 = 1;");
    check_units("int a [ 3 ] = { 1 , x , - 2 }", "int a[3] = { 1, x, -2 };");
    check_units("chan c", "chan c;");
    check_units(
        "chan c [ 2 ] = [ N ] of { byte , mtype , mtype : m , T }",
        "chan c[2] = [N] of { byte, mtype, mtype:m, T };",
    );
    check_units("T t ; int integer ; byte in , U , do_it", "T t;\nint integer;\nbyte in, U, do_it;");
}

#[test]
fn bodies_are_indented() {
    check_units(
        "init { byte i ; do :: i < 3 -> i ++ ; atomic { a = 1 ; b } :: byte j ; j = 1 :: else -> break od ; L : { x } }",
        "init {
    byte i;
    do
    :: i < 3 ->
        i++;
        atomic {
            a = 1;
            b
        }
    :: byte j;
        j = 1
    :: else ->
        break
    od;
    L: {
        x
    }
}",
    );
}
