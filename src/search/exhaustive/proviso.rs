//! Provisos of depth-first searches: what keeps moves from being put off for ever when only a part of the successors is followed.
//!
//! D. Poitrenaud, E. Renault: Combining parallel emptiness checks with partial order reductions, 2019, Algorithms 1 to 3. The status of a
//! state is UNKNOWN until it is decided whether all its successors are followed (EXPANDED) or not:
//!
//! ```text
//! enter v:             EXPANDED if nothing can be left out; follow the reduced successors
//! an edge v → v':      LW14-LIVE       v' is on the path, v and v' UNKNOWN: v becomes EXPANDED
//!                      DFS-PR19-LIVE   v' is on the path, v and v' UNKNOWN: v' becomes EXPANDED
//!                      -SAFE           v stays in doubt while all its edges lead to known, UNKNOWN states
//! leave v, in doubt:   LW14-SAFE       v becomes EXPANDED
//!                      DFS-PR19-SAFE   the last v' becomes EXPANDED
//! leave v, the root of a component in which nothing is expanded and from which no edge leads away:
//!                      SCC-PR19-SAFE   v becomes EXPANDED
//! leave v:             UNKNOWN: NOT_EXPANDED. EXPANDED: follow what was left out, and leave v again
//! ```
//! With -LIVE every cycle that is explored has an EXPANDED state. Otherwise let v be the first of its states that becomes NOT_EXPANDED. The
//! worker that decides so has followed the edge to the next state w of the cycle: either it has entered w and left it, or another
//! worker has (both decide about w first), or w is on its path, and then w is EXPANDED. With -SAFE every state that is NOT_EXPANDED has a
//! successor that was decided earlier, so that an EXPANDED state can be reached from it; that is enough for violations that show in a state.
//! With SCC-PR19-SAFE every component that no edge leaves has an EXPANDED state.
//!
//! With a claim, -SAFE is not enough, not even if it waits for a bad prefix only: the way to the EXPANDED state may be one on which the claim has
//! moved to another state, or sees another label, than the run that is put off needs. So all depth-first searches for claims are -LIVE; the
//! proviso for queues looks at the claim ([`super::block`]).
//!
//! Workers share the statuses, which change only once, by compare-and-swap. A worker decides about a state before it tells others that they
//! need not visit it.
//!
//! Differs from the paper: LW14 is our reading of what it cites; DFS-PR19-SAFE takes the last successor, not one by chance, and waits for
//! no path: a state that another worker has not decided about leaves v in doubt, too.

use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::named::named;
use crate::store::StateId;
use crate::store::statuses::{Status, Statuses};
use crate::system::{Batch, Observer};

named! {
    /// Which states are expanded although something could be left out.
    pub enum Proviso {
        Queue = "queue",
        BottomSafe = "bottom-safe",
        Lw14Live = "lw14-live",
        Lw14Safe = "lw14-safe",
        Pr19Live = "dfs-pr19-live",
        Pr19Safe = "dfs-pr19-safe",
        SccPr19Safe = "scc-pr19-safe",
        WsPr19Live = "ws-pr19-live",
        WsPr19Safe = "ws-pr19-safe",
        WsDoneLive = "ws-done-live",
    }
}

impl Proviso {
    /// It is enough for cycles, not only for what shows in a state.
    pub fn is_for_cycles(self) -> bool {
        match self {
            Proviso::Queue
            | Proviso::BottomSafe
            | Proviso::Lw14Safe
            | Proviso::Pr19Safe
            | Proviso::SccPr19Safe
            | Proviso::WsPr19Safe => false,
            Proviso::Lw14Live | Proviso::Pr19Live | Proviso::WsPr19Live | Proviso::WsDoneLive => true,
        }
    }

    /// It is enough if a claim moves along; a queue is for claims that wait for a bad prefix.
    pub fn is_for_claims(self) -> bool {
        self.is_for_cycles() || self == Proviso::Queue
    }
}

/// What an edge leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encounter {
    /// The state is to be entered.
    New,
    Known,
    /// It is known, and so is its whole component, which is another one than those of the path.
    Closed,
}

/// Whether a state is the first one of a component, in a search that knows components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It is, as far as is known, and its component is about to be left.
    Root,
    /// It is not, or the search does not know.
    Inner,
}

/// What a depth-first search leaves out, and which states it decided about.
pub struct Reducer<'r> {
    reduction: &'r Reduction<'r>,
    chooser: Chooser,
    proviso: Proviso,
    statuses: Statuses<'r>,
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
    /// Some edge led to a state that is decided about, or will be when the edge is done with.
    escapes: bool,
    /// Where the last edge to another state led.
    back: Option<StateId>,
    /// An expanded state, or another component, can be reached from it (the paper's ¬isTerm).
    leads_away: bool,
}

impl<'r> Reducer<'r> {
    pub fn new(reduction: &'r Reduction<'r>, proviso: Proviso, statuses: Statuses<'r>) -> Reducer<'r> {
        let (frames, skipped) = (Vec::new(), Vec::new());
        Reducer { reduction, chooser: Chooser::new(reduction), proviso, statuses, frames, skipped }
    }

    /// A state with these successors is put on the path.
    pub fn enter(&mut self, state: StateId, words: &[u64], batch: &Batch, observer: &mut Observer) {
        let is_expanded = self.statuses.get(state) == Status::Expanded;
        let reduced = !is_expanded && self.skip_left_out(words, batch, observer);
        if !reduced {
            self.skipped.clear();
            self.statuses.decide(state, Status::Expanded);
        }
        self.frames.push(Frame { reduced, leads_away: !reduced, ..Frame::default() });
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
    pub fn follow(&mut self, source: StateId, target: StateId, encounter: Encounter) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.leads_away |= encounter == Encounter::Closed;
        if encounter != Encounter::Known || self.statuses.get(target) != Status::Unknown {
            frame.escapes = true;
            return;
        }
        frame.back = Some(target);
        if self.statuses.get(source) == Status::Unknown {
            match self.proviso {
                Proviso::Lw14Live => _ = self.statuses.decide(source, Status::Expanded),
                Proviso::Pr19Live => _ = self.statuses.decide(target, Status::Expanded),
                _ => {}
            }
        }
    }

    /// All edges of the last state of the path that are followed have been; whether those that were left out must be followed, too.
    pub fn must_complete(&mut self, state: StateId, position: Position) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if self.proviso == Proviso::SccPr19Safe {
            if frame.leads_away {
                return false;
            }
            if position == Position::Root {
                self.statuses.decide(state, Status::Expanded);
            }
            frame.leads_away = self.statuses.get(state) == Status::Expanded;
            return frame.leads_away;
        }
        match (frame.back, self.proviso) {
            _ if frame.escapes => {}
            // no edge leads to a state: all that is followed fails
            (None, _) | (Some(_), Proviso::Lw14Safe) => _ = self.statuses.decide(state, Status::Expanded),
            (Some(back), Proviso::Pr19Safe) if self.statuses.get(state) == Status::Unknown => {
                self.statuses.decide(back, Status::Expanded);
            }
            _ => {}
        }
        let status = self.statuses.decide(state, Status::NotExpanded);
        std::mem::take(&mut frame.reduced) && status == Status::Expanded
    }

    /// Skips what was followed at first.
    pub fn complete(&mut self, words: &[u64], batch: &Batch, observer: &mut Observer) {
        self.skip_left_out(words, batch, observer);
        self.skipped.iter_mut().for_each(|skipped| *skipped = !*skipped);
    }

    /// Skips what is left out of the state when the search for cycles looks at it again. Where that is not decided yet, because another
    /// worker is still visiting the state, nothing is left out from now on.
    pub fn settle(&mut self, state: StateId, words: &[u64], batch: &Batch, observer: &mut Observer) {
        self.skipped.clear();
        if self.statuses.decide(state, Status::Expanded) == Status::NotExpanded {
            self.skip_left_out(words, batch, observer);
        }
    }

    /// Skips what is left out of a state of another worker, as far as that has decided.
    pub fn revisit(&mut self, state: StateId, words: &[u64], batch: &Batch, observer: &mut Observer) {
        self.skipped.clear();
        if self.statuses.get(state) != Status::Expanded {
            self.skip_left_out(words, batch, observer);
        }
    }

    /// The last state of the path is left.
    pub fn leave(&mut self) {
        let left = self.frames.pop();
        if let (Some(left), Some(parent)) = (left, self.frames.last_mut()) {
            parent.leads_away |= left.leads_away;
        }
    }

    /// An entry of the current batch is not followed.
    #[inline]
    pub fn skips(&self, entry: usize) -> bool {
        self.skipped.get(entry).is_some_and(|&skipped| skipped)
    }

    pub fn proviso(&self) -> Proviso {
        self.proviso
    }

    /// What is decided about a state.
    pub fn status(&self, state: StateId) -> Status {
        self.statuses.get(state)
    }

    /// Private bytes in use.
    pub fn memory(&self) -> u64 {
        self.statuses.memory() + (self.frames.capacity() * size_of::<Frame>()) as u64
    }
}
