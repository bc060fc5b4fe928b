//! Random Promela models that SPIN accepts and whose state spaces are small: seed and profile → tree.
//!
//! The invariants that keep a model well defined: every divisor is a positive constant and every shift distance a small
//! one; an index is masked or reduced to its array unless the model is meant to stray; a loop inside `atomic` or
//! `d_step` counts a variable that nothing else writes; a variable assigned in an endless loop takes few values
//! (modulo, or a narrow type); a local channel is handed only to younger processes, which die first; bit arrays and
//! one-bit channels hold 0 and 1; nothing depends on a construct that pan is known to get wrong (see `profile.rs`).

mod blocks;
mod channels;
mod decls;
mod exprs;
mod jumps;
mod loops;
mod processes;
mod repair;
mod selections;
mod simple;
mod statements;
mod symbols;

use super::profile::Profile;
use super::tree::Model;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256StarStar;
use std::collections::BTreeSet;
use symbols::{Scope, Symbols};

/// The same seed and profile always give the same model.
pub fn generate(seed: u64, profile: &Profile) -> Model {
    let mut generator = Generator::new(seed, profile);
    let mut model = Model { bare_lines: generator.chance(profile.bare_lines), ..Model::default() };
    generator.declare_globals(&mut model);
    generator.plan_processes();
    generator.write_inlines(&mut model);
    generator.write_processes(&mut model);
    if model.bare_lines {
        generator.note("separator: line end");
    }
    model.features = generator.features;
    model
}

struct Generator<'a> {
    rng: Xoshiro256StarStar,
    profile: &'a Profile,
    temper: Temper,
    symbols: Symbols,
    scope: Scope,
    /// Statements that may still be spent on the current process.
    budget: i32,
    features: BTreeSet<&'static str>,
}

/// What is decided once for the whole model.
#[derive(Clone, Copy)]
struct Temper {
    patient: bool,
    truthful: bool,
    stray: bool,
    priorities: bool,
    rendezvous: bool,
    last: bool,
    remote: bool,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    /// How many more levels of compound statements may be opened.
    depth: u32,
    region: Region,
    /// Inside a loop that need not end: values must stay few and no process may be created without a limit.
    repeats: bool,
    /// Inside a `do` or `for` that `break` may leave.
    breakable: bool,
    /// Labels below this index of `Scope::landings` are out of reach.
    landings_from: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    Plain,
    Atomic,
    DStep,
}

impl<'a> Generator<'a> {
    fn new(seed: u64, profile: &'a Profile) -> Generator<'a> {
        let mut generator = Generator {
            rng: Xoshiro256StarStar::seed_from_u64(seed),
            profile,
            temper: Temper {
                patient: false,
                truthful: false,
                stray: false,
                priorities: false,
                rendezvous: false,
                last: false,
                remote: false,
            },
            symbols: Symbols::default(),
            scope: Scope::default(),
            budget: 0,
            features: BTreeSet::new(),
        };
        let priorities = generator.chance(profile.priority);
        generator.temper = Temper {
            patient: generator.chance(profile.patient),
            truthful: generator.chance(profile.truthful),
            stray: generator.chance(profile.stray_index.0),
            priorities,
            // as spin: pan.c refuses priorities together with rendezvous channels
            rendezvous: !priorities,
            last: generator.chance(profile.last),
            remote: generator.chance(profile.remote),
        };
        generator
    }

    fn note(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    /// A number below `n`, which must be positive.
    fn below(&mut self, n: u32) -> u32 {
        (self.rng.next_u64() >> 33) as u32 % n
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize].clone()
    }

    fn pick_some<T: Clone>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(self.pick(items)) }
    }

    /// One of the weighted choices; the weights must not all be zero.
    fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut rest = self.below(total);
        for &(weight, choice) in choices {
            if rest < weight {
                return choice;
            }
            rest -= weight;
        }
        unreachable!("a number below the total falls into one of the weights")
    }
}
