//! Whether a language cares how often a letter is repeated.
//!
//! A language is stutter-invariant if repeating letters of a word, or removing repetitions, never changes whether the word
//! is in it. Formulas without `X` always are. For the others: let sl(L) be the words of L with letters repeated at will;
//! L is stutter-invariant if and only if sl(L) and sl(complement of L) are disjoint (Michaud, Duret-Lutz, Practical
//! stutter-invariance checks for ω-regular languages, SPIN 2015).
//!
//! ```text
//! node: (state of A_φ, the letter it read last, state of A_¬φ, the letter it read last)
//! on a letter each of them takes an edge, or stays if that is the letter it read last;
//! an accepting cycle sees the marks of both, and both move on it
//! ```
//!
//! Differs from the paper: letters are told apart only as far as the labels of the two automata do.

use crate::automaton::{MAX_MARKS, Marks, State};
use crate::bdd::{self, Bdd, Bdds};
use crate::emptiness::accepts_something;
use crate::graph::{Arc, Graph};
use rustc_hash::FxHashMap;

/// Beyond this many nodes the answer is left open.
const MAX_NODES: usize = 100_000;

/// A state and the class of the letter that led there.
type Half = (State, Option<usize>);

/// The language of `graph`, whose complement is that of `negation`, is stutter-invariant; `None` if it is too much work to tell.
pub fn is_invariant(graph: &Graph, negation: &Graph, bdds: &mut Bdds) -> Option<bool> {
    if graph.sets + negation.sets + 2 > MAX_MARKS {
        return None;
    }
    let letters = letter_classes([graph, negation], bdds)?;
    let sides = [Side::new(graph, 0, &letters, bdds), Side::new(negation, graph.sets + 1, &letters, bdds)];
    let mut nodes: Vec<[Half; 2]> = vec![[(graph.initial, None), (negation.initial, None)]];
    let mut numbers = FxHashMap::from_iter([(nodes[0], 0)]);
    let mut arcs = Vec::new();
    let mut edges = 0;
    while let Some(&[left, right]) = nodes.get(arcs.len()) {
        let mut own = Vec::new();
        for letter in 0..letters.len() {
            for (next_left, marks_left) in sides[0].steps(left, letter) {
                for (next_right, marks_right) in sides[1].steps(right, letter) {
                    let node = [next_left, next_right];
                    let target = *numbers.entry(node).or_insert_with(|| {
                        nodes.push(node);
                        nodes.len() - 1
                    });
                    own.push(Arc { label: bdd::TRUE, target, marks: marks_left.with(marks_right) });
                }
            }
        }
        edges += own.len();
        arcs.push(own);
        if nodes.len() > MAX_NODES || !bdds.poll(edges * size_of::<Arc>()) {
            return None;
        }
    }
    Some(!accepts_something(&Graph { sets: graph.sets + negation.sets + 2, initial: 0, arcs }))
}

/// One of the two automata, letter by letter.
struct Side {
    /// By state and letter: targets and marks.
    moves: Vec<Vec<Vec<(State, Marks)>>>,
}

impl Side {
    /// Its marks, and one more for having moved, are numbered from `first` on.
    fn new(graph: &Graph, first: u32, letters: &[Bdd], bdds: &mut Bdds) -> Side {
        let moved = Marks::one(graph.sets);
        let mut by_letter = |arcs: &Vec<Arc>, letter: Bdd| {
            let possible = arcs.iter().filter(|arc| bdds.meet(arc.label, letter));
            possible.map(|arc| (arc.target, Marks(arc.marks.with(moved).0 << first))).collect()
        };
        let moves =
            graph.arcs.iter().map(|arcs| letters.iter().map(|&letter| by_letter(arcs, letter)).collect()).collect();
        Side { moves }
    }

    fn steps(&self, (state, last): Half, letter: usize) -> impl Iterator<Item = (Half, Marks)> {
        let stay = (last == Some(letter)).then_some(((state, last), Marks::NONE));
        let moves = self.moves[state][letter].iter().map(move |&(target, marks)| ((target, Some(letter)), marks));
        moves.chain(stay)
    }
}

/// The coarsest partition of the letters that tells all labels apart; `None` if it is very fine.
pub(crate) fn letter_classes<const N: usize>(graphs: [&Graph; N], bdds: &mut Bdds) -> Option<Vec<Bdd>> {
    const MAX_CLASSES: usize = 256;
    let mut classes = vec![bdd::TRUE];
    for arc in graphs.into_iter().flat_map(|graph| graph.arcs.iter().flatten()) {
        let halves = classes.iter().flat_map(|&class| [bdds.and(class, arc.label), bdds.minus(class, arc.label)]);
        classes = halves.filter(|&class| class != bdd::FALSE).collect();
        if classes.len() > MAX_CLASSES {
            return None;
        }
    }
    Some(classes)
}
