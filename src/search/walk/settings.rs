//! The parameters of searches that walk: their names, their defaults, and how to set them.

use super::ants::Ants;
use super::colony;
use super::gega::Gega;
use super::path_ga::PathGa;
use super::random::RandomWalk;
use std::ops::RangeInclusive;

/// What costs no more than time, and ends with it: rounds, generations, walks.
pub const EFFORT: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// What is kept: individuals of a population, ants.
pub const SIZE: RangeInclusive<u64> = 1..=1_000_000;
/// Steps of a path.
pub const LENGTH: RangeInclusive<u64> = 1..=1_000_000;
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

/// A parameter that can be set.
pub struct Parameter<'s> {
    pub name: String,
    pub meaning: &'static str,
    pub value: Value<'s>,
}

/// Where its value is.
pub enum Value<'s> {
    Count(&'s mut u64, RangeInclusive<u64>),
    Real(&'s mut f64, RangeInclusive<f64>),
    /// Between 0 and 1.
    Share(&'s mut f64),
    Switch(&'s mut bool),
    /// One of several names.
    Choice(Choice<'s>),
}

/// A value with a name, and how to set it to another.
pub struct Choice<'s> {
    chosen: &'static str,
    names: Vec<&'static str>,
    /// By number.
    choose: Box<dyn FnMut(usize) + 's>,
}

impl<'s> Value<'s> {
    /// One of these values, each of which has a name.
    pub fn choice<T: Copy>(value: &'s mut T, all: &'static [T], name: fn(T) -> &'static str) -> Value<'s> {
        Value::Choice(Choice {
            chosen: name(*value),
            names: all.iter().map(|&value| name(value)).collect(),
            choose: Box::new(move |number| *value = all[number]),
        })
    }
}

impl Value<'_> {
    /// As it is written.
    pub fn shown(&self) -> String {
        match self {
            Value::Count(count, _) => count.to_string(),
            Value::Real(number, _) | Value::Share(number) => number.to_string(),
            Value::Switch(on) => if **on { "on" } else { "off" }.into(),
            Value::Choice(choice) => choice.chosen.into(),
        }
    }

    /// What it may be.
    pub fn range(&self) -> String {
        match self {
            Value::Count(_, range) => format!("{} to {}", range.start(), range.end()),
            Value::Real(_, range) => format!("{} to {}", range.start(), range.end()),
            Value::Share(_) => "0 to 1".into(),
            Value::Switch(_) => "on or off".into(),
            Value::Choice(choice) => choice.names.join(", "),
        }
    }

    /// Sets it; an error says what would be right.
    fn set(&mut self, text: &str) -> Result<(), String> {
        let number = || text.parse::<f64>().ok();
        let allowed = self.range();
        match self {
            Value::Count(count, range) => {
                let right = || format!("a whole number, {allowed}");
                **count = text.parse().ok().filter(|count| range.contains(count)).ok_or_else(right)?;
            }
            Value::Real(value, range) => {
                **value =
                    number().filter(|number| range.contains(number)).ok_or_else(|| format!("a number, {allowed}"))?;
            }
            Value::Share(value) => {
                **value = number().filter(|number| (0.0..=1.0).contains(number)).ok_or("a number, 0 to 1")?;
            }
            Value::Switch(on) => {
                **on = match text {
                    "on" => true,
                    "off" => false,
                    _ => return Err(allowed),
                }
            }
            Value::Choice(choice) => {
                let number = choice.names.iter().position(|&name| name == text);
                (choice.choose)(number.ok_or_else(|| format!("one of {allowed}"))?);
            }
        }
        Ok(())
    }
}

/// Sets a parameter among `parameters` as `NAME=VALUE` says.
pub fn set(parameters: &mut [Parameter], assignment: &str) -> Result<(), String> {
    let (name, value) = assignment.split_once('=').ok_or_else(|| format!("`{assignment}` is not NAME=VALUE"))?;
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let known = names.join(", ");
    let none = if names.is_empty() { "it has none".into() } else { format!("it has {known}") };
    let parameter = parameters.iter_mut().find(|parameter| parameter.name == name);
    let parameter = parameter.ok_or_else(|| format!("this search has no parameter `{name}`: {none}"))?;
    parameter.value.set(value).map_err(|right| format!("{name} is {right}, not `{value}`"))
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

pub fn parameter<'s>(name: &str, meaning: &'static str, value: Value<'s>) -> Parameter<'s> {
    Parameter { name: name.into(), meaning, value }
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
