//! How a walk comes along, round by round: what curves are drawn from.
//!
//! A round is a step of a colony or a generation. Long walks are thinned out: only every second, fourth, … round is kept.

use super::pheromone::Pheromone;
use serde::Serialize;

/// Rounds that are kept, at most.
const MOST: usize = 2_048;

/// The rounds of a walk; `None` unless they were asked for.
#[derive(Debug, Default)]
pub struct Chronicle {
    rounds: Option<Vec<Round>>,
    /// Rounds so far, and how many of them make one that is kept.
    seen: usize,
    stride: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Round {
    /// From 1.
    pub number: usize,
    /// States expanded so far.
    pub expanded: u64,
    pub phase: Phase,
    /// How good the paths of this round are: the value of an ant's path, which is to become less; or fitness, which is to grow.
    pub values: Spread,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pheromone: Option<Spread>,
}

/// What the paths of a round are to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A violation, or a state that a cycle may go through.
    Out,
    /// The state where they have begun.
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub least: f64,
    pub mean: f64,
    pub most: f64,
}

impl Spread {
    /// Of some values; none of none.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Spread> {
        let (mut count, mut sum, mut least, mut most) = (0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (count, sum) = (count + 1, sum + value);
            (least, most) = (least.min(value), most.max(value));
        }
        (count > 0).then(|| Spread { least, mean: sum / count as f64, most })
    }
}

impl Chronicle {
    /// One that is kept.
    pub fn wanted() -> Chronicle {
        Chronicle { rounds: Some(Vec::new()), seen: 0, stride: 1 }
    }

    /// Notes a round, if rounds were asked for.
    pub fn note(
        &mut self,
        phase: Phase,
        expanded: u64,
        values: impl Iterator<Item = f64>,
        pheromone: Option<&Pheromone>,
    ) {
        let Some(rounds) = &mut self.rounds else { return };
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        let Some(values) = Spread::of(values) else { return };
        let pheromone = pheromone.and_then(Pheromone::spread);
        rounds.push(Round { number: self.seen, expanded, phase, values, pheromone });
        if rounds.len() == MOST {
            self.stride *= 2;
            rounds.retain(|round| round.number.is_multiple_of(self.stride));
        }
    }

    pub fn rounds(self) -> Option<Vec<Round>> {
        self.rounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_walks_are_thinned_out() {
        let mut chronicle = Chronicle::wanted();
        for number in 1..=10_000 {
            chronicle.note(Phase::Out, number, [number as f64, 0.0].into_iter(), None);
        }
        let rounds = chronicle.rounds().unwrap();
        assert!((MOST / 2..MOST).contains(&rounds.len()));
        assert!(rounds.iter().all(|round| round.number as u64 == round.expanded && round.number % 8 == 0));
        assert_eq!(rounds.last().unwrap().values, Spread { least: 0.0, mean: 5_000.0, most: 10_000.0 });
    }

    #[test]
    fn nobody_wants_to_know() {
        let mut chronicle = Chronicle::default();
        chronicle.note(Phase::Out, 1, [1.0].into_iter(), None);
        assert_eq!(chronicle.rounds(), None);
    }
}
