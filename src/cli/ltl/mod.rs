//! `swarmgp ltl`

mod conditions;
mod equivalence;
mod input;
mod translate;

use super::args::Ltl;
use super::output::Reader;
use super::{Done, Exit, output, say};
use crate::report::formula::json::Answer;
use crate::report::formula::{Sense, formats, reading, summary};
use crate::report::json::{render, render_line};
use crate::source::Span;
use input::{Input, Origin, Problem};
use std::time::Instant;
use translate::{stutter_invariant, translate};

pub fn ltl(args: &Ltl) -> Done {
    match (&args.check_equivalent, &args.file) {
        (Some(formulas), _) => equivalence::check(formulas, args),
        (None, Some(file)) => answer_all(&Input::lines(file)?, args),
        (None, None) => {
            let formula = args.formula.as_deref().unwrap_or_default();
            answer_all(&Input::argument("<formula>", formula), args)
        }
    }
}

/// What is printed about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Summary,
    Reading,
    Never,
    Hoa,
    Dot,
    Json,
}

impl Form {
    fn of(args: &Ltl) -> Form {
        let options = [
            (args.show, Form::Reading),
            (args.never, Form::Never),
            (args.hoa, Form::Hoa),
            (args.dot, Form::Dot),
            (args.json, Form::Json),
        ];
        options.into_iter().find(|&(wanted, _)| wanted).map_or(Form::Summary, |(_, form)| form)
    }

    /// For people, who like a blank line between two formulas.
    fn is_prose(self) -> bool {
        matches!(self, Form::Summary | Form::Reading)
    }
}

/// Answers for every formula; one that is bad does not keep the others from theirs.
fn answer_all(input: &Input, args: &Ltl) -> Done {
    let form = Form::of(args);
    let (mut exit, mut first) = (Exit::Fine, true);
    for &formula in &input.formulas {
        match answer(input, formula, form, args) {
            Ok(text) => {
                let gap = if form.is_prose() && !first { "\n" } else { "" };
                first = false;
                if output::print(&format!("{gap}{text}"))? == Reader::Gone {
                    return Ok(exit);
                }
            }
            Err(problem) => {
                say(&input.sources, &problem.diagnostic);
                exit = worse(exit, problem.exit);
            }
        }
    }
    if form == Form::Reading && !first {
        output::print(&format!("\n{}", reading::PRECEDENCE))?;
    }
    Ok(exit)
}

fn answer(input: &Input, formula: Span, form: Form, args: &Ltl) -> Result<String, Problem> {
    let started = Instant::now();
    let sense = if args.negate { Sense::Negated } else { Sense::Plain };
    let parsed = input.parse(formula)?;
    let text = input.sources.text(formula);
    if form == Form::Reading {
        return Ok(reading::reading(text, &parsed, sense));
    }
    let translated = translate(text, parsed.expr, sense, started);
    if (form, input.origin) != (Form::Json, Origin::Lines) {
        input.warn(formula, &parsed.warnings);
    }
    let translated = translated.map_err(|limit| input.beyond(formula, limit))?;
    Ok(match (form, input.origin) {
        (Form::Never, _) => formats::never(&translated),
        (Form::Dot, _) => formats::dot(&translated),
        (Form::Hoa, _) => formats::hoa(&translated, stutter_invariant(&translated)),
        (Form::Json, Origin::Lines) => render_line(&Answer::new(&translated)),
        (Form::Json, Origin::Argument) => render(&Answer::detailed(&translated, stutter_invariant(&translated))),
        (Form::Summary | Form::Reading, _) => summary::summary(&translated, stutter_invariant(&translated)),
    })
}

/// A bad formula weighs more than a limit.
fn worse(one: Exit, other: Exit) -> Exit {
    let weight = |exit: Exit| match exit {
        Exit::Fine => 0,
        Exit::Inconclusive => 1,
        Exit::Violated | Exit::Refused | Exit::Internal => 2,
    };
    if weight(other) > weight(one) { other } else { one }
}
