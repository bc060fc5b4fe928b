//! Provisos of depth-first searches: what keeps moves from being put off for ever when only a part of the successors is followed.
//!
//! D. Poitrenaud, E. Renault: Combining parallel emptiness checks with partial order reductions, 2019, for one thread. A state on the
//! path is UNKNOWN until it is decided whether all its successors are followed (EXPANDED) or not:
//!
//! ```text
//! enter v:             EXPANDED if nothing can be left out, else UNKNOWN; follow the reduced successors
//! an edge v → v':      LW14-LIVE       v, v' UNKNOWN: v becomes EXPANDED
//!                      DFS-PR19-LIVE   v, v' UNKNOWN: v' becomes EXPANDED
//!                      -SAFE           v stays in doubt while all its edges lead to UNKNOWN states
//! leave v, in doubt:   LW14-SAFE       v becomes EXPANDED
//!                      DFS-PR19-SAFE   the last v' becomes EXPANDED
//! leave v:             UNKNOWN: NOT_EXPANDED. EXPANDED: follow what was left out, and leave v again
//! ```
//! A state is UNKNOWN only while it is on the path, so a cycle is closed by an edge between UNKNOWN states or contains a state that was
//! decided earlier. With -LIVE every cycle that is explored has an EXPANDED state; with -SAFE an EXPANDED state can be reached from
//! every state, which is enough for violations that show in a state.
//!
//! Differs from the paper: LW14 is our reading of what it cites; DFS-PR19-SAFE takes the last successor, not one by chance.

use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::named::named;
use crate::store::{Marks, StateId};
use crate::system::{Batch, Observer};

named! {
    /// Which states are expanded although something could be left out.
    pub enum Proviso {
        Queue = "queue",
        Lw14Live = "lw14-live",
        Lw14Safe = "lw14-safe",
        Pr19Live = "dfs-pr19-live",
        Pr19Safe = "dfs-pr19-safe",
    }
}

/// The marks of states.
const UNKNOWN: u8 = 1;
const EXPANDED: u8 = 2;
const NOT_EXPANDED: u8 = 3;

/// What a depth-first search leaves out, and which states it decided about.
pub struct Reducer<'r> {
    reduction: &'r Reduction<'r>,
    chooser: Chooser,
    proviso: Proviso,
    marks: Marks,
    /// The states of the path.
    frames: Vec<Frame>,
    /// By entry of the current batch: it is not followed.
    skipped: Vec<bool>,
}

/// A state of the path.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    /// Some successors are not followed yet.
    reduced: bool,
    /// Some edge led to a state that is not UNKNOWN.
    escapes: bool,
    /// Where the last edge to an UNKNOWN state led.
    back: Option<StateId>,
}

impl<'r> Reducer<'r> {
    pub fn new(reduction: &'r Reduction<'r>, proviso: Proviso) -> Reducer<'r> {
        Reducer {
            reduction,
            chooser: Chooser::new(reduction),
            proviso,
            marks: Marks::default(),
            frames: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// A state with these successors is put on the path.
    pub fn enter(&mut self, state: StateId, words: &[u64], batch: &Batch, observer: &mut Observer) {
        let reduced = self.skip_left_out(words, batch, observer);
        self.marks.set(state, if reduced { UNKNOWN } else { EXPANDED });
        self.frames.push(Frame { reduced, ..Frame::default() });
    }

    /// Skips what is left out at first; true if there is something.
    fn skip_left_out(&mut self, words: &[u64], batch: &Batch, observer: &mut Observer) -> bool {
        let choice = self.chooser.choose(self.reduction, words, batch, 0, observer);
        self.skipped.clear();
        if choice == Choice::Some {
            self.skipped.extend((0..batch.entries.len()).map(|entry| !self.chooser.keeps(entry)));
        }
        choice == Choice::Some
    }

    /// An edge leads from the last state of the path to a state.
    pub fn follow(&mut self, source: StateId, target: StateId) {
        let Some(frame) = self.frames.last_mut() else { return };
        if self.marks.get(target) != UNKNOWN {
            frame.escapes = true;
            return;
        }
        frame.back = Some(target);
        if self.marks.get(source) == UNKNOWN {
            match self.proviso {
                Proviso::Lw14Live => self.marks.set(source, EXPANDED),
                Proviso::Pr19Live => self.marks.set(target, EXPANDED),
                Proviso::Lw14Safe | Proviso::Pr19Safe | Proviso::Queue => {}
            }
        }
    }

    /// All edges of the last state of the path that are followed have been; whether those that were left out must be followed, too.
    pub fn must_complete(&mut self, state: StateId) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if let (UNKNOWN, false, Some(back)) = (self.marks.get(state), frame.escapes, frame.back) {
            match self.proviso {
                Proviso::Lw14Safe => self.marks.set(state, EXPANDED),
                Proviso::Pr19Safe => self.marks.set(back, EXPANDED),
                Proviso::Lw14Live | Proviso::Pr19Live | Proviso::Queue => {}
            }
        }
        if self.marks.get(state) == UNKNOWN {
            self.marks.set(state, NOT_EXPANDED);
        }
        std::mem::take(&mut frame.reduced) && self.marks.get(state) == EXPANDED
    }

    /// Skips what was followed at first.
    pub fn complete(&mut self, words: &[u64], batch: &Batch, observer: &mut Observer) {
        self.skip_left_out(words, batch, observer);
        self.skipped.iter_mut().for_each(|skipped| *skipped = !*skipped);
    }

    /// Skips what was not followed at all from a state that was left.
    pub fn recall(&mut self, state: StateId, words: &[u64], batch: &Batch, observer: &mut Observer) {
        self.skipped.clear();
        if self.marks.get(state) == NOT_EXPANDED {
            self.skip_left_out(words, batch, observer);
        }
    }

    /// The last state of the path is left.
    pub fn leave(&mut self) {
        self.frames.pop();
    }

    /// An entry of the current batch is not followed.
    #[inline]
    pub fn skips(&self, entry: usize) -> bool {
        self.skipped.get(entry).is_some_and(|&skipped| skipped)
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        self.marks.memory() + (self.frames.capacity() * size_of::<Frame>()) as u64
    }
}
