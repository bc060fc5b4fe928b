//! Statements that no run executed, counted as pan counts them.
//!
//! A control state is reached if a process starts there, or if an executed transition leaves it or leads to it. As in
//! pan (retrans, r_ck), some states need not be reached: guards of options and first statements of blocks and escapes,
//! which stand for the state they can be chosen at; else, goto, break and skip; the inside of d_steps. A selection also
//! counts as reached if what follows the guard of its last option was, and is no state of its own where it starts an
//! option or a block of another one.

use super::rows::statement;
use crate::model::ProctypeKind;
use crate::program::code::{Action, Code};
use crate::program::{Automaton, Program};
use crate::source::Sources;
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The unreached statements of one proctype.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreached {
    /// The name of the proctype.
    pub proctype: String,
    /// How many control states there are.
    pub states: usize,
    /// How many of them were not reached.
    pub missed: usize,
    /// The statements that were not reached, in the order of their control states.
    pub statements: Vec<Missed>,
}

/// A statement that was not reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missed {
    /// The file in which the statement stands.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// The statement as the user wrote it, on one line.
    pub text: String,
}

/// By proctype, in the order of the model; claims and traces are not looked at.
pub fn unreached(program: &Program, sources: &Sources, executed: &[bool]) -> Vec<Unreached> {
    // a search that did not even start has executed nothing
    let mut executed = executed.to_vec();
    executed.resize(program.transitions.len(), false);
    let started = started(program, &executed);
    let is_process = |&p: &usize| matches!(program.automata[p].kind, ProctypeKind::Process | ProctypeKind::Init);
    (0..program.automata.len())
        .filter(is_process)
        .map(|proctype| {
            let reached = reached(program, proctype, started[proctype], &executed);
            list(program, sources, proctype, &reached)
        })
        .collect()
}

fn list(program: &Program, sources: &Sources, proctype: usize, reached: &[bool]) -> Unreached {
    let automaton = &program.automata[proctype];
    let mut found =
        Unreached { proctype: automaton.name.clone(), states: reached.len() - 1, missed: 0, statements: Vec::new() };
    for state in (1..reached.len()).filter(|&state| !reached[state]) {
        let leaving = || program.leaving(proctype as u32, state as u32);
        let jumps = |t: usize| program.infos[t].text == ".(goto)" || program.infos[t].text.starts_with("goto :");
        found.missed += (!leaving().is_empty() && !leaving().any(jumps)) as usize;
        found.statements.extend(leaving().filter(|&t| !jumps(t) && program.transitions[t].escape == 0).map(|t| {
            let place = sources.place(program.infos[t].span);
            Missed { file: place.file, line: place.line, text: statement(program, sources, t as u32) }
        }));
    }
    found
}

fn reached(program: &Program, proctype: usize, started: bool, executed: &[bool]) -> Vec<bool> {
    let automaton = &program.automata[proctype];
    let mut reached: Vec<bool> = (0..automaton.states.len()).map(|state| need_not(automaton, state)).collect();
    reached[automaton.initial as usize] |= started;
    let all = automaton.first[0] as usize..automaton.first[automaton.first.len() - 1] as usize;
    for t in all {
        let (transition, own) = (&program.transitions[t], program.infos[t].own_state);
        reached[own as usize] |= own != transition.from;
        reached[transition.from as usize] |= executed[t];
        reached[transition.to as usize] |= executed[t];
    }
    let after = |t: Option<&usize>| t.is_some_and(|&t| reached[program.transitions[t].to as usize]);
    let passed = |selection: &Selection| selection.part || after(selection.options.last());
    let passed: Vec<usize> = selections(program, proctype).iter().filter(|s| passed(s)).map(|s| s.state).collect();
    passed.into_iter().for_each(|state| reached[state] = true);
    reached
}

/// A control state at which options are chosen.
struct Selection {
    state: usize,
    options: Vec<usize>,
    /// It is the start of an option or a block of another selection, and nothing else leads there.
    part: bool,
}

fn selections(program: &Program, proctype: usize) -> Vec<Selection> {
    let automaton = &program.automata[proctype];
    let own = |t: usize| program.infos[t].own_state;
    let options = |state: usize| {
        let all = program.leaving(proctype as u32, state as u32);
        all.filter(|&t| program.transitions[t].escape == 0).collect::<Vec<_>>()
    };
    let mut target = vec![false; automaton.states.len()];
    target[automaton.initial as usize] = true;
    for t in automaton.first[0] as usize..automaton.first[automaton.first.len() - 1] as usize {
        target[program.transitions[t].to as usize] = true;
    }
    // a block has a higher number than what it consists of, so that walking down meets the outer ones first
    let mut covered: FxHashSet<u32> = FxHashSet::default();
    let mut found = Vec::new();
    for state in (1..automaton.states.len()).rev() {
        let options = options(state);
        if !options.iter().any(|&t| own(t) != state as u32) {
            continue;
        }
        let part = !target[state] && options.iter().all(|&t| covered.contains(&own(t)));
        covered.extend(options.iter().map(|&t| own(t)));
        found.push(Selection { state, options, part });
    }
    found
}

/// Whether a state is never missed.
fn need_not(automaton: &Automaton, state: usize) -> bool {
    let info = &automaton.states[state];
    info.minor || matches!(info.text.as_str(), "else" | "(1)" | "break" | ".(goto)")
}

/// Which proctypes ever had a process.
fn started(program: &Program, executed: &[bool]) -> Vec<bool> {
    let mut started = vec![false; program.automata.len()];
    for &(proctype, _) in &program.started {
        started[proctype as usize] = true;
    }
    for (transition, _) in program.transitions.iter().zip(executed).filter(|&(t, &executed)| executed && t.creates) {
        match &transition.action {
            Action::Evaluate(code) | Action::Assign(_, code) | Action::Assert(code, _) => runs(code, &mut started),
            Action::Send(send) => send.args.iter().for_each(|code| runs(code, &mut started)),
            _ => {}
        }
    }
    started
}

fn runs(code: &Code, started: &mut [bool]) {
    match code {
        Code::Run(run) => {
            started[run.proctype as usize] = true;
            run.args.iter().for_each(|arg| runs(arg, started));
        }
        Code::Binary(_, pair) | Code::And(pair) | Code::Or(pair) => {
            runs(&pair.0, started);
            runs(&pair.1, started);
        }
        Code::Not(inner) | Code::Minus(inner) | Code::Complement(inner) => runs(inner, started),
        Code::Conditional(three) => [&three.0, &three.1, &three.2].into_iter().for_each(|code| runs(code, started)),
        _ => {}
    }
}
