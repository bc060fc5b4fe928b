//! Sets of moves that are checked, for tests: the definition of a stubborn set is tried out along paths of moves outside the set
//! (see `outside`), and the set must be a function of the system's state alone, whoever asks, in whatever order and with whatever memory.
//!
//! As the checking wrapper for partial-order reduction of LTSmin (S. Blom, J. van de Pol, M. Weber 2010; A. Laarman et al. 2014).

mod moves;
mod outside;
mod show;

use super::{Choice, Chooser, Reduction};
use crate::program::code::Code;
use crate::system::{Batch, Interpreter, Observer, Step, System};
use moves::{Members, Move, Remembering, moves_of};
pub use outside::{Bounds, Figures, Flaw};
use outside::{MOST_MOVES, Outside};

/// Examines the sets that a reduction chooses.
pub struct Examiner<'e> {
    reduction: &'e Reduction<'e>,
    conditions: &'e [Code],
    bounds: Bounds,
    from: Remembering<'e>,
    chooser: Chooser,
    /// It remembers what was chosen before.
    remembering: Chooser,
    /// What was examined so far.
    pub figures: Figures,
}

/// What is kept of a state's moves: all, or those inside a set.
struct Chosen {
    set: Option<Members>,
    kept: Vec<Move>,
}

impl Chosen {
    fn keeps_like(&self, other: &Chosen) -> bool {
        self.kept.len() == other.kept.len() && self.kept.iter().all(|it| other.kept.contains(it))
    }
}

impl<'e> Examiner<'e> {
    /// For a reduction that watches these conditions.
    pub fn new(reduction: &'e Reduction<'e>, conditions: &'e [Code], bounds: Bounds) -> Examiner<'e> {
        let from = Remembering::new(Interpreter::new(reduction.program()));
        let (chooser, remembering) = (Chooser::forgetful(reduction), Chooser::new(reduction));
        Examiner { reduction, conditions, bounds, from, chooser, remembering, figures: Figures::default() }
    }

    /// The system whose states are examined.
    pub fn system(&self) -> &Interpreter<'e> {
        &self.from.system
    }

    /// Examines the set that is chosen in a state.
    pub fn examine(&mut self, state: &[u64]) -> Result<(), Flaw> {
        if self.from.moves(state).len() > MOST_MOVES {
            return Ok(());
        }
        self.figures.asked += 1;
        let chosen = self.choose(state);
        self.ask_otherwise(state, &chosen)?;
        self.compare_with_minimal(state, &chosen)?;
        let Some(set) = chosen.set else { return Ok(()) };
        self.figures.reduced += 1;
        let moves = self.from.moves(state);
        let is_inside = |it: &Move| it.begins_with().any(|member| set.contains(&member));
        if chosen.kept.is_empty() || chosen.kept.len() == moves.len() {
            return Err(self.flaw(state, "all or nothing is kept"));
        }
        if moves.iter().any(|it| is_inside(it) != chosen.kept.contains(it)) {
            return Err(self.flaw(state, "what is kept is not what begins inside the set"));
        }
        Outside::new(&mut self.from, &set, self.conditions, self.bounds).check(state, &mut self.figures)
    }

    /// Examines whether the same is chosen in a state of a product, whose successors are in the batch.
    pub fn examine_in_product(
        &mut self,
        state: &[u64],
        of_product: &[u64],
        batch: &Batch,
        observer: &mut Observer,
    ) -> Result<(), Flaw> {
        let own = self.choose(state);
        let all = moves_of(batch, 0);
        let plain = |it: &Move| own.kept.iter().any(|kept| kept.is_like(it));
        // a claim that fails is an entry, too, but no move
        let is_move = |number: &usize| batch.steps(&batch.entries[*number]).next() != Some(Step::STUTTER);
        let mut same = true;
        for chooser in [&mut self.chooser, &mut self.remembering] {
            let choice = chooser.choose(self.reduction, of_product, batch, 0, observer);
            let keeps = |number: usize| choice == Choice::All || chooser.keeps(number);
            let numbers = (0..batch.entries.len()).filter(is_move);
            same &= all.iter().zip(numbers).all(|(it, number)| keeps(number) == plain(it));
        }
        if same { Ok(()) } else { Err(self.flaw(state, "the claim's state makes a difference")) }
    }

    fn choose(&mut self, state: &[u64]) -> Chosen {
        let Examiner { reduction, from, chooser, .. } = self;
        chosen(chooser, reduction, from, state, Order::AsFound)
    }

    /// Counts how much larger the set is than one that cannot be made smaller, which is examined, too: it has less to spare.
    fn compare_with_minimal(&mut self, state: &[u64], chosen: &Chosen) -> Result<(), Flaw> {
        let Examiner { reduction, from, chooser, .. } = self;
        let batch = std::mem::take(from.expand(state));
        let minimal = chooser.minimal(reduction, state, &batch, &mut from.system.observer(&mut from.scratch));
        let Some(minimal) = minimal else { return Ok(()) };
        let (kept, least) = (chosen.kept.len() as u64, minimal.kept as u64);
        let is_reduced = minimal.kept < minimal.all;
        if is_reduced || chosen.set.is_some() {
            self.figures.kept += kept;
            self.figures.minimal += least;
            self.figures.larger += (kept > least) as u64;
        }
        if !is_reduced || kept == least {
            return Ok(());
        }
        let set: Members = minimal.members.into_iter().collect();
        let checked = Outside::new(&mut self.from, &set, self.conditions, self.bounds).check(state, &mut self.figures);
        checked.map_err(|flaw| Flaw(format!("a minimal set: {}", flaw.0)))
    }

    /// Asks a chooser that remembers, another one, and that in another order.
    fn ask_otherwise(&mut self, state: &[u64], expected: &Chosen) -> Result<(), Flaw> {
        for order in [Order::AsFound, Order::Reversed] {
            let mut fresh = Chooser::forgetful(self.reduction);
            let again = chosen(&mut fresh, self.reduction, &mut self.from, state, order);
            if !expected.keeps_like(&again) || again.set != expected.set {
                return Err(self.flaw(state, &format!("another chooser, {order:?}, keeps something else")));
            }
        }
        let Examiner { reduction, from, remembering, .. } = self;
        if !expected.keeps_like(&chosen(remembering, reduction, from, state, Order::AsFound)) {
            return Err(self.flaw(state, "what is remembered is something else"));
        }
        Ok(())
    }

    fn flaw(&mut self, state: &[u64], what: &str) -> Flaw {
        let kept = self.choose(state).kept;
        let program = self.reduction.program();
        Flaw(format!(
            "{what}\nkept:\n{}state:\n{}",
            show::list(program, kept.iter()),
            show::state(&self.from.system, state)
        ))
    }
}

/// In which order a chooser is shown the successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    AsFound,
    Reversed,
}

fn chosen(chooser: &mut Chooser, reduction: &Reduction, from: &mut Remembering, state: &[u64], order: Order) -> Chosen {
    let mut batch = std::mem::take(from.expand(state));
    if order == Order::Reversed {
        batch.entries.reverse();
    }
    let choice = chooser.choose(reduction, state, &batch, 0, &mut from.system.observer(&mut from.scratch));
    let set = (choice == Choice::Some).then(|| chooser.members()).flatten().map(Iterator::collect);
    let moves = moves_of(&batch, 0).into_iter().enumerate();
    let kept = moves.filter(|(number, _)| choice == Choice::All || chooser.keeps(*number)).map(|(_, it)| it).collect();
    Chosen { set, kept }
}
