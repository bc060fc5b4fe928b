use super::*;
use crate::load;
use crate::program::Program;
use crate::program::layout::{GlobalPlace, variable_width};
use crate::property::{Claim, Fairness, Product};
use crate::source::Source;
use crate::syntax::preprocess::Options;
use crate::system::checked::check_state;
use crate::system::state::process_count;
use crate::system::{Batch, Interpreter, Outcome, Run, System};
use rand::SeedableRng;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Most genes are mutated.
const WILD: Genetics =
    Genetics { generations: 3, population: 100, threshold: 0.3, fitness: Fitness::LessThan, bounds: Bounds::Type };
/// No gene is mutated.
const TAME: Genetics = Genetics { threshold: 1.0, ..WILD };

fn program(text: &str) -> Program {
    load::program(Source::new("m.pml", text), &Options::default()).expect("a model").it
}

fn file(path: &Path) -> Program {
    load::program(load::read(path).expect("a file"), &Options::default()).expect("a model").it
}

fn model(name: &str) -> Program {
    file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name))
}

fn all_models() -> Vec<PathBuf> {
    let folders = ["models", "models/language"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    paths.sort();
    paths
}

/// A system and the scratch memory that it needs.
struct Bench<S: System> {
    system: S,
    scratch: S::Scratch,
    batch: Batch,
}

impl<S: System> Bench<S> {
    fn new(system: S) -> Bench<S> {
        Bench { scratch: system.scratch(), system, batch: Batch::default() }
    }

    fn successors(&mut self, state: &[u64]) -> Vec<Vec<u64>> {
        self.batch.clear();
        self.system.successors(state, Run::GoesOn, &mut self.scratch, &mut self.batch, |_| {});
        let states = self.batch.entries.iter().filter(|entry| entry.outcome == Outcome::State);
        states.map(|entry| self.batch.state(entry).to_vec()).collect()
    }

    /// Breadth first from these states, until `most` are found or there are no more.
    fn reached(&mut self, from: Vec<Vec<u64>>, most: usize) -> Vec<Vec<u64>> {
        let (mut found, mut known) = (from.clone(), BTreeSet::from_iter(from));
        let mut next = 0;
        while next < found.len() && found.len() < most {
            for successor in self.successors(&found[next].clone()) {
                if known.insert(successor.clone()) {
                    found.push(successor);
                }
            }
            next += 1;
        }
        found
    }

    /// `most` reachable states; none if there is no initial one.
    fn seen(&mut self, most: usize) -> Vec<Vec<u64>> {
        let initial = self.system.initial(&mut self.scratch);
        self.reached(initial.into_iter().collect(), most)
    }

    fn generate(&mut self, genome: &Genome, plan: &Genetics, seen: &[Vec<u64>], seed: u64) -> Vec<Vec<u64>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        generate(genome, plan, seen, &mut random, |state| self.successors(state).len(), || false)
    }
}

/// Checks, without the genome, all that the interpreter assumes of a state.
fn check(program: &Program, state: &[u64], seen: &[Vec<u64>]) {
    check_state(program, state);
    let (layout, b) = (&program.layout, bytes(state));
    let mut at = layout.frames_at as usize;
    let mut kinds = Vec::new();
    for _ in 0..process_count(b) {
        let kind = load(b, at, layout.type_width) as usize;
        kinds.push(kind);
        at += layout.frames[kind].size as usize;
    }
    let hidden = 1..1 + layout.hidden_words as usize;
    let shapes = seen.iter().filter(|parent| parent[0] << 16 == state[0] << 16);
    let mut like = shapes.filter(|parent| parent[hidden.clone()] == state[hidden.clone()]);
    assert!(like.any(|parent| of_same_shape(program, bytes(parent), &kinds, b)), "no parent gives it its shape");
}

/// Whether the processes are the same, and all that is not a gene.
fn of_same_shape(program: &Program, parent: &[u8], kinds: &[usize], b: &[u8]) -> bool {
    let layout = &program.layout;
    let mut at = layout.frames_at as usize;
    let same_kinds = kinds.iter().all(|&kind| {
        let same = load(parent, at, layout.type_width) as usize == kind;
        at += layout.frames[kind].size as usize;
        same
    });
    let kept = [layout.last, layout.event].into_iter().flatten();
    same_kinds
        && kept.into_iter().all(|c| load(parent, c.offset as usize, c.width) == load(b, c.offset as usize, c.width))
}

/// Breeds states of a model, checks them and searches on from them; returns how many there were.
fn check_model(program: &Program, plan: &Genetics, most: usize) -> usize {
    let genome = Genome::new(program, None);
    let mut bench = Bench::new(Interpreter::new(program));
    let seen = bench.seen(most);
    let mut count = 0;
    for fitness in [Fitness::LessThan, Fitness::GreaterThan] {
        let plan = Genetics { fitness, ..*plan };
        let artificial = bench.generate(&genome, &plan, &seen, 1);
        assert_eq!(artificial, bench.generate(&genome, &plan, &seen, 1), "the same seed");
        artificial.iter().for_each(|state| check(program, state, &seen));
        for state in &artificial {
            let mut fresh = Bench::new(Interpreter::new(program));
            assert_eq!(bench.successors(state), fresh.successors(state), "memory of other states does no harm");
        }
        count += artificial.len();
        for state in bench.reached(artificial, 3 * most) {
            bench.system.end(&state, &mut bench.scratch);
        }
    }
    count
}

#[test]
fn artificial_states_of_all_models_can_be_executed() {
    let checked = load::on_deep_stack(|| {
        let programs: Vec<Program> = all_models().iter().map(|path| file(path)).collect();
        let check = |bounds| -> usize {
            let plan = Genetics { bounds, ..WILD };
            programs.iter().map(|program| check_model(program, &plan, 200)).sum()
        };
        Bounds::ALL.map(check)
    });
    checked.expect("no panic").iter().for_each(|&count| assert!(count > 5_000, "{count}"));
}

#[test]
fn thousands_of_artificial_states_can_be_executed() {
    for name in ["philosophers.pml", "fork-join.pml", "coherence.pml", "language/channel-of-channels.pml"] {
        let count = check_model(&model(name), &Genetics { population: 1_500, ..WILD }, 2_000);
        assert!(count > 1_000, "{name}: {count}");
    }
}

#[test]
fn artificial_states_of_products_can_be_executed() {
    for name in ["peterson.pml", "bakery.pml", "language/never.pml", "language/claim-stutter.pml"] {
        let program = model(name);
        let formulas = program.formulas.iter().map(|formula| Claim::against(formula).expect("a claim"));
        for claim in formulas.chain(Claim::nevers(&program).into_iter().map(|number| Claim::never(&program, number))) {
            for (fairness, bounds) in [(Fairness::None, Bounds::Type), (Fairness::Weak, Bounds::Observed)] {
                let product = Product::new(Interpreter::new(&program), &claim, fairness).expect("a product");
                let count = claim.state_count() as u32;
                let mut bench = Bench::new(product);
                let seen = bench.seen(300);
                let genome = Genome::new(&program, Some(count));
                let artificial = bench.generate(&genome, &Genetics { bounds, ..WILD }, &seen, 1);
                assert!(artificial.len() > 1, "{name}");
                for state in &artificial {
                    assert!(bench.system.claim_state(state) < count);
                    assert_eq!(state[0] >> 63, 0, "the run has not ended");
                }
                bench.reached(artificial, 1_000);
            }
        }
    }
}

/// The artificial states of a model, bred from `most` states that were seen, and these.
fn bred(text: &str, plan: &Genetics, most: usize) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
    let program = program(text);
    let mut bench = Bench::new(Interpreter::new(&program));
    let seen = bench.seen(most);
    (bench.generate(&Genome::new(&program, None), plan, &seen, 1), seen)
}

fn byte(state: &[u64], at: u32) -> u8 {
    bytes(state)[at as usize]
}

#[test]
fn shared_variables_mix_and_those_of_a_process_do_not() {
    let text = "byte a, b; active proctype p() { byte x, y; do :: atomic { x < 9 -> a++; b++; x++; y++ } od }";
    let program = program(text);
    let (artificial, seen) = bred(text, &TAME, 9);
    let (globals, frame) = (&program.layout.globals, program.layout.frames_at);
    let locals = &program.layout.frames[0].locals;
    let &[GlobalPlace::At(a), GlobalPlace::At(b)] = &globals[..] else { panic!("two variables") };
    assert!(artificial.iter().all(|s| byte(s, frame + locals[0]) == byte(s, frame + locals[1])));
    assert!(artificial.iter().any(|s| byte(s, a) != byte(s, b)));
    assert!(artificial.iter().any(|state| !seen.contains(state)), "a child differs from all parents");
}

#[test]
fn a_channel_is_inherited_with_its_messages() {
    let text = "chan c = [3] of { byte, byte };
        active proctype p() { byte n; do :: atomic { n < 200 -> c!n,n; n++ } od }
        active proctype q() { do :: c?_,_ od }";
    let program = program(text);
    let (artificial, seen) = bred(text, &TAME, 100);
    let at = program.layout.channels[0].offset as usize..program.layout.frames_at as usize;
    let contents = |states: &[Vec<u64>]| -> BTreeSet<Vec<u8>> {
        states.iter().map(|state| bytes(state)[at.clone()].to_vec()).collect()
    };
    assert!(contents(&artificial).is_subset(&contents(&seen)));
    let mutated = contents(&bred(text, &WILD, 100).0);
    assert!(!mutated.is_subset(&contents(&seen)));
}

#[test]
fn a_channel_of_a_process_is_named_only_where_it_exists() {
    let text = "chan none, requests = [1] of { chan };
        proctype client() { chan mine = [1] of { bit }; requests!mine; mine?_ }
        active proctype server() { chan reply; do :: atomic { requests?reply -> reply!0; reply = none } od }
        init { do :: atomic { _nr_pr < 5 -> run client() } od }";
    let program = program(text);
    let genome = Genome::new(&program, None);
    let (artificial, seen) = bred(text, &Genetics { population: 500, ..WILD }, 1_000);
    assert!(artificial.len() > 100);
    assert!(seen.iter().all(|state| dangling(&program, &genome, state).is_empty()));
    assert!(artificial.iter().all(|state| dangling(&program, &genome, state).is_empty()));
}

/// The numbers in a state that name channels which do not exist.
fn dangling(program: &Program, genome: &Genome, state: &[u64]) -> Vec<i32> {
    let individual = genome.individual(state.to_vec());
    let own = |frame: &Frame| program.layout.frames[frame.proctype].channels.len();
    let count = program.layout.channels.len() + individual.frames.iter().map(own).sum::<usize>();
    let parts = individual.frames.iter().map(|frame| (&genome.processes[frame.proctype], frame.at));
    let mut numbers = Vec::new();
    for (part, at) in std::iter::once((&genome.shared, 0)).chain(parts) {
        let names = part.sites(bytes(state), at).filter(|site| matches!(part.genes[site.0].values, Values::Channel));
        numbers.extend(names.map(|(number, at)| load(bytes(state), at, part.genes[number].width)));
    }
    numbers.retain(|&number| number as usize > count);
    numbers
}

#[test]
fn mutated_values_are_within_bounds() {
    let text = "mtype = { red, green, blue }; mtype m; bit b; unsigned u : 3; short s; byte never_written = 7;
        active proctype p() { byte n; do :: atomic { n < 9 -> n++; m = green; b = 1 - b; u++; s-- } od }";
    let program = program(text);
    let value = |state: &[u64], number: usize| match program.layout.globals[number] {
        GlobalPlace::At(at) => load(bytes(state), at as usize, variable_width(&program.model.globals[number])),
        GlobalPlace::Channel(_) => panic!("no channel"),
    };
    let all = |plan: &Genetics, number: usize| -> BTreeSet<i32> {
        bred(text, plan, 4).0.iter().map(|state| value(state, number)).collect()
    };
    let plan = Genetics { population: 300, ..WILD };
    assert_eq!(all(&plan, 0), BTreeSet::from([0, 1, 2, 3]));
    assert_eq!(all(&plan, 1), BTreeSet::from([0, 1]));
    assert_eq!(all(&plan, 2), BTreeSet::from_iter(0..8));
    assert!(all(&plan, 3).iter().any(|&s| s > 0) && all(&plan, 3).iter().any(|&s| s < -9));
    assert_eq!(all(&plan, 4), BTreeSet::from([7]));
    let plan = Genetics { bounds: Bounds::Observed, ..plan };
    assert_eq!(all(&plan, 0), BTreeSet::from([0, 1, 2]));
    assert_eq!(all(&plan, 2), BTreeSet::from_iter(0..4));
    assert_eq!(all(&plan, 3), BTreeSet::from_iter(-3..1));
}

#[test]
fn each_fitness_keeps_what_it_says() {
    let program = model("two-phase-commit.pml");
    let genome = Genome::new(&program, None);
    let mut bench = Bench::new(Interpreter::new(&program));
    let seen = bench.seen(300);
    let total: usize = seen.iter().map(|state| bench.successors(state).len()).sum();
    let average = total as f64 / seen.len() as f64;
    for fitness in Fitness::ALL {
        let artificial = bench.generate(&genome, &Genetics { fitness, ..WILD }, &seen, 1);
        assert!(!artificial.is_empty(), "{}", fitness.name());
        for state in artificial {
            let successors = bench.successors(&state).len() as f64;
            assert!(match fitness {
                Fitness::Equality => (successors - average).abs() <= 0.5,
                Fitness::LessThan => successors <= average,
                Fitness::LessStrict => successors < average,
                Fitness::GreaterThan => successors > average,
            });
        }
    }
    assert!(Fitness::LessThan.is_fit(2, 2.0) && !Fitness::LessStrict.is_fit(2, 2.0));
}

#[test]
fn an_empty_population_has_no_children() {
    let text = "byte x; active proctype p() { do :: x++ od }";
    assert!(!bred(text, &WILD, 10).0.is_empty(), "all states have the average number of successors");
    assert!(bred(text, &Genetics { fitness: Fitness::LessStrict, ..WILD }, 10).0.is_empty());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    assert!(generate(&Genome::new(&program(text), None), &WILD, &[], &mut random, |_| 1, || false).is_empty());
}

#[test]
fn one_bit_is_flipped_within_the_bounds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut all = |value, least, most| -> BTreeSet<i32> {
        (0..200).map(|_| flipped(value, Range { least, most }, &mut random)).collect()
    };
    assert_eq!(all(0, 0, 1), BTreeSet::from([1]));
    assert_eq!(all(5, 0, 255), BTreeSet::from_iter((0..8).map(|bit| 5 ^ 1 << bit)));
    assert_eq!(all(4, 0, 5), BTreeSet::from([5, 0]), "6 is projected to 5");
    assert_eq!(all(-3, -3, 4), BTreeSet::from([-2, -1, 1]));
    assert_eq!(all(7, 7, 7), BTreeSet::from([7]));
    assert_eq!(
        all(-1, i16::MIN as i32, i16::MAX as i32),
        BTreeSet::from_iter((0..16).map(|bit| (-1i16 ^ 1 << bit) as i32))
    );
    assert_eq!(all(9, i32::MIN, i32::MAX), BTreeSet::from_iter((0..32).map(|bit| 9 ^ 1 << bit)));
}

/// States may be so large that a look at each takes longer than there is time.
#[test]
fn nothing_is_looked_at_once_the_time_is_over() {
    let program = program("byte x; active proctype p() { do :: x++ od }");
    let genome = Genome::new(&program, None);
    let seen = Bench::new(Interpreter::new(&program)).seen(10);
    let looked_at_until = |end: u32| {
        let (asked, mut expanded) = (Cell::new(0), 0);
        let is_over = || asked.replace(asked.get() + 1) >= end;
        let successors = |_: &[u64]| {
            expanded += 1;
            1
        };
        let states = generate(&genome, &WILD, &seen, &mut Xoshiro256PlusPlus::seed_from_u64(1), successors, is_over);
        (expanded, states.len())
    };
    assert_eq!(looked_at_until(0), (0, 0));
    assert_eq!(looked_at_until(4), (4, 0), "half-way through the successors");
    assert_eq!(looked_at_until(14), (10, 0), "half-way through the genes");
    assert!(looked_at_until(u32::MAX).1 > 0);
}
