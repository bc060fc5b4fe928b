//! Random walks: the baseline for everything that claims to be clever.

use super::walker::{View, Walker};
use super::{Budget, Found, Traces};
use crate::search::Reason;
use crate::search::parameter::{EFFORT, Parameter, Value, parameter};
use crate::system::System;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomWalk {
    pub walks: u64,
    pub length: u64,
}

impl Default for RandomWalk {
    fn default() -> RandomWalk {
        RandomWalk { walks: 10_000, length: 1_000 }
    }
}

impl RandomWalk {
    pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
        vec![
            parameter("walks", "walks in all", Value::Count(&mut self.walks, EFFORT)),
            parameter("length", "how far a walk goes", Value::Count(&mut self.length, 1..=100_000_000)),
        ]
    }

    pub fn search<S: System>(
        &self,
        walker: &mut Walker<S>,
        random: &mut Xoshiro256PlusPlus,
        budget: &Budget,
        traces: &mut Traces,
    ) -> Result<Option<Found>, Reason> {
        for _ in 0..self.walks {
            walker.restart();
            for _ in 0..self.length {
                budget.check(walker, walker.memory())?;
                traces.memory = walker.memory();
                match walker.look() {
                    View::Successors(0) => break,
                    View::Successors(options) => {
                        let chosen = random.random_range(0..options);
                        walker.take(walker.unexplored(chosen));
                    }
                    View::Wrong(wrong) => return Ok(Some(Found::wrong(&walker.place, wrong))),
                    View::Cycle { option, start } => return Ok(Some(walker.closed(option, start))),
                }
            }
        }
        Ok(None)
    }
}
