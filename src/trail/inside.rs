//! What a d_step does to channels, one thing after the other: the states before and after it do not tell.
//!
//! The d_step is executed again, on a copy of the program in which it prints the lengths of all channels behind every
//! send and receive.

use crate::model::MtypeId;
use crate::program::Program;
use crate::program::code::{Action, Chan, Code, DNode, DStep, Print};
use crate::system::{Batch, Interpreter, Step, System};

/// One thing that happens to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A message went in.
    Sent,
    /// A message went out.
    Taken,
}

/// What d_steps do to channels, found out by a copy of the program that tells.
pub struct Insides {
    /// `None`: no d_step uses channels.
    telling: Option<Program>,
}

/// Around what is told, so that what the model itself prints does not matter.
const MARK: char = '\u{1}';
const MARK_END: char = '\u{2}';

impl Insides {
    /// For states with at most `channels` channels, those of processes included.
    pub fn new(program: &Program, channels: usize) -> Insides {
        let uses = |d: &DStep| d.actions().any(is_traffic);
        let is_meant = |action: &Action| matches!(action, Action::DStep(d) if uses(d));
        if !program.transitions.iter().any(|transition| is_meant(&transition.action)) {
            return Insides { telling: None };
        }
        let mut telling = program.clone();
        for (t, transition) in telling.transitions.iter_mut().enumerate() {
            if let Action::DStep(d) = &mut transition.action {
                instrument(d, t, channels);
            }
        }
        Insides { telling: Some(telling) }
    }

    /// There is something to tell about this step.
    pub fn knows(&self, step: Step) -> bool {
        let is_dstep = |telling: &Program, t: u32| matches!(telling.transitions[t as usize].action, Action::DStep(_));
        self.telling.as_ref().is_some_and(|telling| step.movers().last().is_some_and(|(_, t)| is_dstep(telling, t)))
    }

    /// What a step does to channels that have these lengths before it, in order: number and deed. `None`: it is no
    /// d_step, or it cannot be told from another step of the same state.
    pub fn of(&self, before: &[u64], lengths: &[usize], step: Step) -> Option<Vec<(usize, Act)>> {
        let telling = self.telling.as_ref().filter(|_| self.knows(step))?;
        let (_, transition) = step.movers().last()?;
        let system = Interpreter::new(telling);
        let mut scratch = system.scratch();
        scratch.printed = Some(String::new());
        let mut batch = Batch::default();
        system.moves(before, Some(step.pid), &mut scratch, &mut batch);
        let same = |other: &Step| other.movers().last().is_some_and(|(_, t)| t == transition);
        if batch.entries.iter().filter(|entry| same(&entry.step)).count() != 1 {
            return None;
        }
        let printed = scratch.printed.unwrap_or_default();
        let own = format!("{transition}:");
        let told = printed.split(MARK).filter_map(|text| text.split(MARK_END).next()?.strip_prefix(&own));
        let mut lengths = lengths.to_vec();
        let mut acts = Vec::new();
        for after in told.map(numbers) {
            for (channel, (old, new)) in lengths.iter().zip(&after).enumerate() {
                match new.cmp(old) {
                    std::cmp::Ordering::Greater => acts.push((channel, Act::Sent)),
                    std::cmp::Ordering::Less => acts.push((channel, Act::Taken)),
                    std::cmp::Ordering::Equal => {}
                }
            }
            lengths = after;
        }
        Some(acts)
    }
}

fn numbers(text: &str) -> Vec<usize> {
    text.split_whitespace().map_while(|number| number.parse().ok()).collect()
}

fn is_traffic(action: &Action) -> bool {
    match action {
        Action::Send(_) => true,
        Action::Receive(receive) => !receive.copy,
        _ => false,
    }
}

/// Puts a node that tells behind every send and receive.
fn instrument(d: &mut DStep, t: usize, channels: usize) {
    let length = |number: usize| (Code::Len(Box::new(Chan::Named(Code::Const(number as i32 + 1)))), MtypeId(0));
    let format = format!("{MARK}{t}:{}{MARK_END}", "%d ".repeat(channels));
    let tell = |next: u32| {
        let print = Print { format: format.as_str().into(), args: (0..channels).map(length).collect() };
        DNode::Step(Action::Printf(Box::new(print)), next)
    };
    let mut added = Vec::new();
    let first = d.nodes.len() as u32;
    for node in &mut d.nodes {
        let nexts: Vec<&mut u32> = match node {
            DNode::Step(action, next) if is_traffic(action) => vec![next],
            DNode::Select(options) => {
                let traffic = options.iter_mut().filter(|(head, _)| head.as_ref().is_some_and(is_traffic));
                traffic.map(|(_, next)| next).collect()
            }
            DNode::Step(..) | DNode::Exit => Vec::new(),
        };
        for next in nexts {
            added.push(tell(*next));
            *next = first + added.len() as u32 - 1;
        }
    }
    d.nodes.extend(added);
}
