//! Parallel nested depth-first search, with hunts for cycles from artificial states (`cndfs-gp`).
//!
//! Renault, Improving swarming using genetic algorithms, 2020, section 5.2: the state of the claim is a gene like any other. A hunter is a
//! worker that breeds artificial states and explores some of the states behind each. Where it finds an accepting cycle, or anything else
//! that is wrong, it marks the states that lead there in the shared store. Whether they are reachable is not known: only a worker from
//! the initial state that comes to a marked state reports a violation, and finds the way on among marked states.
//!
//! Differs from the paper, where workers from artificial states also close states for the others. What such a worker has closed may
//! depend on states that are still on its stack (see [`super::genetic`]), and a second search that waits for such a worker would wait
//! forever if it gave up. So hunters share nothing but marks.

use super::Start;
use super::breed::{Breeding, breed};
use super::cndfs::{self, MARKED};
use super::crew::Crew;
use super::genes::Genome;
use super::genetic::Artificial;
use crate::search::path::Path;
use crate::search::problem::{Problem, Wrong};
use crate::search::{Config, Monitor, Reason, Tally};
use crate::store::{Visited, Writer, hash};
use crate::system::{Batch, Outcome, Run, System};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Relaxed};

/// The most states that a hunter explores from one artificial state.
const HUNTING_GROUND: usize = 20_000;
/// States between two checks whether the search is over.
const LOOK_EVERY: usize = 256;
/// The most marked states among which a path is searched for.
const MOST_MARKED: usize = 1_000_000;

pub fn search<S: System>(problem: &Problem<S>, plan: &Breeding, seed: u64, config: Config, monitor: &Monitor) -> Tally {
    let start = match Start::new(&problem.system, problem.checks, config, 1) {
        Ok(start) => start,
        Err(tally) => return *tally,
    };
    let Start { tally: mut whole, store, root } = start;
    let real = config.threads - plan.artificial_threads(config.threads);
    let crew = Crew::new(&store, config.threads, real, monitor);
    let claim = problem.claim.map(|claim| claim.state_count() as u32);
    let genome = Genome::new(problem.system.program(), claim);
    let (bred, looked_at) = (AtomicU64::new(0), AtomicU64::new(0));
    let finished = crew.run(|thread| {
        if thread >= real {
            match breed(problem, &genome, plan, (thread, seed), &crew) {
                Ok(states) => {
                    bred.fetch_add(states.len() as u64, Relaxed);
                    hunt(problem, &states, plan.ahead, &crew, &looked_at);
                }
                Err(finding) => {
                    let mut tally = Tally::new(config, problem.checks);
                    tally.found(*finding);
                    crew.stop();
                    return tally;
                }
            }
        }
        if thread < real || crew.begin() {
            let _shift = crew.shift();
            return cndfs::search(problem, &crew, config, thread, root);
        }
        Tally::new(config, problem.checks)
    });
    match finished {
        Ok(tallies) => tallies.into_iter().for_each(|tally| whole.join(tally)),
        Err(error) => whole.cut_short(Reason::NoThread(error.to_string())),
    }
    whole.seed = Some(seed);
    whole.artificial = Some(Artificial { bred: bred.into_inner(), states: looked_at.into_inner(), reachable: None });
    whole.count_matches();
    whole.counts.memory = crew.memory();
    whole
}

/// Explores from artificial states, and marks what leads to a violation. All hunters together explore `ahead` states,
/// and as many as were entered from the initial state.
fn hunt<S: System>(problem: &Problem<S>, states: &[Vec<u64>], ahead: u64, crew: &Crew, looked_at: &AtomicU64) {
    for state in states {
        let enough = looked_at.load(Relaxed) > ahead + crew.entered();
        if enough || crew.is_stopped() || crew.is_settled() {
            return;
        }
        let part = Part::explore(problem, (state, Run::GoesOn), HUNTING_GROUND, |_| true, crew);
        looked_at.fetch_add(part.states.len() as u64, Relaxed);
        let Some(path) = part.violation(problem) else { continue };
        // from the end of the path, so that a worker that sees a mark finds the next one
        let mut writer = crew.store.writer();
        for state in path.states.iter().rev() {
            let Ok(inserted) = writer.insert(state, writer.hash(state), 0) else { return };
            writer.store().note(inserted.id).fetch_or(MARKED, AcqRel);
        }
    }
}

/// A path through marked states to a violation, from a marked state and its run (if the state does not tell that).
pub fn marked_way<S: System>(problem: &Problem<S>, writer: &Writer, from: (&[u64], Run), crew: &Crew) -> Option<Path> {
    let is_marked = |state: &[u64]| {
        let id = writer.get(state, writer.hash(state));
        id.is_some_and(|id| writer.note(id) & MARKED != 0)
    };
    Part::explore(problem, from, MOST_MARKED, is_marked, crew).violation(problem)
}

/// The explored states behind a state, as a graph.
struct Part {
    states: Vec<Vec<u64>>,
    /// Whether the run has ended in each, if the state does not tell.
    runs: Vec<Run>,
    accepting: Vec<bool>,
    /// The node from which each was first reached.
    parents: Vec<usize>,
    graph: DiGraph<(), ()>,
    /// The first node with which something is wrong.
    wrong: Option<(usize, Wrong)>,
}

impl Part {
    /// Explores up to `most` admitted states, breadth first, until something is wrong or the search is over.
    fn explore<S: System>(
        problem: &Problem<S>,
        (root, run): (&[u64], Run),
        most: usize,
        admits: impl Fn(&[u64]) -> bool,
        crew: &Crew,
    ) -> Part {
        let mut part = Part {
            states: Vec::new(),
            runs: Vec::new(),
            accepting: Vec::new(),
            parents: Vec::new(),
            graph: DiGraph::new(),
            wrong: None,
        };
        let mut scratch = problem.system.scratch();
        let mut batch = Batch::default();
        let mut known: FxHashMap<(u64, Run), usize> = FxHashMap::default();
        part.add(root, run, 0);
        known.insert((hash(root, 0), run), 0);
        let mut next = 0;
        while next < part.states.len() && part.wrong.is_none() {
            if next.is_multiple_of(LOOK_EVERY) && crew.is_out_of_time() {
                break;
            }
            let (state, run) = (std::mem::take(&mut part.states[next]), part.runs[next]);
            batch.clear();
            problem.system.successors(&state, run, &mut scratch, &mut batch, |_| {});
            part.accepting[next] = problem.system.is_accepting(&state, &mut scratch);
            part.wrong = problem.wrong(&state, &batch, &mut scratch).map(|wrong| (next, wrong));
            part.states[next] = state;
            for entry in batch.entries.iter().filter(|entry| entry.outcome == Outcome::State) {
                let state = batch.state(entry);
                let key = (hash(state, 0), problem.system.run_after(run, entry.step));
                let node = match known.get(&key) {
                    Some(&node) => node,
                    None if part.states.len() < most && admits(state) => {
                        known.insert(key, part.states.len());
                        part.add(state, key.1, next)
                    }
                    None => continue,
                };
                part.graph.add_edge(NodeIndex::new(next), NodeIndex::new(node), ());
            }
            next += 1;
        }
        part
    }

    fn add(&mut self, state: &[u64], run: Run, parent: usize) -> usize {
        self.states.push(state.to_vec());
        self.runs.push(run);
        self.accepting.push(false);
        self.parents.push(parent);
        self.graph.add_node(()).index()
    }

    /// A run from the root to something that is wrong, or to an accepting cycle.
    fn violation<S: System>(&self, problem: &Problem<S>) -> Option<Path> {
        if let Some((node, wrong)) = &self.wrong {
            return Some(self.path(&self.way_to(*node), None, wrong.clone()));
        }
        let closes = |component: &[NodeIndex]| {
            component.len() > 1 || component.iter().any(|&node| self.graph.contains_edge(node, node))
        };
        let components = kosaraju_scc(&self.graph);
        let accepting =
            |component: &Vec<NodeIndex>| component.iter().copied().find(|node| self.accepting[node.index()]);
        let seed = components.iter().filter(|component| closes(component)).find_map(accepting)?;
        let mut nodes = self.way_to(seed.index());
        let start = nodes.len() - 1;
        nodes.extend(self.way_back(seed)?);
        Some(self.path(&nodes, Some(start), problem.cycle()))
    }

    fn path(&self, nodes: &[usize], cycle: Option<usize>, wrong: Wrong) -> Path {
        let states = nodes.iter().map(|&node| self.states[node].clone()).collect();
        Path { states, runs: nodes.iter().map(|&node| self.runs[node]).collect(), cycle, wrong }
    }

    /// The nodes from the root to this one.
    fn way_to(&self, node: usize) -> Vec<usize> {
        let mut way = vec![node];
        while way[way.len() - 1] != 0 {
            way.push(self.parents[way[way.len() - 1]]);
        }
        way.reverse();
        way
    }

    /// The nodes of a shortest cycle through `seed`, after it and up to it again.
    fn way_back(&self, seed: NodeIndex) -> Option<Vec<usize>> {
        let mut over: FxHashMap<NodeIndex, NodeIndex> = FxHashMap::default();
        let mut queue = VecDeque::from([seed]);
        while let Some(node) = queue.pop_front() {
            for next in self.graph.neighbors(node) {
                if next == seed {
                    let mut way = vec![seed.index(), node.index()];
                    let mut at = node;
                    while at != seed {
                        at = over[&at];
                        way.push(at.index());
                    }
                    // the seed at the start belongs to the way there
                    way.pop();
                    way.reverse();
                    return Some(way);
                }
                over.entry(next).or_insert_with(|| {
                    queue.push_back(next);
                    node
                });
            }
        }
        None
    }
}
