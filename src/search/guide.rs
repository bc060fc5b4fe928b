//! Heuristics: how far a state is, by estimate, from one that violates the property.
//!
//! | name       | what it estimates                                                                   | from |
//! |------------|-------------------------------------------------------------------------------------|------|
//! | `none`     | nothing: every state is as good as any other. Admissible.                            |      |
//! | `claim`    | the moves that the claim needs to accept. Admissible.                                |      |
//! | `formula`  | the steps until the conditions of the claim's way to acceptance hold, or those of a failing assertion, or a goal | H_φ of HSF-SPIN |
//! | `active`   | the processes that can still move: none of them can in a deadlock                    | HSF-SPIN |
//! | `error`    | the smaller one of `formula` and `active`                                            |      |
//! | `lasso`    | `formula`, and how far the system is from being at rest: all processes where they come by again and again, all channels empty. A run that comes to rest repeats itself |      |
//! | `enabled`  | the statements that can be executed: none in a deadlock                               | Godefroid, Khurshid |
//! | `fsm`      | the transitions of all processes to their places in a known state                    | H_fsm of HSF-SPIN |
//! | `hamming`  | the bits in which a known state differs                                              | H_ham of HSF-SPIN |
//!
//! Genetic algorithms also judge what only a walk knows:
//!
//! | name         | what is fit                                                            | from                |
//! |--------------|------------------------------------------------------------------------|---------------------|
//! | `blocked`    | a path at whose end many processes cannot move                         | geGA                |
//! | `messages`   | a path on which many messages are sent or received                     | Godefroid, Khurshid |
//! | `assertions` | a path on which many assertions are evaluated                          | Godefroid, Khurshid |
//!
//! An admissible heuristic never says more than the number of steps to the nearest violation.

use super::named::named;
use crate::program::Program;
use crate::program::code::{Action, Code};
use crate::program::routes::{FAR, Routes};
use crate::property::Claim;
use crate::property::claim::Way;
use crate::system::distance::control_distance;
use crate::system::{Observer, System};

named! {
    /// What to estimate; the head of the file says what each of them is.
    pub enum Heuristic {
        /// Every state is as good as any other.
        None = "none",
        /// Moves of the claim.
        Claim = "claim",
        /// Steps until the conditions on the way to a violation hold.
        Formula = "formula",
        /// Processes that can move.
        Active = "active",
        /// The smaller one of `formula` and `active`.
        Error = "error",
        /// `formula`, and how far the system is from being at rest.
        Lasso = "lasso",
        /// Statements that can be executed.
        Enabled = "enabled",
        /// Transitions of all processes to a known state.
        Fsm = "fsm",
        /// Bits that differ from a known state.
        Hamming = "hamming",
        /// Processes that cannot move at the end of a walk.
        Blocked = "blocked",
        /// Messages on a walk.
        Messages = "messages",
        /// Assertions that were evaluated on a walk.
        Assertions = "assertions",
    }
}

impl Heuristic {
    /// It never estimates too much.
    pub fn is_admissible(self) -> bool {
        matches!(self, Heuristic::None | Heuristic::Claim)
    }

    /// It is about a walk, not about a state.
    pub fn needs_walk(self) -> bool {
        matches!(self, Heuristic::Blocked | Heuristic::Messages | Heuristic::Assertions)
    }

    /// It is about a state that is known.
    pub fn needs_target(self) -> bool {
        matches!(self, Heuristic::Fsm | Heuristic::Hamming)
    }
}

/// A heuristic and what it needs to know about a model and a property.
pub struct Guide {
    heuristic: Heuristic,
    routes: Routes,
    /// By proctype: where a process comes by again and again.
    homes: Vec<Option<u32>>,
    /// By proctype: control states with an assertion, and what it asserts.
    assertions: Vec<Vec<(u32, Code)>>,
    /// By state of the claim.
    ways: Vec<Vec<Way>>,
    /// How many moves a state of the claim is from an accepting one.
    moves: Vec<u32>,
    goal: Option<Code>,
}

impl Guide {
    /// A guide for runs of a program that a claim accepts; `goal` is a condition that is to become true.
    pub fn new(program: &Program, claim: Option<&Claim>, heuristic: Heuristic, goal: Option<Code>) -> Guide {
        let (moves, ways) = claim.map(|claim| claim.ways(program)).unwrap_or_default();
        let routes = Routes::new(program);
        let homes = homes(program, &routes);
        Guide { heuristic, routes, homes, assertions: assertions(program), ways, moves, goal }
    }

    /// What it estimates.
    pub fn heuristic(&self) -> Heuristic {
        self.heuristic
    }

    /// The estimate for a state.
    pub fn estimate<S: System>(&self, system: &S, state: &mut [u64], scratch: &mut S::Scratch) -> u32 {
        let claim = system.claim_state(state);
        let observer = &mut system.observer(scratch);
        match self.heuristic {
            Heuristic::None | Heuristic::Fsm | Heuristic::Hamming => 0,
            Heuristic::Blocked | Heuristic::Messages | Heuristic::Assertions => 0,
            Heuristic::Enabled => observer.all_enabled(state),
            Heuristic::Claim => self.moves.get(claim as usize).copied().unwrap_or(0),
            Heuristic::Active => observer.active_processes(state),
            Heuristic::Formula => self.formula(observer, claim, state),
            Heuristic::Lasso => {
                let unrest = observer.unrest(state, &self.homes, &self.routes);
                self.formula(observer, claim, state).saturating_add(unrest)
            }
            Heuristic::Error => {
                let formula = self.formula(observer, claim, state);
                if self.ways.is_empty() { formula.min(observer.active_processes(state)) } else { formula }
            }
        }
    }

    /// The estimate for a state on its way to a known one.
    pub fn between(&self, program: &Program, from: &[u64], to: &[u64]) -> u32 {
        match self.heuristic {
            Heuristic::Hamming => bits_between(from, to),
            _ => control_distance(program, from, to, &self.routes),
        }
    }

    fn formula(&self, observer: &mut Observer, claim: u32, state: &mut [u64]) -> u32 {
        if let Some(goal) = &self.goal {
            return observer.steps_until(state, goal, true, &self.routes);
        }
        let Some(ways) = self.ways.get(claim as usize) else {
            return observer.steps_until_failure(state, &self.assertions, &self.routes);
        };
        if self.moves[claim as usize] == 0 {
            return 0;
        }
        let mut least = FAR;
        for way in ways {
            let conditions = way.conditions.iter();
            let steps = conditions.fold(way.moves_left, |sum: u32, (code, wanted)| {
                sum.saturating_add(observer.steps_until(state, code, *wanted, &self.routes))
            });
            least = least.min(steps);
        }
        least
    }
}

/// The assertions of each proctype.
fn assertions(program: &Program) -> Vec<Vec<(u32, Code)>> {
    let of = |automaton: &crate::program::Automaton| {
        let mut found = Vec::new();
        for number in automaton.range() {
            let transition = &program.transitions[number];
            match &transition.action {
                Action::Assert(code, _) => found.push((transition.from, code.clone())),
                Action::DStep(d_step) => found.extend(d_step.actions().filter_map(|action| match action {
                    Action::Assert(code, _) => Some((transition.from, code.clone())),
                    _ => None,
                })),
                _ => {}
            }
        }
        found
    };
    program.automata.iter().map(of).collect()
}

/// The bits in which two states differ; those that only one of them has count as different.
fn bits_between(from: &[u64], to: &[u64]) -> u32 {
    let common = from.iter().zip(to).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
    common + 64 * from.len().abs_diff(to.len()) as u32
}

/// By proctype: the first control state that lies on a cycle.
fn homes(program: &Program, routes: &Routes) -> Vec<Option<u32>> {
    let home = |(kind, automaton): (usize, &crate::program::Automaton)| {
        let states = 0..automaton.marks.len() as u32;
        let turns = |state: &u32| {
            automaton
                .leaving(*state)
                .any(|number| routes.distance(kind as u32, program.transitions[number].to, *state) < FAR)
        };
        let way = |state: &u32| routes.distance(kind as u32, automaton.initial, *state);
        states.filter(turns).min_by_key(way).filter(|state| way(state) < FAR)
    };
    program.automata.iter().enumerate().map(home).collect()
}
