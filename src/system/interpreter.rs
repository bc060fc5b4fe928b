//! The interpreter: enumerates the steps of a state, one micro step at a time.
//!
//! Follows pan's order: the youngest process first, escapes before options, options in order, else last. Invariant: the
//! bytes of every state it hands out are canonical (unused slots, dead frames and padding are zero), so that two states
//! are equal iff their words are.

use super::handshake::Taker;
use super::memo::{Memo, UNPLANNED};
use super::state::{self, bytes_mut, process_count};
use super::truncation::{OnTruncation, Target, Truncation};
use super::{Batch, Coverage, Cutoff, End, Entry, Fault, FaultKind, Grace, Observer, Outcome, Run, Step, System};
use crate::program::layout::ChannelPlace;
use crate::program::{InitStep, Program};

/// The system of a program. It does not change while it runs; all working memory is in a [`Scratch`].
pub struct Interpreter<'p> {
    pub(super) program: &'p Program,
    /// Some proctype has channels of its own, so that channel places depend on the state.
    local_channels: bool,
    /// No process is created after the start, so that the n processes of a state are the first n of the initial ones.
    no_births: bool,
    /// Neither priorities nor provided clauses restrict who may move.
    pub(super) unrestricted: bool,
    /// Atomic sequences may be carried on in place: nothing watches or restricts their steps.
    pub(super) in_place: bool,
    /// Moves are remembered.
    remembers: bool,
    /// Words to add to a state in which a process may be created.
    pub(super) run_room: usize,
    pub(super) on_truncation: OnTruncation,
    /// Every transition that is executed is listed in the batch.
    pub(super) lists_executed: bool,
    cutoff: Cutoff,
}

/// How the interpreter saves work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Savings {
    /// Moves are remembered, and atomic sequences carried on in place, as far as the model allows it.
    #[default]
    All,
    /// Nothing is remembered.
    InPlace,
    /// Every step is taken by itself.
    None,
}

/// Whether the scheduler chooses who moves in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Every process may move, and a claim looks at the state.
    #[default]
    Free,
    /// A process goes on with its atomic sequence.
    Held,
}

/// Where the frame of a process is, and its proctype.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub at: u32,
    pub kind: u32,
    /// The first of the plans for its moves, by control state, or [`UNPLANNED`].
    pub plans: u32,
}

/// Per-thread memory of an interpreter.
pub struct Scratch {
    /// Where the frames and channels of the current source state are.
    pub(super) frames: Vec<Frame>,
    pub(super) channels: Vec<ChannelPlace>,
    /// The process that is running: its pid and where its frame is.
    pub(super) pid: usize,
    pub(super) frame: usize,
    /// The value of `timeout`.
    pub(super) timeout: bool,
    /// Whether the run has ended in the state that a claim sees.
    pub(super) run: Run,
    /// How many processes are being asked whether they are enabled, each by the one before.
    pub(super) asking: usize,
    /// Atomic sequences are carried on, not left after one step.
    pub(super) carries_on: bool,
    /// A rendezvous send on this channel waits for its receiver; and the message it sends.
    pub(super) offer: Option<u32>,
    pub(super) message: Vec<i32>,
    /// What made the current step impossible.
    pub(super) fault: Option<FaultKind>,
    /// What went wrong in the current step without preventing it: assertions and trace errors.
    pub(super) complaints: Vec<FaultKind>,
    /// The transition that is being tried: `input` is read for it.
    pub(super) trying: u32,
    /// What `STDIN` stands for: only in a simulation.
    pub input: Option<Box<super::input::Input>>,
    /// Text printed by the current step; `None` if it is not wanted.
    pub printed: Option<String>,
    pub(super) coverage: Coverage,
    /// What the current step has stored that does not fit; and in the message that is offered.
    pub(super) cut: Vec<Truncation>,
    pub(super) offered: Vec<Truncation>,
    /// The initial values that do not fit.
    pub(super) initial_cut: Vec<Truncation>,
    /// The receives that might take an offer in the current source state, once a rendezvous send needs them; and memory
    /// for the list.
    pub(super) takers: Option<Vec<Taker>>,
    pub(super) spare_takers: Vec<Taker>,
    /// Those of them that might take the current offer.
    pub(super) fitting: Vec<Taker>,
    pub(super) values: Vec<i32>,
    #[expect(clippy::vec_box, reason = "batches are large and wander between here and the levels")]
    pub(super) pool: Vec<Box<Batch>>,
    pub(super) memo: Memo,
    pub(super) levels: Vec<super::atomic::Level>,
    pub(super) unfinished: Vec<Entry>,
    pub(super) path: Vec<Step>,
    source: Vec<u64>,
    pub(super) half: Vec<u64>,
    cutoff: Cutoff,
    /// Work since the cutoff was polled, in words copied and statements tried.
    unpolled: usize,
    /// The cutoff has said that it is enough.
    pub(super) halted: bool,
}

/// Work between two looks at the cutoff: a millisecond, or a megabyte.
const POLL_EVERY: usize = 1 << 17;
/// A statement takes about as long as copying this many words.
const STATEMENT: usize = 16;

impl Scratch {
    /// Counts a statement that is tried and the words that are copied for it; true if the expansion must be abandoned.
    #[inline(always)]
    pub(super) fn spend(&mut self, words: usize) -> bool {
        self.unpolled += STATEMENT + words;
        if self.unpolled >= POLL_EVERY {
            self.poll();
        }
        self.halted
    }

    /// Looks at another cutoff than before.
    fn poll_anew(&mut self) {
        self.halted = false;
        self.poll();
    }

    #[cold]
    fn poll(&mut self) {
        self.unpolled = 0;
        self.halted |= self.cutoff.poll();
    }
}

impl<'p> Interpreter<'p> {
    /// An interpreter that saves work, has no limits, and notes truncations without making them faults.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let frames = &program.layout.frames;
        let largest = frames.iter().map(|f| f.size as usize).max().unwrap_or(0);
        let runs = program.transitions.iter().filter(|t| t.creates).map(|t| t.action.runs()).max().unwrap_or(0);
        let unrestricted = program.layout.priority.is_none() && program.automata.iter().all(|a| a.provided.is_none());
        Interpreter {
            program,
            local_channels: frames.iter().any(|f| !f.channels.is_empty()),
            no_births: !program.transitions.iter().any(|t| t.creates),
            unrestricted,
            in_place: unrestricted && program.trace.is_none(),
            remembers: true,
            run_room: (largest / 8 + 1) * runs.max(USUAL_RUNS),
            on_truncation: OnTruncation::Note,
            lists_executed: false,
            cutoff: Cutoff::default(),
        }
    }

    /// The same interpreter, which lists every transition that is executed in the batch. Moves are not remembered then.
    pub fn listing_executed(self) -> Interpreter<'p> {
        Interpreter { lists_executed: true, in_place: false, ..self }
    }

    /// The same, with less of what saves work. Successors are the same.
    pub fn saving(self, savings: Savings) -> Interpreter<'p> {
        let in_place = self.in_place && savings != Savings::None;
        Interpreter { in_place, remembers: savings == Savings::All, ..self }
    }

    /// The same, with expansions that are abandoned when a limit is met.
    pub fn within(self, cutoff: Cutoff) -> Interpreter<'p> {
        Interpreter { cutoff, ..self }
    }

    /// The program that is interpreted.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Finds the frames and channels of a state. Most states have the same processes as the one before.
    #[inline]
    pub(super) fn locate(&self, scratch: &mut Scratch, bytes: &[u8]) {
        let count = process_count(bytes);
        let same = |frame: &Frame| self.type_at(bytes, frame.at as usize) == frame.kind as usize;
        if scratch.frames.len() != count || scratch.memo.stale || !(self.no_births || scratch.frames.iter().all(same)) {
            let known = scratch.frames.iter().take(count).take_while(|frame| same(frame)).count();
            self.locate_frames(scratch, bytes, if scratch.memo.stale { 0 } else { known }, count);
        }
    }

    /// Finds the frames of all `count` processes, of which the first ones are known.
    fn locate_frames(&self, scratch: &mut Scratch, bytes: &[u8], known: usize, count: usize) {
        let layout = &self.program.layout;
        scratch.memo.stale = false;
        scratch.frames.truncate(known);
        let size = |kind: u32| layout.frames[kind as usize].size;
        let mut at = scratch.frames.last().map_or(layout.frames_at, |last| last.at + size(last.kind));
        for pid in known..count {
            let kind = self.type_at(bytes, at as usize) as u32;
            let plans = if self.in_place && self.remembers {
                scratch.memo.plans_of(self.program, bytes, pid as u32, at, kind)
            } else {
                UNPLANNED
            };
            scratch.frames.push(Frame { at, kind, plans });
            at += size(kind);
        }
        if self.local_channels {
            self.locate_channels(scratch);
        }
    }

    fn locate_channels(&self, scratch: &mut Scratch) {
        let layout = &self.program.layout;
        scratch.channels.truncate(layout.channels.len());
        for frame in &scratch.frames {
            let own = layout.frames[frame.kind as usize].channels.iter();
            scratch.channels.extend(own.map(|c| ChannelPlace { offset: c.offset + frame.at, ..*c }));
        }
    }

    #[inline]
    pub(super) fn type_at(&self, bytes: &[u8], frame: usize) -> usize {
        state::load(bytes, frame, self.program.layout.type_width) as usize
    }

    #[inline]
    pub(super) fn pc_at(&self, bytes: &[u8], frame: usize) -> u32 {
        let pc = self.program.layout.pc;
        state::load(bytes, frame + pc.offset as usize, pc.width) as u32
    }

    #[inline]
    pub(super) fn set_pc(&self, bytes: &mut [u8], frame: usize, to: u32) {
        let pc = self.program.layout.pc;
        state::store(bytes, frame + pc.offset as usize, pc.width, to as i32);
    }

    /// Appends every micro step of `state` to `batch`: of all processes, or of `only` this one.
    pub(super) fn micro_steps(&self, state: &[u64], only: Option<usize>, scratch: &mut Scratch, batch: &mut Batch) {
        self.watched_steps(state, only, scratch, batch, |_| {});
    }

    /// As [`Interpreter::micro_steps`], with `watch` called now and then.
    #[inline]
    fn watched_steps(
        &self,
        state: &[u64],
        only: Option<usize>,
        scratch: &mut Scratch,
        batch: &mut Batch,
        mut watch: impl FnMut(&Batch),
    ) {
        let mut source = std::mem::take(&mut scratch.source);
        source.clear();
        source.extend_from_slice(state);
        let bytes = bytes_mut(&mut source);
        self.locate(scratch, bytes);
        scratch.offer = None;
        if let Some(takers) = scratch.takers.take() {
            scratch.spare_takers = takers;
        }
        match only {
            Some(pid) => self.process_steps(pid, &mut source, scratch, batch),
            None => {
                scratch.spend(state.len());
                let mut polled = batch.words.len();
                for pid in (0..scratch.frames.len()).rev() {
                    self.process_steps(pid, &mut source, scratch, batch);
                    watch(batch);
                    // moves that are remembered are not counted where they are made
                    if batch.words.len() > polled + POLL_EVERY / 8 {
                        scratch.spend(batch.words.len() - polled);
                        polled = batch.words.len();
                    }
                    if scratch.halted {
                        break;
                    }
                }
            }
        }
        scratch.source = source;
    }

    /// The micro steps of a state, for callers that go step by step: of all processes, or of `exclusive`, which is inside an atomic
    /// sequence. If that one cannot move, it loses control, and all processes may.
    pub fn moves(&self, state: &[u64], exclusive: Option<u32>, scratch: &mut Scratch, batch: &mut Batch) -> Control {
        batch.clear();
        scratch.timeout = false;
        scratch.carries_on = false;
        if let Some(pid) = exclusive {
            self.micro_steps(state, Some(pid as usize), scratch, batch);
        }
        let control = if batch.any_move() { Control::Held } else { Control::Free };
        if control == Control::Free {
            self.micro_steps(state, None, scratch, batch);
        }
        if self.program.uses_timeout && !scratch.halted && !batch.any_move() {
            scratch.timeout = true;
            self.micro_steps(state, None, scratch, batch);
            scratch.timeout = false;
        }
        if scratch.halted {
            batch.abandon(0, 0);
        }
        control
    }

    /// The micro steps of one process, if it exists. `timeout` is false.
    pub fn moves_of(&self, state: &[u64], pid: u32, scratch: &mut Scratch, batch: &mut Batch) {
        batch.clear();
        scratch.timeout = false;
        scratch.carries_on = false;
        if (pid as usize) < process_count(state::bytes(state)) {
            self.micro_steps(state, Some(pid as usize), scratch, batch);
        }
        if scratch.halted {
            batch.abandon(0, 0);
        }
    }

    #[inline]
    pub(super) fn note_mover(&self, scratch: &Scratch, bytes: &mut [u8]) {
        if let Some(last) = self.program.layout.last {
            state::store(bytes, last.offset as usize, last.width, scratch.pid as i32);
        }
    }
}

/// Process creations in one step for which room is made at least.
const USUAL_RUNS: usize = 8;

impl System for Interpreter<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            trying: 0,
            input: None,
            frames: Vec::new(),
            channels: self.program.layout.channels.clone(),
            pid: 0,
            frame: 0,
            timeout: false,
            run: Run::GoesOn,
            asking: 0,
            carries_on: false,
            offer: None,
            message: Vec::new(),
            fault: None,
            complaints: Vec::new(),
            printed: None,
            coverage: Coverage::of(self.program.transitions.len()),
            cut: Vec::new(),
            offered: Vec::new(),
            initial_cut: Vec::new(),
            takers: None,
            spare_takers: Vec::new(),
            fitting: Vec::new(),
            values: Vec::new(),
            pool: Vec::new(),
            memo: Memo::default(),
            levels: Vec::new(),
            unfinished: Vec::new(),
            path: Vec::new(),
            source: Vec::new(),
            half: Vec::new(),
            cutoff: self.cutoff.clone(),
            unpolled: 0,
            halted: false,
        }
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<Vec<u64>, Fault> {
        let layout = &self.program.layout;
        let words = (layout.frames_at as usize).div_ceil(8);
        let mut state = vec![0; words];
        state::set_header(bytes_mut(&mut state), words, 0);
        self.locate(scratch, bytes_mut(&mut state));
        for step in &self.program.init {
            let bytes = bytes_mut(&mut state);
            match step {
                InitStep::Value(cell, code) => {
                    let value = self.eval(scratch, bytes, code);
                    state::store(bytes, cell.offset as usize, cell.width, value);
                    if cell.width.cuts(value) {
                        scratch.cut_for(Target::Global(cell.offset), cell.width, value);
                    }
                }
                InitStep::Channel(cell, number) => {
                    state::store(bytes, cell.offset as usize, cell.width, *number as i32 + 1);
                }
            }
        }
        if let (Some(event), Some(trace)) = (layout.event, self.program.trace) {
            let start = self.program.automaton(trace).initial;
            state::store(bytes_mut(&mut state), event.offset as usize, event.width, start as i32);
        }
        for &(proctype, priority) in &self.program.started {
            state.resize(state.len() + self.run_room, 0);
            let bytes = bytes_mut(&mut state);
            self.create(scratch, bytes, proctype, priority, &[]);
            state.truncate(state::word_count(&state));
        }
        // the frames that were added one by one are to be located anew
        scratch.frames.clear();
        scratch.initial_cut = std::mem::take(&mut scratch.cut);
        if let (OnTruncation::Fail, Some(first)) = (self.on_truncation, scratch.initial_cut.first()) {
            let truncated = first.named(self.program);
            scratch.fail(FaultKind::Truncated(Box::new(truncated)));
        }
        match scratch.fault.take() {
            Some(kind) => Err(Fault { kind }),
            None => Ok(state),
        }
    }

    /// The state of a run that has ended has no successors anyway.
    fn successors(&self, state: &[u64], _: Run, scratch: &mut Scratch, batch: &mut Batch, watch: impl FnMut(&Batch)) {
        let (from, start) = (batch.entries.len(), batch.words.len());
        scratch.timeout = false;
        scratch.carries_on = self.in_place;
        self.watched_steps(state, None, scratch, batch, watch);
        let moved = |batch: &Batch| batch.entries[from..].iter().any(|e| !matches!(e.outcome, Outcome::Fault(_)));
        if self.program.uses_timeout && !scratch.halted && !moved(batch) {
            // only the first step may see it, so the rest must wait
            scratch.timeout = true;
            scratch.carries_on = false;
            self.micro_steps(state, None, scratch, batch);
            scratch.timeout = false;
            scratch.carries_on = self.in_place;
        }
        if batch.unfinished && !scratch.halted {
            self.finish_atomics(from, scratch, batch);
        }
        if scratch.halted {
            batch.abandon(from, start);
        }
    }

    fn process_successors(&self, state: &[u64], pid: usize, scratch: &mut Scratch, batch: &mut Batch) {
        let (from, start) = (batch.entries.len(), batch.words.len());
        scratch.timeout = false;
        scratch.carries_on = self.in_place;
        self.micro_steps(state, Some(pid), scratch, batch);
        if batch.unfinished && !scratch.halted {
            self.finish_atomics(from, scratch, batch);
        }
        if scratch.halted {
            batch.abandon(from, start);
        }
    }

    fn end(&self, state: &[u64], scratch: &mut Scratch) -> End {
        let mut observer = self.observer(scratch);
        let may_end = |(kind, at): (u32, u32)| self.program.automaton(kind).marks[at as usize].end;
        if !observer.control(state).all(may_end) || !self.trace_may_end(state::bytes(state)) {
            End::Invalid
        } else if observer.channels_empty(state) {
            End::Valid
        } else {
            End::MessagesLeft
        }
    }

    fn observer<'o>(&'o self, scratch: &'o mut Scratch) -> Observer<'o> {
        Observer { system: self, scratch }
    }

    fn coverage(scratch: &mut Scratch) -> &mut Coverage {
        &mut scratch.coverage
    }

    fn hidden_words(&self) -> usize {
        self.program.layout.hidden_words as usize
    }

    fn program(&self) -> &Program {
        self.program
    }

    fn cutoff(&self) -> &Cutoff {
        &self.cutoff
    }

    fn set_grace(&self, grace: Grace, scratch: &mut Scratch) {
        scratch.cutoff = match grace {
            Grace::Granted => self.cutoff.with_grace(),
            Grace::Over => self.cutoff.clone(),
        };
        scratch.poll_anew();
    }
}
