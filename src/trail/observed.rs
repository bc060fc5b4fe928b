//! A run as a claim sees it, re-executed: which conditions hold where, and whether the run is what it is said to be.
//!
//! A search finds a run in the product. Here it is judged again, on the states of the replay: the claim must be able to
//! make the moves it is said to have made and to see accepting states forever; and the word that the run spells must
//! violate the formula by the formula's definition, without any automaton.

use super::follow::{Ending, Moment, Replayed};
use crate::program::Program;
use crate::program::formula::Formula;
use crate::property::Claim;
use crate::property::claim::ClaimState;
use crate::search::Witness;
use crate::system::observe::Moves;
use crate::system::{Interpreter, Run, Scratch, System};
use ltl::formula::Formulas;
use ltl::word::Lasso;

/// What a claim sees in one state, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where the claim is before it has looked.
    pub before: ClaimState,
    /// Where it goes.
    pub after: ClaimState,
    /// The conditions that hold, as bits.
    pub truths: u64,
}

/// A claim that watches a run while it is followed.
pub struct Observed<'o> {
    claim: &'o Claim,
    witness: &'o Witness,
    system: Interpreter<'o>,
    scratch: Scratch,
    /// How many steps have been seen.
    steps: usize,
    /// One for each sight of the witness so far; `None` where the claim could not have moved like that.
    views: Vec<Option<View>>,
    /// Some process was at an acceptance label.
    labels: Vec<bool>,
}

impl<'o> Observed<'o> {
    /// For a witness that is to be followed from its start.
    pub fn new(program: &'o Program, claim: &'o Claim, witness: &'o Witness) -> Observed<'o> {
        let system = Interpreter::new(program);
        let scratch = system.scratch();
        Observed { claim, witness, system, scratch, steps: 0, views: Vec::new(), labels: Vec::new() }
    }

    /// Looks at the state before a step, if it is one that the claim sees.
    pub fn see(&mut self, moment: &Moment) -> Option<View> {
        let seen = self.next_is(self.steps).then(|| self.look(moment.before, Run::GoesOn)).flatten();
        self.steps += 1;
        seen
    }

    /// Looks at the last state, for as long as the claim does.
    pub fn end(&mut self, state: &[u64]) {
        let mut run = Run::GoesOn;
        while self.next_is(self.steps) {
            self.look(state, run);
            run = Run::Ended;
        }
    }

    fn next_is(&self, step: usize) -> bool {
        self.witness.sights.get(self.views.len()).is_some_and(|&(at, _)| at == step)
    }

    fn look(&mut self, state: &[u64], run: Run) -> Option<View> {
        let number = self.views.len();
        let (before, after) = (self.claim_before(number), self.witness.sights[number].1);
        let mut state = state.to_vec();
        let atoms = self.claim.atoms().iter().map(|atom| &atom.code);
        let mut observer = self.system.observer(&mut self.scratch);
        let truths = observer.truths(&mut state, run, atoms);
        let mut moves = Moves::default();
        self.claim.moves(&mut observer, &mut state, run, before, &mut moves);
        let mut possible = moves.targets.contains(&after);
        if self.claim.is_never() && !possible {
            // where a run ends, a never claim looks twice before its state counts
            for between in std::mem::take(&mut moves.targets) {
                self.claim.moves(&mut observer, &mut state, Run::Ended, between, &mut moves);
                possible |= moves.targets.contains(&after);
            }
        }
        let view = truths.ok().filter(|_| possible).map(|truths| View { before, after, truths });
        self.views.push(view.clone());
        self.labels.push(observer.at_accept_label(&state));
        view
    }

    /// The claim's state before it looks for the `number`th time.
    fn claim_before(&self, number: usize) -> ClaimState {
        number.checked_sub(1).map_or(self.claim.initial(), |last| self.witness.sights[last].1)
    }

    /// The run ends in an accepting cycle of the claim, and violates the formula.
    pub fn is_violation(&self, replayed: &Replayed, formula: Option<&Formula>) -> bool {
        let Some(views) = self.views.iter().cloned().collect::<Option<Vec<View>>>() else { return false };
        let last = self.claim_before(views.len());
        let starts: Vec<usize> = match self.witness.cycle {
            // a bad prefix: whatever follows, for example its last state forever
            None if self.claim.is_completed(last) || self.claim.is_terminal() && self.claim.is_accepting(last) => {
                vec![views.len().saturating_sub(1)]
            }
            Some(cycle) if matches!(replayed.ending, Ending::Cycle | Ending::Repeats) => {
                let closed = |&start: &usize| {
                    let own = views[start..].iter().zip(&self.labels[start..]);
                    self.witness.sights[start].0 == cycle
                        && views[start].before == last
                        && own.into_iter().any(|(view, &label)| label || self.claim.is_accepting(view.before))
                };
                (0..views.len()).filter(closed).take(1).collect()
            }
            _ => Vec::new(),
        };
        let Some(&start) = starts.first() else { return false };
        let letters: Vec<u64> = views.iter().map(|view| view.truths).collect();
        formula.is_none_or(|formula| violates(formula, &letters, start))
    }

    /// The claim itself fails in the last state, with this message.
    pub fn claim_fails(&mut self, state: &[u64], message: &str) -> bool {
        let before = self.claim_before(self.views.len());
        let mut moves = Moves::default();
        for run in [Run::GoesOn, Run::Ended] {
            let mut observer = self.system.observer(&mut self.scratch);
            self.claim.moves(&mut observer, &mut state.to_vec(), run, before, &mut moves);
            if moves.faults.iter().any(|fault| fault.to_string() == message) {
                return true;
            }
        }
        false
    }
}

/// The word violates the formula; without letters (a formula that nothing satisfies) every word does.
fn violates(formula: &Formula, letters: &[u64], start: usize) -> bool {
    let mut formulas = Formulas::new();
    formula.atoms.iter().for_each(|atom| _ = formulas.atom(&atom.text));
    let property = formulas.intern(&formula.expr);
    let (prefix, cycle) = letters.split_at(start.min(letters.len()));
    let cycle = if cycle.is_empty() { vec![0] } else { cycle.to_vec() };
    !Lasso { prefix: prefix.to_vec(), cycle }.satisfies(&formulas, property)
}
