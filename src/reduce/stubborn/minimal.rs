//! Sets that cannot be made smaller, for tests: how much larger are ours?
//!
//! The deletion algorithm of A. Valmari (Stubborn sets for reduced state space generation, 1991), on the same dependencies as the closure:
//!
//! ```text
//! T := all transitions
//! for each executable t of T:
//!     take t away, and whatever needs what was taken away: executable transitions need all that disturbs them, other ones all that
//!     may make one of their false guards true
//!     put everything back if nothing executable is left, or nothing invisible though something is
//! ```
//! Once for each process, whose transitions are tried last. It takes much longer than the closure.

use super::{Chooser, Item, moves_of_one_process};
use crate::reduce::Reduction;
use crate::system::{Batch, Observer};

/// States with more transitions are not looked at.
const MOST: usize = 200;

/// What a transition needs, one of several alternatives; without one it cannot be in a set.
type Needed = Vec<Vec<usize>>;

/// A set that cannot be made smaller.
pub struct Minimal {
    /// Its transitions, by pid and number.
    pub members: Vec<(u32, u32)>,
    /// How many successors it keeps.
    pub kept: u32,
    /// How many there are.
    pub all: u32,
}

impl Chooser {
    /// The smallest set that deletion finds; `None` if the state cannot be reduced, or is too large for that.
    pub fn minimal(
        &mut self,
        reduction: &Reduction,
        state: &[u64],
        batch: &Batch,
        observer: &mut Observer,
    ) -> Option<Minimal> {
        if batch.entries.len() < 2 || moves_of_one_process(batch, &batch.entries) {
            return None;
        }
        self.locate(reduction, state, observer);
        if self.items.len() > MOST {
            return None;
        }
        let all = self.note_moves(reduction, batch, &batch.entries)?;
        reduction.note_final(crate::system::state::bytes(state), &mut self.inert);
        self.state.clear();
        self.state.extend_from_slice(state);
        let needed: Vec<Needed> = (0..self.items.len()).map(|item| self.needed(item as u32, observer)).collect();
        let mut best: Option<(u32, Vec<bool>)> = None;
        for pid in 0..self.places.len() as u32 {
            let set = self.delete(reduction, pid, &needed);
            let kept = self.weight(&set);
            if best.as_ref().is_none_or(|(least, _)| kept < *least) {
                best = Some((kept, set));
            }
        }
        let (kept, set) = best?;
        let members = self.items.iter().zip(&set).filter(|(_, is_in)| **is_in);
        Some(Minimal { members: members.map(|(item, _)| (item.pid, item.transition)).collect(), kept, all })
    }

    fn needed(&mut self, item: u32, observer: &mut Observer) -> Needed {
        let Item { pid, executable, .. } = self.items[item as usize];
        let pid = pid as usize;
        let all = 0..self.items.len() as u32;
        let indices = |items: &mut dyn Iterator<Item = u32>| items.map(|item| item as usize).collect::<Vec<usize>>();
        if executable {
            let is_partner =
                |&other: &u32| self.pairs.iter().any(|&pair| pair == (item, other) || pair == (other, item));
            let disturbs = |&other: &u32| {
                let is_sibling = self.items[other as usize].pid as usize == pid;
                is_sibling || self.at(item).minds.meets_beside(&self.at(other).future, &self.inert)
            };
            return vec![indices(&mut all.filter(|other| is_partner(other) || disturbs(other)))];
        }
        if self.precedent(item, pid).is_some() {
            let mut alternatives = Vec::new();
            let executable = |&other: &u32| other != item && self.items[other as usize].executable;
            for other in self.items_of(pid).filter(executable).filter(|_| !self.at(item).takes) {
                let precedes =
                    self.at(item).is_else || self.at(other).escape > 0 && self.at(other).escape != self.at(item).escape;
                alternatives.extend(precedes.then(|| vec![other as usize]));
            }
            return alternatives;
        }
        let mut state = self.state.clone();
        let guards = &self.at(item).guards;
        let fails: Vec<Option<bool>> = guards
            .iter()
            .map(|guard| guard.test.as_ref().map(|test| observer.value(&mut state, pid, test) == Some(0)))
            .collect();
        let some_fail = fails.contains(&Some(true));
        let reasons = guards.iter().zip(fails).filter(|(_, fails)| fails.unwrap_or(!some_fail));
        let possible = reasons.filter(|(guard, _)| !matches!(guard.needs, super::Needs::Anything));
        possible
            .map(|(guard, _)| indices(&mut all.clone().filter(|&other| self.helps(item, pid, guard, other))))
            .collect()
    }

    fn delete(&self, reduction: &Reduction, last: u32, needed: &[Needed]) -> Vec<bool> {
        let mut set = vec![true; self.items.len()];
        let is_enough = |set: &[bool]| self.weight(set) > 0 && (!reduction.is_watched() || self.suffices(set));
        // what can be in no set but that of all transitions
        shrink(&mut set, needed);
        if !is_enough(&set) {
            return vec![true; self.items.len()];
        }
        let executable = |last_ones: bool| {
            let item = move |&item: &usize| self.items[item].executable && (self.items[item].pid == last) == last_ones;
            (0..self.items.len()).filter(item)
        };
        for item in executable(false).chain(executable(true)) {
            if !set[item] {
                continue;
            }
            let mut smaller = set.clone();
            smaller[item] = false;
            shrink(&mut smaller, needed);
            if is_enough(&smaller) {
                set = smaller;
            }
        }
        set
    }

    fn weight(&self, set: &[bool]) -> u32 {
        self.items.iter().zip(set).filter(|(_, is_in)| **is_in).map(|(item, _)| item.begun).sum()
    }

    /// Something invisible is in the set, if anything invisible can be executed.
    fn suffices(&self, set: &[bool]) -> bool {
        let invisible = |item: &usize| self.items[*item].begun > 0 && !self.is_visible(*item as u32);
        let mut invisible = (0..self.items.len()).filter(invisible).peekable();
        invisible.peek().is_none() || invisible.any(|item| set[item])
    }
}

/// Takes away what needs something that is not there, again and again.
fn shrink(set: &mut [bool], needed: &[Needed]) {
    let mut changed = true;
    while changed {
        changed = false;
        for item in 0..set.len() {
            if set[item] && !needed[item].iter().any(|all| all.iter().all(|&one| set[one])) {
                set[item] = false;
                changed = true;
            }
        }
    }
}
