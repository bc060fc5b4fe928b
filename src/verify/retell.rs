//! A run of a program that was made smaller, told as a run of the whole program.
//!
//! The steps are the same. But what is one move there may be several here, each of which a claim looks at; and where values were dropped
//! a cycle may have to be followed once before it comes back to the same state.

use super::task::Kind;
use crate::program::Program;
use crate::search::{Finding, Violation, Witness};
use crate::system::{Cutoff, OnTruncation};
use crate::trail::accepted::{Course, Track, Watched, watch};
use crate::trail::follow::follow;
use crate::trail::{Ending, Moment};

/// Tells the run of a finding anew. What cannot be told is left as it is: whoever confirms the finding will see.
pub fn retell(program: &Program, kind: &Kind, finding: &mut Finding, on_truncation: OnTruncation, cutoff: &Cutoff) {
    let execute = |witness: &Witness| Executed::new(program, witness, on_truncation, cutoff);
    let mut witness = finding.witness.clone();
    let Some(mut executed) = execute(&witness) else { return };
    if executed.ending == Ending::BrokenCycle {
        witness.repeat_cycle();
        let Some(again) = execute(&witness) else { return };
        executed = again;
    }
    let retold = match (kind, finding.violation) {
        (Kind::Safety, _) => Some(executed.moves(witness)),
        (Kind::Cycles { claim, .. }, Violation::AcceptanceCycle | Violation::ClaimCompleted) => {
            match watch(program, claim, &executed.track.visible(witness.cycle, &executed.ending)) {
                Watched::Accepts(course) => Some(watched(witness, &course)),
                Watched::Refuses | Watched::Undecided => None,
            }
        }
        _ => None,
    };
    if let Some(retold) = retold {
        finding.witness = retold;
    }
}

/// A run that was executed.
struct Executed {
    track: Track,
    ending: Ending,
}

impl Executed {
    fn new(program: &Program, witness: &Witness, on_truncation: OnTruncation, cutoff: &Cutoff) -> Option<Executed> {
        let mut track = Track::default();
        let see = &mut |moment: &Moment| track.note(moment);
        let replayed = follow(program, witness, on_truncation, cutoff, see).ok()?;
        track.end(&replayed.state);
        Some(Executed { track, ending: replayed.ending })
    }

    /// The run with its moves: where each of them begins.
    fn moves(&self, witness: Witness) -> Witness {
        let mut starts = self.track.visible(None, &self.ending).seen.to_vec();
        // there is no step in the last state
        starts.pop();
        if matches!(self.ending, Ending::Fault { .. }) {
            // what fails is no move
            starts.pop();
        }
        Witness { sights: starts.into_iter().map(|at| (at, 0)).collect(), ..witness }
    }
}

/// The run with what a claim does along it; the claim may need several laps of a cycle.
fn watched(witness: Witness, course: &Course) -> Witness {
    let Witness { mut steps, cycle, .. } = witness;
    let (end, start) = (steps.len(), cycle.unwrap_or(steps.len()));
    let lap = end - start;
    let mut sights = Vec::new();
    for (number, looks) in course.laps.iter().enumerate() {
        if number > 0 {
            steps.extend_from_within(start..end);
        }
        sights.extend(looks.iter().map(|look| (look.position + number * lap, look.after)));
    }
    let cycle = course.again.map(|again| start + again * lap);
    Witness { steps, cycle, sights }
}
