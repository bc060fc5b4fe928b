//! How many transitions a process needs, at least, from one control state to another.

use super::{Automaton, Program};

/// What cannot be reached is this far away.
pub const FAR: u32 = 1 << 20;

/// Automata with more states than this get no table: every distance in them is 0.
const MAX_STATES: usize = 4096;

/// The distances between all pairs of control states, by proctype.
#[derive(Clone, Debug)]
pub struct Routes {
    tables: Vec<Table>,
}

#[derive(Clone, Debug)]
struct Table {
    states: usize,
    /// From `a` to `b`: `distance[a * states + b]`.
    distance: Vec<u16>,
}

const UNREACHABLE: u16 = u16::MAX;

impl Routes {
    pub fn new(program: &Program) -> Routes {
        Routes { tables: program.automata.iter().map(|automaton| Table::new(program, automaton)).collect() }
    }

    #[inline]
    pub fn distance(&self, proctype: u32, from: u32, to: u32) -> u32 {
        let Table { states, distance } = &self.tables[proctype as usize];
        match distance.get(from as usize * states + to as usize) {
            Some(&UNREACHABLE) => FAR,
            Some(&distance) => distance as u32,
            None => 0,
        }
    }
}

impl Table {
    fn new(program: &Program, automaton: &Automaton) -> Table {
        let states = automaton.marks.len();
        if states > MAX_STATES {
            return Table { states, distance: Vec::new() };
        }
        let mut distance = vec![UNREACHABLE; states * states];
        let mut queue = Vec::new();
        for start in 0..states {
            let row = &mut distance[start * states..(start + 1) * states];
            row[start] = 0;
            queue.clear();
            queue.push(start);
            let mut next = 0;
            while let Some(&state) = queue.get(next) {
                next += 1;
                for number in automaton.leaving(state as u32) {
                    let to = program.transitions[number].to as usize;
                    if row[to] == UNREACHABLE {
                        row[to] = row[state] + 1;
                        queue.push(to);
                    }
                }
            }
        }
        Table { states, distance }
    }
}
