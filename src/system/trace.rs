//! trace and notrace: an automaton that watches the sends and receives on the channels it names.

use super::FaultKind;
use super::interpreter::{Interpreter, Scratch};
use super::state::{load, store};
use crate::model::ProctypeKind;
use crate::program::code::{Action, Chan, Code, Take};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Send,
    Receive,
}

impl Interpreter<'_> {
    /// A message was put into a channel, or is about to be taken out of it.
    #[inline]
    pub(super) fn event(&self, s: &mut Scratch, b: &mut [u8], event: Event, number: u32) {
        if self.program.trace.is_some() {
            self.watch(s, b, event, number);
        }
    }

    #[inline(never)]
    fn watch(&self, s: &mut Scratch, b: &mut [u8], event: Event, number: u32) {
        let (Some(trace), Some(cell)) = (self.program.trace, self.program.layout.event) else { return };
        if !self.in_scope(s, b, trace, event, number) {
            return;
        }
        let automaton = self.program.automaton(trace);
        let end = automaton.states.len() as u32 - 1;
        let at = load(b, cell.offset as usize, cell.width) as u32;
        let mut matching = Vec::new();
        if at != end {
            for t in self.program.leaving(trace, at) {
                if self.event_matches(s, b, &self.program.transitions[t].action, event, number) {
                    matching.push(self.program.transitions[t].to);
                }
            }
        }
        let negated = automaton.kind == ProctypeKind::NoTrace;
        let next = match matching.first() {
            Some(&to) => {
                if matching.len() > 1 {
                    s.fail(FaultKind::TraceNondeterministic);
                }
                if negated && to == end {
                    s.complain(FaultKind::AllEventsMatched);
                }
                to
            }
            None if negated => end,
            None => {
                s.complain(FaultKind::NoMatchingEvent);
                at
            }
        };
        store(b, cell.offset as usize, cell.width, next as i32);
    }

    /// Whether the trace mentions this kind of event on this channel anywhere.
    fn in_scope(&self, s: &mut Scratch, b: &mut [u8], trace: u32, event: Event, number: u32) -> bool {
        let first = &self.program.automaton(trace).first;
        let all = first[0] as usize..first[first.len() - 1] as usize;
        all.into_iter().any(|t| match (&self.program.transitions[t].action, event) {
            (Action::Send(send), Event::Send) => self.means(s, b, &send.chan, number),
            (Action::Receive(receive), Event::Receive) => self.means(s, b, &receive.chan, number),
            _ => false,
        })
    }

    fn means(&self, s: &mut Scratch, b: &mut [u8], chan: &Chan, number: u32) -> bool {
        match chan {
            Chan::Fixed(n) => *n == number,
            Chan::Element { first, index } => self.index(s, b, index).is_some_and(|i| first + i == number),
            Chan::Named(code) => self.eval(s, b, code) == number as i32 + 1,
        }
    }

    /// Constants and eval fields are compared: with the last message for a send, with the first for a receive.
    fn event_matches(&self, s: &mut Scratch, b: &mut [u8], action: &Action, event: Event, number: u32) -> bool {
        match (action, event) {
            (Action::Send(send), Event::Send) => {
                self.means(s, b, &send.chan, number)
                    && send.args.iter().enumerate().all(|(i, arg)| match arg {
                        Code::Const(value) => self.event_field(s, b, event, number, i) == Some(*value),
                        _ => true,
                    })
            }
            (Action::Receive(receive), Event::Receive) => {
                self.means(s, b, &receive.chan, number)
                    && receive.args.iter().enumerate().all(|(i, arg)| match arg {
                        Take::Match(code) => {
                            let value = self.eval(s, b, code);
                            self.event_field(s, b, event, number, i) == Some(value)
                        }
                        Take::Store(_) | Take::Ignore => true,
                    })
            }
            _ => false,
        }
    }

    fn event_field(&self, s: &Scratch, b: &[u8], event: Event, number: u32, i: usize) -> Option<i32> {
        if self.rendezvous(s, number) {
            return s.offer.and_then(|_| s.message.get(i).copied());
        }
        let messages = self.contents(s, b, number);
        let message = if event == Event::Send { messages.last() } else { messages.first() };
        message.and_then(|m| m.get(i).copied())
    }

    /// A run may end only where the trace may end.
    pub(super) fn trace_may_end(&self, b: &[u8]) -> bool {
        let (Some(trace), Some(cell)) = (self.program.trace, self.program.layout.event) else { return true };
        let at = load(b, cell.offset as usize, cell.width) as usize;
        self.program.automaton(trace).marks[at].end
    }
}
