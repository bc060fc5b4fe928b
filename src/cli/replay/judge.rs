//! Whether a run violates the property that it is replayed with.

use super::property::{Chosen, Kind};
use crate::program::Program;
use crate::search::Violation;
use crate::trail::Ending;
use crate::trail::accepted::{Course, Visible, Watched, watch};

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

/// Judges a run.
pub fn judge(program: &Program, chosen: &Chosen, visible: &Visible) -> Judged {
    // labels are about runs that go on
    if chosen.kind == Kind::Labels && matches!(visible.ending, Ending::End | Ending::InvalidEnd) {
        return Judged::NotViolated;
    }
    match watch(program, &chosen.claim, visible) {
        Watched::Accepts(course) => violated(chosen, &course),
        Watched::Refuses => Judged::NotViolated,
        Watched::Undecided => Judged::Undecided,
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
