//! Partial-order reduction: which process may move alone in a state without any error being missed.
//!
//! A process may move alone (its moves are an ample set) if no other process can ever notice or disturb what it does next:
//! everything its moves touch is its own, or global and final. A global byte is final in a state if every assignment to
//! it in the whole program stores the value it has. Others can neither take part in the moves nor look at the process.
//! The search must see to it that no process is put off for ever.
//!
//! Differs from pan, which finds safe statements once and for all, and counts a process that can die as safe.

use crate::model::ProctypeKind;
use crate::program::code::{Action, Base, Code, Slot, Take};
use crate::program::footprint::{Owner, footprint};
use crate::program::{Automaton, Program};

/// Which processes may move alone, found out once for a program.
pub struct Reduction {
    /// By proctype and control state.
    moves: Vec<Vec<Moves>>,
}

/// What is known of the moves at a control state.
enum Moves {
    /// Others may notice them.
    Visible,
    /// No other process can notice them once these bytes have these values.
    Private(Vec<(u32, u8)>),
}

/// What the program stores in a global byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    Nothing,
    Always(u8),
    Various,
}

impl Reduction {
    /// Fails with the reason if the model has statements to which the order of independent steps matters.
    pub fn new(program: &Program) -> Result<Reduction, &'static str> {
        suitable(program)?;
        let stored = stored(program);
        let moves = (0..program.automata.len() as u32).map(|kind| {
            let states = program.automaton(kind).states.len() as u32;
            (0..states).map(|state| moves(program, kind, state, &stored)).collect()
        });
        Ok(Reduction { moves: moves.collect() })
    }

    /// Whether a process of this proctype at this control state may move alone.
    pub fn may_move_alone(&self, kind: u32, state: u32, bytes: &[u8]) -> bool {
        match &self.moves[kind as usize][state as usize] {
            Moves::Visible => false,
            Moves::Private(when) => when.iter().all(|&(at, value)| bytes[at as usize] == value),
        }
    }
}

fn moves(program: &Program, kind: u32, state: u32, stored: &[Stored]) -> Moves {
    let anyone = Owner { kind, pid: None, settled: Box::default() };
    let Some(footprint) = footprint(program, &anyone, state).filter(|footprint| footprint.whole) else {
        return Moves::Visible;
    };
    let mut when = Vec::new();
    for stretch in footprint.stretches.iter().filter(|stretch| stretch.base == Base::Global) {
        for at in stretch.offset..stretch.offset + stretch.len {
            match stored[at as usize] {
                Stored::Nothing => {}
                Stored::Always(value) => when.push((at, value)),
                Stored::Various => return Moves::Visible,
            }
        }
    }
    Moves::Private(when)
}

fn processes(program: &Program) -> impl Iterator<Item = &Automaton> {
    program.automata.iter().filter(|a| matches!(a.kind, ProctypeKind::Process | ProctypeKind::Init))
}

fn actions(program: &Program) -> impl Iterator<Item = &Action> {
    let of = |automaton: &Automaton| &program.transitions[automaton.range()];
    processes(program).flat_map(of).map(|transition| &transition.action)
}

fn suitable(program: &Program) -> Result<(), &'static str> {
    if program.trace.is_some() {
        return Err("it has a trace assertion");
    }
    if program.layout.priority.is_some() {
        return Err("it uses priorities");
    }
    if processes(program).any(|automaton| automaton.provided.is_some()) {
        return Err("it uses provided clauses");
    }
    let mut reason = Ok(());
    for action in actions(program) {
        action.visit(&mut |code| match code {
            Code::Timeout => reason = Err("it uses timeout"),
            Code::Last => reason = Err("it uses _last"),
            Code::NonProgress | Code::Enabled(_) | Code::PcValue(_) | Code::RemoteLabel(_) | Code::RemoteVar(_) => {
                reason = Err("its processes look at each other");
            }
            _ => {}
        });
    }
    reason
}

/// What the program stores in each global byte.
fn stored(program: &Program) -> Vec<Stored> {
    let layout = &program.layout;
    let mut stored = vec![Stored::Nothing; layout.frames_at as usize];
    for place in &layout.channels {
        let size = layout.channel_layouts[place.layout as usize].size;
        stored[place.offset as usize..(place.offset + size) as usize].fill(Stored::Various);
    }
    actions(program).for_each(|action| note_stores(action, &mut stored));
    stored
}

fn note_stores(action: &Action, stored: &mut [Stored]) {
    match action {
        Action::Assign(slot, Code::Const(value)) => note_store(slot, Some(*value), stored),
        Action::Assign(slot, _) => note_store(slot, None, stored),
        Action::Receive(receive) => {
            for arg in &receive.args {
                if let Take::Store(slot) = arg {
                    note_store(slot, None, stored);
                }
            }
        }
        Action::DStep(d) => d.actions().for_each(|action| note_stores(action, stored)),
        Action::Nothing
        | Action::Else
        | Action::End
        | Action::Guard(_)
        | Action::Evaluate(_)
        | Action::Assert(..)
        | Action::Send(_)
        | Action::Printf(_)
        | Action::SetOwnPriority(_)
        | Action::SetPriority(_) => {}
    }
}

fn note_store(slot: &Slot, value: Option<i32>, stored: &mut [Stored]) {
    let cell = slot.cell();
    if cell.base != Base::Global {
        return;
    }
    let constant = value.filter(|_| matches!(slot, Slot::Fixed(_))).map(|v| cell.width.truncate(v).to_le_bytes());
    let bytes = &mut stored[cell.offset as usize..(cell.offset + slot.extent()) as usize];
    for (i, byte) in bytes.iter_mut().enumerate() {
        let new = constant.map_or(Stored::Various, |constant| Stored::Always(constant[i]));
        *byte = if *byte == Stored::Nothing || *byte == new { new } else { Stored::Various };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::source::Source;
    use crate::syntax::preprocess::Options;

    fn program(text: &str) -> Program {
        load::program(Source::new("m.pml", text), &Options::default()).expect("a model").it
    }

    /// Whether the first statement of the first proctype may be executed alone while all globals are 0.
    fn private(text: &str) -> bool {
        let program = program(text);
        let reduction = Reduction::new(&program).expect("nothing forbids reduction");
        let bytes = vec![0; program.layout.frames_at as usize];
        reduction.may_move_alone(0, program.automaton(0).initial, &bytes)
    }

    #[test]
    fn what_others_notice_is_not_private() {
        assert!(private("active proctype p() { byte x; x = 1 }"));
        assert!(private("byte never_written; active proctype p() { byte x; x = never_written }"));
        assert!(!private("byte g; active proctype p() { g = 1 }"));
        assert!(!private("byte g; active proctype p() { byte x; x = g } active proctype q() { g = 1 }"));
        assert!(!private("chan c = [1] of { byte }; active proctype p() { byte x; c?x }"));
        assert!(!private("chan c = [0] of { byte }; active proctype p() { byte x; if :: x = 1 :: c?x fi }"));
        assert!(!private("active proctype p() { run q() } proctype q() { skip }"));
        assert!(!private("byte g; active proctype p() { byte x; atomic { x = 1; g = 1 } }"));
    }

    #[test]
    fn a_global_that_has_its_final_value_is_as_good_as_a_constant() {
        assert!(private("byte g; active proctype p() { g == 0 } active proctype q() { g = 0 }"));
        assert!(!private("byte g; active proctype p() { g == 0 } active proctype q() { g = 0; g = 1 }"));
        assert!(!private("byte g; active proctype p() { g == 0 } active proctype q() { g = g }"));
        assert!(!private("byte g[2], i; active proctype p() { g[1] == 0 } active proctype q() { g[i] = 0 }"));
        assert!(private("short g; active proctype p() { g == 0 } active proctype q() { g = 65536 }"));
        assert!(!private("short g; active proctype p() { g == 0 } active proctype q() { g = 256 }"));
    }

    #[test]
    fn some_models_cannot_be_reduced() {
        for text in [
            "active proctype p() { timeout }",
            "active proctype p() { l: skip } active proctype q() { p@l }",
            "byte g; active proctype p() provided (g == 0) { skip }",
            "active proctype p() { d_step { _last == 0; skip } }",
        ] {
            assert!(Reduction::new(&program(text)).is_err(), "{text}");
        }
    }
}
