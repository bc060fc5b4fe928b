//! Which transitions of a control state can take part in a handshake.

use super::Transition;
use super::code::{Action, Chan, DGuard};
use super::layout::Layout;

/// For each control state, the transitions by which a process can take part in a handshake that another one starts; in
/// order.
#[derive(Clone, Debug, Default)]
pub struct Takers {
    first: Vec<u32>,
    transitions: Vec<u32>,
}

impl Takers {
    #[inline]
    pub fn at(&self, state: u32) -> &[u32] {
        &self.transitions[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }

    pub(super) fn new(first: &[u32], transitions: &[Transition], layout: &Layout) -> Takers {
        let mut takers = Takers { first: vec![0], transitions: Vec::new() };
        for range in first.windows(2) {
            let takes = |&t: &u32| takes_offer(&transitions[t as usize].action, layout);
            takers.transitions.extend((range[0]..range[1]).filter(takes));
            takers.first.push(takers.transitions.len() as u32);
        }
        takers
    }
}

/// Whether a channel is a rendezvous, if that is certain.
fn rendezvous(chan: &Chan, layout: &Layout) -> Option<bool> {
    let (Chan::Fixed(number) | Chan::Element { first: number, .. }) = chan else { return None };
    let kind = layout.channels[*number as usize].layout;
    Some(layout.channel_layouts[kind as usize].rendezvous())
}

/// A receive from a channel that certainly is a rendezvous.
pub(super) fn waits(action: &Action, layout: &Layout) -> bool {
    matches!(action, Action::Receive(receive) if !receive.copy && rendezvous(&receive.chan, layout) == Some(true))
}

/// Whether a statement may be the receiving half of a handshake.
fn takes_offer(action: &Action, layout: &Layout) -> bool {
    match action {
        Action::Receive(receive) => !receive.copy && rendezvous(&receive.chan, layout) != Some(false),
        Action::DStep(d) => match &d.guard {
            DGuard::Always => false,
            DGuard::First(action) => takes_offer(action, layout),
            DGuard::Any(actions) => actions.iter().any(|action| takes_offer(action, layout)),
        },
        _ => false,
    }
}
