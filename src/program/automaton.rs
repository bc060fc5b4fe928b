//! From SPIN's element graph to control states and their transitions.
//!
//! In: a [`Graph`]. Out: for every control state the list of its edges in the order in which pan tries them: escapes
//! first, then the options of the state, else last. Follows spin's pangen2.c (put_seq, put_el, put_sub) and the
//! flattening that pan does at start-up (retrans), because the set of control states decides what is a global state and
//! the order decides which error comes first.

use super::elements::{ElementId, Graph, Node, SequenceId};
use crate::model::{Expr, StmtKind};
use crate::source::Diagnostic;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// Executing element `element` leads from one control state to `to` (0: the process is gone).
#[derive(Clone, Debug)]
pub struct Edge {
    pub element: ElementId,
    pub to: u32,
    /// The process keeps exclusive control afterwards.
    pub atomic: bool,
    /// The control state of the escape that this edge belongs to; 0 for ordinary edges. Once one edge of an escape was
    /// executable, only edges of the same escape are tried.
    pub escape: u32,
}

/// The edges of each control state, by its number.
pub struct Edges {
    pub states: Vec<Vec<Edge>>,
    pub initial: u32,
    /// Labels of a state that vanished into another: (state that inherits, state that had them).
    pub inherited: Vec<(u32, u32)>,
}

pub fn edges(graph: &mut Graph) -> Result<Edges, Diagnostic> {
    let mut walk = Walk { states: vec![Raw::Absent; graph.states as usize], done: Vec::new(), graph };
    walk.done = walk.graph.elements().map(|(_, e)| e.pruned).collect();
    let first = walk.graph.first(walk.graph.body);
    let initial = {
        let atomic = walk.graph.element(first).atomic;
        walk.hunt(first, atomic)?
    };
    walk.sequence(walk.graph.body)?;
    let initial = walk.local(initial);
    let mut raw = walk.states;
    let mut inherited = Vec::new();
    flatten_choices(&mut raw, &mut inherited);
    let states = pull_options(raw, &mut inherited);
    Ok(Edges { states: add_escapes(states)?, initial, inherited })
}

/// What a control state has before flattening.
#[derive(Clone, Debug)]
enum Raw {
    Absent,
    /// One statement and the escapes that may interrupt it.
    Step(Edge, Vec<u32>),
    /// A selection or a block: the control states of what it starts with.
    Choice(Vec<u32>),
}

struct Walk<'g, 'm> {
    graph: &'g mut Graph<'m>,
    states: Vec<Raw>,
    done: Vec<bool>,
}

impl Walk<'_, '_> {
    fn local(&self, id: ElementId) -> u32 {
        self.graph.element(id).local
    }

    fn sequence(&mut self, id: SequenceId) -> Result<(), Diagnostic> {
        let sequence = self.graph.sequence(id);
        let mut at = sequence.first;
        while let Some(id) = at {
            if !std::mem::replace(&mut self.done[id.0 as usize], true) {
                self.element(id)?;
            }
            if at == sequence.last {
                break;
            }
            at = self.graph.element(id).next;
        }
        Ok(())
    }

    fn element(&mut self, id: ElementId) -> Result<(), Diagnostic> {
        match self.graph.element(id).node {
            Node::Unless => self.sequence(self.graph.element(id).subs[0]),
            Node::If | Node::Do => self.selection(id),
            Node::Atomic(inner) | Node::Block(inner) => self.block(id, inner),
            Node::DStep(inner) => self.d_step(id, inner),
            _ => self.step(id),
        }
    }

    fn selection(&mut self, id: ElementId) -> Result<(), Diagnostic> {
        let options = self.graph.element(id).subs.clone();
        let mut links = Vec::new();
        for &option in &options {
            let start = self.hunt_start(self.graph.first(option))?;
            if !self.is_dead(start) {
                links.push(self.local(start));
            }
        }
        let local = self.local(id);
        self.states[local as usize] = Raw::Choice(links);
        options.into_iter().try_for_each(|option| self.sequence(option))
    }

    /// An option whose guard is the constant 0 is no option.
    fn is_dead(&self, id: ElementId) -> bool {
        let element = self.graph.element(id);
        let never = matches!(&element.node, Node::Basic(s) if matches!(**s, StmtKind::Expr(Expr::Const(0))));
        never && element.escapes.is_empty()
    }

    fn block(&mut self, id: ElementId, inner: SequenceId) -> Result<(), Diagnostic> {
        self.patch_atomic(inner);
        let start = self.hunt_start(self.graph.first(inner))?;
        self.tie(id, inner);
        let (local, target) = (self.local(id), self.local(start));
        self.states[local as usize] = Raw::Choice(vec![target]);
        self.sequence(inner)
    }

    fn d_step(&mut self, id: ElementId, inner: SequenceId) -> Result<(), Diagnostic> {
        self.patch_atomic(inner);
        self.tie(id, inner);
        self.step(id)
    }

    /// The end of a block leads to what follows the block.
    fn tie(&mut self, block: ElementId, inner: SequenceId) {
        let next = self.graph.element(block).next;
        let last = self.graph.sequence(inner).last.expect("a block has a statement");
        self.graph.element_mut(last).next = next;
    }

    fn step(&mut self, id: ElementId) -> Result<(), Diagnostic> {
        let element = self.graph.element(id);
        let (atomic, local) = (element.atomic, element.local);
        let target = match element.node {
            Node::Goto(target) => Some(self.graph.destination(target)),
            _ => element.next,
        };
        let escapes = match element.node {
            Node::Dot => Vec::new(),
            _ => element.escapes.clone(),
        };
        let to = match target {
            Some(target) => {
                let target = self.hunt(target, atomic)?;
                self.local(target)
            }
            None => 0,
        };
        let mut escape_states = Vec::new();
        for &escape in &escapes {
            let first = self.hunt(self.graph.first(escape), atomic)?;
            escape_states.push(self.local(first));
        }
        self.states[local as usize] = Raw::Step(Edge { element: id, to, atomic, escape: 0 }, escape_states);
        escapes.into_iter().try_for_each(|escape| self.sequence(escape))
    }

    /// Skips what is no state of its own: gotos, ends of selections, unless. A step inside an atomic sequence stops in
    /// front of what would leave it (as spin: huntele).
    fn hunt(&self, from: ElementId, atomic: bool) -> Result<ElementId, Diagnostic> {
        let mut at = from;
        for _ in 0..=self.graph.states {
            let element = self.graph.element(at);
            let next = match element.node {
                Node::Goto(target) => self.graph.destination(target),
                Node::Dot | Node::BreakTarget => match element.next {
                    Some(next) => next,
                    None => return Ok(at),
                },
                Node::Unless => self.hunt(self.graph.first(element.subs[0]), atomic)?,
                _ => return Ok(at),
            };
            if atomic && !self.graph.element(next).atomic {
                return Ok(at);
            }
            at = next;
        }
        Err(Diagnostic::error(self.graph.element(from).span, "this goto only leads to itself"))
    }

    /// Skips ends of selections and unless in front of the first statement (as spin: huntstart).
    fn hunt_start(&self, from: ElementId) -> Result<ElementId, Diagnostic> {
        let mut at = from;
        for _ in 0..=self.graph.states {
            let element = self.graph.element(at);
            at = match (&element.node, element.next) {
                (Node::Dot, Some(next)) => next,
                (Node::Unless, _) => self.graph.first(element.subs[0]),
                _ => return Ok(at),
            };
        }
        Err(Diagnostic::error(self.graph.element(from).span, "this goto only leads to itself"))
    }

    /// A goto out of an atomic sequence ends it; one into another atomic sequence bridges the two.
    fn patch_atomic(&mut self, id: SequenceId) {
        let sequence = self.graph.sequence(id);
        let mut at = sequence.first;
        while let Some(id) = at {
            if let Node::Goto(target) = self.graph.element(id).node {
                let to = self.graph.element(self.graph.destination(target));
                let to_atomic = to.atomic || to.last_atomic;
                let goto = self.graph.element_mut(id);
                if (goto.atomic || goto.last_atomic) && !to_atomic {
                    (goto.atomic, goto.last_atomic) = (false, true);
                }
                if goto.last_atomic && to_atomic {
                    (goto.atomic, goto.last_atomic) = (true, false);
                }
            } else {
                for sub in self.graph.element(id).subs.clone() {
                    self.patch_atomic(sub);
                }
            }
            if at == sequence.extent {
                break;
            }
            at = self.graph.element(id).next;
        }
    }
}

/// Replaces choices that start with choices by their union, until none is left.
fn flatten_choices(states: &mut [Raw], inherited: &mut Vec<(u32, u32)>) {
    loop {
        let mut changed = false;
        for i in 0..states.len() {
            let Raw::Choice(links) = &states[i] else { continue };
            let nests = |&to: &u32| matches!(&states[to as usize], Raw::Choice(inner) if !inner.is_empty());
            if !links.iter().any(nests) {
                continue;
            }
            let mut flat = Vec::new();
            for &to in links {
                match &states[to as usize] {
                    Raw::Choice(inner) if !inner.is_empty() => {
                        inherited.extend(inner.iter().map(|&state| (state, to)));
                        flat.extend_from_slice(inner);
                    }
                    _ => flat.push(to),
                }
            }
            states[i] = Raw::Choice(flat);
            changed = true;
        }
        if !changed {
            return;
        }
    }
}

/// Gives each choice the edges of what it starts with.
fn pull_options(states: Vec<Raw>, inherited: &mut Vec<(u32, u32)>) -> Vec<Vec<(Edge, Vec<u32>)>> {
    let mut pulled = Vec::with_capacity(states.len());
    for state in &states {
        pulled.push(match state {
            Raw::Absent => Vec::new(),
            Raw::Step(edge, escapes) => vec![(edge.clone(), escapes.clone())],
            Raw::Choice(links) => links
                .iter()
                .filter_map(|&to| match &states[to as usize] {
                    Raw::Step(edge, escapes) => {
                        inherited.push((edge.to, to));
                        Some((edge.clone(), escapes.clone()))
                    }
                    _ => None,
                })
                .collect(),
        });
    }
    pulled
}

/// A proctype with more edges is not a model, it is an accident: each statement has all edges of its escapes.
const MOST_EDGES: usize = 1 << 22;

/// Puts the edges of a state's escapes in front of its own, the outermost escape first.
fn add_escapes(states: Vec<Vec<(Edge, Vec<u32>)>>) -> Result<Vec<Vec<Edge>>, Diagnostic> {
    let (mut states, escapes): (Vec<Vec<Edge>>, Vec<Vec<Vec<u32>>>) =
        states.into_iter().map(|list| list.into_iter().unzip()).unzip();
    let mut total = 0;
    for i in 0..states.len() {
        let mut edges = VecDeque::from(std::mem::take(&mut states[i]));
        let mut present: FxHashSet<ElementId> = edges.iter().map(|edge| edge.element).collect();
        let mut added = FxHashSet::default();
        for &from in escapes[i].iter().flat_map(|interrupting| interrupting.iter().rev()) {
            if !added.insert(from) {
                continue;
            }
            for edge in &states[from as usize] {
                if present.insert(edge.element) {
                    edges.push_front(Edge { escape: from, ..edge.clone() });
                }
            }
        }
        total += edges.len();
        if total > MOST_EDGES {
            return Err(Diagnostic::general(format!(
                "a proctype of this model has more than {MOST_EDGES} transitions"
            )));
        }
        states[i] = edges.into();
    }
    Ok(states)
}
