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
//! The fitness of a path is a sum over its states:
//!
//! | fitness      | of each state                                              | for        |
//! |--------------|------------------------------------------------------------|------------|
//! | `enabled`    | minus the number of its successors                         | deadlocks  |
//! | `messages`   | 100 for each message sent or received on the way to it, and 1 | protocols |
//! | `assertions` | 100 for each assertion on the way to it, and 1             | assertions |

use super::chronicle::Phase;
use super::settings::{EFFORT, LENGTH, Parameter, SIZE, Value, parameter};
use super::walker::{View, Walker};
use super::{Budget, Found, Traces};
use crate::search::Reason;
use crate::search::guide::Heuristic;
use crate::search::problem::Wrong;
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
        walker: &mut Walker<S>,
        fitness: Heuristic,
        random: &mut Xoshiro256PlusPlus,
        budget: &Budget,
        traces: &mut Traces,
    ) -> Result<Option<Found>, Reason> {
        let mut evolution = Evolution { plan: self, fitness, effective: 0, walker, random, budget, found: Vec::new() };
        let result = evolution.run(traces);
        let mut found = evolution.found.into_iter();
        let first = found.next();
        traces.further = found.collect();
        // what was found counts, whatever ended the search
        match result {
            Err(reason) if first.is_none() => Err(reason),
            _ => Ok(first),
        }
    }
}

struct Evolution<'e, 'w, S: System> {
    plan: &'e PathGa,
    fitness: Heuristic,
    /// The most bits that any chromosome was read for.
    effective: usize,
    walker: &'e mut Walker<'w, S>,
    random: &'e mut Xoshiro256PlusPlus,
    budget: &'e Budget<'e>,
    found: Vec<Found>,
}

/// What it costs to run into an error that is known.
const PENALTY: i64 = 1_000_000;

impl<S: System> Evolution<'_, '_, S> {
    fn run(&mut self, traces: &mut Traces) -> Result<(), Reason> {
        let (size, parents) = (self.plan.population as usize, self.plan.parents.min(self.plan.population) as usize);
        let mut population: Vec<Chromosome> = Vec::new();
        let (mut best, mut waited) = (i64::MIN, 0);
        let mut mutation = self.plan.mutation;
        for _ in 0..self.plan.generations {
            while population.len() < size {
                let bred = population.len() >= parents && parents > 0;
                let mut child = if bred { self.child(&population[..parents], mutation) } else { Chromosome::default() };
                self.evaluate(&mut child)?;
                if self.found.len() as u64 >= self.plan.errors {
                    return Ok(());
                }
                population.push(child);
            }
            population.sort_by_key(|chromosome| -chromosome.fitness);
            let fitness = population.iter().map(|chromosome| chromosome.fitness as f64);
            traces.chronicle.note(Phase::Out, self.walker.looks, fitness, None);
            traces.memory = (self.effective * size) as u64 + self.walker.memory();
            let fittest = population[0].fitness;
            let uniform = fittest == population[size - 1].fitness;
            mutation = if uniform { self.plan.raised } else { self.plan.mutation };
            (best, waited) = if fittest > best { (fittest, 0) } else { (best, waited + 1) };
            if waited >= self.plan.patience {
                population.clear();
                (best, waited) = (i64::MIN, 0);
            }
            population.truncate(parents);
        }
        Ok(())
    }

    /// A new chromosome from two of the fittest.
    fn child(&mut self, parents: &[Chromosome], mutation: f64) -> Chromosome {
        let (first, second) = (self.random.random_range(0..parents.len()), self.random.random_range(0..parents.len()));
        let mut bits = parents[first].bits.clone();
        if self.plan.crossover && self.effective > 0 {
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

    /// Walks along the path of a chromosome.
    fn evaluate(&mut self, chromosome: &mut Chromosome) -> Result<(), Reason> {
        let mut read = 0;
        let mut fitness = 0;
        self.walker.restart();
        for _ in 0..self.plan.depth {
            self.budget.check(self.walker.looks, self.walker.deepest as u64, self.walker.memory())?;
            let options = match self.walker.look() {
                View::Successors(0) => break,
                View::Successors(options) => options,
                View::Wrong(wrong) => {
                    self.note(Found::wrong(&self.walker.place, wrong));
                    let others: Vec<Wrong> = self.walker.faults().skip(1).collect();
                    others.into_iter().for_each(|other| self.note(Found::wrong(&self.walker.place, other)));
                    if self.walker.options() == 0 || self.found.len() as u64 == self.plan.errors {
                        fitness -= PENALTY;
                        break;
                    }
                    self.walker.options()
                }
                View::Cycle { option, start } => {
                    self.note(self.walker.closed(option, start));
                    fitness -= PENALTY;
                    break;
                }
            };
            let option = self.choice(&mut chromosome.bits, &mut read, options);
            fitness += match self.fitness {
                Heuristic::Enabled => -(options as i64),
                Heuristic::Messages => 100 * self.walker.messages(option) as i64 + 1,
                _ => 100 * self.walker.assertions(option) as i64 + 1,
            };
            self.walker.take(option);
        }
        self.effective = self.effective.max(read);
        chromosome.fitness = fitness;
        Ok(())
    }

    /// Keeps what was found, unless it is known or there is enough.
    fn note(&mut self, found: Found) {
        let is_wanted = (self.found.len() as u64) < self.plan.errors;
        if is_wanted && self.found.iter().all(|known| known.identity() != found.identity()) {
            self.found.push(found);
        }
    }

    /// Reads the next bits; where they mean nothing, or what others have explored, others take their place.
    fn choice(&mut self, bits: &mut Vec<bool>, read: &mut usize, options: usize) -> usize {
        let width = (usize::BITS - (options - 1).leading_zeros()) as usize;
        while bits.len() < *read + width {
            bits.push(self.random.random());
        }
        let own = &mut bits[*read..*read + width];
        *read += width;
        let value = own.iter().fold(0, |value, &bit| value << 1 | bit as usize);
        let option = if value < options { value } else { self.random.random_range(0..options) };
        let option = self.walker.unexplored(option);
        if option != value {
            own.iter_mut().enumerate().for_each(|(place, bit)| *bit = option >> (width - 1 - place) & 1 == 1);
        }
        option
    }
}
