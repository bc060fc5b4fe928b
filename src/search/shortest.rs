//! A shortest counterexample: the least prefix and cycle together.
//!
//! Length is counted in states that a scheduler sees: an atomic sequence, a d_step or a handshake is one step. The graph of
//! the product is explored breadth first, as far as a counterexample that is shorter than the known one can reach; its
//! edges are kept. Then, with d(x) the distance of x from the initial state:
//!
//! ```text
//! for each accepting state a that is near enough:
//!   from a, breadth first: A(x), the distance from a to x
//!   from all x at once, starting with d(x) + A(x), by increasing length: the least length at which a is reached again is the
//!     least prefix to some x, and cycle from x over a back to x
//! ```
//!
//! For a bad prefix the first state that decides the matter is enough. The work is bounded; if the bound is met, the
//! result is the best so far and does not claim to be the shortest.

use super::witness::{bad_prefix, lasso};
use super::{CycleProblem, Finding, Monitor, Violation, Witness};
use crate::property::Fairness;
use crate::property::product::ProductScratch;
use crate::store::{StateId, Store};
use crate::system::{Batch, Outcome, Step, System};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Edges that are kept.
const MAX_EDGES: usize = 50_000_000;
/// Edges that are looked at afterwards.
const MAX_WORK: usize = 500_000_000;

/// How good a counterexample is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// There is no shorter one.
    Shortest,
    /// There is no shorter one in which fairness can be seen by counting rounds; but there may be a fair one.
    ByRounds,
    /// There was too much to look at, or it cannot be told.
    BestSoFar,
}

/// A counterexample that is no longer than that of the finding; `None` if its kind cannot be shortened here.
pub fn shorten(problem: &CycleProblem, finding: &Finding, monitor: &Monitor) -> Option<(Witness, Quality)> {
    let prefix_only = match finding.violation {
        Violation::AcceptanceCycle | Violation::NonProgressCycle => false,
        Violation::ClaimCompleted => true,
        _ => return None,
    };
    let known = finding.witness.sights.len() as u32;
    let mut graph = Graph::new(problem)?;
    let complete = graph.explore(known, prefix_only, monitor);
    if prefix_only {
        let decided = graph.decided?;
        let path = graph.ids(&graph.path_to(decided));
        let witness = bad_prefix(&problem.product, &graph.store, &path, &mut graph.scratch);
        return Some((witness, Quality::Shortest));
    }
    let (best, searched) = graph.least_lasso(known);
    let quality = match problem.fairness {
        _ if !complete || !searched => Quality::BestSoFar,
        Fairness::Weak => Quality::ByRounds,
        Fairness::None => Quality::Shortest,
    };
    let Some((path, start)) = best else { return Some((finding.witness.clone(), quality)) };
    let ids = graph.ids(&path);
    Some((lasso(&problem.product, &graph.store, &ids, start, &mut graph.scratch), quality))
}

/// A node: its position in the order of the breadth-first search.
type Node = u32;

struct Graph<'g, 'p> {
    problem: &'g CycleProblem<'p>,
    store: Store,
    scratch: ProductScratch,
    /// The state of a node, and whether the run has ended there where the state does not tell.
    nodes: Vec<(StateId, bool)>,
    numbers: FxHashMap<(StateId, bool), Node>,
    parents: Vec<Node>,
    distance: Vec<u32>,
    accepting: Vec<bool>,
    /// The successors of node n are `edges[first[n]..first[n + 1]]`.
    first: Vec<usize>,
    edges: Vec<Node>,
    /// The first node that decides the matter.
    decided: Option<Node>,
}

impl<'g, 'p> Graph<'g, 'p> {
    fn new(problem: &'g CycleProblem<'p>) -> Option<Graph<'g, 'p>> {
        let product = &problem.product;
        let mut graph = Graph {
            problem,
            store: Store::new(product.hidden_words())?,
            scratch: product.scratch(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            parents: Vec::new(),
            distance: Vec::new(),
            accepting: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            decided: None,
        };
        let initial = product.initial(&mut graph.scratch).ok()?;
        graph.node(&initial, false, 0, 0)?;
        Some(graph)
    }

    /// The node of a state; `None` if there is no room for it.
    fn node(&mut self, state: &[u64], ended: bool, parent: Node, distance: u32) -> Option<Node> {
        let id = self.store.insert(state, self.store.hash(state), 0)?.id;
        let new = self.nodes.len() as Node;
        let number = *self.numbers.entry((id, ended)).or_insert(new);
        if number == new {
            self.nodes.push((id, ended));
            self.parents.push(parent);
            self.distance.push(distance);
            self.accepting.push(self.problem.product.is_accepting(state, &mut self.scratch));
        }
        Some(number)
    }

    /// Explores what a run shorter than `limit` can reach; false if that was too much.
    fn explore(&mut self, limit: u32, prefix_only: bool, monitor: &Monitor) -> bool {
        let product = &self.problem.product;
        let mut batch = Batch::default();
        while self.first.len() <= self.nodes.len() {
            let node = self.first.len() - 1;
            let ((id, ended), distance) = (self.nodes[node], self.distance[node]);
            if prefix_only && product.is_decided(self.store.state(id)).is_some() {
                self.decided = Some(node as Node);
                return true;
            }
            batch.clear();
            if distance < limit {
                let state = self.store.state(id);
                match ended {
                    true => product.successors_once_ended(state, &mut self.scratch, &mut batch),
                    false => product.successors(state, &mut self.scratch, &mut batch, |_| {}),
                }
            }
            for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
                let ended = entry.step == Step::STUTTER && !product.remembers_endings();
                let Some(target) = self.node(batch.state(entry), ended, node as Node, distance + 1) else {
                    return false;
                };
                self.edges.push(target);
            }
            self.first.push(self.edges.len());
            let stop =
                node.is_multiple_of(1024) && monitor.check(self.nodes.len() as u64, 0, self.store.memory()).is_some();
            if self.edges.len() > MAX_EDGES || stop {
                return false;
            }
        }
        true
    }

    fn successors(&self, node: Node) -> &[Node] {
        let node = node as usize;
        if node + 1 < self.first.len() { &self.edges[self.first[node]..self.first[node + 1]] } else { &[] }
    }

    /// The nodes from the initial one to this one.
    fn path_to(&self, node: Node) -> Vec<Node> {
        let mut path = vec![node];
        while path[path.len() - 1] != 0 {
            path.push(self.parents[path[path.len() - 1] as usize]);
        }
        path.reverse();
        path
    }

    fn ids(&self, path: &[Node]) -> Vec<StateId> {
        path.iter().map(|&node| self.nodes[node as usize].0).collect()
    }

    /// The shortest lasso below `known`, as a path whose last node is also the one at the given position; and whether
    /// everything was looked at.
    fn least_lasso(&self, known: u32) -> (Option<(Vec<Node>, usize)>, bool) {
        let (mut best, mut found, mut work) = (known, None, 0);
        for node in (0..self.nodes.len() as Node).filter(|&node| self.accepting[node as usize]) {
            // the cycle over it is at least as long as the way from the cycle's start
            if self.distance[node as usize] >= best {
                break;
            }
            if work > MAX_WORK {
                return (found, false);
            }
            if let Some((length, path)) = self.least_over(node, best, &mut work) {
                (best, found) = (length, Some(path));
            }
        }
        (found, true)
    }

    /// The shortest lasso over an accepting node, if it is shorter than `limit`.
    fn least_over(&self, over: Node, limit: u32, work: &mut usize) -> Option<(u32, (Vec<Node>, usize))> {
        let mut away: FxHashMap<Node, (u32, Node)> = FxHashMap::from_iter([(over, (0, over))]);
        let mut order = VecDeque::from([over]);
        let mut starts: Vec<Vec<Node>> = vec![Vec::new(); limit as usize];
        while let Some(node) = order.pop_front() {
            let steps = away[&node].0;
            let length = self.distance[node as usize].saturating_add(steps);
            if let Some(bucket) = starts.get_mut(length as usize) {
                bucket.push(node);
            }
            *work += self.successors(node).len();
            for &next in self.successors(node) {
                if steps + 1 < limit && !away.contains_key(&next) {
                    away.insert(next, (steps + 1, node));
                    order.push_back(next);
                }
            }
        }
        // by increasing length: from which start, and over which node, a node was reached
        let mut back: FxHashMap<Node, (Node, Node)> = FxHashMap::default();
        for length in 0..limit.saturating_sub(1) as usize {
            for node in std::mem::take(&mut starts[length]) {
                let start = back.get(&node).map_or(node, |&(start, _)| start);
                *work += self.successors(node).len();
                for &next in self.successors(node) {
                    if next == over {
                        return Some((length as u32 + 1, self.assemble(start, node, over, &away, &back)));
                    }
                    if away.contains_key(&next) && !back.contains_key(&next) {
                        let own = self.distance[next as usize].saturating_add(away[&next].0) as usize;
                        if length + 1 < own {
                            back.insert(next, (start, node));
                            starts[length + 1].push(next);
                        }
                    }
                }
            }
        }
        None
    }

    /// Prefix to `start`, on to `last` and `over`, and back to `start`.
    fn assemble(
        &self,
        start: Node,
        last: Node,
        over: Node,
        away: &FxHashMap<Node, (u32, Node)>,
        back: &FxHashMap<Node, (Node, Node)>,
    ) -> (Vec<Node>, usize) {
        let mut path = self.path_to(start);
        let position = path.len() - 1;
        let mut middle = Vec::new();
        let mut node = last;
        while node != start {
            middle.push(node);
            node = back[&node].1;
        }
        path.extend(middle.into_iter().rev());
        path.push(over);
        let mut rest = Vec::new();
        let mut node = start;
        while node != over {
            rest.push(node);
            node = away[&node].1;
        }
        path.extend(rest.into_iter().rev());
        (path, position)
    }
}
