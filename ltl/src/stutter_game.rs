//! Whether an automaton can follow a word in which letters are repeated more or less often than in the word that it accepts.
//!
//! A partial-order reduction that is made while the product is searched takes the steps of an accepted run in other orders, again and
//! again, as it follows the run. What the automaton reads is the labels of the old run with other numbers of repetitions, and these numbers depend
//! on what the automaton did before. That its language does not care for repetitions ([`crate::stutter`]) is not enough: a nondeterministic
//! automaton may guess how long a repetition lasts, and each guess may be made wrong (S. F. Siegel, What's wrong with on-the-fly partial order
//! reduction, CAV 2019). What is enough is that the second player wins this game of two copies of the automaton:
//!
//! ```text
//! both copies are in the initial state; p is the state of the first one, q that of the second; in each round the first player
//!   chooses another letter a than in the round before, and p –aaa…a→ p', for as many a as he likes, also for ever
//!   the second player reads a once, q –a→ q', and then again and again, for as long as the first player wants him to
//! the second player loses if he cannot read, or if p's run is accepting and q's is not
//! ```
//!
//! The second player knows the first one's whole run through a repetition, as the reduction knows the old run; he does not know how long he
//! has to repeat. Always won: by a deterministic automaton whose language does not care for repetitions; and by one in normal form, where
//! p –a→ q implies q –a→ q, and p –a→ q –a→ r implies p –a→ r and, if q is accepting, that p or r is. (This is after the idea of Siegel's
//! stutter-invariant normal form, not his definition.)
//!
//! A parity game with three priorities: 2 for an answer from an accepting state, 1 for another one to a move in which p was accepting, 0 for the
//! rest. With Z1 least, Z2 and Z0 greatest, the second player wins from
//!
//! ```text
//! νZ2. μZ1. νZ0. { v | to each move of the first player there is an answer, with priority i, that leads into Zi }
//! ```

use crate::automaton::{Buchi, Marks, State};
use crate::bdd::{Bdd, Bdds};
use crate::graph::{Components, Graph};
use crate::stutter::letter_classes;
use rustc_hash::FxHashMap;

/// Beyond this many positions, or answers in all of them, the question is left open.
const MAX_POSITIONS: usize = 100_000;
const MAX_ANSWERS: usize = 1_000_000;

/// Answers that are looked at while the game is solved: a fraction of a second.
const MAX_WORK: usize = 50_000_000;

/// The second player wins: see the head of this file. `None` if it is too much work to tell.
pub fn is_won(automaton: &Buchi) -> Option<bool> {
    let mut bdds = Bdds::default();
    let graph = Graph::read(&automaton.generalised(), &mut bdds);
    is_won_on(&graph, &mut bdds)
}

/// The same for a graph with acceptance on states.
pub fn is_won_on(graph: &Graph, bdds: &mut Bdds) -> Option<bool> {
    debug_assert_eq!(graph.sets, 1);
    let letters = letter_classes([graph], bdds)?;
    let readings: Vec<Vec<Reading>> = letters.iter().map(|&letter| readings(graph, letter, bdds)).collect();
    Game::new(graph.initial, &readings, bdds)?.is_won()
}

/// What a state can do with one letter.
struct Reading {
    /// The states behind one of it, and whether this state is accepting.
    once: Vec<(State, bool)>,
    /// The states behind any number of it, and whether one before them is accepting.
    often: Vec<(State, bool)>,
    /// It accepts the word of this letter alone.
    forever: bool,
}

/// By state.
fn readings(graph: &Graph, letter: Bdd, bdds: &mut Bdds) -> Vec<Reading> {
    let mut possible = graph.clone();
    possible.arcs.iter_mut().for_each(|arcs| arcs.retain(|arc| bdds.meet(arc.label, letter)));
    let components = Components::of(&possible);
    let once = |state: State| possible.arcs[state].iter().map(|arc| (arc.target, arc.marks != Marks::NONE));
    let of_state = |start: State| {
        let mut often: Vec<(State, bool)> = once(start).collect();
        let mut next = 0;
        while let Some(&(state, seen)) = often.get(next) {
            next += 1;
            for (target, accepting) in once(state) {
                let behind = (target, seen || accepting);
                if !often.contains(&behind) {
                    often.push(behind);
                }
            }
        }
        let mut reached = often.iter().map(|&(state, _)| state).chain([start]);
        let forever = reached.any(|state| components.accepting(&possible, components.of[state]));
        Reading { once: once(start).collect(), often, forever }
    };
    (0..graph.state_count()).map(of_state).collect()
}

/// Before a move of the first player.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    first: State,
    second: State,
    /// The class of the letter that both have read last.
    last: Option<usize>,
}

/// The second player reads a letter; the position behind it.
struct Answer {
    priority: u8,
    to: usize,
}

/// By position: the moves of the first player, each with its answers. The first position is where both begin.
struct Game {
    moves: Vec<Vec<Vec<Answer>>>,
}

impl Game {
    /// The positions that can be reached. `readings` are by letter and state.
    fn new(initial: State, readings: &[Vec<Reading>], bdds: &Bdds) -> Option<Game> {
        let mut positions = Positions::default();
        positions.number(Position { first: initial, second: initial, last: None });
        let mut moves: Vec<Vec<Vec<Answer>>> = Vec::new();
        let mut answers = 0;
        while let Some(&at) = positions.all.get(moves.len()) {
            let own = positions.moves(at, readings);
            answers += own.iter().map(Vec::len).sum::<usize>();
            moves.push(own);
            if positions.all.len() > MAX_POSITIONS || answers > MAX_ANSWERS || bdds.is_stopped() {
                return None;
            }
        }
        Some(Game { moves })
    }

    fn is_won(&self) -> Option<bool> {
        let mut work = MAX_WORK;
        let mut again = vec![true; self.moves.len()];
        loop {
            let mut soon = vec![false; self.moves.len()];
            loop {
                let next = self.stay(&again, &soon, &mut work)?;
                if next == soon {
                    break;
                }
                soon = next;
            }
            if soon == again || !soon[0] {
                return Some(soon[0]);
            }
            again = soon;
        }
    }

    /// Where the second player can answer for ever, or until he comes, by an answer with priority 2, into `again` or, by one with
    /// priority 1, into `soon`.
    fn stay(&self, again: &[bool], soon: &[bool], work: &mut usize) -> Option<Vec<bool>> {
        let mut stays = vec![true; self.moves.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (position, moves) in self.moves.iter().enumerate().filter(|&(_, moves)| !moves.is_empty()) {
                if !stays[position] {
                    continue;
                }
                *work = work.checked_sub(moves.iter().map(|answers| 1 + answers.len()).sum())?;
                let leads = |answer: &Answer| match answer.priority {
                    2 => again[answer.to],
                    1 => soon[answer.to],
                    _ => stays[answer.to],
                };
                stays[position] = moves.iter().all(|answers| answers.iter().any(leads));
                changed |= !stays[position];
            }
        }
        Some(stays)
    }
}

#[derive(Default)]
struct Positions {
    all: Vec<Position>,
    numbers: FxHashMap<Position, usize>,
}

impl Positions {
    fn number(&mut self, position: Position) -> usize {
        *self.numbers.entry(position).or_insert_with(|| {
            self.all.push(position);
            self.all.len() - 1
        })
    }

    fn moves(&mut self, at: Position, readings: &[Vec<Reading>]) -> Vec<Vec<Answer>> {
        let mut moves = Vec::new();
        for (letter, of_state) in readings.iter().enumerate() {
            let (first, second) = (&of_state[at.first], &of_state[at.second]);
            if at.last == Some(letter) {
                moves.push(self.answers(at, letter, 0, second));
                continue;
            }
            for &(behind, accepting) in &first.often {
                let owed = u8::from(accepting);
                moves.push(self.answers(Position { first: behind, ..at }, letter, owed, second));
            }
            if first.forever && !second.forever {
                moves.push(Vec::new());
            }
        }
        moves
    }

    fn answers(&mut self, at: Position, letter: usize, owed: u8, reading: &Reading) -> Vec<Answer> {
        let answer = |&(second, accepting): &(State, bool)| {
            let to = self.number(Position { second, last: Some(letter), ..at });
            Answer { priority: if accepting { 2 } else { owed }, to }
        };
        reading.once.iter().map(answer).collect()
    }
}
