//! Rewriting: the same language, fewer demands.
//!
//! Rules are written for ∧, X, F, U and M only. Their duals ∨, G, R and W are rewritten as the negation of what their
//! negation becomes, so that a rule and its dual cannot disagree. The rules come from Somenzi and Bloem (CAV 2000),
//! Etessami and Holzmann (CONCUR 2000: eventual and universal formulas), Babiak, Křetínský, Řehák and Strejček (LTL to Büchi
//! automata translation: fast and more deterministic, TACAS 2012: suspension) and Duret-Lutz (LTL translation improvements in
//! Spot 1.0, IJCCBS 2014). Below, e is eventual, u is universal and q is both (suspendable):
//!
//! ```text
//! X q = q                    X(q ∧ f) = q ∧ X f           X(q ∨ f) = q ∨ X f
//! F e = e                    F(q ∧ f) = q ∧ F f           F(f ∨ g) = F f ∨ F g, put together again if nothing comes of it
//! F(f U g) = F g             F(f M g) = F(f ∧ g)          F(f W g) = F g ∨ F G f      F(f R g) = F((f ∧ g) ∨ G g)
//! F X f = X F f              F G(f ∧ e) = F G f ∧ G e     F G(f ∨ u) = F G f ∨ F u
//! f U e = e                  f U (g ∨ e) = (f U g) ∨ e    f U (g ∧ q) = (f U g) ∧ q
//! (f ∨ q) U g = (q ∧ F g) ∨ (f U g)                       (f ∧ q) U g = g ∨ (q ∧ (f U g))
//! f U g = g if f ⇒ g         f U g = F g if ¬g ⇒ f        X f U X g = X(f U g)
//! f U (a U b) = a U b if f ⇒ a     f U (a U b) = f U b if a ⇒ f     (a U b) U g = b U g if a ⇒ g
//! (f ∨ a) U g = f U g if a ⇒ g     (f ∧ a) U g = f U g if ¬g ⇒ a    f U (f ∧ g) = g M f
//! f M g = g if g ⇒ f         f M g = false if f ⇒ ¬g      e M f = e ∧ f               f M e = F(f ∧ e)
//! f M (g ∧ u) = (f M g) ∧ u  (f ∧ q) M g = (f M g) ∧ q    f M (f ∨ g) = g U f
//! G f ∧ G g = G(f ∧ g)       F G f ∧ F G g = F G(f ∧ g)   X f ∧ X g = X(f ∧ g)        f ∧ X G f = G f
//! F g ∧ (f W g) = f U g      F f ∧ (f R g) = f M g        (f U g) ∧ (h U g) = (f ∧ h) U g     (f R g) ∧ (f R h) = f R (g ∧ h)
//! f ∧ g = f if f ⇒ g         f ∧ g = false if f ⇒ ¬g
//! ```

use crate::budget::Budget;
use crate::formula::{FALSE, Formula, Formulas, Node, TRUE};
use crate::implication::Implications;
use rustc_hash::FxHashMap;

/// Rewrites formulas of one [`Formulas`], and remembers.
#[derive(Default)]
pub struct Rewriter {
    /// What is known about which formula implies which.
    pub implications: Implications,
    done: FxHashMap<Formula, Formula>,
}

/// A formula that is still changing after this many rounds is left as it is then.
const ROUNDS: usize = 10;

impl Rewriter {
    /// When the budget is spent, formulas stay as they are.
    pub fn within(budget: Budget) -> Rewriter {
        Rewriter { implications: Implications::within(budget), ..Rewriter::default() }
    }

    /// A formula with the language of `f` that is, if possible, simpler.
    pub fn simplify(&mut self, formulas: &mut Formulas, f: Formula) -> Formula {
        if let Some(&known) = self.done.get(&f) {
            return known;
        }
        // if f is met again on the way, it is taken as it is
        self.done.insert(f, f);
        let mut simple = f;
        for _ in 0..ROUNDS {
            let next = self.round(formulas, simple);
            if next == simple {
                break;
            }
            simple = next;
        }
        let (not_f, not_simple) = (formulas.not(f), formulas.not(simple));
        self.done.insert(simple, simple);
        self.done.insert(not_simple, not_simple);
        self.done.insert(f, simple);
        self.done.insert(not_f, not_simple);
        simple
    }

    fn round(&mut self, formulas: &mut Formulas, f: Formula) -> Formula {
        match formulas.node(f).clone() {
            Node::False | Node::True | Node::Literal { .. } => f,
            Node::Or(_) | Node::Always(_) | Node::Release(..) | Node::WeakUntil(..) => {
                let negation = formulas.not(f);
                let simple = match formulas.node(negation) {
                    Node::And(_) | Node::Eventually(_) | Node::Until(..) | Node::StrongRelease(..) => {
                        self.round(formulas, negation)
                    }
                    // negating has made it simpler already
                    _ => self.simplify(formulas, negation),
                };
                formulas.not(simple)
            }
            Node::And(parts) => {
                let parts = parts.iter().map(|&part| self.simplify(formulas, part)).collect();
                self.and(formulas, parts)
            }
            Node::Next(f) => {
                let f = self.simplify(formulas, f);
                self.next(formulas, f)
            }
            Node::Eventually(f) => {
                let f = self.simplify(formulas, f);
                self.eventually(formulas, f)
            }
            Node::Until(f, g) => {
                let (f, g) = (self.simplify(formulas, f), self.simplify(formulas, g));
                self.until(formulas, f, g)
            }
            Node::StrongRelease(f, g) => {
                let (f, g) = (self.simplify(formulas, f), self.simplify(formulas, g));
                self.strong_release(formulas, f, g)
            }
        }
    }

    fn implies(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> bool {
        self.implications.holds(formulas, f, g)
    }

    fn next(&mut self, formulas: &mut Formulas, f: Formula) -> Formula {
        if formulas.traits(f).suspendable() {
            return f;
        }
        let (is_and, parts) = chain(formulas, f);
        let (out, within) = divide(parts, |part| formulas.traits(part).suspendable());
        if out.is_empty() {
            return formulas.next(f);
        }
        let within = join(formulas, is_and, within);
        let within = formulas.next(within);
        join(formulas, is_and, out.into_iter().chain([within]).collect())
    }

    fn eventually(&mut self, formulas: &mut Formulas, f: Formula) -> Formula {
        if formulas.traits(f).eventual {
            return f;
        }
        match formulas.node(f).clone() {
            Node::Next(f) => {
                let f = formulas.eventually(f);
                formulas.next(f)
            }
            Node::Until(_, g) => formulas.eventually(g),
            Node::StrongRelease(f, g) => {
                let both = formulas.and2(f, g);
                formulas.eventually(both)
            }
            Node::WeakUntil(f, g) => {
                let forever = formulas.always(f);
                let (forever, g) = (formulas.eventually(forever), formulas.eventually(g));
                formulas.or2(forever, g)
            }
            Node::Release(f, g) => {
                let (both, forever) = (formulas.and2(f, g), formulas.always(g));
                let either = formulas.or2(both, forever);
                formulas.eventually(either)
            }
            Node::And(parts) => {
                let (out, within) = divide(parts.to_vec(), |part| formulas.traits(part).suspendable());
                let within = formulas.and(within);
                let within = formulas.eventually(within);
                formulas.and(out.into_iter().chain([within]).collect())
            }
            Node::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.eventually(formulas, part)).collect();
                self.or(formulas, parts)
            }
            Node::Always(f) => self.eventually_always(formulas, f),
            _ => formulas.eventually(f),
        }
    }

    fn eventually_always(&mut self, formulas: &mut Formulas, f: Formula) -> Formula {
        let plain = |formulas: &mut Formulas, f: Formula| {
            let f = formulas.always(f);
            formulas.eventually(f)
        };
        match formulas.node(f).clone() {
            Node::And(parts) => {
                let (eventual, within) = divide(parts.to_vec(), |part| formulas.traits(part).eventual);
                let eventual = eventual.into_iter().map(|part| formulas.always(part)).collect::<Vec<_>>();
                let within = formulas.and(within);
                let within = plain(formulas, within);
                formulas.and(eventual.into_iter().chain([within]).collect())
            }
            Node::Or(parts) => {
                let (universal, within) = divide(parts.to_vec(), |part| formulas.traits(part).universal);
                let universal = universal.into_iter().map(|part| formulas.eventually(part)).collect::<Vec<_>>();
                let within = formulas.or(within);
                let within = plain(formulas, within);
                formulas.or(universal.into_iter().chain([within]).collect())
            }
            _ => plain(formulas, f),
        }
    }

    fn until(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Formula {
        let not_g = formulas.not(g);
        if formulas.traits(g).eventual || self.implies(formulas, f, g) {
            return g;
        }
        if self.implies(formulas, not_g, f) {
            return formulas.eventually(g);
        }
        let f = self.useful_until(formulas, f, g);
        if let Some(rewritten) = self.until_and_end(formulas, f, g).or_else(|| self.until_nested(formulas, f, g)) {
            return rewritten;
        }
        let (is_and, parts) = chain(formulas, f);
        let (out, within) = divide(parts, |part| formulas.traits(part).suspendable());
        if out.is_empty() {
            return formulas.until(f, g);
        }
        let (within, q) = (join(formulas, is_and, within), join(formulas, is_and, out));
        let until = formulas.until(within, g);
        if is_and {
            let both = formulas.and2(q, until);
            formulas.or2(g, both)
        } else {
            let eventually = formulas.eventually(g);
            let both = formulas.and2(q, eventually);
            formulas.or2(both, until)
        }
    }

    /// `f` without the parts that cannot matter before `g`.
    fn useful_until(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Formula {
        let not_g = formulas.not(g);
        let (is_and, mut parts) = chain(formulas, f);
        if is_and {
            parts.retain(|&part| !self.implies(formulas, not_g, part));
        } else {
            parts.retain(|&part| !self.implies(formulas, part, g));
        }
        join(formulas, is_and, parts)
    }

    /// Rules that look at how `f U g` may end.
    fn until_and_end(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Option<Formula> {
        match formulas.node(g).clone() {
            Node::Or(parts) => {
                let (out, within) = divide(parts.to_vec(), |part| formulas.traits(part).eventual);
                (!out.is_empty()).then(|| {
                    let within = formulas.or(within);
                    let until = formulas.until(f, within);
                    formulas.or(out.into_iter().chain([until]).collect())
                })
            }
            Node::And(parts) => {
                let (out, within) = divide(parts.to_vec(), |part| formulas.traits(part).suspendable());
                if !out.is_empty() {
                    let within = formulas.and(within);
                    let until = formulas.until(f, within);
                    return Some(formulas.and(out.into_iter().chain([until]).collect()));
                }
                let (same, rest) = divide(parts.to_vec(), |part| part == f);
                (!same.is_empty()).then(|| {
                    let rest = formulas.and(rest);
                    formulas.strong_release(rest, f)
                })
            }
            _ => None,
        }
    }

    fn until_nested(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Option<Formula> {
        match (formulas.node(f).clone(), formulas.node(g).clone()) {
            (Node::Next(f), Node::Next(g)) => {
                let until = formulas.until(f, g);
                Some(formulas.next(until))
            }
            (_, Node::Until(a, _) | Node::WeakUntil(a, _)) if self.implies(formulas, f, a) => Some(g),
            (_, Node::Until(a, b)) if self.implies(formulas, a, f) => Some(formulas.until(f, b)),
            (Node::Until(a, b) | Node::WeakUntil(a, b), _) if self.implies(formulas, a, g) => {
                Some(formulas.until(b, g))
            }
            (Node::Until(_, b), _) if b == g => Some(f),
            _ => None,
        }
    }

    fn strong_release(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Formula {
        if self.implies(formulas, g, f) {
            return g;
        }
        if self.implications.exclude(formulas, f, g) {
            return FALSE;
        }
        if formulas.traits(f).eventual {
            return formulas.and2(f, g);
        }
        if formulas.traits(g).eventual {
            let both = formulas.and2(f, g);
            return formulas.eventually(both);
        }
        if let (&Node::Next(f), &Node::Next(g)) = (formulas.node(f), formulas.node(g)) {
            let release = formulas.strong_release(f, g);
            return formulas.next(release);
        }
        let f = self.useful_release(formulas, f, g);
        let (out_of_f, f) = take_out(formulas, f, |traits| traits.suspendable());
        let (out_of_g, g) = take_out(formulas, g, |traits| traits.universal);
        if let Node::Or(parts) = formulas.node(g).clone() {
            let (same, rest) = divide(parts.to_vec(), |part| part == f);
            if !same.is_empty() {
                let rest = formulas.or(rest);
                let until = formulas.until(rest, f);
                return formulas.and(vec![out_of_f, out_of_g, until]);
            }
        }
        let release = formulas.strong_release(f, g);
        formulas.and(vec![out_of_f, out_of_g, release])
    }

    /// `f` without the parts that do not matter where `g` holds.
    fn useful_release(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Formula {
        let (is_and, mut parts) = chain(formulas, f);
        if is_and {
            parts.retain(|&part| !self.implies(formulas, g, part));
        } else {
            parts.retain(|&part| !self.implications.exclude(formulas, part, g));
        }
        join(formulas, is_and, parts)
    }

    fn and(&mut self, formulas: &mut Formulas, parts: Vec<Formula>) -> Formula {
        let whole = formulas.and(parts);
        let Node::And(parts) = formulas.node(whole).clone() else { return whole };
        let mut parts = parts.to_vec();
        let mut first = 0;
        while first < parts.len() {
            let mut second = first + 1;
            while second < parts.len() {
                match self.both(formulas, parts[first], parts[second]) {
                    Some(FALSE) => return FALSE,
                    Some(merged) => {
                        parts.remove(second);
                        parts[first] = merged;
                        // what was looked at before may have something to say to the merged one
                        (first, second) = (0, 1);
                    }
                    None => second += 1,
                }
            }
            first += 1;
        }
        formulas.and(parts)
    }

    fn or(&mut self, formulas: &mut Formulas, parts: Vec<Formula>) -> Formula {
        let parts = parts.into_iter().map(|part| formulas.not(part)).collect();
        let and = self.and(formulas, parts);
        formulas.not(and)
    }

    /// One formula for the conjunction of two, if that is simpler.
    fn both(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Option<Formula> {
        if self.implies(formulas, f, g) {
            return Some(f);
        }
        if self.implies(formulas, g, f) {
            return Some(g);
        }
        if self.implications.exclude(formulas, f, g) {
            return Some(FALSE);
        }
        self.merged(formulas, f, g).or_else(|| self.merged(formulas, g, f))
    }

    fn merged(&mut self, formulas: &mut Formulas, f: Formula, g: Formula) -> Option<Formula> {
        match (formulas.node(f).clone(), formulas.node(g).clone()) {
            (Node::Always(a), Node::Always(b)) => {
                let suspendable = formulas.traits(f).suspendable() || formulas.traits(g).suspendable();
                (!suspendable).then(|| {
                    let both = formulas.and2(a, b);
                    formulas.always(both)
                })
            }
            (Node::Eventually(a), Node::Eventually(b)) => match (formulas.node(a).clone(), formulas.node(b).clone()) {
                (Node::Always(a), Node::Always(b)) => {
                    let both = formulas.and2(a, b);
                    let always = formulas.always(both);
                    Some(formulas.eventually(always))
                }
                _ => None,
            },
            (Node::Next(a), Node::Next(b)) => {
                let both = formulas.and2(a, b);
                Some(formulas.next(both))
            }
            (_, Node::Next(b)) if *formulas.node(b) == Node::Always(f) => Some(b),
            (Node::Eventually(b), Node::WeakUntil(a, c)) if b == c => Some(formulas.until(a, b)),
            (Node::Eventually(a), Node::Release(c, b)) if a == c => Some(formulas.strong_release(a, b)),
            (Node::Until(a, b), Node::Until(c, d) | Node::WeakUntil(c, d)) if b == d => {
                let both = formulas.and2(a, c);
                Some(formulas.until(both, b))
            }
            (Node::WeakUntil(a, b), Node::WeakUntil(c, d)) if b == d => {
                let both = formulas.and2(a, c);
                Some(formulas.weak_until(both, b))
            }
            (Node::Release(a, b), Node::Release(c, d)) if a == c => {
                let both = formulas.and2(b, d);
                Some(formulas.release(a, both))
            }
            (Node::StrongRelease(a, b), Node::StrongRelease(c, d) | Node::Release(c, d)) if a == c => {
                let both = formulas.and2(b, d);
                Some(formulas.strong_release(a, both))
            }
            _ => None,
        }
    }
}

/// The parts of a conjunction (true) or of a disjunction (false; a single formula counts as one).
fn chain(formulas: &Formulas, f: Formula) -> (bool, Vec<Formula>) {
    match formulas.node(f) {
        Node::And(parts) => (true, parts.to_vec()),
        Node::Or(parts) => (false, parts.to_vec()),
        _ => (false, vec![f]),
    }
}

fn join(formulas: &mut Formulas, is_and: bool, parts: Vec<Formula>) -> Formula {
    if is_and { formulas.and(parts) } else { formulas.or(parts) }
}

/// Those parts that satisfy `out`, and the others.
fn divide(parts: Vec<Formula>, out: impl Fn(Formula) -> bool) -> (Vec<Formula>, Vec<Formula>) {
    parts.into_iter().partition(|&part| out(part))
}

/// The conjuncts of `f` with some trait, and the others.
fn take_out(
    formulas: &mut Formulas,
    f: Formula,
    wanted: impl Fn(crate::formula::Traits) -> bool,
) -> (Formula, Formula) {
    let Node::And(parts) = formulas.node(f).clone() else { return (TRUE, f) };
    let (out, within) = divide(parts.to_vec(), |part| wanted(formulas.traits(part)));
    (formulas.and(out), formulas.and(within))
}
