//! Everything there is to say about a property that was checked.

use super::checks_safety_too;
use super::counterexample::Counterexample;
use super::runs::{self, json_run};
use crate::cli::args::Verify;
use crate::cli::wrap::{all_wrapped, wrapped};
use crate::cli::{memory, output};
use crate::load::Loaded;
use crate::program::Program;
use crate::property::vacuity;
use crate::report::executions::Execution;
use crate::report::figures::{counted, grouped};
use crate::report::json::{self, Answer, Error, Question, Schema, Step, Trail};
use crate::report::unreached::{self, Unreached};
use crate::report::{executions, paint, text, truncations};
use crate::search::catalogue::{AUTO, BFS, INDFS};
use crate::search::{Artificial, Finding, Quality, Report, Verdict, Violation, rounded};
use crate::verify::{Attempt, Kind, Request, Task, untried};
use std::time::Duration;

pub struct Summary<'r> {
    pub args: &'r Verify,
    pub request: &'r Request,
    pub loaded: &'r Loaded<Program>,
    pub task: &'r Task<'r>,
    /// No other property is checked.
    pub alone: bool,
    pub report: &'r Report,
    /// All of them, if there were several; the one of the report first.
    pub runs: &'r [Attempt],
    /// The first is that of the verdict.
    pub counterexamples: &'r [Counterexample<'r>],
    pub time: Duration,
    /// How long it might take, if the time limit is for several properties.
    pub share: Option<Duration>,
}

impl Summary<'_> {
    pub fn answer(&self, schema: Schema) -> Answer {
        let question = Question {
            property: self.task.property.clone(),
            search: self.report.search_name(),
            seed: self.report.seed,
        };
        let Loaded { it: program, sources, .. } = self.loaded;
        let trail = self.counterexamples.first().map(|example| self.trail(example));
        let errors = self.counterexamples.iter().zip(&self.report.met).map(|(example, &count)| {
            let Finding { violation, message, .. } = example.finding;
            let place = example.place(program, sources);
            Error { violation: violation.name(), message: message.clone(), place, count, trail: self.trail(example) }
        });
        let runs = if self.runs.len() > 1 { self.runs.iter().map(json_run).collect() } else { Vec::new() };
        let mut answer =
            Answer::new(question, self.report, (trail, errors.collect()), self.warnings(), runs, self.time);
        answer.errors_unlisted = self.unlisted();
        answer.untried = self.untried();
        answer.share_s = self.share.map(|share| share.as_secs_f64());
        answer.peak_bytes = memory::peak().filter(|_| self.args.peak_memory);
        answer.executions = self.executions();
        answer.unreached = self.unreached().filter(|_| schema == Schema::Two);
        if schema == Schema::One { answer.with_counted_errors(self.report) } else { answer }
    }

    /// Errors that are not listed: there are too many different ones, or there was no time to replay them.
    fn unlisted(&self) -> u64 {
        self.report.unlisted + self.report.met.iter().skip(self.counterexamples.len()).sum::<u64>()
    }

    fn executions(&self) -> Option<Vec<Execution>> {
        let Loaded { it: program, sources, .. } = self.loaded;
        self.args.execution_counts.then(|| executions::executions(program, sources, &self.report.executions))
    }

    /// Statements that no run executes, where that is known or asked for.
    fn unreached(&self) -> Option<Vec<Unreached>> {
        let known = matches!(self.task.kind, Kind::Safety) && (self.args.unreached || self.report.complete);
        known.then(|| unreached::unreached(&self.loaded.it, &self.loaded.sources, &self.report.coverage.executed))
    }

    /// What is left to be tried, if nothing is known.
    fn untried(&self) -> Vec<String> {
        untried(self.request, &self.loaded.it, self.task, self.report)
    }

    fn trail(&self, example: &Counterexample) -> Trail {
        let witness = &example.finding.witness;
        Trail {
            length: witness.length(),
            cycle_start: witness.cycle.map(|i| witness.steps[..i].iter().map(|s| s.length()).sum::<usize>() + 1),
            file: example.file.clone(),
            initial_truncations: example.replayed.truncated_at_start.iter().map(json::Truncation::from).collect(),
            steps: self.args.trail_steps.then(|| example.excerpt.rows.iter().map(Step::from).collect()),
        }
    }

    /// Why the verdict may not be what was meant.
    pub fn warnings(&self) -> Vec<String> {
        self.truncations().into_iter().chain(self.vacuity()).collect()
    }

    /// Values were truncated, and nobody asked whether they are. It is said once, if several properties are checked.
    fn truncations(&self) -> Option<String> {
        let said = self.alone || matches!(self.task.kind, Kind::Safety);
        if !said || self.args.check_truncation {
            return None;
        }
        let Loaded { it: program, sources, .. } = self.loaded;
        truncations::warning(program, sources, &self.report.coverage.truncations)
    }

    /// Why a property that holds may not say what was meant.
    fn vacuity(&self) -> Vec<String> {
        match (&self.task.kind, &self.report.verdict, &self.report.seen) {
            (Kind::Cycles { claim, formula, violation }, Verdict::Holds, Some(seen))
                if *violation == Violation::AcceptanceCycle =>
            {
                vacuity::remarks(claim, *formula, seen)
            }
            _ => Vec::new(),
        }
    }

    pub fn text(&self) -> String {
        let Loaded { it: program, sources, .. } = self.loaded;
        let first = self.counterexamples.first();
        let place = first.and_then(|example| example.place(program, sources));
        let headline = text::headline(&self.report.verdict, place.as_deref());
        let headline = if self.alone { headline } else { format!("{}: {headline}", self.task.property) };
        let mut out = paint::headline(&wrapped(&headline, 2, output::width())) + "\n";
        if self.args.quiet {
            return out;
        }
        if let Some(example) = first {
            out.push('\n');
            out.push_str(&example.excerpt.text(&example.replayed, output::width()));
            out.push_str(&text::ending(program, sources, &example.replayed));
            if let Some(file) = &example.file {
                let steps = counted(example.finding.witness.length() as u64, "step");
                out.push_str(&format!("\ntrail: {steps}, written to {file}\n"));
            }
            out.push_str(match self.report.quality {
                Some(Quality::Shortest) if matches!(self.task.kind, Kind::Safety) => {
                    "no violation can be reached by fewer moves\n"
                }
                Some(Quality::Shortest) => "no shorter run of model and claim together is accepted\n",
                Some(Quality::ByRounds) => {
                    "no shorter run is fair by counting rounds; there may be a shorter fair run\n"
                }
                Some(Quality::BestSoFar) => "there may be a shorter run: this could not be told\n",
                None => "",
            });
        }
        let met = |number: usize| match self.report.met.get(number) {
            Some(&met) if met > 1 => format!(", met {} times", grouped(met)),
            _ => String::new(),
        };
        if first.is_some() && !met(0).is_empty() {
            out.push_str(&format!("this error was{}\n", &met(0)[1..]));
        }
        for (number, example) in self.counterexamples.iter().enumerate().skip(1) {
            let place = example.place(program, sources).map(|place| format!("  ({place})")).unwrap_or_default();
            let steps = counted(example.finding.witness.length() as u64, "step");
            let file = example.file.as_ref().map(|file| format!(", written to {file}")).unwrap_or_default();
            out.push_str(&format!("\nalso: {}{place}{}\ntrail: {steps}{file}\n", example.finding.message, met(number)));
        }
        if self.unlisted() > 0 {
            let errors = counted(self.unlisted(), "error");
            out.push_str(&format!("\n{errors} more: only {} different ones are listed\n", self.counterexamples.len()));
        }
        out.push('\n');
        let about = self.what_was_checked() + &self.walk() + &text::figures(self.report, self.time);
        out.push_str(&all_wrapped(&about, 2, output::width()));
        out.push_str(&self.unreached().map(|list| text::unreached(&list)).unwrap_or_default());
        if let (Some(share), Some(limit)) = (self.share, self.args.time) {
            let limit = limit.as_secs_f64();
            out.push_str(&format!("its share of the time limit of {limit} s was {}\n", rounded(share)));
        }
        let untried = self.untried();
        if !untried.is_empty() {
            out.push_str(&format!("not tried: {}\n", untried.join(", ")));
        }
        if let Some(ranges) = &self.report.ranges {
            out.push_str(&text::ranges(program, ranges, self.report.complete && !self.report.reduced));
        }
        if let Some(executions) = self.executions() {
            out.push_str(&text::executions(&executions, self.report.complete && !self.report.reduced));
        }
        if !self.alone {
            out.push('\n');
        }
        out
    }

    /// What a walk did, or several, and how a trail was made shorter.
    fn walk(&self) -> String {
        let mut parts = Vec::new();
        if let Some(threads) = self.report.threads {
            let seed = self.report.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
            parts.push(format!("{}, {}{seed}", self.report.search.name, counted(threads as u64, "thread")));
        }
        if let Some(evaluations) = self.report.evaluations {
            let name = self.report.search.name;
            parts.push(format!("{name}, seed {}, {evaluations} states expanded", self.report.seed.unwrap_or(0)));
        }
        let by_companion = self.args.search.is_none_or(|search| search == &AUTO)
            && Some(self.report.search) == self.task.kind.depth_first();
        if by_companion {
            parts.push(format!("{}, beside a breadth-first search", self.report.search.name));
        }
        if let Some(walked) = self.report.walked.filter(|&walked| walked > 0) {
            parts.push(format!("ants and genes beside it expanded {} and found nothing", counted(walked, "state")));
        }
        if let Some(dived) = self.report.dived.filter(|&dived| dived > 0) {
            parts.push(format!("a depth-first search beside it entered {} and found nothing", counted(dived, "state")));
        }
        if let Some(artificial) = self.report.artificial {
            let Artificial { bred, states, reachable } = artificial;
            let bred = counted(bred, "artificial state");
            let states = counted(states, "state");
            let reachable = reachable.map(|reachable| format!(", {} of them reachable", grouped(reachable)));
            parts.push(format!("{bred} bred, {states} searched from there{}", reachable.unwrap_or_default()));
        }
        if let (Some(raw), Some(example)) = (self.report.found_length, self.counterexamples.first()) {
            let length = example.finding.witness.length();
            let shortened = if length < raw { format!(", shortened to {length}") } else { String::new() };
            parts.push(format!("found with {}{shortened}", counted(raw as u64, "step")));
        }
        let mut out = parts.join("; ");
        if !out.is_empty() {
            out.push('\n');
        }
        if self.runs.len() > 1 {
            out.push_str(&runs::text(self.runs));
        }
        out
    }

    /// What else a search for cycles looked at, and what not.
    fn what_was_checked(&self) -> String {
        let Kind::Cycles { claim, .. } = &self.task.kind else { return String::new() };
        let labels = claim.heeds_labels() && self.loaded.it.has_accept_labels();
        let shape = match (claim.is_terminal(), claim.is_weak()) {
            (true, _) => "terminal claim: a bad prefix is enough",
            _ if labels => "acceptance labels of processes: nested search",
            _ if self.args.asked.weak_fairness => "fairness: nested search",
            (_, true) => "weak claim: one search suffices",
            _ => "claim with mixed components: nested search",
        };
        let others = match (!checks_safety_too(self.args), self.args.no_assertions) {
            (true, false) => {
                "assertions and run-time errors were checked on the runs of the claim, end states were not"
            }
            (true, true) => "run-time errors were checked on the runs of the claim, assertions and end states were not",
            (false, _) => "assertions, end states and run-time errors: see safety",
        };
        let shape = match self.report.search {
            search if [&BFS, &INDFS].contains(&search) => format!("{}, {shape}\n", search.name),
            _ => String::new(),
        };
        format!("{shape}{others}\n")
    }
}
