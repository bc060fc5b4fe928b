//! Which successors of a state a walk may choose from in a reduced graph.
//!
//! ```text
//! a state:  the successors in its stubborn set, but all of them
//!             where those in the set all fail, so that none of them can be chosen
//!             where the walk may turn in a circle: looking for cycles, if some successor is on the path, be it in the set or not; looking
//!                 for what shows in a state, if all those in the set are
//!             at one state of `EVERY`, by its hash
//! ```
//! A walk proves nothing, so it needs no proviso to be right. But in a reduced graph a move may be put off for ever, and then no walk, however
//! long, would see a violation behind it. The second rule is what LW14-LIVE and LW14-SAFE do on the path of a depth-first search; it makes
//! sure that an accepting cycle that can be closed is seen. The third one is for circles that are longer than a walk: a process that
//! counts to a million by itself would be the only one that moves.
//!
//! All of it depends on the path alone, not on chance: the same genes mean the same path.
//!
//! Godefroid, Khurshid 2004, Table 4, have a genetic algorithm walk in a graph that is reduced by persistent and sleep sets.

use crate::reduce::{Choice, Chooser, Reduction};
use crate::system::{Batch, Observer};

/// One state of so many is expanded completely.
const EVERY: u64 = 16;

/// What a walker knows of the reduced graph.
pub struct Selection<'r> {
    reduction: &'r Reduction<'r>,
    chooser: Chooser,
}

/// What a walk may turn in a circle without seeing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooksFor {
    States,
    Cycles,
}

/// A state that a walker is in.
#[derive(Clone, Copy)]
pub struct Crossroads<'c> {
    pub state: &'c [u64],
    pub hash: u64,
    pub looks_for: LooksFor,
}

impl<'r> Selection<'r> {
    pub fn new(reduction: &'r Reduction<'r>) -> Selection<'r> {
        Selection { reduction, chooser: Chooser::new(reduction) }
    }

    /// Another one for the same graph.
    pub fn another(&self) -> Selection<'r> {
        Selection::new(self.reduction)
    }

    /// Leaves only those options that may be chosen: numbers of entries of the batch, with the hashes of their states.
    pub fn narrow(
        &mut self,
        at: Crossroads,
        batch: &Batch,
        observer: &mut Observer,
        is_on_path: impl Fn(u64) -> bool,
        options: &mut Vec<(u32, u64)>,
    ) {
        let closes = |&(_, hash): &(u32, u64)| is_on_path(hash);
        if options.len() < 2 || at.hash.is_multiple_of(EVERY) {
            return;
        }
        if at.looks_for == LooksFor::Cycles && options.iter().any(closes) {
            return;
        }
        let Selection { reduction, chooser } = self;
        if chooser.choose(reduction, at.state, batch, 0, observer) == Choice::All {
            return;
        }
        let is_kept = |&(entry, _): &(u32, u64)| chooser.keeps(entry as usize);
        // there may be none, which fail
        let leads_on = options.iter().any(|option| is_kept(option) && !closes(option));
        if leads_on {
            options.retain(is_kept);
        }
    }
}
