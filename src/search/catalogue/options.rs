//! Options of the command line that only some searches honour.

use super::ALL;
use crate::search::named::named;

named! {
    /// Options that are not for every search.
    pub enum Opt {
        Seed = "--seed",
        Runs = "--runs",
        Evaluations = "--evaluations",
        Threads = "--threads",
        TraceRun = "--trace-run",
        Errors = "--errors",
        StopAfter = "--stop-after",
        DepthIsError = "--depth-is-error",
        BackHeuristic = "--back-heuristic",
        MaxStates = "--max-states",
        Ranges = "--ranges",
        ExecutionCounts = "--execution-counts",
        MaxDepth = "--max-depth",
        Continue = "--continue",
        Shortest = "--shortest",
        Reduce = "--reduce",
        Proviso = "--proviso",
    }
}

impl Opt {
    /// Which searches it is for: the end of a sentence that begins with the flag.
    pub fn scope(self) -> String {
        match self {
            Opt::Seed => "is for searches that depend on chance (see swarmgp searches)".into(),
            Opt::Runs | Opt::Evaluations => "is for searches that walk (see swarmgp searches)".into(),
            Opt::Threads => "is for searches by many threads and for --runs (see swarmgp searches)".into(),
            Opt::TraceRun => "is for searches that go on round by round, ants and genes".into(),
            Opt::Errors | Opt::StopAfter => "is for searches by one thread that see each state once".into(),
            Opt::MaxStates => "is for searches that store states (others have --evaluations)".into(),
            Opt::Ranges | Opt::ExecutionCounts | Opt::MaxDepth => {
                "is for searches by one thread that store states".into()
            }
            Opt::Continue => "is for searches that see each state once".into(),
            Opt::Shortest => "is for bfs, pbfs and for searches for cycles that see everything".into(),
            Opt::DepthIsError | Opt::BackHeuristic | Opt::Reduce | Opt::Proviso => {
                format!("is for {}", self.honoured_by())
            }
        }
    }

    /// The names of the searches that honour it.
    fn honoured_by(self) -> String {
        let names: Vec<&str> = ALL.iter().filter(|search| search.honours.has(self)).map(|search| search.name).collect();
        match names.split_last() {
            Some((last, [])) => last.to_string(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// A set of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Honours(u32);

impl Honours {
    /// These options.
    pub const fn only(options: &[Opt]) -> Honours {
        Honours(0).and(options)
    }

    /// These options, too.
    pub const fn and(self, options: &[Opt]) -> Honours {
        let (mut bits, mut next) = (self.0, 0);
        while next < options.len() {
            bits |= 1 << options[next] as u32;
            next += 1;
        }
        Honours(bits)
    }

    /// The option is one of them.
    pub const fn has(self, option: Opt) -> bool {
        self.0 & 1 << option as u32 != 0
    }
}
