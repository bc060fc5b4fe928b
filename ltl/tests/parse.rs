//! Formulas from text: what is read, how operators group, and what is said about texts that are no formulas.

use ltl::{Error, Parsed, parse, parse_with};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The grouping of a formula, with every pair of parentheses.
fn grouped(text: &str) -> String {
    read(text).expr.explicit().to_string()
}

fn read(text: &str) -> Parsed {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_spelling_is_read() {
    let table = [
        ("!a", "! a|~a|not a"),
        ("X a", "X a|next a|Xa"),
        ("[]a", "[] a|[]a|G a|Ga|always a"),
        ("<>a", "<> a|<>a|F a|Fa|eventually a"),
    ];
    for (expected, spellings) in table {
        for spelling in spellings.split('|') {
            assert_eq!(grouped(spelling), expected, "{spelling}");
        }
    }
    let table = [
        ("U", "U until stronguntil"),
        ("W", "W weakuntil"),
        ("V", "V R release"),
        ("M", "M"),
        ("&&", "&& & /\\"),
        ("||", "|| | \\/"),
        ("->", "-> => implies"),
        ("<->", "<-> <=> equivalent"),
    ];
    for (expected, spellings) in table {
        for spelling in spellings.split(' ') {
            assert_eq!(grouped(&format!("a {spelling} b")), format!("a {expected} b"));
        }
    }
}

#[test]
fn constants_and_atoms() {
    let table = [
        ("1", "true"),
        ("0", "false"),
        ("true", "true"),
        ("false", "false"),
        ("_x1", "_x1"),
        ("trueish", "trueish"),
        ("Until", "Until"),
        ("\"x > 3\"", "\"x > 3\""),
        ("\"plain\"", "plain"),
        ("\"\u{e9}t\u{e9}\" U b", "\"\u{e9}t\u{e9}\" U b"),
        (r#""say \"\\\"""#, r#""say \"\\\"""#),
    ];
    for (text, expected) in table {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn glued_letters_are_operators_before_short_atoms() {
    let table = [
        ("Fp0 -> (!p1 U p0)", "(<>p0) -> ((!p1) U p0)"),
        ("GFp0", "[](<>p0)"),
        ("GF!p1", "[](<>(!p1))"),
        ("XFp4 & XXp", "(X (<>p4)) && (X (X p))"),
        ("FGa|GFb", "(<>([]a)) || ([](<>b))"),
        ("G((p0 & !p1 & Fp1) -> (!p2 U p1))", "[]((p0 && (!p1) && (<>p1)) -> ((!p2) U p1))"),
        ("GF(p0)", "[](<>p0)"),
        ("G Full && X Xmit", "([]Full) && (X Xmit)"),
        ("Good U Fail", "Good U Fail"),
        ("\"Fp0\"", "\"Fp0\""),
    ];
    for (text, expected) in table {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn operators_group_by_precedence() {
    let table = [
        ("a U b U c", "a U (b U c)"),
        ("a V b W c M d", "a V (b W (c M d))"),
        ("[] a U b", "([]a) U b"),
        ("! a U X b", "(!a) U (X b)"),
        ("a && b U c", "a && (b U c)"),
        ("a || b && c", "a || (b && c)"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a -> b <-> c", "(a -> b) <-> c"),
        ("a <-> b -> c", "a <-> (b -> c)"),
        ("a <-> b <-> c", "a <-> (b <-> c)"),
        ("a || b -> c", "(a || b) -> c"),
        ("[](a -> <>b) && c", "([](a -> (<>b))) && c"),
    ];
    for (text, expected) in table {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn chains_are_flat_unless_parenthesised() {
    let table = [
        ("a && b & c /\\ d", "a && b && c && d"),
        ("(a && b) && c", "(a && b) && c"),
        ("a && (b && c)", "a && (b && c)"),
        ("a || (b || c) || d", "a || (b || c) || d"),
        ("((a)) && ((b))", "a && b"),
    ];
    for (text, expected) in table {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn spans_cover_parentheses_of_operands_only() {
    let text = " ( (a) U b ) && [] (c) ";
    let expr = read(text).expr;
    assert_eq!(&text[expr.span.clone()], "( (a) U b ) && [] (c)");
    let ltl::expr::Kind::And(parts) = expr.kind else { panic!("a conjunction") };
    let parts: Vec<&str> = parts.iter().map(|part| &text[part.span.clone()]).collect();
    assert_eq!(parts, ["(a) U b", "[] (c)"]);
}

/// Takes comparisons and the identifier `Fp0` for atoms.
fn comparison(rest: &str) -> Option<usize> {
    let end = |start: &str| rest.starts_with(start).then_some(start.len());
    end("x > 3").or_else(|| end("(x + 1) > 3")).or_else(|| end("Fp0")).or_else(|| end("U"))
}

#[test]
fn the_caller_is_asked_for_atoms_first() {
    let table = [
        ("[] x > 3 U b", "([]\"x > 3\") U b"),
        ("(x + 1) > 3 -> (x > 3)", "\"(x + 1) > 3\" -> \"x > 3\""),
        ("Fp0 && Fp1", "\"Fp0\" && (<>p1)"),
        ("U U U", "\"U\" U \"U\""),
        ("Fx > 3", "<>\"x > 3\""),
    ];
    for (text, expected) in table {
        let parsed = parse_with(text, &comparison).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed.expr.explicit().to_string(), expected);
    }
}

#[test]
fn lengths_that_are_no_places_are_ignored() {
    for length in [0, 2, 100] {
        assert_eq!(parse_with("\"\u{e9}\"", &|_| Some(length)).unwrap().expr, read("\"\u{e9}\"").expr);
    }
}

/// The message, the text under the span and the help, as `message | text | help`.
fn complaint(text: &str) -> String {
    let Error { message, span, help } = parse(text).expect_err(text);
    let parts = [Some(message), Some(text[span].to_string()), help];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" | ")
}

#[test]
fn what_is_no_formula_is_explained() {
    let quotes = r#"write what is true of a single state in quotes, as in "x == 3""#;
    let table = [
        ("", "expected a formula, found the end of the text | ".to_string()),
        (" \n", "expected a formula, found the end of the text | ".to_string()),
        ("()", "expected a formula after `(`, found `)` | )".to_string()),
        ("a b", "expected an operator, found `b` | b".to_string()),
        ("a &&", "expected a formula after `&&`, found the end of the text | ".to_string()),
        ("a && && b", "expected a formula after `&&`, found the operator `&&` | &&".to_string()),
        ("[] ", "expected a formula after `[]`, found the end of the text | ".to_string()),
        ("a @ b", format!("expected an operator, found `@` | @ | {quotes}")),
        ("a = b", format!("expected an operator, found `=` | = | {quotes}")),
        ("(a != b)", format!("expected an operator or `)`, found `!=` | != | {quotes}")),
        ("a [] b", "expected an operator, found `[]` | []".to_string()),
        (")", "expected a formula, found `)` | )".to_string()),
        ("a)", "this `)` closes nothing | )".to_string()),
        ("((a)", "this `(` is not closed | (".to_string()),
        ("(a b", "expected an operator or `)`, found `b` | b".to_string()),
        (
            "12",
            "expected a formula, found the number `12` | 12 | the only numbers that are formulas are 0 and 1".into(),
        ),
        ("\"a", "this quote is not closed | \"".to_string()),
        ("a U \"\"", "expected the name of an atom between the quotes | \"\"".to_string()),
        ("\u{e9}t\u{e9}", "expected a formula, found `\u{e9}` | \u{e9}".to_string()),
        ("a \u{2227} b", "expected an operator, found `\u{2227}` | \u{2227}".to_string()),
        ("alwyas p", "expected an operator, found `p` | p | did you mean `always`?".to_string()),
        ("p untl q", "expected an operator, found `untl` | untl | did you mean `until`?".to_string()),
        ("p and q", "expected an operator, found `and` | and | did you mean `&&`?".to_string()),
        ("p q r", "expected an operator, found `q` | q".to_string()),
        (
            "U",
            r#"expected a formula, found the operator `U` | U | an atom of this name is written in quotes: "U""#.into(),
        ),
    ];
    for (text, expected) in table {
        assert_eq!(complaint(text), expected, "{text}");
    }
}

#[test]
fn there_is_a_limit_of_atoms() {
    let atoms = |count: usize| (0..count).map(|i| format!("p{i}")).collect::<Vec<_>>().join(" && ");
    assert!(parse(&atoms(64)).is_ok());
    assert!(parse(&format!("{} && p0", atoms(64))).is_ok());
    assert_eq!(complaint(&atoms(65)), "a formula has at most 64 different atoms | p64");
}

#[test]
fn chains_have_any_length() {
    let text = vec!["a && b"; 50_000].join(" && ");
    let ltl::expr::Kind::And(parts) = read(&text).expr.kind else { panic!("a conjunction") };
    assert_eq!(parts.len(), 100_000);
    // To `spin -f` this is a tree as deep as it is long.
    let text = vec!["a && b"; 50_000].join(" || ");
    let parsed = read(&text);
    assert_eq!(parsed.warnings.len(), 1);
    assert!(matches!(parsed.expr.kind, ltl::expr::Kind::Or(parts) if parts.len() == 50_000));
}

#[test]
fn nesting_has_a_limit() {
    let shapes: [fn(usize) -> String; 7] = [
        |n| format!("{}a", "!".repeat(n)),
        |n| format!("{}a", "[] ".repeat(n)),
        |n| format!("G{}a", "X".repeat(n - 1)),
        |n| format!("{}a{}", "(".repeat(n), ")".repeat(n)),
        |n| format!("{}a", "a U ".repeat(n)),
        |n| format!("{}a", "a -> ".repeat(n)),
        |n| format!("{}a{}", "(".repeat(n), " M a)".repeat(n)),
    ];
    for shape in shapes {
        assert!(parse(&shape(500)).is_ok(), "{}", shape(3));
        assert_too_deep(&shape(501));
        assert_too_deep(&shape(10_000));
    }
    assert_too_deep(&format!("{}a", "!".repeat(1_000_000)));
    assert_too_deep(&"(".repeat(1_000_000));
}

fn assert_too_deep(text: &str) {
    assert_eq!(parse(text).expect_err("too deep").message, "formulas are nested at most 500 deep");
}

#[test]
fn nesting_counts_operators_not_parentheses() {
    let level = |inner: String| format!("({inner} U a && b || c -> d)");
    let text = |n| (0..n).fold("a".to_string(), |inner, _| level(inner));
    assert!(parse(&text(125)).is_ok());
    assert!(parse(&text(126)).is_err());
    let error = parse(&format!("{}a U b", "!".repeat(501))).expect_err("too deep");
    assert_eq!(error.span, 500..501);
}

/// What is said about SPIN's reading.
fn warned(text: &str) -> Vec<String> {
    let warnings = read(text).warnings.into_iter();
    warnings.map(|warning| format!("{}: {}", &text[warning.note.span.clone()], warning.note.message)).collect()
}

#[test]
fn other_readings_of_spin_are_reported() {
    let both = |text: &str, here: &str, there: &str| {
        let message = format!("{text}: this is `{here}`, but SPIN's ltl block and `spin -f` read `{there}`");
        assert_eq!(warned(text), [message]);
    };
    both("a U b U c", "a U (b U c)", "(a U b) U c");
    both("a V b U c", "a V (b U c)", "(a V b) U c");
    both("a -> b -> <>c", "a -> (b -> (<>c))", "(a -> b) -> (<>c)");
    both("a <-> b -> c", "a <-> (b -> c)", "(a <-> b) -> c");
}

#[test]
fn the_two_readers_of_spin_are_kept_apart() {
    let table = [
        ("a W b W c", "a W b W c: this is `a W (b W c)`, but SPIN's ltl block reads `(a W b) W c`"),
        ("a & b U c", "a & b U c: this is `a && (b U c)`, but SPIN's ltl block reads `(a && b) U c`"),
        ("[] ~a", "~: SPIN's ltl block takes `~` as the bitwise complement"),
        ("a || b && c", "a || b && c: this is `a || (b && c)`, but `spin -f` reads `(a || b) && c`"),
        ("[](a -> <>b && c)", "a -> <>b && c: this is `a -> ((<>b) && c)`, but `spin -f` reads `(a -> (<>b)) && c`"),
        ("Xmit U a", "Xmit: this is `Xmit`, but `spin -f` reads `X mit`"),
    ];
    for (text, expected) in table {
        assert_eq!(warned(text), [expected], "{text}");
    }
}

#[test]
fn agreement_and_foreign_notation_are_not_reported() {
    let texts = [
        "[](a -> <>b)",
        "a U (b U c)",
        "a && b && c || d",
        "a -> b <-> c",
        "[] (a || b && c)",
        "(Xmit && a) U b",
        "p0 R p1 U p2",
        "GFp0 -> p1 -> p2",
        "a U \"x > 3\" U c",
        "G ~a",
    ];
    for text in texts {
        assert_eq!(warned(text), [""; 0], "{text}");
    }
}

#[test]
fn any_text_is_read_or_explained() {
    const PIECES: &[&str] = &[
        "a", "b", "Fp0", "XX", "Xmit", "U", "W", "not", "until", "!", "~", "[]", "<>", "&", "&&", "||", "->", "<->",
        "(", ")", "(", ")", "\"", "\\", "1", "7", " ", " ", "\u{e9}", "\u{2227}", "=", "@", "<", "[",
    ];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..20_000 {
        let length = random.random_range(0..14);
        let text: String = (0..length).map(|_| PIECES[random.random_range(0..PIECES.len())]).collect();
        let spans: Vec<_> = match parse(&text) {
            Ok(parsed) => parsed.warnings.into_iter().map(|warning| warning.note.span).collect(),
            Err(error) => vec![error.span],
        };
        assert!(spans.into_iter().all(|span| text.get(span).is_some()), "{text}");
    }
}
