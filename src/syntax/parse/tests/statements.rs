//! Statements as trees.

use super::{check_stmt, steps};
use crate::syntax::spec::StmtKind;

#[test]
fn separators_collapse() {
    check_stmt("a ; ; b -> c ; -> d ; ;", "a; b; c; d");
}

#[test]
fn declarations_and_exclusive_use() {
    check_stmt("byte x = 1 ; T t", "byte x = 1; T t");
    check_stmt("xr c , d [ 1 ] ; xs e", "xr c, d[1]; xs e");
    check_stmt("hidden int z", "hidden int z");
}

#[test]
fn labels() {
    check_stmt("L : x = 1", "L: x = 1");
    check_stmt("L : M : x", "L: M: x");
    check_stmt("L : ; x", "L:; x");
    check_stmt("L :", "L:");
    check_stmt("if :: L : :: x fi", "if :: L: :: x fi");
    check_stmt("end : do :: x od", "end: do :: x od");
    assert!(matches!(&steps("L :")[0].kind, StmtKind::Label(_, None)));
}

#[test]
fn unless_is_looser_than_a_label() {
    check_stmt("L : a unless M : b", "L: a unless M: b");
    check_stmt("{ a ; b } unless { c }", "{ a; b } unless { c }");
    assert!(matches!(&steps("L : a unless b")[0].kind, StmtKind::Unless(..)));
}

#[test]
fn sends() {
    check_stmt("c ! a", "c!a");
    check_stmt("c ! a , b + 1", "c!a, b + 1");
    check_stmt("c ! a ( b , c )", "c!a, b, c");
    check_stmt("c !! a", "c!!a");
    check_stmt("c ! ! a", "c! !a");
    check_stmt("c[i].d!3", "c[i].d!3");
    check_stmt("c!!!a", "c!! !a");
}

#[test]
fn receives() {
    check_stmt("c ? a", "c?a");
    check_stmt("c ?? a , 3 , - 4 , true , eval ( x + 1 ) , _", "c??a, 3, -4, 1, eval(x + 1), _");
    check_stmt("c ? a ( b , d )", "c?a, b, d");
    check_stmt("c ? ( a , b )", "c?a, b");
    check_stmt("c ? a , b ( d )", "c?a, b, d");
    check_stmt("c ? a , ( b , d )", "c?a, b, d");
    check_stmt("c ? < a , b >", "c?<a, b>");
    check_stmt("c ?? < a ( b ) >", "c??<a, b>");
    check_stmt("c ? a [ i ] , s . f", "c?a[i], s.f");
    check_stmt("c ? - 2147483648", "c?-2147483648");
}

#[test]
fn polls_are_expressions() {
    check_stmt("c ? [ a , 3 ] ; c ?? [ a ( eval ( b ) ) ]", "c?[a, 3]; c??[a, eval(b)]");
    assert!(matches!(&steps("c ? [ a ]")[0].kind, StmtKind::Expr(_)));
}

#[test]
fn loops() {
    check_stmt("for ( i : 1 .. n - 1 ) { x }", "for (i : 1 .. n - 1) { x }");
    check_stmt("for ( i : 1 .. 2 ) ; ; { x ; y }", "for (i : 1 .. 2) { x; y }");
    check_stmt("for ( s . i in a [ 2 ] ) { x }", "for (s.i in a[2]) { x }");
    check_stmt("for ( in in in ) { x }", "for (in in in) { x }");
    check_stmt("select ( i : 0 .. 7 )", "select (i : 0 .. 7)");
}

#[test]
fn choices_and_blocks() {
    check_stmt("if :: a -> b ; c :: else fi", "if :: a -> b; c :: else fi");
    check_stmt("do :: a ; ; :: b -> break ; od", "do :: a :: b -> break od");
    check_stmt("if :: if :: a fi :: else -> do :: b od fi", "if :: if :: a fi :: else -> do :: b od fi");
    check_stmt("atomic { a } ; d_step { b } ; { c }", "atomic { a }; d_step { b }; { c }");
    check_stmt("if :: byte x ; x fi", "if :: byte x; x fi");
}

#[test]
fn simple_statements() {
    check_stmt("x = 1 ; a [ i ] = b ; s . f [ 2 ] . g = x", "x = 1; a[i] = b; s.f[2].g = x");
    check_stmt("x ++ ; x -- ; a [ i ] ++", "x++; x--; a[i]++");
    check_stmt("goto L ; break ; else ; skip ; true ; false", "goto L; break; else; skip; skip; 0");
    check_stmt("assert ( x ) ; assert x == 1 ; assert ( a ) && b", "assert(x); assert(x == 1); assert(a && b)");
    check_stmt("printf ( \"a\\\"b %d\\n\" , x , y + 1 )", "printf(\"a\\\"b %d\\n\", x, y + 1)");
    check_stmt("printf ( \"\" )", "printf(\"\")");
    check_stmt("printm ( x ) ; printm ( a [ 1 ] ) ; printm ( 3 )", "printm(x); printm(a[1]); printm(3)");
    check_stmt("set_priority ( _pid , 3 )", "set_priority(_pid, 3)");
    check_stmt("run P ( ) ; timeout ; np_", "run P(); timeout; np_");
}

#[test]
fn keywords_end_at_word_boundaries() {
    check_stmt(
        "doit ; iffy = 1 ; atomic1 ; do_ ++ ; skipped ! elsewhere",
        "doit; iffy = 1; atomic1; do_++; skipped!elsewhere",
    );
    check_stmt("if :: fix = 1 ; odd = 2 fi", "if :: fix = 1 -> odd = 2 fi");
    check_stmt("a=1;b!=c;d<e", "a = 1; b != c; d < e");
}
