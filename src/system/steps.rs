//! The steps of one process in one state: which of its transitions are executable, and where they lead.

use super::interpreter::{Frame, Interpreter, Scratch};
use super::memo::{UNPLANNED, Visit};
use super::state::{self, bytes_mut};
use super::{Batch, Fault, Outcome, Step};
use crate::program::Transition;
use crate::program::code::{Action, DGuard};

impl Interpreter<'_> {
    /// Appends the moves of process `pid`: from memory or by interpretation.
    #[inline(always)]
    pub(super) fn process_steps(&self, pid: usize, source: &mut [u64], scratch: &mut Scratch, batch: &mut Batch) {
        let Frame { at, kind, plans } = scratch.frames[pid];
        let state = self.pc_at(bytes_mut(source), at as usize);
        let remembers = scratch.carries_on && plans != UNPLANNED;
        if remembers && scratch.memo.recall(plans + state, pid as u32, source, batch) {
            return;
        }
        scratch.pid = pid;
        scratch.frame = at as usize;
        let visit = Visit { entries: batch.entries.len(), atomic_steps: batch.atomic_steps };
        self.interpret(kind, state, source, scratch, batch);
        if remembers && !scratch.halted {
            scratch.memo.record(plans + state, source, &visit, batch);
        }
    }

    /// Appends the moves of the current process, which is of proctype `kind` and at control state `state`.
    #[inline(never)]
    fn interpret(&self, kind: u32, state: u32, source: &mut [u64], scratch: &mut Scratch, batch: &mut Batch) {
        let automaton = self.program.automaton(kind);
        let candidates = automaton.leaving(state);
        let (pid, bytes) = (scratch.pid, bytes_mut(source));
        if !self.may_move(pid, automaton, bytes, scratch) {
            return;
        }
        let first = candidates.start;
        let mut moved = false;
        let mut escape = 0;
        for (i, transition) in self.program.transitions[candidates].iter().enumerate() {
            if transition.waits {
                continue;
            }
            if scratch.spend(source.len()) || escape > 0 && escape != transition.escape {
                break;
            }
            let t = first + i;
            if self.attempt(t, transition, moved, source, scratch, batch) {
                scratch.coverage.executed[t] = true;
                if self.lists_executed {
                    batch.executed.push(t as u32);
                }
                moved = true;
                escape = transition.escape;
            }
        }
    }

    /// Tries one transition of the current process; true if the process moved.
    ///
    /// The frequent statements are tried and executed in one go; their expressions are evaluated in the source state.
    #[inline(always)]
    fn attempt(
        &self,
        t: usize,
        transition: &Transition,
        moved: bool,
        source: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
        let bytes = bytes_mut(source);
        let start = batch.words.len();
        match &transition.action {
            Action::Guard(code) => {
                let holds = self.eval(scratch, bytes, code) != 0;
                if !holds || !scratch.ok() {
                    self.report(scratch, step, batch);
                    return false;
                }
                batch.words.extend_from_slice(source);
            }
            Action::Assign(slot, code) if !transition.creates => {
                let value = self.eval(scratch, bytes, code);
                batch.words.extend_from_slice(source);
                self.store_slot(scratch, bytes_mut(&mut batch.words[start..]), slot, value);
                if !scratch.ok() {
                    batch.words.truncate(start);
                    self.report(scratch, step, batch);
                    return false;
                }
                if !scratch.cut.is_empty() {
                    self.report_cut(step, scratch, batch);
                }
            }
            Action::Assert(code, _) if !transition.creates && self.eval(scratch, bytes, code) != 0 && scratch.ok() => {
                batch.words.extend_from_slice(source);
            }
            Action::Else if moved => return false,
            Action::Nothing | Action::Else => batch.words.extend_from_slice(source),
            _ => return self.attempt_other(t, moved, source, scratch, batch),
        }
        self.settle(transition, step, start, scratch, batch);
        true
    }

    /// As [`Interpreter::attempt`], for the other statements.
    #[inline(never)]
    fn attempt_other(
        &self,
        t: usize,
        moved: bool,
        source: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
        let start = batch.words.len();
        let bytes = bytes_mut(source);
        let transition = &self.program.transitions[t];
        if let Some(input) = &mut scratch.input {
            input.rewind();
            scratch.trying = t as u32;
        }
        let executable = match &transition.action {
            Action::Receive(receive) => match self.message_for(scratch, bytes, receive) {
                Some(found) => {
                    batch.words.extend_from_slice(source);
                    self.receive(scratch, bytes_mut(&mut batch.words[start..]), receive, found);
                    return self.done(transition, step, start, scratch, batch);
                }
                None => false,
            },
            Action::Send(send) => match self.send_target(scratch, bytes, send) {
                Some(number) if self.rendezvous(scratch, number) => {
                    return self.handshakes(t, number, send, source, scratch, batch);
                }
                Some(number) => self.accepts(scratch, bytes, number),
                None => false,
            },
            Action::DStep(d) => {
                let else_blocked = moved && matches!(d.guard, DGuard::First(Action::Else));
                !else_blocked && self.d_step_ready(scratch, bytes, d)
            }
            Action::End => scratch.pid + 1 == scratch.frames.len(),
            _ => true,
        };
        if !executable || !scratch.ok() {
            self.report(scratch, step, batch);
            return false;
        }
        batch.words.extend_from_slice(source);
        self.perform(t, step, start, scratch, batch)
    }

    /// Executes an executable transition on the copy of the state at the end of the batch.
    pub(super) fn perform(&self, t: usize, step: Step, start: usize, scratch: &mut Scratch, batch: &mut Batch) -> bool {
        let transition = &self.program.transitions[t];
        if !transition.creates && transition.to > 0 {
            self.execute(scratch, bytes_mut(&mut batch.words[start..]), &transition.action);
            return self.done(transition, step, start, scratch, batch);
        }
        if transition.creates {
            batch.words.resize(batch.words.len() + self.run_room, 0);
        }
        let bytes = bytes_mut(&mut batch.words[start..]);
        let (processes, channels) = (scratch.frames.len(), scratch.channels.len());
        self.execute(scratch, bytes, &transition.action);
        // what a `run` added belongs to the new state, not to the one we are enumerating
        scratch.frames.truncate(processes);
        scratch.channels.truncate(channels);
        let words = state::word_count(&batch.words[start..]);
        batch.words.truncate(start + words);
        self.done(transition, step, start, scratch, batch)
    }

    /// Completes a step if its execution went well; true if it did.
    #[inline]
    pub(super) fn done(
        &self,
        transition: &Transition,
        step: Step,
        start: usize,
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        if !scratch.ok() {
            batch.words.truncate(start);
            self.report(scratch, step, batch);
            return false;
        }
        self.report(scratch, step, batch);
        self.settle(transition, step, start, scratch, batch);
        true
    }

    /// Makes the state at the end of the batch, in which the transition's effect has taken place, a successor.
    #[inline(always)]
    fn settle(&self, transition: &Transition, step: Step, start: usize, scratch: &mut Scratch, batch: &mut Batch) {
        self.move_on(transition, scratch, bytes_mut(&mut batch.words[start..]));
        if !transition.atomic {
            batch.push(Outcome::State, start, step);
        } else if scratch.carries_on && !transition.creates {
            self.carry_on(step, start, scratch, batch);
        } else {
            batch.push(Outcome::Atomic(scratch.pid as u32), start, step);
        }
    }

    /// The control state after a transition. Comes last: the statement itself still sees where its process was and who
    /// moved before it.
    #[inline(always)]
    pub(super) fn move_on(&self, transition: &Transition, scratch: &Scratch, bytes: &mut [u8]) {
        if transition.to > 0 {
            self.set_pc(bytes, scratch.frame, transition.to);
            for reset in &transition.resets {
                let start = scratch.frame + reset.offset as usize;
                bytes[start..start + reset.len as usize].fill(0);
            }
        }
        self.note_mover(scratch, bytes);
    }

    /// Moves what went wrong into the batch.
    #[inline]
    pub(super) fn report(&self, scratch: &mut Scratch, step: Step, batch: &mut Batch) {
        if scratch.fault.is_some() || !scratch.complaints.is_empty() || !scratch.cut.is_empty() {
            self.report_faults(scratch, step, batch);
        }
    }

    #[cold]
    #[inline(never)]
    fn report_faults(&self, scratch: &mut Scratch, step: Step, batch: &mut Batch) {
        if scratch.fault.is_some() {
            // what it has stored goes with the step
            scratch.cut.clear();
        }
        self.report_cut(step, scratch, batch);
        for kind in scratch.complaints.drain(..).chain(scratch.fault.take()) {
            batch.push_fault(Fault { kind }, step);
        }
    }
}
