//! Which message is which: the contents of all channels, followed from state to state.
//!
//! A state holds values, not messages. After a step, what a channel holds is compared with what it held before, and the
//! difference is what the step has sent and taken. Where equal messages make that ambiguous, the one that was there
//! first is taken first: so does a receive, which looks from the front, and a sorted send, which puts a message behind its equals.
//! A d_step may do several things to a channel; it is asked what it does in which order.

use super::{Fate, Message, Point};
use crate::program::Program;
use crate::program::layout::ChannelPlace;
use crate::report::values::{Values, raw_messages};
use crate::system::Step;
use crate::trail::frames::{Process, processes};
use crate::trail::inside::{Act, Insides};
use crate::trail::offered::Offer;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub struct Mail<'m> {
    program: &'m Program,
    values: &'m Values<'m>,
    insides: Insides,
    /// What every channel holds: values, and which message they are.
    held: FxHashMap<Channel, Vec<Held>>,
    /// What they held when the cycle started.
    remembered: FxHashMap<Channel, Vec<Held>>,
}

/// A channel; one of a process is known by its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Channel {
    owner: Option<usize>,
    number: usize,
}

#[derive(Clone, Debug)]
struct Held {
    values: Vec<i32>,
    message: usize,
}

impl<'m> Mail<'m> {
    /// For states with at most `channels` channels.
    pub fn new(program: &'m Program, values: &'m Values<'m>, channels: usize) -> Mail<'m> {
        let insides = Insides::new(program, channels);
        Mail { program, values, insides, held: FxHashMap::default(), remembered: FxHashMap::default() }
    }

    /// What a d_step does to each channel, by the channel's number, in the state before it.
    pub fn inside(&self, before: &[u64], step: Step) -> FxHashMap<usize, Vec<Act>> {
        if !self.insides.knows(step) {
            return FxHashMap::default();
        }
        let layout = &self.program.layout;
        let length = |place: ChannelPlace, base: usize| {
            let rendezvous = layout.channel_layouts[place.layout as usize].rendezvous();
            if rendezvous { 0 } else { raw_messages(self.program, before, place, base).len() }
        };
        let mut lengths: Vec<usize> = layout.channels.iter().map(|&place| length(place, 0)).collect();
        for process in processes(self.program, before) {
            let own = &layout.frames[process.proctype as usize].channels;
            lengths.extend(own.iter().map(|&place| length(place, process.frame)));
        }
        let mut acts: FxHashMap<usize, Vec<Act>> = FxHashMap::default();
        for (channel, act) in self.insides.of(before, &lengths, step).unwrap_or_default() {
            acts.entry(channel).or_default().push(act);
        }
        acts
    }

    /// Looks at all channels of a state that `mover` has led to; `living` are the lanes of the processes.
    pub fn deliver(
        &mut self,
        state: &[u64],
        living: &[usize],
        (mover, acts): (Option<Point>, &FxHashMap<usize, Vec<Act>>),
        messages: &mut Vec<Message>,
    ) {
        let alive = processes(self.program, state);
        let layout = &self.program.layout;
        for (number, &place) in layout.channels.iter().enumerate() {
            self.compare(Channel { owner: None, number }, (place, 0), (state, &alive, number), (mover, acts), messages);
        }
        let mut first = layout.channels.len();
        for (process, &lane) in alive.iter().zip(living) {
            let own = &layout.frames[process.proctype as usize].channels;
            for (number, &place) in own.iter().enumerate() {
                let channel = Channel { owner: Some(lane), number };
                self.compare(channel, (place, process.frame), (state, &alive, first + number), (mover, acts), messages);
            }
            first += own.len();
        }
        self.bury(living, messages);
    }

    fn compare(
        &mut self,
        channel: Channel,
        (place, base): (ChannelPlace, usize),
        (state, alive, number): (&[u64], &[Process], usize),
        (mover, acts): (Option<Point>, &FxHashMap<usize, Vec<Act>>),
        messages: &mut Vec<Message>,
    ) {
        if self.program.layout.channel_layouts[place.layout as usize].rendezvous() {
            return;
        }
        let new = raw_messages(self.program, state, place, base);
        let old = self.held.remove(&channel).unwrap_or_default();
        let before: Vec<&[i32]> = old.iter().map(|held| &held.values[..]).collect();
        let told = acts.get(&number).and_then(|acts| followed(&before, &new, acts));
        let kept = told.unwrap_or_else(|| kept(&before, &new));
        for (held, _) in old.iter().zip(&kept.old).filter(|(_, kept)| !**kept) {
            if let Some(point) = mover {
                messages[held.message].fate = Fate::Received(point);
            }
        }
        let mut stays = old.into_iter().zip(kept.old).filter(|(_, kept)| *kept).map(|(held, _)| held);
        let mut now = Vec::new();
        for (values, kept) in new.into_iter().zip(kept.new) {
            match (kept.then(|| stays.next()).flatten(), mover) {
                (Some(held), _) => now.push(held),
                (None, Some(sent)) => {
                    let (channel, shown) = self.shown(number, &values, alive);
                    now.push(Held { values, message: messages.len() });
                    messages.push(Message { channel, values: shown, sent, fate: Fate::Waiting });
                }
                (None, None) => {}
            }
        }
        self.held.insert(channel, now);
    }

    /// The cycle starts.
    pub fn remember(&mut self) {
        self.remembered = self.held.clone();
    }

    /// The cycle starts again: the channels hold what they held before, and what became of that will become of this.
    pub fn go_round(&self, messages: &mut [Message]) {
        for (channel, held) in &self.held {
            let before = self.remembered.get(channel).map_or(&[][..], Vec::as_slice);
            for (now, then) in held.iter().zip(before) {
                if let (Fate::Waiting, Fate::Received(point)) =
                    (messages[now.message].fate, messages[then.message].fate)
                {
                    messages[now.message].fate = Fate::NextRound(point);
                }
            }
        }
    }

    /// Channels go away with the processes that own them.
    fn bury(&mut self, living: &[usize], messages: &mut [Message]) {
        self.held.retain(|channel, held| {
            let stays = channel.owner.is_none_or(|lane| living.contains(&lane));
            if !stays {
                held.iter().for_each(|held| messages[held.message].fate = Fate::Lost);
            }
            stays
        });
    }

    /// The name of a channel, and the values as its users write them.
    fn shown(&self, number: usize, values: &[i32], alive: &[Process]) -> (String, String) {
        let (name, layout) = self.values.channel(number, alive);
        let Some(layout) = layout.map(|layout| &self.program.layout.channel_layouts[layout as usize]) else {
            return (name, String::new());
        };
        let fields = layout.fields.iter().zip(&layout.scalars).zip(values);
        let shown = fields.map(|((field, &scalar), &value)| {
            let value = field.width.truncate(value);
            self.values.shown(scalar, value, alive)
        });
        (name, shown.collect::<Vec<_>>().join(","))
    }

    /// The channel and the values of an offer.
    pub fn describe(&self, offer: &Offer, state: &[u64]) -> (String, String) {
        self.shown(offer.channel, &offer.values, &processes(self.program, state))
    }
}

/// Which messages of a channel are the same before and after a step.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    old: Vec<bool>,
    new: Vec<bool>,
}

fn kept(old: &[&[i32]], new: &[Vec<i32>]) -> Kept {
    let all_but = |count: usize, out: usize| (0..count).map(|i| i != out).collect::<Vec<_>>();
    let without =
        |long: &[&[i32]], out: usize, short: &[&[i32]]| long[..out] == short[..out] && long[out + 1..] == short[out..];
    let fresh: Vec<&[i32]> = new.iter().map(Vec::as_slice).collect();
    if old == fresh {
        return Kept { old: vec![true; old.len()], new: vec![true; new.len()] };
    }
    if old.len() + 1 == fresh.len()
        && let Some(at) = (0..fresh.len()).rev().find(|&i| without(&fresh, i, old))
    {
        return Kept { old: vec![true; old.len()], new: all_but(new.len(), at) };
    }
    if fresh.len() + 1 == old.len()
        && let Some(at) = (0..old.len()).find(|&i| without(old, i, &fresh))
    {
        return Kept { old: all_but(old.len(), at), new: vec![true; new.len()] };
    }
    // several things at once: first come, first served
    let gone = (0..=old.len()).find(|&gone| fresh.starts_with(&old[gone..])).unwrap_or(old.len());
    let stay = old.len() - gone;
    Kept { old: (0..old.len()).map(|i| i >= gone).collect(), new: (0..new.len()).map(|i| i < stay).collect() }
}

/// Which messages stay when these things are done to the channel, one after the other; `None` if that does not lead to
/// what it holds now (some take from the middle, or put there).
fn followed(old: &[&[i32]], new: &[Vec<i32>], acts: &[Act]) -> Option<Kept> {
    let mut queue: VecDeque<Option<usize>> = (0..old.len()).map(Some).collect();
    for act in acts {
        match act {
            Act::Sent => queue.push_back(None),
            Act::Taken => _ = queue.pop_front()?,
        }
    }
    let same = |(now, was): (&Vec<i32>, &Option<usize>)| was.is_none_or(|was| old[was] == now.as_slice());
    if queue.len() != new.len() || !new.iter().zip(&queue).all(same) {
        return None;
    }
    let mut kept = Kept { old: vec![false; old.len()], new: queue.iter().map(Option::is_some).collect() };
    queue.into_iter().flatten().for_each(|was| kept.old[was] = true);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which messages stay, as the positions before and after.
    fn check(old: &[i32], new: &[i32], expected: (&[usize], &[usize])) {
        let old: Vec<Vec<i32>> = old.iter().map(|&value| vec![value]).collect();
        let new: Vec<Vec<i32>> = new.iter().map(|&value| vec![value]).collect();
        let kept = kept(&old.iter().map(Vec::as_slice).collect::<Vec<_>>(), &new);
        let positions = |kept: &[bool]| (0..kept.len()).filter(|&i| kept[i]).collect::<Vec<_>>();
        assert_eq!((&positions(&kept.old)[..], &positions(&kept.new)[..]), expected, "{old:?} {new:?}");
    }

    #[test]
    fn one_message_is_sent() {
        check(&[], &[7], (&[], &[]));
        check(&[7], &[7, 7], (&[0], &[0]));
        check(&[1, 3], &[1, 2, 3], (&[0, 1], &[0, 2]));
        check(&[1, 1, 3], &[1, 1, 1, 3], (&[0, 1, 2], &[0, 1, 3]));
    }

    #[test]
    fn one_message_is_taken() {
        check(&[7], &[], (&[], &[]));
        check(&[7, 7], &[7], (&[1], &[0]));
        check(&[1, 2, 3], &[1, 3], (&[0, 2], &[0, 1]));
        check(&[3, 1, 1, 2], &[3, 1, 2], (&[0, 2, 3], &[0, 1, 2]));
    }

    #[test]
    fn one_thing_after_the_other() {
        use Act::{Sent, Taken};
        let check = |old: &[i32], new: &[i32], acts: &[Act], expected: Option<(Vec<bool>, Vec<bool>)>| {
            let old: Vec<Vec<i32>> = old.iter().map(|&value| vec![value]).collect();
            let new: Vec<Vec<i32>> = new.iter().map(|&value| vec![value]).collect();
            let kept = followed(&old.iter().map(Vec::as_slice).collect::<Vec<_>>(), &new, acts);
            assert_eq!(kept.map(|kept| (kept.old, kept.new)), expected);
        };
        check(&[7], &[7], &[Taken, Sent], Some((vec![false], vec![false])));
        check(&[7, 7], &[7, 7], &[Taken, Sent], Some((vec![false, true], vec![true, false])));
        check(&[], &[], &[Sent, Taken], Some((vec![], vec![])));
        check(&[1, 2], &[1, 3], &[Taken, Sent], None);
        check(&[1], &[1], &[Taken, Taken], None);
    }

    #[test]
    fn several_things_at_once() {
        check(&[1, 2], &[2, 3], (&[1], &[0]));
        check(&[1, 2], &[3, 4, 5], (&[], &[]));
        check(&[], &[3, 4], (&[], &[]));
        check(&[1, 2, 3], &[], (&[], &[]));
    }
}
