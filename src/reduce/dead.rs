//! Values that no statement reads any more: locals are reset to 0 when a process leaves their last use behind, and globals that are never
//! really read are not written.
//!
//! A local is live at a control state if some way from there reads it before storing it. A read that only serves to compute a value
//! that is itself dead is none (strongly live variables), unless the computation may fail. As
//! spin -o1 and -o2 do, but with these, and across loops.

use super::access::{actions, each_store, process_kinds, processes, trace};
use super::total::{is_total, is_total_if};
use super::units::{Units, each_access, each_read, of_slot};
use crate::program::code::{Action, Base, Code, DGuard, DNode, DStep, Slot, Take};
use crate::program::footprint::Stretch;
use crate::program::{InitStep, Program, Transition};
use crate::system::{Effort, Halt};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Which reads count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// All. When a cycle of the smaller program is followed twice, it comes to the same state in the original one, too: whatever was dropped
    /// has been stored anew.
    Plain,
    /// Those that do not only serve to compute a value that is itself dead.
    Strong,
}

/// Makes the transitions of a program reset dead locals and leave out stores to globals that are never read. `conditions` are what a
/// claim reads.
pub fn drop_dead_values(
    program: &mut Program,
    liveness: Liveness,
    conditions: &[Code],
    effort: &mut Effort,
) -> Result<(), Halt> {
    drop_unread_globals(program, liveness, conditions, effort)?;
    let remote = remote_reads(program, conditions);
    for kind in process_kinds(program) {
        let locals = Locals::new(program, kind, liveness, remote.get(&kind).map_or(&[], Vec::as_slice));
        let live = locals.live(effort)?;
        let used = locals.may_differ(&live, effort)?;
        let resets: Vec<Box<[Stretch]>> = locals.resets(&live, &used, effort)?;
        let at_birth = locals.dead_at_birth(&live);
        let automaton = &mut program.automata[kind as usize];
        automaton.resets = at_birth;
        for (transition, resets) in program.transitions[automaton.range()].iter_mut().zip(resets) {
            transition.resets = resets;
        }
    }
    Ok(())
}

/// By proctype: the stretches of its frames that other processes or a claim read.
fn remote_reads(program: &Program, conditions: &[Code]) -> FxHashMap<u32, Vec<Range<u32>>> {
    let mut reads: FxHashMap<u32, Vec<Range<u32>>> = FxHashMap::default();
    let mut note = |code: &Code| {
        if let Code::RemoteVar(remote) = code {
            reads.entry(remote.proctype).or_default().push(of_slot(&remote.slot).stretch);
        }
    };
    actions(program).for_each(|action| action.visit(&mut note));
    processes(program).filter_map(|automaton| automaton.provided.as_ref()).for_each(|code| code.visit(&mut note));
    conditions.iter().for_each(|code| code.visit(&mut note));
    reads
}

/// The locals of the processes of one proctype.
struct Locals<'l> {
    transitions: &'l [Transition],
    states: usize,
    initial: u32,
    liveness: Liveness,
    units: Units,
    /// Others read them, or they never change.
    pinned: FixedBitSet,
    provided: Option<&'l Code>,
}

impl<'l> Locals<'l> {
    /// `remote` are stretches of the frame that others read.
    fn new(program: &'l Program, kind: u32, liveness: Liveness, remote: &[Range<u32>]) -> Locals<'l> {
        let automaton = program.automaton(kind);
        let transitions = &program.transitions[automaton.range()];
        let mut accesses = Vec::new();
        for transition in transitions {
            each_access(&transition.action, Base::Frame, &mut |access| accesses.push(access));
        }
        let units = Units::new(accesses);
        let mut pinned = FixedBitSet::with_capacity(units.len());
        let mut pin = |stretch: Range<u32>| stretch.filter_map(|at| units.at(at)).for_each(|unit| pinned.insert(unit));
        automaton.settled.iter().for_each(|cell| pin(cell.offset..cell.offset + 1));
        remote.iter().cloned().for_each(&mut pin);
        let states = automaton.states.len().max(1);
        let provided = automaton.provided.as_ref();
        Locals { transitions, states, initial: automaton.initial, liveness, units, pinned, provided }
    }

    fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.units.len())
    }

    /// Words of a set of locals.
    fn words(&self) -> usize {
        self.units.len() / 64 + 1
    }

    /// `count` empty sets of locals.
    fn empty_sets(&self, count: usize, effort: &mut Effort) -> Result<Vec<FixedBitSet>, Halt> {
        (0..count).map(|_| effort.spend(self.words()).map(|()| self.none())).collect()
    }

    /// By control state: the locals whose values matter there.
    fn live(&self, effort: &mut Effort) -> Result<Vec<FixedBitSet>, Halt> {
        let mut live = self.empty_sets(self.states, effort)?;
        let mut grown = true;
        while grown {
            grown = false;
            for transition in self.transitions.iter().rev() {
                let before = self.before(transition, &live[transition.to as usize], effort)?;
                let known = &mut live[transition.from as usize];
                grown |= !before.is_subset(known);
                known.union_with(&before);
            }
        }
        Ok(live)
    }

    /// What matters before a transition if this matters after it.
    fn before(&self, transition: &Transition, after: &FixedBitSet, effort: &mut Effort) -> Result<FixedBitSet, Halt> {
        effort.spend(self.words())?;
        let mut live = match &transition.action {
            Action::DStep(d) => self.before_d_step(d, after, effort)?,
            action => self.before_action(action, after),
        };
        self.provided.iter().for_each(|code| self.read(code, &mut live));
        Ok(live)
    }

    /// What matters before a statement.
    fn before_action(&self, action: &Action, after: &FixedBitSet) -> FixedBitSet {
        let mut live = after.clone();
        if self.liveness == Liveness::Strong && self.stores_in_vain(action, after) {
            return live;
        }
        self.stored_by(action, |unit| live.set(unit, live[unit] && !self.units.is_scalar(unit)));
        if !is_print(action) {
            action.visit(&mut |code| self.read_part(code, &mut live));
        }
        live
    }

    /// What matters before a d_step: a small program of its own.
    fn before_d_step(&self, d: &DStep, after: &FixedBitSet, effort: &mut Effort) -> Result<FixedBitSet, Halt> {
        let mut live = self.empty_sets(d.nodes.len(), effort)?;
        let mut grown = true;
        while grown {
            grown = false;
            for (number, node) in d.nodes.iter().enumerate().rev() {
                effort.spend(self.words())?;
                let mut before = live[number].clone();
                match node {
                    DNode::Exit => before.union_with(after),
                    DNode::Step(action, next) => before.union_with(&self.before_action(action, &live[*next as usize])),
                    DNode::Select(options) => {
                        for (head, next) in options {
                            effort.spend(self.words())?;
                            let next = &live[*next as usize];
                            let option = head.as_ref().map(|head| self.before_action(head, next));
                            before.union_with(option.as_ref().unwrap_or(next));
                        }
                    }
                }
                grown |= !before.is_subset(&live[number]);
                live[number] = before;
            }
        }
        let mut before = live[d.start as usize].clone();
        let guards: &[Action] = match &d.guard {
            DGuard::Always => &[],
            DGuard::First(action) => std::slice::from_ref(action),
            DGuard::Any(actions) => actions,
        };
        // only to find out whether they can be executed
        guards.iter().filter(|action| may_block(action)).for_each(|action| {
            action.visit(&mut |code| self.read_part(code, &mut before));
        });
        Ok(before)
    }

    fn read_part(&self, code: &Code, live: &mut FixedBitSet) {
        each_read(code, Base::Frame, |access| live.extend(self.units.at(access.stretch.start)));
    }

    fn read(&self, code: &Code, live: &mut FixedBitSet) {
        code.visit(&mut |part| self.read_part(part, live));
    }

    /// It is an assignment of a value that is dead afterwards.
    fn stores_in_vain(&self, action: &Action, after: &FixedBitSet) -> bool {
        let Action::Assign(Slot::Fixed(cell), code) = action else { return false };
        let unit = self.units.at(cell.offset).filter(|_| cell.base == Base::Frame);
        unit.is_some_and(|unit| self.is_dead(unit, after)) && is_total(code)
    }

    /// Shows the locals that a transition stores.
    fn stored(&self, transition: &Transition, mut see: impl FnMut(usize)) {
        match &transition.action {
            Action::DStep(d) => d.actions().for_each(|action| self.stored_by(action, &mut see)),
            action => self.stored_by(action, see),
        }
    }

    fn stored_by(&self, action: &Action, mut see: impl FnMut(usize)) {
        each_store(action, |slot| {
            if slot.cell().base == Base::Frame {
                self.units.at(slot.cell().offset).into_iter().for_each(&mut see);
            }
        });
    }

    fn is_dead(&self, unit: usize, live: &FixedBitSet) -> bool {
        !live.contains(unit) && !self.pinned.contains(unit)
    }

    /// By control state: the locals that may not be 0 there, if dead ones are reset.
    fn may_differ(&self, live: &[FixedBitSet], effort: &mut Effort) -> Result<Vec<FixedBitSet>, Halt> {
        let mut differ = self.empty_sets(self.states, effort)?;
        let born = &mut differ[self.initial as usize];
        (0..self.units.len()).for_each(|unit| born.set(unit, !self.is_dead(unit, &live[self.initial as usize])));
        let mut grown = true;
        while grown {
            grown = false;
            for transition in self.transitions {
                effort.spend(self.words())?;
                let to = transition.to as usize;
                let mut after = self.after(transition, &differ);
                let mut kept = live[to].clone();
                kept.union_with(&self.pinned);
                after.intersect_with(&kept);
                grown |= !after.is_subset(&differ[to]);
                differ[to].union_with(&after);
            }
        }
        Ok(differ)
    }

    /// The locals that may not be 0 when a transition has been executed, before anything is reset.
    fn after(&self, transition: &Transition, differ: &[FixedBitSet]) -> FixedBitSet {
        let mut after = differ[transition.from as usize].clone();
        self.stored(transition, |unit| after.insert(unit));
        after
    }

    /// What is dead when a process is created.
    fn dead_at_birth(&self, live: &[FixedBitSet]) -> Box<[Stretch]> {
        let dead = (0..self.units.len()).filter(|&unit| self.is_dead(unit, &live[self.initial as usize]));
        dead.map(|unit| stretch(self.units.stretch(unit))).collect()
    }

    /// What each transition resets.
    fn resets(
        &self,
        live: &[FixedBitSet],
        differ: &[FixedBitSet],
        effort: &mut Effort,
    ) -> Result<Vec<Box<[Stretch]>>, Halt> {
        let of = |transition: &Transition| {
            let after = self.after(transition, differ);
            let dead = after.ones().filter(|&unit| self.is_dead(unit, &live[transition.to as usize]));
            dead.map(|unit| stretch(self.units.stretch(unit))).collect()
        };
        let gone = |transition: &Transition| transition.to == 0;
        let reset = |transition: &Transition| {
            effort.spend(self.words())?;
            Ok(if gone(transition) { Box::default() } else { of(transition) })
        };
        self.transitions.iter().map(reset).collect()
    }
}

fn stretch(range: Range<u32>) -> Stretch {
    Stretch { base: Base::Frame, offset: range.start, len: range.end - range.start }
}

/// Whether a statement can be executed depends on the state.
fn may_block(action: &Action) -> bool {
    matches!(action, Action::Guard(_) | Action::Send(_) | Action::Receive(_))
}

/// What is printed does not matter to any property.
fn is_print(action: &Action) -> bool {
    matches!(action, Action::Printf(print) if print.args.iter().all(|(code, _)| is_total(code)))
}

/// The evaluation of what is stored here cannot fail; or it fails in an index of the slot, which is evaluated anyway (`a[_pid]++`).
fn cannot_fail(slot: &Slot, code: &Code) -> bool {
    is_total_if(code, |step| matches!(slot, Slot::Indexed(place) if place.steps().any(|own| own == step)))
}

/// Makes stores to globals whose values are never read, but to compute such values, store what is there from the start.
fn drop_unread_globals(
    program: &mut Program,
    liveness: Liveness,
    conditions: &[Code],
    effort: &mut Effort,
) -> Result<(), Halt> {
    let unread = Unread::new(program, liveness, conditions, effort)?;
    let mut transitions = std::mem::take(&mut program.transitions);
    for kind in process_kinds(program) {
        for transition in &mut transitions[program.automaton(kind).range()] {
            unread.drop_stores(&mut transition.action);
        }
    }
    program.transitions = transitions;
    Ok(())
}

/// Globals that are never really read.
struct Unread {
    units: Units,
    needed: FixedBitSet,
    /// By unit: the value of all its elements at the start, if they have the same.
    initial: Vec<Option<i32>>,
}

impl Unread {
    fn new(program: &Program, liveness: Liveness, conditions: &[Code], effort: &mut Effort) -> Result<Unread, Halt> {
        let mut accesses = Vec::new();
        for action in actions(program).chain(trace(program)) {
            each_access(action, Base::Global, &mut |access| accesses.push(access));
        }
        let provided = processes(program).filter_map(|automaton| automaton.provided.as_ref());
        let outside: Vec<&Code> = conditions.iter().chain(provided).collect();
        let see = |code: &Code, accesses: &mut Vec<_>| {
            code.visit(&mut |part| each_read(part, Base::Global, |access| accesses.push(access)));
        };
        outside.iter().for_each(|code| see(code, &mut accesses));
        let units = Units::new(accesses);
        let initial = initial_values(program, &units);
        let mut unread = Unread { needed: FixedBitSet::with_capacity(units.len()), units, initial };
        outside.iter().for_each(|code| code.visit(&mut |part| unread.need(part)));
        trace(program).for_each(|action| action.visit(&mut |part| unread.need(part)));
        let hidden = 8 * (1 + program.layout.hidden_words);
        let hidden: Vec<usize> = (0..hidden).filter_map(|at| unread.units.at(at)).collect();
        unread.needed.extend(hidden);
        let mut before = usize::MAX;
        while before != unread.needed.count_ones(..) {
            before = unread.needed.count_ones(..);
            for action in actions(program) {
                effort.spend(0)?;
                unread.need_reads_of(action, liveness);
            }
        }
        Ok(unread)
    }

    /// A value that is read in this expression is needed.
    fn need(&mut self, code: &Code) {
        each_read(code, Base::Global, |access| self.needed.extend(self.units.at(access.stretch.start)));
    }

    /// What an action reads is needed, unless it serves to store what is not.
    fn need_reads_of(&mut self, action: &Action, liveness: Liveness) {
        each_store(action, |slot| {
            // where one store stays, all must: a value that is kept is to be overwritten
            let stays = match action {
                Action::Assign(_, code) => !cannot_fail(slot, code),
                _ => !matches!(slot, Slot::Fixed(_)),
            };
            if stays && slot.cell().base == Base::Global {
                self.needed.extend(self.units.at(slot.cell().offset));
            }
        });
        match action {
            action if is_print(action) => {}
            Action::Assign(slot, code) if liveness == Liveness::Strong && self.is_in_vain(slot, code) => {
                if let Slot::Indexed(place) = slot {
                    place.steps().for_each(|step| step.index.visit(&mut |part| self.need(part)));
                }
            }
            action => action.visit(&mut |part| self.need(part)),
        }
    }

    /// The slot is of a global that is never read, and what it had at the start is known.
    fn is_unread(&self, slot: &Slot) -> Option<i32> {
        let cell = slot.cell();
        let unit = self.units.at(cell.offset).filter(|&unit| cell.base == Base::Global && !self.needed[unit])?;
        self.initial[unit]
    }

    fn is_in_vain(&self, slot: &Slot, code: &Code) -> bool {
        self.is_unread(slot).is_some() && cannot_fail(slot, code)
    }

    fn drop_stores(&self, action: &mut Action) {
        match action {
            Action::Assign(slot, code) if self.is_in_vain(slot, code) => {
                let value = self.is_unread(slot).unwrap_or(0);
                if matches!(slot, Slot::Fixed(_)) {
                    *action = Action::Nothing;
                } else {
                    *code = Code::Const(value);
                }
            }
            Action::Receive(receive) => {
                for arg in &mut receive.args {
                    if matches!(arg, Take::Store(slot @ Slot::Fixed(_)) if self.is_unread(slot).is_some()) {
                        *arg = Take::Ignore;
                    }
                }
            }
            Action::DStep(d) => d.actions_mut().for_each(|action| self.drop_stores(action)),
            _ => {}
        }
    }
}

/// By unit: the value of all its elements at the start, if they have the same.
fn initial_values(program: &Program, units: &Units) -> Vec<Option<i32>> {
    let mut first = vec![Some(0); units.len()];
    let mut counts = vec![0; units.len()];
    for step in &program.init {
        let (cell, value) = match step {
            InitStep::Value(cell, Code::Const(value)) => (cell, Some(cell.width.truncate(*value))),
            InitStep::Value(cell, _) | InitStep::Channel(cell, _) => (cell, None),
        };
        if let Some(unit) = units.at(cell.offset) {
            let all = units.is_scalar(unit) || value == Some(0);
            let agrees = all && (counts[unit] == 0 || first[unit] == value);
            first[unit] = value.filter(|_| agrees);
            counts[unit] += 1;
        }
    }
    first
}
