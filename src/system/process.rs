//! Processes: creation, death, priorities, provided clauses.

use super::FaultKind;
use super::interpreter::{Frame, Interpreter, Scratch};
use super::memo::UNPLANNED;
use super::state::{self, process_count, store};
use super::truncation::Target;
use crate::program::code::{Action, Run};
use crate::program::layout::ChannelPlace;
use crate::program::{Automaton, InitStep};

const MOST_PROCESSES: usize = 65_000;

impl Interpreter<'_> {
    /// Whether the scheduler lets this process move at all, by its provided clause and its priority.
    #[inline]
    pub(super) fn may_move(&self, pid: usize, automaton: &Automaton, b: &mut [u8], s: &mut Scratch) -> bool {
        self.unrestricted || self.is_allowed(pid, automaton, b, s)
    }

    fn is_allowed(&self, pid: usize, automaton: &Automaton, b: &mut [u8], s: &mut Scratch) -> bool {
        if let Some(provided) = &automaton.provided {
            let allowed = self.eval(s, b, provided) != 0;
            s.fault = None;
            if !allowed {
                return false;
            }
        }
        self.program.layout.priority.is_none() || self.has_highest_priority(pid, b, s)
    }

    /// No other enabled process has a higher priority.
    fn has_highest_priority(&self, pid: usize, b: &mut [u8], s: &mut Scratch) -> bool {
        let (own_pid, own_frame) = (s.pid, s.frame);
        let own = self.priority_of(b, own_frame);
        let mut highest = true;
        for other in (0..s.frames.len()).filter(|&other| other != pid) {
            let frame = s.frames[other].at as usize;
            if self.priority_of(b, frame) <= own {
                continue;
            }
            s.pid = other;
            s.frame = frame;
            let provided = match &self.program.automata[self.type_at(b, frame)].provided {
                Some(provided) => self.eval(s, b, provided) != 0,
                None => true,
            };
            if provided && self.process_enabled(s, b) {
                highest = false;
                break;
            }
        }
        s.fault = None;
        s.pid = own_pid;
        s.frame = own_frame;
        highest
    }

    /// `enabled(pid)`
    pub(super) fn enabled(&self, s: &mut Scratch, b: &mut [u8], pid: i32) -> bool {
        // processes that ask about each other may come round to the first one
        if usize::try_from(pid) == Ok(s.pid) || s.asking >= s.frames.len() {
            s.fail(FaultKind::EnabledOfItself);
        }
        if !s.ok() || s.spend(0) {
            return false;
        }
        let Some(frame) = self.frame_of(s, pid) else { return false };
        let (own_pid, own_frame) = (s.pid, s.frame);
        s.pid = pid as usize;
        s.frame = frame;
        s.asking += 1;
        let enabled = self.process_enabled(s, b);
        s.asking -= 1;
        s.pid = own_pid;
        s.frame = own_frame;
        enabled
    }

    /// A process has an executable statement, and may execute it.
    pub(super) fn is_active(&self, pid: usize, s: &mut Scratch, b: &mut [u8]) -> bool {
        let frame = s.frames[pid];
        (s.pid, s.frame) = (pid, frame.at as usize);
        self.may_move(pid, self.program.automaton(frame.kind), b, s) && self.process_enabled(s, b)
    }

    /// How many executable statements a process has, if it may move at all.
    pub(super) fn enabled_statements(&self, pid: usize, s: &mut Scratch, b: &mut [u8]) -> usize {
        let frame = s.frames[pid];
        (s.pid, s.frame) = (pid, frame.at as usize);
        if !self.may_move(pid, self.program.automaton(frame.kind), b, s) {
            return 0;
        }
        let leaving = self.program.leaving(frame.kind, self.pc_at(b, s.frame));
        leaving.filter(|&t| self.executable(s, b, &self.program.transitions[t].action) && s.ok()).count()
    }

    /// Whether the process at `s.pid` has an executable statement; a rendezvous send counts without its receiver, as in
    /// pan.
    fn process_enabled(&self, s: &mut Scratch, b: &mut [u8]) -> bool {
        let kind = self.type_at(b, s.frame) as u32;
        let pc = self.pc_at(b, s.frame);
        self.program.leaving(kind, pc).any(|t| {
            let enabled = self.executable(s, b, &self.program.transitions[t].action);
            s.ok() && enabled
        })
    }

    /// Whether an action could be executed, without executing it.
    pub(super) fn executable(&self, s: &mut Scratch, b: &mut [u8], action: &Action) -> bool {
        match action {
            Action::Guard(code) => self.eval(s, b, code) != 0,
            Action::Send(send) => {
                self.send_target(s, b, send).is_some_and(|n| s.offer.is_none() && self.accepts(s, b, n))
            }
            Action::Receive(receive) => self.message_for(s, b, receive).is_some(),
            Action::DStep(d) => self.d_step_ready(s, b, d),
            Action::End => s.pid + 1 == s.frames.len(),
            _ => s.offer.is_none(),
        }
    }

    pub(super) fn priority_of(&self, b: &[u8], frame: usize) -> i32 {
        self.program.layout.priority.map_or(1, |cell| state::load(b, frame + cell.offset as usize, cell.width))
    }

    pub(super) fn set_priority(&self, s: &mut Scratch, b: &mut [u8], frame: usize, value: i32) {
        if !(1..=255).contains(&value) {
            s.fail(FaultKind::PriorityRange(value));
            return;
        }
        if let Some(cell) = self.program.layout.priority {
            store(b, frame + cell.offset as usize, cell.width, value);
        }
    }

    /// `run P(args)`: its value is the new process's pid. The state has room for one more frame behind its end.
    pub(super) fn run(&self, s: &mut Scratch, b: &mut [u8], run: &Run) -> i32 {
        let args: Vec<i32> = run.args.iter().map(|arg| self.eval(s, b, arg)).collect();
        if s.ok() { self.create(s, b, run.proctype, run.priority, &args) } else { 0 }
    }

    pub(super) fn create(&self, s: &mut Scratch, b: &mut [u8], proctype: u32, priority: u8, args: &[i32]) -> i32 {
        let layout = &self.program.layout;
        let automaton = self.program.automaton(proctype);
        let size = layout.frames[proctype as usize].size as usize;
        let at = self.frames_end(s);
        let pid = process_count(b);
        if pid >= MOST_PROCESSES || at + size > b.len() {
            return s.fail(FaultKind::TooManyProcesses);
        }
        state::set_header(b, (at + size).div_ceil(8), pid + 1);
        store(b, at, layout.type_width, proctype as i32);
        self.set_pc(b, at, automaton.initial);
        if let Some(cell) = layout.priority {
            store(b, at + cell.offset as usize, cell.width, priority as i32);
        }
        for (cell, &value) in automaton.params.iter().zip(args) {
            store(b, at + cell.offset as usize, cell.width, value);
            if cell.width.cuts(value) {
                s.cut_for(Target::Local { proctype, offset: cell.offset }, cell.width, value);
            }
        }
        let (own_pid, own_frame) = (s.pid, s.frame);
        (s.pid, s.frame) = (pid, at);
        s.frames.push(Frame { at: at as u32, kind: proctype, plans: UNPLANNED });
        let first_channel = s.channels.len() as i32;
        let own = layout.frames[proctype as usize].channels.iter();
        s.channels.extend(own.map(|c| ChannelPlace { offset: c.offset + at as u32, ..*c }));
        for step in &automaton.init {
            match step {
                InitStep::Value(cell, code) => {
                    let value = self.eval(s, b, code);
                    store(b, at + cell.offset as usize, cell.width, value);
                    if cell.width.cuts(value) {
                        s.cut_for(Target::Local { proctype, offset: cell.offset }, cell.width, value);
                    }
                }
                InitStep::Channel(cell, number) => {
                    let id = first_channel + *number as i32 + 1;
                    store(b, at + cell.offset as usize, cell.width, id);
                }
            }
        }
        for reset in &automaton.resets {
            let start = at + reset.offset as usize;
            b[start..start + reset.len as usize].fill(0);
        }
        (s.pid, s.frame) = (own_pid, own_frame);
        pid as i32
    }

    /// Where the next frame starts.
    fn frames_end(&self, s: &Scratch) -> usize {
        let layout = &self.program.layout;
        let end = |last: &Frame| last.at + layout.frames[last.kind as usize].size;
        s.frames.last().map_or(layout.frames_at, end) as usize
    }

    /// `-end-`: removes the youngest process.
    pub(super) fn destroy(&self, s: &Scratch, b: &mut [u8]) {
        let words = state::word_count_of(b);
        b[s.frame..words * 8].fill(0);
        state::set_header(b, s.frame.div_ceil(8), s.pid);
    }
}
