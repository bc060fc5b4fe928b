//! Channels: buffered ones live in the state as a length and a row of messages; the message of a rendezvous exists only
//! between the two halves of a handshake.

use super::interpreter::{Interpreter, Scratch};
use super::state::{load, store};
use super::truncation::Target;
use super::{FaultKind, Step};
use crate::program::code::{Chan, Code, Poll, Receive, Send, Take};
use crate::program::layout::{ChannelLayout, ChannelPlace};

/// Where a receive finds its message.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// The message at this position of a buffered channel.
    Slot(u32, u32),
    /// The offer of a rendezvous.
    Offer,
    /// Characters of the standard input.
    Input,
}

impl Interpreter<'_> {
    /// The number of the channel a statement means. `None`: it means none (the scratch may have a fault).
    pub(super) fn number(&self, s: &mut Scratch, b: &mut [u8], chan: &Chan, purpose: &'static str) -> Option<u32> {
        match chan {
            Chan::Fixed(number) => Some(*number),
            Chan::Element { first, index } => Some(first + self.index(s, b, index)?),
            Chan::Named(code) => {
                let id = self.eval(s, b, code);
                if id <= 0 {
                    s.fail(FaultKind::UninitialisedChannel(purpose));
                    return None;
                }
                Some(id as u32 - 1).filter(|&n| (n as usize) < s.channels.len())
            }
        }
    }

    fn place(&self, s: &Scratch, number: u32) -> (ChannelPlace, &ChannelLayout) {
        let place = s.channels[number as usize];
        (place, &self.program.layout.channel_layouts[place.layout as usize])
    }

    pub(super) fn rendezvous(&self, s: &Scratch, number: u32) -> bool {
        self.place(s, number).1.rendezvous()
    }

    fn len(&self, s: &Scratch, b: &[u8], number: u32) -> u32 {
        let (place, layout) = self.place(s, number);
        if layout.rendezvous() { 0 } else { load(b, place.offset as usize, layout.len) as u32 }
    }

    pub(super) fn is_full(&self, s: &Scratch, b: &[u8], number: u32) -> bool {
        let (place, layout) = self.place(s, number);
        !layout.rendezvous() && load(b, place.offset as usize, layout.len) as u32 == layout.capacity
    }

    /// Whether a send to this buffered channel can be executed.
    pub(super) fn accepts(&self, s: &Scratch, b: &[u8], number: u32) -> bool {
        self.program.lossy || !self.is_full(s, b, number)
    }

    /// How many messages more it can hold.
    pub(super) fn free_places(&self, s: &Scratch, b: &[u8], number: u32) -> u32 {
        self.place(s, number).1.capacity - self.len(s, b, number)
    }

    pub(super) fn chan_len(&self, s: &mut Scratch, b: &mut [u8], chan: &Chan, purpose: &'static str) -> i32 {
        match self.number(s, b, chan, purpose) {
            Some(number) => self.len(s, b, number) as i32,
            None => 0,
        }
    }

    pub(super) fn chan_full(&self, s: &mut Scratch, b: &mut [u8], chan: &Chan) -> bool {
        match self.number(s, b, chan, "full") {
            Some(number) => self.is_full(s, b, number),
            None => false,
        }
    }

    /// The channel a send means.
    pub(super) fn send_target(&self, s: &mut Scratch, b: &mut [u8], send: &Send) -> Option<u32> {
        let number = self.number(s, b, &send.chan, "send");
        if number.is_none() && s.ok() {
            s.fail(FaultKind::DeadChannel);
        }
        // an index that cannot be evaluated names no channel
        number.filter(|_| s.ok())
    }

    /// Evaluates the arguments of a send into `s.values`, untruncated; false if they do not fit the channel.
    fn arguments(&self, s: &mut Scratch, b: &mut [u8], number: u32, args: &[Code]) -> bool {
        let mut values = std::mem::take(&mut s.values);
        values.clear();
        values.extend(args.iter().map(|arg| self.eval(s, b, arg)));
        s.values = values;
        let fields = self.place(s, number).1.fields.len();
        match args.len().cmp(&fields) {
            std::cmp::Ordering::Less => s.fail(FaultKind::TooFewArguments),
            std::cmp::Ordering::Greater => s.fail(FaultKind::TooManyArguments),
            std::cmp::Ordering::Equal => 0,
        };
        s.ok()
    }

    /// The sending half of a rendezvous.
    pub(super) fn offer(&self, s: &mut Scratch, b: &mut [u8], number: u32, send: &Send) -> bool {
        if !self.arguments(s, b, number, &send.args) {
            return false;
        }
        let layout = self.place(s, number).1;
        s.message.clear();
        let mut fits = true;
        s.message.extend(layout.fields.iter().zip(&s.values).map(|(f, &v)| {
            let left = f.width.truncate(v);
            fits &= left == v;
            left
        }));
        if !fits {
            self.cut_message(s, number);
        }
        s.offer = Some(number);
        self.event(s, b, super::trace::Event::Send, number);
        true
    }

    /// A buffered send. If the channel is full, channels are lossy; as in pan, a message that is lost is not even made, and no trace
    /// sees it.
    pub(super) fn send(&self, s: &mut Scratch, b: &mut [u8], send: &Send) {
        let Some(number) = self.send_target(s, b, send) else { return };
        if self.is_full(s, b, number) {
            return;
        }
        if !self.arguments(s, b, number, &send.args) {
            return;
        }
        let (place, layout) = self.place(s, number);
        let len = self.len(s, b, number);
        let at = if send.sorted { sorted_position(b, place, layout, len, &s.values) } else { len };
        let slot = |i: u32| slot_offset(place, layout, i);
        b.copy_within(slot(at)..slot(len), slot(at + 1));
        let mut fits = true;
        for (field, &value) in layout.fields.iter().zip(&s.values) {
            store(b, slot(at) + field.offset as usize, field.width, value);
            fits &= !field.width.cuts(value);
        }
        if !fits {
            self.cut_message(s, number);
        }
        store(b, place.offset as usize, layout.len, len as i32 + 1);
        self.event(s, b, super::trace::Event::Send, number);
    }

    /// Some of the values of a message do not fit into its fields.
    #[cold]
    fn cut_message(&self, s: &mut Scratch, number: u32) {
        let layout = s.channels[number as usize].layout;
        let fields = &self.program.layout.channel_layouts[layout as usize].fields;
        for (i, field) in fields.iter().enumerate() {
            let value = s.values[i];
            if field.width.cuts(value) {
                s.cut_for(Target::Field { channel: number, layout, field: i as u32 }, field.width, value);
            }
        }
    }

    /// The message a receive would take now. `None`: not executable (the scratch may have a fault).
    pub(super) fn message_for(&self, s: &mut Scratch, b: &mut [u8], receive: &Receive) -> Option<Found> {
        if receive.stdin
            && s.offer.is_none()
            && s.input.is_some()
            && let Chan::Named(code) = &receive.chan
            && self.eval(s, b, code) == 0
        {
            return s.input.as_mut().is_some_and(|input| input.has(receive.args.len())).then_some(Found::Input);
        }
        let number = self.number(s, b, &receive.chan, "receive")?;
        let (_, layout) = self.place(s, number);
        if layout.rendezvous() {
            if receive.copy {
                s.fail(FaultKind::PollRendezvous);
                return None;
            }
            let fits = s.offer? == number && self.offer_matches(s, b, receive);
            return (fits && s.ok()).then_some(Found::Offer);
        }
        let len = self.len(s, b, number);
        if s.offer.is_some() || len == 0 {
            return None;
        }
        if receive.args.len() > layout.fields.len() {
            s.fail(FaultKind::TooManyReceiveArguments);
            return None;
        }
        let last = if receive.random { len } else { 1 };
        let slot = (0..last).find(|&slot| self.slot_matches(s, b, number, slot, receive))?;
        if receive.args.len() < layout.fields.len() && !receive.copy {
            s.fail(FaultKind::MissingReceiveArguments);
        }
        s.ok().then_some(Found::Slot(number, slot))
    }

    fn slot_matches(&self, s: &mut Scratch, b: &mut [u8], number: u32, slot: u32, receive: &Receive) -> bool {
        receive.args.iter().enumerate().all(|(i, arg)| match arg {
            Take::Match(code) => self.eval(s, b, code) == self.field(s, b, number, slot, i),
            Take::Store(_) | Take::Ignore => true,
        })
    }

    fn offer_matches(&self, s: &mut Scratch, b: &mut [u8], receive: &Receive) -> bool {
        let fields = s.message.len();
        if receive.args.len() > fields {
            s.fail(FaultKind::TooManyReceiveArguments);
            return false;
        }
        let all = receive.args.iter().enumerate().all(|(i, arg)| match arg {
            Take::Match(code) => self.eval(s, b, code) == s.message[i],
            Take::Store(_) | Take::Ignore => true,
        });
        if all && receive.args.len() < fields {
            s.fail(FaultKind::MissingReceiveArguments);
        }
        all
    }

    /// Field `i` of a message in a buffered channel.
    pub(super) fn field(&self, s: &Scratch, b: &[u8], number: u32, slot: u32, i: usize) -> i32 {
        let (place, layout) = self.place(s, number);
        let field = layout.fields[i];
        load(b, slot_offset(place, layout, slot) + field.offset as usize, field.width)
    }

    /// Executes a receive that has found its message.
    pub(super) fn receive(&self, s: &mut Scratch, b: &mut [u8], receive: &Receive, found: Found) {
        match found {
            Found::Slot(number, slot) => {
                for (i, arg) in receive.args.iter().enumerate() {
                    if let Take::Store(target) = arg {
                        let value = self.field(s, b, number, slot, i);
                        self.store_slot(s, b, target, value);
                    }
                }
                if !receive.copy {
                    self.event(s, b, super::trace::Event::Receive, number);
                    self.remove(s, b, number, slot);
                }
            }
            Found::Input => self.read_input(s, b, receive),
            Found::Offer => {
                let Some(number) = s.offer else { return };
                for (i, arg) in receive.args.iter().enumerate() {
                    if let Take::Store(target) = arg {
                        self.store_slot(s, b, target, s.message[i]);
                    }
                }
                self.event(s, b, super::trace::Event::Receive, number);
            }
        }
    }

    fn read_input(&self, s: &mut Scratch, b: &mut [u8], receive: &Receive) {
        let (pid, transition) = (s.pid as u32, s.trying);
        for arg in &receive.args {
            let step = Step { pid, transition, receiver: None };
            let character = s.input.as_mut().map_or(0, |input| input.read(step));
            if let Take::Store(target) = arg {
                self.store_slot(s, b, target, character);
            }
        }
    }

    fn remove(&self, s: &Scratch, b: &mut [u8], number: u32, slot: u32) {
        let (place, layout) = self.place(s, number);
        let len = self.len(s, b, number);
        let at = |i: u32| slot_offset(place, layout, i);
        b.copy_within(at(slot + 1)..at(len), at(slot));
        b[at(len - 1)..at(len)].fill(0);
        store(b, place.offset as usize, layout.len, len as i32 - 1);
    }

    /// `c?[…]` is 1 or 0; as in pan, `c??[…]` is the position of the message, from 1.
    pub(super) fn poll(&self, s: &mut Scratch, b: &mut [u8], poll: &Poll) -> i32 {
        let Some(number) = self.number(s, b, &poll.chan, "poll") else { return 0 };
        let (_, layout) = self.place(s, number);
        if layout.rendezvous() {
            return s.fail(FaultKind::PollRendezvous);
        }
        if poll.args.len() > layout.fields.len() {
            return s.fail(FaultKind::TooManyReceiveArguments);
        }
        let len = self.len(s, b, number);
        let last = if poll.random { len } else { len.min(1) };
        let found = (0..last).find(|&slot| {
            poll.args.iter().enumerate().all(|(i, arg)| match arg {
                Some(code) => self.eval(s, b, code) == self.field(s, b, number, slot, i),
                None => true,
            })
        });
        found.map_or(0, |slot| slot as i32 + 1)
    }

    /// The messages in all channels.
    pub(super) fn messages(&self, s: &Scratch, b: &[u8]) -> u32 {
        (0..s.channels.len() as u32).map(|number| self.len(s, b, number)).sum()
    }

    /// The messages of a buffered channel.
    pub fn contents(&self, s: &Scratch, b: &[u8], number: u32) -> Vec<Vec<i32>> {
        let fields = self.place(s, number).1.fields.len();
        let message = |slot| (0..fields).map(|i| self.field(s, b, number, slot, i)).collect();
        (0..self.len(s, b, number)).map(message).collect()
    }
}

fn slot_offset(place: ChannelPlace, layout: &ChannelLayout, slot: u32) -> usize {
    (place.offset + layout.len.bytes() + slot * layout.slot) as usize
}

/// Before the first message that is greater; the new values are compared before they are truncated (as pan does).
fn sorted_position(b: &[u8], place: ChannelPlace, layout: &ChannelLayout, len: u32, values: &[i32]) -> u32 {
    let greater = |slot: u32| {
        let base = slot_offset(place, layout, slot);
        let fields = layout.fields.iter().map(|f| load(b, base + f.offset as usize, f.width));
        fields.zip(values).map(|(old, new)| old.cmp(new)).find(|o| o.is_ne()).is_some_and(|o| o.is_gt())
    };
    (0..len).find(|&slot| greater(slot)).unwrap_or(len)
}
