//! Whether processes touch nothing but their footprints.
//!
//! Of the moves of a process, what changes must lie in its footprint. And what it reads must: in a state that is another one everywhere
//! else it makes the same moves. Such a state is put together from two that were seen, with the same processes in both.

use super::super::interpreter::{Interpreter, Scratch};
use super::super::state::{bytes, bytes_mut, load, process_count};
use super::super::{Batch, Entry, Outcome, Step, System};
use crate::program::code::{Base, Cell};
use crate::program::footprint::{Footprint, Owner, footprint};
use std::ops::Range;

/// States between two checks: they take long.
const EVERY: u64 = 7;

#[derive(Default)]
pub struct Footprints {
    asked: u64,
    /// Another state that was seen.
    other: Vec<u64>,
    batch: Batch,
}

impl Footprints {
    /// Checks all processes of a state, now and then.
    pub fn check(&mut self, system: &Interpreter, state: &[u64], scratch: &mut Scratch) {
        self.asked += 1;
        // a footprint does not tell who may move
        if !system.unrestricted || system.program().trace.is_some() || self.asked % EVERY != 1 {
            return;
        }
        let places: Vec<(u32, u32)> = system.observer(scratch).control(state).collect();
        let mut frame = system.program().layout.frames_at;
        for (pid, &(kind, at)) in places.iter().enumerate() {
            let owner = owner(system, state, pid as u32, kind, frame);
            // one that is not whole says nothing about how an atomic sequence goes on
            if let Some(footprint) = footprint(system.program(), &owner, at).filter(|footprint| footprint.whole) {
                let touched = Touched { pid, bytes: ranges(&footprint, frame) };
                self.check_process(system, state, &touched, scratch);
            }
            frame += system.program().layout.frames[kind as usize].size;
        }
        self.other.clear();
        self.other.extend_from_slice(state);
    }

    fn check_process(&mut self, system: &Interpreter, state: &[u64], touched: &Touched, scratch: &mut Scratch) {
        let moves = self.moves(system, state, touched.pid, scratch);
        let alone =
            |made: &Move| made.steps.iter().all(|step| step.pid == touched.pid as u32 && step.receiver.is_none());
        if !moves.iter().all(|made| alone(made) && made.state.len() == state.len()) {
            return;
        }
        for made in &moves {
            touched.assert_rest_is_equal(state, &made.state);
        }
        if !self.has_same_processes(system, state, scratch) {
            return;
        }
        let mixed = touched.transplant(state, &self.other);
        let elsewhere = self.moves(system, &mixed, touched.pid, scratch);
        assert_eq!(
            moves.len(),
            elsewhere.len(),
            "moves that depend on what is outside of the footprint, in {state:x?}"
        );
        for (made, same) in moves.iter().zip(&elsewhere) {
            assert_eq!(made.steps, same.steps, "moves that depend on what is outside of the footprint, in {state:x?}");
            let expected = touched.transplant(&made.state, &self.other);
            assert_eq!(expected, same.state, "effects that depend on what is outside of the footprint, in {state:x?}");
        }
    }

    /// The moves of a process that end well.
    fn moves(&mut self, system: &Interpreter, state: &[u64], pid: usize, scratch: &mut Scratch) -> Vec<Move> {
        self.batch.clear();
        system.process_successors(state, pid, scratch, &mut self.batch);
        let batch = &self.batch;
        let made = |entry: &Entry| Move { steps: batch.steps(entry).collect(), state: batch.state(entry).to_vec() };
        batch.entries.iter().filter(|entry| entry.outcome == Outcome::State).map(made).collect()
    }

    /// The same processes, of the same kinds, are in both states.
    fn has_same_processes(&self, system: &Interpreter, state: &[u64], scratch: &mut Scratch) -> bool {
        if self.other.len() != state.len() || process_count(bytes(&self.other)) != process_count(bytes(state)) {
            return false;
        }
        let mut kinds =
            |state: &[u64]| -> Vec<u32> { system.observer(scratch).control(state).map(|(kind, _)| kind).collect() };
        kinds(state) == kinds(&self.other)
    }
}

struct Move {
    steps: Vec<Step>,
    state: Vec<u64>,
}

/// The bytes of a state that a process may touch.
struct Touched {
    pid: usize,
    bytes: Vec<Range<usize>>,
}

impl Touched {
    fn assert_rest_is_equal(&self, before: &[u64], after: &[u64]) {
        let outside = |at: &usize| !self.bytes.iter().any(|range| range.contains(at));
        let (before, after) = (bytes(before), bytes(after));
        let changed = (0..before.len()).filter(outside).find(|&at| before[at] != after[at]);
        assert_eq!(changed, None, "process {} writes outside of its footprint", self.pid);
    }

    /// What is touched of one state in another one.
    fn transplant(&self, from: &[u64], to: &[u64]) -> Vec<u64> {
        let mut mixed = to.to_vec();
        let target = bytes_mut(&mut mixed);
        for range in &self.bytes {
            target[range.clone()].copy_from_slice(&bytes(from)[range.clone()]);
        }
        mixed
    }
}

/// A process by what its footprint depends on.
fn owner(system: &Interpreter, state: &[u64], pid: u32, kind: u32, frame: u32) -> Owner {
    let value = |cell: &Cell| load(bytes(state), (frame + cell.offset) as usize, cell.width);
    let settled = system.program().automaton(kind).settled.iter().map(value).collect();
    Owner { kind, pid: Some(pid), settled }
}

fn ranges(footprint: &Footprint, frame: u32) -> Vec<Range<usize>> {
    let range = |offset: u32, len: u32| offset as usize..(offset + len) as usize;
    let stretches = footprint.stretches.iter();
    stretches.map(|each| range(each.offset + if each.base == Base::Frame { frame } else { 0 }, each.len)).collect()
}
