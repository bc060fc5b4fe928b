//! Partial-order reduction: which of the moves that are possible in a state need not be explored there without any error being missed.
//!
//! In: a program and what a claim looks at. Out: for a state and its successors, a part of them that suffices ([`Chooser`]). The search must
//! see to it that nothing is put off for ever (a proviso).
//!
//! With a claim, why an accepted run r over a run w of the system is found in the reduced product, in which sets depend on the state of the system
//! alone, and what is expanded on the claim's state as well: follow w from the initial state. Where its next step t is in what is explored, take
//! it. Elsewhere some step of the set comes first, one of w or an invisible one that w lacks; w goes on with the same other steps, and as only
//! steps in the set or steps left out may be visible, not both, its labels are the same but for repetitions. The next visible step never gets
//! farther away by this, and nearer by each step of w; since every cycle has an expanded state, w has a step again and again. So all that has
//! changed in the end is how often each label is repeated; meanwhile the claim has to move without knowing these numbers. That it can, and
//! accepts, is what [`ltl::stutter_game`] decides for the claim's automaton; other claims are not reduced ([`crate::property::Claim::conditions`]).
//! In a search for a bad prefix not every cycle need have an expanded state, but however the claim moves one must be reached by invisible steps.

mod access;
pub mod checked;
mod choices;
mod closure;
mod dead;
mod disjoint;
mod finals;
mod meetings;
mod memory;
mod merge;
mod options;
mod profile;
mod scene;
mod stubborn;
#[cfg(test)]
mod tests;
mod takers;
mod total;
mod touch;
mod units;
mod ways;

use crate::program::Program;
use crate::program::code::Code;
use crate::system::{Cutoff, Effort, Halt};
use access::{Set, Shared};
pub use dead::Liveness;
use dead::drop_dead_values;
use finals::Final;
use merge::merge_private_steps;
use std::str::FromStr;
pub use stubborn::{Choice, Chooser};
use touch::Actor;

/// What is known of a program for the sake of reduction. It does not change while a search runs.
pub struct Reduction<'p> {
    program: &'p Program,
    shared: Shared,
    /// By proctype.
    careers: Vec<Set>,
    /// By proctype: some statement mentions `_pid`.
    knows_pid: Vec<bool>,
    /// The accesses that change what a claim looks at.
    watched: Set,
    watches: bool,
    finals: Vec<Final>,
}

/// Which reductions are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reductions {
    /// Values that no statement reads any more are dropped.
    pub dead: bool,
    /// Steps that no other process notices go with the step before them.
    pub merge: bool,
    /// Only some orders of independent steps are explored.
    pub order: bool,
}

impl Reductions {
    /// The whole state space.
    pub const NONE: Reductions = Reductions { dead: false, merge: false, order: false };
    /// All of them.
    pub const ALL: Reductions = Reductions { dead: true, merge: true, order: true };

    /// Some reduction is wanted.
    pub fn any(self) -> bool {
        self != Reductions::NONE
    }
}

/// A list of names with commas; `off` for none of them, `all` for all.
impl FromStr for Reductions {
    type Err = String;

    fn from_str(text: &str) -> Result<Reductions, String> {
        let mut wanted = match text {
            "off" => return Ok(Reductions::NONE),
            "all" => return Ok(Reductions::ALL),
            _ => Reductions::NONE,
        };
        for name in text.split(',') {
            match name.trim() {
                "dead" => wanted.dead = true,
                "merge" => wanted.merge = true,
                "order" => wanted.order = true,
                "all" | "off" => return Err(format!("`{}` stands alone, not in a list", name.trim())),
                other => return Err(format!("`{other}` is none of dead, merge, order, all and off")),
            }
        }
        Ok(wanted)
    }
}

/// A program with the same violations and fewer states: dead values are dropped, and steps that no other process notices go with the
/// step before them, as far as that is wanted. Its transitions have the numbers of the original ones. `conditions` are what a claim
/// reads.
pub fn smaller(program: &Program, wanted: Reductions, liveness: Liveness, conditions: &[Code]) -> Program {
    let unlimited = Cutoff::default();
    let smaller = smaller_within(program, wanted, liveness, conditions, &mut Effort::within(&unlimited));
    smaller.expect("without limits none is met")
}

/// The same within limits.
pub fn smaller_within(
    program: &Program,
    wanted: Reductions,
    liveness: Liveness,
    conditions: &[Code],
    effort: &mut Effort,
) -> Result<Program, Halt> {
    let mut smaller = program.clone();
    if wanted.dead {
        drop_dead_values(&mut smaller, liveness, conditions, effort)?;
    }
    if wanted.merge {
        merge_private_steps(&mut smaller, conditions, effort)?;
    }
    Ok(smaller)
}

/// What all statements do and mind may take so many words. (With a million channels, a set has a megabyte.)
const MOST_WORDS: usize = 1 << 22;

const TOO_MANY: &str = "it has too many statements, channels and processes to tell which of them depend on each other";

/// Why the order of independent steps matters everywhere, if it does.
fn order_matters(program: &Program) -> Option<&'static str> {
    let priorities = program.layout.priority.is_some().then_some("it uses priorities");
    priorities.or(program.layout.last.is_some().then_some("it uses _last"))
}

/// A search for violations of safety can leave out orders of independent steps.
pub fn can_order(program: &Program) -> bool {
    order_matters(program).is_none() && program.transitions.len() * Shared::new(program, &[]).words() <= MOST_WORDS
}

impl<'p> Reduction<'p> {
    /// For a search for violations of safety. Fails with the reason if the order of independent steps matters everywhere.
    pub fn new(program: &'p Program) -> Result<Reduction<'p>, &'static str> {
        Reduction::watching(program, &[])
    }

    /// For a claim that looks at these conditions.
    pub fn watching(program: &'p Program, conditions: &[Code]) -> Result<Reduction<'p>, &'static str> {
        let unlimited = Cutoff::default();
        let reduction = Reduction::watching_within(program, conditions, &mut Effort::within(&unlimited));
        reduction.expect("without limits none is met")
    }

    /// The same within limits; an error if one is met.
    pub fn watching_within(
        program: &'p Program,
        conditions: &[Code],
        effort: &mut Effort,
    ) -> Result<Result<Reduction<'p>, &'static str>, Halt> {
        if let Some(why) = order_matters(program) {
            return Ok(Err(why));
        }
        let shared = Shared::new(program, conditions);
        if program.transitions.len() * shared.words() > MOST_WORDS {
            return Ok(Err(TOO_MANY));
        }
        let careers = profile::careers(program, &shared, effort)?;
        let knows_pid = program.automata.iter().map(|automaton| {
            let mut found = false;
            for transition in &program.transitions[automaton.range()] {
                transition.action.visit(&mut |code| found |= matches!(code, Code::Pid));
            }
            found
        });
        let mut watched = shared.none();
        // a claim is no process: its conditions have no locals of their own
        let claim = crate::program::footprint::Owner { kind: 0, pid: None, settled: Box::default() };
        let actor = Actor { program, shared: &shared, owner: &claim, careers: &careers };
        for condition in conditions {
            watched.extend(&actor.evaluation(condition).minds);
        }
        let finals = finals::finals(program, &shared);
        let knows_pid = knows_pid.collect();
        let watches = !conditions.is_empty();
        Ok(Ok(Reduction { program, careers, knows_pid, watched, watches, finals, shared }))
    }

    /// What is reduced.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    fn is_watched(&self) -> bool {
        self.watches
    }

    /// Collects the accesses to variables that have their final value in a state.
    fn note_final(&self, state: &[u8], inert: &mut Set) {
        inert.clear();
        for last in self.finals.iter().filter(|last| last.is_reached(state)) {
            inert.insert(Shared::read(last.variable));
            inert.insert(Shared::write(last.variable));
        }
    }
}
