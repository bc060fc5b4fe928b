//! Whether a run violates the property that it is replayed with.

use super::property::{Chosen, Kind};
use crate::program::Program;
use crate::search::Violation;
use crate::system::Step;
use crate::trail::accepted::{Course, Visible, Watched, watch};
use crate::trail::follow::goes_on;
use crate::trail::{Ending, Moment};

/// The states of a run and the steps between them.
#[derive(Default)]
pub struct Seen {
    states: Vec<Vec<u64>>,
    steps: Vec<Step>,
}

/// What a run comes to for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// With the words of verify.
    Violated(Violation, &'static str),
    NotViolated,
    /// The run stops too early.
    Undecided,
}

impl Judged {
    /// For programs; null where it cannot be told.
    pub fn violated(self) -> Option<bool> {
        match self {
            Judged::Violated(..) => Some(true),
            Judged::NotViolated => Some(false),
            Judged::Undecided => None,
        }
    }
}

impl Seen {
    pub fn note(&mut self, moment: &Moment) {
        if self.states.is_empty() {
            self.states.push(moment.before.to_vec());
        }
        self.states.push(moment.after.unwrap_or(moment.before).to_vec());
        self.steps.push(moment.step);
    }

    /// Judges the run that was noted; its cycle starts with this step.
    pub fn judge(
        mut self,
        program: &Program,
        chosen: &Chosen,
        cycle: Option<usize>,
        ending: (&Ending, &[u64]),
    ) -> Judged {
        let (ending, last) = ending;
        // labels are about runs that go on
        if chosen.kind == Kind::Labels && matches!(ending, Ending::End | Ending::InvalidEnd) {
            return Judged::NotViolated;
        }
        if self.states.is_empty() && !last.is_empty() {
            self.states.push(last.to_vec());
        }
        let is_inside =
            |at: usize| at > 0 && at < self.steps.len() && goes_on(program, self.steps[at - 1], self.steps[at]);
        let seen = (0..self.states.len()).filter(|&at| !is_inside(at)).collect();
        let visible = Visible { states: &self.states, seen, cycle, ending };
        match watch(program, &chosen.claim, &visible) {
            Watched::Accepts(course) => violated(chosen, &course),
            Watched::Refuses => Judged::NotViolated,
            Watched::Undecided => Judged::Undecided,
        }
    }
}

fn violated(chosen: &Chosen, course: &Course) -> Judged {
    let mut looks = course.laps.iter().flatten();
    match looks.find_map(|look| chosen.claim.is_decided(look.after)) {
        Some(message) => Judged::Violated(Violation::ClaimCompleted, message),
        None if chosen.violation == Violation::NonProgressCycle => {
            Judged::Violated(chosen.violation, "non-progress cycle")
        }
        None => Judged::Violated(chosen.violation, "acceptance cycle"),
    }
}
