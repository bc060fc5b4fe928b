//! Weak fairness: a run counts only if no process that can always move, from some moment on, stands still forever.
//!
//! The product counts rounds (Choueka's construction, as in Holzmann, The SPIN Model Checker, chapter 8): wait for an
//! accepting state, then, process by process, for a step in which it moves or a state in which it cannot. A cycle is
//! accepting and fair if and only if it completes rounds.
//!
//! ```text
//! level 0: wait for an accepting state     ROUND: a round is complete, otherwise as 0     2 + p: wait for process p
//! ```
//!
//! Processes may come and go: one that is not there cannot move, so no round waits for it. A run that ended is fair.
//! Differs from SPIN 6.5.2, which overlooks fair runs that end, and some others (docs/SPIN.md).

use crate::system::Step;

/// How far a round has come.
pub type Level = u32;

/// A round is complete.
pub const ROUND: Level = 1;

/// The level from which a step counts.
pub fn start(level: Level, accepting: bool) -> Level {
    match level {
        0 | ROUND => {
            if accepting {
                2
            } else {
                0
            }
        }
        _ => level,
    }
}

/// The level behind a step: `done` tells whether the round need not wait for a process any more.
pub fn next(start: Level, processes: u32, done: impl Fn(u32) -> bool) -> Level {
    if start == 0 {
        return 0;
    }
    (start - 2..processes).find(|&pid| !done(pid)).map_or(ROUND, |pid| pid + 2)
}

/// A set of processes.
#[derive(Default)]
pub struct Pids {
    words: Vec<u64>,
}

impl Pids {
    /// Removes all processes.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Adds a process. A pid from 65,536 on, such as that of [`Step::STUTTER`], is ignored.
    pub fn add(&mut self, pid: u32) {
        let word = pid as usize / 64;
        if word < 1 << 10 {
            if self.words.len() <= word {
                self.words.resize(word + 1, 0);
            }
            self.words[word] |= 1 << (pid % 64);
        }
    }

    /// Both sides of a handshake move.
    pub fn add_movers(&mut self, step: Step) {
        self.add(step.pid);
        if let Some(receiver) = step.receiver {
            self.add(receiver.pid);
        }
    }

    /// The process is in the set.
    pub fn contains(&self, pid: u32) -> bool {
        self.words.get(pid as usize / 64).is_some_and(|word| word >> (pid % 64) & 1 == 1)
    }
}
