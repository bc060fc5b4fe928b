//! Automata of formulas without X can follow repetitions, so that products with them can be reduced; some other automata cannot.
//!
//! `LTL_SEEDS=1-100000` makes the run longer; `LTL_PATTERNS=patterns.tsv` adds the formulas in the second column of a table.

mod support;

use ltl::automaton::{Buchi, Cube, Label, Move, Place};
use ltl::formula::Formulas;
use ltl::stutter_game::is_won;
use ltl::translate::{Options, is_stutter_invariant, translate};
use ltl::word::Lasso;
use ltl::{Expr, parse};
use rand::RngExt;
use support::{Shape, expr, lasso, random, seeds};

/// The formula and its negation.
fn automata(expr: &Expr, options: &Options) -> Vec<Buchi> {
    let mut formulas = Formulas::new();
    let f = formulas.intern(expr);
    let both = [f, formulas.not(f)];
    both.into_iter().filter_map(|f| Some(translate(&mut formulas, f, options).ok()?.automaton)).collect()
}

fn of_text(text: &str) -> Buchi {
    automata(&parse(text).expect("a formula").expr, &Options::default()).swap_remove(0)
}

fn is_next_free(expr: &Expr) -> bool {
    let mut formulas = Formulas::new();
    let f = formulas.intern(expr);
    formulas.traits(f).next_free
}

#[test]
fn automata_of_random_formulas_without_next() {
    let mut done = 0;
    for seed in seeds(1, 2000) {
        let shape = Shape { depth: 1 + (seed % 8) as u32, atoms: 3 + (seed % 2) as u32, next: false };
        let expr = expr(&mut random(seed), shape);
        for automaton in automata(&expr, &Options { max_states: 2_000, ..Options::default() }) {
            assert_eq!(is_won(&automaton), Some(true), "seed {seed}: {expr}\n{}", ltl::format::text::draw(&automaton));
            done += 1;
        }
    }
    assert!(done * 100 >= 2 * 97 * seeds(1, 2000).count(), "only {done}");
}

/// Formulas that people write: response, precedence, chains and fairness.
const PATTERNS: [&str; 16] = [
    "[](p -> <>q)",
    "<>p -> (!p U (q && !p))",
    "[]((p && !q && <>q) -> (!r U q))",
    "[](p && !q -> (!r W (s || q)))",
    "<>q -> (p -> (!q U (r && !q))) U q",
    "[]((q && <>r) -> (!p U (r || (p U (r || (!p U (r || (p U (r || (!p U r))))))))))",
    "[](p -> (<>q -> (!q U (r && !q && <>s))))",
    "<>p -> (!p U (q && !p && (!p U r)))",
    "[](p -> <>(q && <>r))",
    "([]<>p -> []<>q) && ([]<>r -> []<>s)",
    "[]<>p && []<>q && []<>r",
    "<>[]p || <>[]q",
    "!(([]<>p && []<>q) -> [](r -> <>s))",
    "[]<>p <-> []<>q",
    "p U (q U (r U s))",
    "([]<>p) U ([]<>q)",
];

#[test]
fn automata_of_patterns() {
    let mut patterns: Vec<String> = PATTERNS.map(String::from).to_vec();
    if let Ok(table) = std::env::var("LTL_PATTERNS") {
        let table = std::fs::read_to_string(table).expect("the table");
        patterns.extend(table.lines().skip(1).filter_map(|line| Some(line.split('\t').nth(1)?.to_string())));
    }
    for text in patterns {
        let expr = parse(&text).expect("a formula").expr;
        for automaton in automata(&expr, &Options::default()).iter().filter(|_| is_next_free(&expr)) {
            assert_eq!(is_won(automaton), Some(true), "{text}\n{}", ltl::format::text::draw(automaton));
        }
    }
}

/// With any reduction switched off the tableau's automata can follow, too, or else another one is chosen.
#[test]
fn automata_without_reductions() {
    for seed in seeds(1, 300) {
        let shape = Shape { depth: 1 + (seed % 6) as u32, atoms: 3, next: false };
        let expr = expr(&mut random(seed), shape);
        for automaton in automata(&expr, &Options { max_states: 200, ..Options::plain() }) {
            assert_ne!(is_won(&automaton), Some(false), "seed {seed}: {expr}");
        }
    }
}

fn automaton(accepting: &[usize], moves: &[(usize, &str, usize)]) -> Buchi {
    let named = moves.iter().flat_map(|&(from, _, to)| [from, to]).chain(accepting.iter().copied());
    let states = 1 + named.max().expect("a state");
    let mut states = vec![Place::default(); states];
    accepting.iter().for_each(|&state| states[state].accepting = true);
    for &(from, letter, target) in moves {
        let cube = match letter {
            "p" => Cube::literal(0, true),
            "!p" => Cube::literal(0, false),
            _ => Cube::TRUE,
        };
        states[from].moves.push(Move { label: Label(vec![cube]), target });
    }
    Buchi { atoms: vec!["p".into()], initial: 0, states }
}

/// It accepts what <>p accepts, but says beforehand whether the number of letters until then is even.
fn parity() -> Buchi {
    let moves =
        [(0, "!p", 1), (0, "!p", 3), (0, "p", 4), (1, "!p", 2), (2, "!p", 1), (1, "p", 4), (3, "!p", 1), (4, "", 4)];
    automaton(&[4], &moves)
}

/// Each of its states accepts what []<>p accepts, but an accepting run has guessed again and again whether the number of !p until the next p
/// is even.
fn guesses() -> Buchi {
    let moves = [
        (0, "", 0),
        (0, "p", 1),
        (0, "p", 2),
        (1, "!p", 2),
        (1, "p", 0),
        (2, "!p", 1),
        (2, "p", 3),
        (3, "p", 0),
        (3, "!p", 0),
    ];
    automaton(&[3], &moves)
}

#[test]
fn automata_that_guess_how_long_a_repetition_lasts() {
    let mut formulas = Formulas::new();
    let p = formulas.atom("p");
    let eventually = formulas.eventually(p);
    assert_eq!(is_stutter_invariant(&mut formulas, eventually, &Options::default()), Ok(Some(true)));
    let mut random = random(1);
    let satisfied = |word: &Lasso| word.satisfies(&formulas, eventually);
    for _ in 0..200 {
        let word = lasso(&mut random, 1);
        assert_eq!(word.is_accepted(&parity().generalised()), satisfied(&word), "{word:?}");
    }
    let always = formulas.always(eventually);
    for initial in 0..guesses().states.len() {
        let automaton = Buchi { initial, ..guesses() }.generalised();
        for _ in 0..200 {
            let word = lasso(&mut random, 1);
            assert_eq!(word.is_accepted(&automaton), word.satisfies(&formulas, always), "{initial}: {word:?}");
        }
    }
    assert_eq!(is_won(&parity()), Some(false));
    assert_eq!(is_won(&guesses()), Some(false));
}

/// Letters that are counted.
#[test]
fn automata_of_formulas_that_count() {
    for text in ["X p", "[](p -> X !p)", "p && X p", "<>(p && X (p && X !p))", "[]<>(p && X p)"] {
        assert_eq!(is_won(&of_text(text)), Some(false), "{text}");
    }
    // an X that makes no difference
    assert_eq!(is_won(&of_text("<>(p && X !p) || <>[]p || []!p || <>(!p && X p)")), Some(true));
}

/// What the normal form allows: read twice or once, and again.
#[test]
fn loops_and_shortcuts() {
    assert_eq!(is_won(&automaton(&[1], &[(0, "", 0), (0, "p", 1), (1, "p", 1)])), Some(true));
    // acceptance is lost if p comes only once
    let twice = automaton(&[1], &[(0, "!p", 0), (0, "p", 1), (1, "p", 2), (0, "p", 2), (2, "p", 2), (2, "!p", 0)]);
    assert_eq!(is_won(&twice), Some(false));
    // a repetition that cannot be read
    assert_eq!(is_won(&automaton(&[0], &[(0, "p", 1), (1, "!p", 0)])), Some(false));
}

/// Random automata that are made to be in normal form: loops for what has been read, shortcuts for what is read twice.
#[test]
fn automata_in_normal_form() {
    let mut found = 0;
    for seed in seeds(1, 3000) {
        let mut random = random(seed);
        let states = random.random_range(2..6);
        let accepting: Vec<usize> = (0..states).filter(|_| random.random_ratio(1, 3)).collect();
        let mut moves = Vec::new();
        let mut is_normal = true;
        for letter in ["p", "!p"] {
            let mut has = vec![vec![false; states]; states];
            for _ in 0..random.random_range(1..states + 2) {
                let (from, to) = (random.random_range(0..states), random.random_range(0..states));
                has[from][to] = true;
                has[to][to] = true;
            }
            for middle in 0..states {
                for from in 0..states {
                    for to in 0..states {
                        has[from][to] |= has[from][middle] && has[middle][to];
                    }
                }
            }
            for (from, row) in has.iter().enumerate() {
                for middle in (0..states).filter(|&middle| row[middle] && accepting.contains(&middle)) {
                    let lost = |to: usize| has[middle][to] && !accepting.contains(&to) && !accepting.contains(&from);
                    is_normal &= !(0..states).any(lost);
                }
                moves.extend((0..states).filter(|&to| row[to]).map(|to| (from, letter, to)));
            }
        }
        if is_normal && moves.iter().any(|&(from, _, _)| from == 0) {
            found += 1;
            assert_eq!(is_won(&automaton(&accepting, &moves)), Some(true), "seed {seed}: {accepting:?} {moves:?}");
        }
    }
    assert!(found > 300, "{found}");
}

/// Where the game is won, the language does not care for repetitions.
#[test]
fn random_automata_that_follow() {
    let mut found = [0, 0];
    for seed in seeds(1, 3000) {
        let mut random = random(seed);
        let states = random.random_range(1..5);
        let mut moves = Vec::new();
        for from in 0..states {
            for letter in ["p", "!p"] {
                (0..random.random_range(0..3)).for_each(|_| moves.push((from, letter, random.random_range(0..states))));
            }
        }
        if moves.is_empty() {
            continue;
        }
        let accepting = random.random_range(0..states);
        moves.push((accepting, "p", 0));
        let automaton = automaton(&[accepting], &moves);
        let won = is_won(&automaton).expect("a small game");
        found[usize::from(won)] += 1;
        for _ in 0..if won { 50 } else { 0 } {
            let word = lasso(&mut random, 1);
            let repeated = support::repeat_letters(&word, &mut random);
            let automaton = automaton.generalised();
            let [once, often] = [&word, &repeated].map(|word| word.is_accepted(&automaton));
            assert_eq!(once, often, "seed {seed}: {word:?} {repeated:?}");
        }
    }
    assert!(found[0] > 100 && found[1] > 100, "{found:?}");
}
