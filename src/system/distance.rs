//! How far a state is from one in which a condition holds: estimates for directed searches.
//!
//! The formula-based heuristic of HSF-SPIN (Edelkamp, Lluch Lafuente, Leue, Directed explicit model checking with HSF-SPIN,
//! SPIN 2001), on compiled expressions:
//!
//! ```text
//! f && g: the sum      f || g: the smaller one      x == y: |x - y|      x < y: x - y + 1
//! empty(c): its messages      full(c): its free places      P@label: transitions to the label
//! anything else that is not as it is wanted: 1
//! ```

use super::eval::load_cell;
use super::interpreter::{Interpreter, Scratch};
use super::observe::Observer;
use super::state::{byte, bytes, bytes_mut, load, process_count};
use crate::program::Program;
use crate::program::code::{Chan, Code, Op, Range};
use crate::program::routes::{FAR, Routes};

impl Observer<'_> {
    /// An estimate of how many steps it takes until a condition is as it is `wanted`; 0 if and only if it is so.
    pub fn steps_until(&mut self, state: &mut [u64], code: &Code, wanted: bool, routes: &Routes) -> u32 {
        let Observer { system, scratch } = self;
        let bytes = bytes_mut(state);
        system.locate(scratch, bytes);
        let estimate = Estimator { system, bytes, scratch, routes }.until(code, wanted);
        scratch.fault = None;
        estimate.min(FAR)
    }

    /// The same for the condition of an assertion, wherever some process is that might come to it: the least estimate over
    /// all processes and all assertions of their proctypes.
    pub fn steps_until_failure(&mut self, state: &mut [u64], assertions: &[Vec<(u32, Code)>], routes: &Routes) -> u32 {
        let Observer { system, scratch } = self;
        let bytes = bytes_mut(state);
        system.locate(scratch, bytes);
        let mut least = FAR;
        for pid in 0..scratch.frames.len() {
            let frame = scratch.frames[pid];
            let at = system.pc_at(bytes, frame.at as usize);
            (scratch.pid, scratch.frame) = (pid, frame.at as usize);
            for (place, code) in &assertions[frame.kind as usize] {
                let way = routes.distance(frame.kind, at, *place);
                if way < least {
                    let estimator = &mut Estimator { system, bytes: &mut *bytes, scratch, routes };
                    least = least.min(way.saturating_add(estimator.until(code, false)));
                }
            }
        }
        scratch.fault = None;
        least
    }

    /// How many processes have an executable statement. A rendezvous send counts without its receiver.
    pub fn active_processes(&mut self, state: &mut [u64]) -> u32 {
        let Observer { system, scratch } = self;
        let bytes = bytes_mut(state);
        system.locate(scratch, bytes);
        let count = (0..scratch.frames.len()).filter(|&pid| system.is_active(pid, scratch, bytes)).count();
        scratch.fault = None;
        count as u32
    }

    /// How many statements can be executed. A rendezvous send counts without its receiver.
    pub fn all_enabled(&mut self, state: &mut [u64]) -> u32 {
        let Observer { system, scratch } = self;
        let bytes = bytes_mut(state);
        system.locate(scratch, bytes);
        let count = (0..scratch.frames.len()).map(|pid| system.enabled_statements(pid, scratch, bytes)).sum::<usize>();
        scratch.fault = None;
        count as u32
    }

    /// How far a system is from being at rest: the transitions of all processes to their homes, and the messages in all
    /// channels.
    pub fn unrest(&mut self, state: &[u64], homes: &[Option<u32>], routes: &Routes) -> u32 {
        let way = |(kind, at): (u32, u32)| homes[kind as usize].map_or(0, |home| routes.distance(kind, at, home));
        let ways = self.control(state).map(way).sum::<u32>();
        ways + self.system.messages(self.scratch, bytes(state))
    }
}

/// The sum, over the processes of two states, of the transitions from one control state to the other. A process that is
/// in one of them only counts as one.
pub fn control_distance(program: &Program, from: &[u64], to: &[u64], routes: &Routes) -> u32 {
    let way = |((kind, at), (target_kind, target)): ((u32, u32), (u32, u32))| {
        if kind == target_kind { routes.distance(kind, at, target) } else { 1 }
    };
    let common = control(program, from).zip(control(program, to)).map(way).sum::<u32>();
    common + process_count(bytes(from)).abs_diff(process_count(bytes(to))) as u32
}

/// The proctypes and control states of the processes of a state, by pid.
fn control<'s>(program: &'s Program, state: &'s [u64]) -> impl Iterator<Item = (u32, u32)> + 's {
    let (layout, bytes) = (&program.layout, bytes(state));
    let mut frame = layout.frames_at as usize;
    (0..process_count(bytes)).map(move |_| {
        let kind = load(bytes, frame, layout.type_width) as u32;
        let at = load(bytes, frame + layout.pc.offset as usize, layout.pc.width) as u32;
        frame += layout.frames[kind as usize].size as usize;
        (kind, at)
    })
}

struct Estimator<'e, 'p> {
    system: &'e Interpreter<'p>,
    bytes: &'e mut [u8],
    scratch: &'e mut Scratch,
    routes: &'e Routes,
}

impl Estimator<'_, '_> {
    fn until(&mut self, code: &Code, wanted: bool) -> u32 {
        match code {
            Code::Const(value) => {
                if (*value != 0) == wanted {
                    0
                } else {
                    FAR
                }
            }
            Code::GlobalRange(offset, range) => in_range(*range, byte(self.bytes, *offset as usize), wanted),
            Code::LocalRange(offset, range) => {
                in_range(*range, byte(self.bytes, self.scratch.frame + *offset as usize), wanted)
            }
            Code::CellConst(op, cell, right) if is_comparison(*op) => {
                compared(*op, load_cell(self.scratch, self.bytes, *cell), *right, wanted)
            }
            Code::Binary(op, pair) if is_comparison(*op) => {
                let (left, right) = (self.value(&pair.0), self.value(&pair.1));
                compared(*op, left, right, wanted)
            }
            Code::And(pair) => self.pair(pair, wanted, wanted),
            Code::Or(pair) => self.pair(pair, wanted, !wanted),
            Code::Not(inner) => self.until(inner, !wanted),
            Code::Empty(chan) => self.emptied(chan, wanted),
            Code::NotEmpty(chan) => self.emptied(chan, !wanted),
            Code::Full(chan) => self.filled(chan, wanted),
            Code::NotFull(chan) => self.filled(chan, !wanted),
            Code::RemoteLabel(remote) if wanted => {
                match self.system.remote_frame(self.scratch, self.bytes, remote.proctype, remote.pid.as_ref()) {
                    Some(frame) => {
                        self.routes.distance(remote.proctype, self.system.pc_at(self.bytes, frame), remote.state)
                    }
                    None => 1,
                }
            }
            _ => ((self.value(code) != 0) != wanted) as u32,
        }
    }

    fn value(&mut self, code: &Code) -> i32 {
        self.system.eval(self.scratch, self.bytes, code)
    }

    /// Two conditions, both of which are to be as `wanted`, or one of them.
    fn pair(&mut self, (left, right): &(Code, Code), wanted: bool, both: bool) -> u32 {
        let (left, right) = (self.until(left, wanted), self.until(right, wanted));
        if both { left.saturating_add(right) } else { left.min(right) }
    }

    fn emptied(&mut self, chan: &Chan, wanted: bool) -> u32 {
        let len = self.system.chan_len(self.scratch, self.bytes, chan, "len") as u32;
        if wanted { len } else { (len == 0) as u32 }
    }

    fn filled(&mut self, chan: &Chan, wanted: bool) -> u32 {
        let Some(number) = self.system.number(self.scratch, self.bytes, chan, "full") else { return wanted as u32 };
        let free = self.system.free_places(self.scratch, self.bytes, number);
        if wanted { free } else { (free == 0) as u32 }
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne)
}

fn compared(op: Op, left: i32, right: i32, wanted: bool) -> u32 {
    let (left, right) = (left as i64, right as i64);
    let steps = match (op, wanted) {
        (Op::Eq, true) | (Op::Ne, false) => (left - right).abs(),
        (Op::Eq, false) | (Op::Ne, true) => (left == right) as i64,
        (Op::Lt, true) | (Op::Ge, false) => (left - right + 1).max(0),
        (Op::Le, true) | (Op::Gt, false) => (left - right).max(0),
        (Op::Gt, true) | (Op::Le, false) => (right - left + 1).max(0),
        _ => (right - left).max(0),
    };
    u32::try_from(steps).unwrap_or(FAR).min(FAR)
}

/// Steps of one until a byte is in a range, or out of it.
fn in_range(range: Range, value: u8, wanted: bool) -> u32 {
    let wanted = if wanted { range } else { range.opposite() };
    if wanted.holds(value) {
        return 0;
    }
    let reach = |distance: i32| {
        [value as i32 - distance, value as i32 + distance]
            .into_iter()
            .any(|near| u8::try_from(near).is_ok_and(|near| wanted.holds(near)))
    };
    (1..256).find(|&distance| reach(distance)).map_or(FAR, |distance| distance as u32)
}
