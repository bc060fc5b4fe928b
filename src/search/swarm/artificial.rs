//! Artificial states: bred from states that were seen, in the hope that they are reachable, too, and far from the initial state.
//!
//! Renault, Improving swarming using genetic algorithms, Innovations in Systems and Software Engineering, 2020, algorithms 2
//! to 4:
//!
//! ```text
//! Generate(S):   T_avg ← the average number of successors of the states in S
//!                repeat NB_GENERATION times:
//!                    S' ← ∅
//!                    repeat POP_SIZE times: s ← Crossover(S); Mutation(s); if Fitness(s) then S' ← S' ∪ {s}
//!                    S ← S'
//!                return S
//! Crossover(S):  each shared variable from a random element of S; all variables of a process from one random element
//! Mutation(s):   each variable v, if a random number is above THRESHOLD: flip a bit of v and project v to its bounds
//! ```
//!
//! Differs from the paper, whose systems have a fixed set of processes and no references:
//!
//! - A child has the processes of one random parent, which gives it its shape. Each process comes from a parent that has one of
//!   the same proctype and pid.
//! - A channel is one variable for the crossover, with all its messages; each field of a message is one for the mutation.
//! - The number of a channel is inherited only from a parent in which it means the same channel, and is not mutated.
//! - The control state of a process is a variable; it is mutated to one in which a process of the proctype was seen. The state of the
//!   claim is a variable, too; with observed bounds it is mutated to one that was seen.
//! - A variable that the program never writes is not mutated.
//! - The bit that is flipped is one that a value within the bounds can have: any other would always lead to a bound.

pub use super::bounds::Bounds;
use super::bounds::{Observed, Whose, flipped, neighbour};
use super::genes::{Frame, Gene, Genome, Individual, Part, Range, Site, Values};
use crate::search::named::named;
use crate::system::state::{bytes, bytes_mut, load, store};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

#[cfg(test)]
mod tests;

/// How artificial states are bred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Genetics {
    pub generations: u64,
    /// Children in each generation, before those that are not fit are dropped.
    pub population: u64,
    /// A gene is mutated if a random number in [0, 1) is above this: never if it is 1.
    pub threshold: f64,
    pub fitness: Fitness,
    pub bounds: Bounds,
}

impl Default for Genetics {
    fn default() -> Genetics {
        Genetics { generations: 3, population: 50, threshold: 0.999, fitness: Fitness::LessThan, bounds: Bounds::Type }
    }
}

named! {
    /// Which states are fit: by their number of successors, compared with the average over the states that were seen.
    pub enum Fitness {
        /// As many as the average, rounded.
        Equality = "equality",
        /// No more than the average. The paper says "less than"; but it also breeds states of a model in which every
        /// state has one successor that way, and names another fitness that must be the strict one.
        LessThan = "lessthan",
        /// Fewer than the average.
        LessStrict = "lessstrict",
        /// More than the average.
        GreaterThan = "greaterthan",
    }
}

impl Fitness {
    pub fn is_fit(self, successors: usize, average: f64) -> bool {
        let successors = successors as f64;
        match self {
            Fitness::Equality => successors == average.round(),
            Fitness::LessThan => successors <= average,
            Fitness::LessStrict => successors < average,
            Fitness::GreaterThan => successors > average,
        }
    }
}

/// Breeds artificial states from those that were `seen`, without duplicates and without these; none if no child of a
/// generation is fit. Those with few values that were never seen come first; those with none come last, because the
/// workers from the initial state will reach them soon. Ends early when `is_over`.
pub fn generate(
    genome: &Genome,
    plan: &Genetics,
    seen: &[Vec<u64>],
    random: &mut Xoshiro256PlusPlus,
    mut successors: impl FnMut(&[u64]) -> usize,
    is_over: impl Fn() -> bool,
) -> Vec<Vec<u64>> {
    let total: usize = seen.iter().take_while(|_| !is_over()).map(|state| successors(state)).sum();
    let average = total as f64 / seen.len() as f64;
    let mut population: Vec<Individual> = seen.iter().map(|state| genome.individual(state.clone())).collect();
    // all genes of all states: seconds, if states are large
    let observed = Observed::new(genome, population.iter().take_while(|_| !is_over()));
    if is_over() {
        return Vec::new();
    }
    let mut breeder = Breeder { genome, plan, observed, random };
    for _ in 0..plan.generations {
        if population.is_empty() {
            break;
        }
        let children = (0..plan.population).take_while(|_| !is_over()).map(|_| breeder.child(&population));
        let fit = children.filter(|child| plan.fitness.is_fit(successors(child), average));
        let next: BTreeSet<Vec<u64>> = fit.collect();
        population = next.into_iter().map(|state| genome.individual(state)).collect();
    }
    let Breeder { observed, random, .. } = breeder;
    let known: FxHashSet<&[u64]> = seen.iter().map(Vec::as_slice).collect();
    population.retain(|individual| !known.contains(individual.words.as_slice()));
    population.shuffle(random);
    population.sort_by_cached_key(|individual| match observed.news(genome, individual) {
        _ if is_over() => usize::MAX,
        0 => usize::MAX,
        news => news,
    });
    population.into_iter().map(|individual| individual.words).collect()
}

struct Breeder<'b> {
    genome: &'b Genome,
    plan: &'b Genetics,
    observed: Observed,
    random: &'b mut Xoshiro256PlusPlus,
}

impl Breeder<'_> {
    fn child(&mut self, population: &[Individual]) -> Vec<u64> {
        let shape = self.parent(population);
        let mut child = self.crossover(shape, population);
        self.mutate(&mut child, &shape.frames);
        child
    }

    fn parent<'i>(&mut self, population: &'i [Individual]) -> &'i Individual {
        &population[self.random.random_range(0..population.len())]
    }

    /// A random parent that is able to give a gene; the one that gives the shape if no draw has found another.
    fn able<'i>(
        &mut self,
        population: &'i [Individual],
        shape: &'i Individual,
        is_able: impl Fn(&Individual) -> bool,
    ) -> &'i Individual {
        (0..population.len()).map(|_| self.parent(population)).find(|parent| is_able(parent)).unwrap_or(shape)
    }

    fn crossover(&mut self, shape: &Individual, population: &[Individual]) -> Vec<u64> {
        let (genome, mut child) = (self.genome, shape.words.clone());
        let shared = &genome.shared;
        for (number, gene) in shared.genes[..shared.scalars].iter().enumerate() {
            let parent = self.able(population, shape, |parent| {
                genome.names_agree(shared, std::iter::once((number, gene.offset)), parent, shape)
            });
            copy(parent, gene.offset, gene.width.bytes() as usize, &mut child, gene.offset);
        }
        for buffer in &shared.buffers {
            let parent = self.able(population, shape, |parent| {
                genome.names_agree(shared, shared.messages(buffer, bytes(&parent.words), 0), parent, shape)
            });
            copy(parent, buffer.offset, buffer.size, &mut child, buffer.offset);
        }
        for (pid, frame) in shape.frames.iter().enumerate() {
            let parent = self.able(population, shape, |parent| has_process(genome, parent, pid, frame, shape));
            copy(parent, parent.frames[pid].at, genome.processes[frame.proctype].size, &mut child, frame.at);
        }
        let claim = genome.claim_state(&self.parent(population).words);
        genome.set_claim_state(&mut child, claim);
        child
    }

    fn mutate(&mut self, child: &mut [u64], frames: &[Frame]) {
        let genome = self.genome;
        self.mutate_part(&genome.shared, Whose::Shared, 0, child);
        for (pid, frame) in frames.iter().enumerate() {
            let part = &genome.processes[frame.proctype];
            self.mutate_part(part, Whose::Process(pid, frame.proctype), frame.at, child);
            if self.mutates() {
                let at = frame.at + genome.pc.offset as usize;
                let state = load(bytes(child), at, genome.pc.width);
                let other = neighbour(&self.observed.control[frame.proctype], state, self.random);
                store(bytes_mut(child), at, genome.pc.width, other);
            }
        }
        if genome.claim_states.is_some() && self.mutates() {
            let claim = genome.claim_state(child) as i32;
            let other = match (self.plan.bounds, genome.claim_states) {
                (Bounds::Type, Some(count)) => flipped(claim, Range { least: 0, most: count as i32 - 1 }, self.random),
                _ => neighbour(&self.observed.claim, claim, self.random),
            };
            genome.set_claim_state(child, other as u32);
        }
    }

    fn mutates(&mut self) -> bool {
        self.random.random::<f64>() > self.plan.threshold
    }

    fn mutate_part(&mut self, part: &Part, whose: Whose, base: usize, child: &mut [u64]) {
        let sites: Vec<Site> = part.sites(bytes(child), base).collect();
        for (number, at) in sites {
            let Gene { width, values: Values::Number(range), .. } = part.genes[number] else { continue };
            if self.mutates() {
                let bounds = match self.plan.bounds {
                    Bounds::Type => range,
                    Bounds::Observed => self.observed.ranges[&whose][number],
                };
                let value = flipped(load(bytes(child), at, width), bounds, self.random);
                store(bytes_mut(child), at, width, value);
            }
        }
    }
}

fn copy(parent: &Individual, from: usize, size: usize, child: &mut [u64], to: usize) {
    bytes_mut(child)[to..to + size].copy_from_slice(&bytes(&parent.words)[from..from + size]);
}

/// Whether `parent` has a process that can replace the one with this pid and frame in `shape`.
fn has_process(genome: &Genome, parent: &Individual, pid: usize, frame: &Frame, shape: &Individual) -> bool {
    let part = &genome.processes[frame.proctype];
    let own = parent.frames.get(pid).filter(|own| own.proctype == frame.proctype);
    own.is_some_and(|own| genome.names_agree(part, part.sites(bytes(&parent.words), own.at), parent, shape))
}
