//! A graph-exploring genetic algorithm (`gega`), with a memory operator.
//!
//! Alba, Chicano, Ferreira, Gómez-Pulido, Finding deadlocks in large concurrent Java programs using genetic algorithms, GECCO
//! 2008. A gene is a number in [0, 1): where a state has n successors, ⌊gene · n⌋ is taken. Chromosomes grow and shrink,
//! because crossover cuts two parents at different places. Mutation always means another successor. Parents are chosen
//! by tournaments of two, and the best one survives. To be maximised is equation (1):
//!
//! ```text
//! bonus, if the path ends in a violation + blocked processes in its last state + 1 / (1 + its length)
//! ```
//!
//! With a heuristic other than `blocked`, minus its estimate takes the place of blocked processes. A violation does not end the search: it goes
//! on for as many generations as it has, and finds shorter ways.
//!
//! The memory operator: every so often the last states of some chromosomes become places to start at, and the first gene
//! says from which of them a path starts; slot 0 is always the initial state. Then the genes are drawn anew: the paper lets
//! them stay, but a chromosome without any that starts at a good place would be hard to beat, and all would shrink to it.
//!
//! And where the best one has not become better from one use of the operator to the next, the memory may have led into a
//! corner that has no way out: it is emptied, and paths start at the initial state again. (One meal of 16 philosophers: found
//! in 22 of 50 runs without, in 50 with.)
//!
//! For cycles, which the paper leaves for later, the first half of the generations looks for accepting states, guided
//! by the claim; a cycle that a path closes on its way is a violation. The second half starts at accepting states that
//! were found, and what is fit is to come back near to the one it started at.

use super::chronicle::Phase;
use super::settings::{EFFORT, LENGTH, Parameter, SIZE, Value, parameter};
use super::walker::{Place, View, Walker};
use super::{Budget, Found, Traces};
use crate::search::Reason;
use crate::search::guide::{Guide, Heuristic};
use crate::system::System;
use crate::system::state::{bytes, process_count};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gega {
    pub population: u64,
    pub generations: u64,
    /// Genes of a chromosome, at most.
    pub length: u64,
    pub mutation: f64,
    pub memory: bool,
    pub slots: u64,
    /// Generations between two uses of the memory operator.
    pub frequency: u64,
}

impl Default for Gega {
    fn default() -> Gega {
        Gega { population: 50, generations: 50, length: 120, mutation: 0.01, memory: false, slots: 50, frequency: 20 }
    }
}

/// What a violation is worth: more than anything else.
const BONUS: f64 = 1e9;

/// Accepting states that are remembered.
const MAX_ACCEPTING: usize = 200;

#[derive(Clone, Default)]
struct Chromosome {
    genes: Vec<f32>,
    fitness: f64,
    /// Where it ends, if there is a memory operator.
    end: Rc<Place>,
}

impl Gega {
    pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            parameter("population", "chromosomes", Value::Count(&mut self.population, SIZE)),
            parameter("generations", "generations in all", Value::Count(&mut self.generations, EFFORT)),
            parameter("length", "genes of a chromosome, at most", Value::Count(&mut self.length, LENGTH)),
            parameter("mutation", "probability of a gene to change", Value::Share(&mut self.mutation)),
            parameter("memory", "use the memory operator", Value::Switch(&mut self.memory)),
            parameter("slots", "states that the memory operator keeps", Value::Count(&mut self.slots, SIZE)),
            parameter(
                "frequency",
                "generations from one use of it to the next",
                Value::Count(&mut self.frequency, EFFORT),
            ),
        ]
    }

    /// Searches for a violation; `cycles` says that accepting cycles are wanted, `back` guides to a known state.
    pub fn search<S: System>(
        &self,
        walker: &mut Walker<S>,
        (guide, back, cycles): (&Guide, &Guide, bool),
        random: &mut Xoshiro256PlusPlus,
        budget: &Budget,
        traces: &mut Traces,
    ) -> Result<Option<Found>, Reason> {
        let start = Rc::new(walker.place.clone());
        let mut evolution = Evolution {
            plan: self,
            walker,
            guide,
            back,
            random,
            budget,
            slots: vec![start],
            homewards: false,
            accepting: Vec::new(),
            best: None,
        };
        let result = evolution.run(cycles, traces);
        let best = evolution.best;
        match result {
            // what was found counts, whatever ended the search
            Err(reason) => best.map_or(Err(reason), |found| Ok(Some(found))),
            Ok(()) => Ok(best),
        }
    }
}

struct Evolution<'e, 'w, S: System> {
    plan: &'e Gega,
    walker: &'e mut Walker<'w, S>,
    guide: &'e Guide,
    back: &'e Guide,
    random: &'e mut Xoshiro256PlusPlus,
    budget: &'e Budget<'e>,
    /// Where paths may start.
    slots: Vec<Rc<Place>>,
    /// Paths are to come back to where they start.
    homewards: bool,
    accepting: Vec<Place>,
    best: Option<Found>,
}

impl<S: System> Evolution<'_, '_, S> {
    fn run(&mut self, cycles: bool, traces: &mut Traces) -> Result<(), Reason> {
        let first_half = if cycles { self.plan.generations.div_ceil(2) } else { self.plan.generations };
        self.generations(first_half, cycles, traces)?;
        if !cycles || self.best.is_some() || self.accepting.is_empty() {
            return Ok(());
        }
        self.slots = std::mem::take(&mut self.accepting).into_iter().map(Rc::new).collect();
        self.homewards = true;
        self.generations(self.plan.generations - first_half, false, traces)
    }

    fn generations(&mut self, generations: u64, cycles: bool, traces: &mut Traces) -> Result<(), Reason> {
        let size = self.plan.population as usize;
        let mut population = self.fresh(cycles)?;
        let mut remembered = f64::NEG_INFINITY;
        for generation in 1..generations {
            let mut next: Vec<Chromosome> = Vec::with_capacity(size);
            let best = population.iter().max_by(|a, b| a.fitness.total_cmp(&b.fitness)).cloned();
            next.extend(best);
            while next.len() < size {
                let (one, other) = (self.winner(&population), self.winner(&population));
                let (first, second) = self.crossed(&population[one].genes, &population[other].genes);
                next.push(self.evaluated(first, self.plan.mutation, cycles)?);
                if next.len() < size {
                    next.push(self.evaluated(second, self.plan.mutation, cycles)?);
                }
            }
            population = next;
            let phase = if self.homewards { Phase::Back } else { Phase::Out };
            // who has found something is no further away on the scale than the others
            let quality = |fitness: f64| if fitness > BONUS / 2.0 { fitness - BONUS } else { fitness };
            let fitness = population.iter().map(|each| quality(each.fitness));
            traces.chronicle.note(phase, self.walker.looks, fitness, None);
            let places = population.iter().map(|each| &each.end).chain(&self.slots);
            let kept: usize = places.map(|place| place.state.len() * 8 + place.choices.len() * 12).sum();
            traces.memory = traces.memory.max(kept as u64 + self.walker.memory());
            traces.states = traces.states.max((population.len() + self.slots.len()) as u64);
            if self.plan.memory && !self.homewards && generation % self.plan.frequency == 0 {
                let best = population.iter().map(|each| each.fitness).fold(f64::NEG_INFINITY, f64::max);
                if best > remembered {
                    self.remember(&population);
                    remembered = best;
                } else {
                    self.slots.truncate(1);
                    remembered = f64::NEG_INFINITY;
                }
                // genes mean something else now, and to stay at a good place must not be the best one can do
                population = self.fresh(cycles)?;
            }
        }
        Ok(())
    }

    /// Chromosomes of any length, at random.
    fn fresh(&mut self, cycles: bool) -> Result<Vec<Chromosome>, Reason> {
        let mut population = Vec::with_capacity(self.plan.population as usize);
        for _ in 0..self.plan.population {
            let length = self.random.random_range(1..=self.plan.length);
            let genes = (0..length).map(|_| self.random.random()).collect();
            population.push(self.evaluated(genes, 0.0, cycles)?);
        }
        Ok(population)
    }

    /// The memory operator.
    fn remember(&mut self, population: &[Chromosome]) {
        self.slots.truncate(1);
        for _ in 1..self.plan.slots {
            let chosen = self.winner(population);
            self.slots.push(population[chosen].end.clone());
        }
    }

    /// The better one of two.
    fn winner(&mut self, population: &[Chromosome]) -> usize {
        let (one, other) =
            (self.random.random_range(0..population.len()), self.random.random_range(0..population.len()));
        if population[one].fitness >= population[other].fitness { one } else { other }
    }

    /// Both parents are cut, each at a place of its own, and change their tails.
    fn crossed(&mut self, first: &[f32], second: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let (one, other) = (self.random.random_range(0..=first.len()), self.random.random_range(0..=second.len()));
        let joined = |head: &[f32], tail: &[f32]| {
            let mut genes = [head, tail].concat();
            genes.truncate(self.plan.length as usize);
            genes
        };
        (joined(&first[..one], &second[other..]), joined(&second[..other], &first[one..]))
    }

    /// Walks along the path of the genes, which are mutated on the way: only there it is known what a gene means.
    fn evaluated(&mut self, mut genes: Vec<f32>, mutation: f64, cycles: bool) -> Result<Chromosome, Reason> {
        let slots = self.slots.len();
        let own = if slots > 1 { 1.min(genes.len()) } else { 0 };
        if own == 1 && mutation > 0.0 && self.random.random_bool(mutation) {
            genes[0] = self.other(genes[0], slots);
        }
        let slot = if own == 1 { chosen(genes[0], slots) } else { 0 };
        let home = self.slots[slot].clone();
        self.walker.start_at(&home);
        let mut used = own;
        let violation = loop {
            self.budget.check(self.walker.looks, self.walker.deepest as u64, self.walker.memory())?;
            let options = match self.walker.look() {
                View::Successors(options) => options,
                View::Wrong(wrong) => break Some(Found::wrong(&self.walker.place, wrong)),
                View::Cycle { option, start } => break Some(self.walker.closed(option, start)),
            };
            if self.homewards
                && let Some(option) = (0..options).find(|&option| self.walker.hash(option) == home.hash())
            {
                break Some(self.walker.closed(option, home.depth()));
            }
            let Some(&gene) = genes.get(used).filter(|_| options > 0) else { break None };
            if options > 1 && mutation > 0.0 && self.random.random_bool(mutation) {
                genes[used] = self.other(gene, options);
            }
            let meant = chosen(genes[used], options);
            let option = if self.homewards { meant } else { self.walker.unexplored(meant) };
            if option != meant {
                genes[used] = (option as f32 + 0.5) / options as f32;
            }
            self.walker.take(option);
            used += 1;
            if cycles && self.walker.place.accepting == Some(self.walker.place.depth()) {
                self.note_accepting();
            }
        };
        genes.truncate(used.max(1));
        let fitness = self.fitness(violation.is_some(), &home);
        if let Some(found) = violation {
            let shorter = self.best.as_ref().is_none_or(|best| found.choices.len() < best.choices.len());
            if shorter {
                self.best = Some(found);
            }
        }
        let end = if self.plan.memory { Rc::new(self.walker.place.clone()) } else { self.slots[0].clone() };
        Ok(Chromosome { genes, fitness, end })
    }

    /// A number that means another one of so many choices.
    fn other(&mut self, gene: f32, choices: usize) -> f32 {
        loop {
            let new = self.random.random();
            if choices < 2 || chosen(new, choices) != chosen(gene, choices) {
                return new;
            }
        }
    }

    fn note_accepting(&mut self) {
        let place = &self.walker.place;
        let new = self.accepting.iter().all(|known| known.hash() != place.hash());
        if new && self.accepting.len() < MAX_ACCEPTING && self.walker.problem.may_accept(&place.state) {
            self.accepting.push(place.clone());
        }
    }

    /// Equation (1), or its like for a guide.
    fn fitness(&mut self, violation: bool, home: &Place) -> f64 {
        let walker = &mut *self.walker;
        let worth = if violation { BONUS } else { 0.0 };
        let quality = if self.homewards {
            -(self.back.between(walker.problem.system.program(), &walker.place.state, &home.state) as f64)
        } else if self.guide.heuristic() == Heuristic::Blocked {
            process_count(bytes(&walker.place.state)).saturating_sub(walker.moving_processes()) as f64
        } else {
            let Walker { problem, place, scratch, .. } = walker;
            -(self.guide.estimate(&problem.system, &mut place.state, scratch) as f64)
        };
        worth + quality + 1.0 / (1.0 + self.walker.place.depth() as f64)
    }
}

/// ⌊gene · choices⌋
fn chosen(gene: f32, choices: usize) -> usize {
    ((gene as f64 * choices as f64) as usize).min(choices - 1)
}
