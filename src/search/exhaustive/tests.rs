//! Searches that use a store which does not lend its states.

use super::{bfs, dfs, ndfs, scc};
use crate::load;
use crate::program::Program;
use crate::property::{Claim, Fairness, Product};
use crate::reduce::{Reduction, Reductions};
use crate::search::catalogue::{ASTAR, BFS, DFS, NDFS, SCC};
use crate::search::directed::{self, Order};
use crate::search::problem::FairnessBy;
use crate::search::{Checks, Config, Cycles, Enough, Limits, Monitor, Problem, Tally, Verdict, Violation};
use crate::source::Source;
use crate::store::{Full, Inserted, Own, StateId, States, Store, Visited};
use crate::syntax::preprocess::Options;
use crate::system::{Cutoff, Interpreter};

/// A store that never lends a state: it copies the words to the buffer, as a compressed store would.
struct Rebuilding(Store);

impl States for Rebuilding {
    fn recall<'s>(&'s self, id: StateId, buffer: &'s mut Vec<u64>) -> &'s [u64] {
        let state = self.0.copy(id);
        buffer.clear();
        buffer.extend(state);
        buffer
    }
}

impl Visited for Rebuilding {
    const EXACT: bool = false;

    fn hash(&self, state: &[u64]) -> u64 {
        self.0.hash(state)
    }

    fn prefetch(&self, hash: u64) {
        self.0.prefetch(hash);
    }

    fn prefetch_record(&self, hash: u64) {
        self.0.prefetch_record(hash);
    }

    fn insert(&mut self, state: &[u64], hash: u64, note: u64) -> Result<Inserted, Full> {
        self.0.insert(state, hash, note)
    }

    fn get(&self, state: &[u64], hash: u64) -> Option<StateId> {
        self.0.get(state, hash)
    }

    fn note(&self, id: StateId) -> u64 {
        self.0.note(id)
    }
}

impl Own for Rebuilding {
    fn new(hidden: usize, cutoff: &Cutoff) -> Option<Rebuilding> {
        Store::new(hidden, cutoff).map(Rebuilding)
    }

    fn set_note(&mut self, id: StateId, note: u64) {
        self.0.set_note(id, note);
    }

    fn replace_hidden(&mut self, id: StateId, other: &[u64]) {
        self.0.replace_hidden(id, other);
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn memory(&self) -> u64 {
        self.0.memory()
    }

    fn ids(&self) -> impl Iterator<Item = StateId> + '_ {
        self.0.ids()
    }
}

const MODEL: &str = "byte x, y; chan c = [2] of { byte };
    active [2] proctype p() { do :: x < 5 -> x++; c!x :: c?y -> x = (x > 0 -> x - 1 : 0) od }
    active proctype q() { byte z; do :: c?z -> assert(z != 4) :: y == 3 -> y = 0 od }
    ltl back { []<>(x == 0) }";

fn program() -> Program {
    load::program(Source::new("p.pml", MODEL), &Options::default()).expect("a model").it
}

/// Everything that does not depend on the store.
fn told(tally: Tally) -> String {
    let report = tally.report(&Cutoff::default());
    let found = match &report.verdict {
        Verdict::Violated(finding) => format!("{finding:?}"),
        _ => String::new(),
    };
    format!("{:?} {:?} {:?} {found}", report.counts, report.met, report.coverage)
}

/// What a search says of the model with a store of this kind.
fn reports<V: Own>(enough: Enough) -> Vec<String> {
    let program = program();
    let monitor = Monitor::new(Limits::default(), Default::default());
    let config = |search| Config { enough, ..Config::of(search) };
    let safety = Problem::of_safety(Interpreter::new(&program), Checks::default());
    let reduction = Reduction::new(&program).expect("a model that can be reduced");
    let safety = safety.with_reduction(Some(reduction));
    let reduced = |search| Config { reduce: Reductions::ALL, ..config(search) };
    let claim = Claim::against(&program.formulas[0]).expect("a claim");
    let cycles = Cycles { violation: Violation::AcceptanceCycle, fairness: Fairness::None };
    let checks = Checks { assertions: false, ..Checks::default() };
    let product: Problem<Product<_>> =
        Problem::of_claim(Interpreter::new(&program), &claim, cycles, FairnessBy::States, checks).expect("a product");
    vec![
        told(bfs::search::<_, V>(&safety, config(&BFS), &monitor)),
        told(dfs::search::<_, V>(&safety, config(&DFS), &monitor)),
        told(bfs::search::<_, V>(&safety, reduced(&BFS), &monitor)),
        told(dfs::search::<_, V>(&safety, reduced(&DFS), &monitor)),
        told(directed::search::<_, V>(&safety, Order::BestFirst, &|_, _, _| 0, config(&ASTAR), &monitor)),
        told(ndfs::search::<_, V>(&product, super::nested::Classes::Used, config(&NDFS), &monitor)),
        told(ndfs::search::<_, V>(&product, super::nested::Classes::Ignored, config(&NDFS), &monitor)),
        told(scc::search::<_, V>(&product, config(&SCC), &monitor)),
    ]
}

#[test]
fn searches_need_no_store_that_lends_its_states() {
    for enough in [Enough::First, Enough::Never] {
        assert_eq!(reports::<Rebuilding>(enough), reports::<Store>(enough));
    }
}

#[test]
fn what_was_searched_with_a_store_that_is_not_exact_is_not_proved() {
    let text = "byte x; active proctype p() { do :: x < 9 -> x++ :: else -> x = 0 od }";
    let program = load::program(Source::new("p.pml", text), &Options::default()).expect("a model").it;
    let problem = Problem::of_safety(Interpreter::new(&program), Checks::default());
    let monitor = Monitor::new(Limits::default(), Default::default());
    let verdict = |tally: Tally| tally.report(&Cutoff::default()).verdict;
    let exact = verdict(bfs::search::<_, Store>(&problem, Config::of(&BFS), &monitor));
    assert!(matches!(exact, Verdict::Holds));
    let lossy = verdict(bfs::search::<_, Rebuilding>(&problem, Config::of(&BFS), &monitor));
    assert!(matches!(lossy, Verdict::Inconclusive(_)));
}

/// Somewhere b is set, while another process turns in a circle that nothing looks at.
const TURNER: &str = "bit b;
    active proctype turner() { bit x; do :: x = 1; x = 0 od }
    active proctype setter() { b = 1 }
    ltl set { <> b }";

/// It accepts what <>b accepts, but `even` and `odd` say how many states without b are still to come.
const PARITY: &str = "never {
    T0_init: do :: b -> goto accept_seen :: !b -> goto even :: !b -> goto wait od;
    even: do :: b -> goto accept_seen :: !b -> goto odd od;
    odd: do :: !b -> goto even od;
    wait: do :: !b -> goto even od;
    accept_seen: do :: true od }";

/// S. F. Siegel, What's wrong with on-the-fly partial order reduction, CAV 2019: although the language does not care for repetitions, and each
/// cycle has a state that is expanded. Each of the two cycles of the turner has the claim in `even` where it is entered, and there alone it
/// is left: always at a time for which the claim is wrong.
#[test]
fn a_claim_that_guesses_is_not_for_reduction() {
    let program = load::program(Source::new("p.pml", TURNER), &Options::default()).expect("a model").it;
    let monitor = Monitor::new(Limits::default(), Default::default());
    let atoms = program.formulas[0].atoms.clone();
    let claim = Claim::of_automaton(ltl::format::never::read(PARITY).expect("a claim"), atoms.clone());
    let holds = |claim: &Claim, reduction: Option<Reduction>| {
        let cycles = Cycles { violation: Violation::AcceptanceCycle, fairness: Fairness::None };
        let order = Reductions { order: reduction.is_some(), ..Reductions::NONE };
        let product = Problem::of_claim(
            Interpreter::new(&program),
            claim,
            cycles,
            FairnessBy::States,
            Checks { assertions: false, ..Checks::default() },
        );
        let product: Problem<Product<_>> = product.expect("a product").with_reduction(reduction);
        let config = |search| Config { reduce: order, ..Config::of(search) };
        let nested = ndfs::search::<_, Store>(&product, super::nested::Classes::Ignored, config(&NDFS), &monitor);
        let by_components = scc::search::<_, Store>(&product, config(&SCC), &monitor);
        [nested, by_components].map(|tally| matches!(tally.report(&Cutoff::default()).verdict, Verdict::Holds))
    };
    let watching = |claim: &Claim| {
        let conditions: Vec<_> = claim.atoms().iter().map(|atom| atom.code.clone()).collect();
        Some(Reduction::watching(&program, &conditions).expect("a model that can be reduced"))
    };
    assert_eq!(holds(&claim, None), [false; 2]);
    assert_eq!(holds(&claim, watching(&claim)), [true; 2], "this answer is wrong: it is why such claims are refused");
    assert!(claim.conditions().is_err());

    let formula = ltl::parse("<> b").expect("a formula").expr;
    let formula = crate::program::formula::Formula { expr: negated(formula), ..program.formulas[0].clone() };
    let translated = Claim::against(&formula).expect("a claim");
    assert!(translated.conditions().is_ok());
    assert_eq!(holds(&translated, watching(&translated)), [false; 2]);
}

fn negated(expr: ltl::Expr) -> ltl::Expr {
    let kind = ltl::expr::Kind::Unary(ltl::expr::Unary::Not, Box::new(expr));
    ltl::Expr { kind, span: 0..0 }
}
