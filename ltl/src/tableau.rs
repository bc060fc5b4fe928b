//! Formula → generalised Büchi automaton: a tableau whose rows are decision diagrams.
//!
//! Couvreur, On-the-fly verification of linear temporal logic, FM 1999, in the form of Duret-Lutz, LTL translation
//! improvements in Spot 1.0, IJCCBS 2014. A state is a formula that the rest of the word must satisfy. What it demands is a
//! Boolean function of atoms, of formulas for the next moment, and of promises ("b is still to come"):
//!
//! ```text
//! r(p) = p                      r(X f) = next[f]
//! r(f U g) = r(g) ∨ (promise[g] ∧ r(f) ∧ next[f U g])        r(F g) = r(g) ∨ (promise[g] ∧ next[F g])
//! r(f M g) = r(g) ∧ (r(f) ∨ (promise[f] ∧ next[f M g]))      r(G F g) = (r(g) ∨ promise[g]) ∧ next[G F g]
//! r(f W g) = r(g) ∨ (r(f) ∧ next[f W g])                     r(G f) = r(f) ∧ next[G f]
//! r(f R g) = r(g) ∧ (r(f) ∨ next[f R g])
//!
//! translate(φ):
//!   todo ← {φ}
//!   for f in todo:
//!     for (letters, demands) in the parts of r(f) below its atoms:
//!       for each least set of demands that will do:
//!         add an edge for letters to ⋀ next demanded, marked with every promise that is not made
//! ```
//!
//! Letters come first in the order of the variables, so letters with the same demands are found together and each is
//! translated on its own: fewer choices, more deterministic automata. ([`Branching`] has two other ways.)
//! States with the same function are the same state. A mark is a promise that an edge does not make: a run that sees
//! every mark infinitely often keeps all promises.
//!
//! Differs from the papers: least sets are exact because demands occur positively only, so no cover has to be computed.

use crate::Limit;
use crate::automaton::{MAX_ATOMS, MAX_MARKS, Marks};
use crate::bdd::{self, Bdd, Bdds};
use crate::formula::{Formula, Formulas, Node, TRUE};
use crate::graph::{Arc, Graph};
use crate::implication::Implications;
use rustc_hash::FxHashMap;

/// How the alternatives of a state become edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// An edge for each alternative, letter by letter.
    ByLetter,
    /// An edge for each cube of a cover of the whole function: fewer edges, more choices.
    ByCube,
    /// Letter by letter, and one edge to the disjunction of the alternatives that make the same promises: fewer choices.
    Postponed,
}

/// A tableau with more edges is of no use to anybody.
const MAX_EDGES: usize = 300_000;

/// The work of one translation.
struct Tableau<'a> {
    formulas: &'a mut Formulas,
    implications: &'a mut Implications,
    bdds: &'a mut Bdds,
    /// What the variables from [`MAX_ATOMS`] on stand for.
    demands: Vec<Demand>,
    variables: FxHashMap<Demand, u32>,
    functions: FxHashMap<Formula, Bdd>,
    promises: Vec<Formula>,
    states: Vec<Bdd>,
    numbers: FxHashMap<Bdd, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Demand {
    Next(Formula),
    Promise(Formula),
}

/// One way to go on: demands for the next moment and promises made.
struct Way {
    letters: Bdd,
    next: Vec<Formula>,
    promises: Marks,
}

/// Builds the automaton of `f`.
pub fn translate(
    formulas: &mut Formulas,
    implications: &mut Implications,
    bdds: &mut Bdds,
    f: Formula,
    branching: Branching,
    max_states: usize,
) -> Result<Graph, Limit> {
    let mut tableau = Tableau {
        formulas,
        implications,
        bdds,
        demands: Vec::new(),
        variables: FxHashMap::default(),
        functions: FxHashMap::default(),
        promises: Vec::new(),
        states: Vec::new(),
        numbers: FxHashMap::default(),
    };
    tableau.run(f, branching, max_states)
}

impl Tableau<'_> {
    fn run(&mut self, f: Formula, branching: Branching, max_states: usize) -> Result<Graph, Limit> {
        let initial = self.state(f);
        let mut rows: Vec<Vec<Arc>> = Vec::new();
        let mut edges = 0;
        while rows.len() < self.states.len() {
            let function = self.states[rows.len()];
            let ways = match branching {
                Branching::ByLetter => self.by_letter(function)?,
                Branching::ByCube => self.by_cube(function)?,
                Branching::Postponed => {
                    let ways = self.by_letter(function)?;
                    self.postpone(ways)
                }
            };
            let mut arcs = Vec::with_capacity(ways.len());
            for way in ways {
                if !self.bdds.tick() {
                    return Err(Limit::Stopped);
                }
                let next = self.conjunction(way.next);
                // promises for now; marks when all promises are known
                arcs.push(Arc { label: way.letters, target: self.state(next), marks: way.promises });
            }
            edges += arcs.len();
            rows.push(arcs);
            if self.states.len() > max_states {
                return Err(Limit::States(max_states));
            }
            if edges > MAX_EDGES {
                return Err(Limit::Edges(MAX_EDGES));
            }
            if self.bdds.is_exhausted() {
                return Err(Limit::Work);
            }
        }
        let sets = self.promises.len() as u32;
        for arc in rows.iter_mut().flatten() {
            arc.marks = Marks(Marks::all(sets).0 & !arc.marks.0);
        }
        let mut graph = Graph { sets, initial, arcs: rows };
        graph.tidy(self.bdds);
        Ok(graph)
    }

    fn state(&mut self, f: Formula) -> usize {
        let function = self.function(f);
        *self.numbers.entry(function).or_insert_with(|| {
            self.states.push(function);
            self.states.len() - 1
        })
    }

    /// The demands of `f` as a Boolean function.
    fn function(&mut self, f: Formula) -> Bdd {
        if let Some(&known) = self.functions.get(&f) {
            return known;
        }
        let function = match self.formulas.node(f).clone() {
            Node::False => bdd::FALSE,
            Node::True => bdd::TRUE,
            Node::Literal { atom, positive } => {
                let atom = self.bdds.variable(atom);
                if positive { atom } else { self.bdds.not(atom) }
            }
            Node::And(parts) => parts.iter().fold(bdd::TRUE, |all, &part| {
                let part = self.function(part);
                self.bdds.and(all, part)
            }),
            Node::Or(parts) => parts.iter().fold(bdd::FALSE, |any, &part| {
                let part = self.function(part);
                self.bdds.or(any, part)
            }),
            Node::Next(g) => self.next(g),
            Node::Eventually(g) => {
                let later = self.later(f, Some(g));
                let now = self.function(g);
                self.bdds.or(now, later)
            }
            Node::Until(a, b) => {
                let later = self.later(f, Some(b));
                self.until(a, b, later)
            }
            Node::WeakUntil(a, b) => {
                let later = self.later(f, None);
                self.until(a, b, later)
            }
            Node::Release(a, b) => {
                let later = self.later(f, None);
                self.release(a, b, later)
            }
            Node::StrongRelease(a, b) => {
                let later = self.later(f, Some(a));
                self.release(a, b, later)
            }
            Node::Always(g) => {
                let later = self.later(f, None);
                let now = match *self.formulas.node(g) {
                    // the G asks again: no need to remember that the F is pending
                    Node::Eventually(h) => {
                        let promise = self.demand(Demand::Promise(h));
                        let now = self.function(h);
                        self.bdds.or(now, promise)
                    }
                    _ => self.function(g),
                };
                self.bdds.and(now, later)
            }
        };
        self.functions.insert(f, function);
        function
    }

    fn until(&mut self, a: Formula, b: Formula, later: Bdd) -> Bdd {
        let (a, b) = (self.function(a), self.function(b));
        let wait = self.bdds.and(a, later);
        self.bdds.or(b, wait)
    }

    fn release(&mut self, a: Formula, b: Formula, later: Bdd) -> Bdd {
        let (a, b) = (self.function(a), self.function(b));
        let end = self.bdds.or(a, later);
        self.bdds.and(b, end)
    }

    /// `f` at the next moment, and a promise if there is one.
    fn later(&mut self, f: Formula, promised: Option<Formula>) -> Bdd {
        let next = self.demand(Demand::Next(f));
        match promised {
            Some(g) => {
                let promise = self.demand(Demand::Promise(g));
                self.bdds.and(promise, next)
            }
            None => next,
        }
    }

    /// `f` at the next moment: each conjunct is a demand of its own.
    fn next(&mut self, f: Formula) -> Bdd {
        match self.formulas.node(f).clone() {
            Node::And(parts) => parts.iter().fold(bdd::TRUE, |all, &part| {
                let part = self.next(part);
                self.bdds.and(all, part)
            }),
            Node::Or(parts) => parts.iter().fold(bdd::FALSE, |any, &part| {
                let part = self.next(part);
                self.bdds.or(any, part)
            }),
            _ if f == TRUE => bdd::TRUE,
            _ => self.demand(Demand::Next(f)),
        }
    }

    fn demand(&mut self, demand: Demand) -> Bdd {
        let next = MAX_ATOMS as u32 + self.demands.len() as u32;
        let variable = *self.variables.entry(demand).or_insert(next);
        if variable == next {
            self.demands.push(demand);
            if let Demand::Promise(f) = demand {
                self.promises.push(f);
            }
        }
        self.bdds.variable(variable)
    }

    /// All ways to satisfy a state's function, for letters that exclude or equal each other.
    fn by_letter(&mut self, function: Bdd) -> Result<Vec<Way>, Limit> {
        let mut ways = Vec::new();
        for (letters, demands) in self.bdds.split(function) {
            let sets = self.bdds.least_sets(demands, MAX_EDGES).ok_or(Limit::Work)?;
            if !self.bdds.poll(ways.len() * size_of::<Way>() * 2) {
                return Err(Limit::Stopped);
            }
            for set in sets {
                ways.push(self.way(letters, set)?);
            }
        }
        Ok(ways)
    }

    /// Some ways that together satisfy a state's function.
    fn by_cube(&mut self, function: Bdd) -> Result<Vec<Way>, Limit> {
        let mut ways = Vec::new();
        for cube in self.bdds.cubes(function) {
            let (atoms, demands): (Vec<_>, Vec<_>) =
                cube.into_iter().partition(|&(variable, _)| variable < MAX_ATOMS as u32);
            let letters = atoms.into_iter().fold(bdd::TRUE, |all, (atom, positive)| {
                let atom = self.bdds.variable(atom);
                let literal = if positive { atom } else { self.bdds.not(atom) };
                self.bdds.and(all, literal)
            });
            ways.push(self.way(letters, demands.into_iter().map(|(variable, _)| variable).collect())?);
        }
        Ok(ways)
    }

    fn way(&self, letters: Bdd, demands: Vec<u32>) -> Result<Way, Limit> {
        let mut way = Way { letters, next: Vec::new(), promises: Marks::NONE };
        for variable in demands {
            match self.demands[variable as usize - MAX_ATOMS] {
                Demand::Next(f) => way.next.push(f),
                Demand::Promise(f) => way.promises = way.promises.with(self.promise(f)?),
            }
        }
        Ok(way)
    }

    fn promise(&self, f: Formula) -> Result<Marks, Limit> {
        let number = self.promises.iter().position(|&promise| promise == f).unwrap_or(0);
        if number < MAX_MARKS as usize { Ok(Marks::one(number as u32)) } else { Err(Limit::Marks) }
    }

    /// One way for alternatives that differ in nothing but what comes next.
    fn postpone(&mut self, ways: Vec<Way>) -> Vec<Way> {
        let mut merged: Vec<Way> = Vec::new();
        for way in ways {
            let same = |other: &&mut Way| other.letters == way.letters && other.promises == way.promises;
            match merged.iter_mut().find(same) {
                Some(other) => {
                    let (first, second) =
                        (self.formulas.and(std::mem::take(&mut other.next)), self.formulas.and(way.next));
                    other.next = vec![self.formulas.or2(first, second)];
                }
                None => merged.push(way),
            }
        }
        merged
    }

    /// The conjunction without parts that others imply. A part that makes promises stays: left out, it could be put off
    /// forever, each time for the sake of another part that implies it (`F q` for `F(p ∧ X F q)`, which leads to `F q`).
    fn conjunction(&mut self, parts: Vec<Formula>) -> Formula {
        let all = parts.clone();
        let implied = |tableau: &mut Self, position: usize, part: Formula| {
            all.iter().enumerate().any(|(other, &stronger)| {
                // of two equivalent parts the first stays
                other != position
                    && tableau.implications.holds(tableau.formulas, stronger, part)
                    && (other < position || !tableau.implications.holds(tableau.formulas, part, stronger))
            })
        };
        let mut kept = Vec::new();
        for (position, part) in parts.into_iter().enumerate() {
            if !self.formulas.traits(part).safety || !implied(self, position, part) {
                kept.push(part);
            }
        }
        self.formulas.and(kept)
    }
}
