//! Formulas, shared and in negation normal form.
//!
//! A [`Formula`] is a number in a [`Formulas`]: equal formulas have equal numbers, so sets of formulas are sets of
//! numbers and results can be remembered by formula. Negations stand before atoms only. The constructors know the laws
//! that need no thought (constants, idempotence, complements); `rewrite` knows the others.
//!
//! Every formula carries its [`Traits`]: syntactic facts that rewriting and translation rely on. Eventual and universal
//! formulas are those of Etessami and Holzmann, Optimizing Büchi automata, CONCUR 2000; the classes are the hierarchy of
//! Manna and Pnueli, read off the syntax as in Chang, Manna, Pnueli, Characterization of temporal property classes, ICALP 1992.

use crate::automaton::MAX_ATOMS;
use crate::expr::{Binary, Expr, Kind, Unary};
use rustc_hash::FxHashMap;

/// A formula, in a [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

/// The formula `false` of every [`Formulas`].
pub const FALSE: Formula = Formula(0);
/// The formula `true` of every [`Formulas`].
pub const TRUE: Formula = Formula(1);

/// The outermost operator of a formula and its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// No word satisfies it.
    False,
    /// Every word satisfies it.
    True,
    /// An atom or its negation.
    Literal {
        /// The position of its name in [`Formulas::atoms`].
        atom: u32,
        /// It is not negated.
        positive: bool,
    },
    /// At least two, sorted, none of them an `And`.
    And(Box<[Formula]>),
    /// At least two, sorted, none of them an `Or`.
    Or(Box<[Formula]>),
    /// In the next moment.
    Next(Formula),
    /// Now or at some later moment.
    Eventually(Formula),
    /// Now and forever.
    Always(Formula),
    /// The first until the second, which happens.
    Until(Formula, Formula),
    /// The first until the second, or the first forever.
    WeakUntil(Formula, Formula),
    /// The second up to and including the first moment of the first, or forever.
    Release(Formula, Formula),
    /// The second up to and including the first moment of the first, which happens.
    StrongRelease(Formula, Formula),
}

/// What the syntax of a formula tells about its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// No temporal operator.
    pub boolean: bool,
    /// No `X`.
    pub next_free: bool,
    /// If it holds at some moment, it holds at every earlier one.
    pub eventual: bool,
    /// If it holds at some moment, it holds at every later one.
    pub universal: bool,
    /// A violation shows after finitely many steps.
    pub safety: bool,
    /// A satisfaction shows after finitely many steps.
    pub guarantee: bool,
    /// A Boolean combination of the two.
    pub obligation: bool,
}

impl Traits {
    const BOOLEAN: Traits = Traits {
        boolean: true,
        next_free: true,
        eventual: false,
        universal: false,
        safety: true,
        guarantee: true,
        obligation: true,
    };

    const CONSTANT: Traits = Traits { eventual: true, universal: true, ..Traits::BOOLEAN };

    /// Eventual and universal: all that matters is what happens infinitely often.
    pub fn suspendable(self) -> bool {
        self.eventual && self.universal
    }

    /// What two operands have in common: the traits of their conjunction and of their disjunction.
    fn common(self, other: Traits) -> Traits {
        Traits {
            boolean: self.boolean && other.boolean,
            next_free: self.next_free && other.next_free,
            eventual: self.eventual && other.eventual,
            universal: self.universal && other.universal,
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
        }
    }

    /// Classes contain each other.
    fn closed(self) -> Traits {
        Traits { obligation: self.obligation || self.safety || self.guarantee, ..self }
    }

    fn temporal(self) -> Traits {
        Traits { boolean: false, ..self }
    }
}

/// All formulas that were ever built here, and the names of their atoms.
pub struct Formulas {
    nodes: Vec<Node>,
    traits: Vec<Traits>,
    ids: FxHashMap<Node, Formula>,
    negations: FxHashMap<Formula, Formula>,
    atoms: Vec<String>,
}

impl Default for Formulas {
    fn default() -> Formulas {
        let mut formulas = Formulas {
            nodes: Vec::new(),
            traits: Vec::new(),
            ids: FxHashMap::default(),
            negations: FxHashMap::default(),
            atoms: Vec::new(),
        };
        formulas.add(Node::False);
        formulas.add(Node::True);
        formulas
    }
}

impl Formulas {
    /// A table that knows `true` and `false` only.
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// The outermost operator and its parts.
    pub fn node(&self, f: Formula) -> &Node {
        &self.nodes[f.0 as usize]
    }

    /// What its syntax tells about its language.
    pub fn traits(&self, f: Formula) -> Traits {
        self.traits[f.0 as usize]
    }

    /// How many different formulas are part of `f`, itself included.
    pub fn size(&self, f: Formula) -> usize {
        let mut seen = vec![false; self.nodes.len()];
        let (mut todo, mut count) = (vec![f], 0);
        while let Some(f) = todo.pop() {
            if std::mem::replace(&mut seen[f.0 as usize], true) {
                continue;
            }
            count += 1;
            match *self.node(f) {
                Node::False | Node::True | Node::Literal { .. } => (),
                Node::And(ref parts) | Node::Or(ref parts) => todo.extend(parts),
                Node::Next(f) | Node::Eventually(f) | Node::Always(f) => todo.push(f),
                Node::Until(f, g) | Node::WeakUntil(f, g) | Node::Release(f, g) | Node::StrongRelease(f, g) => {
                    todo.extend([f, g])
                }
            }
        }
        count
    }

    /// The names of the atoms, in the order in which they were first seen.
    pub fn atoms(&self) -> &[String] {
        &self.atoms
    }

    /// The shared form of what was written. The parser allows at most [`MAX_ATOMS`] atoms in one formula; more in
    /// several that are put together are a mistake of the caller.
    pub fn intern(&mut self, expr: &Expr) -> Formula {
        match &expr.kind {
            Kind::Constant(value) => {
                if *value {
                    TRUE
                } else {
                    FALSE
                }
            }
            Kind::Atom(name) => self.atom(name),
            Kind::And(parts) => {
                let parts = parts.iter().map(|part| self.intern(part)).collect();
                self.and(parts)
            }
            Kind::Or(parts) => {
                let parts = parts.iter().map(|part| self.intern(part)).collect();
                self.or(parts)
            }
            Kind::Unary(operator, operand) => {
                let f = self.intern(operand);
                match operator {
                    Unary::Not => self.not(f),
                    Unary::Next => self.next(f),
                    Unary::Always => self.always(f),
                    Unary::Eventually => self.eventually(f),
                }
            }
            Kind::Binary(operator, left, right) => {
                let (f, g) = (self.intern(left), self.intern(right));
                match operator {
                    Binary::Implies => self.implies(f, g),
                    Binary::Equivalent => self.equivalent(f, g),
                    Binary::Until => self.until(f, g),
                    Binary::WeakUntil => self.weak_until(f, g),
                    Binary::Release => self.release(f, g),
                    Binary::StrongRelease => self.strong_release(f, g),
                }
            }
        }
    }

    /// The atom with this name, a new one if there is none. Panics if there would be more than [`MAX_ATOMS`].
    pub fn atom(&mut self, name: &str) -> Formula {
        let known = self.atoms.iter().position(|atom| atom == name);
        let atom = known.unwrap_or_else(|| {
            self.atoms.push(name.into());
            self.atoms.len() - 1
        });
        assert!(atom < MAX_ATOMS, "at most {MAX_ATOMS} atoms");
        self.literal(atom as u32, true)
    }

    /// An atom by its number, or its negation.
    pub fn literal(&mut self, atom: u32, positive: bool) -> Formula {
        self.add(Node::Literal { atom, positive })
    }

    /// The negation, pushed down to the atoms.
    pub fn not(&mut self, f: Formula) -> Formula {
        if let Some(&known) = self.negations.get(&f) {
            return known;
        }
        let negation = match self.node(f).clone() {
            Node::False => TRUE,
            Node::True => FALSE,
            Node::Literal { atom, positive } => self.literal(atom, !positive),
            Node::And(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect();
                self.or(parts)
            }
            Node::Or(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect();
                self.and(parts)
            }
            Node::Next(f) => {
                let f = self.not(f);
                self.next(f)
            }
            Node::Eventually(f) => {
                let f = self.not(f);
                self.always(f)
            }
            Node::Always(f) => {
                let f = self.not(f);
                self.eventually(f)
            }
            Node::Until(f, g) => self.dual(f, g, Formulas::release),
            Node::Release(f, g) => self.dual(f, g, Formulas::until),
            Node::WeakUntil(f, g) => self.dual(f, g, Formulas::strong_release),
            Node::StrongRelease(f, g) => self.dual(f, g, Formulas::weak_until),
        };
        self.negations.insert(f, negation);
        // a negation may be simpler than what it negates, and the negation of that is something else
        if self.are_dual(f, negation) {
            self.negations.insert(negation, f);
        }
        negation
    }

    fn are_dual(&self, f: Formula, g: Formula) -> bool {
        use Node::*;
        match (self.node(f), self.node(g)) {
            (And(f), Or(g)) | (Or(f), And(g)) => f.len() == g.len(),
            (False, True) | (True, False) | (Literal { .. }, Literal { .. }) | (Next(_), Next(_)) => true,
            (Eventually(_), Always(_)) | (Always(_), Eventually(_)) => true,
            (Until(..), Release(..)) | (Release(..), Until(..)) => true,
            (WeakUntil(..), StrongRelease(..)) | (StrongRelease(..), WeakUntil(..)) => true,
            _ => false,
        }
    }

    fn dual(&mut self, f: Formula, g: Formula, build: fn(&mut Formulas, Formula, Formula) -> Formula) -> Formula {
        let (f, g) = (self.not(f), self.not(g));
        build(self, f, g)
    }

    /// The conjunction of two formulas.
    pub fn and2(&mut self, f: Formula, g: Formula) -> Formula {
        self.and(vec![f, g])
    }

    /// The disjunction of two formulas.
    pub fn or2(&mut self, f: Formula, g: Formula) -> Formula {
        self.or(vec![f, g])
    }

    /// The conjunction of all parts, which is `true` without any; flattened and sorted.
    pub fn and(&mut self, parts: Vec<Formula>) -> Formula {
        let nested = |node: &Node| if let Node::And(parts) = node { Some(parts.to_vec()) } else { None };
        match self.flatten(parts, nested, TRUE, FALSE) {
            Ok(parts) => self.add(Node::And(parts.into())),
            Err(single) => single,
        }
    }

    /// The disjunction of all parts, which is `false` without any; flattened and sorted.
    pub fn or(&mut self, parts: Vec<Formula>) -> Formula {
        let nested = |node: &Node| if let Node::Or(parts) = node { Some(parts.to_vec()) } else { None };
        match self.flatten(parts, nested, FALSE, TRUE) {
            Ok(parts) => self.add(Node::Or(parts.into())),
            Err(single) => single,
        }
    }

    /// The parts of a chain, sorted; or the one formula that it amounts to.
    fn flatten(
        &mut self,
        parts: Vec<Formula>,
        nested: impl Fn(&Node) -> Option<Vec<Formula>>,
        unit: Formula,
        zero: Formula,
    ) -> Result<Vec<Formula>, Formula> {
        let flat = |part: Formula| nested(self.node(part)).unwrap_or_else(|| vec![part]);
        let mut parts: Vec<Formula> = parts.into_iter().flat_map(flat).filter(|&part| part != unit).collect();
        parts.sort_unstable();
        parts.dedup();
        let opposites: Vec<Formula> = parts.iter().map(|&part| self.not(part)).collect();
        let contradictory = opposites.iter().any(|opposite| parts.binary_search(opposite).is_ok());
        match parts[..] {
            [] => Err(unit),
            _ if parts.contains(&zero) || contradictory => Err(zero),
            [single] => Err(single),
            _ => Ok(parts),
        }
    }

    /// `f -> g`, as a disjunction.
    pub fn implies(&mut self, f: Formula, g: Formula) -> Formula {
        let not_f = self.not(f);
        self.or2(not_f, g)
    }

    /// `f <-> g`, as a disjunction of both and neither.
    pub fn equivalent(&mut self, f: Formula, g: Formula) -> Formula {
        let (not_f, not_g) = (self.not(f), self.not(g));
        let (both, neither) = (self.and2(f, g), self.and2(not_f, not_g));
        self.or2(both, neither)
    }

    /// `X f`; constants stay what they are.
    pub fn next(&mut self, f: Formula) -> Formula {
        if f == FALSE || f == TRUE { f } else { self.add(Node::Next(f)) }
    }

    /// `<>f`; `<><>f` is `<>f`.
    pub fn eventually(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::False | Node::True | Node::Eventually(_) => f,
            _ => self.add(Node::Eventually(f)),
        }
    }

    /// `[]f`; `[][]f` is `[]f`.
    pub fn always(&mut self, f: Formula) -> Formula {
        match self.node(f) {
            Node::False | Node::True | Node::Always(_) => f,
            _ => self.add(Node::Always(f)),
        }
    }

    /// `f U g`, simplified if one of them is constant or they are equal. So are the next three.
    pub fn until(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (_, FALSE | TRUE) | (FALSE, _) => g,
            (TRUE, _) => self.eventually(g),
            _ if f == g => g,
            _ => self.add(Node::Until(f, g)),
        }
    }

    /// `f W g`
    pub fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (TRUE, _) | (_, TRUE) => TRUE,
            (FALSE, _) => g,
            (_, FALSE) => self.always(f),
            _ if f == g => g,
            _ => self.add(Node::WeakUntil(f, g)),
        }
    }

    /// `f R g`, SPIN's `f V g`.
    pub fn release(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (_, FALSE | TRUE) | (TRUE, _) => g,
            (FALSE, _) => self.always(g),
            _ if f == g => g,
            _ => self.add(Node::Release(f, g)),
        }
    }

    /// `f M g`
    pub fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        match (f, g) {
            (FALSE, _) | (_, FALSE) => FALSE,
            (TRUE, _) => g,
            (_, TRUE) => self.eventually(f),
            _ if f == g => g,
            _ => self.add(Node::StrongRelease(f, g)),
        }
    }

    fn add(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let new = Formula(self.nodes.len() as u32);
        self.traits.push(self.traits_of(&node));
        self.nodes.push(node.clone());
        self.ids.insert(node, new);
        new
    }

    fn traits_of(&self, node: &Node) -> Traits {
        match *node {
            Node::False | Node::True => Traits::CONSTANT,
            Node::Literal { .. } => Traits::BOOLEAN,
            Node::And(ref parts) | Node::Or(ref parts) => {
                let parts = parts.iter().map(|&part| self.traits(part));
                parts.reduce(Traits::common).unwrap_or(Traits::CONSTANT)
            }
            Node::Next(f) => Traits { next_free: false, ..self.traits(f).temporal() },
            Node::Eventually(f) => self.strong(Traits::CONSTANT, self.traits(f)),
            Node::Always(f) => self.weak(self.traits(f), Traits::CONSTANT),
            Node::Until(f, g) => self.strong(self.traits(f), self.traits(g)),
            Node::StrongRelease(f, g) => {
                let (f, g) = (self.traits(f), self.traits(g));
                Traits { eventual: f.eventual && g.eventual, ..self.strong(g, f) }
            }
            Node::WeakUntil(f, g) => self.weak(self.traits(f), self.traits(g)),
            Node::Release(f, g) => {
                let (f, g) = (self.traits(f), self.traits(g));
                Traits { universal: g.universal, ..self.weak(g, f) }
            }
        }
    }

    /// The traits of `left U right`.
    fn strong(&self, left: Traits, right: Traits) -> Traits {
        let both = left.common(right).temporal();
        let obligation = left.obligation && right.guarantee;
        let eventual = right.eventual || left == Traits::CONSTANT;
        Traits { eventual, safety: false, obligation, ..both }.closed()
    }

    /// The traits of `left W right`.
    fn weak(&self, left: Traits, right: Traits) -> Traits {
        let both = left.common(right).temporal();
        let obligation = left.safety && right.obligation;
        let universal = both.universal || right == Traits::CONSTANT;
        Traits { universal, guarantee: false, obligation, ..both }.closed()
    }
}
