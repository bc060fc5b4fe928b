//! How a worker breeds artificial states from the first states that it sees.

use super::artificial::{Bounds, Fitness, Genetics, generate};
use super::crew::Crew;
use super::genes::Genome;
use crate::search::Finding;
use crate::search::expand::shuffle;
use crate::search::parameter::{EFFORT, Parameter, SIZE, Value, parameter};
use crate::search::path::Path;
use crate::search::problem::Problem;
use crate::store::hash;
use crate::system::{Batch, Outcome, Run, System};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

/// How workers search from artificial states.
#[derive(Clone, Debug)]
pub struct Breeding {
    /// The share of workers that search from artificial states.
    pub share: f64,
    /// How many states a worker looks at before it breeds any.
    pub seen: u64,
    /// How many states may be looked at on the way from artificial ones before it is known whether they are reachable:
    /// by each worker (`swarm-gp`), or by all hunting workers together (`cndfs-gp`).
    pub ahead: u64,
    pub genetics: Genetics,
}

impl Default for Breeding {
    /// The paper's values, except the share: the paper has 0.5, and measures that a fifth to a third is best.
    fn default() -> Breeding {
        Breeding { share: 0.3, seen: 1_000, ahead: 50_000, genetics: Genetics::default() }
    }
}

impl Breeding {
    pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Breeding { share, seen, ahead, genetics: Genetics { generations, population, threshold, fitness, bounds } } =
            self;
        vec![
            parameter(
                "share",
                "of the threads that search from artificial states; 0.5 in the paper",
                Value::Share(share),
            ),
            parameter("seen", "states that are seen before any are bred (INIT)", Value::Count(seen, 1..=10_000_000)),
            parameter(
                "ahead",
                "states to look at from artificial ones before it is known whether they can be reached",
                Value::Count(ahead, EFFORT),
            ),
            parameter("generations", "of artificial states (NB_GENERATION)", Value::Count(generations, EFFORT)),
            parameter("population", "children in each generation (POP_SIZE)", Value::Count(population, SIZE)),
            parameter("threshold", "how seldom a gene is mutated (THRESHOLD)", Value::Share(threshold)),
            parameter(
                "fitness",
                "successors of a fit state: as on average (equality), no more (lessthan), fewer (lessstrict), more (greaterthan)",
                Value::choice(fitness, &Fitness::ALL, Fitness::name),
            ),
            parameter(
                "bounds",
                "of mutated values: all of the type, or what was seen (observed)",
                Value::choice(bounds, &Bounds::ALL, Bounds::name),
            ),
        ]
    }

    /// How many of `threads` workers search from artificial states: unless `share` is 0 at least one, but never all.
    pub fn artificial_threads(&self, threads: usize) -> usize {
        let wanted = (threads as f64 * self.share).round() as usize;
        if self.share > 0.0 { wanted.clamp(1.min(threads - 1), threads - 1) } else { 0 }
    }
}

/// A worker's artificial states; or a violation in one of the states that it has seen.
pub fn breed<S: System>(
    problem: &Problem<S>,
    genome: &Genome,
    plan: &Breeding,
    (thread, seed): (usize, u64),
    crew: &Crew,
) -> Result<Vec<Vec<u64>>, Box<Finding>> {
    let seen = first_states(problem, thread, plan.seen, crew)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ (thread as u64) << 32);
    let mut scratch = problem.system.scratch();
    let mut batch = Batch::default();
    let successors = |state: &[u64]| {
        batch.clear();
        problem.system.successors(state, Run::GoesOn, &mut scratch, &mut batch, |_| {});
        batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).count()
    };
    Ok(generate(genome, &plan.genetics, &seen, &mut random, successors, || crew.is_out_of_time()))
}

/// The first states of a depth-first search in a worker's order; or a violation in one of them.
fn first_states<S: System>(
    problem: &Problem<S>,
    thread: usize,
    count: u64,
    crew: &Crew,
) -> Result<Vec<Vec<u64>>, Box<Finding>> {
    let mut scratch = problem.system.scratch();
    let mut batch = Batch::default();
    let Ok(initial) = problem.system.initial(&mut scratch) else { return Ok(Vec::new()) };
    let mut seen: Vec<Vec<u64>> = Vec::new();
    let mut parents: Vec<usize> = Vec::new();
    let mut runs: Vec<Run> = Vec::new();
    let mut known: FxHashSet<(u64, Run)> = FxHashSet::default();
    let mut todo = vec![(0, initial, Run::GoesOn)];
    let mut words = 0;
    while let Some((parent, state, run)) = todo.pop() {
        if seen.len() as u64 >= count || crew.is_out_of_time() || crew.is_too_much(8 * words) {
            break;
        }
        if !known.insert((hash(&state, 0), run)) {
            continue;
        }
        batch.clear();
        problem.system.successors(&state, run, &mut scratch, &mut batch, |_| {});
        words += (state.len() + batch.words.len()) as u64;
        let number = seen.len();
        let wrong = problem.wrong(&state, &batch, &mut scratch);
        let mut order: Vec<u32> = (0..batch.entries.len() as u32).collect();
        shuffle(&mut order, || hash(&state, 0), thread);
        for entry in order.into_iter().map(|number| &batch.entries[number as usize]) {
            if entry.outcome == Outcome::State {
                todo.push((number, batch.state(entry).to_vec(), problem.system.run_after(run, entry.step)));
            }
        }
        seen.push(state);
        parents.push(parent);
        runs.push(run);
        if let Some(wrong) = wrong {
            let mut way = vec![number];
            while way[way.len() - 1] != 0 {
                way.push(parents[way[way.len() - 1]]);
            }
            let states: Vec<Vec<u64>> = way.iter().rev().map(|&number| seen[number].clone()).collect();
            let runs = way.iter().rev().map(|&number| runs[number]).collect();
            let path = Path { runs, states, cycle: None, wrong };
            if let Some(finding) = path.finding(problem) {
                return Err(Box::new(finding));
            }
        }
    }
    Ok(seen)
}
