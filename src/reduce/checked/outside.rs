//! The paths of moves outside a set, and what has to hold along them.
//!
//! Let s be a state and T the set that was chosen there: transitions of its processes, by process and number. A move is inside T if its first
//! step is by a transition of T; in a handshake one half is enough. (A process that ended, and whose number another one has now, has no
//! transitions in T any more.) For every path s –u1→ … –un→ r of moves outside T:
//!
//! ```text
//! (A)  a move inside T that is possible in r is possible in s
//! (K)  a move inside T that is possible in s is possible in r, and fails in r if it fails in s
//! (C)  r –t→ x with t inside and r –u→ y with u outside T: there is a z with x –u→ z and y –t→ z;
//!      if u fails in r, it fails in the same way in x
//! (V)  if some move inside T changes what the claim looks at, no move outside T does, on any path;
//!      if something is left out, some move inside T never changes it
//! ```
//!
//! (A) and (C), step by step along a path, give Valmari's D1: t can be executed first, and u1 … un after it lead to the same state. (K)
//! says that every move inside T is a key transition (D2), as it is for strong stubborn sets; what of T is not executable obeys the weaker
//! rule only, which is (A). Faults are moves to a state of their own in which everything ends: (C) keeps them. (V) is the visibility proviso
//! and, with its second half, what makes runs without visible moves go on.

use super::moves::{Members, Move, Remembering, Target};
use super::show;
use crate::program::code::{Action, Code};
use crate::system::{Run, Step, System};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::ops::AddAssign;
use std::rc::Rc;

/// States with more moves are not looked at: pairs of moves would be too many.
pub const MOST_MOVES: usize = 64;

/// How far the paths from one state are followed.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// States, that from which they begin included.
    pub states: usize,
    /// Moves of one path.
    pub depth: usize,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// States for which a set was asked.
    pub asked: u64,
    /// Those of them in which it leaves something out.
    pub reduced: u64,
    /// States on paths of outside moves.
    pub on_paths: u64,
    /// Pairs of an inside and an outside move that were executed in both orders.
    pub squares: u64,
    /// Successors that our sets keep where some are left out by ours or by one that cannot be made smaller.
    pub kept: u64,
    /// Successors that those keep.
    pub minimal: u64,
    /// States in which ours keep more.
    pub larger: u64,
}

impl AddAssign for Figures {
    fn add_assign(&mut self, more: Figures) {
        self.asked += more.asked;
        self.reduced += more.reduced;
        self.on_paths += more.on_paths;
        self.squares += more.squares;
        self.kept += more.kept;
        self.minimal += more.minimal;
        self.larger += more.larger;
    }
}

/// What does not hold of a set, where, and how one comes there.
#[derive(Clone, Debug)]
pub struct Flaw(pub String);

/// A state on a path of outside moves.
struct Node {
    state: Rc<[u64]>,
    /// Processes with this number or a higher one have ended on the way.
    ended: u32,
    depth: usize,
    /// The node before it, and the move that leads here.
    from: Option<(usize, Move)>,
}

/// A search of the paths outside one set.
pub struct Outside<'o, 'p> {
    pub from: &'o mut Remembering<'p>,
    pub set: &'o Members,
    /// What the claim looks at.
    pub conditions: &'o [Code],
    pub bounds: Bounds,
    nodes: Vec<Node>,
    known: FxHashSet<(Rc<[u64]>, u32)>,
    /// The moves inside the set in the first state; by move, whether it changes what the claim looks at somewhere.
    inside: Vec<Move>,
    visible: Vec<bool>,
    /// An outside move that does.
    visible_outside: Option<(usize, Move)>,
}

impl<'o, 'p> Outside<'o, 'p> {
    pub fn new(
        from: &'o mut Remembering<'p>,
        set: &'o Members,
        conditions: &'o [Code],
        bounds: Bounds,
    ) -> Outside<'o, 'p> {
        let (nodes, known, inside, visible) = Default::default();
        Outside { from, set, conditions, bounds, nodes, known, inside, visible, visible_outside: None }
    }

    /// Follows the paths from a state, the oldest and the newest end of one in turn.
    pub fn check(mut self, state: &[u64], figures: &mut Figures) -> Result<(), Flaw> {
        self.add(Node { state: state.into(), ended: u32::MAX, depth: 0, from: None });
        self.inside = self.split(0).0;
        self.visible = vec![false; self.inside.len()];
        if self.inside.is_empty() {
            return Err(self.flaw(0, "nothing inside the set can be executed"));
        }
        let mut todo = VecDeque::from([0]);
        let mut turn = 0;
        loop {
            turn += 1;
            let next = if turn % 2 == 0 { todo.pop_back() } else { todo.pop_front() };
            let Some(at) = next else { break };
            let before = self.nodes.len();
            self.check_node(at, figures)?;
            todo.extend(before..self.nodes.len());
        }
        figures.on_paths += self.nodes.len() as u64;
        self.check_visibility()
    }

    fn add(&mut self, node: Node) {
        if self.known.insert((node.state.clone(), node.ended)) {
            self.nodes.push(node);
        }
    }

    /// The moves inside and outside the set.
    fn split(&mut self, at: usize) -> (Vec<Move>, Vec<Move>) {
        let Node { state, ended, .. } = &self.nodes[at];
        let moves = self.from.moves(state);
        let is_inside = |it: &&Move| it.begins_with().any(|(pid, t)| pid < *ended && self.set.contains(&(pid, t)));
        let (inside, outside): (Vec<&Move>, _) = moves.iter().partition(is_inside);
        (inside.into_iter().cloned().collect(), outside.into_iter().cloned().collect())
    }

    fn check_node(&mut self, at: usize, figures: &mut Figures) -> Result<(), Flaw> {
        if self.from.moves(&self.nodes[at].state).len() > MOST_MOVES {
            return Ok(());
        }
        let (inside, outside) = self.split(at);
        if let Some(new) = inside.iter().find(|it| !self.inside.iter().any(|known| known.is_like(it))) {
            return Err(self.flaw(at, &format!("(A) possible only here: {}", self.steps(new))));
        }
        if let Some(lost) = self.inside.iter().find(|it| !inside.iter().any(|left| left.is_like(it))) {
            return Err(self.flaw(at, &format!("(K) no longer possible: {}", self.steps(lost))));
        }
        let before = self.truths(at);
        for it in &inside {
            let number = self.inside.iter().position(|known| known.is_like(it)).expect("it was found before");
            self.visible[number] |= self.changes(&before, it);
        }
        for other in outside {
            if self.visible_outside.is_none() && self.changes(&before, &other) {
                self.visible_outside = Some((at, other.clone()));
            }
            for it in &inside {
                figures.squares += 1;
                self.check_square(at, it, &other)?;
            }
            let Node { ended, depth, .. } = self.nodes[at];
            if let Some(state) = other.state()
                && depth < self.bounds.depth
                && self.nodes.len() < self.bounds.states
            {
                let (state, ended) = (state.clone(), ended.min(self.ended_by(&other)));
                self.add(Node { state, ended, depth: depth + 1, from: Some((at, other)) });
            }
        }
        Ok(())
    }

    /// The lowest number of a process that ends in a move.
    fn ended_by(&self, it: &Move) -> u32 {
        let program = self.from.system.program();
        let ends = |step: &&Step| matches!(program.transitions[step.transition as usize].action, Action::End);
        it.steps.iter().filter(ends).map(|step| step.pid).min().unwrap_or(u32::MAX)
    }

    /// (C) for one move inside the set and one outside.
    fn check_square(&mut self, at: usize, inside: &Move, outside: &Move) -> Result<(), Flaw> {
        let Some(first) = inside.state() else { return Ok(()) };
        let after = self.from.moves(first);
        let follows = after.iter().find(|it| it.is_like(outside));
        let why = match (follows, &outside.target) {
            (None, _) => "is no longer possible, or ends otherwise, after",
            (Some(follows), Target::State(other)) => {
                let then = self.from.moves(other);
                match then.iter().find(|it| it.is_like(inside)) {
                    None => "prevents",
                    Some(then) if then.target != follows.target => "leads to another state after",
                    Some(_) => return Ok(()),
                }
            }
            (Some(_), Target::Fault(_) | Target::Nowhere) => return Ok(()),
        };
        Err(self.flaw(at, &format!("(C) the outside move {} {why} {}", self.steps(outside), self.steps(inside))))
    }

    /// The truth of the conditions, or what goes wrong when they are looked at.
    fn truths(&mut self, at: usize) -> Result<u64, String> {
        let state = self.nodes[at].state.clone();
        self.truths_in(&state)
    }

    fn truths_in(&mut self, state: &[u64]) -> Result<u64, String> {
        let Remembering { system, scratch, .. } = &mut *self.from;
        let truths = system.observer(scratch).truths(&mut state.to_vec(), Run::GoesOn, self.conditions.iter());
        truths.map_err(|fault| fault.to_string())
    }

    fn changes(&mut self, before: &Result<u64, String>, it: &Move) -> bool {
        !self.conditions.is_empty() && it.state().is_some_and(|state| self.truths_in(&state.clone()) != *before)
    }

    fn check_visibility(&self) -> Result<(), Flaw> {
        if let (Some((at, outside)), Some(inside)) = (&self.visible_outside, self.visible.iter().position(|&v| v)) {
            let (outside, inside) = (self.steps(outside), self.steps(&self.inside[inside]));
            return Err(self.flaw(*at, &format!("(V) visible are {inside} inside and {outside} outside the set")));
        }
        if !self.visible.is_empty() && self.visible.iter().all(|&visible| visible) {
            return Err(self.flaw(0, "(V) every move inside the set is visible"));
        }
        Ok(())
    }

    fn steps(&self, it: &Move) -> String {
        show::steps(self.from.system.program(), it)
    }

    fn flaw(&self, at: usize, what: &str) -> Flaw {
        let program = self.from.system.program();
        let mut path = Vec::new();
        let mut next = at;
        while let Some((before, it)) = &self.nodes[next].from {
            path.push(it);
            next = *before;
        }
        let start = show::state(&self.from.system, &self.nodes[0].state);
        let set = show::set(program, self.set);
        Flaw(format!(
            "{what}\nset:\n{set}outside path:\n{}state:\n{start}",
            show::list(program, path.into_iter().rev())
        ))
    }
}
