//! Texts that are refused, and what is said about them.

use super::{check_error, parse_flat};

const SEPARATED: &str = "statements are separated by `;` or `->`";
const ASSIGNS: &str = "`=` assigns; to compare, write `==`";

#[test]
fn something_is_missing() {
    check_error("init { x = 1 y = 2 }", "y", "expected `;` or `->`, found `y`", SEPARATED);
    check_error("init { x = ; }", ";", "expected an expression, found `;`", "");
    check_error("init { c ? }", "}", "expected a variable or a constant, found `}`", "");
    check_error("init { atomic x }", "x", "expected `{`, found `x`", "");
    check_error("init { run P }", "}", "expected `(`, found `}`", "");
    check_error("init { goto; x }", ";", "expected a name, found `;`", "");
    check_error("init { if :: x od; y }", "if", "this `if` is not closed: expected `fi` before `od`", "");
    check_error("init { goto }", "}", "expected a name, found `}`", "");
    check_error("init { printf ( x ) }", "x", "expected a text in quotes, found `x`", "");
    check_error("init { printf ( \"x\" y ) }", "y", "expected `)` or `,`, found `y`", "");
    check_error("proctype P { skip }", "{", "expected `(`, found `{`", "");
    check_error("init { select ( i : 1 ) }", ")", "expected `..`, found `)`", "");
    check_error("typedef T { byte x byte y }", "byte", "expected `;`, found `byte`", "");
    check_error("int x y ; init { skip }", "y", "expected `,` or `;`, found `y`", "");
    check_error("byte v 0 ; init { skip }", "0", "expected `;`, found `0`", "");
    check_error("byte v ; 0 ; init { skip }", "0", "expected a declaration or a proctype, found `0`", "");
    check_error("byte = 3 ; init { skip }", "=", "expected a name, found `=`", "");
    check_error("ltl { p q }", "q", "expected the end of the formula, found `q`", "");
    check_error("ltl a { [] p q }", "q", "expected the end of the formula, found `q`", "");
    check_error("ltl a { [] p ; q }", "q", "expected the end of the formula, found `q`", "");
    check_error("ltl a { p [] q }", "[]", "expected the end of the formula, found `[]`", "");
}

#[test]
fn something_is_open() {
    check_error("init { if :: x -> skip od }", "if", "this `if` is not closed: expected `fi` before `od`", "");
    check_error("init { do :: x -> skip }", "do", "this `do` is not closed: expected `od` before `}`", "");
    check_error("init { x = 1 ;", "{", "this `{` is not closed: expected `}` before the end of the model", "");
    check_error("init { x = ( 1 + 2 }", "(", "this `(` is not closed: expected `)` before `}`", "");
    check_error(
        "init { skip ; proctype P ( ) { skip }",
        "{",
        "this `{` is not closed: expected `}` before `proctype`",
        "",
    );
    check_error("init { skip } }", "}", "there is nothing that this `}` closes", "");
    check_error("init { if :: x ) fi }", ")", "there is nothing that this `)` closes", "");
    check_error("init { x fi }", "fi", "there is nothing that this `fi` closes", "");
}

#[test]
fn misspelled_keywords() {
    let check = |text, marked, message, keyword: &str| {
        check_error(text, marked, message, &format!("did you mean `{keyword}`?"));
    };
    check("proctyp P ( ) { skip }", "(", "expected `;`, found `(`", "proctype");
    check(
        "active proctyp P ( ) { skip }",
        "proctyp",
        "expected `D_proctype` or `proctype`, found `proctyp`",
        "proctype",
    );
    check("actve proctype P ( ) { skip }", "proctype", "expected a name, found `proctype`", "active");
    check("ini { skip }", "{", "expected a name, found `{`", "init");
    check("mtyp = { a, b }", "=", "expected a name, found `=`", "mtype");
    check("typdef T { byte a }", "{", "expected `;`, found `{`", "typedef");
    check("init { atomc { skip } }", "{", "expected `;` or `->`, found `{`", "atomic");
    check("init { x unles { y } }", "{", "expected `;` or `->`, found `{`", "unless");
    check("init { if :: skip els y fi }", "els", "expected `;` or `->`, found `els`", "else");
    check_error("init { asert ( x ) }", "asert", "`asert` is not an inline: did you mean `assert`?", "");
}

#[test]
fn habits_from_c() {
    let (assigns, at_most) = ("an assignment is written `x = 2`", "to compare, write `<=`");
    check_error("init { x : = 2 }", "=", "expected a statement, found `=`", assigns);
    check_error("init { a [ 1 ] : = 2 }", ":", "expected `;` or `->`, found `:`", assigns);
    check_error("init { x = < 3 }", "<", "expected an expression, found `<`", at_most);
    check_error("init { ( x = < 3 ) }", "=", "expected `)`, found `=`", at_most);
    let arrow = "write `->` behind a condition, or `>=` to compare";
    check_error("init { if :: x == 0 = > y fi }", "=", "expected `;` or `->`, found `=`", arrow);
    check_error(
        "init { if ( x == 1 ) ; { y } ; }",
        "(",
        "expected `::`, found `(`",
        "an `if` has options: `if :: x == 1 -> … :: else -> … fi`",
    );
    check_error("init { if :: ( x = 1 ) -> y fi }", "=", "expected `)`, found `=`", ASSIGNS);
    check_error("init { if :: x && y = 1 -> z fi }", "=", "expected `;` or `->`, found `=`", ASSIGNS);
    check_error("init { x + = 1 }", "=", "expected an expression, found `=`", "write `x = x + 1` for `x += 1`");
    check_error(
        "init { for ( i = 0 ; i < 3 ; i ++ ) { skip } }",
        "=",
        "expected `:` or `in`, found `=`",
        "a loop is written `for (i : 0 .. 9) { … }`",
    );
    check_error(
        "init { while ( x ) { y } }",
        "while",
        "there is no `while`: write `do :: condition -> … :: else -> break od`",
        "",
    );
    check_error(
        "proctype P ( int x , int y ) { skip }",
        "int",
        "expected a name, found `int`",
        "put `;` between parameters of different types",
    );
    check_error(
        "init { int a [ 2 ] [ 3 ] ; skip }",
        "[",
        "expected `;` or `->`, found `[`",
        "an array has one dimension; for more, use a typedef with an array in it",
    );
    check_error(
        "x = 3 ; init { skip }",
        "=",
        "expected a name, found `=`",
        "statements belong inside a proctype or `init`",
    );
}

#[test]
fn words_and_signs_of_other_languages() {
    let options = "there is no `switch`: write `if :: x == 1 -> … :: else -> … fi`";
    check_error("init { switch ( x ) { skip } }", "switch", options, "");
    check_error("init { x < > 1 }", ">", "expected an expression, found `>`", "to compare, write `!=`");
    check_error("init { c ? < > }", ">", "expected a variable or a constant, found `>`", "");
    check_error("lt p { x }", "{", "expected `;`, found `{`", "did you mean `ltl`?");
    check_error("a init { skip }", "a", "`a` before `init` has no meaning", "");
    check_error("byte x ; an proctype P ( ) { skip }", "an", "`an` before `proctype` has no meaning", "");
}

#[test]
fn habits_from_elsewhere() {
    check_error("init { int len ; skip }", "len", "`len` is a keyword and cannot be used as a name", "");
    check_error("init { len = 3 }", "len", "`len` is a keyword and cannot be used as a name", "");
    check_error("init { f ( 3 ) }", "f", "`f` is not an inline; a process is started with `run f(…)`", "");
    check_error("init { c_code { x } }", "c_code", "embedded C (`c_code`) is not supported", "");
    check_error("init { return 3 }", "return", "`return` outside of an inline", "");
    check_error("init { }", "}", "expected a statement, found `}`", "a block cannot be empty: write `skip`");
    check_error(
        "init { do :: od }",
        "od",
        "expected a statement, found `od`",
        "an option cannot be empty: write `skip`",
    );
    check_error(
        "init { L : int x }",
        "int",
        "expected a statement, found `int`",
        "a label cannot stand before a declaration",
    );
    check_error(
        "init { a unless b unless c }",
        "unless",
        "expected `;` or `->`, found `unless`",
        "`unless` does not chain: put `{ … unless … }` in braces",
    );
    check_error(
        "init { x == 1 ; && y }",
        "&&",
        "expected a statement, found `&&`",
        "a line that ends in a name, a number or a bracket is a whole statement: to continue it, end the line before with \
         the operator or put the expression in parentheses",
    );
}

#[test]
fn later_units_are_looked_at_too() {
    let text = "proctype P ( ) { x = } active proctype Q ( ) { if x fi } int z ; init { y y y }";
    let faults = parse_flat(text).expect_err("three errors");
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(
        messages,
        ["expected an expression, found `}`", "expected `::`, found `x`", "expected `;` or `->`, found `y`"]
    );
}

#[test]
fn odd_bytes_are_no_trouble() {
    for text in [
        "é",
        "init { é }",
        "init { x = 'é }",
        "init { printf ( \"é }",
        "\"",
        "'",
        "init { x @",
        "\u{0}",
        "init {\u{a0}}",
    ] {
        assert!(parse_flat(text).is_err(), "{text}");
    }
}

/// Runs on the stack the library promises to its passes.
fn on_a_big_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread").join().expect("no panic")
}

#[test]
fn a_thousand_levels() {
    let nests = [
        ("x = ", "(", ")"),
        ("x = ", "a[", "]"),
        ("x = ", "!(1 + ", ")"),
        ("x = ", "run P(", ")"),
        ("", "c?[eval(", ")]"),
        ("", "{", "}"),
        ("", "if :: ", " fi"),
        ("", "L: x unless atomic { ", "}"),
        ("", "for (i : 1 .. 2) { ", " }"),
    ];
    for (i, (before, open, close)) in nests.into_iter().enumerate() {
        let text = move |levels| format!("init {{ {before}{}1{} }}", open.repeat(levels), close.repeat(levels));
        let deep = text(if i % 4 == 0 { 20_000 } else { 1_300 });
        let (fine, deep) = on_a_big_stack(move || (parse_flat(&text(1_000)), parse_flat(&deep)));
        assert!(fine.is_ok(), "{open}");
        let deep = deep.expect_err("too deep");
        assert_eq!(deep[0].message, "nested too deeply", "{open}");
    }
}

#[test]
fn chains_nest_too() {
    for link in ["1 + ", "- ", "a.", "L: "] {
        let text = |links| format!("init {{ {} a }}", link.repeat(links));
        let (fine, deep) = (text(4_900), text(11_000));
        let outcome = on_a_big_stack(move || (parse_flat(&fine).is_ok(), parse_flat(&deep).is_ok()));
        assert_eq!(outcome, (true, false), "{link}");
    }
}
