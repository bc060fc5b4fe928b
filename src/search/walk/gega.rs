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
//!
//! The individuals of a generation are evaluated by all workers (`generation`); where paths may start changes only between generations.

use super::chronicle::Phase;
use super::generation::{Outing, Workers};
use super::walker::{Place, View, Walker};
use super::{Found, Traces};
use crate::search::Reason;
use crate::search::guide::{Guide, Heuristic};
use crate::search::parameter::{EFFORT, LENGTH, Parameter, SIZE, Value, parameter};
use crate::system::System;
use crate::system::state::{bytes, process_count};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

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
    end: Arc<Place>,
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

    /// Searches for a violation.
    pub fn search<S: System>(
        &self,
        workers: &mut Workers<S>,
        guides: Guides,
        random: &mut Xoshiro256PlusPlus,
        traces: &mut Traces,
    ) -> Result<Option<Found>, Reason> {
        let scene = Scene {
            plan: self,
            guides,
            slots: vec![Arc::new(workers.first().place.clone())],
            aim: Aim::Violation,
            accepting: Vec::new(),
        };
        let mut evolution = Evolution { scene, random, best: None };
        let result = evolution.run(workers, traces);
        let best = evolution.best;
        match result {
            // what was found counts, whatever ended the search
            Err(reason) => best.map_or(Err(reason), |found| Ok(Some(found))),
            Ok(()) => Ok(best),
        }
    }
}

/// Who says how fit a path is.
#[derive(Clone, Copy)]
pub struct Guides<'g> {
    /// To a violation.
    pub there: &'g Guide,
    /// To a known state.
    pub back: &'g Guide,
}

/// What paths are to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    Violation,
    /// The same, and accepting states on the way are remembered.
    Accepting,
    /// Where they have started.
    Home,
}

struct Evolution<'e> {
    scene: Scene<'e>,
    random: &'e mut Xoshiro256PlusPlus,
    best: Option<Found>,
}

/// What all individuals of a batch know.
struct Scene<'e> {
    plan: &'e Gega,
    guides: Guides<'e>,
    /// Where paths may start.
    slots: Vec<Arc<Place>>,
    aim: Aim,
    /// Accepting states that are remembered.
    accepting: Vec<Place>,
}

/// Genes that are to be evaluated.
struct Draft {
    genes: Vec<f32>,
    mutation: f64,
}

/// A chromosome that was evaluated.
struct Evaluated {
    chromosome: Chromosome,
    /// Found at the last look of the walk.
    violation: Option<Found>,
    /// New accepting states.
    accepting: Vec<Place>,
}

impl Evolution<'_> {
    fn run<S: System>(&mut self, workers: &mut Workers<S>, traces: &mut Traces) -> Result<(), Reason> {
        let all = self.scene.plan.generations;
        if workers.first().problem.claim.is_none() {
            return self.generations(all, workers, traces);
        }
        let first_half = all.div_ceil(2);
        self.scene.aim = Aim::Accepting;
        self.generations(first_half, workers, traces)?;
        if self.best.is_some() || self.scene.accepting.is_empty() {
            return Ok(());
        }
        self.scene.slots = std::mem::take(&mut self.scene.accepting).into_iter().map(Arc::new).collect();
        self.scene.aim = Aim::Home;
        self.generations(all - first_half, workers, traces)
    }

    fn generations<S: System>(
        &mut self,
        generations: u64,
        workers: &mut Workers<S>,
        traces: &mut Traces,
    ) -> Result<(), Reason> {
        let plan = self.scene.plan;
        let mut population = self.fresh(workers)?;
        let mut remembered = f64::NEG_INFINITY;
        for generation in 1..generations {
            population = self.next(&population, workers)?;
            let phase = if self.scene.aim == Aim::Home { Phase::Back } else { Phase::Out };
            // without the bonus for a violation, so that all values are on one scale
            let quality = |fitness: f64| if fitness > BONUS / 2.0 { fitness - BONUS } else { fitness };
            let fitness = population.iter().map(|each| quality(each.fitness));
            traces.chronicle.note(phase, workers.looks, fitness, None);
            let places = population.iter().map(|each| &each.end).chain(&self.scene.slots);
            let kept: usize = places.map(|place| place.state.len() * 8 + place.choices.len() * 12).sum();
            traces.memory = traces.memory.max(kept as u64 + workers.memory());
            traces.states = traces.states.max((population.len() + self.scene.slots.len()) as u64);
            if plan.memory && self.scene.aim != Aim::Home && generation % plan.frequency == 0 {
                let best = population.iter().map(|each| each.fitness).fold(f64::NEG_INFINITY, f64::max);
                if best > remembered {
                    self.remember(&population);
                    remembered = best;
                } else {
                    self.scene.slots.truncate(1);
                    remembered = f64::NEG_INFINITY;
                }
                // genes mean something else now, and to stay at a good place must not be the best one can do
                population = self.fresh(workers)?;
            }
        }
        Ok(())
    }

    /// Chromosomes of any length, at random.
    fn fresh<S: System>(&mut self, workers: &mut Workers<S>) -> Result<Vec<Chromosome>, Reason> {
        let plan = self.scene.plan;
        let draft = |_| {
            let length = self.random.random_range(1..=plan.length);
            Draft { genes: (0..length).map(|_| self.random.random()).collect(), mutation: 0.0 }
        };
        let drafts = (0..plan.population).map(draft).collect();
        let mut population = Vec::with_capacity(plan.population as usize);
        self.evaluate(drafts, workers, &mut population)?;
        Ok(population)
    }

    /// The next generation: the best one, and children of the others.
    fn next<S: System>(
        &mut self,
        population: &[Chromosome],
        workers: &mut Workers<S>,
    ) -> Result<Vec<Chromosome>, Reason> {
        let (size, mutation) = (population.len(), self.scene.plan.mutation);
        let mut next = Vec::with_capacity(size);
        next.extend(population.iter().max_by(|a, b| a.fitness.total_cmp(&b.fitness)).cloned());
        let mut drafts = Vec::with_capacity(size);
        while next.len() + drafts.len() < size {
            let (one, other) = (self.winner(population), self.winner(population));
            let (first, second) = self.crossed(&population[one].genes, &population[other].genes);
            drafts.push(Draft { genes: first, mutation });
            if next.len() + drafts.len() < size {
                drafts.push(Draft { genes: second, mutation });
            }
        }
        self.evaluate(drafts, workers, &mut next)?;
        Ok(next)
    }

    /// The memory operator.
    fn remember(&mut self, population: &[Chromosome]) {
        self.scene.slots.truncate(1);
        for _ in 1..self.scene.plan.slots {
            let chosen = self.winner(population);
            self.scene.slots.push(population[chosen].end.clone());
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
            genes.truncate(self.scene.plan.length as usize);
            genes
        };
        (joined(&first[..one], &second[other..]), joined(&second[..other], &first[one..]))
    }

    /// Adds chromosomes to a population, each with its fitness.
    fn evaluate<S: System>(
        &mut self,
        drafts: Vec<Draft>,
        workers: &mut Workers<S>,
        population: &mut Vec<Chromosome>,
    ) -> Result<(), Reason> {
        let mut drafts = drafts.into_iter();
        while drafts.len() > 0 {
            let Evolution { scene, random, .. } = self;
            let walks = workers.batch(&mut drafts, random, |draft, outing| scene.evaluated(draft, outing));
            let mut end = Ok(());
            for walk in walks {
                let in_time = walk.looks <= workers.room();
                end = end.and(workers.count(&walk));
                let Evaluated { chromosome, violation, accepting } = walk.result;
                violation.filter(|_| in_time).into_iter().for_each(|found| self.note(found));
                accepting.into_iter().for_each(|place| self.scene.note(place));
                population.push(chromosome);
            }
            end?;
        }
        Ok(())
    }

    /// Keeps the violation with the shortest path.
    fn note(&mut self, found: Found) {
        if self.best.as_ref().is_none_or(|best| found.choices.len() < best.choices.len()) {
            self.best = Some(found);
        }
    }
}

impl Scene<'_> {
    /// Walks along the path of the genes, which are mutated on the way: only there it is known what a gene means.
    fn evaluated<S: System>(&self, draft: Draft, outing: &mut Outing<S>) -> (Evaluated, Result<(), Reason>) {
        let Draft { mut genes, mutation } = draft;
        let slots = self.slots.len();
        let own = if slots > 1 { 1.min(genes.len()) } else { 0 };
        if own == 1 {
            mutate(&mut genes[0], slots, mutation, &mut outing.random);
        }
        let home = &self.slots[if own == 1 { chosen(genes[0], slots) } else { 0 }];
        outing.walker.start_at(home);
        let mut path = Path { genes: &mut genes, used: own, mutation, accepting: Vec::new() };
        let (violation, end) = match self.walk(&mut path, home, outing) {
            Ok(violation) => (violation, Ok(())),
            Err(reason) => (None, Err(reason)),
        };
        let Path { used, accepting, .. } = path;
        genes.truncate(used.max(1));
        let fitness = self.fitness(violation.is_some(), home, outing.walker);
        let end_place = || Arc::new(outing.walker.place.clone());
        let last = if self.plan.memory { end_place() } else { self.slots[0].clone() };
        let chromosome = Chromosome { genes, fitness, end: last };
        (Evaluated { chromosome, violation, accepting }, end)
    }

    fn walk<S: System>(&self, path: &mut Path, home: &Place, outing: &mut Outing<S>) -> Result<Option<Found>, Reason> {
        loop {
            let options = match outing.look()? {
                View::Successors(options) => options,
                View::Wrong(wrong) => return Ok(Some(Found::wrong(&outing.walker.place, wrong))),
                View::Cycle { option, start } => return Ok(Some(outing.walker.closed(option, start))),
            };
            let Outing { walker, random, .. } = outing;
            if self.aim == Aim::Home
                && let Some(option) = (0..options).find(|&option| walker.hash(option) == home.hash())
            {
                return Ok(Some(walker.closed(option, home.depth())));
            }
            let Some(gene) = path.genes.get_mut(path.used).filter(|_| options > 0) else { return Ok(None) };
            if options > 1 {
                mutate(gene, options, path.mutation, random);
            }
            let meant = chosen(*gene, options);
            let option = if self.aim == Aim::Home { meant } else { walker.unexplored(meant) };
            if option != meant {
                *gene = (option as f32 + 0.5) / options as f32;
            }
            walker.take(option);
            path.used += 1;
            if self.aim == Aim::Accepting && walker.place.accepting == Some(walker.place.depth()) {
                self.sight(walker, &mut path.accepting);
            }
        }
    }

    /// Remembers the accepting state that a walk is in, unless it is known or there are enough.
    fn sight<S: System>(&self, walker: &Walker<S>, accepting: &mut Vec<Place>) {
        let place = &walker.place;
        let is_new = accepting.iter().all(|known| known.hash() != place.hash()) && self.is_new(place);
        let has_room = self.accepting.len() + accepting.len() < MAX_ACCEPTING;
        if is_new && has_room && walker.problem.may_accept(&place.state) {
            accepting.push(place.clone());
        }
    }

    fn is_new(&self, place: &Place) -> bool {
        self.accepting.iter().all(|known| known.hash() != place.hash())
    }

    /// The same for walks that count.
    fn note(&mut self, place: Place) {
        if self.accepting.len() < MAX_ACCEPTING && self.is_new(&place) {
            self.accepting.push(place);
        }
    }

    /// Equation (1), or its like for a guide.
    fn fitness<S: System>(&self, violation: bool, home: &Place, walker: &mut Walker<S>) -> f64 {
        let worth = if violation { BONUS } else { 0.0 };
        let quality = if self.aim == Aim::Home {
            -(self.guides.back.between(walker.problem.system.program(), &walker.place.state, &home.state) as f64)
        } else if self.guides.there.heuristic() == Heuristic::Blocked {
            process_count(bytes(&walker.place.state)).saturating_sub(walker.moving_processes()) as f64
        } else {
            let Walker { problem, place, scratch, .. } = walker;
            -(self.guides.there.estimate(&problem.system, &mut place.state, scratch) as f64)
        };
        worth + quality + 1.0 / (1.0 + walker.place.depth() as f64)
    }
}

/// What a walk has used of its genes, and the accepting states that it has found.
struct Path<'p> {
    genes: &'p mut [f32],
    used: usize,
    mutation: f64,
    accepting: Vec<Place>,
}

/// With probability `mutation`, replaces a gene by one that stands for another one of the choices.
fn mutate(gene: &mut f32, choices: usize, mutation: f64, random: &mut Xoshiro256PlusPlus) {
    if mutation > 0.0 && random.random_bool(mutation) {
        *gene = loop {
            let new = random.random();
            if choices < 2 || chosen(new, choices) != chosen(*gene, choices) {
                break new;
            }
        };
    }
}

/// ⌊gene · choices⌋
fn chosen(gene: f32, choices: usize) -> usize {
    ((gene as f64 * choices as f64) as usize).min(choices - 1)
}
