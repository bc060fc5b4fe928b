//! The object that `verify --json` prints, in one shape for one property, several or none.
//!
//! Schema 2: `schema`, `model`, `verdict` (the worst), `results`, `diagnostics`. Schema 1 had the fields of a result at the top where one
//! property was checked, and nothing at all for a model that could not be read; it can still be had for a release.

use super::{Answer, Remark, render};
use serde::Serialize;

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// The old one: the fields of a result are at the top if there is only one.
    One,
    /// The current one: results are always a list, and diagnostics are part of the object.
    Two,
}

/// Everything that a verification has to say.
#[derive(Clone, Debug)]
pub struct Document {
    model: Option<String>,
    results: Vec<Answer>,
    diagnostics: Vec<Remark>,
    /// A property, or all of them, could not be checked.
    refused: bool,
    /// One of several properties is in error.
    lacking: bool,
    /// A limit was met before anything could be checked.
    unloaded: bool,
}

#[derive(Serialize)]
struct SecondSchema<'d> {
    schema: u32,
    model: Option<&'d str>,
    verdict: Option<&'static str>,
    results: &'d [Answer],
    diagnostics: &'d [Remark],
}

#[derive(Serialize)]
struct FirstSchema<'d> {
    schema: u32,
    model: Option<&'d str>,
    #[serde(flatten)]
    answer: &'d Answer,
}

#[derive(Serialize)]
struct FirstSchemaOfSeveral<'d> {
    schema: u32,
    model: Option<&'d str>,
    results: Vec<FirstSchema<'d>>,
}

impl Document {
    /// Without results yet; `model` is the file as it was named, `None` if the command line cannot be read.
    pub fn new(model: impl Into<Option<String>>) -> Document {
        let model = model.into();
        Document {
            model,
            results: Vec::new(),
            diagnostics: Vec::new(),
            refused: false,
            lacking: false,
            unloaded: false,
        }
    }

    /// Adds the result of one property.
    pub fn add(&mut self, answer: Answer) {
        self.results.push(answer);
    }

    /// Adds diagnostics. They do not change the verdict.
    pub fn warn(&mut self, remarks: impl IntoIterator<Item = Remark>) {
        self.diagnostics.extend(remarks);
    }

    /// Nothing more is checked, for these reasons.
    pub fn refuse(&mut self, remarks: impl IntoIterator<Item = Remark>) {
        self.warn(remarks);
        self.refused = true;
    }

    /// Nothing is known of the model, since a limit was met before it was loaded.
    pub fn give_up(&mut self, remarks: impl IntoIterator<Item = Remark>) {
        self.warn(remarks);
        self.unloaded = true;
    }

    /// One of several properties is in error, for these reasons; the others are checked.
    pub fn refuse_one(&mut self, remarks: impl IntoIterator<Item = Remark>) {
        self.warn(remarks);
        self.lacking = true;
    }

    /// The text of the object; schema 1 has none for what is refused.
    pub fn render(&self, schema: Schema) -> Option<String> {
        match schema {
            Schema::Two => Some(render(&self.second())),
            Schema::One if self.refused || self.unloaded => None,
            Schema::One => Some(match &self.results[..] {
                [only] => render(&self.first(only)),
                all => render(&FirstSchemaOfSeveral {
                    schema: 1,
                    model: self.model.as_deref(),
                    results: all.iter().map(|answer| self.first(answer)).collect(),
                }),
            }),
        }
    }

    fn first<'d>(&'d self, answer: &'d Answer) -> FirstSchema<'d> {
        FirstSchema { schema: 1, model: self.model.as_deref(), answer }
    }

    fn second(&self) -> SecondSchema<'_> {
        let told = |verdict: &&str| !self.refused && (!self.lacking || *verdict == "violated");
        let verdict = if self.unloaded { Some("inconclusive") } else { worst(&self.results).filter(told) };
        let (model, results, diagnostics) = (self.model.as_deref(), &self.results, &self.diagnostics);
        SecondSchema { schema: 2, model, verdict, results, diagnostics }
    }
}

/// A violation is worse than not knowing.
fn worst(results: &[Answer]) -> Option<&'static str> {
    let given = |verdict: &&str| results.iter().any(|answer| answer.verdict == *verdict);
    ["violated", "inconclusive", "holds"].into_iter().find(given)
}
