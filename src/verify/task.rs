//! One property to check, and the searches that suit it.

use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::search::catalogue::{ACO, ACO_LIVE, Aim, BFS, CNDFS, DFS, GEGA, INDFS, PATH_GA, PBFS, Search};
use crate::search::{Reason, Violation};

/// States of a model for which one thread that sees everything is enough, so that trails are short and the same every time.
pub const SMALL: u64 = 500_000;

/// One property to check.
pub struct Task<'t> {
    /// As `--property` names it.
    pub property: String,
    /// What is to be checked.
    pub kind: Kind<'t>,
}

/// What a property is about; this decides which searches can check it.
pub enum Kind<'t> {
    /// Assertions, end states, run-time errors and the trace.
    Safety,
    /// A claim that must not accept any run.
    Cycles {
        /// It accepts the runs that violate the property.
        claim: Box<Claim>,
        /// What a run with an accepting cycle is called.
        violation: Violation,
        /// The formula that the claim is against, if it comes from one.
        formula: Option<&'t Formula>,
    },
    /// A formula whose automaton is beyond a limit.
    Untranslated(Reason),
}

static WALKS_FOR_CYCLES: [&Search; 2] = [&ACO_LIVE, &GEGA];
static WALKS_FOR_STATES: [&Search; 3] = [&ACO, &GEGA, &PATH_GA];

impl Kind<'_> {
    /// The search that sees everything, if none is named.
    pub fn exhaustive(&self) -> &'static Search {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => &INDFS,
            Kind::Safety | Kind::Cycles { .. } | Kind::Untranslated(_) => &BFS,
        }
    }

    /// The search that sees everything, by many threads.
    pub fn parallel(&self) -> &'static Search {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => &CNDFS,
            Kind::Safety | Kind::Cycles { .. } | Kind::Untranslated(_) => &PBFS,
        }
    }

    /// Searches that may be faster to find a violation.
    pub fn walks(&self) -> &'static [&'static Search] {
        match self {
            Kind::Cycles { claim, .. } if !claim.is_terminal() => &WALKS_FOR_CYCLES,
            Kind::Safety | Kind::Cycles { .. } | Kind::Untranslated(_) => &WALKS_FOR_STATES,
        }
    }

    /// The depth-first search for what is too far away for a breadth-first one.
    pub fn depth_first(&self) -> Option<&'static Search> {
        match self {
            Kind::Safety => Some(&DFS),
            Kind::Cycles { claim, .. } if claim.is_terminal() => Some(&INDFS),
            Kind::Cycles { .. } | Kind::Untranslated(_) => None,
        }
    }

    /// What a search is after.
    pub fn aim<'p>(&self, program: &'p Program) -> Aim<'p> {
        match self {
            Kind::Safety => Aim::Safety(program),
            Kind::Cycles { .. } | Kind::Untranslated(_) => Aim::Claim,
        }
    }

    /// This search can check the property.
    pub fn allows(&self, search: &Search) -> bool {
        match self {
            Kind::Safety => search.finds_states(),
            Kind::Cycles { claim, .. } => search.finds_cycles() || search.takes_claims() && claim.is_terminal(),
            // whatever it is, it will not be searched
            Kind::Untranslated(_) => true,
        }
    }
}
