//! The interpreter: enumerates the steps of a state, one micro step at a time.
//!
//! Follows pan's order: the youngest process first, escapes before options, options in order, else last. Invariant: the
//! bytes of every state it hands out are canonical (unused slots, dead frames and padding are zero), so that two states
//! are equal iff their words are.

use super::channel::Message;
use super::handshake::Taker;
use super::state::{self, bytes_mut, process_count};
use super::{Batch, Fault, FaultKind, Outcome, Step, System};
use crate::program::code::{Action, DGuard};
use crate::program::layout::ChannelPlace;
use crate::program::{InitStep, Program};

pub struct Interpreter<'p> {
    pub(super) program: &'p Program,
    /// Some proctype has channels of its own, so that channel places depend on the state.
    local_channels: bool,
    /// Neither priorities nor provided clauses restrict who may move.
    pub(super) unrestricted: bool,
    /// Words to add to a state in which a process may be created.
    run_room: usize,
}

/// Per-thread memory of an interpreter.
pub struct Scratch {
    /// Where the frames and channels of the current source state are.
    pub(super) frames: Vec<u32>,
    /// The proctypes of the live processes.
    pub(super) kinds: Vec<u32>,
    pub(super) channels: Vec<ChannelPlace>,
    /// The process that is running: its pid and where its frame is.
    pub(super) pid: usize,
    pub(super) frame: usize,
    /// The value of `timeout`.
    pub(super) timeout: bool,
    /// A rendezvous send waits for its receiver.
    pub(super) offer: Option<Message>,
    /// What made the current step impossible.
    pub(super) fault: Option<FaultKind>,
    /// What went wrong in the current step without preventing it: assertions and trace errors.
    pub(super) complaints: Vec<FaultKind>,
    /// Text printed by the current step, if somebody wants it.
    pub printed: Option<String>,
    /// Which transitions have been executed.
    pub executed: Vec<bool>,
    /// Who might receive in the current source state, once somebody has asked; and memory for the list.
    pub(super) takers: Option<Vec<Taker>>,
    pub(super) spare_takers: Vec<Taker>,
    pub(super) values: Vec<i32>,
    #[expect(clippy::vec_box, reason = "batches are large and wander between here and the levels")]
    pub(super) pool: Vec<Box<Batch>>,
    pub(super) levels: Vec<super::atomic::Level>,
    pub(super) path: Vec<Step>,
    source: Vec<u64>,
    pub(super) half: Vec<u64>,
}

impl<'p> Interpreter<'p> {
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let frames = &program.layout.frames;
        let largest = frames.iter().map(|f| f.size as usize).max().unwrap_or(0);
        Interpreter {
            program,
            local_channels: frames.iter().any(|f| !f.channels.is_empty()),
            unrestricted: program.layout.priority.is_none() && program.automata.iter().all(|a| a.provided.is_none()),
            run_room: (largest / 8 + 1) * MOST_RUNS,
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Finds the frames and channels of a state. Most states have the same processes as the one before: what still is
    /// right is kept.
    #[inline]
    pub(super) fn locate(&self, scratch: &mut Scratch, bytes: &[u8]) {
        let layout = &self.program.layout;
        let count = process_count(bytes);
        let known = scratch.frames.iter().zip(&scratch.kinds).take(count);
        let same = known.take_while(|&(&at, &kind)| self.type_at(bytes, at as usize) == kind as usize).count();
        scratch.frames.truncate(same);
        scratch.kinds.truncate(same);
        let mut at = match (scratch.frames.last(), scratch.kinds.last()) {
            (Some(at), Some(&kind)) => (at + layout.frames[kind as usize].size) as usize,
            _ => layout.frames_at as usize,
        };
        for _ in same..count {
            let kind = self.type_at(bytes, at);
            scratch.frames.push(at as u32);
            scratch.kinds.push(kind as u32);
            at += layout.frames[kind].size as usize;
        }
        if self.local_channels {
            self.locate_channels(scratch);
        }
    }

    fn locate_channels(&self, scratch: &mut Scratch) {
        let layout = &self.program.layout;
        scratch.channels.truncate(layout.channels.len());
        for (&at, &kind) in scratch.frames.iter().zip(&scratch.kinds) {
            let own = layout.frames[kind as usize].channels.iter();
            scratch.channels.extend(own.map(|c| ChannelPlace { offset: c.offset + at, ..*c }));
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
                for pid in (0..scratch.frames.len()).rev() {
                    self.process_steps(pid, &mut source, scratch, batch);
                    watch(batch);
                }
            }
        }
        scratch.source = source;
    }

    fn process_steps(&self, pid: usize, source: &mut [u64], scratch: &mut Scratch, batch: &mut Batch) {
        let frame = scratch.frames[pid] as usize;
        scratch.pid = pid;
        scratch.frame = frame;
        let bytes = bytes_mut(source);
        let automaton = &self.program.automata[scratch.kinds[pid] as usize];
        let candidates = automaton.movers.alone(self.pc_at(bytes, frame));
        if candidates.is_empty() || !self.may_move(pid, automaton, bytes, scratch) {
            return;
        }
        let mut moved = false;
        let mut escape = 0;
        for &t in candidates {
            let t = t as usize;
            let transition = &self.program.transitions[t];
            if escape > 0 && escape != transition.escape {
                break;
            }
            if matches!(transition.action, Action::Else) && moved {
                continue;
            }
            if self.attempt(t, moved, source, scratch, batch) {
                scratch.executed[t] = true;
                moved = true;
                escape = transition.escape;
            }
        }
    }

    /// Tries one transition of the current process; true if the process moved.
    fn attempt(&self, t: usize, moved: bool, source: &mut [u64], scratch: &mut Scratch, batch: &mut Batch) -> bool {
        let transition = &self.program.transitions[t];
        let step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
        let bytes = bytes_mut(source);
        let executable = match &transition.action {
            Action::Guard(code) => self.eval(scratch, bytes, code) != 0,
            Action::Receive(receive) => self.message_for(scratch, bytes, receive).is_some(),
            Action::Send(send) => match self.send_target(scratch, bytes, send) {
                Some(number) if self.rendezvous(scratch, number) => {
                    return self.handshakes(t, number, send, source, scratch, batch);
                }
                Some(number) => !self.is_full(scratch, bytes, number),
                None => false,
            },
            Action::DStep(d) => {
                let else_blocked = moved && matches!(d.guard, DGuard::First(Action::Else));
                !else_blocked && self.d_step_ready(scratch, bytes, d)
            }
            Action::End => scratch.pid + 1 == scratch.frames.len(),
            _ => true,
        };
        if !executable || scratch.fault.is_some() {
            self.report(scratch, step, batch);
            return false;
        }
        let start = batch.words.len();
        batch.words.extend_from_slice(source);
        self.perform(t, step, start, scratch, batch)
    }

    /// Executes an executable transition on the copy of the state at the end of the batch.
    pub(super) fn perform(&self, t: usize, step: Step, start: usize, scratch: &mut Scratch, batch: &mut Batch) -> bool {
        let transition = &self.program.transitions[t];
        if transition.creates {
            batch.words.resize(batch.words.len() + self.run_room, 0);
        }
        let bytes = bytes_mut(&mut batch.words[start..]);
        if transition.to > 0 {
            self.set_pc(bytes, scratch.frame, transition.to);
        }
        let (processes, channels) = (scratch.frames.len(), scratch.channels.len());
        self.execute(scratch, bytes, &transition.action);
        // the statement itself still sees who moved before it
        self.note_mover(scratch, bytes);
        // what a `run` added belongs to the new state, not to the one we are enumerating
        scratch.frames.truncate(processes);
        scratch.kinds.truncate(processes);
        scratch.channels.truncate(channels);
        let words = state::word_count(&batch.words[start..]);
        if scratch.fault.is_some() {
            batch.words.truncate(start);
            self.report(scratch, step, batch);
            return false;
        }
        batch.words.truncate(start + words);
        self.report(scratch, step, batch);
        let mover = step.receiver.map_or(step.pid, |r| r.pid);
        let outcome = if transition.atomic { Outcome::Atomic(mover) } else { Outcome::State };
        batch.push(outcome, start, step);
        true
    }

    /// Moves what went wrong into the batch.
    #[inline]
    pub(super) fn report(&self, scratch: &mut Scratch, step: Step, batch: &mut Batch) {
        if scratch.fault.is_some() || !scratch.complaints.is_empty() {
            report_faults(scratch, step, batch);
        }
    }

    /// The micro steps of a state, for those who go step by step: of all processes, or of the one that holds control.
    /// If that one cannot move, nobody is held up: all processes may.
    pub fn moves(&self, state: &[u64], exclusive: Option<u32>, scratch: &mut Scratch, batch: &mut Batch) {
        batch.clear();
        scratch.timeout = false;
        if let Some(pid) = exclusive {
            self.micro_steps(state, Some(pid as usize), scratch, batch);
            if batch.any_move() {
                return;
            }
        }
        self.micro_steps(state, None, scratch, batch);
        if self.program.uses_timeout && !batch.any_move() {
            scratch.timeout = true;
            self.micro_steps(state, None, scratch, batch);
            scratch.timeout = false;
        }
    }

    #[inline]
    pub(super) fn note_mover(&self, scratch: &Scratch, bytes: &mut [u8]) {
        if let Some(last) = self.program.layout.last {
            state::store(bytes, last.offset as usize, last.width, scratch.pid as i32);
        }
    }
}

#[cold]
fn report_faults(scratch: &mut Scratch, step: Step, batch: &mut Batch) {
    for kind in scratch.complaints.drain(..).chain(scratch.fault.take()) {
        batch.push_fault(Fault { kind }, step);
    }
}

/// Process creations in one step for which room is made.
const MOST_RUNS: usize = 8;

impl System for Interpreter<'_> {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            frames: Vec::new(),
            kinds: Vec::new(),
            channels: self.program.layout.channels.clone(),
            pid: 0,
            frame: 0,
            timeout: false,
            offer: None,
            fault: None,
            complaints: Vec::new(),
            printed: None,
            executed: vec![false; self.program.transitions.len()],
            takers: None,
            spare_takers: Vec::new(),
            values: Vec::new(),
            pool: Vec::new(),
            levels: Vec::new(),
            path: Vec::new(),
            source: Vec::new(),
            half: Vec::new(),
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
        match scratch.fault.take() {
            Some(kind) => Err(Fault { kind }),
            None => Ok(state),
        }
    }

    fn successors(&self, state: &[u64], scratch: &mut Scratch, batch: &mut Batch, watch: impl FnMut(&Batch)) {
        let (from, words_from) = (batch.entries.len(), batch.words.len());
        scratch.timeout = false;
        self.watched_steps(state, None, scratch, batch, watch);
        let moved = |batch: &Batch| batch.entries[from..].iter().any(|e| !matches!(e.outcome, Outcome::Fault(_)));
        if self.program.uses_timeout && !moved(batch) {
            scratch.timeout = true;
            self.micro_steps(state, None, scratch, batch);
            scratch.timeout = false;
        }
        if batch.unfinished {
            self.finish_atomics(from, words_from, scratch, batch);
        }
    }

    fn valid_end(&self, state: &[u64], scratch: &mut Scratch) -> bool {
        let bytes = state::bytes(state);
        self.locate(scratch, bytes);
        let ended = |&frame: &u32| {
            let frame = frame as usize;
            let automaton = &self.program.automata[self.type_at(bytes, frame)];
            automaton.marks[self.pc_at(bytes, frame) as usize].end
        };
        scratch.frames.iter().all(ended) && self.trace_may_end(bytes)
    }

    fn hidden_words(&self) -> usize {
        self.program.layout.hidden_words as usize
    }
}
