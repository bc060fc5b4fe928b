//! The live processes of a state, their control states and their frames.

use crate::program::Program;
use crate::system::state;

/// A live process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Which automaton of the program it runs.
    pub proctype: u32,
    /// Its control state.
    pub at: u32,
    /// Where its frame starts, in bytes.
    pub frame: usize,
}

/// The processes of a state, oldest first.
pub fn processes(program: &Program, words: &[u64]) -> Vec<Process> {
    let layout = &program.layout;
    let bytes = state::bytes(words);
    let mut frame = layout.frames_at as usize;
    let mut all = Vec::new();
    for pid in 0..state::process_count(bytes) as u32 {
        let proctype = state::load(bytes, frame, layout.type_width) as u32;
        let at = state::load(bytes, frame + layout.pc.offset as usize, layout.pc.width) as u32;
        all.push(Process { pid, proctype, at, frame });
        frame += layout.frames[proctype as usize].size as usize;
    }
    all
}

/// `name(pid)`
pub fn name(program: &Program, process: Process) -> String {
    format!("{}({})", program.automaton(process.proctype).name, process.pid)
}
