//! Evaluating expressions.

use super::FaultKind;
use super::Run;
use super::interpreter::{Frame, Interpreter, Scratch};
use super::state::{self, byte, load, process_count};
use crate::program::code::{Base, Cell, Code, IndexStep, Indexed, Op, RemoteLabel, RemoteVar, Slot};
use crate::program::compile::apply;

impl Interpreter<'_> {
    /// The value of an expression. When something goes wrong the value is 0 and the scratch has the fault.
    ///
    /// Leaves are evaluated in line, wherever they occur; only what has parts costs a call.
    #[inline(always)]
    pub(super) fn eval(&self, s: &mut Scratch, b: &mut [u8], code: &Code) -> i32 {
        match code {
            Code::Const(value) => *value,
            Code::GlobalByte(offset) => byte(b, *offset as usize) as i32,
            Code::LocalByte(offset) => byte(b, s.frame + *offset as usize) as i32,
            Code::GlobalRange(offset, range) => range.holds(byte(b, *offset as usize)) as i32,
            Code::LocalRange(offset, range) => range.holds(byte(b, s.frame + *offset as usize)) as i32,
            _ => self.eval_tree(s, b, code),
        }
    }

    /// What has parts. Each kind is a function of its own, so that each pays only for the registers it needs.
    #[inline(never)]
    fn eval_tree(&self, s: &mut Scratch, b: &mut [u8], code: &Code) -> i32 {
        match code {
            Code::Cell(cell) => load_cell(s, b, *cell),
            Code::CellConst(op, cell, value) => self.eval_cell_const(s, b, *op, *cell, *value),
            Code::Indexed(place) => self.eval_indexed(s, b, place),
            Code::Binary(op, pair) => self.eval_binary(s, b, *op, pair),
            Code::And(pair) => self.eval_and(s, b, pair),
            Code::Or(pair) => self.eval_or(s, b, pair),
            Code::Not(inner) => (self.eval(s, b, inner) == 0) as i32,
            Code::Minus(inner) => self.eval(s, b, inner).wrapping_neg(),
            Code::Complement(inner) => !self.eval(s, b, inner),
            Code::Pid => s.pid as i32,
            Code::Timeout => s.timeout as i32,
            _ => self.eval_rare(s, b, code),
        }
    }

    #[inline(never)]
    fn eval_cell_const(&self, s: &mut Scratch, b: &mut [u8], op: Op, cell: Cell, right: i32) -> i32 {
        let left = load_cell(s, b, cell);
        apply(op, left, right).unwrap_or_else(|| s.fail(FaultKind::DivisionByZero))
    }

    #[inline(never)]
    fn eval_indexed(&self, s: &mut Scratch, b: &mut [u8], place: &Indexed) -> i32 {
        self.address(s, b, place).map_or(0, |at| load(b, at, place.cell.width))
    }

    #[inline(never)]
    fn eval_binary(&self, s: &mut Scratch, b: &mut [u8], op: Op, pair: &(Code, Code)) -> i32 {
        let left = self.eval(s, b, &pair.0);
        let right = self.eval(s, b, &pair.1);
        apply(op, left, right).unwrap_or_else(|| s.fail(FaultKind::DivisionByZero))
    }

    #[inline(never)]
    fn eval_and(&self, s: &mut Scratch, b: &mut [u8], pair: &(Code, Code)) -> i32 {
        (self.eval(s, b, &pair.0) != 0 && self.eval(s, b, &pair.1) != 0) as i32
    }

    #[inline(never)]
    fn eval_or(&self, s: &mut Scratch, b: &mut [u8], pair: &(Code, Code)) -> i32 {
        (self.eval(s, b, &pair.0) != 0 || self.eval(s, b, &pair.1) != 0) as i32
    }

    #[inline(never)]
    fn eval_rare(&self, s: &mut Scratch, b: &mut [u8], code: &Code) -> i32 {
        match code {
            Code::Conditional(three) => {
                let chosen = if self.eval(s, b, &three.0) != 0 { &three.1 } else { &three.2 };
                self.eval(s, b, chosen)
            }
            Code::ProcessCount => process_count(b) as i32,
            Code::Len(chan) => self.chan_len(s, b, chan, "len"),
            Code::Full(chan) => self.chan_full(s, b, chan) as i32,
            Code::NotFull(chan) => (s.ok() && !self.chan_full(s, b, chan)) as i32,
            Code::Empty(chan) => (self.chan_len(s, b, chan, "len") == 0) as i32,
            Code::NotEmpty(chan) => (self.chan_len(s, b, chan, "len") > 0) as i32,
            Code::Poll(poll) => self.poll(s, b, poll),
            Code::Run(run) => self.run(s, b, run),
            Code::NonProgress => (s.run == Run::GoesOn && self.non_progress(b, s)) as i32,
            Code::Last => self.program.layout.last.map_or(0, |cell| load_cell(s, b, cell)),
            Code::Priority => self.priority_of(b, s.frame),
            Code::Enabled(pid) => {
                let pid = self.eval(s, b, pid);
                self.enabled(s, b, pid) as i32
            }
            Code::PcValue(pid) => {
                let pid = self.eval(s, b, pid);
                self.frame_of(s, pid).map_or(0, |frame| self.pc_at(b, frame) as i32)
            }
            Code::GetPriority(pid) => {
                let pid = self.eval(s, b, pid);
                self.frame_of(s, pid).map_or(0, |frame| self.priority_of(b, frame))
            }
            Code::RemoteLabel(remote) => self.at_label(s, b, remote) as i32,
            Code::RemoteVar(remote) => self.remote_value(s, b, remote),
            Code::ChannelElement(step, first) => match self.index(s, b, step) {
                Some(index) => first + index as i32,
                None => 0,
            },
            Code::Any => 0,
            _ => unreachable!("the frequent expressions are handled above"),
        }
    }

    /// A checked array index.
    #[inline]
    pub(super) fn index(&self, s: &mut Scratch, b: &mut [u8], step: &IndexStep) -> Option<u32> {
        let index = self.eval(s, b, &step.index);
        if index >= 0 && (index as u32) < step.count {
            return Some(index as u32);
        }
        s.fail(FaultKind::ArrayIndex { index, size: step.count });
        None
    }

    #[inline]
    fn address(&self, s: &mut Scratch, b: &mut [u8], place: &Indexed) -> Option<usize> {
        let mut at = place.cell.offset as usize;
        if place.cell.base == Base::Frame {
            at += s.frame;
        }
        at += self.index(s, b, &place.first)? as usize * place.first.stride as usize;
        for step in &place.more {
            at += self.index(s, b, step)? as usize * step.stride as usize;
        }
        Some(at)
    }

    #[inline]
    pub(super) fn store_slot(&self, s: &mut Scratch, b: &mut [u8], slot: &Slot, value: i32) {
        match slot {
            Slot::Fixed(cell) => {
                let at = cell_address(s, *cell);
                state::store(b, at, cell.width, value);
                if cell.width.cuts(value) {
                    self.cut(s, (cell.base, at), cell.width, value);
                }
            }
            Slot::Indexed(place) => {
                if let Some(at) = self.address(s, b, place) {
                    state::store(b, at, place.cell.width, value);
                    if place.cell.width.cuts(value) {
                        self.cut(s, (place.cell.base, at), place.cell.width, value);
                    }
                }
            }
        }
    }

    fn load_slot(&self, s: &mut Scratch, b: &mut [u8], slot: &Slot) -> i32 {
        match slot {
            Slot::Fixed(cell) => load_cell(s, b, *cell),
            Slot::Indexed(place) => match self.address(s, b, place) {
                Some(at) => load(b, at, place.cell.width),
                None => 0,
            },
        }
    }

    fn non_progress(&self, b: &[u8], s: &Scratch) -> bool {
        let progress = |frame: &Frame| {
            let automaton = self.program.automaton(frame.kind);
            automaton.marks[self.pc_at(b, frame.at as usize) as usize].progress
        };
        !s.frames.iter().any(progress)
    }

    fn at_label(&self, s: &mut Scratch, b: &mut [u8], remote: &RemoteLabel) -> bool {
        let frame = self.remote_frame(s, b, remote.proctype, remote.pid.as_ref());
        frame.is_some_and(|frame| self.pc_at(b, frame) == remote.state)
    }

    fn remote_value(&self, s: &mut Scratch, b: &mut [u8], remote: &RemoteVar) -> i32 {
        let Some(frame) = self.remote_frame(s, b, remote.proctype, remote.pid.as_ref()) else { return 0 };
        let own = std::mem::replace(&mut s.frame, frame);
        let value = self.load_slot(s, b, &remote.slot);
        s.frame = own;
        value
    }

    /// The frame of process `pid`, or of the oldest instance, if it is of the named proctype.
    pub(super) fn remote_frame(
        &self,
        s: &mut Scratch,
        b: &mut [u8],
        proctype: u32,
        pid: Option<&Code>,
    ) -> Option<usize> {
        let of_type = |b: &[u8], frame: usize| self.type_at(b, frame) == proctype as usize;
        match pid {
            Some(pid) => {
                let pid = self.eval(s, b, pid);
                self.frame_of(s, pid).filter(|&frame| of_type(b, frame))
            }
            None => s.frames.iter().map(|f| f.at as usize).find(|&frame| of_type(b, frame)),
        }
    }

    pub(super) fn frame_of(&self, s: &Scratch, pid: i32) -> Option<usize> {
        usize::try_from(pid).ok().and_then(|pid| s.frames.get(pid)).map(|frame| frame.at as usize)
    }
}

/// Complaints that are kept of one step.
const MOST_COMPLAINTS: usize = 1 << 12;

impl Scratch {
    /// Notes the first fault of a step.
    pub(super) fn fail(&mut self, kind: FaultKind) -> i32 {
        self.fault.get_or_insert(kind);
        0
    }

    /// Something goes wrong that does not prevent the current step. A d_step may do so again and again.
    #[cold]
    pub(super) fn complain(&mut self, kind: FaultKind) {
        if self.complaints.len() < MOST_COMPLAINTS {
            self.complaints.push(kind);
        }
    }

    pub(super) fn ok(&self) -> bool {
        self.fault.is_none()
    }
}

#[inline]
fn cell_address(s: &Scratch, cell: Cell) -> usize {
    match cell.base {
        Base::Global => cell.offset as usize,
        Base::Frame => s.frame + cell.offset as usize,
    }
}

#[inline]
pub(super) fn load_cell(s: &Scratch, b: &[u8], cell: Cell) -> i32 {
    load(b, cell_address(s, cell), cell.width)
}
