//! Random automata survive a trip through every format that is both read and written, and no text makes a reader panic.

use ltl::Buchi;
use ltl::automaton::{Automaton, Cube, Edge, Label, Marks, Move, Place, State};
use ltl::format::{dot, hoa, never, text};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Random = Xoshiro256PlusPlus;

const ATOMS: [&str; 4] = ["p", "q1", "x > 3", "P[0]@lab"];

fn atoms(random: &mut Random) -> Vec<String> {
    ATOMS[..random.random_range(0..=ATOMS.len())].iter().map(|name| name.to_string()).collect()
}

/// At least one cube, and none of them false: edges that no letter can take do not survive.
fn label(atoms: usize, random: &mut Random) -> Label {
    let mut cube = || {
        let mask = (1 << atoms) - 1;
        let positive = random.random::<u64>() & mask;
        Cube { positive: positive & random.random::<u64>(), negative: !positive & mask & random.random::<u64>() }
    };
    let first = cube();
    let more = [cube(), cube()];
    let count = random.random_range(0..=2);
    Label([first].into_iter().chain(more.into_iter().take(count)).collect())
}

fn automaton(seed: u64) -> Automaton {
    let random = &mut Random::seed_from_u64(seed);
    let atoms = atoms(random);
    let (count, sets) = (random.random_range(1..6), random.random_range(0..4));
    let mut edges = |_| {
        let mut edge = |_| Edge {
            label: label(atoms.len(), random),
            target: random.random_range(0..count),
            marks: Marks(random.random::<u64>()).and(Marks::all(sets)),
        };
        (0..seed % 4).map(&mut edge).collect()
    };
    let states = (0..count).map(&mut edges).collect();
    Automaton { atoms, sets, initial: (seed % count as u64) as State, states }
}

fn buchi(seed: u64) -> Buchi {
    let random = &mut Random::seed_from_u64(seed);
    let atoms = atoms(random);
    let count = random.random_range(1..6);
    let mut place = |_| {
        let accepting = random.random();
        let moves = random.random_range(0..4);
        let mut each = |_| Move { label: label(atoms.len(), random), target: random.random_range(0..count) };
        Place { accepting, moves: (0..moves).map(&mut each).collect() }
    };
    let mut states: Vec<Place> = (0..count).map(&mut place).collect();
    if seed.is_multiple_of(3) {
        let target = states.len() - 1;
        states[target] = Place { accepting: true, moves: vec![Move { label: Label(vec![Cube::TRUE]), target }] };
    }
    Buchi { atoms, initial: (seed % count as u64) as State, states }
}

/// The letters of a label, one bit each.
fn letters(label: &Label) -> u16 {
    (0..16).filter(|&letter| label.allows(letter)).map(|letter| 1 << letter).sum()
}

/// Everything that must survive: for each state its acceptance and its edges, with letters for labels.
fn essence(automaton: &Automaton) -> Vec<Vec<(u16, State, Marks)>> {
    let edge = |edge: &Edge| (letters(&edge.label), edge.target, edge.marks);
    automaton.states.iter().map(|edges| edges.iter().map(edge).collect()).collect()
}

#[test]
fn hoa_round_trips() {
    for seed in 0..500 {
        let before = automaton(seed);
        let text = hoa::write(&before, Some("a \"name\" \\"), &["weak"]);
        let after = hoa::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let head = |each: &Automaton| (each.atoms.clone(), each.sets, each.initial);
        assert_eq!((head(&after), essence(&after)), (head(&before), essence(&before)), "seed {seed}\n{text}");
    }
}

#[test]
fn hoa_round_trips_of_buchi_automata() {
    for seed in 0..500 {
        let before = buchi(seed);
        let text = hoa::write_buchi(&before, None, &[]);
        let after = hoa::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(essence(&after), essence(&before.generalised()), "seed {seed}\n{text}");
    }
}

/// In a claim, the initial state comes first and atoms are numbered as they come.
#[test]
fn claims_round_trip() {
    for seed in 0..500 {
        let before = buchi(seed);
        let text = never::write(&before);
        let after = never::read(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let order = order_in(&text, &before);
        assert_eq!(after.initial, 0);
        assert_eq!(after.states.len(), before.states.len(), "seed {seed}\n{text}");
        for (new, &old) in order.iter().enumerate() {
            let (new, old) = (&after.states[new], &before.states[old]);
            assert_eq!(new.accepting, old.accepting, "seed {seed}\n{text}");
            assert_eq!(new.moves.len(), old.moves.len(), "seed {seed}\n{text}");
            for (new, old) in new.moves.iter().zip(&old.moves) {
                assert_eq!(order[new.target], old.target, "seed {seed}\n{text}");
                assert_eq!(letters_by_name(new, &after), letters_by_name(old, &before), "seed {seed}\n{text}");
            }
        }
    }
}

/// Which state each label of a claim stands for; `accept_all` is the only one without its number.
fn order_in(text: &str, automaton: &Buchi) -> Vec<State> {
    let numbers: Vec<Option<State>> = text.lines().filter_map(|line| line.strip_suffix(':')).map(number_in).collect();
    let missing = (0..automaton.states.len()).find(|&it| it != automaton.initial && !numbers.contains(&Some(it)));
    let state =
        |(at, number): (usize, &Option<State>)| if at == 0 { automaton.initial } else { number.or(missing).unwrap() };
    numbers.iter().enumerate().map(state).collect()
}

fn number_in(label: &str) -> Option<State> {
    label.split_once("_S")?.1.parse().ok()
}

/// The letters of a move over [`ATOMS`], whatever their numbers are in the automaton.
fn letters_by_name(each: &Move, automaton: &Buchi) -> u16 {
    let renumbered = |letter: u64| {
        let bit = |(at, name): (usize, &String)| {
            let number = ATOMS.iter().position(|atom| atom == name).unwrap();
            (letter >> number & 1) << at
        };
        automaton.atoms.iter().enumerate().map(bit).sum::<u64>()
    };
    (0..16).filter(|&letter| each.label.allows(renumbered(letter))).map(|letter| 1 << letter).sum()
}

fn small() -> Buchi {
    let label =
        |cubes: &[(u64, u64)]| Label(cubes.iter().map(|&(positive, negative)| Cube { positive, negative }).collect());
    let to = |label: Label, target| Move { label, target };
    Buchi {
        atoms: vec!["p0".into(), "s == \"a\\b\"".into()],
        initial: 0,
        states: vec![
            Place { accepting: false, moves: vec![to(label(&[(1, 2), (2, 1)]), 1), to(label(&[(0, 1)]), 0)] },
            Place { accepting: true, moves: vec![to(label(&[(0, 0)]), 1)] },
            Place { accepting: false, moves: vec![] },
        ],
    }
}

#[test]
fn graphs() {
    let expected = r#"digraph automaton {
  rankdir = LR;
  node [shape = circle];
  start [shape = point, style = invis];
  start -> 0;
  0;
  1 [shape = doublecircle];
  2;
  0 -> 1 [label = "(p0 && !(s == \"a\\b\")) ||\n(!p0 && (s == \"a\\b\"))"];
  0 -> 0 [label = "!p0"];
  1 -> 1 [label = "true"];
}
"#;
    assert_eq!(dot::write_buchi(&small()), expected);
}

#[test]
fn drawings() {
    let expected = r#"
→ 0    (p0 && !(s == "a\b")) || (!p0 && (s == "a\b"))  → 1
       !p0                                             ↺
  1 ●  true                                            ↺
  2    (no moves)
"#;
    assert_eq!(text::draw(&small()), expected.trim_start());
}

#[test]
fn drawings_break_long_labels() {
    let cube = |negative: u64| Cube { positive: 0b111 & !negative, negative };
    let label = Label((0..4).map(cube).collect());
    let atoms = ["first_name", "second_name", "third"].map(str::to_owned).to_vec();
    let moves = vec![Move { label, target: 1 }, Move { label: Label(vec![Cube::TRUE]), target: 0 }];
    let automaton = Buchi { atoms, initial: 1, states: vec![Place { accepting: true, moves }, Place::default()] };
    let expected = "
  0 ●     (first_name && second_name && third)    → 1
       || (!first_name && second_name && third)
       || (first_name && !second_name && third)
       || (!first_name && !second_name && third)
       true                                       ↺
→ 1    (no moves)
";
    assert_eq!(text::draw(&automaton), &expected[1..]);
}

#[test]
fn no_text_makes_a_reader_panic() {
    let hoa_text = r#"HOA: v1 name: "é" States: 2 Start: 0 Start: 1 AP: 2 "a" "b\"" Alias: @x !(0|1)&t /* c /**/ */
        Acceptance: 2 Inf(0)&(Inf(1)) --BODY-- State: 0 {0} [@x|0] 1 {1} State: [t] 1 "two" 0 --END--"#;
    let claim =
        "never c { /* é */ accept_init: T0: do :: atomic { ((p)) -> assert(!((p))) } :: (x[1] > 'é' && !q@l) -> goto T0
        :: else -> break od; // end\n if :: (a -> b : c) -> skip :: goto T0 fi; T1: false; accept_all: skip }";
    assert!(hoa::read(hoa_text).is_ok());
    assert!(never::read(claim).is_ok());
    for mutant in mutants(hoa_text) {
        check_span(hoa::read(&mutant).err(), &mutant);
    }
    for mutant in mutants(claim) {
        check_span(never::read(&mutant).err(), &mutant);
    }
}

/// At every byte: the text up to it, without it, and with something else in its place or before it.
fn mutants(text: &str) -> impl Iterator<Item = String> {
    let signs = b"(){}[]!&|-:;@\"'/*? 09tfx\\\n\xc3";
    let bytes = text.as_bytes();
    (0..bytes.len()).flat_map(move |at| {
        let (before, behind) = bytes.split_at(at);
        let replaced = signs.iter().map(move |&sign| [before, &[sign], &behind[1..]].concat());
        let inserted = signs.iter().map(move |&sign| [before, &[sign], behind].concat());
        let shorter = [before.to_vec(), [before, &behind[1..]].concat(), [before, before].concat()];
        let all = shorter.into_iter().chain(replaced).chain(inserted);
        all.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    })
}

fn check_span(error: Option<ltl::Error>, text: &str) {
    if let Some(error) = error {
        assert!(text.get(error.span.clone()).is_some(), "{error}\n{text}");
        assert!(!error.message.is_empty(), "{text}");
    }
}
