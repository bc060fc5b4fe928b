//! Which transitions of a control state can start by themselves, and which need another process to start them.

use super::Transition;
use super::code::{Action, Chan, DGuard};
use super::layout::Layout;

/// The transitions of each control state that a process can make by itself, and those by which it can take part in a
/// handshake that another one starts; in order. (A receive from a channel that may or may not be a rendezvous is both.)
#[derive(Clone, Debug, Default)]
pub struct Movers {
    alone: Lists,
    together: Lists,
}

/// A list for each control state.
#[derive(Clone, Debug, Default)]
struct Lists {
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    #[inline]
    fn of(&self, state: u32) -> &[u32] {
        &self.items[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }
}

impl Movers {
    #[inline]
    pub fn alone(&self, state: u32) -> &[u32] {
        self.alone.of(state)
    }

    #[inline]
    pub fn together(&self, state: u32) -> &[u32] {
        self.together.of(state)
    }

    pub(super) fn new(first: &[u32], transitions: &[Transition], layout: &Layout) -> Movers {
        let list = |wanted: &dyn Fn(&Transition) -> bool| {
            let mut lists = Lists { first: vec![0], items: Vec::new() };
            for range in first.windows(2) {
                lists.items.extend((range[0]..range[1]).filter(|&t| wanted(&transitions[t as usize])));
                lists.first.push(lists.items.len() as u32);
            }
            lists
        };
        Movers {
            alone: list(&|t| !needs_partner(&t.action, layout)),
            together: list(&|t| takes_offer(&t.action, layout)),
        }
    }
}

/// Whether a channel is a rendezvous, if that is certain.
fn rendezvous(chan: &Chan, layout: &Layout) -> Option<bool> {
    let (Chan::Fixed(number) | Chan::Element { first: number, .. }) = chan else { return None };
    let kind = layout.channels[*number as usize].layout;
    Some(layout.channel_layouts[kind as usize].rendezvous())
}

/// A receive from a channel that certainly is a rendezvous.
fn needs_partner(action: &Action, layout: &Layout) -> bool {
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
