//! A run of a program that was made smaller, told as a run of the whole program.
//!
//! The steps are the same. But what is one move there may be several here, each of which a claim looks at; and where values were dropped
//! a cycle may have to be followed once before it comes back to the same state.

use super::task::Kind;
use crate::program::Program;
use crate::search::{Finding, Violation, Witness};
use crate::system::{Cutoff, OnTruncation, Step};
use crate::trail::accepted::{Course, Visible, Watched, watch};
use crate::trail::follow::{follow, goes_on};
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
        (Kind::Safety, _) => Some(executed.moves(program, witness)),
        (Kind::Cycles { claim, .. }, Violation::AcceptanceCycle | Violation::ClaimCompleted) => {
            let seen = executed.seen(program);
            let visible = Visible { states: &executed.states, seen, cycle: witness.cycle, ending: &executed.ending };
            match watch(program, claim, &visible) {
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
    /// From the initial one on.
    states: Vec<Vec<u64>>,
    steps: Vec<Step>,
    ending: Ending,
}

impl Executed {
    fn new(program: &Program, witness: &Witness, on_truncation: OnTruncation, cutoff: &Cutoff) -> Option<Executed> {
        let (mut states, mut steps) = (Vec::new(), Vec::new());
        let replayed = follow(program, witness, on_truncation, cutoff, &mut |moment: &Moment| {
            if states.is_empty() {
                states.push(moment.before.to_vec());
            }
            states.push(moment.after.unwrap_or(moment.before).to_vec());
            steps.push(moment.step);
        });
        let replayed = replayed.ok()?;
        if states.is_empty() {
            states.push(replayed.state.clone());
        }
        Some(Executed { states, steps, ending: replayed.ending })
    }

    /// The positions of the states that a scheduler sees.
    fn seen(&self, program: &Program) -> Vec<usize> {
        let steps = &self.steps;
        let is_inside = |at: usize| at > 0 && at < steps.len() && goes_on(program, steps[at - 1], steps[at]);
        (0..self.states.len()).filter(|&at| !is_inside(at)).collect()
    }

    /// The run with its moves: where each of them begins.
    fn moves(&self, program: &Program, witness: Witness) -> Witness {
        let mut starts = self.seen(program);
        starts.retain(|&at| at < self.steps.len());
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
