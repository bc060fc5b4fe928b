//! Claims and SPIN itself, where it is installed: we read what it prints, it reads what we write, and both mean the same.

mod support;

use ltl::bdd::Bdds;
use ltl::emptiness::disjoint;
use ltl::format::never;
use ltl::graph::Graph;
use ltl::translate::{Options, translate};
use ltl::{Automaton, Expr, Formulas};
use std::process::{Command, Output};
use support::{Shape, expr, lasso, random, seeds};

const FORMULAS: [&str; 36] = [
    "true",
    "false",
    "p",
    "!p",
    "p && q",
    "p || q",
    "p -> q",
    "p <-> q",
    "[]p",
    "<>p",
    "[]<>p",
    "<>[]p",
    "p U q",
    "p V q",
    "!(p U q)",
    "[](p -> <>q)",
    "[](p -> (q U r))",
    "<>(p && <>q)",
    "<>(p && <>(q && <>r))",
    "[]<>p && []<>q",
    "[]<>p || <>[]q",
    "[]<>p -> []<>q",
    "(p U q) U r",
    "p U (q U r)",
    "[](p || []q)",
    "<>[]p && <>[]q",
    "!([]<>p -> <>q)",
    "[]p || []q",
    "<>p && []q",
    "(<>p) U (<>q)",
    "[](p -> []q)",
    "[](p U q)",
    "<>(p V q)",
    "p U (q && []r)",
    "[](p <-> <>q)",
    "[](p && !r -> (!r U (q && !r)))",
];

/// `None` where there is no SPIN.
fn spin(arguments: &[&str], folder: &std::path::Path) -> Option<Output> {
    Command::new("spin").args(arguments).current_dir(folder).output().ok()
}

#[test]
fn claims_go_both_ways() {
    let folder = std::env::temp_dir().join(format!("ltl-claims-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for formula in FORMULAS {
        let Some(output) = spin(&["-f", formula], &folder) else { break };
        let claim = String::from_utf8(output.stdout).unwrap();
        let automaton = never::read(&claim).unwrap_or_else(|error| panic!("{error}\n{claim}"));
        let written = never::write(&automaton);
        let model = format!("bool p, q, r; active proctype P() {{ p = true }}\n{written}");
        std::fs::write(folder.join("model.pml"), &model).unwrap();
        let output = spin(&["-a", "model.pml"], &folder).unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && said.is_empty(), "{said}\n{model}");
        assert_eq!(never::write(&never::read(&written).unwrap()), written);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// What SPIN prints for a formula, as an automaton over the atoms of `formulas`.
fn spins_automaton(text: &str, formulas: &Formulas) -> Option<Automaton> {
    let output = spin(&["-f", text], &std::env::temp_dir())?;
    let claim = String::from_utf8(output.stdout).unwrap();
    let read = never::read(&claim).unwrap_or_else(|error| panic!("{text}: {error}\n{claim}"));
    let mut automaton = read.generalised();
    let place = |name: &String| formulas.atoms().iter().position(|atom| atom == name).expect("an atom of the formula");
    let places: Vec<usize> = automaton.atoms.iter().map(place).collect();
    let moved = |atoms: u64| places.iter().enumerate().fold(0, |all, (from, to)| all | (atoms >> from & 1) << to);
    for cube in automaton.states.iter_mut().flatten().flat_map(|edge| &mut edge.label.0) {
        (cube.positive, cube.negative) = (moved(cube.positive), moved(cube.negative));
    }
    automaton.atoms = formulas.atoms().to_vec();
    Some(automaton)
}

#[test]
fn spins_claims_accept_the_same_words() {
    for seed in seeds(1, 60) {
        let mut random = random(seed);
        let formula: Expr = expr(&mut random, Shape { depth: 1 + (seed % 4) as u32, atoms: 3, next: false });
        let mut formulas = Formulas::new();
        support::NAMES.iter().for_each(|name| _ = formulas.atom(name));
        let f = formulas.intern(&formula);
        let not_f = formulas.not(f);
        // W and M are unknown to `spin -f`: say them with U and V
        let Some(theirs) = spins_automaton(&basic(&formula).to_string(), &formulas) else { return };
        let ours =
            [f, not_f].map(|f| translate(&mut formulas, f, &Options::default()).unwrap().automaton.generalised());
        let mut bdds = Bdds::default();
        let [theirs_graph, no] = [&theirs, &ours[1]].map(|automaton| Graph::read(automaton, &mut bdds));
        assert_eq!(disjoint(&theirs_graph, &no, usize::MAX, &mut bdds), Some(true), "seed {seed}: {formula}");
        for _ in 0..100 {
            let word = lasso(&mut random, 3);
            assert_eq!(word.is_accepted(&theirs), word.is_accepted(&ours[0]), "seed {seed}: {formula} {word:?}");
        }
    }
}

fn basic(formula: &Expr) -> Expr {
    use ltl::expr::{Binary, Kind, Unary};
    let boxed = |part: &Expr| Box::new(basic(part));
    let expr = |kind: Kind| Expr { kind, span: 0..0 };
    let kind = match &formula.kind {
        Kind::Constant(value) => Kind::Constant(*value),
        Kind::Atom(name) => Kind::Atom(name.clone()),
        Kind::Unary(operator, part) => Kind::Unary(*operator, boxed(part)),
        Kind::And(parts) => Kind::And(parts.iter().map(basic).collect()),
        Kind::Or(parts) => Kind::Or(parts.iter().map(basic).collect()),
        Kind::Binary(Binary::WeakUntil, left, right) => {
            let until = expr(Kind::Binary(Binary::Until, boxed(left), boxed(right)));
            Kind::Or(vec![until, expr(Kind::Unary(Unary::Always, boxed(left)))])
        }
        Kind::Binary(Binary::StrongRelease, left, right) => {
            let release = expr(Kind::Binary(Binary::Release, boxed(left), boxed(right)));
            Kind::And(vec![release, expr(Kind::Unary(Unary::Eventually, boxed(left)))])
        }
        Kind::Binary(operator, left, right) => Kind::Binary(*operator, boxed(left), boxed(right)),
    };
    expr(kind)
}
