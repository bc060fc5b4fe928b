//! Choices that were made before, by one worker.
//!
//! A choice depends on where the processes are, on which successors there are, and on the values of some conditions, which are asked for one
//! after the other. So what is remembered for a description of the former is a tree: inner nodes ask, leaves say what is kept.

use rustc_hash::FxHashMap;

/// A condition: a guard of a move of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub pid: u32,
    /// The number of the move in the profile of the process.
    pub number: u32,
    pub guard: u32,
}

/// What comes next in a tree.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// It was never asked for.
    Unknown,
    /// A condition decides; the nodes for false and true.
    Ask(Question, [u32; 2]),
    /// The successors that are kept, as bits that begin here; all of them if there are none.
    Keep(u32, u32),
}

/// Choices by description.
pub struct Choices {
    roots: FxHashMap<Box<[u64]>, u32>,
    nodes: Vec<Node>,
    bits: Vec<u64>,
    /// Words of the descriptions.
    size: usize,
    /// Words beyond which all choices are forgotten.
    most: usize,
    asked: u32,
    answered: u32,
    given_up: bool,
}

/// After so many questions it is seen whether remembering pays: one in `LEAST` must have been answered.
const TRIAL: u32 = 1 << 14;
const LEAST: u32 = 4;

impl Choices {
    /// No choices yet, and at most so many words of them.
    pub fn new(most: usize) -> Choices {
        let (roots, nodes, bits) = (FxHashMap::default(), Vec::new(), Vec::new());
        Choices { roots, nodes, bits, size: 0, most, asked: 0, answered: 0, given_up: false }
    }

    /// Without a memory.
    pub fn given_up() -> Choices {
        Choices { given_up: true, ..Choices::new(0) }
    }

    /// Forgets all of them.
    pub fn forget(&mut self) {
        self.roots.clear();
        self.nodes.clear();
        self.bits.clear();
        self.size = 0;
    }

    /// It does not pay to ask.
    pub fn have_given_up(&self) -> bool {
        self.given_up
    }

    /// The tree of a description.
    pub fn root(&self, description: &[u64]) -> Node {
        self.roots.get(description).map_or(Node::Unknown, |&root| self.nodes[root as usize])
    }

    /// A node of a tree.
    pub fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    /// Counts the end of a way through a tree: a choice, or nothing.
    pub fn count(&mut self, end: Node) {
        self.asked += 1;
        self.answered += matches!(end, Node::Keep(..)) as u32;
        if self.asked == TRIAL {
            self.given_up = self.answered < TRIAL / LEAST;
            (self.asked, self.answered) = (0, 0);
        }
    }

    /// The successors of a leaf.
    pub fn kept(&self, start: u32, end: u32) -> &[u64] {
        &self.bits[start as usize..end as usize]
    }

    /// Remembers which successors are kept, no bits for all of them, if these conditions have these values.
    pub fn remember(&mut self, description: &[u64], asked: &[(Question, bool)], kept: &[u64]) {
        if self.size + self.bits.len() + 3 * self.nodes.len() > self.most {
            self.forget();
        }
        let mut at = match self.roots.get(description) {
            Some(&root) => root,
            None => {
                let root = self.push(Node::Unknown);
                self.size += description.len() + 4;
                self.roots.insert(description.into(), root);
                root
            }
        };
        for &(question, value) in asked {
            if matches!(self.nodes[at as usize], Node::Unknown) {
                let next = [self.push(Node::Unknown), self.push(Node::Unknown)];
                self.nodes[at as usize] = Node::Ask(question, next);
            }
            match self.nodes[at as usize] {
                Node::Ask(known, next) if known == question => at = next[value as usize],
                // the same values lead to the same questions
                _ => return debug_assert!(false, "a choice depends on something else"),
            }
        }
        let start = self.bits.len() as u32;
        self.bits.extend_from_slice(kept);
        self.nodes[at as usize] = Node::Keep(start, self.bits.len() as u32);
    }

    fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }
}
