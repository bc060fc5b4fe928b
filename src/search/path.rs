//! A run that was found: its states, and what is wrong with it.

use super::problem::{Problem, Wrong};
use super::walk::walker::{View, Walker, Watch};
use super::walk::{Found, FoundKind};
use super::witness::{Witness, along, bad_prefix, lasso};
use super::{Finding, Violation};
use crate::store::{Own, StateId, Store, Visited, hash};
use crate::system::{Batch, Grace, Run, Step, System};
use rustc_hash::FxHashSet;

/// How often the moves of a cycle are taken at most, until it closes.
const ROUNDS: usize = 5;

/// States from the initial one on; the last one is where something is wrong or, of a cycle, the one at its start again.
#[derive(Clone, Debug)]
pub struct Path {
    pub states: Vec<Vec<u64>>,
    /// Whether the run has ended there, as far as the state does not tell.
    pub runs: Vec<Run>,
    /// Where the cycle starts.
    pub cycle: Option<usize>,
    pub wrong: Wrong,
}

impl Path {
    /// Walks along the choices; `None` if they do not lead to what they are said to lead to.
    pub fn of<S: System>(problem: &Problem<S>, found: &Found) -> Option<Path> {
        let mut walker = Walker::new(problem, Watch::Nothing).ok()?;
        let (mut states, mut runs) = (vec![walker.place.state.clone()], vec![walker.place.run]);
        for &choice in &found.choices {
            walker.look();
            walker.take(walker.option(choice)?);
            states.push(walker.place.state.clone());
            runs.push(walker.place.run);
        }
        let (cycle, wrong) = match &found.kind {
            FoundKind::Wrong(wrong) => (None, wrong.clone()),
            FoundKind::Cycle(start) => (Some(*start), problem.cycle()),
        };
        let path = Path { states, runs, cycle, wrong };
        path.is_closed(problem).then_some(path)
    }

    /// Walks along the steps of a finding; `None` if they do not lead to what it is said to show.
    pub fn along<S: System>(problem: &Problem<S>, finding: &Finding) -> Option<Path> {
        let Witness { steps, cycle, sights } = &finding.witness;
        let mut walker = Walker::new(problem, Watch::Nothing).ok()?;
        let mut choices = Vec::new();
        let moves = sights.len();
        // a cycle may start with moves of the claim alone; and it may close later where rounds are counted than elsewhere
        let first = cycle.and_then(|cycle| sights.iter().position(|&(start, _)| start == cycle));
        let again = std::iter::repeat_n(first.unwrap_or(moves)..moves, ROUNDS).flatten();
        let mut numbers = (0..moves).chain(again);
        loop {
            let wrong = match walker.look() {
                View::Wrong(wrong) => Some(wrong),
                _ => None,
            };
            if let Some(wrong) = wrong.filter(|wrong| cycle.is_none() && wrong.violation == finding.violation) {
                return Path::of(problem, &Found::new(choices, wrong));
            }
            let Some(number) = numbers.next() else { break };
            let (start, claim) = sights[number];
            let end = sights.get(number + 1).map_or(steps.len(), |&(next, _)| next);
            // a claim that has seen enough has done so before the last move, which is not told; a step that fails comes after it
            let is_last = cycle.is_none() && number + 1 == moves;
            let is_untold = finding.violation == Violation::ClaimCompleted && is_last;
            let option = (0..walker.options()).find(|&option| {
                let mut told = walker.steps(option).filter(|&step| step != Step::STUTTER);
                let mut wanted = steps[start..end].iter().copied();
                let is_told = told.all(|step| wanted.next() == Some(step)) && (is_last || wanted.next().is_none());
                problem.system.claim_state(walker.state(option)) == claim && (is_untold || is_told)
            })?;
            choices.push(walker.choice(option));
            walker.take(option);
            if let Some(start) = first.filter(|_| number + 1 == moves)
                && let Some(path) = Path::closed(problem, &choices, start)
            {
                return Some(path);
            }
        }
        None
    }

    /// A path that leads back to where it was, at `first` or later, by an accepting cycle.
    fn closed<S: System>(problem: &Problem<S>, choices: &[u32], first: usize) -> Option<Path> {
        let Path { states, runs, wrong, .. } = Path::of(problem, &Found::new(choices.to_vec(), problem.cycle()))?;
        let mut scratch = problem.system.scratch();
        let last = choices.len();
        let start = (first..last).find(|&start| {
            same(&states[start], &states[last], problem.system.hidden_words())
                && runs[start] == runs[last]
                && (problem.closes(&states[last - 1], &states[last])
                    || states[start..last].iter().any(|state| problem.system.is_accepting(state, &mut scratch)))
        });
        start.map(|start| Path { states, runs, cycle: Some(start), wrong })
    }

    /// The cycle, if there is one, leads back to its start.
    fn is_closed<S: System>(&self, problem: &Problem<S>) -> bool {
        let same = |a: &[u64], b: &[u64]| same(a, b, problem.system.hidden_words());
        let last = self.states.len() - 1;
        self.cycle.is_none_or(|start| {
            start < last && same(&self.states[start], &self.states[last]) && self.runs[start] == self.runs[last]
        })
    }

    /// What tells the violation at its end from others.
    pub fn identity<S: System>(&self, problem: &Problem<S>) -> (Violation, &str, u64) {
        let last = &self.states[self.states.len() - 1];
        self.wrong.identity(hash(last, problem.system.hidden_words()))
    }

    /// Its length in steps, as SPIN counts them.
    pub fn length<S: System>(&self, problem: &Problem<S>) -> Option<usize> {
        self.finding(problem).map(|finding| finding.witness.length())
    }

    /// The transitions that are taken on it, and by whom.
    pub fn movers<S: System>(&self, problem: &Problem<S>) -> Option<FxHashSet<(u32, u32)>> {
        let finding = self.finding(problem)?;
        Some(finding.witness.steps.into_iter().flat_map(Step::movers).collect())
    }

    /// The processes that move on it.
    pub fn processes<S: System>(&self, problem: &Problem<S>) -> Option<Vec<u32>> {
        let mut processes: Vec<u32> = self.movers(problem)?.into_iter().map(|(pid, _)| pid).collect();
        processes.sort_unstable();
        processes.dedup();
        Some(processes)
    }

    /// The finding with its steps; `None` if there is no memory for it, or no time.
    pub fn finding<S: System>(&self, problem: &Problem<S>) -> Option<Finding> {
        let system = &problem.system;
        let mut scratch = system.scratch();
        system.set_grace(Grace::Granted, &mut scratch);
        // hidden words count here: they are those of this path
        let mut store = Store::new(0, system.cutoff())?;
        let mut ids: Vec<StateId> = Vec::new();
        for state in &self.states {
            ids.push(store.insert(state, store.hash(state), 0).ok()?.id);
        }
        let witness = match (self.cycle, self.wrong.step) {
            (Some(start), _) => lasso(system, &store, &ids, start, &mut scratch),
            (None, Some(step)) => {
                let mut batch = Batch::default();
                let last = self.states.len() - 1;
                system.successors(&self.states[last], self.runs[last], &mut scratch, &mut batch, |_| {});
                let entry = batch.entries.get(step.entry)?;
                along(system, &store, &ids, batch.steps(entry), &mut scratch)
            }
            (None, None) if self.wrong.violation == Violation::ClaimCompleted => {
                bad_prefix(system, &store, &ids, &mut scratch)
            }
            (None, None) => along(system, &store, &ids, std::iter::empty(), &mut scratch),
        };
        Some(Finding { violation: self.wrong.violation, message: self.wrong.message.clone(), witness: witness? })
    }
}

/// Two states are the same, but for hidden words.
pub fn same(a: &[u64], b: &[u64], hidden: usize) -> bool {
    a.len() == b.len() && a[0] == b[0] && a[1 + hidden..] == b[1 + hidden..]
}
