//! `STDIN?c`: in a simulation, a receive from the channel variable `STDIN` that holds no channel reads characters (as spin: mesg.c,
//! `qrecv`). In a search it is what it is for pan: the use of a channel that does not exist.
//!
//! All steps of a state are tried before one of them is taken, so characters are only looked at, and how many a step has read is noted
//! with it. They are gone when the step is taken.

use super::Step;
use std::collections::VecDeque;
use std::io::Read;

/// The characters that `STDIN` stands for in a simulation.
pub struct Input {
    source: Box<dyn Read + Send>,
    ended: bool,
    /// Characters that no step has read yet.
    waiting: VecDeque<u8>,
    /// How many of them the step that is being tried has read.
    at: usize,
    /// The steps of the current state that have read something.
    readers: Vec<(Step, usize)>,
}

impl Input {
    /// Takes characters from `source`, byte by byte, when a step asks for them.
    pub fn new(source: Box<dyn Read + Send>) -> Input {
        Input { source, ended: false, waiting: VecDeque::new(), at: 0, readers: Vec::new() }
    }

    /// A new step is tried.
    pub(super) fn rewind(&mut self) {
        self.at = 0;
    }

    /// Whether there are `count` more characters for the step. Blocks until they arrive or the input ends.
    pub(super) fn has(&mut self, count: usize) -> bool {
        let mut byte = [0];
        while !self.ended && self.waiting.len() < self.at + count {
            match self.source.read(&mut byte) {
                Ok(1) => self.waiting.push_back(byte[0]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                _ => self.ended = true,
            }
        }
        self.waiting.len() >= self.at + count
    }

    /// The next character for `step`; [`Input::has`] has promised it.
    pub(super) fn read(&mut self, step: Step) -> i32 {
        let character = self.waiting.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        match self.readers.last_mut().filter(|(reader, _)| *reader == step) {
            Some((_, count)) => *count = self.at,
            None => self.readers.push((step, self.at)),
        }
        i32::from(character)
    }

    /// All steps of another state will be tried.
    pub fn forget_readers(&mut self) {
        self.readers.clear();
        self.at = 0;
    }

    /// A step is taken, with what it has read.
    pub fn take(&mut self, step: Step) {
        let count = self.readers.iter().rev().find(|(reader, _)| *reader == step).map_or(0, |(_, count)| *count);
        self.waiting.drain(..count);
        self.forget_readers();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_step_that_is_taken_uses_up_characters() {
        let mut input = Input::new(Box::new(&b"abc"[..]));
        let step = |transition| Step { pid: 0, transition, receiver: None };
        let try_step = |input: &mut Input, transition, count: usize| {
            input.rewind();
            input.has(count).then(|| (0..count).map(|_| input.read(step(transition)) as u8 as char).collect::<String>())
        };
        assert_eq!(try_step(&mut input, 1, 1).as_deref(), Some("a"));
        assert_eq!(try_step(&mut input, 2, 2).as_deref(), Some("ab"));
        input.take(step(2));
        assert_eq!(try_step(&mut input, 1, 2), None);
        assert_eq!(try_step(&mut input, 1, 1).as_deref(), Some("c"));
        input.take(step(7));
        assert_eq!(try_step(&mut input, 1, 1).as_deref(), Some("c"));
        input.take(step(1));
        assert_eq!(try_step(&mut input, 1, 1), None);
    }
}
