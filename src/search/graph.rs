//! A part of the state graph with its edges, explored breadth first, and the shortest violation in it.
//!
//! What a move counts is up to the caller. With d(x) the distance of x from the initial state, a shortest lasso is found so:
//!
//! ```text
//! for each accepting state a that is near enough:
//!   from a, by increasing length: A(x), the distance from a to x
//!   from all x at once, starting with d(x) + A(x), by increasing length: the least length at which a is reached again is the
//!     least prefix to some x, and cycle from x over a back to x
//! ```

use super::path::Path;
use super::problem::{Problem, Wrong};
use super::{Monitor, Violation};
use crate::store::{Own, StateId, States, Store, Visited};
use crate::system::{Batch, Entry, Outcome, Run, Step, System};
use rustc_hash::FxHashMap;

/// How much of a graph is looked at.
pub struct Bounds<M: Fn(Step) -> bool> {
    /// Runs are shorter than this.
    pub length: u32,
    pub measure: Measure,
    pub nodes: usize,
    /// Bytes of their states.
    pub bytes: u64,
    /// Successors that are produced.
    pub successors: u64,
    /// Edges that are kept.
    pub edges: usize,
    /// Edges that are looked at afterwards.
    pub work: usize,
    /// Whether a step may be taken.
    pub may_move: M,
}

/// What a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// One, be it an atomic sequence, a d_step or a handshake.
    Moves,
    /// Its steps, as SPIN counts them.
    Steps,
}

impl Measure {
    fn of(self, batch: &Batch, entry: &Entry) -> u32 {
        match self {
            Measure::Moves => 1,
            // even a move of the claim alone takes some room
            Measure::Steps => batch.length(entry).max(1) as u32,
        }
    }
}

/// What a graph holds.
pub struct Least {
    pub path: Option<Path>,
    /// Everything within the bounds of length was looked at.
    pub complete: bool,
    /// Successors that were produced.
    pub successors: u64,
    /// Edges that were looked at afterwards.
    pub work: usize,
}

/// The shortest accepting lasso.
pub fn least_lasso<S: System, M: Fn(Step) -> bool>(
    problem: &Problem<S>,
    bounds: &Bounds<M>,
    monitor: &Monitor,
) -> Option<Least> {
    let mut graph = Graph::new(problem)?;
    let complete = graph.explore(bounds, None, monitor);
    graph.ways = graph.all_ways(bounds.length);
    let mut work = 0;
    let (found, searched) = graph.least_lasso(bounds.length, bounds.work, &mut work, monitor);
    let path = found.map(|(nodes, start)| graph.path(&nodes, Some(start), problem.cycle()));
    Some(Least { path, complete: complete && searched, successors: graph.produced, work })
}

/// The shortest way to a violation of this kind that shows in a state.
pub fn least_prefix<S: System, M: Fn(Step) -> bool>(
    problem: &Problem<S>,
    violation: Violation,
    bounds: &Bounds<M>,
    monitor: &Monitor,
) -> Option<Least> {
    let mut graph = Graph::new(problem)?;
    let complete = graph.explore(bounds, Some(violation), monitor);
    graph.ways = graph.all_ways(bounds.length);
    let nearest = std::mem::take(&mut graph.wrong).into_iter().min_by_key(|(node, _)| graph.ways.distance(*node));
    let nearest = nearest.filter(|(node, _)| graph.ways.distance(*node) < bounds.length);
    let path = nearest.map(|(node, wrong)| graph.path(&graph.path_to(node), None, wrong));
    Some(Least { path, complete, successors: graph.produced, work: 0 })
}

/// Ways from one node.
#[derive(Default)]
struct Ways {
    /// How far each node is, and over which one.
    far: Vec<(u32, Node)>,
    /// Those that are near enough, the nearest first.
    order: Vec<Node>,
}

impl Ways {
    const UNKNOWN: (u32, Node) = (u32::MAX, 0);

    fn distance(&self, node: Node) -> u32 {
        self.far[node as usize].0
    }

    fn over(&self, node: Node) -> Node {
        self.far[node as usize].1
    }
}

/// A node: its position in the order of the breadth-first search.
type Node = u32;

struct Graph<'g, S: System> {
    problem: &'g Problem<'g, S>,
    store: Store,
    scratch: S::Scratch,
    /// The state of a node, and whether the run has ended there, as far as the state does not tell.
    nodes: Vec<(StateId, Run)>,
    numbers: FxHashMap<(StateId, Run), Node>,
    /// How many moves away from the initial node it was met.
    level: Vec<u32>,
    accepting: Vec<bool>,
    /// The successors of node n, and how far they are, are `edges[first[n]..first[n + 1]]`.
    first: Vec<usize>,
    edges: Vec<(Node, u32)>,
    /// Nodes in which what is looked for is wrong.
    wrong: Vec<(Node, Wrong)>,
    /// Successors.
    produced: u64,
    /// From the initial node.
    ways: Ways,
}

impl<'g, S: System> Graph<'g, S> {
    fn new(problem: &'g Problem<'g, S>) -> Option<Graph<'g, S>> {
        let system = &problem.system;
        let mut graph = Graph {
            problem,
            store: Store::new(system.hidden_words(), system.cutoff())?,
            scratch: system.scratch(),
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            level: Vec::new(),
            accepting: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            wrong: Vec::new(),
            produced: 0,
            ways: Ways::default(),
        };
        let initial = system.initial(&mut graph.scratch).ok()?;
        graph.node(&initial, Run::GoesOn, 0)?;
        Some(graph)
    }

    /// The node of a state; `None` if there is no room for it.
    fn node(&mut self, state: &[u64], run: Run, level: u32) -> Option<Node> {
        let id = self.store.insert(state, self.store.hash(state), 0).ok()?.id;
        let new = self.nodes.len() as Node;
        let number = *self.numbers.entry((id, run)).or_insert(new);
        if number == new {
            self.nodes.push((id, run));
            self.level.push(level);
            self.accepting.push(self.problem.system.is_accepting(state, &mut self.scratch));
        }
        Some(number)
    }

    /// Explores what a run within the bounds can reach; false if that was too much. No further than where a `wanted` violation
    /// is met if moves are counted: the first one is the nearest then.
    fn explore<M: Fn(Step) -> bool>(
        &mut self,
        bounds: &Bounds<M>,
        wanted: Option<Violation>,
        monitor: &Monitor,
    ) -> bool {
        let problem = self.problem;
        let (mut batch, mut buffer) = (Batch::default(), Vec::new());
        while self.first.len() <= self.nodes.len() {
            let node = self.first.len() - 1;
            let ((id, run), level) = (self.nodes[node], self.level[node]);
            batch.clear();
            if level < bounds.length {
                let state = self.store.recall(id, &mut buffer);
                problem.system.successors(state, run, &mut self.scratch, &mut batch, |_| {});
                self.produced += 1 + batch.entries.len() as u64;
                if wanted.is_some()
                    && let Some(wrong) = problem.wrong(state, &batch, &mut self.scratch)
                    && wanted == Some(wrong.violation)
                {
                    self.wrong.push((node as Node, wrong));
                    if bounds.measure == Measure::Moves {
                        return true;
                    }
                }
            }
            for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
                if !batch.steps(entry).all(&bounds.may_move) {
                    continue;
                }
                let run = problem.system.run_after(run, entry.step);
                let Some(target) = self.node(batch.state(entry), run, level + 1) else { return false };
                self.edges.push((target, bounds.measure.of(&batch, entry)));
            }
            self.first.push(self.edges.len());
            let stop =
                node.is_multiple_of(1024) && monitor.check(self.nodes.len() as u64, 0, self.store.memory()).is_err();
            let full = self.edges.len() > bounds.edges || self.nodes.len() > bounds.nodes;
            let full = full || self.produced > bounds.successors;
            if full || self.store.memory() > bounds.bytes || stop {
                return false;
            }
        }
        true
    }

    fn successors(&self, node: Node) -> &[(Node, u32)] {
        let node = node as usize;
        if node + 1 < self.first.len() { &self.edges[self.first[node]..self.first[node + 1]] } else { &[] }
    }

    /// The nodes from the initial one to this one.
    fn path_to(&self, node: Node) -> Vec<Node> {
        let mut path = vec![node];
        while path[path.len() - 1] != 0 {
            path.push(self.ways.over(path[path.len() - 1]));
        }
        path.reverse();
        path
    }

    fn path(&self, nodes: &[Node], cycle: Option<usize>, wrong: Wrong) -> Path {
        let nodes = nodes.iter().map(|&node| self.nodes[node as usize]);
        let (states, runs) = nodes.map(|(id, run)| (self.store.copy(id), run)).unzip();
        Path { states, runs, cycle, wrong }
    }

    /// The shortest lasso below `limit`, as a path whose last node is also the one at the given position; and whether
    /// everything was looked at.
    fn least_lasso(
        &self,
        limit: u32,
        most_work: usize,
        work: &mut usize,
        monitor: &Monitor,
    ) -> (Option<(Vec<Node>, usize)>, bool) {
        let (mut best, mut found) = (limit, None);
        let mut pivots: Vec<Node> =
            (0..self.nodes.len() as Node).filter(|&node| self.accepting[node as usize]).collect();
        pivots.sort_by_key(|&node| self.ways.distance(node));
        let mut away = Ways::default();
        for node in pivots {
            // the cycle over it is at least as long as the way from the cycle's start
            if self.ways.distance(node) >= best {
                break;
            }
            // as much as to get the room for it ready
            *work += limit as usize;
            if *work > most_work || monitor.check(self.nodes.len() as u64, 0, self.store.memory()).is_err() {
                return (found, false);
            }
            if let Some((length, path)) = self.least_over(node, best, &mut away, work) {
                (best, found) = (length, Some(path));
            }
        }
        (found, true)
    }

    /// The shortest lasso over an accepting node, if it is shorter than `limit`.
    fn least_over(
        &self,
        over: Node,
        limit: u32,
        away: &mut Ways,
        work: &mut usize,
    ) -> Option<(u32, (Vec<Node>, usize))> {
        *work += self.find_ways(over, limit, away);
        let away = &*away;
        let mut waiting: Vec<Vec<Node>> = vec![Vec::new(); limit as usize];
        let total = |node: Node| self.ways.distance(node).saturating_add(away.distance(node));
        for &node in away.order.iter().filter(|&&node| total(node) < limit) {
            waiting[total(node) as usize].push(node);
        }
        // from which start, and over which node, a node is reached by which length
        let mut back: FxHashMap<Node, (u32, Node, Node)> = FxHashMap::default();
        let mut end: Option<(u32, Node, Node)> = None;
        let mut length = 0;
        while length < end.map_or(limit, |(length, ..)| length) {
            let Some(node) = waiting[length as usize].pop() else {
                length += 1;
                continue;
            };
            let (known, start) = back.get(&node).map_or((total(node), node), |&(known, start, _)| (known, start));
            if known < length {
                continue;
            }
            *work += self.successors(node).len();
            for &(next, far) in self.successors(node) {
                let there = length + far;
                if next == over && there < end.map_or(limit, |(length, ..)| length) {
                    end = Some((there, start, node));
                }
                if next != over && there < limit && away.distance(next) < limit {
                    let known = back.get(&next).map_or(total(next), |&(known, ..)| known);
                    if there < known {
                        back.insert(next, (there, start, node));
                        waiting[there as usize].push(next);
                    }
                }
            }
        }
        let (length, start, last) = end?;
        Some((length, self.assemble(start, last, over, away, &back)))
    }

    /// The ways from the initial node to others that are nearer than `limit`.
    fn all_ways(&self, limit: u32) -> Ways {
        let mut ways = Ways::default();
        self.find_ways(0, limit, &mut ways);
        ways
    }

    /// Finds the ways from a node to others that are nearer than `limit`, and says how many edges were looked at.
    fn find_ways(&self, from: Node, limit: u32, ways: &mut Ways) -> usize {
        for node in ways.order.drain(..) {
            ways.far[node as usize] = Ways::UNKNOWN;
        }
        ways.far.resize(self.nodes.len(), Ways::UNKNOWN);
        ways.far[from as usize] = (0, from);
        let mut waiting: Vec<Vec<Node>> = vec![Vec::new(); limit.max(1) as usize];
        waiting[0].push(from);
        let mut work = 0;
        for length in 0..waiting.len() as u32 {
            while let Some(node) = waiting[length as usize].pop() {
                if ways.distance(node) < length {
                    continue;
                }
                ways.order.push(node);
                work += self.successors(node).len();
                for &(next, far) in self.successors(node) {
                    let there = length + far;
                    if there < limit && there < ways.distance(next) {
                        ways.far[next as usize] = (there, node);
                        waiting[there as usize].push(next);
                    }
                }
            }
        }
        work
    }

    /// Prefix to `start`, on to `last` and `over`, and back to `start`.
    fn assemble(
        &self,
        start: Node,
        last: Node,
        over: Node,
        away: &Ways,
        back: &FxHashMap<Node, (u32, Node, Node)>,
    ) -> (Vec<Node>, usize) {
        let mut path = self.path_to(start);
        let position = path.len() - 1;
        let mut middle = Vec::new();
        let mut node = last;
        while node != start {
            middle.push(node);
            node = back[&node].2;
        }
        path.extend(middle.into_iter().rev());
        path.push(over);
        let mut rest = Vec::new();
        let mut node = start;
        while node != over {
            rest.push(node);
            node = away.over(node);
        }
        path.extend(rest.into_iter().rev());
        (path, position)
    }
}
