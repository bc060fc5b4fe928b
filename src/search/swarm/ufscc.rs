//! Parallel emptiness check in which workers explore a component together (`ufscc`).
//!
//! V. Bloemen, J. van de Pol, Multi-core SCC-based LTL model checking, HVC 2016. States that are known to be in the same component form a set, which
//! all workers share (see [`super::sets`]), with a list of those that are still to be explored:
//!
//! ```text
//! visit(v): push v on R (roots)
//!   while a state v' of S(v) is not done:
//!     for each edge v' –m→ w, in this worker's order:
//!       w is dead: nothing
//!       S(w) is not on R: remember m; visit(w)
//!       otherwise: while w is not in S(top of R): unite S(top of R) with the one below it and pop; add m, and the marks on the edges
//!                  between them, to the set; if that has all marks: report
//!     v' is done
//!   S(v) is dead; pop v if it is the top of R
//! ```
//!
//! With reduction (Algorithms 4 and 5 of D. Poitrenaud, E. Renault, Combining parallel emptiness checks with partial order
//! reductions, 2019) only some edges of v' are followed, unless v' is expanded:
//!
//! ```text
//! WS-PR19-LIVE   an edge v' → w inside the set, v' and w are not expanded, and w is done or some worker explores it at the moment: v' is
//!                expanded. If the worker has visited another state from v', it looks at all edges of v' once more
//! WS-DONE-LIVE   when all edges of v' have been followed: those w inside the set that are neither done nor expanded are expanded
//! WS-PR19-SAFE   v' is the last state of its set that is not done, no state of the set is expanded, and no edge has led out of it:
//!                v' is expanded
//! when v' is about to be done: if it was expanded meanwhile, what was left out is followed first
//! ```
//! WS-PR19-LIVE: let every worker look at all edges of a state without interruption before it makes it done. On a cycle without expanded
//! states w is neither done nor being explored when the edge v' → w is looked at, so that its last look begins later than that of v', all
//! around the cycle. WS-DONE-LIVE is ours, an answer to the paper's question for a proviso that keeps its reduction in large
//! components: on a cycle without expanded states every state is done later than the next one, all around the cycle. One worker by itself
//! expands what DFS-PR19-LIVE expands, the targets of back edges.
//!
//! Differs from the papers' listings: where the set of v has become that of the state below it on the path, the worker returns there after the
//! edges of v, and picks the rest of the set only when it is back at the lowest of its states. States of the path are in the set, too, and
//! their edges would be explored above them otherwise. So one worker by itself goes depth first. With WS-PR19-LIVE it picks as in the
//! paper: that proviso would expand more. Marks are on edges, so they are added again when the worker comes back from w, because another
//! worker may have united the sets; the two mistakes of Algorithm 4 and the missing push of Algorithm 5 are mended; a state that was expanded
//! by another worker is not done before that has been heeded; being the last one is decided with the root locked, instead of by counting.

//!
//! There is no `ufscc-gp` with workers from artificial states (E. Renault, Improving swarming using genetic algorithms, 2020, section 5.2). It could
//! be sound: that a set is dead does not depend on where its search began, and a worker that finds an accepting set from an artificial
//! state could leave it, and its path, unfinished for the others. But which of the states below a dead set are reachable, what
//! fails there, and by which run, could only be told by a log and a sweep as in [`super::genetic`], beside a union-find that keeps unreachable
//! states in the sets of reachable ones. And there is little to win: workers that explore components together do not do each other's work.
//! Two threads from the initial state take 1.02 to 1.15 times the CPU time of one on leader, two-phase-commit, filter, token-ring
//! and readers-writers; 2.0 times on linear only, which was made for artificial states.

use super::crew::{Crew, Watch};
use super::rdkp::{OneSet, run_in};
use super::sets::list::{Coverage, Finish, Last};
use super::sets::{Claim, ENDED, Sets};
use crate::reduce::{Choice, Chooser, Reduction};
use crate::search::exhaustive::acceptance::{Around, EdgeMarks};
use crate::search::exhaustive::nested::run_at;
use crate::search::exhaustive::proviso::Proviso;
use crate::search::exhaustive::stack::{Descent, Encounter, Next, Policy, Visit};
use crate::search::expand::Expansion;
use crate::search::problem::Problem;
use crate::search::witness::path_by;
use crate::search::{Config, Reason, Tally};
use crate::store::statuses::Status;
use crate::store::{Shared, StateId, States, Writer};
use crate::system::{Run, System};
use crossbeam_utils::CachePadded;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

/// Of a set in a search for what shows in a state: a state of it is expanded, or an edge leads out of it.
const LEADS_AWAY: u64 = 1;

/// The state that each worker explores at the moment, from 1 on; 0 if there is none, or if it is visiting another one from there.
pub struct InProgress(Vec<CachePadded<AtomicU64>>);

impl InProgress {
    pub fn new(threads: usize) -> InProgress {
        InProgress((0..threads).map(|_| CachePadded::new(AtomicU64::new(0))).collect())
    }

    fn set(&self, worker: usize, state: Option<StateId>) {
        self.0[worker].store(state.map_or(0, |state| state.pack() as u64 + 1), SeqCst);
    }

    fn contains(&self, state: StateId) -> bool {
        self.0.iter().any(|slot| slot.load(SeqCst) == state.pack() as u64 + 1)
    }
}

/// What a reduced search has decided about a state that is done.
pub fn status(store: &Shared, state: StateId) -> Status {
    let sets = Sets::new(store);
    match (sets.is_done(state), sets.is_expanded(state)) {
        (false, _) => Status::Unknown,
        (true, true) => Status::Expanded,
        (true, false) => Status::NotExpanded,
    }
}

/// One worker's search from the initial state, and its tally.
pub fn search<S: System>(
    problem: &Problem<S>,
    crew: &Crew,
    config: Config,
    thread: usize,
    root: StateId,
    in_progress: &InProgress,
) -> Tally {
    let mut tally = Tally::new(config, problem.checks);
    let omission = config.proviso(problem).zip(problem.reduction.as_ref());
    let omission = omission.map(|(proviso, reduction)| Omission::new(proviso, reduction));
    tally.reduced = omission.is_some();
    let mut descent = Descent::new(problem, crew.store.writer(), tally, crew.monitor);
    descent.push(Visit { state: root, steps: 0, edge: 0 });
    let mut worker = Worker {
        problem,
        crew,
        thread,
        sets: Sets::new(crew.store),
        edges: EdgeMarks::new(problem),
        omission,
        in_progress,
        frames: Vec::new(),
        roots: Vec::new(),
        pending: Vec::new(),
        is_new: false,
        watch: Watch::new(crew, thread),
    };
    worker.sets.reach(root, root);
    if let Err(reason) = descent.explore(&mut worker) {
        descent.tally.cut_short(reason);
        crew.stop();
    }
    let Descent { mut tally, successors: Expansion { scratch, .. }, .. } = descent;
    tally.learn::<S>(scratch);
    tally
}

/// What is left out of a reduced search.
struct Omission<'w> {
    proviso: Proviso,
    reduction: &'w Reduction<'w>,
    chooser: Chooser,
}

impl<'w> Omission<'w> {
    fn new(proviso: Proviso, reduction: &'w Reduction<'w>) -> Omission<'w> {
        Omission { proviso, reduction, chooser: Chooser::new(reduction) }
    }
}

/// Which successors of a state are followed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    All,
    /// Those that are not left out.
    Kept,
    /// Those that were left out before.
    Rest,
}

/// A state that was entered, and the state of its set that is being explored.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: StateId,
    node: StateId,
    /// What of `node` is followed.
    pass: Pass,
    /// Successors of `node` that were followed.
    followed: u64,
    /// The worker has visited another state from `node`.
    interrupted: bool,
    /// Where the states begin that `node` has edges to and that were not done at that time.
    pending: usize,
    /// The marks on the edge that led to `state`.
    before: u64,
}

/// A set on the stack R.
#[derive(Clone, Copy, Debug)]
struct Root {
    state: StateId,
    before: u64,
}

struct Worker<'w, S> {
    problem: &'w Problem<'w, S>,
    crew: &'w Crew<'w>,
    thread: usize,
    sets: Sets<'w>,
    edges: EdgeMarks,
    omission: Option<Omission<'w>>,
    in_progress: &'w InProgress,
    /// By state of the path.
    frames: Vec<Frame>,
    roots: Vec<Root>,
    pending: Vec<StateId>,
    /// The state that was entered last was entered by no worker before.
    is_new: bool,
    watch: Watch<'w>,
}

impl<'w, S: System> Policy for Worker<'w, S> {
    type System = S;
    type Visited = Writer<'w>;
    /// Its marks.
    type Edge = u64;
    type Halt = Reason;
    const BOUNDED: bool = false;

    fn meet(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<Encounter, Reason> {
        let source = self.frames.last().map(|frame| frame.node);
        match self.sets.claim(visit.state, self.thread) {
            Claim::Dead => {
                source.into_iter().for_each(|source| self.note_way_out(source));
                Ok(Encounter::Closed)
            }
            Claim::New => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.interrupted = true;
                    self.sets.reach(visit.state, frame.node);
                }
                Ok(Encounter::New)
            }
            Claim::Found => {
                let marks = self.merge(visit.state, visit.edge);
                self.report_if_accepting(on, visit.state, marks);
                self.weigh(visit.state);
                Ok(Encounter::Known)
            }
        }
    }

    fn enter(&mut self, on: &mut Descent<Self>, visit: Visit<u64>) -> Result<(), Reason> {
        let Visit { state, edge: before, .. } = visit;
        let run = run_at(on.system, visit, on.path.len() - 1);
        self.is_new = self.sets.enter(state, || if run == Run::Ended { ENDED } else { 0 });
        self.note_progress(Some(state));
        self.roots.push(Root { state, before });
        let (pass, pending) = (Pass::Kept, self.pending.len());
        self.frames.push(Frame { state, node: state, pass, followed: 0, interrupted: false, pending, before });
        Ok(())
    }

    #[inline(always)]
    fn run(&self, on: &Descent<Self>, state: StateId) -> Run {
        run_in(&on.visited, state)
    }

    /// Counts a state that no worker has entered before, and what is wrong with it.
    fn look(&mut self, on: &mut Descent<Self>, state: StateId) -> Result<(), Reason> {
        if self.is_new {
            let Descent { system, visited, successors, depth, tally, .. } = on;
            successors.count(*system, visited, || path_to(self.sets, state), *depth, tally);
            if successors.batch.entries.is_empty() {
                let path = || path_to(self.sets, state);
                self.problem.judge_end(visited, state, path, &mut successors.scratch, tally);
            }
            self.stop_if_enough(&on.tally);
        }
        if on.successors.batch.entries.is_empty() { Ok(()) } else { self.edges.check(on.words(state)) }
    }

    /// Finds the marks of the edges, and what is left out.
    fn prepare(&mut self, on: &mut Descent<Self>, node: StateId) -> Result<(), Reason> {
        if self.problem.claim.is_some() {
            self.edges.find(on.system, &on.visited, node, &mut on.successors);
        }
        self.choose(on, node);
        Ok(())
    }

    fn schedule(&mut self, on: &mut Descent<Self>, _: StateId) -> Result<(), Reason> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (pass, chooser) = (frame.pass, self.omission.as_ref().map(|omission| &omission.chooser));
        on.successors.arrange(self.thread, |entry| match (pass, chooser) {
            (Pass::All, _) | (_, None) => true,
            (Pass::Kept, Some(chooser)) => chooser.keeps(entry),
            (Pass::Rest, Some(chooser)) => !chooser.keeps(entry),
        });
        let marks = &self.edges.marks;
        frame.followed += on.push_wanted(|_, visit| Next::Follow(marks.get(visit.edge).copied().unwrap_or(0)))?;
        Ok(())
    }

    fn poll(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        on.visited.pass();
        let words = on.successors.batch.words.len();
        let Worker { watch, crew, frames, roots, pending, is_new, .. } = self;
        let frames = || frames.capacity() * size_of::<Frame>() + roots.capacity() * size_of::<Root>();
        let private = || frames() + pending.capacity() * size_of::<StateId>();
        let new = std::mem::take(is_new) as u64;
        watch.entered(crew, new, words, &on.tally, || on.memory() + private() as u64)
    }

    /// All edges of a state of the set have been followed: what is left of it, or the next state of the set.
    fn resume(&mut self, on: &mut Descent<Self>) -> Result<Option<StateId>, Reason> {
        let again = self.finish(on);
        let next = again.or_else(|| self.pick());
        self.note_progress(next);
        Ok(next)
    }

    fn leave(&mut self, on: &mut Descent<Self>) -> Result<(), Reason> {
        let Some(left) = self.frames.pop() else { return Ok(()) };
        self.pending.truncate(left.pending);
        self.roots.pop_if(|root| root.state == left.state);
        let Some(parent) = self.frames.last().map(|parent| parent.node) else { return Ok(()) };
        if self.sets.are_united(left.state, parent) {
            let marks = self.sets.add_marks(parent, left.before);
            self.report_if_accepting(on, parent, marks);
        } else {
            self.note_way_out(parent);
        }
        Ok(())
    }

    fn is_over(&self, _: &Descent<Self>) -> bool {
        self.crew.is_stopped()
    }
}

impl<S: System> Worker<'_, S> {
    fn proviso(&self) -> Option<Proviso> {
        self.omission.as_ref().map(|omission| omission.proviso)
    }

    fn stop_if_enough(&self, tally: &Tally) {
        if tally.stopped() {
            self.crew.stop();
        }
    }

    /// This worker begins to look at the edges of a state, or stops.
    fn note_progress(&self, state: Option<StateId>) {
        if self.proviso() == Some(Proviso::WsPr19Live) {
            self.in_progress.set(self.thread, state);
        }
    }

    /// An edge leads out of the set of a state.
    fn note_way_out(&self, state: StateId) {
        if self.proviso() == Some(Proviso::WsPr19Safe) {
            self.sets.add_marks(state, LEADS_AWAY);
        }
    }

    /// An edge with these marks leads to a state whose set is on the stack of this worker; the marks of the set now.
    fn merge(&mut self, state: StateId, marks: u64) -> u64 {
        let mut marks = marks;
        while let [.., below, top] = self.roots[..]
            && !self.sets.are_united(state, top.state)
        {
            self.sets.unite_listed(top.state, below.state);
            marks |= top.before;
            self.roots.pop();
        }
        self.sets.add_marks(state, marks)
    }

    /// Considers an edge to a state of the set for the proviso.
    fn weigh(&mut self, target: StateId) {
        let Some(&Frame { node, pass: Pass::Kept, .. }) = self.frames.last() else { return };
        match self.proviso() {
            Some(Proviso::WsDoneLive) if !self.sets.is_done(target) => self.pending.push(target),
            Some(Proviso::WsPr19Live)
                if !self.sets.is_expanded(node)
                    && !self.sets.is_expanded(target)
                    && (self.sets.is_done(target) || self.in_progress.contains(target)) =>
            {
                self.sets.expand(node);
            }
            _ => {}
        }
    }

    /// Decides which successors of the state that is being explored are followed now.
    fn choose(&mut self, on: &mut Descent<Self>, node: StateId) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(Omission { reduction, chooser, proviso }) = &mut self.omission else {
            frame.pass = Pass::All;
            return;
        };
        if frame.pass == Pass::Kept && self.sets.is_expanded(node) {
            frame.pass = Pass::All;
        }
        if frame.pass != Pass::All {
            let Descent { system, visited, successors: Expansion { scratch, batch, source, .. }, .. } = on;
            let words = visited.recall(node, source);
            let choice = chooser.choose(reduction, words, batch, 0, &mut system.observer(scratch));
            if choice == Choice::All {
                frame.pass = Pass::All;
                self.sets.expand(node);
            }
        }
        if frame.pass == Pass::All && *proviso == Proviso::WsPr19Safe {
            self.sets.add_marks(node, LEADS_AWAY);
        }
    }

    /// The edges of a state of the set have been followed: the state again if more of them must be.
    fn finish(&mut self, on: &mut Descent<Self>) -> Option<StateId> {
        let proviso = self.proviso();
        let Worker { sets, frames, pending, .. } = self;
        let frame = frames.last_mut()?;
        let node = frame.node;
        let waiting = pending.drain(frame.pending..).filter(|&target| !sets.is_done(target));
        if frame.pass == Pass::Kept && !sets.is_expanded(node) {
            waiting.for_each(|target| sets.expand(target));
            if proviso == Some(Proviso::WsPr19Live) && frame.interrupted && !sets.is_expanded(node) {
                *frame = Frame { interrupted: false, followed: 0, ..*frame };
                return Some(node);
            }
        } else {
            drop(waiting);
        }
        let coverage = if frame.pass == Pass::Kept { Coverage::Reduced } else { Coverage::Full };
        let last = match proviso {
            Some(Proviso::WsPr19Safe) => Last::ExpandWithout(LEADS_AWAY),
            _ => Last::Nothing,
        };
        match sets.finish(node, coverage, last) {
            Finish::Expand => {
                frame.pass = Pass::Rest;
                return Some(node);
            }
            // they count as matched until `Tally::count_matches`
            Finish::Done => on.tally.counts.matched += frame.followed,
            Finish::Before => {}
        }
        None
    }

    /// Another state of the set that is still to be explored.
    fn pick(&mut self) -> Option<StateId> {
        if self.is_left_to_the_state_below() {
            return None;
        }
        let frame = self.frames.last_mut()?;
        let node = self.sets.pick(frame.state)?;
        *frame = Frame { node, pass: Pass::Kept, followed: 0, interrupted: false, ..*frame };
        Some(node)
    }

    /// The rest of the set is explored from the state below on the path, which belongs to it, too.
    fn is_left_to_the_state_below(&self) -> bool {
        let [.., below, top] = self.frames.as_slice() else { return false };
        self.proviso() != Some(Proviso::WsPr19Live) && self.sets.are_united(below.node, top.state)
    }

    /// Reports a cycle through the set of a state if it has all marks.
    fn report_if_accepting(&mut self, on: &mut Descent<Self>, state: StateId, marks: u64) {
        if self.problem.claim.is_none() || marks != self.edges.all() {
            return;
        }
        let Descent { system, visited, successors, tally, .. } = on;
        let cycle = self.problem.cycle();
        let witness = || {
            let component = OneSet { sets: self.sets, of: state, visited };
            let marks = &mut self.edges;
            Around { system: *system, store: &*visited, successors, marks, component }.lasso(&path_to(self.sets, state))
        };
        tally.violation(cycle.violation, cycle.message, witness);
        self.stop_if_enough(&on.tally);
    }
}

/// The states from the initial one to a state, each reached from the one before.
fn path_to(sets: Sets, state: StateId) -> Vec<StateId> {
    path_by(state, |state| sets.reached_from(state).filter(|&from| from != state))
}
