//! Swarmed depth-first search from artificial states, too (`swarm-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, Algorithms 5 and 6. Some threads search from the initial state as
//! [`super::dfs`] has it. The others breed artificial states ([`super::artificial`]) from the first states that they see, and
//! search from these; when there are none left, they search from the initial state, too.
//!
//! Differs from the paper, where what a thread from an artificial state has closed is closed for all. That loses states: with ι→a,
//! a→b, b→a and b→c, a thread that starts at b closes a (b is on its stack) before it looks at c; the one from ι finds a closed,
//! closes ι, and everybody stops. Here a thread from the initial state that finds such a state closed notes it as a hit and does
//! not enter it, and in the end:
//!
//! ```text
//! sweep: from the hits, along the logged expansions: whatever is found can be reached, and counts
//!        something is wrong there: that is a violation
//!        states that were never expanded: all threads search from these as from the initial state, and sweep again
//! ```
//!
//! So every state that is entered from the initial state or swept has been expanded, all its successors are among these states, and
//! the figures are those of a search by one thread. States that nobody can reach never count.

use super::Start;
use super::artificial::generate;
pub use super::artificial::{Bounds, Fitness, Genetics};
use super::crew::{Crew, shuffle};
use super::dfs::{HIT, LINK, OPEN, REACHED, Role, Traces, Worker};
use super::genes::Genome;
use super::log::{GAVE_UP, Link, WRONG};
use crate::search::path::Path;
use crate::search::reach::Reach;
use crate::search::walk::settings::{Parameter, Value, parameter};
use crate::search::{Config, Finding, Monitor, Problem, Reason, Tally};
use crate::store::{Shared, StateId, States, hash};
use crate::system::{Batch, Outcome, System};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;
use serde::Serialize;
use std::sync::atomic::Ordering::{AcqRel, Acquire};

/// How threads search from artificial states.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of all threads.
    pub share: f64,
    /// How many states are seen before any are bred.
    pub seen: u64,
    pub genetics: Genetics,
}

impl Default for Plan {
    /// The paper's, but for the share: it has half of the threads, and measures that a fifth to a third is best.
    fn default() -> Plan {
        Plan { share: 0.3, seen: 1_000, genetics: Genetics::default() }
    }
}

impl Plan {
    pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Plan { share, seen, genetics: Genetics { generations, population, threshold, fitness, bounds } } = self;
        vec![
            parameter(
                "share",
                "of the threads that search from artificial states; 0.5 in the paper",
                Value::Share(share),
            ),
            parameter("seen", "states that are seen before any are bred (INIT)", Value::Count(seen)),
            parameter("generations", "of artificial states (NB_GENERATION)", Value::Count(generations)),
            parameter("population", "children in each generation (POP_SIZE)", Value::Count(population)),
            parameter("threshold", "how seldom a gene is mutated (THRESHOLD)", Value::Share(threshold)),
            parameter(
                "fitness",
                "which number of successors is fit, beside the average",
                Value::choice(fitness, &Fitness::ALL, Fitness::name),
            ),
            parameter("bounds", "of mutated values", Value::choice(bounds, &Bounds::ALL, Bounds::name)),
        ]
    }

    /// How many of these threads search from artificial states: some, and not all.
    fn artificial_threads(&self, threads: usize) -> usize {
        let wanted = (threads as f64 * self.share).round() as usize;
        if self.share > 0.0 { wanted.clamp(1.min(threads - 1), threads - 1) } else { 0 }
    }
}

/// What became of artificial states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Artificial {
    /// So many were bred.
    pub bred: u64,
    /// States that were entered on the way from them, and those of these that can be reached from the initial state.
    pub states: u64,
    pub reachable: u64,
}

pub fn search(problem: &Problem, plan: &Plan, seed: u64, config: Config, monitor: &Monitor) -> Tally {
    let start = match Start::new(&problem.system, problem.checks, config, LINK + 1) {
        Ok(start) => start,
        Err(tally) => return *tally,
    };
    let Start { tally: mut whole, store, root } = start;
    let artificial = plan.artificial_threads(config.threads);
    let real = config.threads - artificial;
    let crew = Crew::new(&store, config.threads, real, monitor);
    let genome = Genome::new(problem.system.program(), None);
    let finished = crew.run(|thread, writer| {
        let mut worker = Worker::new(problem, &crew, config, (thread, writer), root);
        if thread >= real {
            let breeder = Breeder { problem, genome: &genome, plan, thread, seed };
            breeder.work(&mut worker, &crew);
        }
        if thread < real || crew.begin() {
            let _shift = crew.shift();
            worker.search(root, Role::Real);
        }
        worker.end()
    });
    let mut traces = Vec::new();
    match finished {
        Ok(all) => join(&mut whole, all, &mut traces),
        Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
    }
    let mut figures = Artificial::default();
    figures.bred = traces.iter().map(|trace: &Traces| trace.bred).sum();
    while whole.is_unfinished() {
        let hits: Vec<StateId> = traces.iter_mut().flat_map(|trace| std::mem::take(&mut trace.hits)).collect();
        let swept = sweep(&store, &traces, hits, &mut whole);
        figures.reachable += swept.reached;
        if let Some(wrong) = swept.wrong {
            let mut worker = Worker::new(problem, &crew, config, (0, store.writer()), root);
            worker.report_from(wrong, Vec::new());
            whole.join(worker.end().0);
        }
        if swept.unknown.is_empty() || !whole.is_unfinished() {
            break;
        }
        let unknown = &swept.unknown;
        let finished = crew.run(|thread, writer| {
            let mut worker = Worker::new(problem, &crew, config, (thread, writer), root);
            let (before, behind) = unknown.split_at(unknown.len() * thread / crew.threads());
            behind.iter().chain(before).for_each(|&state| worker.search(state, Role::Real));
            worker.end()
        });
        match finished {
            Ok(all) => join(&mut whole, all, &mut traces),
            Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
        }
    }
    figures.states = traces.iter().map(|trace| trace.artificial).sum();
    figures.reachable += traces.iter().map(|trace| trace.both).sum::<u64>();
    whole.artificial = Some(figures);
    let log: u64 = traces.iter().map(|trace| trace.log.memory()).sum();
    complete_coverage(problem, &store, traces, &mut whole);
    whole.count_matches();
    whole.counts.memory = crew.memory().max(store.memory() + log);
    whole
}

/// Adds up what threads have found; their logs stay where links lead to: each at the number of its thread.
fn join(whole: &mut Tally, finished: Vec<(Tally, Traces)>, traces: &mut Vec<Traces>) {
    for (number, (tally, trace)) in finished.into_iter().enumerate() {
        whole.join(tally);
        match traces.get_mut(number) {
            // only the first time threads search from artificial states
            Some(own) => {
                own.hits = trace.hits;
                own.both += trace.both;
            }
            None => traces.push(trace),
        }
    }
}

/// What a sweep has found.
#[derive(Default)]
struct Swept {
    reached: u64,
    /// Something is wrong with this state.
    wrong: Option<StateId>,
    /// States that nobody has expanded.
    unknown: Vec<StateId>,
}

/// Finds everything that can be reached from the hits along logged expansions, and counts it.
fn sweep(store: &Shared, traces: &[Traces], hits: Vec<StateId>, whole: &mut Tally) -> Swept {
    let mut swept = Swept::default();
    let mut todo = hits;
    while let Some(state) = todo.pop() {
        let note = store.note(state).fetch_or(REACHED | HIT, AcqRel);
        if note & (OPEN | REACHED) != 0 {
            continue;
        }
        let link = Link(store.word(state, LINK).load(Acquire));
        if link.0 == 0 {
            store.note(state).fetch_and(!REACHED, AcqRel);
            swept.unknown.push(state);
            continue;
        }
        let record = traces[link.log()].log.get(link);
        swept.reached += 1;
        whole.counts.stored += 1;
        whole.counts.matched += record.successors.len() as u64;
        whole.counts.atomic_steps += record.atomic_steps as u64;
        if record.marks & GAVE_UP != 0 {
            whole.cut_short(Reason::EndlessAtomic);
        }
        if record.marks & WRONG != 0 {
            swept.wrong = Some(state);
            return swept;
        }
        todo.extend(record.successors.iter().map(|&state| StateId(state.into())));
    }
    swept.unknown.sort_unstable();
    swept.unknown.dedup();
    swept
}

/// Transitions that were executed only on the way from artificial states were executed if some of the states that can be
/// reached did so: these are expanded again until that is known.
fn complete_coverage(problem: &Problem, store: &Shared, traces: Vec<Traces>, whole: &mut Tally) {
    let mut doubtful = vec![false; whole.executed.len()];
    for (number, executed) in traces.iter().flat_map(|trace| trace.executed.iter().enumerate()) {
        doubtful[number] |= *executed && !whole.executed[number];
    }
    if !doubtful.contains(&true) {
        return;
    }
    let mut scratch = problem.system.scratch();
    let mut batch = Batch::default();
    let swept = traces.iter().flat_map(|trace| trace.log.states());
    for state in swept.filter(|&state| store.note(state).load(Acquire) & (OPEN | REACHED) == REACHED) {
        batch.clear();
        problem.system.successors(store.state(state), &mut scratch, &mut batch, |_| {});
        let left = doubtful.iter().zip(&scratch.executed).any(|(doubtful, executed)| *doubtful && !*executed);
        if !left {
            break;
        }
    }
    whole.executed.iter_mut().zip(&scratch.executed).for_each(|(own, new)| *own |= new);
}

/// A thread that breeds artificial states and searches from them.
struct Breeder<'b, 'p> {
    problem: &'b Problem<'p>,
    genome: &'b Genome,
    plan: &'b Plan,
    thread: usize,
    seed: u64,
}

impl<'b> Breeder<'b, '_> {
    fn work(&self, worker: &mut Worker<'b, '_>, crew: &Crew) {
        let seen = match self.look_around(crew) {
            Ok(seen) => seen,
            Err(finding) => return worker.found(*finding),
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ (self.thread as u64) << 32);
        let mut scratch = self.problem.system.scratch();
        let mut batch = Batch::default();
        let states = generate(self.genome, &self.plan.genetics, &seen, &mut random, |state| {
            batch.clear();
            self.problem.system.successors(state, &mut scratch, &mut batch, |_| {});
            batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).count()
        });
        worker.traces.bred = states.len() as u64;
        for state in states {
            if !worker.may_go_on_from_artificial() {
                break;
            }
            worker.search_artificial(&state);
        }
    }

    /// The first states of a depth-first search in this thread's order; or something that is wrong with one of them.
    fn look_around(&self, crew: &Crew) -> Result<Vec<Vec<u64>>, Box<Finding>> {
        let system = &self.problem.system;
        let (mut scratch, mut batch) = (system.scratch(), Batch::default());
        let Ok(initial) = system.initial(&mut scratch) else { return Ok(Vec::new()) };
        let mut seen: Vec<Vec<u64>> = Vec::new();
        let mut parents: Vec<usize> = Vec::new();
        let mut known: FxHashSet<u64> = FxHashSet::default();
        let mut todo = vec![(0, initial)];
        while let Some((parent, state)) = todo.pop() {
            if seen.len() as u64 >= self.plan.seen || crew.is_stopped() {
                break;
            }
            if !known.insert(hash(&state, 0)) {
                continue;
            }
            batch.clear();
            system.successors(&state, &mut scratch, &mut batch, |_| {});
            let number = seen.len();
            let wrong = self.problem.wrong(&state, &batch, &mut scratch);
            let mut order: Vec<u32> = (0..batch.entries.len() as u32).collect();
            shuffle(&mut order, hash(&state, 0), self.thread);
            for entry in order.into_iter().map(|number| &batch.entries[number as usize]) {
                if entry.outcome == Outcome::State {
                    todo.push((number, batch.state(entry).to_vec()));
                }
            }
            seen.push(state);
            parents.push(parent);
            if let Some(wrong) = wrong {
                let mut way = vec![number];
                while way[way.len() - 1] != 0 {
                    way.push(parents[way[way.len() - 1]]);
                }
                let states: Vec<Vec<u64>> = way.iter().rev().map(|&number| seen[number].clone()).collect();
                let path = Path { ended: vec![false; states.len()], states, cycle: None, wrong };
                if let Some(finding) = path.finding(self.problem) {
                    return Err(Box::new(finding));
                }
            }
        }
        Ok(seen)
    }
}
