//! Parameters of searches: their names, their ranges, and how to set them.

use std::ops::RangeInclusive;

/// What costs no more than time, and ends with it: rounds, generations, walks.
pub const EFFORT: RangeInclusive<u64> = 1..=1_000_000_000_000;
/// What is kept: individuals of a population, ants.
pub const SIZE: RangeInclusive<u64> = 1..=1_000_000;
/// Steps of a path.
pub const LENGTH: RangeInclusive<u64> = 1..=1_000_000;
/// A parameter that can be set.
pub struct Parameter<'s> {
    /// What stands in front of `=`.
    pub name: String,
    /// In a few words.
    pub meaning: &'static str,
    /// Where its value is, and what it may be.
    pub value: Value<'s>,
}

/// Where the value of a parameter is, and what it may be.
pub enum Value<'s> {
    /// A whole number.
    Count(&'s mut u64, RangeInclusive<u64>),
    /// A number.
    Real(&'s mut f64, RangeInclusive<f64>),
    /// Between 0 and 1.
    Share(&'s mut f64),
    /// On or off.
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

/// A parameter with this name.
pub fn parameter<'s>(name: &str, meaning: &'static str, value: Value<'s>) -> Parameter<'s> {
    Parameter { name: name.into(), meaning, value }
}
