//! ACOhg: ant colony optimisation for graphs too large to be stored.
//!
//! Alba, Chicano, ACOhg: dealing with huge graphs, GECCO 2007; here as Algorithm 1 of Chicano, Alba, Searching for liveness
//! property violations in concurrent systems with ACO, GECCO 2008:
//!
//! ```text
//! repeat `steps` times:
//!   each ant starts at the end of a path in `starts` and goes on for at most `length` states, never back to one on its
//!     path; the next state is chosen by pheromone^alpha * (1 / (1 + H))^beta, and its pheromone fades by xi
//!   the best `width` paths are kept for the next stage
//!   pheromone evaporates by rho; that of the best path so far grows by 1/f; all of it stays between its limits
//!   every `stage` steps a new stage begins: the kept paths are the new starts, and all pheromone is forgotten
//! ```
//!
//! with f, to be minimised, of equation (3): the length of the whole path and, where it does not end in an objective, the
//! estimate at its end, a penalty, and a penalty for turning in a circle that is higher for shorter ones.
//!
//! Differs from the paper: some ants (`orders`) let the processes move in an order ([`Order`]), that of the path that they
//! continue or a new one, and choose among the moves of the first process that can go where they have not been. Without,
//! giop with 10 clients was found violated in a third of the runs, in 15 seconds each; with half of the ants, always,
//! and after some thousand states.

use super::chronicle::{Chronicle, Phase};
use super::order::Order;
use super::pheromone::Pheromone;
use super::walker::{Place, View, Walker};
use super::{Budget, Found};
use crate::search::Reason;
use crate::search::guide::Guide;
use crate::system::System;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The parameters, with the names of the paper in parentheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Steps in all (msteps).
    pub steps: u64,
    /// Ants (colsize).
    pub ants: u64,
    /// How far an ant goes (λ_ant).
    pub length: u64,
    /// Steps of a stage (σ_s).
    pub stage: u64,
    /// Paths that are kept for the next stage (ι).
    pub width: u64,
    pub xi: f64,
    /// The ratio of the pheromone limits (a).
    pub ratio: f64,
    pub rho: f64,
    pub alpha: f64,
    pub beta: f64,
    /// For paths that do not end in an objective (p_p).
    pub penalty: f64,
    /// For paths that end in a circle (p_c).
    pub circle: f64,
    /// The share of ants that follow an order of the processes (not in the paper).
    pub orders: f64,
}

/// What a colony is after.
pub enum Objective<'o> {
    /// A violation.
    Violation,
    /// A violation; accepting states on the way are handed to this function.
    Accepting(&'o mut dyn FnMut(&Place)),
    /// This state, once more.
    State(&'o Place),
}

/// Where an ant may start, and how good it is.
struct Start {
    place: Rc<Place>,
    value: f64,
    /// The order that the ant followed that came there.
    order: Option<Order>,
}

pub struct Colony<'c, 'w, S: System> {
    pub parameters: Parameters,
    pub walker: &'c mut Walker<'w, S>,
    pub guide: &'c Guide,
    pub random: &'c mut Xoshiro256PlusPlus,
    pub budget: &'c Budget<'c>,
    /// By the hash of a state, in this stage: ants see many states again.
    pub estimates: FxHashMap<u64, u32>,
    /// The most that was in use for pheromone and starts, in bytes, and in states.
    pub memory: u64,
    pub states: u64,
    pub chronicle: &'c mut Chronicle,
}

/// How an ant's way ended.
enum End {
    /// It may go no further.
    Tired,
    /// All successors are on its path, or there are none.
    Stuck,
    Found(Found),
}

impl<S: System> Colony<'_, '_, S> {
    /// Looks for the objective from `origin` on.
    pub fn search(&mut self, origin: &Place, mut objective: Objective) -> Result<Option<Found>, Reason> {
        let parameters = self.parameters;
        let mut starts = vec![Start { place: Rc::new(origin.clone()), value: 1.0, order: None }];
        let mut next: Vec<Start> = Vec::new();
        let mut pheromone = self.fresh();
        let mut best: Option<(f64, Vec<u64>)> = None;
        let mut weights = Vec::new();
        let mut values = Vec::new();
        let phase = if matches!(objective, Objective::State(_)) { Phase::Back } else { Phase::Out };
        for step in 1..=parameters.steps {
            values.clear();
            for _ in 0..parameters.ants {
                let (start, order) = self.chosen(&starts);
                let order = self.order(order);
                let from = start.depth();
                self.walker.start_at(&start);
                let end = self.construct(&mut pheromone, &mut objective, order, &mut weights)?;
                if let End::Found(found) = end {
                    return Ok(Some(found));
                }
                let value = self.value(from, &end, &objective);
                values.push(value);
                keep(&mut next, &self.walker.place, value, order, parameters.width as usize);
                if best.as_ref().is_none_or(|(least, _)| value < *least) {
                    best = Some((value, self.walker.place.hashes[from..].to_vec()));
                }
            }
            pheromone.evaporate(parameters.rho);
            if let Some((value, path)) = &best {
                let most = 1.0 / (parameters.rho * value);
                pheromone.deposit(path, 1.0 / value);
                // a ratio below 1 leaves no room between the limits
                pheromone.limit(most / parameters.ratio.max(1.0), most);
            }
            self.note_size(&pheromone, &next);
            self.chronicle.note(phase, self.walker.looks, values.iter().copied(), Some(&pheromone));
            if step % parameters.stage == 0 {
                if !next.is_empty() {
                    starts = std::mem::take(&mut next);
                }
                pheromone = self.fresh();
                self.estimates.clear();
                best = None;
            }
        }
        Ok(None)
    }

    /// Pheromone as it is at the start of a stage.
    fn fresh(&mut self) -> Pheromone {
        Pheromone::new(self.random.random_range(0.1..10.0))
    }

    /// A start, the better the likelier.
    fn chosen(&mut self, starts: &[Start]) -> (Rc<Place>, Option<Order>) {
        let goodness = |start: &Start| 1.0 / start.value.max(1.0);
        let mut point = self.random.random_range(0.0..1.0) * starts.iter().map(goodness).sum::<f64>();
        let chosen = starts.iter().find(|start| {
            point -= goodness(start);
            point <= 0.0
        });
        let start = chosen.unwrap_or(&starts[starts.len() - 1]);
        (start.place.clone(), start.order)
    }

    /// The order that an ant follows, if any: that of its predecessor, or a new one.
    fn order(&mut self, inherited: Option<Order>) -> Option<Order> {
        let follows = self.parameters.orders > 0.0 && self.random.random_bool(self.parameters.orders);
        match inherited {
            _ if !follows => None,
            Some(order) if self.random.random_bool(0.5) => Some(order),
            _ => Some(Order::drawn(self.random)),
        }
    }

    /// An ant builds its path.
    fn construct(
        &mut self,
        pheromone: &mut Pheromone,
        objective: &mut Objective,
        order: Option<Order>,
        weights: &mut Vec<f64>,
    ) -> Result<End, Reason> {
        for _ in 0..self.parameters.length {
            self.budget.check(self.walker, self.memory)?;
            let options = match self.walker.look() {
                View::Successors(options) => options,
                View::Wrong(wrong) => return Ok(End::Found(Found::wrong(&self.walker.place, wrong))),
                View::Cycle { option, start } => {
                    return Ok(End::Found(self.walker.closed(option, start)));
                }
            };
            if let Objective::State(target) = objective
                && let Some(option) = (0..options).find(|&option| self.walker.hash(option) == target.hash())
            {
                return Ok(End::Found(self.walker.closed(option, target.depth())));
            }
            let Some(option) = self.choose(options, pheromone, objective, order, weights) else {
                return Ok(End::Stuck);
            };
            self.walker.take(option);
            pheromone.fade(self.walker.place.hash(), self.parameters.xi);
            if let Objective::Accepting(found) = objective
                && self.walker.place.accepting == Some(self.walker.place.depth())
            {
                found(&self.walker.place);
            }
        }
        Ok(End::Tired)
    }

    /// The next state of an ant: none that is on its path.
    fn choose(
        &mut self,
        options: usize,
        pheromone: &Pheromone,
        objective: &Objective,
        order: Option<Order>,
        weights: &mut Vec<f64>,
    ) -> Option<usize> {
        let Parameters { alpha, beta, .. } = self.parameters;
        weights.clear();
        let mut sum = 0.0;
        let first = order.and_then(|order| self.walker.first(order));
        for option in 0..options {
            let comes_later = first.is_some_and(|first| self.walker.mover(option) != first);
            let weight = if comes_later || self.walker.is_on_path(option) {
                0.0
            } else {
                let attraction = 1.0 / (1.0 + self.estimate(option, objective) as f64);
                power(pheromone.of(self.walker.hash(option)), alpha) * power(attraction, beta)
            };
            sum += weight;
            weights.push(weight);
        }
        if sum <= 0.0 {
            return None;
        }
        if !matches!(objective, Objective::State(_)) {
            sum = self.walker.knowing(|is_explored| without_explored(weights, is_explored)).unwrap_or(sum);
        }
        let mut point = self.random.random_range(0.0..1.0) * sum;
        let mut last = None;
        for (option, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            last = Some(option);
            point -= weight;
            if point <= 0.0 {
                break;
            }
        }
        last
    }

    fn estimate(&mut self, option: usize, objective: &Objective) -> u32 {
        let Colony { guide, walker, estimates, .. } = self;
        *estimates.entry(walker.hash(option)).or_insert_with(|| match objective {
            Objective::State(target) => {
                guide.between(walker.problem.system.program(), walker.state(option), &target.state)
            }
            _ => walker.judged(option, |system, state, scratch| guide.estimate(system, state, scratch)),
        })
    }

    /// Equation (3), for a path that does not end in an objective.
    fn value(&mut self, from: usize, end: &End, objective: &Objective) -> f64 {
        let Walker { place, problem, scratch, .. } = &mut *self.walker;
        let estimate = match objective {
            Objective::State(target) => self.guide.between(problem.system.program(), &place.state, &target.state),
            _ => self.guide.estimate(&problem.system, &mut place.state, scratch),
        };
        let (length, own) = (self.parameters.length as f64, (place.depth() - from) as f64);
        let circle = match end {
            End::Stuck => self.parameters.circle * (length - own) / (length - 1.0).max(1.0),
            _ => 0.0,
        };
        place.depth() as f64 + estimate as f64 + self.parameters.penalty + circle
    }

    fn note_size(&mut self, pheromone: &Pheromone, next: &[Start]) {
        let starts: usize = next.iter().map(|start| start.place.depth() * 12 + start.place.state.len() * 8).sum();
        let estimates = self.estimates.capacity() * 17;
        self.memory = self.memory.max(pheromone.memory() + (2 * starts + estimates) as u64 + self.walker.memory());
        self.states = self.states.max(pheromone.len() as u64);
    }
}

/// Keeps a path among the best `width` with different ends.
fn keep(next: &mut Vec<Start>, place: &Place, value: f64, order: Option<Order>, width: usize) {
    if let Some(same) = next.iter_mut().find(|start| start.place.hash() == place.hash()) {
        if value < same.value {
            *same = Start { place: Rc::new(place.clone()), value, order };
        }
        return;
    }
    let at = next.partition_point(|start| start.value <= value);
    if at < width {
        next.insert(at, Start { place: Rc::new(place.clone()), value, order });
        next.truncate(width);
    }
}

/// Takes the weights of explored states away, unless there are no others; says what the sum is.
fn without_explored(weights: &mut [f64], is_explored: impl Fn(usize) -> bool) -> f64 {
    let explored: Vec<bool> = (0..weights.len()).map(|option| weights[option] > 0.0 && is_explored(option)).collect();
    let is_left = |option: usize| weights[option] > 0.0 && !explored[option];
    if (0..weights.len()).any(is_left) {
        weights.iter_mut().zip(&explored).filter(|(_, explored)| **explored).for_each(|(weight, _)| *weight = 0.0);
    }
    weights.iter().sum()
}

/// The usual exponents are 1 and 2.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        base
    } else if exponent == 2.0 {
        base * base
    } else {
        base.powf(exponent)
    }
}
