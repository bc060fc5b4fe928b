//! Formula → small Büchi automaton: the stages in order, several ways at once, the smallest result wins.
//!
//! ```text
//! φ → rewrite → tableau (three kinds of branching) → trim → simulate
//!       ├→ obligation: minimal weak deterministic automaton          ┐
//!       └→ degeneralise (several orders and entries) → trim → simulate ┴→ the best few → merge → the best
//! ```
//!
//! Every stage keeps the language, and each can be switched off ([`Options`]) so that tests can compare. All that is
//! chosen among is compared by size, then by determinism, then by the order of trial: the same formula, in a
//! fresh [`Formulas`], always gives the same automaton. Of a formula without X the best is the first one that can be used for
//! partial-order reduction ([`crate::stutter_game`]).

use crate::automaton::Buchi;
use crate::bdd::{self, Bdds};
use crate::budget::Budget;
use crate::degeneralise::{Entry, degeneralise};
use crate::emptiness::accepted_word;
use crate::formula::{Formula, Formulas};
use crate::graph::{Components, Graph};
use crate::obligation::{Minimal, Proof, minimal};
use crate::rewrite::Rewriter;
use crate::simulation::{Acceptance, reduce};
use crate::stutter_game::is_won_on;
use crate::tableau::{self, Branching};
use crate::trim::trim;
use crate::word::Lasso;
use crate::{Limit, buchi, merging, stutter};

/// What a translation may do, and how far it may go.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rewrite the formula first.
    pub rewrite: bool,
    /// Simulation and pruning of edges.
    pub simulation: bool,
    /// Minimal weak deterministic automata for obligation properties.
    pub obligation: bool,
    /// Merge states under the eyes of the negation's automaton.
    pub merging: bool,
    /// Try different ways to treat alternatives and levels.
    pub variants: bool,
    /// Give up beyond this many states in any stage.
    pub max_states: usize,
    /// Stop when it is spent.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rewrite: true,
            simulation: true,
            obligation: true,
            merging: true,
            variants: true,
            max_states: 20_000,
            budget: Budget::default(),
        }
    }
}

impl Options {
    /// Nothing but the tableau and levels.
    pub fn plain() -> Options {
        let most = Options::default();
        Options { rewrite: false, simulation: false, obligation: false, merging: false, variants: false, ..most }
    }
}

/// Rewriting compares parts with each other: with more of them it would take too long.
pub const MAX_SIZE: usize = 2_000;

/// Steps on decision diagrams for a first result: about two seconds.
const STEPS: usize = 20_000_000;

/// Steps for making it smaller.
const STEPS_FOR_MORE: usize = 10_000_000;

/// An automaton with more edges is degeneralised in one way only.
const LARGE: usize = 300;

/// Merging is tried on this many of the best candidates.
const MERGED_CANDIDATES: usize = 12;

/// How many pairs of edges the products of merging may have, all candidates together.
const MERGING_BUDGET: usize = 2_000_000;

/// What a translation finds out about a formula.
#[derive(Clone, Debug)]
pub struct Translation {
    /// It accepts the words that satisfy the formula.
    pub automaton: Buchi,
    /// Every letter decides about the next state.
    pub deterministic: bool,
    /// Where its language stands in the hierarchy of properties.
    pub kind: Kind,
}

/// Where a language stands in the hierarchy of Manna and Pnueli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// A violation shows after finitely many steps.
    pub safety: bool,
    /// A satisfaction shows after finitely many steps.
    pub guarantee: bool,
    /// A Boolean combination of such.
    pub obligation: bool,
    /// These are facts about the language. Otherwise the automata that tell were too large, and only what the syntax
    /// shows is said.
    pub certain: bool,
}

/// Translates `f` into a Büchi automaton.
pub fn translate(formulas: &mut Formulas, f: Formula, options: &Options) -> Result<Translation, Limit> {
    let mut work = Work::new(formulas, options);
    let simple = work.simplify(f)?;
    let (generalised, first) = work.first(simple).map_err(|limit| work.why(limit))?;
    let translation = work.result(&first, work.syntactic_kind(simple));
    if work.bdds.is_exhausted() {
        return Err(work.why(Limit::Work));
    }
    // what follows may run out of steps: then the first result is the result
    work.bdds.allow(STEPS_FOR_MORE);
    let (best, kind) = work.best(simple, generalised, first);
    let better = work.result(&best, kind);
    Ok(if work.bdds.is_exhausted() { translation } else { better })
}

/// The language of `f` does not change when letters are repeated or repetitions removed; `None` if it is too much
/// work to tell.
pub fn is_stutter_invariant(formulas: &mut Formulas, f: Formula, options: &Options) -> Result<Option<bool>, Limit> {
    let mut work = Work::new(formulas, options);
    let simple = work.simplify(f)?;
    if work.formulas.traits(simple).next_free {
        return Ok(Some(true));
    }
    let not_simple = work.formulas.not(simple);
    let graph = work.generalised(simple).map_err(|limit| work.why(limit))?;
    let negation = work.generalised(not_simple).map_err(|limit| work.why(limit))?;
    let invariant = stutter::is_invariant(&graph, &negation, &mut work.bdds);
    Ok(invariant.filter(|_| !work.bdds.is_exhausted()))
}

/// A word that satisfies `f`, if there is one.
pub fn satisfying_word(formulas: &mut Formulas, f: Formula, options: &Options) -> Result<Option<Lasso>, Limit> {
    let mut work = Work::new(formulas, options);
    let simple = work.simplify(f)?;
    let graph = work.generalised(simple).map_err(|limit| work.why(limit))?;
    if work.bdds.is_exhausted() { Err(work.why(Limit::Work)) } else { Ok(accepted_word(&graph, &work.bdds)) }
}

struct Work<'a> {
    formulas: &'a mut Formulas,
    rewriter: Rewriter,
    bdds: Bdds,
    options: &'a Options,
}

impl<'a> Work<'a> {
    fn new(formulas: &'a mut Formulas, options: &'a Options) -> Work<'a> {
        let mut bdds = Bdds::within(options.budget.clone());
        bdds.allow(STEPS);
        Work { formulas, rewriter: Rewriter::within(options.budget.clone()), bdds, options }
    }

    /// Why it really came to an end.
    fn why(&self, limit: Limit) -> Limit {
        if self.bdds.is_stopped() { Limit::Stopped } else { limit }
    }

    fn simplify(&mut self, f: Formula) -> Result<Formula, Limit> {
        match self.options.rewrite {
            _ if self.formulas.size(f) > MAX_SIZE => Err(Limit::Size),
            true => {
                let simple = self.rewriter.simplify(self.formulas, f);
                if self.bdds.poll(0) { Ok(simple) } else { Err(Limit::Stopped) }
            }
            false => Ok(f),
        }
    }

    /// A generalised automaton and, from it, one with acceptance on states.
    fn first(&mut self, simple: Formula) -> Result<(Graph, Graph), Limit> {
        let generalised = self.generalised(simple)?;
        let order: Vec<u32> = (0..generalised.sets).collect();
        let mut levels = degeneralise(&generalised, Entry::Known, &order, &mut self.bdds);
        self.reduce_states(&mut levels);
        if self.bdds.is_exhausted() { Err(Limit::Work) } else { Ok((generalised, levels)) }
    }

    /// The best that all the ways together give.
    fn best(&mut self, simple: Formula, first: Graph, levels: Graph) -> (Graph, Kind) {
        let not_simple = self.formulas.not(simple);
        let judged = self.options.merging || self.options.obligation;
        let negation = judged.then(|| self.generalised(not_simple).ok()).flatten();
        let minimal = self.obligation(simple, &first, negation.as_ref());
        let kind = self.kind(simple, &minimal);
        let mut candidates = vec![levels];
        if let Minimal::Automaton(minimal) = minimal {
            candidates.insert(0, minimal);
        }
        if self.options.variants {
            let mut generalised = vec![first];
            for branching in [Branching::ByCube, Branching::Postponed] {
                // a variant that is much larger is of no use
                let most = generalised[0].state_count() * 4 + 20;
                let variant = self.limited(simple, branching, most.min(self.options.max_states)).ok();
                generalised.extend(variant.filter(|graph| !generalised.contains(graph)));
            }
            generalised.iter().for_each(|graph| self.degeneralised(graph, &mut candidates));
        }
        candidates.sort_by_cached_key(|graph| size(graph, &mut self.bdds));
        if let Some(negation) = negation.filter(|_| self.options.merging) {
            candidates.truncate(MERGED_CANDIDATES);
            let unmerged = candidates.clone();
            let mut budget = MERGING_BUDGET;
            candidates.iter_mut().for_each(|graph| self.merge(graph, &negation, &mut budget));
            candidates.extend(unmerged);
            candidates.sort_by_cached_key(|graph| size(graph, &mut self.bdds));
        }
        let chosen = if self.formulas.traits(simple).next_free { self.first_that_follows(&candidates) } else { 0 };
        (candidates.swap_remove(chosen), kind)
    }

    /// The first one that repetitions do not lead astray. Merging, above all, can make an automaton that has to guess how long a letter is
    /// repeated.
    fn first_that_follows(&mut self, candidates: &[Graph]) -> usize {
        let bdds = &mut self.bdds;
        let mut follows = |graph: &Graph| is_deterministic(graph, bdds) || is_won_on(graph, bdds) == Some(true);
        candidates.iter().position(&mut follows).unwrap_or(0)
    }

    fn result(&mut self, graph: &Graph, kind: Kind) -> Translation {
        let deterministic = is_deterministic(graph, &mut self.bdds);
        let automaton = buchi::write(graph, self.formulas.atoms().to_vec(), &mut self.bdds);
        Translation { automaton, deterministic, kind }
    }

    /// `minimal` is the minimal weak deterministic automaton without its rejecting sink: of a safety property, if no
    /// cycle is left that is rejecting; of a guarantee, if the only accepting cycle is a state that is never left.
    fn kind(&self, f: Formula, minimal: &Minimal) -> Kind {
        let minimal = match minimal {
            Minimal::Automaton(minimal) => minimal,
            Minimal::NoObligation => return Kind { safety: false, guarantee: false, obligation: false, certain: true },
            Minimal::Unknown => return self.syntactic_kind(f),
        };
        let components = Components::of(minimal);
        let all = |judge: &dyn Fn(usize) -> bool| (0..components.members.len()).all(judge);
        let cyclic = |component: usize| components.has_cycle(minimal, component);
        let accepting = |component: usize| components.accepting(minimal, component);
        let accepts_all = |component: usize| {
            let arcs = &minimal.arcs[components.members[component][0]];
            components.members[component].len() == 1 && arcs.iter().any(|arc| arc.label == bdd::TRUE)
        };
        let safety = all(&|component| !cyclic(component) || accepting(component));
        let guarantee = all(&|component| !accepting(component) || accepts_all(component));
        Kind { safety, guarantee, obligation: true, certain: true }
    }

    fn syntactic_kind(&self, f: Formula) -> Kind {
        let traits = self.formulas.traits(f);
        Kind { safety: traits.safety, guarantee: traits.guarantee, obligation: traits.obligation, certain: false }
    }

    /// A reduced generalised automaton.
    fn generalised(&mut self, f: Formula) -> Result<Graph, Limit> {
        let max_states = self.options.max_states;
        let by_letter = self.limited(f, Branching::ByLetter, max_states);
        if by_letter.is_ok() {
            return by_letter;
        }
        // many letters may have few alternatives in common
        self.bdds.allow(STEPS);
        self.limited(f, Branching::ByCube, max_states).or(by_letter)
    }

    fn limited(&mut self, f: Formula, branching: Branching, max_states: usize) -> Result<Graph, Limit> {
        let implications = &mut self.rewriter.implications;
        let mut graph = tableau::translate(self.formulas, implications, &mut self.bdds, f, branching, max_states)?;
        trim(&mut graph, &mut self.bdds);
        if self.options.simulation {
            reduce(&mut graph, Acceptance::OnEdges, &mut self.bdds);
            trim(&mut graph, &mut self.bdds);
        }
        Ok(graph)
    }

    /// Adds automata with acceptance on states, reduced but not merged.
    fn degeneralised(&mut self, graph: &Graph, candidates: &mut Vec<Graph>) {
        let (entries, tries): (&[Entry], usize) =
            if graph.arc_count() > LARGE { (&[Entry::Known], 1) } else { (&Entry::ALL, 6) };
        for &entry in entries {
            for order in orders(graph.sets).into_iter().take(tries) {
                if self.bdds.is_stopped() {
                    return;
                }
                let mut levels = degeneralise(graph, entry, &order, &mut self.bdds);
                self.reduce_states(&mut levels);
                if !candidates.contains(&levels) {
                    candidates.push(levels);
                }
            }
        }
    }

    /// The minimal weak deterministic automaton, trimmed.
    fn obligation(&mut self, f: Formula, graph: &Graph, negation: Option<&Graph>) -> Minimal {
        let proof = match negation {
            _ if !self.options.obligation => return Minimal::Unknown,
            _ if self.formulas.traits(f).obligation => Proof::Syntax,
            Some(negation) => Proof::Negation(negation),
            None => return Minimal::Unknown,
        };
        let mut minimal = minimal(graph, &proof, graph.state_count() * 4 + 40, &mut self.bdds);
        if let Minimal::Automaton(graph) = &mut minimal {
            trim(graph, &mut self.bdds);
            buchi::on_states(graph);
        }
        minimal
    }

    fn merge(&mut self, graph: &mut Graph, negation: &Graph, budget: &mut usize) {
        loop {
            let before = graph.state_count();
            merging::merge(graph, negation, budget, &mut self.bdds);
            if graph.state_count() == before {
                return;
            }
            self.reduce_states(graph);
        }
    }

    fn reduce_states(&mut self, graph: &mut Graph) {
        buchi::reduce_states(graph, self.options.simulation, &mut self.bdds);
    }
}

/// Orders in which marks may be waited for: all of three, some of more.
fn orders(marks: u32) -> Vec<Vec<u32>> {
    let turned = |turn: u32| (0..marks).map(move |mark| (mark + turn) % marks);
    let mut orders: Vec<Vec<u32>> =
        (0..marks).flat_map(|turn| [turned(turn).collect(), turned(turn).rev().collect()]).collect();
    let mut seen = Vec::new();
    orders.retain(|order| {
        !seen.contains(order) && {
            seen.push(order.clone());
            true
        }
    });
    if orders.is_empty() { vec![Vec::new()] } else { orders }
}

/// What candidates are compared by: the least is best. A state less is not worth more than eight edges.
fn size(graph: &Graph, bdds: &mut Bdds) -> (usize, usize, bool) {
    (graph.state_count() * 8 + graph.arc_count(), graph.state_count(), !is_deterministic(graph, bdds))
}

/// At most one edge for every letter.
fn is_deterministic(graph: &Graph, bdds: &mut Bdds) -> bool {
    graph.arcs.iter().all(|arcs| {
        let mut seen = bdd::FALSE;
        arcs.iter().all(|arc| {
            let new = !bdds.meet(seen, arc.label);
            seen = bdds.or(seen, arc.label);
            new
        })
    })
}
