//! A genetic algorithm on paths (`path-ga`).
//!
//! Godefroid, Khurshid, Exploring very large state spaces using genetic algorithms, STTT 6(2), 2004. A chromosome is a string
//! of bits; where a state has n successors, the next log2(n) bits choose one, and bits that mean none are replaced by
//! random ones that do. The fittest half of the population survives; the other half is bred from it by crossover at one
//! point and mutation. When the best and the worst are equally fit, more is mutated; when nothing gets better for a
//! while, a new population begins.
//!
//! With more than one error to find, a path that ends in a known one costs what no path is worth, so that others are looked
//! for. Where only some of the steps from a state fail, the path goes on with the others, as SPIN does with `pan -c0`.
//!
//! The individuals of a generation are evaluated by all workers (`generation`), and none sees what the others of its
//! batch find. So crossover and mutation reach as far as bits were read in the generations before, and an error counts
//! as known from the next batch on.
//!
//! The fitness of a path is a sum over its states:
//!
//! | fitness      | of each state                                              | for        |
//! |--------------|------------------------------------------------------------|------------|
//! | `enabled`    | minus the number of its successors in the whole graph      | deadlocks  |
//! | `messages`   | 100 for each message sent or received on the way to it, and 1 | protocols |
//! | `assertions` | 100 for each assertion on the way to it, and 1             | assertions |

use super::chronicle::Phase;
use super::generation::{Outing, Workers};
use super::walker::View;
use super::{Found, Traces};
use crate::search::Reason;
use crate::search::guide::Heuristic;
use crate::search::parameter::{EFFORT, LENGTH, Parameter, SIZE, Value, parameter};
use crate::system::System;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathGa {
    pub population: u64,
    pub parents: u64,
    pub generations: u64,
    /// How long paths may be.
    pub depth: u64,
    pub mutation: f64,
    /// The rate when all are equally fit.
    pub raised: f64,
    pub crossover: bool,
    /// Generations without improvement before a new population begins.
    pub patience: u64,
    /// Different errors to find.
    pub errors: u64,
}

impl Default for PathGa {
    fn default() -> PathGa {
        PathGa {
            population: 200,
            parents: 100,
            generations: 50,
            depth: 200,
            mutation: 0.005,
            raised: 0.05,
            crossover: true,
            patience: 25,
            errors: 1,
        }
    }
}

/// A string of bits, and how fit the path is that it stands for.
#[derive(Clone, Default)]
struct Chromosome {
    bits: Vec<bool>,
    fitness: i64,
}

impl PathGa {
    pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            parameter("population", "chromosomes", Value::Count(&mut self.population, SIZE)),
            parameter("parents", "the fittest ones, which survive and breed", Value::Count(&mut self.parents, SIZE)),
            parameter("generations", "generations in all", Value::Count(&mut self.generations, EFFORT)),
            parameter("depth", "how long paths may be", Value::Count(&mut self.depth, LENGTH)),
            parameter("mutation", "probability of a bit to flip", Value::Share(&mut self.mutation)),
            parameter("raised", "the same while all are equally fit", Value::Share(&mut self.raised)),
            parameter("crossover", "breed from two parents", Value::Switch(&mut self.crossover)),
            parameter(
                "patience",
                "generations without progress before a new start",
                Value::Count(&mut self.patience, EFFORT),
            ),
            parameter("errors", "different errors to find", Value::Count(&mut self.errors, 1..=10_000)),
        ]
    }

    pub fn search<S: System>(
        &self,
        workers: &mut Workers<S>,
        fitness: Heuristic,
        random: &mut Xoshiro256PlusPlus,
        traces: &mut Traces,
    ) -> Result<Option<Found>, Reason> {
        let known = Known { plan: self, fitness, found: Vec::new() };
        let mut evolution = Evolution { known, effective: 0, random };
        let result = evolution.run(workers, traces);
        let mut found = evolution.known.found.into_iter();
        let first = found.next();
        traces.further = found.collect();
        // what was found counts, whatever ended the search
        match result {
            Err(reason) if first.is_none() => Err(reason),
            _ => Ok(first),
        }
    }
}

struct Evolution<'e> {
    known: Known<'e>,
    /// The most bits that any chromosome of the generations before was read for.
    effective: usize,
    random: &'e mut Xoshiro256PlusPlus,
}

/// What all individuals of a batch know.
struct Known<'e> {
    plan: &'e PathGa,
    fitness: Heuristic,
    found: Vec<Found>,
}

/// A chromosome that was evaluated.
struct Evaluated {
    chromosome: Chromosome,
    /// How many of its bits were read.
    read: usize,
    sightings: Vec<Sighting>,
}

/// An error, and at which look of a walk it was seen.
struct Sighting {
    found: Found,
    look: u64,
}

/// What it costs to run into an error that is known.
const PENALTY: i64 = 1_000_000;

impl Evolution<'_> {
    fn run<S: System>(&mut self, workers: &mut Workers<S>, traces: &mut Traces) -> Result<(), Reason> {
        let plan = self.known.plan;
        // there is at least one child in a generation
        let (size, parents) = (plan.population as usize, plan.parents.min(plan.population - 1) as usize);
        let mut population: Vec<Chromosome> = Vec::new();
        let (mut best, mut waited) = (i64::MIN, 0);
        let mut mutation = plan.mutation;
        for _ in 0..plan.generations {
            let children = self.children(&population, size - population.len(), mutation);
            self.evaluate(children, workers, &mut population)?;
            if self.known.has_enough(0) {
                return Ok(());
            }
            population.sort_by_key(|chromosome| -chromosome.fitness);
            let fitness = population.iter().map(|chromosome| chromosome.fitness as f64);
            traces.chronicle.note(Phase::Out, workers.looks, fitness, None);
            traces.memory = (self.effective * size) as u64 + workers.memory();
            let fittest = population[0].fitness;
            let uniform = fittest == population[size - 1].fitness;
            mutation = if uniform { plan.raised } else { plan.mutation };
            (best, waited) = if fittest > best { (fittest, 0) } else { (best, waited + 1) };
            if waited >= plan.patience {
                population.clear();
                (best, waited) = (i64::MIN, 0);
            }
            population.truncate(parents);
        }
        Ok(())
    }

    /// `number` new chromosomes, bred from the fittest, or empty ones for a new population.
    fn children(&mut self, parents: &[Chromosome], number: usize, mutation: f64) -> Vec<Chromosome> {
        let child = |_| if parents.is_empty() { Chromosome::default() } else { self.child(parents, mutation) };
        (0..number).map(child).collect()
    }

    /// A new chromosome from two of the fittest.
    fn child(&mut self, parents: &[Chromosome], mutation: f64) -> Chromosome {
        let (first, second) = (self.random.random_range(0..parents.len()), self.random.random_range(0..parents.len()));
        let mut bits = parents[first].bits.clone();
        if self.known.plan.crossover && self.effective > 0 {
            let cut = self.random.random_range(0..self.effective).min(bits.len());
            let tail = parents[second].bits.get(cut..).unwrap_or_default();
            bits.truncate(cut);
            bits.extend_from_slice(tail);
        }
        for bit in bits.iter_mut().take(self.effective) {
            *bit ^= self.random.random_bool(mutation);
        }
        Chromosome { bits, fitness: 0 }
    }

    /// Adds chromosomes to the population, each with its fitness, until there are enough errors.
    fn evaluate<S: System>(
        &mut self,
        children: Vec<Chromosome>,
        workers: &mut Workers<S>,
        population: &mut Vec<Chromosome>,
    ) -> Result<(), Reason> {
        let mut children = children.into_iter();
        while children.len() > 0 {
            let Evolution { known, random, .. } = self;
            let walks = workers.batch(&mut children, random, |child, outing| known.evaluated(child, outing));
            let mut end = Ok(());
            for walk in walks {
                let room = workers.room();
                let counted = workers.count(&walk);
                end = end.and(counted);
                let Evaluated { chromosome, read, sightings } = walk.result;
                let seen = sightings.into_iter().filter(|sighting| sighting.look <= room);
                seen.for_each(|sighting| self.known.note(sighting.found));
                if self.known.has_enough(0) {
                    return Ok(());
                }
                self.effective = self.effective.max(read);
                population.push(chromosome);
            }
            end?;
        }
        Ok(())
    }
}

impl Known<'_> {
    /// Walks along the path of a chromosome.
    fn evaluated<S: System>(
        &self,
        mut chromosome: Chromosome,
        outing: &mut Outing<S>,
    ) -> (Evaluated, Result<(), Reason>) {
        let mut read = 0;
        let mut sightings = Vec::new();
        outing.walker.restart();
        let end = self.walk(&mut chromosome, &mut read, outing, &mut sightings);
        (Evaluated { chromosome, read, sightings }, end)
    }

    fn walk<S: System>(
        &self,
        chromosome: &mut Chromosome,
        read: &mut usize,
        outing: &mut Outing<S>,
        sightings: &mut Vec<Sighting>,
    ) -> Result<(), Reason> {
        chromosome.fitness = 0;
        for _ in 0..self.plan.depth {
            let options = match outing.look()? {
                View::Successors(0) => break,
                View::Successors(options) => options,
                View::Wrong(wrong) => {
                    let (walker, look) = (&*outing.walker, outing.looks());
                    for wrong in std::iter::once(wrong).chain(walker.faults().skip(1)) {
                        self.sight(Found::wrong(&walker.place, wrong), look, sightings);
                    }
                    if walker.options() == 0 || self.has_enough(sightings.len()) {
                        chromosome.fitness -= PENALTY;
                        break;
                    }
                    walker.options()
                }
                View::Cycle { option, start } => {
                    self.sight(outing.walker.closed(option, start), outing.looks(), sightings);
                    chromosome.fitness -= PENALTY;
                    break;
                }
            };
            let option = choice(&mut chromosome.bits, read, options, outing);
            chromosome.fitness += match self.fitness {
                Heuristic::Enabled => -(outing.walker.successors() as i64),
                Heuristic::Messages => 100 * outing.walker.messages(option) as i64 + 1,
                _ => 100 * outing.walker.assertions(option) as i64 + 1,
            };
            outing.walker.take(option);
        }
        Ok(())
    }

    /// With this number of others, there are enough errors.
    fn has_enough(&self, others: usize) -> bool {
        (self.found.len() + others) as u64 >= self.plan.errors
    }

    fn is_known(&self, found: &Found) -> bool {
        self.found.iter().any(|known| known.identity() == found.identity())
    }

    /// Keeps what a walk has found, unless it is known or there is enough.
    fn sight(&self, found: Found, look: u64, sightings: &mut Vec<Sighting>) {
        let is_seen = sightings.iter().any(|sighting| sighting.found.identity() == found.identity());
        if !is_seen && !self.is_known(&found) && !self.has_enough(sightings.len()) {
            sightings.push(Sighting { found, look });
        }
    }

    /// The same for what counts.
    fn note(&mut self, found: Found) {
        if !self.is_known(&found) && !self.has_enough(0) {
            self.found.push(found);
        }
    }
}

/// Reads the next bits; where they mean nothing, or what others have explored, others take their place.
fn choice<S: System>(bits: &mut Vec<bool>, read: &mut usize, options: usize, outing: &mut Outing<S>) -> usize {
    let width = (usize::BITS - (options - 1).leading_zeros()) as usize;
    while bits.len() < *read + width {
        bits.push(outing.random.random());
    }
    let own = &mut bits[*read..*read + width];
    *read += width;
    let value = own.iter().fold(0, |value, &bit| value << 1 | bit as usize);
    let option = if value < options { value } else { outing.random.random_range(0..options) };
    let option = outing.walker.unexplored(option);
    if option != value {
        own.iter_mut().enumerate().for_each(|(place, bit)| *bit = option >> (width - 1 - place) & 1 == 1);
    }
    option
}
