//! How often each statement was executed in the course of a search.

use super::rows::statement;
use crate::model::ProctypeKind;
use crate::program::Program;
use crate::source::Sources;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A statement of a process. One that several control states share counts for all of them, as in pan (-DPEG).
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Execution {
    /// The name of the proctype.
    pub proctype: String,
    /// The file in which the statement stands.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// Its number in SPIN's trails.
    pub statement: u32,
    /// The statement as the user wrote it, on one line.
    pub text: String,
    /// How often it was executed.
    pub count: u64,
}

/// Every statement of every process, in the order of the model; `counts` are by transition. A rendezvous send counts
/// when it is received, while pan counts every attempt.
pub fn executions(program: &Program, sources: &Sources, counts: &[u64]) -> Vec<Execution> {
    let mut statements: BTreeMap<(u32, u32), Execution> = BTreeMap::new();
    // jumps and ends of selections are worth a line only if they are steps of their own
    let mut minor = BTreeSet::new();
    for (transition, info) in program.infos.iter().enumerate() {
        let automaton = program.automaton(info.proctype);
        if !matches!(automaton.kind, ProctypeKind::Process | ProctypeKind::Init) {
            continue;
        }
        if automaton.states[info.own_state as usize].minor {
            minor.insert((info.proctype, info.id));
        }
        let count = counts.get(transition).copied().unwrap_or(0);
        let known = statements.entry((info.proctype, info.id)).or_insert_with(|| {
            let place = sources.place(info.span);
            let text = statement(program, sources, transition as u32);
            let proctype = automaton.name.clone();
            Execution { proctype, file: place.file, line: place.line, statement: info.id, text, count: 0 }
        });
        known.count += count;
    }
    let told = statements.into_iter().filter(|(key, each)| each.count > 0 || !minor.contains(key));
    told.map(|(_, each)| each).collect()
}
