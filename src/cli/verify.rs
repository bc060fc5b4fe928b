//! `swarmgp verify`

use super::args::Verify;
use super::{Done, Exit, Failure, interrupt, memory, output, progress, say_all};
use crate::load::{self, Loaded};
use crate::model::ProctypeKind;
use crate::program::Program;
use crate::reduce::Reduction;
use crate::report::figures::counted;
use crate::report::json::{Answer, Question, Step, Trail};
use crate::report::rows::Rows;
use crate::report::text::Excerpt;
use crate::report::{json, text, unreached};
use crate::search::{self, Checks, Config, Finding, Limits, Monitor, Problem, Report, Strategy, Verdict, Violation};
use crate::source::Sources;
use crate::system::{Fault, Interpreter};
use crate::trail::{Ending, Replayed, follow, write};
use std::time::{Duration, Instant};

pub fn verify(args: &Verify) -> Done {
    check_property(args)?;
    let source = load::read(&args.model.model)?;
    let loaded = load::program(source, &args.model.options())?;
    say_all(&loaded.sources, &loaded.warnings);
    if args.property.is_none() {
        warn_unchecked(&loaded.it);
    }
    let (report, time) = search(args, &loaded.it)?;
    let counterexample = match &report.verdict {
        Verdict::Violated(finding) => Some(Counterexample::of(args, &loaded, finding)?),
        Verdict::Holds | Verdict::Inconclusive(_) => None,
    };
    let summary = Summary { args, loaded: &loaded, report: &report, counterexample: counterexample.as_ref(), time };
    output::print(&if args.json { summary.json() } else { summary.text() });
    Ok(match report.verdict {
        Verdict::Holds => Exit::Fine,
        Verdict::Violated(_) => Exit::Violated,
        Verdict::Inconclusive(_) => Exit::Inconclusive,
    })
}

/// Only safety can be checked so far.
fn check_property(args: &Verify) -> Result<(), Failure> {
    let unsupported = |what: String| Err(Failure::Usage(format!("liveness properties are not supported yet: {what}")));
    if let Some(formula) = &args.ltl {
        return unsupported(format!("--ltl '{formula}'"));
    }
    if let Some(file) = &args.never {
        return unsupported(format!("--never {}", file.display()));
    }
    match args.property.as_deref() {
        None | Some("safety") => Ok(()),
        Some(name @ ("never" | "acceptance" | "progress")) => unsupported(format!("--property {name}")),
        Some(name) if name.strip_prefix("ltl:").is_some_and(|rest| !rest.is_empty()) => {
            unsupported(format!("--property {name}"))
        }
        Some(name) => {
            let message = format!("no such property: {name} (there are safety, ltl:NAME, never, acceptance, progress)");
            Err(Failure::Usage(message))
        }
    }
}

/// The model states more than is checked.
fn warn_unchecked(program: &Program) {
    let model = &program.model;
    let formulas = model.formulas.iter().map(|formula| format!("ltl {}", formula.name));
    let claims =
        model.proctypes.iter().filter(|p| p.kind == ProctypeKind::Never).map(|_| "the never claim".to_string());
    let unchecked: Vec<String> = formulas.chain(claims).collect();
    if !unchecked.is_empty() {
        let what = unchecked.join(", ");
        output::warn(&format!("not checked, because liveness properties are not supported yet: {what}"));
    }
}

fn search(args: &Verify, program: &Program) -> Result<(Report, Duration), Failure> {
    let limits = Limits {
        max_depth: args.max_depth,
        max_states: args.max_states,
        memory: args.memory.or_else(memory::default_limit),
        time: args.time,
    };
    let reduction = Reduction::new(program);
    if args.reduce {
        check_reduction(args.search, &reduction)?;
    }
    let problem = Problem { system: Interpreter::new(program), checks: checks(args), reduction: reduction.ok() };
    let config = Config { strategy: args.search, keep_going: args.keep_going, reduce: args.reduce };
    let monitor = Monitor::new(limits, interrupt::flag());
    let start = Instant::now();
    let run = || search::run(&problem, config, &monitor);
    let report = if args.quiet || args.json { run() } else { progress::watched(&monitor, run) };
    Ok((report, start.elapsed()))
}

fn check_reduction(strategy: Strategy, reduction: &Result<Reduction, &'static str>) -> Result<(), Failure> {
    match reduction {
        _ if strategy != Strategy::Bfs => {
            Err(Failure::Usage(format!("--reduce works with --search bfs, not with {}", strategy.name())))
        }
        Err(why) => Err(Failure::Usage(format!("--reduce does not work for this model: {why}"))),
        Ok(_) => Ok(()),
    }
}

fn checks(args: &Verify) -> Checks {
    Checks {
        assertions: !args.no_assertions,
        end_states: !args.no_end_states,
        channels_empty: args.check_channels_empty,
    }
}

/// A violation with its run, which has been re-executed.
struct Counterexample<'c> {
    finding: &'c Finding,
    excerpt: Excerpt,
    replayed: Replayed,
    /// The file the trail was written to.
    file: Option<String>,
}

impl<'c> Counterexample<'c> {
    /// Re-executes the run of a finding and writes its trail file.
    fn of(args: &Verify, loaded: &Loaded<Program>, finding: &'c Finding) -> Result<Self, Failure> {
        let Loaded { it: program, sources, .. } = loaded;
        let length = finding.witness.length();
        let whole = args.full_trail || args.trail_steps;
        let mut excerpt = if whole { Excerpt::whole(length) } else { Excerpt::abbreviated(length) };
        let rows = Rows::new(program, sources);
        let mut faults = Vec::new();
        let replayed = follow::follow(program, &finding.witness, &mut |moment| {
            if excerpt.wants(moment.number) {
                excerpt.rows.extend(rows.of(moment));
            }
            faults = moment.faults.to_vec();
        });
        let replayed = replayed.map_err(|unplayable| {
            let why = unplayable.explain(program, sources).message;
            Failure::Internal(format!("the violation that was found cannot be replayed: {why}"))
        })?;
        if !confirmed(finding, &replayed, &faults, checks(args)) {
            let message = format!("the replay does not end in the violation that was found ({})", finding.message);
            return Err(Failure::Internal(message));
        }
        let file = write_trail(args, program, finding, &replayed);
        Ok(Counterexample { finding, excerpt, replayed, file })
    }

    fn place(&self, program: &Program, sources: &Sources) -> Option<String> {
        match self.replayed.ending {
            Ending::Fault { step: Some(step), .. } => Some(text::place_of(program, sources, step)),
            _ => None,
        }
    }
}

/// Whether a replay ends in the violation that a search reported; `faults` are those of its last step.
fn confirmed(finding: &Finding, replayed: &Replayed, faults: &[Fault], checks: Checks) -> bool {
    match (finding.violation, &replayed.ending) {
        (Violation::InvalidEndState, Ending::End) => checks.channels_empty && replayed.messages_left,
        (Violation::InvalidEndState, _) => replayed.deadlock,
        (_, Ending::Fault { fault, step: None }) => fault.to_string() == finding.message,
        (_, Ending::Fault { .. }) => faults.iter().any(|fault| fault.to_string() == finding.message),
        _ => false,
    }
}

/// Writes the trail file, if there is to be one; its name.
fn write_trail(args: &Verify, program: &Program, finding: &Finding, replayed: &Replayed) -> Option<String> {
    if args.no_trail {
        return None;
    }
    let file = args.trail.clone().unwrap_or_else(|| args.model.trail_file());
    let text = write::write(program, &finding.witness, replayed.failed);
    match std::fs::write(&file, text) {
        Ok(()) => Some(file.display().to_string()),
        Err(error) => {
            output::warn(&format!("cannot write the trail to {}: {}", file.display(), load::why(&error)));
            None
        }
    }
}

/// Everything there is to say.
struct Summary<'r> {
    args: &'r Verify,
    loaded: &'r Loaded<Program>,
    report: &'r Report,
    counterexample: Option<&'r Counterexample<'r>>,
    time: Duration,
}

impl Summary<'_> {
    fn json(&self) -> String {
        let question = Question {
            model: self.args.model.shown(),
            property: "safety".into(),
            search: self.report.search_name(self.args.search),
            seed: None,
        };
        let trail = self.counterexample.map(|example| {
            let witness = &example.finding.witness;
            Trail {
                length: witness.length(),
                cycle_start: witness.cycle.map(|i| witness.steps[..i].iter().map(|s| s.length()).sum::<usize>() + 1),
                file: example.file.clone(),
                steps: self.args.trail_steps.then(|| example.excerpt.rows.iter().map(Step::from).collect()),
            }
        });
        json::render(&Answer::new(question, self.report, trail, self.time))
    }

    fn text(&self) -> String {
        let Loaded { it: program, sources, .. } = self.loaded;
        let place = self.counterexample.and_then(|example| example.place(program, sources));
        let mut out = format!("{}\n", text::headline(&self.report.verdict, place.as_deref()));
        if self.args.quiet {
            return out;
        }
        if let Some(example) = self.counterexample {
            out.push('\n');
            out.push_str(&example.excerpt.text());
            out.push_str(&text::ending(program, sources, &example.replayed));
            if let Some(file) = &example.file {
                let steps = counted(example.finding.witness.length() as u64, "step");
                out.push_str(&format!("\ntrail: {steps}, written to {file}\n"));
            }
        }
        out.push('\n');
        out.push_str(&text::figures(self.report, self.time));
        if self.args.unreached || self.report.complete {
            let list = unreached::unreached(program, sources, &self.report.executed);
            out.push_str(&text::unreached(&list));
        }
        out
    }
}
