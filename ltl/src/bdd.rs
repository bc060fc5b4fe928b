//! Binary decision diagrams: Boolean functions as numbers.
//!
//! Diagrams are shared and reduced, so two functions are equal if and only if their numbers are: a label can be
//! compared, sorted and hashed, and a state can be recognised by its successors. The variables below [`MAX_ATOMS`] are
//! atoms; a translation uses those above for what it demands of the next moment. They come later in every diagram, so
//! that a diagram splits into letters and, below them, demands ([`Bdds::split`]).
//!
//! Every operation is total. Beyond a limit of nodes or of steps ([`Bdds::allow`]), or of the caller's [`Budget`], results
//! become `FALSE`, and [`Bdds::is_exhausted`] says so: the caller must ask it before using a result.
//!
//! ```text
//! choose(f, g, h), f's, g's and h's topmost variable x:  make(x, choose(f₀, g₀, h₀), choose(f₁, g₁, h₁)), remembered
//! cover(least, most):  x topmost; cubes with ¬x for what only the half without x has, with x for what only the other has,
//!                      without x for the rest
//! ```
//!
//! Bryant, Graph-based algorithms for Boolean function manipulation, IEEE Trans. Computers 1986; the irredundant covers
//! are Minato's, Fast generation of irredundant sum-of-products forms from binary decision diagrams, SASIMI 1992. Written
//! here because the well-kept crates either do not share diagrams or lock them for threads; ours live for one formula.

use crate::automaton::{Cube, Label, MAX_ATOMS};
use crate::budget::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

/// A Boolean function, in a [`Bdds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

/// The function that is never true.
pub const FALSE: Bdd = Bdd(0);
/// The function that is always true.
pub const TRUE: Bdd = Bdd(1);

/// Enough for anything that ends in reasonable time, and about 400 MB.
const MAX_NODES: usize = 4_000_000;

/// The budget is asked once in this many steps.
const STEPS_UNASKED: u32 = 1024;

/// A label with more cubes is given up.
const MAX_CUBES: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

/// A table of diagrams.
pub struct Bdds {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Bdd>,
    choices: FxHashMap<(Bdd, Bdd, Bdd), Bdd>,
    /// How many steps may still be made.
    steps: usize,
    budget: Budget,
    /// Until it is asked again.
    unasked: u32,
    /// It is spent: no more steps can be allowed.
    stopped: bool,
}

impl Default for Bdds {
    fn default() -> Bdds {
        let constant = Node { variable: u32::MAX, low: FALSE, high: FALSE };
        Bdds {
            nodes: vec![constant; 2],
            unique: FxHashMap::default(),
            choices: FxHashMap::default(),
            steps: usize::MAX,
            budget: Budget::default(),
            unasked: STEPS_UNASKED,
            stopped: false,
        }
    }
}

impl Bdds {
    /// An empty table, whose work ends when the budget is spent.
    pub fn within(budget: Budget) -> Bdds {
        Bdds { budget, ..Bdds::default() }
    }

    /// Allows this many steps from here on, unless the budget is spent.
    pub fn allow(&mut self, steps: usize) {
        self.steps = if self.stopped { 0 } else { steps };
    }

    /// The budget is spent: whatever comes out is of no use.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// For work beside the diagrams: asks the budget, now and then, whether it may go on.
    pub fn tick(&mut self) -> bool {
        self.unasked = self.unasked.saturating_sub(1);
        if self.unasked == 0 {
            self.poll(0);
        }
        !self.stopped
    }

    /// Asks the budget at once whether work may go on that takes this many bytes beside the diagrams.
    pub fn poll(&mut self, bytes: usize) -> bool {
        self.unasked = STEPS_UNASKED;
        if !self.stopped && self.budget.is_spent(self.bytes() + bytes) {
            self.stopped = true;
            self.steps = 0;
        }
        !self.stopped
    }

    /// What the tables take, and what they will take when they grow, if that is due before the budget is asked again.
    fn bytes(&self) -> usize {
        fn table<K, V>(map: &FxHashMap<K, V>) -> usize {
            let entry = size_of::<(K, V)>() + 1;
            let grows = map.len() + STEPS_UNASKED as usize > map.capacity();
            map.capacity() * 8 / 7 * entry * if grows { 3 } else { 1 }
        }
        let grows = self.nodes.len() + STEPS_UNASKED as usize > self.nodes.capacity();
        let nodes = self.nodes.capacity() * size_of::<Node>() * if grows { 3 } else { 1 };
        nodes + table(&self.unique) + table(&self.choices)
    }

    fn step(&mut self) {
        self.steps = self.steps.saturating_sub(1);
        self.tick();
    }

    /// Some result may not be what it should be, for want of room or of steps.
    pub fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// The function that is true if this variable is.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.make(variable, FALSE, TRUE)
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        if self.nodes.len() >= MAX_NODES {
            self.steps = 0;
            return FALSE;
        }
        let new = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, new);
        new
    }

    /// The topmost variable; `u32::MAX` for a constant.
    pub fn top(&self, f: Bdd) -> u32 {
        self.nodes[f.0 as usize].variable
    }

    /// What is left of `f` when `variable`, which is not below its topmost one, is false and when it is true.
    pub fn halves(&self, f: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.nodes[f.0 as usize];
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    /// If `f` then `g` else `h`.
    pub fn choose(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        let g = if f == g { TRUE } else { g };
        let h = if f == h { FALSE } else { h };
        match (f, g, h) {
            (TRUE, g, _) => return g,
            (FALSE, _, h) => return h,
            (_, g, h) if g == h => return g,
            (f, TRUE, FALSE) => return f,
            _ => (),
        }
        if let Some(&known) = self.choices.get(&(f, g, h)) {
            return known;
        }
        if self.steps == 0 {
            return FALSE;
        }
        self.step();
        let variable = self.top(f).min(self.top(g)).min(self.top(h));
        let ((f0, f1), (g0, g1)) = (self.halves(f, variable), self.halves(g, variable));
        let (h0, h1) = self.halves(h, variable);
        let low = self.choose(f0, g0, h0);
        let high = self.choose(f1, g1, h1);
        let result = self.make(variable, low, high);
        if self.steps == 0 {
            // the halves may be wrong: do not keep them for calls after more steps were allowed
            return FALSE;
        }
        self.choices.insert((f, g, h), result);
        result
    }

    /// Negation.
    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.choose(f, FALSE, TRUE)
    }

    /// Conjunction.
    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.choose(f.min(g), f.max(g), FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.choose(f.min(g), TRUE, f.max(g))
    }

    /// `f` and not `g`.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        self.choose(g, FALSE, f)
    }

    /// Some assignment satisfies both.
    pub fn meet(&mut self, f: Bdd, g: Bdd) -> bool {
        self.and(f, g) != FALSE
    }

    /// Whatever satisfies `f` satisfies `g`.
    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        f == g || self.minus(f, g) == FALSE
    }

    /// A function of atoms as a label: an irredundant disjunction of cubes.
    pub fn label(&mut self, f: Bdd) -> Label {
        let cube = |literals: Vec<(u32, bool)>| {
            debug_assert!(literals.iter().all(|&(variable, _)| variable < MAX_ATOMS as u32), "a label has atoms only");
            literals.into_iter().fold(Cube::TRUE, |cube, (atom, positive)| cube.and(Cube::literal(atom, positive)))
        };
        Label(self.cubes(f).into_iter().map(cube).collect())
    }

    /// An irredundant cover of `f`: conjunctions of literals, each implying `f`, that together make up `f`.
    pub fn cubes(&mut self, f: Bdd) -> Vec<Vec<(u32, bool)>> {
        let mut cubes = Vec::new();
        self.cover(f, f, &mut Vec::new(), &mut cubes);
        cubes
    }

    /// Adds cubes, each `path` and something within `most`, that together contain `least`; returns what they cover.
    fn cover(&mut self, least: Bdd, most: Bdd, path: &mut Vec<(u32, bool)>, cubes: &mut Vec<Vec<(u32, bool)>>) -> Bdd {
        if least == FALSE || self.steps == 0 {
            return FALSE;
        }
        self.step();
        if most == TRUE {
            cubes.push(path.clone());
            if cubes.len() > MAX_CUBES {
                self.steps = 0;
            }
            return TRUE;
        }
        let variable = self.top(least).min(self.top(most));
        let ((least0, least1), (most0, most1)) = (self.halves(least, variable), self.halves(most, variable));
        let (only0, only1) = (self.minus(least0, most1), self.minus(least1, most0));
        path.push((variable, false));
        let covered0 = self.cover(only0, most0, path, cubes);
        path.pop();
        path.push((variable, true));
        let covered1 = self.cover(only1, most1, path, cubes);
        path.pop();
        let (rest0, rest1) = (self.minus(least0, covered0), self.minus(least1, covered1));
        let (rest, both) = (self.or(rest0, rest1), self.and(most0, most1));
        let free = self.cover(rest, both, path, cubes);
        let (low, high) = (self.or(covered0, free), self.or(covered1, free));
        self.make(variable, low, high)
    }

    /// The function of a label.
    pub fn of_label(&mut self, label: &Label) -> Bdd {
        label.0.iter().fold(FALSE, |sum, &cube| {
            let cube = self.of_cube(cube);
            self.or(sum, cube)
        })
    }

    fn of_cube(&mut self, cube: Cube) -> Bdd {
        (0..MAX_ATOMS as u32).rev().fold(TRUE, |rest, atom| {
            match (cube.positive >> atom & 1, cube.negative >> atom & 1) {
                (0, 0) => rest,
                (1, 0) => self.make(atom, FALSE, rest),
                (0, 1) => self.make(atom, rest, FALSE),
                _ => FALSE,
            }
        })
    }

    /// The parts of `f` below its atoms, each with the letters that lead there: `f` is the disjunction of
    /// `letters ∧ part`, and the letters of different parts exclude each other. `FALSE` is left out.
    pub fn split(&mut self, f: Bdd) -> Vec<(Bdd, Bdd)> {
        let mut inner: Vec<Bdd> = Vec::new();
        let mut parts: Vec<Bdd> = Vec::new();
        self.gather(f, &mut FxHashSet::default(), &mut inner, &mut parts);
        // from the top down: the letters that lead to a node lead on, with its variable, to its halves
        inner.sort_by_key(|&node| self.top(node));
        let mut letters: FxHashMap<Bdd, Bdd> = FxHashMap::from_iter([(f, TRUE)]);
        for node in inner {
            let Node { variable, low, high } = self.nodes[node.0 as usize];
            let (here, atom) = (letters[&node], self.variable(variable));
            for (half, way) in [(low, self.minus(here, atom)), (high, self.and(here, atom))] {
                let known = letters.get(&half).copied().unwrap_or(FALSE);
                letters.insert(half, self.or(known, way));
            }
        }
        parts.into_iter().map(|part| (letters[&part], part)).collect()
    }

    /// The nodes of `f` whose variables are atoms, and the parts below them in the order of their paths.
    fn gather(&self, f: Bdd, seen: &mut FxHashSet<Bdd>, inner: &mut Vec<Bdd>, parts: &mut Vec<Bdd>) {
        if f == FALSE || !seen.insert(f) {
            return;
        }
        let node = self.nodes[f.0 as usize];
        if node.variable >= MAX_ATOMS as u32 {
            parts.push(f);
        } else {
            inner.push(f);
            self.gather(node.low, seen, inner, parts);
            self.gather(node.high, seen, inner, parts);
        }
    }

    /// The least sets of variables that make `f` true. `f` grows with every variable. `None` if there are more than `most`
    /// or the steps do not suffice.
    pub fn least_sets(&mut self, f: Bdd, most: usize) -> Option<Vec<Vec<u32>>> {
        let node = self.nodes[f.0 as usize];
        match f {
            FALSE => Some(Vec::new()),
            TRUE => Some(vec![Vec::new()]),
            _ => {
                let mut sets = self.least_sets(node.low, most)?;
                let mut with = self.least_sets(node.high, most)?;
                self.steps = self.steps.saturating_sub(sets.len() * with.len());
                if !self.poll(0) || self.steps == 0 {
                    return None;
                }
                with.retain(|set| !sets.iter().any(|less| less.iter().all(|variable| set.contains(variable))));
                with.iter_mut().for_each(|set| set.push(node.variable));
                sets.extend(with);
                (sets.len() <= most).then_some(sets)
            }
        }
    }

    /// A letter that satisfies `f`, which is a function of atoms and not `FALSE`.
    pub fn letter(&self, f: Bdd) -> u64 {
        let node = self.nodes[f.0 as usize];
        match f {
            FALSE | TRUE => 0,
            _ if node.low != FALSE => self.letter(node.low),
            _ => 1 << node.variable | self.letter(node.high),
        }
    }
}
