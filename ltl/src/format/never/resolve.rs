//! From the tree of a claim to an automaton: which control state each statement leads to.
//!
//! As SPIN has it (`pan -d` of 6.5.2 shows it): a condition, an `if` and a `do` are control states; a `goto` behind
//! something is none, it leads on at once, unless a label that begins with `accept` makes it one; a `goto` or `break`
//! that opens an option is a step for all letters.

use super::super::condition::Condition;
use super::super::cubes::{self, MAX_CUBES, Sense, TooMany};
use super::super::reading::Mistake;
use super::expression::{Expression, tidy};
use super::syntax::{Action, Branch, Claim, Guard, Plain, Step};
use crate::automaton::{Buchi, Label, MAX_ATOMS, Move, Place, State};
use std::collections::HashMap;

type Result<'a, T> = std::result::Result<T, Mistake<'a>>;

pub fn resolve<'a>(claim: &Claim<'a>) -> Result<'a, Buchi> {
    let mut builder = Builder::of(claim)?;
    let initial = builder.follow(0)?;
    for (index, step) in claim.steps.iter().enumerate() {
        if let Entry::At(state) = builder.entries[index] {
            let moves = builder.moves(index, step)?;
            builder.places[state].moves.extend(moves);
        }
    }
    Ok(Buchi { atoms: builder.atoms.names, initial, states: builder.places })
}

struct Builder<'a, 'c> {
    steps: &'c [Step<'a>],
    entries: Vec<Entry<'a>>,
    labels: HashMap<&'a str, usize>,
    atoms: Atoms,
    places: Vec<Place>,
    /// Where the claim has completed: made when something leads there.
    end: Option<State>,
}

/// What it means to come to a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry<'a> {
    At(State),
    /// A `goto` that leads on at once.
    Onward(&'a str),
}

/// Where the statements of an option lead if they do not say: positions of steps.
struct Exits {
    end: usize,
    /// Nothing to break out of in an `if`.
    broken: Option<usize>,
}

impl<'a, 'c> Builder<'a, 'c> {
    fn of(claim: &'c Claim<'a>) -> Result<'a, Builder<'a, 'c>> {
        let mut labels = HashMap::new();
        for (index, step) in claim.steps.iter().enumerate() {
            for label in &step.labels {
                if labels.insert(*label, index).is_some() {
                    return Err(Mistake::new(label, format!("the label `{label}` is defined twice")));
                }
            }
        }
        let mut builder = Builder {
            steps: &claim.steps,
            entries: Vec::new(),
            labels,
            atoms: Atoms::default(),
            places: Vec::new(),
            end: None,
        };
        builder.place_steps();
        Ok(builder)
    }

    fn place_steps(&mut self) {
        for step in self.steps {
            let accepting = step.labels.iter().any(|label| label.starts_with("accept"));
            let entry = match step.action {
                Action::Plain(Plain::Goto(label)) if !accepting => Entry::Onward(label),
                _ => Entry::At(self.place(accepting, Vec::new())),
            };
            self.entries.push(entry);
        }
        self.end = self.completed();
        self.end.into_iter().for_each(|end| self.places[end].accepting = true);
    }

    /// A last statement that does nothing is the completed claim itself, one step early.
    fn completed(&self) -> Option<State> {
        let idle = |guard: &Guard| guard.condition == Condition::Constant(true);
        match (self.entries.last()?, &self.steps.last()?.action) {
            (Entry::At(state), Action::Plain(Plain::When(guard))) if idle(guard) => Some(*state),
            _ => None,
        }
    }

    fn place(&mut self, accepting: bool, moves: Vec<Move>) -> State {
        self.places.push(Place { accepting, moves });
        self.places.len() - 1
    }

    fn end(&mut self) -> State {
        match self.end {
            Some(end) => end,
            None => {
                let end = self.places.len();
                self.end = Some(end);
                self.place(true, vec![Move { label: cubes::constant(true), target: end }])
            }
        }
    }

    /// The control state that a run is in when it comes to a step.
    fn follow(&mut self, mut index: usize) -> Result<'a, State> {
        let mut jumps = 0;
        loop {
            match self.entries.get(index) {
                None => return Ok(self.end()),
                Some(Entry::At(state)) => return Ok(*state),
                Some(Entry::Onward(label)) if jumps > self.steps.len() => {
                    return Err(Mistake::new(label, "this `goto` only leads back to itself"));
                }
                Some(Entry::Onward(label)) => index = self.find(label)?,
            }
            jumps += 1;
        }
    }

    fn find(&self, label: &'a str) -> Result<'a, usize> {
        let missing = || Mistake::new(label, format!("there is no label `{label}`"));
        self.labels.get(label).copied().ok_or_else(missing)
    }

    fn goto(&mut self, label: &'a str) -> Result<'a, State> {
        let index = self.find(label)?;
        self.follow(index)
    }

    fn moves(&mut self, index: usize, step: &Step<'a>) -> Result<'a, Vec<Move>> {
        let after = index + 1;
        match &step.action {
            Action::If(branches) => self.branches(branches, &Exits { end: after, broken: None }),
            Action::Do(branches) => self.branches(branches, &Exits { end: index, broken: Some(after) }),
            Action::Plain(plain) => {
                let label = self.guard(plain, &[])?;
                if label.0.is_empty() {
                    return Ok(Vec::new());
                }
                let target = match plain {
                    Plain::When(_) if self.end.map(Entry::At) == Some(self.entries[index]) => self.end(),
                    _ => self.lead(std::slice::from_ref(plain), &Exits { end: after, broken: None })?,
                };
                Ok(vec![Move { label, target }])
            }
        }
    }

    fn branches(&mut self, branches: &[Branch<'a>], exits: &Exits) -> Result<'a, Vec<Move>> {
        let mut moves = Vec::new();
        for branch in branches {
            let label = self.guard(&branch[0], branches)?;
            let target = self.lead(branch, exits)?;
            moves.extend(taken(label, target));
        }
        Ok(moves)
    }

    /// When the first statement of an option can be executed.
    fn guard(&mut self, first: &Plain<'a>, branches: &[Branch<'a>]) -> Result<'a, Label> {
        match first {
            Plain::When(guard) => self.label(&guard.condition, guard.at),
            Plain::Else(at) => self.label(&otherwise(branches), at),
            Plain::Goto(_) | Plain::Break(_) | Plain::Caught => Ok(cubes::constant(true)),
        }
    }

    /// The control state behind the first of these statements. What comes behind a jump is dead.
    fn lead(&mut self, statements: &[Plain<'a>], exits: &Exits) -> Result<'a, State> {
        let jumps = |plain: &Plain| matches!(plain, Plain::Goto(_) | Plain::Break(_) | Plain::Caught);
        let jump = statements.iter().position(jumps);
        let mut target = match jump.map(|at| &statements[at]) {
            Some(Plain::Goto(label)) => self.goto(label)?,
            Some(Plain::Break(at)) => match exits.broken {
                Some(broken) => self.follow(broken)?,
                None => return Err(Mistake::new(at, "there is no `do` around this `break`")),
            },
            Some(_) => self.end(),
            None => self.follow(exits.end)?,
        };
        let between = &statements[1..jump.unwrap_or(statements.len()).max(1)];
        for statement in between.iter().rev() {
            let label = self.guard(statement, &[])?;
            target = self.place(false, taken(label, target));
        }
        Ok(target)
    }

    fn label(&mut self, condition: &Expression<'a>, at: &'a str) -> Result<'a, Label> {
        let atoms = &mut self.atoms;
        let label =
            cubes::label(condition, Sense::Plain, &mut |text, sense| Ok(cubes::literal(atoms.number(text)?, sense)));
        label.map_err(|trouble| match trouble {
            Trouble::TooManyCubes => Mistake::new(at, format!("this condition needs more than {MAX_CUBES} cubes")),
            Trouble::Mistake(mistake) => mistake,
        })
    }
}

/// A condition that no letter satisfies is no move.
fn taken(label: Label, target: State) -> Vec<Move> {
    if label.0.is_empty() { Vec::new() } else { vec![Move { label, target }] }
}

/// None of the options can be taken.
fn otherwise<'a>(branches: &[Branch<'a>]) -> Expression<'a> {
    let guard = |branch: &Branch<'a>| match &branch[0] {
        Plain::When(guard) => Some(guard.condition.clone()),
        Plain::Else(_) => None,
        Plain::Goto(_) | Plain::Break(_) | Plain::Caught => Some(Condition::Constant(true)),
    };
    Condition::Or(branches.iter().filter_map(guard).collect()).negated()
}

#[derive(Default)]
struct Atoms {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Atoms {
    /// Atoms are numbered as they come.
    fn number<'a>(&mut self, text: &'a str) -> std::result::Result<usize, Trouble<'a>> {
        let name = tidy(text);
        if let Some(&number) = self.numbers.get(&name) {
            return Ok(number);
        }
        if self.names.len() == MAX_ATOMS {
            let message = format!("more than {MAX_ATOMS} atoms are not supported");
            return Err(Trouble::Mistake(Mistake::new(text, message)));
        }
        self.names.push(name.clone());
        self.numbers.insert(name, self.names.len() - 1);
        Ok(self.names.len() - 1)
    }
}

enum Trouble<'a> {
    TooManyCubes,
    Mistake(Mistake<'a>),
}

impl From<TooMany> for Trouble<'_> {
    fn from(_: TooMany) -> Self {
        Trouble::TooManyCubes
    }
}
