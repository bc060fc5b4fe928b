//! What a replay comes to: in one line, for programs, and as an exit code.

use super::judge::Judged;
use super::property::{Question, Why};
use crate::cli::Exit;
use crate::cli::args::Replay;
use crate::program::Program;
use crate::report::json::Judgement;
use crate::report::text;
use crate::search::Violation;
use crate::source::Sources;
use crate::trail::{Ending, Replayed};

pub struct Outcome {
    /// What goes wrong whatever the property is: in the end, or on the way.
    pub by_itself: Option<(Violation, String)>,
    /// The property with a claim that the run was judged by.
    judged: Option<(String, Judged)>,
}

impl Outcome {
    pub fn of(args: &Replay, question: &Question, judged: Option<(String, Judged)>, replayed: &Replayed) -> Outcome {
        let asked = matches!(
            question,
            Question::Named(_, Why::Asked) | Question::Formula(_, Why::Asked) | Question::NeverIn(_)
        );
        // as in verify: a claim does not care how a run ends
        let by_itself = violation(args, replayed).filter(|(kind, _)| !asked || *kind != Violation::InvalidEndState);
        Outcome { by_itself, judged }
    }

    /// The property is violated, or something else goes wrong.
    pub fn violation(&self) -> Option<(Violation, String)> {
        match self.judged {
            Some((_, Judged::Violated(violation, message))) => Some((violation, message.into())),
            _ => self.by_itself.clone(),
        }
    }

    pub fn exit(&self) -> Exit {
        match (&self.judged, self.violation()) {
            (_, Some(_)) => Exit::Violated,
            (Some((_, Judged::Undecided)), None) => Exit::Inconclusive,
            _ => Exit::Fine,
        }
    }

    pub fn judgement(&self) -> Option<Judgement> {
        self.judged.as_ref().map(|(name, judged)| Judgement { name: name.clone(), violated: judged.violated() })
    }

    /// What the trail comes to, in one line.
    pub fn headline(&self, program: &Program, sources: &Sources, question: &Question, replayed: &Replayed) -> String {
        let place = match &replayed.ending {
            Ending::Fault { step: Some(step), fault } => Some(text::place_of(program, sources, *step, fault)),
            _ => None,
        };
        match (&self.judged, &self.by_itself) {
            (Some((name, Judged::Violated(_, message))), _) => format!("{name}: {}", text::violated(message, None)),
            (_, Some((_, message))) => text::violated(message, place.as_deref()),
            (Some((name, Judged::NotViolated)), None) => format!("{name}: this run does not violate it"),
            (Some((name, Judged::Undecided)), None) => format!("{name}: the run stops too early to tell"),
            (None, None) if replayed.ending == Ending::Cycle => not_judged("a cycle", question),
            (None, None) if replayed.ending == Ending::Repeats => not_judged("a run that ends", question),
            (None, None) if matches!(question, Question::Elsewhere(_)) => not_judged("a run", question),
            (None, None) => "no violation".into(),
        }
    }
}

/// An endless run that was not judged.
fn not_judged(run: &str, question: &Question) -> String {
    match question {
        Question::Named(name, _) => format!("{run} (the trail is one of {name}, which was not checked again)"),
        Question::Formula(text, _) => format!("{run} (the trail is one of {text}, which was not checked again)"),
        Question::Elsewhere(file) => {
            format!("{run} (the trail is one of the claim in {file}, which was not checked again)")
        }
        Question::Safety => format!("no violation: {run}"),
        _ => format!("{run} (the trail does not say which property it violates: --property P tells whether it is P)"),
    }
}

/// What is violated in the end, or was on the way.
fn violation(args: &Replay, replayed: &Replayed) -> Option<(Violation, String)> {
    match &replayed.ending {
        Ending::Fault { fault, .. } => Some((fault.violation(), fault.to_string())),
        Ending::InvalidEnd => Some((Violation::InvalidEndState, "invalid end state".into())),
        Ending::End if args.check_channels_empty && replayed.messages_left => {
            Some((Violation::InvalidEndState, "messages are left in channels".into()))
        }
        _ => replayed.passed.as_ref().map(|fault| (fault.violation(), fault.to_string())),
    }
}
