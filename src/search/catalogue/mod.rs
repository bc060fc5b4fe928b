//! The table of searches: one row for each, with all that anyone need know about it.
//!
//! Help, refusals, `swarmgp searches`, `compare`, tests and documentation derive from these rows. A new search is its own file and a row
//! here. Users of the library may write rows of their own and hand them to [`verify`](crate::verify).

mod options;
mod rows;

pub use options::{Honours, Opt};
pub use rows::*;

use super::guide::Heuristic;
use super::knobs::Knobs;
use super::parameter::{self, Parameter};
use super::plan::Plan;
use super::problem::FairnessBy;
use super::{CycleProblem, Monitor, Proviso, SafetyProblem, Tally};
use crate::program::Program;
use std::fmt;

/// One search.
pub struct Search {
    /// What it is called on the command line and in reports.
    pub name: &'static str,
    /// In one line.
    pub summary: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// Which violations it looks for.
    pub finds: Finds,
    /// What it can say for certain.
    pub proves: Proves,
    /// Whether its result may differ from run to run.
    pub chance: Chance,
    /// How it goes through the states.
    pub shape: Shape,
    /// Who searches.
    pub workers: Workers,
    /// How long its trails are.
    pub trails: Trails,
    /// Where it counts weak fairness.
    pub fairness: FairnessBy,
    /// The options that it honours, of those that not every search does.
    pub honours: Honours,
    /// The provisos with which it can be reduced, the usual one first; see [`Search::provisos_for`].
    pub provisos: &'static [Proviso],
    /// The heuristics that it can use, besides those for ways back.
    pub heuristics: fn() -> Vec<Heuristic>,
    /// The heuristic that follows from what it is after.
    pub usual: fn(Aim) -> Heuristic,
    /// Its own parameters.
    pub parameters: for<'k> fn(&'k mut Knobs) -> Vec<Parameter<'k>>,
    /// How it searches a system for violations of safety.
    pub on_system: Option<fn(&SafetyProblem, &Job) -> Tally>,
    /// How it searches a product.
    pub on_product: Option<fn(&CycleProblem, &Job) -> Tally>,
}

/// What to do, and who watches.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    /// The search and its parameters.
    pub plan: &'j Plan,
    /// Limits, and where progress is told.
    pub monitor: &'j Monitor,
}

/// What a search is after.
#[derive(Clone, Copy)]
pub enum Aim<'a> {
    /// A violation of safety, in this program.
    Safety(&'a Program),
    /// A run that a claim accepts.
    Claim,
}

/// Which violations it looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finds {
    /// Those of safety.
    Safety,
    /// Those that show in a state: of safety, and bad prefixes of a claim.
    States,
    /// Accepting cycles.
    Cycles,
    /// Both.
    StatesAndCycles,
}

/// What it can say about a property for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// That it holds, and that it does not.
    Both,
    /// That it does not hold; that it holds only if nothing was dropped on the way.
    Unless,
    /// That it does not hold.
    Violations,
}

/// Whether the result of a search may differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// It is always the same.
    Never,
    /// It depends on a seed.
    Seeded,
    /// It depends on which worker is faster.
    Unseeded,
}

/// How it goes through the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Several searches side by side.
    Portfolio,
    /// Level by level.
    Frontier,
    /// Depth first.
    Stack,
    /// The most promising state first.
    Directed,
    /// Along paths, without a memory of all states.
    Walk,
}

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workers {
    /// One thread.
    One,
    /// Many threads, on one visited set.
    Many,
    /// Many, of which some begin at artificial states.
    Genetic,
    /// Many, each of which evaluates some individuals of a generation: the result is the same for any number of them.
    Generation,
}

/// How long the trails are that it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trails {
    /// None is shorter.
    Shortest,
    /// Shortest if the estimate is never too high.
    ByEstimate,
    /// Some may be longer than necessary.
    Any,
}

impl Search {
    /// A search by one thread that sees every state once: what most rows begin with. It cannot be run.
    pub const EXHAUSTIVE: Search = Search {
        name: "",
        summary: "",
        paper: "",
        finds: Finds::States,
        proves: Proves::Both,
        chance: Chance::Never,
        shape: Shape::Stack,
        workers: Workers::One,
        trails: Trails::Any,
        fairness: FairnessBy::States,
        honours: Honours::only(&[
            Opt::Errors,
            Opt::StopAfter,
            Opt::MaxStates,
            Opt::Ranges,
            Opt::ExecutionCounts,
            Opt::MaxDepth,
            Opt::Continue,
        ]),
        provisos: &[],
        heuristics: Vec::new,
        usual: |aim| match aim {
            Aim::Safety(_) => Heuristic::Error,
            Aim::Claim => Heuristic::Formula,
        },
        parameters: |_| Vec::new(),
        on_system: None,
        on_product: None,
    };

    /// A search that depends on chance and proves nothing.
    pub const WALK: Search = Search {
        proves: Proves::Violations,
        chance: Chance::Seeded,
        shape: Shape::Walk,
        honours: Honours::only(&[Opt::Seed, Opt::Runs, Opt::Evaluations, Opt::Reduce]),
        ..Search::EXHAUSTIVE
    };

    /// Sets its parameters as `NAME=VALUE` says, one after the other; an error says what would be right. What all of them together ask for
    /// is looked at in the end.
    pub fn set(&self, knobs: &mut Knobs, assignments: &[String]) -> Result<(), String> {
        for assignment in assignments {
            parameter::set(&mut (self.parameters)(knobs), assignment)?;
        }
        knobs.check()
    }

    /// It follows paths, and does not remember all states.
    pub fn is_walk(&self) -> bool {
        self.shape == Shape::Walk
    }

    /// It goes on round by round, and gets better.
    pub fn has_rounds(&self) -> bool {
        self.honours.has(Opt::TraceRun)
    }

    /// Many threads search together, on one visited set.
    pub fn is_parallel(&self) -> bool {
        matches!(self.workers, Workers::Many | Workers::Genetic)
    }

    /// It looks at the most promising states first.
    pub fn is_directed(&self) -> bool {
        self.shape == Shape::Directed
    }

    /// It finds cycles.
    pub fn finds_cycles(&self) -> bool {
        matches!(self.finds, Finds::Cycles | Finds::StatesAndCycles)
    }

    /// It finds violations that show in a state.
    pub fn finds_states(&self) -> bool {
        self.finds != Finds::Cycles
    }

    /// It searches a product, too.
    pub fn takes_claims(&self) -> bool {
        self.finds != Finds::Safety
    }

    /// The provisos with which it can be reduced if it is after this, the usual one first.
    pub fn provisos_for(&self, aim: Aim) -> impl Iterator<Item = Proviso> {
        let for_claims = matches!(aim, Aim::Claim);
        self.provisos.iter().copied().filter(move |proviso| !for_claims || proviso.is_for_claims())
    }

    /// It can say that a property holds.
    pub fn proves(&self) -> bool {
        self.proves == Proves::Both
    }
}

impl PartialEq for Search {
    fn eq(&self, other: &Search) -> bool {
        self.name == other.name
    }
}

impl Eq for Search {}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The search with this name.
pub fn find(name: &str) -> Option<&'static Search> {
    ALL.into_iter().find(|search| search.name == name)
}
