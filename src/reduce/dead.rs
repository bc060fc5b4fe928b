//! Values that nobody reads any more: locals are reset to 0 when a process leaves their last use behind, and globals that are never
//! really read are not written.
//!
//! A local is live at a control state if some way from there reads it before storing it. A read that only serves to compute a value
//! that is itself dead is none (strongly live variables, R. Giegerich, R. Wilhelm 1981), unless the computation may fail. As
//! spin -o1 and -o2 do, but with these, and across loops.

use super::access::{actions, each_store, process_kinds, processes};
use super::total::is_total;
use super::units::{Units, each_access, each_read, of_slot};
use crate::program::code::{Action, Base, Code, Slot, Take};
use crate::program::footprint::Stretch;
use crate::program::{Program, Transition};
use fixedbitset::FixedBitSet;
use std::ops::Range;

/// Makes the transitions of a program reset dead locals and leave out stores to globals that are never read. `conditions` are what a
/// claim reads.
pub fn drop_dead_values(program: &mut Program, conditions: &[Code]) {
    drop_unread_globals(program, conditions);
    for kind in process_kinds(program) {
        let locals = Locals::new(program, kind, conditions);
        let live = locals.live();
        let used = locals.may_differ(&live);
        let resets: Vec<Box<[Stretch]>> = locals.resets(&live, &used);
        let range = program.automaton(kind).range();
        for (transition, resets) in program.transitions[range].iter_mut().zip(resets) {
            transition.resets = resets;
        }
    }
}

/// The locals of the processes of one proctype.
struct Locals<'l> {
    transitions: &'l [Transition],
    states: usize,
    initial: u32,
    units: Units,
    /// Others read them, or they never change.
    pinned: FixedBitSet,
    provided: Option<&'l Code>,
}

impl<'l> Locals<'l> {
    fn new(program: &'l Program, kind: u32, conditions: &[Code]) -> Locals<'l> {
        let automaton = program.automaton(kind);
        let transitions = &program.transitions[automaton.range()];
        let mut accesses = Vec::new();
        for transition in transitions {
            each_access(&transition.action, Base::Frame, &mut |stretch| accesses.push(stretch));
        }
        let units = Units::new(accesses);
        let mut pinned = FixedBitSet::with_capacity(units.len());
        let mut pin = |stretch: Range<u32>| stretch.filter_map(|at| units.at(at)).for_each(|unit| pinned.insert(unit));
        automaton.settled.iter().for_each(|cell| pin(cell.offset..cell.offset + 1));
        let mut remote = |code: &Code| match code {
            Code::RemoteVar(remote) if remote.proctype == kind => pin(of_slot(&remote.slot)),
            _ => {}
        };
        actions(program).for_each(|action| action.visit(&mut remote));
        processes(program).filter_map(|automaton| automaton.provided.as_ref()).for_each(|code| code.visit(&mut remote));
        conditions.iter().for_each(|code| code.visit(&mut remote));
        let states = automaton.states.len().max(1);
        let provided = automaton.provided.as_ref();
        Locals { transitions, states, initial: automaton.initial, units, pinned, provided }
    }

    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.units.len())
    }

    /// By control state: the locals whose values matter there.
    fn live(&self) -> Vec<FixedBitSet> {
        let mut live = vec![self.none(); self.states];
        let mut grown = true;
        while grown {
            grown = false;
            for transition in self.transitions.iter().rev() {
                let before = self.before(transition, &live[transition.to as usize]);
                let known = &mut live[transition.from as usize];
                grown |= !before.is_subset(known);
                known.union_with(&before);
            }
        }
        live
    }

    /// What matters before a transition if this matters after it.
    fn before(&self, transition: &Transition, after: &FixedBitSet) -> FixedBitSet {
        let mut live = after.clone();
        if self.stores_in_vain(&transition.action, after) {
            return live;
        }
        self.stored(transition, |unit| {
            if self.units.is_scalar(unit) && !matches!(transition.action, Action::DStep(_)) {
                live.set(unit, false);
            }
        });
        let mut read = |code: &Code| each_read(code, Base::Frame, |stretch| live.extend(self.units.at(stretch.start)));
        match &transition.action {
            // what is printed does not matter to any property
            Action::Printf(print) if print.args.iter().all(|(code, _)| is_total(code)) => {}
            action => action.visit(&mut read),
        }
        self.provided.iter().for_each(|code| code.visit(&mut read));
        live
    }

    /// It is an assignment of a value that is dead afterwards.
    fn stores_in_vain(&self, action: &Action, after: &FixedBitSet) -> bool {
        let Action::Assign(Slot::Fixed(cell), code) = action else { return false };
        let unit = self.units.at(cell.offset).filter(|_| cell.base == Base::Frame);
        unit.is_some_and(|unit| self.is_dead(unit, after)) && is_total(code)
    }

    /// Shows the locals that a transition stores.
    fn stored(&self, transition: &Transition, mut see: impl FnMut(usize)) {
        let mut store = |action: &Action| {
            each_store(action, |slot| {
                if slot.cell().base == Base::Frame {
                    self.units.at(slot.cell().offset).into_iter().for_each(&mut see);
                }
            });
        };
        match &transition.action {
            Action::DStep(d) => d.actions().for_each(store),
            action => store(action),
        }
    }

    fn is_dead(&self, unit: usize, live: &FixedBitSet) -> bool {
        !live.contains(unit) && !self.pinned.contains(unit)
    }

    /// By control state: the locals that may not be 0 there, if dead ones are reset.
    fn may_differ(&self, live: &[FixedBitSet]) -> Vec<FixedBitSet> {
        let mut differ = vec![self.none(); self.states];
        differ[self.initial as usize].insert_range(..);
        let mut grown = true;
        while grown {
            grown = false;
            for transition in self.transitions {
                let to = transition.to as usize;
                let mut after = self.after(transition, &differ);
                (0..self.units.len())
                    .filter(|&unit| self.is_dead(unit, &live[to]))
                    .for_each(|unit| after.set(unit, false));
                grown |= !after.is_subset(&differ[to]);
                differ[to].union_with(&after);
            }
        }
        differ
    }

    /// The locals that may not be 0 when a transition has been executed, before anything is reset.
    fn after(&self, transition: &Transition, differ: &[FixedBitSet]) -> FixedBitSet {
        let mut after = differ[transition.from as usize].clone();
        self.stored(transition, |unit| after.insert(unit));
        after
    }

    /// What each transition resets.
    fn resets(&self, live: &[FixedBitSet], differ: &[FixedBitSet]) -> Vec<Box<[Stretch]>> {
        let of = |transition: &Transition| {
            let after = self.after(transition, differ);
            let dead = after.ones().filter(|&unit| self.is_dead(unit, &live[transition.to as usize]));
            dead.map(|unit| stretch(self.units.stretch(unit))).collect()
        };
        let gone = |transition: &Transition| transition.to == 0;
        self.transitions.iter().map(|t| if gone(t) { Box::default() } else { of(t) }).collect()
    }
}

fn stretch(range: Range<u32>) -> Stretch {
    Stretch { base: Base::Frame, offset: range.start, len: range.end - range.start }
}

/// Leaves out stores to globals whose values are never read but to compute such values.
fn drop_unread_globals(program: &mut Program, conditions: &[Code]) {
    let mut accesses = Vec::new();
    for action in actions(program) {
        each_access(action, Base::Global, &mut |stretch| accesses.push(stretch));
    }
    conditions.iter().for_each(|code| code.visit(&mut |part| each_read(part, Base::Global, |s| accesses.push(s))));
    let units = Units::new(accesses);
    let mut needed = FixedBitSet::with_capacity(units.len());
    let need = |code: &Code, needed: &mut FixedBitSet| {
        code.visit(&mut |part| each_read(part, Base::Global, |s| needed.extend(units.at(s.start))));
    };
    conditions.iter().for_each(|code| need(code, &mut needed));
    processes(program).filter_map(|automaton| automaton.provided.as_ref()).for_each(|code| need(code, &mut needed));
    let hidden = 8 * (1 + program.layout.hidden_words);
    needed.extend((0..hidden).filter_map(|at| units.at(at)));
    let mut before = usize::MAX;
    while before != needed.count_ones(..) {
        before = needed.count_ones(..);
        for action in actions(program) {
            if unread_store(action, &units, &needed).is_none() && !is_print(action) {
                action.visit(&mut |part| each_read(part, Base::Global, |s| needed.extend(units.at(s.start))));
            }
        }
    }
    for transition in &mut program.transitions {
        if unread_store(&transition.action, &units, &needed).is_some() {
            transition.action = Action::Nothing;
        } else if let Action::Receive(receive) = &mut transition.action {
            for arg in &mut receive.args {
                let unread = |slot: &Slot| is_global(slot) && units.at(slot.cell().offset).is_some_and(|u| !needed[u]);
                if matches!(arg, Take::Store(slot @ Slot::Fixed(_)) if unread(slot)) {
                    *arg = Take::Ignore;
                }
            }
        }
    }
}

fn is_global(slot: &Slot) -> bool {
    slot.cell().base == Base::Global
}

fn is_print(action: &Action) -> bool {
    matches!(action, Action::Printf(print) if print.args.iter().all(|(code, _)| is_total(code)))
}

/// The global that an assignment stores in vain.
fn unread_store(action: &Action, units: &Units, needed: &FixedBitSet) -> Option<usize> {
    let Action::Assign(slot @ Slot::Fixed(cell), code) = action else { return None };
    let unit = units.at(cell.offset).filter(|_| is_global(slot))?;
    (!needed.contains(unit) && is_total(code)).then_some(unit)
}
