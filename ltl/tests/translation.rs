//! What is known about certain formulas and families of formulas.

use ltl::parse;
use ltl::scc::Class;
use ltl::translate::{Kind, Options, Translation, is_stutter_invariant, satisfying_word, translate};
use ltl::{Budget, Formulas, Limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn translated(text: &str) -> Result<Translation, Limit> {
    let mut formulas = Formulas::new();
    let f = formulas.intern(&parse(text).unwrap().expr);
    translate(&mut formulas, f, &Options::default())
}

fn states(text: &str) -> usize {
    translated(text).unwrap_or_else(|limit| panic!("{text}: {limit}")).automaton.states.len()
}

/// States of automata that are known to be minimal, or the best known.
#[test]
fn sizes() {
    let known = [
        ("true", 1),
        ("false", 1),
        ("p", 2),
        ("[]p", 1),
        ("<>p", 2),
        ("[]<>p", 2),
        ("<>[]p", 2),
        ("p U q", 2),
        ("p V q", 2),
        ("p W q", 2),
        ("[](p -> <>q)", 2),
        ("!([](p -> <>q))", 2),
        ("[](p -> <>q) && [](r -> <>s)", 6),
        ("!([](p -> <>q) && [](r -> <>s))", 3),
        ("[]<>p -> []<>q", 3),
        ("!([]<>p -> []<>q)", 3),
        ("X X X p", 5),
        ("[](p -> X X p)", 4),
    ];
    for (text, count) in known {
        assert_eq!(states(text), count, "{text}");
    }
}

/// `build(n)` for n from 2 to 6 has at most `most(n)` states.
fn family(build: impl Fn(usize) -> String, most: impl Fn(usize) -> usize) {
    for count in 2..=6 {
        let text = build(count);
        assert!(states(&text) <= most(count), "{text}: {}", states(&text));
    }
}

#[test]
fn hard_families_stay_small() {
    let names = |count: usize| (1..=count).map(|number| format!("a{number}"));
    let all =
        |count, operator: &str| names(count).map(|name| format!("{operator}{name}")).collect::<Vec<_>>().join(" && ");
    let left = |count, operator: &str| names(count).reduce(|f, g| format!("({f} {operator} {g})")).unwrap();
    let right = |count, operator: &str| {
        let names: Vec<String> = names(count).collect();
        names.into_iter().rev().reduce(|f, g| format!("({g} {operator} {f})")).unwrap()
    };
    family(|count| all(count, "[]<>"), |count| count + 1);
    family(|count| format!("!({})", all(count, "[]<>")), |count| count + 1);
    family(|count| all(count, "<>"), |count| 1 << count);
    family(|count| left(count, "U"), |count| 1 << (count - 1));
    family(|count| format!("!({})", left(count, "U")), |count| count);
    family(|count| right(count, "U"), |count| count);
    family(|count| left(count, "V"), |count| count);
    family(|count| format!("!({})", left(count, "V")), |count| 1 << (count - 1));
    family(|count| right(count, "V"), |count| count);
}

/// Too much is an error, not a hang.
#[test]
fn limits() {
    let numbered = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<Vec<_>>().join(" && ");
    let hopeless = [
        numbered(10, &|n| format!("(<>p{n} || []q{n})")),
        numbered(8, &|n| format!("([]<>p{n} || <>[]q{n})")),
        numbered(60, &|n| format!("<>p{n}")),
        numbered(20, &|n| format!("(p{n} <-> X q{n})")),
        format!("[](p <-> {} q)", "X ".repeat(20)),
        (0..30).map(|n| format!("p{n}")).collect::<Vec<_>>().join(" <-> "),
        numbered(3_000, &|n| format!("{} p", "X ".repeat(n % 400 + 1) + &"<> X ".repeat(n / 400))),
    ];
    for text in hopeless {
        assert!(translated(&text).is_err(), "{}", &text[..60]);
    }
    // and as deep as the parser allows, on the small stack of a test
    for operators in ["X ", "! X ", "<> [] X ", "p U X ", "q V X ", "[] (p -> X "] {
        let depth = 480 / operators.trim().split(' ').filter(|operator| !"pq(p".contains(operator)).count();
        let text = format!(
            "{}p{}",
            operators.repeat(depth),
            if operators.contains('(') { ")".repeat(depth) } else { String::new() }
        );
        let _ = translated(&text);
    }
}

/// Parts that contradict each other without one being written as the negation of the other.
#[test]
fn contradictions() {
    let same = [
        ("(<>p && []!p) || (a && b)", "a && b"),
        ("(X p && X !p) || (a && b)", "a && b"),
        ("(<>p && []!p) || (a U b)", "a U b"),
        ("(F p && G !p) W (a M b)", "a M b"),
        ("!p W <>[](X !p && X p)", "[]!p"),
        ("(p U q || !p V !q) && a", "a"),
    ];
    for (text, simple) in same {
        let mut formulas = Formulas::new();
        let (f, g) = (formulas.intern(&parse(text).unwrap().expr), formulas.intern(&parse(simple).unwrap().expr));
        let (not_f, not_g) = (formulas.not(f), formulas.not(g));
        for both in [formulas.and2(f, not_g), formulas.and2(not_f, g)] {
            assert_eq!(satisfying_word(&mut formulas, both, &Options::default()), Ok(None), "{text}");
        }
    }
}

#[test]
fn the_same_formula_gives_the_same_automaton() {
    for text in ["[](p -> <>q) && []<>r", "!([](p -> (q U (r || []p))))", "<>(p && X(q U r))"] {
        assert_eq!(translated(text).unwrap().automaton, translated(text).unwrap().automaton, "{text}");
    }
}

#[test]
fn kinds() {
    let kind = |safety, guarantee, obligation| Kind { safety, guarantee, obligation, certain: true };
    let known = [
        ("[]p", kind(true, false, true)),
        ("p W q", kind(true, false, true)),
        ("<>p", kind(false, true, true)),
        ("p U q", kind(false, true, true)),
        ("p && X q", kind(true, true, true)),
        ("[]p || <>q", kind(false, false, true)),
        ("[](p -> <>q)", kind(false, false, false)),
        ("[]<>p", kind(false, false, false)),
        ("<>[]p", kind(false, false, false)),
        // what the syntax does not show
        ("[](p || X <>q) && [] !q", kind(true, false, true)),
        ("<>[](p || !p) && <>q", kind(false, true, true)),
        ("false", kind(true, true, true)),
        ("true", kind(true, true, true)),
    ];
    for (text, expected) in known {
        assert_eq!(translated(text).unwrap().kind, expected, "{text}");
    }
}

#[test]
fn classes_and_flags() {
    let classes = |text: &str| translated(text).unwrap().automaton.classes();
    let of = |text: &str| classes(text).components().iter().map(|component| component.class).collect::<Vec<_>>();
    assert_eq!(of("[]<>p"), [Class::P]);
    assert_eq!(of("<>[]p"), [Class::F, Class::N]);
    assert_eq!(of("<>p"), [Class::F, Class::N]);
    assert_eq!(of("false"), [Class::N]);
    assert!(classes("<>p").is_terminal() && classes("p U q").is_terminal());
    assert!(classes("<>[]p").is_weak() && !classes("<>[]p").is_terminal());
    assert!(!classes("[]<>p").is_weak());
}

#[test]
fn stutter_invariance() {
    let known = [
        ("[](p -> <>q)", true),
        ("X p", false),
        ("<>(p && X p)", false),
        ("<>(p && X !p)", true),
        ("<>(p && X <>!p)", true),
        ("[](p -> X <>p)", true),
        ("[](p -> X !p)", false),
        ("X(p || !p)", true),
        ("[](p <-> X p)", true),
    ];
    for (text, expected) in known {
        let mut formulas = Formulas::new();
        let f = formulas.intern(&parse(text).unwrap().expr);
        assert_eq!(is_stutter_invariant(&mut formulas, f, &Options::default()), Ok(Some(expected)), "{text}");
    }
}

#[test]
fn words() {
    for text in ["p && X !p && X X [](p <-> q)", "[]<>p && []<>q && [](p -> !q) && []<>!p", "<>[](p && X !q)"] {
        let mut formulas = Formulas::new();
        let f = formulas.intern(&parse(text).unwrap().expr);
        let word = satisfying_word(&mut formulas, f, &Options::default()).unwrap().unwrap();
        assert!(word.satisfies(&formulas, f), "{text}: {word:?}");
    }
    let mut formulas = Formulas::new();
    let f = formulas.intern(&parse("[]<>p && <>[]!p").unwrap().expr);
    assert_eq!(satisfying_word(&mut formulas, f, &Options::default()), Ok(None));
}

/// Work that takes long ends when somebody says so, whatever stage it is in, and the answer is an error or a whole result.
#[test]
fn a_budget_ends_the_work() {
    let often = (0..8).map(|number| format!("[]<>p{number}")).collect::<Vec<_>>().join(" && ");
    for text in [often.clone(), format!("!({often})"), format!("X p0 || ({often})")] {
        for after in [0, 1, 10, 100, 1000] {
            let asked = AtomicUsize::new(0);
            let budget = Budget::until(move |_| asked.fetch_add(1, Ordering::Relaxed) >= after);
            let options = Options { budget, ..Options::default() };
            let mut formulas = Formulas::new();
            let f = formulas.intern(&parse(&text).unwrap().expr);
            match translate(&mut formulas, f, &options) {
                Ok(translation) => assert!(after > 0 && translation.automaton.states.len() > 1, "{text}, {after}"),
                Err(limit) => assert_eq!(limit, Limit::Stopped, "{text}, {after}"),
            }
            if after == 0 {
                assert_eq!(satisfying_word(&mut formulas, f, &options), Err(Limit::Stopped), "{text}");
                assert_eq!(is_stutter_invariant(&mut formulas, f, &options), Err(Limit::Stopped), "{text}");
            }
        }
    }
}

/// The budget is told how much memory the work takes.
#[test]
fn a_budget_of_bytes() {
    let text = (0..13).map(|number| format!("[]<>p{number}")).collect::<Vec<_>>().join(" && ");
    let most = Arc::new(AtomicUsize::new(0));
    let seen = most.clone();
    let budget = Budget::until(move |bytes| seen.fetch_max(bytes, Ordering::Relaxed) > 10 << 20);
    let mut formulas = Formulas::new();
    let f = formulas.intern(&parse(&format!("!({text})")).unwrap().expr);
    let done = translate(&mut formulas, f, &Options { budget, ..Options::default() });
    assert!(most.load(Ordering::Relaxed) > 10 << 20 && matches!(done, Ok(_) | Err(Limit::Stopped)));
}
