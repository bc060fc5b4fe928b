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
    pub const NONE: Marks = Marks(0);

    /// The first `count` marks.
    pub fn all(count: u32) -> Marks {
        debug_assert!(count <= MAX_MARKS);
        Marks(if count == 0 { 0 } else { u64::MAX >> (MAX_MARKS - count) })
    }

    pub fn one(mark: u32) -> Marks {
        Marks(1 << mark)
    }

    pub fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    pub fn and(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..MAX_MARKS).filter(move |&mark| self.0 >> mark & 1 == 1)
    }
}

/// A conjunction of literals. Without any it is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cube {
    pub positive: Atoms,
    pub negative: Atoms,
}

impl Cube {
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    pub fn literal(atom: u32, positive: bool) -> Cube {
        if positive { Cube { positive: 1 << atom, negative: 0 } } else { Cube { positive: 0, negative: 1 << atom } }
    }

    pub fn allows(self, letter: Atoms) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }

    /// No letter satisfies it.
    pub fn is_false(self) -> bool {
        self.positive & self.negative != 0
    }

    pub fn and(self, other: Cube) -> Cube {
        Cube { positive: self.positive | other.positive, negative: self.negative | other.negative }
    }
}

/// A disjunction of cubes. Without any it is false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub Vec<Cube>);

impl Label {
    pub fn allows(&self, letter: Atoms) -> bool {
        self.0.iter().any(|cube| cube.allows(letter))
    }

    /// It says so in so many words: one of its cubes has no literal.
    pub fn is_true(&self) -> bool {
        self.0.contains(&Cube::TRUE)
    }
}

/// An edge: for the letters of `label`, to `target`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub label: Label,
    pub target: State,
    pub marks: Marks,
}

/// A generalised Büchi automaton with marks on its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The names of the atoms; the position is the bit in a letter.
    pub atoms: Vec<String>,
    /// How many kinds of marks an accepting run sees infinitely often.
    pub sets: u32,
    pub initial: State,
    /// The edges of every state.
    pub states: Vec<Vec<Edge>>,
}

impl Automaton {
    pub fn edges(&self) -> impl Iterator<Item = (State, &Edge)> {
        self.states.iter().enumerate().flat_map(|(state, edges)| edges.iter().map(move |edge| (state, edge)))
    }
}

/// An edge of a [`Buchi`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub label: Label,
    pub target: State,
}

/// A state of a [`Buchi`]: a run that sees accepting ones infinitely often is accepting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub accepting: bool,
    pub moves: Vec<Move>,
}

/// A Büchi automaton with acceptance on states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    pub atoms: Vec<String>,
    pub initial: State,
    pub states: Vec<Place>,
}

impl Buchi {
    pub fn moves(&self) -> impl Iterator<Item = (State, &Move)> {
        self.states.iter().enumerate().flat_map(|(state, place)| place.moves.iter().map(move |each| (state, each)))
    }

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
