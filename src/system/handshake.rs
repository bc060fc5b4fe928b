//! Handshakes: a rendezvous send and the receives that can take its message, as one step.

use super::interpreter::{Interpreter, Scratch};
use super::state::bytes_mut;
use super::{Batch, Receiver, Step};
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
        let takers = self.takers(source, scratch);
        let fits = |taker: &Taker| taker.pid != sender as u32 && taker.channel.is_none_or(|c| c == number);
        if !takers.iter().any(fits) {
            scratch.takers = Some(takers);
            return false;
        }
        let step = Step { pid: sender as u32, transition: t as u32, receiver: None };
        let mut half = std::mem::take(&mut scratch.half);
        half.clear();
        half.extend_from_slice(source);
        let offered = self.offer(scratch, bytes_mut(&mut half), number, send);
        self.report(scratch, step, batch);
        let mut met = false;
        if offered {
            let bytes = bytes_mut(&mut half);
            self.note_mover(scratch, bytes);
            self.set_pc(bytes, frame, self.program.transitions[t].to);
            for same_process in takers.chunk_by(|a, b| a.pid == b.pid) {
                let candidates = same_process.iter().filter(|taker| fits(taker)).map(|taker| taker.transition as usize);
                met |= self.take_offer(same_process[0].pid as usize, candidates, step, &mut half, scratch, batch);
            }
        }
        scratch.takers = Some(takers);
        scratch.offer = None;
        scratch.half = half;
        scratch.pid = sender;
        scratch.frame = frame;
        met
    }

    /// Who might receive in the source state, the youngest process first; found out once for each state.
    fn takers(&self, source: &mut [u64], scratch: &mut Scratch) -> Vec<Taker> {
        if let Some(takers) = scratch.takers.take() {
            return takers;
        }
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

    /// The receives of process `pid` that take the current offer, out of `candidates`.
    fn take_offer(
        &self,
        pid: usize,
        candidates: impl Iterator<Item = usize>,
        step: Step,
        half: &mut [u64],
        scratch: &mut Scratch,
        batch: &mut Batch,
    ) -> bool {
        let mut candidates = candidates.peekable();
        let automaton = self.program.automaton(scratch.frames[pid].kind);
        scratch.pid = pid;
        scratch.frame = scratch.frames[pid].at as usize;
        if candidates.peek().is_none() || !self.may_move(pid, automaton, bytes_mut(half), scratch) {
            return false;
        }
        let mut met = false;
        let mut escape = 0;
        for t in candidates {
            let transition = &self.program.transitions[t];
            if escape > 0 && escape != transition.escape {
                break;
            }
            let ready = match &transition.action {
                Action::Receive(receive) => self.message_for(scratch, bytes_mut(half), receive).is_some(),
                Action::DStep(d) => self.d_step_ready(scratch, bytes_mut(half), d),
                _ => false,
            };
            let both = Step { receiver: Some(Receiver { pid: pid as u32, transition: t as u32 }), ..step };
            if !ready {
                self.report(scratch, both, batch);
                continue;
            }
            let start = batch.words.len();
            batch.words.extend_from_slice(half);
            let offer = scratch.offer;
            if self.perform(t, both, start, scratch, batch) {
                scratch.executed[t] = true;
                met = true;
                escape = transition.escape;
            }
            scratch.offer = offer;
        }
        met
    }
}

/// A variable, an element of an array or a constant: what the sender's step cannot change.
fn is_plain(code: &Code) -> bool {
    matches!(code, Code::Const(_) | Code::GlobalByte(_) | Code::LocalByte(_) | Code::Cell(_) | Code::Pid)
}
