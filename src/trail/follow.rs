//! Re-executing what is supposed to be a run: a witness, or the lines of a trail file.
//!
//! Lines are first turned into a witness ([`witness_of`]), which finds out where they are not executable; a witness is
//! then followed step by step ([`follow`]), and every step is shown to the caller. A run may end in a step that fails.
//! In a trail file that step may be missing, because SPIN would stumble over it (see [`super::write`]); where such a
//! trail ends, the failing step is the only thing that can be meant.

use super::merged;
use super::player::{Choice, Player};
use super::read::{Line, Trail};
use super::unplayable::Unplayable;
use crate::program::Program;
use crate::search::Witness;
use crate::system::{Control, Cutoff, Fault, OnTruncation, Step, Truncated};
use rustc_hash::FxHashMap;

/// One step of a run, seen from outside.
pub struct Moment<'m> {
    /// The step's number, from 1, as SPIN counts: a handshake is two.
    pub number: usize,
    /// Who moves, and how.
    pub step: Step,
    /// The state in which it is taken.
    pub before: &'m [u64],
    /// `None`: a fault prevents the step.
    pub after: Option<&'m [u64]>,
    /// What goes wrong in it.
    pub faults: &'m [Fault],
    /// What it stores that does not fit, be it a fault or not.
    pub truncated: &'m [Truncated],
    /// What it prints.
    pub printed: String,
    /// The cycle starts with this step.
    pub starts_cycle: bool,
    /// Held: it goes on with the atomic sequence of the step before, so that neither another process nor a claim sees the state between
    /// the two. (Where a sequence is blocked, they do, even if the same process goes on by `timeout`.)
    pub control: Control,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Something goes wrong: in the last step, in one that would have to follow, or (no step) in an initial value.
    Fault {
        /// What it is.
        fault: Fault,
        /// The step in which it happens.
        step: Option<Step>,
    },
    /// Nothing can move, and some process is not where it may end.
    InvalidEnd,
    /// Nothing can move, and every process may end here.
    End,
    /// The last step leads back to where the cycle starts: the run goes on forever.
    Cycle,
    /// Nothing can move: the run has ended, and its last state repeats forever. That is its cycle, without a step in it.
    Repeats,
    /// The cycle does not lead back to where it starts.
    BrokenCycle,
    /// The run could go on.
    Open,
}

/// A run that was followed to its end.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// How it ends.
    pub ending: Ending,
    /// The last step could not be executed because of its fault.
    pub failed: bool,
    /// The first fault behind which the run went on nevertheless.
    pub passed: Option<Fault>,
    /// Initial values that do not fit.
    pub truncated_at_start: Vec<Truncated>,
    /// The last state; empty if there is not even an initial one.
    pub state: Vec<u64>,
    /// Nothing can move there, and some process is not where it may end; this may be because of a fault.
    pub deadlock: bool,
    /// Messages are left in channels there.
    pub messages_left: bool,
}

/// Follows a witness and shows every step to `watch`. It cannot be played to its end if a limit is met.
pub fn follow(
    program: &Program,
    witness: &Witness,
    on_truncation: OnTruncation,
    cutoff: &Cutoff,
    watch: &mut dyn FnMut(&Moment),
) -> Result<Replayed, Unplayable> {
    let mut player = match Player::within(program, on_truncation, cutoff) {
        Ok(player) => player,
        Err(fault) => return Ok(stillborn(fault)),
    };
    let mut number = 1;
    let mut cycle = None;
    let mut trouble = None;
    let mut passed = None;
    for (i, &step) in witness.steps.iter().enumerate() {
        if witness.cycle == Some(i) {
            cycle = Some(Cycle::From(player.state().to_vec()));
        }
        let last = i + 1 == witness.steps.len();
        let choice = player.choices_by(step.pid).into_iter().find(|choice| choice.step == step);
        let control = player.control();
        let choice = choice.filter(|choice| choice.executable() || last);
        let choice = choice.ok_or_else(|| Unplayable::step(number, step, &mut player))?;
        let printed = player.printed(step);
        let before = player.state().to_vec();
        let taken = player.take(&choice);
        watch(&Moment {
            number,
            step,
            before: &before,
            after: taken.then_some(player.state()),
            faults: &choice.faults,
            truncated: &choice.truncated,
            printed,
            starts_cycle: witness.cycle == Some(i),
            control,
        });
        number += step.length();
        match choice.faults.into_iter().next() {
            Some(fault) if last => trouble = Some((fault, step, taken)),
            Some(fault) => _ = passed.get_or_insert(fault),
            None => {}
        }
    }
    if witness.cycle == Some(witness.steps.len()) {
        cycle = Some(Cycle::Empty);
    }
    let end = ended(player, cycle, trouble);
    Ok(Replayed { passed: passed.or(end.passed), ..end })
}

fn stillborn(fault: Fault) -> Replayed {
    let ending = Ending::Fault { fault, step: None };
    Replayed {
        ending,
        failed: false,
        passed: None,
        truncated_at_start: Vec::new(),
        state: Vec::new(),
        deadlock: false,
        messages_left: false,
    }
}

/// The cycle of a run.
enum Cycle {
    /// It starts in this state.
    From(Vec<u64>),
    /// There is no step in it.
    Empty,
}

/// What the run comes to; `trouble` is the fault of the last step and whether the step was taken nevertheless.
fn ended(mut player: Player, cycle: Option<Cycle>, trouble: Option<(Fault, Step, bool)>) -> Replayed {
    let choices = player.choices();
    let blocked_by_fault = || {
        let failing = choices.iter().find(|choice| !choice.executable())?;
        let fault = failing.faults.first()?.clone();
        Some(Ending::Fault { fault, step: Some(failing.step) })
    };
    let stuck = !choices.iter().any(Choice::executable);
    let deadlock = stuck && !player.valid_end();
    let without_cycle = || match blocked_by_fault() {
        Some(fault) => fault,
        None if !stuck => Ending::Open,
        None if deadlock => Ending::InvalidEnd,
        None => Ending::End,
    };
    let failed = trouble.as_ref().is_some_and(|(.., taken)| !taken);
    // a state repeats only where nothing can move
    let cycle = cycle.filter(|cycle| choices.is_empty() || !matches!(cycle, Cycle::Empty));
    let (ending, passed) = match (trouble, cycle) {
        // a run with a cycle goes on behind a fault that does not prevent its step
        (Some((fault, _, true)), Some(cycle)) => (closed(&player, cycle), Some(fault)),
        (Some((fault, step, _)), _) => (Ending::Fault { fault, step: Some(step) }, None),
        (None, Some(cycle)) => (closed(&player, cycle), None),
        (None, None) => (without_cycle(), None),
    };
    let messages_left = !player.channels_empty();
    let truncated_at_start = player.truncated_at_start();
    Replayed { ending, failed, passed, truncated_at_start, state: player.state().to_vec(), deadlock, messages_left }
}

/// What a cycle comes to, after its last step.
fn closed(player: &Player, cycle: Cycle) -> Ending {
    match cycle {
        Cycle::Empty => Ending::Repeats,
        Cycle::From(start) if player.is_at(&start) => Ending::Cycle,
        Cycle::From(_) => Ending::BrokenCycle,
    }
}

/// The steps the lines of a trail stand for.
pub fn witness_of(program: &Program, trail: &Trail) -> Result<Witness, Unplayable> {
    let Ok(mut player) = Player::new(program, OnTruncation::Note) else { return Ok(Witness::default()) };
    let mut witness = Witness::default();
    let next = if trail.merged { next_of_same(&trail.lines) } else { Vec::new() };
    let mut number = 1;
    let mut i = 0;
    while let Some(line) = trail.lines.get(i) {
        if trail.cycle == Some(i) {
            witness.cycle = Some(witness.steps.len());
        }
        let choice = choose(&mut player, line, trail.lines.get(i + 1))
            .ok_or_else(|| Unplayable::line(number, line, &mut player))?;
        let step = choice.step;
        witness.steps.push(step);
        number += step.length();
        i += step.length();
        if !player.take(&choice) {
            let ends = i >= trail.lines.len();
            return if ends { Ok(witness) } else { Err(Unplayable::line(number - 1, line, &mut player)) };
        }
        if trail.merged {
            let mover = step.receiver.map_or(step.pid, |r| r.pid);
            number += run_on(&mut player, mover, next[i - 1], &mut witness);
        }
    }
    if trail.cycle == Some(trail.lines.len()) {
        witness.cycle = Some(witness.steps.len());
    }
    Ok(witness)
}

/// For each line, the statement of the same process's next line.
fn next_of_same(lines: &[Line]) -> Vec<Option<u32>> {
    let mut latest = FxHashMap::default();
    let mut next: Vec<Option<u32>> = lines.iter().rev().map(|line| latest.insert(line.pid, line.id)).collect();
    next.reverse();
    next
}

/// Takes the rest of a merged chain of process `pid`; the number of steps.
fn run_on(player: &mut Player, pid: u32, next: Option<u32>, witness: &mut Witness) -> usize {
    // a chain visits no statement twice
    for count in 0..player.program().transitions.len() {
        let Some(choice) = merged::next_in_chain(player, pid, next) else { return count };
        witness.steps.push(choice.step);
        if !player.take(&choice) {
            return count + 1;
        }
    }
    player.program().transitions.len()
}

/// The step a line stands for; of a handshake, the one that the line behind it (`answer`) completes. A step that can be
/// taken is preferred to one that fails.
fn choose(player: &mut Player, line: &Line, answer: Option<&Line>) -> Option<Choice> {
    let program = player.program();
    let id = |transition: u32| program.infos[transition as usize].id;
    let fits = |step: &Step| {
        step.pid == line.pid
            && id(step.transition) == line.id
            && step.receiver.is_none_or(|r| answer.is_some_and(|a| (a.pid, a.id) == (r.pid, id(r.transition))))
    };
    let mut choices = player.choices_by(line.pid);
    choices.retain(|choice| fits(&choice.step));
    let at = choices.iter().position(Choice::executable).unwrap_or(0);
    (at < choices.len()).then(|| choices.swap_remove(at))
}
