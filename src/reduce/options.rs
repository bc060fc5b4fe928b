//! What the statements at one control state have to do with each other, found once for all of them.

use super::access::Set;
use super::touch::Actor;
use crate::program::Transition;
use crate::program::code::Action;

/// What is known of the statements at a control state.
#[derive(Default)]
pub struct Options {
    /// What a process minds that comes here or leaves, where it may be offered a message.
    pub ready: Option<Set>,
    /// What it does to find out that `else` is the only way on, if there is an `else`.
    others: Option<Set>,
    /// By escape: what it does to find out that its statements cannot be executed.
    escapes: Vec<(u32, Set)>,
}

/// Those of each control state of a proctype.
pub fn options(actor: Actor) -> Vec<Options> {
    let automaton = actor.automaton();
    let states = automaton.states.len() as u32;
    (0..states).map(|state| Options::new(actor, state, &actor.program.transitions[automaton.leaving(state)])).collect()
}

impl Options {
    fn new(actor: Actor, state: u32, leaving: &[Transition]) -> Options {
        let mut options = Options { ready: actor.readiness(state), ..Options::default() };
        if leaving.iter().any(|transition| matches!(transition.action, Action::Else)) {
            let mut others = actor.shared.none();
            for other in leaving.iter().filter(|other| !matches!(other.action, Action::Else)) {
                others.extend(&actor.refusal(&other.action));
            }
            options.others = Some(others);
        }
        for transition in leaving.iter().filter(|transition| transition.escape > 0) {
            let refusal = actor.refusal(&transition.action);
            match options.escapes.iter_mut().find(|(escape, _)| *escape == transition.escape) {
                Some((_, known)) => _ = known.extend(&refusal),
                None => options.escapes.push((transition.escape, refusal)),
            }
        }
        options
    }

    /// What decides whether it is the turn of one of the statements.
    pub fn waits_for(&self, transition: &Transition) -> impl Iterator<Item = &Set> {
        let is_else = matches!(transition.action, Action::Else);
        let others = self.others.iter().filter(move |_| is_else);
        let before = self.escapes.iter().filter(move |(escape, _)| !is_else && *escape != transition.escape);
        others.chain(before.map(|(_, refusal)| refusal))
    }
}
