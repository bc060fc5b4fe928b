//! A run as a message sequence chart: when each process lives, what it does, and which message goes where.
//!
//! A message that waits in a channel goes from the step that sends it to the very step that takes it: every channel's
//! contents are followed from state to state (`mail`). Polls look at messages and leave them; they are local steps.
//! A d_step is one step: a message that it both sends and takes is not seen.

mod layout;
mod mail;
pub mod mermaid;
pub mod svg;

use super::recording::Recording;
use super::values::Values;
use crate::program::Program;
use crate::trail::offered::Offers;
use crate::trail::{Ending, frames};
use mail::Mail;
use rustc_hash::FxHashMap;

pub use layout::{Drawing, tip};

/// The lives of processes and the messages between them.
#[derive(Clone, Debug)]
pub struct Chart {
    /// In the order in which they start.
    pub lanes: Vec<Lane>,
    /// In the order in which they are sent.
    pub messages: Vec<Message>,
    /// By beat: the lanes that move, the sender of a handshake first.
    pub movers: Vec<Vec<usize>>,
}

/// The life of a process. A pid that is used again has another lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// `name(pid)`
    pub name: String,
    /// The pid of the process.
    pub pid: usize,
    /// The beat that creates it; `None`: it runs from the start.
    pub born: Option<usize>,
    /// The beat with which it ends.
    pub gone: Option<usize>,
}

/// A message, from its send to where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The name of the channel.
    pub channel: String,
    /// `1,2`
    pub values: String,
    /// The step that sends it.
    pub sent: Point,
    /// What becomes of it.
    pub fate: Fate,
}

/// Who, in which beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The number of the beat in the recording, from 0.
    pub beat: usize,
    /// The process, as an index into [`Chart::lanes`].
    pub lane: usize,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Handed over at once, by a rendezvous.
    Handshake(Point),
    /// Taken out of the channel by this step.
    Received(Point),
    /// It is still there in the end.
    Waiting,
    /// It is still there when the cycle starts again, and is received then.
    NextRound(Point),
    /// It went away with the process that owned the channel.
    Lost,
}

impl Message {
    /// Where it arrives.
    pub fn arrival(&self) -> Option<Point> {
        match self.fate {
            Fate::Handshake(point) | Fate::Received(point) => Some(point),
            Fate::Waiting | Fate::NextRound(_) | Fate::Lost => None,
        }
    }

    /// `channel!values`
    pub fn label(&self) -> String {
        format!("{}!{}", self.channel, self.values)
    }
}

impl Chart {
    /// The chart of a run. It is empty if the run cannot start.
    pub fn of(recording: &Recording) -> Chart {
        let program = recording.program;
        let mut chart = Chart { lanes: Vec::new(), messages: Vec::new(), movers: Vec::new() };
        let Some(first) = recording.states.first() else { return chart };
        let values = Values::new(program);
        let offers = Offers::new(program);
        let channels = recording.states.iter().map(|state| channel_count(program, state)).max().unwrap_or(0);
        let mut mail = Mail::new(program, &values, channels);
        // by pid: whose lane it is now
        let mut living: Vec<usize> = Vec::new();
        chart.meet(recording, first, None, &mut living);
        mail.deliver(first, &living, (None, &FxHashMap::default()), &mut chart.messages);
        for (beat, state) in recording.states[1..].iter().enumerate() {
            let step = recording.beats[beat].step;
            let movers: Vec<usize> = step.movers().map(|(pid, _)| living[pid as usize]).collect();
            let before = &recording.states[beat];
            if recording.beats[beat].taken
                && let (Some(offer), [from, to]) = (offers.of(before, step), &movers[..])
            {
                let arrival = Point { beat, lane: *to };
                let (channel, values) = mail.describe(&offer, before);
                let sent = Point { beat, lane: *from };
                chart.messages.push(Message { channel, values, sent, fate: Fate::Handshake(arrival) });
            }
            chart.meet(recording, state, Some(beat), &mut living);
            // of a handshake, only the receiver can do more than this: in a d_step
            let mover = movers.last().map(|&lane| Point { beat, lane });
            let acts = mail.inside(before, step);
            mail.deliver(state, &living, (mover, &acts), &mut chart.messages);
            chart.movers.push(movers);
            if recording.cycle == Some(beat + 1) {
                mail.remember();
            }
        }
        if recording.ending == Ending::Cycle {
            mail.go_round(&mut chart.messages);
        }
        chart
    }

    /// Opens lanes for the new processes of a state, and closes those of the processes that are gone.
    fn meet(&mut self, recording: &Recording, state: &[u64], beat: Option<usize>, living: &mut Vec<usize>) {
        let processes = frames::processes(recording.program, state);
        for gone in living.drain(processes.len().min(living.len())..) {
            self.lanes[gone].gone = beat;
        }
        for &process in &processes[living.len()..] {
            living.push(self.lanes.len());
            let name = frames::name(recording.program, process);
            self.lanes.push(Lane { name, pid: process.pid as usize, born: beat, gone: None });
        }
    }

    /// The lane of the process that has this pid at a position of the run.
    pub fn lane_at(&self, pid: usize, position: usize) -> Option<usize> {
        let lives = |lane: &Lane| {
            lane.pid == pid
                && lane.born.is_none_or(|beat| beat < position)
                && lane.gone.is_none_or(|beat| beat >= position)
        };
        self.lanes.iter().position(lives)
    }

    /// Messages that arrive.
    pub fn arrows(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter().filter(|message| message.arrival().is_some())
    }
}

/// All channels of a state, those of processes included.
fn channel_count(program: &Program, state: &[u64]) -> usize {
    let own = |process: &frames::Process| program.layout.frames[process.proctype as usize].channels.len();
    program.layout.channels.len() + frames::processes(program, state).iter().map(own).sum::<usize>()
}
