//! What statements do to the things that processes share, as numbered accesses and sets of them.
//!
//! Shared are the global variables that something writes, element by element, the channels, and the list of processes. Everything
//! that a process does from some moment on is one [`Set`]; whether it can disturb a statement of another process is
//! whether that set [meets](Set::meets) the accesses that the statement minds.

use super::takers::takers_decide_alone;
use crate::model::ProctypeKind;
use crate::program::code::{Action, Base, Chan, Code, IndexStep, Indexed, Slot, Take};
use crate::program::{Automaton, Program};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A set of accesses. All sets of a program have the same length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set(Box<[u64]>);

impl Set {
    /// Adds an access.
    pub fn insert(&mut self, access: u32) {
        self.0[access as usize / 64] |= 1 << (access % 64);
    }

    /// Removes an access.
    pub fn remove(&mut self, access: u32) {
        self.0[access as usize / 64] &= !(1 << (access % 64));
    }

    /// The access is in the set.
    pub fn contains(&self, access: u32) -> bool {
        self.0[access as usize / 64] & (1 << (access % 64)) != 0
    }

    /// Adds the accesses of another set; true if one of them is new.
    pub fn extend(&mut self, other: &Set) -> bool {
        let mut grown = 0;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= more & !*word;
            *word |= more;
        }
        grown != 0
    }

    /// Adds all accesses.
    pub fn fill(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Some access is in both sets.
    #[inline]
    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Some access is in both sets and not in the third.
    #[inline]
    pub fn meets_beside(&self, other: &Set, except: &Set) -> bool {
        self.0.iter().zip(&other.0).zip(&except.0).any(|((a, b), except)| a & b & !except != 0)
    }

    /// The set as bits.
    pub fn as_words(&self) -> &[u64] {
        &self.0
    }

    /// How many words the set takes.
    pub fn words(&self) -> usize {
        self.0.len()
    }

    /// Removes all accesses.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// What depends on everything: priorities, other processes' being enabled.
pub const WILD: u32 = 0;
/// A process is created.
pub const RUN: u32 = 1;
/// A process ends.
pub const END: u32 = 2;
/// The number of processes is read.
pub const COUNT: u32 = 3;
/// Something is changed that the claim looks at.
pub const VISIBLE: u32 = 4;
const FIRST_VARIABLE: u32 = 5;

/// What is done with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnChannel {
    /// A message is appended.
    Send,
    /// A message is taken out.
    Receive,
    /// A message is put where it belongs by its order; it is a `Send`, too.
    SendSorted,
    /// A message is read and stays.
    Copy,
    /// Something is asked that further messages make true and keep true: `nempty`, a poll.
    AskForMore,
    /// Something is asked that fewer messages make true and keep true: `nfull`.
    AskForLess,
    /// Anything else that is asked.
    Look,
    /// A message is offered in a handshake.
    Offer,
    /// A message is taken in a handshake.
    Take,
    /// A message is offered in the middle of a move: whether it is taken decides how the move ends.
    OfferInside,
}

const PER_CHANNEL: u32 = 10;

/// The things that processes share, and the numbers of accesses to them.
pub struct Shared {
    /// For each byte in front of the frames, the variable that begins there; [`CONSTANT`] if there is none that is written.
    variables: Vec<u32>,
    /// By channel: a trace watches what is sent, what is received.
    traced: Vec<(bool, bool)>,
    /// Proctypes and control states at which others may ask whether a process is there.
    watched: FxHashSet<(u32, u32)>,
    /// Proctypes and those of their locals that others read.
    observed: Vec<(u32, Range<u32>)>,
    first_channel: u32,
    /// One more than there are global ones: the last stands for the channels of all processes.
    channels: u32,
    words: usize,
    grouped: bool,
    takers_decide_alone: bool,
}

/// In place of a variable: it is never written.
const CONSTANT: u32 = u32::MAX;
/// Arrays with more elements are one variable.
const MOST_ELEMENTS: u64 = 256;
/// Variables that are told apart.
const MOST_VARIABLES: u32 = 1000;

/// The proctypes of processes.
pub fn process_kinds(program: &Program) -> Vec<u32> {
    let is_process = |kind: &u32| matches!(program.automaton(*kind).kind, ProctypeKind::Process | ProctypeKind::Init);
    (0..program.automata.len() as u32).filter(is_process).collect()
}

/// The automata of processes.
pub fn processes(program: &Program) -> impl Iterator<Item = &Automaton> {
    program.automata.iter().filter(|a| matches!(a.kind, ProctypeKind::Process | ProctypeKind::Init))
}

/// Every action of a process, those inside d_steps included.
pub fn actions(program: &Program) -> impl Iterator<Item = &Action> {
    processes(program).flat_map(|automaton| &program.transitions[automaton.range()]).flat_map(|transition| {
        let inside: Vec<&Action> = match &transition.action {
            Action::DStep(d) => d.actions().collect(),
            action => vec![action],
        };
        inside
    })
}

impl Shared {
    /// What the processes of a program share, and a claim that looks at these conditions.
    pub fn new(program: &Program, conditions: &[Code]) -> Shared {
        let mut written = vec![false; program.layout.frames_at as usize];
        let mut large = Vec::new();
        for action in actions(program) {
            each_store(action, |slot| mark(slot, &mut written, &mut large));
            let first = program.layout.event.filter(|_| matches!(action, Action::Send(_) | Action::Receive(_)));
            first.into_iter().for_each(|event| written[event.offset as usize] = true);
        }
        // a byte inside a large array belongs to its first byte
        let mut variables = vec![CONSTANT; written.len()];
        let mut count = 0;
        large.sort_unstable();
        let mut large = large.into_iter().peekable();
        let mut at = 0;
        while at < written.len() {
            let Some((_, mut end)) = large.next_if(|&(start, _)| start as usize <= at) else {
                if written[at] {
                    variables[at] = count;
                    count += 1;
                }
                at += 1;
                continue;
            };
            while let Some((_, further)) = large.next_if(|&(start, _)| start < end) {
                end = end.max(further);
            }
            let end = end.max(at as u32);
            variables[at..end as usize].fill(count);
            count += 1;
            at = end as usize;
        }
        let grouped = count > MOST_VARIABLES;
        if grouped {
            let grouped =
                |variable: &mut u32| *variable = (*variable as u64 * MOST_VARIABLES as u64 / count as u64) as u32;
            variables.iter_mut().filter(|variable| **variable != CONSTANT).for_each(grouped);
            count = MOST_VARIABLES;
        }
        let (mut watched, mut observed) = (FxHashSet::default(), Vec::new());
        let mut watch = |code: &Code| match code {
            Code::RemoteLabel(remote) => {
                watched.insert((remote.proctype, remote.state));
            }
            Code::RemoteVar(remote) => observed.push((remote.proctype, stretch_of(&remote.slot))),
            _ => {}
        };
        actions(program).for_each(|action| action.visit(&mut watch));
        conditions.iter().for_each(|code| code.visit(&mut watch));
        let kinds = program.automata.len() as u32;
        let first_channel = FIRST_VARIABLE + 2 * (count + 2 * kinds);
        let channels = program.layout.channels.len() as u32 + 1;
        let words = ((first_channel + channels * PER_CHANNEL) as usize).div_ceil(64);
        let takers_decide_alone = takers_decide_alone(program);
        Shared {
            variables,
            traced: traced(program),
            watched,
            observed,
            first_channel,
            channels,
            words,
            grouped,
            takers_decide_alone,
        }
    }

    /// Whether a process takes an offered message depends on its own steps only.
    pub fn takers_decide_alone(&self) -> bool {
        self.takers_decide_alone
    }

    /// A set without accesses.
    pub fn none(&self) -> Set {
        Set(vec![0; self.words].into())
    }

    /// How many words a set takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Variables that are neighbours may have the same number.
    pub fn is_grouped(&self) -> bool {
        self.grouped
    }

    /// The variable at this place of the globals, if it is ever written.
    pub fn variable(&self, offset: u32) -> Option<u32> {
        Some(self.variables[offset as usize]).filter(|&variable| variable != CONSTANT)
    }

    /// The channels of all processes together.
    pub fn channels_of_processes(&self) -> u32 {
        self.channels - 1
    }

    /// All channels.
    pub fn channels(&self) -> Range<u32> {
        0..self.channels
    }

    /// The locals of a proctype, as a variable that other processes read.
    pub fn locals_of(&self, kind: u32) -> u32 {
        (self.first_channel - FIRST_VARIABLE) / 2 - 1 - 2 * kind
    }

    /// The control states of the processes of a proctype, as a variable that other processes read.
    pub fn control_of(&self, kind: u32) -> u32 {
        self.locals_of(kind) - 1
    }

    /// Others may ask whether a process is at this control state.
    pub fn is_watched(&self, kind: u32, state: u32) -> bool {
        self.watched.contains(&(kind, state))
    }

    /// Others may read a local that this statement stores to.
    pub fn is_observed(&self, kind: u32, action: &Action) -> bool {
        let mut found = false;
        each_store(action, |slot| {
            let stored = stretch_of(slot);
            let meets = |read: &Range<u32>| read.start < stored.end && stored.start < read.end;
            let mut read = self.observed.iter().filter(|(of, _)| *of == kind).map(|(_, read)| read);
            found |= slot.cell().base == Base::Frame && read.any(meets);
        });
        found
    }

    /// A trace watches sends to this channel.
    pub fn traces_sends(&self, channel: u32) -> bool {
        self.traced[channel as usize].0
    }

    /// A trace watches receives from this channel.
    pub fn traces_receives(&self, channel: u32) -> bool {
        self.traced[channel as usize].1
    }

    /// The access that reads a variable.
    pub fn read(variable: u32) -> u32 {
        FIRST_VARIABLE + 2 * variable
    }

    /// The access that writes a variable.
    pub fn write(variable: u32) -> u32 {
        FIRST_VARIABLE + 2 * variable + 1
    }

    /// An access to a channel.
    pub fn on(&self, channel: u32, access: OnChannel) -> u32 {
        self.first_channel + channel * PER_CHANNEL + access as u32
    }
}

/// For each channel, and for those of processes, whether a trace watches sends and receives.
fn traced(program: &Program) -> Vec<(bool, bool)> {
    let mut traced = vec![(false, false); program.layout.channels.len() + 1];
    for action in trace(program) {
        let (chan, is_send) = match action {
            Action::Send(send) => (&send.chan, true),
            Action::Receive(receive) => (&receive.chan, false),
            _ => continue,
        };
        let channels = match chan {
            Chan::Fixed(number) => *number as usize..*number as usize + 1,
            Chan::Element { .. } | Chan::Named(_) => 0..traced.len(),
        };
        for (sends, receives) in &mut traced[channels] {
            *if is_send { sends } else { receives } = true;
        }
    }
    traced
}

/// The statements of the trace, if there is one.
pub fn trace(program: &Program) -> impl Iterator<Item = &Action> {
    let automaton = program.trace.map(|trace| program.automaton(trace));
    automaton
        .into_iter()
        .flat_map(|automaton| &program.transitions[automaton.range()])
        .map(|transition| &transition.action)
}

/// The bytes that a slot may be.
pub fn stretch_of(slot: &Slot) -> Range<u32> {
    let start = slot.cell().offset;
    start..start + slot.extent()
}

/// Shows the places where an action stores values.
pub fn each_store<'a>(action: &'a Action, mut see: impl FnMut(&'a Slot)) {
    match action {
        Action::Assign(slot, _) => see(slot),
        Action::Receive(receive) => receive.args.iter().for_each(|arg| match arg {
            Take::Store(slot) => see(slot),
            Take::Match(_) | Take::Ignore => {}
        }),
        Action::Nothing
        | Action::Else
        | Action::End
        | Action::Guard(_)
        | Action::Evaluate(_)
        | Action::Assert(..)
        | Action::Send(_)
        | Action::Printf(_)
        | Action::SetOwnPriority(_)
        | Action::SetPriority(_)
        | Action::DStep(_) => {}
    }
}

/// Marks where a slot may be in the globals; what has very many elements is added to the list of large ones.
fn mark(slot: &Slot, written: &mut [bool], large: &mut Vec<(u32, u32)>) {
    let cell = slot.cell();
    match slot {
        _ if cell.base != Base::Global => {}
        Slot::Fixed(_) => written[cell.offset as usize] = true,
        Slot::Indexed(place) if elements(place) > MOST_ELEMENTS => {
            large.push((cell.offset, cell.offset + slot.extent()))
        }
        Slot::Indexed(place) => {
            each_cell(place, |step| 0..step.count, |offset| written[offset as usize] = true);
        }
    }
}

/// How many elements an indexed place has.
pub fn elements(place: &Indexed) -> u64 {
    place.steps().map(|step| step.count as u64).product()
}

/// The place is one variable, whatever its indices are.
pub fn is_large(place: &Indexed) -> bool {
    elements(place) > MOST_ELEMENTS
}

/// Shows the offsets that an indexed place may mean if the indices are in these ranges.
pub fn each_cell(place: &Indexed, range: impl Fn(&IndexStep) -> Range<u32>, mut see: impl FnMut(u32)) {
    let mut offsets = vec![place.cell.offset];
    for step in place.steps() {
        let range = range(step);
        offsets = offsets.iter().flat_map(|&offset| range.clone().map(move |i| offset + i * step.stride)).collect();
    }
    offsets.into_iter().for_each(&mut see);
}

/// The expression looks at `timeout`.
pub fn asks_for_timeout(code: &Code) -> bool {
    let mut found = false;
    code.visit(&mut |part| found |= matches!(part, Code::Timeout));
    found
}
