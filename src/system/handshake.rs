//! Handshakes: a rendezvous send and the receives that can take its message, as one step.

use super::interpreter::{Frame, Interpreter, Scratch};
use super::state::bytes_mut;
use super::{Batch, Receiver, Step};
use crate::program::Transition;
use crate::program::code::{Action, Chan, Code, Send};

/// A transition by which some process could take part in a handshake in the current state.
#[derive(Clone, Copy, Debug)]
pub struct Taker {
    pid: u32,
    transition: u32,
    /// The channel it receives from; `None` if that must be found out when there is an offer.
    channel: Option<u32>,
}

impl Interpreter<'_> {
    /// All handshakes of a rendezvous send: one for each ready receiver.
    pub(super) fn handshakes(
        &self,
        t: usize,
        number: u32,
        send: &Send,
        source: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let (sender, frame) = (scratch.pid, scratch.frame);
        if scratch.takers.is_none() {
            let takers = self.takers(source, scratch);
            scratch.takers = Some(takers);
        }
        let fits = |taker: &&Taker| taker.pid != sender as u32 && taker.channel.is_none_or(|c| c == number);
        let mut fitting = std::mem::take(&mut scratch.fitting);
        fitting.clear();
        fitting.extend(scratch.takers.iter().flatten().filter(fits));
        let mut met = false;
        if !fitting.is_empty() {
            met = self.meet(t, number, send, &fitting, source, scratch, batch);
        } else if !send.args.iter().all(is_plain) {
            self.try_message(t, send, source, scratch, batch);
        }
        scratch.fitting = fitting;
        scratch.pid = sender;
        scratch.frame = frame;
        met
    }

    /// A message that nobody waits for. As in pan, one that cannot be evaluated is an error all the same.
    fn try_message(&self, t: usize, send: &Send, source: &mut [u64], scratch: &mut Scratch, batch: &mut Batch) {
        // what creates a process is executed only as a whole
        if self.program.transitions[t].creates {
            return;
        }
        let bytes = bytes_mut(source);
        for arg in &send.args {
            self.eval(scratch, bytes, arg);
        }
        let step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
        self.report(scratch, step, batch);
    }

    /// The handshakes with these receivers.
    #[expect(clippy::too_many_arguments, reason = "what a step consists of, and the three places it works on")]
    fn meet(
        &self,
        t: usize,
        number: u32,
        send: &Send,
        takers: &[Taker],
        source: &[u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let step = Step { pid: scratch.pid as u32, transition: t as u32, receiver: None };
        let mut half = std::mem::take(&mut scratch.half);
        half.clear();
        half.extend_from_slice(source);
        let bytes = bytes_mut(&mut half);
        let offered = self.offer(scratch, bytes, number, send);
        // a value truncated in the message is reported only when a receiver takes it
        scratch.offered.clear();
        if !scratch.cut.is_empty() {
            std::mem::swap(&mut scratch.offered, &mut scratch.cut);
        }
        self.report(scratch, step, batch);
        let mut met = false;
        if offered {
            self.move_on(&self.program.transitions[t], scratch, bytes);
            for same_process in takers.chunk_by(|a, b| a.pid == b.pid) {
                met |= self.take_offer(same_process, step, &mut half, scratch, batch);
            }
        }
        scratch.offer = None;
        scratch.half = half;
        met
    }

    /// The receives that might take an offer in the source state, youngest process first; found once for each state.
    fn takers(&self, source: &mut [u64], scratch: &mut Scratch) -> Vec<Taker> {
        let mut takers = std::mem::take(&mut scratch.spare_takers);
        takers.clear();
        let (sender, frame) = (scratch.pid, scratch.frame);
        let bytes = bytes_mut(source);
        for pid in (0..scratch.frames.len()).rev() {
            scratch.pid = pid;
            scratch.frame = scratch.frames[pid].at as usize;
            let automaton = self.program.automaton(scratch.frames[pid].kind);
            for &t in automaton.takers.at(self.pc_at(bytes, scratch.frame)) {
                let channel = self.taker_channel(&self.program.transitions[t as usize].action, bytes, scratch);
                takers.push(Taker { pid: pid as u32, transition: t, channel });
            }
        }
        (scratch.pid, scratch.frame) = (sender, frame);
        takers
    }

    /// The channel of a receive, if it cannot change before the offer comes and is sure to exist.
    fn taker_channel(&self, action: &Action, bytes: &mut [u8], scratch: &mut Scratch) -> Option<u32> {
        let Action::Receive(receive) = action else { return None };
        match &receive.chan {
            Chan::Fixed(number) => Some(*number),
            Chan::Element { first, index } if is_plain(&index.index) => {
                let i = self.eval(scratch, bytes, &index.index);
                (i >= 0 && (i as u32) < index.count).then(|| first + i as u32)
            }
            Chan::Named(code) if is_plain(code) => {
                let id = self.eval(scratch, bytes, code);
                (id > 0).then(|| id as u32 - 1)
            }
            _ => None,
        }
    }

    /// The steps by which a process takes the current offer.
    fn take_offer(
        &self,
        takers: &[Taker],
        step: Step,
        half: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let pid = takers[0].pid as usize;
        let Frame { at, kind, .. } = scratch.frames[pid];
        scratch.pid = pid;
        scratch.frame = at as usize;
        if !self.may_move(pid, self.program.automaton(kind), bytes_mut(half), scratch) {
            return false;
        }
        let mut met = false;
        let mut escape = 0;
        for taker in takers {
            let transition = &self.program.transitions[taker.transition as usize];
            if scratch.spend(half.len()) || escape > 0 && escape != transition.escape {
                break;
            }
            let receiver = Some(Receiver { pid: taker.pid, transition: taker.transition });
            if self.take(transition, Step { receiver, ..step }, half, scratch, batch) {
                scratch.coverage.executed[taker.transition as usize] = true;
                if self.lists_executed {
                    batch.executed.push(taker.transition);
                }
                met = true;
                escape = transition.escape;
            }
        }
        met
    }

    /// The step by which the current process takes the current offer, if it can.
    fn take(
        &self,
        transition: &Transition,
        both: Step,
        half: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let start = batch.words.len();
        let offer = scratch.offer;
        match &transition.action {
            Action::Receive(receive) => {
                if let Some(found) = self.message_for(scratch, bytes_mut(half), receive) {
                    batch.words.extend_from_slice(half);
                    self.receive(scratch, bytes_mut(&mut batch.words[start..]), receive, found);
                    self.hand_over(both, scratch, batch);
                    return self.done(transition, both, start, scratch, batch);
                }
            }
            Action::DStep(d) if self.d_step_ready(scratch, bytes_mut(half), d) => {
                batch.words.extend_from_slice(half);
                self.d_step(scratch, bytes_mut(&mut batch.words[start..]), d);
                scratch.offer = offer;
                self.hand_over(both, scratch, batch);
                return self.done(transition, both, start, scratch, batch);
            }
            _ => {}
        }
        self.report(scratch, both, batch);
        false
    }

    /// The message is received, unless that has failed.
    #[inline]
    fn hand_over(&self, both: Step, scratch: &mut Scratch, batch: &mut Batch) {
        if !scratch.offered.is_empty() && scratch.ok() {
            self.report_offered(both, scratch, batch);
        }
    }
}

/// A variable, an element of an array or a constant: what the sender's step cannot change.
fn is_plain(code: &Code) -> bool {
    matches!(code, Code::Const(_) | Code::GlobalByte(_) | Code::LocalByte(_) | Code::Cell(_) | Code::Pid)
}
