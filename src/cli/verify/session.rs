//! The properties of one model, checked one after the other, and what is told of each.

use super::counterexample::Counterexample;
use super::summary::Summary;
use super::{Line, exit_of, overview, worse};
use crate::cli::args::{PropertyArgs, Verify};
use crate::cli::output::Reader;
use crate::cli::{Exit, Failure, output, say_all};
use crate::load::Loaded;
use crate::program::Program;
use crate::report::json::{Document, Remark};
use crate::search::{Plan, Report, Verdict};
use crate::source::{Diagnostic, Severity};
use crate::system::Cutoff;
use crate::trail::origin::{Origin, Violated};
use crate::verify::confirm::excuse;
use crate::verify::{Attempt, Attempts, Clock, RefusedProperty, Request, Task};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What all properties have in common.
pub struct Session<'s> {
    pub args: &'s Verify,
    pub request: &'s Request,
    pub loaded: &'s Loaded<Program>,
    /// Of the model without what the command line adds to it.
    pub fingerprint: u64,
    /// There is one property only.
    pub alone: bool,
    pub stop: &'s Arc<AtomicBool>,
}

/// What was told so far.
pub struct Results<'r> {
    pub document: &'r mut Document,
    pub overview: Vec<overview::Entry>,
    pub exit: Exit,
}

impl Session<'_> {
    /// Searches for violations of a property, and tells what was found; whether someone still reads it.
    pub fn check(&self, task: &Task, plan: &Plan, clock: Clock, results: &mut Results) -> Result<Reader, Failure> {
        let Session { args, request, loaded, alone, stop, .. } = *self;
        let attempts = Attempts { request, program: &loaded.it, task, plan };
        let mut runs = attempts.search(clock, &Line { shown: !args.quiet && args.json.is_none() })?;
        if loaded.it.layout.hidden_words > 0 {
            // others than the first need not be runs
            runs[0].report.keep_first();
        }
        let time = clock.time.filter(|_| args.runs.is_none());
        let cutoff = Cutoff::new(vec![stop.clone()], clock.started, time, None).with_grace();
        let counterexamples = match self.replayed(task, &runs[0].report, &cutoff) {
            Ok(counterexamples) => counterexamples,
            Err(failure) => {
                let reason = excuse(&loaded.it, &cutoff).filter(|_| matches!(failure, Failure::Internal(_)));
                runs[0].report.retract(reason.ok_or(failure)?);
                runs[0].report.name_shares_of(request.limits.time);
                Vec::new()
            }
        };
        let Attempt { report, time } = &runs[0];
        let summary = Summary {
            args,
            request,
            loaded,
            task,
            alone,
            report,
            runs: &runs,
            counterexamples: &counterexamples,
            time: *time,
            share: clock.time.filter(|_| !alone && args.runs.is_none()),
        };
        self.tell(&summary, results)
    }

    /// Tells the answer to one question.
    fn tell(&self, summary: &Summary, results: &mut Results) -> Result<Reader, Failure> {
        let Summary { args, task, report, .. } = *summary;
        let mut unwritten = summary.counterexamples.iter().filter_map(|example| example.unwritten.as_ref());
        if args.trail.is_none() {
            for unwritten in unwritten.clone() {
                output::warn(unwritten);
                results.document.warn([Remark::warning(unwritten)]);
            }
        }
        let mut reader = Reader::There;
        match args.json {
            Some(schema) => results.document.add(summary.answer(schema.into())),
            None => reader = output::print(&summary.text())?,
        }
        results.overview.push(overview::Entry::of(task, report, summary.time));
        let warnings = summary.warnings();
        warnings.iter().for_each(|warning| output::warn(&format!("{}: {warning}", task.property)));
        results.exit = worse(results.exit, exit_of(&report.verdict));
        match unwritten.next().filter(|_| args.trail.is_some()) {
            // the verdict has been given, the file that was asked for has not
            Some(unwritten) => Err(Failure::Usage(unwritten.clone())),
            None => Ok(reader),
        }
    }

    /// Tells which properties were refused, and why.
    pub fn refuse(&self, refused: &[RefusedProperty], results: &mut Results) -> Result<(), Failure> {
        let (sources, is_text) = (&self.loaded.sources, self.args.json.is_none());
        for RefusedProperty { property, diagnostics } in refused {
            say_all(sources, diagnostics);
            let remarks = Remark::all(sources, diagnostics);
            results.document.refuse_one(remarks.into_iter().map(|remark| remark.about(property)));
            results.overview.push(overview::Entry::refused(property));
            if is_text {
                output::print(&format!("{property}: refused: {}\n", reason(diagnostics)))?;
            }
            results.exit = worse(results.exit, Exit::Refused);
        }
        if !refused.is_empty() && is_text && !self.args.quiet {
            output::print("\n")?;
        }
        Ok(())
    }

    /// What a trail of this property says about itself.
    fn origin(&self, task: &Task) -> Origin {
        let PropertyArgs { ltl, never, automaton, .. } = &self.args.asked;
        let violated = match (ltl, never.as_ref().or(automaton.as_ref())) {
            (Some(formula), _) => Violated::Formula(formula.clone()),
            // the model may have a claim of the same name
            (None, Some(file)) => Violated::Claim(file.display().to_string()),
            (None, None) => Violated::Property(task.property.clone()),
        };
        Origin { violated, options: Vec::new(), model: self.fingerprint }
    }

    /// What a report has found, each run executed again.
    fn replayed<'r>(
        &self,
        task: &Task,
        report: &'r Report,
        cutoff: &Cutoff,
    ) -> Result<Vec<Counterexample<'r>>, Failure> {
        let first = match &report.verdict {
            Verdict::Violated(finding) => Some(&**finding),
            Verdict::Holds | Verdict::Inconclusive(_) => None,
        };
        let origin = self.origin(task);
        let asked = (self.args, self.request);
        let mut examples = Vec::new();
        for (finding, number) in first.into_iter().chain(&report.further).zip(1..) {
            match Counterexample::of(asked, self.loaded, task, (finding, number), &origin, self.alone, cutoff) {
                Ok(example) => examples.push(example),
                // the first one decides; for the others there is no time left
                Err(Failure::Internal(_)) if number > 1 && cutoff.halted().is_some() => break,
                Err(failure) => return Err(failure),
            }
        }
        Ok(examples)
    }
}

/// Why a property is refused, in one line.
fn reason(diagnostics: &[Diagnostic]) -> String {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    error.map(|error| error.message.clone()).unwrap_or_default()
}
