//! The parameters of searches that walk: their names and their defaults.

use super::ants::Ants;
use super::colony;
use super::gega::Gega;
use super::path_ga::PathGa;
use super::random::RandomWalk;
use crate::search::parameter::{EFFORT, LENGTH, Parameter, SIZE, Value, parameter};

/// Genes or bits of a whole population.
pub const MOST_GENES: u64 = 50_000_000;

/// The parameters of all walks.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub ants: Ants,
    pub path_ga: PathGa,
    pub gega: Gega,
    pub random: RandomWalk,
}

impl Settings {
    /// The parameters of `aco`, or of `aco-live`.
    pub fn ants(&mut self, live: bool) -> Vec<Parameter<'_>> {
        let Ants { first, second, scc, tries, rounds } = &mut self.ants;
        let mut parameters = colony_parameters(first, "");
        if live {
            parameters.extend(colony_parameters(second, "back."));
            parameters.push(parameter(
                "tries",
                "accepting states to find a way back to, in a round",
                Value::Count(tries, 1..=100_000),
            ));
            parameters.push(parameter("rounds", "rounds of looking there and back", Value::Count(rounds, EFFORT)));
            parameters.push(parameter("scc", "use the classes of the claim's components", Value::Switch(scc)));
        }
        parameters
    }
}

fn colony_parameters<'s>(colony: &'s mut colony::Parameters, phase: &str) -> Vec<Parameter<'s>> {
    let colony::Parameters { steps, ants, length, stage, width, xi, ratio, rho, alpha, beta, penalty, circle, orders } =
        colony;
    let named = |name: &str, meaning, value| Parameter { name: format!("{phase}{name}"), meaning, value };
    vec![
        named("steps", "steps in all (msteps)", Value::Count(steps, EFFORT)),
        named("ants", "ants in each step (colsize)", Value::Count(ants, SIZE)),
        named("length", "how far an ant goes (lambda_ant)", Value::Count(length, LENGTH)),
        named("stage", "steps of a stage (sigma_s)", Value::Count(stage, EFFORT)),
        named("width", "paths that are kept for the next stage (iota)", Value::Count(width, 1..=100_000)),
        named("xi", "how much pheromone fades under an ant", Value::Share(xi)),
        named("ratio", "of the pheromone limits (a)", Value::Real(ratio, 1.0..=1e9)),
        named("rho", "how much pheromone evaporates in a step", Value::Share(rho)),
        named("alpha", "weight of pheromone", Value::Real(alpha, 0.0..=100.0)),
        named("beta", "weight of the heuristic", Value::Real(beta, 0.0..=100.0)),
        named("penalty", "for paths that find nothing (p_p)", Value::Real(penalty, 0.0..=1e9)),
        named("circle", "for paths that end in a circle (p_c)", Value::Real(circle, 0.0..=1e9)),
        named("orders", "share of ants that follow an order of the processes; 0 in the paper", Value::Share(orders)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parameter::set;

    #[test]
    fn what_is_out_of_range_is_refused() {
        let mut settings = Settings::default();
        let mut refused = |assignment: &str| set(&mut settings.ants(false), assignment).expect_err(assignment);
        assert_eq!(refused("ants=0"), "ants is a whole number, 1 to 1000000, not `0`");
        assert_eq!(
            refused("ants=18446744073709551615"),
            "ants is a whole number, 1 to 1000000, not `18446744073709551615`"
        );
        assert_eq!(refused("ratio=0.5"), "ratio is a number, 1 to 1000000000, not `0.5`");
        for number in ["NaN", "inf", "-1", "1e300"] {
            assert_eq!(refused(&format!("beta={number}")), format!("beta is a number, 0 to 100, not `{number}`"));
            assert_eq!(refused(&format!("rho={number}")), format!("rho is a number, 0 to 1, not `{number}`"));
        }
        assert_eq!(set(&mut settings.ants(false), "ants=1000000"), Ok(()));
    }
}
