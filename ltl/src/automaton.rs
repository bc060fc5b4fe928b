//! Automata as they go in and out: generalised Büchi automata with labels that anybody can evaluate.
//!
//! An edge carries a label over at most [`MAX_ATOMS`] atoms and a set of acceptance marks. A run is accepting if it sees
//! every one of the `sets` marks infinitely often (with no marks at all, every infinite run is accepting). A [`Buchi`]
//! is the special case that searches use: one kind of mark, and it sits on states.

/// Atoms are bits of a word.
pub const MAX_ATOMS: usize = 64;

/// Marks are bits of a word, too.
pub const MAX_MARKS: u32 = 64;

/// A state of an automaton: its position.
pub type State = usize;

/// A set of atoms, one bit each: in a letter of a word, those that are true.
pub type Atoms = u64;

/// A set of acceptance marks, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(pub u64);

impl Marks {
    /// The empty set.
    pub const NONE: Marks = Marks(0);

    /// The first `count` marks.
    pub fn all(count: u32) -> Marks {
        debug_assert!(count <= MAX_MARKS);
        Marks(if count == 0 { 0 } else { u64::MAX >> (MAX_MARKS - count) })
    }

    /// The set of one mark.
    pub fn one(mark: u32) -> Marks {
        Marks(1 << mark)
    }

    /// All of `other` are in it.
    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union.
    pub fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// The intersection.
    pub fn and(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    /// The numbers of its marks, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..MAX_MARKS).filter(move |&mark| self.0 >> mark & 1 == 1)
    }
}

/// A conjunction of literals. Without any it is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    /// The atoms that have to be true.
    pub positive: Atoms,
    /// The atoms that have to be false.
    pub negative: Atoms,
}

impl Cube {
    /// The cube without literals, which every letter satisfies.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// The atom, or its negation, alone.
    pub fn literal(atom: u32, positive: bool) -> Cube {
        if positive { Cube { positive: 1 << atom, negative: 0 } } else { Cube { positive: 0, negative: 1 << atom } }
    }

    /// The letter satisfies it.
    pub fn allows(self, letter: Atoms) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }

    /// No letter satisfies it.
    pub fn is_false(self) -> bool {
        self.positive & self.negative != 0
    }

    /// Both conjunctions together; false if they contradict each other.
    pub fn and(self, other: Cube) -> Cube {
        Cube { positive: self.positive | other.positive, negative: self.negative | other.negative }
    }
}

/// A disjunction of cubes. Without any it is false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub Vec<Cube>);

impl Label {
    /// The letter satisfies one of the cubes.
    pub fn allows(&self, letter: Atoms) -> bool {
        self.0.iter().any(|cube| cube.allows(letter))
    }

    /// One of its cubes has no literal. A label may be true without such a cube, too.
    pub fn is_true(&self) -> bool {
        self.0.contains(&Cube::TRUE)
    }
}

/// An edge: for the letters of `label`, to `target`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters for which it can be taken.
    pub label: Label,
    /// The state behind it.
    pub target: State,
    /// The marks that a run sees on it.
    pub marks: Marks,
}

/// A generalised Büchi automaton with marks on its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The names of the atoms; the position is the bit in a letter.
    pub atoms: Vec<String>,
    /// How many kinds of marks an accepting run sees infinitely often.
    pub sets: u32,
    /// Where runs start.
    pub initial: State,
    /// The edges of every state.
    pub states: Vec<Vec<Edge>>,
}

impl Automaton {
    /// All edges with the states that they leave, by state.
    pub fn edges(&self) -> impl Iterator<Item = (State, &Edge)> {
        self.states.iter().enumerate().flat_map(|(state, edges)| edges.iter().map(move |edge| (state, edge)))
    }
}

/// An edge of a [`Buchi`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The letters for which it can be taken.
    pub label: Label,
    /// The state behind it.
    pub target: State,
}

/// A state of a [`Buchi`]: a run that sees accepting ones infinitely often is accepting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Runs have to come here, or to another accepting state, infinitely often.
    pub accepting: bool,
    /// The edges that leave it.
    pub moves: Vec<Move>,
}

/// A Büchi automaton with acceptance on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The names of the atoms; the position is the bit in a letter.
    pub atoms: Vec<String>,
    /// Where runs start.
    pub initial: State,
    /// Every state, by its number.
    pub states: Vec<Place>,
}

impl Buchi {
    /// All edges with the states that they leave, by state.
    pub fn moves(&self) -> impl Iterator<Item = (State, &Move)> {
        self.states.iter().enumerate().flat_map(|(state, place)| place.moves.iter().map(move |each| (state, each)))
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.states.iter().map(|place| place.moves.len()).sum()
    }

    /// The same automaton with marks on edges: those that leave an accepting state.
    pub fn generalised(&self) -> Automaton {
        let edges = |place: &Place| {
            let marks = if place.accepting { Marks::one(0) } else { Marks::NONE };
            let edge = |each: &Move| Edge { label: each.label.clone(), target: each.target, marks };
            place.moves.iter().map(edge).collect()
        };
        let states = self.states.iter().map(edges).collect();
        Automaton { atoms: self.atoms.clone(), sets: 1, initial: self.initial, states }
    }
}
