//! The one walk loop: from state to state, by choices.
//!
//! A walker expands the state it is in, sees all successors, and takes one of them. Where it is, is a sequence of choices
//! from the initial state: that is what ants, genes and random walks have in common, and all that a trail needs. It
//! stores no states but the one it is in; of those on its path it keeps the hashes, to see when it turns in a circle.
//!
//! Beside a search by many threads it may ask which successors these have explored, without finding anything. Every second walk
//! goes elsewhere if it can; the others do as ever, for the way to a violation may lead through what is explored.
//!
//! In a reduced graph it sees some of the successors only ([`Selection`]); what fails, it sees all the same.

use super::Found;
use super::order::Order;
use super::selection::{Crossroads, LooksFor, Selection};
use crate::program::code::Action;
use crate::search::problem::{Problem, Wrong, faults_in};
use crate::store::{Explored, hash};
use crate::system::{Batch, Fault, Outcome, Run, Step, System};
use rustc_hash::FxHashMap;

/// Where a walker is, and how it came there.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub state: Vec<u64>,
    /// Whether the run has ended, as far as the state does not tell.
    pub run: Run,
    /// Which of all successors were taken, from the initial state on, even if only some could be chosen.
    pub choices: Vec<u32>,
    /// Of the states on the way, this one included.
    pub hashes: Vec<u64>,
    /// The last accepting state among them.
    pub accepting: Option<usize>,
}

impl Place {
    pub fn depth(&self) -> usize {
        self.choices.len()
    }

    /// Makes this a copy of another one, in the memory that it has.
    fn become_like(&mut self, other: &Place) {
        let Place { state, run, choices, hashes, accepting } = other;
        self.state.clone_from(state);
        self.choices.clone_from(choices);
        self.hashes.clone_from(hashes);
        (self.run, self.accepting) = (*run, *accepting);
    }

    pub fn hash(&self) -> u64 {
        self.hashes.last().copied().unwrap_or(0)
    }
}

/// What a walker sees around it.
#[derive(Debug, PartialEq, Eq)]
pub enum View {
    /// This many successors; without any, the walk is over.
    Successors(usize),
    /// A violation.
    Wrong(Wrong),
    /// This successor has been on the path before, at this depth, and the cycle is accepting.
    Cycle { option: usize, start: usize },
}

/// What a walker remembers of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watch {
    Nothing,
    /// Where it has been, and whether that was accepting.
    Path,
    /// The same, and it tells when it can close an accepting cycle.
    Cycles,
}

/// What lies behind a state.
#[derive(Default)]
struct Around {
    batch: Batch,
    /// The entries of the batch that can be chosen, and their hashes.
    options: Vec<(u32, u64)>,
    /// How many there are in the whole graph.
    successors: usize,
}

pub struct Walker<'w, S: System> {
    pub problem: &'w Problem<'w, S>,
    pub scratch: S::Scratch,
    /// Of the current state.
    around: Around,
    /// Of the initial state, where most walks start, while the current state is another one; else nothing of interest.
    other: Around,
    at_opening: bool,
    opening_known: bool,
    pub place: Place,
    initial: Vec<u64>,
    /// Where each hash is on the path.
    seen: FxHashMap<u64, u32>,
    watch: Watch,
    /// The processes that may move; without it, all.
    awake: Option<Vec<u32>>,
    /// Where only some orders of independent steps are walked.
    selection: Option<Selection<'w>>,
    /// What others have explored, and whether this walk keeps off it.
    explored: Option<Explored>,
    keeps_off: bool,
    /// Expanded states.
    pub looks: u64,
    /// Successors that were produced, and 1 for each look.
    pub effort: u64,
    /// The longest path so far, and the words of the largest expansion.
    pub deepest: usize,
    widest: usize,
}

/// The hash of a state; it is another one if the run has ended there, and the state does not tell.
fn hash_in(state: &[u64], hidden: usize, run: Run) -> u64 {
    const ENDED: u64 = 0x9e37_79b9_7f4a_7c15;
    hash(state, hidden) ^ if run == Run::Ended { ENDED } else { 0 }
}

impl<'w, S: System> Walker<'w, S> {
    /// A walker in the initial state; an error is what goes wrong there.
    pub fn new(problem: &'w Problem<'w, S>, watch: Watch) -> Result<Self, Fault> {
        let mut scratch = problem.system.scratch();
        let initial = problem.system.initial(&mut scratch)?;
        let mut walker = Walker {
            problem,
            scratch,
            around: Around::default(),
            other: Around::default(),
            at_opening: false,
            opening_known: false,
            place: Place::default(),
            initial,
            seen: FxHashMap::default(),
            watch,
            awake: None,
            selection: None,
            explored: None,
            keeps_off: false,
            looks: 0,
            effort: 0,
            deepest: 0,
            widest: 0,
        };
        walker.restart();
        Ok(walker)
    }

    /// The same where only some processes move.
    pub fn with_awake(self, awake: Vec<u32>) -> Self {
        Walker { awake: Some(awake), ..self }
    }

    /// Another walker for the same problem; none if there is no first state any more.
    pub fn another(&self) -> Option<Self> {
        let walker = Walker::new(self.problem, self.watch).ok()?;
        let selection = self.selection.as_ref().map(Selection::another);
        Some(Walker { awake: self.awake.clone(), selection, ..walker.beside(self.explored.clone()) })
    }

    /// The same in the graph that the problem's reduction leaves, if it has one. The walker must remember its path.
    pub fn reduced(self) -> Self {
        let reduction = self.problem.reduction.as_ref().filter(|_| self.watch > Watch::Nothing);
        Walker { selection: reduction.map(Selection::new), ..self }
    }

    /// It walks in a reduced graph.
    pub fn is_reduced(&self) -> bool {
        self.selection.is_some()
    }

    /// The same where others explore.
    pub fn beside(self, explored: Option<Explored>) -> Self {
        Walker { explored, ..self }
    }

    /// Back to the initial state.
    pub fn restart(&mut self) {
        let place = &mut self.place;
        place.state.clone_from(&self.initial);
        place.run = Run::GoesOn;
        place.choices.clear();
        place.hashes.clear();
        place.accepting = None;
        self.seen.clear();
        self.keeps_off = !self.keeps_off;
        self.arrive();
    }

    /// On from a place where some walker has been.
    pub fn start_at(&mut self, place: &Place) {
        self.place.become_like(place);
        self.seen.clear();
        self.keeps_off = !self.keeps_off;
        if self.watch > Watch::Nothing {
            self.seen.extend(place.hashes.iter().enumerate().map(|(depth, &hash)| (hash, depth as u32)));
        }
    }

    /// Notes the state it has come to.
    fn arrive(&mut self) {
        let place = &mut self.place;
        let hash = hash_in(&place.state, self.problem.system.hidden_words(), place.run);
        place.hashes.push(hash);
        if self.watch > Watch::Nothing {
            let depth = place.choices.len();
            self.seen.insert(hash, depth as u32);
            if self.problem.system.is_accepting(&place.state, &mut self.scratch) {
                place.accepting = Some(depth);
            }
        }
        self.deepest = self.deepest.max(place.choices.len());
    }

    /// Expands the current state.
    pub fn look(&mut self) -> View {
        self.looks += 1;
        self.effort += 1;
        let at_opening = self.place.choices.is_empty();
        if at_opening != self.at_opening {
            std::mem::swap(&mut self.around, &mut self.other);
            self.at_opening = at_opening;
        }
        if !at_opening || !self.opening_known {
            self.expand();
            self.effort += self.around.batch.entries.len() as u64;
            self.opening_known |= at_opening;
        }
        if let Some(wrong) = self.problem.wrong(&self.place.state, &self.around.batch, &mut self.scratch) {
            return View::Wrong(wrong);
        }
        if self.watch == Watch::Cycles
            && let Some((option, start)) = self.accepting_cycle()
        {
            return View::Cycle { option, start };
        }
        View::Successors(self.options())
    }

    fn expand(&mut self) {
        let Walker { problem, scratch, around, place, awake, selection, seen, .. } = self;
        let Around { batch, options, successors } = around;
        batch.clear();
        options.clear();
        problem.system.successors(&place.state, place.run, scratch, batch, |_| {});
        self.widest = self.widest.max(batch.words.len());
        let hidden = problem.system.hidden_words();
        for (number, entry) in batch.entries.iter().enumerate() {
            let sleeps = |pid: u32| awake.as_ref().is_some_and(|awake| !awake.contains(&pid));
            let is_asleep = || batch.steps(entry).flat_map(Step::movers).any(|(pid, _)| sleeps(pid));
            if entry.outcome == Outcome::State && !(awake.is_some() && is_asleep()) {
                let run = problem.system.run_after(place.run, entry.step);
                let hash = hash_in(batch.state(entry), hidden, run);
                options.push((number as u32, hash));
            }
        }
        *successors = options.len();
        if let Some(selection) = selection {
            let looks_for = if problem.claim.is_some() { LooksFor::Cycles } else { LooksFor::States };
            let at = Crossroads { state: &place.state, hash: place.hash(), looks_for };
            let observer = &mut problem.system.observer(scratch);
            selection.narrow(at, batch, observer, |hash| seen.contains_key(&hash), options);
        }
    }

    /// A successor that closes an accepting cycle with the path.
    fn accepting_cycle(&self) -> Option<(usize, usize)> {
        let Walker { problem, around: Around { batch, options, .. }, place, seen, .. } = self;
        options.iter().enumerate().find_map(|(option, (number, hash))| {
            let start = *seen.get(hash)? as usize;
            let through_accepting = place.accepting.is_some_and(|last| last >= start);
            let target = batch.state(&batch.entries[*number as usize]);
            (through_accepting || problem.closes(&place.state, target)).then_some((option, start))
        })
    }

    /// The steps from the current state that fail.
    pub fn faults(&self) -> impl Iterator<Item = Wrong> + '_ {
        faults_in(&self.around.batch, self.problem.checks)
    }

    /// The hash of a successor.
    pub fn hash(&self, option: usize) -> u64 {
        self.around.options[option].1
    }

    /// The successor has been on the path before.
    pub fn is_on_path(&self, option: usize) -> bool {
        self.seen.contains_key(&self.around.options[option].1)
    }

    /// Calls `choose` with whether others have explored a successor; `None` on a walk that does not ask.
    pub fn knowing<T>(&self, choose: impl FnOnce(&dyn Fn(usize) -> bool) -> T) -> Option<T> {
        let explored = self.explored.as_ref().filter(|_| self.keeps_off)?;
        explored.ask(|reader| choose(&|option| reader.contains(self.state(option), self.hash(option))))
    }

    /// This successor or, on a walk that keeps off what others have explored, the next one that they have not.
    pub fn unexplored(&self, option: usize) -> usize {
        let mut options = (option..self.options()).chain(0..option);
        self.knowing(|is_explored| options.find(|&option| !is_explored(option))).flatten().unwrap_or(option)
    }

    /// The process that comes first among those that can move to a state that is not on the path.
    pub fn first(&self, order: Order) -> Option<u32> {
        let new = (0..self.options()).filter(|&option| !self.is_on_path(option));
        new.map(|option| self.mover(option)).max_by_key(|&pid| order.rank(pid))
    }

    /// The process that moves to a successor.
    pub fn mover(&self, option: usize) -> u32 {
        self.steps(option).next().map_or(0, |step| step.pid)
    }

    /// What stands for a successor in the choices of a place.
    pub fn choice(&self, option: usize) -> u32 {
        self.around.options[option].0
    }

    /// The successor that such a choice stands for.
    pub fn option(&self, choice: u32) -> Option<usize> {
        self.around.options.iter().position(|&(entry, _)| entry == choice)
    }

    /// A cycle that is closed by going to a successor.
    pub fn closed(&self, option: usize, start: usize) -> Found {
        Found::cycle(&self.place, self.choice(option), start)
    }

    /// How many successors there are.
    pub fn options(&self) -> usize {
        self.around.options.len()
    }

    /// How many there would be in the whole graph: what is left out is possible all the same.
    pub fn successors(&self) -> usize {
        self.around.successors
    }

    /// The steps to a successor.
    pub fn steps(&self, option: usize) -> impl Iterator<Item = Step> + '_ {
        self.around.batch.steps(&self.around.batch.entries[self.around.options[option].0 as usize])
    }

    /// How many steps that is, as SPIN counts them.
    pub fn length(&self, option: usize) -> usize {
        self.steps(option).map(|step| step.length()).sum()
    }

    /// The state of a successor.
    pub fn state(&self, option: usize) -> &[u64] {
        self.around.batch.state(&self.around.batch.entries[self.around.options[option].0 as usize])
    }

    /// How many messages are sent or received on the way to a successor.
    pub fn messages(&self, option: usize) -> usize {
        self.statements(option, |action| matches!(action, Action::Send(_) | Action::Receive(_)))
    }

    /// How many assertions are evaluated on the way to a successor.
    pub fn assertions(&self, option: usize) -> usize {
        self.statements(option, |action| matches!(action, Action::Assert(..)))
    }

    fn statements(&self, option: usize, wanted: impl Fn(&Action) -> bool) -> usize {
        let transitions = &self.problem.system.program().transitions;
        let actions = self.steps(option).filter_map(|step| transitions.get(step.transition as usize));
        actions.filter(|transition| wanted(&transition.action)).count()
    }

    /// Calls `judge` with a successor and the scratch memory.
    pub fn judged<T>(&mut self, option: usize, judge: impl FnOnce(&S, &mut [u64], &mut S::Scratch) -> T) -> T {
        let number = self.around.options[option].0 as usize;
        judge(&self.problem.system, self.around.batch.state_mut(number), &mut self.scratch)
    }

    /// How many processes take part in some successor of the current state, in the whole graph.
    pub fn moving_processes(&self) -> usize {
        let mut pids: [u64; 16] = [0; 16];
        let mut others = 0;
        let states = self.around.batch.entries.iter().filter(|entry| entry.outcome == Outcome::State);
        for entry in states {
            let Some(step) = self.around.batch.steps(entry).next() else { continue };
            for pid in [Some(step.pid), step.receiver.map(|receiver| receiver.pid)].into_iter().flatten() {
                match pids.get_mut(pid as usize / 64) {
                    Some(word) => *word |= 1 << (pid % 64),
                    None => others = 1,
                }
            }
        }
        pids.iter().map(|word| word.count_ones() as usize).sum::<usize>() + others
    }

    /// Goes to a successor.
    pub fn take(&mut self, option: usize) {
        let number = self.around.options[option].0;
        let entry = &self.around.batch.entries[number as usize];
        self.place.run = self.problem.system.run_after(self.place.run, entry.step);
        self.place.state.clear();
        self.place.state.extend_from_slice(self.around.batch.state(entry));
        self.place.choices.push(number);
        self.arrive();
    }

    /// Bytes in use for more than one step, at most. What it has seen counts, not how memory happened to grow: walks by many walkers
    /// are to need the same each time.
    pub fn memory(&self) -> u64 {
        let path = self.deepest.next_power_of_two() * if self.watch > Watch::Nothing { 12 + 16 } else { 12 };
        (path + 2 * self.widest * 8) as u64
    }
}
