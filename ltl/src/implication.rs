//! When the syntax shows that one formula implies another.
//!
//! Sound and not complete: "yes" is always right. Boolean formulas are compared exactly. The rules for temporal ones
//! are those of Somenzi and Bloem, Efficient Büchi automata from LTL formulae, CAV 2000, extended to W and M, and to
//! eventual and universal formulas as in Duret-Lutz, LTL translation improvements in Spot 1.0, IJCCBS 2014: a stronger
//! `a U b` follows step by step, so `b ⇒ c U d` and `a ⇒ c` are enough for `a U b ⇒ c U d`.
//!
//! ```text
//! f ⇒ g ∧ h  if f ⇒ g and f ⇒ h          f ∨ h ⇒ g  if f ⇒ g and h ⇒ g
//! f ⇒ g  if something weaker than f implies g:   a of G a; b of a R b; a and b of a U b, a W b; b of a U b, a of F a if g is eventual; …
//! f ⇒ g  if f implies something stronger than g: d of c U d, of F d; d and c of c R d; d of G d if f is universal; …
//! f ⇒ g  if both keep something up to an end:    what f keeps ⇒ what g keeps, and f's end ⇒ g, and f ends if g must
//! ```

use crate::bdd::{self, Bdd, Bdds};
use crate::budget::Budget;
use crate::formula::{FALSE, Formula, Formulas, Node, TRUE};
use rustc_hash::FxHashMap;

/// What is known about implications between formulas of one [`Formulas`].
#[derive(Default)]
pub struct Implications {
    bdds: Bdds,
    functions: FxHashMap<Formula, Bdd>,
    known: FxHashMap<(Formula, Formula), bool>,
}

impl Implications {
    /// When the budget is spent, nothing certainly implies anything.
    pub fn within(budget: Budget) -> Implications {
        Implications { bdds: Bdds::within(budget), ..Implications::default() }
    }

    /// `f` certainly implies `g`.
    pub fn holds(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> bool {
        if f == g || f == FALSE || g == TRUE {
            return true;
        }
        if f == TRUE || g == FALSE {
            return false;
        }
        if formulas.traits(f).boolean && formulas.traits(g).boolean {
            let (f, g) = (self.function(formulas, f), self.function(formulas, g));
            return self.bdds.implies(f, g) && !self.bdds.is_exhausted();
        }
        if let Some(&known) = self.known.get(&(f, g)) {
            return known;
        }
        if !self.bdds.tick() {
            return false;
        }
        let holds = self.by_rule(formulas, f, g);
        self.known.insert((f, g), holds);
        holds
    }

    /// `f` and `g` certainly exclude each other.
    pub fn exclude(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> bool {
        let not_g = formulas.not(g);
        self.holds(formulas, f, not_g)
    }

    fn function(&mut self, formulas: &Formulas, f: Formula) -> Bdd {
        if let Some(&known) = self.functions.get(&f) {
            return known;
        }
        let function = match formulas.node(f) {
            Node::False => bdd::FALSE,
            Node::Literal { atom, positive } => {
                let atom = self.bdds.variable(*atom);
                if *positive { atom } else { self.bdds.not(atom) }
            }
            Node::And(parts) => parts.iter().fold(bdd::TRUE, |all, &part| {
                let part = self.function(formulas, part);
                self.bdds.and(all, part)
            }),
            Node::Or(parts) => parts.iter().fold(bdd::FALSE, |any, &part| {
                let part = self.function(formulas, part);
                self.bdds.or(any, part)
            }),
            _ => bdd::TRUE,
        };
        self.functions.insert(f, function);
        function
    }

    fn by_rule(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> bool {
        let (from, to) = (formulas.node(f).clone(), formulas.node(g).clone());
        if let Node::And(parts) = &to {
            return parts.iter().all(|&part| self.holds(formulas, f, part));
        }
        if let Node::Or(parts) = &from {
            return parts.iter().all(|&part| self.holds(formulas, part, g));
        }
        self.weaker_suffices(formulas, &from, g)
            || self.stronger_follows(formulas, f, &to)
            || self.step_by_step(formulas, &from, g, &to)
    }

    /// Something weaker than `f` implies `g` already.
    fn weaker_suffices(&mut self, formulas: &mut Formulas, from: &Node, g: Formula) -> bool {
        let eventual = formulas.traits(g).eventual;
        match *from {
            Node::And(ref parts) => parts.iter().any(|&part| self.holds(formulas, part, g)),
            Node::Always(a) => self.holds(formulas, a, g),
            Node::Eventually(a) | Node::Next(a) => eventual && self.holds(formulas, a, g),
            Node::Until(a, b) => self.holds(formulas, b, g) && (eventual || self.holds(formulas, a, g)),
            Node::WeakUntil(a, b) => self.holds(formulas, b, g) && self.holds(formulas, a, g),
            Node::Release(_, b) => self.holds(formulas, b, g),
            Node::StrongRelease(a, b) => self.holds(formulas, b, g) || eventual && self.holds(formulas, a, g),
            _ => false,
        }
    }

    /// `f` implies something stronger than `g`.
    fn stronger_follows(&mut self, formulas: &mut Formulas, f: Formula, to: &Node) -> bool {
        let universal = formulas.traits(f).universal;
        match *to {
            Node::Or(ref parts) => parts.iter().any(|&part| self.holds(formulas, f, part)),
            Node::Eventually(a) => self.holds(formulas, f, a),
            Node::Always(a) | Node::Next(a) => universal && self.holds(formulas, f, a),
            Node::Until(_, d) => self.holds(formulas, f, d),
            Node::WeakUntil(c, d) => self.holds(formulas, f, d) || universal && self.holds(formulas, f, c),
            Node::Release(c, d) => self.holds(formulas, f, d) && (universal || self.holds(formulas, f, c)),
            Node::StrongRelease(c, d) => self.holds(formulas, f, d) && self.holds(formulas, f, c),
            _ => false,
        }
    }

    /// Both say what holds until when.
    fn step_by_step(&mut self, formulas: &mut Formulas, from: &Node, g: Formula, to: &Node) -> bool {
        if let (Node::Next(a), Node::Next(b)) = (from, to) {
            return self.holds(formulas, *a, *b);
        }
        // f: `meanwhile` up to `end`, which comes unless it is weak
        let (meanwhile, end, weak) = match *from {
            Node::Until(a, b) => (a, b, false),
            Node::WeakUntil(a, b) => (a, b, true),
            Node::StrongRelease(a, b) => (b, formulas.and2(a, b), false),
            Node::Release(a, b) => (b, formulas.and2(a, b), true),
            _ => return false,
        };
        let (kept, weaker) = match *to {
            Node::Until(c, _) => (c, false),
            Node::StrongRelease(_, d) => (d, false),
            Node::WeakUntil(c, _) => (c, true),
            Node::Release(_, d) => (d, true),
            _ => return false,
        };
        (weaker || !weak) && self.holds(formulas, meanwhile, kept) && self.holds(formulas, end, g)
    }
}
