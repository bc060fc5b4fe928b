//! The individuals of a generation, evaluated by several workers.
//!
//! Individuals come in and the results of their walks go out, in the same order. The result is the same for any number of workers:
//!
//! ```text
//! each individual has a random generator of its own, whose seed was drawn from the generator of the run, in order
//! no walk uses what another one of its batch has found
//! a batch is evaluated as a whole, and only then its walks are counted, in order, up to the one that ends the search
//! ```
//!
//! So the walks of a batch after the last one that counts are wasted; with more than one worker, some may even go beyond a limit of
//! states. With one worker, no thread is started.

use super::budget::{Bound, Budget};
use super::walker::{View, Walker};
use crate::search::{Monitor, Reason, Tally};
use crate::system::System;
use crate::system::deep_stack;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Individuals evaluated between two checks whether the search is over; fixed, so that results do not depend on the
/// machine.
const BATCH: usize = 50;

/// Walkers, one for each worker, and the totals of their walks.
pub struct Workers<'w, S: System> {
    /// With more than one worker.
    pool: Option<ThreadPool>,
    walkers: Vec<Mutex<Walker<'w, S>>>,
    monitor: &'w Monitor,
    bound: Option<Bound>,
    /// Of the walks that count: looks (expanded states), and effort (looks and successors that were produced).
    pub looks: u64,
    effort: u64,
}

/// An individual that is to be evaluated.
struct Draft<I> {
    individual: I,
    seed: u64,
}

/// The walk of one individual: its walker, random generator and budget.
pub struct Outing<'o, 'w, S: System> {
    pub walker: &'o mut Walker<'w, S>,
    pub random: Xoshiro256PlusPlus,
    budget: Budget<'o>,
}

impl<S: System> Outing<'_, '_, S> {
    /// Expands the current state, unless a limit is met.
    pub fn look(&mut self) -> Result<View, Reason> {
        let walker = &mut *self.walker;
        self.budget.check(walker, walker.memory())?;
        Ok(walker.look())
    }

    /// Looks of this walk.
    pub fn looks(&self) -> u64 {
        self.budget.own(self.walker.looks)
    }
}

/// The result of one individual's walk.
pub struct Walk<T> {
    pub result: T,
    /// Why the walk was cut short, if it was.
    cut: Option<Reason>,
    pub looks: u64,
    effort: u64,
}

/// Totals: looks and effort of the walks that count, depth and memory of all.
pub struct Sum {
    pub looks: u64,
    pub effort: u64,
    pub deepest: usize,
    /// Upper bound on the bytes of all workers.
    pub memory: u64,
}

impl<'w, S: System> Workers<'w, S> {
    /// At most `threads` workers; fewer find the same.
    pub fn new(first: Walker<'w, S>, threads: usize, monitor: &'w Monitor) -> Workers<'w, S> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.min(BATCH)).stack_size(deep_stack());
        let pool = (threads > 1).then(|| pool.build().ok()).flatten();
        let mut walkers = vec![first];
        for _ in 1..pool.as_ref().map_or(1, ThreadPool::current_num_threads) {
            walkers.extend(walkers[0].another());
        }
        // each walker expands the initial state in advance, so that this counts for no walk
        walkers.iter_mut().for_each(|walker| _ = walker.look());
        let walkers = walkers.into_iter().map(Mutex::new).collect();
        Workers { pool, walkers, monitor, bound: Bound::of(&monitor.limits), looks: 0, effort: 0 }
    }

    /// The walker of the first worker, between batches.
    pub fn first(&mut self) -> &Walker<'w, S> {
        alone(&mut self.walkers[0])
    }

    /// Looks that are left before the limit.
    pub fn room(&self) -> u64 {
        self.bound.as_ref().map_or(u64::MAX, |bound| bound.looks.saturating_sub(self.looks))
    }

    /// Upper bound on the bytes of all workers: those of the largest walker, for each of them.
    pub fn memory(&mut self) -> u64 {
        let each = self.walkers.iter_mut().map(|walker| alone(walker).memory());
        each.max().unwrap_or(0) * self.walkers.len() as u64
    }

    /// Evaluates the next `BATCH` individuals, each by `evaluate` with a walk of its own; an error says why the walk
    /// was cut short. Walks that are certainly beyond the limit of looks are left out.
    pub fn batch<I: Send, T: Send>(
        &self,
        individuals: &mut impl Iterator<Item = I>,
        random: &mut Xoshiro256PlusPlus,
        evaluate: impl Fn(I, &mut Outing<S>) -> (T, Result<(), Reason>) + Sync,
    ) -> Vec<Walk<T>> {
        let drafts = individuals.take(BATCH).map(|individual| Draft { individual, seed: random.random() });
        let drafts: Vec<Draft<I>> = drafts.collect();
        let looks: Vec<AtomicU64> = drafts.iter().map(|_| AtomicU64::new(0)).collect();
        let walk = |(place, draft): (usize, Draft<I>)| {
            // looks of earlier walks of the batch, as far as these are done
            let before: u64 = looks[..place].iter().map(|looks| looks.load(Relaxed)).sum();
            if before > self.room() {
                // the search ends with one of the earlier walks
                return None;
            }
            // the worker's number in the pool
            let number = rayon::current_thread_index().filter(|_| self.pool.is_some()).unwrap_or(0);
            let walker = self.walkers[number % self.walkers.len()].lock();
            let walk = self.walk(draft, &mut walker.unwrap_or_else(PoisonError::into_inner), before, &evaluate);
            looks[place].store(walk.looks, Relaxed);
            Some(walk)
        };
        let walks: Vec<Option<Walk<T>>> = match &self.pool {
            Some(pool) => pool.install(|| drafts.into_par_iter().with_max_len(1).enumerate().map(walk).collect()),
            None => drafts.into_iter().enumerate().map(walk).collect(),
        };
        walks.into_iter().flatten().collect()
    }

    fn walk<I, T>(
        &self,
        draft: Draft<I>,
        walker: &mut Walker<'w, S>,
        before: u64,
        evaluate: impl Fn(I, &mut Outing<S>) -> (T, Result<(), Reason>),
    ) -> Walk<T> {
        let (start, effort) = (walker.looks, walker.effort);
        let bound = self.bound.clone().map(|bound| Bound { looks: self.room() - before, ..bound });
        let budget = Budget::of_one(self.monitor, start, self.looks + before, bound);
        let random = Xoshiro256PlusPlus::seed_from_u64(draft.seed);
        let mut outing = Outing { walker, random, budget };
        let (result, end) = evaluate(draft.individual, &mut outing);
        Walk { result, cut: end.err(), looks: walker.looks - start, effort: walker.effort - effort }
    }

    /// Counts the next walk; an error says why the search ends with it.
    pub fn count<T>(&mut self, walk: &Walk<T>) -> Result<(), Reason> {
        let room = self.room();
        self.looks += walk.looks.min(room);
        self.effort += walk.effort;
        match (&self.bound, &walk.cut) {
            (Some(bound), _) if walk.looks > room => Err(bound.reason.clone()),
            (_, Some(reason)) => Err(reason.clone()),
            _ => Ok(()),
        }
    }

    /// Adds the coverage of all walkers to the tally, and returns the totals.
    pub fn end(mut self, tally: &mut Tally) -> Sum {
        let memory = self.memory();
        let Workers { walkers, looks, effort, .. } = self;
        let mut sum = Sum { looks, effort, deepest: 0, memory };
        for (number, walker) in walkers.into_iter().enumerate() {
            let walker = walker.into_inner().unwrap_or_else(PoisonError::into_inner);
            sum.deepest = sum.deepest.max(walker.deepest);
            if number == 0 {
                tally.learn::<S>(walker.scratch);
            } else {
                let mut own = tally.another();
                own.learn::<S>(walker.scratch);
                tally.join(own);
            }
        }
        sum
    }
}

/// A walker between batches, when no worker holds its lock.
fn alone<T>(walker: &mut Mutex<T>) -> &mut T {
    walker.get_mut().unwrap_or_else(PoisonError::into_inner)
}
