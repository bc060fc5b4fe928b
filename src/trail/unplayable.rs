//! Why a step of a trail cannot be executed, said as precisely as we know.

use super::frames::{Process, processes};
use super::player::Player;
use super::read::Line;
use crate::program::Program;
use crate::source::{Diagnostic, Sources, Span};
use crate::system::{Fault, Step};

/// A step that is not a step of the state it comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplayable {
    /// The step's number, from 1.
    pub number: usize,
    /// The process that was to move.
    pub pid: u32,
    /// The statement's number.
    pub id: u32,
    /// Why it cannot.
    pub reason: Reason,
    /// The line of the trail file.
    pub span: Option<Span>,
}

/// Why a process cannot execute a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no process with this pid; the number of processes there are.
    NoProcess(usize),
    /// The process stands at another control state.
    Elsewhere(Process),
    /// Another process is inside an atomic sequence and can move.
    Held(u32),
    /// A rendezvous that the next line does not complete.
    Unanswered,
    /// The process stands at the statement, which is not executable.
    Blocked,
    /// It fails, and the trail goes on.
    Fails(Vec<Fault>),
}

impl Unplayable {
    /// A line of a trail that the player cannot play.
    pub fn line(number: usize, line: &Line, player: &mut Player) -> Unplayable {
        let reason = reason(line.pid, line.id, player);
        Unplayable { number, pid: line.pid, id: line.id, reason, span: Some(line.span) }
    }

    /// A step of a witness that the player cannot play.
    pub fn step(number: usize, step: Step, player: &mut Player) -> Unplayable {
        let id = player.program().infos[step.transition as usize].id;
        Unplayable { number, pid: step.pid, id, reason: reason(step.pid, id, player), span: None }
    }

    /// What to tell the user, with the statement and its place.
    pub fn explain(&self, program: &Program, sources: &Sources) -> Diagnostic {
        let Unplayable { number, pid, id, .. } = self;
        let statement = match program.infos.iter().find(|info| info.id == *id) {
            Some(info) => {
                let place = sources.place(info.span);
                format!("statement {id} ({}:{}: {})", place.file, place.line, info.text)
            }
            None => format!("statement {id}, which the model does not have,"),
        };
        let reason = self.reason.explain(program, sources);
        let message = format!("step {number}: process {pid} cannot execute {statement} here: {reason}");
        match self.span {
            Some(span) => Diagnostic::error(span, message),
            None => Diagnostic::general(message),
        }
    }
}

fn reason(pid: u32, id: u32, player: &mut Player) -> Reason {
    let program = player.program();
    let own = |choice: &super::player::Choice| {
        choice.step.pid == pid && program.infos[choice.step.transition as usize].id == id
    };
    let choices = player.choices();
    let alive = processes(program, player.state());
    let Some(&process) = alive.get(pid as usize) else { return Reason::NoProcess(alive.len()) };
    let here = program.leaving(process.proctype, process.at).any(|t| program.infos[t].id == id);
    let held = player.exclusive().filter(|&other| other != pid && choices.iter().all(|c| c.step.pid == other));
    match choices.iter().find(|choice| own(choice)) {
        Some(choice) if choice.executable() => Reason::Unanswered,
        Some(choice) => Reason::Fails(choice.faults.clone()),
        None if !here => Reason::Elsewhere(process),
        None => held.map_or(Reason::Blocked, Reason::Held),
    }
}

impl Reason {
    fn explain(&self, program: &Program, sources: &Sources) -> String {
        match self {
            Reason::NoProcess(0) => "there are no processes any more".into(),
            Reason::NoProcess(1) => "there is only process 0".into(),
            Reason::NoProcess(count) => format!("there are only processes 0 to {}", count - 1),
            Reason::Elsewhere(process) => {
                let automaton = program.automaton(process.proctype);
                let state = &automaton.states[process.at as usize];
                let place = state.span.map_or(String::new(), |span| {
                    let place = sources.place(span);
                    format!("{}:{}: ", place.file, place.line)
                });
                format!("the process ({}) stands at {place}{}", automaton.name, state.text)
            }
            Reason::Held(other) => format!("process {other} is inside an atomic sequence and can move"),
            Reason::Unanswered => "it is one half of a handshake, and the next line is not the other".into(),
            Reason::Blocked => "it is not executable".into(),
            Reason::Fails(faults) => {
                let fault = faults.first().map_or(String::new(), |fault| format!(" ({fault})"));
                format!("it fails{fault}, and yet the trail goes on")
            }
        }
    }
}
