//! An automaton as JSON: one object, keys in the documented order.

use super::{Sense, StutterInvariant, Translated};
use ltl::Buchi;
use ltl::automaton::{Move, Place, State};
use ltl::format::label;
use ltl::scc::Class;
use serde::Serialize;

/// The automaton of a formula.
#[derive(Clone, Debug, Serialize)]
pub struct Answer<'t> {
    formula: &'t str,
    states: usize,
    edges: usize,
    deterministic: bool,
    weak: bool,
    accepting_sccs: usize,
    sccs: Vec<Scc<'t>>,
    time_ms: f64,
    negated: bool,
    terminal: bool,
    /// `null` where it is not known.
    safety: Option<bool>,
    guarantee: Option<bool>,
    obligation: Option<bool>,
    atoms: &'t [String],
    #[serde(flatten)]
    details: Option<Details>,
}

#[derive(Clone, Debug, Serialize)]
struct Scc<'t> {
    class: &'static str,
    states: &'t [State],
}

/// What one asks about a single formula, not about a thousand.
#[derive(Clone, Debug, Serialize)]
struct Details {
    stutter_invariant: StutterInvariant,
    automaton: Automaton,
}

#[derive(Clone, Debug, Serialize)]
struct Automaton {
    initial: State,
    states: Vec<AutomatonState>,
}

#[derive(Clone, Debug, Serialize)]
struct AutomatonState {
    accepting: bool,
    edges: Vec<Edge>,
}

#[derive(Clone, Debug, Serialize)]
struct Edge {
    label: String,
    target: State,
}

impl<'t> Answer<'t> {
    /// The figures of the automaton, without the automaton itself.
    pub fn new(translated: &'t Translated) -> Answer<'t> {
        let (translation, components) = (&translated.translation, translated.components());
        // what the syntax shows is true; what it does not show may be true, too
        let known = |fact: bool| (fact || translation.kind.certain).then_some(fact);
        Answer {
            formula: &translated.text,
            states: translation.automaton.states.len(),
            edges: translation.automaton.edge_count(),
            deterministic: translation.deterministic,
            weak: translated.classes.is_weak(),
            accepting_sccs: components.iter().filter(|component| component.class != Class::N).count(),
            sccs: components.iter().map(|scc| Scc { class: scc.class.name(), states: &scc.states }).collect(),
            // to the microsecond
            time_ms: (translated.time.as_secs_f64() * 1e6).round() / 1e3,
            negated: translated.sense == Sense::Negated,
            terminal: translated.classes.is_terminal(),
            safety: known(translation.kind.safety),
            guarantee: known(translation.kind.guarantee),
            obligation: known(translation.kind.obligation),
            atoms: &translation.automaton.atoms,
            details: None,
        }
    }

    /// With the automaton itself.
    pub fn detailed(translated: &'t Translated, stutter_invariant: StutterInvariant) -> Answer<'t> {
        let automaton = Automaton::from(&translated.translation.automaton);
        Answer { details: Some(Details { stutter_invariant, automaton }), ..Answer::new(translated) }
    }
}

impl From<&Buchi> for Automaton {
    fn from(buchi: &Buchi) -> Automaton {
        let edge = |each: &Move| Edge { label: label::show(&each.label, &buchi.atoms), target: each.target };
        let edges = |place: &Place| place.moves.iter().map(edge).collect();
        let state = |place: &Place| AutomatonState { accepting: place.accepting, edges: edges(place) };
        Automaton { initial: buchi.initial, states: buchi.states.iter().map(state).collect() }
    }
}
