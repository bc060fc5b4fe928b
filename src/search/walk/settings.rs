//! The parameters of searches that walk: their names, their defaults, and how to set them.

use super::ants::Ants;
use super::colony;
use super::gega::Gega;
use super::path_ga::PathGa;
use super::random::RandomWalk;

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
    /// At least 1.
    Count(&'s mut u64),
    /// 0 or more.
    Real(&'s mut f64),
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
            Value::Count(count) => count.to_string(),
            Value::Real(number) | Value::Share(number) => number.to_string(),
            Value::Switch(on) => if **on { "on" } else { "off" }.into(),
            Value::Choice(choice) => choice.chosen.into(),
        }
    }

    /// Sets it; an error says what would be right.
    fn set(&mut self, text: &str) -> Result<(), String> {
        let number = || text.parse::<f64>().ok().filter(|number| number.is_finite());
        match self {
            Value::Count(count) => {
                **count = text.parse().ok().filter(|&count| count > 0).ok_or("a whole number above 0")?;
            }
            Value::Real(value) => **value = number().filter(|&number| number >= 0.0).ok_or("a number from 0 on")?,
            Value::Share(value) => {
                **value = number().filter(|number| (0.0..=1.0).contains(number)).ok_or("a number between 0 and 1")?;
            }
            Value::Switch(on) => {
                **on = match text {
                    "on" => true,
                    "off" => false,
                    _ => return Err("on or off".into()),
                }
            }
            Value::Choice(choice) => {
                let number = choice.names.iter().position(|&name| name == text);
                (choice.choose)(number.ok_or_else(|| format!("one of {}", choice.names.join(", ")))?);
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
                Value::Count(tries),
            ));
            parameters.push(parameter("rounds", "rounds of looking there and back", Value::Count(rounds)));
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
        named("steps", "steps in all (msteps)", Value::Count(steps)),
        named("ants", "ants in each step (colsize)", Value::Count(ants)),
        named("length", "how far an ant goes (lambda_ant)", Value::Count(length)),
        named("stage", "steps of a stage (sigma_s)", Value::Count(stage)),
        named("width", "paths that are kept for the next stage (iota)", Value::Count(width)),
        named("xi", "how much pheromone fades under an ant", Value::Share(xi)),
        named("ratio", "of the pheromone limits (a)", Value::Real(ratio)),
        named("rho", "how much pheromone evaporates in a step", Value::Share(rho)),
        named("alpha", "weight of pheromone", Value::Real(alpha)),
        named("beta", "weight of the heuristic", Value::Real(beta)),
        named("penalty", "for paths that find nothing (p_p)", Value::Real(penalty)),
        named("circle", "for paths that end in a circle (p_c)", Value::Real(circle)),
        named("orders", "share of ants that follow an order of the processes; 0 in the paper", Value::Share(orders)),
    ]
}
