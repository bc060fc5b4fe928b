//! What a rendezvous send offers: no state ever holds such a message.
//!
//! The channel and the values are expressions that only the sending process can evaluate. It is made to tell them, on a
//! copy of the program in which every send prints them, and can do nothing else.

use crate::model::MtypeId;
use crate::program::Program;
use crate::program::code::{Action, Chan, Code, Print, Send};
use crate::system::{Batch, Interpreter, Step, System};

/// A message that is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The number of the channel, from 0.
    pub channel: usize,
    /// As the sender computes them; the channel's fields may hold less.
    pub values: Vec<i32>,
}

/// What senders offer in handshakes, found out by a copy of the program that prints it.
pub struct Offers {
    telling: Program,
}

/// In front of the transition's number.
const MARK: char = '\u{1}';

impl Offers {
    /// Makes the copy.
    pub fn new(program: &Program) -> Offers {
        let mut telling = program.clone();
        for (t, transition) in telling.transitions.iter_mut().enumerate() {
            transition.action = match &transition.action {
                Action::Send(send) => Action::Printf(Box::new(question(t, send))),
                _ => Action::Guard(Code::Const(0)),
            };
            // an escape would keep the others from moving
            (transition.escape, transition.creates) = (0, false);
        }
        Offers { telling }
    }

    /// What the sender of a handshake offers in the state before it; `None` if the step is no handshake.
    pub fn of(&self, before: &[u64], step: Step) -> Option<Offer> {
        step.receiver?;
        let system = Interpreter::new(&self.telling);
        let mut scratch = system.scratch();
        scratch.printed = Some(String::new());
        system.moves(before, Some(step.pid), &mut scratch, &mut Batch::default());
        let told = scratch.printed.unwrap_or_default();
        let own = format!("{} ", step.transition);
        let told = told.split(MARK).find_map(|text| text.strip_prefix(&own))?;
        let mut numbers = told.split_whitespace().map_while(|number| number.parse::<i32>().ok());
        let channel = usize::try_from(numbers.next()?.checked_sub(1)?).ok()?;
        Some(Offer { channel, values: numbers.collect() })
    }
}

fn question(t: usize, send: &Send) -> Print {
    let channel = match &send.chan {
        Chan::Fixed(number) => Code::Const(*number as i32 + 1),
        Chan::Element { first, index } => Code::ChannelElement(Box::new(index.clone()), *first as i32 + 1),
        Chan::Named(code) => code.clone(),
    };
    let numbers = " %d".repeat(1 + send.args.len());
    let args = std::iter::once(channel).chain(send.args.iter().cloned());
    let args = args.map(|code| (code, MtypeId(0))).collect();
    Print { format: format!("{MARK}{t} {numbers}").into(), args }
}
