//! Expressions and formulas as trees.

use super::{check_error, check_expr, check_ltl, check_stmt};

#[test]
fn precedence() {
    check_expr("a + b * c", "a + ( b * c )", "a + b * c");
    check_expr("a - b - c", "( a - b ) - c", "a - b - c");
    check_expr("a - ( b - c )", "a - ( b - c )", "a - (b - c)");
    check_expr("5 & 3 == 1", "5 & ( 3 == 1 )", "5 & 3 == 1");
    check_expr("a || b && c", "a || ( b && c )", "a || b && c");
    check_expr("a | b ^ c & d", "a | ( b ^ ( c & d ) )", "a | b ^ c & d");
    check_expr("a < b == c > d", "( a < b ) == ( c > d )", "a < b == c > d");
    check_expr("a << 1 + 2 >> b", "( a << ( 1 + 2 ) ) >> b", "a << 1 + 2 >> b");
    check_expr("a % b / c", "( a % b ) / c", "a % b / c");
    check_expr("a <= b != c >= d", "( a <= b ) != ( c >= d )", "a <= b != c >= d");
    check_expr("( a && b ) == c", "( ( a && b ) ) == c", "(a && b) == c");
}

#[test]
fn prefix_operators_bind_tightest() {
    check_expr("! a == b", "( ! a ) == b", "!a == b");
    check_expr("- a * b", "( - a ) * b", "-a * b");
    check_expr("a - - b", "a - ( - b )", "a - -b");
    check_expr("! ! a", "! ( ! a )", "!(!a)");
    check_expr("!!a", "! ( ! a )", "!(!a)");
    check_expr("- - a", "- ( - a )", "-(-a)");
    check_expr("~ ! - a", "~ ( ! ( - a ) )", "~!-a");
    check_expr("! full ( q )", "! ( full ( q ) )", "!full(q)");
    check_expr("! c ? [ x ]", "! ( c ? [ x ] )", "!c?[x]");
}

#[test]
fn operands() {
    check_expr("( a )", "( ( a ) )", "a");
    check_expr("( c -> a : b )", "( ( c -> a : b ) )", "(c -> a : b)");
    check_expr(
        "( a || b -> 1 : ( c -> 2 : 3 ) ) + 1",
        "( a || b -> 1 : ( c -> 2 : 3 ) ) + 1",
        "(a || b -> 1 : (c -> 2 : 3)) + 1",
    );
    check_expr("a [ b [ c ] ] . d [ e ]", "( a [ ( b [ c ] ) ] . d [ e ] )", "a[b[c]].d[e]");
    check_expr(
        "run P ( 1 , x ) + run Q ( ) priority 3",
        "( run P ( 1 , x ) ) + ( run Q ( ) priority 3 )",
        "run P(1, x) + run Q() priority 3",
    );
    check_expr("len ( q ) + nfull ( q [ 1 ] )", "( len ( q ) ) + nfull ( q [ 1 ] )", "len(q) + nfull(q[1])");
    check_expr("empty ( q ) && nempty ( r )", "( empty ( q ) ) && nempty ( r )", "empty(q) && nempty(r)");
    check_expr("timeout && np_", "( timeout ) && ( np_ )", "timeout && np_");
    check_expr(
        "enabled ( 1 ) + pc_value ( p ) + get_priority ( 0 )",
        "( enabled ( 1 ) + pc_value ( p ) ) + get_priority ( 0 )",
        "enabled(1) + pc_value(p) + get_priority(0)",
    );
}

#[test]
fn remote_references() {
    check_expr("P @ L", "( P @ L )", "P@L");
    check_expr("P [ 1 + i ] @ L", "( P [ 1 + i ] @ L )", "P[1 + i]@L");
    check_expr("P @: x + 1", "( P @: x ) + 1", "P:x + 1");
    check_expr("P [ i ] @: a [ 2 ]", "( P [ i ] @: a [ 2 ] )", "P[i]:a[2]");
    check_expr("( P @: x -> P @: y : Q @: z )", "( P @: x -> P @: y : Q @: z )", "(P:x -> P:y : Q:z)");
    check_error(
        "init { a . b @ L }",
        "a . b",
        "expected a proctype, as in `P@label` or `P[pid]:variable`, found a field",
        "",
    );
}

#[test]
fn constants() {
    check_expr("true + false + skip", "1 + 0 + 1", "1 + 0 + 1");
    check_expr("'a' + '\\n' + '\\\\' + '\\''", "97 + 10 + 92 + 39", "97 + 10 + 92 + 39");
    check_expr("' ' + '\\t' + '\\r' + '\\f'", "32 + 9 + 13 + 12", "32 + 9 + 13 + 12");
    check_expr("2147483647", "2147483647", "2147483647");
    check_expr("- 2147483648", "( - 2147483648 )", "-2147483648");
    check_expr("4294967303", "7", "7");
}

#[test]
fn formulas() {
    check_ltl("[] p", "always p", "[] p");
    check_ltl("[ ] < > p", "[] ( <> p )", "[] <> p");
    check_ltl("eventually always p", "<> [] p", "<> [] p");
    check_ltl("X next p", "X ( X p )", "X X p");
    check_ltl("! [] p", "! ( [] p )", "!([] p)");
    check_ltl("! ! p", "!!p", "!(!p)");
    check_ltl("[] x == 1", "[] ( x == 1 )", "[] (x == 1)");
    check_ltl("[] x == 1 && y", "( [] ( x == 1 ) ) && y", "[] (x == 1) && y");
    check_ltl("! x == 1", "( ! x ) == 1", "!x == 1");
    check_ltl("[] p U q", "( [] p ) U q", "[] p U q");
    check_ltl("p U q U r", "( p U q ) U r", "(p U q) U r");
    check_ltl("p until q stronguntil r", "( p U q ) U r", "(p U q) U r");
    check_ltl("p W q V r", "( p W q ) V r", "(p W q) V r");
    check_ltl("p weakuntil q", "p W q", "p W q");
    check_ltl("p release q", "p V q", "p V q");
    check_ltl("a && p U q || b", "( a && ( p U q ) ) || b", "a && p U q || b");
    check_ltl("p -> q -> r", "( p implies q ) -> r", "(p -> q) -> r");
    check_ltl("p <-> q -> r", "( p equivalent q ) -> r", "(p <-> q) -> r");
    check_ltl("p < - > q <-> r", "( p <-> q ) <-> r", "(p <-> q) <-> r");
    check_ltl("x < - 1 -> y <-1", "( x < ( - 1 ) ) -> ( y < - 1 )", "x < -1 -> y < -1");
}

#[test]
fn formulas_hold_expressions() {
    check_ltl(
        "[] ( P @ L -> P [ 1 ] @: x == 2 )",
        "[] ( ( P @ L ) -> ( P [ 1 ] @: x == 2 ) )",
        "[] (P@L -> P[1]:x == 2)",
    );
    check_ltl("[] ( c ? [ 1 ] || ! full ( c ) )", "[] ( ( c ? [ 1 ] ) || ( ! full ( c ) ) )", "[] (c?[1] || !full(c))");
    check_ltl("( c -> a : b ) == 1", "( ( c -> a : b ) ) == 1", "(c -> a : b) == 1");
    check_ltl(
        "[] ( p -> <> ( q -> 1 : 0 ) == len ( c ) )",
        "[] ( p -> <> ( ( q -> 1 : 0 ) == len ( c ) ) )",
        "[] (p -> <> ((q -> 1 : 0) == len(c)))",
    );
    check_error(
        "ltl { ( a : b ) }",
        "( a : b )",
        "a `:` needs a condition and `->` before it, as in `(c -> a : b)`",
        "",
    );
}

#[test]
fn temporal_words_are_names_outside_formulas() {
    check_stmt("U = V + W ; X ! next ; always", "U = V + W; X!next; always");
    check_error("ltl { always = 1 }", "=", "expected an expression, found `=`", "`=` assigns; to compare, write `==`");
}
