//! A run that is given, and a claim that may or may not accept it: what the claim does along the run, if it does.
//!
//! A trail lists the steps of the system only. The claim looks at every state that a scheduler sees; a run with a cycle
//! is a lasso of such states, and an accepting run of the claim over it is an accepting lasso in the product of the two:
//!
//! ```text
//! (i, c): before the claim, in its state c, looks at the i-th state
//! (i, c) → (next(i), c')  for each of its moves c → c' that the i-th state allows
//! ```
//!
//! The claim may need several laps of the system's cycle for one of its own. A run that has ended repeats its last state.

use super::follow::{Ending, Moment};
use crate::program::Program;
use crate::property::Claim;
use crate::property::claim::ClaimState;
use crate::system::observe::Moves;
use crate::system::{Control, Interpreter, Run, Scratch, System};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// A run as a claim sees it.
pub struct Visible<'v> {
    /// All states of the run, from the initial one on.
    pub states: &'v [Vec<u64>],
    /// The positions of the states that a scheduler sees, in order; the last state of the run may be among them.
    pub seen: &'v [usize],
    /// The position at which the cycle starts.
    pub cycle: Option<usize>,
    /// How the run ends.
    pub ending: &'v Ending,
}

/// The states of a run, taken down while it is followed.
#[derive(Default)]
pub struct Track {
    states: Vec<Vec<u64>>,
    seen: Vec<usize>,
}

impl Track {
    /// Takes down a step.
    pub fn note(&mut self, moment: &Moment) {
        if self.states.is_empty() {
            self.states.push(moment.before.to_vec());
        }
        if moment.control == Control::Free {
            self.seen.push(self.states.len() - 1);
        }
        self.states.push(moment.after.unwrap_or(moment.before).to_vec());
    }

    /// The run ends in this state, which is empty if it cannot even start.
    pub fn end(&mut self, last: &[u64]) {
        if self.states.is_empty() && !last.is_empty() {
            self.states.push(last.to_vec());
        }
        self.seen.extend(self.states.len().checked_sub(1));
    }

    /// The run as a claim sees it, when it has ended.
    pub fn visible<'v>(&'v self, cycle: Option<usize>, ending: &'v Ending) -> Visible<'v> {
        Visible { states: &self.states, seen: &self.seen, cycle, ending }
    }
}

/// What a claim makes of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// The run violates the property, and this is how the claim sees it.
    Accepts(Course),
    /// The claim accepts no such run: it does not violate the property.
    Refuses,
    /// The run stops before the claim has seen enough.
    Undecided,
}

/// What a claim does along a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// What it does until the run is at the end of its cycle for the first time, then lap by lap.
    pub laps: Vec<Vec<Look>>,
    /// The lap that follows on the last one; `None`: the claim has seen enough there.
    pub again: Option<usize>,
}

/// The claim looks at a state and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The position of the state in the run.
    pub position: usize,
    /// Where the claim is before it has looked.
    pub before: ClaimState,
    /// Where it goes.
    pub after: ClaimState,
    /// The conditions that hold, as bits.
    pub truths: u64,
}

/// What the claim does along a run, if it accepts it.
pub fn watch(program: &Program, claim: &Claim, visible: &Visible) -> Watched {
    let glances = glances(visible);
    if glances.is_empty() {
        return Watched::Undecided;
    }
    let back = back(visible, &glances);
    let mut product = Product::new(program, claim, visible, glances, back);
    product.explore();
    if let Some(path) = product.accepting_lasso() {
        return Watched::Accepts(product.course(path));
    }
    if let Some(path) = product.decided() {
        return Watched::Accepts(product.course(path));
    }
    let endless = back.is_some();
    if endless { Watched::Refuses } else { Watched::Undecided }
}

/// One state that the claim looks at.
#[derive(Clone, Copy, Debug)]
struct Glance {
    position: usize,
    run: Run,
}

fn glances(visible: &Visible) -> Vec<Glance> {
    let last = visible.states.len().saturating_sub(1);
    let goes_on = *visible.ending == Ending::Cycle;
    let seen = visible.seen.iter().copied();
    // the last state of a cycle is its first
    let seen = seen.filter(|&position| position < last || !goes_on);
    let mut glances: Vec<Glance> = seen.map(|position| Glance { position, run: Run::GoesOn }).collect();
    if has_ended(visible) && !glances.is_empty() {
        glances.push(Glance { position: last, run: Run::Ended });
    }
    glances
}

/// Nothing moves any more.
fn has_ended(visible: &Visible) -> bool {
    match visible.ending {
        Ending::End | Ending::InvalidEnd | Ending::Repeats => true,
        Ending::Cycle | Ending::Fault { .. } | Ending::BrokenCycle | Ending::Open => false,
    }
}

/// Which glance follows on the last one.
fn back(visible: &Visible, glances: &[Glance]) -> Option<usize> {
    if has_ended(visible) {
        return Some(glances.len() - 1);
    }
    let start = visible.cycle.filter(|_| *visible.ending == Ending::Cycle)?;
    glances.iter().position(|glance| glance.position >= start)
}

/// A node of the product: which glance, and the claim's state before it.
type Node = (usize, ClaimState);

struct Product<'w> {
    claim: &'w Claim,
    visible: &'w Visible<'w>,
    glances: Vec<Glance>,
    back: Option<usize>,
    system: Interpreter<'w>,
    scratch: Scratch,
    /// Where every node that can be reached leads: claim states.
    moves: FxHashMap<Node, Vec<ClaimState>>,
    /// How it was reached first.
    parents: FxHashMap<Node, Node>,
    /// In the order in which they were reached.
    order: Vec<Node>,
}

/// A path through the product, and the part of it that repeats.
struct Path {
    moves: Vec<(Node, ClaimState)>,
    /// The first move of the part that repeats.
    repeats: Option<usize>,
}

impl<'w> Product<'w> {
    fn new(
        program: &'w Program,
        claim: &'w Claim,
        visible: &'w Visible<'w>,
        glances: Vec<Glance>,
        back: Option<usize>,
    ) -> Product<'w> {
        let system = Interpreter::new(program);
        let scratch = system.scratch();
        let (moves, parents) = (FxHashMap::default(), FxHashMap::default());
        Product { claim, visible, glances, back, system, scratch, moves, parents, order: Vec::new() }
    }

    fn next(&self, glance: usize) -> Option<usize> {
        if glance + 1 < self.glances.len() { Some(glance + 1) } else { self.back }
    }

    /// The nodes behind a node.
    fn successors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let next = self.next(node.0);
        next.into_iter().flat_map(move |next| self.moves[&node].iter().map(move |&after| (next, after)))
    }

    /// Finds every node that can be reached, breadth first.
    fn explore(&mut self) {
        let start = (0, self.claim.initial());
        let mut queue = VecDeque::from([start]);
        let mut known = FxHashSet::from_iter([start]);
        while let Some(node) = queue.pop_front() {
            self.order.push(node);
            let targets = self.look(node);
            let next = self.next(node.0);
            for target in next.into_iter().flat_map(|next| targets.iter().map(move |&after| (next, after))) {
                if known.insert(target) {
                    self.parents.insert(target, node);
                    queue.push_back(target);
                }
            }
            self.moves.insert(node, targets);
        }
    }

    fn look(&mut self, (glance, from): Node) -> Vec<ClaimState> {
        let Glance { position, run } = self.glances[glance];
        let mut state = self.visible.states[position].clone();
        let mut moves = Moves::default();
        self.claim.moves(&mut self.system.observer(&mut self.scratch), &mut state, run, from, &mut moves);
        moves.targets
    }

    fn is_accepting(&mut self, (glance, state): Node) -> bool {
        self.claim.is_accepting(state)
            || self.claim.heeds_labels() && {
                let words = &self.visible.states[self.glances[glance].position];
                self.system.observer(&mut self.scratch).at_accept_label(words)
            }
    }

    /// A path to an accepting node and from there back to it, if there is one: to the nearest.
    fn accepting_lasso(&mut self) -> Option<Path> {
        let mut graph: DiGraph<Node, ()> = DiGraph::new();
        let index: FxHashMap<Node, NodeIndex> = self.order.iter().map(|&node| (node, graph.add_node(node))).collect();
        for &node in &self.order {
            for target in self.successors(node) {
                graph.add_edge(index[&node], index[&target], ());
            }
        }
        let mut component = vec![0; graph.node_count()];
        let mut cyclic = Vec::new();
        for (number, nodes) in tarjan_scc(&graph).into_iter().enumerate() {
            nodes.iter().for_each(|node| component[node.index()] = number);
            cyclic.push(nodes.len() > 1 || graph.contains_edge(nodes[0], nodes[0]));
        }
        let order = self.order.clone();
        let pivot =
            order.into_iter().find(|&node| cyclic[component[index[&node].index()]] && self.is_accepting(node))?;
        let mut path = self.path_to(pivot);
        let repeats = Some(path.len());
        path.extend(self.around(pivot)?);
        Some(Path { moves: path, repeats })
    }

    /// The moves from the start to a node.
    fn path_to(&self, node: Node) -> Vec<(Node, ClaimState)> {
        let mut moves = Vec::new();
        let mut at = node;
        while let Some(&parent) = self.parents.get(&at) {
            moves.push((parent, at.1));
            at = parent;
        }
        moves.reverse();
        moves
    }

    /// The moves of a shortest way from a node back to it.
    fn around(&self, pivot: Node) -> Option<Vec<(Node, ClaimState)>> {
        let mut parents: FxHashMap<Node, Node> = FxHashMap::default();
        let mut queue = VecDeque::from([pivot]);
        while let Some(node) = queue.pop_front() {
            for target in self.successors(node) {
                if target == pivot {
                    let mut moves = vec![(node, pivot.1)];
                    let mut at = node;
                    while let Some(&parent) = parents.get(&at) {
                        moves.push((parent, at.1));
                        at = parent;
                    }
                    moves.reverse();
                    return Some(moves);
                }
                if let Entry::Vacant(unknown) = parents.entry(target) {
                    unknown.insert(node);
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// A path to where the claim has seen enough, whatever follows.
    fn decided(&self) -> Option<Path> {
        let enough = |after: ClaimState| self.claim.is_decided(after).is_some();
        for &node in &self.order {
            if let Some(&after) = self.moves[&node].iter().find(|&&after| enough(after)) {
                let mut moves = self.path_to(node);
                moves.push((node, after));
                return Some(Path { moves, repeats: None });
            }
        }
        None
    }

    /// A path as the laps of the run. A lap that is the same as one before it closes the course.
    fn course(&mut self, path: Path) -> Course {
        let start = self.back.unwrap_or(self.glances.len());
        let around = self.glances.len() - start;
        let mut moves = path.moves;
        let mut again = None;
        if let Some(repeats) = path.repeats.filter(|_| around > 0) {
            let period = moves.len() - repeats;
            // the first lap that is in the part that repeats from its beginning
            let first = repeats.saturating_sub(start).div_ceil(around);
            let end = start + first * around + period;
            for at in moves.len()..end {
                moves.push(moves[at - period]);
            }
            moves.truncate(end);
            again = Some(first);
        }
        let looks: Vec<Look> = moves.into_iter().map(|each| self.shown(each)).collect();
        let mut laps = vec![looks[..looks.len().min(start + around)].to_vec()];
        laps.extend(looks[laps[0].len()..].chunks(around.max(1)).map(<[Look]>::to_vec));
        Course { laps, again }
    }

    fn shown(&mut self, ((glance, before), after): (Node, ClaimState)) -> Look {
        let Glance { position, run } = self.glances[glance];
        let mut state = self.visible.states[position].clone();
        let atoms = self.claim.atoms().iter().map(|atom| &atom.code);
        let truths = self.system.observer(&mut self.scratch).truths(&mut state, run, atoms).unwrap_or(0);
        Look { position, before, after, truths }
    }
}
