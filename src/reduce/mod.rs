//! Partial-order reduction: which of the moves that are possible in a state need not be explored there without any error being missed.
//!
//! In: a program and what a claim looks at. Out: for a state and its successors, a part of them that suffices ([`stubborn`]). The search must
//! see to it that nothing is put off for ever (a proviso).

mod access;
mod dead;
mod finals;
mod merge;
mod profile;
mod stubborn;
mod total;
mod touch;
mod units;

use crate::program::Program;
use crate::program::code::Code;
use access::{Set, Shared};
use dead::drop_dead_values;
use finals::Final;
use merge::merge_private_steps;
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

/// A program with the same violations and fewer states: dead values are dropped, and steps that nobody notices go with the step before
/// them. Its transitions have the numbers of the original ones. `conditions` are what a claim reads.
pub fn smaller(program: &Program, conditions: &[Code]) -> Program {
    let mut smaller = program.clone();
    drop_dead_values(&mut smaller, conditions);
    merge_private_steps(&mut smaller, conditions);
    smaller
}

impl<'p> Reduction<'p> {
    /// For a search for violations of safety. Fails with the reason if the order of independent steps matters everywhere.
    pub fn new(program: &'p Program) -> Result<Reduction<'p>, &'static str> {
        Reduction::watching(program, &[])
    }

    /// For a claim that looks at these conditions.
    pub fn watching(program: &'p Program, conditions: &[Code]) -> Result<Reduction<'p>, &'static str> {
        if program.layout.priority.is_some() {
            return Err("it uses priorities");
        }
        if program.layout.last.is_some() {
            return Err("it uses _last");
        }
        let shared = Shared::new(program, conditions);
        let careers = profile::careers(program, &shared);
        let knows_pid = program.automata.iter().map(|automaton| {
            let mut found = false;
            for transition in &program.transitions[automaton.range()] {
                transition.action.visit(&mut |code| found |= matches!(code, Code::Pid));
            }
            found
        });
        let mut watched = shared.none();
        let nobody = crate::program::footprint::Owner { kind: 0, pid: None, settled: Box::default() };
        let actor = Actor { program, shared: &shared, owner: &nobody, careers: &careers };
        for condition in conditions {
            watched.extend(&actor.evaluation(condition).minds);
        }
        let finals = finals::finals(program, &shared);
        let knows_pid = knows_pid.collect();
        let watches = !conditions.is_empty();
        Ok(Reduction { program, careers, knows_pid, watched, watches, finals, shared })
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
